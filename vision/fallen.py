"""Tokens that have fallen over: one that stood lies now, in several pictures, where it stood or fell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.detections import TokenReading

#: Log odds of lying from which on a token may lie, if they are that much higher than of the same token as it stood
#: there: of some that stand they are high for all their game. On 12 rendered tables those of none of 72 tokens rose so
#: when it was turned where it stood, and those of 66 that fell.
LIES, MORE = 0.8, 3.0
#: Pictures in which a token has to be the one and then the other.
PLAIN_LOOKS, LYING_LOOKS = 2, 4
#: A token that falls comes to lie this near to where it stood, and nothing else is (board units; 3 cm of 50 cm).
NEAR = 0.06

Place = tuple[float, float]


@dataclass
class _Stand:
    """Where a token was seen standing, its mean log odds of lying then, in how many pictures, and in how many it has
    lain there since."""

    place: Place
    odds: float
    standing: int = 1
    lying: int = 0

    def look(self, odds: float) -> None:
        """Once more it stands there."""
        self.standing, self.lying = self.standing + 1, 0
        self.odds += (odds - self.odds) / self.standing


class Fallen:
    """Fed with the tokens of every picture without a hand."""

    def __init__(self) -> None:
        self._stands: dict[str, _Stand] = {}

    def forget(self) -> None:
        """Another table or calibration."""
        self._stands = {}

    @property
    def is_done(self) -> bool:
        """No token has begun to look as if it lay."""
        return all(stand.lying in (0, LYING_LOOKS) for stand in self._stands.values())

    def feed(
        self,
        tokens: Sequence[TokenReading],
        odds: Mapping[str, float],
        places: Sequence[Place],
        others: Sequence[Place],
    ) -> set[str]:
        """The names of tokens that lie, by this picture and those before.

        Args:
            tokens: under the names that they are followed by.
            odds: name -> log odds that it lies.
            places: where they are, in board units.
            others: what else may cover a token there: dice.
        """
        # In bad light they all look strange.
        is_clear = sum(self._lies(name, own) for name, own in odds.items()) <= max(len(odds) / 2, 1)
        for index, (token, place) in enumerate(zip(tokens, places, strict=True)):
            if token.name is None or token.name not in odds:
                continue
            own, stand = odds[token.name], self._stands.get(token.name)
            if stand is None or _apart(stand.place, place) >= NEAR:
                self._stands[token.name] = _Stand(place, own)
            elif self._lies(token.name, own):
                beside = [*(other for k, other in enumerate(places) if k != index), *others]
                is_alone = all(_apart(place, other) >= NEAR for other in beside)
                stand.lying = min(stand.lying + 1, LYING_LOOKS) if is_clear and is_alone else 0
            else:
                stand.look(own)
        return {
            name for name, stand in self._stands.items() if stand.standing >= PLAIN_LOOKS and stand.lying == LYING_LOOKS
        }

    def _lies(self, name: str, odds: float) -> bool:
        stand = self._stands.get(name)
        return stand is not None and odds >= LIES and odds - stand.odds >= MORE


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
