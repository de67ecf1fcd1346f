"""What a page shows of the rules: the board, cards, variants, options and clauses, as plain JSON values."""

import functools
import re
from importlib import resources
from typing import Any

import msgspec

from companion.rules import board as data
from companion.rules.options import Option
from companion.rules.registry import VARIANTS, rules_of
from companion.rules.state import Bank, State, Turn

#: The rules document of each variant.
DOCUMENTS = ("classic", "watch", "monopozombie", "monopocalypse", "slaughterhouse", "dungeonopoly")
_CLAUSE = re.compile(r"^\* \*\*([A-Z]{2}-\d+(?:\.\d+)?)\*\*\s*(.*)$")


def spaces(edition: str = "classic") -> list[dict[str, Any]]:
    """The 40 spaces in order, with the names of this edition; what a space does not have is left out."""
    names = data.space_names(edition)
    rows: list[dict[str, Any]] = msgspec.to_builtins(data.board().spaces)
    for row in rows:
        row["name"] = names[row["space"]]
        row["rent"], row["times"] = list(row["rent"]), list(row["times"])
    return [{key: value for key, value in row.items() if value not in ("", 0, []) or key == "index"} for row in rows]


def groups() -> dict[str, list[str]]:
    """The properties of each group, in board order."""
    return {group: list(members) for group, members in data.board().groups.items()}


def decks(variant: str = "classic", edition: str = "classic") -> dict[str, list[dict[str, Any]]]:
    """Per deck its cards: `card`, `title`, `text` (one line) and `copies`."""
    rules = rules_of(variant)
    engine = rules(State(variant, edition, rules.fill_options(None), Turn(""), {}, {}, Bank()))
    return {
        deck: [{"card": c.card, "title": c.title, "text": c.text, "copies": c.copies} for c in cards.values()]
        for deck, cards in engine.decks.items()
    }


def editions() -> dict[str, dict[str, Any]]:
    """Per edition its `title`, the `words` for houses, hotels, decks and money, and its `tokens`."""
    return {
        name: {"title": edition.title, "words": dict(edition.words), "tokens": list(edition.tokens)}
        for name, edition in data.editions().items()
    }


def options(variant: str) -> list[dict[str, Any]]:
    """The options of a variant: `name`, `values`, `default`, `help`, `clause`."""
    return [_plain(option) for option in rules_of(variant).options]


def _plain(option: Option) -> dict[str, Any]:
    return {**msgspec.to_builtins(option), "values": list(option.values)}


def variants() -> list[dict[str, Any]]:
    """All variants: `name`, `title`, `default_edition`, `players` [least, most], `options`, `choices`, `figures`,
    `abilities`, `has_reactions`.
    """
    listed = []
    for name in VARIANTS:
        rules = rules_of(name)
        listed.append(
            {
                "name": name,
                "title": rules.title,
                "default_edition": rules.default_edition,
                "players": list(rules.player_range),
                "options": options(name),
                "choices": [_plain(option) for option in rules.choices],
                "figures": list(rules.figures),
                "has_reactions": rules.has_reactions,
                "abilities": {ability: list(args) for ability, args in rules.abilities.items()},
            }
        )
    return listed


@functools.cache
def clauses(document: str) -> dict[str, dict[str, str]]:
    """The clauses of a rules document: number -> `clause`, `section` (its heading) and `text`."""
    text = resources.files("companion.rules").joinpath("documents", f"{document}.md").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    section, current = "", None
    for line in text.splitlines():
        if line.startswith("#"):
            section, current = line.lstrip("# "), None
        elif match := _CLAUSE.match(line):
            current = {"clause": match[1], "section": section, "text": match[2]}
            found[match[1]] = current
        elif current is not None and line.startswith("  "):
            current["text"] += " " + line.strip()
        elif line and not line.startswith("  "):
            current = None
    return found


def clause(number: str) -> dict[str, str] | None:
    """One clause of any document by its number (`CL-5.3`); None if there is no such."""
    for document in DOCUMENTS:
        if found := clauses(document).get(number):
            return found
    return None
