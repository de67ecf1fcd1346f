"""Random legal games of any variant, and what must hold in each of them."""

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

from companion.rules import Game, Refused
from companion.rules.board import board, editions
from companion.rules.legal import random_action
from companion.rules.options import Option
from companion.rules.registry import rules_of
from tests.properties.dungeon_games import check_characters
from tests.properties.thief_games import check_thieves
from tests.properties.zombie_games import check_zombies

#: Games per variant; more with BOARDSIDE_RANDOM_GAMES=100.
GAMES = int(os.environ.get("BOARDSIDE_RANDOM_GAMES", "4"))
ACTIONS = 1000
NAMES = ["Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"]

#: Variants in which houses and hotels are not a fixed set.
WITHOUT_FIXED_SET = {"slaughterhouse"}
#: variant -> what must hold besides after every action, given the game and the events of the action.
EXTRA: dict[str, Callable[[Game, list[dict[str, Any]]], None]] = {
    "monopozombie": check_zombies,
    "monopocalypse": check_zombies,
    "slaughterhouse": check_thieves,
    "dungeonopoly": check_characters,
}


def random_game(variant: str, seed: int) -> Game:
    """A game with random players and options, sometimes with deeds dealt out and little cash."""
    rng = random.Random(f"{variant} {seed}")
    rules = rules_of(variant)
    for _ in range(50):
        names = NAMES[: rng.randint(*rules.player_range)]
        options = {option.name: random_value(option, rng) for option in rules.options if rng.random() < 0.5}
        edition = rng.choice([*editions(), rules.default_edition])
        given = random_start(names, rng, variant) if seed % 2 and variant != "watch" else None
        try:
            return Game.new(variant, rules.suggest_players(names, rng), options, edition, given)
        except Refused as refusal:
            if refusal.code != "malformed":
                raise
    raise AssertionError(f"no set-up of {variant} was accepted")


def random_value(option: Option, rng: random.Random) -> Any:
    """One of the values; of an option that takes many, some."""
    return [value for value in option.values if rng.random() < 0.3] if option.many else rng.choice(option.values)


def random_start(names: list[str], rng: random.Random, variant: str) -> dict[str, Any]:
    """Whole groups in one hand, few houses in the Bank and short purses: debts, ruins and scarcity come soon."""
    spaces = {slug: {"owner": rng.choice(names)} for slug in board().properties if rng.random() < 0.3}
    for members in board().groups.values():
        if rng.random() < 0.5:
            owner = rng.choice(names)
            spaces |= {slug: {"owner": owner} for slug in members}
    players = {name: {"cash": rng.choice((20, 150, 600, 1500))} for name in names}
    if variant in WITHOUT_FIXED_SET:
        return {"players": players, "spaces": spaces}
    bank = {"houses": rng.choice((3, 32)), "hotels": rng.choice((1, 12))}
    return {"players": players, "spaces": spaces, "bank": bank}


def play(game: Game, seed: int, actions: int = ACTIONS) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Play random legal actions; yields each with its events."""
    rng = random.Random(seed)
    affairs = rng.choice((0.05, 0.2, 0.5))
    for _ in range(actions):
        action = random_action(game, rng, affairs)
        if action is None:
            return
        yield action, game.act(action)


def money(snapshot: dict[str, Any]) -> dict[str, int]:
    """What everybody but the Bank has."""
    return {**{name: player["cash"] for name, player in snapshot["players"].items()}, "pot": snapshot["pot"]}


def buildings(snapshot: dict[str, Any]) -> tuple[int, int]:
    """All houses and hotels: on the board, in the Bank, or under a player's arm."""
    spaces = snapshot["spaces"].values()
    bank = snapshot["bank"]
    carried = sum(player.get("carrying", False) for player in snapshot["players"].values())
    return (
        bank["houses"] + carried + sum(space["houses"] for space in spaces),
        bank["hotels"] + sum(space["hotel"] for space in spaces),
    )


def check_money(before: dict[str, Any], after: dict[str, Any], events: list[dict[str, Any]]) -> None:
    """Money moves by `paid` alone, and nobody has less than nothing."""
    purse = money(before)
    for event in events:
        if event["type"] == "paid":
            assert event["amount"] > 0
            for account, sign in ((event["from"], -1), (event["to"], 1)):
                if account != "bank":
                    purse[account] += sign * event["amount"]
    assert money(after) == purse
    assert all(amount >= 0 for amount in purse.values())


def check_things(snapshot: dict[str, Any]) -> None:
    """Deeds, cards, phase and what is pending fit together."""
    players = snapshot["players"]
    cards = [card for player in players.values() for card in player["cards"]]
    assert len(cards) == len(set(cards))
    for slug, space in snapshot["spaces"].items():
        assert space["owner"] is None or players[space["owner"]]["status"] != "bankrupt", slug
        assert 0 <= space["houses"] <= 4
        assert not (space["hotel"] and space["houses"])
    phase, pending = snapshot["turn"]["phase"], snapshot["pending"]
    assert bool(snapshot["winners"]) == (phase == "over")
    assert bool(pending) == (phase in ("roll", "resolve"))
    for decision in pending:
        assert players[decision["player"]]["status"] != "bankrupt"
        assert decision.get("options") != []
