"""Random legal games of every variant: what must hold whatever is played."""

import contextlib
import copy
import io
import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from companion.bots import Bots
from companion.rules import Game, Refused, decide, fold, replay
from companion.rules.engine import VERBS
from companion.rules.legal import random_action
from companion.rules.registry import VARIANTS, rules_of
from tests.properties import random_games
from tests.properties.random_games import (
    EXTRA,
    GAMES,
    WITHOUT_FIXED_SET,
    buildings,
    check_money,
    check_things,
    play,
    random_game,
)

SEEDS = range(GAMES)
#: How often a whole game does anything that is legal, and by when it has ended for certain.
RANDOM_SHARE, MOST_ACTIONS = 0.05, 20_000


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_money_buildings_and_deeds_are_conserved(variant: str, seed: int) -> None:
    game = random_game(variant, seed)
    before = game.snapshot()
    complete = None if variant in WITHOUT_FIXED_SET else buildings(before)
    for action, events in play(game, seed):
        after = game.snapshot()
        try:
            check_money(before, after, events)
            check_things(after)
            if complete is not None:
                assert buildings(after) == complete
            EXTRA.get(variant, lambda *_: None)(game, events)
        except AssertionError as error:
            raise AssertionError(f"{variant} seed {seed} after {action}: {error}") from error
        before = after


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", range(2, 9))
def test_a_whole_game_of_any_number_of_players_holds_to_its_end(players: int, seed: int) -> None:
    """Bots, who mean to win, with a random legal action now and then: chance alone never comes to an end."""
    game, bots, rng = Game.new(players=random_games.NAMES[:players]), Bots(seed), random.Random(seed)
    start, before = game.state, game.snapshot()
    complete = buildings(before)
    while (action := next_of(game, bots, rng)) is not None:
        events = game.act(action)
        after = game.snapshot()
        check_money(before, after, events)
        check_things(after)
        assert buildings(after) == complete
        before = after
        assert len(game.actions) < MOST_ACTIONS
    (winner,) = before["winners"]
    ruined = {name for name, player in before["players"].items() if player["status"] == "bankrupt"}
    assert ruined == set(before["players"]) - {winner}
    assert replay(start, game.actions) == game.state
    assert Game.from_json(game.to_json()).state == game.state


def next_of(game: Game, bots: Bots, rng: random.Random) -> dict[str, Any] | None:
    return random_action(game, rng) if rng.random() < RANDOM_SHARE else bots.next_action(game)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_events_and_actions_fold_to_the_same_state(variant: str, seed: int) -> None:
    game = random_game(variant, seed)
    start = folded = game.state
    for action, told in play(game, seed, 400):
        events = decide(folded, action)
        assert [type(event).__struct_config__.tag for event in events if not event.hidden] == [e["type"] for e in told]
        folded = fold(folded, events)
        assert folded == game.state, f"{variant} seed {seed} after {action}"
    assert replay(start, game.actions) == game.state
    assert Game.from_json(game.to_json()).state == game.state


@pytest.mark.parametrize("variant", VARIANTS)
def test_undo_is_exact_and_redo_is_identity(variant: str) -> None:
    game = random_game(variant, 1)
    states = [game.to_json()]
    for _ in play(game, 7, 150):
        states.append(game.to_json())
    last = game.state
    for expected in reversed(states[:-1]):
        game.undo()
        assert game.to_json() == expected
    with pytest.raises(Refused):
        game.undo()
    game.redo(len(states) - 1)
    assert game.state == last
    with pytest.raises(Refused):
        game.redo()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_copy_goes_its_own_way(variant: str) -> None:
    game = random_game(variant, 3)
    text = game.to_json()
    twin = game.copy()
    for _ in play(twin, 5, 60):
        pass
    assert game.to_json() == text
    assert game.actions == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_snapshots_survive_json_and_yaml_and_actions_are_left_alone(variant: str) -> None:
    game = random_game(variant, 1)
    yaml = YAML(typ="safe", pure=True)
    replayed = game.copy()
    for number, (action, _) in enumerate(play(game, 11, 120)):
        before = copy.deepcopy(action)
        replayed.act(action)
        assert action == before
        if number % 30 == 0:
            snapshot = game.snapshot()
            assert json.loads(json.dumps(snapshot)) == snapshot
            text = io.StringIO()
            yaml.dump({"snapshot": snapshot, "action": action}, text)
            assert yaml.load(text.getvalue()) == {"snapshot": snapshot, "action": action}
    assert replayed.state == game.state


NAMES = ["Ann", "Bob", "Cat", "Zoe", "", "bank"]
WORDS = (
    "buy auction roll pay card flat percent interest boardwalk moon chance deal demand_rent building_auction "
    "sell_group house brown human Ann dividend move"
)
KEYS = (
    "with give get cash spaces cards players Ann at turn player phase boardwalk owner houses bank pot stage owes "
    "rent_claims winners pending"
)
words = st.sampled_from(WORDS.split())
scalars = st.none() | st.booleans() | st.integers(-50, 2000) | st.floats() | words | st.sampled_from(NAMES)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=4),
    max_leaves=8,
)
actions = st.dictionaries(
    st.sampled_from([*VERBS, "undo", "by", "space", "spaces", "group", "building", "target", "on", "amount"]) | words,
    values,
    max_size=4,
)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_action_ever_crashes(variant: str, data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 20))
    game = random_game(variant, seed)
    for _ in play(game, seed, data.draw(st.integers(0, 40))):
        pass
    for action in data.draw(st.lists(actions, min_size=1, max_size=6)):
        text = game.to_json()
        refused = None
        try:
            game.act(action)
        except Refused as refusal:
            refused = refusal
        if refused is not None:
            assert refused.code
            assert refused.message
            assert game.to_json() == text


@pytest.mark.parametrize("variant", VARIANTS)
def test_abilities_with_random_arguments_are_used_or_refused(variant: str) -> None:
    rng = random.Random(2)
    for seed in range(3):
        game = random_game(variant, seed)
        players = [*game.state.players, "Zoe", None, 7]
        arguments = [*players, "boardwalk", "go", 12, -1, True, [], ["Ann"], {"cash": 1}, "house", "brown", [1, 2]]
        for _ in play(game, seed, 100):
            for ability, names_of_arguments in rules_of(variant).abilities.items():
                if rng.random() < 0.1:
                    action = {"use": ability, "by": rng.choice(list(game.state.players))}
                    action |= {name: rng.choice(arguments) for name in names_of_arguments if rng.random() < 0.8}
                    with contextlib.suppress(Refused):
                        game.act(action)
