"""The rules in play: what players read at the table, by the options in force.

Each variant tells its rules in `companion/rules/VARIANT/in_play.toml` (the classic game's says how). A variant that has
none yet is told from the clauses of its rules document. What it declares (the abilities of a class) it tells by itself,
a sheet for each that can be chosen, and before the others those that players have chosen.
"""

import functools
import re
import tomllib
from importlib import resources
from typing import Any

from companion.rules import catalog
from companion.rules.board import editions, space_names
from companion.rules.options import Option
from companion.rules.registry import rules_of
from companion.words.names import listed, own_words

#: Whose rules hold under a variant's own, nearest first, where it is not those of the classic game alone.
BASES: dict[str, tuple[str, ...]] = {"classic": (), "watch": (), "monopocalypse": ("monopozombie", "classic")}
#: Settings of options that are lists, as people say them.
WORDS = {"go": "GO", "cards": "card spaces", "just-visiting": "Just Visiting", "stations": "railroads"}
_NUMBER = re.compile(r"(?:([A-Z]{2})-)?(\d+(?:\.\d+)?)( to )?")
_CODE = re.compile(r"`([^`]*)`")
_ASIDE = re.compile(r"\s*\([^()]*`[^()]*\)|\s*\([A-Z]{2}-[^()]*\)|\s*\*\*\(R\)\*\*")
#: A refusal at the end of a sentence, and the fields of an event.
_REFUSAL = re.compile(r": `[a-z_]+`(?=[.;]|$)")
_FIELDS = re.compile(r"\s*\{[^{}]*\}")
_PROGRAM = re.compile(r"\b(?:pending|phase|malformed|engine|purpose|refused|snapshot|journal)\b|[{}\[\]]")

Told = dict[str, Any]
#: Per player what was chosen at set-up.
Chosen = dict[str, Told]


def rules_in_play(
    variant: str, edition: str | None, options: dict[str, Any], chosen: Chosen | None = None
) -> dict[str, Any]:
    """`title`, `sections` and `options` of the rules that a game is played by.

    Args:
        edition: gives the spaces their names and the taxes their amounts; None: the variant's usual one.
        options: those in force; what is missing has its default.
        chosen: whose sheets come first, with their names: per player her fields (`class`).
    Returns:
        `sections` of `title`, `is_sheet` and `lines`; a line has `text`, `clause`, and the `options` that it depends
        on; that of something with a name of its own also `name` and `note` (when, on whom, how often).
        `options` of `name`, `setting`, `help`, `clause`, `is_default`.
    Raises:
        Refused: `malformed` for an unknown variant or option.
    """
    rules = rules_of(variant)
    usual = {option["name"]: option["default"] for base in bases_of(variant) for option in catalog.options(base)}
    in_force = {**usual, **rules.fill_options(options)}
    printed = edition or rules.default_edition
    return {
        "title": f"{rules.title}, {editions()[printed].title} edition",
        "sections": _sections(variant, printed, in_force, chosen or {}),
        "options": [
            *(_setting_of(variant, option, in_force[option["name"]]) for option in catalog.options(variant)),
            *(_groups_of(choice, groups) for choice in rules.choices if (groups := in_force.get(choice.gathers))),
        ],
    }


def described(variant: dict[str, Any]) -> dict[str, Any]:
    """A variant of the catalog with what players call its options: each with a `title`, and `settings` in words."""
    options = []
    for option in variant["options"]:
        told = _told_option(variant["name"], option["name"])
        settings = {key: words for key, words in told.items() if key != "title"}
        options.append({**option, "title": told.get("title", _named(option["name"])), "settings": settings})
    return {**variant, "options": options}


def bases_of(variant: str) -> tuple[str, ...]:
    """Whose rules hold under a variant's own, nearest first."""
    return BASES.get(variant, ("classic",))


@functools.cache
def in_play(variant: str) -> Told | None:
    """What a variant says of itself to players; None where it says nothing yet."""
    source = resources.files(f"companion.rules.{variant}").joinpath("in_play.toml")
    return tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else None


def _sections(variant: str, edition: str, in_force: dict[str, Any], chosen: Chosen) -> list[dict[str, Any]]:
    """The variant's own sections, then those of its bases as far as they hold."""
    words = _words(edition, in_force)
    own = in_play(variant)
    without = _overridden(variant) if own is None else set(own.get("without", ()))
    sections = [] if own is not None else _from_document(variant, edition, in_force)
    for document in ((variant,) if own is not None else ()) + bases_of(variant):
        told = in_play(document) or {}
        for section in told.get("section", ()):
            if "sheet" in section or not in_force.get(section.get("needs"), "needs" not in section):
                continue
            lines = [_line(line, words) for line in section["lines"] if _holds(line, edition, in_force)]
            if document != variant:
                lines = [line for line in lines if not _is_among(line["clause"], without)]
            title = section["title"] if document == variant else f"From {told['called']}: {section['title']}"
            if lines:
                sections.append({"title": title, "is_sheet": False, "lines": lines})
        if document == variant:
            sections += _sheets(variant, words, in_force, chosen)
    return sections


def _sheets(variant: str, words: dict[str, str], in_force: dict[str, Any], chosen: Chosen) -> list[dict[str, Any]]:
    """A sheet for each class that can be chosen, those that are played first: `Fighter: Ann and Bob`."""
    own, sheets = own_words(variant), dict[bool, list[dict[str, Any]]]({True: [], False: []})
    for section in (in_play(variant) or {}).get("section", ()):
        slug = section.get("sheet")
        if slug is None:
            continue
        told = own.sheet(slug, in_force) if own else []
        players = [name for name, fields in chosen.items() if slug in (fields.get("class"), fields.get("second_class"))]
        title = f"{section['title']}: {listed(players)}" if players else section["title"]
        lines = [*(_line(line, words) for line in section["lines"]), *({**line, "options": []} for line in told)]
        if told:
            sheets[bool(players)].append({"title": title, "is_sheet": True, "lines": lines})
    return [*sheets[True], *sheets[False]]


def _holds(line: Told, edition: str, in_force: dict[str, Any]) -> bool:
    """Whether a line is played with these options."""
    setting = {**in_force, "edition": edition}
    when, unless = line.get("when", {}), line.get("unless", {})
    return all(setting.get(name) in values for name, values in when.items()) and not any(
        setting.get(name) in values for name, values in unless.items()
    )


def _line(line: Told, words: dict[str, str]) -> dict[str, Any]:
    named = [*line.get("when", {}), *line.get("unless", {})]
    options = [name for name in dict.fromkeys(named) if name != "edition"]
    return {"text": line["text"].format_map(words), "clause": line["clause"], "options": options}


def _is_among(clause: str, numbers: set[str]) -> bool:
    """Whether these clauses, or whole sections of them, name this one."""
    return clause in numbers or clause.rpartition(".")[0] in numbers


def _words(edition: str, in_force: dict[str, Any]) -> dict[str, str]:
    """What the lines may name: spaces, the edition's words and taxes, settings of options."""
    printed = editions()[edition]
    taxes = {"income_tax": str(printed.income_tax), "luxury_tax": str(printed.luxury_tax)}
    settings = {name: _setting(value) for name, value in in_force.items()}
    return {**space_names(edition), **printed.words, **taxes, **settings}


# -- options -----------------------------------------------------------------------------------------


def _setting_of(variant: str, option: dict[str, Any], value: Any) -> dict[str, Any]:
    name = option["name"]
    told = _told_option(variant, name)
    key = str(value).lower() if isinstance(value, bool) else str(value)
    return {
        "name": told.get("title", _named(name)),
        "setting": told.get(key, _setting(value)),
        "help": "" if key in told else option["help"],
        "clause": option["clause"],
        "is_default": value == option["default"],
    }


def _groups_of(choice: Option, groups: dict[str, list[str]]) -> dict[str, Any]:
    """Who plays with whom, where players have chosen it."""
    told = "; ".join(f"{group}: {listed(players)}" for group, players in groups.items())
    return {
        "name": _named(choice.gathers),
        "setting": told,
        "help": choice.help,
        "clause": choice.clause,
        "is_default": False,
    }


def _told_option(variant: str, name: str) -> Told:
    """What the variant, or the nearest of its bases, says of an option."""
    for document in (variant, *bases_of(variant)):
        option: Told | None = (in_play(document) or {}).get("options", {}).get(name)
        if option is not None:
            return option
    return {}


def _named(option: str) -> str:
    return option.replace("_", " ").capitalize()


def _setting(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return listed([WORDS.get(one, str(one)) for one in value]) or "none"
    return str(value).replace("_", " ")


# -- from the clauses of a document ------------------------------------------------------------------


def _from_document(variant: str, edition: str, in_force: dict[str, Any]) -> list[dict[str, Any]]:
    """A variant's own clauses, as far as they speak to players, under their headings."""
    names = space_names(edition)
    sections: dict[str, list[dict[str, Any]]] = {}
    for number, clause in catalog.clauses(variant).items():
        if text := _plain(clause["text"], names):
            options = [name for name in in_force if f"`{name}" in clause["text"]]
            title = re.sub(r"^[A-Z]{2}-\d+\s*|\s*\([A-Z]{2}\)$", "", clause["section"])
            sections.setdefault(title, []).append({"text": text, "clause": number, "options": options})
    return [{"title": title, "is_sheet": False, "lines": lines} for title, lines in sections.items()]


def _overridden(document: str) -> set[str]:
    """The clauses, and whole sections, that a document says it overrides."""
    text = resources.files("companion.rules").joinpath("documents", f"{document}.md").read_text(encoding="utf-8")
    found = re.search(r"Overridden: (.*?)\. Vocabulary", " ".join(text.split("\n* **", 1)[0].split()))
    return _numbers(re.sub(r"\([^()]*\)", "", found[1])) if found else set()


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
