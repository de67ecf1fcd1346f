"""A table of which whole looks at the board are told, and throws."""

from typing import Any

from companion.observations import DiceSeen, DieSeen, StandingSeen
from companion.referee.driver import RefereedGame
from companion.rules import Game

PLAYERS = ["Ann", "Bob", "Cat"]


def new_table(**places: str) -> RefereedGame:
    given = {"players": {name: {"at": space} for name, space in places.items()}}
    options = {"doubles_again": False}
    return RefereedGame(Game.new(variant="watch", players=PLAYERS, options=options, given=given if places else None))


def stand(
    table: RefereedGame,
    *spaces: str,
    looks: int = 2,
    named: dict[str, dict[str, float]] | None = None,
    hidden: tuple[str, ...] = (),
) -> None:
    tokens = {space: float(spaces.count(space)) for space in spaces}
    table.see(StandingSeen(tokens=tokens, named=named or {}, looks=looks, hidden=hidden))


def throw(table: RefereedGame, number: int, *dice: dict[int, float], thrown: float = 1.0) -> None:
    table.see(DiceSeen(dice=tuple(DieSeen(faces=faces) for faces in dice), throw=number, thrown=thrown))


def at(table: RefereedGame) -> list[str]:
    return [table.game.snapshot()["players"][name]["at"] for name in PLAYERS]


def rolls(table: RefereedGame) -> list[Any]:
    return [action["roll"] for action in table.game.actions if "roll" in action]


def begun() -> RefereedGame:
    """Ann has thrown and gone to Vermont Avenue."""
    table = new_table()
    throw(table, 1, {6: 0.99}, {2: 0.99})
    stand(table, "vermont", "go", "go", named={"Ann": {"vermont": 0.99}})
    return table


def called(**places: str) -> dict[str, dict[str, float]]:
    """What tokens look like that are told apart as well as a live table tells them."""
    return {name: {space: 0.985} for name, space in places.items()}
