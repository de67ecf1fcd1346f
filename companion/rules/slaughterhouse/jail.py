"""Jail for thieves. Rule: SL-8, SL-10.5, SL-10.16 (c)"""

from typing import NamedTuple

from companion.rules.classic.jail import JAIL_FINE
from companion.rules.events import CardReturned, Released
from companion.rules.slaughterhouse.cop import Cops
from companion.rules.slaughterhouse.events import LootRepaid, PassKeyUsed
from companion.rules.state import BANK, Decision

THIEF_FINE = 100
MUST_USE = "get-out-of-jail-now"
PASS_KEY = "pass-key"


class Due(NamedTuple):
    """One payment for leaving Jail."""

    to: str
    amount: int
    reason: str


class Thieves(Cops):
    """The ways out of Jail."""

    def jail_dues(self, player: str) -> list[Due]:
        """What leaving Jail costs now, in the order of payment. Rule: SL-8.1 to SL-8.3"""
        villain = self.villain(player)
        if not villain.wanted:
            return [Due(BANK, JAIL_FINE, "jail_fine")]
        dues = []
        if BANK in villain.loot:
            dues.append(Due(BANK, THIEF_FINE * (1 + villain.times_repaid), "jail_fine"))
            dues.append(Due(BANK, villain.loot[BANK], "restitution"))
        victims = [name for name in self.others_from(player) if name in villain.loot]
        if victims:
            dues.append(Due(BANK, THIEF_FINE, "jail_fine"))
        dues += [Due(name, villain.loot[name], "restitution") for name in victims]
        return [due._replace(amount=self.rounded(due.amount)) for due in dues]

    def turn_decisions(self, player: str) -> list[Decision]:
        """Rule: SL-8.5, SL-10.5, SL-10.16 (c)"""
        inmate = self.state.players[player]
        if not inmate.in_jail:
            return [self.movement_roll(player)]
        amount = sum(due.amount for due in self.jail_dues(player))
        if MUST_USE in inmate.cards:
            options = ["card", "pay"]
        else:
            options = ["pay", *(["card"] if self.jail_card(player) else []), "roll"]
            options += ["pass_key"] if PASS_KEY in inmate.cards else []
        return [Decision("jail", player, tuple(options), {"amount": amount})]

    def jail_card(self, player: str) -> str | None:
        """The card that must be used comes first. Rule: SL-10.5, CL-8.6"""
        return MUST_USE if MUST_USE in self.state.players[player].cards else super().jail_card(player)

    def answer_jail(self, decision: Decision, choice: str) -> None:
        """Rule: SL-8.2, SL-8.5, SL-8.6, SL-10.5, SL-10.16 (c)"""
        player = decision.player
        if choice == "pay":
            self.pay_in_jail(player)
        elif choice == "pass_key":
            self.tell(PassKeyUsed(player, "jail"))
            self.tell(CardReturned(player, PASS_KEY))
            self.tell(Released(player, "pass_key"))
        else:
            super().answer_jail(decision, choice)

    def pay_in_jail(self, player: str) -> None:
        """Rule: SL-8.2, SL-8.4"""
        dues = self.jail_dues(player)
        self.check_no_debt(player)
        self.check_cash(player, sum(due.amount for due in dues))
        for due in dues:
            self.spend(player, *due)
        self.do_repaid(player)
        if MUST_USE in self.state.players[player].cards:
            self.tell(CardReturned(player, MUST_USE))
        self.tell(Released(player, "paid"))
        self.recall_cop()

    def pay_and_leave(self, player: str, how: str) -> None:
        """Each payment that the cash does not cover is a debt of its own; the release waits. Rule: SL-8.7"""
        self.then("leave_jail", player, how)
        self.then("repaid", player)
        for due in self.jail_dues(player):
            self.charge(player, *due)

    def do_repaid(self, player: str) -> None:
        """Rule: SL-8.4"""
        if self.villain(player).wanted:
            self.tell(LootRepaid(player))

    def do_leave_jail(self, player: str, how: str) -> None:
        """The Cop goes back before the token moves, if nobody else is hunted. Rule: SL-7.8, CL-8.12"""
        self.tell(Released(player, how))
        self.recall_cop()
        self.move_by_roll(player, self.state.dice)
