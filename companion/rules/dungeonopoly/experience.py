"""Experience, levels and what they bring. Rule: DG-1.10 to DG-1.21"""

from typing import Any

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.events import DUNGEON_EVENTS, EpGained, Learned, LevelledUp, TurnNoted
from companion.rules.dungeonopoly.state import (
    ADDITIONAL_CLASSES,
    CLASSES,
    HIGHEST_LEVEL,
    PACTS,
    SKILLS,
)
from companion.rules.dungeonopoly.terms import Terms
from companion.rules.state import Decision

EP_PER_LEVEL, QUICKER_EP_PER_LEVEL = 10, 5
#: class -> what is learned -> at which levels one is chosen. Rule: DG-10.10, DG-11.1, DG-11.11, DG-12.8
CHOICES: dict[str, dict[str, tuple[int, ...]]] = {
    "bard": {"melody": (1, 3, 6, 9), "jack": (10, 10, 10)},
    "druid": {"primal": (1, 4, 7), "form": (3, 6, 9)},
    "warlock": {"pact": (1,), "blast": (4, 6, 8), "book": (9, 9, 9)},
}
#: The highest level of what Jack-of-All-Trades and the Book of Shadows can borrow. Rule: DG-10.19, DG-12.17
BORROWED_LEVEL = {"jack": 5, "book": 4}
SKILL_POINTS, POINTS_PER_LEVEL, MOST_RANKS = 30, 5, 15


class Experience(Terms):
    """How characters begin and grow."""

    event_types = DUNGEON_EVENTS

    def note_turn(self, **values: Any) -> None:
        """Set fields of the turn for which there is no event of their own."""
        self.tell(TurnNoted(values))

    # -- experience ----------------------------------------------------------------------------

    def gain(self, player: str, why: str) -> None:
        """One EP, and the level that may come with it. Rule: DG-1.12, DG-1.14"""
        if not self.in_game(player):
            return
        hero = self.state.players[player]
        self.tell(EpGained(player, why, hero.ep + 1))
        per_level = QUICKER_EP_PER_LEVEL if self.state.options["quicker"] else EP_PER_LEVEL
        level = min(HIGHEST_LEVEL, 1 + (hero.ep + 1) // per_level)
        for reached in range(hero.level + 1, level + 1):
            self.tell(LevelledUp(player, reached))
            self.grow(player, reached)

    def grow(self, player: str, level: int) -> None:
        """What a level brings besides its abilities. Rule: DG-1.13, DG-9.1"""
        hero = self.state.players[player]
        if level > 1 and "rogue" in hero.classes:
            self.note_player(player, skill_points=hero.skill_points + POINTS_PER_LEVEL)
        for owner in hero.classes:
            for what, levels in CHOICES.get(owner, {}).items():
                if level in levels:
                    self.ask_to_learn(player, what, levels.count(level))

    # -- learning ------------------------------------------------------------------------------

    def ask_to_learn(self, player: str, what: str, count: int) -> None:
        """Open the choice of one of `count` things, if there is anything to choose. Rule: DG-1.13"""
        options = self.learnable(player, what)
        if options and count > 0:
            self.ask("learn", player, options, {"count": count}, blocks=False, what=what)

    def learnable(self, player: str, what: str) -> list[str]:
        """What can be chosen now, in the order of the rules. Rule: DG-10.19, DG-12.17"""
        hero = self.state.players[player]
        if what == "pact":
            return list(PACTS) if hero.pact is None else []
        if what in BORROWED_LEVEL:
            return [
                slug
                for slug, ability in self.catalogue.items()
                if ability.owner not in hero.classes and self.is_borrowable(ability, what) and slug not in hero.learned
            ]
        return [slug for slug, ability in self.catalogue.items() if ability.choice == what and slug not in hero.learned]

    def answer_learn(self, decision: Decision, choice: str) -> None:
        """Rule: DG-1.13"""
        player, what = decision.player, decision.facts["what"]
        self.close(decision)
        self.tell(Learned(player, what, choice))
        self.ask_to_learn(player, what, decision.memo["count"] - 1)

    def open_decisions(self) -> list[Decision]:
        """What is to be learned comes last: it holds up nothing but movement and the end of the turn. Rule: DG-1.13"""
        pending = super().open_decisions()
        if not any(each.kind == "learn" for each in pending):
            return pending
        return sorted(pending, key=lambda each: each.kind == "learn")

    def waits_for(self) -> str:
        """Who is meant where nobody is named: the mover, if there is only something to be learned. Rule: DG-1.13"""
        pending = [each for each in self.state.pending if each.kind != "learn"]
        return pending[0].player if pending else self.state.turn.player

    def is_learning(self) -> bool:
        return any(each.kind == "learn" for each in self.state.decisions)

    # -- set-up --------------------------------------------------------------------------------

    def check_setup(self, names: list[str], edition: str, settings: dict[str, Any]) -> None:
        """Rule: DG-1.10"""
        super().check_setup(names, edition, {})
        for name in names:
            self.check_character(name, settings.get(name) or {})

    def check_character(self, name: str, chosen: dict[str, Any]) -> None:
        """What one player has chosen at set-up. Rule: DG-1.10, DG-9.1, DG-13.12"""
        if unknown := set(chosen) - {"class", "second_class", "skills", "pact", "learned"}:
            self.refuse("malformed", f"{name}: {', '.join(map(str, unknown))} is nothing to choose here.")
        classes = [chosen.get("class")]
        if self.state.options["gestalt"]:
            classes.append(chosen.get("second_class"))
        elif chosen.get("second_class") is not None:
            self.refuse("malformed", f"{name}: a second class is for the gestalt game.")
        for word in classes:
            if word not in CLASSES or (word in ADDITIONAL_CLASSES and not self.state.options["additional_classes"]):
                self.refuse("malformed", f"{name}: {word!r} is no class of this game.")
        if len(set(classes)) != len(classes):
            self.refuse("malformed", f"{name}: two different classes.")
        self.check_skills(name, "rogue" in classes, chosen.get("skills", {}))
        if chosen.get("pact") is not None and ("warlock" not in classes or chosen["pact"] not in PACTS):
            self.refuse("malformed", f"{name}: a warlock's pact is one of {', '.join(PACTS)}.")
        self.check_learned(name, classes, chosen.get("learned", []))

    def check_skills(self, name: str, is_rogue: bool, skills: Any) -> None:
        """Rule: DG-9.1, DG-13.11"""
        if not isinstance(skills, dict) or (skills and not is_rogue) or not set(skills) <= set(SKILLS):
            self.refuse("malformed", f"{name}: a rogue's skills are {', '.join(SKILLS)}, each with its ranks.")
        if any(type(ranks) is not int or not 0 <= ranks <= MOST_RANKS for ranks in skills.values()):
            self.refuse("malformed", f"{name}: a skill has 0 to {MOST_RANKS} ranks.")
        if sum(skills.values()) > self.first_points():
            self.refuse("malformed", f"{name}: there are {self.first_points()} points for skills.")

    def check_learned(self, name: str, classes: list[Any], learned: Any) -> None:
        """No more choices of each kind than the first level brings. Rule: DG-1.13, DG-13.11"""
        if not isinstance(learned, list) or not all(isinstance(slug, str) for slug in learned):
            self.refuse("malformed", f"{name}: what is learned is a list of names.")
        if len(set(learned)) != len(learned):
            self.refuse("malformed", f"{name}: the same is learned twice.")
        rest = list(learned)
        for owner in classes:
            for what, levels in CHOICES.get(owner, {}).items():
                own = [slug for slug in rest if self.is_choice(slug, what, classes)]
                most = sum(level <= self.first_level() for level in levels)
                if what == "pact" or not own:
                    continue
                taken = own[:most]
                rest = [slug for slug in rest if slug not in taken]
        if rest:
            self.refuse("malformed", f"{name} cannot know {', '.join(rest)} at the start.")

    def is_choice(self, slug: str, what: str, classes: list[Any]) -> bool:
        """Whether a slug can be what is chosen by this kind of `learn`."""
        ability = self.catalogue.get(slug)
        if ability is None:
            return False
        if what in BORROWED_LEVEL:
            return ability.owner not in classes and self.is_borrowable(ability, what)
        return ability.choice == what

    def is_borrowable(self, ability: Ability, what: str) -> bool:
        """Whether a Jack-of-All-Trades or a Book of Shadows could bring it. Rule: DG-10.19, DG-12.17"""
        is_kind = what == "jack" or ability.is_spell
        return is_kind and ability.level <= BORROWED_LEVEL[what] and not ability.part_of

    def first_level(self) -> int:
        """Rule: DG-1.11, DG-13.11"""
        return HIGHEST_LEVEL if self.state.options["blitz"] else 1

    def first_points(self) -> int:
        """Rule: DG-9.1, DG-13.11"""
        return SKILL_POINTS + POINTS_PER_LEVEL * (self.first_level() - 1)

    def create(self, name: str, chosen: dict[str, Any]) -> None:
        """One character, as chosen; what is left open is asked. Rule: DG-1.10 to DG-1.13"""
        skills = {skill: chosen.get("skills", {}).get(skill, 0) for skill in SKILLS}
        classes = [word for word in (chosen.get("class"), chosen.get("second_class")) if word]
        points = self.first_points() - sum(skills.values()) if "rogue" in classes else 0
        learned = list(chosen.get("learned", []))
        self.note_player(
            name,
            class_=classes[0],
            second_class=classes[1] if len(classes) > 1 else None,
            level=self.first_level(),
            pact=chosen.get("pact"),
            skills=skills,
            skill_points=points,
            learned=learned,
        )
        rest = list(learned)
        for owner in classes:
            for what, levels in CHOICES.get(owner, {}).items():
                due = sum(level <= self.first_level() for level in levels)
                taken = [slug for slug in rest if self.is_choice(slug, what, classes)][:due]
                rest = [slug for slug in rest if slug not in taken]
                self.ask_to_learn(name, what, due - len(taken))
