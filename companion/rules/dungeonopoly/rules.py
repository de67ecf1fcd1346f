"""Dungeonopoly: its options, and the classes put together. Rule: DG-1.10, DG-13"""

from typing import ClassVar

from companion.rules.classic import Classic
from companion.rules.dungeonopoly import bard, cleric, druid, fighter, rogue, warlock, wizard
from companion.rules.dungeonopoly.abilities import Ability
from companion.rules.dungeonopoly.bard import Bards
from companion.rules.dungeonopoly.cleric import Clerics
from companion.rules.dungeonopoly.druid import Druids
from companion.rules.dungeonopoly.events import DUNGEON_EVENTS
from companion.rules.dungeonopoly.fighter import Fighters
from companion.rules.dungeonopoly.rogue import Rogues
from companion.rules.dungeonopoly.state import CLASSES, DungeonState, Hero, Square
from companion.rules.dungeonopoly.suggestions import Proposals
from companion.rules.dungeonopoly.warlock import Warlocks
from companion.rules.dungeonopoly.wizard import Wizards
from companion.rules.options import Option
from companion.rules.state import Player, Space, State

#: Every ability of every class, in the order of the rules document.
CATALOGUE: dict[str, Ability] = {
    ability.slug: ability
    for module in (fighter, wizard, cleric, rogue, bard, druid, warlock)
    for ability in module.ABILITIES
}


#: Names for teams, as many as eight players could make up; a table may think of others.
TEAMS = ("Red", "Blue", "Green", "Gold")
#: The speed game of the classic rules is none of this variant's alternatives.
SPEED_GAME = ("short_game", "deal_deeds")


class Dungeonopoly(Fighters, Wizards, Clerics, Rogues, Bards, Druids, Warlocks, Proposals):
    """Curtis and Kelsey Rueden's variation."""

    name: ClassVar[str] = "dungeonopoly"
    title: ClassVar[str] = "Dungeonopoly"
    default_edition: ClassVar[str] = "vintage"
    options: ClassVar[tuple[Option, ...]] = (
        *(each for each in Classic.options if each.name not in SPEED_GAME),
        Option("additional_classes", (True, False), True, "Bards, druids and warlocks may be chosen.", "DG-1.10"),
        Option("politics", ("open", "strict"), "open", "Rent must be paid, and deals balance.", "DG-13.1"),
        Option("quicker", (False, True), False, "Levels come twice as fast, fees double, gains halve.", "DG-13.7"),
        Option("blitz", (False, True), False, "Properties are chosen first; everybody has level 10.", "DG-13.10"),
        Option("gestalt", (False, True), False, "Every character has two classes.", "DG-13.12"),
    )
    choices: ClassVar[tuple[Option, ...]] = (
        Option("class", CLASSES, CLASSES[0], "What the character can do, for the whole game.", "DG-1.10"),
        Option("second_class", CLASSES, CLASSES[1], "The other half of the character.", "DG-13.12", needs="gestalt"),
        Option("team", TEAMS, None, "Team mates share their cash and their property.", "DG-13.3", gathers="teams"),
    )
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {
        **{word: taken for word, taken in Classic.abilities.items() if word not in ("building_auction", "deal")},
        **{slug: ability.arguments for slug, ability in CATALOGUE.items() if ability.is_usable},
        "train": ("skill", "ranks"),
        "standing_decline": ("ability", "value"),
    }
    catalogue: ClassVar[dict[str, Ability]] = CATALOGUE
    has_reactions: ClassVar[bool] = True
    event_types = DUNGEON_EVENTS
    state_type: ClassVar[type[State]] = DungeonState
    player_type: ClassVar[type[Player]] = Hero
    space_type: ClassVar[type[Space]] = Square
