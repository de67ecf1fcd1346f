"""Lights whose edges a glossy board shows: windows, tubes, panels, rows of spots.

Each adds light of one tint to what the print throws back, much the same over more than any piece is long: of how much
brighter the board is, an opening by lines in all directions (P. Soille, Morphological Image Analysis, 2003) keeps that
alone. A light it is where the board looks as it did without it. Numbers of light are squares of levels over 255.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import recolor
from vision.board.hands import USUAL
from vision.board.light import Light
from vision.pixels import Image, blurred, opened_by, widened

#: Px of the overview that a light is long in some direction, at least: a tenth of the board, two dice that touch are
#: half of it.
_LONG = 13
#: Px that it covers, at least; and one that the empty board mirrors and is gone. (A dark deck covers 440 with its
#: shadow, where it lies on a plain place.)
LEAST_PX, LEAST_GONE_PX = 60, 600
#: Directions of the lines.
_DIRECTIONS = 8
#: Light that counts, of a picture of usual brightness, and levels (0-255) by which the board is brighter there.
_LEAST_LIGHT, _BRIGHTER = 5.0, 6.0
#: Lamps and windows are not of deep colors: light of the channel with least, as a share of that with most.
_TINT = 0.45
#: What a light adds differs from its own mean tint by this share, at most; and px about it in which it fades.
_UNEVEN, _ABOUT = 0.3, 3
#: Share of its px that look as they did without it: off by no more than so many levels, or by such a share of what
#: they were; and by how much that share has to have grown.
_ALIKE, _OFF, _LEFT, _GROWN = 0.6, 12.0, 0.35, 0.15
#: Detail is what differs from the mean about it (standard deviation, px). It shows where what is left of it, next to
#: the empty board's own, is at most such a share (of the squares), but for a share of px on which pieces may stand: of
#: what looks like a light otherwise, 231 of 240 on 16 rendered tables with lights, 3 of 31 hands over 24 others.
_FINE, _NOISE, _MOST_LEFT, _PIECES = 2.5, 0.7, 0.15, 0.1


class Reflections:
    """Finds lights with edges that a board mirrors.

    Args:
        empty_bgr: (n, n, 3) uint8, the empty board from above, as `Overview` has it.
        light: of this picture.
    """

    def __init__(self, empty_bgr: Image, light: Light) -> None:
        self._empty, self._light = empty_bgr, light

    def on(
        self, now_bgr: Image, colors: NDArray[np.float64], beyond: NDArray[np.bool_], least_px: int = LEAST_PX
    ) -> NDArray[np.float32] | None:
        """(n, n, 3) light that is added at each px; None where there is none.

        Args:
            now_bgr: (n, n, 3) the board from above.
            colors: of `match_colors`.
            beyond: (n, n) what lies beyond the picture's rims.
            least_px: what a light covers at least.
        """
        if not is_large_light(now_bgr, recolor(self._empty, colors), beyond, least_px):
            return None
        level = max(float(now_bgr.mean()), 1.0) / USUAL
        before, now = (each.astype(np.float32) for each in (self._light.on(self._empty, now_bgr, colors), now_bgr))
        if self._light.is_other:  # a scan, or an older print: much is brighter in ways of its own
            return None
        more = np.asarray((now * now - before * before) / 255, np.float32)
        more[beyond] = 0
        even = _opened(np.maximum(cv2.medianBlur(more.min(axis=2), 3), 0))
        _, labels, stats, _ = cv2.connectedComponentsWithStats((even > _LEAST_LIGHT * level**2).astype(np.uint8))
        added, soft = np.zeros_like(more), blurred(even, _NOISE)
        for index in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= least_px) + 1:
            there = np.asarray(labels == index)
            middle = there & (even >= 0.5 * np.percentile(even[there], 90))
            tint = np.median(more[middle] / even[middle][:, None], axis=0)
            if tint.min() < _TINT * tint.max():
                continue
            about = widened(there.astype(np.uint8), 2 * _ABOUT + 1)[..., None]
            mean = soft[..., None] * about * tint.astype(np.float32)
            light = np.clip(more, (1 - _UNEVEN) * mean, (1 + _UNEVEN) * mean)
            light = blurred(cv2.medianBlur(light, 5), _NOISE) * about
            if _explains(light, before, now, there, level):
                np.maximum(added, light, out=added)
        return added if added.any() else None


def is_large_light(now: Image, before: Image, beyond: NDArray[np.bool_], least_px: int = LEAST_PX) -> bool:
    """Whether anything so large and long is brighter than it was, in all channels."""
    least = _BRIGHTER * min(float(now.mean()) / USUAL, 1.0)
    brighter = np.asarray(cv2.inRange(cv2.subtract(now, before), np.full(3, least), np.full(3, 255.0)), np.uint8)
    brighter[beyond] = 0
    if np.count_nonzero(brighter) < least_px:
        return False
    *_, stats, _ = cv2.connectedComponentsWithStats(_opened(brighter))
    return bool((stats[1:, cv2.CC_STAT_AREA] >= least_px).any())


def _explains(
    light: NDArray[np.float32],
    before: NDArray[np.float32],
    now: NDArray[np.float32],
    there: NDArray[np.bool_],
    level: float,
) -> bool:
    """Whether the board looks as it did where some light is taken from it, and its print shows, in some place.

    What falls on the print instead, the sun or a lamp that stands nearer than it did, is more where that is bright: its
    detail grows with the light. A hand leaves none of it.
    """
    without = np.sqrt(np.maximum(now * now - 255 * light, 0))
    x, y = before[there], now[there]
    was = np.abs(y - x).max(axis=1)
    near = np.maximum(_OFF * np.clip(level, 0.3, 1.2), _LEFT * was)
    alike = float(np.mean(np.abs(without[there] - x).max(axis=1) < near))
    if alike < _ALIKE or alike - float(np.mean(was < near)) < _GROWN:
        return False
    detail, shown, left = (_detail(each)[there] for each in (before, now, without))
    # By more than half as much, as a factor's logarithm.
    if detail @ shown > np.sqrt((y * y).mean() / (x * x).mean()) * (detail @ detail):
        return False
    left -= detail
    told = np.abs(left) <= np.quantile(np.abs(left), 1 - _PIECES)
    return float((left[told] ** 2).sum()) <= _MOST_LEFT * float((detail[told] ** 2).sum())


def _detail(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, n) by how much the light of each place differs from its mean about it."""
    light = blurred(np.asarray((levels * levels).mean(axis=2), np.float32), _NOISE)
    return np.asarray(light - blurred(light, _FINE), np.float32)


def _lines() -> list[NDArray[np.uint8]]:
    """Line segments through the middle of a square, in all directions."""
    lines, middle = [], (_LONG - 1) / 2
    for angle in np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS:
        line = np.zeros((_LONG, _LONG), np.uint8)
        ends = np.round(middle + np.outer((-middle, middle), (np.cos(angle), np.sin(angle)))).astype(int)
        cv2.line(line, ends[0].tolist(), ends[1].tolist(), (1,))
        lines.append(line)
    return lines


_LINES = _lines()


def _opened(values: NDArray[Any]) -> NDArray[Any]:
    """The most that each px has together with all others of some line segment through it."""
    most = np.zeros_like(values)
    for line in _LINES:
        np.maximum(most, opened_by(values, line), out=most)
    return most
