"""`boardside play`: the live table and its page."""

import sys
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.choices import AUTOMATION
from companion.cli.doorway import Doorway
from companion.cli.senses import REACTIONS_HELP, Recorded, Senses, desk_for, parsed_options, recorded_game
from companion.cli.store import data_folder, open_journal
from companion.journal import GameRecord, Journal
from companion.rules.errors import BoardsideError
from companion.rules.options import gathered
from companion.rules.registry import rules_of
from companion.session import Session
from companion.table.book import with_settings
from companion.workshop import NO_CAMERA
from vision.sources import parse_source
from vision.virtual.scene import TableStyle


def play(
    camera: Annotated[
        str | None, typer.Option(help="0, a video FILE, a FOLDER of pictures, a URL, virtual or none.")
    ] = None,
    tray_camera: Annotated[
        str | None,
        typer.Option(help="A second camera that looks into a dice tray and alone reads the dice; as --camera."),
    ] = None,
    tower: Annotated[str, typer.Option(help="auto, none, or a port, URL or USB id of a dice tower.")] = "auto",
    variant: Annotated[str | None, typer.Option(help="What is played; without it the page asks.")] = None,
    edition: Annotated[str | None, typer.Option(help="What the board's spaces are called.")] = None,
    players: Annotated[
        str | None,
        typer.Option(
            help="Ann,Bob in turn order, or with classes, teams and tokens: Ann:wizard@Red=hat,Bob=car; starts at once."
        ),
    ] = None,
    options: Annotated[list[str] | None, typer.Option(help="House rules: name=value; may be repeated.")] = None,
    automation: Annotated[
        str, typer.Option(help="warn: tells what goes wrong; show: says what is owed; bank: keeps the money.")
    ] = "show",
    reactions: Annotated[int | None, typer.Option(help=REACTIONS_HELP)] = None,
    profile: Annotated[str | None, typer.Option(help="Name of the calibration.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every network.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = 8765,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the newest game.")] = False,
    game: Annotated[str | None, typer.Option(help="Go on with this game (boardside games list).")] = None,
    pictures: Annotated[bool, typer.Option(help="Keep the camera's pictures of the game beside its log.")] = True,
    open_door: Annotated[bool, typer.Option("--open", help="Let everybody in the network in without a key.")] = False,
    data_dir: Annotated[
        Path | None, typer.Option(help="Folder of games and profiles; the user's own without it.")
    ] = None,
) -> None:
    """Play at a real board: camera and dice tower report, the page shows and takes corrections."""
    for source in (camera, tray_camera):
        if source is not None:
            parse_source(source)
    folder = data_folder(data_dir)
    with (
        closing(Doorway.at(host, port, folder, is_open=open_door)) as doorway,
        closing(open_journal(data_dir)) as journal,
    ):
        record = record_to_resume(journal, resume=resume, game=game)
        recorded = recorded_game(camera) if camera is not None else None
        choices = choices_of(variant, edition, players, options or [], automation, recorded)
        if record is not None:
            camera = camera or live_camera_of(record)
            tray_camera = tray_camera or live_camera_of(record, "tray")
            profile = profile or record.settings.get("profile")
        elif choices is not None:
            choices["settings"] = {"camera": camera, "tray": tray_camera or NO_CAMERA}
        virtual = virtual_table(choices) if camera == "virtual" else None
        profiles = None if data_dir is None else folder / "profiles"
        senses = Senses(desk_for(camera or NO_CAMERA, profile, profiles), tower, virtual)
        session = Session(
            journal, senses.workshop(), profile=senses.desk.name, keeps_pictures=pictures, reaction_s=reactions
        )
        with closing(session):
            begin(session, record, choices)
            if record is not None and reactions is not None:
                session.use_patience(reactions)
            if camera is not None:
                session.use_camera(camera)
            session.use_tray(tray_camera or NO_CAMERA)
            session.use_towers()
            doorway.announce()
            doorway.serve(session)


def record_to_resume(journal: Journal, *, resume: bool, game: str | None) -> GameRecord | None:
    """The game that is gone on with, and what has been set since it began; None for a new one.

    Raises:
        BoardsideError: there is no such game.
    """
    if game is not None:
        record = journal.game(game)
    elif not resume:
        return None
    elif games := journal.games():
        record = games[0]
    else:
        raise BoardsideError("There is no game to go on with yet.", "unknown_game")
    return with_settings(record, journal.entries(record.id))


def live_camera_of(record: GameRecord, which: str = "camera") -> str | None:
    """The camera (or `tray`) the game was played with, if it still shows what happens now: a film would begin anew."""
    camera = record.settings.get(which)
    return camera if camera is not None and parse_source(camera).is_live else None


def virtual_table(choices: dict[str, Any] | None) -> dict[str, Any]:
    """Settings of a virtual table; the players get the tokens that stand on it."""
    seats = choices["players"] if choices is not None else []
    count = max(len(seats), 2)
    for seat, token in zip(seats, TableStyle.random(0, count).tokens, strict=False):
        seat["token"] = token
    return {"seed": 0, "tokens": count}


def begin(session: Session, record: GameRecord | None, choices: dict[str, Any] | None) -> None:
    """Goes on with a game, or starts the one that was named; without either the page asks.

    Raises:
        Refused: the rules do not allow such a game.
    """
    if record is not None:
        session.resume(record.id)
    elif choices is not None:
        session.set_up(choices)
    if session.table is not None:
        print(f"game {session.table.record.id}", file=sys.stderr)


def choices_of(
    variant: str | None,
    edition: str | None,
    players: str | None,
    options: list[str],
    automation: str,
    recorded: Recorded | None,
) -> dict[str, Any] | None:
    """What a game is set up with; None when the players are not known yet, so that the page asks.

    Args:
        recorded: what the folder of pictures says of its game; the command line goes before it.
    """
    if automation not in AUTOMATION:
        raise BoardsideError(f"--automation is one of {', '.join(AUTOMATION)}, not {automation}.", "malformed")
    tokens = recorded.players if recorded is not None else []
    seats = _seats(players, tokens)
    if not seats:
        return None
    variant = variant or (recorded.variant if recorded is not None else "classic")
    chosen = {**(recorded.options if recorded is not None else {}), **parsed_options(options)}
    return {
        "players": seats,
        "variant": variant,
        "edition": edition,
        "options": {**chosen, **grouped(variant, seats)},
        "automation": automation,
    }


def _seats(players: str | None, tokens: list[str]) -> list[dict[str, Any]]:
    """Players in turn order, each with a token where one is known, classes and a team: `Ann:wizard+bard@Red=hat`."""
    if players is None:
        return [{"name": token, "token": token} for token in tokens]
    seats = []
    for place, text in enumerate(players.split(",")):
        who, _, token = (part.strip() for part in text.partition("="))
        who, _, team = (part.strip() for part in who.partition("@"))
        name, _, character = (part.strip() for part in who.partition(":"))
        first, _, second = (part.strip() for part in character.partition("+"))
        told = {"class": first, "second_class": second, "team": team}
        extra = {choice: word for choice, word in told.items() if word}
        seat = {"name": name, "token": token or (tokens[place] if place < len(tokens) else None)}
        seats.append({**seat, "extra": extra} if extra else seat)
    return seats


def grouped(variant: str, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """The options that players' own choices make up (teams); of the characters these choices are no part."""
    choices = rules_of(variant).choices
    options = gathered(choices, {seat["name"]: seat.get("extra", {}) for seat in seats})
    for seat, choice in product(seats, choices):
        if choice.gathers:
            seat.get("extra", {}).pop(choice.name, None)
    return options
