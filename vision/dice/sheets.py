"""What the finder of dice is shown at once: the marked pieces of a picture, side by side on one sheet."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import STRIDE
from vision.pixels import halved

#: Cells of the finder are that many px wide. A sheet of windows is wider by this factor than a square of their area, so
#: that they fit together better. They touch: with a cell between them, for which a sixth more is looked at, one picture
#: more of 2492 rendered ones was right, and one less of 115 shared ones.
CELL, _SLACK = 2 * STRIDE, 1.1
#: What covers less than this share of the box around it (a rim that the empty picture does not show, where the camera
#: was moved), or is longer than the last, is cut into squares of so many edges first, and not joined into longer boxes:
#: these would leave most of a sheet empty. So the shared pictures after a move take 107 ms (median) in place of 141.
_SPARSE, _SQUARE, _LONGEST = 0.35, 8.0, 32.0


def placed(sizes: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Where (left, top) pictures of some sizes (width, height), in whole cells, lie on one sheet, and the sheet's size.

    The longest come first, each as high up as it fits.
    """
    cells = [(wide // CELL, high // CELL) for wide, high in sizes]
    area = sum(wide * high for wide, high in cells)
    width = max(*(wide for wide, _ in cells), round(_SLACK * area**0.5)) if len(cells) > 1 else cells[0][0]
    ends, corners = [0] * width, [(0, 0)] * len(cells)
    for index in sorted(range(len(cells)), key=lambda k: -max(cells[k])):
        wide, high = cells[index]
        starts = (left for left in range(width - wide + 1) if not left or ends[left] != ends[left - 1])
        top, left = min((max(ends[left : left + wide]), left) for left in starts)
        ends[left : left + wide] = [top + high] * wide
        corners[index] = (left * CELL, top * CELL)
    used = max(left // CELL + wide for (left, _), (wide, _) in zip(corners, cells, strict=True))
    return corners, (used * CELL, max(ends) * CELL)


def pieces_of(regions: NDArray[np.uint8], edge_px: float) -> list[tuple[int, int, int, int]]:
    """Boxes (x0, y0, x1, y1) around the marked places, with an edge's width around; cut and joined to save area.

    Args:
        regions: (h, w), 0 or 255, of a picture at half its size; boxes begin where a px of it does.
    """
    height, width = 2 * regions.shape[0], 2 * regions.shape[1]
    step, small = 4, halved(regions)
    outlines = cv2.findContours(small, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0][::-1]
    square, longest = (max(round(widths * edge_px / step), 1) for widths in (_SQUARE, _LONGEST))
    around = (cv2.boundingRect(outline) for outline in outlines)
    boxes = []
    for x, y, w, h in (part for box in around for part in _parts(small, box, square, longest)):
        # What is much smaller than a die hides none.
        if cv2.countNonZero(small[y : y + h, x : x + w]) * step**2 < 0.2 * edge_px**2:
            continue
        x0, y0 = (max(round(start * step - edge_px), 0) // 2 * 2 for start in (x, y))
        boxes.append(
            (x0, y0, min(round((x + w) * step + edge_px), width), min(round((y + h) * step + edge_px), height))
        )
    return _joined(boxes, longest * step)


def _parts(marked: NDArray[np.uint8], box: Sequence[int], square: int, longest: int) -> list[tuple[int, int, int, int]]:
    """Boxes (x, y, width, height) around what is marked in one: the same, or one a square, see `_SPARSE`."""
    x, y, w, h = box
    if max(w, h) <= longest and cv2.countNonZero(marked[y : y + h, x : x + w]) >= _SPARSE * w * h:
        return [(x, y, w, h)]
    parts = []
    for top in range(y, y + h, square):
        for left in range(x, x + w, square):
            inside = marked[top : min(top + square, y + h), left : min(left + square, x + w)]
            right, down, wide, high = cv2.boundingRect(inside)
            if wide:
                parts.append((left + right, top + down, wide, high))
    return parts


def _joined(boxes: list[tuple[int, int, int, int]], longest: float) -> list[tuple[int, int, int, int]]:
    """The boxes, two of them replaced by the one around both as long as that is not larger than they are together.

    Args:
        longest: side, px, that the one around both has at most, unless one of them is as large as that.
    """
    left, done = [(*box, _area(box)) for box in boxes], []
    while left:
        x0, y0, x1, y1, area = left.pop()
        for k, (a0, b0, a1, b1, others_area) in enumerate(left):
            # There may be hundreds of boxes: `min` and `max` would take five times as long.
            x, y = x0 if x0 < a0 else a0, y0 if y0 < b0 else b0
            right, below = x1 if x1 > a1 else a1, y1 if y1 > b1 else b1
            whole = (right - x) * (below - y)
            if whole <= 1.05 * (area + others_area):
                both = (x, y, right, below)
                if max(right - x, below - y) <= longest or both in ((x0, y0, x1, y1), (a0, b0, a1, b1)):
                    left[k] = (*both, whole)
                    break
        else:
            done.append((x0, y0, x1, y1))
    return done


def _area(box: tuple[int, int, int, int]) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
