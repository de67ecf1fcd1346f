"""Data for the network that reads the numerals of d20 and d4."""

import json
from pathlib import Path

import cv2
import numpy as np

from vision.dice.crops import NUMERAL_SPAN, NUMERALS, crop
from vision.training import pictures
from vision.training.pictures import KINDS, Photograph

#: Side of the rendered pictures; they hold one or two dice.
SIDE = 144
_SEEN = 0.8
Rows = np.ndarray


def gather(count: int, seed: int, folder: Path | None) -> tuple[list[np.ndarray], list[Rows], list[int]]:
    """Rendered pictures (group 0) and the photographs of numbered dice in `folder` (group 1)."""
    photographs = pictures.load_photographs(folder) if folder else []
    rendered, rows = pictures.render(count, seed + 500, photographs, SIDE, is_numbered=True)
    numbered = [one for one in photographs if any(label.kind in NUMERAL_SPAN for label in one.labels)]
    if folder:
        lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
        numbered += [one for one in (locate(folder, json.loads(line)) for line in lines) if one]
    images = [*rendered, *(one.image for one in numbered)]
    rows += [pictures.rows_of(one.labels) for one in numbered]
    return images, rows, [0] * count + [1] * len(numbered)


def locate(folder: Path, entry: dict) -> Photograph | None:
    """A photograph of one d20 without a box, with the place where the dice reader sees it; None where it does not."""
    from vision.dice.reader import DiceReader

    if len(entry["dice"]) != 1 or entry["dice"][0]["kind"] != "d20" or entry["dice"][0]["box"] is not None:
        return None
    image = cv2.imread(str(folder / entry["file"]))
    if image is None:
        return None
    seen = DiceReader().places(image, "d20")
    if not seen:
        return None
    x, y, edge = seen[0]
    box = (x - edge, y - edge, x + edge, y + edge)
    label = pictures.Label("d20", entry["dice"][0]["value"], (x, y), edge, box, False, 1.0)
    scale = min(pictures.PHOTO_EDGE / 2 / edge, 1.0)
    smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Photograph(np.asarray(smaller, np.uint8), (pictures.scaled(label, scale),), entry["source"])


def sample(image: np.ndarray, rows: Rows, rng: np.random.Generator, is_photo: bool) -> tuple[np.ndarray, int] | None:
    """(crop, index in `NUMERALS`) of one die; None where nothing fits."""
    fit = [row for row in rows if row[0] >= 0 and KINDS[int(row[0])] in NUMERAL_SPAN and row[5] > _SEEN and not row[6]]
    if not fit:
        return None
    kind, value, x, y, edge, *_ = fit[int(rng.integers(len(fit)))]
    name = KINDS[int(kind)]
    place = (x + float(rng.normal(0, 0.08)) * edge, y + float(rng.normal(0, 0.08)) * edge)
    span = edge * NUMERAL_SPAN[name] * float(np.exp(rng.normal(0, 0.1)))
    # Photographs of numbered dice are taken from straight above: any turn is as good as another.
    angle = float(rng.uniform(0, 6.3)) if is_photo else float(rng.normal(0, 0.15))
    return crop(image, place, span, angle), NUMERALS.index((name, int(value)))
