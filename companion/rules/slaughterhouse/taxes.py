"""Taxes, and properties that are given up or taken. Rule: SL-3.3 to SL-3.13"""

from companion.rules.classic.estate import percent_up
from companion.rules.events import DeedTransferred, Demolished, Rolled
from companion.rules.slaughterhouse.bombs import Bombs
from companion.rules.slaughterhouse.events import WentBroke
from companion.rules.state import BANK, Decision

INCOME_TAX = 200
LUXURY_TAX = 75
LUXURY_DIE = "d6"


class Taxes(Bombs):
    """Income tax, luxury tax, and what the luxury die does."""

    def land_on_tax(self, player: str, space: str) -> None:
        """Rule: SL-3.3, SL-3.7"""
        if space == "income-tax":
            self.tax_income(player, may_choose=True)
        else:
            self.ask("luxury_tax", player, ("pay", "roll"), {"dice": LUXURY_DIE}, dice=LUXURY_DIE)

    # -- income tax ----------------------------------------------------------------------------

    def tax_income(self, player: str, may_choose: bool) -> None:
        """Rule: SL-3.3, SL-3.4, SL-10.18"""
        if self.is_ruined_by_tax(player):
            self.tell(WentBroke(player, self.pay_all(player, "income_tax")))
        elif may_choose:
            self.ask("income_tax", player, ("flat", "percent"))
        else:
            self.charge(player, BANK, INCOME_TAX, "tax")

    def is_ruined_by_tax(self, player: str) -> bool:
        """Rule: SL-3.4 to SL-3.6"""
        villain = self.villain(player)
        if self.state.options["income_tax_monopoly"] == "ever" and villain.ever_monopoly:
            return True
        return villain.ever_robbed or player in self.monopolists()

    def answer_income_tax(self, decision: Decision, choice: str) -> None:
        """Rule: SL-3.3"""
        player = decision.player
        amount = INCOME_TAX if choice == "flat" else percent_up(self.state.players[player].cash)
        self.check_cash(player, self.rounded(amount))
        self.close(decision)
        self.charge(player, BANK, amount, "tax")

    # -- luxury tax ----------------------------------------------------------------------------

    def answer_luxury_tax(self, decision: Decision, choice: str) -> None:
        """Rule: SL-3.7"""
        player = decision.player
        self.close(decision)
        if choice == "pay":
            self.charge(player, BANK, LUXURY_TAX, "tax")
        else:
            self.ask_roll(player, LUXURY_DIE, "luxury_tax")

    def throw_luxury_tax(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: SL-3.7, SL-3.8"""
        player = decision.player
        self.close(decision)
        self.tell(Rolled(player, list(dice), "luxury_tax"))
        if dice[0] == 1:
            self.ask_forfeit(player, player, BANK, "luxury_tax")
        elif dice[0] <= 3:
            self.ask_forfeit(player, player, None, "luxury_tax")
        else:
            others = [slug for name in self.others_from(player) for slug in self.deeds_of(name)]
            if dice[0] <= 5:
                others = [slug for slug in others if self.monopolist(slug) is None]
            self.ask_take(player, others, "luxury_tax")

    # -- giving up and taking ------------------------------------------------------------------

    def ask_forfeit(self, chooser: str, owner: str, to: str | None, cause: str) -> None:
        """Which property the owner gives up; nothing if he has none. Rule: SL-3.8, SL-3.10, SL-10.10, SL-10.11

        Args:
            to: `bank`, a player, or None: the chooser says to whom.
        """
        deeds = self.deeds_of(owner)
        if to == BANK:
            deeds = [slug for slug in deeds if not self.state.spaces[slug].mortgaged] or deeds
        if deeds:
            self.ask("forfeit", chooser, deeds, {"cause": cause}, owner=owner, to=to)

    def answer_forfeit(self, decision: Decision, choice: str) -> None:
        """Rule: SL-3.8"""
        to, owner, cause = decision.facts["to"], decision.facts["owner"], decision.memo["cause"]
        self.close(decision)
        if to is not None:
            self.hand_over(choice, owner, to, cause, by=owner)
            return
        takers = [name for name in self.others_from(owner) if self.in_game(name)]
        self.ask("forfeit_to", decision.player, takers, {"cause": cause}, space=choice)

    def answer_forfeit_to(self, decision: Decision, choice: str) -> None:
        """Rule: SL-3.8"""
        player = decision.player
        self.close(decision)
        self.hand_over(decision.facts["space"], player, choice, decision.memo["cause"], by=player)

    def ask_take(self, player: str, options: list[str], cause: str) -> None:
        """Which property the player takes; nothing if there is none. Rule: SL-3.8, SL-10.11"""
        if options:
            in_order = sorted(options, key=lambda slug: self.board.index[slug])
            self.ask("take_property", player, in_order, {"cause": cause})

    def answer_take_property(self, decision: Decision, choice: str) -> None:
        """Rule: SL-3.7, SL-10.11"""
        player = decision.player
        self.close(decision)
        self.hand_over(choice, self.state.spaces[choice].owner or BANK, player, decision.memo["cause"], by=player)

    def hand_over(self, space: str, giver: str, to: str, cause: str, by: str) -> None:
        """A property changes hands without its buildings, as it is. Rule: SL-3.9, SL-3.11

        Args:
            by: who threw the die or drew the card.
        """
        if self.state.spaces[space].is_built:
            self.tell(Demolished(space, 0, False, "forfeited", by))
        self.tell(DeedTransferred(space, giver, to, cause))
        if to == BANK:
            self.clear(space)
