"""Deals, and what a bankruptcy takes along. Rule: SL-3.13, SL-8.9, SL-9, SL-11.4, SL-12.3"""

from typing import Any

from companion.rules.classic.deals import Bundle
from companion.rules.slaughterhouse.bombs import STOCK_PRICES
from companion.rules.slaughterhouse.events import ChairmanChanged, LootDropped, TradingOpened
from companion.rules.slaughterhouse.jail import MUST_USE
from companion.rules.slaughterhouse.journey import Journeys

#: What is never traded, by the words that a deal might have for it. Rule: SL-9.3
FOR_NOBODY = frozenset({MUST_USE, "free-bomb", "free-miner", "house"})


class Bargains(Journeys):
    """Who may deal when, and in what."""

    # -- deals ---------------------------------------------------------------------------------

    def check_deal(self, player: str, partner: str, give: Bundle, get: Bundle) -> None:
        """Rule: SL-9.1 to SL-9.3"""
        super().check_deal(player, partner, give, get)
        self.check_own_turn(player)
        if MUST_USE in (*give["cards"], *get["cards"]):
            self.refuse("not_allowed", f"{MUST_USE} is not traded: it must be used.")
        if not give["spaces"] and not get["spaces"]:
            return
        if not self.state.trading_open:
            self.refuse("not_allowed", "Deeds are traded from the first monopoly on, or when all are owned.")
        if not self.is_beginning():
            self.refuse("not_allowed", f"{player} may deal in deeds only before the first throw of the turn.")

    def bundle(self, value: Any) -> Bundle:
        """Rule: SL-9.3, SL-12.3"""
        if isinstance(value, dict):
            cards = value.get("cards")
            named = [card for card in cards if isinstance(card, str)] if isinstance(cards, (list, tuple)) else []
            if not STOCK_PRICES.keys().isdisjoint(value) or not FOR_NOBODY.isdisjoint(named):
                self.refuse("not_allowed", "Bombs, miners, kept houses and the card that must be used are not traded.")
        bundle = super().bundle(value)
        if self.state.options["no_ones"] and bundle["cash"] % 5:
            self.refuse("malformed", f"${bundle['cash']}: there are no $1 notes, sums are multiples of $5.")
        return bundle

    def open_trading(self) -> None:
        """Monopolies for the record, and the first one opens the trade in deeds. Rule: SL-3.5, SL-9.1"""
        owners = self.monopolists()
        for name in owners:
            if not self.villain(name).ever_monopoly:
                self.note_player(name, ever_monopoly=True)
        if not self.state.trading_open:
            spaces = self.state.spaces
            if owners or all(spaces[slug].owner is not None for slug in self.board.properties):
                self.tell(TradingOpened())

    # -- ruin ----------------------------------------------------------------------------------

    def go_bankrupt(self, player: str, creditor: str) -> None:
        """Stock is sold like buildings. Rule: SL-11.4"""
        for thing in STOCK_PRICES:
            while getattr(self.villain(player), thing):
                self.cash_in(player, thing)
        super().go_bankrupt(player, creditor)

    def give_all_to_bank(self, player: str, deeds: list[str]) -> None:
        """Rule: SL-11.4, SL-3.9"""
        super().give_all_to_bank(player, deeds)
        for slug in deeds:
            self.clear(slug)

    def leave_game(self, player: str, creditor: str) -> None:
        """Rule: SL-3.13, SL-8.9"""
        super().leave_game(player, creditor)
        for name in self.order:
            loot = self.villain(name).loot
            for creditor_on_record in list(loot):
                if player in (name, creditor_on_record):
                    self.tell(LootDropped(name, creditor_on_record))
        if self.state.chairman == player:
            following = next((name for name in self.others_from(player) if self.in_game(name)), None)
            if following is not None:
                self.tell(ChairmanChanged(following))
        self.recall_cop()
