"""Games as files: out and in again, and run as scenarios."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from companion.archive import ArchiveError, export_text, import_text
from companion.bots import Bots
from companion.journal import Journal
from companion.scenario import run_file
from companion.table import Table
from tests.unit.table.tables import new_table, play


def played(turns: int = 150, **record: object) -> Table:
    table, bots = new_table(("Ann", "Bob", "Cat"), **record), Bots(5)
    for _ in range(turns):
        action = bots.next_action(table.game())
        assert action is not None
        table.act(action)
    return table


def test_an_imported_game_stands_as_the_exported_one(tmp_path: Path) -> None:
    table = played(options={"rent": "demand"}, first="Bob", given={"players": {"Cat": {"cash": 1234}}})
    text = export_text(table._journal, "g1")
    elsewhere = Journal.in_memory()
    record = import_text(elsewhere, text)
    there = Table(elsewhere, record.id)
    assert there.view()["snapshot"] == table.view()["snapshot"]
    assert there.actions() == table.actions()
    assert [each["text"] for each in there.view()["log"]] == [each["text"] for each in table.view()["log"]]
    assert there.record.faces == table.record.faces
    assert export_text(elsewhere, record.id) == text


def test_an_exported_game_is_a_scenario_that_passes(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(export_text(played()._journal, "g1"), encoding="utf-8")
    assert [outcome.problem for outcome in run_file(path)] == [None]


def test_what_was_taken_back_is_a_comment_and_what_no_longer_fits_comes_along() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, {"choose": "buy"}, {"roll": [1, 3]}, {"roll": [1, 1]})
    table.undo()
    table.amend(1, {"roll": [2, 2]})
    text = export_text(table._journal, "g1")
    assert "# taken back: Ann throws 1 and 1." in text
    assert "# no longer fits: Ann buys Baltic." in text
    elsewhere = Journal.in_memory()
    there = Table(elsewhere, import_text(elsewhere, text).id)
    assert [each["status"] for each in there.view()["log"]] == ["done", "no_longer_fits", "no_longer_fits"]
    assert there.view()["snapshot"] == table.view()["snapshot"]


def test_a_name_that_is_taken_gets_a_number() -> None:
    table = played(5)
    text = export_text(table._journal, "g1")
    assert import_text(table._journal, text).id == "g1-2"
    assert import_text(table._journal, text).id == "g1-3"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "a: [", "no YAML"),
        (lambda text: "scenario: other\nsteps: []\n", "no game that Boardside exported"),
        (lambda text: text.replace("format: 1", "format: 9"), "format 9"),
        (lambda text: text.replace("{roll: [", "{roll: [7, ", 1), "cannot be played"),
        (lambda text: text.replace("cash: ", "cash: 9"), "does not lead where it says"),
        (lambda text: text.replace("variant: classic", "variant: 7"), "does not describe a game"),
    ],
)
def test_a_file_that_is_damaged_is_refused_and_leaves_nothing(change: object, said: str) -> None:
    text = export_text(played(20)._journal, "g1")
    journal = Journal.in_memory()
    with pytest.raises(ArchiveError) as caught:
        import_text(journal, change(text), "game.yaml")  # type: ignore[operator]
    assert said in caught.value.message
    assert journal.games() == []


def test_plain_words_stay_words() -> None:
    table = new_table(("On", "No"))
    play(table, {"roll": [1, 3]})
    document = YAML(typ="safe", pure=True).load(export_text(table._journal, "g1"))
    assert document["players"] == ["On", "No"]
