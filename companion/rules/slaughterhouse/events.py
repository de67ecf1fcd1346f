"""What happens in Slaughterhouse and nowhere else. Vocabulary: rules document, *event*."""

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.rules.events import CLASSIC_EVENTS, Awaited, Event, Jailed
from companion.rules.slaughterhouse.state import Cop, DirectedTurn, SlaughterState, Villain
from companion.rules.state import BANK, State

#: A theft of at least so many dollars is a crime. Rule: SL-6.4
CRIME = 200


class SlaughterEvent(Event, frozen=True, gc=False):
    """Base of the events of this variant."""

    def apply(self, state: State) -> None:
        if isinstance(state, SlaughterState):
            self.happen(state)

    def happen(self, state: SlaughterState) -> None:
        """Change `state` in place."""


def steal(state: SlaughterState, thief: str, creditor: str, amount: int, **changes: bool) -> None:
    """Put stolen money on record."""
    loot = villain_of(state, thief).loot
    state.edit_player(thief, loot={**loot, creditor: loot.get(creditor, 0) + amount}, **changes)


def villain_of(state: State, name: str) -> Villain:
    """The player with the record that this variant keeps."""
    player = state.players[name]
    if not isinstance(player, Villain):
        raise TypeError(f"{name} has no record: this is no game of Slaughterhouse")
    return player


class PurchaseDeclined(SlaughterEvent, frozen=True, gc=False, tag="purchase_declined"):
    player: str
    space: str


class BankRobbed(SlaughterEvent, frozen=True, gc=False, tag="bank_robbed"):
    """Rule: SL-3.1, SL-3.2"""

    player: str
    amount: int

    def happen(self, state: SlaughterState) -> None:
        steal(state, self.player, BANK, self.amount, ever_robbed=True)


class Pickpocketed(SlaughterEvent, frozen=True, gc=False, tag="pickpocketed"):
    """Rule: SL-6.2, SL-6.4"""

    player: str
    victim: str
    amount: int

    def happen(self, state: SlaughterState) -> None:
        if self.amount >= CRIME:
            steal(state, self.player, self.victim, self.amount)


class LootRepaid(SlaughterEvent, frozen=True, gc=False, tag="loot_repaid"):
    """Everything stolen is paid back. Rule: SL-8.4"""

    hidden: ClassVar[bool] = True
    player: str

    def happen(self, state: SlaughterState) -> None:
        villain = villain_of(state, self.player)
        times = villain.times_repaid + (BANK in villain.loot)
        state.edit_player(self.player, loot={}, times_repaid=times)


class LootDropped(SlaughterEvent, frozen=True, gc=False, tag="loot_dropped"):
    """What was owed to somebody bankrupt is owed no longer. Rule: SL-8.9"""

    hidden: ClassVar[bool] = True
    player: str
    creditor: str

    def happen(self, state: SlaughterState) -> None:
        loot = villain_of(state, self.player).loot
        state.edit_player(self.player, loot={name: sum_ for name, sum_ in loot.items() if name != self.creditor})


class WentBroke(SlaughterEvent, frozen=True, gc=False, tag="went_broke"):
    player: str
    amount: int


class ChairmanChanged(SlaughterEvent, frozen=True, gc=False, tag="chairman_changed"):
    """Rule: SL-3.12"""

    player: str

    def happen(self, state: SlaughterState) -> None:
        state.chairman = self.player


class TradingOpened(SlaughterEvent, frozen=True, gc=False, tag="trading_opened"):
    """Rule: SL-9.1"""

    def happen(self, state: SlaughterState) -> None:
        state.trading_open = True


class BombPlanted(SlaughterEvent, frozen=True, gc=False, tag="bomb_planted"):
    player: str
    space: str

    def happen(self, state: SlaughterState) -> None:
        state.edit_space(self.space, bomb=True)


class MinerHired(SlaughterEvent, frozen=True, gc=False, tag="miner_hired"):
    player: str
    space: str

    def happen(self, state: SlaughterState) -> None:
        state.edit_space(self.space, miner=True)


class Exploded(SlaughterEvent, frozen=True, gc=False, tag="exploded"):
    """`player`: who landed there. Rule: SL-5.4"""

    space: str
    player: str

    def happen(self, state: SlaughterState) -> None:
        state.edit_space(self.space, bomb=False)


class BombDefused(SlaughterEvent, frozen=True, gc=False, tag="bomb_defused"):
    """`player`: who landed there. Rule: SL-5.5"""

    space: str
    player: str

    def happen(self, state: SlaughterState) -> None:
        state.edit_space(self.space, bomb=False, miner=False)


class MinerRemoved(SlaughterEvent, frozen=True, gc=False, tag="miner_removed"):
    """Rule: SL-5.7"""

    space: str
    cause: str

    def happen(self, state: SlaughterState) -> None:
        state.edit_space(self.space, miner=False)


class CopMoved(SlaughterEvent, frozen=True, gc=False, tag="cop_moved"):
    """`how`: dice, card or returned."""

    origin: str = msgspec.field(name="from")
    to: str
    how: str

    def happen(self, state: SlaughterState) -> None:
        state.cop = replace(state.cop, at=self.to)


class CopCalled(SlaughterEvent, frozen=True, gc=False, tag="cop_called"):
    """Whether the Cop is out has changed. Rule: SL-7.1"""

    hidden: ClassVar[bool] = True
    out: bool

    def happen(self, state: SlaughterState) -> None:
        state.cop = Cop(state.cop.at, self.out)


class Arrested(SlaughterEvent, frozen=True, gc=False, tag="arrested"):
    player: str
    space: str


class JailedAs(Event, frozen=True, gc=False, tag="jailed"):
    """As the classic event, and whether as a thief. Rule: SL-8.1"""

    player: str
    cause: str
    thief: bool = False

    def apply(self, state: State) -> None:
        Jailed(self.player, self.cause).apply(state)


class CardGiven(SlaughterEvent, frozen=True, gc=False, tag="card_given"):
    card: str
    giver: str = msgspec.field(name="from")
    to: str


class HouseKept(SlaughterEvent, frozen=True, gc=False, tag="house_kept"):
    """Rule: SL-10.12"""

    player: str

    def happen(self, state: SlaughterState) -> None:
        state.edit_player(self.player, kept_houses=villain_of(state, self.player).kept_houses + 1)


class PassKeyUsed(SlaughterEvent, frozen=True, gc=False, tag="pass_key_used"):
    """`against`: a space, a card, or `jail`."""

    player: str
    against: str


class StockChanged(SlaughterEvent, frozen=True, gc=False, tag="stock_changed"):
    """A player has one more or one less of `thing`: bombs, miners or kept_houses."""

    hidden: ClassVar[bool] = True
    player: str
    thing: str
    by: int

    def happen(self, state: SlaughterState) -> None:
        stock = getattr(state.players[self.player], self.thing)
        state.edit_player(self.player, **{self.thing: stock + self.by})


class AwaitedDirected(Awaited, frozen=True, gc=False, tag="awaited"):
    """As the classic one, with the direction of the turn."""

    turn: DirectedTurn


_OWN: tuple[type[Event], ...] = (
    *(PurchaseDeclined, BankRobbed, Pickpocketed, LootRepaid, LootDropped, WentBroke, ChairmanChanged, TradingOpened),
    *(BombPlanted, MinerHired, Exploded, BombDefused, MinerRemoved, CopMoved, CopCalled, Arrested, JailedAs),
    *(CardGiven, HouseKept, PassKeyUsed, StockChanged, AwaitedDirected),
)
#: All events of the variant: the classic ones, `jailed` and `awaited` in their wider form, and its own.
SLAUGHTERHOUSE_EVENTS = (*(each for each in CLASSIC_EVENTS if each not in (Jailed, Awaited)), *_OWN)
