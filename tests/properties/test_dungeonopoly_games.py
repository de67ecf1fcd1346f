"""Games full of characters: what must hold in them, and that every ability is used in them."""

from collections import Counter

import pytest

from companion.rules import Game, decide, fold, replay
from companion.rules.dungeonopoly.rules import CATALOGUE
from tests.properties.dungeon_games import check_characters, eventful_game, play_eventfully
from tests.properties.random_games import buildings, check_money, check_things

SEEDS = range(4)
#: Each ability that is chosen, by `use:` or as a reaction, is used so often in the games of one test.
OFTEN = 50
MOST_GAMES = 160


@pytest.mark.parametrize("seed", SEEDS)
def test_eventful_games_keep_the_rules(seed: int) -> None:
    game = eventful_game(seed)
    before = game.snapshot()
    complete = buildings(before)
    for action, events in play_eventfully(game, seed, 250, Counter()):
        after = game.snapshot()
        if "set" not in action and not after["teams"]:
            check_money(before, after, events)
        check_things(after)
        check_characters(game, events)
        assert buildings(after) == complete, action
        before = after


@pytest.mark.parametrize("seed", SEEDS)
def test_eventful_games_fold_and_replay_to_the_same_state(seed: int) -> None:
    game = eventful_game(seed)
    start = folded = game.state
    for action, _ in play_eventfully(game, seed, 250, Counter()):
        folded = fold(folded, decide(folded, action))
        assert folded == game.state, action
    played = len(game.actions)
    assert replay(start, game.actions[1:]) == game.state
    assert Game.from_json(game.to_json()).state == game.state
    last = game.state
    game.undo(played - 1)
    assert game.state == start
    game.redo(played - 1)
    assert game.state == last


def test_every_ability_is_used_often() -> None:
    chosen = [slug for slug, ability in CATALOGUE.items() if ability.is_usable or ability.trigger]
    uses: Counter[str] = Counter()
    for seed in range(MOST_GAMES):
        for _ in play_eventfully(eventful_game(seed), seed, 400, uses):
            pass
        if all(uses[slug] >= OFTEN for slug in chosen):
            return
    rare = {slug: uses[slug] for slug in chosen if uses[slug] < OFTEN}
    assert not rare
