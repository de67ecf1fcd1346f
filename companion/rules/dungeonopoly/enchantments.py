"""Enchantments of characters and squares: one mechanism for all. Rule: DG-2.6, DG-2.9, DG-2.15

Who made it is what is kept; an effect ends as `spent`, `dispelled` or `ended`. What it does is asked with `aura` and
`laid` (see terms), which know what is suppressed.
"""

from typing import Any

from companion.rules.dungeonopoly.events import Disenchanted, Enchanted, Hidden, Revealed, drop_bare
from companion.rules.dungeonopoly.experience import Experience

#: Those that end when the bearer's own next turn starts. Rule: DG-7.10, DG-8.7
UNTIL_NEXT_TURN = ("invisibility", "sanctuary")


class Enchanting(Experience):
    """How enchantments come and go."""

    def enchant(self, player: str, enchantment: str, by: str) -> None:
        """Put an effect on a character; wards against it have been met."""
        self.tell(Enchanted(enchantment, by, player=player))

    def lift(self, player: str, enchantment: str, cause: str, by: str | None = None) -> None:
        """Take an effect off a character; `by` says whose charm."""
        self.tell(Disenchanted(enchantment, cause, player=player, by=by))

    def enchant_square(self, space: str, enchantment: str, by: str) -> None:
        self.tell(Enchanted(enchantment, by, space=space))

    def lift_square(self, space: str, enchantment: str, cause: str) -> None:
        self.tell(Disenchanted(enchantment, cause, space=space))

    # -- hiding --------------------------------------------------------------------------------

    def hide(self, player: str, cause: str) -> bool:
        """Become hidden, unless glitter gives her away; then the glitter is spent. Rule: DG-2.9, DG-10.16"""
        if self.aura(player, "glitterdust") is not None:
            self.lift(player, "glitterdust", "spent")
            return False
        self.tell(Hidden(player, cause))
        return True

    def reveal(self, player: str, cause: str) -> None:
        """Rule: DG-2.9"""
        if self.state.players[player].hidden_by is not None:
            self.tell(Revealed(player, cause))
        if self.state.players[player].enchantments.invisibility is not None:
            self.lift(player, "invisibility", "ended")
            if self.is_own_turn(player):
                self.note_turn(unseen=False)

    # -- time ----------------------------------------------------------------------------------

    def start_turn(self, player: str) -> None:
        """What lasts until her next turn is over. Rule: DG-2.9, DG-8.7"""
        super().start_turn(player)
        self.reveal(player, "turn")
        for enchantment in UNTIL_NEXT_TURN:
            if getattr(self.state.players[player].enchantments, enchantment) is not None:
                self.lift(player, enchantment, "ended")

    def settle(self) -> None:
        """Who is hidden is worked out after every action. Rule: DG-2.9"""
        for name, hero in self.state.players.items():
            if hero.hidden is not self.is_hidden(name):
                self.note_player(name, hidden=not hero.hidden)
        super().settle()

    def correct(self, changes: Any) -> None:
        """Squares that carry nothing any more are forgotten."""
        super().correct(changes)
        for slug in [slug for slug in self.state.spaces if not self.board.by_slug[slug].is_property]:
            drop_bare(self.state, slug)
