"""Dice that nobody could read, and a token that tells what they came to: the faces are not told, only their sum."""

from typing import Any

import pytest

from companion.observations import StandingSeen
from companion.referee.hands import SURE
from companion.table import Table
from companion.table.book import sum_told
from tests.unit.table.tables import again, dice, new_table, place, play, shown, sure, token

BLURRED = {4: 0.3, 5: 0.3}
FAIR = dict.fromkeys(range(1, 7), 1 / 6)


@pytest.fixture
def table() -> Table:
    table = new_table()
    table.observe(dice(FAIR, FAIR))
    table.observe(token("hat", "connecticut"))
    return table


def thrown(table: Table) -> dict[str, Any]:
    """The line of the throw."""
    return dict(table.view()["log"][-1])


def now(table: Table) -> dict[str, Any]:
    return dict(table.view()["now"])


def test_only_their_sum_is_told(table: Table) -> None:
    assert place(table, "Ann") == "connecticut"
    assert table.view()["questions"] == []
    assert (now(table)["dice"], now(table)["sides"], now(table)["sum"]) == ([None, None], [6, 6], 9)
    told = thrown(table)
    assert told["text"] == "Ann throws 9. Ann moves to Connecticut."
    assert told["reason"] == "The token shows what the dice come to."
    assert told["confidence"] == pytest.approx(0.5, abs=0.01)
    assert not told["is_read"]
    assert table.why(thrown(table)["entry"])["sum"] == "9 spaces"


def test_a_game_taken_up_again_knows_no_more(table: Table) -> None:
    assert shown(again(table)) == shown(table)


def test_what_people_then_say_is_told(table: Table) -> None:
    table.amend(thrown(table)["entry"], {"roll": [3, 6], "by": "Ann"})
    assert (now(table)["dice"], now(table)["sum"]) == ([3, 6], 9)
    assert thrown(table)["text"].startswith("Ann throws 3 and 6.")
    assert thrown(table)["is_read"]


def test_of_the_throw_that_it_was_taken_for_too(table: Table) -> None:
    taken = thrown(table)["action"]
    table.amend(thrown(table)["entry"], taken)
    assert now(table)["dice"] == taken["roll"]


def test_dice_that_were_read_are_told() -> None:
    table = new_table()
    table.observe(sure(4, 5))
    assert (now(table)["dice"], now(table)["sum"]) == ([4, 5], 9)
    assert thrown(table)["is_read"]
    assert table.why(thrown(table)["entry"])["sum"] == "4 and 5 = 9 spaces"


def test_so_are_those_of_which_each_is_sure_though_together_they_are_less_so() -> None:
    table = new_table()
    table.observe(dice({4: 0.972}, {5: 0.972}))
    assert thrown(table)["confidence"] < SURE
    assert now(table)["dice"] == [4, 5]


def test_the_sum_of_three_is_not_told_for_it_may_not_be_how_far_they_led() -> None:
    assert sum_told({"purpose": "move", "dice": [1, 4]}) == [5]
    assert sum_told({"purpose": "utility_rent", "dice": [1, 4]}) == [5]
    assert sum_told({"purpose": "move", "dice": [1, 4, 4]}) == []


def test_so_are_those_that_one_die_and_the_token_tell() -> None:
    table = new_table()
    table.observe(dice({4: 0.99}, BLURRED))
    table.observe(token("hat", "connecticut"))
    assert now(table)["dice"] == [4, 5]
    assert thrown(table)["reason"] == "The token shows which reading is right."


def test_what_is_no_throw_is_told_however_unsure_it_is() -> None:
    table = new_table(("Ann", "Bob", "Cat"), variant="monopozombie")
    play(table, {"set": {"stage": "outbreak", "players": {"Ann": {"status": "zombie"}}}}, {"roll": [1, 3], "by": "Ann"})
    table.observe(token("hat", "income-tax", 0.9))
    assert thrown(table)["action"] == {"choose": "income-tax", "by": "Ann"}
    assert thrown(table)["confidence"] == pytest.approx(0.9)
    assert thrown(table)["is_read"]


def test_of_a_throw_that_moves_nobody_not_even_the_sum_is_known() -> None:
    table = new_table()
    play(table, {"set": {"players": {"Ann": {"at": "jail", "in_jail": True}}}})
    table.observe(StandingSeen(tokens={"jail": 1.0, "go": 1.0}, looks=4))
    table.observe(dice(FAIR, FAIR))
    table.observe(sure(4, 5, throw=2))
    table.observe(StandingSeen(tokens={"jail": 1.0, "connecticut": 1.0}, looks=4))
    in_jail, next_one = table.view()["log"][-2:]
    assert in_jail["text"].startswith("Ann throws in Jail.")
    assert next_one["text"].startswith("Bob throws 4 and 5.")
    table.undo()
    assert (now(table)["dice"], now(table)["sum"]) == ([None, None], None)
