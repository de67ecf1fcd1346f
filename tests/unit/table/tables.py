"""Tables for tests: in memory, with a clock that stands still."""

from typing import Any

from companion.journal import GameRecord, Journal
from companion.observations import DiceSeen, DieSeen, TokenSeen
from companion.table import Table

AT = "2026-01-01T19:04:00.000+00:00"


def new_table(
    players: tuple[str, ...] = ("Ann", "Bob"), journal: Journal | None = None, game: str = "g1", **record: Any
) -> Table:
    """A game of these players; `record` overrides what it begins with."""
    journal = journal or Journal.in_memory()
    tokens = ("hat", "car", "dog", "ship")
    faces = tuple({"name": name, "token": token} for name, token in zip(players, tokens, strict=False))
    fields: dict[str, Any] = {"variant": "classic", "edition": "classic", "options": {}, "faces": faces, "started": AT}
    journal.add_game(GameRecord(id=game, players={name: {} for name in players}, **{**fields, **record}))
    return Table(journal, game, lambda: AT)


def again(table: Table) -> Table:
    """The same game taken up anew from its journal."""
    return Table(table._journal, table.record.id, lambda: AT)


def shown(table: Table) -> dict[str, Any]:
    """The view, but for its number, which counts the views of one run of the program."""
    return {key: value for key, value in table.view().items() if key != "serial"}


def play(table: Table, *actions: dict[str, Any]) -> None:
    for action in actions:
        table.act(action)


def line(table: Table, entry: int) -> dict[str, Any]:
    """A line of the log as it is shown."""
    return next(each for each in table.view()["log"] if each["entry"] == entry)


def cash(table: Table) -> dict[str, int]:
    return {name: player["cash"] for name, player in table.view()["snapshot"]["players"].items()}


def place(table: Table, player: str) -> str:
    return str(table.view()["snapshot"]["players"][player]["at"])


def dice(*faces: dict[int, float], throw: int = 1, picture: str | None = None) -> DiceSeen:
    """A throw at rest; each die with the probabilities of its faces."""
    return DiceSeen(dice=tuple(DieSeen(faces=face) for face in faces), throw=throw, picture=picture)


def sure(*faces: int, throw: int = 1, picture: str | None = None) -> DiceSeen:
    return dice(*({face: 0.99} for face in faces), throw=throw, picture=picture)


def token(name: str, space: str, share: float = 0.99, **more: Any) -> TokenSeen:
    return TokenSeen(token=name, spaces={space: share}, **more)
