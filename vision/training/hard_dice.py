"""Photographed dice that a reader misreads or is unsure of are shown to it more often (hard example mining)."""

from dataclasses import replace

import numpy as np

from vision.dice.crops import CLASSES, crop, planes
from vision.networks import Network
from vision.training.scenes import Image
from vision.training.tables import DECOY, Example, Rows, class_of

#: Dice to whose value the reader gives less than these probabilities are shown so many times as often as others.
UNSURE, TIMES = (0.5, 0.8, 0.95), (8, 6, 3, 1)
#: Where it all but excludes the value, the die is thought to be labelled wrong, and shown as often as others.
EXCLUDED = 0.03
#: So many times it looks, each time placed a little differently, by this share of the die's edge.
_LOOKS, _PLACED = 6, 0.05


def with_hard_dice_again(example: Example, network: Network, rng: np.random.Generator) -> Example:
    """The picture, with the rows of hard dice as many times as `TIMES` says.

    Args:
        network: a reader of pictures alone that has learned already.
    """
    is_die = example.rows[:, 0] != DECOY
    times = np.ones(len(is_die), int)
    chances = np.array([_chance(network, example.image, row, rng) for row in example.rows[is_die]])
    times[is_die] = np.where(chances < EXCLUDED, 1, np.take(TIMES, np.digitize(chances, UNSURE)))
    return replace(example, rows=np.repeat(example.rows, times, axis=0))


def _chance(network: Network, image: Image, row: Rows, rng: np.random.Generator) -> float:
    """Probability that the reader gives to what a die (COLUMNS,) shows: the geometric mean over its looks."""
    kind, value, x, y, edge = (float(v) for v in row[:5])
    seen = [
        planes(crop(image, (x + edge * right, y + edge * down), edge * float(np.exp(grow))))
        for right, down, grow in rng.normal(0, _PLACED, (_LOOKS, 3))
    ]
    logits = network(np.stack(seen)).reshape(_LOOKS, -1)[:, : len(CLASSES)]
    said = logits[:, class_of(kind, value)] - np.logaddexp.reduce(logits, axis=1)
    return float(np.exp(said.mean()))
