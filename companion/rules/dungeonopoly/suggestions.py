"""Characters and abilities that a bot or a random game could choose: from the declarations, not checked."""

from typing import Any

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import CHARACTER, OPPONENT, Ability
from companion.rules.dungeonopoly.core import Core
from companion.rules.dungeonopoly.state import CLASSES, PACTS, SKILLS

Action = dict[str, Any]
#: How often something that can be chosen at the start is chosen.
CHOSEN = 0.8
#: How often a bot that could use an ability does.
ZEAL = 0.5


class Proposals(Core):
    """What could be done now."""

    @classmethod
    def suggest_players(cls, names: list[str], rng: Chance) -> dict[str, dict[str, Any]]:
        """A class for each, with some of what can be chosen at the start."""
        return {name: cls.suggest_character([rng.choice(CLASSES)], rng) for name in names}

    @classmethod
    def suggest_character(cls, classes: list[str], rng: Chance) -> dict[str, Any]:
        """A character of this class, or of these two in the gestalt game; a rogue's points in three skills."""
        chosen: dict[str, Any] = dict(zip(("class", "second_class"), classes, strict=False))
        if "rogue" in classes and rng.random() < CHOSEN:
            chosen["skills"] = dict.fromkeys(rng.sample(SKILLS, 3), 10)
        if "warlock" in classes and rng.random() < CHOSEN:
            chosen["pact"] = rng.choice(PACTS)
        return chosen

    def suggest_affairs(self, player: str, rng: Chance) -> list[Action]:
        """Abilities besides the classic affairs."""
        return [*super().suggest_affairs(player, rng), *self.suggest_uses(player, rng)]

    def suggest_uses(self, player: str, rng: Chance) -> list[Action]:
        """Every ability that she knows and could use in her turn, each once, with arguments drawn by chance."""
        if not self.is_own_turn(player) or not self.in_game(player):
            return []
        uses = []
        for slug, ability in self.catalogue.items():
            if ability.is_usable and self.knows(player, slug):
                action = self.suggest_use(player, ability, rng)
                if action is not None:
                    uses.append(action)
        return uses

    def suggest_wishes(self, player: str, rng: Chance) -> list[Action]:
        """An ability now and then, which one by chance."""
        uses = [use for use in self.suggest_uses(player, rng) if rng.random() < ZEAL]
        rng.shuffle(uses)
        return [*super().suggest_wishes(player, rng), *uses]

    def suggest_use(self, player: str, ability: Ability, rng: Chance) -> Action | None:
        """`use:` of this ability, or None where there is nobody and nothing to use it on."""
        action: Action = {"use": ability.slug, "by": player}
        if ability.target:
            targets = self.opponents(player) if ability.target == OPPONENT else self.others(player)
            near = [name for name in targets if self.reaches(player, self.at(name), ability.reach)]
            targets = (near or targets) + ([player] if ability.target == CHARACTER else [])
            if not targets:
                return None
            action["target"] = rng.choice(targets)
        own = getattr(self, "suggest_" + ability.slug, None)
        if own is not None:
            extra = own(player, rng)
            return None if extra is None else {**action, **extra}
        if "squares" in ability.needs:
            action["squares"] = rng.randint(1, 4)
        return action
