"""Bots decide legally, in every registered variant, the same for the same seed."""

import random
from collections import Counter
from typing import Any

import pytest

from companion.bots import Bots, throw_of
from companion.rules import Game
from companion.rules.registry import VARIANTS, rules_of


def play(variant: str, seed: int, most: int, players: int = 4) -> tuple[Game, list[dict]]:
    names = ["Ann", "Bob", "Cat", "Dee", "Eve"][:players]
    characters = rules_of(variant).suggest_players(names, random.Random(seed))
    game, bots, actions = Game.new(variant, characters), Bots(seed), []
    while len(actions) < most and (action := bots.next_action(game)) is not None:
        actions.append(action)
        game.act(action)
    return game, actions


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("seed", range(4))
def test_bots_never_do_what_the_rules_refuse(variant: str, seed: int) -> None:
    game, actions = play(variant, seed, 600)
    assert game.state.winners or sum("roll" in action for action in actions) >= 60


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_same_seed_plays_the_same_game(variant: str) -> None:
    assert play(variant, 5, 200)[1] == play(variant, 5, 200)[1]
    assert play(variant, 5, 200)[1] != play(variant, 6, 200)[1]


def test_games_are_lively_and_come_to_an_end() -> None:
    done: Counter[str] = Counter()
    finished = 0
    for seed in range(8):
        game, actions = play("classic", seed, 4000, players=3)
        finished += bool(game.snapshot()["winners"])
        done.update(next(key for key in action if key != "by") for action in actions)
    assert finished >= 6
    for verb in ("roll", "choose", "draw", "bid", "pass", "build", "mortgage", "pay", "bankrupt", "trade"):
        assert done[verb], f"no bot ever did {verb}"


#: What can only be sold in ways of its own, so that nobody who has it may give up.
LAST_RESORTS: dict[str, dict[str, Any]] = {
    "classic": {
        "players": {"Ann": {"cash": 4}},
        "spaces": {"park-place": {"owner": "Ann", "houses": 4}, "boardwalk": {"owner": "Ann", "hotel": True}},
        "bank": {"houses": 0, "hotels": 11},
    },
    "slaughterhouse": {"players": {"Ann": {"cash": 495, "miners": 1}}},
}


@pytest.mark.parametrize("variant", LAST_RESORTS)
def test_whoever_can_still_raise_the_money_pays(variant: str) -> None:
    game = Game.new(variant, ["Ann", "Bob"], given={"turn": {"player": "Ann"}, **LAST_RESORTS[variant]})
    game.act({"set": {"players": {"Ann": {"owes": [{"to": "Bob", "amount": 500, "reason": "rent"}]}}}})
    before, bots = game.snapshot()["players"]["Bob"]["cash"], Bots(1)
    while game.pending[0]["kind"] == "raise_cash":
        action = bots.next_action(game)
        assert action is not None
        game.act(action)
    assert game.snapshot()["players"]["Bob"]["cash"] == before + 500
    assert not game.snapshot()["winners"]


def test_cards_come_from_a_shuffled_deck_without_repeats() -> None:
    _, actions = play("classic", 2, 4000, players=5)
    chance = [action["draw"] for action in actions if "draw" in action]
    assert len(chance) >= 20
    assert len(set(chance[:8])) >= 6


def test_finished_game_needs_no_bot() -> None:
    game, _ = play("classic", 0, 4000, players=2)
    if game.snapshot()["winners"]:
        assert Bots(0).next_action(game) is None


@pytest.mark.parametrize(("dice", "sides"), [("2d6", [6, 6]), ("d20", [20]), ("2d6+1d4", [6, 6, 4])])
def test_throw_has_the_dice_that_are_wanted(dice: str, sides: list[int]) -> None:
    for seed in range(50):
        throw = throw_of(dice, random.Random(seed))
        assert len(throw) == len(sides)
        assert all(1 <= value <= most for value, most in zip(throw, sides, strict=True))


@pytest.mark.parametrize("variant", ["monopozombie", "monopocalypse"])
def test_games_with_zombies_go_through_all_three_stages(variant: str) -> None:
    stages, told = set(), set()
    for seed in range(4):
        game, bots = Game.new(variant, ["Ann", "Bob", "Cat", "Dee"]), Bots(seed)
        while game.state.turn.number <= 60 and (action := bots.next_action(game)) is not None:
            told |= {event["type"] for event in game.act(action)}
            stages.add(game.state.stage)
    assert stages == {"capitalism", "outbreak", "apocalypse"}
    assert {"converted", "built", "demolished", "moved"} <= told
