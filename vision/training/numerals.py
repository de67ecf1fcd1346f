"""Data for the network that reads the numerals of d20 and d4."""

import cv2
import numpy as np

from vision.dice.crops import LEVEL, NUMERAL_SPAN, NUMERALS, crop, frame
from vision.training.tables import KINDS
from vision.training.typefaces import typefaces
from vision.virtual.polyhedra import FONTS, numeral

#: Side of the rendered pictures; they hold one or two dice.
SIDE = 144
_SEEN = 0.8
#: Nobody reads numerals on dice smaller than this, px.
_LEAST = {"d20": 15.0, "d4": 16.0}
#: Share of the crops for which the camera's view is known.
_VIEWED = 0.8
#: Of a photograph so many edges around its die are kept, and shown as from up to so many times as far away.
_AROUND, _FARTHEST = 1.9, 3.5
#: Share of the photographs in which another numeral is stamped; sides of the masks of numerals, and radius of the disk
#: that holds them on a d20, in edges.
_STAMPED, _WIDE, _DISK = 0.8, (0.55, 0.82), 0.27
#: Ink covers that much of the disk.
_INKED = (0.03, 0.4)
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
    kind, value, x, y, edge, _, _, lean, squash, *_ = (float(v) for v in fit[int(rng.integers(len(fit)))])
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
    """A photograph of one d20 from above, and its row, as if from farther away, turned, and of another color.

    Mostly with another numeral, too: a die was photographed with one value up, and its look would be learned for that.
    """
    row = rows[0].copy()
    x, y, edge = row[2:5]
    reach = round(_AROUND * float(edge))
    wide = cv2.copyMakeBorder(image, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    left, top = round(float(x)), round(float(y))
    patch = wide[top : top + 2 * reach, left : left + 2 * reach]
    if rng.random() < _STAMPED:
        value = int(rng.integers(1, 21))
        other = stamped(patch, reach, float(edge), value, rng)
        if other is not None:
            patch, row[1] = other, value
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


def stamped(patch: np.ndarray, middle: int, edge: float, value: int, rng: np.random.Generator) -> np.ndarray | None:
    """The square patch with another numeral, in the same ink, on the upper face in its middle.

    Args:
        middle: px of the upper face's center, across and down.
        edge: of the die, px, as of `Label`.
    Returns:
        None where the ink does not stand out from the face.
    """
    reach = round(1.3 * _DISK * edge)
    box = np.s_[middle - reach : middle + reach + 1, middle - reach : middle + reach + 1]
    face = patch[box]
    away = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
    disk = away < _DISK * edge
    lab = cv2.cvtColor(face, cv2.COLOR_BGR2LAB)[disk].astype(np.float32)
    apart = np.linalg.norm(lab - np.median(lab, axis=0), axis=1)
    first = (apart > apart.mean()).astype(np.int32)[:, None]
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 15, 0.5)
    _, which, _ = cv2.kmeans(lab, 2, first, until, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    # There is less ink than bare face, and it lies nearer to the middle.
    is_ink = which[:, 0] == int(which.mean() < 0.5)
    if not _INKED[0] < is_ink.mean() < _INKED[1] or away[disk][is_ink].mean() > away[disk][~is_ink].mean():
        return None
    ink = np.zeros(face.shape[:2], np.uint8)
    ink[disk] = is_ink
    bare = cv2.inpaint(face, cv2.dilate(ink, np.ones((5, 5), np.uint8)), 3, cv2.INPAINT_TELEA)
    color = np.median(face[ink > 0], axis=0)
    mask = numeral(value, int(rng.integers(FONTS)), str(rng.choice(typefaces())) if rng.random() < 0.85 else "")
    side, turn = rng.uniform(*_WIDE) * edge, rng.uniform(0, 2 * np.pi)
    axes = frame(len(mask) / side, float(turn))
    to_mask = np.hstack([axes, (len(mask) - 1) / 2 - axes.sum(axis=1, keepdims=True) * reach])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(mask, to_mask, face.shape[1::-1], flags=flags)
    drawn = cv2.GaussianBlur(drawn, (0, 0), float(rng.uniform(0.5, 1.0)))[..., None]
    # Light and shade lie on the ink as on the body.
    light = cv2.GaussianBlur(bare.astype(np.float32).mean(axis=2), (0, 0), 2.0)
    shade = np.clip(light / max(float(np.median(light[disk])), 1.0), 0.6, 1.5)[..., None] ** 0.5
    out = patch.copy()
    out[box] = np.clip(bare * (1 - drawn) + color * shade * drawn, 0, 255)
    return out
