"""The bard. Rule: DG-10"""

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.core import Core

ABILITIES: tuple[Ability, ...] = ()


class Bards(Core):
    """What bards do."""
