"""MZ-6.12 The order of a move, alone or together, in either direction."""

from companion.rules.events import LandedOn, Moved, PassedGo
from companion.rules.monopozombie.events import Arrived
from companion.rules.monopozombie.meeting import Meeting
from companion.rules.monopozombie.winning import JAIL


class Moves(Meeting):
    """From the space that is left to the landing."""

    def move(self, player: str, to: str, how: str, forward: bool = True) -> None:
        self.move_together({player: (to, forward)}, how, player)

    def move_together(self, ways: dict[str, tuple[str, bool]], how: str, by: str) -> None:
        """All these leave, move and arrive at once. Rule: MZ-6.12, MZ-10.8

        Args:
            ways: player -> (space to go to, whether forward).
            by: whose move it is.
        """
        self.leave_together(list(ways), by)
        for name, (to, forward) in ways.items():
            start = self.state.players[name].at or "go"
            self.tell(Moved(name, start, to, how))
            if self.comes_to_go(start, to, forward):
                self.pass_go(name)
            self.tell(LandedOn(name, to))
            self.note_passed(name, start, to, forward)
        self.leaving = ()
        for name in ways:
            if self.is_human(name):
                self.note_circuit(name)
        self.settle_arrival({name: to for name, (to, _) in ways.items()}, by)

    def comes_to_go(self, start: str, to: str, forward: bool) -> bool:
        """Whether the move reaches or crosses `go`. Rule: MZ-4.11, MZ-9.6"""
        index = self.board.index
        if forward:
            return index[to] <= index[start]
        return self.is_apocalypse and index[start] > 0 and (index[to] > index[start] or index[to] == 0)

    def pass_go(self, player: str) -> None:
        """Zombies count no laps; in the apocalypse there is no salary. Rule: MZ-5.3, MZ-9.6"""
        if not self.is_human(player):
            return
        if self.is_apocalypse:
            self.tell(PassedGo(player))
        else:
            super().pass_go(player)

    def leave_together(self, names: list[str], by: str) -> None:
        """The tokens leave: demolition, then a look at those who stay. Rule: MZ-6.12"""
        self.leaving = tuple(names)
        for space in dict.fromkeys(self.state.players[name].at or "go" for name in names):
            leavers = [name for name in names if self.state.players[name].at == space]
            self.demolish_on_leaving(space, leavers, by)
            self.look(space, by)
        turned, self.turning = self.turning, ()
        if turned:
            self.look_at_grounds_of(list(turned), by)

    def note_passed(self, player: str, start: str, to: str, forward: bool) -> None:
        """Who has to make way because of this move: see homelessness."""

    def settle_arrival(self, places: dict[str, str], by: str) -> None:
        """These stand on their new spaces: first meetings, then landings. Rule: MZ-6.12"""
        self.tell(Arrived(list(places)))
        all_zombies = not self.humans
        for name, space in reversed(places.items()):
            self.then("landing", name, space, not self.humans_at(space), all_zombies)
        for space in reversed(list(dict.fromkeys(places.values()))):
            self.then("meet", None, space, [name for name in places if places[name] == space], by)

    def do_landing(self, player: str, space: str, is_vacant: bool, all_zombies: bool) -> None:
        """The landing of whoever he now is. Rule: MZ-6.12"""
        if self.is_human(player):
            self.take_effect(player, space)
        elif space == JAIL and all_zombies:
            self.win_in_jail(player)
        else:
            if is_vacant:
                self.demolish_on_arrival(space, player)
            self.land_as_zombie(player, space)

    def land_as_zombie(self, player: str, space: str) -> None:
        """Rule: MZ-5.4, MZ-5.5, MZ-5.7"""
        printed = self.board.by_slug[space]
        if printed.kind == "card":
            self.land_on_cards(player, printed.deck)
        elif printed.is_property and self.ground(space).owner is None and not self.is_apocalypse:
            self.then("auction", None, space)
