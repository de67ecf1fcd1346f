"""The evening: set-up, resuming, and the sources that are told what to expect."""

import threading
from collections.abc import Callable, Collection
from typing import Any

import pytest

from companion.journal import Journal, JournalError
from companion.observations import BoardBook, Building, BuildingsSeen, Observation, SightSeen, TokenSeen, TowerThrow
from companion.rules import Refused
from companion.session import CATCH_UP_S, Session, SetupError, dice_of
from companion.table import Table
from companion.workshop import Workshop
from tests.unit.table.tables import AT, sure, token
from tests.unit.table.test_patience import Clock

PLAYERS = [{"name": "Ann", "token": "hat", "color": "red", "shape": "circle"}, {"name": "Bob"}]


class StillEyes:
    """Eyes that see one picture and remember what they are told."""

    def __init__(self, session: Session, camera: str) -> None:
        self.told: list[tuple[str, Any]] = [("camera", camera)]

    def start(self) -> None:
        self.told.append(("start", None))

    def stop(self) -> None:
        self.told.append(("stop", None))

    def latest_frame(self) -> bytes | None:
        return b"frame"

    def frame_now(self) -> bytes | None:
        return self.latest_frame()

    def use_camera(self, camera: str) -> None:
        self.told.append(("camera", camera))

    def use_profile(self, profile: dict[str, Any]) -> None:
        self.told.append(("profile", profile))

    def expect(self, dice: tuple[str, ...] | None) -> None:
        self.told.append(("expect", dice))

    def look_for(self, has_markers: bool, playing: tuple[str, ...] | None) -> None:
        self.told.append(("game", (has_markers, playing)))

    def learn(self, book: BoardBook) -> None:
        self.told.append(("learn", book))

    def read_dice(self, is_wanted: bool) -> None:
        self.told.append(("read_dice", is_wanted))

    def teach(self, token: str, square: int, in_jail: bool, company: list[str]) -> None:
        self.told.append(("teach", (token, square, in_jail, company)))


class Tray:
    """A dice tower that remembers which dice were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def start(self) -> None:
        self.asked.append("started")

    def stop(self) -> None:
        self.asked.append("stopped")

    def ask(self, kinds: str) -> None:
        self.asked.append(kinds)

    def remember(self, throws: Any) -> None:
        self.known = list(throws)


class Notes:
    """A calibration that takes everything."""

    def __init__(self) -> None:
        self.empty: bytes | None = None
        self.taps: Any = None
        self.enrolled: list[str] = []
        self.kept: list[tuple[str, bytes]] = []

    def take_empty(self, jpeg: bytes) -> None:
        self.empty = jpeg

    def use_taps(self, taps: Any) -> None:
        self.taps = taps

    def enrol(self, token: str, jpeg: bytes, among: Collection[str] = ()) -> None:
        self.enrolled.append(token)

    def keep(self, token: str, png: bytes) -> None:
        self.kept.append((token, png))

    def profile(self) -> dict[str, Any] | None:
        return {"empty": self.empty, "taps": self.taps, "enrol": self.enrolled} if self.taps else None


def session_with_eyes() -> tuple[Session, list[StillEyes], Tray]:
    eyes: list[StillEyes] = []
    tray = Tray()

    def make_eyes(session: Session, camera: str) -> StillEyes:
        eyes.append(StillEyes(session, camera))
        return eyes[-1]

    workshop = Workshop(make_eyes=make_eyes, make_towers=lambda _: tray, calibration=Notes())
    return Session(Journal.in_memory(), workshop, lambda: AT), eyes, tray


def test_before_a_game_there_is_only_set_up() -> None:
    session = Session(Journal.in_memory())
    view = session.view()
    assert (view["phase"], view["game"], view["log"]) == ("setup", None, [])
    assert session.table is None
    assert session.frame() is None
    assert session.setup()["cameras"] == [{"camera": "none", "label": "No camera"}]


def test_a_game_is_set_up_and_everybody_is_told() -> None:
    session = Session(Journal.in_memory(), now=lambda: AT)
    shown: list[Any] = []
    session.subscribe(shown.append)
    table = session.set_up({"players": PLAYERS, "variant": "classic", "edition": None, "options": {"rent": "demand"}})
    assert shown[-1]["game"] == {
        "id": "20260101-190400",
        "variant": "classic",
        "title": "Classic",
        "edition": "classic",
        "options": {**shown[-1]["game"]["options"], "rent": "demand"},
        "started": AT,
        "automation": "show",
        "has_reactions": False,
        "reaction_s": None,
    }
    assert shown[-1]["players"][0] == {
        "name": "Ann",
        "token": "hat",
        "color": "red",
        "shape": "circle",
        "initial": "A",
    }
    table.act({"roll": [1, 2]})
    assert shown[-1]["version"] == 1


@pytest.mark.parametrize(
    "choices",
    [
        {"players": [{"name": "Ann"}]},
        {"players": [{"name": "Ann"}, {"name": "Ann"}]},
        {"players": PLAYERS, "variant": "chess"},
        {"players": PLAYERS, "options": {"rent": "sometimes"}},
        {"players": PLAYERS, "automation": "everything"},
    ],
)
def test_a_game_that_the_rules_do_not_allow_is_not_begun(choices: dict[str, Any]) -> None:
    session = Session(Journal.in_memory())
    with pytest.raises(Refused):
        session.set_up(choices)
    assert session.games() == []


def test_games_are_listed_and_gone_on_with() -> None:
    journal = Journal.in_memory()
    session = Session(journal, now=lambda: AT)
    session.set_up({"players": PLAYERS}).act({"roll": [1, 2]})
    session.set_up({"players": PLAYERS})
    later = Session(journal)
    assert [each["game"] for each in later.games()] == ["20260101-190400-2", "20260101-190400"]
    later.resume("20260101-190400")
    assert later.view()["version"] == 1
    newest = later.resume_newest()
    assert newest is not None
    assert newest.record.id == "20260101-190400-2"
    with pytest.raises(JournalError):
        later.resume("never")
    assert Session(Journal.in_memory()).resume_newest() is None


def test_a_table_that_was_left_does_not_push_any_more() -> None:
    session = Session(Journal.in_memory(), now=lambda: AT)
    old = session.set_up({"players": PLAYERS})
    session.set_up({"players": PLAYERS})
    shown: list[Any] = []
    session.subscribe(shown.append)
    old.act({"roll": [1, 2]})
    assert shown == []


def test_eyes_and_tower_are_told_which_dice_are_wanted() -> None:
    session, eyes, tray = session_with_eyes()
    session.use_camera("0")
    session.use_towers()
    table = session.set_up({"players": PLAYERS})
    assert [told for told in eyes[0].told if told[0] != "learn"] == [
        ("camera", "0"),
        ("expect", None),
        ("game", (True, None)),
        ("start", None),
        ("game", (False, table.tokens)),
        ("expect", ("d6", "d6")),
    ]
    assert [told for what, told in eyes[0].told if what == "learn"][-1].tokens == {"hat": (0, False)}
    session.observe(sure(1, 2))
    table.act({"choose": "auction"})
    assert [told for what, told in eyes[0].told if what == "expect"][-1] is None
    assert tray.asked == ["started", "2d6"]
    session.close()
    assert (eyes[0].told[-1], tray.asked[-1]) == (("stop", None), "stopped")


def test_eyes_are_told_what_is_built_even_while_something_is_asked() -> None:
    session, eyes, _ = session_with_eyes()
    session.use_camera("0")
    table = session.set_up({"players": PLAYERS})
    session.observe(BuildingsSeen(buildings={"oriental": Building(1)}, confidence=0.99))
    assert [question["about"] for question in table.view()["questions"]] == ["buildings"]
    table.act({"set": {"spaces": {"boardwalk": {"houses": 2}}, "players": {"Ann": {"at": "reading"}}}})
    book = [told for what, told in eyes[0].told if what == "learn"][-1]
    assert (book.tokens, book.streets[39]) == ({"hat": (0, False)}, (2, False))
    table.answer(table.view()["questions"][0]["id"], "put_right")
    assert [told for what, told in eyes[0].told if what == "learn"][-1].tokens == {"hat": (5, False)}
    session.close()


def test_eyes_look_for_markers_in_a_game_that_has_some_alone() -> None:
    session, eyes, _ = session_with_eyes()
    session.set_up({"players": PLAYERS})
    session.use_camera("0")
    session.set_up({"players": PLAYERS, "variant": "slaughterhouse"})
    session.set_up({"players": PLAYERS, "variant": "monopozombie"})
    assert [told[0] for what, told in eyes[0].told if what == "game"] == [False, True, False]


def test_eyes_are_told_whose_tokens_play() -> None:
    session, eyes, _ = session_with_eyes()
    session.use_camera("0")
    session.set_up({"players": [{"name": "Ann", "token": "Car"}, {"name": "Bob", "token": "hat"}]})
    session.set_up({"players": [{"name": "Ann", "token": "dog"}, {"name": "Cat", "token": "hat"}]})
    told = [told[1] for what, told in eyes[0].told if what == "game"]
    assert told[0] is None, "before there is a game all may play"
    assert [set(names) for names in told[1:]] == [{"ann", "car", "bob", "hat"}, {"ann", "dog", "cat", "hat"}]
    session.use_camera("none")
    session.use_camera("1")
    assert [told[1] for what, told in eyes[1].told if what == "game"] == told[2:], "another camera is told too"


def test_eyes_expect_no_throw_while_somebody_may_undo_the_dice_that_lie_there() -> None:
    session, eyes, tray = session_with_eyes()
    session.use_camera("0")
    session.use_towers()
    players = [{"name": "Ann", "extra": {"class": "fighter"}}, {"name": "Bob", "extra": {"class": "cleric"}}]
    session.set_up({"players": players, "variant": "dungeonopoly", "given": {"players": {"Bob": {"level": 6}}}})
    session.table.act({"roll": [1, 2]})
    assert session.view()["decisions"][0]["fields"]["dice"] == [1, 2]
    expected = [told for what, told in eyes[0].told if what == "expect"]
    assert expected == [None, ("d6", "d6"), None]
    session.table.act({"choose": "divine_intervention", "by": "Bob"})
    assert [told for what, told in eyes[0].told if what == "expect"] == [*expected, ("d6", "d6")]
    assert tray.asked == ["started", "2d6", "2d6"]


def test_the_camera_is_changed_and_taken_away_in_mid_game() -> None:
    session, eyes, _ = session_with_eyes()
    session.use_camera("0")
    session.use_camera("1")
    assert len(eyes) == 1
    assert session.frame() == b"frame"
    session.observe(SightSeen(state="well"))
    assert session.view()["sight"]["camera"] == {"state": "well", "word": "", "confidence": None}
    session.use_camera("none")
    assert eyes[0].told[-1] == ("stop", None)
    assert session.view()["sight"]["camera"] is None
    assert session.setup()["camera"] == "none"


def test_the_light_goes_out_with_the_camera_in_mid_game() -> None:
    session, _, _ = session_with_eyes()
    session.use_camera("0")
    session.set_up({"players": PLAYERS})
    session.observe(SightSeen(state="well"))
    session.observe(SightSeen(source="tower", state="well"))
    shown: list[Any] = []
    session.subscribe(lambda view: shown.append(view["sight"]["camera"]))
    session.use_camera("none")
    assert set(shown) == {None}
    assert session.view()["sight"]["tower"]["state"] == "well"


def test_throws_are_counted_on_when_the_camera_is_put_back() -> None:
    session, _, _ = session_with_eyes()
    session.use_camera("0")
    table = session.set_up({"players": PLAYERS, "variant": "watch", "options": {"doubles_again": False}})
    session.observe(sure(2, 1, throw=1))
    session.use_camera("none")
    session.use_camera("0")
    session.observe(sure(6, 4, throw=1))
    assert [action["roll"] for action in table.actions()] == [[2, 1], [6, 4]]


def meanwhile(monkeypatch: pytest.MonkeyPatch, seen: SightSeen, call: Callable[[], None]) -> threading.Thread:
    """When a table is told that this is seen, another thread comes in between, and is given some time."""
    observe = Table.observe
    thread = threading.Thread(target=call)

    def interrupted(table: Table, observation: Observation) -> None:
        if observation == seen and thread.ident is None:
            thread.start()
            thread.join(0.5)
        observe(table, observation)

    monkeypatch.setattr(Table, "observe", interrupted)
    return thread


def test_a_game_begins_while_a_source_is_seen_for_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    session, _, _ = session_with_eyes()
    well, tower = SightSeen(state="well"), SightSeen(source="tower", state="unsure", word="a die is missing")
    session.observe(well)
    other = meanwhile(monkeypatch, well, lambda: session.observe(tower))
    session.set_up({"players": PLAYERS})
    other.join()
    assert session.view()["sight"]["camera"]["state"] == "well"
    assert session.view()["sight"]["tower"]["word"] == "a die is missing"


def test_a_camera_that_goes_blind_while_the_tray_is_told_of_is_shown_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    session, _, _ = session_with_eyes()
    session.set_up({"players": PLAYERS})
    well = SightSeen(state="well")
    session.observe(well)
    other = meanwhile(monkeypatch, well, lambda: session.observe(SightSeen(state="blind", word="unplugged")))
    session.observe_tray(SightSeen(state="well"))
    other.join()
    assert session.view()["sight"]["camera"]["word"] == "unplugged"


def test_without_eyes_a_camera_cannot_be_chosen() -> None:
    session = Session(Journal.in_memory())
    with pytest.raises(SetupError):
        session.use_camera("0")
    for step in (session.take_empty, lambda: session.use_taps([]), lambda: session.enrol("hat")):
        with pytest.raises(SetupError):
            step()


def test_the_calibration_of_the_page_reaches_the_eyes() -> None:
    session, eyes, _ = session_with_eyes()
    with pytest.raises(SetupError):
        session.take_empty()
    session.use_camera("0")
    session.take_empty()
    assert session.empty_picture() == b"frame"
    assert [what for what, _ in eyes[0].told].count("profile") == 0
    session.use_taps([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    session.enrol("hat")
    state = session.setup()
    assert (state["empty"], state["enrolled"], len(state["taps"])) == (True, ["hat"], 4)
    assert eyes[0].told[-1] == ("profile", {"empty": b"frame", "taps": session._desk().taps, "enrol": ["hat"]})


def full(*_: Any) -> None:
    raise JournalError("The disk is full.")


def at_a_table() -> tuple[Clock, Session, Table]:
    clock = Clock()
    session = Session(Journal.in_memory(), now=lambda: AT, later=clock.later)
    return clock, session, session.set_up({"players": PLAYERS})


def test_a_full_disk_stops_no_camera_and_makes_the_tower_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    _, session, table = at_a_table()
    with monkeypatch.context() as patch:
        patch.setattr(session._journal, "append", full)
        session.observe(sure(1, 2))
        with pytest.raises(JournalError):
            session.observe(TowerThrow(faces=(1, 2), sequence=1, tower="t", boot="b"))
    assert table.version == 0
    assert session.view()["problems"][0]["text"].startswith("The disk is full. What the camera has seen since")
    session.observe(TowerThrow(faces=(1, 2), sequence=1, tower="t", boot="b"))
    assert [step.action["roll"] for step in table.steps()] == [[1, 2]]


def test_what_a_camera_reports_while_the_disk_is_full_counts_as_soon_as_it_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, session, table = at_a_table()
    with monkeypatch.context() as patch:
        patch.setattr(session._journal, "append", full)
        session.observe(sure(1, 3, throw=1))
        session.observe(token("hat", "income-tax"))
        clock.wait(2 * CATCH_UP_S)
        assert table.version == 0
    clock.wait(CATCH_UP_S)
    assert [step.action["roll"] for step in table.steps()] == [[1, 3]]
    assert table.view()["questions"] == table.view()["problems"] == []
    assert not clock.waiting
    entries = session._journal.entries(table.record.id)
    assert [each.payload["type"] for each in entries if each.kind == "observation"] == ["dice", "token"]


def test_a_later_report_of_a_camera_comes_after_those_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, session, table = at_a_table()
    with monkeypatch.context() as patch:
        patch.setattr(session._journal, "append", full)
        session.observe(sure(1, 3, throw=1))
    session.observe(sure(3, 5, throw=2))
    assert [(step.action["roll"], step.action["by"]) for step in table.steps()] == [([1, 3], "Ann"), ([3, 5], "Bob")]
    session.close()
    assert not clock.waiting


def test_no_other_game_begins_while_a_throw_waits_to_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    _, session, table = at_a_table()
    with monkeypatch.context() as patch:
        patch.setattr(session._journal, "append", full)
        session.observe(sure(1, 3, throw=1))
        for another in (lambda: session.set_up({"players": PLAYERS}), lambda: session.resume(table.record.id)):
            with pytest.raises(SetupError, match=r"waits to be written, and would be lost\. The disk is full\."):
                another()
        assert session.table is table
        assert [game["game"] for game in session.games()] == [table.record.id]
    session.set_up({"players": PLAYERS})
    assert [step.action["roll"] for step in table.steps()] == [[1, 3]], "there was room again in between"


def test_the_tablet_says_what_waits_and_that_the_end_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, session, _ = at_a_table()
    shown: list[str] = []
    session.subscribe(lambda view: shown.extend(problem["text"] for problem in view["problems"]))
    with monkeypatch.context() as patch:
        patch.setattr(session._journal, "append", full)
        session.observe(sure(1, 3, throw=1))
        waiting = (
            "The disk is full. What the camera has seen since then waits, and would be lost if Boardside ended now."
        )
        assert shown[-1] == waiting
        assert session.waits
        assert not session.end()
        assert shown[-1] == f"{waiting} Boardside ends as soon as it is written."
    clock.wait(CATCH_UP_S)
    assert not session.waits
    assert session.end()
    assert session.view()["problems"] == []


def test_what_waits_is_tried_once_more_at_the_very_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for has_room in (True, False):
        _, session, table = at_a_table()
        with monkeypatch.context() as patch:
            patch.setattr(session._journal, "append", full)
            session.observe(sure(1, 3, throw=1))
            caplog.clear()
            if not has_room:
                session.close()
        if has_room:
            session.close()
        assert len(table.steps()) == has_room
        assert bool(caplog.records) != has_room


def test_dice_of_a_hand_are_counted() -> None:
    assert [dice_of(hand) for hand in ("2d6", "d20", "d6+d4", None)] == [("d6", "d6"), ("d20",), ("d6", "d4"), None]


def taught(eyes: StillEyes) -> list[Any]:
    return [what for verb, what in eyes.told if verb == "teach"]


def test_where_people_say_a_token_stands_teaches_the_eyes() -> None:
    session, made, _ = session_with_eyes()
    session.use_camera("0")
    table = session.set_up({"players": [{"name": "Ann", "token": "hat"}, {"name": "Bob", "token": "car"}]})
    table.act({"set": {"players": {"Ann": {"at": "jail", "in_jail": True}}}})
    table.act({"set": {"players": {"Bob": {"cash": 7}}}})
    assert taught(made[0]) == [("hat", 10, True, [])]
    table.act({"set": {"players": {"Bob": {"at": "jail", "in_jail": True}}}})
    assert taught(made[0])[1:] == [("car", 10, True, ["hat"])]


def test_where_people_say_the_cop_stands_teaches_the_eyes() -> None:
    session, made, _ = session_with_eyes()
    session.use_camera("0")
    seats = [{"name": "Ann", "token": "hat"}, {"name": "Bob", "token": "car"}]
    table = session.set_up({"players": seats, "variant": "slaughterhouse"})
    table.act({"set": {"cop": {"at": "go"}}})
    table.act({"set": {"cop": {"out": False}}})
    assert taught(made[0]) == [("cop", 0, False, ["hat", "car"])]


def seen_on(token: str, space: str) -> TokenSeen:
    return TokenSeen(token=token, spaces={space: 0.99})


@pytest.mark.parametrize(
    ("option", "lessons"),
    [("misread", [("hat", 0, False, ["car"])]), ("accept", [("hat", 3, False, [])]), ("put_right", [])],
)
def test_answers_that_tell_where_a_token_stands_teach_the_eyes(option: str, lessons: list[Any]) -> None:
    session, made, _ = session_with_eyes()
    session.use_camera("0")
    seats = [{"name": "Ann", "token": "hat"}, {"name": "Bob", "token": "car"}]
    table = session.set_up({"players": seats, "first": "Bob"})
    session.observe(seen_on("hat", "go"))
    session.observe(seen_on("hat", "baltic"))
    assert "misread" in [each["option"] for each in table.view()["questions"][0]["options"]]
    table.answer("token", option)
    assert taught(made[0]) == lessons


def test_a_token_that_was_missed_and_is_back_teaches_the_eyes() -> None:
    session, made, _ = session_with_eyes()
    session.use_camera("0")
    table = session.set_up({"players": [{"name": "Ann", "token": "hat"}, {"name": "Bob", "token": "car"}]})
    session.observe(seen_on("car", "go"))
    session.observe(TokenSeen(token="car", gone=True))
    table.answer("token", "put_right")
    assert taught(made[0]) == [("car", 0, False, ["hat"])]


def test_what_the_eyes_learned_is_kept_with_the_calibration() -> None:
    session, _, _ = session_with_eyes()
    desk = session._workshop.calibration
    assert isinstance(desk, Notes)
    session.learned("hat", b"png")
    assert desk.kept == [("hat", b"png")]
