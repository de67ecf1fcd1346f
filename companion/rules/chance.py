"""Where suggestions get their variety from: given from outside, for the rules themselves know no chance."""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")


class Chance(Protocol):
    """What `random.Random` offers."""

    def random(self) -> float:
        """A number from 0 to just below 1."""

    def randint(self, a: int, b: int, /) -> int:
        """A whole number from a to b, both included."""

    def choice(self, seq: Sequence[Item], /) -> Item:
        """One item."""

    def sample(self, population: Sequence[Item], k: int) -> list[Item]:
        """k different items."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Put the items into another order, in place."""


class First:
    """No chance at all: always the first, the lowest, the given order."""

    def random(self) -> float:
        return 0.0

    def randint(self, a: int, b: int, /) -> int:
        return a

    def choice(self, seq: Sequence[Item], /) -> Item:
        return seq[0]

    def sample(self, population: Sequence[Item], k: int) -> list[Item]:
        return list(population[:k])

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        return None
