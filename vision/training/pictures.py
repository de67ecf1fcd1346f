"""What the networks learn from, as arrays: rendered pictures and labelled photographs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.pixels import halved
from vision.training.scenes import COCKED, SIDE, Image, Label, make_picture
from vision.training.tables import Example, Rows, rows_of

#: Photographs of larger dice are brought to this edge of the upper face, px.
PHOTO_EDGE = 64.0
#: Edge over the side of the box drawn around a whole die seen from above, and around the pips of a d6.
_WHOLE, _PIPS = {"d6": 0.78, "d20": 0.55, "d4": 0.85}, 1.28
#: The same source boxes a single pip now tightly, now with its face; its dice are rarely smaller than this, px.
_LONE_PIP_EDGE = 50.0


@dataclass(frozen=True)
class Photograph:
    """One photograph; `known` is false where dice may lie that no label names."""

    image: Image
    labels: tuple[Label, ...]
    source: str


def load_photographs(folder: Path) -> list[Photograph]:
    """Reads `manifest.jsonl` and its pictures, scaled so that dice are at most about `PHOTO_EDGE` px large.

    Where a single die has no box, it is the thing that stands out from the ground; other photographs without boxes
    are left out.
    """
    photographs = []
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        image = cv2.imread(str(folder / entry["file"]))
        if image is None or not entry["dice"]:
            continue
        if len(entry["dice"]) == 1 and entry["dice"][0]["box"] is None:
            entry["dice"][0]["box"] = _standing_out(np.asarray(image, np.uint8))
        if any(die["box"] is None for die in entry["dice"]):
            continue
        labels = [_label(die, entry["source"]) for die in entry["dice"]]
        scale = min(PHOTO_EDGE / float(np.median([label.edge_px for label in labels])), 1.0)
        smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        moved = tuple(scaled(label, scale) for label in labels)
        photographs.append(Photograph(np.asarray(smaller, np.uint8), moved, entry["source"]))
    return photographs


def _standing_out(image: Image) -> tuple[float, float, float, float] | None:
    """Box of the one thing that is not of the ground's colors; None where it is not clear."""
    scale = 160 / max(image.shape[:2])
    small = cv2.GaussianBlur(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), (0, 0), 1.5)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    rim = np.ones((height, width), bool)
    rim[height // 12 : -height // 12, width // 12 : -width // 12] = False
    ground = lab[rim]
    spread = np.cov(ground.T) + 20 * np.eye(3)
    off = lab.reshape(-1, 3) - np.median(ground, axis=0)
    far = np.sqrt(np.einsum("ij,jk,ik->i", off, np.linalg.inv(spread), off)).reshape(height, width)
    gray = np.clip(far * 12, 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    if len(stats) < 2:
        return None
    x, y, w, h, area = (int(v) for v in max(stats[1:], key=lambda row: row[4]))
    inside = x > 1 and y > 1 and x + w < width - 1 and y + h < height - 1
    if not inside or not 0.75 < w / h < 1.35 or area < 0.6 * w * h or area < 0.02 * height * width:
        return None
    return x / scale, y / scale, (x + w) / scale, (y + h) / scale


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


def without_dice(image: Image, rows: Rows) -> tuple[Image, Image]:
    """The picture with its dice painted over by what surrounds them, and the same at half its size."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for x, y, edge in rows[:, 2:5]:
        cv2.circle(mask, (round(float(x)), round(float(y))), round(float(edge) * 1.25), 255, -1)
    small = halved(image)
    gone = cv2.inpaint(
        small, cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_NEAREST), 3, cv2.INPAINT_TELEA
    )
    whole = cv2.resize(gone, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.where(mask[..., None] > 0, whole, image), np.asarray(gone, np.uint8)


def example_of(photograph: Photograph) -> Example:
    """A photograph, and how it may have looked without dice."""
    rows = rows_of(photograph.labels)
    return Example(photograph.image, rows, without_dice(photograph.image, rows)[1])


def backgrounds(photographs: Sequence[Photograph]) -> list[Image]:
    """What pictures are rendered over: some photographs without their dice."""
    return [without_dice(one.image, rows_of(one.labels))[0] for one in photographs[::6]]


def render(
    count: int,
    rng: np.random.Generator,
    backgrounds: Sequence[Image] = (),
    side: int = SIDE,
    is_numbered: bool = False,
    cocked: float = COCKED,
) -> list[Example]:
    """Rendered pictures, `side` px large; see `scenes.make_picture`."""
    drawn = (make_picture(rng, backgrounds, side, is_numbered, cocked) for _ in range(count))
    return [Example(one.image, rows_of(one.labels), one.before) for one in drawn]
