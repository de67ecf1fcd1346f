"""Data for the network that reads the numerals of d20 and d4."""

import cv2
import numpy as np

from vision.dice.crops import LEVEL, NUMERAL_SPAN, NUMERALS, crop, frame
from vision.training.tables import KINDS

#: Side of the rendered pictures; they hold one or two dice.
SIDE = 144
_SEEN = 0.8
#: Nobody reads numerals on dice smaller than this, px.
_LEAST = {"d20": 15.0, "d4": 16.0}
#: Share of the crops for which the camera's view is known.
_VIEWED = 0.8
#: Of a photograph so many edges around its die are kept, and shown as from up to so many times as far away.
_AROUND, _FARTHEST = 1.9, 3.5
Rows = np.ndarray


def legible(rows: Rows, image: np.ndarray) -> Rows:
    """The rows of numbered dice that can be read, with their upper faces whole in the picture."""
    least = np.array([_LEAST.get(kind, np.inf) for kind in KINDS])[rows[:, 0].astype(int)]
    room = np.minimum(rows[:, 2:4], image.shape[1::-1] - rows[:, 2:4]).min(axis=1)
    is_whole = (rows[:, 5] > _SEEN) & (room > 0.4 * rows[:, 4])
    return rows[(rows[:, 0] >= 0) & (rows[:, 4] > least) & is_whole & (rows[:, 6] == 0)]


def sample(image: np.ndarray, rows: Rows, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray] | None:
    """(crop, target) of one die, None where nothing fits; target: index in `NUMERALS`, and its place in edges."""
    fit = legible(rows, image)
    if not len(fit):
        return None
    kind, value, x, y, edge, _, _, lean, squash = (float(v) for v in fit[int(rng.integers(len(fit)))])
    name = KINDS[int(kind)]
    grow = float(np.exp(rng.normal(0, 0.12)))
    if rng.random() < _VIEWED:
        lean, squash = lean + float(rng.normal(0, 0.08)), min(squash * float(np.exp(rng.normal(0, 0.05))), 1.0)
    else:
        lean, squash = float(rng.normal(0, 0.3)), 1.0
    # The reader's places of numbered dice are up to that far off, those of its later looks less.
    off = rng.normal(0, rng.choice([0.05, 0.3]), 2)
    size = edge * NUMERAL_SPAN[name] * grow
    squash = squash if name in LEVEL else 1.0
    at = (x, y) - frame(size, lean, squash) @ off
    label = NUMERALS.index((name, int(value)))
    return crop(image, (float(at[0]), float(at[1])), size, lean, squash), np.array([label, *off], np.float32)


def varied(image: np.ndarray, rows: Rows, rng: np.random.Generator) -> tuple[np.ndarray, Rows]:
    """A photograph of one die from above, and its row, as if from farther away, turned, and of another color."""
    row = rows[0].copy()
    x, y, edge = row[2:5]
    reach = round(_AROUND * float(edge))
    wide = cv2.copyMakeBorder(image, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    left, top = round(float(x)), round(float(y))
    patch = wide[top : top + 2 * reach, left : left + 2 * reach]
    scale = float(np.exp(-rng.uniform(0, np.log(_FARTHEST))))
    patch = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    row[2:4] = (row[2:4] - (left - reach, top - reach) + 0.5) * scale - 0.5
    row[4] *= scale
    row[7] = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.7:
        hsv = cv2.cvtColor(patch, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
        patch = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    if rng.random() < 0.15:
        patch = 255 - patch
    return patch, row[None]
