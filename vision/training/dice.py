"""Trains the dice reader: `python -m vision.training.dice --data FOLDER --seed 0`.

Renders pictures (`scenes.py`), trains the finder (where are upper faces, how large), the reader (what kind, which
value of a d6) and the numerals (which value of a d20 or d4) on them, and writes `dice_finder.onnx`, `dice_reader.onnx`
and `dice_numerals.onnx`. FOLDER, optional, holds labelled photographs (`manifest.jsonl`); they join the rendered
pictures.
"""

import argparse
import pickle
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.dice.crops import CLASSES, FINDER_EDGE, NUMERALS, STRIDE, crop
from vision.dice.reader import DiceReader
from vision.training import networks, numerals, pictures
from vision.training.tables import COLUMNS, DECOY, KINDS, rows_of

Batch = dict[str, Tensor]
Rows = np.ndarray
_SIDE = 128
#: Edges of upper faces that the finder learns to find; others are left to other levels of the pyramid.
_LEAST, _MOST = 7.5, 38.0
#: Below this share of the upper face seen nothing is asked of the networks; from the next on it is.
_HIDDEN, _SEEN = 0.45, 0.75


class Data:
    """Pictures ((h, w, 3) uint8) and their label rows, in groups: 0 scenes, 1 photographs, 2 tables, 3 numbered."""

    def __init__(self, images: list[np.ndarray], rows: list[Rows], groups: list[int]) -> None:
        self.images, self.rows, self.groups = images, rows, groups
        self.pools = [np.array([k for k, own in enumerate(groups) if own == group]) for group in range(4)]

    def draw(self, rng: np.random.Generator, shares: tuple[float, ...]) -> tuple[np.ndarray, Rows, int]:
        """A random picture of a random group."""
        group = int(rng.choice(4, p=shares))
        index = int(rng.choice(self.pools[group] if len(self.pools[group]) else self.pools[0]))
        return self.images[index], self.rows[index], self.groups[index]


def colored(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other light and colors: gain per channel, now and then channels swapped, noise."""
    out = np.asarray(image, np.float32)
    if rng.random() < 0.25:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.7:
        gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.15)).astype(np.float32)
        out = out * gain + np.float32(rng.normal(0, 8))
    if rng.random() < 0.2:
        out = out + rng.standard_normal(out.shape, np.float32) * np.float32(rng.uniform(1, 8))
    return np.clip(out, 0, 255)


# --- finder ---------------------------------------------------------------------------------------------------------


def finder_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One piece of a picture: image (3, s, s), target (4, s/4, s/4), weights (2, s/4, s/4) of logit and box."""
    image, rows, group = data.draw(rng, (0.3, 0.2, 0.3, 0.2))
    goal = _zoom(rows, rng, group > 0)
    span = round(_SIDE / goal)
    x0, y0 = _corner(image.shape, rows, rng, span)
    cut = image[max(y0, 0) : y0 + span, max(x0, 0) : x0 + span]
    cut = cv2.copyMakeBorder(
        cut,
        max(-y0, 0),
        span - cut.shape[0] - max(-y0, 0),
        max(-x0, 0),
        span - cut.shape[1] - max(-x0, 0),
        cv2.BORDER_CONSTANT,
    )
    scale = _SIDE / span
    rows = rows.copy()
    rows[:, 2:4] = (rows[:, 2:4] - (x0, y0) + 0.5) * scale - 0.5
    rows[:, 4] *= scale
    if span != _SIDE:
        mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        cut = cv2.resize(cut, (_SIDE, _SIDE), interpolation=mode)
    piece = colored(cut, rng)
    # Never turned: seen from aslant, the upper face is the one that is further up in the picture.
    if rng.random() < 0.5:
        piece = piece[:, ::-1]
        rows[:, 2] = _SIDE - 1 - rows[:, 2]
    return piece.transpose(2, 0, 1).copy(), *finder_target(rows, _SIDE // STRIDE)


def _zoom(rows: Rows, rng: np.random.Generator, any_size: bool) -> float:
    """By how much a piece is enlarged; now and then so much that its dice are for another level of the pyramid."""
    edges = rows[rows[:, 0] != DECOY, 4]
    usual = float(np.median(edges)) if len(edges) else 22.0
    if rng.random() < 0.25:
        return float(np.exp(rng.uniform(np.log(40), np.log(130)))) / usual
    return float(np.exp(rng.uniform(np.log(11), np.log(33)))) / usual if any_size else 1.0


def _corner(shape: tuple[int, ...], rows: Rows, rng: np.random.Generator, span: int) -> tuple[int, int]:
    """Upper left px of a piece `span` px large; mostly one with something in it."""
    if len(rows) and rng.random() < 0.7:
        x, y = rows[int(rng.integers(len(rows))), 2:4]
        left, top = x - rng.uniform(0.08, 0.92) * span, y - rng.uniform(0.08, 0.92) * span
    else:
        left, top = (rng.uniform(0, max(length - span, 0) + 1) for length in shape[1::-1])
    # At least a third of the piece lies in the picture.
    limits = [(-0.6 * span, length - 0.4 * span) for length in shape[1::-1]]
    return int(np.clip(left, *limits[0])), int(np.clip(top, *limits[1]))


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


def reader_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """One crop (3, 64, 64) and its target: class, cocked, dx, dy, log of scale, whether these count."""
    while True:
        image, rows, _ = data.draw(rng, (0.32, 0.22, 0.3, 0.16))
        look = _on_die if len(rows) and rng.random() < 0.78 else _beside_dice
        sample = look(image, rows, rng)
        if sample is not None:
            cut, target = sample
            return colored(_mirrored(cut, target, rng), rng).transpose(2, 0, 1).copy(), target


def _mirrored(cut: np.ndarray, target: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    if rng.random() < 0.5:
        cut = cut[:, ::-1]
        target[2] *= -1
    return cut


def _on_die(image: np.ndarray, rows: Rows, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray] | None:
    dice = np.flatnonzero(rows[:, 0] != DECOY)
    decoys = np.flatnonzero(rows[:, 0] == DECOY)
    pool = decoys if len(decoys) and (not len(dice) or rng.random() < 0.4) else dice
    kind, value, x, y, edge, visible, cocked, lean, _ = rows[int(rng.choice(pool))]
    name = KINDS[int(kind)] if kind != DECOY else ""
    if _HIDDEN <= visible < _SEEN:
        return None
    dx, dy = rng.normal(0, 0.09 if name else 0.12, 2)
    scale = float(np.exp(rng.normal(0, 0.13 if name else 0.16)))
    angle = _angle(float(lean), rng)
    cut = crop(image, (x + dx * edge, y + dy * edge), edge * scale, angle)
    label = 0 if visible < _HIDDEN or not name else CLASSES.index(f"d6:{int(value)}" if name == "d6" else name)
    c, s = np.cos(angle), np.sin(angle)
    back = np.array([-dx, -dy]) / scale
    turned = (c * back[0] + s * back[1], -s * back[0] + c * back[1])
    return cut, np.array([label, cocked, turned[0], turned[1], -np.log(scale), float(label > 0)], np.float32)


def _angle(lean: float, rng: np.random.Generator) -> float:
    """By how much a crop is turned: by what things lean, where the reader would know the camera's view."""
    known = lean if rng.random() < 0.7 else 0.0
    return known + float(rng.normal(0, 0.12))


def _beside_dice(image: np.ndarray, rows: Rows, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray] | None:
    height, width = image.shape[:2]
    dice = rows[rows[:, 0] != DECOY]
    if len(dice) and rng.random() < 0.7:
        _, _, x, y, edge, _, _, lean, _ = dice[int(rng.integers(len(dice)))]
        angle, far = rng.uniform(0, 6.3), rng.uniform(0.55, 1.5)
        if rng.random() < 0.35:
            # A pip or a few of them, or several dice at once, at the wrong size.
            wrong = np.exp(rng.uniform(np.log(2.3), np.log(6)) * rng.choice([-1, -1, 1]))
            x, y = x + rng.normal(0, 0.3) * edge, y + rng.normal(0, 0.3) * edge
            cut = crop(image, (float(x), float(y)), float(edge * wrong), _angle(float(lean), rng))
            return cut, np.zeros(6, np.float32)
        x, y, edge = x + np.cos(angle) * far * edge, y + np.sin(angle) * far * edge, edge * np.exp(rng.normal(0, 0.3))
    else:
        x, y, edge = rng.uniform(0, width), rng.uniform(0, height), float(np.exp(rng.uniform(np.log(9), np.log(40))))
        lean = float(rng.normal(0, 0.4))
    if not (0 <= x < width and 0 <= y < height):
        return None
    away = np.hypot(dice[:, 2] - x, dice[:, 3] - y) / dice[:, 4]
    if len(dice) and float(away.min()) < 0.5:
        return None
    cut = crop(image, (float(x), float(y)), float(edge), _angle(float(lean), rng))
    return cut, np.zeros(6, np.float32)


def reader_loss(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy on the class, cocked or not, and the place."""
    label, counts = target[:, 0].long(), target[:, 5]
    classes = functional.cross_entropy(output[:, : len(CLASSES)], label, label_smoothing=0.01)
    rest = output[:, len(CLASSES) :]
    cocked = functional.binary_cross_entropy_with_logits(rest[:, 0], target[:, 1], reduction="none")
    place = functional.smooth_l1_loss(rest[:, 1:4], target[:, 2:5], reduction="none", beta=0.1).sum(1)
    return classes + ((0.3 * cocked + place) * counts).sum() / counts.sum().clamp(min=1)


# --- numerals -------------------------------------------------------------------------------------------------------


def numeral_sample(data: Data, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """One crop (3, 64, 64) and its target: index in `NUMERALS`, dx, dy."""
    while True:
        # Of photographs there are too few: their looks would be learned in place of their numerals.
        image, rows, _ = data.draw(rng, (0.1, 0.0, 0.1, 0.8))
        drawn = numerals.sample(image, rows, rng)
        if drawn is not None:
            cut, target = drawn
            return colored(cut, rng).transpose(2, 0, 1).copy(), target


def numeral_loss(output: Tensor, target: Tensor) -> Tensor:
    """Cross entropy on the value, and the place."""
    values = functional.cross_entropy(output[:, : len(NUMERALS)], target[:, 0].long(), label_smoothing=0.01)
    return values + functional.smooth_l1_loss(output[:, len(NUMERALS) :], target[:, 1:], beta=0.1)


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
    images, rows = pictures.render(options.pictures, options.seed, photographs)
    numbered, others = pictures.render(options.numbered, options.seed + 500, photographs, numerals.SIDE, True)
    framed, labels = pictures.render_tables(options.tables, 9000 + 1000 * options.seed)
    everything = [*images, *numbered, *(photograph.image for photograph in photographs), *framed]
    rows += [*others, *(rows_of(photograph.labels) for photograph in photographs), *labels]
    groups = [0] * len(images) + [3] * len(numbered) + [1] * len(photographs) + [2] * len(framed)
    return Data(everything, rows, groups)


def with_numerals(data: Data) -> Data:
    """Only the pictures in which there are numerals to read."""
    keep = [k for k, rows in enumerate(data.rows) if len(numerals.legible(rows, data.images[k]))]
    return Data([data.images[k] for k in keep], [data.rows[k] for k in keep], [data.groups[k] for k in keep])


def with_decoys(data: Data, finder: Path, every: int = 1) -> Data:
    """Adds what the finder wrongly proposes in the pictures as decoys: that is what the reader has to turn down."""
    eyes = DiceReader(finder.parent)
    rows = list(data.rows)
    for number in range(0, len(rows), every):
        own = rows[number]
        dice = own[own[:, 0] != DECOY]
        found = []
        for x, y, edge in eyes.proposals(data.images[number]):
            away = np.hypot(dice[:, 2] - x, dice[:, 3] - y) / np.maximum(dice[:, 4], edge)
            other_size = np.abs(np.log(dice[:, 4] / edge)) > np.log(2.2)
            if not len(dice) or bool(((away > 0.6) | other_size).all()):
                found.append((DECOY, 0, x, y, edge, 1.0, 0.0, 0.0, 1.0))
        rows[number] = np.concatenate([own, np.array(found[:24], np.float32).reshape(-1, COLUMNS)])
    return Data(data.images, rows, data.groups)


def kept(cache: Path | None, make: Callable[[], Data]) -> Data:
    """The data, kept in a file between runs where one is named."""
    if cache and cache.is_file():
        return Data(*pickle.loads(cache.read_bytes()))
    data = make()
    if cache:
        with cache.open("wb") as file:
            pickle.dump((data.images, data.rows, data.groups), file, protocol=5)
    return data


def train(name: str, options: argparse.Namespace) -> None:
    """Trains one network and writes it."""
    data = kept(options.cache, lambda: gather(options))
    if name == "numerals":
        data = with_numerals(data)
    if name == "reader":
        data = with_decoys(data, options.out / "dice_finder.onnx", options.decoys)
    print(f"{name}: {len(data.images)} pictures, {sum(map(len, data.rows))} dice and decoys", flush=True)
    if name == "finder":
        network, loss, sample, size = networks.finder(), finder_loss, finder_sample, 12
    elif name == "reader":
        network, loss, sample, size = networks.reader(len(CLASSES) + 4), reader_loss, reader_sample, 48
    else:
        network, loss, sample, size = networks.reader(len(NUMERALS) + 2), numeral_loss, numeral_sample, 48
    source = batches(partial(sample, data), size, options.seed)
    if options.resume:
        networks.read_onnx(network, options.resume / f"dice_{name}.onnx", next(source)[0])
    path = options.out / f"dice_{name}.onnx"
    fit(network, loss, source, options.minutes * 60, options.steps, options.rate, path)
    networks.write_onnx(network, path)


def main() -> None:
    """Renders, trains, exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of labelled photographs (manifest.jsonl)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pictures", type=int, default=16000, help="rendered pictures")
    parser.add_argument("--tables", type=int, default=140, help="rendered tables, four frames each")
    parser.add_argument("--numbered", type=int, default=12000, help="rendered pictures of d4 and d20")
    parser.add_argument("--decoys", type=int, default=3, help="of how many pictures one is searched for what misleads")
    parser.add_argument("--cache", type=Path, help="file that keeps the data between networks and runs")
    parser.add_argument("--minutes", type=float, default=10, help="at most this long for each network")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--only", choices=["finder", "reader", "numerals"])
    parser.add_argument("--resume", type=Path, help="folder of networks of the same shape (.onnx) to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "models")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("finder", "reader", "numerals"):
        if options.only in (None, name):
            train(name, options)


if __name__ == "__main__":
    main()
