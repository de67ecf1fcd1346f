"""Reactions: what a character may do at an event. One mechanism for all triggers. Rule: DG-2.19 to DG-2.21

An event that asks puts `offer` steps (`ask_round` for several characters) above the step that goes on with it; each
opens `react` if the character can do at least one of the things. The chosen one is used as any ability (see uses); its
effect may `withdraw` the step that goes on.
"""

from typing import Any

from msgspec.structs import replace

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.money import Purses

Facts = dict[str, Any]
#: Triggers that are told under another name.
SHOWN = {"music": "rent"}


class Reactions(Purses):
    """Who is asked, and for what."""

    def ask_round(self, trigger: str, players: list[str], facts: Facts) -> None:
        """Ask these characters one after the other."""
        for name in reversed(players):
            self.then("offer", name, trigger, facts)

    def do_offer(self, player: str, trigger: str, facts: Facts) -> None:
        """Open `react` if there is something she can do now. Rule: DG-2.20"""
        options = self.reactions_of(player, trigger, facts)
        if options:
            shown = {"trigger": SHOWN.get(trigger, trigger), **facts}
            self.ask("react", player, [*options, "decline"], {"trigger": trigger, "facts": facts}, **shown)

    def reactions_of(self, player: str, trigger: str, facts: Facts) -> list[str]:
        """What she can do at this event, less what she has declined for good. Rule: DG-2.20, DG-2.21"""
        declined = self.state.players[player].standing_decline
        return [
            slug
            for slug, ability in self.catalogue.items()
            if ability.trigger == trigger and slug not in declined and self.may_react(player, ability, facts)
        ]

    def is_asked(self, trigger: str, facts: Facts) -> bool:
        """Whether anybody at all could react."""
        return any(self.reactions_of(name, trigger, facts) for name in self.state.players)

    def may_react(self, player: str, ability: Ability, facts: Facts) -> bool:
        """Whether she can use it now in answer to this event."""
        if not self.in_game(player) or not self.knows(player, ability.slug) or not self.may_act(player, ability):
            return False
        hero = self.state.players[player]
        if ability.is_single and ability.mark in hero.used:
            return False
        if ability.is_spell and self.is_own_turn(player) and (self.state.turn.spell_cast or self.state.turn.jailed):
            return False
        if hero.cash < self.casting_cost(ability):
            return False
        offers = getattr(self, "offers_" + ability.slug, None)
        return offers is None or bool(offers(player, facts))

    def may_act(self, player: str, ability: Ability) -> bool:
        """Whether place and shape let her use the ability at all."""
        return self.hindrance(player, ability) is None

    def hindrance(self, player: str, ability: Ability) -> str | None:
        """Why place, shape or a run forbid it, or None. Rule: DG-4.5, DG-6.3, DG-11.6, DG-11.9, DG-11.12"""
        hero = self.state.players[player]
        if hero.in_jail and ability.slug not in ("open_locks", "wild_shape"):
            return f"{player} is in Jail: only Open Locks and Wild Shape can be used there."
        if self.laid(self.at(player), "insect_plague") is not None:
            return f"{player} stands in an Insect Plague and can use nothing."
        if self.is_own_turn(player) and self.state.turn.running and ability.slug != "run":
            return f"{player} runs in this turn and can use nothing else."
        if self.is_own_turn(player) and self.is_turn_cut():
            return f"{player}'s turn is over."
        if ability.is_spell and self.is_suppressed(player):
            return f"{player} stands in an Antimagic Field and can cast no spells."
        if ability.is_spell and self.is_animal(player):
            return f"{player} is no humanoid now and can cast no spells."
        return None

    def is_turn_cut(self) -> bool:
        """Whether the turn ends as soon as what is under way is settled. Rule: DG-10.6, DG-12.7"""
        return bool(self.state.todo) and self.state.todo[0].name == "cut_turn"

    def casting_cost(self, ability: Ability) -> int:
        """Rule: DG-3.6"""
        return ability.cost

    def withdraw(self, name: str) -> list[Any] | None:
        """Take back the topmost step of this name, with the questions above it; its arguments, or None."""
        todo = self.state.todo
        for place in reversed(range(len(todo))):
            if todo[place].name == name:
                rest = tuple(step for step in todo[place + 1 :] if step.name != "offer")
                self.state.todo = (*todo[:place], *rest)
                return todo[place].args
        return None

    # -- standing answers ----------------------------------------------------------------------

    def use_standing_decline(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: DG-2.21"""
        player, slug, value = self.actor(by), args.get("ability"), args.get("value")
        ability = self.catalogue.get(slug) if isinstance(slug, str) else None
        if ability is None or not ability.trigger or not isinstance(value, bool):
            self.refuse("malformed", "It is ability: a reaction, value: true or false.")
        declined = [each for each in self.state.players[player].standing_decline if each != slug]
        self.note_player(player, standing_decline=sorted([*declined, ability.slug] if value else declined))
        if not value:
            return
        for decision in self.state.decisions:
            if decision.kind == "react" and decision.player == player and slug in (decision.options or ()):
                left = tuple(each for each in decision.options or () if each != slug)
                self.close(decision)
                if left != ("decline",):
                    self.state.decisions = (*self.state.decisions, replace(decision, options=left))
