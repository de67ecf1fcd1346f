"""MZ-11 Winning."""

from companion.rules.monopozombie.stages import Stages

JAIL = "jail"


class Winning(Stages):
    """The ways in which this game is won."""

    def look_around(self) -> None:
        """What has become true: the next stage, the end of a turn, a win."""
        before = len(self.events)
        self.look_at_stage()
        if self.state.turn.phase == "done" and not self.state.settled:
            self.note(settled=True)
            self.settle_turn(self.state.turn.player)
        if not self.state.todo:
            self.look_for_win()
        if len(self.events) > before:
            self.run()
            self.settle()

    def settle_turn(self, player: str) -> None:
        """A turn has reached its end."""

    def is_decided(self) -> bool:
        """Nobody wins because others are bankrupt. Rule: MZ-11.8"""
        return False

    def look_for_win(self) -> None:
        """The humans' conditions of standing. Rule: MZ-11.5"""
        if not self.is_apocalypse or self.state.winners:
            return
        if self.is_safe_house():
            self.win(self.humans, "safe_house")
        elif self.is_last_homeless_safe():
            self.win(self.humans, "last_homeless")

    def human_refuge(self) -> str | None:
        """The improved space without zombies on which all humans stand."""
        places = {self.state.players[name].at for name in self.humans}
        space = places.pop() if len(places) == 1 else None
        if space is None or not self.level(space) or self.zombies_at(space):
            return None
        return space

    def is_safe_house(self) -> bool:
        """Rule: MZ-11.1 to MZ-11.3"""
        space = self.human_refuge()
        return space is not None and self.is_human_owned(space)

    def is_last_homeless_safe(self) -> bool:
        """Rule: MZ-11.4, MZ-12.6"""
        if len(self.humans) != 1 or self.human_refuge() is None:
            return False
        last = self.player(self.humans[0])
        forever = self.state.options["homeless_invisible"] == "forever"
        return last.status == "homeless" or (forever and last.once_homeless)

    def win_in_jail(self, zombie: str) -> None:
        """All were zombies when this one came to land on Jail. Rule: MZ-11.6, MZ-11.7"""
        if self.is_apocalypse and not self.state.winners:
            self.win([zombie], "jail")
