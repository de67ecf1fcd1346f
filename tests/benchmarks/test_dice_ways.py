"""Our dice reader beside two classical ways that public dice readers use, on the same pictures and machine, in one run.

`python -m pytest -m benchmark tests/benchmarks/test_dice_ways.py -s -n 0` prints the table of `vision/README.md`. Both
ways are written here from their usual description. No general object detector takes part: no Python package that
ships weights for one knows the values of dice.
"""

import time
from collections import Counter
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.test_reliability import photographed_dice, rendered_dice
from tests.vision.table_sets import BENCH
from vision.dice import DiceReader
from vision.sources import FrameBgr

Way = Callable[[FrameBgr], list[int]]
#: Of the photographs of the shared set, every so many; rendered pictures.
EVERY, RENDERED = 4, 40


def by_blobs(image: FrameBgr) -> list[int]:
    """Round blobs are pips; pips nearer to each other than 1.6 usual gaps are of one die; their number is its value."""
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia, settings.minInertiaRatio = True, 0.6
    settings.filterByArea, settings.minArea, settings.maxArea = True, 6.0, 2000.0
    gray = cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 3)
    found: list[cv2.KeyPoint] = []
    for shown in (gray, np.asarray(255 - gray, np.uint8)):
        found += cv2.SimpleBlobDetector.create(settings).detect(shown)
    if not found:
        return []
    size = float(np.median([blob.size for blob in found]))
    pips = np.array([blob.pt for blob in found if 0.6 < blob.size / size < 1.6]).reshape(-1, 2)
    return [count for count in _clusters(pips, 2.6 * size) if count <= 6]


def _clusters(points: NDArray[np.float64], reach: float) -> list[int]:
    """Sizes of the groups of points that are chained by steps of at most `reach`."""
    left, sizes = set(range(len(points))), []
    while left:
        group, size = [left.pop()], 0
        while group:
            here = points[group.pop()]
            size += 1
            near = [k for k in left if np.hypot(*(points[k] - here)) <= reach]
            left -= set(near)
            group += near
        sizes.append(size)
    return sizes


def by_contours(image: FrameBgr) -> list[int]:
    """Nearly square areas brighter or darker than what is around are dice; round holes in them are their pips."""
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    least = 0.0006 * gray.size
    values = []
    for flags in (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV):
        _, mask = cv2.threshold(gray, 0, 255, flags | cv2.THRESH_OTSU)
        contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        for index, contour in enumerate(contours):
            area = cv2.contourArea(contour)
            (_, (width, height), _) = cv2.minAreaRect(contour)
            if tree[0][index][3] >= 0 or not least < area < 60 * least or not 0.6 < width / max(height, 1) < 1.6:
                continue
            holes = [contours[k] for k in range(len(contours)) if tree[0][k][3] == index]
            pips = sum(_is_pip(hole, area) for hole in holes)
            if 1 <= pips <= 6:
                values.append(pips)
    return values


def _is_pip(hole: NDArray[np.int32], die_area: float) -> bool:
    area, length = cv2.contourArea(hole), cv2.arcLength(hole, True)
    return 0.005 * die_area < area < 0.12 * die_area and 4 * np.pi * area / max(length, 1e-6) ** 2 > 0.6


@pytest.mark.benchmark
def test_the_networks_read_more_dice_than_classical_ways() -> None:
    reader = DiceReader()
    ways: dict[str, Way] = {
        "Boardside": lambda image: [die.value for die in reader.read(image)],
        "blobs in clusters": by_blobs,
        "contours and their holes": by_contours,
    }
    sets = {"rendered": rendered_dice(RENDERED)}
    if (BENCH / "dice").is_dir():
        sets["photographs"] = photographed_dice(EVERY)
    print("\n| way | pictures | pictures right | dice right | processor time a picture |\n|---|---|---|---|---|")
    right: dict[tuple[str, str], float] = {}
    for named, shown in sets.items():
        for name, way in ways.items():
            pictures = dice = wanted = 0
            began = time.process_time()
            read = [way(image) for image, _ in shown]
            took = (time.process_time() - began) / len(shown)
            for values, (_, truth) in zip(read, shown, strict=True):
                same = Counter(values) & Counter(truth)
                pictures += Counter(values) == Counter(truth)
                dice, wanted = dice + same.total(), wanted + len(truth)
            right[named, name] = pictures / len(shown)
            cells = f"{pictures / len(shown):.0%} | {dice / wanted:.0%} | {took * 1e3:.0f} ms"
            print(f"| {name} | {len(shown)} {named} | {cells} |")
    for named in sets:
        assert right[named, "Boardside"] > max(
            share for (s, n), share in right.items() if s == named and n != "Boardside"
        )
