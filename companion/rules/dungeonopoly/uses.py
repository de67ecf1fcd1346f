"""Using an ability: refusals in their order, announcement, wards, effect, EP. Rule: DG-2.11 to DG-2.16, DG-3

    begin(use)                 announced: marked, paid for                            (ability_used, paid)
      check                    a d20, where one decides                              (throw_check)
      offers of `spell`        whoever can cancel it
      effect                   wards of the target, then `effect_SLUG(use)`
      credit                   the user's EP

An effect puts what it has to wait for with `then`, as everything does.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.rules.dungeonopoly.abilities import MOVE, OPPONENT, OTHER, REACT, Ability, Use
from companion.rules.dungeonopoly.damage import Damages
from companion.rules.dungeonopoly.events import AbilityFailed, AbilityUsed
from companion.rules.events import Rolled
from companion.rules.state import BANK, Decision

#: Where several refusals apply the first in this order is given. Rule: DG-2.16
ORDER = (
    *("malformed", "unknown_player", "unknown_space", "not_an_option", "not_your_turn", "decision_pending"),
    *("unknown_ability", "already_used", "spell_limit", "not_allowed", "out_of_range", "immune", "bank_short"),
    *("mortgaged", "cannot_afford", "no_effect"),
)
Objection = tuple[str, str]


def plain(use: Use) -> dict[str, Any]:
    """The use as plain JSON values, for steps and memos."""
    values: dict[str, Any] = msgspec.to_builtins(use)
    return values


class Uses(Damages):
    """`use: ABILITY`, and abilities chosen as reactions."""

    def act_use(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: DG-2.16"""
        if not isinstance(value, str):
            self.refuse("malformed", f"{value!r} is no ability of this game.")
        ability = self.catalogue.get(value)
        if ability is None:
            if not isinstance(value, str) or (value not in self.abilities and value != "building_auction"):
                self.refuse("malformed", f"{value!r} is no ability of this game.")
            super().act_use(by, value, args)
            return
        if not ability.is_usable:
            self.refuse("not_allowed", f"{ability.name} cannot be used so: it happens by itself, or is asked for.")
        use = Use(self.actor(by), ability.slug, self.arguments_of(ability, args))
        self.check(self.objections(use))
        self.begin(use)

    # -- arguments -----------------------------------------------------------------------------

    def arguments_of(self, ability: Ability, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments, if none is missing or superfluous; squares as slugs. Rule: DG-2.10"""
        known = ability.arguments
        is_missing = [name for name in known if name not in args and name not in ability.takes]
        superfluous = [name for name in args if name not in known]
        if is_missing or superfluous:
            wanted = ", ".join(known) or "nothing"
            self.refuse("malformed", f"{ability.name} takes {wanted}: not {', '.join(is_missing + superfluous)}.")
        clean = dict(args)
        if "target" in clean:
            clean["target"] = self.player_named(clean["target"])
        if "on" in clean:
            clean["on"] = self.space_named(clean["on"])
        return clean

    # -- objections ----------------------------------------------------------------------------

    def check(self, objections: Iterator[Objection]) -> None:
        """Refuse with the first objection in the order of the rules. Rule: DG-2.16"""
        found = sorted(objections, key=lambda objection: ORDER.index(objection[0]))
        if found:
            self.refuse(*found[0])

    def objections(self, use: Use) -> Iterator[Objection]:
        """Everything that forbids this use. Rule: DG-2.16"""
        yield from self.moment_objections(use)
        yield from self.right_objections(use)
        yield from self.effect_objections(use)
        yield from self.cost_objections(use)

    def moment_objections(self, use: Use) -> Iterator[Objection]:
        """Whose turn it is, and what is open. Rule: DG-2.11"""
        player, ability, state = use.player, self.catalogue[use.ability], self.state
        if not self.is_own_turn(player):
            yield "not_your_turn", f"{ability.name} is used in one's own turn: it is {state.turn.player}'s."
        if self.is_something_open():
            yield "decision_pending", f"First {self.waits_for()} has something to decide or to pay."
        if ability.timing == MOVE and (state.base != "roll" or state.players[player].in_jail):
            yield "not_allowed", f"{ability.name} is used before a movement roll."
        if ability.is_spell and state.turn.spell_cast:
            yield "spell_limit", f"{player} has cast a spell in this turn."
        if state.turn.jailed and ability.slug != "open_locks":
            yield "not_allowed", f"{player} was sent to Jail in this turn: only Open Locks is left."

    def is_something_open(self) -> bool:
        """Whether anything but a movement roll, or what is to be learned, is waited for. Rule: DG-1.13, DG-2.11"""
        state = self.state
        return bool(state.indebted or state.auction or any(each.kind != "learn" for each in state.decisions))

    def right_objections(self, use: Use) -> Iterator[Objection]:
        """Whether the ability is hers, and still to be had. Rule: DG-2.1, DG-2.12"""
        player, ability = use.player, self.catalogue[use.ability]
        if not self.knows(player, ability.slug):
            yield "unknown_ability", f"{player} has no {ability.name}, or not yet."
        if ability.is_single and ability.mark in self.state.players[player].used:
            yield "already_used", f"{player} has used {ability.name} and has it back from GO on."
        if ability.limit and self.use_key(use) in self.state.turn.uses:
            yield "already_used", f"{player} has used {ability.name} so in this turn."

    def use_key(self, use: Use) -> str:
        """What stands for this use in `turn.uses`. Rule: DG-2.12"""
        key = use.ability if self.catalogue[use.ability].limit == "turn" else f"{use.ability}:{use.target}"
        return key if self.is_own_turn(use.player) else f"{key}::{use.player}"

    def effect_objections(self, use: Use) -> Iterator[Objection]:
        """What place, target and the ability itself object to, however she came to it."""
        ability = self.catalogue[use.ability]
        hindrance = self.hindrance(use.player, ability)
        if hindrance is not None:
            yield "not_allowed", hindrance
        if ability.target and "target" in use.args:
            yield from self.target_objections(use)
        own = getattr(self, "objections_" + ability.slug, None)
        if own is not None:
            yield from own(use)

    def target_objections(self, use: Use) -> Iterator[Objection]:
        """Whether the target is one, in reach and not immune. Rule: DG-2.3 to DG-2.10, DG-4.4"""
        player, target, ability = use.player, use.target, self.catalogue[use.ability]
        is_wrong = (ability.target == OPPONENT and self.same_side(player, target)) or (
            ability.target == OTHER and player == target
        )
        if is_wrong or not self.in_game(target):
            yield "not_an_option", f"{target} cannot be the target of {player}'s {ability.name}."
        if not self.state.players[target].in_jail and not self.reaches(player, self.at(target), self.reach_of(use)):
            yield "out_of_range", f"{target} is too far away for {ability.name}."
        if self.is_immune(player, target, ability):
            yield "immune", f"{ability.name} cannot touch {target} now."

    def reach_of(self, use: Use) -> str:
        """How far this use reaches."""
        return self.catalogue[use.ability].reach

    def cost_objections(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-3.6"""
        cost = self.casting_cost(self.catalogue[use.ability])
        if cost > self.cash_free(use.player):
            yield "cannot_afford", f"{use.player} needs ${cost} and has ${self.cash_free(use.player)} to spend."

    # -- the use -------------------------------------------------------------------------------

    def begin(self, use: Use) -> None:
        """Announce a use that nothing forbids. Rule: DG-3.7"""
        player, ability = use.player, self.catalogue[use.ability]
        told = {name: use.args[name] for name in ability.arguments if name in use.args}
        self.tell(AbilityUsed(player, ability.slug, ability.mark if ability.is_single else None, **told))
        if self.is_own_turn(player) and not self.state.turn.acted:
            self.note_turn(acted=True)
        if ability.limit:
            self.note_turn(uses=[*self.state.turn.uses, self.use_key(use)])
        if ability.is_spell and self.is_own_turn(player) and use.through != "crown_of_madness":
            self.note_turn(spell_cast=True)
        self.spend(player, BANK, self.casting_cost(ability), "casting_cost")
        if ability.check:
            self.ask_check(use)
            return
        self.then("credit", player)
        self.then("effect", player, plain(use))
        if ability.is_spell:
            self.ask_round("spell", self.others(player), {"caster": player, "spell": ability.slug})

    def ask_check(self, use: Use) -> None:
        """A d20 decides. Rule: DG-6.4, DG-6.6, DG-9.3"""
        ability = self.catalogue[use.ability]
        facts = {"skill": ability.slug} if ability.kind == "skill" else {}
        self.ask_roll(use.player, "d20", ability.check, {"use": plain(use)}, **facts)

    def throw_check(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: DG-6.5, DG-9.3"""
        self.close(decision)
        use = Use(**decision.memo["use"])
        self.tell(Rolled(decision.player, list(dice), decision.facts["purpose"]))
        if dice[0] <= self.needed(use):
            self.then("credit", use.player)
            self.then("effect", use.player, plain(use))
            return
        self.tell(AbilityFailed(use.player, use.ability, "missed"))
        missed = getattr(self, "missed_" + use.ability, None)
        if missed is not None:
            missed(use)

    def throw_skill_check(self, decision: Decision, dice: tuple[int, ...]) -> None:
        self.throw_check(decision, dice)

    def needed(self, use: Use) -> int:
        """The highest throw of a d20 that succeeds: the ranks of a skill, else as the ability says."""
        if self.catalogue[use.ability].kind == "skill":
            return self.ranks(use.player, use.ability)
        number: int = getattr(self, "needed_" + use.ability)(use)
        return number

    def do_effect(self, player: str, values: dict[str, Any]) -> None:
        """The target's wards, then what the ability does. Rule: DG-5.4"""
        use = Use(**values)
        ability = self.catalogue[use.ability]
        target = use.target if ability.target else player
        if target != player and not use.met and (ability.is_spell or ability.enchants):
            if (ability.enchants or ability.damages) and self.has_entropic_ward(target):
                self.test_ward(target, player, ability.slug, "met", values)
            else:
                self.do_met(target, values)
            return
        getattr(self, "effect_" + ability.slug)(use)

    def do_met(self, target: str, values: dict[str, Any]) -> None:
        """Entropic Ward did not stop it; a spell meets Shield of Faith. Rule: DG-5.4, DG-8.6"""
        use = Use(**{**values, "met": True})
        ability = self.catalogue[use.ability]
        if not (ability.is_spell and self.spend_ward(target, use.player, ability.slug, "shield_of_faith")):
            getattr(self, "effect_" + ability.slug)(use)

    def happens(self, player: str, slug: str) -> bool:
        """Whether an ability of hers that happens by itself does so here and now. Rule: DG-6.3, DG-11.6"""
        return self.knows(player, slug) and self.may_act(player, self.catalogue[slug])

    def do_credit(self, player: str) -> None:
        """Rule: DG-1.17"""
        self.gain(player, "ability")

    def cancel(self, cause: str) -> None:
        """What was announced last and has not had its effect yet has none. Rule: DG-3.7"""
        todo = self.state.todo
        place = max((place for place, step in enumerate(todo) if step.name == "effect"), default=None)
        if place is None:
            return
        use = Use(**todo[place].args[0])
        self.withdraw("effect")
        self.state.todo = (*self.state.todo[: place - 1], *self.state.todo[place:])
        self.tell(AbilityFailed(use.player, use.ability, cause))

    # -- reactions -----------------------------------------------------------------------------

    def answer_react(self, decision: Decision, choice: str) -> None:
        """The chosen reaction is used; what it answers goes on after it. Rule: DG-2.20"""
        self.close(decision)
        if choice != "decline":
            self.begin(Use(decision.player, choice, dict(decision.memo["facts"]), REACT))
