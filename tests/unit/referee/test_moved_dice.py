"""Dice that may only have been moved: pushed along, or put down for whoever throws next."""

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


def test_a_token_that_stands_there_anyway_does_not_show_that_dice_were_thrown() -> None:
    """Ann throws for what she owes; nobody moves by that. Rule: CL-5.6"""
    given = {"players": {"Ann": {"at": "jail"}}, "spaces": {"electric": {"owner": "Bob"}}}
    table = RefereedGame(Game.new(variant="classic", players=["Ann", "Bob"], given=given))
    table.see(TokenSeen(token="Ann", spaces={"jail": 0.99}, in_jail=0.0))
    throw(table, 1, {1: 0.99}, {1: 0.99})
    throw(table, 2, {2: 0.99}, {6: 0.99}, thrown=MOVED)
    table.see(TokenSeen(token="Ann", spaces={"electric": 0.99}))
    assert rolls(table) == [[1, 1]]
    (question,) = table.questions
    assert question.text == "Were the dice thrown, or only moved?"
    table.answer(question.id, [2, 6])
    assert rolls(table) == [[1, 1], [2, 6]]


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
