"""MZ-2 Stage one: building without the whole group, but evenly."""

from companion.rules.monopozombie.standing import Standing


class Building(Standing):
    """The classic building rules, of groups in several hands."""

    def own_streets(self, player: str, space: str) -> list[str]:
        """The player's streets in the group of `space`."""
        return [slug for slug in self.group_of(space) if self.state.spaces[slug].owner == player]

    def check_group_for_building(self, player: str, space: str) -> None:
        """Rule: MZ-2.1, MZ-2.3"""
        if any(self.state.spaces[slug].mortgaged for slug in self.own_streets(player, space)):
            self.refuse("mortgaged", f"A street of {player}'s in the group of {self.title_of(space)} is mortgaged.")

    def check_even_building(self, player: str, space: str) -> None:
        """Rule: MZ-2.2"""
        others = [slug for slug in self.group_of(space) if slug != space]
        lowest = min(self.level(slug) if self.state.spaces[slug].owner is not None else 0 for slug in others)
        if self.level(space) > lowest:
            self.refuse("uneven_building", f"Other streets of the group of {self.title_of(space)} come first.")

    def check_even_selling(self, player: str, space: str) -> None:
        """Rule: MZ-2.4"""
        if self.level(space) < max(self.level(slug) for slug in self.own_streets(player, space)):
            self.refuse("uneven_building", f"More stands on another street of {player}'s in the group: sell there.")

    def buildings_to_sell(self, player: str, group: str) -> list[str]:
        """Rule: MZ-2.4"""
        spaces = self.state.spaces
        return [slug for slug in self.board.groups[group] if spaces[slug].owner == player and spaces[slug].is_built]

    def check_no_buildings(self, player: str, space: str) -> None:
        """Rule: MZ-2.3"""
        if any(self.state.spaces[slug].is_built for slug in self.own_streets(player, space)):
            self.refuse(
                "buildings_standing", f"{player}'s buildings stand in the group of {self.title_of(space)}: sell them."
            )
