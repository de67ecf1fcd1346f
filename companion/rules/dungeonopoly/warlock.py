"""The warlock. Rule: DG-12"""

from collections.abc import Iterator
from typing import Any

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import ITSELF, LIMITED, MOVE, OPPONENT, REACT, SIGHT, TURN, Ability, Use
from companion.rules.dungeonopoly.damage import DAMAGE_PER_LEVEL, Blow
from companion.rules.dungeonopoly.suggestions import Proposals
from companion.rules.dungeonopoly.uses import Objection
from companion.rules.state import BANK

#: The most squares of a Repelling Blast, and of a Misty Escape either way.
LONGEST_PUSH, LONGEST_ESCAPE = 2, 5
AGONIZING_PER_LEVEL = 30


def _enhancement(slug: str, name: str, clause: str, text: str) -> Ability:
    return Ability(
        slug=slug,
        name=name,
        owner="warlock",
        level=4,
        kind="automatic",
        timing=ITSELF,
        choice="blast",
        clause=clause,
        text=text,
    )


def _defense(slug: str, name: str, pact: str, clause: str, text: str, damages: bool = False) -> Ability:
    """A spell in answer to damage."""
    return Ability(
        slug=slug,
        name=name,
        owner="warlock",
        level=3,
        kind="spell",
        timing=REACT,
        trigger="damage",
        pact=pact,
        damages=damages,
        clause=clause,
        text=text,
    )


def _trait(slug: str, name: str, pact: str, clause: str, text: str) -> Ability:
    return Ability(
        slug=slug,
        name=name,
        owner="warlock",
        level=5,
        kind="automatic",
        timing=ITSELF,
        pact=pact,
        clause=clause,
        text=text,
    )


ABILITIES = (
    Ability(
        slug="hex",
        name="Hex",
        owner="warlock",
        level=1,
        target=OPPONENT,
        reach=LIMITED,
        limit="turn",
        enchants=True,
        clause="DG-12.2",
        text="The next money that an opponent within limited range collects goes to the pot.",
    ),
    Ability(
        slug="eldritch_blast",
        name="Eldritch Blast",
        owner="warlock",
        level=2,
        target=OPPONENT,
        reach=LIMITED,
        takes=("push",),
        limit="turn",
        damages=True,
        clause="DG-12.4",
        text="Damage to a hexed opponent within limited range.",
    ),
    _defense("hellish_rebuke", "Hellish Rebuke", "infernal", "DG-12.5", "Damage to whoever has damaged her.", True),
    _defense(
        "misty_escape", "Misty Escape", "fey", "DG-12.6", "After damage: up to five squares either way, and hidden."
    ),
    _defense("dark_delirium", "Dark Delirium", "dark", "DG-12.7", "After damage: the attacker's turn ends at once."),
    _enhancement("agonizing_blast", "Agonizing Blast", "DG-12.8", "The blast does half as much damage again."),
    _enhancement("eldritch_spear", "Eldritch Spear", "DG-12.9", "The blast reaches along the line of sight."),
    _enhancement("repelling_blast", "Repelling Blast", "DG-12.10", "The blast pushes up to two squares away."),
    _enhancement("vampiric_blast", "Vampiric Blast", "DG-12.11", "The damage is paid to the warlock."),
    _trait("fiendish_resilience", "Fiendish Resilience", "infernal", "DG-12.13", "Fees are halved."),
    _trait("beguiling_defenses", "Beguiling Defenses", "fey", "DG-12.14", "Who enchants her becomes hexed by her."),
    _trait("entropic_ward", "Entropic Ward", "dark", "DG-12.15", "On a 1 enchantment or damage passes her by."),
    Ability(
        slug="dark_ones_own_luck",
        name="Dark One's Own Luck",
        owner="warlock",
        level=7,
        timing=MOVE,
        single=True,
        clause="DG-12.16",
        text="Three dice for the movement roll, of which she keeps two.",
    ),
    Ability(
        slug="crown_of_madness",
        name="Crown of Madness",
        owner="warlock",
        level=10,
        kind="spell",
        target=OPPONENT,
        reach=LIMITED,
        needs=("forced",),
        mental=True,
        cost=200,
        clause="DG-12.18",
        text="An opponent within limited range uses an ability as she is told.",
    ),
)


class Warlocks(Proposals):
    """What warlocks do."""

    # -- Hex -----------------------------------------------------------------------------------

    def objections_hex(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-12.2"""
        if self.hero(use.target).enchantments.hex is not None:
            yield "no_effect", f"{use.target} is hexed already."

    def effect_hex(self, use: Use) -> None:
        """Rule: DG-12.2"""
        self.enchant(use.target, "hex", use.player)

    # -- Eldritch Blast ------------------------------------------------------------------------

    def reach_of(self, use: Use) -> str:
        """The spear sees as far as the eye, besides what is near round a corner. Rule: DG-12.9"""
        if use.ability == "eldritch_blast" and self.knows(use.player, "eldritch_spear"):
            return SIGHT if self.reaches(use.player, self.at(use.target), SIGHT) else LIMITED
        return super().reach_of(use)

    def objections_eldritch_blast(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-12.4, DG-12.10"""
        if self.aura(use.target, "hex") is None:
            yield "not_allowed", f"{use.target} is under no hex."
        push = use.args.get("push", 0)
        if type(push) is not int or ("push" in use.args and not self.knows(use.player, "repelling_blast")):
            yield "malformed", f"push is a number of squares, and only a Repelling Blast of {use.player}'s has it."
        elif abs(push) > LONGEST_PUSH or not self.is_away(use, push):
            yield "not_an_option", f"The blast pushes 0 to {LONGEST_PUSH} squares, away from {use.player}."

    def is_away(self, use: Use, push: int) -> bool:
        """Whether a push leads away from the warlock; on her own square both ways do. Rule: DG-12.10"""
        mine, theirs = self.at(use.player), self.at(use.target)
        if mine is None or theirs is None:
            return True
        ahead = self.board.distance(mine, theirs)
        return ahead == 0 or push == 0 or (push > 0) == (ahead * 2 <= len(self.board.slugs))

    def effect_eldritch_blast(self, use: Use) -> None:
        """All enhancements together. Rule: DG-12.4, DG-12.8 to DG-12.12"""
        player = use.player
        blow = Blow(
            player,
            "eldritch_blast",
            AGONIZING_PER_LEVEL if self.knows(player, "agonizing_blast") else DAMAGE_PER_LEVEL,
            player if self.knows(player, "vampiric_blast") else BANK,
            push=use.args.get("push", 0),
        )
        self.strike(use.target, blow)

    def hurt(self, player: str, blow: Blow) -> None:
        """Nothing has warded the blast: when the damage is settled it pushes. Rule: DG-12.10"""
        if blow.push:
            self.then("push", player, blow.push)
        super().hurt(player, blow)

    def do_push(self, player: str, squares: int) -> None:
        """Rule: DG-12.10"""
        if self.at(player) is not None:
            self.walk(player, squares, "ability")

    def suggest_eldritch_blast(self, player: str, rng: Chance) -> dict[str, Any] | None:
        hexed = [name for name in self.opponents(player) if self.aura(name, "hex") is not None]
        if not hexed:
            return None
        push = {"push": rng.randint(-LONGEST_PUSH, LONGEST_PUSH)} if self.knows(player, "repelling_blast") else {}
        return {"target": rng.choice(hexed), **push}

    # -- answers to damage ---------------------------------------------------------------------

    def offers_hellish_rebuke(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-12.5"""
        attacker = facts["attacker"]
        return self.in_game(attacker) and not self.is_immune(player, attacker, self.catalogue["hellish_rebuke"])

    def effect_hellish_rebuke(self, use: Use) -> None:
        """Rule: DG-12.5"""
        self.strike(use.args["attacker"], Blow(use.player, "hellish_rebuke"))

    def effect_misty_escape(self, use: Use) -> None:
        """A walk of hers that is under way ends where the damage was done. Rule: DG-12.6"""
        player = use.player
        self.stop_walk(player)
        at = self.at(player) or "go"
        spaces = [self.board.after(at, squares) for squares in range(-LONGEST_ESCAPE, LONGEST_ESCAPE + 1)]
        self.ask("move_to", player, spaces, purpose="misty_escape")

    def move_to_misty_escape(self, player: str, space: str) -> None:
        """Rule: DG-12.6"""
        self.then("vanish", player)
        if space != self.at(player):
            self.alight(player, space, lands=False)

    def do_vanish(self, player: str) -> None:
        """Rule: DG-12.6, DG-10.16"""
        self.hide(player, "misty_escape")

    def offers_dark_delirium(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-12.7"""
        return self.is_own_turn(facts["attacker"]) and not self.is_turn_cut()

    def effect_dark_delirium(self, use: Use) -> None:
        """Rule: DG-12.7"""
        self.end_turn_early(use.args["attacker"], "dark_delirium")

    # -- traits --------------------------------------------------------------------------------

    def fee(self, player: str, amount: int) -> int:
        """Rule: DG-12.13"""
        amount = super().fee(player, amount)
        return (amount + 1) // 2 if self.knows(player, "fiendish_resilience") else amount

    def has_entropic_ward(self, player: str) -> bool:
        """Rule: DG-12.15"""
        return self.knows(player, "entropic_ward")

    def do_effect(self, player: str, values: dict[str, Any]) -> None:
        """Who enchants her becomes hexed, and the enchantment works all the same. Rule: DG-12.14"""
        use = Use(**values)
        ability = self.catalogue[use.ability]
        is_aimed = ability.enchants and bool(ability.target) and not self.same_side(player, use.target)
        super().do_effect(player, values)
        if is_aimed and self.knows(use.target, "beguiling_defenses"):
            self.then("turn_hex", player, use.target)

    def do_turn_hex(self, player: str, by: str) -> None:
        """The hex comes back upon whoever enchants. Rule: DG-12.14, DG-12.15"""
        if self.hero(player).enchantments.hex is not None or self.is_suppressed(player):
            return
        if self.has_entropic_ward(player):
            self.test_ward(player, by, "beguiling_defenses", "take_hex", by)
        else:
            self.do_take_hex(player, by)

    def do_take_hex(self, player: str, by: str) -> None:
        self.enchant(player, "hex", by)

    # -- Dark One's Own Luck -------------------------------------------------------------------

    def objections_dark_ones_own_luck(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-12.16"""
        if self.is_animal(use.player):
            yield "not_allowed", f"{use.player} is no humanoid now."

    def effect_dark_ones_own_luck(self, use: Use) -> None:
        """Rule: DG-12.16"""
        self.note_turn(lucky=True)

    # -- Crown of Madness ----------------------------------------------------------------------

    def objections_crown_of_madness(self, use: Use) -> Iterator[Objection]:
        """Whether the target could use that herself. Rule: DG-12.18, DG-12.19"""
        forced = use.args["forced"]
        slug = forced.get("use") if isinstance(forced, dict) and all(isinstance(key, str) for key in forced) else None
        if not isinstance(slug, str) or (slug not in self.catalogue and slug not in self.abilities):
            yield "malformed", "forced is a use of an ability: {use: ABILITY, and its arguments}."
            return
        if slug not in self.catalogue:
            yield "not_allowed", f"Nobody can be forced to {slug}."
            return
        ability = self.catalogue[slug]
        if not ability.is_usable or ability.timing != TURN or self.casting_cost(ability) > 0:
            yield "not_allowed", f"Nobody can be forced to {ability.name}."
        inner = self.forced_use(use)
        if not any(self.target_objections(use)):
            yield from self.right_objections(inner)
            yield from self.effect_objections(inner)

    def forced_use(self, use: Use) -> Use:
        """What the target is to do."""
        forced = use.args["forced"]
        ability = self.catalogue[forced["use"]]
        args = {name: value for name, value in forced.items() if name != "use"}
        return Use(use.target, ability.slug, self.arguments_of(ability, args), "crown_of_madness")

    def effect_crown_of_madness(self, use: Use) -> None:
        """Rule: DG-12.18"""
        self.begin(self.forced_use(use))

    def suggest_crown_of_madness(self, player: str, rng: Chance) -> dict[str, Any] | None:
        near = [name for name in self.opponents(player) if self.reaches(player, self.at(name), LIMITED)]
        if not near:
            return None
        target = rng.choice(near)
        known = [
            ability
            for ability in self.catalogue.values()
            if ability.timing == TURN and not ability.cost and self.knows(target, ability.slug)
        ]
        action = self.suggest_use(target, rng.choice(known), rng) if known else None
        if action is None:
            return None
        return {"target": target, "forced": {name: value for name, value in action.items() if name != "by"}}
