"""The rules in play: what players read at the table, written from the rules documents and the options in force."""

import re
from importlib import resources
from typing import Any

from companion.rules import catalog
from companion.rules.board import editions, space_names
from companion.rules.registry import rules_of

#: Whose clauses hold under each variant's own, nearest first.
BASES = {
    "classic": (),
    "watch": ("classic",),
    "monopozombie": ("classic",),
    "monopocalypse": ("monopozombie", "classic"),
    "slaughterhouse": ("classic",),
    "dungeonopoly": ("classic",),
}
_NUMBER = re.compile(r"(?:([A-Z]{2})-)?(\d+(?:\.\d+)?)( to )?")
_CODE = re.compile(r"`([^`]*)`")
_ASIDE = re.compile(r"\s*\([^()]*`[^()]*\)|\s*\([A-Z]{2}-[^()]*\)|\s*\*\*\(R\)\*\*")
#: A refusal at the end of a sentence, and the fields of an event.
_REFUSAL = re.compile(r": `[a-z_]+`(?=[.;]|$)")
_FIELDS = re.compile(r"\s*\{[^{}]*\}")
_PROGRAM = re.compile(r"\b(?:pending|phase|malformed|engine|purpose|refused|snapshot|journal)\b|[{}\[\]]")


def rules_in_play(variant: str, edition: str, options: dict[str, Any]) -> dict[str, Any]:
    """`title`, `sections` and `options` of the rules that a game is played by.

    Args:
        edition: gives the spaces their names.
        options: those in force; what is missing has its default.
    Returns:
        `sections` of `title` and `lines`; a line has `text`, `clause`, the `options` that it depends on and whether
        a clause further up changes it (`changed`).
        `options` of `name`, `setting`, `help`, `clause`, `is_default`.
    """
    known = catalog.options(variant)
    in_force = {option["name"]: options.get(option["name"], option["default"]) for option in known}
    names = space_names(edition)
    sections: dict[str, list[dict[str, Any]]] = {}
    changed: set[str] = set()
    for document in (variant, *BASES[variant]):
        held = _held(variant) if document != variant else None
        for number, clause in catalog.clauses(document).items():
            section = number.rpartition(".")[0] or number
            if (held is not None and number not in held) or _is_off(section, known, in_force):
                continue
            if text := _plain(clause["text"], names):
                line = {
                    "text": text,
                    "clause": number,
                    "options": [name for name in in_force if f"`{name}" in clause["text"]],
                    "changed": number in changed or section in changed,
                }
                sections.setdefault(_heading(clause["section"], document, variant), []).append(line)
        changed |= _overridden(document)
    return {
        "title": f"{rules_of(variant).title}, {editions()[edition].title} edition",
        "sections": [{"title": title, "lines": lines} for title, lines in sections.items()],
        "options": [
            {
                "name": option["name"].replace("_", " "),
                "setting": _setting(in_force[option["name"]]),
                "help": option["help"],
                "clause": option["clause"],
                "is_default": in_force[option["name"]] == option["default"],
            }
            for option in known
        ],
    }


def _is_off(section: str, known: list[dict[str, Any]], in_force: dict[str, Any]) -> bool:
    """Whether a whole section belongs to an option that is not played."""
    options = [*catalog.options("classic"), *known]
    return any(option["clause"] == section and in_force.get(option["name"], False) is False for option in options)


def _heading(section: str, document: str, variant: str) -> str:
    title = re.sub(r"^[A-Z]{2}-\d+\s*|\s*\([A-Z]{2}\)$", "", section)
    return title if document == variant else f"As in {rules_of(document).title}: {title}"


def _introduction(document: str) -> str:
    text = resources.files("companion.rules").joinpath("documents", f"{document}.md").read_text(encoding="utf-8")
    return " ".join(text.split("\n* **", 1)[0].split())


def _overridden(document: str) -> set[str]:
    """The clauses, and whole sections, that a document says it overrides."""
    found = re.search(r"Overridden: (.*?)\. Vocabulary", _introduction(document))
    return _numbers(re.sub(r"\([^()]*\)", "", found[1])) if found else set()


def _held(variant: str) -> set[str] | None:
    """The only clauses of its base that a document lets hold; None where all do."""
    found = re.search(r": ([^:]*) hold; everything", _introduction(variant))
    return _numbers(found[1]) if found else None


def _numbers(text: str) -> set[str]:
    """`CL-2.1 and 2.2, CL-9.3 to 9.5` -> all five, each with its letters."""
    numbers: set[str] = set()
    letters, first = "", None
    for match in _NUMBER.finditer(text):
        letters = match[1] or letters
        number = match[2]
        if first is not None:
            chapter, least = first.split(".")
            numbers |= {f"{letters}-{chapter}.{n}" for n in range(int(least), int(number.split(".")[-1]))}
        numbers.add(f"{letters}-{number}")
        first = number if match[3] and "." in number else None
    return numbers


def _plain(text: str, names: dict[str, str]) -> str:
    """The sentences of a clause that speak to players, without the program's words; empty if there are none."""
    clean = _REFUSAL.sub("", _FIELDS.sub("", _ASIDE.sub("", text)))
    sentences = re.split(r"(?<=[.;]) (?=[A-Z`*])", clean)
    told = [_CODE.sub(lambda code: _word(code[1], names), part) for part in sentences if not _PROGRAM.search(part)]
    shown = re.sub(r"\*+", "", " ".join(told)).strip().rstrip(";")
    return shown[:1].upper() + shown[1:]


def _word(code: str, names: dict[str, str]) -> str:
    return names.get(code, code.replace("_", " ").replace(": true", ": on").replace(": false", ": off"))


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).replace("_", " ")
