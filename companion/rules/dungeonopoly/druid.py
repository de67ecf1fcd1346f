"""The druid. Rule: DG-11"""

from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.core import Core

ABILITIES: tuple[Ability, ...] = ()


class Druids(Core):
    """What druids do."""
