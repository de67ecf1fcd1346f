"""Where in a picture dice may lie: wherever it differs from the empty table, on the board or beside it."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import difference, recolor
from vision.board.view import View
from vision.detections import Box
from vision.pixels import Image, closed, opened, remap, shrunk, steps, widened

#: Differences (0-255) that count: so many times what a quarter of the px exceed (noise), within these. (With the upper
#: one alone dice in the dark, and such as have the color of the print they lie on, were not looked for: those of 30 of
#: 1036 rendered pictures were misread, now of 21.)
_NOISE, _STEPS = 2.5, (5.0, 14.0)
#: How far, px at half the picture's size, things of the empty picture may be out of place where it was taken from where
#: the frame was: dice in the colors of letters and lines are lost with more. (The dice of 8 of 3108 rendered pictures
#: are right so that were not with 1, as elsewhere, and of 3 the other way about.)
_OUT_OF_PLACE = 0.7
#: What differs by less than the upper one covers this share of a die's square at least: of dice in the print's color
#: that is all that shows. (By 0.4 the dice of seven of 2940 rendered pictures were not looked for; with whatever is
#: smaller no more are right, and a picture takes up to 2 ms more.) Px, at half the picture's size, in which all is
#: widened.
_LEAST, _AROUND = 0.2, 7
#: Half of all px differ by less (0-255) from the empty table's in its own light: by 4 at most on rendered tables,
#: by 7 at least where an older picture is of another lamp, camera or print. Every fourth px is looked at for both.
_ALIKE, _EVERY = 5.5, 4
#: Half the px about the middle of a die, in widths of its box, at half the picture's size; how far what is printed may
#: be out of place, px; and from which correlation on it is the print: of 2084 dice on rendered and shared tables and
#: photographs of a board the most like it is so by 0.87, and 9 places of the print that were taken for dice by
#: 0.94 and more.
_MIDDLE, _OFF, _PRINT = 0.21, 2, 0.9


def is_alike(half_bgr: Image, before: Image) -> bool:
    """Whether a frame looks like the empty table wherever nothing lies, so that what differs was not there."""
    off = cv2.absdiff(half_bgr[::_EVERY, ::_EVERY], before[::_EVERY, ::_EVERY])
    return bool(2 * np.count_nonzero(off < _ALIKE) > off.size)


def is_print(half_bgr: Image, before: Image, middle_px: tuple[float, float], width_px: float) -> bool:
    """Whether what was taken for a die looks as the empty table does there, in whatever light and colors.

    Args:
        half_bgr: the frame at half its size; before: the empty table, likewise.
        middle_px: of the upper face, in the frame; width_px: of the whole die.
    """
    reach = max(round(_MIDDLE * width_px), 4)
    column, row = (int(px / 2) for px in middle_px)
    left, top, right, below = column - reach, row - reach, column + reach + 1, row + reach + 1
    height, width = half_bgr.shape[:2]
    if min(left, top) < _OFF or right + _OFF > width or below + _OFF > height:
        return False
    around = before[top - _OFF : below + _OFF, left - _OFF : right + _OFF]
    return float(cv2.matchTemplate(around, half_bgr[top:below, left:right], cv2.TM_CCOEFF_NORMED).max()) > _PRINT


class _Seen(NamedTuple):
    """What lies where the empty picture does not show the table.

    Attributes:
        half_bgr: a frame at half its size.
        colors: the empty board's colors to that frame's, of `match_colors`.
        known: (h, w), 255 where it tells what lies there.
    """

    half_bgr: Image
    colors: NDArray[np.float64]
    known: NDArray[np.uint8]


class DiceField:
    """Compares pictures with one of the empty table; what that does not show is learned from the pictures.

    Args:
        empty_bgr: the empty picture, seen through `view`.

    Attributes:
        unknown: (h // 2, w // 2) of the last frame, 255 where it is not known how the empty table looks; None where all
            is.
    """

    def __init__(self, empty_bgr: Image, view: View) -> None:
        self._empty, self._own_view = empty_bgr, view
        self._view: View | None = None
        self._before: Image = empty_bgr
        self._missing: NDArray[np.uint8] | None = None
        self._seen: _Seen | None = None
        self.unknown: NDArray[np.uint8] | None = None

    def before(self, half_bgr: Image, view: View, colors: NDArray[np.float64]) -> Image:
        """The empty table as it would look in a frame, at half its size.

        Args:
            half_bgr: the frame at half its size; view: of the frame at its full size.
            colors: the empty board's colors to the frame's, of `match_colors`.
        """
        if view is not self._view:
            self._view, self._seen = view, None
            self._before, self._missing = self._seen_through(view, (half_bgr.shape[1], half_bgr.shape[0]))
            if self._missing is not None:
                self._missing |= _other_table(recolor(self._before, colors), half_bgr, view, self._missing)
            self.unknown = self._missing
        before = recolor(self._before, colors)
        if self._seen is not None:
            cv2.copyTo(self._seen_in(colors), self._seen.known, before)
        return before

    def learn(self, half_bgr: Image, colors: NDArray[np.float64], boxes: Sequence[Box]) -> None:
        """Takes what a frame shows where the empty picture does not show the table for part of that.

        Args:
            half_bgr: the frame of which `before` was asked last; colors: likewise.
            boxes: px in which dice may lie.
        """
        if self._missing is None:
            return
        told = self._missing.copy()
        _clear(told, boxes)
        if self._seen is None:
            self._seen = _Seen(half_bgr.copy(), colors, told)
        else:
            seen = self._seen_in(colors)
            cv2.copyTo(half_bgr, told, seen)
            self._seen = _Seen(seen, colors, self._seen.known | told)
        self.unknown = self._missing & ~self._seen.known

    def _seen_in(self, colors: NDArray[np.float64]) -> Image:
        """What was learned of the table in a frame's colors, of `match_colors`."""
        assert self._seen is not None
        then, now = (np.vstack([each, [0, 0, 0, 1]]) for each in (self._seen.colors, colors))
        return recolor(self._seen.half_bgr, np.linalg.solve(then.T, now.T).T[:3])

    def mask(
        self,
        half_bgr: Image,
        before: Image,
        die_px: float,
        bodies: NDArray[np.float64] | None = None,
        boxes: Sequence[Box] = (),
    ) -> NDArray[np.uint8]:
        """(h // 2, w // 2) mask of a frame at half its size, 255 where dice may lie.

        Args:
            before: what `before` said of the frame.
            die_px: edge of a die in the frame.
            bodies: (n, 5) px x, y of the foot and of the top of things that are no dice, and their width.
            boxes: px in which something else stands.
        """
        off = difference(before, half_bgr, _OUT_OF_PLACE if self._view is self._own_view else 1)
        step = min(max(1 + _NOISE * _upper_quarter(off[::_EVERY, ::_EVERY]), _STEPS[0]), _STEPS[1])
        _, differs = cv2.threshold(off, step, 255, cv2.THRESH_BINARY)
        if self.unknown is not None:
            differs = np.maximum(differs, self.unknown)
        # Pips in the colors of the ground make holes in a die.
        whole = closed(differs, 3)
        for x0, y0, x1, y1, width in np.zeros((0, 5)) if bodies is None else bodies / 2:
            cv2.line(whole, (round(x0), round(y0)), (round(x1), round(y1)), (0,), max(round(width), 1))
        _clear(whole, boxes)
        parts = opened(whole, 3)
        if step < _STEPS[1]:
            parts = _without_specks(parts, _LEAST * (die_px / 2) ** 2)
        marked = widened(parts, _AROUND)
        # What was widened into them is cleared again.
        _clear(marked, boxes)
        return np.asarray(marked, np.uint8)

    def _seen_through(self, view: View, half: tuple[int, int]) -> tuple[Image, NDArray[np.uint8] | None]:
        """The empty picture at half the size of a view, and 255 where it is not known what lies there, if anywhere."""
        if view is self._own_view:
            return shrunk(self._empty, half), None
        return _moved(self._empty, self._own_view, view, half)


def _other_table(before: Image, half_bgr: Image, view: View, missing: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(h // 2, w // 2) 255 all about the board where the empty picture shows it on another table, or scanned.

    Args:
        before: the empty table in the colors of the frame.
        missing: where it does not show.
    """
    beside = np.full(missing.shape, 255, np.uint8)
    cv2.fillConvexPoly(beside, np.round(view.corners_px() / 2).astype(np.int32), (0,))
    shown = (beside > 0) & (missing == 0)
    differs = difference(before, half_bgr)[shown] > _STEPS[1]
    return beside if 2 * np.count_nonzero(differs) > differs.size else np.zeros_like(beside)


def _upper_quarter(values: NDArray[np.uint8]) -> float:
    """What a quarter of these exceeds."""
    place = 3 * values.size // 4
    return float(np.partition(values, place, axis=None)[place])


def _clear(mask: NDArray[np.uint8], boxes: Sequence[Box]) -> None:
    """Takes from a mask at half the size what lies in boxes, px of the picture."""
    for box in boxes:
        x0, y0, x1, y1 = (max(round(px / 2), 0) for px in box)
        mask[y0:y1, x0:x1] = 0


def _without_specks(mask: NDArray[np.uint8], least: float) -> NDArray[np.uint8]:
    """A mask, opened by 3 px, without parts of fewer px, what they enclose counted too; it is changed itself."""
    # A quarter of the time that it takes to label all px.
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    # The outline runs through the middles of px: by Pick's theorem so many lie on it and within.
    specks = [one for one in outlines if cv2.contourArea(one) + len(one) / 2 + 1 < least]
    return np.asarray(cv2.drawContours(mask, specks, -1, (0,), cv2.FILLED), np.uint8)


def _moved(
    empty_bgr: Image, empty_view: View, view: View, half: tuple[int, int], step: int = 16
) -> tuple[Image, NDArray[np.uint8]]:
    """The empty picture as seen from elsewhere, as if all the table were flat, and 255 where it does not show."""
    columns, rows = half[0] // step + 2, half[1] // step + 2
    grid = np.stack(np.meshgrid(np.arange(columns) * step, np.arange(rows) * step), axis=-1).reshape(-1, 2)
    there = empty_view.project(view.to_board(np.asarray((grid + 0.5) * 2.0 - 0.5, np.float64))).astype(np.float32)
    where = remap(there.reshape(rows, columns, 2), steps(half[0], half[1], step), replicate=True)
    before = remap(empty_bgr, where, replicate=True)
    inside = cv2.inRange(where, np.zeros(2), np.array(empty_bgr.shape[1::-1]) - 1.0)
    return before, np.asarray(cv2.bitwise_not(inside), np.uint8)
