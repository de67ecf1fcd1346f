"""Spaces of which too little shows: the rules say who stands there, and nobody is asked."""

import pytest

from companion.observations import Building, BuildingsSeen, StandingSeen, TokenSeen
from companion.referee.driver import RefereedGame
from companion.referee.standing import attributed
from companion.rules import Game
from tests.unit.referee.looks import PLAYERS, at, called, new_table, rolls, stand, throw

#: What a camera that was turned too far does not show.
HIDDEN = ("oriental", "chance-1", "vermont", "connecticut", "jail", "st-charles", "electric")


def look(table: RefereedGame, **places: str) -> None:
    """So stand those that show, seen four times over."""
    for looks in (2, 3, 4):
        stand(table, *places.values(), looks=looks, named=called(**places), hidden=HIDDEN)


def moved_there() -> RefereedGame:
    """Ann has gone to a space that does not show."""
    table = new_table(Ann="income-tax", Bob="indiana", Cat="illinois")
    look(table, Ann="income-tax", Bob="indiana", Cat="illinois")
    throw(table, 1, {3: 0.99}, {1: 0.99})
    look(table, Bob="indiana", Cat="illinois")
    table.see(TokenSeen(token="Ann", gone=True))
    look(table, Bob="indiana", Cat="illinois")
    return table


def others_go_on(table: RefereedGame, **first: str) -> None:
    """Bob and Cat throw, and move.

    Args:
        first: where Ann's token is seen, if it is.
    """
    throw(table, 2, {5: 0.99}, {6: 0.99})
    look(table, **first, Bob="pennsylvania", Cat="illinois")
    throw(table, 3, {1: 0.99}, {2: 0.99})
    look(table, **first, Bob="pennsylvania", Cat="ventnor")


def test_a_token_that_goes_where_nothing_shows_is_taken_to_stand_there() -> None:
    table = moved_there()
    assert at(table) == ["vermont", "indiana", "illinois"]
    assert table.questions == ()
    others_go_on(table)
    assert at(table) == ["vermont", "pennsylvania", "ventnor"]
    assert table.questions == ()


def test_it_goes_on_from_there_and_tells_dice_that_were_hard_to_read() -> None:
    table = moved_there()
    others_go_on(table)
    throw(table, 4, {6: 0.4, 5: 0.6}, {4: 0.99})
    look(table, Ann="tennessee", Bob="pennsylvania", Cat="ventnor")
    assert sorted(rolls(table)[-1]) == [4, 6]
    assert at(table) == ["tennessee", "pennsylvania", "ventnor"]
    assert table.questions == ()


def test_it_is_missed_when_its_space_shows_again_and_is_empty() -> None:
    table = moved_there()
    stand(table, "indiana", "illinois", looks=4, named=called(Bob="indiana", Cat="illinois"))
    assert [question.facts["player"] for question in table.questions] == ["Ann"]


def test_one_that_has_not_been_moved_there_is_asked_about_in_the_end() -> None:
    table = new_table(Ann="income-tax", Bob="indiana", Cat="illinois")
    throw(table, 1, {3: 0.99}, {1: 0.99})
    look(table, Ann="income-tax", Bob="indiana", Cat="illinois")
    others_go_on(table, Ann="income-tax")
    assert [(question.facts["player"], question.facts["book"]) for question in table.questions] == [("Ann", "vermont")]


def test_one_that_stands_elsewhere_than_where_nothing_shows_is_asked_about() -> None:
    table = new_table(Ann="income-tax", Bob="indiana", Cat="illinois")
    look(table, Ann="income-tax", Bob="indiana", Cat="illinois")
    throw(table, 1, {3: 0.99}, {1: 0.99})
    look(table, Ann="states", Bob="indiana", Cat="illinois")
    assert [(question.facts["player"], question.facts["seen"]) for question in table.questions] == [("Ann", "states")]


def test_a_throw_that_was_hard_to_read_is_told_by_a_token_that_shows_no_more() -> None:
    table = new_table(Ann="income-tax", Bob="indiana", Cat="illinois")
    look(table, Ann="income-tax", Bob="indiana", Cat="illinois")
    throw(table, 1, {3: 0.99}, {1: 0.5, 6: 0.5})
    look(table, Bob="indiana", Cat="illinois")
    throw(table, 2, {5: 0.99}, {6: 0.99})
    look(table, Bob="pennsylvania", Cat="illinois")
    assert at(table) == ["vermont", "pennsylvania", "illinois"]
    assert table.questions == ()


def test_another_that_falls_and_is_put_up_again_is_missed_meanwhile() -> None:
    table = moved_there()
    look(table, Cat="illinois")
    table.see(TokenSeen(token="Bob", gone=True))
    assert [question.facts["player"] for question in table.questions] == ["Bob"]
    look(table, Bob="indiana", Cat="illinois")
    assert table.questions == ()


@pytest.mark.parametrize(
    ("way", "tokens"),
    [(["illinois", "ventnor"], {"ventnor": 1.0}), (["b-and-o", "vermont"], {"b-and-o": 1.0, "vermont": 1.0})],
    ids=["all others are hidden", "one is seen all the same"],
)
def test_what_shows_tells_whatever_is_hidden(way: list[str], tokens: dict[str, float]) -> None:
    belong = {"Ann": ["oriental"], "Bob": ["connecticut"], "Cat": ["jail"], "Dee": ["electric"], "Eve": way}
    belong |= {"Fay": ["b-and-o"]} if "b-and-o" in tokens else {}
    seen = StandingSeen(tokens=tokens, hidden=HIDDEN)
    assert attributed(seen, belong, {})["Eve"].spaces[way[-1]] > 0.98


def built_on(hidden: tuple[str, ...], houses: int, cause: str = "") -> RefereedGame:
    """On Oriental Avenue two houses were seen, and now the book says otherwise."""
    spaces = {name: {"owner": "Ann", "houses": 2} for name in ("oriental", "vermont", "connecticut")}
    table = RefereedGame(Game.new(variant="classic", players=PLAYERS, options={}, given={"spaces": spaces}))
    table.see(BuildingsSeen(buildings=dict.fromkeys(spaces, Building(houses=2)), confidence=0.99))
    stand(table, "go", "go", "go", hidden=hidden)
    action = {"set": {"spaces": {"oriental": {"houses": houses}}}}
    events = table.game.act(action)
    table.acted(action, [*events, {"type": cause, "space": "oriental"}] if cause else events)
    return table


def pass_turns(table: RefereedGame) -> None:
    for _ in range(4):
        table.act({"set": {"turn": {"phase": "roll"}}})
        table.act({"roll": [4, 6]})
        table.act({"set": {"turn": {"phase": "done"}}})
        table.act({"end_turn": True})


def asked(table: RefereedGame) -> list[str]:
    return [question.text for question in table.questions if question.about == "buildings"]


HIDDEN_OR_NOT = pytest.mark.parametrize("hidden", [(), ("oriental",)], ids=["it shows", "it does not"])


@HIDDEN_OR_NOT
@pytest.mark.parametrize(
    ("houses", "cause", "text"),
    [
        (3, "", "The board shows 2 houses on Oriental Avenue; the book says 3 houses."),
        (1, "demolished", "Oriental Avenue was demolished: 2 houses still stand there, the book says 1 house."),
    ],
    ids=["built", "demolished"],
)
def test_what_should_have_been_put_right_is_asked_about_where_it_shows(
    houses: int, cause: str, text: str, hidden: tuple[str, ...]
) -> None:
    table = built_on(hidden, houses, cause)
    pass_turns(table)
    assert asked(table) == ([] if hidden else [text])
    stand(table, "jail", "jail", "jail")
    pass_turns(table)
    assert asked(table) == [text]


@HIDDEN_OR_NOT
def test_what_was_not_seen_surely_is_asked_about_where_it_shows(hidden: tuple[str, ...]) -> None:
    table = built_on((), 2)
    table.see(BuildingsSeen(buildings={"oriental": Building(houses=1)}, confidence=0.9))
    stand(table, "go", "go", "go", hidden=hidden)
    pass_turns(table)
    assert len(asked(table)) == (not hidden)
