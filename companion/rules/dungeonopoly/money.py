"""Money: pot, fees, hexed collections, Barkskin, EP for rent. Rule: DG-1.4, DG-1.16, DG-11.10, DG-12.3, DG-13.8"""

from companion.rules.board import Card
from companion.rules.dungeonopoly.enchantments import Enchanting
from companion.rules.dungeonopoly.events import PaidOver
from companion.rules.state import BANK, POT

#: What the Bank pays for something given, which no hex touches. Rule: DG-12.3
EXCHANGE = frozenset({"building_sold", "mortgage", "trade"})
#: What Barkskin eases: what is owed, never what is wished. Rule: DG-11.10
BARK_PER_LEVEL = 25


class Purses(Enchanting):
    """Every payment of the variant."""

    def transfer(self, payer: str, to: str, amount: int, reason: str) -> None:
        """One payment; into the pot where the taker is hexed. Rule: DG-1.16, DG-1.19, DG-12.3"""
        hexed = to if to in self.state.players and reason not in EXCHANGE and self.is_hexed(to) else None
        self.tell(PaidOver(payer, to if hexed is None else POT, amount, reason, hexed))
        if reason != "salary" and hexed is not None:
            self.lift(hexed, "hex", "spent")
        if reason == "rent" and payer in self.state.players:
            self.note_player(payer, paid_here=True)
            self.gain(payer, "rent")
        elif reason == "salary" and hexed is None:
            self.gain(to, "go")

    def is_hexed(self, player: str) -> bool:
        """Whether the next money she collects goes to the pot. Rule: DG-12.3"""
        return self.aura(player, "hex") is not None

    def charge(self, player: str, to: str, amount: int, reason: str) -> None:
        """Barkskin eases the next debt. Rule: DG-11.10"""
        super().charge(player, to, self.eased(player, amount), reason)

    def eased(self, player: str, amount: int) -> int:
        """What is left of a debt; Barkskin is spent by it, unless it is suppressed."""
        if amount <= 0 or not self.state.players[player].barkskin or self.is_suppressed(player):
            return amount
        self.lift(player, "barkskin", "spent")
        return max(0, amount - BARK_PER_LEVEL * self.level(player))

    # -- fees ----------------------------------------------------------------------------------

    def fee(self, player: str, amount: int) -> int:
        """What a fee comes to for this player, before Barkskin. Rule: DG-12.13, DG-13.8"""
        return self.doubled(amount)

    def doubled(self, amount: int) -> int:
        """Damage, fees and repairs in the quicker game. Rule: DG-13.8"""
        return amount * 2 if self.state.options["quicker"] else amount

    def card_receive(self, player: str, card: Card) -> None:
        """Rule: DG-13.9"""
        self.receive(player, self.gained(card.amount), "card")

    def charge_fee(self, player: str, amount: int, reason: str) -> None:
        """Fees go to the pot. Rule: DG-1.4"""
        self.charge(player, POT, self.fee(player, amount), reason)

    def gained(self, amount: int) -> int:
        """What a gain comes to. Rule: DG-13.9"""
        return amount // 2 if self.state.options["quicker"] else amount

    def go_bankrupt(self, player: str, creditor: str) -> None:
        """A bankruptcy over a fee is one to the Bank; the pot gets the cash. Rule: DG-1.4"""
        if creditor == POT:
            self.sell_buildings(player, [slug for slug in self.deeds_of(player) if self.state.spaces[slug].is_built])
            cash = self.state.players[player].cash
            if cash > 0:
                self.transfer(player, POT, cash, "bankruptcy")
            creditor = BANK
        super().go_bankrupt(player, creditor)
