"""Rent. Rule: CL-5"""

from typing import Any

from companion.rules.classic.bankruptcy import Bankruptcies
from companion.rules.events import RentClaimClosed, RentClaimed, RentLapsed, RentOwed, Rolled
from companion.rules.state import Claim, Decision


class Rents(Bankruptcies):
    """Landing on properties."""

    def land_on_property(self, player: str, space: str) -> None:
        """Landed on a street, railroad or utility. Rule: CL-3.1, CL-5.1, CL-2.10"""
        here = self.state.spaces[space]
        if here.owner is None:
            self.offer(player, space)
        elif here.owner != player and not here.mortgaged:
            self.visit(player, here.owner, space)

    def visit(self, player: str, owner: str, space: str) -> None:
        """Rent is due to `owner`. Rule: CL-5.1, CL-5.6, CL-5.7, CL-6.5, CL-6.6"""
        factor, times = self.state.card_rent
        if self.board.by_slug[space].kind != "utility":
            self.owe_rent(player, owner, space, self.rent_of(space) * factor)
        elif times or self.state.options["utility_dice"] == "fresh":
            self.throw_for_rent(player, owner, space, times or self.utility_times(space))
        else:
            self.owe_rent(player, owner, space, sum(self.state.dice) * self.utility_times(space))

    def rent_of(self, space: str) -> int:
        """Rent of a street or railroad now, in dollars. Rule: CL-5.2 to CL-5.5, CL-5.8"""
        here, printed = self.state.spaces[space], self.board.by_slug[space]
        if printed.kind == "railroad":
            return printed.rent[self.owned_in_group(here.owner, space) - 1]
        if here.hotel:
            return printed.rent[5]
        if here.houses:
            return printed.rent[here.houses]
        return printed.rent[0] * (2 if self.is_rent_doubled(space) else 1)

    def is_rent_doubled(self, space: str) -> bool:
        """Rule: CL-5.3, CL-5.4"""
        spaces = self.state.spaces
        owner = spaces[space].owner
        for slug in self.group_of(space):
            other = spaces[slug]
            if other.owner != owner or other.mortgaged:
                return False
        return True

    def owned_in_group(self, owner: str | None, space: str) -> int:
        spaces, owned = self.state.spaces, 0
        for slug in self.group_of(space):
            if spaces[slug].owner == owner:
                owned += 1
        return owned

    def utility_times(self, space: str) -> int:
        """Rule: CL-5.6, CL-5.8"""
        return self.board.by_slug[space].times[self.owned_in_group(self.state.spaces[space].owner, space) - 1]

    def throw_for_rent(self, player: str, owner: str, space: str, times: int) -> None:
        """Under `rent: demand` the throw waits for the claim. Rule: CL-5.6, CL-5.13"""
        if self.state.options["rent"] == "demand":
            self.tell(RentClaimed(Claim(player, owner, space, None, times)))
        else:
            self.ask_utility_roll(Claim(player, owner, space, None, times), claimed=False)

    def ask_utility_roll(self, claim: Claim, claimed: bool) -> None:
        memo = {"to": claim.creditor, "space": claim.space, "times": claim.times, "claimed": claimed}
        self.ask_roll(claim.debtor, "2d6", "utility_rent", memo)

    def throw_utility_rent(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: CL-5.6"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "utility_rent"))
        self.owe_utility_rent(decision, dice)

    def owe_utility_rent(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """The rent that was thrown for. Rule: CL-5.6"""
        memo = decision.memo
        amount = sum(dice) * memo["times"]
        if memo["claimed"]:
            amount = self.rounded(self.adjusted_rent(memo["space"], amount))
            self.tell(RentOwed(decision.player, memo["to"], memo["space"], amount))
            self.settle_rent(Claim(decision.player, memo["to"], memo["space"], amount))
        else:
            self.owe_rent(decision.player, memo["to"], memo["space"], amount)

    def owe_rent(self, player: str, owner: str, space: str, amount: int) -> None:
        """The rent is known: claimed by itself, or to be demanded. Rule: CL-5.10, CL-5.11"""
        amount = self.rounded(self.adjusted_rent(space, amount))
        if amount <= 0:
            return
        self.tell(RentOwed(player, owner, space, amount))
        claim = Claim(player, owner, space, amount)
        if self.state.options["rent"] == "demand":
            self.tell(RentClaimed(claim))
        else:
            self.settle_rent(claim)

    def adjusted_rent(self, space: str, amount: int) -> int:
        """What lies on the space may change its rent, in dollars: nothing in the classic game."""
        return amount

    def settle_rent(self, claim: Claim) -> None:
        """Between rent owed and rent paid: where a variant lets players react."""
        self.charge(claim.debtor, claim.creditor, claim.amount or 0, "rent")

    def use_demand_rent(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: CL-5.11, CL-5.12"""
        player = self.actor(by)
        wanted = self.space_named(args["space"]) if "space" in args else None
        for place, claim in enumerate(self.state.rent_claims):
            if claim.creditor == player and wanted in (None, claim.space):
                self.tell(RentClaimClosed(place))
                if claim.amount is None:
                    self.ask_utility_roll(claim, claimed=True)
                else:
                    self.settle_rent(claim)
                return
        self.refuse("not_allowed", f"{player} has no rent to claim here.")

    def lapse_claims(self, roller: str) -> None:
        """Claims against others lapse when the next player rolls. Rule: CL-5.11"""
        for place in reversed(range(len(self.state.rent_claims))):
            claim = self.state.rent_claims[place]
            if claim.debtor != roller:
                self.tell(RentClaimClosed(place))
                self.tell(RentLapsed(claim.debtor, claim.creditor, claim.space))
