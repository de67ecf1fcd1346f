"""Fits how sharply the dice networks' answers are to be taken: `python -m vision.training.calibrate`.

Renders pictures that no network was trained on and prints the temperature at which the probabilities of each
network come out right; they are constants of `vision.dice.reader`.
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from vision.dice.crops import CLASSES, NUMERALS
from vision.dice.reader import DiceReader
from vision.networks import load
from vision.training import numerals, pictures
from vision.training.dice import Data, numeral_sample, reader_sample
from vision.training.tables import DECOY, Example, table_frames

#: Far from the seeds that are used to train.
SEED = 770_000


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


def answers(model: Path, sample: Callable, data: Data, count: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits (count, outputs) and right classes (count,)."""
    network, rng = load(model), np.random.default_rng(SEED)
    logits, labels = [], []
    for _ in range(0, count, 40):
        seen, targets = zip(*(sample(data, rng) for _ in range(40)), strict=True)
        said = network(np.stack(seen).astype(np.float32))
        logits.append(said.reshape(40, -1)[:, :outputs])
        labels += [int(target[0]) for target in targets]
    return np.concatenate(logits), np.array(labels)


def finder_odds(models: Path, frames: list[Example]) -> tuple[float, float]:
    """(factor, mean log loss): by what the finder's odds are to be multiplied for "is a die" to come out right."""
    reader, scores, chances, is_die = DiceReader(models), [], [], []
    for frame in frames:
        dice = frame.rows[frame.rows[:, 0] != DECOY]
        edge = float(np.median(dice[:, 4])) if len(dice) else 18.0
        known = (partial(_stances, dice), frame.before) if len(dice) else (None, None)
        for x, y, size, score, chance in reader.opinions(frame.image, edge, *known):
            away = np.hypot(dice[:, 2] - x, dice[:, 3] - y) / size
            scores.append(score)
            chances.append(chance)
            is_die.append(len(dice) > 0 and float(away.min()) < 0.4)
    odds, chance, truth = np.array(scores), np.clip(chances, 1e-5, 1 - 1e-5), np.array(is_die)
    best = (1.0, np.inf)
    for factor in np.exp(np.linspace(np.log(0.01), np.log(4), 50)):
        both = chance / (1 - chance) * odds / (1 - odds + 1e-6) * factor
        loss = float(np.where(truth, np.log1p(1 / both), np.log1p(both)).mean())
        best = min(best, (float(factor), loss), key=lambda pair: pair[1])
    return best


def _stances(rows: np.ndarray, px: np.ndarray) -> np.ndarray:
    """How things look there: as at the nearest of the labelled ones."""
    return rows[np.hypot(*(rows[:, None, 2:4] - px).transpose(2, 0, 1)).argmin(axis=0), 7:9]


def main() -> None:
    """Renders, looks, fits, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--tables", type=int, default=12, help="rendered tables, two frames each")
    parser.add_argument("--models", type=Path, default=Path(__file__).parents[1] / "models")
    options = parser.parse_args()
    every = [0] * options.pictures
    scenes = Data(pictures.render(options.pictures, SEED, []), every)
    against = partial(reader_sample, is_table=True)
    numbered = Data(pictures.render(options.pictures, SEED + 1, [], numerals.SIDE, is_numbered=True), every)
    for name, sample, data, outputs in (
        ("dice_reader", reader_sample, scenes, len(CLASSES)),
        ("table_dice_reader", against, scenes, len(CLASSES)),
        ("dice_numerals", numeral_sample, numbered, len(NUMERALS)),
    ):
        found = temperature(*answers(options.models / f"{name}.onnx", sample, data, 4000, outputs))
        print(f"{name}: temperature {found[0]:.2f}, right {found[1]:.2%}, log loss {found[2]:.3f}", flush=True)
    frames = [frame for table in range(options.tables) for frame in table_frames(SEED + table, 2)]
    factor, loss = finder_odds(options.models, frames)
    print(f"finder: odds times {factor:.2f}, log loss {loss:.3f}")


if __name__ == "__main__":
    main()
