"""Tokens that have fallen over: where one stood plainly, something lies that looks like none of the tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.detections import TokenReading
from vision.identity import detection_of

#: Probability of being an enrolled token, of one that stands in plain view, and of one that has fallen over: pawns
#: lying in four directions had 0.02 to 0.1.
PLAIN, STRANGE = 0.6, 0.2
#: Pictures in which a token has to be the one and then the other.
PLAIN_LOOKS, STRANGE_LOOKS = 2, 4
#: A token that falls comes to lie this near to where it stood, and nothing else is (board units; 3 cm of 50 cm).
NEAR = 0.06

Place = tuple[float, float]


@dataclass
class _Stand:
    """Where a token was seen plainly, and in how many pictures; and in how many it has looked strange since."""

    place: Place
    plain: int = 1
    strange: int = 0


class Fallen:
    """Fed with the tokens of every picture without a hand."""

    def __init__(self) -> None:
        self._stands: dict[str, _Stand] = {}

    def forget(self) -> None:
        """Another table or calibration."""
        self._stands = {}

    @property
    def is_done(self) -> bool:
        """No token has begun to look strange."""
        return all(stand.strange in (0, STRANGE_LOOKS) for stand in self._stands.values())

    def feed(
        self,
        read: Sequence[TokenReading],
        named: Sequence[TokenReading],
        places: Sequence[Place],
        others: Sequence[Place],
    ) -> set[str]:
        """The names of tokens that lie, by this picture and those before.

        Args:
            read: the tokens by their looks alone; `named` the same under the names that they are followed by.
            places: where they are, in board units.
            others: what else may cover a token there: dice.
        """
        chances = [detection_of(look) for look, token in zip(read, named, strict=True) if token.name is not None]
        # In bad light they all look strange.
        is_clear = sum(chance < STRANGE for chance in chances) <= sum(chance >= PLAIN for chance in chances)
        for index, (look, token, place) in enumerate(zip(read, named, places, strict=True)):
            if token.name is None:
                continue
            chance, stand = detection_of(look), self._stands.get(token.name)
            if chance >= PLAIN:
                is_same = stand is not None and _apart(stand.place, place) < NEAR
                self._stands[token.name] = _Stand(place, stand.plain + 1 if stand is not None and is_same else 1)
            elif stand is None or _apart(stand.place, place) >= NEAR:
                self._stands.pop(token.name, None)
            elif is_clear:
                beside = [*(other for k, other in enumerate(places) if k != index), *others]
                is_alone = all(_apart(place, other) >= NEAR for other in beside)
                stand.strange = min(stand.strange + 1, STRANGE_LOOKS) if chance < STRANGE and is_alone else 0
        return {
            name
            for name, stand in self._stands.items()
            if stand.plain >= PLAIN_LOOKS and stand.strange == STRANGE_LOOKS
        }


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
