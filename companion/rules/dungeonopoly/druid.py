"""The druid. Rule: DG-11"""

from collections.abc import Iterator
from typing import Any

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import HERE, ITSELF, LIMITED, OPPONENT, OTHER, REACT, Ability, Use
from companion.rules.dungeonopoly.core import Core
from companion.rules.dungeonopoly.damage import DAMAGE_PER_LEVEL, Blow
from companion.rules.dungeonopoly.events import RollDiscarded, Shifted, StruckMortgaged
from companion.rules.dungeonopoly.uses import Objection
from companion.rules.dungeonopoly.walks import Walk
from companion.rules.events import Demolished
from companion.rules.state import BANK

FORMS = ("bear", "eagle", "mouse", "wolf")
HUMANOID = "humanoid"
#: Squares of movement that an entangled square takes.
ENTANGLED = 3
MOST_BOLTS = 7
BOLTS = ("damage", "destroy", "mortgage")
#: Repairs of Creeping Doom, in dollars.
HOUSE_REPAIR, HOTEL_REPAIR = 40, 115


def _primal(slug: str, name: str, clause: str, text: str) -> Ability:
    return Ability(
        slug=slug, name=name, owner="druid", level=1, kind="spell", choice="primal", clause=clause, text=text
    )


def _form(slug: str, name: str, clause: str, text: str) -> Ability:
    return Ability(
        slug=slug,
        name=name,
        owner="druid",
        level=3,
        kind="automatic",
        timing=ITSELF,
        choice="form",
        clause=clause,
        text=text,
    )


ABILITIES = (
    _primal("entangle", "Entangle", "DG-11.3", "Whoever comes through this square loses three squares of the move."),
    _primal("obscuring_mist", "Obscuring Mist", "DG-11.4", "Whoever stands on this square is hidden."),
    _primal("hallow", "Hallow", "DG-11.5", "Whoever stands on this square takes no damage."),
    _primal("insect_plague", "Insect Plague", "DG-11.6", "Whoever stands on this square can use nothing."),
    _primal("wall_of_thorns", "Wall of Thorns", "DG-11.7", "Whoever comes to this square takes damage."),
    _primal("antimagic_field", "Antimagic Field", "DG-11.8", "No spells and no enchantments work on this square."),
    Ability(
        slug="barkskin",
        name="Barkskin",
        owner="druid",
        level=2,
        kind="spell",
        enchants=True,
        clause="DG-11.10",
        text="The next money she owes is $25 a level less.",
    ),
    Ability(
        slug="wild_shape",
        name="Wild Shape",
        owner="druid",
        level=3,
        needs=("form",),
        limit="turn",
        clause="DG-11.11",
        text="She takes the form of an animal that she has learned, or her own again.",
    ),
    _form("bear", "Bear", "DG-11.13", "In this form she can maul."),
    _form("eagle", "Eagle", "DG-11.14", "In this form she throws three dice and drops the lowest."),
    _form(
        "mouse", "Mouse", "DG-11.15", "In this form she drops the highest of three dice, and her moves do not count."
    ),
    _form("wolf", "Wolf", "DG-11.16", "In this form she can follow a scent."),
    Ability(
        slug="maul",
        name="Maul",
        owner="druid",
        level=3,
        part_of="bear",
        target=OPPONENT,
        reach=HERE,
        limit="target",
        damages=True,
        clause="DG-11.13",
        text="Double damage to an opponent on the same square, as a bear.",
    ),
    Ability(
        slug="scent",
        name="Scent",
        owner="druid",
        level=3,
        part_of="wolf",
        target=OTHER,
        reach=LIMITED,
        limit="turn",
        clause="DG-11.16",
        text="She moves to another's square, as a wolf.",
    ),
    Ability(
        slug="tree_stride",
        name="Tree Stride",
        owner="druid",
        level=5,
        kind="spell",
        timing=REACT,
        trigger="doubles",
        clause="DG-11.17",
        text="Instead of moving by a double she lands on a property of her own.",
    ),
    Ability(
        slug="call_lightning",
        name="Call Lightning",
        owner="druid",
        level=8,
        kind="spell",
        needs=("bolts",),
        reach=LIMITED,
        damages=True,
        clause="DG-11.18",
        text="Up to seven bolts, each on another square: damage, a house destroyed, or a property mortgaged.",
    ),
    Ability(
        slug="creeping_doom",
        name="Creeping Doom",
        owner="druid",
        level=10,
        kind="spell",
        damages=True,
        clause="DG-11.20",
        text="Damage to opponents on this group of properties; then their owners pay for repairs.",
    ),
)


class Druids(Core):
    """What druids do."""

    def knows(self, player: str, slug: str) -> bool:
        """A form that is borrowed brings the shape with it. Rule: DG-10.19"""
        return super().knows(player, slug) or (
            slug == "wild_shape" and any(form in self.hero(player).learned for form in FORMS)
        )

    def is_borrowable(self, ability: Ability, what: str) -> bool:
        """A form is borrowed, not the shape without one. Rule: DG-10.19"""
        return ability.slug != "wild_shape" and super().is_borrowable(ability, what)

    # -- primal enchantments -------------------------------------------------------------------

    def primal_objections(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-11.1"""
        at = self.at(use.player)
        if at is not None and getattr(self.wards(at), use.ability) == use.player:
            yield "no_effect", f"{self.title_of(at)} has it from {use.player} already."

    def lay_primal(self, use: Use) -> None:
        """Each of the six is on one square of the board. Rule: DG-11.1, DG-11.2"""
        at = self.at(use.player)
        if at is None:
            return
        for space in [slug for slug, square in self.state.spaces.items() if getattr(square.enchantments, use.ability)]:
            self.lift_square(space, use.ability, "ended")
        self.enchant_square(at, use.ability, use.player)

    objections_entangle = objections_obscuring_mist = objections_hallow = primal_objections
    objections_insect_plague = objections_wall_of_thorns = objections_antimagic_field = primal_objections
    effect_entangle = effect_obscuring_mist = effect_hallow = lay_primal
    effect_insect_plague = effect_wall_of_thorns = effect_antimagic_field = lay_primal

    def squares_left(self, walk: Walk) -> int:
        """Rule: DG-11.3"""
        left = super().squares_left(walk)
        grower = self.laid(walk.at, "entangle")
        if walk.named or grower is None or grower == walk.player:
            return left
        return max(0, left - ENTANGLED)

    def meet_thorns(self, walk: Walk) -> None:
        """Rule: DG-11.7"""
        super().meet_thorns(walk)
        grower = self.laid(walk.at, "wall_of_thorns")
        if grower is not None:
            self.strike(walk.player, Blow(grower, "wall_of_thorns"))

    def effect_barkskin(self, use: Use) -> None:
        """An enchantment effect, as its authors say against DG-2.6 and DG-11.10: their text goes before."""
        self.enchant(use.player, "barkskin", use.player)

    # -- Wild Shape ----------------------------------------------------------------------------

    def objections_wild_shape(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-11.11"""
        form = use.args["form"]
        if form not in (*FORMS, HUMANOID):
            yield "not_an_option", f"A form is one of {', '.join(FORMS)} or {HUMANOID}."
        elif form != HUMANOID and form not in self.hero(use.player).learned:
            yield "unknown_ability", f"{use.player} has not learned to be a {form}."
        if form == self.hero(use.player).form:
            yield "no_effect", f"{use.player} has that form already."

    def effect_wild_shape(self, use: Use) -> None:
        """Rule: DG-11.11"""
        self.tell(Shifted(use.player, use.args["form"]))

    def suggest_wild_shape(self, player: str, rng: Chance) -> dict[str, Any] | None:
        hero = self.hero(player)
        forms = [form for form in (*FORMS, HUMANOID) if form != hero.form and form in (*hero.learned, HUMANOID)]
        return {"form": rng.choice(forms)} if forms else None

    def shape_objections(self, use: Use, form: str) -> Iterator[Objection]:
        if self.hero(use.player).form != form:
            yield "not_allowed", f"{use.player} is no {form} now."

    def objections_maul(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-11.13"""
        yield from self.shape_objections(use, "bear")

    def effect_maul(self, use: Use) -> None:
        """Rule: DG-11.13"""
        self.strike(use.target, Blow(use.player, "maul", per_level=2 * DAMAGE_PER_LEVEL))

    def objections_scent(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-11.16"""
        yield from self.shape_objections(use, "wolf")
        if self.at(use.player) is not None and self.at(use.player) == self.at(use.target):
            yield "out_of_range", f"{use.target} is on the same square."

    def effect_scent(self, use: Use) -> None:
        """Rule: DG-11.16"""
        to = self.at(use.target)
        if to is not None:
            self.walk_shorter_way(use.player, to)

    # -- Tree Stride ---------------------------------------------------------------------------

    def offers_tree_stride(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-11.17"""
        return bool(self.trees_of(player))

    def trees_of(self, player: str) -> list[str]:
        """Where she can stride to. Rule: DG-11.17"""
        return [slug for slug in self.deeds_of(player) if slug != self.hero(player).at]

    def effect_tree_stride(self, use: Use) -> None:
        """The throw never happened. Rule: DG-11.17"""
        args = self.withdraw("stand")
        if args is None:
            return
        self.tell(RollDiscarded(use.player, [*args[0], *args[1]], use.player))
        self.note_turn(doubled=False)
        self.ask("move_to", use.player, self.trees_of(use.player), purpose="tree_stride")

    def move_to_tree_stride(self, player: str, space: str) -> None:
        """Rule: DG-11.17"""
        self.then("end_move", player)
        self.alight(player, space, lands=self.counts_now(player))

    # -- Call Lightning ------------------------------------------------------------------------

    def objections_call_lightning(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-11.18, DG-11.19"""
        bolts = use.args["bolts"]
        if not isinstance(bolts, list) or not all(isinstance(bolt, dict) for bolt in bolts):
            yield "malformed", "bolts is a list, each with on, effect and, for damage, target."
            return
        if not bolts:
            yield "no_effect", "No bolt is called."
        squares = [bolt.get("on") for bolt in bolts]
        if len(bolts) > MOST_BOLTS or any(squares.count(square) > 1 for square in squares):
            yield "not_an_option", f"There are at most {MOST_BOLTS} bolts, each on another square."
        for bolt in bolts:
            yield from self.bolt_objections(use, bolt)

    def bolt_objections(self, use: Use, bolt: dict[str, Any]) -> Iterator[Objection]:
        """What forbids one bolt. Rule: DG-11.18, DG-11.19"""
        effect = bolt.get("effect")
        wanted = {"on", "effect", "target"} if effect == "damage" else {"on", "effect"}
        if set(bolt) != wanted:
            yield "malformed", f"A bolt says {', '.join(sorted(wanted))}."
            return
        if effect not in BOLTS:
            yield "not_an_option", f"A bolt's effect is one of {', '.join(BOLTS)}."
        on, target = bolt["on"], bolt.get("target")
        if not isinstance(on, str) or on not in self.board.index:
            yield "unknown_space", f"{on!r} is no space of the board."
            return
        if effect == "damage" and (not isinstance(target, str) or target not in self.state.players):
            yield "unknown_player", f"{target!r} is not in this game."
            return
        if not self.reaches(use.player, on, LIMITED):
            yield "out_of_range", f"{self.title_of(on)} is too far away for lightning."
        if effect == "damage" and isinstance(target, str):
            yield from self.victim_objections(use, on, target)
        elif effect in BOLTS and not self.bolt_applies(on, effect):
            yield "not_allowed", f"There is nothing to {effect} on {self.title_of(on)}: leave that bolt out."

    def victim_objections(self, use: Use, on: str, target: str) -> Iterator[Objection]:
        """Rule: DG-11.18"""
        if self.same_side(use.player, target) or not self.in_game(target):
            yield "not_an_option", f"{target} cannot be struck by {use.player}."
        elif self.is_immune(use.player, target, self.catalogue["call_lightning"]):
            yield "immune", f"Lightning cannot touch {target} now."
        elif self.at(target) != on:
            yield "not_allowed", f"{target} is not on {self.title_of(on)}: leave that bolt out."

    def bolt_applies(self, on: str, effect: str) -> bool:
        """Whether a bolt that strikes the property itself finds anything. Rule: DG-11.19"""
        if not self.board.by_slug[on].is_property:
            return False
        here = self.state.spaces[on]
        if effect == "destroy":
            return here.houses > 0 and not here.hotel and not self.is_blessed(on)
        return here.owner is not None and not here.is_built and not here.mortgaged

    def arguments_of(self, ability: Ability, args: dict[str, Any]) -> dict[str, Any]:
        """Bolts name their squares as everything does."""
        clean = super().arguments_of(ability, args)
        if isinstance(clean.get("bolts"), list):
            clean["bolts"] = [self.plain_bolt(bolt) for bolt in clean["bolts"]]
        return clean

    def plain_bolt(self, bolt: Any) -> Any:
        """A square given by its index, by its slug."""
        if not isinstance(bolt, dict) or type(bolt.get("on")) is not int:
            return bolt
        return {**bolt, "on": self.space_named(bolt["on"])}

    def effect_call_lightning(self, use: Use) -> None:
        """As listed; those who are struck in turn order among themselves. Rule: DG-2.19, DG-11.18"""
        bolts = use.args["bolts"]
        order = self.others(use.player)
        struck = iter(sorted((b for b in bolts if b["effect"] == "damage"), key=lambda b: order.index(b["target"])))
        listed = [next(struck) if bolt["effect"] == "damage" else bolt for bolt in bolts]
        for bolt in reversed(listed):
            self.then("bolt", use.player, bolt)

    def do_bolt(self, player: str, bolt: dict[str, Any]) -> None:
        """Rule: DG-11.18, DG-11.19"""
        on, effect = bolt["on"], bolt["effect"]
        if effect == "damage":
            self.strike(bolt["target"], Blow(player, "call_lightning"))
        elif not self.bolt_applies(on, effect):
            return
        elif effect == "destroy":
            self.tell(Demolished(on, self.state.spaces[on].houses - 1, False, "call_lightning", player))
        else:
            self.tell(StruckMortgaged(self.state.spaces[on].owner or BANK, on, "call_lightning"))

    def suggest_call_lightning(self, player: str, rng: Chance) -> dict[str, Any] | None:
        at = self.at(player)
        bolts: list[dict[str, Any]] = []
        for space in self.board.slugs if at is not None else ():
            if not self.reaches(player, space, LIMITED):
                continue
            foes = [name for name in self.opponents(player) if self.at(name) == space]
            bolts += [{"on": space, "effect": "damage", "target": name} for name in foes[:1]]
            if not foes:
                bolts += [{"on": space, "effect": word} for word in BOLTS[1:] if self.bolt_applies(space, word)][:1]
        return {"bolts": bolts[:MOST_BOLTS]} if bolts else None

    # -- Creeping Doom -------------------------------------------------------------------------

    def infested(self, player: str) -> list[str]:
        """Her square and, if it is a property, its group. Rule: DG-11.20"""
        at = self.at(player)
        if at is None:
            return []
        return list(self.group_of(at)) if self.board.by_slug[at].is_property else [at]

    def overrun(self, player: str) -> list[str]:
        """Opponents on these squares, hidden ones too. Rule: DG-11.20"""
        squares = self.infested(player)
        return [name for name in self.opponents(player) if self.at(name) in squares]

    def repairs_of(self, player: str) -> dict[str, int]:
        """What each owner has to pay for repairs, in dollars, others first. Rule: DG-11.21"""
        costs = {}
        for name in [*self.others(player), player]:
            own = [self.state.spaces[slug] for slug in self.infested(player) if slug in self.state.spaces]
            own = [here for here in own if here.owner == name]
            cost = sum(HOTEL_REPAIR if here.hotel else HOUSE_REPAIR * here.houses for here in own)
            if cost:
                costs[name] = cost
        return costs

    def objections_creeping_doom(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-11.21"""
        if not self.overrun(use.player) and not self.repairs_of(use.player):
            yield "no_effect", "There is nobody and nothing built there."

    def effect_creeping_doom(self, use: Use) -> None:
        """Rule: DG-11.20, DG-11.21"""
        self.then("repairs", use.player)
        self.strike_all(self.overrun(use.player), Blow(use.player, "creeping_doom"))

    def do_repairs(self, player: str) -> None:
        """Rule: DG-11.21, DG-13.8"""
        for name, cost in self.repairs_of(player).items():
            self.charge(name, BANK, self.doubled(cost), "repairs")
