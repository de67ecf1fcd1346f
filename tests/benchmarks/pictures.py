"""Pictures with known contents for the benchmarks of sight, and how their readings are held against the truth."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.profile import read_folder
from tests.vision.table_sets import BENCH
from vision.detections import DieReading, TableReading
from vision.reader import TableReader
from vision.sources import FrameBgr

#: Pieces that the camera sees less of than this share may be read or not.
HARDLY = 0.35
Json = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """One reading: what of, how sure it was, and whether it was right."""

    kind: str
    confidence: float
    is_right: bool


def frames_of(folder: Path, every: int = 1) -> Iterator[tuple[Json, FrameBgr]]:
    """Frames without a hand of a table's folder, with their truth."""
    truth = json.loads((folder / "truth.json").read_text())
    for frame in truth["frames"][::every]:
        if not frame["hand"]:
            yield frame, np.asarray(cv2.imread(str(folder / frame["file"])), np.uint8)


def reader_of_folder(folder: Path, kinds: tuple[Any, ...] = ("d6", "d4", "d20")) -> TableReader:
    profile = read_folder(folder)
    return TableReader(profile.empty_bgr(), np.array(profile.taps), profile.enrol_bgr(), kinds=kinds)


def judged(frame: Json, reading: TableReading, names_known: bool = True) -> Iterator[Judged]:
    """All that was read in one picture, each with its confidence."""
    for die in reading.dice:
        true = die_at(frame, die)
        yield Judged(
            "dice", die.confidence, true is not None and (true["kind"], true["value"]) == (die.kind, die.value)
        )
    places = {(token["name"], token["square"], bool(token.get("in_jail"))) for token in frame["tokens"]}
    squares = {square for _, square, _ in places}
    for token in reading.tokens:
        place = (token.name, token.square, token.square == 10 and token.in_jail >= 0.5)
        yield Judged("tokens", token.confidence, place in places if names_known else token.square in squares)
    for street, built in reading.buildings.items():
        pieces = [piece for piece in frame["building_pieces"] if piece["square"] == street]
        sure = [piece for piece in pieces if piece.get("visible", 1) >= HARDLY]
        yield Judged("buildings", built.confidence, (built.houses, built.hotel) in (_count(pieces), _count(sure)))
    discs = {(marker["kind"], marker["square"]) for marker in frame.get("markers", ())}
    for marker in reading.markers:
        yield Judged("markers", marker.confidence, (marker.kind, marker.square) in discs)


def read_of(folder: Path, kinds: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """How much of each kind there is in a folder's frames, and how much is read rightly, less what is not there."""
    there, right, reader = Counter[str](), Counter[str](), reader_of_folder(folder)
    for frame, picture in frames_of(folder):
        there.update({kind: len(frame[kind]) for kind in kinds})
        for one in judged(frame, reader.read(picture)):
            right[one.kind] += 1 if one.is_right else -1
    return there, right


def die_at(frame: Json, die: DieReading) -> Json | None:
    """The true die that was read; None where there is none."""

    def away(each: Json) -> float:
        x0, y0, x1, y1 = each["box"]
        return float(np.hypot((x0 + x1) / 2 - die.centre_px[0], (y0 + y1) / 2 - die.centre_px[1]))

    near = [each for each in frame["dice"] if away(each) < each["box"][2] - each["box"][0]]
    return min(near, key=away, default=None)


def _count(pieces: list[Json]) -> tuple[int, bool]:
    kinds = [piece["kind"] for piece in pieces]
    return kinds.count("house"), "hotel" in kinds


def bench_tables() -> list[Path]:
    """Folders of the shared rendered tables; none where they are not."""
    return sorted((BENCH / "table").glob("t0*"))


def real_tables() -> list[Path]:
    """Folders of photographs of a real board."""
    return sorted((BENCH / "real").glob("*_*"))
