"""When one may act, and the money of this variant. Rule: SL-1.1 to SL-1.3, SL-12"""

from companion.rules.classic import Classic
from companion.rules.slaughterhouse.events import villain_of
from companion.rules.slaughterhouse.state import Lot, SlaughterState, Villain


class Times(Classic):
    """What all other modules of the variant stand on."""

    state: SlaughterState

    def villain(self, player: str) -> Villain:
        return villain_of(self.state, player)

    def lot(self, space: str) -> Lot | None:
        """What is on a property; None for other spaces."""
        found = self.state.spaces.get(space)
        return found if isinstance(found, Lot) else None

    def in_game(self, player: str) -> bool:
        return self.state.players[player].status != "bankrupt"

    # -- whose time it is ----------------------------------------------------------------------

    def is_own_turn(self, player: str) -> bool:
        """Whether a turn of this player is under way."""
        return self.state.turn.player == player and not self.is_starting()

    def is_starting(self) -> bool:
        """Whether the throws for the first turn are still to be made. Rule: CL-1.5"""
        return any(each.facts.get("purpose") == "start" for each in self.state.decisions)

    def is_beginning(self) -> bool:
        """From the start of the turn until its first throw. Rule: SL-1.1"""
        return self.state.base == "roll" and not self.state.dice

    def check_own_turn(self, player: str) -> None:
        if not self.is_own_turn(player):
            self.refuse("not_your_turn", f"It is not {player}'s turn: it is {self.state.turn.player}'s.")

    def check_beginning(self, player: str) -> None:
        """For what is bought. Rule: SL-1.2"""
        self.check_no_debt(player)
        self.check_own_turn(player)
        if not self.is_beginning():
            self.refuse("not_allowed", f"{player} may buy only before the first throw of the turn.")

    def check_sale_time(self, player: str) -> None:
        """For what raises money. Rule: SL-1.3"""
        if not self.state.players[player].owes:
            self.check_own_turn(player)

    # -- money without ones --------------------------------------------------------------------

    def rounded(self, amount: int) -> int:
        """To the nearest $5 when there are no $1 notes. Rule: SL-12.1"""
        return (amount + 2) // 5 * 5 if self.state.options["no_ones"] else amount
