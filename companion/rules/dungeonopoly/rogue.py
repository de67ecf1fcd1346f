"""The rogue: five skills, each a check with a d20. Rule: DG-9"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import HERE, MOVE, OPPONENT, OTHER, REACT, Ability, Use
from companion.rules.dungeonopoly.damage import Blow
from companion.rules.dungeonopoly.events import Freed, Trained
from companion.rules.dungeonopoly.experience import MOST_RANKS
from companion.rules.dungeonopoly.state import SKILLS
from companion.rules.dungeonopoly.suggestions import Action, Proposals
from companion.rules.dungeonopoly.uses import Objection
from companion.rules.dungeonopoly.walks import Walk
from companion.rules.state import Decision

#: Dollars per level out of a pocket, and out of the Bank in passing GO (twice that in landing on it).
POCKET_PER_LEVEL, LOOT_PER_LEVEL = 20, 50
#: What a Steal brings of the rent, in per cent per level.
STEAL_PER_LEVEL = 5

ABILITIES = (
    Ability(
        slug="open_locks",
        name="Open Locks",
        owner="rogue",
        level=1,
        kind="skill",
        check="skill_check",
        takes=("target",),
        limit="target",
        clause="DG-9.5",
        text="Out of Jail for nothing; from just visiting, others out of it.",
    ),
    Ability(
        slug="pick_pockets",
        name="Pick Pockets",
        owner="rogue",
        level=1,
        kind="skill",
        check="skill_check",
        trigger="sneak_past",
        target=OTHER,
        reach=HERE,
        limit="target",
        clause="DG-9.7",
        text="$20 a level from somebody on the same square; Jail for a failure.",
    ),
    Ability(
        slug="rob_bank",
        name="Rob Bank",
        owner="rogue",
        level=1,
        kind="skill",
        check="skill_check",
        timing=REACT,
        trigger="go",
        clause="DG-9.9",
        text="$50 a level in passing GO, twice that in landing on it; Jail for a failure.",
    ),
    Ability(
        slug="sneak",
        name="Sneak",
        owner="rogue",
        level=1,
        kind="skill",
        check="skill_check",
        timing=MOVE,
        limit="roll",
        clause="DG-9.11",
        text="One die for this movement roll, and the walk does not count.",
    ),
    Ability(
        slug="backstab",
        name="Backstab",
        owner="rogue",
        level=1,
        timing=REACT,
        trigger="sneak_past",
        target=OPPONENT,
        limit="walk",
        part_of="sneak",
        damages=True,
        clause="DG-9.13",
        text="Damage to an opponent whom she sneaks past.",
    ),
    Ability(
        slug="steal",
        name="Steal",
        owner="rogue",
        level=1,
        kind="skill",
        check="skill_check",
        limit="turn",
        clause="DG-9.17",
        text="5% a level of the rent of an opponent's built property she stands on; Jail for a failure.",
    ),
)


class Rogues(Proposals):
    """What rogues do."""

    # -- training ------------------------------------------------------------------------------

    def use_train(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: DG-9.2"""
        player, skill, ranks = by or self.state.turn.player, args.get("skill"), args.get("ranks")
        if not isinstance(skill, str) or skill not in SKILLS or type(ranks) is not int or ranks < 1:
            self.refuse("malformed", f"It is skill: one of {', '.join(SKILLS)}, ranks: how many more.")
        if self.is_checked(player):
            self.refuse("decision_pending", f"First {player}'s check.")
        hero = self.hero(player)
        if "rogue" not in hero.classes:
            self.refuse("unknown_ability", f"{player} is no rogue.")
        if ranks > hero.skill_points or hero.skills[skill] + ranks > MOST_RANKS:
            self.refuse("not_allowed", f"{player} has {hero.skill_points} points, and no skill has over {MOST_RANKS}.")
        self.tell(Trained(player, skill, ranks))

    def is_checked(self, player: str) -> bool:
        """Whether a check of hers is open, or thrown and not yet settled. Rule: DG-9.2"""
        is_open = any(
            each.kind == "roll" and each.player == player and each.facts["purpose"] == "skill_check"
            for each in self.state.decisions
        )
        return is_open or any(
            step.name == "throw_stands" and step.player == player and step.args[1] == "skill_check"
            for step in self.state.todo
        )

    # -- Open Locks ----------------------------------------------------------------------------

    def objections_open_locks(self, use: Use) -> Iterator[Objection]:
        """Her own lock, or from just visiting somebody else's. Rule: DG-9.5, DG-9.6"""
        hero, target, state = self.hero(use.player), use.args.get("target"), self.state
        if target is None:
            if not hero.in_jail or not (state.base == "roll" or state.turn.jailed):
                yield "not_allowed", f"{use.player} is not in Jail, or may not try her own lock now."
            return
        if target == use.player or not self.in_game(target):
            yield "not_an_option", f"{target} is nobody else in the game."
        if self.at(use.player) != "jail":
            yield "not_allowed", "The locks of others are opened from just visiting."
        if self.aura(target, "sanctuary") is not None:
            yield "immune", f"{target} is in a sanctuary."
        if not self.hero(target).in_jail:
            yield "no_effect", f"{target} is not in Jail."

    def effect_open_locks(self, use: Use) -> None:
        """Rule: DG-9.5, DG-9.6"""
        self.tell(Freed(use.target, "open_locks", use.args.get("target") and use.player))

    def suggest_open_locks(self, player: str, rng: Chance) -> dict[str, Any] | None:
        if self.hero(player).in_jail:
            return {}
        prisoners = [name for name in self.others(player) if self.hero(name).in_jail]
        return {"target": rng.choice(prisoners)} if prisoners and self.at(player) == "jail" else None

    # -- Pick Pockets, Backstab ----------------------------------------------------------------

    def objections_pick_pockets(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-9.7"""
        if not self.has_pocket(use.player, use.target):
            yield "no_effect", f"There is nothing in {use.target}'s pocket."

    def has_pocket(self, player: str, target: str) -> bool:
        """Whether there is something to be taken from her; team mates have one purse. Rule: DG-9.7, DG-13.4"""
        return self.hero(target).cash > 0 and not self.same_side(player, target)

    def effect_pick_pockets(self, use: Use) -> None:
        """Rule: DG-9.7, DG-13.9"""
        amount = min(self.gained(POCKET_PER_LEVEL * self.level(use.player)), self.hero(use.target).cash)
        self.spend(use.target, use.player, amount, "pick_pockets")

    def missed_pick_pockets(self, use: Use) -> None:
        """Rule: DG-9.8, DG-9.14"""
        self.go_to_jail(use.player, "pick_pockets")

    def offers_pick_pockets(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-9.13, DG-2.12"""
        return self.can_reach_out(player, "pick_pockets", facts["target"]) and self.has_pocket(player, facts["target"])

    def offers_backstab(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-9.13, DG-2.12"""
        return self.can_reach_out(player, "backstab", facts["target"])

    def can_reach_out(self, player: str, slug: str, target: str) -> bool:
        """Whether she can do that to somebody in sneaking past."""
        is_done = self.use_key(Use(player, slug, {"target": target})) in self.state.turn.uses
        return not is_done and self.in_game(target) and not self.is_immune(player, target, self.catalogue[slug])

    def meet_foes(self, walk: Walk) -> None:
        """Each opponent between start and end, in turn order. Rule: DG-9.13"""
        super().meet_foes(walk)
        if walk.left > 0 and walk.sneaks:
            for name in reversed(self.opponents(walk.player)):
                if self.at(name) == walk.at:
                    self.then("offer", walk.player, "sneak_past", {"target": name, "space": walk.at})

    def answer_react(self, decision: Decision, choice: str) -> None:
        """Asked again with what is left, until she declines. Rule: DG-9.13"""
        if decision.memo["trigger"] == "sneak_past" and choice != "decline":
            self.then("offer", decision.player, "sneak_past", decision.memo["facts"])
        super().answer_react(decision, choice)

    def effect_backstab(self, use: Use) -> None:
        """Rule: DG-9.13"""
        self.strike(use.target, Blow(use.player, "backstab"))

    # -- Rob Bank ------------------------------------------------------------------------------

    def effect_rob_bank(self, use: Use) -> None:
        """The bonus and the loot are one collection. Rule: DG-9.9, DG-12.3, DG-13.9"""
        (is_landing,) = self.withdraw("go_bonus") or [False]
        loot = LOOT_PER_LEVEL * self.level(use.player) * (2 if is_landing else 1)
        self.pay_salary(use.player, is_landing)
        self.receive(use.player, self.gained(loot), "rob_bank")

    def missed_rob_bank(self, use: Use) -> None:
        """Rule: DG-9.10"""
        self.withdraw("go_bonus")
        self.go_to_jail(use.player, "rob_bank")

    # -- Sneak ---------------------------------------------------------------------------------

    def use_key(self, use: Use) -> str:
        """One attempt for each movement roll. Rule: DG-9.12"""
        if self.catalogue[use.ability].limit == "roll":
            return f"{use.ability}:{self.state.turn.moves}"
        return super().use_key(use)

    def effect_sneak(self, use: Use) -> None:
        """Rule: DG-9.11"""
        self.note_turn(sneaking=True)

    def meet_hiding(self, walk: Walk) -> None:
        """Rule: DG-9.15"""
        super().meet_hiding(walk)
        if walk.sneaks:
            memo = {"walk": msgspec.to_builtins(replace(walk, counts=True, sneaks=False))}
            self.ask("sneak_end", walk.player, ("hide", "come_out"), memo, space=walk.at)

    def answer_sneak_end(self, decision: Decision, choice: str) -> None:
        """Rule: DG-9.15, DG-9.16"""
        self.close(decision)
        if choice == "hide":
            self.hide(decision.player, "sneak")
        else:
            self.reveal(decision.player, "come_out")
            self.then("meet", decision.player, decision.memo["walk"], 0)

    # -- Steal ---------------------------------------------------------------------------------

    def objections_steal(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-9.17"""
        at = self.at(use.player)
        here = None if at is None else self.square(at)
        if here is None or not here.is_built or here.owner is None or self.same_side(use.player, here.owner):
            yield "not_allowed", "She steals on an opponent's property with a house or a hotel."

    def effect_steal(self, use: Use) -> None:
        """Rule: DG-9.17, DG-13.9"""
        at = self.at(use.player) or "go"
        owner = self.square(at).owner
        if owner is not None:
            amount = self.rent_now(at) * STEAL_PER_LEVEL * self.level(use.player) // 100
            self.charge(owner, use.player, self.gained(amount), "steal")

    def missed_steal(self, use: Use) -> None:
        """First the rent of this stay, if it has not been paid. Rule: DG-9.18"""
        player, at = use.player, self.at(use.player)
        self.then("caught", player, "steal")
        if at is not None and self.square(at).owner is not None and not self.hero(player).paid_here:
            self.land_on_property(player, at)

    def do_caught(self, player: str, cause: str) -> None:
        """Rule: DG-9.18"""
        self.go_to_jail(player, cause)

    # -- suggestions ---------------------------------------------------------------------------

    def suggest_affairs(self, player: str, rng: Chance) -> list[Action]:
        """Training too."""
        affairs = super().suggest_affairs(player, rng)
        hero, skill = self.hero(player), rng.choice(SKILLS)
        most = min(hero.skill_points, MOST_RANKS - hero.skills[skill])
        if "rogue" in hero.classes and most > 0:
            affairs.append({"use": "train", "by": player, "skill": skill, "ranks": rng.randint(1, most)})
        return affairs
