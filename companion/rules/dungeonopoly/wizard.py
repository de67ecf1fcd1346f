"""The wizard. Rule: DG-7"""

from collections.abc import Iterator
from typing import Any

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import CHARACTER, LIMITED, MOVE, OPPONENT, REACT, Ability, Use
from companion.rules.dungeonopoly.damage import Blow
from companion.rules.dungeonopoly.events import AbilityFailed, Raised, Revealed
from companion.rules.dungeonopoly.rents import Rent
from companion.rules.dungeonopoly.state import Auras
from companion.rules.dungeonopoly.suggestions import Proposals
from companion.rules.dungeonopoly.terms import SQUARE_EFFECTS
from companion.rules.dungeonopoly.uses import Objection, plain
from companion.rules.events import Demolished

#: The most squares of a Telekinesis, either way. Rule: DG-7.17
LONGEST_PUSH = 5
#: Enchantment effects on characters: those of DG-2.6, and Barkskin, which its authors call one (the text goes before).
CHARACTER_EFFECTS = (*Auras.__struct_fields__, "charm_person", "barkskin")
#: Whatever a spell that is wished for may ask for.
WISHED_ARGUMENTS = ("target", "on", "squares", "enchantment", "caster", "bolts", "forced")

ABILITIES = (
    Ability(
        slug="magic_missile",
        name="Magic Missile",
        owner="wizard",
        level=1,
        kind="spell",
        target=OPPONENT,
        reach=LIMITED,
        damages=True,
        clause="DG-7.2",
        text="Damage to an opponent within limited range.",
    ),
    Ability(
        slug="expeditious_retreat",
        name="Expeditious Retreat",
        owner="wizard",
        level=2,
        kind="spell",
        timing=MOVE,
        clause="DG-7.3",
        text="The next movement roll of this turn counts double.",
    ),
    Ability(
        slug="mage_armor",
        name="Mage Armor",
        owner="wizard",
        level=3,
        kind="spell",
        enchants=True,
        clause="DG-7.4",
        text="The next damage to the wizard is not taken.",
    ),
    Ability(
        slug="slow",
        name="Slow",
        owner="wizard",
        level=4,
        kind="spell",
        target=CHARACTER,
        reach=LIMITED,
        enchants=True,
        clause="DG-7.6",
        text="The next movement roll of a character has one die fewer.",
    ),
    Ability(
        slug="invisibility",
        name="Invisibility",
        owner="wizard",
        level=5,
        kind="spell",
        timing=MOVE,
        enchants=True,
        clause="DG-7.10",
        text="No move of this turn passes or lands on anything; hidden until her next turn.",
    ),
    Ability(
        slug="charm_person",
        name="Charm Person",
        owner="wizard",
        level=6,
        kind="spell",
        target=OPPONENT,
        reach=LIMITED,
        enchants=True,
        mental=True,
        clause="DG-7.12",
        text="The next rent owed to this opponent is waived.",
    ),
    Ability(
        slug="counterspell",
        name="Counterspell",
        owner="wizard",
        level=7,
        kind="spell",
        trigger="spell",
        reach=LIMITED,
        needs=("enchantment",),
        takes=("target", "on", "caster"),
        clause="DG-7.13",
        text="Dispels an enchantment within limited range, or cancels a spell that another is casting.",
    ),
    Ability(
        slug="fireball",
        name="Fireball",
        owner="wizard",
        level=8,
        kind="spell",
        clause="DG-7.16",
        text="Destroys what is built on this square, and damage to all opponents on it.",
    ),
    Ability(
        slug="telekinesis",
        name="Telekinesis",
        owner="wizard",
        level=9,
        kind="spell",
        target=CHARACTER,
        needs=("squares",),
        clause="DG-7.17",
        text="Moves any character one to five squares either way, without landing.",
    ),
    Ability(
        slug="wish",
        name="Wish",
        owner="wizard",
        level=10,
        kind="spell",
        takes=("spell", "hotel", *WISHED_ARGUMENTS),
        cost=500,
        clause="DG-7.19",
        text="The effect of any other spell, or a hotel on this street.",
    ),
)


class Wizards(Proposals):
    """What wizards do."""

    # -- Magic Missile, Expeditious Retreat, Mage Armor, Slow -----------------------------------

    def effect_magic_missile(self, use: Use) -> None:
        """Rule: DG-7.2"""
        self.strike(use.target, Blow(use.player, "magic_missile", met=use.met))

    def effect_expeditious_retreat(self, use: Use) -> None:
        """Rule: DG-7.3"""
        self.note_turn(doubled=True)

    def effect_mage_armor(self, use: Use) -> None:
        """Rule: DG-7.4, DG-7.5"""
        self.enchant(use.player, "mage_armor", use.player)

    def objections_slow(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-7.6"""
        if self.hero(use.target).enchantments.slow is not None:
            yield "no_effect", f"{use.target} is slow already."

    def effect_slow(self, use: Use) -> None:
        """Rule: DG-7.6"""
        self.enchant(use.target, "slow", use.player)

    # -- Invisibility --------------------------------------------------------------------------

    def effect_invisibility(self, use: Use) -> None:
        """Nothing at all on somebody who glitters. Rule: DG-7.10, DG-10.16"""
        if self.hide(use.player, "invisibility"):
            self.enchant(use.player, "invisibility", use.player)
            self.note_turn(unseen=True)
        else:
            self.tell(AbilityFailed(use.player, "invisibility", "fizzled"))

    def moves_unseen(self, player: str) -> bool:
        """Whether Invisibility keeps her moves of this turn from counting. Rule: DG-7.10"""
        return self.is_own_turn(player) and self.state.turn.unseen and self.aura(player, "invisibility") is not None

    def walk(self, player: str, squares: int, how: str, **more: Any) -> None:
        """Rule: DG-7.10"""
        super().walk(player, squares, how, **(more | {"counts": False} if self.moves_unseen(player) else more))

    def alight(self, player: str, to: str, how: str = "ability", lands: bool = True) -> None:
        """Rule: DG-7.10"""
        super().alight(player, to, how, lands and not self.moves_unseen(player))

    # -- Charm Person --------------------------------------------------------------------------

    def objections_charm_person(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-7.12"""
        if use.player in self.hero(use.target).charmed_by:
            yield "no_effect", f"{use.target} is charmed by {use.player} already."

    def effect_charm_person(self, use: Use) -> None:
        """Rule: DG-7.12"""
        self.enchant(use.target, "charm_person", use.player)

    def is_waived(self, rent: Rent) -> bool:
        """Rule: DG-7.12"""
        if super().is_waived(rent):
            return True
        if rent.debtor not in self.hero(rent.owner).charmed_by or self.is_suppressed(rent.owner):
            return False
        self.lift(rent.owner, "charm_person", "spent", by=rent.debtor)
        self.waive(rent, "charm_person")
        return True

    # -- Counterspell --------------------------------------------------------------------------

    def objections_counterspell(self, use: Use) -> Iterator[Objection]:
        """To dispel one enchantment of a character or a square. Rule: DG-7.13, DG-7.15"""
        enchantment, target, on = use.args["enchantment"], use.args.get("target"), use.args.get("on")
        if not isinstance(enchantment, str) or (target is None) == (on is None):
            yield "malformed", "Counterspell takes an enchantment, and either a target or a space."
            return
        if "caster" in use.args:
            if enchantment != "charm_person":
                yield "malformed", "Only of a charm there may be several casters."
            self.player_named(use.args["caster"])
        if enchantment not in (*CHARACTER_EFFECTS, *SQUARE_EFFECTS):
            yield "not_an_option", f"{enchantment} is no enchantment effect."
        elif len(self.makers(use)) > 1:
            yield "malformed", f"{target} is charmed by several: say which caster."
        elif not self.makers(use):
            yield "no_effect", "There is no such enchantment."
        if target is not None and not self.in_game(target):
            yield "not_an_option", f"{target} is out of the game."
        elif target is not None and self.hero(target).in_jail:
            yield "immune", f"{target} is in Jail."
        elif not self.reaches(use.player, on if target is None else self.at(target), LIMITED):
            yield "out_of_range", "That enchantment is too far away."

    def makers(self, use: Use) -> list[str]:
        """Whose enchantments, suppressed or not, the arguments mean. Rule: DG-7.13"""
        enchantment, target = use.args["enchantment"], use.args.get("target")
        if target is None:
            made = [getattr(self.wards(use.args["on"]), enchantment) if enchantment in SQUARE_EFFECTS else None]
        elif enchantment == "charm_person":
            made = [name for name in self.hero(target).charmed_by if use.args.get("caster", name) == name]
        elif enchantment == "barkskin":
            made = [target if self.hero(target).barkskin else None]
        else:
            made = [getattr(self.hero(target).enchantments, enchantment, None)]
        return [name for name in made if name is not None]

    def offers_counterspell(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-7.14"""
        return bool(player != facts["caster"])

    def effect_counterspell(self, use: Use) -> None:
        """Rule: DG-7.13, DG-7.14"""
        if use.through == REACT:
            self.cancel("countered")
            return
        enchantment, target = use.args["enchantment"], use.args.get("target")
        if target is None:
            self.lift_square(use.args["on"], enchantment, "dispelled")
            return
        by = self.makers(use)[0] if enchantment == "charm_person" else None
        self.lift(target, enchantment, "dispelled", by=by)
        if enchantment == "invisibility":
            self.show_again(target)

    def show_again(self, player: str) -> None:
        """Her Invisibility is dispelled. Rule: DG-7.10"""
        if self.hero(player).hidden_by == "invisibility":
            self.tell(Revealed(player, "dispelled"))
        if self.is_own_turn(player):
            self.note_turn(unseen=False)

    def suggest_counterspell(self, player: str, rng: Chance) -> dict[str, Any] | None:
        options: list[dict[str, Any]] = []
        for name in [player, *self.others(player)]:
            if self.reaches(player, self.at(name), LIMITED):
                options += [{"target": name, "enchantment": slug} for slug in CHARACTER_EFFECTS]
        for space in self.state.spaces:
            if self.reaches(player, space, LIMITED):
                options += [{"on": space, "enchantment": slug} for slug in SQUARE_EFFECTS]
        laid = [each for each in options if self.makers(Use(player, "counterspell", each))]
        return rng.choice(laid) if laid else None

    # -- Fireball ------------------------------------------------------------------------------

    def objections_fireball(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-2.14, DG-7.16"""
        if not self.is_burnable(self.at(use.player)) and not self.foes_here(use.player):
            yield "no_effect", "There is nothing to burn and no opponent here."

    def effect_fireball(self, use: Use) -> None:
        """Rule: DG-7.16"""
        at = self.at(use.player)
        self.strike_all(self.foes_here(use.player), Blow(use.player, "fireball"))
        if at is not None and self.is_burnable(at):
            self.tell(Demolished(at, 0, False, "fireball", use.player))

    def is_burnable(self, space: str | None) -> bool:
        """Whether something stands there that no blessing guards."""
        return space is not None and self.square(space).is_built and not self.is_blessed(space)

    def foes_here(self, player: str) -> list[str]:
        """All opponents on her square, hidden ones too."""
        at = self.at(player)
        return [name for name in self.opponents(player) if at is not None and self.at(name) == at]

    # -- Telekinesis ---------------------------------------------------------------------------

    def objections_telekinesis(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-7.17"""
        squares = use.args["squares"]
        if type(squares) is not int or not 1 <= abs(squares) <= LONGEST_PUSH:
            yield "not_an_option", f"Telekinesis moves 1 to {LONGEST_PUSH} squares forward or backward."

    def effect_telekinesis(self, use: Use) -> None:
        """Rule: DG-7.17, DG-7.18"""
        self.walk(use.target, use.args["squares"], "ability", lands=False)

    def suggest_telekinesis(self, player: str, rng: Chance) -> dict[str, Any]:
        return {"squares": rng.randint(1, LONGEST_PUSH) * rng.choice((1, -1))}

    # -- Wish ----------------------------------------------------------------------------------

    def objections_wish(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-7.19, DG-7.20"""
        if "hotel" in use.args:
            if use.args["hotel"] is not True or len(use.args) > 1:
                yield "malformed", "It is hotel: true, and nothing else."
            yield from self.hotel_objections(self.at(use.player))
            return
        ability = self.catalogue.get(use.args["spell"]) if isinstance(use.args.get("spell"), str) else None
        if ability is None:
            yield "malformed", "A Wish names a spell, or hotel: true."
            return
        if not ability.is_spell or not ability.is_usable or ability.slug == "wish":
            yield "not_allowed", f"{ability.name} is no spell that can be wished for."
            return
        inner = self.wished(use, ability)
        if ability.timing == MOVE and self.state.base != "roll":
            yield "not_allowed", f"{ability.name} is cast before a movement roll."
        yield from self.effect_objections(inner)

    def wished(self, use: Use, ability: Ability) -> Use:
        """The spell that is wished for, with the wizard as its caster."""
        args = {name: value for name, value in use.args.items() if name != "spell"}
        return Use(use.player, ability.slug, self.arguments_of(ability, args), "wish")

    def hotel_objections(self, space: str | None) -> Iterator[Objection]:
        """Rule: DG-7.20"""
        if space is None or self.board.by_slug[space].kind != "street" or self.square(space).owner is None:
            yield "not_allowed", "A hotel is wished for on a street that somebody owns."
            return
        if self.square(space).hotel:
            yield "no_effect", f"There is a hotel on {self.title_of(space)} already."
        if self.square(space).mortgaged:
            yield "mortgaged", f"{self.title_of(space)} is mortgaged."
        if self.state.bank.hotels < 1:
            yield "bank_short", "The Bank has no hotel."

    def effect_wish(self, use: Use) -> None:
        """Rule: DG-7.19, DG-7.20"""
        if "hotel" not in use.args:
            self.then("effect", use.player, plain(self.wished(use, self.catalogue[use.args["spell"]])))
            return
        at = self.at(use.player)
        if at is not None and not any(self.hotel_objections(at)):
            self.tell(Raised(use.player, at, 0, True, "wish"))

    def suggest_wish(self, player: str, rng: Chance) -> dict[str, Any] | None:
        if rng.random() < 0.3:
            return {"hotel": True}
        spells = [each for each in self.catalogue.values() if each.is_spell and each.is_usable and each.slug != "wish"]
        spell = rng.choice(spells)
        action = self.suggest_use(player, spell, rng)
        if action is None:
            return None
        return {**{name: value for name, value in action.items() if name not in ("use", "by")}, "spell": spell.slug}
