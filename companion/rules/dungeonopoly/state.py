"""What a game of Dungeonopoly keeps besides the classic state. Vocabulary: rules document, *player field*."""

from typing import ClassVar

import msgspec

from companion.rules.state import Player, Space, State, Turn

CORE_CLASSES = ("fighter", "wizard", "cleric", "rogue")
ADDITIONAL_CLASSES = ("bard", "druid", "warlock")
CLASSES = (*CORE_CLASSES, *ADDITIONAL_CLASSES)
SKILLS = ("open_locks", "pick_pockets", "rob_bank", "sneak", "steal")
PACTS = ("infernal", "fey", "dark")
HIGHEST_LEVEL = 10


class Auras(msgspec.Struct, frozen=True, gc=False):
    """Enchantment effects on a character, each by the name of its maker. Rule: DG-2.6"""

    mage_armor: str | None = None
    slow: str | None = None
    invisibility: str | None = None
    shield_of_faith: str | None = None
    sanctuary: str | None = None
    hex: str | None = None
    glitterdust: str | None = None


class Wards(msgspec.Struct, frozen=True, gc=False):
    """What lies on a square, each by the name of its maker: enchantment effects, then primal qualities."""

    bless: str | None = None
    curse: str | None = None
    glyph: str | None = None
    entangle: str | None = None
    obscuring_mist: str | None = None
    hallow: str | None = None
    insect_plague: str | None = None
    wall_of_thorns: str | None = None
    antimagic_field: str | None = None


PRIMAL = Wards.__struct_fields__[3:]
NO_SKILLS = dict.fromkeys(SKILLS, 0)
NO_WARDS = Wards()


class Hero(Player, frozen=True, gc=False):
    """A player with a character.

    Attributes:
        second_class: of a gestalt character, else None.
        learned, used, charmed_by, standing_decline: in alphabetical order.
        hidden: whether she is hidden; always worked out. Rule: DG-2.9
        hidden_by: sneak, invisibility or misty_escape.
        paid_here: the rent of the present stay is paid.
        team: in team games.
    """

    class_: str = msgspec.field(default="fighter", name="class")
    second_class: str | None = None
    level: int = 1
    ep: int = 0
    learned: tuple[str, ...] = ()
    pact: str | None = None
    skills: dict[str, int] = msgspec.field(default_factory=NO_SKILLS.copy)
    skill_points: int = 0
    used: tuple[str, ...] = ()
    enchantments: Auras = Auras()
    charmed_by: tuple[str, ...] = ()
    barkskin: bool = False
    hidden: bool = False
    hidden_by: str | None = None
    form: str = "humanoid"
    paid_here: bool = False
    standing_decline: tuple[str, ...] = ()
    team: str | None = None

    def __post_init__(self) -> None:
        for name in ("learned", "used", "charmed_by", "standing_decline"):
            words = getattr(self, name)
            if len(words) > 1 and list(words) != sorted(set(words)):
                msgspec.structs.force_setattr(self, name, tuple(sorted(set(words))))

    @property
    def classes(self) -> tuple[str, ...]:
        return (self.class_,) if self.second_class is None else (self.class_, self.second_class)


class Square(Space, frozen=True, gc=False):
    """A space that may be enchanted."""

    enchantments: Wards = NO_WARDS


class DungeonTurn(Turn, frozen=True, gc=False):
    """What this turn has brought.

    Attributes:
        running: a fighter runs. Rule: DG-6.2
        sneaking: the movement roll that is due is one die, unseen. Rule: DG-9.11
        doubled: the next movement roll counts twice. Rule: DG-7.3
        unseen: Invisibility is in effect: no move counts. Rule: DG-7.10
        lucky: the next movement roll is of three dice, two are kept. Rule: DG-12.16
        suggested: who moves along with `leader`. Rule: DG-10.13
        moves: movement rolls, or what replaces them, so far.
        moved: a movement roll has moved the mover. Rule: DG-6.14
        stepped: an Abundant Step was taken. Rule: DG-6.14
        acted: an ability was used. Rule: DG-6.3
        jailed: the mover was sent to Jail in this turn. Rule: DG-3.4, DG-4.7
        uses: what has been used in this turn: `far_shot`, or `attack:Bob` where each target counts.
    """

    spell_cast: bool = False
    running: bool = False
    sneaking: bool = False
    doubled: bool = False
    unseen: bool = False
    lucky: bool = False
    suggested: tuple[str, ...] = ()
    leader: str | None = None
    moves: int = 0
    moved: bool = False
    stepped: bool = False
    acted: bool = False
    jailed: bool = False
    uses: tuple[str, ...] = ()


class Team(msgspec.Struct, frozen=True, gc=False):
    """Members who share their cash. Rule: DG-13.4"""

    members: tuple[str, ...]
    cash: int = 0


class DungeonState(State):
    """`teams`: by name; empty where everybody plays alone. Rule: DG-13.3"""

    turn: DungeonTurn
    players: dict[str, Hero]  # type: ignore[assignment]
    spaces: dict[str, Square]  # type: ignore[assignment]
    teams: dict[str, Team] = msgspec.field(default_factory=dict)

    internal: ClassVar[frozenset[str]] = State.internal
