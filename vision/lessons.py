"""What people say of the table teaches the reader: a token that it took for another is known by how it looked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.observations import BoardBook
from vision.detections import TokenReading
from vision.pixels import Image

#: A token read right with this confidence teaches nothing new.
KNOWN = 0.9
#: Clear looks at the table after which a lesson is given up: the token is not where it was said to be.
MOST_LOOKS = 4

JAIL = 10


@dataclass(frozen=True)
class Told:
    """People say that this token stands there.

    Attributes:
        square: 0-39; `in_jail` tells the cell from just visiting.
        company: other tokens that belong on the same space.
    """

    token: str
    square: int
    in_jail: bool = False
    company: tuple[str, ...] = ()


@dataclass(frozen=True)
class Example:
    """How a token looked.

    Attributes:
        crop: of `tokens.Recognizer.crop`, to be kept.
        base_px: where it stands in the picture.
    """

    token: str
    crop: Image
    base_px: tuple[float, float]


class Pupil(Protocol):
    """A reader that can be taught, and asked which tokens have fallen over (`vision.reader.TableReader`).

    Attributes:
        book: what the game has on the board.
    """

    book: BoardBook

    def learn(self, frame_bgr: NDArray[np.uint8], told: Told) -> Example | None: ...

    def fallen(self, frame_bgr: NDArray[np.uint8], tokens: Sequence[TokenReading]) -> dict[str, float]: ...


class Lessons:
    """What has been said and not been learned yet."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[Told, int]] = {}

    def add(self, told: Told) -> None:
        """The newest word about a token counts."""
        self._open[told.token] = (told, 0)

    def attend(self, reader: Pupil, frame_bgr: NDArray[np.uint8], tokens: Sequence[TokenReading]) -> list[Example]:
        """What one more clear picture teaches.

        Args:
            tokens: as they are read in this picture, named.
        """
        learned = []
        for name, (told, looks) in list(self._open.items()):
            is_known = any(_agrees(token, told) for token in tokens)
            example = None if is_known else reader.learn(frame_bgr, told)
            if example is not None:
                learned.append(example)
            if is_known or example is not None or looks + 1 >= MOST_LOOKS:
                del self._open[name]
            else:
                self._open[name] = (told, looks + 1)
        return learned


def _agrees(token: TokenReading, told: Told) -> bool:
    is_there = token.square == told.square and (told.square != JAIL or (token.in_jail >= 0.5) == told.in_jail)
    return token.name == told.token and is_there and token.confidence >= KNOWN
