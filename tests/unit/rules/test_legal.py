"""Suggestions for bots, simulations and random games."""

import random

from companion.rules import Game
from companion.rules.legal import is_legal, legal_actions, random_action, suggested


def test_legal_actions_are_those_that_the_rules_accept() -> None:
    game = Game.new(
        players=["Ann", "Bob"], given={"spaces": {"baltic": {"owner": "Bob"}, "mediterranean": {"owner": "Bob"}}}
    )
    actions = legal_actions(game)
    assert {"build": "baltic", "by": "Bob"} in actions
    assert {"mortgage": "baltic", "by": "Bob"} in actions
    assert {"unmortgage": "baltic", "by": "Bob"} not in actions
    assert all(is_legal(game.state, action) for action in actions)
    assert all(action.get("by") == "Bob" for action in legal_actions(game, player="Bob"))


def test_the_same_seed_suggests_the_same() -> None:
    game = Game.new(players=["Ann", "Bob"])
    assert suggested(game.state, random.Random(3)) == suggested(game.state, random.Random(3))


def test_there_is_nothing_to_do_when_the_game_is_over() -> None:
    given = {"players": {"Ann": {"cash": 0, "owes": [{"to": "Bob", "amount": 9, "reason": "rent"}]}}}
    game = Game.new(players=["Ann", "Bob"], given=given)
    game.act({"bankrupt": True})
    assert game.snapshot()["winners"] == ["Bob"]
    assert legal_actions(game) == []
    assert random_action(game, random.Random(1)) is None
