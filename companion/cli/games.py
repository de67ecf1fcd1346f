"""`boardside games`: the games that were played: list them, take one elsewhere, bring one in, play one again."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.archive import export_text, import_text
from companion.cli.store import open_journal
from companion.session import summary
from companion.table.book import read_book

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of the games; the user's own without it.")]
Game = Annotated[str, typer.Argument(help="A game as `games list` names it; `last` is the newest.")]


def show(line: dict[str, Any]) -> None:
    """Prints one JSON line."""
    print(json.dumps(line, ensure_ascii=False), flush=True)


@app.command("list")
def list_games(data_dir: DataDir = None) -> None:
    """The games, the newest first, a JSON line each."""
    journal = open_journal(data_dir)
    for record in journal.games():
        show(summary(journal, record))
    journal.close()


@app.command("export")
def export_game(
    game: Game,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, not to the screen.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """A game as one readable file: a scenario with all its actions, and who, where and when."""
    journal = open_journal(data_dir)
    text = export_text(journal, _named(journal, game))
    journal.close()
    if output is None:
        print(text, end="")
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{output} cannot be written: {error.strerror}.") from error
    print(f"{output}", file=sys.stderr)


@app.command("import")
def import_game(
    file: Annotated[Path, typer.Argument(help="An exported game.")],
    data_dir: DataDir = None,
) -> None:
    """Take in an exported game; prints its name here."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file} cannot be read: {error}.") from error
    journal = open_journal(data_dir)
    record = import_text(journal, text, str(file))
    show(summary(journal, record))
    journal.close()


@app.command("replay")
def replay_game(game: Game, data_dir: DataDir = None) -> None:
    """What happened, event by event, a JSON line each with the entry and the turn it belongs to."""
    journal = open_journal(data_dir)
    for step in read_book(journal, _named(journal, game)).steps:
        if not step.counts:
            continue
        show({"entry": step.entry, "turn": step.turn, "action": step.action})
        for event in step.events:
            show({"entry": step.entry, "turn": step.turn, **event})
    journal.close()


@app.command("forget-pictures")
def forget_pictures(game: Game, data_dir: DataDir = None) -> None:
    """Delete the camera's pictures of a game; the game itself stays."""
    journal = open_journal(data_dir)
    name = _named(journal, game)
    show({"game": name, "pictures": journal.forget_pictures(name)})
    journal.close()


def _named(journal: Any, game: str) -> str:
    """The id of a game; `last` is the newest. Raises JournalError `unknown_game`."""
    games = journal.games()
    if game == "last" and games:
        return str(games[0].id)
    return str(journal.game(game).id)
