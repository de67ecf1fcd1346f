"""The warlock. Rule: DG-12"""

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.core import Core

ABILITIES: tuple[Ability, ...] = ()


class Warlocks(Core):
    """What warlocks do."""
