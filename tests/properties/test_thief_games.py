"""Games with the Cop, at tables of every size, for as long as they last."""

import random
from collections import Counter

import pytest

from companion.rules import Game
from companion.rules.registry import rules_of
from tests.properties.random_games import NAMES, check_money, check_things, play, random_start, random_value
from tests.properties.thief_games import check_thieves

VARIANT = "slaughterhouse"
ACTIONS = 1500


def game_of(players: int) -> Game:
    """A game with random options; at tables of an odd size deeds are dealt out, with bombs and miners on some."""
    rng = random.Random(players)
    options = {option.name: random_value(option, rng) for option in rules_of(VARIANT).options if rng.random() < 0.5}
    given = random_start(NAMES[:players], rng, VARIANT) if players % 2 else {"spaces": {}}
    for space in given["spaces"].values():
        space |= {"bomb": rng.random() < 0.4, "miner": rng.random() < 0.4}
    return Game.new(VARIANT, NAMES[:players], options, given=given)


@pytest.mark.parametrize("players", range(2, 9))
def test_games_of_every_size_keep_the_rules_of_the_cop(players: int) -> None:
    game = game_of(players)
    before, count = game.snapshot(), 0
    for _, events in play(game, players, ACTIONS):
        after = game.snapshot()
        check_money(before, after, events)
        check_things(after)
        check_thieves(game, events)
        before, count = after, count + 1
    assert game.state.winners or count == ACTIONS


def test_the_games_above_hold_what_they_are_to_check() -> None:
    told: Counter[str] = Counter()
    for players in (5, 6, 7):
        for _, events in play(game_of(players), players, ACTIONS):
            for event in events:
                detail = event.get("how") or event.get("reason") or event.get("cause") or ""
                told[f"{event['type']} {detail}".strip()] += 1
    wanted = (
        *("bank_robbed", "pickpocketed", "arrested", "paid restitution", "released paid", "released third_turn"),
        *("bomb_planted", "miner_hired", "exploded", "bomb_defused", "miner_removed cop"),
        *("cop_moved dice", "cop_moved card", "cop_moved returned", "went_broke", "deed_transferred luxury_tax"),
    )
    assert [event for event in wanted if not told[event]] == []
