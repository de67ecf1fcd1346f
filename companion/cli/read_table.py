"""`boardside read-table`: reads a folder of pictures of one table, a JSON line a picture."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from calibration.checks import corners_of
from calibration.profile import read_folder
from companion.rules.errors import BoardsideError
from vision.detections import TableReading
from vision.live.sequence import SequenceReader
from vision.reader import TableReader


def read_table(
    folder: Annotated[Path, typer.Argument(help="Holds empty.jpg, taps.json, enrol_*.jpg and frame_*.jpg.")],
    no_taps: Annotated[bool, typer.Option("--no-taps", help="Find the board without taps.json.")] = False,
) -> None:
    """Read every picture `frame_*.jpg` of a folder; exit status 1 when the board was not found in one of them."""
    # One core reads as fast as several for pictures of this size, and leaves the others to the game.
    cv2.setNumThreads(1)
    if not folder.is_dir():
        raise BoardsideError(f"There is no folder {folder}.", "no_folder")
    profile = read_folder(folder, with_taps=not no_taps)
    reader = TableReader(profile.empty_bgr(), corners_of(profile), profile.enrol_bgr(), kinds=("d6", "d4", "d20"))
    for name in reader.not_enrolled:
        print(f"boardside: no token was found on GO in enrol_{name}.jpg; it is left out.", file=sys.stderr)
    following = SequenceReader(reader)
    frames = sorted(folder.glob("frame_*.jpg"))
    if not frames:
        raise BoardsideError(f"There are no pictures frame_*.jpg in {folder}.", "no_pictures")
    is_lost = False
    for path in frames:
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            raise BoardsideError(f"{path} is no picture that can be read.", "bad_picture")
        reading = following.read(np.asarray(picture, np.uint8))
        is_lost |= not reading.board_found
        print(json.dumps({"file": path.name, **as_json(reading)}), flush=True)
    raise typer.Exit(1 if is_lost else 0)


def as_json(reading: TableReading) -> dict[str, Any]:
    """The reading as the command prints it."""
    corners = None if reading.corners_px is None else np.round(reading.corners_px, 2).tolist()
    return {
        "board_found": reading.board_found,
        "board_corners_px": corners,
        "camera_moved": reading.camera_moved,
        "hand": reading.hand,
        "ms": round(reading.ms, 1),
        "dice": [
            {
                "kind": die.kind,
                "value": die.value,
                "centre_px": [round(float(v), 1) for v in die.centre_px],
                "confidence": round(die.confidence, 3),
            }
            for die in reading.dice
            if die.is_legible
        ],
        "tokens": [
            {
                "name": token.name,
                "square": token.square,
                "in_jail": token.square == 10 and token.in_jail >= 0.5,
                "confidence": round(token.confidence, 3),
            }
            for token in reading.tokens
        ],
        "buildings": {
            str(square): ({"houses": seen.houses} if seen.houses else {}) | ({"hotel": True} if seen.hotel else {})
            for square, seen in sorted(reading.buildings.items())
        },
        "markers": [
            {"kind": marker.kind, "square": marker.square, "confidence": round(marker.confidence, 3)}
            for marker in reading.markers
        ],
    }
