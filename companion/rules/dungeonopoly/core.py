"""The rules that all classes share, in one class for the class modules to build on."""

from typing import Any

from companion.rules.dungeonopoly.alternatives import Alternatives
from companion.rules.dungeonopoly.state import DungeonTurn


class Core(Alternatives):
    """Set-up, and everything below it."""

    def set_up(self, settings: dict[str, Any]) -> None:
        """Rule: DG-1.10 to DG-1.13"""
        self.state.turn = DungeonTurn(self.state.turn.player)
        for name in self.order:
            self.create(name, settings.get(name) or {})
        super().set_up(settings)
