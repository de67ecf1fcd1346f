"""The state of a game: what its events add up to.

Everything inside is immutable and replaced, never changed, except the three
containers `players`, `spaces` and the state itself, which `fork` copies. So a
fork costs two small dict copies and shares the rest.
"""

from typing import Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

BANK = "bank"
POT = "pot"


class Debt(msgspec.Struct, frozen=True, gc=False):
    """What a player could not pay at once. Rule: CL-13.1"""

    to: str
    amount: int
    reason: str


class Claim(msgspec.Struct, frozen=True, gc=False):
    """Rent that its owner has to ask for. Rule: CL-5.11

    Attributes:
        amount: None until the throw for a utility has been made.
        times: factor on that throw; not part of the snapshot.
    """

    debtor: str = msgspec.field(name="from")
    creditor: str = msgspec.field(name="to")
    space: str
    amount: int | None = None
    times: int = 0


class Player(msgspec.Struct, frozen=True, gc=False):
    """One player; a variant adds fields by subclassing (each with a default).

    Attributes:
        at: space slug; None when the token has left the board.
        owes: debts, the oldest first.
    """

    at: str | None = "go"
    cash: int = 1500
    status: str = "human"
    in_jail: bool = False
    jail_turns: int = 0
    laps: int = 0
    cards: tuple[str, ...] = ()
    owes: tuple[Debt, ...] = ()


class Space(msgspec.Struct, frozen=True, gc=False):
    """What is on a space that can be owned or that carries something; subclassed by variants."""

    owner: str | None = None
    houses: int = 0
    hotel: bool = False
    mortgaged: bool = False

    @property
    def is_built(self) -> bool:
        return self.hotel or self.houses > 0


class Bank(msgspec.Struct, frozen=True, gc=False):
    """The Bank's stock of buildings; a variant without a limit replaces these three."""

    houses: int = 32
    hotels: int = 12

    @property
    def lowest(self) -> int:
        """The smallest of its numbers."""
        return min(self.houses, self.hotels)

    def after(self, houses: int, hotels: int) -> Self:
        """The stock when so many have come back (below 0: were taken)."""
        return replace(self, houses=self.houses + houses, hotels=self.hotels + hotels)

    def has_houses(self, number: int) -> bool:
        return self.houses >= number


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Whose turn it is. `phase`: roll, resolve, done or over; `doubles` thrown in this turn."""

    player: str
    number: int = 1
    doubles: int = 0
    phase: str = "roll"


class Decision(msgspec.Struct, frozen=True, gc=False):
    """Something the game waits for.

    Attributes:
        options: answers to `choose`, None where another action answers.
        facts: what the table is shown besides (space, price, dice, purpose, ...).
        memo: what the rules need to go on; never shown.
        blocks: the steps still to do wait for it.
    """

    kind: str
    player: str
    options: tuple[str, ...] | None = None
    facts: dict[str, Any] = {}
    memo: dict[str, Any] = {}
    blocks: bool = True

    def as_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"kind": self.kind, "player": self.player, **msgspec.to_builtins(self.facts)}
        if self.options is not None:
            shown["options"] = list(self.options)
        return shown


class Step(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A step still to do: method `do_NAME(player, *args)` of the rules. `args` are plain JSON values."""

    name: str
    player: str | None
    args: list[Any]


class Auction(msgspec.Struct, frozen=True, gc=False):
    """The open auction. Rule: CL-4

    Attributes:
        space: what is sold, or None when it is a `building`.
        bidders: all who were asked, in list order.
        passed: those who have left it.
        high: the highest bid as (player, amount).
    """

    bidders: tuple[str, ...]
    space: str | None = None
    building: str | None = None
    passed: tuple[str, ...] = ()
    high: tuple[str, int] | None = None

    @property
    def lot(self) -> dict[str, str]:
        return {"space": self.space} if self.space is not None else {"building": self.building or ""}


class State(msgspec.Struct):
    """One game at one moment; a variant adds fields by subclassing (each with a default).

    Attributes:
        base: what follows when nothing is open: `roll` or `done`.
        again: the mover has another roll when this move is settled.
        dice: the movement dice of the move under way.
        todo: steps still to do, the next one last.
        decisions: those opened by steps; `pending` is everything that is open.
        start_throws: sums thrown for the first turn (CL-1.5).
        card_rent: factor of a railroad's rent and factor on a utility's throw (0: as printed) that the
            card under way names (CL-6.5, CL-6.6).
        indebted: players who owe something, in list order; kept by `edit_owes` and corrections.
    """

    variant: str
    edition: str
    options: dict[str, Any]
    turn: Turn
    players: dict[str, Player]
    spaces: dict[str, Space]
    bank: Bank = Bank()
    stage: str = "play"
    pot: int = 0
    pending: tuple[Decision, ...] = ()
    winners: tuple[str, ...] = ()
    rent_claims: tuple[Claim, ...] = ()
    base: str = "roll"
    again: bool = False
    dice: tuple[int, ...] = ()
    todo: tuple[Step, ...] = ()
    decisions: tuple[Decision, ...] = ()
    auction: Auction | None = None
    start_throws: dict[str, int] = {}
    card_rent: tuple[int, int] = (1, 0)
    indebted: tuple[str, ...] = ()

    #: Fields that are the engine's own: not in the snapshot, not in `set`.
    internal: ClassVar[frozenset[str]] = frozenset(
        {"base", "again", "dice", "todo", "decisions", "auction", "start_throws", "card_rent", "indebted"}
    )

    def fork(self) -> Self:
        """A copy that may be changed without touching this one."""
        new = self.__copy__()
        new.players = self.players.copy()
        new.spaces = self.spaces.copy()
        return new

    def __copy__(self) -> Self:
        return super().__copy__()  # type: ignore[misc, no-any-return]

    def edit_player(self, name: str, **changes: Any) -> None:
        """Replace fields of a player. For the `apply` of events only."""
        self.players[name] = replace(self.players[name], **changes)

    def edit_owes(self, name: str, owes: tuple[Debt, ...]) -> None:
        """Replace a player's debts. For the `apply` of events only."""
        self.players[name] = replace(self.players[name], owes=owes)
        self.count_debts()

    def count_debts(self) -> None:
        self.indebted = tuple(name for name, player in self.players.items() if player.owes)

    def edit_space(self, slug: str, **changes: Any) -> None:
        """Replace fields of a space. For the `apply` of events only."""
        self.spaces[slug] = replace(self.spaces[slug], **changes)
