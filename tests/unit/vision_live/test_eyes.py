"""The supervisor: passes on, starts again, and never takes the game down."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import eyes as eyes_module
from companion.eyes import Eyes
from companion.observations import BoardBook, DiceSeen, Observation, Picture, SightSeen
from tests.unit.vision_live import workers
from vision.live.worker import Settings

PATIENCE_S = 180.0

Start = Callable[..., tuple[Eyes, list[Observation | Picture]]]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    monkeypatch.setattr(eyes_module, "BACK_OFF_S", (0.05,))
    # A busy machine may keep an honest worker waiting.
    for limit in ("START_LIMIT_S", "SILENCE_LIMIT_S", "QUIET_S"):
        monkeypatch.setattr(eyes_module, limit, PATIENCE_S)
    started: list[Eyes] = []

    def starter(target: Any, **settings: Any) -> tuple[Eyes, list[Observation | Picture]]:
        seen: list[Observation | Picture] = []
        eyes = Eyes(target, settings, seen.append, seen.append, list_cameras=lambda: [0, 2])
        eyes.start()
        started.append(eyes)
        return eyes, seen

    yield starter
    for eyes in started:
        eyes.stop()


def wait_for(what: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def throws(seen: list[Observation | Picture]) -> list[int | None]:
    return [item.throw for item in seen if isinstance(item, DiceSeen)]


def test_what_the_worker_sees_is_passed_on(start: Start) -> None:
    eyes, seen = start(workers.honest)
    wait_for(lambda: eyes.status.is_calibrated and eyes.latest_frame() == b"frame")
    assert [type(item) for item in seen[:3]] == [SightSeen, Picture, DiceSeen]
    assert eyes.status.state in ("well", "unsure")
    assert eyes.world_done == {1}
    assert eyes.cameras() == [0, 2]


def test_commands_reach_the_worker(start: Start) -> None:
    eyes, seen = start(workers.honest)
    wait_for(lambda: eyes.status.is_running)
    eyes.expect(2)
    eyes.expect(2)
    eyes.use_camera("1")
    eyes.move_world([{"do": "throw"}])

    def words() -> list[str]:
        return [item.word for item in seen if isinstance(item, SightSeen) and item.state == "unsure"]

    wait_for(lambda: len(words()) >= 3)
    assert words() == ["expect [2]", "camera ['1']", "world [[{'do': 'throw'}]]"]


def test_killed_worker_is_started_again_and_goes_on_where_it_was(start: Start) -> None:
    eyes, seen = start(workers.honest)
    wait_for(lambda: throws(seen) == [1] and eyes.status.is_calibrated)
    pid = eyes.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: throws(seen) == [1, 2])
    assert eyes.pid != pid
    assert eyes.status.restarts == 1
    words = [item.word for item in seen if isinstance(item, SightSeen) and item.state == "blind"]
    assert words == ["the eyes stopped and are being restarted"]
    pictures = [item.id for item in seen if isinstance(item, Picture)]
    assert len(set(pictures)) == 2, "ids of evidence pictures stay unique"


def test_crashing_worker_is_started_again_with_its_memory(start: Start, tmp_path: Path) -> None:
    eyes, seen = start(workers.crashing, count_file=str(tmp_path / "count"))
    wait_for(lambda: throws(seen) == [8])
    assert eyes.status.restarts == 2


def test_hanging_worker_is_killed_and_started_again(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eyes_module, "SILENCE_LIMIT_S", 0.5)
    eyes, seen = start(workers.hanging, count_file=str(tmp_path / "count"))
    # The next one may be too slow as well, when the machine is busy.
    wait_for(lambda: 5 in throws(seen))
    words = [item.word for item in seen if isinstance(item, SightSeen) and item.state == "blind"]
    assert words[0] == "the eyes hung and are being restarted"
    assert eyes.status.restarts >= 1


def test_eyes_that_fall_silent_show_nothing_old_and_see_again_as_before_once_they_answer(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eyes_module, "QUIET_S", 0.3)
    eyes, seen = start(workers.dozing)
    well, silent = (
        SightSeen(state="well", word="all of it"),
        SightSeen(state="blind", word="the camera does not answer"),
    )
    wait_for(lambda: silent in seen)
    assert eyes.latest_frame() is None
    assert eyes.status.state == "blind"
    eyes.use_camera("1")
    wait_for(lambda: seen.count(well) == 2)
    assert seen.index(silent) < len(seen) - 1 - seen[::-1].index(well)
    assert eyes.status.restarts == 0


def test_eyes_that_take_their_time_to_start_say_that_they_get_ready(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eyes_module, "QUIET_S", 0.05)
    _, seen = start(workers.slow)
    wait_for(lambda: bool(seen))
    assert seen[0] == SightSeen(state="blind", word="getting ready")


def test_a_frame_of_now_is_waited_for_while_the_worker_gets_ready(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eyes_module, "FRAME_LIMIT_S", 0.3)
    eyes, seen = start(workers.preparing, busy_s=1.5)
    wait_for(lambda: eyes.latest_frame() == b"old")
    eyes.use_profile({})
    wait_for(lambda: bool(seen))
    assert eyes.frame_now() == b"new"


def test_a_frame_of_before_does_not_pass_for_one_of_now(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes_module, "FRAME_LIMIT_S", 0.3)
    eyes, _ = start(workers.dozing)
    wait_for(lambda: eyes.latest_frame() == b"frame")
    assert eyes.frame_now() is None


def test_a_listener_that_fails_does_not_blind_the_eyes(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Observation] = []

    def listen(observation: Observation) -> None:
        seen.append(observation)
        if len(seen) <= 2:
            raise [ValueError, OSError][len(seen) - 1]

    eyes = Eyes(workers.honest, {}, listen, lambda picture: None)
    eyes.start()
    try:
        wait_for(lambda: eyes.status.is_calibrated)
        eyes.use_camera("1")
        wait_for(lambda: any(isinstance(item, SightSeen) and item.word == "camera ['1']" for item in seen))
        assert eyes.status.restarts == 0
    finally:
        eyes.stop()
    assert [record.message for record in caplog.records] == ["what the eyes told was not taken"] * 2


def test_eyes_for_which_there_is_no_memory_are_started_later(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = [OSError("Cannot allocate memory"), RuntimeError("can't start new thread")]
    one_life = Eyes._one_life
    monkeypatch.setattr(Eyes, "_one_life", lambda self: fail(failures.pop(0)) if failures else one_life(self))
    _, seen = start(workers.honest)
    wait_for(lambda: throws(seen) == [1])
    words = [item.word for item in seen if isinstance(item, SightSeen) and item.state == "blind"]
    assert words[0] == "the eyes could not be started (Cannot allocate memory) and are being restarted"


def fail(error: Exception) -> str:
    raise error


def test_a_profile_that_is_saved_just_when_a_worker_starts_reaches_it(start: Start) -> None:
    class Busy(dict[str, Any]):
        """Settings; while they are gathered for the first worker, another thread gets in."""

        def get(self, key: str, default: Any = None) -> Any:
            if key == "prefix" and "profile" not in self:
                eyes.use_profile({"taps": [1]})
            return super().get(key, default)

    seen: list[Observation] = []
    eyes = Eyes(workers.honest, {}, seen.append, lambda picture: None)
    eyes._settings = Busy()
    eyes.start()
    try:
        told = "profile [{'taps': [1]}]"
        wait_for(lambda: any(isinstance(item, SightSeen) and item.word == told for item in seen))
    finally:
        eyes.stop()


def test_what_is_told_last_holds_though_it_was_told_before() -> None:
    eyes = Eyes(workers.honest, {}, lambda seen: None, lambda picture: None)
    for dice in (("d6", "d6"), None, ("d6", "d6")):
        eyes.expect(dice)
    assert [message[1] for message in eyes._outbox] == [None, ("d6", "d6")]


def test_what_the_book_has_is_told_and_kept_for_the_next_worker(start: Start) -> None:
    eyes, _ = start(workers.honest)
    wait_for(lambda: eyes.status.is_running)
    book = BoardBook({"hat": (5, False)}, {6: (2, False)})
    told = list[tuple[object, ...]]()
    eyes._tell = lambda *message: told.append(message)
    eyes.learn(book)
    assert told == [("book", book)]
    assert msgspec.convert({"camera": "none", **eyes._settings}, Settings).book == book


def test_stopping_ends_the_worker(start: Start) -> None:
    eyes, _ = start(workers.honest)
    wait_for(lambda: eyes.pid is not None and eyes.status.is_running)
    eyes.stop()
    assert eyes.pid is None


def test_a_profile_and_a_frame_that_fill_the_pipe_from_both_ends_pass_each_other(start: Start) -> None:
    eyes, _ = start(workers.showing, frame_bytes=4_000_000)
    wait_for(lambda: eyes.latest_frame() is not None)
    for number in range(1, 4):
        eyes.use_profile({"empty": bytes([number]) * 4_000_000})
        wait_for(lambda number=number: (eyes.latest_frame() or b"?")[0] == number)
    eyes.stop()
    assert eyes.pid is None


def test_a_worker_that_hears_nothing_is_killed_however_much_it_is_told(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eyes_module, "SILENCE_LIMIT_S", 0.5)
    eyes, seen = start(workers.deaf)
    wait_for(lambda: bool(seen))
    eyes.use_profile({"empty": bytes(4_000_000)})
    wait_for(lambda: eyes.status.restarts >= 1)
