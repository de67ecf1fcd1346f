"""What happens in this game besides the events of the classic one. Vocabulary: rules document, *event*."""

from msgspec.structs import replace

from companion.rules.events import Event
from companion.rules.state import State


class BecameHomeless(Event, frozen=True, gc=False, tag="became_homeless"):
    """Rule: MZ-3.1"""

    player: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, status="homeless", in_jail=False, jail_turns=0, once_homeless=True)


class Recovered(Event, frozen=True, gc=False, tag="recovered"):
    """Rule: MZ-3.12"""

    player: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, status="human", once_homeless=True)


class Converted(Event, frozen=True, gc=False, tag="converted", omit_defaults=True):
    """A house that he carried goes to the Bank. Rule: MZ-4.12, MZ-12.9

    Attributes:
        space: where others converted him; None for a throw, a card or the Jail square.
        against: what counted there, zombies' side first.
    """

    player: str
    cause: str
    space: str | None = None
    against: tuple[int, int] | None = None

    def apply(self, state: State) -> None:
        if getattr(state.players[self.player], "carrying", False):
            state.bank = replace(state.bank, houses=state.bank.houses + 1)
        state.edit_player(
            self.player, status="zombie", in_jail=False, jail_turns=0, bodyguards=0, bodyguards_next=0, carrying=False
        )


class ImmunitySpent(Event, frozen=True, gc=False, tag="immunity_spent"):
    """Rule: MZ-4.8"""

    player: str
    card: str
    cause: str


class BodyguardsHired(Event, frozen=True, gc=False, tag="bodyguards_hired"):
    """Rule: MZ-6.13"""

    player: str
    number: int


class BodyguardsLeft(Event, frozen=True, gc=False, tag="bodyguards_left"):
    """Rule: MZ-6.14"""

    player: str
    number: int


class CircuitCompleted(Event, frozen=True, gc=False, tag="circuit_completed"):
    """Rule: MZ-8.3"""

    player: str

    def apply(self, state: State) -> None:
        state.edit_player(self.player, circuit=True)


class GroupFormed(Event, frozen=True, gc=False, tag="group_formed"):
    """Rule: MZ-10.1"""

    players: list[str]
    lead: str


class GroupSplit(Event, frozen=True, gc=False, tag="group_split"):
    """`players`: who left; `cause`: three_turns, parted, converted. Rule: MZ-10.9, MZ-10.10, MZ-10.13"""

    players: list[str]
    cause: str


class TurnDelayed(Event, frozen=True, gc=False, tag="turn_delayed"):
    """Rule: MZ-10.4"""

    player: str


class DiceTaken(Event, frozen=True, gc=False, tag="dice_taken"):
    """Rule: MZ-10.6"""

    player: str
    dice: list[int]
    direction: str


class ClaimOverruled(Event, frozen=True, gc=False, tag="claim_overruled"):
    """`die`: its value. Rule: MZ-10.7"""

    player: str
    by: str
    die: int


class BattleFought(Event, frozen=True, gc=False, tag="battle_fought"):
    """Sums of both sides; `won`: humans, zombies. Rule: MZ-12.4"""

    space: str
    defence: int
    attack: int
    won: str


class HouseCarried(Event, frozen=True, gc=False, tag="house_carried"):
    """Rule: MZ-12.8"""

    player: str
    space: str

    def apply(self, state: State) -> None:
        state.edit_space(self.space, houses=state.spaces[self.space].houses - 1)
        state.edit_player(self.player, carrying=True)


class HouseDeposited(Event, frozen=True, gc=False, tag="house_deposited"):
    """Rule: MZ-12.9"""

    player: str
    space: str

    def apply(self, state: State) -> None:
        state.edit_space(self.space, owner=self.player, houses=1, mortgaged=False)
        state.edit_player(self.player, carrying=False)


class Fortified(Event, frozen=True, gc=False, tag="fortified"):
    """Rule: MZ-12.10"""

    player: str
    space: str

    def apply(self, state: State) -> None:
        state.edit_space(self.space, fortified=True)


class FortificationLost(Event, frozen=True, gc=False, tag="fortification_lost"):
    """Rule: MZ-12.10"""

    space: str
    cause: str
    by: str | None = None

    def apply(self, state: State) -> None:
        state.edit_space(self.space, fortified=False)


class Arrived(Event, frozen=True, gc=False, tag="arrived"):
    """These came to their spaces at the same time. Rule: MZ-10.4"""

    hidden = True
    players: list[str]

    def apply(self, state: State) -> None:
        came = state.came  # type: ignore[attr-defined]
        now = 1 + max(map(abs, came.values()), default=0)
        state.came = {**came, **dict.fromkeys(self.players, now)}  # type: ignore[attr-defined]


#: Events of this game beyond the classic ones.
ZOMBIE_EVENTS: tuple[type[Event], ...] = (
    *(BecameHomeless, Recovered, Converted, ImmunitySpent, BodyguardsHired, BodyguardsLeft, CircuitCompleted),
    *(GroupFormed, GroupSplit, TurnDelayed, DiceTaken, ClaimOverruled, BattleFought, HouseCarried, HouseDeposited),
    *(Fortified, FortificationLost, Arrived),
)
