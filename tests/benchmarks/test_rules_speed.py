"""How fast the rules are, on one core, in process time: run with `-m benchmark -n 0 -s`."""

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from companion.rules import Game, new_state, replay
from companion.rules.board import classic_decks
from companion.rules.legal import random_action
from companion.rules.registry import rules_of

pytestmark = pytest.mark.benchmark

PLAYERS = ["Ann", "Bob", "Cat", "Dee"]
ACTIONS = 20_000
REFOLDED = 5_000
ROLLS = 40_000
THROWS = [[first, second] for first in range(1, 7) for second in range(1, 7)]
CARDS = {deck: list(cards) for deck, cards in classic_decks("classic").items()}
#: Best of so many, because other work on the machine only ever slows down.
REPEATS = 5


def fastest(work: Callable[[], None]) -> float:
    """Process time of the fastest run, in seconds."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def random_games(actions: int, affairs: float) -> list[tuple[int, list[dict[str, Any]]]]:
    """Random legal games: (number of players, actions), `actions` in all."""
    games, left, seed = [], actions, 0
    while left > 0:
        rng = random.Random(seed)
        game = Game.new(players=[f"Player {number}" for number in range(2 + seed % 7)])
        for _ in range(min(1000, left)):
            action = random_action(game, rng, affairs)
            if action is None:
                break
            game.act(action)
        games.append((len(game.state.players), game.actions))
        left -= len(game.actions)
        seed += 1
    return games


def test_validated_actions_a_second() -> None:
    games = random_games(ACTIONS, affairs=0.2)

    def play() -> None:
        for players, actions in games:
            game = Game.new(players=[f"Player {number}" for number in range(players)])
            for action in actions:
                game.act(action)

    rate = ACTIONS / fastest(play)
    print(f"\n{rate:,.0f} validated actions a second through Game.act")
    assert rate >= 30_000


def test_refolding_a_journal() -> None:
    rng, game = random.Random(4), Game.new(players=PLAYERS)
    start = game.state
    while len(game.actions) < REFOLDED:
        action = random_action(game, rng, 0.1)
        assert action is not None
        game.act(action)
        if len(game.actions) % 500 == 0 and game.state.winners:
            raise AssertionError("the game ended too soon for a journal of this length")
    actions = game.actions
    seconds = fastest(lambda: assert_same(replay(start, actions), game.state))
    print(f"\n{seconds * 1000:.0f} ms to refold {REFOLDED} actions")
    assert seconds < 0.150


def assert_same(one: object, other: object) -> None:
    assert one == other


def simulate(rng: random.Random, rolls: int) -> int:
    """Play on through `rolls` rolls with the complete rules; players buy what they can. Returns games finished."""
    finished = 0
    engine = rules_of("classic")(new_state(players=PLAYERS).fork(), keep_events=False)
    uniform = rng.random
    while rolls > 0:
        pending = engine.state.pending
        if not pending or pending[0].kind in ("roll", "jail"):
            if engine.state.winners:
                finished += 1
                engine = rules_of("classic")(new_state(players=PLAYERS).fork(), keep_events=False)
            engine.take("roll", THROWS[int(uniform() * 36)])
            rolls -= 1
        else:
            resolve(engine, pending[0], rng)
    return finished


def resolve(engine: Any, decision: Any, rng: random.Random) -> None:
    """Answer a decision as a plain player does: buy, sell when short, give up when nothing is left."""
    player, kind = decision.player, decision.kind
    if kind == "purchase":
        can_buy = engine.cash_free(player) >= decision.facts["price"]
        engine.take("choose", "buy" if can_buy else "auction")
    elif kind == "auction":
        engine.take("pass", True, player)
    elif kind == "draw":
        cards = CARDS[decision.facts["deck"]]
        card = cards[int(rng.random() * len(cards))]
        engine.take("draw", next(each for each in (card, *cards) if not engine.is_held(each)))
    elif kind == "raise_cash":
        raise_cash(engine, player, decision.facts["amount"])
    else:
        engine.perform(rng.choice(engine.suggest_answers(decision, rng)))


def raise_cash(engine: Any, player: str, amount: int) -> None:
    for slug in engine.deeds_of(player):
        if engine.state.players[player].cash >= amount:
            break
        if not engine.state.spaces[slug].mortgaged:
            engine.take("mortgage", slug, player)
    engine.take("pay" if engine.state.players[player].cash >= amount else "bankrupt", True, player)


def test_rolls_a_second_in_bulk() -> None:
    rate = ROLLS / fastest(lambda: assert_same(simulate(random.Random(1), ROLLS) >= 0, True))
    print(f"\n{rate:,.0f} rolls a second in a bulk simulation of whole games")
    assert rate >= 117_000
