"""Payments and debts. Rule: CL-13.1 to CL-13.3"""

from typing import Any

from companion.rules.engine import Engine
from companion.rules.events import DebtClosed, DebtOpened, Paid
from companion.rules.state import BANK, Auction, Decision


class Money(Engine):
    """Every payment goes through `charge` (must be paid), `spend` (a wish) or `receive`; `transfer` makes it."""

    def transfer(self, payer: str, to: str, amount: int, reason: str) -> None:
        """One payment."""
        self.tell(Paid(payer, to, amount, reason))

    def receive(self, player: str, amount: int, reason: str) -> None:
        """The Bank pays a player."""
        if amount > 0:
            self.transfer(BANK, player, amount, reason)

    def rounded(self, amount: int) -> int:
        """What of a sum that the rules demand is really paid, in dollars: all of it. Rule: CL-1.8"""
        return amount

    def charge(self, player: str, to: str, amount: int, reason: str) -> None:
        """Pay at once if the cash is there and no older debt stands, else open a debt. Rule: CL-13.1, CL-13.3"""
        amount = self.rounded(amount)
        if amount <= 0:
            return
        payer = self.state.players[player]
        if payer.cash >= amount and not payer.owes:
            self.transfer(player, to, amount, reason)
        else:
            self.tell(DebtOpened(player, to, amount, reason))

    def charge_fee(self, player: str, amount: int, reason: str) -> None:
        """Taxes, the fine of Jail, and what a card makes a player pay to the Bank."""
        self.charge(player, BANK, amount, reason)

    def spend(self, player: str, to: str, amount: int, reason: str) -> None:
        """Pay for something wished (check with `check_cash` before anything is told)."""
        if amount > 0:
            self.transfer(player, to, amount, reason)

    def cash_free(self, player: str) -> int:
        """Cash that may be spent: what a standing bid does not bind. Rule: CL-4.4"""
        cash = self.state.players[player].cash
        auction = self.state.auction
        if auction is not None and auction.high is not None and auction.high[0] == player:
            return cash - auction.high[1]
        return cash

    def check_cash(self, player: str, amount: int) -> None:
        free = self.cash_free(player)
        if free < amount:
            self.refuse("cannot_afford", f"{player} needs ${amount} and has ${free} to spend.")

    def check_no_debt(self, player: str) -> None:
        """The debt comes first. Rule: CL-13.4"""
        if self.state.players[player].owes:
            self.refuse("decision_pending", f"{player} has a debt to settle first.")

    def pay_oldest(self, player: str) -> None:
        debt = self.state.players[player].owes[0]
        self.tell(DebtClosed(player))
        self.transfer(player, debt.to, debt.amount, debt.reason)

    def act_pay(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-13.2, CL-13.3"""
        if value is not True:
            self.refuse("malformed", "It is pay: true.")
        player = by or self.first_debtor()
        owes = self.state.players[player].owes
        if not owes:
            self.refuse("not_allowed", f"{player} has no debt.")
        self.check_cash(player, owes[0].amount)
        self.pay_oldest(player)
        while (owes := self.state.players[player].owes) and self.cash_free(player) >= owes[0].amount:
            self.pay_oldest(player)

    def first_debtor(self) -> str:
        """Who is meant by a `pay` or `bankrupt` without a name."""
        for decision in self.state.pending:
            if decision.kind == "raise_cash":
                return decision.player
        return self.waits_for()

    def open_decisions(self) -> list[Decision]:
        state = self.state
        pending = list(state.decisions)
        if state.auction is not None:
            pending += self.auction_decisions(state.auction)
        for name in state.indebted:
            debt = state.players[name].owes[0]
            facts = {"amount": debt.amount, "to": debt.to, "reason": debt.reason}
            pending.append(Decision("raise_cash", name, None, facts))
        return pending

    def auction_decisions(self, auction: Auction) -> list[Decision]:
        """Rule: CL-4.2"""
        high = None if auction.high is None else {"player": auction.high[0], "amount": auction.high[1]}
        facts = {**auction.lot, "bidders": list(auction.bidders), "high": high}
        return [Decision("auction", name, None, facts) for name in self.still_in(auction)]

    def still_in(self, auction: Auction) -> list[str]:
        """Those who may bid or pass now. Rule: CL-4.2"""
        high = None if auction.high is None else auction.high[0]
        out = {high, *auction.passed}
        players = self.state.players
        return [name for name in auction.bidders if name not in out and players[name].status != "bankrupt"]
