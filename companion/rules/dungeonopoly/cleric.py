"""The cleric. Rule: DG-8"""

from collections.abc import Iterator
from typing import Any

from companion.rules.board import Card
from companion.rules.dungeonopoly.abilities import ITSELF, OPPONENT, REACT, Ability, Use
from companion.rules.dungeonopoly.core import Core
from companion.rules.dungeonopoly.damage import Blow
from companion.rules.dungeonopoly.events import GlyphTriggered, MovementForfeited
from companion.rules.dungeonopoly.uses import Objection
from companion.rules.dungeonopoly.walks import Walk
from companion.rules.events import Demolished
from companion.rules.state import Decision

#: What a blessing adds to a rent and a curse takes from it, in per cent per level.
BLESSING = 5
#: Cards that move the token.
MOVING = ("advance", "nearest_utility", "nearest_railroad", "back")
OPPOSITE = {"bless": "curse", "curse": "bless"}

ABILITIES = (
    Ability(
        slug="bless",
        name="Bless",
        owner="cleric",
        level=1,
        kind="spell",
        cost=50,
        clause="DG-8.1",
        text="The rent of this square rises by 5% a level, and nothing destroys what is built on it.",
    ),
    Ability(
        slug="curse",
        name="Curse",
        owner="cleric",
        level=1,
        kind="spell",
        cost=50,
        marks="bless",
        part_of="bless",
        clause="DG-8.3",
        text="The rent of this square falls by 5% a level.",
    ),
    Ability(
        slug="shield_of_faith",
        name="Shield of Faith",
        owner="cleric",
        level=2,
        kind="spell",
        enchants=True,
        clause="DG-8.5",
        text="The next damage to her, or spell at her, does nothing.",
    ),
    Ability(
        slug="sanctuary",
        name="Sanctuary",
        owner="cleric",
        level=3,
        kind="spell",
        enchants=True,
        clause="DG-8.7",
        text="Nothing targets or hurts her until her next turn; before moving it takes the place of the roll.",
    ),
    Ability(
        slug="divine_favor",
        name="Divine Favor",
        owner="cleric",
        level=4,
        kind="automatic",
        timing=ITSELF,
        clause="DG-8.9",
        text="No taxes, and every card she draws may be ignored.",
    ),
    Ability(
        slug="holy_smite",
        name="Holy Smite",
        owner="cleric",
        level=5,
        kind="spell",
        target=OPPONENT,
        damages=True,
        clause="DG-8.12",
        text="Damage to an opponent anywhere on the board.",
    ),
    Ability(
        slug="divine_intervention",
        name="Divine Intervention",
        owner="cleric",
        level=6,
        kind="spell",
        timing=REACT,
        trigger="roll",
        clause="DG-8.13",
        text="Any throw of dice is thrown again.",
    ),
    Ability(
        slug="divine_power",
        name="Divine Power",
        owner="cleric",
        level=7,
        kind="automatic",
        timing=ITSELF,
        clause="DG-8.15",
        text="Cards are drawn, and the pot is taken, also in passing.",
    ),
    Ability(
        slug="glyph_of_warding",
        name="Glyph of Warding",
        owner="cleric",
        level=8,
        kind="spell",
        cost=150,
        clause="DG-8.17",
        text="The next to reach this square must stop on it and takes damage.",
    ),
    Ability(
        slug="ascended",
        name="Ascended",
        owner="cleric",
        level=9,
        kind="automatic",
        timing=ITSELF,
        clause="DG-8.21",
        text="Nothing mental touches her, and nothing sends her to Jail.",
    ),
    Ability(
        slug="wrath_of_god",
        name="Wrath of God",
        owner="cleric",
        level=10,
        kind="spell",
        cost=300,
        clause="DG-8.24",
        text="Damage to all opponents, and each of their properties loses a house.",
    ),
)


class Clerics(Core):
    """What clerics do."""

    # -- Bless and Curse -----------------------------------------------------------------------

    def objections_bless(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-8.1, DG-8.4"""
        yield from self.blessing_objections(use)

    def objections_curse(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-8.3, DG-8.4"""
        yield from self.blessing_objections(use)

    def blessing_objections(self, use: Use) -> Iterator[Objection]:
        """Only what can be owned, and not what is so already. Rule: DG-8.1, DG-8.4"""
        yield from self.property_objections(use)
        at = self.at(use.player)
        if at is not None and getattr(self.wards(at), use.ability) is not None:
            yield "no_effect", f"{self.title_of(at)} has that spell on it already."

    def property_objections(self, use: Use) -> Iterator[Objection]:
        """Squares that nobody can own carry no such spell. Rule: DG-8.1, DG-8.17"""
        at = self.at(use.player)
        if at is not None and not self.board.by_slug[at].is_property:
            yield "not_allowed", f"{self.title_of(at)} is no property."

    def effect_bless(self, use: Use) -> None:
        """Rule: DG-8.1, DG-8.4"""
        self.lay_blessing(use)

    def effect_curse(self, use: Use) -> None:
        """Rule: DG-8.3, DG-8.4"""
        self.lay_blessing(use)

    def lay_blessing(self, use: Use) -> None:
        """One takes the other away, and no more. Rule: DG-8.4"""
        at = self.at(use.player)
        if at is None:
            return
        opposite = OPPOSITE[use.ability]
        if getattr(self.wards(at), opposite) is not None:
            self.lift_square(at, opposite, "dispelled")
        else:
            self.enchant_square(at, use.ability, use.player)

    def adjusted_rent(self, space: str, amount: int) -> int:
        """Rule: DG-8.1, DG-8.3"""
        amount = super().adjusted_rent(space, amount)
        blesser, curser = self.laid(space, "bless"), self.laid(space, "curse")
        if blesser is not None:
            amount = amount * (100 + BLESSING * self.level(blesser)) // 100
        if curser is not None:
            amount = -(-amount * (100 - BLESSING * self.level(curser)) // 100)
        return amount

    # -- Shield of Faith, Sanctuary, Holy Smite ------------------------------------------------

    def effect_shield_of_faith(self, use: Use) -> None:
        """Rule: DG-8.5"""
        self.enchant(use.player, "shield_of_faith", use.player)

    def objections_sanctuary(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-2.14"""
        if self.hero(use.player).enchantments.sanctuary is not None:
            yield "no_effect", f"{use.player} is in a sanctuary already."

    def effect_sanctuary(self, use: Use) -> None:
        """Rule: DG-8.7, DG-8.8"""
        self.enchant(use.player, "sanctuary", use.player)
        if self.is_own_turn(use.player) and self.state.base == "roll":
            self.state.base, self.state.again = "done", False
            self.note_turn(doubled=False, sneaking=False, lucky=False)
            self.tell(MovementForfeited(use.player))

    def effect_holy_smite(self, use: Use) -> None:
        """Rule: DG-8.12"""
        self.strike(use.target, Blow(use.player, "holy_smite", met=use.met))

    # -- Divine Favor --------------------------------------------------------------------------

    def land_on_tax(self, player: str, space: str) -> None:
        """Rule: DG-8.9"""
        if not self.knows(player, "divine_favor"):
            super().land_on_tax(player, space)

    def take_card(self, decision: Decision, card: Card) -> None:
        """Rule: DG-8.10"""
        if not self.knows(decision.player, "divine_favor"):
            self.follow_card(decision.player, card)
            return
        deck = decision.facts["deck"]
        self.ask("accept_card", decision.player, ("accept", "ignore"), deck=deck, card=card.card)

    def answer_accept_card(self, decision: Decision, choice: str) -> None:
        """Rule: DG-8.10"""
        self.close(decision)
        if choice == "accept":
            self.follow_card(decision.player, self.decks[decision.facts["deck"]][decision.facts["card"]])

    def follow_card(self, player: str, card: Card) -> None:
        """A card that moves her ends the walk on which it was drawn. Rule: DG-8.16"""
        if card.effect in MOVING:
            self.stop_walk(player)
        self.carry_out(player, card)

    # -- Divine Intervention, Divine Power -----------------------------------------------------

    def offers_divine_intervention(self, player: str, facts: dict[str, Any]) -> bool:
        """Not for her own third double, if that sends her to Jail. Rule: DG-8.13, DG-8.14"""
        if facts["roller"] != player or facts["purpose"] != "move" or self.is_ascended(player):
            return True
        kept, _ = self.dice_that_count(player, list(facts["dice"]))
        return not (self.state.turn.doubles == 2 and self.is_double(player, tuple(kept)))

    def effect_divine_intervention(self, use: Use) -> None:
        """Rule: DG-8.13"""
        self.discard_throw(use.player)

    def meet_power(self, walk: Walk) -> None:
        """Rule: DG-8.15"""
        super().meet_power(walk)
        if not self.knows(walk.player, "divine_power"):
            return
        printed = self.board.by_slug[walk.at]
        if printed.kind == "card":
            self.land_on_cards(walk.player, printed.deck)
        elif walk.at == "free-parking":
            self.take_pot(walk.player)

    # -- Glyph of Warding ----------------------------------------------------------------------

    def objections_glyph_of_warding(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-8.17"""
        yield from self.property_objections(use)
        at = self.at(use.player)
        if at is not None and self.wards(at).glyph is not None:
            yield "no_effect", f"There is a glyph on {self.title_of(at)} already."

    def effect_glyph_of_warding(self, use: Use) -> None:
        """Rule: DG-8.17"""
        at = self.at(use.player)
        if at is not None:
            self.enchant_square(at, "glyph", use.player)

    def squares_left(self, walk: Walk) -> int:
        """Rule: DG-8.18, DG-8.19"""
        left = super().squares_left(walk)
        return left if self.laid(walk.at, "glyph") is None else 0

    def meet_glyph(self, walk: Walk) -> None:
        """Rule: DG-8.18 to DG-8.20"""
        super().meet_glyph(walk)
        maker = self.laid(walk.at, "glyph")
        if maker is not None:
            self.tell(GlyphTriggered(walk.player, walk.at, maker))
            self.strike(walk.player, Blow(maker, "glyph_of_warding"))

    # -- Ascended ------------------------------------------------------------------------------

    def is_ascended(self, player: str) -> bool:
        """Rule: DG-8.21"""
        return self.knows(player, "ascended")

    def go_to_jail(self, player: str, cause: str) -> None:
        """Rule: DG-8.22"""
        if not self.is_ascended(player):
            super().go_to_jail(player, cause)

    def third_double(self, player: str, dice: tuple[int, ...]) -> None:
        """Rule: DG-8.23"""
        if self.is_ascended(player):
            self.state.again = False
            self.set_out(player)
        else:
            super().third_double(player, dice)

    # -- Wrath of God --------------------------------------------------------------------------

    def objections_wrath_of_god(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-2.14"""
        foes = self.opponents(use.player)
        if not any(self.at(name) for name in foes) and not self.under_wrath(use.player):
            yield "no_effect", "There is nobody and nothing for it to strike."

    def effect_wrath_of_god(self, use: Use) -> None:
        """Rule: DG-8.24, DG-8.25"""
        self.then("wrath", use.player)
        self.strike_all(self.opponents(use.player), Blow(use.player, "wrath_of_god"))

    def do_wrath(self, player: str) -> None:
        """Rule: DG-8.25"""
        for space in self.under_wrath(player):
            here = self.state.spaces[space]
            houses = min(self.houses_for_hotel, self.state.bank.houses) if here.hotel else here.houses - 1
            self.tell(Demolished(space, houses, False, "wrath_of_god", player))

    def under_wrath(self, player: str) -> list[str]:
        """What opponents have built and no blessing guards, opponent by opponent. Rule: DG-8.25"""
        spaces = self.state.spaces
        return [
            slug
            for name in self.opponents(player)
            for slug in self.board.properties
            if spaces[slug].owner == name and spaces[slug].is_built and not self.is_blessed(slug)
        ]
