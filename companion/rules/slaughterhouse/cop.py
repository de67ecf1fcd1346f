"""The Cop. Rule: SL-7"""

from companion.rules.events import Moved
from companion.rules.slaughterhouse.buildings import Buildings
from companion.rules.slaughterhouse.events import Arrested, CopCalled, CopMoved, JailedAs, MinerRemoved

HOME = "go-to-jail"


class Cops(Buildings):
    """Whom he hunts, where he goes and what he does there."""

    def is_cop_wanted(self) -> bool:
        """Whether some player is wanted or a miner is on the board. Rule: SL-7.1"""
        if any(self.villain(name).wanted for name in self.state.players if self.in_game(name)):
            return True
        return any(getattr(space, "miner", False) for space in self.state.spaces.values())

    def move_cop(self, to: str, how: str) -> None:
        """He goes there; what he finds where he stops. Rule: SL-5.7, SL-7.5"""
        self.tell(CopMoved(self.state.cop.at, to, how))
        lot = self.lot(to)
        if lot is not None and lot.miner:
            self.tell(MinerRemoved(to, "cop"))
        for name in self.order:
            if self.is_due(name) and self.state.players[name].at == to:
                self.tell(Arrested(name, to))
                self.go_to_jail(name, "cop")

    def is_due(self, player: str) -> bool:
        """Whether the Cop arrests this player where he finds him. Rule: SL-7.5"""
        villain = self.villain(player)
        return self.in_game(player) and villain.wanted and not villain.in_jail

    def walk_cop(self) -> None:
        """At the end of the turn, by all its movement dice. Rule: SL-7.3, SL-7.4"""
        course = self.state.course
        if course.steps and not course.cop_stays and self.is_cop_wanted():
            self.move_cop(self.board.after(self.state.cop.at, course.steps), "dice")

    def recall_cop(self) -> None:
        """Nobody is left to be hunted: he goes back. Rule: SL-7.8"""
        if self.state.cop.at != HOME and not self.is_cop_wanted():
            self.tell(CopMoved(self.state.cop.at, HOME, "returned"))

    def update_cop(self) -> None:
        """Keep book of whether he is out; one called off by a correction goes back too. Rule: SL-7.1, SL-7.8"""
        is_out = self.is_cop_wanted()
        if is_out != self.state.cop.out:
            if not is_out:
                self.recall_cop()
            self.tell(CopCalled(is_out))

    def nearest_due(self) -> str | None:
        """The space of the nearest player ahead of the Cop who is due for arrest. Rule: SL-10.13"""
        spaces = [player.at for name, player in self.state.players.items() if player.at and self.is_due(name)]
        return min(spaces, key=lambda space: self.board.distance(self.state.cop.at, space), default=None)

    def go_to_jail(self, player: str, cause: str) -> None:
        """Wanted players are jailed as thieves. Rule: SL-8.1, CL-8.2"""
        self.tell(JailedAs(player, cause, self.villain(player).wanted))
        self.tell(Moved(player, self.state.players[player].at, "jail", "jail"))
        if player == self.state.turn.player:
            self.state.again = False
            self.state.base = "done"
