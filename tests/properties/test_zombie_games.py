"""Games with zombies to their end, at tables of every size."""

import random

import pytest

from companion.rules import Game
from companion.rules.registry import rules_of
from tests.properties.random_games import (
    NAMES,
    buildings,
    check_money,
    check_things,
    play,
    random_start,
    random_value,
)
from tests.properties.zombie_games import check_zombies

ACTIONS = 3000


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("variant", ["monopozombie", "monopocalypse"])
def test_games_of_every_size_keep_the_zombie_rules_to_the_end(variant: str, players: int) -> None:
    rng = random.Random(players)
    options = {option.name: random_value(option, rng) for option in rules_of(variant).options if rng.random() < 0.5}
    given = random_start(NAMES[:players], rng, variant) if players % 2 else None
    game = Game.new(variant, NAMES[:players], options, given=given)
    before = game.snapshot()
    complete, count = buildings(before), 0
    for _, events in play(game, players, ACTIONS):
        after = game.snapshot()
        check_money(before, after, events)
        check_things(after)
        check_zombies(game, events)
        assert buildings(after) == complete
        before, count = after, count + 1
    assert game.state.winners or count == ACTIONS
