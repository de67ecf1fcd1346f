"""What the finder of dice is shown at once: the marked pieces of a picture, side by side on one sheet."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import STRIDE
from vision.pixels import halved, shrunk

Floats = NDArray[np.float32]

#: Cells of the finder are that many px wide, and windows so many cells apart: what lies in one hardly shows in another.
#: A sheet of windows is wider by this factor than a square of their area, so that they fit together better.
CELL, _GAP, _SLACK = 2 * STRIDE, 1, 1.1


def sheet_of(pictures: Sequence[Floats]) -> tuple[Floats, list[tuple[int, int]]]:
    """All pictures (channels, h, w), of whole cells, on one gray sheet, the longest first, each as high up as it fits;
    and where (left, top) each lies."""
    sizes = [tuple(length // CELL + _GAP for length in picture.shape[1:]) for picture in pictures]
    area = sum(high * wide for high, wide in sizes)
    width = max(*(wide for _, wide in sizes), round(_SLACK * area**0.5)) if len(sizes) > 1 else sizes[0][1]
    ends, corners = [0] * width, [(0, 0)] * len(sizes)
    for index in sorted(range(len(sizes)), key=lambda k: -max(sizes[k])):
        high, wide = sizes[index]
        steps = (left for left in range(width - wide + 1) if not left or ends[left] != ends[left - 1])
        top, left = min((max(ends[left : left + wide]), left) for left in steps)
        ends[left : left + wide] = [top + high] * wide
        corners[index] = (left * CELL, top * CELL)
    sheet = np.zeros((len(pictures[0]), (max(ends) - _GAP) * CELL, (width - _GAP) * CELL), np.float32)
    for picture, (left, top) in zip(pictures, corners, strict=True):
        sheet[:, top : top + picture.shape[1], left : left + picture.shape[2]] = picture
    return sheet, corners


def pieces_of(regions: NDArray[np.uint8], edge_px: float) -> list[tuple[int, int, int, int]]:
    """Boxes (x0, y0, x1, y1) around the marked places, with an edge's width around; joined where that saves area."""
    height, width = regions.shape
    step = 4
    _, marked = cv2.threshold(regions, 0, 255, cv2.THRESH_BINARY)
    if not (width % step or height % step):
        # OpenCV averages two by two px much faster than four by four; only whether there is any counts.
        marked = halved(marked)
    small = shrunk(marked, (width // step, height // step))
    boxes = []
    for outline in cv2.findContours(small, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0][::-1]:
        x, y, w, h = cv2.boundingRect(outline)
        # What is much smaller than a die hides none.
        if cv2.countNonZero(small[y : y + h, x : x + w]) * step**2 < 0.2 * edge_px**2:
            continue
        x0, y0 = max(round(x * step - edge_px), 0), max(round(y * step - edge_px), 0)
        boxes.append(
            (x0, y0, min(round((x + w) * step + edge_px), width), min(round((y + h) * step + edge_px), height))
        )
    return _joined(boxes)


def _joined(boxes: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """The boxes, two of them replaced by the one around both as long as that is not larger than they are together."""
    left, done = [(box, _area(box)) for box in boxes], []
    while left:
        one, area = left.pop()
        x0, y0, x1, y1 = one
        for k, (other, others_area) in enumerate(left):
            both = (min(x0, other[0]), min(y0, other[1]), max(x1, other[2]), max(y1, other[3]))
            if (whole := _area(both)) <= 1.05 * (area + others_area):
                left[k] = (both, whole)
                break
        else:
            done.append(one)
    return done


def _area(box: tuple[int, int, int, int]) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
