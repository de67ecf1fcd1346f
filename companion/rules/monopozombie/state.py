"""What the state holds besides that of the classic game. Vocabulary: rules document, *extra field*."""

from typing import ClassVar

import msgspec

from companion.rules.state import Player, Space, State


class Place(msgspec.Struct, frozen=True, gc=False):
    """Where a human stood when the outbreak began. Rule: MZ-8.3"""

    at: str
    laps: int


class Group(msgspec.Struct, frozen=True, gc=False):
    """Humans who move together. Rule: MZ-10.1

    Attributes:
        players: in list order.
        lead: in whose turn the group moves.
        moves: group moves made so far, 0-3.
    """

    players: tuple[str, ...]
    lead: str
    moves: int = 0


class Take(msgspec.Struct, frozen=True, gc=False):
    """Two dice of a group's pool, by their places in it, and a direction. Rule: MZ-10.6"""

    dice: tuple[int, int]
    direction: str


class ZombiePlayer(Player, frozen=True, gc=False):
    """Attributes:
    bodyguards: with him now. Rule: MZ-6.14
    bodyguards_next: paid for the time after his next roll. Rule: MZ-6.14
    outbreak_start, circuit: where his way round the board began, and whether it is done. Rule: MZ-8.3
    upskilled: homeless, and yet with three dice. Rule: MZ-10.3
    apart: turns in which he has to move alone. Rule: MZ-10.9
    once_homeless, carrying: Rule: MZ-12.6, MZ-12.8
    """

    bodyguards: int = 0
    bodyguards_next: int = 0
    outbreak_start: Place | None = None
    circuit: bool = False
    upskilled: bool = False
    apart: int = 0
    once_homeless: bool = False
    carrying: bool = False


class ZombieSpace(Space, frozen=True, gc=False):
    """Attributes:
    fortified: the next demolition takes the fortification. Rule: MZ-12.10
    """

    fortified: bool = False


class ZombieState(State):
    """Attributes:
    groups: humans who move together. Rule: MZ-10.1
    rolled: the first movement roll of this turn is made. Rule: MZ-6.14
    settled: this turn has reached phase `done`. Rule: MZ-10.9
    together: who moved as a group in this turn. Rule: MZ-10.12
    direction: chosen before the roll. Rule: MZ-12.1
    passed: homeless players who were passed and have yet to move. Rule: MZ-3.7
    chased: homeless players who moved because of this move of the turn's player. Rule: MZ-3.10
    came: player -> when he came to his space, counted in arrivals; negative: put there by hand. Rule: MZ-10.4
    pool: the dice of a group's roll, in threes. Rule: MZ-10.5
    takes: who has taken which of them. Rule: MZ-10.6
    """

    stage: str = "capitalism"
    groups: tuple[Group, ...] = ()
    rolled: bool = False
    settled: bool = False
    together: tuple[str, ...] = ()
    direction: str | None = None
    passed: tuple[str, ...] = ()
    chased: tuple[str, ...] = ()
    came: dict[str, int] = msgspec.field(default_factory=dict)
    pool: tuple[int, ...] = ()
    takes: dict[str, Take] = msgspec.field(default_factory=dict)

    internal: ClassVar[frozenset[str]] = State.internal | {
        *("rolled", "settled", "together", "direction", "passed", "chased", "came", "pool", "takes")
    }
