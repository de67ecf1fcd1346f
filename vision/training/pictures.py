"""What the networks learn from, as arrays: rendered pictures and labelled photographs."""

import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scenes import SIDE, Image, Label, Picture, make_picture

KINDS = ("d6", "d4", "d8", "d20")
#: Photographs of larger dice are brought to this edge of the upper face, px.
PHOTO_EDGE = 64.0
#: Edge of the upper face over the side of the box drawn around a whole die seen from above.
_WHOLE, _PIPS = {"d6": 0.78, "d20": 0.36, "d4": 0.3}, 1.28
#: The same source boxes a single pip now tightly, now with its face; its dice are rarely smaller than this, px.
_LONE_PIP_EDGE = 50.0


@dataclass(frozen=True)
class Photograph:
    """One photograph; `known` is false where dice may lie that no label names."""

    image: Image
    labels: tuple[Label, ...]
    source: str

    @property
    def picture(self) -> Picture:
        """Image and labels alone."""
        return Picture(self.image, self.labels)


def load_photographs(folder: Path) -> list[Photograph]:
    """Reads `manifest.jsonl` and its pictures, scaled so that dice are at most about `PHOTO_EDGE` px large.

    Photographs without boxes are left out.
    """
    photographs = []
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if not entry["dice"] or any(die["box"] is None for die in entry["dice"]):
            continue
        image = cv2.imread(str(folder / entry["file"]))
        if image is None:
            continue
        labels = [_label(die, entry["source"]) for die in entry["dice"]]
        scale = min(PHOTO_EDGE / float(np.median([label.edge_px for label in labels])), 1.0)
        smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        moved = tuple(scaled(label, scale) for label in labels)
        photographs.append(Photograph(np.asarray(smaller, np.uint8), moved, entry["source"]))
    return photographs


def _label(die: dict, source: str) -> Label:
    x0, y0, x1, y1 = die["box"]
    side = max(x1 - x0, y1 - y0)
    # One source draws boxes around the pips of the upper face, the others around the whole die.
    if source.startswith("matteop65"):
        edge = side * _PIPS if die["value"] > 1 else max(side, _LONE_PIP_EDGE)
    else:
        edge = side * _WHOLE.get(die["kind"], 0.5)
    return Label(die["kind"], die["value"], ((x0 + x1) / 2, (y0 + y1) / 2), edge, (x0, y0, x1, y1), False, 1.0)


def scaled(label: Label, scale: float) -> Label:
    """The label in a picture `scale` times as large."""
    x, y = ((v + 0.5) * scale - 0.5 for v in label.top_px)
    x0, y0, x1, y1 = (v * scale for v in label.box)
    return Label(label.kind, label.value, (x, y), label.edge_px * scale, (x0, y0, x1, y1), label.cocked, 1.0)


def without_dice(photograph: Photograph) -> Image:
    """The photograph with its dice painted over by what surrounds them."""
    mask = np.zeros(photograph.image.shape[:2], np.uint8)
    for label in photograph.labels:
        x, y = (round(v) for v in label.top_px)
        cv2.circle(mask, (x, y), round(label.edge_px * 1.25), 255, -1)
    small = cv2.resize(photograph.image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    gone = cv2.inpaint(
        small, cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_NEAREST), 3, cv2.INPAINT_TELEA
    )
    whole = cv2.resize(gone, photograph.image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.where(mask[..., None] > 0, whole, photograph.image)


def rows_of(labels: Iterable[Label]) -> NDArray[np.float32]:
    """(n, 7): kind, value, x, y, edge, visible, cocked."""
    rows = [
        (KINDS.index(one.kind), one.value, *one.top_px, one.edge_px, one.visible, float(one.cocked)) for one in labels
    ]
    return np.array(rows, np.float32).reshape(-1, 7)


_backgrounds: list[Image] = []


def _prepare(backgrounds: list[Image]) -> None:
    cv2.setNumThreads(1)
    _backgrounds[:] = backgrounds


def _some(numbers: range, seed: int, side: int, is_numbered: bool) -> tuple[list[Image], list[NDArray[np.float32]]]:
    made = [make_picture(np.random.default_rng([seed, number]), _backgrounds, side, is_numbered) for number in numbers]
    return [picture.image for picture in made], [rows_of(picture.labels) for picture in made]


def render(
    count: int,
    seed: int,
    photographs: list[Photograph],
    side: int = SIDE,
    is_numbered: bool = False,
    processes: int = 2,
) -> tuple[NDArray[np.uint8], list[NDArray[np.float32]]]:
    """(count, side, side, 3) rendered pictures and their label rows; see `scenes.make_picture`."""
    backgrounds = [without_dice(photograph) for photograph in photographs[::6]]
    parts = [range(start, min(start + 50, count)) for start in range(0, count, 50)]
    # Spawned, not forked: OpenCV's threads do not survive a fork.
    with ProcessPoolExecutor(processes, get_context("spawn"), _prepare, (backgrounds,)) as pool:
        done = list(pool.map(partial(_some, seed=seed, side=side, is_numbered=is_numbered), parts))
    images = np.array([image for part in done for image in part[0]])
    return images, [rows for part in done for rows in part[1]]
