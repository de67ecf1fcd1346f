"""Dice that are tossed to whoever throws next look thrown; the token goes by those that are thrown after them."""

import pytest

from companion.observations import DiceSeen, DieSeen
from companion.referee.driver import RefereedGame
from companion.rules import Game
from tests.unit.referee.looks import PLAYERS, at, called, new_table, rolls, stand, throw

ALONE = "Ann belongs on Reading Railroad, but moved to St. Charles Place by the last throw alone."

STOOD = ("st-charles", "vermont", "illinois")
LOOKS = called(Ann="st-charles", Bob="vermont", Cat="illinois")


def tossed_once() -> RefereedGame:
    """Ann was tossed 4 and 1 before she threw 6 and 5; it is Bob's turn."""
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois", looks=4)
    throw(table, 1, {4: 0.99}, {1: 0.99})
    throw(table, 2, {6: 0.99}, {5: 0.99})
    stand(table, *STOOD, named=LOOKS)
    return table


def bought() -> RefereedGame:
    """Ann has been tossed 4 and 1, by which she would have to buy Reading Railroad or auction it."""
    given = {"players": {"Ann": {"at": "go"}, "Bob": {"at": "jail"}, "Cat": {"at": "illinois"}}}
    table = RefereedGame(Game.new(variant="classic", players=PLAYERS, options={}, given=given))
    stand(table, "go", "jail", "illinois", looks=4)
    throw(table, 1, {4: 0.99}, {1: 0.99})
    return table


def test_the_throw_before_does_not_count_once_the_token_has_gone_by_the_last_alone() -> None:
    table = tossed_once()
    assert (at(table), rolls(table), table.questions) == (list(STOOD), [[6, 5]], ())
    assert [note.text for note in table.notes] == ["Only the last throw counts: Ann's token went by it."]


def test_where_looks_do_not_show_it_surely_it_is_asked() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois", looks=4)
    throw(table, 1, {4: 0.99}, {1: 0.99})
    throw(table, 2, {6: 0.99}, {5: 0.99})
    stand(table, "st-charles", "vermont", "illinois", looks=1)
    assert ([question.text for question in table.questions], table.notes) == ([ALONE], [])


def test_a_throw_that_waits_for_a_decision_takes_the_place_of_the_one_before() -> None:
    table = bought()
    throw(table, 2, {6: 0.99}, {5: 0.99})
    assert [question.about for question in table.questions] == ["decision"]
    looks = called(Ann="st-charles", Bob="jail", Cat="illinois")
    stand(table, "st-charles", "jail", "illinois", named=looks)
    assert (at(table), rolls(table), table.questions) == (["st-charles", "jail", "illinois"], [[6, 5]], ())
    (decision,) = table.game.pending
    assert (decision["kind"], decision["player"], decision["space"]) == ("purchase", "Ann", "st-charles")


@pytest.mark.parametrize(("waiting", "thrown"), [([], 0.5), ([(2, 2)], 1.0)], ids=["a hand over it", "two wait"])
def test_how_often_dice_do_not_count_is_asked_before_it_is_known(waiting: list[tuple[int, int]], thrown: float) -> None:
    table = bought()
    for one, other in waiting:
        throw(table, 2, {one: 0.99}, {other: 0.99})
    throw(table, 3, {6: 0.99}, {5: 0.99}, thrown=thrown)
    looks = called(Ann="st-charles", Bob="jail", Cat="illinois")
    stand(table, "st-charles", "jail", "illinois", looks=8, named=looks)
    assert [question.text for question in table.questions if question.about == "token"] == [ALONE]
    table.answer("token", "thrown")
    assert (at(table), rolls(table), table.questions) == (["st-charles", "jail", "illinois"], [[6, 5]], ())


def test_a_token_that_stood_there_before_the_last_was_thrown_shows_nothing() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois", looks=4)
    throw(table, 1, {4: 0.99}, {1: 0.99})
    looks = called(Ann="st-charles", Bob="vermont", Cat="illinois")
    stand(table, "st-charles", "vermont", "illinois", named=looks)
    assert [question.about for question in table.questions] == ["move"]
    throw(table, 2, {6: 0.99}, {5: 0.99})
    assert ([question.text for question in table.questions], table.notes) == ([ALONE], [])


def test_next_to_where_the_first_throw_leads_it_is_asked_until_dice_are_known_to_be_tossed() -> None:
    """A token may as well have been counted one too far."""
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois", looks=4)
    throw(table, 1, {4: 0.99}, {1: 0.99})
    throw(table, 2, {3: 0.99}, {3: 0.99})
    stand(table, "oriental", "vermont", "illinois", named=called(Ann="oriental", Bob="vermont", Cat="illinois"))
    assert [question.facts["player"] for question in table.questions] == ["Ann"]
    table = tossed_once()
    throw(table, 3, {4: 0.99}, {1: 0.99})
    throw(table, 4, {3: 0.99}, {3: 0.99})
    stand(table, "st-charles", "virginia", "illinois", named={**LOOKS, "Bob": {"virginia": 0.985}})
    assert (at(table), rolls(table)) == (["st-charles", "virginia", "illinois"], [[6, 5], [3, 3]])
    assert table.questions == ()


def test_what_was_asked_about_dice_that_do_not_count_is_asked_no_more() -> None:
    table = tossed_once()
    throw(table, 3, {4: 0.99}, {2: 0.99})
    table.see(DiceSeen(dice=(DieSeen(faces={2: 0.99}, cocked=0.9), DieSeen(faces={3: 0.99})), throw=4))
    assert [question.text for question in table.questions] == ["A die lies tilted. 2, or throw again?"]
    throw(table, 5, {1: 0.99}, {2: 0.99})
    stand(table, "st-charles", "st-charles", "illinois", named={**LOOKS, "Bob": {"st-charles": 0.985}})
    assert (at(table), rolls(table)) == (["st-charles", "st-charles", "illinois"], [[6, 5], [1, 2]])
    assert table.questions == ()


def test_people_may_say_that_dice_are_tossed() -> None:
    table = bought()
    throw(table, 2, {6: 0.99}, {5: 0.99})
    table.answer("decision", "instead")
    assert (at(table)[0], rolls(table)) == ("st-charles", [[6, 5]])
    table.act({"choose": "buy", "by": "Ann"})
    stand(table, "st-charles", "jail", "illinois", named={**LOOKS, "Bob": {"jail": 0.985}})
    throw(table, 3, {1: 0.99}, {3: 0.99})
    throw(table, 4, {4: 0.99}, {1: 0.99})
    assert at(table)[1] == "virginia"
    stand(table, "st-charles", "pennsylvania-rr", "illinois", named={**LOOKS, "Bob": {"pennsylvania-rr": 0.985}})
    assert (at(table)[1], rolls(table), table.questions) == ("pennsylvania-rr", [[6, 5], [4, 1]], ())


def test_who_begins_is_asked_however_plainly_another_went() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois", looks=4)
    throw(table, 1, {4: 0.99}, {1: 0.99})
    stand(table, "go", "vermont", "marvin", looks=4, named=called(Ann="go", Bob="vermont", Cat="marvin"))
    assert (at(table), len(table.questions)) == (["reading", "vermont", "illinois"], 1)


@pytest.mark.parametrize("are_tossed", [False, True])
def test_of_two_throws_of_the_same_numbers_one_was_tossed_where_dice_are(are_tossed: bool) -> None:
    table = tossed_once() if are_tossed else new_table(Ann="st-charles", Bob="vermont", Cat="illinois")
    if not are_tossed:
        table.act({"set": {"turn": {"player": "Bob"}}})
        stand(table, *STOOD, named=LOOKS)
    counted = len(rolls(table))
    throw(table, 3, {4: 0.99}, {1: 0.99})
    throw(table, 4, {3: 0.99}, {2: 0.99})
    stand(table, "st-charles", "states", "illinois", named={**LOOKS, "Bob": {"states": 0.985}})
    assert rolls(table)[counted:] == ([[3, 2]] if are_tossed else [[4, 1], [3, 2]])
    assert at(table)[2] == ("illinois" if are_tossed else "marvin")


def test_where_dice_are_tossed_to_and_fro_only_the_one_counts_by_which_the_token_went() -> None:
    table = bought()
    throw(table, 2, {6: 0.99}, {5: 0.99})
    stand(table, "st-charles", "jail", "illinois", named={**LOOKS, "Bob": {"jail": 0.985}})
    table.act({"choose": "buy", "by": "Ann"})
    for number, dice in enumerate([(1, 3), (2, 4), (6, 2)], 3):
        throw(table, number, *({face: 0.99} for face in dice))
    assert at(table)[1] == "virginia"
    stand(table, "st-charles", "tennessee", "illinois", named={**LOOKS, "Bob": {"tennessee": 0.985}})
    assert (at(table), rolls(table)) == (["st-charles", "tennessee", "illinois"], [[6, 5], [6, 2]])
    assert table.questions == ()


def auctions(table: RefereedGame) -> int:
    return sum(event["type"] == "auction_opened" for event in table.events)


def test_nothing_is_decided_by_a_token_that_went_by_the_last_throw_alone() -> None:
    """The book gave that one to Cat; that there is an auction would leave open why."""
    table = bought()
    table.act({"choose": "buy", "by": "Ann"})
    stand(table, "reading", "jail", "illinois", named=called(Ann="reading", Bob="jail", Cat="illinois"))
    throw(table, 2, {4: 0.99}, {6: 0.99})
    throw(table, 3, {6: 0.99}, {2: 0.99})
    throw(table, 4, {6: 0.99}, {1: 0.99})
    assert [decision["player"] for decision in table.game.pending] == ["Cat"]
    stand(table, "reading", "tennessee", "illinois", looks=1)
    assert auctions(table) == 0
    assert [question.facts["player"] for question in table.questions if question.about == "token"] == ["Bob"]


def test_nothing_is_decided_because_it_alone_would_leave_open_why_a_token_stands_where_it_does() -> None:
    table = bought()
    throw(table, 2, {2: 0.99}, {4: 0.99}, {2: 0.99})
    stand(table, "oriental", "jail", "illinois", looks=4, named={**LOOKS, "Ann": {"oriental": 0.985}})
    assert auctions(table) == 0
