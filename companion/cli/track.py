"""`boardside track FOLDER`: follows a sequence of pictures of a game and tells it turn by turn."""

from pathlib import Path
from typing import Annotated, Any

import cv2
import msgspec
import numpy as np
import typer

from calibration.checks import corners_of
from calibration.profile import read_folder
from companion.observations import DieSeen, SourceError
from companion.rules import BoardsideError
from companion.tracking import Look, Tracker, Turn
from vision.detections import TableReading
from vision.live.watcher import Memory, Watcher
from vision.reader import TableReader
from vision.sources.base import FrameBgr

#: Time between two pictures of a clip, for the watcher's own bookkeeping.
PACE_NS = 1_000_000_000
#: Dice of a throw in the variant watch (CL-2.1).
DICE = 2


class Players(msgspec.Struct, forbid_unknown_fields=True):
    """`players.json`: what is played and by whom, in turn order; the names are those of the tokens."""

    variant: str
    players: list[str]
    options: dict[str, Any] = {}


def track(folder: Annotated[Path, typer.Argument(help="A folder with clip/, or the clip itself.")]) -> None:
    """Follow the pictures of a game in order of name and print a JSON line for each turn."""
    cv2.setNumThreads(1)
    clip = folder / "clip" if (folder / "clip").is_dir() else folder
    game = read_players(clip / "players.json")
    tracker = Tracker(game.players, game.options)
    found = pictures(clip)
    looks: list[TableReading] = []
    reader = reader_for(clip)
    # Only the variant watch is followed, which has none.
    reader.has_markers = False
    watcher = Watcher(reader, is_slideshow=True, memory=Memory(lying=()), log=lambda reading, _: looks.append(reading))
    watcher.expect(DICE)
    for index, path in enumerate(found):
        seen = watcher.feed(read_picture(path), index * PACE_NS)
        print_turns(tracker.feed(path.name, seen, look_at(looks[-1])))
    print_turns(tracker.close())


def look_at(reading: TableReading) -> Look | None:
    """Where tokens stand in a picture, what they look like, and its dice; None where it cannot be told."""
    if not reading.board_found or reading.hand:
        return None
    named: dict[str, dict[int, float]] = {}
    for token in reading.tokens:
        for name, share in token.names.items():
            spaces = named.setdefault(name, {})
            for space, p in token.squares.items():
                spaces[space] = spaces.get(space, 0.0) + share * p
    dice = [
        DieSeen(kind=die.kind, faces={face: p * die.detection for face, p in die.faces.items()}, cocked=die.cocked)
        for die in reading.dice
    ]
    return Look([token.squares for token in reading.tokens], named, dice)


def pictures(clip: Path) -> list[Path]:
    """The pictures of the game, without those for calibration.

    Raises:
        SourceError: there are none.
    """
    found = sorted(p for p in clip.glob("*.jpg") if p.name != "empty.jpg" and not p.name.startswith("enrol_"))
    if not found:
        raise SourceError(f"{clip} holds no pictures of a game.")
    return found


def read_players(path: Path) -> Players:
    """
    Raises:
        BoardsideError: it cannot be read, or the variant is not one that can be followed without the tablet.
    """
    try:
        game = msgspec.json.decode(path.read_bytes(), type=Players)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
    except msgspec.MsgspecError as error:
        raise SourceError(f"{path} does not describe a game: {error}.") from error
    if game.variant != "watch":
        raise BoardsideError(
            f"Pictures alone do not tell a game of {game.variant}; only the variant watch can be followed so.",
            "not_allowed",
        )
    return game


def reader_for(clip: Path) -> TableReader:
    """A reader calibrated from the clip's own pictures."""
    profile = read_folder(clip, with_taps=(clip / "taps.json").exists())
    return TableReader(profile.empty_bgr(), corners_of(profile), profile.enrol_bgr())


def read_picture(path: Path) -> FrameBgr:
    """
    Returns:
        (h, w, 3) uint8, BGR.
    Raises:
        SourceError: it is missing or no picture.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise SourceError(f"{path} cannot be read as a picture.")
    return np.asarray(image, np.uint8)


def print_turns(turns: list[Turn]) -> None:
    for turn in turns:
        print(msgspec.json.encode(turn).decode(), flush=True)
