"""A calibrated camera: readings whose probabilities are right, at any quality.

Each possible value gets a score, Gaussian around 0 and around `quality` for the true one. The
probabilities are what Bayes makes of the scores, so of all readings said to be 90% sure one in
ten is wrong, whatever the quality.
"""

import math
from collections.abc import Sequence
from random import Random

from companion.observations import SPACES, DiceSeen, DieSeen, TokenSeen

#: A token off by more than this many spaces is not mistaken.
NEIGHBORS = 2


def posterior(values: Sequence[int], truth: int, quality: float, random: Random) -> dict[int, float]:
    """Probability of each value as a camera of this quality would tell it."""
    scores = {value: random.gauss(quality if value == truth else 0.0, 1.0) for value in values}
    highest = max(scores.values())
    weights = {value: math.exp(quality * (score - highest)) for value, score in scores.items()}
    total = sum(weights.values())
    return {value: weight / total for value, weight in weights.items()}


def dice_seen(faces: Sequence[int], throw: int, quality: float, random: Random) -> DiceSeen:
    dice = tuple(DieSeen(faces=posterior(range(1, 7), face, quality, random)) for face in faces)
    return DiceSeen(dice=dice, throw=throw, picture=f"dice{throw}")


def token_seen(token: str, space: str, quality: float, random: Random) -> TokenSeen:
    index = SPACES.index(space)
    near = [(index + step) % 40 for step in range(-NEIGHBORS, NEIGHBORS + 1)]
    seen = posterior(near, index, quality, random)
    return TokenSeen(token=token, spaces={SPACES[square]: p for square, p in seen.items()}, picture=f"token{token}")


def best(seen: dict[int, float]) -> int:
    return max(seen, key=lambda value: seen[value])
