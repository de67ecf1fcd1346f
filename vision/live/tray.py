"""A camera that looks into a dice tray: dice alone, with nothing calibrated."""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.observations import DieKind
from vision.detections import DieReading, TableReading
from vision.dice import DiceReader
from vision.dice.level import Level
from vision.legibility import salience, spread
from vision.live.throws import DIE_EDGE, SURE
from vision.sources.base import FrameBgr

#: Width of the box around a six-sided die, seen from above, in edges of its upper face (`vision.dice`).
BOX_EDGES = 1.44
#: Mean brightness (0-255) of a tray, light or dark, as cameras expose it, at least.
USUAL_LIGHT = 50.0
#: What `vision.legibility.spread` is in focus, about: 0.02 to 0.08 in 79 photographs of dice. What has over twice as
#: much is blurred: of 40 rendered trays smeared by 0.065 edges of a die 30 were read and one called blurred; by 0.12
#: six and 14; by 0.16 none and 31.
USUAL_SPREAD = 0.045
#: Of `vision.legibility.salience` where something lies in the tray, at least. Rendered empty trays in focus that show
#: soft edges (felt, wood, leather, blotches) have less in 37 of 38; with dice, smeared by 0.16 to 0.3 edges, 179 of 181
#: on felt, leather and one color have more, 53 of 58 on wood, 29 of 65 on strong blotches.
LEAST_SALIENCE = 8.0
#: Edge of a die in widths of the picture, until dice have been seen.
USUAL_EDGE = 0.1
#: Dice that look larger or smaller than before by this factor: the camera was moved or zoomed.
OTHER_SIZE = 1.6
#: A die lies at rest, or as it lay before, if it is less far from there than this, in edges.
AT_REST = 0.25

Places = NDArray[np.float64]
"""(n, 2) px."""


class TrayReader:
    """Reads the dice of a tray, as a `TableReader` reads a table.

    Where dice lie is told in the units of a board that such dice belong to, so that what is known of
    throws (`vision.live.throws`) holds here too.
    """

    def __init__(self) -> None:
        self._dice = DiceReader()
        self._kinds: tuple[DieKind, ...] = ("d6",)
        self._edge_px = 0.0
        self._level = Level()
        self._before: Places = np.zeros((0, 2))
        self._learned: Places = np.zeros((0, 2))

    def expect(self, kinds: Sequence[DieKind]) -> None:
        """Which dice may be thrown next; d6 are always looked for."""
        self._kinds = tuple(dict.fromkeys(("d6", *kinds)))

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        """The dice of one picture; its corners are those of the board that such dice belong to."""
        began = time.perf_counter()
        dice = self._dice.read(frame_bgr, kinds=self._kinds, level=self._level)
        corners = self._corners(frame_bgr, dice)
        self._learn(dice)
        ms = (time.perf_counter() - began) * 1e3
        light = float(frame_bgr[::8, ::8].mean()) / USUAL_LIGHT
        detail = self._detail(frame_bgr, dice)
        return TableReading(
            True, corners, False, False, dice, [], {}, [], ms, die_px=self._edge_px, light=light, detail=detail
        )

    def _learn(self, dice: list[DieReading]) -> None:
        """Which way is up, from each throw once, when it lies as in the picture before."""
        places = np.array([die.centre_px for die in dice if die.kind == "d6"]).reshape(-1, 2)
        if len(places) and self._is_same(places, self._before) and not self._is_same(places, self._learned):
            self._level.keep()
            self._learned = places
        self._before = places

    def _is_same(self, places: Places, others: Places) -> bool:
        if len(places) != len(others):
            return False
        away = np.linalg.norm(places[:, None] - others, axis=2).min(axis=1, initial=np.inf)
        return bool((away < AT_REST * self._edge_px).all())

    def _detail(self, frame_bgr: FrameBgr, dice: list[DieReading]) -> float:
        """How sharp the picture is, as a share of usual ones; one in which all dice are read is sharp enough.

        Where nothing stands out there is nothing to be read, and a soft ground looks as one out of focus does.
        """
        edge_px = self._edge_px or USUAL_EDGE * frame_bgr.shape[1]
        is_read = dice and all(die.confidence >= SURE for die in dice)
        if is_read or salience(frame_bgr, edge_px) < LEAST_SALIENCE:
            return 1.0
        return USUAL_SPREAD / max(spread(frame_bgr, edge_px), USUAL_SPREAD)

    def _corners(self, frame_bgr: FrameBgr, dice: list[DieReading]) -> NDArray[np.float64]:
        height, width = frame_bgr.shape[:2]
        if dice:
            seen = float(np.median([die.box[2] - die.box[0] for die in dice])) / BOX_EDGES
            if not 1 / OTHER_SIZE < seen / max(self._edge_px, 1e-6) < OTHER_SIZE:
                self._edge_px, self._level = seen, Level()
        half = (self._edge_px or USUAL_EDGE * width) / DIE_EDGE / 2
        signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float64)
        return np.array([width / 2, height / 2]) + half * signs
