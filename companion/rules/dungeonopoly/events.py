"""What happens in Dungeonopoly and nowhere else. Vocabulary: rules document, *event*."""

from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.rules.board import board
from companion.rules.dungeonopoly.state import NO_WARDS, DungeonState, DungeonTurn, Hero, Square
from companion.rules.events import (
    CLASSIC_EVENTS,
    Awaited,
    Built,
    Event,
    Mortgaged,
    Moved,
    Paid,
    Released,
    StandingChanged,
    converted,
)
from companion.rules.state import POT, State


class DungeonEvent(Event, frozen=True, gc=False):
    """Base of the events of this variant."""

    def apply(self, state: State) -> None:
        if isinstance(state, DungeonState):
            self.happen(state)

    def happen(self, state: DungeonState) -> None:
        """Change `state` in place."""


# -- wider forms of classic events ------------------------------------------------------------------


class Walked(DungeonEvent, frozen=True, gc=False, tag="moved", omit_defaults=True):
    """As the classic `moved`; `counts: false` where nothing of passing and landing happens. Rule: DG-2.13"""

    player: str
    origin: str | None = msgspec.field(name="from")
    to: str
    how: str
    counts: bool = True

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, at=self.to, paid_here=False)


class PaidOver(DungeonEvent, frozen=True, gc=False, tag="paid", omit_defaults=True):
    """As the classic `paid`; `hexed`: for whom the pot gets it. A team has one pool. Rule: DG-12.3, DG-13.4"""

    payer: str = msgspec.field(name="from")
    to: str
    amount: int
    reason: str
    hexed: str | None = None

    def happen(self, state: DungeonState) -> None:
        for account, amount in ((self.payer, -self.amount), (self.to, self.amount)):
            if account == POT:
                state.pot += amount
            elif account in state.players:
                put_cash(state, account, amount)


def put_cash(state: DungeonState, player: str, amount: int) -> None:
    """Put an amount (below 0: take it) into the purse of a player, or of all of the team."""
    team = state.players[player].team
    if team is None:
        state.edit_player(player, cash=state.players[player].cash + amount)
        return
    pool = state.teams[team]
    cash = pool.cash + amount
    state.teams = {**state.teams, team: replace(pool, cash=cash)}
    for member in pool.members:
        state.edit_player(member, cash=cash)


class Freed(DungeonEvent, frozen=True, gc=False, tag="released", omit_defaults=True):
    """As the classic `released`; `by`: whoever opened the lock."""

    player: str
    how: str
    by: str | None = None

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, in_jail=False, jail_turns=0)


class AwaitedDungeon(Awaited, frozen=True, gc=False, tag="awaited"):
    """As the classic one, with what this variant's turn keeps."""

    turn: DungeonTurn


class Raised(StandingChanged, frozen=True, gc=False, tag="built", omit_defaults=True):
    """As the classic `built`; `cause`: wish, where it was not bought. Rule: DG-7.20"""

    player: str
    space: str
    houses: int
    hotel: bool
    cause: str | None = None

    def apply(self, state: State) -> None:
        self.stand(state, self.space, self.houses, self.hotel)


# -- experience -------------------------------------------------------------------------------------


class EpGained(DungeonEvent, frozen=True, gc=False, tag="ep_gained"):
    """`why`: purchase, rent, ability, doubles, seven or go; `ep`: the new total. Rule: DG-1.14"""

    player: str
    why: str
    ep: int

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, ep=self.ep)


class LevelledUp(DungeonEvent, frozen=True, gc=False, tag="levelled_up"):
    """Rule: DG-1.12"""

    player: str
    level: int

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, level=self.level)


class Learned(DungeonEvent, frozen=True, gc=False, tag="learned"):
    """Rule: DG-1.13"""

    player: str
    what: str
    slug: str

    def happen(self, state: DungeonState) -> None:
        if self.what == "pact":
            state.edit_player(self.player, pact=self.slug)
        else:
            state.edit_player(self.player, learned=(*state.players[self.player].learned, self.slug))


class AbilitiesRenewed(DungeonEvent, frozen=True, gc=False, tag="abilities_renewed"):
    """Rule: DG-2.2"""

    player: str

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, used=())


# -- abilities --------------------------------------------------------------------------------------


class AbilityUsed(DungeonEvent, frozen=True, gc=False, tag="ability_used", omit_defaults=True):
    """`marks`: what is spent by it until GO. Rule: DG-2.1, DG-3.7"""

    player: str
    ability: str
    marks: str | None = None
    target: str | None = None
    on: str | None = None
    squares: int | None = None
    enchantment: str | None = None
    caster: str | None = None
    spell: str | None = None
    hotel: bool = False
    form: str | None = None
    bolts: list[dict[str, Any]] | None = None
    push: int = 0
    forced: dict[str, Any] | None = None

    def happen(self, state: DungeonState) -> None:
        if self.marks is not None:
            state.edit_player(self.player, used=(*state.players[self.player].used, self.marks))


class AbilityFailed(DungeonEvent, frozen=True, gc=False, tag="ability_failed"):
    """`cause`: missed, countered or fizzled."""

    player: str
    ability: str
    cause: str


class Damaged(DungeonEvent, frozen=True, gc=False, tag="damaged"):
    """`cause`: the ability. Rule: DG-5.1"""

    player: str
    by: str
    amount: int
    cause: str


class Warded(DungeonEvent, frozen=True, gc=False, tag="warded"):
    """Something protected her from the ability. Rule: DG-5.3"""

    player: str
    by: str
    ability: str
    cause: str


class Enchanted(DungeonEvent, frozen=True, gc=False, tag="enchanted", omit_defaults=True):
    """A character or a square, never both. Rule: DG-2.6"""

    enchantment: str
    by: str
    player: str | None = None
    space: str | None = None

    def happen(self, state: DungeonState) -> None:
        if self.space is not None:
            mark_square(state, self.space, self.enchantment, self.by)
        elif self.player is not None and self.enchantment == "charm_person":
            charmed = state.players[self.player].charmed_by
            state.edit_player(self.player, charmed_by=(*charmed, self.by))
        elif self.player is not None and self.enchantment == "barkskin":
            state.edit_player(self.player, barkskin=True)
        elif self.player is not None:
            mark_hero(state, self.player, self.enchantment, self.by)


class Disenchanted(DungeonEvent, frozen=True, gc=False, tag="disenchanted", omit_defaults=True):
    """`cause`: spent, dispelled or ended. `by`: whose charm it was, where there may be several."""

    enchantment: str
    cause: str
    player: str | None = None
    space: str | None = None
    by: str | None = None

    def happen(self, state: DungeonState) -> None:
        if self.space is not None:
            mark_square(state, self.space, self.enchantment, None)
        elif self.player is not None and self.enchantment == "charm_person":
            charmed = [name for name in state.players[self.player].charmed_by if name != self.by]
            state.edit_player(self.player, charmed_by=tuple(charmed))
        elif self.player is not None and self.enchantment == "barkskin":
            state.edit_player(self.player, barkskin=False)
        elif self.player is not None:
            mark_hero(state, self.player, self.enchantment, None)


def mark_hero(state: DungeonState, player: str, enchantment: str, maker: str | None) -> None:
    auras = state.players[player].enchantments
    state.edit_player(player, enchantments=replace(auras, **{enchantment: maker}))


def mark_square(state: DungeonState, space: str, enchantment: str, maker: str | None) -> None:
    """A square that cannot be owned is kept only while it carries something."""
    square = state.spaces.get(space) or Square()
    square = replace(square, enchantments=replace(square.enchantments, **{enchantment: maker}))
    state.spaces[space] = square
    drop_bare(state, space)


def drop_bare(state: DungeonState, space: str) -> None:
    """Forget a square that cannot be owned and carries nothing."""
    if not board().by_slug[space].is_property and state.spaces[space].enchantments == NO_WARDS:
        del state.spaces[space]


class Hidden(DungeonEvent, frozen=True, gc=False, tag="hidden"):
    """`cause`: sneak, invisibility or misty_escape. Rule: DG-2.9"""

    player: str
    cause: str

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, hidden_by=self.cause)


class Revealed(DungeonEvent, frozen=True, gc=False, tag="revealed"):
    """Rule: DG-2.9"""

    player: str
    cause: str

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, hidden_by=None)


class RollDiscarded(DungeonEvent, frozen=True, gc=False, tag="roll_discarded"):
    player: str
    dice: list[int]
    by: str


class RentWaived(DungeonEvent, frozen=True, gc=False, tag="rent_waived"):
    """Rule: DG-5.6"""

    debtor: str = msgspec.field(name="from")
    to: str
    space: str
    amount: int
    cause: str


class Conquered(DungeonEvent, frozen=True, gc=False, tag="conquered"):
    """The deed follows as `deed_transferred`. Rule: DG-6.11"""

    player: str
    space: str
    loser: str = msgspec.field(name="from")


class GlyphTriggered(DungeonEvent, frozen=True, gc=False, tag="glyph_triggered"):
    """Rule: DG-8.18"""

    player: str
    space: str
    by: str

    def happen(self, state: DungeonState) -> None:
        mark_square(state, self.space, "glyph", None)


class StruckMortgaged(DungeonEvent, frozen=True, gc=False, tag="mortgaged", omit_defaults=True):
    """As the classic `mortgaged`; by lightning, for no loan. Rule: DG-11.19"""

    player: str
    space: str
    cause: str | None = None

    def happen(self, state: DungeonState) -> None:
        state.edit_space(self.space, mortgaged=True)


class Shifted(DungeonEvent, frozen=True, gc=False, tag="shifted"):
    """Rule: DG-11.11"""

    player: str
    form: str

    def happen(self, state: DungeonState) -> None:
        state.edit_player(self.player, form=self.form)


class Trained(DungeonEvent, frozen=True, gc=False, tag="trained"):
    """`ranks`: those added. Rule: DG-9.2"""

    player: str
    skill: str
    ranks: int

    def happen(self, state: DungeonState) -> None:
        hero: Hero = state.players[self.player]
        skills = {**hero.skills, self.skill: hero.skills[self.skill] + self.ranks}
        state.edit_player(self.player, skills=skills, skill_points=hero.skill_points - self.ranks)


class MovementForfeited(DungeonEvent, frozen=True, gc=False, tag="movement_forfeited"):
    player: str


class TurnEnded(DungeonEvent, frozen=True, gc=False, tag="turn_ended"):
    """`cause`: song_of_rest or dark_delirium; the next turn starts at once."""

    player: str
    cause: str


class Drafted(DungeonEvent, frozen=True, gc=False, tag="drafted"):
    """Rule: DG-13.10"""

    player: str
    space: str

    def happen(self, state: DungeonState) -> None:
        state.edit_space(self.space, owner=self.player)


class TurnNoted(DungeonEvent, frozen=True, gc=False, tag="turn_noted"):
    """Fields of the turn take these values."""

    hidden: ClassVar[bool] = True
    values: dict[str, Any]

    def happen(self, state: DungeonState) -> None:
        state.turn = converted(state.turn, self.values)


_OWN: tuple[type[Event], ...] = (
    *(Walked, PaidOver, Freed, Raised, AwaitedDungeon, EpGained, LevelledUp, Learned, AbilitiesRenewed, AbilityUsed),
    *(AbilityFailed, Damaged, Warded, Enchanted, Disenchanted, Hidden, Revealed, RollDiscarded, RentWaived, Conquered),
    *(GlyphTriggered, StruckMortgaged, Shifted, Trained, MovementForfeited, TurnEnded, Drafted, TurnNoted),
)
_WIDER = (Moved, Paid, Released, Awaited, Mortgaged, Built)
#: All events of the variant: the classic ones, six of them in a wider form, and its own.
DUNGEON_EVENTS = (*(each for each in CLASSIC_EVENTS if each not in _WIDER), *_OWN)
