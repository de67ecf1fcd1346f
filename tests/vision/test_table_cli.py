"""`boardside read-table` and `boardside calibrate` over a folder of rendered pictures."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from calibration.profile import CalibrationError, Profile
from companion.cli import build_app
from companion.cli.read_table import read_table
from companion.rules.errors import BoardsideError
from tests.vision.table_sets import virtual_table

PAWNS = ("red_pawn", "blue_pawn")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Empty board, taps, enrolment and two frames of one table."""
    path = tmp_path_factory.mktemp("table")
    table = virtual_table(3, PAWNS)
    pictures = table.pictures
    cv2.imwrite(str(path / "empty.jpg"), pictures.empty_bgr)
    (path / "taps.json").write_text(json.dumps({"empty.jpg": pictures.taps_px.tolist()}))
    for name, picture in pictures.enrol.items():
        cv2.imwrite(str(path / f"enrol_{name}.jpg"), picture)
    setting = table.setting()
    setting.put_token("red_pawn", 24)
    setting.put_token("blue_pawn", 5)
    for index in range(2):
        cv2.imwrite(str(path / f"frame_{index:03d}.jpg"), table.picture(setting.scene(), seed=index))
    return path


def test_read_table_prints_a_line_for_every_picture(folder: Path) -> None:
    result = CliRunner().invoke(build_app("read-table"), ["read-table", str(folder)])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in lines] == ["frame_000.jpg", "frame_001.jpg"]
    keys = {"file", "board_found", "board_corners_px", "camera_moved", "hand", "ms", "dice", "tokens", "buildings"}
    for line in lines:
        assert set(line) == keys | {"markers"}
        assert line["board_found"]
        assert not line["hand"]
        off = np.array(line["board_corners_px"]) - virtual_table(3, PAWNS).corners()
        assert np.hypot(*off.T).mean() < 6
        assert {(t["name"], t["square"]) for t in line["tokens"]} == {("red_pawn", 24), ("blue_pawn", 5)}


def test_picture_without_the_board_gives_status_1(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        if not path.name.startswith("frame"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    cv2.imwrite(str(tmp_path / "frame_000.jpg"), np.full((720, 1280, 3), 90, np.uint8))
    result = CliRunner().invoke(build_app("read-table"), ["read-table", str(tmp_path)])
    assert result.exit_code == 1
    line = json.loads(result.stdout)
    assert not line["board_found"]
    assert line["board_corners_px"] is None


def test_folders_that_cannot_be_read_are_told_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    for arguments, sentence in (
        ([str(tmp_path / "nowhere")], "no folder"),
        ([str(tmp_path)], "no picture of the empty board"),
    ):
        result = CliRunner().invoke(build_app("read-table"), ["read-table", *arguments])
        assert isinstance(result.exception, BoardsideError)
        assert sentence in result.exception.message


def test_calibrate_checks_and_saves(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("calibration.profile.profiles_root", lambda: tmp_path)
    app = build_app("calibrate")
    result = CliRunner().invoke(app, ["calibrate", str(folder), "--profile", "table"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said["problems"] == []
    assert said["tokens"] == sorted(PAWNS)
    assert Profile.load("table", tmp_path).taps is not None
    listed = CliRunner().invoke(app, ["calibrate", "--list"])
    assert json.loads(listed.stdout)["profile"] == "table"


@pytest.fixture
def mistapped(folder: Path, tmp_path: Path) -> Path:
    """That table, its corners tapped the wrong way round, as in a mirrored picture."""
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    taps = json.loads((folder / "taps.json").read_text())["empty.jpg"]
    (tmp_path / "taps.json").write_text(json.dumps({"empty.jpg": taps[::-1]}))
    return tmp_path


def test_calibrate_says_what_is_wrong(mistapped: Path) -> None:
    result = CliRunner().invoke(build_app("calibrate"), ["calibrate", str(mistapped)])
    assert result.exit_code == 1
    assert "wrong way" in json.loads(result.stdout)["problems"][0]


def test_nothing_is_read_next_to_a_picture_that_shows_nothing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "taps.json").write_bytes((folder / "taps.json").read_bytes())
    cv2.imwrite(str(tmp_path / "empty.jpg"), np.zeros((720, 1280, 3), np.uint8))
    with pytest.raises(CalibrationError, match="next to nothing"):
        read_table(tmp_path)


def test_nothing_is_read_by_taps_that_cannot_be_right(mistapped: Path) -> None:
    result = CliRunner().invoke(build_app("read-table"), ["read-table", str(mistapped)])
    assert isinstance(result.exception, CalibrationError)
    assert "wrong way" in result.exception.message


def test_calibrate_needs_pictures_or_a_camera() -> None:
    result = CliRunner().invoke(build_app("calibrate"), ["calibrate"])
    assert isinstance(result.exception, CalibrationError)
