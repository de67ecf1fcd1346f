"""The same scenarios on the live table: journalled, and the same again when the table is taken up anew."""

from typing import Any

import pytest

from companion.journal import GameRecord, Journal
from companion.referee.witness import observation_from
from companion.rules import Refused
from companion.rules.registry import rules_of
from companion.scenario import SPECIAL, Mismatch, match, matches
from companion.table import Table
from tests.unit.referee.test_scenarios import scenarios


def begin(journal: Journal, document: dict[str, Any]) -> Table:
    players, variant = document["players"], document.get("variant", "classic")
    record = GameRecord(
        id="game",
        variant=variant,
        edition=document.get("edition") or rules_of(variant).default_edition,
        players=players if isinstance(players, dict) else {name: {} for name in players},
        options=document.get("options") or {},
        given=document.get("given"),
        first=document.get("first"),
        started="2000-01-01T00:00:00Z",
    )
    journal.add_game(record)
    return Table(journal, "game", now=lambda: "2000-01-01T00:00:00Z")


def questions(table: Table) -> list[dict[str, Any]]:
    return [question.as_json() for question in table._fold.referee.questions]


def check(table: Table, expected: dict[str, Any]) -> None:
    snapshot = table._fold.book.game.snapshot()
    for key, value in expected.items():
        if key not in SPECIAL:
            match(key, value, snapshot[key], key)
    if "asked" in expected:
        found = questions(table)
        asked = expected["asked"]
        if not found if asked is None else any(matches(asked, question) for question in found):
            return
        raise Mismatch("asked", asked, found)


@pytest.mark.parametrize("document", scenarios())
def test_scenario_on_the_live_table(document: dict[str, Any]) -> None:
    journal = Journal.in_memory()
    table = begin(journal, document)
    for step in document["steps"]:
        if "expect" in step:
            check(table, step["expect"])
        elif "see" in step:
            table.observe(observation_from(step["see"]))
        elif "answer" in step:
            table.answer(step["answer"]["about"], step["answer"]["option"])
        else:
            table.act(step)
    again = Table(journal, "game")
    assert again._fold.book.game.snapshot() == table._fold.book.game.snapshot()
    assert questions(again) == questions(table)
    journal.close()


def test_a_refused_action_leaves_the_table_as_it_was() -> None:
    journal = Journal.in_memory()
    table = begin(journal, {"players": ["Ann", "Bob"]})
    with pytest.raises(Refused):
        table.act({"roll": [1, 2], "by": "Bob"})
    assert questions(table) == []
    journal.close()
