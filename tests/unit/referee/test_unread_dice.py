"""Dice that were not read: throws that come to the same need not be told apart, others are."""

from typing import Any

import pytest

from companion.observations import DiceSeen, DieSeen, TowerThrow
from companion.referee.driver import RefereedGame
from companion.referee.hands import SURE
from companion.referee.outlook import Outlook
from companion.rules import Game
from tests.unit.referee.looks import stand, throw

FAIR = dict.fromkeys(range(1, 7), 1 / 6)
PLAYERS = ["Ann", "Bob", "Cat", "Dee"]


def new_table(variant: str = "classic", **ann: Any) -> RefereedGame:
    given = {"players": {"Ann": ann}} if ann else None
    return RefereedGame(Game.new(variant, PLAYERS, given=given))


@pytest.mark.parametrize(
    ("variant", "ann", "one", "other", "is_as_good"),
    [
        ("classic", {}, (3, 6), (4, 5), True),
        ("classic", {}, (3, 6), (6, 3), True),
        ("classic", {}, (4, 4), (2, 6), False),
        ("classic", {}, (3, 6), (4, 6), False),
        ("classic", {"at": "jail", "in_jail": True}, (1, 2), (4, 6), True),
        ("classic", {"at": "jail", "in_jail": True}, (1, 3), (2, 2), False),
        ("watch", {}, (4, 4), (2, 6), False),
        ("monopozombie", {"status": "zombie"}, (1, 3), (2, 2), True),
        ("monopozombie", {"status": "zombie"}, (1, 3), (2, 3), False),
    ],
)
def test_what_two_throws_come_to(
    variant: str, ann: dict[str, Any], one: tuple[int, ...], other: tuple[int, ...], is_as_good: bool
) -> None:
    look = Outlook(new_table(variant, **ann).game)
    assert look.is_as_good(one, other) is is_as_good


def test_dice_that_are_kept_one_by_one_are_not_as_good_as_others_of_their_sum() -> None:
    game = Game.new("monopozombie", PLAYERS, {"zombie_dice": "d6"}, given={"players": {"Ann": {"status": "zombie"}}})
    assert not Outlook(game).is_as_good((6, 1), (5, 2))


def test_a_token_that_arrived_under_another_name_tells_what_they_come_to() -> None:
    table = new_table()
    stand(table, "go", "go", "go", "go")
    throw(table, 1, FAIR, FAIR)
    stand(table, "go", "go", "go", "connecticut", looks=4, named={"Bob": {"connecticut": 0.9}})
    assert table.questions == ()
    assert table.game.state.players["Ann"].at == "connecticut"
    assert table.acts[-1].confidence == pytest.approx(0.5, abs=0.05)
    assert table.acts[-1].because == "The token shows what the dice come to."


def test_of_two_witnesses_that_differ_it_does_not_matter_who_is_right() -> None:
    table = new_table()
    stand(table, "go", "go", "go", "go")
    throw(table, 1, {3: 0.99}, {6: 0.99})
    table.see(TowerThrow(faces=(4, 5)))
    assert [question.about for question in table.questions] == ["witnesses"]
    stand(table, "go", "go", "go", "connecticut", looks=4)
    assert table.questions == ()
    assert table.game.state.players["Ann"].at == "connecticut"


def test_a_throw_in_jail_that_freed_nobody_is_told_by_the_next_but_not_what_it_showed() -> None:
    table = new_table(at="jail", in_jail=True)
    stand(table, "jail", "go", "go", "go", looks=4)
    throw(table, 1, FAIR, FAIR)
    throw(table, 2, {4: 0.99}, {5: 0.99})
    stand(table, "jail", "go", "go", "connecticut", looks=4)
    rolls = [act for act in table.acts if "roll" in act.action]
    assert [(act.action["by"], act.confidence > SURE) for act in rolls] == [("Ann", False), ("Bob", True)]
    assert rolls[0].action["roll"][0] != rolls[0].action["roll"][1]
    assert table.game.state.players["Ann"].in_jail


@pytest.mark.parametrize(("turns", "is_asked"), [(0, False), (1, False), (2, True)])
def test_dice_that_free_nobody_whichever_they_were_are_no_question_until_they_lead_out(
    turns: int, is_asked: bool
) -> None:
    """By the third throw in Jail the token moves. Rule: CL-8.9"""
    table = new_table(at="jail", in_jail=True, jail_turns=turns)
    stand(table, "jail", "go", "go", "go", looks=4)
    throw(table, 1, {4: 0.99}, {2: 0.6, 3: 0.39})
    told = [(act.action["roll"], act.because, round(act.confidence, 1)) for act in table.acts]
    assert told == ([] if is_asked else [([4, 2], "Whichever it was, it comes to the same.", 0.6)])


@pytest.mark.parametrize(("cocked", "thrown"), [(0.6, 1.0), (0.0, 0.5)])
def test_dice_that_may_not_count_are_a_question_all_the_same(cocked: float, thrown: float) -> None:
    table = new_table(at="jail", in_jail=True)
    stand(table, "jail", "go", "go", "go", looks=4)
    dice = (DieSeen(faces={4: 0.99}), DieSeen(faces={2: 0.6, 3: 0.39}, cocked=cocked))
    table.see(DiceSeen(dice=dice, throw=1, thrown=thrown))
    assert [question.about for question in table.questions] == ["dice"]


def asked_about_a_double() -> RefereedGame:
    """Ann has thrown two threes, or 2 and 4, and gone to Oriental Avenue; then 1 and 2 were thrown."""
    table = new_table()
    stand(table, "go", "go", "go", "go", looks=4)
    throw(table, 1, {3: 0.6, 2: 0.4}, {3: 0.6, 4: 0.4})
    stand(table, "go", "go", "go", "oriental", looks=4)
    throw(table, 2, {1: 0.99}, {2: 0.99})
    return table


def test_whether_it_was_a_double_is_open_until_it_shows_whose_the_next_throw_was() -> None:
    table = asked_about_a_double()
    assert [question.about for question in table.questions] == ["dice"]
    assert table.game.actions == []


@pytest.mark.parametrize(
    ("then", "faces"), [(("baltic", "go", "go", "oriental"), [2, 4]), (("go", "go", "go", "connecticut"), [3, 3])]
)
def test_who_moves_next_tells_whether_it_was_a_double(then: tuple[str, ...], faces: list[int]) -> None:
    table = asked_about_a_double()
    stand(table, *then, looks=4)
    assert table.game.actions[0] == {"roll": faces, "by": "Ann"}


@pytest.mark.parametrize("at", ["connecticut", "baltic"], ids=["after two threes", "by the next player"])
def test_a_token_that_may_have_gone_there_by_the_next_throw_does_not_tell_the_first(at: str) -> None:
    table = new_table()
    stand(table, "go", "go", "go", "go", looks=4)
    throw(table, 1, FAIR, FAIR)
    throw(table, 2, {1: 0.99}, {2: 0.99})
    stand(table, "go", "go", "go", at, looks=8)
    assert table.game.actions == []


def overlooked(at: str, **spaces: dict[str, str]) -> RefereedGame:
    """Ann has gone there by a throw that nobody saw; then 2 and 3 were thrown."""
    places = dict(zip(PLAYERS, ("go", "vermont", "illinois", "pacific"), strict=True))
    given = {"players": {name: {"at": place} for name, place in places.items()}, "spaces": spaces}
    table = RefereedGame(Game.new("classic", PLAYERS, given=given))
    stand(table, *places.values(), looks=4)
    stand(table, at, *list(places.values())[1:], looks=4)
    throw(table, 1, {2: 0.99}, {3: 0.99})
    return table


def test_of_a_throw_that_nobody_saw_it_is_open_whether_it_was_a_double() -> None:
    table = overlooked("oriental")
    stand(table, "oriental", "vermont", "illinois", "pacific", looks=4)
    assert table.game.actions == []


def test_of_a_throw_that_nobody_saw_the_token_tells_no_more_than_the_sum() -> None:
    table = overlooked("connecticut", connecticut={"owner": "Dee"})
    stand(table, "connecticut", "states", "illinois", "pacific", looks=4)
    unseen, seen = table.acts
    assert [sum(act.action["roll"]) for act in (unseen, seen)] == [9, 5]
    assert unseen.confidence == pytest.approx(0.5, abs=0.05)


def test_of_four_dice_that_lie_there_the_token_does_not_tell_which_two_were_thrown() -> None:
    table = new_table()
    stand(table, "go", "go", "go", "go", looks=4)
    throw(table, 1, {1: 0.99}, {4: 0.99}, {2: 0.99}, {3: 0.99})
    stand(table, "go", "go", "go", "reading", looks=4)
    assert [(sum(act.action["roll"]), act.is_read) for act in table.acts] == [(5, False)]


def test_dice_of_which_each_is_sure_are_read_however_unsure_they_are_together() -> None:
    table = new_table()
    throw(table, 1, {4: 0.972}, {5: 0.972})
    assert [(act.is_read, act.confidence < SURE) for act in table.acts] == [(True, True)]
