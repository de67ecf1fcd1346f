"""Our dice reader beside other public ways of reading dice, on the same pictures and machine, in one run.

`python -m pytest -m benchmark tests/benchmarks/test_dice_ways.py -s -n 0` prints the table of `vision/README.md`. Two
ways are classical and written here from their usual description. One looks for things with a general object detector's
published network, which knows no dice (it takes most for kites), and counts the blobs in each; it takes part where
that network is (`tests/benchmarks/nanodet.py` says how to fetch it).
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks import nanodet
from tests.benchmarks.test_reliability import Die, photographed_dice
from tests.vision.table_sets import BENCH
from tests.vision.test_dice_reader import picture
from vision.detections import Box
from vision.dice import DiceReader
from vision.sources import FrameBgr
from vision.virtual.dice import Eye

#: What is taken for a die: its value, None where it has none, and where it is.
Find = tuple[int | None, Box]
Way = Callable[[FrameBgr], list[Find]]
#: Of the photographs of the shared set, every so many; rendered pictures.
EVERY, RENDERED = 4, 40
#: What NanoDet finds is a thing from this score on; boxes that share more than this of their union are one thing. Of
#: its box, enlarged to this many px, the blobs are counted. With these it reads most of the photographs here.
LEAST_SCORE, MOST_OVERLAP, PART_PX = 0.15, 0.2, 90
#: Nothing larger than this share of the picture, or this many times as long as wide, is a die.
MOST_AREA, LONGEST = 0.1, 3.0


def by_blobs(image: FrameBgr) -> list[Find]:
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
    groups = [group for group in _clusters(pips, 2.6 * size) if len(group) <= 6]
    return [(len(group), (*group.min(axis=0) - size / 2, *group.max(axis=0) + size / 2)) for group in groups]


def _clusters(points: NDArray[np.float64], reach: float) -> list[NDArray[np.float64]]:
    """The groups of points that are chained by steps of at most `reach`."""
    left, groups = set(range(len(points))), []
    while left:
        group = [left.pop()]
        for here in group:
            near = [k for k in left if np.hypot(*(points[k] - points[here])) <= reach]
            left -= set(near)
            group += near
        groups.append(points[group])
    return groups


def by_contours(image: FrameBgr) -> list[Find]:
    """Nearly square areas brighter or darker than what is around are dice; round holes in them are their pips."""
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    least = 0.0006 * gray.size
    found: list[Find] = []
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
                x, y, across, down = cv2.boundingRect(contour)
                found.append((pips, (x, y, x + across, y + down)))
    return found


def _is_pip(hole: NDArray[np.int32], die_area: float) -> bool:
    area, length = cv2.contourArea(hole), cv2.arcLength(hole, True)
    return 0.005 * die_area < area < 0.12 * die_area and 4 * np.pi * area / max(length, 1e-6) ** 2 > 0.6


class ByThings:
    """Things found by a general detector are dice; as many blobs as the largest cluster in one has are its value."""

    def __init__(self, folder: Path) -> None:
        self._things = nanodet.NanoDet(folder, LEAST_SCORE, MOST_OVERLAP)

    def __call__(self, image: FrameBgr) -> list[Find]:
        found: list[Find] = []
        for x0, y0, x1, y1 in self._things.find(image):
            short, long = sorted((x1 - x0, y1 - y0))
            if short * long <= MOST_AREA * image.shape[0] * image.shape[1] and long <= LONGEST * short:
                part = image[round(y0) : round(y1) + 1, round(x0) : round(x1) + 1]
                scale = PART_PX / max(part.shape)
                large = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
                found.append((max((pips or 0 for pips, _ in by_blobs(large)), default=None), (x0, y0, x1, y1)))
        return found


def rendered_dice(count: int) -> list[tuple[FrameBgr, list[Die]]]:
    """Small dice of several colors on cloth, as a webcam above a table sees them."""
    rng, shown = np.random.default_rng(5), []
    for index in range(count):
        values = [int(value) for value in rng.integers(1, 7, 3)]
        color = ("white", "red", "black", "ivory", "blue")[index % 5]
        dice = [(color, value, 3.2 * k - 3.2, float(rng.uniform(-1.5, 1.5))) for k, value in enumerate(values)]
        elevation, edge_px = float(rng.uniform(0.7, 1.4)), float(rng.uniform(15, 36))
        image = picture(dice, (640, 480), edge_px, elevation, blur=0.9)
        eye = Eye.above(elevation, 45.0, 45.0 * edge_px, (320, 240))
        middles = eye.project(np.array([(x, y, 0.5) for _, _, x, y in dice]))
        boxes = [(x - edge_px / 2, y - edge_px / 2, x + edge_px / 2, y + edge_px / 2) for x, y in middles]
        shown.append((image, list(zip(values, boxes, strict=True))))
    return shown


def dice_among(found: Sequence[Find], dice: Sequence[Box]) -> int:
    """How many dice are found: the find's middle lies on the die or the other way round; no find is of two dice."""
    left = [box for _, box in found]
    for die in dice:
        near = [box for box in left if _holds(die, _middle(box)) or _holds(box, _middle(die))]
        if near:
            left.remove(min(near, key=lambda box: np.hypot(*(_middle(box) - _middle(die)))))
    return len(found) - len(left)


def _middle(box: Box) -> NDArray[np.float64]:
    return np.array([box[0] + box[2], box[1] + box[3]]) / 2


def _holds(box: Box, point: NDArray[np.float64]) -> bool:
    return bool(box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3])


def figures(finds: Sequence[list[Find]], dice: Sequence[list[Die]]) -> tuple[float, float, float, float]:
    """Of what a way finds in pictures: shares of pictures right, dice right, dice found; other finds a picture.

    The last two are of the pictures in which it is known where the dice are.
    """
    right = read = hits = others = 0
    placed: list[int] = []
    for found, truth in zip(finds, dice, strict=True):
        values, wanted = Counter(value for value, _ in found if value), Counter(value for value, _ in truth)
        right += values == wanted
        read += (values & wanted).total()
        boxes = [box for _, box in truth if box]
        if len(boxes) == len(truth):
            placed.append(len(boxes))
            hits += dice_among(found, boxes)
            others += len(found)
    return right / len(dice), read / sum(map(len, dice)), hits / sum(placed), (others - hits) / len(placed)


@pytest.mark.benchmark
def test_the_networks_read_more_dice_than_other_ways(tmp_path: Path) -> None:
    reader = DiceReader()
    ways: dict[str, Way] = {
        "Boardside": lambda image: [(die.value, die.box) for die in reader.read(image)],
        "blobs in clusters": by_blobs,
        "contours and their holes": by_contours,
    }
    if nanodet.IS_HERE:
        ways["NanoDet"] = ByThings(tmp_path)
    else:
        print(f"\nwithout NanoDet: {nanodet.PACKAGE.name} and onnx are not both here")
    sets = {"rendered": rendered_dice(RENDERED)}
    if (BENCH / "dice").is_dir():
        sets["photographs"] = photographed_dice(EVERY)
    print("\n| way | pictures | pictures right | dice right | dice found | other finds a picture | processor time |")
    print("|---|---|---|---|---|---|---|")
    for named, shown in sets.items():
        rights = {}
        for name, way in ways.items():
            began = time.process_time()
            finds = [way(image) for image, _ in shown]
            took = (time.process_time() - began) / len(shown)
            rights[name], read, hit, others = figures(finds, [dice for _, dice in shown])
            shares = f"{rights[name]:.0%} | {read:.0%} | {hit:.0%} | {others:.1f}"
            print(f"| {name} | {len(shown)} {named} | {shares} | {took * 1e3:.0f} ms |")
            # Else it would not be the network that was published.
            assert name != "NanoDet" or hit > 0.85
        assert rights.pop("Boardside") > max(rights.values())
