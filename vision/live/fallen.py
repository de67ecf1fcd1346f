"""Tokens that have fallen over: one that stood lies now, in several pictures, where it stood, fell or was put."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.detections import TokenReading

#: Log odds of lying from which on a token may lie, if they are that much higher than of the same token as it stood
#: there: of some that stand they are high for all their game. On 12 rendered tables those of none of 72 tokens rose so
#: when it was turned where it stood, and those of 66 that fell.
LIES, MORE = 0.8, 3.0
#: The same of one that has come to where it was not seen standing, next to how it stood in as many places before as
#: these, where it looked most like lying: of 144 tokens on rendered tables one in 3000 that stand is above both, and
#: 92 to 96% of the pawns and meeples that lie, 43% of those of metal.
LIES_ELSEWHERE, MORE_ELSEWHERE, PLACES = 4.0, 6.0, 2
#: So many of the last places where a token stood count.
_LAST_PLACES = 8
#: Pictures in which a token has to be the one and then the other.
PLAIN_LOOKS, LYING_LOOKS = 2, 4
#: A token that falls comes to lie this near to where it stood, and nothing else is (board units; 3 cm of 50 cm).
NEAR = 0.06

Place = tuple[float, float]


@dataclass
class _Stand:
    """Where a token is, in how many pictures it was seen standing there, its mean log odds of lying then, and in how
    many it has lain there since."""

    place: Place
    standing: int = 0
    odds: float = 0.0
    lying: int = 0

    def look(self, odds: float) -> None:
        """Once more it stands there."""
        self.standing, self.lying = self.standing + 1, 0
        self.odds += (odds - self.odds) / self.standing

    @property
    def has_fallen(self) -> bool:
        return self.lying == LYING_LOOKS and self.standing not in range(1, PLAIN_LOOKS)


class Fallen:
    """Fed with the tokens of every picture without a hand."""

    def __init__(self) -> None:
        self._stands: dict[str, _Stand] = {}
        self._before: dict[str, list[float]] = {}

    def forget(self) -> None:
        """Another table or calibration."""
        self._stands, self._before = {}, {}

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
        known = [index for index, token in enumerate(tokens) if token.name in odds]
        for index in known:
            self._come_to(str(tokens[index].name), places[index])
        # In bad light they all look strange.
        is_clear = sum(self._lies(name, own) for name, own in odds.items()) <= max(len(odds) / 2, 1)
        for index in known:
            name, place = str(tokens[index].name), places[index]
            stand, own = self._stands[name], odds[name]
            if self._lies(name, own):
                beside = [*(other for k, other in enumerate(places) if k != index), *others]
                is_alone = all(_apart(place, other) >= NEAR for other in beside)
                stand.lying = min(stand.lying + 1, LYING_LOOKS) if is_clear and is_alone else 0
            else:
                stand.look(own)
        return {name for name, stand in self._stands.items() if stand.has_fallen}

    def _come_to(self, name: str, place: Place) -> None:
        """The token is there now, if it was not."""
        stand = self._stands.get(name)
        if stand is not None and _apart(stand.place, place) < NEAR:
            return
        self._stands[name] = _Stand(place)
        if stand is not None and stand.standing >= PLAIN_LOOKS:
            self._before[name] = [*self._before.get(name, []), stand.odds][-_LAST_PLACES:]

    def _lies(self, name: str, odds: float) -> bool:
        stand, before = self._stands.get(name), self._before.get(name, [])
        if stand is None:
            return False
        if stand.standing:
            return odds >= LIES and odds - stand.odds >= MORE
        return len(before) >= PLACES and odds >= LIES_ELSEWHERE and odds - max(before) >= MORE_ELSEWHERE


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
