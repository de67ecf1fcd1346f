"""A reaction that nobody answers, on a clock that is moved by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.archive import export_text, import_text
from companion.journal import Journal
from companion.rules import Refused
from companion.session import Session, SetupError

PLAYERS = [
    {"name": "Ann", "extra": {"class": "fighter"}},
    {"name": "Bob", "extra": {"class": "cleric"}},
]
#: Bob can have each throw of Ann's thrown again.
GIVEN = {"players": {"Bob": {"level": 6}}}


class Clock:
    """Waits until it is told that time has passed."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting: dict[int, tuple[float, Callable[[], None]]] = {}
        self._count = 0

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        self._count += 1
        number = self._count
        self.waiting[number] = (self.now + seconds, call)
        return lambda: self.waiting.pop(number, None) and None

    def wait(self, seconds: float) -> None:
        self.now += seconds
        for number, (due, call) in list(self.waiting.items()):
            if due <= self.now and self.waiting.pop(number, None):
                call()


def begin(reaction_s: int | None, **choices: Any) -> tuple[Session, Clock]:
    clock = Clock()
    session = Session(Journal.in_memory(), later=clock.later, now_s=lambda: clock.now)
    session.set_up({"players": PLAYERS, "variant": "dungeonopoly", "given": GIVEN, "reaction_s": reaction_s, **choices})
    return session, clock


def asked(session: Session) -> list[str]:
    return [each["player"] for each in session.view()["decisions"] if each["kind"] == "react"]


def throw(session: Session, *dice: int) -> None:
    session.table.act({"roll": list(dice)})


def test_what_nobody_answers_is_declined_by_the_table() -> None:
    session, clock = begin(30)
    throw(session, 1, 2)
    assert asked(session) == ["Bob"]
    assert session.view()["game"]["reaction_s"] == 30
    clock.wait(29)
    assert asked(session) == ["Bob"]
    clock.wait(1)
    assert asked(session) == []
    step = session.table.steps()[-1]
    assert (step.by, step.action["choose"], step.player) == ("table", "decline", "Bob")
    assert session.view()["snapshot"]["players"]["Ann"]["at"] == "baltic"
    assert clock.waiting == {}


def test_an_answer_in_time_calls_the_alarm_off() -> None:
    session, clock = begin(15)
    throw(session, 1, 2)
    clock.wait(10)
    session.table.act({"choose": "divine_intervention", "by": "Bob"})
    before = session.view()["version"]
    clock.wait(60)
    assert session.view()["version"] == before
    assert clock.waiting == {}


def test_each_question_has_its_own_time_and_other_changes_do_not_prolong_it() -> None:
    session, clock = begin(15)
    throw(session, 1, 2)
    clock.wait(10)
    session.table.act({"set": {"players": {"Ann": {"cash": 1400}}}})
    assert asked(session) == ["Bob"]
    clock.wait(5)
    assert asked(session) == []
    session.table.undo()
    assert asked(session) == ["Bob"]
    clock.wait(14)
    assert asked(session) == ["Bob"]
    clock.wait(1)
    assert asked(session) == []


def left(view: dict[str, Any]) -> list[float | None]:
    return [each.get("left_s") for each in view["decisions"] if each["kind"] == "react"]


def test_whoever_looks_later_is_told_what_is_left() -> None:
    session, clock = begin(30)
    told: list[list[float | None]] = []
    session.subscribe(lambda view: told.append(left(view)))
    throw(session, 1, 2)
    clock.wait(12.25)
    assert left(session.view()) == [17.8]
    session.table.act({"set": {"players": {"Ann": {"cash": 1400}}}})
    assert told == [[30.0], [17.8]]
    session.use_patience(60)
    assert told[-1] == [60.0]
    session.use_patience(None)
    assert left(session.view()) == [None]


def test_without_a_time_the_table_waits() -> None:
    session, clock = begin(None)
    throw(session, 1, 2)
    assert clock.waiting == {}
    assert asked(session) == ["Bob"]
    assert session.view()["game"]["reaction_s"] is None


def test_another_game_or_the_end_calls_the_alarm_off_and_going_on_sets_it_again() -> None:
    session, clock = begin(60)
    game = session.view()["game"]["id"]
    throw(session, 1, 2)
    session.set_up({"players": [{"name": "Ann"}, {"name": "Bob"}]})
    assert clock.waiting == {}
    session.resume(game)
    assert [due for due, _ in clock.waiting.values()] == [60]
    session.close()
    assert clock.waiting == {}


def test_only_the_times_offered_can_be_set() -> None:
    with pytest.raises(Refused, match="15, 30, 60"):
        begin(7)


def test_the_time_is_changed_during_a_game_and_whoever_is_asked_has_all_of_it() -> None:
    session, clock = begin(None)
    throw(session, 1, 2)
    session.use_patience(15)
    assert session.view()["game"]["reaction_s"] == 15
    clock.wait(14)
    session.use_patience(60)
    clock.wait(59)
    assert asked(session) == ["Bob"]
    clock.wait(1)
    assert asked(session) == []
    session.table.undo()
    session.use_patience(None)
    assert clock.waiting == {}
    assert asked(session) == ["Bob"]


def test_a_changed_time_is_kept_with_the_game_and_is_no_part_of_it() -> None:
    clock, journal = Clock(), Journal.in_memory()
    session = Session(journal, later=clock.later)
    table = session.set_up({"players": PLAYERS, "variant": "dungeonopoly"})
    throw(session, 1, 2)
    before = session.view()["snapshot"], session.view()["version"]
    session.use_patience(30)
    assert (session.view()["snapshot"], session.view()["version"]) == before
    again = Session(journal, later=clock.later)
    again.resume(table.record.id)
    assert again.view()["game"]["reaction_s"] == 30
    text = export_text(journal, table.record.id)
    assert import_text(Journal.in_memory(), text).settings["reaction_s"] == 30


def test_the_command_line_sets_the_time_of_games_that_name_none() -> None:
    session = Session(Journal.in_memory(), reaction_s=30)
    assert session.setup()["reaction_s"] == 30
    game = {"players": PLAYERS, "variant": "dungeonopoly"}
    assert session.set_up(game).record.settings["reaction_s"] == 30
    assert session.set_up({**game, "reaction_s": None}).record.settings["reaction_s"] is None


@pytest.mark.parametrize("seconds", [7, 0, -15, 15.0, True])
def test_no_other_time_is_taken_during_a_game_or_from_the_command_line(seconds: Any) -> None:
    session, _ = begin(30)
    with pytest.raises(Refused, match="15, 30, 60"):
        session.use_patience(seconds)
    assert session.view()["game"]["reaction_s"] == 30
    with pytest.raises(Refused, match="15, 30, 60"):
        Session(Journal.in_memory(), reaction_s=seconds)


def test_without_a_game_there_is_no_time_to_be_changed() -> None:
    with pytest.raises(SetupError):
        Session(Journal.in_memory()).use_patience(30)
