"""Legal actions: for bots, simulations and random games."""

from typing import Any

from companion.rules.chance import Chance, First
from companion.rules.errors import Refused
from companion.rules.game import Game, decide
from companion.rules.registry import rules_of
from companion.rules.state import State

Action = dict[str, Any]


def suggested(state: State, rng: Chance, player: str | None = None) -> list[Action]:
    """Plausible actions, not checked: answers to what is open, then what can be done at any time.

    Args:
        player: only this player's; None: everybody's.
    """
    engine = rules_of(state.variant)(state)
    actions: list[Action] = []
    for decision in state.pending:
        if player in (None, decision.player):
            actions += engine.suggest_answers(decision, rng)
    if not state.pending and not state.winners:
        actions += [action for action in engine.suggest_done(rng) if player in (None, action.get("by", player))]
    for name in state.players:
        if player in (None, name) and not state.winners:
            actions += engine.suggest_affairs(name, rng)
    return actions


def is_legal(state: State, action: Action) -> bool:
    """Whether the rules allow the action now."""
    try:
        decide(state, action)
    except Refused:
        return False
    return True


def legal_actions(game: Game, rng: Chance | None = None, player: str | None = None) -> list[Action]:
    """Actions that are legal now: every option of every decision, a throw, a card and a bid of each kind.

    Args:
        rng: draws the throws, cards and bids; the same seed gives the same ones.
    """
    return [action for action in suggested(game.state, rng or First(), player) if is_legal(game.state, action)]


def random_action(game: Game, rng: Chance, affairs: float = 0.2) -> Action | None:
    """A random legal action; None when the game is over.

    Args:
        affairs: how often something that is not waited for (building, deals, ...) is tried first, 0-1.
    """
    state = game.state
    if state.winners:
        return None
    engine = rules_of(state.variant)(state)
    answers = [action for decision in state.pending for action in engine.suggest_answers(decision, rng)]
    waited_for = answers or engine.suggest_done(rng)
    rng.shuffle(waited_for)
    aside = [action for name in state.players for action in engine.suggest_affairs(name, rng)] if state.players else []
    rng.shuffle(aside)
    first, second = (aside[:3], waited_for) if rng.random() < affairs else ([], waited_for)
    for action in (*first, *second, *aside):
        if is_legal(state, action):
            return action
    return None
