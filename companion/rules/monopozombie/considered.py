"""MZ-12.8 to MZ-12.10 "To consider": houses that are carried off, and houses that are fortified.

The other ideas of MZ-12 are where they act: directions in `zombies`, battles of dice and shelters in
`meeting`, who is not seen in `standing`.
"""

from typing import Any

from companion.rules.events import Paid
from companion.rules.monopozombie.events import Fortified, HouseCarried
from companion.rules.monopozombie.groups import Groups
from companion.rules.state import BANK


class Considered(Groups):
    """What owners may do with their houses besides."""

    def use_carry_house(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: MZ-12.8"""
        player = self.actor(by)
        space = self.state.players[player].at or "go"
        here = self.ground(space)
        if not self.state.options["carry_house"] or not self.is_apocalypse or not self.is_human(player):
            self.refuse("not_allowed", "Houses are carried by survivors, with the option carry_house.")
        if player != self.state.turn.player and player not in self.state.together:
            self.refuse("not_allowed", "A house is carried off in one's own turn.")
        if not self.state.rolled or any(each.kind != "extra_go" for each in self.state.pending):
            self.refuse("not_allowed", "First comes the move.")
        if here.owner != player or here.hotel or here.houses < 2 or self.player(player).carrying:
            self.refuse("not_allowed", "One house at a time, from an own street with two to four houses.")
        self.tell(HouseCarried(player, space))
        self.look(space, player)

    def use_fortify(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: MZ-12.10"""
        player = self.actor(by)
        if not self.state.options["fortify"]:
            self.refuse("not_allowed", "Nothing is fortified without the option fortify.")
        self.check_no_debt(player)
        space = self.space_named(args.get("space"))
        self.check_property(space)
        here, price = self.ground(space), self.board.by_slug[space].house
        if here.owner != player:
            self.refuse("not_owner", f"{self.title_of(space)} is not {player}'s.")
        if not here.is_built or here.fortified:
            self.refuse("not_allowed", f"{self.title_of(space)} is bare or fortified already.")
        self.check_cash(player, price)
        self.tell(Paid(player, BANK, price, "fortify"))
        self.tell(Fortified(player, space))
