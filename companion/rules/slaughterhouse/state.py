"""What a game of Slaughterhouse keeps besides the classic state. Vocabulary: rules document, *extra … field*."""

from typing import ClassVar, Self

import msgspec

from companion.rules.state import Bank, Player, Space, State, Turn


class Villain(Player, frozen=True, gc=False):
    """A player with a record.

    Attributes:
        loot: dollars to be paid back, by creditor (`bank` or a player); creditors with 0 are left out.
        wanted: whether there is loot; always worked out from it. Rule: SL-7.2
        times_repaid: repayments of bank loot.
        bombs, miners, kept_houses: stock from cards.
    """

    loot: dict[str, int] = msgspec.field(default_factory=dict)
    wanted: bool = False
    ever_robbed: bool = False
    ever_monopoly: bool = False
    times_repaid: int = 0
    bombs: int = 0
    miners: int = 0
    kept_houses: int = 0

    def __post_init__(self) -> None:
        if 0 in self.loot.values():
            left = {creditor: amount for creditor, amount in self.loot.items() if amount}
            msgspec.structs.force_setattr(self, "loot", left)
        if self.wanted is not bool(self.loot):
            msgspec.structs.force_setattr(self, "wanted", bool(self.loot))


class Lot(Space, frozen=True, gc=False):
    """A property that may carry a bomb and a miner. Rule: SL-5.1, SL-5.2"""

    bomb: bool = False
    miner: bool = False


class EndlessBank(Bank, frozen=True, gc=False):
    """It never runs out of buildings. Rule: SL-4.1"""

    houses: None = None  # type: ignore[assignment]
    hotels: None = None  # type: ignore[assignment]

    @property
    def lowest(self) -> int:
        return 0

    def after(self, houses: int, hotels: int) -> Self:
        return self

    def has_houses(self, number: int) -> bool:
        return True


class DirectedTurn(Turn, frozen=True, gc=False):
    """`backwards`: the movement throws go backwards. Rule: SL-10.15"""

    backwards: bool = False


class Cop(msgspec.Struct, frozen=True, gc=False):
    """The Cop's token. `out`: he hunts; always worked out. Rule: SL-7.1"""

    at: str = "go-to-jail"
    out: bool = False


class Course(msgspec.Struct, frozen=True, gc=False):
    """What this turn has brought for its end. Rule: SL-11.2

    Attributes:
        steps: sum of the dice by which the mover's token has moved.
        cop_stays: he has moved by card and does not move by dice.
        jail_bound: the mover goes to Jail when all is settled.
        closed: the end of the turn has come.
    """

    steps: int = 0
    cop_stays: bool = False
    jail_bound: bool = False
    closed: bool = False


class SlaughterState(State):
    """`chairman`: None until the first turn. `trading_open`: deals with deeds are possible."""

    turn: DirectedTurn
    bank: EndlessBank = EndlessBank()
    cop: Cop = Cop()
    chairman: str | None = None
    trading_open: bool = False
    course: Course = Course()

    internal: ClassVar[frozenset[str]] = State.internal | {"course"}
