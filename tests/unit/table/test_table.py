"""The live table: actions, corrections, observations, and that all of it is in the journal."""

import random
import threading
from typing import Any

import pytest

from companion.bots import Bots
from companion.journal import Entry, Journal, JournalError
from companion.observations import Building, BuildingsSeen, Picture, SightSeen, StandingSeen, TokenSeen, TowerThrow
from companion.rules import Refused
from companion.table import Answered, Stale, Table, UnknownEntry
from tests.unit.table.tables import again, cash, dice, line, new_table, place, play, shown, sure, token

BUY = {"choose": "buy"}


# -- acting ----------------------------------------------------------------------------------------


def test_an_action_is_journalled_before_anybody_is_told() -> None:
    table = new_table()
    known: list[int] = []
    table.subscribe(lambda view: known.append(table._journal.last_number("g1") - view["version"]))
    play(table, {"roll": [4, 4]}, BUY)
    assert known == [0, 0]


def test_a_refused_action_leaves_no_trace() -> None:
    table = new_table()
    told: list[Any] = []
    table.subscribe(told.append)
    with pytest.raises(Refused) as caught:
        table.act({"roll": [4, 4], "by": "Bob"})
    assert caught.value.code == "not_your_turn"
    assert (table.version, table._journal.last_number("g1"), told) == (0, 0, [])


def test_a_request_that_looked_at_an_older_state_is_refused() -> None:
    table = new_table()
    table.act({"roll": [4, 4]}, version=0)
    with pytest.raises(Stale) as caught:
        table.act(BUY, version=0)
    assert caught.value.code == "stale"
    table.act(BUY, version=1)


def test_every_action_says_by_whom() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY, {"roll": [1, 3]})
    assert [step.action["by"] for step in table.steps()] == ["Ann", "Ann", "Bob"]


def full(*_: Any) -> None:
    raise JournalError("The disk is full.")


def test_a_journal_that_cannot_be_written_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    before = shown(table)
    told: list[Any] = []
    table.subscribe(lambda view: told.append(view["problems"]))
    with monkeypatch.context() as patch:
        patch.setattr(table._journal, "append", full)
        with pytest.raises(JournalError):
            table.act(BUY)
        with pytest.raises(JournalError):
            table.observe(token("hat", "baltic"))
    waits = "What the camera has seen since then waits, and would be lost if Boardside ended now."
    texts = ["The disk is full.", f"The disk is full. {waits}"]
    assert told == [[{"code": "journal_failed", "text": text}] for text in texts]
    assert {**shown(table), "problems": []} == before
    table.act(BUY)
    assert told[-1] == []
    assert place(table, "Ann") == "baltic"
    assert shown(again(table)) == shown(table)


def test_a_journal_that_can_neither_be_written_nor_read_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    with monkeypatch.context() as patch:
        patch.setattr(table._journal, "append", full)
        patch.setattr(table._journal, "entries", full)
        for _ in range(2):
            with pytest.raises(JournalError):
                table.act(BUY)
        assert place(table, "Ann") == "baltic"
        assert cash(table)["Ann"] == 1500
    table.act(BUY)
    assert cash(table)["Ann"] == 1440
    assert shown(again(table)) == shown(table)


def test_many_fingers_at_once_lose_nothing() -> None:
    table = new_table()
    shown: list[int] = []
    table.subscribe(lambda view: shown.append(view["version"]))

    def count(player: str) -> None:
        for dollars in range(50):
            table.act({"set": {"players": {player: {"cash": dollars}}}})

    threads = [threading.Thread(target=count, args=(name,)) for name in ("Ann", "Bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.version == 100
    assert shown == sorted(shown)
    assert shown[-1] == 100
    assert cash(table) == {"Ann": 49, "Bob": 49}


# -- undo and redo -----------------------------------------------------------------------------------


def test_undo_and_redo_are_entries_and_take_the_action_out_and_in() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY)
    table.undo()
    assert line(table, 2)["status"] == "undone"
    assert cash(table)["Ann"] == 1500
    assert table.view()["can_redo"]
    table.redo()
    assert cash(table)["Ann"] == 1440
    assert not table.view()["can_redo"]
    assert [entry.kind for entry in table._journal.entries("g1")] == ["action", "action", "undo", "redo"]


def test_a_new_action_ends_what_could_be_redone() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY)
    table.undo()
    table.act({"choose": "auction"})
    with pytest.raises(Refused):
        table.redo()


def test_undo_of_several_goes_back_through_what_was_undone_before() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY, {"roll": [1, 3]})
    table.act({"undo": 2})
    assert table.view()["snapshot"]["pending"][0]["kind"] == "purchase"
    table.undo()
    assert place(table, "Ann") == "go"
    with pytest.raises(Refused):
        table.undo()


def test_an_undo_says_what_hands_have_to_do() -> None:
    table = new_table(given={"spaces": {"vermont": {"owner": "Bob"}}})
    table.act({"roll": [6, 2]})
    told = table.undo()
    assert told["cash"] == {"Ann": 6, "Bob": -6}
    assert [each["text"] for each in table.view()["repair"]] == ["Bob gives Ann $6.", "Move the hat to GO."]


# -- amending ------------------------------------------------------------------------------------------


def test_an_amended_throw_moves_everything_that_hangs_on_it() -> None:
    table = new_table(given={"spaces": {"vermont": {"owner": "Bob"}, "oriental": {"owner": "Bob", "houses": 2}}})
    play(table, {"roll": [5, 3]}, {"roll": [4, 6]})
    told = table.amend(1, {"roll": [5, 1]})
    assert (place(table, "Ann"), place(table, "Bob")) == ("oriental", "jail")
    assert cash(table) == {"Ann": 1410, "Bob": 1590}
    assert told["cash"] == {"Ann": -84, "Bob": 84}
    assert told["moves"] == {"Ann": ["vermont", "oriental"]}
    assert line(table, 1)["status"] == "amended"
    assert line(table, 1)["text"] == "Ann throws 5 and 1. Ann owes Bob $90 for Oriental."
    assert [each["text"] for each in table.view()["repair"]] == ["Ann gives Bob $84.", "Move the hat to Oriental."]


def test_a_preview_tells_the_same_and_changes_nothing() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY, {"roll": [1, 3]})
    before = table.view()
    preview = table.amend(1, {"roll": [1, 4]}, preview=True)
    assert table.view() is before
    assert [each["entry"] for each in preview["no_longer_fits"]] == [2, 3]
    assert preview["repair"] == [
        "The Bank gives Ann $60.",
        "The Bank gives Bob $200.",
        "Move the hat to Reading Railroad.",
        "Move the car to GO.",
        "Baltic goes back to the Bank.",
    ]
    told = table.amend(1, {"roll": [1, 4]})
    assert told == preview


def test_a_preview_of_what_could_not_have_been_holds_the_refusal() -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    assert "not a throw" in table.amend(1, {"roll": [7, 1]}, preview=True)["refused"]
    with pytest.raises(Refused):
        table.amend(1, {"roll": [7, 1]})
    assert table.version == 1


def test_a_purchase_never_comes_to_mean_another_property() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY)
    table.amend(1, {"roll": [2, 4]})
    misfit = line(table, 2)
    assert misfit["status"] == "no_longer_fits"
    assert misfit["text"] == "Ann buys Baltic."
    assert "Oriental" in misfit["reason"]
    assert table.view()["snapshot"]["spaces"]["oriental"]["owner"] is None
    assert table.view()["problems"][0]["code"] == "no_longer_fits"


def test_a_throw_never_comes_to_be_another_players() -> None:
    table = new_table()
    play(table, {"roll": [1, 1]}, {"draw": "bank-error"}, {"roll": [1, 3]}, BUY)
    # Without the double Ann had no second throw: it is not to be taken for Bob's.
    table.amend(1, {"roll": [1, 3]})
    assert [line(table, entry)["status"] for entry in (1, 2, 3, 4)] == ["amended", *["no_longer_fits"] * 3]
    assert place(table, "Bob") == "go"


def test_what_no_longer_fits_is_fixed_or_dropped_by_hand() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, BUY, {"roll": [1, 3]})
    table.amend(1, {"roll": [2, 4]})
    fix = next(each for each in table.alternatives(2) if each["label"].startswith("Buy"))
    table.amend(2, fix["action"])
    assert line(table, 2)["text"] == "Ann buys Oriental for $100."
    assert line(table, 3)["status"] == "done"
    table.drop(2)
    assert line(table, 2)["status"] == "dropped"
    assert table.view()["snapshot"]["spaces"]["oriental"]["owner"] is None


def test_what_fills_a_gap_of_the_past_goes_where_the_gap_is() -> None:
    table = new_table()
    play(table, {"roll": [1, 3]}, {"roll": [1, 2]}, BUY)
    # A double after all: Ann had a further throw, and Bob's throw hangs until it is told.
    table.amend(1, {"roll": [2, 2]})
    assert [line(table, entry)["status"] for entry in (2, 3)] == ["no_longer_fits"] * 2
    told = table.act({"roll": [2, 4]})
    assert told["entry"] > 3
    assert [line(table, entry)["status"] for entry in (2, 3)] == ["done", "done"]
    assert [each["entry"] for each in table.view()["log"]] == [1, told["entry"], 2, 3]
    assert shown(again(table)) == shown(table)


def test_an_undone_line_cannot_be_amended() -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    table.undo()
    with pytest.raises(Refused):
        table.amend(1, {"roll": [1, 3]})


def test_lines_that_are_not_there_are_said_to_be_unknown() -> None:
    table = new_table()
    for ask in (table.why, table.alternatives, table.drop):
        with pytest.raises(UnknownEntry):
            ask(7)


def test_a_correction_by_hand_is_an_entry_like_any_other() -> None:
    table = new_table()
    table.act({"set": {"players": {"Ann": {"cash": 900}}}})
    assert line(table, 1)["text"] == "Put right by hand: Ann has $900."
    assert table.view()["repair"] == []
    table.undo()
    assert cash(table)["Ann"] == 1500


# -- what sources report ---------------------------------------------------------------------------------


def test_a_seen_throw_becomes_an_action_with_its_picture_and_confidence() -> None:
    table = new_table()
    table.take_picture(Picture(id="p1", jpeg=b"jpeg"))
    table.observe(sure(4, 4, picture="p1"))
    shown = line(table, 2)
    assert (shown["by"], shown["picture"], shown["text"]) == (
        "camera",
        "p1",
        "Ann throws 4 and 4. Ann moves to Vermont.",
    )
    assert 0.97 < shown["confidence"] <= 1
    assert again(table).picture("p1") == b"jpeg"
    assert table.view()["sight"]["readings"] == 1


def test_a_picture_that_comes_late_is_kept_as_well() -> None:
    table = new_table()
    table.observe(sure(4, 4, picture="p1"))
    table.take_picture(Picture(id="p1", jpeg=b"jpeg"))
    table.take_picture(Picture(id="p2", jpeg=b"unused"))
    resumed = again(table)
    assert (resumed.picture("p1"), resumed.picture("p2")) == (b"jpeg", None)


def test_pictures_can_be_left_out_of_the_journal() -> None:
    kept = new_table()
    table = Table(kept._journal, "g1", keeps_pictures=False)
    table.take_picture(Picture(id="p1", jpeg=b"jpeg"))
    table.observe(sure(4, 4, picture="p1"))
    assert table.picture("p1") == b"jpeg"
    assert again(table).picture("p1") is None


def test_tokens_are_known_by_the_names_under_which_they_were_enrolled() -> None:
    table = new_table()
    table.observe(dice({4: 0.99}, {2: 0.6, 4: 0.4}))
    table.observe(token("hat", "vermont"))
    table.observe(token("thimble", "boardwalk"))
    assert place(table, "Ann") == "vermont"
    kinds = [entry.kind for entry in table._journal.entries("g1")]
    assert kinds == ["observation", "observation", "action"]


def test_the_same_said_again_is_not_journalled() -> None:
    table = new_table()
    for share in (0.991, 0.989, 0.992):
        table.observe(dice({4: share}, {3: 0.99}))
        table.observe(token("hat", "chance-1", share))
    assert [entry.kind for entry in table._journal.entries("g1")] == ["observation", "action", "observation"]


def test_after_a_restart_throws_are_numbered_on() -> None:
    table = new_table()
    table.observe(sure(4, 3, throw=1))
    resumed = again(table)
    resumed.act({"draw": "dividend"})
    resumed.observe(sure(4, 3, throw=1))
    assert [step.action.get("roll") for step in resumed.steps()] == [[4, 3], None, [4, 3]]
    assert shown(again(resumed)) == shown(resumed)


def test_a_throw_of_the_tower_counts_once() -> None:
    table = new_table()
    throw = TowerThrow(faces=(4, 3), sequence=1, tower="t", boot="b")
    table.observe(throw)
    table.observe(throw)
    assert [(step.by, step.action["roll"]) for step in table.steps()] == [("tower", [4, 3])]
    assert table.tower_throws() == [throw]


def test_how_well_the_sources_see_is_shown_and_not_journalled() -> None:
    table = new_table()
    shown: list[Any] = []
    table.subscribe(lambda view: shown.append(view["sight"]["camera"]))
    for _ in range(2):
        table.observe(SightSeen(state="unsure", word="hand over the board"))
    assert shown == [{"state": "unsure", "word": "hand over the board", "confidence": None}]
    assert table._journal.last_number("g1") == 0


def test_a_question_is_answered_once() -> None:
    table = new_table()
    table.observe(dice({4: 0.99}, {6: 0.6, 5: 0.4}, picture="p1"))
    table.observe(token("hat", "baltic"))
    question = table.view()["questions"][0]
    assert (question["about"], question["options"][0]["option"]) == ("dice", [4, 6])
    assert again(table).view()["questions"] == [question]
    table.answer(question["id"], [4, 5], version=table.version)
    assert place(table, "Ann") == "connecticut"
    assert all(each["about"] != "dice" for each in table.view()["questions"])
    with pytest.raises(Answered):
        table.answer(question["id"], [4, 6])
    assert shown(again(table)) == shown(table)


def test_a_throw_that_was_tapped_wrongly_is_amended_by_what_the_camera_saw() -> None:
    table = new_table()
    table.observe(StandingSeen(tokens={"go": 2.0}, looks=4))
    table.act({"roll": [1, 2]})
    table.observe(sure(4, 3, picture="p1"))
    (question,) = table.view()["questions"]
    assert question["text"] == "Ann's throw was put in as 1 and 2, but the camera saw 4 and 3."
    assert [each["label"] for each in question["options"]] == [
        "It was 4 and 3",
        "It was 1 and 2",
        "It is the next throw",
    ]
    table.answer(question["id"], [4, 3])
    assert place(table, "Ann") == "chance-1"
    assert table.actions() == [{"roll": [4, 3], "by": "Ann"}]
    assert shown(again(table)) == shown(table)


def test_a_token_that_went_where_nothing_shows_is_missed_when_it_shows_again() -> None:
    table = new_table()
    table.observe(StandingSeen(tokens={"go": 2.0}, looks=4))
    table.observe(sure(6, 2, picture="p1"))
    table.observe(StandingSeen(tokens={"go": 1.0}, looks=4, hidden=("vermont",)))
    table.observe(TokenSeen(token="hat", gone=True))
    assert all(each["about"] != "token" for each in table.view()["questions"])
    table.observe(StandingSeen(tokens={"go": 1.0}, looks=4))
    (question,) = (each for each in table.view()["questions"] if each["about"] == "token")
    assert question["text"] == "I can't see Ann's token standing on Vermont Avenue. Has it fallen over?"
    assert shown(again(table)) == shown(table)


def test_what_hands_put_right_is_ticked_off_by_the_camera() -> None:
    table = new_table(given={"spaces": {"baltic": {"owner": "Ann"}, "mediterranean": {"owner": "Ann"}}})
    play(table, {"build": "baltic"})
    table.undo()
    assert [(each["text"], each["done"]) for each in table.view()["repair"]] == [
        ("The Bank gives Ann $50.", False),
        ("Take one house off Baltic.", False),
    ]
    table.observe(BuildingsSeen(buildings={"baltic": Building(houses=0)}, confidence=0.99))
    assert [each["done"] for each in table.view()["repair"]] == [False, True]
    table.tick(table.view()["repair"][0]["id"])
    assert [each["done"] for each in table.view()["repair"]] == [True, True]
    assert shown(again(table)) == shown(table)
    table.act({"roll": [1, 3]})
    assert table.view()["repair"] == []


def test_a_token_in_the_cell_is_not_just_visiting() -> None:
    table = new_table(given={"players": {"Ann": {"at": "jail", "in_jail": True}}})
    play(table, {"choose": "pay"})
    table.undo()
    assert [each["text"] for each in table.view()["repair"]] == ["The Bank gives Ann $50.", "Move the hat into Jail."]
    table.observe(token("hat", "jail", in_jail=0.02))
    assert not table.view()["repair"][1]["done"]
    table.observe(token("hat", "jail", in_jail=0.99))
    assert table.view()["repair"][1]["done"]


def test_a_card_that_was_kept_goes_back() -> None:
    table = new_table()
    play(table, {"roll": [3, 4]}, {"draw": "get-out-of-jail-chance"})
    told = table.amend(2, {"draw": "dividend"})
    card = "the card Get out of Jail free"
    assert told["changes"] == ["Ann has $1,550 instead of $1,500.", f"Nobody holds {card}, not Ann."]
    assert told["repair"] == ["The Bank gives Ann $50.", f"Ann puts {card} back under its deck."]


def test_a_token_that_stands_right_already_need_not_be_moved() -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    table.observe(token("hat", "income-tax"))
    table.amend(1, {"roll": [1, 3]})
    assert all("hat" not in each["text"] for each in table.view()["repair"])


def test_readings_that_were_put_right_are_counted() -> None:
    table = new_table()
    table.observe(sure(1, 3))
    table.amend(2, {"roll": [1, 2]})
    sight = table.view()["sight"]
    assert (sight["readings"], sight["corrected"]) == (1, 1)


# -- the whole ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_corrections_is_taken_up_as_it_was_shown(seed: int) -> None:
    """Random play of bots with undo, redo, amendments and drops; the journal gives the same view."""
    rng = random.Random(seed)
    table, bots = new_table(("Ann", "Bob", "Cat")), Bots(seed)
    for _ in range(120):
        kind = rng.random()
        steps = [step for step in table.steps() if step.counts]
        try:
            if kind < 0.8 or not steps:
                action = bots.next_action(table.game())
                if action is not None:
                    table.act(action)
            elif kind < 0.87:
                table.undo()
            elif kind < 0.91:
                table.redo()
            elif kind < 0.97:
                entry = rng.choice(steps[-6:]).entry
                choices = table.alternatives(entry)
                if choices:
                    table.amend(entry, rng.choice(choices[:3])["action"])
            else:
                table.drop(rng.choice(table.steps()[-6:]).entry)
        except Refused:
            continue
    resumed = again(table)
    assert shown(resumed) == shown(table)
    total = sum(cash(table).values())
    assert total >= 0
    assert any(each["status"] == "no_longer_fits" for each in table.view()["log"]) or seed != 0


def test_entries_of_unknown_kinds_change_nothing() -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    later = Entry(number=2, kind="of_a_later_program", payload={}, by="tablet", at="")
    table._journal.append("g1", [later])
    assert again(table).view()["snapshot"] == table.view()["snapshot"]


def test_games_in_one_journal_do_not_meet() -> None:
    journal = Journal.in_memory()
    one, other = new_table(journal=journal), new_table(journal=journal, game="g2")
    one.act({"roll": [1, 2]})
    assert place(other, "Ann") == "go"
    other.act({"roll": [1, 3]})
    assert (place(again(one), "Ann"), place(again(other), "Ann")) == ("baltic", "income-tax")
