"""Watch: whose turn it is, what was thrown and where the token belongs, for people who keep the books themselves."""

from typing import Any, ClassVar

from companion.rules.chance import Chance
from companion.rules.classic import Classic
from companion.rules.events import PassedGo, Released
from companion.rules.options import Option, fill_in
from companion.rules.state import Decision, Player


class WatchPlayer(Player, frozen=True):
    """No money. Rule: WA-1"""

    cash: int = 0


class Watch(Classic):
    """Dice and moves only."""

    name: ClassVar[str] = "watch"
    title: ClassVar[str] = "Watch only"
    player_type = WatchPlayer
    options: ClassVar[tuple[Option, ...]] = (
        Option("doubles_again", (True, False), True, "Doubles give a further roll, the third jails.", "WA-3"),
        Option("go_to_jail", (True, False), True, "The corner Go To Jail sends the token to jail.", "WA-4"),
    )
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {}

    @classmethod
    def fill_options(cls, given: dict[str, Any] | None) -> dict[str, Any]:
        return fill_in(cls.options, given)

    def check_actor(self, verb: str, by: str | None) -> None:
        """Rule: WA-6"""
        super().check_actor(verb, by)
        if verb not in ("roll", "end_turn", "set"):
            self.refuse("not_allowed", f"{verb}: only dice and moves are followed in this variant.")

    def turn_decisions(self, player: str) -> list[Decision]:
        """Also a jailed token moves by an ordinary roll. Rule: WA-1, WA-4"""
        return [self.movement_roll(player)]

    def move_by_roll(self, player: str, dice: tuple[int, ...]) -> None:
        """A jailed token leaves with whatever is thrown. Rule: WA-4"""
        if self.state.players[player].in_jail:
            self.tell(Released(player, "roll"))
        super().move_by_roll(player, dice)

    def is_double(self, player: str, dice: tuple[int, ...]) -> bool:
        """Rule: WA-3"""
        return bool(self.state.options["doubles_again"]) and super().is_double(player, dice)

    def pass_go(self, player: str) -> None:
        """Rule: WA-2"""
        self.tell(PassedGo(player))

    def land_on_property(self, player: str, space: str) -> None:
        """Rule: WA-1"""

    def land_on_cards(self, player: str, deck: str) -> None:
        """Rule: WA-1"""

    def land_on_tax(self, player: str, space: str) -> None:
        """Rule: WA-1"""

    def land_on_corner(self, player: str, space: str) -> None:
        """Rule: WA-4"""
        if self.state.options["go_to_jail"]:
            super().land_on_corner(player, space)

    def suggest_affairs(self, player: str, rng: Chance) -> list[dict[str, Any]]:
        """Rule: WA-6"""
        return []
