"""Chance, Community Chest and taxes. Rule: CL-6, CL-7

Each effect of a card (data/cards.toml) is a method `card_EFFECT(player, card)`.
"""

from typing import Any

from companion.rules.board import Card, classic_decks, editions
from companion.rules.classic.estate import percent_up
from companion.rules.classic.jail import Jails
from companion.rules.events import CardDrawn, CardKept
from companion.rules.state import Decision


class Cards(Jails):
    """What a card drawn does; and the taxes."""

    @property
    def decks(self) -> dict[str, dict[str, Card]]:
        """All decks of the variant in this edition: deck -> slug -> card."""
        return classic_decks(self.state.edition)

    def is_keepable(self, card: str) -> bool:
        return any(card in deck and deck[card].effect == "keep" for deck in self.decks.values())

    def act_draw(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-6.1, CL-6.2, CL-2.12"""
        for decision in self.state.pending:
            if decision.kind == "draw" and by in (None, decision.player):
                break
        else:
            self.refuse("not_allowed", "No card is to be drawn now.")
        deck = decision.facts["deck"]
        if not isinstance(value, str) or value not in self.decks[deck]:
            self.refuse("unknown_card", f"{value!r} is no card of {deck}; there are {', '.join(self.decks[deck])}.")
        if self.is_held(value):
            self.refuse("not_allowed", f"A player holds {value}: it cannot be drawn.")
        self.close(decision)
        self.tell(CardDrawn(decision.player, deck, value))
        self.take_card(decision, self.decks[deck][value])

    def take_card(self, decision: Decision, card: Card) -> None:
        """The card has been drawn for this decision: before it acts. Rule: CL-6.2"""
        self.carry_out(decision.player, card)

    def is_held(self, card: str) -> bool:
        """Whether the card is out of its deck in somebody's hand. Rule: CL-6.1"""
        return any(card in player.cards for player in self.state.players.values())

    def carry_out(self, player: str, card: Card) -> None:
        """Rule: CL-6.2"""
        getattr(self, "card_" + card.effect)(player, card)

    def card_advance(self, player: str, card: Card) -> None:
        """Rule: CL-6.4"""
        self.move(player, card.to, "card")

    def card_nearest_utility(self, player: str, card: Card) -> None:
        """Rule: CL-6.5"""
        self.move_to_property(player, "utility", times=10)

    def card_nearest_railroad(self, player: str, card: Card) -> None:
        """Rule: CL-6.6"""
        self.move_to_property(player, "railroad", factor=2)

    def move_to_property(self, player: str, kind: str, factor: int = 1, times: int = 0) -> None:
        """Forward to the next property of a kind, with a rent of its own (forgotten at the end of the move)."""
        self.state.card_rent = (factor, times)
        self.move(player, self.board.next_of_kind(self.state.players[player].at or "go", kind), "card")

    def card_back(self, player: str, card: Card) -> None:
        """Rule: CL-6.7"""
        self.move(player, self.board.after(self.state.players[player].at or "go", -card.amount), "card", forward=False)

    def card_go_to_jail(self, player: str, card: Card) -> None:
        """Rule: CL-6.8"""
        self.go_to_jail(player, "card")

    def card_keep(self, player: str, card: Card) -> None:
        """Rule: CL-6.3"""
        self.tell(CardKept(player, card.card))

    def card_receive(self, player: str, card: Card) -> None:
        """Rule: CL-6.9"""
        self.receive(player, card.amount, "card")

    def card_pay(self, player: str, card: Card) -> None:
        """Rule: CL-6.9"""
        self.charge_fee(player, card.amount, "card")

    def partners(self, player: str) -> list[str]:
        """The others whom a card makes pay or be paid, from the drawer's left. Rule: CL-6.10"""
        return [name for name in self.others_from(player) if self.state.players[name].status != "bankrupt"]

    def card_pay_each(self, player: str, card: Card) -> None:
        """Rule: CL-6.10"""
        for name in self.partners(player):
            self.charge(player, name, card.amount, "card")

    def card_collect_each(self, player: str, card: Card) -> None:
        """Rule: CL-6.10"""
        for name in self.partners(player):
            self.charge(name, player, card.amount, "card")

    def card_repairs(self, player: str, card: Card) -> None:
        """Rule: CL-6.11"""
        self.charge_fee(player, self.repair_costs(player, card), "card")

    def repair_costs(self, player: str, card: Card) -> int:
        """So much per house and per hotel, in dollars. Rule: CL-6.11"""
        total = 0
        for slug in self.deeds_of(player):
            here = self.state.spaces[slug]
            total += card.hotel if here.hotel else card.house * here.houses
        return total

    # -- taxes ---------------------------------------------------------------------------------

    def land_on_tax(self, player: str, space: str) -> None:
        """Rule: CL-7.1, CL-7.2"""
        edition = editions()[self.state.edition]
        if space == "luxury-tax":
            self.charge_fee(player, edition.luxury_tax, "tax")
        elif edition.income_tax_choice:
            self.ask("income_tax", player, ("flat", "percent"))
        else:
            self.charge_fee(player, edition.income_tax, "tax")

    def answer_income_tax(self, decision: Decision, choice: str) -> None:
        """Rule: CL-7.2, CL-7.3"""
        player = decision.player
        self.close(decision)
        flat = editions()[self.state.edition].income_tax
        self.charge_fee(player, flat if choice == "flat" else percent_up(self.total_worth(player)), "tax")

    def total_worth(self, player: str) -> int:
        """Cash, printed prices and purchase prices of buildings, in dollars. Rule: CL-7.3"""
        total = self.state.players[player].cash
        for slug in self.deeds_of(player):
            here, printed = self.state.spaces[slug], self.board.by_slug[slug]
            total += printed.price + printed.house * (5 if here.hotel else here.houses)
        return total
