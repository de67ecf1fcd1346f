"""Purchases and auctions. Rule: CL-3, CL-4, CL-9.9, CL-9.10"""

from typing import Any

from companion.rules.classic.estate import Estate
from companion.rules.errors import Refused
from companion.rules.events import AuctionFailed, AuctionOpened, AuctionWon, BidMade, Bought, Passed
from companion.rules.state import BANK, Auction, Decision


class Auctions(Estate):
    """How properties and scarce buildings find an owner."""

    # -- purchase ------------------------------------------------------------------------------

    def offer(self, player: str, space: str) -> None:
        """Landed on an unowned property. Rule: CL-3.1"""
        price = self.board.by_slug[space].price
        self.ask("purchase", player, ("buy", "auction"), space=space, price=price)

    def answer_purchase(self, decision: Decision, choice: str) -> None:
        """Rule: CL-3.2 to CL-3.4"""
        player, space, price = decision.player, decision.facts["space"], decision.facts["price"]
        if choice == "auction":
            self.close(decision)
            self.then("auction", None, space)
            return
        self.check_cash(player, price)
        self.close(decision)
        self.tell(Bought(player, space, price))
        self.spend(player, BANK, price, "purchase")

    # -- auction -------------------------------------------------------------------------------

    def bidders_for(self, space: str) -> list[str]:
        """Who may bid for a property. Rule: CL-4.1"""
        return [name for name, player in self.state.players.items() if player.status != "bankrupt"]

    def do_auction(self, player: str | None, space: str) -> None:
        """Put a property up. Rule: CL-4.1"""
        bidders = self.bidders_for(space)
        self.tell(AuctionOpened(bidders, space=space))
        if not bidders:
            self.tell(AuctionFailed(space=space))

    def check_bidder(self, by: str | None) -> tuple[str, Auction]:
        """Who bids or passes, if he is still in. Rule: CL-4.5"""
        auction = self.state.auction
        if auction is None:
            self.refuse("not_allowed", "No auction is open.")
        if by is None:
            self.refuse("malformed", "A bid or a pass says by whom.")
        if by not in self.still_in(auction):
            self.refuse("not_allowed", f"{by} is not asked in this auction now.")
        return by, auction

    def act_bid(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-4.3, CL-4.4"""
        player, auction = self.check_bidder(by)
        self.check_no_debt(player)
        if type(value) is not int:
            self.refuse("malformed", f"{value!r} is not a whole number of dollars.")
        lowest = 1 if auction.high is None else auction.high[1] + 1
        if value < lowest:
            self.refuse("bid_too_low", f"The next bid is at least ${lowest}.")
        self.check_cash(player, value)
        self.tell(BidMade(player, value, auction.space, auction.building))
        self.hammer()

    def act_pass(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-4.5"""
        if value is not True:
            self.refuse("malformed", "It is pass: true.")
        player, auction = self.check_bidder(by)
        self.tell(Passed(player, auction.space, auction.building))
        self.hammer()

    def hammer(self) -> None:
        """End the auction when nobody but the highest bidder is in. Rule: CL-4.6, CL-4.7"""
        auction = self.state.auction
        if auction is None or self.still_in(auction):
            return
        if auction.high is None:
            self.tell(AuctionFailed(auction.space, auction.building))
            return
        player, price = auction.high
        if auction.building is not None and not self.building_sites(player, auction.building):
            self.tell(AuctionFailed(None, auction.building))
            return
        self.tell(AuctionWon(player, price, auction.space, auction.building))
        self.spend(player, BANK, price, "auction")
        if auction.space is not None:
            self.auction_won(player, auction.space)
        if auction.building is not None:
            options = self.building_sites(player, auction.building)
            self.ask("place_building", player, options, building=auction.building)

    def auction_won(self, player: str, space: str) -> None:
        """A property has found its owner: nothing follows in the classic game."""

    # -- scarce buildings ----------------------------------------------------------------------

    def building_sites(self, player: str, building: str) -> list[str]:
        """Streets where the player could put up a house (a hotel), stock and cash aside."""
        return [
            slug
            for slug in self.deeds_of(player)
            if self.is_site(player, slug) and self.next_is_hotel(slug) == (building == "hotel")
        ]

    def is_site(self, player: str, space: str) -> bool:
        try:
            self.check_site(player, space)
        except Refused:
            return False
        return True

    def stock_left(self, building: str) -> int:
        """Buildings in the Bank that nobody has won at an auction and yet to place."""
        stock = self.state.bank.hotels if building == "hotel" else self.state.bank.houses
        won = [each for each in self.state.decisions if each.kind == "place_building"]
        return stock - sum(1 for decision in won if decision.facts["building"] == building)

    def use_building_auction(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: CL-9.9"""
        player = self.actor(by)
        self.check_no_debt(player)
        building = args.get("building")
        if building not in ("house", "hotel"):
            self.refuse("malformed", "building is house or hotel.")
        if self.state.auction is not None:
            self.refuse("decision_pending", "Another auction is open: this one can be called after it.")
        bidders = [name for name in self.order if self.building_sites(name, building)]
        if player not in bidders:
            self.refuse("not_allowed", f"{player} could not build a {building} now.")
        if not 1 <= self.stock_left(building) < len(bidders):
            self.refuse("not_allowed", f"The Bank's {building}s are not scarce: simply build.")
        self.tell(AuctionOpened(bidders, building=building))

    def answer_place_building(self, decision: Decision, choice: str) -> None:
        """Rule: CL-9.10"""
        self.close(decision)
        self.put_building(decision.player, choice)

    def check_stock(self, space: str) -> None:
        building = "hotel" if self.next_is_hotel(space) else "house"
        if self.stock_left(building) < 1:
            self.refuse("bank_short", f"The Bank has no {building} left: wait until one is sold.")
