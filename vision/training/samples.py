"""What the dice networks are shown to learn from, what they should say of it, and what it costs when they do not."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.dice.crops import (
    CLASSES,
    COCKED_SPAN,
    FINDER_EDGE,
    NUMERALS,
    STRIDE,
    crop,
    crop_before,
)
from vision.pixels import blurred, shrunk
from vision.training import numerals
from vision.training.tables import DECOY, KINDS, Example, Rows

_SIDE = 128
#: Edges of upper faces that the finder learns to find; others are left to other levels of the pyramid.
_LEAST, _MOST = 7.5, 38.0
#: Below this share of the upper face seen nothing is asked of the networks; from the next on it is.
_HIDDEN, _SEEN = 0.45, 0.75
#: Share of what the reader for tables sees that is shown as from farther away, the edges, px, that dice have there, and
#: how much about them is shown so, edges.
_FROM_AFAR, _AFAR_EDGES, _AFAR_ABOUT = 0.35, (7.5, 14.0), 2.5
#: In place of the view, where the empty table is not known.
UNKNOWN = -1.0
#: The group of photographs in `Data`.
PHOTOGRAPHED = 1


class Data:
    """Pictures in groups: 0 scenes, 1 photographs, 2 tables, 3 numbered."""

    def __init__(self, examples: list[Example], groups: list[int]) -> None:
        self.examples, self.groups = examples, groups
        self.pools = [np.flatnonzero(np.array(groups, int) == group) for group in range(4)]

    def draw(self, rng: np.random.Generator, shares: tuple[float, ...]) -> tuple[Example, int]:
        """A random picture of a random group; one without pictures is stood for by the first, or by all."""
        group = int(rng.choice(4, p=shares))
        pools = self.pools[group], self.pools[0], np.arange(len(self.examples))
        index = int(rng.choice(next(pool for pool in pools if len(pool))))
        return self.examples[index], self.groups[index]


# --- finder ---------------------------------------------------------------------------------------------------------


def finder_sample(data: Data, rng: np.random.Generator, is_table: bool = False) -> tuple[np.ndarray, ...]:
    """One piece of a picture: what is seen, see `on_dice.DiceData`, target (4, s/4, s/4), weights (2, s/4, s/4).

    Args:
        is_table: against the empty table.
    """
    example, group = data.draw(rng, (0.3, 0.2, 0.3, 0.2))
    rows = example.rows.copy()
    span = round(_SIDE / _zoom(rows, rng, group > 0))
    corner = _corner(example.image.shape, rows, rng, span)
    scale = _SIDE / span
    rows[:, 2:4] = (rows[:, 2:4] - corner + 0.5) * scale - 0.5
    rows[:, 4] *= scale
    now = then = _piece(example.image, corner, span)
    if is_table:
        then = _piece_before(example.before, now, corner + _misplaced(rng), span)
    # Never turned: seen from aslant, the upper face is the one that is further up in the picture.
    if rng.random() < 0.5:
        now, then = now[:, ::-1], then[:, ::-1]
        rows[:, 2] = _SIDE - 1 - rows[:, 2]
    dice = rows[rows[:, 0] != DECOY]
    squash = float(np.median(dice[:, 8])) if len(dice) else float(rng.uniform(0.55, 1))
    return *_seen(now, then, squash, is_table), *finder_target(rows, _SIDE // STRIDE)


def _seen(now: np.ndarray, then: np.ndarray, squash: float, is_table: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pictures of now and, where it is known, of the empty table, and the view, as of `on_dice.DiceData`."""
    seen = np.concatenate([now, then], axis=2) if is_table else now
    return np.ascontiguousarray(seen), np.float32(squash)


def _misplaced(rng: np.random.Generator) -> np.ndarray:
    """(2,) px by which the empty picture is out of place; more where the camera was moved."""
    return rng.normal(0, rng.choice([0.5, 1.5], p=[0.8, 0.2]), 2)


def _piece(image: np.ndarray, corner: np.ndarray, span: int) -> np.ndarray:
    """(s, s, 3) of a picture, black beyond its rims."""
    x0, y0 = (int(v) for v in corner)
    cut = image[max(y0, 0) : y0 + span, max(x0, 0) : x0 + span]
    high, wide = span - cut.shape[0] - max(-y0, 0), span - cut.shape[1] - max(-x0, 0)
    cut = cv2.copyMakeBorder(cut, max(-y0, 0), high, max(-x0, 0), wide, cv2.BORDER_CONSTANT)
    return cv2.resize(cut, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA if span > _SIDE else cv2.INTER_LINEAR)


def _piece_before(before: np.ndarray, now: np.ndarray, corner: np.ndarray, span: int) -> np.ndarray:
    """(s, s, 3) of the empty picture at half the size; beyond its rims nothing differs."""
    step = span / _SIDE / 2
    matrix = np.array([[step, 0, (corner[0] + step) / 2 - 0.5], [0, step, (corner[1] + step) / 2 - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(before, matrix, (_SIDE, _SIDE), now.copy(), flags, cv2.BORDER_TRANSPARENT)


def _zoom(rows: Rows, rng: np.random.Generator, any_size: bool) -> float:
    """By how much a piece is enlarged; now and then so much that its dice are for another level of the pyramid."""
    edges = rows[rows[:, 0] != DECOY, 4]
    usual = float(np.median(edges)) if len(edges) else 22.0
    if rng.random() < 0.25:
        return float(np.exp(rng.uniform(np.log(40), np.log(130)))) / usual
    return float(np.exp(rng.uniform(np.log(11), np.log(33)))) / usual if any_size else 1.0


def _corner(shape: tuple[int, ...], rows: Rows, rng: np.random.Generator, span: int) -> np.ndarray:
    """Upper left px of a piece `span` px large; mostly one with something in it."""
    if len(rows) and rng.random() < 0.7:
        x, y = rows[int(rng.integers(len(rows))), 2:4]
        left, top = x - rng.uniform(0.08, 0.92) * span, y - rng.uniform(0.08, 0.92) * span
    else:
        left, top = (rng.uniform(0, max(length - span, 0) + 1) for length in shape[1::-1])
    # At least a third of the piece lies in the picture.
    limits = [(-0.6 * span, length - 0.4 * span) for length in shape[1::-1]]
    return np.array([int(np.clip(left, *limits[0])), int(np.clip(top, *limits[1]))])


def finder_target(rows: Rows, cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Target (4, cells, cells) and weights (2, cells, cells)."""
    target = np.zeros((4, cells, cells), np.float32)
    weight = np.stack([np.ones((cells, cells), np.float32), np.zeros((cells, cells), np.float32)])
    grid = np.arange(cells, dtype=np.float32) * STRIDE + (STRIDE - 1) / 2
    for kind, _, x, y, edge, visible, *_ in rows:
        if kind == DECOY or not _LEAST < edge < 1.25 * _MOST:
            continue
        dx, dy = (x - grid)[None, :] / STRIDE, (y - grid)[:, None] / STRIDE
        away = np.hypot(*np.broadcast_arrays(dx, dy)) * STRIDE / edge
        if visible < _SEEN or not 1.25 * _LEAST < edge < _MOST:
            weight[0][away < 0.6] = 0
            continue
        heat = np.exp(-0.5 * (away / 0.16) ** 2)
        nearest = np.unravel_index(int(away.argmin()), away.shape)
        if 0 <= x < cells * STRIDE and 0 <= y < cells * STRIDE:
            heat[nearest] = 1.0
        better = heat > target[0]
        target[0] = np.maximum(target[0], heat)
        near = better & (away < 0.35)
        near[nearest] = heat[nearest] == 1.0
        target[1][near] = np.broadcast_to(dx, away.shape)[near]
        target[2][near] = np.broadcast_to(dy, away.shape)[near]
        target[3][near] = np.log(edge / FINDER_EDGE)
        weight[1][near] = 1
    return target, weight


def finder_loss(output: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss on the heat (CenterNet), smooth L1 on place and size."""
    output = functional.pixel_shuffle(output, 2)
    logit, heat = output[:, 0], target[:, 0]
    chance = torch.sigmoid(logit)
    hit = heat > 0.999
    positive = -functional.logsigmoid(logit) * (1 - chance) ** 2 * hit
    negative = -functional.logsigmoid(-logit) * chance**2 * (1 - heat) ** 4 * ~hit
    count = hit.sum().clamp(min=1)
    focal = ((positive + negative) * weight[:, 0]).sum() / count
    box = (
        functional.smooth_l1_loss(output[:, 1:], target[:, 1:], reduction="none", beta=0.2).sum(1) * weight[:, 1]
    ).sum()
    return focal + 0.5 * box / weight[:, 1].sum().clamp(min=1)


# --- reader ---------------------------------------------------------------------------------------------------------


def reader_sample(data: Data, rng: np.random.Generator, is_table: bool = False) -> tuple[np.ndarray, ...]:
    """What the reader sees, see `on_dice.DiceData`, and its target: class, cocked, dx, dy, log of scale, whether these
    count.

    Args:
        is_table: against the empty table, from where the camera is known to be.
    """
    while True:
        example, _ = data.draw(rng, (0.32, 0.22, 0.3, 0.16) if is_table else (0.26, 0.36, 0.24, 0.14))
        look = _on_die if len(example.rows) and rng.random() < 0.78 else _beside_dice
        sample = look(example, is_table, rng)
        if sample is not None:
            place, target = sample
            if is_table and rng.random() < _FROM_AFAR:
                example, place = _from_afar(example, place, rng)
            return *_crops(example, place, target, is_table, rng), target


@dataclass(frozen=True)
class _Place:
    """Where the reader looks, and how things look there; see `shown`."""

    x: float
    y: float
    edge: float
    angle: float
    squash: float


def _from_afar(example: Example, at: _Place, rng: np.random.Generator) -> tuple[Example, _Place]:
    """What lies about a place as a camera farther away sees it, and the place there; small dice as they are."""
    height, width = example.image.shape[:2]
    reach, scale = _AFAR_ABOUT * at.edge, float(rng.uniform(*_AFAR_EDGES)) / at.edge
    left, top = (max(int(v - reach), 0) // 2 * 2 for v in (at.x, at.y))
    right, below = min(int(at.x + reach), width) // 2 * 2, min(int(at.y + reach), height) // 2 * 2
    if scale >= 0.9 or min(right - left, below - top) < 2 * STRIDE:
        return example, at
    half = (max(round((right - left) * scale / 2), 2), max(round((below - top) * scale / 2), 2))
    soft = float(rng.uniform(0.3, 0.8))
    now = shrunk(example.image[top:below, left:right], (2 * half[0], 2 * half[1]))
    then = shrunk(example.before[top // 2 : below // 2, left // 2 : right // 2], half)
    across, down = now.shape[1] / (right - left), now.shape[0] / (below - top)
    x, y = (at.x - left + 0.5) * across - 0.5, (at.y - top + 0.5) * down - 0.5
    seen = Example(blurred(now, soft), example.rows[:0], blurred(then, soft / 2 + 0.1))
    return seen, replace(at, x=x, y=y, edge=at.edge * (across * down) ** 0.5)


def _crops(
    example: Example, at: _Place, target: np.ndarray, is_table: bool, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """What the reader sees there, now and then mirrored."""
    now = then = crop(example.image, (at.x, at.y), at.edge, at.angle)
    if is_table:
        x, y = np.array([at.x, at.y]) + _misplaced(rng)
        then = crop_before(example.before, (float(x), float(y)), at.edge, at.angle)
    if rng.random() < 0.5:
        now, then = now[:, ::-1], then[:, ::-1]
        target[2] *= -1
    return _seen(now, then, at.squash, is_table)


def _on_die(example: Example, is_table: bool, rng: np.random.Generator) -> tuple[_Place, np.ndarray] | None:
    rows = example.rows
    dice = np.flatnonzero(rows[:, 0] != DECOY)
    decoys = np.flatnonzero(rows[:, 0] == DECOY)
    pool = decoys if len(decoys) and (not len(dice) or rng.random() < 0.4) else dice
    kind, value, x, y, edge, visible, cocked, *_ = (float(v) for v in rows[int(rng.choice(pool))])
    name = KINDS[int(kind)] if kind != DECOY else ""
    if _HIDDEN <= visible < _SEEN:
        return None
    # The finder's places are mostly right; now and then a pip or a rim leads it astray.
    far = rng.choice([1.0, 1.8], p=[0.7, 0.3])
    dx, dy = np.clip(rng.normal(0, 0.09 if name else 0.12, 2) * far, -0.4, 0.4)
    scale = float(np.exp(np.clip(rng.normal(0, 0.13 if name else 0.16) * far, -0.5, 0.5)))
    place = _looking(rows, x + dx * edge, y + dy * edge, edge * scale, is_table, rng)
    label = 0 if visible < _HIDDEN or not name else CLASSES.index(f"d6:{int(value)}" if name == "d6" else name)
    c, s = np.cos(place.angle), np.sin(place.angle)
    back = np.array([-dx, -dy]) / scale
    turned = (c * back[0] + s * back[1], -s * back[0] + c * back[1])
    return place, np.array([label, cocked, turned[0], turned[1], -np.log(scale), float(label > 0)], np.float32)


def _looking(rows: Rows, x: float, y: float, edge: float, is_table: bool, rng: np.random.Generator) -> _Place:
    """A crop turned by what things lean, where the reader would know the camera's view; as the nearest dice tell."""
    dice = rows[rows[:, 0] != DECOY]
    lean, squash = float(rng.normal(0, 0.4)), float(rng.uniform(0.55, 1))
    if len(dice):
        lean, squash = (float(v) for v in dice[np.hypot(dice[:, 2] - x, dice[:, 3] - y).argmin(), 7:9])
    if is_table:
        squash = min(squash * float(np.exp(rng.normal(0, 0.03))), 1.0)
        return _Place(x, y, edge, lean + float(rng.normal(0, 0.08)), squash)
    return _Place(x, y, edge, (lean if rng.random() < 0.7 else 0.0) + float(rng.normal(0, 0.12)), 1.0)


def _beside_dice(example: Example, is_table: bool, rng: np.random.Generator) -> tuple[_Place, np.ndarray] | None:
    height, width = example.image.shape[:2]
    dice = example.rows[example.rows[:, 0] != DECOY]
    if len(dice) and rng.random() < 0.7:
        x, y, edge = (float(v) for v in dice[int(rng.integers(len(dice))), 2:5])
        angle, far = rng.uniform(0, 6.3), rng.uniform(0.55, 1.5)
        if rng.random() < 0.35:
            # A pip or a few of them, or several dice at once, at the wrong size.
            wrong = float(np.exp(rng.uniform(np.log(2.3), np.log(6)) * rng.choice([-1, -1, 1])))
            x, y = x + float(rng.normal(0, 0.3)) * edge, y + float(rng.normal(0, 0.3)) * edge
            return _looking(dice, x, y, edge * wrong, is_table, rng), np.zeros(6, np.float32)
        x, y, edge = x + np.cos(angle) * far * edge, y + np.sin(angle) * far * edge, edge * np.exp(rng.normal(0, 0.3))
    else:
        x, y, edge = rng.uniform(0, width), rng.uniform(0, height), float(np.exp(rng.uniform(np.log(9), np.log(40))))
    if not (0 <= x < width and 0 <= y < height):
        return None
    away = np.hypot(dice[:, 2] - x, dice[:, 3] - y) / dice[:, 4]
    if len(dice) and float(away.min()) < 0.5:
        return None
    return _looking(dice, float(x), float(y), float(edge), is_table, rng), np.zeros(6, np.float32)


def reader_loss(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy on the class, cocked or not, and the place."""
    label, counts = target[:, 0].long(), target[:, 5]
    classes = functional.cross_entropy(output[:, : len(CLASSES)], label, label_smoothing=0.01)
    rest = output[:, len(CLASSES) :]
    cocked = functional.binary_cross_entropy_with_logits(rest[:, 0], target[:, 1], reduction="none")
    place = functional.smooth_l1_loss(rest[:, 1:4], target[:, 2:5], reduction="none", beta=0.1).sum(1)
    return classes + ((cocked + place) * counts).sum() / counts.sum().clamp(min=1)


# --- numerals -------------------------------------------------------------------------------------------------------


def numeral_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """What is seen of one, see `on_dice.DiceData`, and its target: index in `NUMERALS`, dx, dy."""
    while True:
        example, group = data.draw(rng, (0.08, 0.14, 0.08, 0.7))
        seen = example.image, example.rows
        drawn = numerals.sample(*numerals.varied(*seen, rng) if group == PHOTOGRAPHED else seen, rng)
        if drawn is not None:
            cut, target = drawn
            return *_seen(cut, cut, 1.0, False), target


def numeral_loss(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy on the value, and the place."""
    values = functional.cross_entropy(output[:, : len(NUMERALS)], target[:, 0].long(), label_smoothing=0.01)
    return values + functional.smooth_l1_loss(output[:, len(NUMERALS) :], target[:, 1:], beta=0.1)


# --- cocked ---------------------------------------------------------------------------------------------------------


def cocked_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """What is seen of a d6, see `on_dice.DiceData`, as the reader places it, and its target (5,).

    That is whether it lies cocked, 0, the slant of its upper face (2,), see `Label`, and whether this is known.
    """
    while True:
        example, group = data.draw(rng, (0.46, 0.08, 0.46, 0.0))
        dice = example.rows[(example.rows[:, 0] == KINDS.index("d6")) & (example.rows[:, 5] >= _SEEN)]
        if not len(dice):
            continue
        _, _, x, y, edge, _, cocked, lean, _, right, up = (float(v) for v in dice[int(rng.integers(len(dice)))])
        far = rng.choice([0.04, 0.1], p=[0.7, 0.3])
        x, y = (v + float(rng.normal(0, far)) * edge for v in (x, y))
        edge *= float(np.exp(rng.normal(0, 1.2 * far)))
        is_known, is_table = group != PHOTOGRAPHED, group != PHOTOGRAPHED and rng.random() < 0.6
        # Turned by more than the camera is ever off: how it leans is to be seen, not told.
        angle = (lean if is_table else 0.0) + float(rng.normal(0, 0.15))
        c, s = np.cos(angle), np.sin(angle)
        target = np.array([cocked, 0, c * right - s * up, s * right + c * up, is_known], np.float32)
        # How it leans is to be seen: in place of the view it is told whether the empty table is known.
        place = _Place(x, y, edge * COCKED_SPAN, angle, 1.0 if is_table else UNKNOWN)
        return *_crops(example, place, target, True, rng), target


def cocked_loss(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy on lying cocked, Laplace's log likelihood on the slant."""
    cocked = functional.binary_cross_entropy_with_logits(output[:, 0], target[:, 0])
    unsure = output[:, 3:5].clamp(-4, 1)
    off = (output[:, 1:3] - target[:, 2:4]).abs()
    slant = (off * torch.exp(-unsure) + unsure).sum(1) * target[:, 4]
    return cocked + slant.sum() / target[:, 4].sum().clamp(min=1)
