"""`boardside demo`: the game on a virtual table, where bots throw dice and move tokens before a rendered camera."""

import json
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import cv2
import typer

from companion.cli.desk import Desk
from companion.cli.doorway import Doorway
from companion.cli.headless import HeadlessTable, TurnRecord
from companion.cli.people import People
from companion.cli.senses import REACTIONS_HELP, Senses
from companion.cli.store import data_folder, open_journal
from companion.cli.virtual_play import NAMES, Seating
from companion.eyes import Eyes
from companion.journal import Journal
from companion.observations import COP
from companion.rules.errors import BoardsideError
from companion.session import Session
from vision.live.stills import MOST_FRAMES
from vision.reader import TableReader
from vision.virtual.profiles import calibration_pictures
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.world import World

#: Throws of a headless game when none are named.
TURNS = 40
#: Pause between two thoughts of the people at the table.
STEP_S = 0.2


def demo(
    turns: Annotated[
        int | None, typer.Option(min=1, help="Throws to play; without it headless 40, else no end.")
    ] = None,
    headless: Annotated[bool, typer.Option(help="Play without page and waiting; print truth and reading.")] = False,
    seed: Annotated[int, typer.Option(help="Draws the table, the dice and the players' wishes.")] = 1,
    variant: Annotated[str, typer.Option(help="The game that is played.")] = "classic",
    players: Annotated[int, typer.Option(min=2, max=8, help="How many play.")] = 4,
    teams: Annotated[
        int, typer.Option(min=0, max=4, help="Into how many teams they are dealt, where the game has teams.")
    ] = 0,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every network.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = 8765,
    open_door: Annotated[bool, typer.Option("--open", help="Let everybody in the network in without a key.")] = False,
    reactions: Annotated[int | None, typer.Option(help=REACTIONS_HELP)] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Keep the game in this folder; without it nothing is kept.")
    ] = None,
) -> None:
    """Play on the virtual table: rendered frames, read by the real vision; you may tap as well."""
    cv2.setNumThreads(1)
    if headless:
        if reactions is not None:
            raise BoardsideError(
                "Without a page nobody waits for reactions: no --reactions with --headless.", "malformed"
            )
        raise SystemExit(_play_headless(seed, turns or TURNS, variant, players, teams))
    with (
        closing(Doorway.at(host, port, data_folder(data_dir), is_open=open_door)) as doorway,
        closing(open_journal(data_dir) if data_dir is not None else Journal.in_memory()) as journal,
    ):
        senses = Senses(Desk("demo"), virtual={"seed": seed, "tokens": players})
        with closing(Session(journal, senses.workshop(), profile="demo", reaction_s=reactions)) as session:
            _sit_down(session, variant, seed, players, teams, turns)
            doorway.announce()
            doorway.serve(session)


def reader_of(world: World, renderer: Renderer) -> TableReader:
    """A reader calibrated from the virtual table's own pictures and taps."""
    pictures = calibration_pictures(world.style, renderer, figures=(COP,), frames=MOST_FRAMES)
    return TableReader(pictures.empty_bgr, pictures.taps_px, enrol=dict(pictures.enrol))


def _sit_down(session: Session, variant: str, seed: int, players: int, teams: int, turns: int | None) -> None:
    """Begins the game, opens the virtual camera, and lets the people play in a thread of their own."""
    style = TableStyle.random(seed, players)
    seating = Seating(dict(zip(NAMES, style.tokens, strict=False)))
    characters = seating.characters(variant, seed)
    seats = [{"name": name, "token": token, "extra": characters[name]} for name, token in seating.tokens.items()]
    table = session.set_up({"players": seats, "variant": variant, "options": seating.teams(variant, teams)})
    session.use_camera("virtual")
    eyes = session.eyes
    assert isinstance(eyes, Eyes), "the workshop makes these"

    def play() -> None:
        while not eyes.status.is_calibrated:
            time.sleep(STEP_S)
        people = People(table, eyes, seating, seed, time.monotonic, turns)
        while True:
            people.step()
            time.sleep(STEP_S)

    threading.Thread(target=play, name="people", daemon=True).start()


def _play_headless(seed: int, turns: int, variant: str, players: int, teams: int) -> int:
    """Prints a line a turn; returns the exit status: 1 when something was read wrong without a question."""
    table = HeadlessTable(seed, reader_of, variant, players, teams)
    records = []
    for record in table.turns(turns):
        print(json.dumps(record.as_json(seed)), flush=True)
        records.append(record)
    print(json.dumps(summary(seed, records)), file=sys.stderr)
    return 1 if any(is_silent(record) for record in records) else 0


def is_silent(record: TurnRecord) -> bool:
    """Read wrong, and nobody was asked."""
    return not record.is_ok and not record.asked


def summary(seed: int, records: list[TurnRecord]) -> dict[str, object]:
    """The last line: how many turns were read right without asking, asked about, and silently wrong."""
    right = sum(record.is_ok and not record.asked for record in records)
    return {
        "seed": seed,
        "turns": len(records),
        "right_without_asking": right,
        "asked": sum(record.asked for record in records),
        "silent_errors": sum(is_silent(record) for record in records),
        "share": round(right / max(len(records), 1), 4),
    }
