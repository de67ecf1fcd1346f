"""The scenario runner: what it accepts, and how it tells what differs."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from companion.cli import build_app
from companion.scenario import ScenarioError, load_file, matches, run_scenario

PLAYERS = {"players": ["Ann", "Bob"]}


def problem(*steps: Any, **fields: Any) -> str | None:
    return run_scenario({"scenario": "x", **PLAYERS, **fields, "steps": list(steps)}).problem


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (
            [{"roll": [1, 2]}, {"expect": {"players": {"Ann": {"at": "go"}}}}],
            "step 2.players.Ann.at: expected go, found baltic",
        ),
        ([{"roll": [1, 7]}], "wrong_dice"),
        ([{"roll": [1, 7]}, {"roll": [1, 2]}], "wrong_dice"),
        ([{"roll": [1, 7]}, {"expect": {"refused": "malformed"}}], "step 2.refused: expected malformed"),
        ([{"expect": {"refused": "malformed"}}], "no refusal"),
        ([{"expect": {"weather": "fine"}}], "weather"),
        ([{"expect": {"pending": []}}], "pending"),
        ([{"expect": {"no_pending": [{"kind": "roll"}]}}], "no_pending"),
        ([{"expect": {"turn": {"number": True}}}], "turn.number"),
        ([{"roll": [1, 2]}, {"expect": {"events": [{"type": "landed_on"}, {"type": "moved"}]}}], "events[1]"),
        ([{"roll": [1, 2]}, {"expect": {"no_events": [{"type": "moved"}]}}], "no_events"),
        ([{"see": {"tower": [1, 2]}}], "nobody to judge"),
    ],
)
def test_what_differs_is_told_with_its_path(steps: list[Any], told: str) -> None:
    assert told in (problem(*steps) or "")


def test_options_and_winners_match_as_sets_and_other_lists_exactly() -> None:
    assert matches({"options": ["b", "a"]}, {"options": ["a", "b"], "kind": "x"})
    assert not matches({"options": ["a"]}, {"options": ["a", "b"]})
    assert not matches({"cards": ["b", "a"]}, {"cards": ["a", "b"]})
    assert matches({"events": [{"a": 1}]}, {"events": [{"b": 2}, {"a": 1, "c": 3}]})
    assert not matches({"events": []}, {"events": [{"b": 2}]})
    assert not matches({"cash": 1}, {"cash": True})


def test_a_refused_set_up_can_be_expected() -> None:
    assert problem({"expect": {"refused": "malformed"}}, options={"color": "red"}) is None
    assert "malformed" in (problem({"roll": [1, 2]}, options={"color": "red"}) or "")


@pytest.mark.parametrize(
    "text", ["scenario: [", "steps: []", "scenario: x\nstep: []", "scenario: x\nsteps: [roll]", "- 1"]
)
def test_a_file_that_is_no_scenario_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    with pytest.raises(ScenarioError):
        load_file(path)
    with pytest.raises(ScenarioError):
        load_file(tmp_path / "absent.yaml")


def test_yaml_words_are_words(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("scenario: on\nplayers: [no, yes]\nsteps:\n  - expect: {turn: {player: no}}\n")
    assert run_scenario(load_file(path)[0]).line == "ok on"


def test_the_command_prints_a_line_each_and_fails_with_1(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(
        "scenario: right\nplayers: [A, B]\n---\nscenario: wrong\nplayers: [A, B]\nsteps: [{expect: {pot: 1}}]\n"
    )
    result = CliRunner().invoke(build_app("scenario"), ["scenario", str(path)])
    assert result.output.splitlines() == ["ok right", "FAIL wrong: step 1.pot: expected 1, found 0"]
    assert result.exit_code == 1
