"""Dice that may only have been moved: pushed along, or put down for whoever throws next."""

import pytest

from companion.observations import DiceSeen, DieSeen, TokenSeen, TowerThrow
from companion.referee.driver import RefereedGame
from companion.rules import Game
from tests.unit.referee.looks import at, new_table, rolls, stand, throw

MOVED = 0.5


def handed_on() -> RefereedGame:
    """Ann has thrown 3 and 5; before she moves the dice lie in front of Bob, 2 and 6 up: he would meet her there."""
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {3: 0.99}, {5: 0.99})
    throw(table, 2, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    return table


def test_who_moves_by_the_throw_before_does_not_show_that_dice_were_thrown() -> None:
    table = handed_on()
    for looks in (2, 3, 4):
        stand(table, "vermont", "go", "go", looks=looks)
    assert (rolls(table), table.questions) == ([[3, 5]], ())
    throw(table, 3, {1: 0.99}, {3: 0.99})
    assert (rolls(table), table.questions) == ([[3, 5], [1, 3]], ())


def test_who_moves_by_dice_that_were_put_down_shows_that_they_were_thrown() -> None:
    table = handed_on()
    stand(table, "vermont", "go", "go", looks=3)
    throw(table, 3, {2: 0.99}, {4: 0.99}, thrown=MOVED)
    stand(table, "vermont", "oriental", "go", looks=3)
    assert (rolls(table), at(table), table.questions) == ([[3, 5], [2, 4]], ["vermont", "oriental", "go"], ())


def test_a_die_that_is_hidden_among_dice_that_are_handed_on_is_not_missed() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {3: 0.99}, thrown=MOVED)
    stand(table, "go", "go", "go", looks=3)
    assert (table.questions, table.notes) == ((), [])
    throw(table, 2, {1: 0.99}, {3: 0.99})
    assert (rolls(table), table.questions) == ([[1, 3]], ())


def test_dice_that_are_put_down_after_a_throw_that_was_not_read_leave_it_to_the_token() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {3: 0.99}, {5: 0.6, 4: 0.4})
    throw(table, 2, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    assert table.questions == ()
    stand(table, "vermont", "go", "go", looks=3)
    assert (rolls(table), table.questions) == ([[3, 5]], ())


def test_dice_that_are_put_down_after_a_throw_of_which_a_die_is_missing_do_not_replace_it() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {4: 0.99})
    throw(table, 2, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    stand(table, "oriental", "go", "go", looks=3)
    assert (rolls(table), table.questions) == ([[4, 2]], ())


@pytest.mark.parametrize("is_seen_first", [False, True])
def test_a_token_that_stands_there_anyway_does_not_show_that_dice_were_thrown(is_seen_first: bool) -> None:
    """Ann throws for what she owes; nobody moves by that. Rule: CL-5.6"""
    given = {"players": {"Ann": {"at": "jail"}}, "spaces": {"electric": {"owner": "Bob"}}}
    table = RefereedGame(Game.new(variant="classic", players=["Ann", "Bob"], given=given))
    put, seen = ({2: 0.99}, {6: 0.99}), TokenSeen(token="Ann", spaces={"electric": 0.99})
    table.see(TokenSeen(token="Ann", spaces={"jail": 0.99}, in_jail=0.0))
    throw(table, 1, {1: 0.99}, {1: 0.99})
    if is_seen_first:
        table.see(seen)
    throw(table, 2, *put, thrown=MOVED)
    table.see(seen)
    assert rolls(table) == [[1, 1]]
    (question,) = table.questions
    assert question.text == "Were the dice thrown, or only moved?"
    table.answer(question.id, [2, 6])
    assert rolls(table) == [[1, 1], [2, 6]]


def test_in_jail_a_throw_after_dice_that_were_maybe_moved_may_be_the_next_one() -> None:
    given = {"players": {"Ann": {"at": "jail", "in_jail": True}}}
    table = RefereedGame(Game.new(variant="classic", players=["Ann", "Bob"], given=given))
    throw(table, 1, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    throw(table, 2, {1: 0.99}, {3: 0.99})
    assert rolls(table) == []
    (question,) = table.questions
    assert question.text == "Were the dice thrown, or only moved?"


def test_dice_that_are_moved_again_and_again_are_no_throw() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    for number in range(1, 7):
        throw(table, number, {number: 0.99}, {6: 0.99}, thrown=MOVED)
        stand(table, "go", "go", "go", looks=2 + number)
    assert (rolls(table), table.questions) == ([], ())


def test_people_are_told_to_move_by_such_dice_unless_the_last_were_handed_on() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    words = "If 2 and 6 were thrown, move the token."
    throw(table, 1, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    assert [note.text for note in table.notes] == [words]
    throw(table, 2, {1: 0.99}, {3: 0.99})
    stand(table, "income-tax", "go", "go", looks=3)
    throw(table, 3, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    assert [note.text for note in table.notes] == [words]
    stand(table, "income-tax", "vermont", "go", looks=3)
    throw(table, 4, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    assert [note.text for note in table.notes] == [words, words]
    assert rolls(table) == [[1, 3], [2, 6]]


def test_a_tower_throws_other_dice_than_those_that_were_put_down_before() -> None:
    table = new_table()
    put = DiceSeen(dice=(DieSeen(faces={2: 0.99}), DieSeen(faces={6: 0.99})), throw=1, thrown=MOVED)
    table.see(put)
    table.see(TowerThrow(faces=(1, 3), sequence=1))
    assert (rolls(table), table.questions) == ([[1, 3]], ())


def test_of_dice_that_were_not_read_no_numbers_are_told() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {2: 0.6, 3: 0.4}, {6: 0.99}, thrown=MOVED)
    assert (table.notes, table.questions) == ([], ())


def test_a_throw_that_was_not_read_is_told_by_who_comes_to_stand_beside_the_last_that_moved() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {3: 0.99}, {5: 0.99})
    stand(table, "vermont", "go", "go", looks=3)
    throw(table, 2, {2: 0.99}, {6: 0.6, 5: 0.4})
    stand(table, "vermont", "vermont", "go", looks=3)
    assert (rolls(table), table.questions) == ([[3, 5], [2, 6]], ())


def test_a_throw_that_was_made_again_does_not_show_that_people_hand_dice_on() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {4: 0.99})
    throw(table, 2, {1: 0.99}, {3: 0.99})
    stand(table, "income-tax", "go", "go", looks=3)
    throw(table, 3, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    assert table.notes[-1].text == "If 2 and 6 were thrown, move the token."


def test_a_token_that_went_elsewhere_does_not_show_that_dice_were_thrown() -> None:
    table = RefereedGame(Game.new(variant="classic", players=["Ann", "Bob"]))
    table.see(TokenSeen(token="Ann", spaces={"go": 0.99}))
    throw(table, 1, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    table.see(TokenSeen(token="Ann", spaces={"illinois": 0.99}))
    (question,) = table.questions
    assert (rolls(table), question.text) == ([], "Were the dice thrown, or only moved?")
    throw(table, 2, {6: 0.99}, {3: 0.99})
    assert rolls(table) == [[6, 3]]
