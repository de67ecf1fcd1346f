"""Monopocalypse, the Zombie War: what differs from MonopoZombie. Rule: MA-1 to MA-7"""

from typing import Any, ClassVar

from companion.rules.events import Event
from companion.rules.monopozombie.events import BecameHomeless
from companion.rules.monopozombie.rules import MonopoZombie
from companion.rules.monopozombie.state import ZombieState


class MonopocalypseState(ZombieState):
    """Attributes:
    outbreak_waiting: who has not had a turn since the outbreak began. Rule: MA-6.1
    outbreak_turn: number of the turn in which it began. Rule: MA-6.2
    """

    outbreak_waiting: tuple[str, ...] = ()
    outbreak_turn: int = 0

    internal: ClassVar[frozenset[str]] = ZombieState.internal | {"outbreak_turn"}


class Monopocalypse(MonopoZombie):
    """Numbers decide everywhere, also in houses; and the apocalypse waits for everybody's turn."""

    name: ClassVar[str] = "monopocalypse"
    title: ClassVar[str] = "Monopocalypse"
    state_type = MonopocalypseState
    state: MonopocalypseState

    # -- MA-1 The first lap --------------------------------------------------------------------

    def can_turn(self, player: str) -> bool:
        """In the apocalypse nobody is immune. Rule: MA-1.3"""
        return super().can_turn(player) or (self.is_apocalypse and self.is_human(player))

    def begin_apocalypse(self) -> None:
        """Where an immunity has just ended, the points are looked at. Rule: MA-1.4"""
        first_lap = [name for name in self.humans if not self.can_turn(name)]
        super().begin_apocalypse()
        free = [name for name in first_lap if not self.state.players[name].in_jail]
        spaces = {self.state.players[name].at or "go" for name in free}
        self.look_at_all(spaces, self.state.turn.player)

    # -- MA-3 Points ---------------------------------------------------------------------------

    def conversion_points(self, space: str) -> int:
        """Zombies, and the ground if it is infected. Rule: MA-3.1"""
        return len(self.zombies_at(space)) + (1 if self.is_infected(space) else 0)

    def immunity_points(self, space: str) -> int:
        """Humans, their bodyguards, and each level, also on an infection ground. Rule: MA-3.1, MA-3.2, MA-3.12"""
        return len(self.humans_at(space)) + self.guards_at(space) + self.level(space)

    def sides_at(self, space: str) -> tuple[int, int]:
        """Rule: MA-3.1"""
        return self.conversion_points(space), self.immunity_points(space)

    def condemned(self, space: str, arrivals: list[str]) -> dict[str, str]:
        """Rule: MA-3.1 to MA-3.7, MA-3.13"""
        points = self.conversion_points(space)
        if self.is_refuge(space) or not points or points < self.immunity_points(space):
            return {}
        cause = "outnumbered" if self.zombies_at(space) else "infection_ground"
        return {name: cause for name in self.humans_at(space) if self.can_turn(name)}

    def defence_dice(self, space: str) -> int:
        """Rule: MA-3.14"""
        return self.immunity_points(space)

    def attack_dice(self, space: str) -> int:
        """Rule: MA-3.14"""
        return self.conversion_points(space)

    def look_at_grounds_of(self, victims: list[str], by: str) -> None:
        """What they own is infected now: it is looked at, in board order. Rule: MA-3.9, MA-3.11, MA-5.7"""
        self.look_at_all({slug for name in victims for slug in self.deeds_of(name)}, by)

    def look_at_all(self, spaces: set[str], by: str) -> None:
        """Each conversion goes on to the grounds that it turns, until nothing more changes. Rule: MA-3.11"""
        for space in sorted(spaces, key=self.board.index.__getitem__):
            if self.humans_at(space):
                self.look(space, by)

    # -- MA-6 From outbreak to apocalypse ------------------------------------------------------

    def begin_outbreak(self) -> None:
        """Everybody who has turns is owed one. Rule: MA-6.1"""
        super().begin_outbreak()
        waiting = [name for name in self.order if not self.is_homeless(name)]
        self.note(outbreak_waiting=waiting, outbreak_turn=self.state.turn.number)

    def look_at_stage(self) -> None:
        """Nothing begins the apocalypse while a turn is owed. Rule: MA-6.2, MA-6.6"""
        if not self.state.outbreak_waiting:
            super().look_at_stage()

    def settle_turn(self, player: str) -> None:
        """Rule: MA-6.2"""
        super().settle_turn(player)
        if self.state.turn.number > self.state.outbreak_turn:
            self.stop_waiting_for(player)

    def tell(self, event: Event) -> None:
        """Rule: MA-6.2"""
        super().tell(event)
        if isinstance(event, BecameHomeless):
            self.stop_waiting_for(event.player)

    def stop_waiting_for(self, player: str) -> None:
        if player in self.state.outbreak_waiting:
            self.note(outbreak_waiting=[name for name in self.state.outbreak_waiting if name != player])
            self.look_at_stage()

    def correct(self, changes: Any) -> None:
        """A turn given in phase `roll` counts as begun after the outbreak did. Rule: MA-6.7, MZ-1.5"""
        super().correct(changes)
        turn = changes.get("turn", {})
        if ("player" in turn or "phase" in turn) and turn.get("phase", "roll") == "roll":
            self.note(outbreak_turn=self.state.turn.number - 1)
