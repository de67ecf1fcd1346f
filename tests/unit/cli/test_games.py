"""`boardside games`: its lines and its exit status."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from companion.cli.games import app
from companion.cli.store import open_journal
from companion.journal import JournalError
from companion.session import Session


def run(*arguments: str, data_dir: Path) -> list[dict[str, Any]]:
    """The JSON lines of a command that has to succeed."""
    result = CliRunner().invoke(app, [*arguments, "--data-dir", str(data_dir)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal = open_journal(tmp_path)
    session = Session(journal, now=lambda: "2026-01-01T19:04:00.000+00:00")
    table = session.set_up({"players": [{"name": "Ann"}, {"name": "Bob"}]})
    for action in ({"roll": [1, 2]}, {"choose": "buy"}, {"roll": [1, 3]}):
        table.act(action)
    journal.close()
    return tmp_path


def test_games_are_listed(folder: Path) -> None:
    assert run("list", data_dir=folder) == [
        {
            "game": "20260101-190400",
            "variant": "classic",
            "edition": "classic",
            "players": ["Ann", "Bob"],
            "started": "2026-01-01T19:04:00.000+00:00",
            "turn": 2,
            "over": False,
            "winners": [],
        }
    ]


def test_a_game_goes_out_and_comes_in_with_the_same_state(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    run("export", "last", "--output", str(file), data_dir=folder)
    (line,) = run("import", str(file), data_dir=tmp_path / "other")
    assert line["game"] == "20260101-190400"
    assert run("replay", "last", data_dir=folder) == run("replay", line["game"], data_dir=tmp_path / "other")


def test_a_replay_tells_every_event(folder: Path) -> None:
    lines = run("replay", "20260101-190400", data_dir=folder)
    assert lines[0] == {"entry": 1, "turn": 1, "action": {"roll": [1, 2], "by": "Ann"}}
    assert [line["type"] for line in lines if "type" in line][:4] == ["rolled", "moved", "landed_on", "bought"]


def test_pictures_are_forgotten(folder: Path) -> None:
    journal = open_journal(folder)
    journal.append("20260101-190400", [], [("p1", b"jpeg")])
    journal.close()
    assert run("forget-pictures", "last", data_dir=folder) == [{"game": "20260101-190400", "pictures": 1}]


def test_a_game_that_is_not_there_is_told_in_a_sentence(folder: Path) -> None:
    with pytest.raises(JournalError) as caught:
        run("export", "never", data_dir=folder)
    assert caught.value.message == "There is no game never here."
