"""The rogue. Rule: DG-9"""

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.core import Core

ABILITIES: tuple[Ability, ...] = ()


class Rogues(Core):
    """What rogues do."""
