"""The list of what hands put right, ticked off by where tokens stand, whatever they are taken for."""

from typing import Any

import pytest

from companion.observations import StandingSeen
from companion.table import Table
from tests.unit.table.tables import again, new_table, shown, token

HALVES = {"hat": 0.5, "car": 0.5}


def look(tokens: dict[str, float], in_jail: float = 0.0, **named: dict[str, float]) -> StandingSeen:
    """What stands where; unless told by name, each token looks half like the one and half like the other."""
    blurred = {name: {space: many * share for space, many in tokens.items()} for name, share in HALVES.items()}
    return StandingSeen(tokens=tokens, named=named or blurred, in_jail=in_jail, looks=4)


def moved_back() -> Table:
    """Ann went to Baltic, which is taken back: the hat belongs on GO again, beside the car."""
    table = new_table()
    table.act({"roll": [1, 2]})
    table.undo()
    assert ticks(table) == [False]
    return table


def ticks(table: Table) -> list[bool]:
    return [each["done"] for each in table.view()["repair"] if each["id"].startswith("token")]


def test_a_token_that_looks_like_another_is_ticked_off_where_it_is_the_one_that_lacked() -> None:
    table = moved_back()
    table.observe(look({"go": 1.0, "baltic": 1.0}))
    assert ticks(table) == [False]
    table.observe(look({"go": 1.1, "income-tax": 0.9}))
    assert ticks(table) == [False]
    table.observe(look({"go": 1.9}))
    assert ticks(table) == [True]
    assert shown(again(table)) == shown(table)


def test_the_name_of_a_single_token_does_not_tell_against_a_look_at_all() -> None:
    table = moved_back()
    table.observe(look({"go": 1.0, "baltic": 1.0}))
    table.observe(token("hat", "go"))
    assert ticks(table) == [False]


def test_two_that_have_to_change_places_are_told_by_name() -> None:
    given: dict[str, Any] = {"players": {"Ann": {"at": "baltic"}, "Bob": {"at": "vermont"}}}
    table = new_table(given=given)
    places = {"baltic": 1.0, "vermont": 1.0}
    book = table._fold.book.game.snapshot()
    table._fold.repair.corrected(book, {**book, "players": {**book["players"], **_swapped(book["players"])}})
    book["players"] = {**book["players"], **_swapped(book["players"])}
    assert table._fold.repair.seen(look(places), book) == []
    right = look(places, Ann={"baltic": 0.1, "vermont": 0.9}, Bob={"baltic": 0.2, "vermont": 0.8})
    assert table._fold.repair.seen(right, book) == [("token", "Ann")]


def _swapped(players: dict[str, Any]) -> dict[str, Any]:
    return {"Ann": {**players["Ann"], "at": "vermont"}, "Bob": {**players["Bob"], "at": "baltic"}}


@pytest.mark.parametrize(("in_jail", "is_done"), [(0.1, False), (0.9, True)])
def test_how_many_are_in_the_cell_tells_jail_from_just_visiting(in_jail: float, is_done: bool) -> None:
    table = new_table(given={"players": {"Ann": {"at": "jail", "in_jail": True}}})
    table.act({"choose": "pay"})
    table.undo()
    table.observe(look({"jail": 1.0, "go": 1.0}, in_jail=in_jail))
    assert ticks(table) == [is_done]


def test_a_token_on_its_right_space_before_the_correction_need_not_be_moved() -> None:
    table = new_table()
    table.act({"roll": [1, 2]})
    table.observe(look({"go": 1.0, "income-tax": 1.0}))
    table.amend(1, {"roll": [1, 3]})
    assert ticks(table) == []
