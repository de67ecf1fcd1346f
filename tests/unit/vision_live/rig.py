"""A watcher whose reader says what it is told to, in front of a picture in which a patch moves."""

import dataclasses

import numpy as np

from companion.observations import Observation, Picture
from tests.unit.vision_live.helpers import as_taken
from vision.detections import DieReading, TableReading, TokenReading
from vision.live.watcher import Watcher
from vision.sources import FrameBgr

CORNERS = np.array([[600.0, 340.0], [40.0, 340.0], [40.0, 20.0], [600.0, 20.0]])
FRAME = np.full((360, 640, 3), 128, np.uint8)
TENTH = 100_000_000


def table(**changes: object) -> TableReading:
    plain = TableReading(True, CORNERS, False, False, [], [], {}, [], 1.0)
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


def die(value: int, x: float, y: float, sure: float = 0.99) -> DieReading:
    return DieReading("d6", {value: sure}, (x, y), (x - 8, y - 8, x + 8, y + 8))


def token(name: str, squares: dict[int, float], x: float = 100.0, in_jail: float = 0.0) -> TokenReading:
    return TokenReading(name, squares, (x, 300.0), (x - 8, 270.0, x + 8, 303.0), in_jail)


class ScriptedReader:
    """Says what it is told to."""

    def __init__(self) -> None:
        self.reading = table()
        self.count = 0

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        self.count += 1
        return self.reading


class Rig:
    """A watcher in front of a still picture; what it reads is scripted, motion is a moving patch."""

    def __init__(self, reader: ScriptedReader | None = None, **settings: object) -> None:
        self.reader = reader or ScriptedReader()
        self.watcher = Watcher(self.reader, **settings)  # type: ignore[arg-type]
        self.t_ns = 0
        self.table_px = FRAME.copy()
        self.table_px[260:310, 80:400] += np.random.default_rng(1).integers(0, 90, (50, 320, 3), np.uint8)

    def see(self, seconds: float = 2.0, **changes: object) -> list[Observation | Picture]:
        self.reader.reading = table(**changes)
        return [seen for _ in range(round(seconds * 10)) for seen in self.feed(self.table_px)]

    def move(self) -> list[Observation | Picture]:
        seen = []
        for k in range(6):
            frame = self.table_px.copy()
            frame[100:180, 60 * k : 60 * k + 90] = (60, 90, 160)
            seen += self.feed(frame)
        return seen

    def feed(self, frame: FrameBgr, after_ns: int = TENTH) -> list[Observation | Picture]:
        self.t_ns += after_ns
        return self.watcher.feed(as_taken(frame, self.t_ns // after_ns), self.t_ns)


def only(kind: type, seen: list[Observation | Picture]) -> list:
    return [item for item in seen if isinstance(item, kind)]
