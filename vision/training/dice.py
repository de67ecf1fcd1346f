"""Trains the dice networks: `python -m vision.training.dice --data FOLDER --seed 0`.

Renders pictures (`scenes.py`), trains the finder (where are upper faces, how large), the reader (what kind, which
value of a d6) and the numerals (which value of a d20 or d4) on them, then finder and reader for tables of which an
empty picture is known, then, on pictures in which half of the dice lie cocked, what tells these, and writes them
(`NAMES`). FOLDER, optional, holds labelled photographs (`manifest.jsonl`); they join the rendered pictures.
"""

import argparse
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.dice.crops import (
    CHANNELS,
    CLASSES,
    COCKED_SPAN,
    FINDER_EDGE,
    NUMERALS,
    STRIDE,
    UNKNOWN,
    crop,
    crop_before,
    planes,
    shown,
)
from vision.dice.reader import DiceReader, Stances
from vision.training import networks, numerals, pictures
from vision.training.quantize import in_8_bits
from vision.training.tables import COLUMNS, DECOY, KINDS, Example, Rows, rows_of, stances

Batch = dict[str, Tensor]
#: The networks, in the order in which they are trained.
NAMES = ("dice_finder", "dice_reader", "dice_numerals", "table_dice_finder", "table_dice_reader", "dice_cocked")
_SIDE = 128
#: Edges of upper faces that the finder learns to find; others are left to other levels of the pyramid.
_LEAST, _MOST = 7.5, 38.0
#: Below this share of the upper face seen nothing is asked of the networks; from the next on it is.
_HIDDEN, _SEEN = 0.45, 0.75
#: Edge of a die where none lies, px.
_USUAL_EDGE = 18.0
#: So many decoys of a picture are kept, at most; one whose log odds of being a die, as a reader that has learned says,
#: are above the first, second, and third of these counts as two, four, or seven.
_MOST_DECOYS, _MISLED, _TIMES = 40, (-4.0, -2.2, -0.4), (1, 2, 4, 7)
#: Photographs of more dice than this are drawn as often as those of so many, see `by_their_dice`.
_MANY = 12
#: Batches by which a network is put into 8 bits.
_SHOWN = 60
#: How deep finder and reader are, see `networks`: those for the picture alone, and, quicker, those for tables.
_FINDER_DEEP, _READER_DEEP, _NUMERALS_DEEP = {False: 4, True: 5}, {False: (2, 3, 4), True: (1, 2, 3)}, (2, 4, 7)

#: So many convolutions of what tells that dice lie cocked begin as those of the reader for tables.
_SHARED = 7


#: The group of photographs in `Data`.
PHOTOGRAPHED = 1


class Data:
    """Pictures in groups: 0 scenes, 1 photographs, 2 tables, 3 numbered."""

    def __init__(self, examples: list[Example], groups: list[int]) -> None:
        self.examples, self.groups = examples, groups
        self.pools = [np.array([k for k, own in enumerate(groups) if own == group]) for group in range(4)]

    def draw(self, rng: np.random.Generator, shares: tuple[float, ...]) -> tuple[Example, int]:
        """A random picture of a random group."""
        group = int(rng.choice(4, p=shares))
        index = int(rng.choice(self.pools[group] if len(self.pools[group]) else self.pools[0]))
        return self.examples[index], self.groups[index]


def colored(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other light and colors: gain per channel, now and then channels swapped, other contrast, more or less color, too
    much light, softness, noise."""
    out = np.asarray(image, np.float32)
    if rng.random() < 0.15:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.2)))
    if rng.random() < 0.25:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.3:
        gray = np.float32(out.mean())
        out = gray + (out - gray) * np.float32(np.exp(rng.uniform(np.log(0.35), np.log(1.5))))
        out = out + np.float32(rng.normal(0, 15))
    if rng.random() < 0.25:
        gray = out.mean(axis=2, keepdims=True)
        out = gray + (out - gray) * np.float32(np.exp(rng.uniform(np.log(0.4), np.log(2.2))))
    if rng.random() < 0.12:
        out = out * np.float32(rng.uniform(1.2, 2.0))
    if rng.random() < 0.7:
        gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.15)).astype(np.float32)
        out = out * gain + np.float32(rng.normal(0, 8))
    if rng.random() < 0.2:
        out = out + rng.standard_normal(out.shape, np.float32) * np.float32(rng.uniform(1, 8))
    return np.clip(out, 0, 255)


# --- finder ---------------------------------------------------------------------------------------------------------


def finder_sample(
    data: Data, rng: np.random.Generator, is_table: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One piece of a picture: what is seen (3 or 7, s, s), target (4, s/4, s/4), weights (2, s/4, s/4).

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
    both = colored(np.hstack([now, then]), rng)
    # Never turned: seen from aslant, the upper face is the one that is further up in the picture.
    if rng.random() < 0.5:
        both = both.reshape(_SIDE, 2, _SIDE, 3)[:, :, ::-1].reshape(both.shape)
        rows[:, 2] = _SIDE - 1 - rows[:, 2]
    now, then = np.hsplit(both, 2)
    dice = rows[rows[:, 0] != DECOY]
    squash = float(np.median(dice[:, 8])) if len(dice) else float(rng.uniform(0.55, 1))
    return shown(now, then, squash) if is_table else planes(now), *finder_target(rows, _SIDE // STRIDE)


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


def reader_sample(data: Data, rng: np.random.Generator, is_table: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """What the reader sees (3 or 7, 64, 64) and its target: class, cocked, dx, dy, log of scale, whether these count.

    Args:
        is_table: against the empty table, from where the camera is known to be.
    """
    while True:
        example, _ = data.draw(rng, (0.32, 0.22, 0.3, 0.16) if is_table else (0.26, 0.36, 0.24, 0.14))
        look = _on_die if len(example.rows) and rng.random() < 0.78 else _beside_dice
        sample = look(example, is_table, rng)
        if sample is not None:
            place, target = sample
            return _seen(example, place, target, is_table, rng), target


@dataclass(frozen=True)
class _Place:
    """Where the reader looks, and how things look there; see `shown`."""

    x: float
    y: float
    edge: float
    angle: float
    squash: float


def _seen(example: Example, at: _Place, target: np.ndarray, is_table: bool, rng: np.random.Generator) -> np.ndarray:
    """What the reader sees there, now and then mirrored and in other colors."""
    now = then = crop(example.image, (at.x, at.y), at.edge, at.angle)
    if is_table:
        x, y = np.array([at.x, at.y]) + _misplaced(rng)
        then = crop_before(example.before, (float(x), float(y)), at.edge, at.angle)
    if rng.random() < 0.5:
        now, then = now[:, ::-1], then[:, ::-1]
        target[2] *= -1
    now, then = np.hsplit(colored(np.hstack([now, then]), rng), 2)
    return shown(now, then, at.squash) if is_table else planes(now)


def _on_die(example: Example, is_table: bool, rng: np.random.Generator) -> tuple[_Place, np.ndarray] | None:
    rows = example.rows
    dice = np.flatnonzero(rows[:, 0] != DECOY)
    decoys = np.flatnonzero(rows[:, 0] == DECOY)
    pool = decoys if len(decoys) and (not len(dice) or rng.random() < 0.4) else dice
    kind, value, x, y, edge, visible, cocked, _, _ = (float(v) for v in rows[int(rng.choice(pool))])
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


def numeral_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """One crop (3, 64, 64) and its target: index in `NUMERALS`, dx, dy."""
    while True:
        # Of photographs there are few: drawn often, their looks would be learned in place of their numerals.
        example, group = data.draw(rng, (0.09, 0.07, 0.09, 0.75))
        seen = example.image, example.rows
        drawn = numerals.sample(*numerals.varied(*seen, rng) if group == PHOTOGRAPHED else seen, rng)
        if drawn is not None:
            cut, target = drawn
            return planes(colored(cut, rng)), target


def numeral_loss(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy on the value, and the place."""
    values = functional.cross_entropy(output[:, : len(NUMERALS)], target[:, 0].long(), label_smoothing=0.01)
    return values + functional.smooth_l1_loss(output[:, len(NUMERALS) :], target[:, 1:], beta=0.1)


# --- cocked ---------------------------------------------------------------------------------------------------------


def cocked_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """What is seen of a d6 (7, 64, 64), as the reader places it, and its target: whether it lies cocked."""
    while True:
        example, group = data.draw(rng, (0.46, 0.08, 0.46, 0.0))
        dice = example.rows[(example.rows[:, 0] == KINDS.index("d6")) & (example.rows[:, 5] >= _SEEN)]
        if not len(dice):
            continue
        _, _, x, y, edge, _, cocked, lean, squash = (float(v) for v in dice[int(rng.integers(len(dice)))])
        far = rng.choice([0.04, 0.1], p=[0.7, 0.3])
        x, y = (v + float(rng.normal(0, far)) * edge for v in (x, y))
        edge *= float(np.exp(rng.normal(0, 1.2 * far)))
        is_table = group != PHOTOGRAPHED and rng.random() < 0.6
        lean, squash = _seen_about(lean, squash, rng) if is_table else (0.0, UNKNOWN)
        target = np.array([cocked, 0, 0], np.float32)
        seen = _seen(example, _Place(x, y, edge * COCKED_SPAN, lean, squash), target, True, rng)
        if not is_table:
            seen[3:6] = 0
        return seen, target[:1]


def _seen_about(lean: float, squash: float, rng: np.random.Generator) -> tuple[float, float]:
    """Lean and squash as told by a camera that is thought to be elsewhere, some degrees off as seen from there."""
    off = np.array([np.sin(lean), np.cos(lean)]) * np.arccos(squash)
    x, y = (float(v) for v in off + rng.normal(0, rng.choice([0.03, 0.08, 0.2], p=[0.6, 0.3, 0.1]), 2))
    return float(np.arctan2(x, y)), float(np.cos(np.hypot(x, y)))


# --- training -------------------------------------------------------------------------------------------------------


def batches(make, size: int, seed: int) -> Iterator[list[Tensor]]:
    """Endless batches of `make(rng)`."""
    rng = np.random.default_rng(seed)
    while True:
        parts = zip(*(make(rng) for _ in range(size)), strict=True)
        yield [torch.from_numpy(np.stack(part).astype(np.float32)) for part in parts]


def fit(network, loss, source: Iterator[list[Tensor]], seconds: float, steps: int, rate: float, keep: Path) -> None:
    """Adam with one warm-up and a cosine to nothing, for `steps` or `seconds`, whichever ends first.

    Args:
        keep: where the network is written now and then.
    """
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    start, running, step = time.process_time(), 0.0, 0
    network.to(memory_format=torch.channels_last).train()
    while True:
        done = max(step / steps, (time.process_time() - start) / seconds)
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5
        image, *targets = next(source)
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            output = network(image.to(memory_format=torch.channels_last))
        value = loss(output.float(), *targets)
        value.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        running = 0.98 * running + 0.02 * value.item() if step else value.item()
        step += 1
        if step % 100 == 0:
            print(f"step {step} {done:.0%} loss {running:.3f}", flush=True)
        if step % 1000 == 0:
            networks.write_onnx(network, keep)
    network.eval()


def gather(options: argparse.Namespace) -> Data:
    """Rendered pictures, those of numbered dice, frames of tables, and the photographs of `options.data`."""
    photographs = pictures.load_photographs(options.data) if options.data else []
    scenes = pictures.render(options.pictures, options.seed, photographs)
    numbered = pictures.render(options.numbered, options.seed + 500, photographs, numerals.SIDE, True)
    framed = pictures.render_tables(options.tables, 9000 + 1000 * options.seed)
    every = (scenes, photographed(photographs), framed, numbered)
    return Data([one for some in every for one in some], [k for k, some in enumerate(every) for _ in some])


def gather_cocked(options: argparse.Namespace) -> Data:
    """Rendered pictures and frames of tables in which half of the dice lie cocked, and the photographs: none does."""
    photographs = pictures.load_photographs(options.data) if options.data else []
    scenes = pictures.render(options.cocked_pictures, options.seed + 900, photographs, cocked=0.5)
    framed = pictures.render_tables(options.cocked_tables, 9500 + 1000 * options.seed, throws=12, cocked=0.5)
    every = (scenes, photographed(photographs), framed)
    return Data([one for some in every for one in some], [k for k, some in enumerate(every) for _ in some])


def photographed(photographs: list[pictures.Photograph]) -> list[Example]:
    """The photographs, and how they may have looked without dice."""
    labelled = [(one.image, rows_of(one.labels)) for one in photographs]
    return [Example(image, rows, pictures.without_dice(image, rows)[1]) for image, rows in labelled]


def with_numerals(data: Data, models: Path) -> Data:
    """Only the pictures in which there are numerals to read; of photographs, those of a single d20.

    Args:
        models: folder of the finder and the reader that say where its upper face is: photographs are labelled with
            boxes around whole dice.
    """
    eyes, examples, groups = DiceReader(models), [], []
    for one, group in zip(data.examples, data.groups, strict=True):
        rows = _upper_face(one, eyes) if group == PHOTOGRAPHED else one.rows
        if len(numerals.legible(rows, one.image)):
            examples.append(replace(one, rows=rows))
            groups.append(group)
    numbered = Data(examples, groups)
    # Few values were photographed as often as others.
    values = np.array([int(examples[k].rows[0, 1]) for k in numbered.pools[PHOTOGRAPHED]], int)
    often = np.bincount(values, minlength=21)[values]
    numbered.pools[PHOTOGRAPHED] = np.repeat(numbered.pools[PHOTOGRAPHED], np.ceil(3 / np.sqrt(often)).astype(int))
    return numbered


def _upper_face(photograph: Example, eyes: DiceReader) -> Rows:
    """(1 or 0, COLUMNS) where a photograph shows one d20, and its upper face is found."""
    rows = photograph.rows
    if len(rows) != 1 or KINDS[int(rows[0, 0])] != "d20":
        return rows[:0]
    for x, y, edge in eyes.places(photograph.image, "d20"):
        if np.hypot(x - rows[0, 2], y - rows[0, 3]) < 0.5 * rows[0, 4]:
            found = rows.copy()
            found[0, 2:5] = x, y, edge
            return found
    return rows[:0]


def by_their_dice(data: Data) -> Data:
    """Draws photographs as often as they have dice, up to `_MANY`: those of many dice are read worst."""
    counts = [int((data.examples[k].rows[:, 0] != DECOY).sum()) for k in data.pools[PHOTOGRAPHED]]
    data.pools[PHOTOGRAPHED] = np.repeat(data.pools[PHOTOGRAPHED], np.clip(np.array(counts, int), 1, _MANY))
    return data


def with_decoys(data: Data, eyes: DiceReader, every: int, is_table: bool, is_taught: bool) -> Data:
    """Adds what the finder wrongly proposes as decoys: that is what the reader has to turn down.

    Args:
        eyes: whose finder proposes.
        every: of how many pictures one is looked at.
        is_table: against the empty table.
        is_taught: whether its reader has learned already; what it takes for dice is then drawn several times as often.
    """
    examples, often = list(data.examples), np.ones(len(data.examples), int)
    for number in range(0, len(examples), every):
        one = examples[number]
        dice = one.rows[one.rows[:, 0] != DECOY]
        how = _known(dice, one) if is_table else ()
        if is_taught:
            found, evidence = eyes.opinions(one.image, *how)
            misled = np.digitize(evidence[:, 1], _MISLED)
        else:
            found = eyes.proposals(one.image, *how)
            misled = np.zeros(len(found), int)
        wrong = np.flatnonzero(~_are_on(found, dice))[:_MOST_DECOYS]
        often[number] += min(int((misled[wrong] > 1).sum()), 3)
        rows = [(DECOY, 0, *found[k], 1, 0, 0, 1) for k in wrong for _ in range(_TIMES[misled[k]])]
        rows_of_decoys = np.array(rows, np.float32).reshape(-1, COLUMNS)
        examples[number] = replace(one, rows=np.concatenate([one.rows, rows_of_decoys]))
    shown = Data(examples, data.groups)
    shown.pools = [np.repeat(pool, often[pool]) for pool in shown.pools]
    return shown


def _known(dice: Rows, example: Example) -> tuple[float, Stances | None, np.ndarray]:
    """What is known of a table: the usual edge of its dice, how things stand, and how it looks without them."""
    if not len(dice):
        return _USUAL_EDGE, None, example.before
    return float(np.median(dice[:, 4])), partial(stances, dice), example.before


def _are_on(found: np.ndarray, dice: Rows) -> np.ndarray:
    """(n,) whether proposals (n, 3) are upper faces of dice, of about their size."""
    away = np.hypot(*(found[:, None, :2] - dice[:, 2:4]).transpose(2, 0, 1)) / np.maximum(found[:, 2:3], dice[:, 4])
    of_other_size = np.abs(np.log(found[:, 2:3] / dice[:, 4])) > np.log(2.2)
    return ((away <= 0.6) & ~of_other_size).any(axis=1)


def kept(cache: Path | None, make: Callable[[], Data]) -> Data:
    """The data, kept in a file between runs where one is named."""
    if cache and cache.is_file():
        return Data(*pickle.loads(cache.read_bytes()))
    data = make()
    if cache:
        with cache.open("wb") as file:
            pickle.dump((data.examples, data.groups), file, protocol=5)
    return data


def train(name: str, options: argparse.Namespace) -> None:
    """Trains one network and writes it."""
    is_table, job = name.startswith("table_"), name.removeprefix("table_dice_").removeprefix("dice_")
    if job == "cocked":
        data = kept(options.cache and options.cache.with_suffix(".cocked"), lambda: gather_cocked(options))
    else:
        data = kept(options.cache, lambda: gather(options))
    if job == "numerals":
        data = with_numerals(data, options.out)
    if job == "reader":
        # Of photographs alone, more of what misleads made real dice be missed.
        is_taught = is_table and bool(options.resume)
        data = with_decoys(data, DiceReader(options.resume or options.out), options.decoys, is_table, is_taught)
        if not is_table:
            data = by_their_dice(data)
    marked = sum(len(one.rows) for one in data.examples)
    print(f"{name}: {len(data.examples)} pictures, {marked} dice and decoys", flush=True)
    channels = CHANNELS if is_table else 3
    if job == "finder":
        network, loss, size = networks.finder(channels, _FINDER_DEEP[is_table]), finder_loss, 12
        sample = partial(finder_sample, data, is_table=is_table)
    elif job == "reader":
        network, loss, size = networks.reader(len(CLASSES) + 4, channels, _READER_DEEP[is_table]), reader_loss, 48
        sample = partial(reader_sample, data, is_table=is_table)
    elif job == "cocked":
        network, loss, size = networks.cocked(CHANNELS), functional.binary_cross_entropy_with_logits, 64
        sample = partial(cocked_sample, data)
    else:
        network, loss, size = networks.reader(len(NUMERALS) + 2, deep=_NUMERALS_DEEP), numeral_loss, 48
        sample = partial(numeral_sample, data)
    source = batches(sample, size, options.seed)
    start = [options.resume / f"{name}.onnx"] if options.resume else []
    if name == "table_dice_finder":
        # What sees the empty table too begins with what sees the picture alone.
        start.append((options.resume or options.out) / "dice_finder.onnx")
    if job == "cocked":
        # Faces and sides of dice look the same to what reads them.
        start.append((options.resume or options.out) / "table_dice_reader.onnx")
    weights = next((path for path in start if path.is_file()), None)
    if weights:
        first = _SHARED if job == "cocked" and weights.stem != name else None
        networks.read_onnx(network, weights, torch.cat([next(source)[0] for _ in range(4)]), first)
    path = options.out / f"{name}.onnx"
    fit(network, loss, source, options.minutes * 60, options.steps, options.rate, path)
    networks.write_onnx(network, path)
    if is_table or job == "cocked":
        # These see every picture of a game. The others lost as many pictures in 8 bits as they are above the floor.
        off = in_8_bits(path, [next(source)[0].numpy() for _ in range(_SHOWN)])
        print(f"{name}: in 8 bits off by {off:.1%}", flush=True)


def main() -> None:
    """Renders, trains, exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of labelled photographs (manifest.jsonl)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pictures", type=int, default=16000, help="rendered pictures")
    parser.add_argument("--tables", type=int, default=140, help="rendered tables, four frames each")
    parser.add_argument("--numbered", type=int, default=12000, help="rendered pictures of d4 and d20")
    parser.add_argument("--cocked-pictures", type=int, default=6000, help="rendered pictures with many cocked dice")
    parser.add_argument("--cocked-tables", type=int, default=220, help="rendered tables with many, four frames each")
    parser.add_argument("--decoys", type=int, default=3, help="of how many pictures one is searched for what misleads")
    parser.add_argument("--cache", type=Path, help="file that keeps the data between networks and runs")
    parser.add_argument("--minutes", type=float, default=10, help="at most this long for each network")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--resume", type=Path, help="folder of networks (.onnx) to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "models")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        if options.only in (None, name):
            train(name, options)


if __name__ == "__main__":
    main()
