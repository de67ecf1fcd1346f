"""Jail. Rule: CL-8"""

from companion.rules.classic.turns import Turns
from companion.rules.events import CardReturned, Jailed, JailTurnSpent, Moved, Released, Rolled
from companion.rules.state import BANK, Decision

JAIL_FINE = 50
JAIL_CARDS = ("get-out-of-jail-chance", "get-out-of-jail-chest")


class Jails(Turns):
    """The ways into Jail and out of it."""

    def go_to_jail(self, player: str, cause: str) -> None:
        """Rule: CL-8.2"""
        self.tell(Jailed(player, cause))
        self.tell(Moved(player, self.state.players[player].at, "jail", "jail"))
        if player == self.state.turn.player:
            self.state.again = False
            self.state.base = "done"

    def turn_decisions(self, player: str) -> list[Decision]:
        """Rule: CL-8.4"""
        if not self.state.players[player].in_jail:
            return [self.movement_roll(player)]
        options = ("pay", "card", "roll") if self.jail_card(player) else ("pay", "roll")
        return [Decision("jail", player, options)]

    def jail_card(self, player: str) -> str | None:
        """The get-out-of-jail card the player has held longest. Rule: CL-8.6"""
        return next((card for card in self.state.players[player].cards if card in JAIL_CARDS), None)

    def answer_jail(self, decision: Decision, choice: str) -> None:
        """Rule: CL-8.5 to CL-8.7"""
        player = decision.player
        if choice == "pay":
            self.pay_jail_fine(player)
            self.tell(Released(player, "paid"))
        elif choice == "card":
            self.tell(CardReturned(player, self.jail_card(player) or ""))
            self.tell(Released(player, "card"))
        else:
            self.ask_roll(player, "2d6", "jail")

    def pay_jail_fine(self, player: str) -> None:
        """The fine, by choice. Rule: CL-8.5"""
        self.check_no_debt(player)
        self.check_cash(player, JAIL_FINE)
        self.spend(player, BANK, JAIL_FINE, "jail_fine")

    def throw_jail(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: CL-8.7 to CL-8.10, CL-15.5"""
        player, state = decision.player, self.state
        self.close(decision)
        self.lapse_claims(player)
        self.tell(Rolled(player, list(dice), "jail"))
        state.base = "done"
        state.dice = dice
        state.again = False
        self.then("end_move", player)
        if dice[0] == dice[1]:
            self.do_leave_jail(player, "doubles")
        elif state.options.get("short_game"):
            self.pay_and_leave(player, "failed_roll")
        elif state.players[player].jail_turns >= 2:
            self.pay_and_leave(player, "third_turn")
        else:
            self.tell(JailTurnSpent(player))

    def pay_and_leave(self, player: str, how: str) -> None:
        """The release waits until the fine is paid. Rule: CL-8.9, CL-8.10"""
        self.then("leave_jail", player, how)
        self.charge_fee(player, JAIL_FINE, "jail_fine")

    def do_leave_jail(self, player: str, how: str) -> None:
        """The token moves out by the throw that freed it. Rule: CL-8.12"""
        self.tell(Released(player, how))
        self.move_by_roll(player, self.state.dice)
