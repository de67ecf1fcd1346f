"""What players read of the rules: every line names its clause and speaks to people, and options change the text."""

import re

import pytest

from companion.rules import catalog
from companion.rules.board import editions
from companion.rules.registry import VARIANTS, rules_of
from companion.rules_page import bases_of, in_play, rules_in_play

TOLD = [variant for variant in VARIANTS if in_play(variant)]
#: Words of the program, or of its documents, that nobody at the table should meet.
PROGRAM = re.compile(r"[`_{}]|\b(?:pending|phase|malformed|engine|decision|event|status|refused|laps)\b")


def lines(variant: str, options: dict | None = None, edition: str | None = None) -> list[dict]:
    rules = rules_in_play(variant, edition, options or {})
    return [line for section in rules["sections"] for line in section["lines"]]


@pytest.mark.parametrize("variant", TOLD)
def test_every_line_tells_a_clause_that_exists_and_depends_on_options_that_exist(variant: str) -> None:
    offered = {option["name"]: option for each in (variant, *bases_of(variant)) for option in catalog.options(each)}
    for section in in_play(variant)["section"]:
        for line in section["lines"]:
            assert catalog.clause(line["clause"]), line
            assert set(line) <= {"clause", "text", "when", "unless"}, line
            for name, values in {**line.get("when", {}), **line.get("unless", {})}.items():
                known = list(editions()) if name == "edition" else [*offered[name]["values"], []]
                assert all(value in known for value in values), line
    for clause in in_play(variant).get("without", ()):
        assert catalog.clause(clause), clause


@pytest.mark.parametrize("variant", TOLD)
@pytest.mark.parametrize("edition", editions())
def test_the_rules_speak_to_players(variant: str, edition: str) -> None:
    for line in lines(variant, edition=edition):
        assert not PROGRAM.search(line["text"]), line
        first = line["text"].split()[0]
        assert first[0].isupper() or first[0] in "$5" or first in ("or", "and", "but")
        assert line["text"][-1] in ".;,", line


@pytest.mark.parametrize("variant", TOLD)
def test_every_option_that_is_chosen_changes_what_is_read(variant: str) -> None:
    usual = rules_in_play(variant, None, {})
    for option in catalog.options(variant):
        value = next(value for value in option["values"] if value != option["default"])
        chosen = {option["name"]: [value] if isinstance(option["default"], list) else value}
        rules = rules_in_play(variant, None, chosen)
        assert [each["is_default"] for each in rules["options"]] != [each["is_default"] for each in usual["options"]]
        assert rules["sections"] != usual["sections"], option["name"]


@pytest.mark.parametrize("variant", TOLD)
def test_each_chapter_of_a_rules_document_is_told(variant: str) -> None:
    chapters = {clause.partition(".")[0] for clause in catalog.clauses(variant)}
    told = set()
    for options in [{}, *({option.name: value} for option in rules_of(variant).options for value in option.values)]:
        if not any(isinstance(each.default, list) and each.name in options for each in rules_of(variant).options):
            told |= {line["clause"].partition(".")[0] for line in lines(variant, options)}
    # Editions only change names; what zombies and the last stage are stands in the rules beneath.
    silent = {"classic": {"CL-16"}, "watch": {"WA-6"}, "monopocalypse": {"MA-2", "MA-4", "MA-7"}}
    assert chapters - told == silent.get(variant, set())


def test_what_a_variant_takes_back_is_not_told() -> None:
    clauses = {line["clause"] for line in lines("monopozombie")}
    assert "CL-9.3" not in clauses
    assert {"CL-9.6", "MZ-2.1"} <= clauses
    assert "MZ-6.6" not in {line["clause"] for line in lines("monopocalypse")}


def test_a_variant_without_words_of_its_own_is_told_from_its_clauses() -> None:
    silent = [variant for variant in VARIANTS if not in_play(variant)]
    for variant in silent:
        prefix = next(iter(catalog.clauses(variant))).partition("-")[0]
        assert sum(line["clause"].startswith(prefix) for line in lines(variant)) > 3


def test_each_class_has_a_sheet_with_every_ability_and_those_that_are_played_come_first() -> None:
    players = {"Ann": {"class": "warlock"}, "Bob": {"class": "bard", "second_class": "warlock"}}
    rules = rules_in_play("dungeonopoly", None, {}, players)
    sheets = [section for section in rules["sections"] if section["is_sheet"]]
    titles = [sheet["title"] for sheet in sheets]
    assert titles == ["Bard: Bob", "Warlock: Ann and Bob", "Fighter", "Wizard", "Cleric", "Rogue", "Druid"]
    told = {line["name"]: line for sheet in sheets for line in sheet["lines"] if "name" in line}
    for ability in rules_of("dungeonopoly").catalogue.values():
        line = told.pop(ability.name)
        assert (line["text"], line["clause"]) == (ability.text, ability.clause)
        assert f"{ability.level}" in line["note"]
        assert (f"${ability.cost}" in line["note"]) == bool(ability.cost)
        assert ("once until GO" in line["note"]) == ability.is_single
    assert not told


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Hex", "Level 1 ability, before or after moving, on an opponent within limited range, once a turn."),
        ("Intimidate", "Level 4 ability, when she owes rent, by the twenty-sided die."),
        ("Combat Reflexes", "Level 5 ability, when she passes an opponent, once for each in a walk."),
        ("Hallow", "Level 1, 4 or 7 primal spell, before or after moving, once until GO."),
        ("Misty Escape", "Level 3 spell of the fey pact, when she has taken damage, once until GO."),
        ("Wrath of God", "Level 10 spell, before or after moving, costs $300, once until GO."),
        ("Veteran", "Level 9 trait, by itself."),
    ],
)
def test_a_sheet_says_when_on_whom_and_how_often(name: str, note: str) -> None:
    assert [line["note"] for line in lines("dungeonopoly") if line.get("name") == name] == [note]


def test_classes_that_are_left_out_have_no_sheet_and_teams_are_told_only_where_they_play() -> None:
    titles = [section["title"] for section in rules_in_play("dungeonopoly", None, {})["sections"]]
    assert "Druid" in titles
    assert "Teams" not in titles
    teams = {"additional_classes": False, "teams": {"red": ["Ann"], "blue": ["Bob"]}}
    titles = [section["title"] for section in rules_in_play("dungeonopoly", None, teams)["sections"]]
    assert {"Teams", "Rogue"} <= set(titles)
    assert not {"Bard", "Druid", "Warlock"} & set(titles)
    [told] = [option for option in rules_in_play("dungeonopoly", None, teams)["options"] if option["name"] == "Teams"]
    assert told["setting"] == "red: Ann; blue: Bob"
    assert not told["is_default"]
