"""What the readers say of one picture. Pixels are [x, y], centres at whole numbers."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.observations import DieKind

Box = tuple[float, float, float, float]
"""(x0, y0, x1, y1) px."""


@dataclass(frozen=True)
class DieReading:
    """One die at rest.

    Attributes:
        faces: probability of each value, 0-1; what is missing to 1 is "not legible".
        cocked: probability that it lies tilted against something.
        detection: probability that this is a die at all.
        is_legible: False where its numeral is too small or blurred to be told: that it lies there is all that is known.
    """

    kind: DieKind
    faces: dict[int, float]
    centre_px: tuple[float, float]
    box: Box
    cocked: float = 0.0
    detection: float = 1.0
    is_legible: bool = True

    @property
    def value(self) -> int:
        """The likeliest face."""
        return max(self.faces, key=lambda face: self.faces[face])

    @property
    def confidence(self) -> float:
        """Probability that `value` is right, 0-1."""
        return self.detection * self.faces[self.value]


@dataclass(frozen=True)
class TokenReading:
    """One token.

    Attributes:
        name: enrolled name; None without enrolment.
        squares: probability of each square 0-39.
        in_jail: probability of standing in the cell, on square 10 only; else 0.
        base_px: centre of its contact with the board.
        names: probability of being each of the enrolled tokens; what is missing to 1 is "none of them".
        name_confidence: probability of being that one; without a name, of being a token.
        cop: probability of being the cop instead; None where the game has none, or nothing is enrolled.
    """

    name: str | None
    squares: dict[int, float]
    base_px: tuple[float, float]
    box: Box
    in_jail: float = 0.0
    names: dict[str, float] = field(default_factory=dict)
    name_confidence: float = 1.0
    cop: float | None = None

    @property
    def square(self) -> int:
        """The likeliest square, 0-39."""
        return max(self.squares, key=lambda square: self.squares[square])

    @property
    def confidence(self) -> float:
        """Probability that name and square are both right, 0-1."""
        return self.name_confidence * self.squares[self.square]


@dataclass(frozen=True)
class BuildingReading:
    """What stands on one street."""

    houses: int
    hotel: bool
    confidence: float


@dataclass(frozen=True)
class MarkerReading:
    """A `bomb`, a `miner`, or the `cop`.

    Attributes:
        token: the cop as a token under the name `COP`, which may be an enrolled one as well; None where none was asked.
    """

    kind: str
    square: int
    confidence: float
    box: Box
    token: TokenReading | None = None


@dataclass(frozen=True)
class TableReading:
    """Everything that was read in one picture.

    Attributes:
        corners_px: (4, 2) float, GO's outer corner first, then in the direction of
            travel; None when the board was not found.
        camera_moved: the camera or the board is elsewhere than when it was calibrated.
        hand: something large that is no part of the game covers the board; nothing
            else in the reading is reliable then.
        ms: time spent on this picture, decoding excluded.
        doubted: of streets that are not clear the (2, 5) probability of 0 to 4 houses, without and with a hotel.
        die_px: edge of a usual die (16 mm) in the middle of the board; 0 where that is not known.
        light, detail: the board's brightness and fine structure as shares of the empty picture's;
            a tray's of usual pictures'.
        contrast: standard deviation of the board's brightness (0-255); 255 where that is not known.
        glare: share of each of the 40 spaces that a lamp makes white which the empty board did not mirror.
        beyond: share of each of them that lies beyond the picture's rims.
    """

    board_found: bool
    corners_px: NDArray[np.float64] | None
    camera_moved: bool
    hand: bool
    dice: list[DieReading]
    tokens: list[TokenReading]
    buildings: dict[int, BuildingReading]
    markers: list[MarkerReading]
    ms: float
    doubted: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    die_px: float = 0.0
    light: float = 1.0
    detail: float = 1.0
    contrast: float = 255.0
    glare: tuple[float, ...] = ()
    beyond: tuple[float, ...] = ()
