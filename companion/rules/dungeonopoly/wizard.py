"""The wizard. Rule: DG-7"""

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.core import Core

ABILITIES: tuple[Ability, ...] = ()


class Wizards(Core):
    """What wizards do."""
