"""The worker process itself, under its supervisor."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion import eyes as eyes_module
from companion.eyes import Eyes
from companion.observations import BoardBook, DiceSeen, DieSeen, Observation, Picture, SightSeen
from tests.network_camera import network_camera
from tests.unit.vision_live.helpers import noisy_table
from tests.unit.vision_live.test_eyes import PATIENCE_S, wait_for
from vision.live import worker
from vision.live.watcher import Memory
from vision.live.worker import NOTHING_YET, Beat, Settings, _Frames, _Worker, run
from vision.sources import Frame, FrameBgr, Jpeg, Outage

Seen = list[Observation | Picture]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Eyes]]:
    # A busy machine may keep the worker waiting.
    for limit in ("START_LIMIT_S", "SILENCE_LIMIT_S", "QUIET_S"):
        monkeypatch.setattr(eyes_module, limit, PATIENCE_S)
    eyes: list[Eyes] = []
    yield eyes
    for each in eyes:
        each.stop()


def watch(started: list[Eyes], **settings: object) -> tuple[Eyes, Seen]:
    seen: Seen = []
    eyes = Eyes(run, settings, seen.append, seen.append)
    eyes.start()
    started.append(eyes)
    return eyes, seen


def words(seen: Seen) -> list[str]:
    return [item.word for item in seen if isinstance(item, SightSeen)]


def test_folder_is_shown_before_anything_is_calibrated_and_ends(started: list[Eyes], tmp_path: Path) -> None:
    for index in range(3):
        cv2.imwrite(str(tmp_path / f"p{index}.png"), np.full((90, 160, 3), 60 * index + 60, np.uint8))
    eyes, seen = watch(started, camera=str(tmp_path), folder_pace_s=0.3)
    wait_for(lambda: eyes.status.has_ended and eyes.latest_frame() is not None)
    frame = cv2.imdecode(np.frombuffer(eyes.latest_frame() or b"", np.uint8), cv2.IMREAD_COLOR)
    assert frame.shape == (90, 160, 3)
    assert words(seen) == ["not calibrated yet", "the recording is at its end"]
    assert not eyes.status.is_calibrated


def test_wrong_source_is_told_in_a_sentence_and_another_may_be_named(started: list[Eyes], tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "p0.png"), np.full((90, 160, 3), 90, np.uint8))
    eyes, seen = watch(started, camera="nothing/of/the/kind")
    wait_for(lambda: any("There is no camera, file or folder" in word for word in words(seen)))
    eyes.use_camera(str(tmp_path))
    wait_for(lambda: eyes.latest_frame() is not None)
    eyes.use_camera("nothing/of/this/kind")
    wait_for(lambda: any("nothing/of/this/kind" in word for word in words(seen)))
    assert eyes.latest_frame() is None
    assert eyes.status.restarts == 0


def test_camera_that_cannot_be_opened_is_reported_and_kept_trying(started: list[Eyes]) -> None:
    eyes, seen = watch(started, camera="97")
    wait_for(lambda: any("Cannot open camera 97" in word for word in words(seen)))
    assert eyes.status.restarts == 0
    assert eyes.status.state == "blind"


def brightness(eyes: Eyes) -> float:
    """Of the newest frame, 0-255; -1 before the first."""
    jpeg = eyes.latest_frame()
    return -1.0 if jpeg is None else float(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).mean())


def test_camera_in_the_network_that_goes_away_is_reported_and_picked_up_again(started: list[Eyes]) -> None:
    with network_camera() as camera:
        camera.show(np.full((90, 160, 3), 60, np.uint8))
        eyes, seen = watch(started, camera=camera.address)
        wait_for(lambda: abs(brightness(eyes) - 60) < 5)
        camera.jpeg = None
        wait_for(lambda: any("Cannot open" in word for word in words(seen)))
        assert eyes.latest_frame() is None
        camera.show(np.full((90, 160, 3), 180, np.uint8))
        wait_for(lambda: abs(brightness(eyes) - 180) < 5)
        wait_for(lambda: words(seen)[-1] == "not calibrated yet")


def test_camera_in_the_network_that_stands_still_in_the_middle_of_a_frame_is_reported_and_picked_up_again(
    started: list[Eyes],
) -> None:
    with network_camera() as camera:
        camera.show(np.full((90, 160, 3), 60, np.uint8))
        eyes, seen = watch(started, camera=camera.address)
        wait_for(lambda: abs(brightness(eyes) - 60) < 5)
        camera.flows.clear()
        wait_for(lambda: "the eyes stopped and are being restarted" in words(seen))
        assert eyes.latest_frame() is None
        camera.show(np.full((90, 160, 3), 180, np.uint8))
        camera.flows.set()
        wait_for(lambda: abs(brightness(eyes) - 180) < 5)


class Pipeline:
    """A live source that gives what it is told to, one after the other, and then waits to be let go on."""

    def __init__(self, *items: Frame | Outage | None) -> None:
        self._items = list(items)
        self.is_reading = threading.Event()
        self.let_go = threading.Event()
        self.is_closed = False

    def read(self) -> Frame | Outage | None:
        if self._items:
            return self._items.pop(0)
        self.is_reading.set()
        assert self.let_go.wait(PATIENCE_S)
        return Outage("let go", 0.0)

    def close(self) -> None:
        self.is_closed = True


def test_camera_that_is_opened_again_has_as_long_as_the_first_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SILENT_S", 0.0)
    source = Pipeline(Outage("unplugged", 0.5))
    frames = _Frames(source, is_live=True)
    wait_for(lambda: frames.next() == Outage("unplugged", 0.5))
    assert frames.next() is NOTHING_YET
    source.let_go.set()
    frames.close()


def test_the_last_frame_of_a_camera_that_stands_still_is_shown_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "STALLED_S", 0.0)
    monkeypatch.setattr(worker, "SILENT_S", PATIENCE_S)
    wire, source = Wire(), Pipeline(Frame(np.full((9, 16, 3), 60, np.uint8), 1))
    eyes = _Worker(wire, Settings(camera="none"))
    eyes._source = _Frames(source, is_live=True)

    def said(what: str) -> list[Any]:
        eyes._look()
        eyes._beat()
        return [arguments[0] for told, *arguments in wire.said if told == what]

    wait_for(lambda: any(said("frame")))
    assert said("frame")[-1] is None
    sights = [msgspec.msgpack.decode(data, type=SightSeen) for data in said("seen")]
    assert (sights[-1].state, sights[-1].word) == ("blind", "no new picture comes from the camera")
    source.let_go.set()
    eyes._source.close()


def test_camera_gives_its_device_back_before_the_next_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "CLOSING_S", PATIENCE_S)
    source = Pipeline()
    frames = _Frames(source, is_live=True)
    assert source.is_reading.wait(PATIENCE_S)
    threading.Timer(0.2, source.let_go.set).start()
    frames.close()
    assert source.is_closed


def test_hung_camera_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "CLOSING_S", 0.01)
    source = Pipeline()
    frames = _Frames(source, is_live=True)
    assert source.is_reading.wait(PATIENCE_S)
    frames.close()
    assert not source.is_closed
    source.let_go.set()
    wait_for(lambda: source.is_closed)


class Stream(Pipeline):
    """One that notes what is done to it, and gives two frames to be passed over."""

    def __init__(self, *items: Frame | Outage | None) -> None:
        super().__init__(*items)
        self.done: list[str] = []

    def read(self) -> Frame | Outage | None:
        self.done.append("read")
        return super().read()

    def pass_over(self) -> bool:
        self.done.append("pass over")
        return self.done.count("pass over") < 3


@pytest.mark.parametrize(
    ("is_calm", "passing_s", "done"),
    [
        (True, PATIENCE_S, ["pass over", "pass over", "pass over", "read"]),
        (True, 0.0, ["read", "read"]),
        (False, PATIENCE_S, ["read", "read"]),
    ],
)
def test_while_nothing_happens_frames_of_a_camera_go_by_unread_for_a_while(
    is_calm: bool, passing_s: float, done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "PASSING_S", passing_s)
    eyes, source = _Worker(Wire(), Settings(camera="none")), Stream(Frame(np.full((9, 16, 3), 60, np.uint8), 1))
    eyes._watcher = Onlooker()
    eyes._watcher.is_calm = is_calm
    eyes._source = _Frames(source, is_live=True)
    assert source.is_reading.wait(PATIENCE_S)
    eyes._look()
    before = len(source.done)
    source.let_go.set()
    wait_for(lambda: len(source.done) >= before + len(done))
    eyes._source.close()
    assert source.done[before : before + len(done)] == done


def test_a_table_is_calibrated_with_the_mean_of_the_frames_at_rest() -> None:
    rng, wire = np.random.default_rng(0), Wire()
    eyes = _Worker(wire, Settings(camera="none"))
    frames = [Frame(noisy_table(rng, 8.0), index * 100_000_000) for index in range(8)]
    eyes._source = _Frames(Pipeline(*frames), is_live=False)
    for _ in frames:
        eyes._look()
    eyes._beat()
    shown = next(arguments[0] for what, *arguments in wire.said if what == "frame")
    picture = cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR)
    assert picture[310:, 510:].std() < 0.6 * frames[-1].frame_bgr[310:, 510:].std()


def test_while_a_table_is_calibrated_anew_all_that_moves_counts() -> None:
    """The board may be elsewhere by then."""
    rng, eyes = np.random.default_rng(0), _Worker(Wire(), Settings(camera="none"))
    eyes._stills.feed(noisy_table(rng), 0)
    corners = np.array([[600.0, 350.0], [400.0, 350.0], [400.0, 250.0], [600.0, 250.0]])
    eyes._stills.attend(corners)
    eyes._use_profile(None)
    for k in range(1, 9):
        frame = noisy_table(rng)
        frame[20:80, 40 + 30 * k : 130 + 30 * k] = 20
        eyes._stills.feed(frame, k * 100_000_000)
        assert np.array_equal(eyes._stills.picture(), frame)


@pytest.mark.parametrize("is_looked_at", [False, True])
def test_while_nobody_looks_the_picture_of_a_camera_is_shown_as_it_came(is_looked_at: bool) -> None:
    wire, rng = Wire(*([("frame",)] * is_looked_at)), np.random.default_rng(0)
    eyes, shots = _Worker(wire, Settings(camera="none")), [compressed(noisy_table(rng, 8.0)) for _ in range(4)]
    eyes._watcher = Onlooker()
    eyes._obey()
    eyes._source = _Frames(Pipeline(*(Frame(shot, k) for k, shot in enumerate(shots))), is_live=False)
    for shot in shots:
        eyes._look()
        eyes._stills.feed(shot, 0)
    eyes._beat()
    shown = next(arguments[0] for what, *arguments in wire.said if what == "frame")
    assert (shown == shots[-1].data.tobytes()) != is_looked_at


def compressed(image_bgr: FrameBgr) -> Jpeg:
    return Jpeg(np.asarray(cv2.imencode(".jpg", image_bgr)[1], np.uint8))


class Wire:
    """The worker's end of the pipe; what it says is kept."""

    def __init__(self, *orders: tuple[Any, ...]) -> None:
        self.said: list[tuple[Any, ...]] = []
        self._orders = list(orders)

    def send(self, message: tuple[Any, ...]) -> None:
        self.said.append(message)

    def poll(self, _timeout_s: float) -> bool:
        return bool(self._orders)

    def recv(self) -> tuple[Any, ...]:
        return self._orders.pop(0)


class Thrower:
    """A watcher that sees a throw in every frame."""

    is_calm = False

    def __init__(self) -> None:
        self._throws = 0

    def feed(self, *_: object) -> list[DiceSeen]:
        self._throws += 1
        return [DiceSeen(dice=(DieSeen(faces={3: 1.0}),), throw=self._throws)]

    def expect(self, *_: object) -> None:
        pass

    def memory(self) -> Memory:
        return Memory(throw=self._throws)

    def take_examples(self) -> list[object]:
        return []


def test_the_next_worker_numbers_throws_on_from_the_last_one_that_was_told() -> None:
    wire = Wire()
    eyes = _Worker(wire, Settings(camera="none"))
    frame = Frame(np.full((9, 16, 3), 60, np.uint8), 1)
    eyes._source, eyes._watcher = _Frames(Pipeline(frame, frame), is_live=False), Thrower()
    eyes._stills.feed(frame.frame_bgr, 0)
    for throw in (1, 2):
        eyes._look()
        eyes._beat()
        beats = [data for what, data in wire.said if what == "beat"]
        assert msgspec.msgpack.decode(beats[-1], type=Beat).memory.throw == throw


class Reader:
    """A reader that remembers what it was told."""

    reads_dice = has_markers = True
    playing: tuple[str, ...] | None = None

    def expect(self, kinds: tuple[str, ...]) -> None:
        self.kinds = kinds


def test_the_reader_is_told_what_the_game_has() -> None:
    eyes, reader = _Worker(Wire(("game", False, ("car",)), ("read_dice", False)), Settings(camera="none")), Reader()
    eyes._watcher, eyes._reader_in_use = Thrower(), reader
    eyes._obey()
    assert (reader.has_markers, reader.playing, reader.reads_dice, reader.kinds) == (False, ("car",), False, ())
    later = _Worker(Wire(("expect", ("d6", "d6"))), Settings(camera="none", has_markers=False, playing=("hat",)))
    later._watcher, later._reader_in_use = Thrower(), Reader()
    later._obey()
    assert (later._reader_in_use.has_markers, later._reader_in_use.playing) == (False, ("hat",))
    assert later._reader_in_use.kinds == ("d6", "d6")


class Student(Thrower):
    """A watcher that remembers what the book has."""

    book: BoardBook | None = None

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()

    def learn(self, book: BoardBook) -> None:
        self.book = book


def test_every_watcher_is_told_what_the_book_has(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = BoardBook({"hat": (5, False)}), BoardBook({"hat": (9, False)}, {6: (2, False)})
    eyes = _Worker(Wire(("book", after)), Settings(camera="none", book=before))
    monkeypatch.setattr(worker, "Watcher", Student)
    monkeypatch.setattr(eyes, "_reader", lambda profile: Reader())
    eyes._use_profile({})
    first = eyes._watcher
    assert first.book == before, "as the eyes before it were told"
    eyes._obey()
    assert first.book == after
    eyes._use_profile({})
    assert eyes._watcher is not first
    assert eyes._watcher.book == after


class Onlooker(Thrower):
    """A watcher that sees the table well."""

    def feed(self, *_: object) -> list[SightSeen]:
        return [SightSeen(state="well")]


def test_a_recording_that_is_shown_a_second_time_ends_a_second_time() -> None:
    wire = Wire()
    eyes = _Worker(wire, Settings(camera="none"))
    frame = Frame(np.full((9, 16, 3), 60, np.uint8), 1)
    for _ in range(2):
        eyes._watcher, eyes._has_ended = Onlooker(), False
        for last in (frame, None):
            eyes._source = _Frames(Pipeline(last), is_live=False)
            eyes._look()
    seen = [msgspec.msgpack.decode(arguments[0], type=SightSeen) for what, *arguments in wire.said if what == "seen"]
    assert [sight.state for sight in seen] == ["well", "blind"] * 2


def test_hands_at_the_virtual_table_may_move_before_its_first_frame(started: list[Eyes]) -> None:
    eyes, _ = watch(started, camera="virtual", virtual={"seed": 1, "tokens": 2})
    eyes.move_world([{"do": "pass_over", "id": 7}])
    wait_for(lambda: 7 in eyes.world_done)
    assert eyes.status.is_calibrated
    assert eyes.status.restarts == 0
