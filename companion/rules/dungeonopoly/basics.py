"""The pot, the corners, and when property is managed. Rule: DG-1.4 to DG-1.8, DG-1.15"""

from typing import Any

from companion.rules.classic.jail import JAIL_FINE
from companion.rules.dungeonopoly.rents import DungeonRents
from companion.rules.errors import Refused
from companion.rules.state import POT, Decision


class Basics(DungeonRents):
    """The classic game as it is played here."""

    # -- the pot -------------------------------------------------------------------------------

    def land_on_corner(self, player: str, space: str) -> None:
        """Rule: DG-1.5"""
        if space == "free-parking":
            self.take_pot(player)
        else:
            super().land_on_corner(player, space)

    def take_pot(self, player: str) -> None:
        """The whole pot; a hexed finder leaves it where it is. Rule: DG-1.5, DG-12.3"""
        if self.state.pot > 0:
            self.transfer(POT, player, self.state.pot, "free_parking")

    def pay_jail_fine(self, player: str) -> None:
        """Rule: DG-1.4"""
        self.check_no_debt(player)
        amount = self.eased(player, self.fee(player, JAIL_FINE))
        self.check_cash(player, amount)
        self.spend(player, POT, amount, "jail_fine")

    # -- purchases -----------------------------------------------------------------------------

    def answer_purchase(self, decision: Decision, choice: str) -> None:
        """Rule: DG-1.15"""
        super().answer_purchase(decision, choice)
        if choice == "buy":
            self.gain(decision.player, "purchase")

    def auction_won(self, player: str, space: str) -> None:
        """Rule: DG-1.15"""
        self.gain(player, "purchase")

    # -- managing ------------------------------------------------------------------------------

    def check_own_turn(self, by: str | None, may_owe: bool) -> None:
        """Business with the Bank is for one's own turn; selling also for a debtor. Rule: DG-1.6 to DG-1.8, DG-13.5"""
        player = self.actor(by)
        if self.same_side(player, self.state.turn.player) or (may_owe and self.state.players[player].owes):
            return
        self.refuse("not_your_turn", f"It is {self.state.turn.player}'s turn: {player} does that in her own.")

    def act_build(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: DG-1.6"""
        self.check_own_turn(by, may_owe=False)
        super().act_build(by, value, args)

    def act_unbuild(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: DG-1.7"""
        self.check_own_turn(by, may_owe=True)
        super().act_unbuild(by, value, args)

    def use_sell_group(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: DG-1.7"""
        self.check_own_turn(by, may_owe=True)
        super().use_sell_group(by, args)

    def act_mortgage(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: DG-1.7"""
        self.check_own_turn(by, may_owe=True)
        super().act_mortgage(by, value, args)

    def act_unmortgage(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: DG-1.8"""
        self.check_own_turn(by, may_owe=False)
        super().act_unmortgage(by, value, args)

    # -- groups of several owners --------------------------------------------------------------

    def own_streets(self, player: str, space: str) -> list[str]:
        """The streets of a group that are the player's or a team mate's."""
        return [slug for slug in self.group_of(space) if self.is_owner(player, slug)]

    def check_even_selling(self, player: str, space: str) -> None:
        """What others were given by Fortify or Wish holds up nobody. Rule: CL-10.2, DG-6.9, DG-7.20"""
        if self.steps_on(space) < max(self.steps_on(slug) for slug in self.own_streets(player, space)):
            self.refuse("uneven_building", f"More stands on another street of {player}'s in the group: sell there.")

    def buildings_to_sell(self, player: str, group: str) -> list[str]:
        """Rule: CL-10.4, DG-6.9, DG-7.20"""
        return [slug for slug in self.board.groups[group] if self.is_owner(player, slug) and self.square(slug).is_built]

    def check_no_buildings(self, player: str, space: str) -> None:
        """Rule: CL-11.2, CL-12.3, DG-6.9, DG-7.20"""
        if any(self.state.spaces[slug].is_built for slug in self.own_streets(player, space)):
            self.refuse("buildings_standing", f"{player}'s buildings stand in the group of {self.title_of(space)}.")

    # -- learning holds up ---------------------------------------------------------------------

    def act_end_turn(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: DG-1.13"""
        if self.is_learning():
            self.refuse("decision_pending", "First somebody has something to learn.")
        super().act_end_turn(by, value, args)

    def roll_refusal(self, by: str | None) -> Refused:
        """Rule: DG-1.13"""
        if self.is_learning():
            return Refused("decision_pending", "First somebody has something to learn.")
        return super().roll_refusal(by)
