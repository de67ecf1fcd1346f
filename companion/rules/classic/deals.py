"""Deals between players, and mortgaged deeds that change hands. Rule: CL-12"""

from typing import Any

from companion.rules.classic.auctions import Auctions
from companion.rules.classic.estate import percent_up
from companion.rules.events import Traded
from companion.rules.state import BANK, Decision

Bundle = dict[str, Any]


class Deals(Auctions):
    """`trade`: a deal that both agreed to."""

    def act_trade(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-12.1 to CL-12.4"""
        player = self.actor(by)
        if not isinstance(value, dict) or not set(value) <= {"with", "give", "get"} or "with" not in value:
            self.refuse("malformed", "A deal is {with: NAME, give: {…}, get: {…}}.")
        partner = self.player_named(value["with"])
        if partner == player:
            self.refuse("malformed", "Nobody deals with himself.")
        self.check_partner(player, partner)
        give, get = self.bundle(value.get("give")), self.bundle(value.get("get"))
        if not any(bundle[key] for bundle in (give, get) for key in bundle):
            self.refuse("malformed", "An empty deal.")
        self.check_deal(player, partner, give, get)
        self.check_bundle(player, give)
        self.check_bundle(partner, get)
        self.tell(Traded(player, partner, give, get))
        self.spend(player, partner, give["cash"], "trade")
        self.spend(partner, player, get["cash"], "trade")
        received = [(slug, partner) for slug in give["spaces"]] + [(slug, player) for slug in get["spaces"]]
        self.hand_over_mortgages(received)

    def check_partner(self, player: str, partner: str) -> None:
        """Whether these two may deal at all."""
        if self.state.players[partner].status == "bankrupt":
            self.refuse("not_allowed", f"{partner} is bankrupt and out of the game.")

    def check_deal(self, player: str, partner: str, give: Bundle, get: Bundle) -> None:
        """Rule: CL-12.2"""
        if not any(bundle[key] for bundle in (give, get) for key in ("spaces", "cards")):
            self.refuse("not_allowed", "Cash alone is a loan or a gift: a deed or a card must change hands.")

    def bundle(self, value: Any) -> Bundle:
        """One side of a deal, complete: {cash, spaces, cards}."""
        value = {} if value is None else value
        if not isinstance(value, dict) or not set(value) <= {"cash", "spaces", "cards"}:
            self.refuse("malformed", "Each side of a deal is {cash: N, spaces: […], cards: […]}.")
        cash, spaces, cards = value.get("cash", 0), value.get("spaces", []), value.get("cards", [])
        if type(cash) is not int or cash < 0:
            self.refuse("malformed", f"{cash!r} is no sum of money: whole dollars, not below 0.")
        if not isinstance(spaces, (list, tuple)) or not isinstance(cards, (list, tuple)):
            self.refuse("malformed", "spaces and cards are lists.")
        slugs = [self.space_named(space) for space in spaces]
        for card in cards:
            if not isinstance(card, str) or not self.is_keepable(card):
                self.refuse("unknown_card", f"{card!r} is no card that can be kept.")
        if len(set(slugs)) != len(slugs) or len(set(cards)) != len(cards):
            self.refuse("malformed", "The same thing twice in one deal.")
        return {"cash": cash, "spaces": slugs, "cards": list(cards)}

    def is_keepable(self, card: str) -> bool:
        """Whether players can hold this card. Rule: CL-6.3"""
        raise NotImplementedError

    def check_bundle(self, giver: str, bundle: Bundle) -> None:
        """Rule: CL-12.3, CL-12.4"""
        for slug in bundle["spaces"]:
            self.check_owner(giver, slug)
        for card in bundle["cards"]:
            if card not in self.state.players[giver].cards:
                self.refuse("not_owner", f"{giver} does not hold {card}.")
        for slug in bundle["spaces"]:
            self.check_no_buildings(giver, slug)
        if bundle["cash"] > 0:
            self.check_cash(giver, bundle["cash"])

    # -- mortgaged deeds -----------------------------------------------------------------------

    def hand_over_mortgages(self, received: list[tuple[str, str]]) -> None:
        """Ask about each mortgaged deed among (space, new owner), in board order. Rule: CL-12.6"""
        for slug, owner in sorted(received, key=lambda pair: self.board.index[pair[0]]):
            if self.state.spaces[slug].mortgaged:
                self.ask("mortgaged_deed", owner, ("interest", "repay"), space=slug)

    def answer_mortgaged_deed(self, decision: Decision, choice: str) -> None:
        """Rule: CL-12.6 to CL-12.8"""
        player, space = decision.player, decision.facts["space"]
        if choice == "repay":
            self.check_no_debt(player)
            price = self.lifting_price(space)
            self.check_cash(player, price)
            self.close(decision)
            self.lift_mortgage(player, space, price)
            return
        interest = percent_up(self.board.by_slug[space].mortgage)
        if self.state.players[player].cash >= interest:
            self.check_cash(player, interest)
        self.close(decision)
        self.charge(player, BANK, interest, "mortgage_interest")
