"""MZ-9 Stage three: how survivors move."""

from itertools import combinations
from typing import Any

from companion.rules.board import Card
from companion.rules.events import Released, Rolled
from companion.rules.monopozombie.zombies import Zombies
from companion.rules.state import Decision

#: What a card still does to a survivor. Rule: MZ-9.5
STILL_VALID = ("keep", "go_to_jail")


class Apocalypse(Zombies):
    """Three dice, two of which are chosen, and either direction."""

    def has_three_dice(self, player: str) -> bool:
        """Rule: MZ-9.7, MZ-9.11"""
        return not self.is_homeless(player) or self.player(player).upskilled

    def movement_dice(self, player: str) -> str:
        """Rule: MZ-9.7, MZ-9.11"""
        if not self.is_apocalypse or self.is_zombie(player):
            return super().movement_dice(player)
        return "3d6" if self.has_three_dice(player) else "2d6"

    def turn_decisions(self, player: str) -> list[Decision]:
        """There is no Jail any more. Rule: MZ-9.10"""
        if self.is_apocalypse and self.is_human(player):
            return [self.movement_roll(player)]
        return super().turn_decisions(player)

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-9.7, MZ-9.10, MZ-9.11"""
        player = decision.player
        if not self.is_apocalypse or self.is_zombie(player):
            super().throw_move(decision, dice)
            return
        self.close(decision)
        self.tell(Rolled(player, list(dice), "move"))
        self.state.base, self.state.again, self.state.dice = "done", False, dice
        if self.state.players[player].in_jail:
            self.tell(Released(player, "apocalypse"))
        low_first = sorted(dice)
        self.ask_way(
            player, combinations(low_first, 2) if self.has_three_dice(player) else [(die,) for die in low_first]
        )

    def go(self, player: str, dice: tuple[int, ...], forward: bool) -> None:
        """A chosen double offers a further roll, a double one converts. Rule: MZ-9.8, MZ-9.9"""
        if not self.is_apocalypse or self.is_zombie(player):
            super().go(player, dice, forward)
            return
        if player == self.state.turn.player and not self.has_step("end_move"):
            self.then("end_move", player)
        self.offer_after_double(player, dice)
        if dice == (1, 1):
            self.turn_by_throw(player, "snake_eyes")
        at = self.state.players[player].at or "go"
        self.move(player, self.board.after(at, sum(dice) if forward else -sum(dice)), "roll", forward)

    def has_step(self, name: str) -> bool:
        return any(step.name == name for step in self.state.todo)

    def offer_after_double(self, player: str, dice: tuple[int, ...]) -> None:
        """To be asked when the move is settled, if he is still human. Rule: MZ-9.8, MZ-9.11"""
        if len(dice) == 2 and dice[0] == dice[1]:
            self.then("offer_extra_go", player)

    def do_offer_extra_go(self, player: str) -> None:
        """Rule: MZ-9.8, MZ-11.5"""
        self.look_for_win()
        if not self.state.winners:
            self.ask_extra_go(player)

    def do_end_move(self, player: str) -> None:
        """A double thrown before the apocalypse is a choice now. Rule: MZ-8.5"""
        state = self.state
        if self.is_apocalypse and state.again and player == state.turn.player:
            state.again = False
            if state.players[player].status == "human":
                self.then("end_move", player)
                self.do_offer_extra_go(player)
                return
        super().do_end_move(player)

    def answer_extra_go(self, decision: Decision, choice: str) -> None:
        """Rule: MZ-9.8"""
        self.close(decision)
        if choice == "roll":
            self.ask_roll(decision.player, "3d6", "move")

    def throw_extra_go(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-9.8"""
        self.throw_move(decision, dice)

    def act_end_turn(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: MZ-9.8"""
        mover = self.state.turn.player
        for decision in self.state.decisions:
            if decision.kind == "extra_go" and decision.player == mover and by in (None, mover) and value is True:
                self.close(decision)
                self.run()
                self.settle()
                self.look_around()
                if self.state.turn.phase != "done":
                    return
        super().act_end_turn(by, value, args)

    def carry_out(self, player: str, card: Card) -> None:
        """Money and movement on cards are ignored. Rule: MZ-9.5"""
        if not self.is_apocalypse or card.effect in STILL_VALID:
            super().carry_out(player, card)
