"""Characters and abilities that a bot or a random game could choose: from the declarations, not checked."""

from typing import Any

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import CHARACTER, OPPONENT, Ability
from companion.rules.dungeonopoly.core import Core
from companion.rules.dungeonopoly.state import CLASSES

Action = dict[str, Any]


class Proposals(Core):
    """What could be done now."""

    @classmethod
    def suggest_players(cls, names: list[str], rng: Chance) -> dict[str, dict[str, Any]]:
        """A class for each."""
        return {name: {"class": rng.choice(CLASSES)} for name in names}

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
