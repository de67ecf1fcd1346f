"""MZ-4 Becoming a zombie."""

from companion.rules.events import CardReturned, Moved, Paid, Rolled
from companion.rules.monopozombie.events import Converted, GroupSplit, ImmunitySpent
from companion.rules.monopozombie.state import Group
from companion.rules.monopozombie.winning import JAIL, Winning
from companion.rules.state import BANK, Decision

#: What a way to Jail is called when it converts instead. Rule: MZ-4.5, MZ-4.6
JAIL_CAUSES = {"card": "jail_card", "go_to_jail": "jail_square"}


class Conversion(Winning):
    """Who is converted, what saves him, and what becomes of him."""

    def can_turn(self, player: str) -> bool:
        """Whether anything can convert this human: not until he first comes to `go`. Rule: MZ-4.10, MZ-9.6"""
        return self.is_human(player) and self.state.players[player].laps > 0

    def suffer(self, player: str, cause: str, by: str | None = None) -> bool:
        """One human meets a conversion; whether he is a zombie now. Rule: MZ-4.8, MZ-4.10"""
        victims = self.convert({player: cause}) if self.can_turn(player) else []
        if victims and player not in self.turning:
            self.look_at_grounds_of(victims, by or player)
        return bool(victims)

    def look_at_grounds_of(self, victims: list[str], by: str) -> None:
        """Grounds that turn under a human do not convert him. Rule: MZ-6.3"""

    def convert(self, causes: dict[str, str], space: str | None = None) -> list[str]:
        """All these at once, but for those whom a card saves; returns the new zombies. Rule: MZ-4.8, MZ-6.10"""
        against = None if space is None else self.sides_at(space)
        victims = [name for name in self.order if name in causes and not self.spend_immunity(name, causes[name])]
        for name in victims:
            self.become_zombie(name, Converted(name, causes[name], space, against))
        if victims:
            self.look_at_stage()
        return victims

    def spend_immunity(self, player: str, cause: str) -> bool:
        """Rule: MZ-4.8"""
        card = self.jail_card(player)
        if card is None:
            return False
        self.tell(ImmunitySpent(player, card, cause))
        self.tell(CardReturned(player, card))
        return True

    def sides_at(self, space: str) -> tuple[int, int]:
        """What counts on a space: for the zombies, for the humans."""
        raise NotImplementedError

    def become_zombie(self, player: str, event: Converted) -> None:
        """Rule: MZ-4.12, MZ-4.13"""
        self.tell(event)
        if self.state.stage == "capitalism":
            self.begin_outbreak()
        if self.state.players[player].cash > 0:
            self.tell(Paid(player, BANK, self.state.players[player].cash, "conversion"))
        self.drop_affairs(player)
        self.leave_group([player], "converted")

    def forget_steps(self, player: str | None = None) -> None:
        """What is left of a move is ended all the same, for those who were passed. Rule: MZ-3.9"""
        self.state.todo = tuple(
            step
            for step in self.state.todo
            if player is not None and (step.player != player or step.name == "end_move")
        )

    def leave_group(self, names: list[str], cause: str) -> None:
        """These are in no group any more; a group of one is none. Rule: MZ-10.10, MZ-10.13"""
        groups: list[Group] = []
        for group in self.state.groups:
            gone = [name for name in group.players if name in names]
            left = tuple(name for name in group.players if name not in names)
            if gone:
                self.tell(GroupSplit(gone, cause))
            if len(left) > 1:
                groups.append(Group(left, self.next_lead(group, left), group.moves))
        if tuple(groups) != self.state.groups:
            self.note(groups=groups)

    def next_lead(self, group: Group, left: tuple[str, ...]) -> str:
        """If the lead is gone, the next in turn order after him leads. Rule: MZ-10.10"""
        return next(name for name in (group.lead, *self.others_from(group.lead)) if name in left)

    # -- throws --------------------------------------------------------------------------------

    def move_by_roll(self, player: str, dice: tuple[int, ...]) -> None:
        """A double one converts: he leaves as a human and arrives as a zombie. Rule: MZ-4.1, MZ-4.2, MZ-4.4"""
        if dice == (1, 1):
            self.turn_by_throw(player, "snake_eyes")
        super().move_by_roll(player, dice)

    def third_double(self, player: str, dice: tuple[int, ...]) -> None:
        """Rule: MZ-4.7, MZ-4.9"""
        if not self.can_turn(player):
            super().third_double(player, dice)
            return
        self.state.again = False
        self.then("end_move", player)
        self.turn_by_throw(player, "snake_eyes" if dice == (1, 1) else "third_double")
        super().move_by_roll(player, dice)

    def turn_by_throw(self, player: str, cause: str) -> None:
        """Until the token has left, he and his deeds count as a human's where he stands. Rule: MZ-4.2"""
        self.turning = (*self.turning, player)
        if not self.suffer(player, cause):
            self.turning = tuple(name for name in self.turning if name != player)

    def throw_utility_rent(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """A double one converts on the spot, and no rent is owed. Rule: MZ-4.3"""
        player = decision.player
        if dice != (1, 1) or not self.can_turn(player):
            super().throw_utility_rent(decision, dice)
            return
        self.close(decision)
        self.tell(Rolled(player, list(dice), "utility_rent"))
        if not self.suffer(player, "snake_eyes"):
            self.owe_utility_rent(decision, dice)

    # -- the ways to Jail ----------------------------------------------------------------------

    def go_to_jail(self, player: str, cause: str) -> None:
        """Rule: MZ-4.5, MZ-4.6, MZ-4.10, MZ-3.14, MZ-5.5, MZ-9.5"""
        if self.can_turn(player):
            self.suffer(player, JAIL_CAUSES[cause])
        elif self.is_human(player) and not self.is_apocalypse:
            self.leave_together([player], player)
            if self.state.players[player].status == "homeless":
                self.tell(Moved(player, self.state.players[player].at, JAIL, JAIL))
                self.settle_arrival({player: JAIL}, player)
            else:
                super().go_to_jail(player, cause)
            self.leaving = ()

    def leave_together(self, names: list[str], by: str) -> None:
        raise NotImplementedError

    def settle_arrival(self, places: dict[str, str], by: str) -> None:
        raise NotImplementedError
