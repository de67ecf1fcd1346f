"""Deeds, buildings and rents. Rule: SL-1.2 to SL-1.4, SL-3.5, SL-4"""

from typing import Any

from companion.rules.events import Paid
from companion.rules.slaughterhouse.events import PurchaseDeclined
from companion.rules.slaughterhouse.times import Times
from companion.rules.state import BANK, Decision

#: The bare rent of Mediterranean Avenue without $1 notes. Rule: SL-12.2
MEDITERRANEAN = 3


class Buildings(Times):
    """What owners do with their deeds, and what these earn."""

    # -- purchase ------------------------------------------------------------------------------

    def offer(self, player: str, space: str) -> None:
        """Rule: SL-1.4"""
        price = self.board.by_slug[space].price
        self.ask("purchase", player, ("buy", "pass"), space=space, price=price)

    def answer_purchase(self, decision: Decision, choice: str) -> None:
        """Rule: SL-1.4, SL-1.5"""
        if choice == "pass":
            self.close(decision)
            self.tell(PurchaseDeclined(decision.player, decision.facts["space"]))
        else:
            super().answer_purchase(decision, choice)

    def act_bid(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: SL-1.4"""
        self.refuse("not_allowed", "There are no auctions in this variant.")

    def act_pass(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: SL-1.4"""
        self.refuse("not_allowed", "There are no auctions in this variant: choose pass to leave a property.")

    def do_auction(self, player: str | None, space: str) -> None:
        """A deed of the Bank stays unowned. Rule: SL-11.4"""

    # -- building ------------------------------------------------------------------------------

    def act_build(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: SL-1.2"""
        self.check_beginning(self.actor(by))
        super().act_build(by, value, args)

    def check_stock(self, space: str) -> None:
        """The Bank never runs out. Rule: SL-4.1"""

    def act_unbuild(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: SL-1.3"""
        self.check_sale_time(self.actor(by))
        super().act_unbuild(by, value, args)

    def use_sell_group(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-1.3"""
        self.check_sale_time(self.actor(by))
        super().use_sell_group(by, args)

    def check_even_selling(self, player: str, space: str) -> None:
        """Evenness counts only when something is put up. Rule: SL-4.3"""

    def check_no_buildings(self, player: str, space: str) -> None:
        """Only the owner's own buildings count. Rule: SL-4.4"""
        for slug in self.group_of(space):
            other = self.state.spaces[slug]
            if other.owner == player and other.is_built:
                self.refuse("buildings_standing", f"{player} has buildings in the group of {self.title_of(space)}.")

    # -- mortgages -----------------------------------------------------------------------------

    def act_mortgage(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: SL-1.3, SL-3.10"""
        player = self.actor(by)
        self.check_sale_time(player)
        for decision in self.state.decisions:
            if decision.kind == "forfeit" and decision.facts["to"] == BANK and decision.facts["owner"] == player:
                self.refuse("decision_pending", f"{player} forfeits a property to the Bank first.")
        super().act_mortgage(by, value, args)

    def act_unmortgage(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: SL-1.3"""
        player = self.actor(by)
        self.check_no_debt(player)
        self.check_own_turn(player)
        super().act_unmortgage(by, value, args)

    # -- monopolies ----------------------------------------------------------------------------

    def monopolist(self, space: str) -> str | None:
        """Who has every street of this one's colour group, mortgaged or not. Rule: SL-3.5"""
        if self.board.by_slug[space].kind != "street":
            return None
        owner = self.state.spaces[space].owner
        return owner if self.owns_group(owner, space) else None

    def monopolists(self) -> set[str]:
        """Everybody who has a monopoly now."""
        found = {self.monopolist(members[0]) for members in self.board.groups.values()}
        return {player for player in found if player is not None}

    # -- rent ----------------------------------------------------------------------------------

    def rent_of(self, space: str) -> int:
        """Rule: SL-4.5, SL-12.2"""
        here = self.state.spaces[space]
        if self.board.by_slug[space].kind == "street":
            if here.is_built:
                return 0 if self.is_crippled(space) else super().rent_of(space)
            if space == "mediterranean" and self.state.options["no_ones"]:
                return MEDITERRANEAN * (2 if self.is_rent_doubled(space) else 1)
        return super().rent_of(space)

    def is_crippled(self, space: str) -> bool:
        """Whether a street that its owner has in this group is mortgaged. Rule: SL-4.5"""
        spaces = self.state.spaces
        owner = spaces[space].owner
        return any(spaces[slug].owner == owner and spaces[slug].mortgaged for slug in self.group_of(space))

    def is_rent_due(self, player: str, space: str) -> bool:
        """Whether landing here costs this player rent now. Rule: CL-5.1"""
        here = self.state.spaces.get(space)
        if here is None or here.owner in (None, player) or here.mortgaged:
            return False
        return self.board.by_slug[space].kind == "utility" or self.rounded(self.rent_of(space)) > 0

    def pay_all(self, player: str, reason: str) -> int:
        """All the player's cash goes to the Bank."""
        cash = self.state.players[player].cash
        if cash > 0:
            self.tell(Paid(player, BANK, cash, reason))
        return cash
