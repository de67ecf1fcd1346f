"""What cameras and towers report: probabilities, not verdicts.

The only part of `companion` that `vision` and `hardware` know. An observation
says what was seen; the referee decides what it means.
"""

from typing import Literal

import msgspec

from companion.rules.errors import BoardsideError as BoardsideError

#: The 40 spaces in order of travel; a vision square index is an index into this.
SPACES: tuple[str, ...] = (
    *("go", "mediterranean", "chest-1", "baltic", "income-tax", "reading", "oriental", "chance-1", "vermont"),
    *("connecticut", "jail", "st-charles", "electric", "states", "virginia", "pennsylvania-rr", "st-james"),
    *("chest-2", "tennessee", "new-york", "free-parking", "kentucky", "chance-2", "indiana", "illinois"),
    *("b-and-o", "atlantic", "ventnor", "water", "marvin", "go-to-jail", "pacific", "north-carolina", "chest-3"),
    *("pennsylvania", "short-line", "chance-3", "park-place", "luxury-tax", "boardwalk"),
)

#: The name of the piece that is nobody's, among the tokens. Rule: SL-7
COP = "cop"

DieKind = Literal["d4", "d6", "d20"]


class BoardBook(msgspec.Struct, frozen=True):
    """What a game's book has on the board: one sees better what one expects.

    Attributes:
        tokens: enrolled name -> (square 0-39, in jail).
        streets: square -> (houses, hotel), of those streets of which the book is sure.
        markers: square -> `bomb`, `miner`, of those spaces where some lie.
    """

    tokens: dict[str, tuple[int, bool]] = {}
    streets: dict[int, tuple[int, bool]] = {}
    markers: dict[int, tuple[str, ...]] = {}


class SourceError(BoardsideError):
    """A camera, file or port cannot be opened, timed out or spoke nonsense."""

    code = "source_failed"


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """Common to all observations.

    Attributes:
        picture: id of the evidence picture (see `Picture`), None where there is none.
        t_ns: the source's own monotonic clock; orders observations of one source, nothing else.
    """

    picture: str | None = None
    t_ns: int = 0


class DieSeen(msgspec.Struct, frozen=True, kw_only=True):
    """One die at rest.

    Attributes:
        faces: probability of each face, 0-1; what is missing to 1 is "something else".
        cocked: probability that it lies tilted and does not count.
        box_px: (x0, y0, x1, y1) in the evidence picture.
    """

    kind: DieKind = "d6"
    faces: dict[int, float]
    cocked: float = 0.0
    box_px: tuple[float, float, float, float] | None = None


class DiceSeen(Seen, frozen=True, kw_only=True, tag="dice"):
    """A throw has come to rest on the table or in the tray.

    `throw` counts the throws of this source: the same number again is the same
    throw seen better, never a second one.

    Attributes:
        thrown: probability that they were thrown, not only pushed along or put down, 0-1.
    """

    dice: tuple[DieSeen, ...]
    throw: int | None = None
    thrown: float = 1.0


class TowerThrow(Seen, frozen=True, kw_only=True, tag="tower"):
    """The dice tower reports a valid throw; `sequence` is its own roll number.

    Attributes:
        boot: `tower`, `boot` and `sequence` together name the throw for ever; numbers begin anew with each boot.
        confidence: 0-1 for each face, where the tower tells.
        late: it was thrown while nobody listened (unplugged, program not running) and comes only now.
    """

    faces: tuple[int, ...]
    kinds: tuple[DieKind, ...] | None = None
    sequence: int | None = None
    tower: str | None = None
    boot: str | None = None
    confidence: tuple[float, ...] | None = None
    late: bool = False


class TokenSeen(Seen, frozen=True, kw_only=True, tag="token"):
    """A token has come to rest, or is gone.

    Attributes:
        token: the player's name, or `cop`. Sources report the name it was enrolled
            under; the table translates to players.
        spaces: probability of each space, by slug.
        in_jail: on `jail`, the probability that it stands in the cell; None elsewhere.
        between: it lies on a line, so that people could read it either way.
        gone: no longer on the board.
    """

    token: str
    spaces: dict[str, float] = {}
    in_jail: float | None = None
    between: bool = False
    gone: bool = False


class StandingSeen(Seen, frozen=True, kw_only=True, tag="standing"):
    """Where tokens stand, whosoever: which is which may be told by the rules.

    Attributes:
        tokens: how many tokens are seen on each space, by slug; a token on a line counts in parts.
        named: for each name the same of the tokens that look like that one.
        in_jail: how many of those on `jail` are in the cell.
        looks: pictures that agree on this.
        hidden: spaces of which too little shows to tell that nothing stands there: a lamp is mirrored, or they are
            beyond the picture's rims.
    """

    tokens: dict[str, float]
    named: dict[str, dict[str, float]] = {}
    in_jail: float = 0.0
    looks: int = 1
    hidden: tuple[str, ...] = ()


class Building(msgspec.Struct, frozen=True):
    """What stands on one street."""

    houses: int = 0
    hotel: bool = False


class BuildingsSeen(Seen, frozen=True, kw_only=True, tag="buildings"):
    """What stands on these streets (a street that is named with nothing is empty)."""

    buildings: dict[str, Building]
    confidence: float


class MarkersSeen(Seen, frozen=True, kw_only=True, tag="markers"):
    """Bombs and miners on these spaces."""

    markers: dict[str, tuple[str, ...]]
    confidence: float


class SightSeen(Seen, frozen=True, kw_only=True, tag="sight"):
    """How well the source sees: shown as the status light, never a move.

    Attributes:
        source: `camera` or `tower`.
        state: `well`, `unsure` (says why) or `blind`.
        word: a short plain reason: "hand over the board", "camera moved, following".
    """

    source: Literal["camera", "tower"] = "camera"
    state: Literal["well", "unsure", "blind"]
    word: str = ""
    confidence: float | None = None


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """An evidence picture that other observations refer to by `id`; `jpeg` is its file content."""

    id: str
    jpeg: bytes
    t_ns: int = 0


Observation = DiceSeen | TowerThrow | TokenSeen | StandingSeen | BuildingsSeen | MarkersSeen | SightSeen
