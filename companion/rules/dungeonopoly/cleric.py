"""The cleric. Rule: DG-8"""

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.core import Core

ABILITIES: tuple[Ability, ...] = ()


class Clerics(Core):
    """What clerics do."""
