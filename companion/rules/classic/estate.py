"""Buildings and mortgages. Rule: CL-9 (without auctions), CL-10, CL-11"""

from typing import Any

from companion.rules.classic.money import Money
from companion.rules.events import Built, Mortgaged, Unbuilt, Unmortgaged
from companion.rules.state import BANK


def percent_up(amount: int, percent: int = 10) -> int:
    """A percentage in whole dollars, rounded up. Rule: CL-1.8"""
    return -(-amount * percent // 100)


class Estate(Money):
    """What owners do with their deeds."""

    # -- queries -------------------------------------------------------------------------------

    @property
    def houses_for_hotel(self) -> int:
        """Houses that stand before a hotel: 4, in the speed game 3. Rule: CL-9.6, CL-15.3"""
        return 3 if self.state.options.get("short_game") else 4

    def steps_on(self, space: str) -> int:
        """Building steps on a street: its houses, a hotel one more than the most houses. Rule: CL-9.5"""
        here = self.state.spaces[space]
        return self.houses_for_hotel + 1 if here.hotel else here.houses

    def group_of(self, space: str) -> tuple[str, ...]:
        return self.board.groups[self.board.by_slug[space].group]

    def owns_group(self, player: str | None, space: str) -> bool:
        """Whether the player owns every property of this one's group."""
        return player is not None and all(self.is_owner(player, slug) for slug in self.group_of(space))

    def is_owner(self, player: str | None, space: str) -> bool:
        """Whether the player has the say over a property."""
        return space in self.state.spaces and self.state.spaces[space].owner == player

    def check_owner(self, player: str, space: str) -> None:
        if not self.is_owner(player, space):
            self.refuse("not_owner", f"{self.title_of(space)} is not {player}'s.")

    def deeds_of(self, player: str) -> list[str]:
        """The player's deeds in board order."""
        spaces = self.state.spaces
        return [slug for slug in self.board.properties if spaces[slug].owner == player]

    def sale_value(self, space: str) -> int:
        """What all buildings on a street bring when sold. Rule: CL-10.1, CL-10.4, CL-15.4"""
        return self.steps_on(space) * self.board.by_slug[space].house // 2

    # -- building ------------------------------------------------------------------------------

    def act_build(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-9.1"""
        player = self.actor(by)
        self.check_no_debt(player)
        space = self.space_named(value)
        self.check_site(player, space)
        self.check_stock(space)
        price = self.building_price(space)
        self.check_cash(player, price)
        self.put_building(player, space)
        self.spend(player, BANK, price, "build")

    def building_price(self, space: str) -> int:
        """Price of the next building on a street, in dollars."""
        return self.board.by_slug[space].house

    def check_site(self, player: str, space: str) -> None:
        """Whether the next building may stand there, stock and cash aside. Rule: CL-9.2 to CL-9.6, CL-9.8"""
        if self.board.by_slug[space].kind != "street":
            self.refuse("not_allowed", f"{self.title_of(space)} is no street: nothing is built there.")
        self.check_owner(player, space)
        self.check_group_for_building(player, space)
        if self.state.spaces[space].hotel:
            self.refuse("not_allowed", f"A hotel stands on {self.title_of(space)} already.")
        self.check_even_building(player, space)

    def check_group_for_building(self, player: str, space: str) -> None:
        """Rule: CL-9.3, CL-9.4"""
        if not self.owns_group(player, space):
            self.refuse("no_monopoly", f"{player} does not own the whole group of {self.title_of(space)}.")
        if any(self.state.spaces[slug].mortgaged for slug in self.group_of(space)):
            self.refuse("mortgaged", f"A street of the group of {self.title_of(space)} is mortgaged.")

    def check_even_building(self, player: str, space: str) -> None:
        """Rule: CL-9.5"""
        if self.steps_on(space) > min(self.steps_on(slug) for slug in self.group_of(space)):
            self.refuse("uneven_building", f"Other streets of the group of {self.title_of(space)} come first.")

    def next_is_hotel(self, space: str) -> bool:
        return self.state.spaces[space].houses >= self.houses_for_hotel

    def check_stock(self, space: str) -> None:
        """Rule: CL-9.7"""
        bank = self.state.bank
        if self.next_is_hotel(space):
            if bank.hotels < 1:
                self.refuse("bank_short", "The Bank has no hotel left: wait until one is sold.")
        elif bank.houses < 1:
            self.refuse("bank_short", "The Bank has no house left: wait until one is sold.")

    def put_building(self, player: str, space: str) -> None:
        """Put up the next house, or the hotel."""
        if self.next_is_hotel(space):
            self.tell(Built(player, space, 0, True))
        else:
            self.tell(Built(player, space, self.state.spaces[space].houses + 1, False))

    # -- selling buildings ---------------------------------------------------------------------

    def act_unbuild(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-10.1 to CL-10.3"""
        player = self.actor(by)
        space = self.space_named(value)
        self.check_property(space)
        here = self.state.spaces[space]
        self.check_owner(player, space)
        if not here.is_built:
            self.refuse("not_allowed", f"Nothing stands on {self.title_of(space)}.")
        self.check_even_selling(player, space)
        houses = self.houses_for_hotel if here.hotel else here.houses - 1
        if here.hotel and not self.state.bank.has_houses(houses):
            self.refuse("bank_short", f"The Bank lacks the {houses} houses that replace the hotel.")
        self.tell(Unbuilt(player, space, houses, False))
        self.receive(player, self.board.by_slug[space].house // 2, "building_sold")

    def check_even_selling(self, player: str, space: str) -> None:
        """Rule: CL-10.2"""
        if self.steps_on(space) < max(self.steps_on(slug) for slug in self.group_of(space)):
            self.refuse("uneven_building", f"More stands elsewhere in the group of {self.title_of(space)}: sell there.")

    def use_sell_group(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: CL-10.4"""
        player = self.actor(by)
        group = args.get("group")
        if not isinstance(group, str) or group not in self.board.groups:
            self.refuse("malformed", f"{group!r} is no group; there are {', '.join(self.board.groups)}.")
        built = self.buildings_to_sell(player, group)
        if not built:
            self.refuse("not_allowed", f"No building stands in {group}.")
        self.sell_buildings(player, built)

    def buildings_to_sell(self, player: str, group: str) -> list[str]:
        """Streets whose buildings `sell_group` sells."""
        built = [slug for slug in self.board.groups[group] if self.state.spaces[slug].is_built]
        if not all(self.is_owner(player, slug) for slug in built):
            self.refuse("not_owner", f"Not all buildings of {group} are {player}'s.")
        return built

    def sell_buildings(self, player: str, built: list[str]) -> None:
        """Everything on these streets goes back to the Bank at half price, in one payment."""
        total = sum(self.sale_value(slug) for slug in built)
        for slug in built:
            self.tell(Unbuilt(player, slug, 0, False))
        self.receive(player, total, "building_sold")

    # -- mortgages -----------------------------------------------------------------------------

    def check_property(self, space: str) -> None:
        if not self.board.by_slug[space].is_property:
            self.refuse("not_allowed", f"{self.title_of(space)} is no property.")

    def check_no_buildings(self, player: str, space: str) -> None:
        """No street of the group may carry a building. Rule: CL-11.2, CL-12.3"""
        if any(self.state.spaces[slug].is_built for slug in self.group_of(space)):
            self.refuse(
                "buildings_standing", f"Buildings stand in the group of {self.title_of(space)}: sell them first."
            )

    def act_mortgage(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-11.1, CL-11.2"""
        player = self.actor(by)
        space = self.space_named(value)
        self.check_property(space)
        here = self.state.spaces[space]
        self.check_owner(player, space)
        if here.mortgaged:
            self.refuse("mortgaged", f"{self.title_of(space)} is mortgaged already.")
        self.check_no_buildings(player, space)
        self.tell(Mortgaged(player, space))
        self.receive(player, self.board.by_slug[space].mortgage, "mortgage")

    def act_unmortgage(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-11.3"""
        player = self.actor(by)
        self.check_no_debt(player)
        space = self.space_named(value)
        self.check_property(space)
        here = self.state.spaces[space]
        self.check_owner(player, space)
        if not here.mortgaged:
            self.refuse("not_allowed", f"{self.title_of(space)} is not mortgaged.")
        price = self.lifting_price(space)
        self.check_cash(player, price)
        self.lift_mortgage(player, space, price)

    def lifting_price(self, space: str) -> int:
        """Mortgage value plus 10%, rounded up, in dollars. Rule: CL-11.3"""
        value = self.board.by_slug[space].mortgage
        return self.rounded(value + percent_up(value))

    def lift_mortgage(self, player: str, space: str, price: int) -> None:
        self.tell(Unmortgaged(player, space))
        self.spend(player, BANK, price, "unmortgage")
