"""MZ-5 How zombies play; and the choice of where to stand, theirs and the survivors'."""

from collections.abc import Iterable

from companion.rules.board import Card
from companion.rules.events import Rolled
from companion.rules.monopozombie.homeless import Homeless
from companion.rules.state import Decision

DIRECTIONS = ("forward", "backward")
#: The highest that a zombie's die can show. Rule: MZ-5.1
HIGHEST = 4


class Zombies(Homeless):
    """Movement in either direction, and no interest in anything else."""

    def is_zombie(self, player: str) -> bool:
        return self.state.players[player].status == "zombie"

    def movement_dice(self, player: str) -> str:
        """Rule: MZ-5.1"""
        if self.is_zombie(player):
            return "2d4" if self.state.options["zombie_dice"] == "d4" else "2d6"
        return super().movement_dice(player)

    def turn_decisions(self, player: str) -> list[Decision]:
        """Rule: MZ-5.9, MZ-12.1"""
        decisions = super().turn_decisions(player)
        if not self.is_zombie(player) or decisions[0].player != player:
            return decisions
        if self.state.options["zombie_direction"] == "before" and self.state.direction is None:
            return [Decision("direction", player, DIRECTIONS)]
        return [self.movement_roll(player)]

    def answer_direction(self, decision: Decision, choice: str) -> None:
        """Rule: MZ-12.1"""
        self.note(direction=choice)

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-5.1, MZ-5.6"""
        player, state = decision.player, self.state
        if not self.is_zombie(player):
            super().throw_move(decision, dice)
            return
        self.close(decision)
        self.lapse_claims(player)
        self.note(passed=(), chased=())
        self.tell(Rolled(player, list(dice), "move"))
        state.base, state.again = "done", False
        self.read_zombie_dice(player, dice)

    def read_zombie_dice(self, player: str, dice: tuple[int, ...]) -> None:
        """Dice that show 5 or 6 are thrown again. Rule: MZ-5.1"""
        again = sum(die > HIGHEST for die in dice)
        self.state.dice = dice
        if again:
            self.ask_roll(player, f"{again}d6", "reroll", {"dice": list(dice)})
        elif self.state.direction is not None:
            self.go(player, dice, self.state.direction == "forward")
        else:
            self.ask_way(player, [dice])

    def throw_reroll(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-5.1"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "reroll"))
        fresh = iter(dice)
        thrown = tuple(next(fresh) if die > HIGHEST else die for die in decision.memo["dice"])
        self.read_zombie_dice(decision.player, thrown)

    # -- where to stand ------------------------------------------------------------------------

    def ask_way(self, player: str, hands: Iterable[tuple[int, ...]]) -> None:
        """Choose among the spaces that these hands of dice reach, forward or backward. Rule: MZ-5.2, MZ-9.7"""
        at = self.state.players[player].at or "go"
        distinct = list(dict.fromkeys(hands))
        ways = [[self.board.after(at, sum(dice)), list(dice), True] for dice in distinct]
        ways += [[self.board.after(at, -sum(dice)), list(dice), False] for dice in distinct]
        options = list(dict.fromkeys(str(way[0]) for way in ways))
        self.ask("move_to", player, options, {"at": at, "ways": ways})

    def answer_move_to(self, decision: Decision, choice: str) -> None:
        """Rule: MZ-5.2, MZ-9.7"""
        self.close(decision)
        _, dice, forward = next(way for way in decision.memo["ways"] if way[0] == choice)
        self.go(decision.player, tuple(dice), forward)

    def go(self, player: str, dice: tuple[int, ...], forward: bool) -> None:
        """By these dice in this direction."""
        self.state.dice = dice
        if player == self.state.turn.player:
            self.then("end_move", player)
        at = self.state.players[player].at or "go"
        self.move(player, self.board.after(at, sum(dice) if forward else -sum(dice)), "roll", forward)

    # -- what does not concern them ------------------------------------------------------------

    def carry_out(self, player: str, card: Card) -> None:
        """A zombie looks at the card and ignores it. Rule: MZ-5.4"""
        if self.is_human(player):
            super().carry_out(player, card)
