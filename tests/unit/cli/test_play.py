"""`boardside play`: what the command line means, and the real command from first to last."""

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import CalibrationError, Profile
from companion.cli.desk import Desk
from companion.cli.doorway import Doorway, PortBusy
from companion.cli.play import begin, choices_of, live_camera_of, record_to_resume, virtual_table
from companion.cli.senses import Recorded, desk_for, parsed_options, recorded_game
from companion.cli.virtual_play import NAMES, Seating
from companion.journal import GameRecord, Journal
from companion.observations import SourceError
from companion.rules.errors import BoardsideError, Refused
from companion.session import Session
from companion.workshop import Workshop
from vision.virtual.profiles import calibration_pictures
from vision.virtual.scene import TableStyle

RECORDED = Recorded(variant="watch", players=["car", "hat"], options={"doubles_again": False})


def choices(
    players: str | None = None, recorded: Recorded | None = None, options: tuple[str, ...] = (), **more: Any
) -> dict[str, Any] | None:
    return choices_of(more.get("variant"), None, players, list(options), more.get("automation", "show"), recorded)


def test_without_players_the_page_asks() -> None:
    assert choices() is None


def test_players_and_their_tokens_are_named() -> None:
    chosen = choices("Ann=hat, Bob", options=("rent=demand,short_game=true", "deal_deeds=2"))
    assert chosen is not None
    assert chosen["players"] == [{"name": "Ann", "token": "hat"}, {"name": "Bob", "token": None}]
    assert (chosen["variant"], chosen["options"]) == (
        "classic",
        {"rent": "demand", "short_game": True, "deal_deeds": 2},
    )


def test_classes_and_teams_are_named_with_the_players() -> None:
    chosen = choices("Ann:wizard@Red=hat, Bob:rogue+bard@The Blues ,Cat:druid @ Red", variant="dungeonopoly")
    assert chosen is not None
    assert chosen["players"] == [
        {"name": "Ann", "token": "hat", "extra": {"class": "wizard"}},
        {"name": "Bob", "token": None, "extra": {"class": "rogue", "second_class": "bard"}},
        {"name": "Cat", "token": None, "extra": {"class": "druid"}},
    ]
    assert chosen["options"] == {"teams": {"Red": ["Ann", "Cat"], "The Blues": ["Bob"]}}


def test_a_team_where_the_game_has_none_is_refused() -> None:
    with pytest.raises(Refused, match="nothing but the name"):
        Session(Journal.in_memory()).set_up(choices("Ann@Red,Bob@Blue") or {})


def test_teams_of_the_virtual_table_are_dealt_in_turn() -> None:
    seating = Seating(dict(zip(NAMES, ("hat", "car", "dog", "ship"), strict=False)))
    assert seating.teams("dungeonopoly", 0) == {}
    assert seating.teams("dungeonopoly", 2) == {"teams": {"Red": ["Ann", "Cat"], "Blue": ["Bob", "Dee"]}}
    with pytest.raises(BoardsideError):
        seating.teams("classic", 2)
    with pytest.raises(BoardsideError):
        seating.teams("dungeonopoly", 5)


def test_a_recorded_game_brings_its_players_along() -> None:
    chosen = choices(recorded=RECORDED)
    assert chosen is not None
    assert (chosen["variant"], chosen["options"]) == ("watch", {"doubles_again": False})
    assert chosen["players"] == [{"name": "car", "token": "car"}, {"name": "hat", "token": "hat"}]
    named = choices("Ann,Bob", RECORDED, ("doubles_again=true",), variant="classic")
    assert named is not None
    assert [each["token"] for each in named["players"]] == ["car", "hat"]
    assert (named["variant"], named["options"]) == ("classic", {"doubles_again": True})


def test_options_without_a_value_and_odd_automation_are_refused() -> None:
    with pytest.raises(BoardsideError):
        parsed_options(["rent"])
    with pytest.raises(BoardsideError):
        choices("Ann,Bob", automation="all")


def test_the_file_of_players_is_read_or_told_to_be_wrong(tmp_path: Path) -> None:
    assert recorded_game(str(tmp_path)) is None
    (tmp_path / "players.json").write_text('{"variant": "watch", "players": ["car", "hat"]}', encoding="utf-8")
    found = recorded_game(str(tmp_path))
    assert found is not None
    assert found.players == ["car", "hat"]
    (tmp_path / "players.json").write_text('{"players": 3}', encoding="utf-8")
    with pytest.raises(SourceError):
        recorded_game(str(tmp_path))


def test_resume_wants_a_game() -> None:
    journal = Journal.in_memory()
    session = Session(journal)
    with pytest.raises(BoardsideError):
        record_to_resume(journal, resume=True, game=None)
    with pytest.raises(BoardsideError):
        record_to_resume(journal, resume=False, game="never")
    assert record_to_resume(journal, resume=False, game=None) is None
    begin(session, None, choices("Ann,Bob"))
    assert session.table is not None
    record = record_to_resume(journal, resume=True, game=None)
    assert record == session.table.record
    later = Session(journal)
    begin(later, record, None)
    assert later.table is not None


def test_a_game_goes_on_with_the_cameras_that_were_chosen_last() -> None:
    class Still:
        """Eyes that see nothing."""

        def __getattr__(self, name: str) -> Any:
            return lambda *arguments: None

    journal = Journal.in_memory()
    session = Session(journal, Workshop(make_eyes=lambda *_: Still(), make_tray=lambda *_: Still()))  # type: ignore[arg-type,return-value]
    session.use_camera("0")
    begin(session, None, choices("Ann,Bob"))
    for use in (session.use_camera, session.use_tray):
        for camera in ("1", "2", "2"):
            use(camera)
    record = record_to_resume(journal, resume=True, game=None)
    assert record is not None
    assert (live_camera_of(record), live_camera_of(record, "tray")) == ("2", "2")
    assert [entry.kind for entry in journal.entries(record.id)] == ["setting"] * 4
    session.use_camera("3")
    begin(session, record, None)
    assert record_to_resume(journal, resume=False, game=record.id).settings["camera"] == "3"  # type: ignore[union-attr]


def test_a_game_goes_on_with_its_camera_unless_that_is_a_film(tmp_path: Path) -> None:
    def record(camera: str | None) -> GameRecord:
        settings = {"camera": camera}
        return GameRecord(
            id="g", variant="watch", edition="classic", options={}, players={"Ann": {}, "Bob": {}}, settings=settings
        )

    assert live_camera_of(record(None)) is None
    assert live_camera_of(record("1")) == "1"
    assert live_camera_of(record(str(tmp_path))) is None


def test_players_at_the_virtual_table_get_its_tokens() -> None:
    chosen = choices("Ann,Bob,Cat")
    assert virtual_table(chosen) == {"seed": 0, "tokens": 3}
    assert chosen is not None
    assert len({each["token"] for each in chosen["players"]}) == 3


def test_a_port_that_is_taken_is_told_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortBusy):
            Doorway.at("127.0.0.1", taken.getsockname()[1], tmp_path)


def test_the_port_is_kept_from_when_it_is_named_and_callers_wait_there(tmp_path: Path) -> None:
    with closing(Doorway.at("127.0.0.1", 0, tmp_path)) as door:
        with pytest.raises(PortBusy):
            Doorway.at("127.0.0.1", door.port, tmp_path)
        socket.create_connection(("127.0.0.1", door.port), 60).close()


def test_the_address_carries_the_key(tmp_path: Path) -> None:
    with closing(Doorway.at("127.0.0.1", 0, tmp_path)) as door:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?join=[\w-]+", door.address)
    with closing(Doorway.at("127.0.0.1", 0, tmp_path)) as another:
        assert another.key == door.key
    with closing(Doorway.at("127.0.0.1", 0, tmp_path, is_open=True)) as another:
        assert another.address.endswith("/")
    everywhere = Doorway("0.0.0.0", 8765, None)
    assert everywhere.local_address == "http://localhost:8765/"


#: The upper and the lower half of a character: whether each is lit.
HALVES = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}


def test_the_address_is_printed_with_its_qr_code(capsys: pytest.CaptureFixture[str]) -> None:
    door = Doorway("127.0.0.1", 8765, "xK3-pQ9_v0aB")
    door.announce()
    address, *printed = capsys.readouterr().out.splitlines()
    assert address == f"Boardside: {door.address}"
    rows = [[HALVES[char] for char in line] for line in printed if "█" in line]
    lit = np.array([[pair[half] for pair in row] for row in rows for half in (0, 1)], np.uint8)
    code = cv2.copyMakeBorder(255 * lit.repeat(8, 0).repeat(8, 1), 16, 16, 16, 16, cv2.BORDER_CONSTANT, value=255)
    assert cv2.QRCodeDetector().detectAndDecode(code)[0] == door.address


def picture(seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 255, (480, 640, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", noise)[1].tobytes())


def test_a_folder_of_pictures_brings_its_calibration_along(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(picture(1))
    (tmp_path / "enrol_car.jpg").write_bytes(picture(2))
    taps = [[10, 10], [600, 10], [600, 400], [10, 400]]
    (tmp_path / "taps.json").write_text(json.dumps({"empty.jpg": taps}), encoding="utf-8")
    desk = desk_for(str(tmp_path), None, tmp_path / "profiles")
    assert desk.enrolled == ["car"]
    settings = desk.profile()
    assert settings is not None
    assert (settings["empty"], settings["taps"]) == (picture(1), taps)
    assert not (tmp_path / "profiles").exists()


def test_a_folder_with_taps_that_cannot_be_right_is_not_played_at(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(picture(1))
    taps = [[10, 400], [600, 400], [600, 10], [10, 10]]
    (tmp_path / "taps.json").write_text(json.dumps({"empty.jpg": taps}), encoding="utf-8")
    with pytest.raises(CalibrationError, match="wrong way"):
        desk_for(str(tmp_path), None, tmp_path / "profiles")


def test_a_saved_profile_is_taken_up(tmp_path: Path) -> None:
    corners = ((10.0, 10.0), (600.0, 10.0), (600.0, 400.0), (10.0, 400.0))
    Profile(empty_jpeg=picture(1), taps=corners).save("den", tmp_path)
    assert desk_for("0", "den", tmp_path).empty == picture(1)
    assert desk_for("0", None, tmp_path).empty is None


def test_the_board_in_a_new_picture_is_found(tmp_path: Path) -> None:
    style = TableStyle.random(3, [])
    shown = calibration_pictures(style)
    desk = Desk("den", tmp_path)
    desk.take_empty(cv2.imencode(".png", shown.empty_bgr)[1].tobytes())
    assert desk.taps is not None
    assert np.asarray(desk.taps) == pytest.approx(style.camera.project(style.geometry.corners()), abs=6)
    assert Profile.load("den", tmp_path).taps == desk.taps


def test_a_token_may_be_shown_again_but_not_under_two_names(tmp_path: Path) -> None:
    shown = calibration_pictures(TableStyle.random(3, ["car"]))
    empty, car = (cv2.imencode(".png", each)[1].tobytes() for each in (shown.empty_bgr, shown.enrol["car"]))
    desk = Desk("den", tmp_path)
    desk.take_empty(empty)
    desk.enrol("car", car)
    desk.enrol("car", car)
    with pytest.raises(CalibrationError, match="“dog” and “car” show the same token"):
        desk.enrol("dog", car, among=("car", "dog", "hat"))
    assert desk.enrolled == ["car"]
    desk.enrol("racer", car, among=("racer", "hat"))
    assert desk.enrolled == ["car", "racer"], "the car's name of an earlier evening does not play"


def test_a_picture_that_cannot_be_read_loses_nothing(tmp_path: Path) -> None:
    desk = Desk("den", tmp_path)
    desk.take_empty(picture(3))
    with pytest.raises(CalibrationError):
        desk.take_empty(b"no picture")
    assert desk.empty == picture(3)


def test_a_picture_of_nothing_is_no_board(tmp_path: Path) -> None:
    desk = Desk("den", tmp_path)
    with pytest.raises(CalibrationError):
        desk.use_taps([(0, 0), (1, 0), (1, 1), (0, 1)])
    desk.take_empty(picture(3))
    assert desk.taps is None
    with pytest.raises(CalibrationError):
        desk.use_taps([(0, 0), (1, 0), (1, 1), (0, 1)])
    assert desk.profile() is None


# -- the real command --------------------------------------------------------------------------------------


#: A start takes 3 s; on a machine that is busy with other tests many times that.
STARTS_S = 180.0


def start(data_dir: Path, *arguments: str) -> "subprocess.Popen[str]":
    command = [
        sys.executable,
        "-m",
        "companion",
        "play",
        "--camera",
        "none",
        "--tower",
        "none",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    return subprocess.Popen(
        [*command, "--data-dir", str(data_dir), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def address_of(process: "subprocess.Popen[str]") -> str:
    """The address that the command prints, once it is served."""
    assert process.stdout is not None
    deadline = time.monotonic() + STARTS_S
    while time.monotonic() < deadline:
        if select.select([process.stdout], [], [], 1.0)[0]:
            found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            if found:
                return found[0]
        assert process.poll() is None, process.stderr and process.stderr.read()
    raise AssertionError("no address was printed")


def ask(address: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, {"Content-Type": "application/json"})
    deadline = time.monotonic() + STARTS_S
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(request, timeout=STARTS_S) as answer:
                told: dict[str, Any] = json.load(answer)
                return told
        except urllib.error.URLError as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.1)
    raise AssertionError("nobody answers")


@pytest.mark.skipif(sys.platform == "win32", reason="ends the command by a signal")
def test_the_command_serves_a_game_and_goes_on_with_it_after_kill(tmp_path: Path) -> None:
    with start(tmp_path, "--players", "Ann,Bob", "--open") as process:
        address = address_of(process)
        ask(address, "api/act", {"version": 0, "action": {"roll": [1, 2]}})
        shown = ask(address, "api/view")
        process.kill()
    with start(tmp_path, "--resume", "--open") as process:
        address = address_of(process)
        again = ask(address, "api/view")
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=STARTS_S)
        assert process.returncode == 0, told
    # Each program counts its views for itself.
    assert again | {"serial": None} == shown | {"serial": None}
    assert again["version"] == 1


def test_wrong_usage_is_one_sentence_and_status_two(tmp_path: Path) -> None:
    for arguments in (["--resume"], ["--players", "Ann"]):
        with start(tmp_path, *arguments) as process:
            _, told = process.communicate(timeout=STARTS_S)
        assert process.returncode == 2, told
        assert told.startswith("boardside: ")
        assert len(told.strip().splitlines()) == 1
