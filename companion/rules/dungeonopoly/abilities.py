"""What an ability is: one declaration, from which the engine, the page and the rules page all read.

A class module lists its own in `ABILITIES`. What it does is the method `effect_SLUG(use)` of the module's rules
class; beside it may stand `objections_SLUG(use)` (why it cannot be used so), `offers_SLUG(player, facts)` (whether a
reaction is asked for) and `missed_SLUG(use)` (what a failed roll brings).
"""

from typing import Any

import msgspec

# When it is used. Rule: DG-2.11
TURN = "turn"  # before or after moving
MOVE = "move"  # before a movement roll, or instead of it
REACT = "react"  # in answer to an event, by `react`
ITSELF = "itself"  # it happens by itself, or is always there

# On whom. Rule: DG-2.10
OPPONENT = "opponent"
OTHER = "other"
CHARACTER = "character"

# How far. Rule: DG-2.3, DG-2.5
HERE = "here"
LIMITED = "limited"
SIGHT = "sight"
BOARD = "board"


class Ability(msgspec.Struct, frozen=True, kw_only=True):
    """One ability, spell, skill or trait.

    Attributes:
        owner: the class whose it is.
        level: the level that brings it (of a chosen one: the first level at which it can be chosen).
        kind: `spell`, `ability`, `skill` or `automatic`.
        timing: TURN, MOVE, REACT (also TURN and `trigger`, for a spell that is both) or ITSELF.
        target: whom the argument `target` names: OPPONENT, OTHER (than herself), CHARACTER; "" for none.
        reach: how far away the target may be.
        needs, takes: other arguments, those that must be given and those that may (`target` among them: if it may
            be left out).
        cost: dollars to the Bank. Rule: DG-3.6
        single: spent until GO; every spell is. Rule: DG-2.1
        limit: `turn` or `target`: once a turn, or once for each target in a turn; `walk`: for each in one walk;
            `roll`: once for each movement roll.
        marks: the slug that stands in `used` for it, if not its own.
        damages, enchants, mental: what it does to its target: damage, an enchantment effect, a mental effect.
        choice: what kind of `learn` brings it: melody, primal, form, blast, jack or book; "" if the level does.
        pact: the warlock's pact that it needs.
        trigger: the event that asks for it as a reaction. Rule: DG-2.20
        part_of: the ability that it comes with; it is never chosen by itself.
        check: the purpose of the d20 that decides whether it succeeds.
        text: what it does, in a sentence for the page.
    """

    slug: str
    name: str
    owner: str
    level: int
    clause: str
    text: str
    kind: str = "ability"
    timing: str = TURN
    target: str = ""
    reach: str = BOARD
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    cost: int = 0
    single: bool = False
    limit: str = ""
    marks: str = ""
    damages: bool = False
    enchants: bool = False
    mental: bool = False
    choice: str = ""
    pact: str = ""
    trigger: str = ""
    check: str = ""
    part_of: str = ""

    @property
    def is_spell(self) -> bool:
        return self.kind == "spell"

    @property
    def is_single(self) -> bool:
        return self.single or self.is_spell

    @property
    def mark(self) -> str:
        return self.marks or self.slug

    @property
    def is_usable(self) -> bool:
        """Whether `use:` can name it, rather than an event or nothing."""
        return self.timing in (TURN, MOVE)

    @property
    def arguments(self) -> tuple[str, ...]:
        """All that `use:` may say besides the ability."""
        named = ("target",) if self.target and "target" not in self.takes else ()
        return (*named, *self.needs, *self.takes)


class Use(msgspec.Struct, frozen=True, gc=False):
    """One use of an ability: what its effect knows.

    Attributes:
        player: whose effect it is: her level, position and range count.
        args: the arguments, checked; for a reaction the facts of the event (`trigger` left out).
        through: how she came to it: "" by `use:`, `react`, or the ability that lent it (`wish`,
            `crown_of_madness`).
        met: wards against it have been met already: its damage meets them no more. Rule: DG-5.4
    """

    player: str
    ability: str
    args: dict[str, Any] = {}
    through: str = ""
    met: bool = False

    @property
    def target(self) -> str:
        """The target's name, the user's own where none is named."""
        return str(self.args.get("target", self.player))
