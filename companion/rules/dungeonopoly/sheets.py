"""What the rules in play tell of a class: each of its abilities in a line, as it is declared."""

from typing import Any

from companion.rules.dungeonopoly.abilities import BOARD, HERE, LIMITED, SIGHT, Ability
from companion.rules.dungeonopoly.experience import CHOICES
from companion.rules.dungeonopoly.rules import CATALOGUE
from companion.rules.dungeonopoly.seats import TRIGGERS, WHEN
from companion.rules.dungeonopoly.state import ADDITIONAL_CLASSES

REACHES = {HERE: "on the same space", LIMITED: "within limited range", SIGHT: "in sight", BOARD: "anywhere"}
LIMITS = {
    "turn": "once a turn",
    "target": "once a turn for each target",
    "walk": "once for each in a walk",
    "roll": "once for each throw",
}


def sheet(owner: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    """The abilities of a class by level: `name`, `note` (when, on whom, how often), `text`, `clause`.

    None for a class that these options leave out.
    """
    if owner in ADDITIONAL_CLASSES and not options["additional_classes"]:
        return []
    own = [ability for ability in CATALOGUE.values() if ability.owner == owner]
    return [
        {"name": ability.name, "note": note(ability), "text": ability.text, "clause": ability.clause}
        for ability in sorted(own, key=lambda ability: ability.level)
    ]


def note(ability: Ability) -> str:
    """`Level 3 ability, before or after moving, on an opponent in sight, once a turn, by the twenty-sided die.`"""
    parts = [f"{_level(ability)} {_kind(ability)}", WHEN[ability.timing]]
    if ability.trigger:
        parts[1:] = [*parts[1:] * ability.is_usable, TRIGGERS[ability.trigger]]
    if ability.target and ability.is_usable:
        who = {"opponent": "an opponent", "other": "somebody else", "character": "anybody"}[ability.target]
        parts.append(f"on {who} {REACHES[ability.reach]}")
    elif ability.reach != BOARD:
        parts.append(REACHES[ability.reach])
    if ability.cost:
        parts.append(f"costs ${ability.cost}")
    if ability.is_single:
        parts.append("once until GO")
    if ability.limit:
        parts.append(LIMITS[ability.limit])
    if ability.check:
        parts.append("by the twenty-sided die")
    return ", ".join(parts) + "."


def _level(ability: Ability) -> str:
    """The level that brings it, or those at which it can be chosen."""
    levels = CHOICES.get(ability.owner, {}).get(ability.choice, (ability.level,))
    *most, last = [str(level) for level in dict.fromkeys(levels)]
    return f"Level {', '.join(most)} or {last}" if most else f"Level {last}"


def _kind(ability: Ability) -> str:
    kind = "trait" if ability.kind == "automatic" else ability.kind
    if ability.pact:
        return f"{kind} of the {ability.pact} pact"
    return {"melody": "melody", "primal": "primal spell", "form": "form", "blast": "enhancement of the blast"}.get(
        ability.choice, kind
    )
