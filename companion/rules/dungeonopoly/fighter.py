"""The fighter. Rule: DG-6"""

from collections.abc import Iterator
from typing import Any

from companion.rules.dungeonopoly.abilities import HERE, ITSELF, MOVE, OPPONENT, REACT, SIGHT, Ability, Use
from companion.rules.dungeonopoly.core import Core
from companion.rules.dungeonopoly.damage import Blow
from companion.rules.dungeonopoly.events import Conquered
from companion.rules.dungeonopoly.uses import Objection
from companion.rules.dungeonopoly.walks import Walk
from companion.rules.events import Built, DeedTransferred, Demolished
from companion.rules.state import Decision

#: The most squares of an Abundant Step.
LONGEST_STEP = 4
#: Out of 20, per level, for Far Shot.
SHOT_PER_LEVEL = 2

ABILITIES = (
    Ability(
        slug="attack",
        name="Attack",
        owner="fighter",
        level=1,
        target=OPPONENT,
        reach=HERE,
        limit="target",
        damages=True,
        clause="DG-6.1",
        text="Damage to an opponent on the same square.",
    ),
    Ability(
        slug="run",
        name="Run",
        owner="fighter",
        level=2,
        timing=MOVE,
        clause="DG-6.2",
        text="A third die for the first roll; nothing else in this turn.",
    ),
    Ability(
        slug="far_shot",
        name="Far Shot",
        owner="fighter",
        level=3,
        target=OPPONENT,
        reach=SIGHT,
        limit="turn",
        damages=True,
        check="far_shot",
        clause="DG-6.4",
        text="Damage to an opponent in sight, with a chance of 10% a level.",
    ),
    Ability(
        slug="intimidate",
        name="Intimidate",
        owner="fighter",
        level=4,
        timing=REACT,
        trigger="rent",
        check="intimidate",
        clause="DG-6.6",
        text="No rent, with a chance of 5% a level.",
    ),
    Ability(
        slug="combat_reflexes",
        name="Combat Reflexes",
        owner="fighter",
        level=5,
        timing=REACT,
        trigger="pass",
        target=OPPONENT,
        limit="walk",
        damages=True,
        clause="DG-6.7",
        text="Damage to an opponent who is passed.",
    ),
    Ability(
        slug="raze",
        name="Raze",
        owner="fighter",
        level=6,
        timing=ITSELF,
        clause="DG-6.8",
        text="One house of an opponent falls where the fighter lands.",
    ),
    Ability(
        slug="fortify",
        name="Fortify",
        owner="fighter",
        level=7,
        timing=REACT,
        trigger="landing",
        clause="DG-6.9",
        text="A free house where the fighter lands on a street of her own.",
    ),
    Ability(
        slug="conquer",
        name="Conquer",
        owner="fighter",
        level=8,
        timing=ITSELF,
        clause="DG-6.11",
        text="An opponent's mortgaged property is hers where she lands.",
    ),
    Ability(
        slug="veteran",
        name="Veteran",
        owner="fighter",
        level=9,
        kind="automatic",
        timing=ITSELF,
        clause="DG-6.12",
        text="Damage to the fighter is halved.",
    ),
    Ability(
        slug="abundant_step",
        name="Abundant Step",
        owner="fighter",
        level=10,
        timing=MOVE,
        needs=("squares",),
        single=True,
        clause="DG-6.13",
        text="One to four squares in place of a roll, passing nothing.",
    ),
)


class Fighters(Core):
    """What fighters do."""

    def effect_attack(self, use: Use) -> None:
        """Rule: DG-6.1"""
        self.strike(use.target, Blow(use.player, "attack"))

    # -- Run -----------------------------------------------------------------------------------

    def objections_run(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-6.2, DG-6.3"""
        turn = self.state.turn
        if turn.moves > 0:
            yield "not_allowed", "Run is for the first movement roll of the turn."
        if turn.acted or turn.running:
            yield "not_allowed", f"{use.player} has used an ability in this turn and cannot run."

    def effect_run(self, use: Use) -> None:
        """Rule: DG-6.2"""
        self.note_turn(running=True)

    # -- Far Shot ------------------------------------------------------------------------------

    def objections_far_shot(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-6.4, DG-6.14"""
        if self.at(use.player) is not None and self.at(use.player) == self.at(use.target):
            yield "out_of_range", f"{use.target} is too near for a Far Shot."
        if self.state.turn.stepped and not self.state.turn.moved:
            yield "not_allowed", "No Far Shot after an Abundant Step, unless a normal move came before it."

    def needed_far_shot(self, use: Use) -> int:
        """Rule: DG-6.4"""
        return SHOT_PER_LEVEL * self.level(use.player)

    def throw_far_shot(self, decision: Decision, dice: tuple[int, ...]) -> None:
        self.throw_check(decision, dice)

    def effect_far_shot(self, use: Use) -> None:
        """Rule: DG-6.4"""
        self.strike(use.target, Blow(use.player, "far_shot"))

    # -- Intimidate ----------------------------------------------------------------------------

    def offers_intimidate(self, player: str, facts: dict[str, Any]) -> bool:
        """Not against a landlord who is hidden or under Sanctuary. Rule: DG-6.6"""
        owner = self.state.spaces[facts["space"]].owner
        return owner is not None and not self.is_hidden(owner) and self.aura(owner, "sanctuary") is None

    def needed_intimidate(self, use: Use) -> int:
        """Rule: DG-6.6"""
        return self.level(use.player)

    def throw_intimidate(self, decision: Decision, dice: tuple[int, ...]) -> None:
        self.throw_check(decision, dice)

    def effect_intimidate(self, use: Use) -> None:
        """Rule: DG-6.6"""
        self.waive_rent_due("intimidate")

    # -- Combat Reflexes -----------------------------------------------------------------------

    def meet_foes(self, walk: Walk) -> None:
        """Each opponent between start and end, in turn order. Rule: DG-6.7"""
        super().meet_foes(walk)
        if walk.left > 0 and walk.counts and self.is_own_turn(walk.player):
            for name in reversed(self.opponents(walk.player)):
                if self.at(name) == walk.at:
                    self.then("offer", walk.player, "pass", {"target": name, "space": walk.at})

    def offers_combat_reflexes(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-6.7, DG-2.12"""
        target = facts["target"]
        struck = f"combat_reflexes:{target}" in self.state.turn.uses
        return (
            not struck
            and self.in_game(target)
            and not self.is_immune(player, target, self.catalogue["combat_reflexes"])
        )

    def effect_combat_reflexes(self, use: Use) -> None:
        """Rule: DG-6.7"""
        self.strike(use.target, Blow(use.player, "combat_reflexes"))

    # -- Raze, Conquer, Fortify ----------------------------------------------------------------

    def meet_deeds(self, walk: Walk) -> None:
        """Where she has landed, when the rent is settled. Rule: DG-6.8 to DG-6.11, DG-6.16"""
        super().meet_deeds(walk)
        player, space = walk.player, walk.at
        if self.at(player) != space or space not in self.state.spaces:
            return
        owner = self.state.spaces[space].owner
        if owner is not None and not self.same_side(player, owner):
            self.raze(player, space)
            self.conquer(player, space, owner)
        elif owner == walk.owner:
            self.do_offer(player, "landing", {"space": space})

    def raze(self, player: str, space: str) -> None:
        """Rule: DG-6.8"""
        here = self.state.spaces[space]
        if here.houses > 0 and not self.is_blessed(space) and self.happens(player, "raze"):
            self.tell(Demolished(space, here.houses - 1, False, "raze", player))
            self.gain(player, "ability")

    def conquer(self, player: str, space: str, owner: str) -> None:
        """Rule: DG-6.11"""
        if self.state.spaces[space].mortgaged and self.happens(player, "conquer"):
            self.tell(Conquered(player, space, owner))
            self.tell(DeedTransferred(space, owner, player, "conquer"))
            self.gain(player, "ability")

    def offers_fortify(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-6.9, DG-6.10"""
        here = self.state.spaces[facts["space"]]
        is_street = self.board.by_slug[facts["space"]].kind == "street"
        return (
            is_street
            and here.owner is not None
            and not (here.mortgaged or here.hotel)
            and here.houses < self.houses_for_hotel
            and self.state.bank.houses > 0
        )

    def effect_fortify(self, use: Use) -> None:
        """Rule: DG-6.9"""
        space = use.args["space"]
        self.tell(Built(use.player, space, self.state.spaces[space].houses + 1, False))

    # -- Veteran, Abundant Step ----------------------------------------------------------------

    def softened(self, player: str, amount: int) -> int:
        """Rule: DG-6.12"""
        amount = super().softened(player, amount)
        return (amount + 1) // 2 if self.knows(player, "veteran") else amount

    def objections_abundant_step(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-6.13, DG-6.14"""
        squares = use.args["squares"]
        if type(squares) is not int or not 1 <= squares <= LONGEST_STEP:
            yield "not_an_option", f"An Abundant Step is 1 to {LONGEST_STEP} squares."
        if "far_shot" in self.state.turn.uses and not self.state.turn.moved:
            yield "not_allowed", "No Abundant Step after a Far Shot, unless a normal move came before."

    def effect_abundant_step(self, use: Use) -> None:
        """Rule: DG-6.13"""
        self.replace_roll(use.player)
        self.note_turn(stepped=True)
        at = self.state.players[use.player].at or "go"
        self.alight(use.player, self.board.after(at, use.args["squares"]))
