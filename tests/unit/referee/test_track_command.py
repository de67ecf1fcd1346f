"""`boardside track`: the command around the tracker."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from companion.cli import build_app, track
from companion.rules import BoardsideError
from tests.unit.referee.test_tracking import stop_motion
from vision.detections import TableReading


@dataclass
class Scripted:
    """Gives its readings one after the other."""

    readings: list[TableReading] = field(default_factory=list)

    def read(self, frame_bgr: Any) -> TableReading:
        return self.readings.pop(0)


def make_clip(folder: Path, files: list[str], **game: Any) -> Path:
    clip = folder / "clip"
    clip.mkdir()
    players = {"variant": "watch", "options": {"doubles_again": False}, "players": ["car", "hat", "boot"], **game}
    (clip / "players.json").write_text(json.dumps(players), encoding="utf-8")
    for file in files:
        cv2.imwrite(str(clip / f"{file}.jpg"), np.zeros((540, 960, 3), np.uint8))
    return folder


def test_a_line_is_printed_for_each_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = list(stop_motion(5, 4, 9.0))
    folder = make_clip(tmp_path, [file for file, _, _ in pictures] + ["empty", "enrol_car"])
    monkeypatch.setattr(track, "reader_for", lambda clip: Scripted([reading for _, reading, _ in pictures]))
    done = CliRunner().invoke(build_app("track"), ["track", str(folder)])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["turn"] for line in lines] == [0, 1, 2, 3]
    keys = ("turn", "mover", "dice", "from", "to", "to_in_jail", "asked", "evidence")
    assert all(tuple(line) == keys for line in lines)
    truth = [turn for _, _, turn in pictures if turn is not None]
    assert [(line["mover"], sorted(line["dice"]), line["to"]) for line in lines] == [
        (turn["mover"], turn["dice"], turn["to"]) for turn in truth
    ]
    assert lines[0]["evidence"]["token"] == "t000_3.jpg"


@pytest.mark.parametrize(
    ("files", "game", "sentence"),
    [
        ([], {}, "no pictures"),
        (["t000_0"], {"variant": "classic"}, "only the variant watch"),
        (["t000_0"], {"players": 3}, "does not describe a game"),
        (["t000_0"], {"players": ["car"]}, "players"),
        (["t000_0"], {}, "no picture of the empty board"),
    ],
)
def test_what_cannot_be_followed_is_said_in_a_sentence(
    tmp_path: Path, files: list[str], game: dict[str, Any], sentence: str
) -> None:
    folder = make_clip(tmp_path, files, **game)
    with pytest.raises(BoardsideError) as error:
        track.track(folder)
    assert sentence in error.value.message


@pytest.mark.parametrize(
    ("taps", "sentence"),
    [
        ([[10, 400], [900, 400], [900, 10], [10, 10]], "wrong way"),
        ([[10, 10], [900, 10], [900, 400]], "should hold four"),
    ],
)
def test_taps_that_cannot_be_right_are_said_in_a_sentence(tmp_path: Path, taps: list[list[int]], sentence: str) -> None:
    folder = make_clip(tmp_path, ["t000_0"])
    shown = np.random.default_rng(1).integers(0, 255, (540, 960, 3), np.uint8)
    cv2.imwrite(str(folder / "clip" / "empty.jpg"), shown)
    (folder / "clip" / "taps.json").write_text(json.dumps({"empty.jpg": taps}), encoding="utf-8")
    with pytest.raises(BoardsideError, match=sentence):
        track.track(folder)


def test_a_folder_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BoardsideError, match="cannot be read"):
        track.track(tmp_path / "nowhere")
