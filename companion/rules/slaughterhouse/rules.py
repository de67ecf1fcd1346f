"""Slaughterhouse: set-up, options, corrections. Rule: SL-1.7, SL-3.12, SL-4.1"""

from typing import Any, ClassVar

from companion.rules.classic import Classic
from companion.rules.options import Option, fill_in
from companion.rules.slaughterhouse.events import SLAUGHTERHOUSE_EVENTS
from companion.rules.slaughterhouse.state import DirectedTurn, EndlessBank, Lot, SlaughterState, Villain
from companion.rules.slaughterhouse.suggestions import Proposals
from companion.rules.state import Decision, Player, Space, State

#: Options of the classic game that exist here. Rule: SL-1.7
_CLASSIC_OPTIONS = tuple(each for each in Classic.options if each.name in ("rent", "utility_dice", "roll_for_start"))


class Slaughterhouse(Proposals):
    """Theodore Wright's variation."""

    name: ClassVar[str] = "slaughterhouse"
    title: ClassVar[str] = "Slaughterhouse"
    default_edition: ClassVar[str] = "vintage"
    options: ClassVar[tuple[Option, ...]] = (
        *_CLASSIC_OPTIONS,
        Option(
            "income_tax_monopoly",
            ("current", "ever"),
            "current",
            "Income tax ruins who has a monopoly, or who ever had one.",
            "SL-3.5",
        ),
        Option("no_ones", (False, True), False, "No $1 notes: sums are rounded to $5.", "SL-12.1"),
        Option("miners_for_own", (False, True), False, "Miners for one's own properties from anywhere.", "SL-5.3"),
    )
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {
        "bomb": ("on",),
        "miner": ("on",),
        "place_house": ("on",),
        "sell_bomb": (),
        "sell_miner": (),
        "sell_house": (),
        "demand_rent": ("space",),
        "sell_group": ("group",),
    }
    figures: ClassVar[tuple[str, ...]] = ("cop",)
    event_types = SLAUGHTERHOUSE_EVENTS
    state_type: ClassVar[type[State]] = SlaughterState
    player_type: ClassVar[type[Player]] = Villain
    space_type: ClassVar[type[Space]] = Lot

    @classmethod
    def fill_options(cls, given: dict[str, Any] | None) -> dict[str, Any]:
        """Rule: SL-1.7"""
        return fill_in(cls.options, given)

    def set_up(self, settings: dict[str, Any]) -> None:
        """Rule: SL-4.1"""
        self.state.bank = EndlessBank()
        self.state.turn = DirectedTurn(self.state.turn.player)
        super().set_up(settings)

    def do_begin(self, player: str | None, first: str) -> None:
        """Who begins is Chairman. Rule: SL-3.12"""
        super().do_begin(player, first)
        self.note(chairman=first)

    # -- corrections ---------------------------------------------------------------------------

    def check_corrected(self, state: State) -> None:
        super().check_corrected(state)
        if isinstance(state, SlaughterState):
            self.space_named(state.cop.at)
            if state.chairman is not None:
                self.player_named(state.chairman)

    def check_corrected_player(self, name: str, player: Player) -> None:
        super().check_corrected_player(name, player)
        if not isinstance(player, Villain):
            return
        if min(player.times_repaid, player.bombs, player.miners, player.kept_houses, *player.loot.values(), 0) < 0:
            self.refuse("malformed", f"A number of {name} is below 0.")
        for creditor in player.loot:
            if creditor != "bank" and self.player_named(creditor) == name:
                self.refuse("malformed", f"{name} has stolen from the Bank or from other players, or nothing.")

    def check_corrected_space(self, slug: str, space: Space) -> None:
        super().check_corrected_space(slug, space)
        if isinstance(space, Lot) and (space.bomb or space.miner) and not self.board.by_slug[slug].is_property:
            self.refuse("malformed", f"{slug} is no property: neither bomb nor miner can be there.")

    def is_still_open(self, decision: Decision) -> bool:
        """Decisions about deeds and pockets that a correction has overtaken are dropped."""
        if not super().is_still_open(decision):
            return False
        spaces, facts = self.state.spaces, decision.facts
        if decision.kind == "forfeit":
            return all(spaces[slug].owner == facts["owner"] for slug in decision.options or ())
        if decision.kind == "forfeit_to":
            return spaces[facts["space"]].owner == decision.player
        if decision.kind == "take_property":
            return all(spaces[slug].owner != decision.player for slug in decision.options or ())
        if decision.kind == "lose_house":
            return set(self.losable(decision.player)) == set(decision.options or ())
        if decision.kind == "place_house":
            return set(self.house_sites(decision.player)) == set(decision.options or ())
        return True
