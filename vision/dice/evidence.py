"""What the networks say of each proposal, and how it is weighed: is a die there, of what kind, does it lie cocked?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import CLASSES

Floats = NDArray[np.float32]

#: Divides the reader's logits, as `vision.training.calibrate` fits it on rendered pictures.
TEMPERATURE = 0.95
#: So many times fewer dice of other kinds than the game's lie about than among rendered ones.
_STRANGE = 0.05
#: Dice of one throw are of one size: seen from a known view, as if in one place, the logs of the edges of two d6 are so
#: far apart (of 537 on rendered and shared tables four in five are nearer), but where, one time in so many, they are of
#: two sets, whose logs are as far apart as the third. What is no die is smaller by so much than the die beside it, with
#: this spread (what is printed on money, mostly). By its size nothing is surer than by the last.
_ONE_SIZE, _TWO_SETS, _OF_TWO_SETS, _NO_DIE, _ONE_SIZE_MOST = 0.085, 0.01, 0.5, (-0.15, 0.4), 1.0

#: So many d6 of a game lie cocked, among the rendered ones there are more. What a die of fewer px than the second shows
#: of that against an empty table counts for as much less as it is smaller: of 827 flat ones of 6 to 12 px 43 had been
#: said to lie cocked with 406 of 612 that did, now 3 with 242; of 12 to 16 px 3 of 352 with 280 of 336, now 1 with 263
#: (rendered; chosen by half of them).
USUALLY_COCKED, CLEAR_SLANT = 0.02, 16.0
#: The table is told to be seen from elsewhere than it is by so many radians.
_MISTOLD = 0.03
#: What is off by many more of its usual errors than this may as well be mistaken: it counts for little more.
_FAR = 3.0


@dataclass(frozen=True)
class Weights:
    """By what pieces of evidence are multiplied to sum up to log odds, as `vision.training.calibrate` fits it.

    Attributes:
        die: (4,) that a die is there, see `Looks.evidence`.
        size: (2,) added to that, see `size_evidence`.
        cocked: (4,) that a d6 lies cocked, see `slant_evidence`.
        least: peaks of the finder below this are not looked at; about the others the reader decides.
    """

    die: tuple[float, float, float, float]
    size: tuple[float, float]
    cocked: tuple[float, float, float, float]
    least: float


#: For the networks that see the picture alone, and for those that see the empty table too; how these were chosen tells
#: the model card.
ALONE = Weights((1.0, 1.0, 0.0, -1.6), (1.3, -6.0), (0.5, 8.69, -0.72, -11.8), 0.15)
AGAINST_EMPTY = Weights((0.88, 0.92, 0.43, -0.23), (1.26, -1.15), (0.5, 11.96, 0.98, -4.77), 0.12)


@dataclass(frozen=True)
class Looks:
    """What the reader says of each of n proposals.

    Attributes:
        classes: (n, k) probability of each of `CLASSES`.
        place: (n, 3) how far the upper face is off to the right and down, in edges, and the log of its relative size.
        weights: how this is weighed.
    """

    classes: Floats
    place: Floats
    weights: Weights

    @classmethod
    def from_raw(cls, raw: Floats, weights: Weights) -> "Looks":
        """From the numbers (n, k + 4) of the network."""
        logits = raw[:, : len(CLASSES)] / np.float32(TEMPERATURE)
        chance = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-1e9))
        chance /= chance.sum(axis=1, keepdims=True)
        # The number between them, trained for lying cocked, is left to a network of its own.
        return cls(chance, raw[:, len(CLASSES) + 1 :], weights)

    @property
    def none(self) -> Floats:
        """(n,) probability that there is no die."""
        return self.classes[:, 0]

    def weighed(self, scores: Sequence[float]) -> "Looks":
        """With what the finder thinks taken into account, and how well a value stands out."""
        return self._with_odds(self.evidence(scores) @ self.weights.die)

    @property
    def are_six(self) -> NDArray[np.bool_]:
        """(n,) whether each, if it is a die at all, is rather a d6."""
        return np.asarray(self.classes[:, 1:7].sum(axis=1) > 0.5 * (1 - self.none))

    def sized(self, odds: Floats) -> "Looks":
        """With the log odds (n,) of being a die that their sizes tell of taken into account."""
        return self._with_odds(log_odds(1 - self.none) + odds)

    def evidence(self, scores: Sequence[float]) -> Floats:
        """(n, 4) log odds of the finder and of the reader, log of the share of a d6's likeliest value, and 1."""
        faces = self.classes[:, 1:7]
        total = faces.sum(axis=1)
        # What is a die of another kind has its value read later.
        plain = np.where(self.are_six, faces.max(axis=1) / np.maximum(total, 1e-9), 1.0)
        return np.column_stack(
            [log_odds(np.array(scores)), log_odds(1 - self.none), np.log(plain), np.ones(len(total))]
        )

    def _with_odds(self, odds: Floats) -> "Looks":
        """With these log odds (n,) of any die in place of what was thought; the kinds and values keep their shares."""
        chance = 1 / (1 + np.exp(-odds))
        classes = self.classes * (chance / np.maximum(1 - self.none, 1e-9))[:, None]
        classes[:, 0] = 1 - chance
        return replace(self, classes=classes.astype(np.float32))

    def expecting(self, kinds: Sequence[str]) -> "Looks":
        """Where dice of these kinds are thrown; what else lies about is none of the game's, see `_STRANGE`."""
        is_strange = np.array([index > 0 and name.split(":")[0] not in kinds for index, name in enumerate(CLASSES)])
        classes = self.classes * np.where(is_strange, np.float32(_STRANGE), np.float32(1))
        return replace(self, classes=classes / classes.sum(axis=1, keepdims=True))

    def taken(self, keep: Sequence[int]) -> "Looks":
        """Only these."""
        index = list(keep)
        return replace(self, classes=self.classes[index], place=self.place[index])

    def chance(self, k: int, kind: str) -> float:
        """Probability that this is a die of the kind."""
        return float(sum(self.classes[k, index] for index, name in enumerate(CLASSES) if name.startswith(kind)))

    def faces(self, k: int) -> dict[int, float]:
        """Probability of each value, were it a d6."""
        faces = self.classes[k, 1:7]
        total = max(float(faces.sum()), 1e-9)
        return {value: float(faces[value - 1]) / total for value in range(1, 7)}


def slant_evidence(said: NDArray[np.floating], flat: NDArray[np.floating]) -> NDArray[np.float64]:
    """(..., 4) of d6: log odds that it lies cocked, as it looks; by how many of its usual errors the slant of its upper
    face is off that of the table, as a log; the log of these errors; and 1.

    A slant is by how many radians a face is turned away from the eye, to the right and up the crop.

    Args:
        said: (..., 5) that log odds, the slant, and the log of the mean error of both its parts.
        flat: (..., 2) the slant of what lies flat there.
    """
    errors = np.exp(np.clip(said[..., 3:5], -4, 1)) + _MISTOLD
    off = (np.abs(said[..., 1:3] - flat) / errors).sum(-1)
    return np.stack(np.broadcast_arrays(said[..., 0], np.log1p(off / _FAR), np.log(errors).sum(-1), 1.0), axis=-1)


def cocked_odds(evidence: NDArray[np.float64], edges: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n,) log odds that d6 against the empty table lie cocked, by the evidence (n, 4) and their edges (n,) px."""
    usual = np.log(USUALLY_COCKED / (1 - USUALLY_COCKED))
    clear = np.minimum(edges / CLEAR_SLANT, 1.0)
    return np.asarray(usual + clear * (evidence @ np.array(AGAINST_EMPTY.cocked) - usual))


def log_odds(chance: NDArray[np.floating]) -> Floats:
    """Of probabilities that are neither 0 nor 1, or are taken for nearly so."""
    sure = np.clip(chance, 1e-5, 1 - 1e-5)
    return np.log(sure / (1 - sure))


def size_evidence(sizes: Floats) -> Floats:
    """(n, 2) what sizes (n,), against that of the surest die, tell of being a die."""
    return np.column_stack([np.log(sizes), np.log(sizes) ** 2])


def one_size_odds(edges: Floats, others: Floats) -> Floats:
    """(n,) log odds that each of some d6 is one, by its size against that of the surest of the others.

    Args:
        edges: (n,) as if all were in one place.
        others: (n, n) for each, the probability that another is one; 0 where that says nothing.
    """
    surest = others.argmax(axis=1)
    off, chance = np.log(edges / edges[surest]), others[np.arange(len(edges)), surest]
    one_set, two_sets, none = (_bell(off, *at) for at in ((0.0, _ONE_SIZE), (0.0, _OF_TWO_SETS), _NO_DIE))
    ratio = ((1 - _TWO_SETS) * one_set + _TWO_SETS * two_sets) / none
    return np.asarray(np.minimum(np.log(chance * ratio + 1 - chance), _ONE_SIZE_MOST), np.float32)


def _bell(values: Floats, middle: float, spread: float) -> Floats:
    return np.asarray(np.exp(-(((values - middle) / spread) ** 2) / 2) / spread, np.float32)
