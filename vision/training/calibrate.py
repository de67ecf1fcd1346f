"""Fits how sharply the dice networks' answers are to be taken: `python -m vision.training.calibrate`.

Renders pictures that no network was trained on and prints the temperatures and weights at which probabilities of each
network come out right; they are constants of `vision.dice.evidence` and `vision.dice.reader`.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from companion.observations import DieKind
from vision.dice.crops import CHANNELS, CLASSES, slant_of, stance_of
from vision.dice.evidence import CLEAR_SLANT, USUALLY_COCKED
from vision.dice.reader import CLEAR_NUMERAL, DiceReader, tempered
from vision.networks import MODELS, load
from vision.training import numerals, pictures
from vision.training.on_dice import DiceData
from vision.training.samples import Data, reader_sample
from vision.training.tables import DECOY, KINDS, Example, Rows, stances, table_frames

#: Far from the seeds that are used to train.
SEED = 770_000
#: A proposal is a die that is nearer than that, in edges, and no die if it is farther from any than this.
_ON, _BESIDE = 0.4, 0.6
#: Share of the upper face that has to be seen.
_SEEN = 0.75
#: A table is told to be seen from elsewhere than it is by so many radians: by 1.1 degrees as seen from there (root mean
#: square) on 40 rendered tables whose corners were tapped 2 px off.
_MISTOLD = 0.014


def temperature(logits: np.ndarray, labels: np.ndarray) -> tuple[float, float, float]:
    """(temperature, share right, mean log loss) where the log loss is least."""
    best = (1.0, np.inf)
    for value in np.exp(np.linspace(np.log(0.5), np.log(4), 43)):
        scaled = logits / value
        top = scaled.max(axis=1, keepdims=True)
        log_sum = top[:, 0] + np.log(np.exp(scaled - top).sum(axis=1))
        loss = float((log_sum - scaled[np.arange(len(labels)), labels]).mean())
        best = min(best, (float(value), loss), key=lambda pair: pair[1])
    return best[0], float((logits.argmax(axis=1) == labels).mean()), best[1]


def answers(model: Path, scenes: Data, count: int, is_table: bool) -> tuple[np.ndarray, np.ndarray]:
    """All that a reader says of `count` crops or a few more (n, outputs), and its targets (n, k)."""
    network, rng = load(model), np.random.default_rng(SEED)
    samples = [reader_sample(scenes, rng, is_table) for _ in range(count)]
    source = DiceData(0, CHANNELS if is_table else 3, SEED)
    source.add([np.stack(part) for part in zip(*samples, strict=True)])
    said, targets = [], []
    for _ in range(0, count, 40):
        seen, right = (part.contiguous().numpy() for part in source.batch(40))
        said.append(network(seen).reshape(40, -1))
        targets.append(right)
    return np.concatenate(said), np.concatenate(targets)


def numeral_temperature(models: Path, frames: list[Example], kind: DieKind) -> tuple[float, float, float]:
    """(temperature from `CLEAR_NUMERAL` px on, power by which it grows on smaller dice, mean log loss) of numerals.

    Returns:
        NaN where no die of this kind is found.
    """
    reader = DiceReader(models)
    edges, right, logits = [], [], []
    for frame in frames:
        dice = frame.rows[frame.rows[:, 0] != DECOY]
        for found, at, said in reader.numerals(frame.image, partial(stances, dice)) if len(dice) else ():
            away = np.hypot(dice[:, 2] - at[0], dice[:, 3] - at[1]) / dice[:, 4]
            nearest = dice[away.argmin()]
            is_it = away.min() < _ON and KINDS[int(nearest[0])] == kind and nearest[5] >= _SEEN and not nearest[6]
            if found == kind and is_it:
                edges.append(float(at[2]))
                right.append(int(nearest[1]))
                logits.append(said)
    if not edges:
        return np.nan, np.nan, np.nan
    smaller = np.maximum(CLEAR_NUMERAL / np.array(edges), 1.0)
    best = (np.nan, np.nan, np.inf)
    for value in np.exp(np.linspace(np.log(0.5), np.log(4), 22)):
        for power in np.linspace(0, 3, 13):
            by = value * smaller**power
            chances = [tempered(said, each)[one] for said, each, one in zip(logits, by, right, strict=True)]
            loss = -float(np.log(np.maximum(chances, 1e-9)).mean())
            best = min(best, (float(value), float(power), loss), key=lambda each: each[2])
    return best


def cocked(models: Path, frames: list[Example], is_table: bool) -> tuple[np.ndarray, float]:
    """(weights of the evidence that a d6 lies cocked, mean log loss), if `USUALLY_COCKED` do, with the view known.

    Args:
        is_table: against the empty table, and of dice of `CLEAR_SLANT` px and more.
    Returns:
        NaN where all that are found lie so, or none.
    """
    reader, evidence, truth, rng = DiceReader(models), [np.zeros((0, 4))], [], np.random.default_rng(SEED)
    for frame in frames:
        dice = frame.rows[frame.rows[:, 0] != DECOY]
        if not len(dice):
            continue
        edge = float(np.median(dice[:, 4])) if is_table else None
        told = partial(_mistold, dice, rng.normal(0, _MISTOLD, 2))
        found, said = reader.tilts(frame.image, edge, told, frame.before if is_table else None)
        for (x, y, size), each in zip(found, said, strict=True):
            away = np.hypot(dice[:, 2] - x, dice[:, 3] - y) / dice[:, 4]
            nearest = dice[away.argmin()]
            is_large = size >= CLEAR_SLANT or not is_table
            if is_large and away.min() < _ON and KINDS[int(nearest[0])] == "d6" and nearest[5] >= _SEEN:
                evidence.append(each[None])
                truth.append(nearest[6] > 0)
    truths = np.array(truth, bool)
    share = float(np.clip(truths.mean(), 1e-6, 1 - 1e-6)) if len(truths) else 0.5
    counts = np.where(truths, USUALLY_COCKED / share, (1 - USUALLY_COCKED) / (1 - share))
    return logistic(np.concatenate(evidence), truths, counts)


def _mistold(dice: Rows, off: np.ndarray, px: np.ndarray) -> np.ndarray:
    """(n, 2) lean and squash at px (n, 2), as told where the camera is thought to be elsewhere by `off`, radians."""
    return stance_of(slant_of(*stances(dice, px).T) + off)


def odds(models: Path, frames: list[Example], is_table: bool) -> tuple[np.ndarray, float]:
    """(weights of the evidence, mean log loss): how "is a die" comes out right, by logistic regression.

    Args:
        is_table: against the empty table.
    """
    reader, evidence, is_die = DiceReader(models), [], []
    for frame in frames:
        dice = frame.rows[frame.rows[:, 0] != DECOY]
        if not len(dice):
            continue
        edge = float(np.median(dice[:, 4]))
        found, said = reader.opinions(frame.image, edge, partial(stances, dice), frame.before if is_table else None)
        away = np.hypot(*(found[:, None, :2] - dice[:, 2:4]).transpose(2, 0, 1)) / dice[:, 4]
        nearest = away.argmin(axis=1)
        away = away.min(axis=1)
        is_seen = dice[nearest, 5] >= _SEEN
        # What is half of a die, or of one half hidden, is neither.
        clear = (away > _BESIDE) | (away < _ON) & is_seen
        evidence.append(said[clear])
        is_die.append(away[clear] < _ON)
    return logistic(np.concatenate(evidence), np.concatenate(is_die))


def logistic(evidence: np.ndarray, truth: np.ndarray, counts: np.ndarray | float = 1.0) -> tuple[np.ndarray, float]:
    """(weights (k,), mean log loss) of evidence (n, k) for what is true (n,), by Newton's method.

    Args:
        counts: (n,) how much each counts, about 1 on average.
    Returns:
        NaN where all of it is true, or nothing.
    """
    if truth.all() or not truth.any():
        return np.full(evidence.shape[1], np.nan), np.nan
    weights = np.zeros(evidence.shape[1])
    ridge = 0.5 * np.eye(len(weights))
    for _ in range(60):
        chance = 1 / (1 + np.exp(-evidence @ weights))
        slope = evidence.T @ (counts * (chance - truth)) + ridge @ weights
        curve = (evidence * (counts * chance * (1 - chance))[:, None]).T @ evidence + ridge
        weights = weights - np.linalg.solve(curve, slope)
    total = evidence @ weights
    losses = np.where(truth, np.logaddexp(0, -total), np.logaddexp(0, total))
    return weights, float((counts * losses).mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Renders, looks, fits, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--tables", type=int, default=12, help="rendered tables, two frames each")
    parser.add_argument("--crops", type=int, default=4000, help="of them that each reader is shown")
    parser.add_argument("--models", type=Path, default=MODELS)
    options = parser.parse_args(arguments)
    render = partial(pictures.render, options.pictures)
    scenes = Data(render(np.random.default_rng(SEED)), [0] * options.pictures)
    numbered = render(np.random.default_rng(SEED + 1), side=numerals.SIDE, is_numbered=True)
    for name, is_table in (("dice_reader", False), ("table_dice_reader", True)):
        said, targets = answers(options.models / f"{name}.onnx", scenes, options.crops, is_table)
        found = temperature(said[:, : len(CLASSES)], targets[:, 0].astype(int))
        print(f"{name}: temperature {found[0]:.2f}, right {found[1]:.2%}, log loss {found[2]:.3f}", flush=True)
    leaning = render(np.random.default_rng(SEED + 2), cocked=0.5)
    framed = [frame for table in range(options.tables) for frame in table_frames(SEED + 500 + table, 2, 12, 0.5)]
    frames = [frame for table in range(options.tables) for frame in table_frames(SEED + table, 2)]
    kinds: tuple[DieKind, ...] = ("d4", "d20")
    for kind in kinds:
        value, power, loss = numeral_temperature(options.models, numbered + frames, kind)
        print(f"dice_numerals, {kind}: temperature {value:.2f}, power {power:.2f}, log loss {loss:.3f}", flush=True)
    for is_table, name in ((False, "alone"), (True, "against the empty table")):
        weights, loss = cocked(options.models, leaning + framed, is_table)
        print(f"dice_cocked, {name}: {np.round(weights, 2).tolist()}, log loss {loss:.3f}", flush=True)
        weights, loss = odds(options.models, frames, is_table)
        print(f"odds of a die, {name}: {np.round(weights, 2).tolist()}, log loss {loss:.3f}", flush=True)


if __name__ == "__main__":
    main()
