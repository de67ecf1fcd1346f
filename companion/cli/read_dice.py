"""`boardside read-dice`: reads dice in single pictures, a JSON line each."""

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from vision.detections import DieReading
from vision.dice import DiceReader


def read_dice(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="pictures with dice in them")],
) -> None:
    """Read the dice in pictures, with no calibration."""
    reader = DiceReader()
    unreadable = 0
    for path in images:
        image = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
        if image is None:
            print(f"boardside: {path} is no picture that can be read", file=sys.stderr)
            unreadable += 1
            continue
        start = time.perf_counter()
        dice = reader.read(np.asarray(image, np.uint8), kinds=("d6", "d4", "d20"))
        ms = (time.perf_counter() - start) * 1000
        print(
            json.dumps({"file": str(path), "dice": [_line(die) for die in dice if die.is_legible], "ms": round(ms, 1)}),
            flush=True,
        )
    if unreadable:
        raise typer.Exit(2)


def _line(die: DieReading) -> dict[str, Any]:
    return {
        "kind": die.kind,
        "value": die.value,
        "box": [round(v, 1) for v in die.box],
        "centre_px": [round(v, 1) for v in die.centre_px],
        "confidence": round(die.confidence, 4),
    }
