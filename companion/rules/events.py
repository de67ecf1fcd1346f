"""What can happen: typed events, each of which knows how it changes the state.

Every change of a state is the `apply` of one of these, whether the game is
played (`Game.act`), computed (`decide`, `evolve`) or folded from a journal.
A variant declares its own events in the same way. Those with `hidden = True`
are bookkeeping that the table is not told.
"""

import functools
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from companion.rules.state import BANK, POT, Auction, Claim, Debt, Decision, State, Step, Turn

Record = TypeVar("Record", bound=msgspec.Struct)


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    """Base of all events; without `apply` an event tells something and changes nothing."""

    hidden: ClassVar[bool] = False

    def apply(self, state: State) -> None:
        """Change `state` in place."""


class Rolled(Event, frozen=True, gc=False, tag="rolled"):
    player: str
    dice: list[int]
    purpose: str


class Moved(Event, frozen=True, gc=False, tag="moved"):
    """`how`: roll, card, jail, ability."""

    player: str
    origin: str | None = msgspec.field(name="from")
    to: str
    how: str

    def apply(self, state: State) -> None:
        state.players[self.player] = replace(state.players[self.player], at=self.to)


class PassedGo(Event, frozen=True, gc=False, tag="passed_go"):
    player: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, laps=state.players[self.player].laps + 1)


class LandedOn(Event, frozen=True, gc=False, tag="landed_on"):
    player: str
    space: str


class Paid(Event, frozen=True, gc=False, tag="paid"):
    """The only way in which money moves. `payer`, `to`: a player, `bank` or `pot`; amount above 0."""

    payer: str = msgspec.field(name="from")
    to: str
    amount: int
    reason: str

    def apply(self, state: State) -> None:
        players = state.players
        if self.payer in players:
            payer = players[self.payer]
            players[self.payer] = replace(payer, cash=payer.cash - self.amount)
        elif self.payer == POT:
            state.pot -= self.amount
        if self.to in players:
            to = players[self.to]
            players[self.to] = replace(to, cash=to.cash + self.amount)
        elif self.to == POT:
            state.pot += self.amount


class DebtOpened(Event, frozen=True, gc=False, tag="debt_opened"):
    """The cash is not there: a debt stands. Rule: CL-13.1"""

    hidden: ClassVar[bool] = True
    player: str
    to: str
    amount: int
    reason: str

    def apply(self, state: State) -> None:
        owes = state.players[self.player].owes
        state.edit_owes(self.player, (*owes, Debt(self.to, self.amount, self.reason)))


class DebtClosed(Event, frozen=True, gc=False, tag="debt_closed"):
    """The oldest debt (or the one at `place`) is settled or has lapsed."""

    hidden: ClassVar[bool] = True
    player: str
    place: int = 0

    def apply(self, state: State) -> None:
        owes = state.players[self.player].owes
        state.edit_owes(self.player, owes[: self.place] + owes[self.place + 1 :])


class RentOwed(Event, frozen=True, gc=False, tag="rent_owed"):
    debtor: str = msgspec.field(name="from")
    to: str
    space: str
    amount: int


class RentClaimed(Event, frozen=True, gc=False, tag="rent_claim_opened"):
    """Rent waits to be demanded. Rule: CL-5.11"""

    hidden: ClassVar[bool] = True
    claim: Claim

    def apply(self, state: State) -> None:
        state.rent_claims = (*state.rent_claims, self.claim)


class RentClaimClosed(Event, frozen=True, gc=False, tag="rent_claim_closed"):
    hidden: ClassVar[bool] = True
    place: int

    def apply(self, state: State) -> None:
        state.rent_claims = state.rent_claims[: self.place] + state.rent_claims[self.place + 1 :]


class RentLapsed(Event, frozen=True, gc=False, tag="rent_lapsed"):
    debtor: str = msgspec.field(name="from")
    to: str
    space: str


class Bought(Event, frozen=True, gc=False, tag="bought"):
    player: str
    space: str
    price: int

    def apply(self, state: State) -> None:
        state.edit_space(self.space, owner=self.player)


class AuctionOpened(Event, frozen=True, gc=False, tag="auction_opened", omit_defaults=True):
    bidders: list[str]
    space: str | None = None
    building: str | None = None

    def apply(self, state: State) -> None:
        state.auction = Auction(tuple(self.bidders), self.space, self.building)


class BidMade(Event, frozen=True, gc=False, tag="bid_made", omit_defaults=True):
    player: str
    amount: int
    space: str | None = None
    building: str | None = None

    def apply(self, state: State) -> None:
        if state.auction is not None:
            state.auction = replace(state.auction, high=(self.player, self.amount))


class Passed(Event, frozen=True, gc=False, tag="passed", omit_defaults=True):
    player: str
    space: str | None = None
    building: str | None = None

    def apply(self, state: State) -> None:
        if state.auction is not None:
            state.auction = replace(state.auction, passed=(*state.auction.passed, self.player))


class AuctionWon(Event, frozen=True, gc=False, tag="auction_won", omit_defaults=True):
    player: str
    price: int
    space: str | None = None
    building: str | None = None

    def apply(self, state: State) -> None:
        state.auction = None
        if self.space is not None:
            state.edit_space(self.space, owner=self.player)


class AuctionFailed(Event, frozen=True, gc=False, tag="auction_failed", omit_defaults=True):
    space: str | None = None
    building: str | None = None

    def apply(self, state: State) -> None:
        state.auction = None


class AuctionDropped(Event, frozen=True, gc=False, tag="auction_dropped"):
    """The open auction ends without a result (a win, a change of stage, a correction by hand)."""

    hidden: ClassVar[bool] = True

    def apply(self, state: State) -> None:
        state.auction = None


class CardDrawn(Event, frozen=True, gc=False, tag="card_drawn"):
    player: str
    deck: str
    card: str


class CardKept(Event, frozen=True, gc=False, tag="card_kept"):
    player: str
    card: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, cards=(*state.players[self.player].cards, self.card))


class CardReturned(Event, frozen=True, gc=False, tag="card_returned"):
    player: str
    card: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, cards=without(state.players[self.player].cards, self.card))


class CardTransferred(Event, frozen=True, gc=False, tag="card_transferred"):
    card: str
    giver: str = msgspec.field(name="from")
    to: str
    cause: str

    def apply(self, state: State) -> None:
        state.edit_player(self.giver, cards=without(state.players[self.giver].cards, self.card))
        state.edit_player(self.to, cards=(*state.players[self.to].cards, self.card))


class Jailed(Event, frozen=True, gc=False, tag="jailed"):
    player: str
    cause: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, in_jail=True, jail_turns=0)


class JailTurnSpent(Event, frozen=True, gc=False, tag="jail_turn_spent"):
    hidden: ClassVar[bool] = True
    player: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, jail_turns=state.players[self.player].jail_turns + 1)


class Released(Event, frozen=True, gc=False, tag="released"):
    player: str
    how: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, in_jail=False, jail_turns=0)


class StandingChanged(Event, frozen=True, gc=False):
    """Base of the events that say what now stands on a street, the Bank's stock following."""

    def stand(self, state: State, slug: str, houses: int, hotel: bool) -> None:
        before = state.spaces[slug]
        state.spaces[slug] = replace(before, houses=houses, hotel=hotel)
        state.bank = state.bank.after(before.houses - houses, before.hotel - hotel)


class Built(StandingChanged, frozen=True, gc=False, tag="built"):
    player: str
    space: str
    houses: int
    hotel: bool

    def apply(self, state: State) -> None:
        self.stand(state, self.space, self.houses, self.hotel)


class Unbuilt(StandingChanged, frozen=True, gc=False, tag="unbuilt"):
    player: str
    space: str
    houses: int
    hotel: bool

    def apply(self, state: State) -> None:
        self.stand(state, self.space, self.houses, self.hotel)


class Demolished(StandingChanged, frozen=True, gc=False, tag="demolished"):
    """`by`: whose move or deed set it off, None where nobody's."""

    space: str
    houses: int
    hotel: bool
    cause: str
    by: str | None = None

    def apply(self, state: State) -> None:
        self.stand(state, self.space, self.houses, self.hotel)


class Mortgaged(Event, frozen=True, gc=False, tag="mortgaged"):
    player: str
    space: str

    def apply(self, state: State) -> None:
        state.edit_space(self.space, mortgaged=True)


class Unmortgaged(Event, frozen=True, gc=False, tag="unmortgaged"):
    player: str
    space: str

    def apply(self, state: State) -> None:
        state.edit_space(self.space, mortgaged=False)


class Traded(Event, frozen=True, gc=False, tag="traded"):
    """Deeds and cards change hands here; the cash follows as `paid`."""

    player: str
    partner: str = msgspec.field(name="with")
    give: dict[str, Any]
    get: dict[str, Any]

    def apply(self, state: State) -> None:
        for bundle, giver, taker in ((self.give, self.player, self.partner), (self.get, self.partner, self.player)):
            for slug in bundle["spaces"]:
                state.edit_space(slug, owner=taker)
            for card in bundle["cards"]:
                state.edit_player(giver, cards=without(state.players[giver].cards, card))
                state.edit_player(taker, cards=(*state.players[taker].cards, card))


class DeedTransferred(Event, frozen=True, gc=False, tag="deed_transferred"):
    """`to`: a player, or `bank`, where a mortgage is lifted."""

    space: str
    giver: str | None = msgspec.field(name="from")
    to: str
    cause: str

    def apply(self, state: State) -> None:
        if self.to == BANK:
            state.edit_space(self.space, owner=None, mortgaged=False)
        else:
            state.edit_space(self.space, owner=self.to)


class Dealt(Event, frozen=True, gc=False, tag="dealt"):
    player: str
    spaces: list[str]

    def apply(self, state: State) -> None:
        for slug in self.spaces:
            state.edit_space(slug, owner=self.player)


class WentBankrupt(Event, frozen=True, gc=False, tag="went_bankrupt"):
    player: str
    to: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, cards=())
        state.edit_owes(self.player, ())


class LeftBoard(Event, frozen=True, gc=False, tag="left_board"):
    """The player is out of the game and the token off the board. Rule: CL-13.11"""

    hidden: ClassVar[bool] = True
    player: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, status="bankrupt", at=None, in_jail=False, jail_turns=0)


class StatusChanged(Event, frozen=True, gc=False, tag="status_changed"):
    hidden: ClassVar[bool] = True
    player: str
    status: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, status=self.status)


class StageChanged(Event, frozen=True, gc=False, tag="stage_changed"):
    stage: str

    def apply(self, state: State) -> None:
        state.stage = self.stage


class TurnStarted(Event, frozen=True, gc=False, tag="turn_started"):
    player: str

    def apply(self, state: State) -> None:
        state.turn = type(state.turn)(self.player, state.turn.number + 1)


class GameWon(Event, frozen=True, gc=False, tag="game_won", omit_defaults=True):
    winners: list[str]
    how: str
    worth: dict[str, int] | None = None

    def apply(self, state: State) -> None:
        state.winners = tuple(self.winners)


class PlayerNoted(Event, frozen=True, gc=False, tag="player_noted"):
    """Fields of a player take these values (bookkeeping of the rules that has no event of its own)."""

    hidden: ClassVar[bool] = True
    player: str
    values: dict[str, Any]

    def apply(self, state: State) -> None:
        state.players[self.player] = converted(state.players[self.player], self.values)
        state.count_debts()


class SpaceNoted(Event, frozen=True, gc=False, tag="space_noted"):
    hidden: ClassVar[bool] = True
    space: str
    values: dict[str, Any]

    def apply(self, state: State) -> None:
        state.spaces[self.space] = converted(state.spaces[self.space], self.values)


class StateNoted(Event, frozen=True, gc=False, tag="state_noted"):
    hidden: ClassVar[bool] = True
    values: dict[str, Any]

    def apply(self, state: State) -> None:
        for name, value in typed_fields(type(state), self.values).items():
            setattr(state, name, value)


class Corrected(Event, frozen=True, gc=False, tag="corrected"):
    """Somebody has put the book right by hand: a partial state, merged."""

    changes: dict[str, Any]

    def apply(self, state: State) -> None:
        from companion.rules.corrections import merge

        merge(state, self.changes)


class Awaited(Event, frozen=True, gc=False, tag="awaited"):
    """Where an action leaves the flow of the game: what is open and which steps are still to do."""

    hidden: ClassVar[bool] = True
    turn: Turn
    pending: tuple[Decision, ...]
    decisions: tuple[Decision, ...]
    todo: tuple[Step, ...]
    base: str
    again: bool
    dice: tuple[int, ...]
    start_throws: dict[str, int]
    card_rent: tuple[int, int]
    auction: Auction | None

    def apply(self, state: State) -> None:
        for name in self.__struct_fields__:
            setattr(state, name, getattr(self, name))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """`cards` less one `card`."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


@functools.cache
def _field_types(struct: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(struct)}


def typed_fields(struct: type[msgspec.Struct], values: dict[str, Any]) -> dict[str, Any]:
    """`values` as the types that the struct's fields have (lists become tuples, mappings structs)."""
    types = _field_types(struct)
    return {name: msgspec.convert(msgspec.to_builtins(value), types[name]) for name, value in values.items()}


def converted(struct: Record, values: dict[str, Any]) -> Record:
    """`struct` with these fields replaced."""
    return replace(struct, **typed_fields(type(struct), values))


#: Events of the classic rules, by their `type`. A variant adds its own in its class attribute `events`.
CLASSIC_EVENTS: tuple[type[Event], ...] = (
    *(Rolled, Moved, PassedGo, LandedOn, Paid, DebtOpened, DebtClosed, RentOwed, RentClaimed, RentClaimClosed),
    *(RentLapsed, Bought, AuctionOpened, BidMade, Passed, AuctionWon, AuctionFailed, AuctionDropped, CardDrawn),
    *(CardKept, CardReturned, CardTransferred, Jailed, JailTurnSpent, Released, Built, Unbuilt, Demolished),
    *(Mortgaged, Unmortgaged, Traded, DeedTransferred, Dealt, WentBankrupt, LeftBoard, StatusChanged, StageChanged),
    *(TurnStarted, GameWon, PlayerNoted, SpaceNoted, StateNoted, Corrected, Awaited),
)
