"""The sixteen cards Journey To Adventure, and what changes in the classic ones. Rule: SL-3.12, SL-10"""

import functools

from msgspec.structs import replace

from companion.rules.board import Card, cards_from, load_toml
from companion.rules.events import Demolished
from companion.rules.slaughterhouse.cop import HOME
from companion.rules.slaughterhouse.events import CardGiven, ChairmanChanged, HouseKept, StockChanged
from companion.rules.slaughterhouse.landing import Landings
from companion.rules.state import BANK, Decision

#: Effects of chance cards that move the token. Rule: SL-10.4
MOVING = frozenset({"advance", "nearest_utility", "nearest_railroad", "back", "go_to_jail"})


@functools.cache
def journey_deck(edition: str) -> dict[str, dict[str, Card]]:
    return cards_from(load_toml("journey.toml", "companion.rules.slaughterhouse")["cards"], edition)


class Journeys(Landings):
    """What the blue cards do."""

    @property
    def decks(self) -> dict[str, dict[str, Card]]:
        """Rule: SL-10.1"""
        return {**super().decks, **journey_deck(self.state.edition)}

    # -- chance and chest ----------------------------------------------------------------------

    def card_pay_each(self, player: str, card: Card) -> None:
        """Rule: SL-3.12"""
        if card.card == "chairman" and self.state.chairman != player:
            self.tell(ChairmanChanged(player))
        super().card_pay_each(player, card)

    def repair_costs(self, player: str, card: Card) -> int:
        """Rule: SL-10.20"""
        kept = self.villain(player).kept_houses if card.card == "general-repairs" else 0
        return super().repair_costs(player, card) + kept * card.house

    # -- moves ---------------------------------------------------------------------------------

    def card_enter_free_parking(self, player: str, card: Card) -> None:
        """Rule: SL-10.2"""
        self.jump(player, "free-parking")

    def card_retreat_to_go(self, player: str, card: Card) -> None:
        """Rule: SL-10.3"""
        self.jump(player, "go")

    def card_advance_to_go_to_jail(self, player: str, card: Card) -> None:
        """Rule: SL-10.9"""
        self.travel(player, "go-to-jail", "card")

    def card_advance_to_income_tax(self, player: str, card: Card) -> None:
        """Rule: SL-10.18"""
        self.travel(player, "income-tax", "card")
        self.tempt(player, "income-tax", "tax_card", [])

    def card_go_again(self, player: str, card: Card) -> None:
        """Rule: SL-10.14"""
        self.roll_again(backwards=False)
        self.note_course(jail_bound=True)

    def card_backwards_turn(self, player: str, card: Card) -> None:
        """Rule: SL-10.15"""
        self.roll_again(backwards=True)

    def roll_again(self, backwards: bool) -> None:
        """Another movement roll of the mover, doubles counted anew."""
        state = self.state
        state.again = True
        state.turn = replace(state.turn, doubles=0, backwards=backwards)

    # -- a chance card for somebody else -------------------------------------------------------

    def card_take_a_chance(self, player: str, card: Card) -> None:
        """Rule: SL-10.4"""
        self.ask("draw", player, None, {"gift": True}, deck="chance")

    def take_card(self, decision: Decision, card: Card) -> None:
        """Rule: SL-10.4"""
        if not decision.memo.get("gift"):
            super().take_card(decision, card)
            return
        others = [name for name in self.others_from(decision.player) if self.in_game(name)]
        self.ask("give_card", decision.player, others, card=card.card)

    def answer_give_card(self, decision: Decision, choice: str) -> None:
        """Rule: SL-10.4"""
        card = self.decks["chance"][decision.facts["card"]]
        self.close(decision)
        self.tell(CardGiven(card.card, decision.player, choice))
        if card.effect not in MOVING or not self.state.players[choice].in_jail:
            self.carry_out(choice, card)

    # -- stock ---------------------------------------------------------------------------------

    def card_free_bomb(self, player: str, card: Card) -> None:
        """Rule: SL-10.6"""
        self.tell(StockChanged(player, "bombs", 1))

    def card_free_miner(self, player: str, card: Card) -> None:
        """Rule: SL-10.7"""
        self.tell(StockChanged(player, "miners", 1))

    # -- theft, forfeits, the Cop --------------------------------------------------------------

    def card_pickpocket(self, player: str, card: Card) -> None:
        """Rule: SL-10.8"""
        self.pick_by_wire(player)

    def card_forfeit_to_bank(self, player: str, card: Card) -> None:
        """Rule: SL-10.10"""
        self.ask_forfeit(self.next_player(), player, BANK, "card")

    def card_forfeit_to_chairman(self, player: str, card: Card) -> None:
        """Rule: SL-10.11"""
        if self.state.chairman != player:
            self.ask_forfeit(player, player, self.state.chairman, "card")
            return
        spaces = self.state.spaces
        self.ask_take(player, [slug for slug in self.board.properties if spaces[slug].owner != player], "card")

    def card_advance_cop(self, player: str, card: Card) -> None:
        """Rule: SL-10.13"""
        target = self.nearest_due()
        if target is not None:
            self.move_cop(target, "card")
        elif self.state.cop.at != HOME:
            self.move_cop(HOME, "card")
        self.recall_cop()
        self.note_course(cop_stays=True)

    # -- the house -----------------------------------------------------------------------------

    def card_house(self, player: str, card: Card) -> None:
        """Rule: SL-10.12"""
        options = ["place"] if self.house_sites(player) else []
        options += ["keep"]
        options += ["strike"] if self.house_owners(player) else []
        self.ask("house_card", player, options)

    def house_sites(self, player: str) -> list[str]:
        """Streets where the player could build now."""
        return [slug for slug in self.deeds_of(player) if self.is_site(player, slug)]

    def house_owners(self, player: str) -> list[str]:
        """Other players who have a building or a kept house."""
        return [name for name in self.others_from(player) if self.in_game(name) and self.losable(name)]

    def losable(self, player: str) -> list[str]:
        """Where the player can lose one step: built streets, `kept`."""
        built = [slug for slug in self.deeds_of(player) if self.state.spaces[slug].is_built]
        return [*built, "kept"] if self.villain(player).kept_houses else built

    def answer_house_card(self, decision: Decision, choice: str) -> None:
        """Rule: SL-10.12"""
        player = decision.player
        self.close(decision)
        if choice == "keep":
            self.tell(HouseKept(player))
        elif choice == "place":
            self.ask("place_house", player, self.house_sites(player))
        else:
            self.ask("strike", player, self.house_owners(player))

    def answer_place_house(self, decision: Decision, choice: str) -> None:
        """Rule: SL-10.12"""
        self.close(decision)
        self.put_building(decision.player, choice)

    def answer_strike(self, decision: Decision, choice: str) -> None:
        """Rule: SL-10.12"""
        self.close(decision)
        self.ask("lose_house", choice, self.losable(choice), {"by": decision.player})

    def answer_lose_house(self, decision: Decision, choice: str) -> None:
        """Rule: SL-10.12"""
        self.close(decision)
        if choice == "kept":
            self.tell(StockChanged(decision.player, "kept_houses", -1))
            return
        here = self.state.spaces[choice]
        left = self.houses_for_hotel if here.hotel else here.houses - 1
        self.tell(Demolished(choice, left, False, "card", decision.memo["by"]))
