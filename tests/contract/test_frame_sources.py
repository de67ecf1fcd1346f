"""Every frame source keeps the same promises."""

import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.observations import SourceError
from tests.network_camera import network_camera
from tests.unit.vision_live.helpers import FakeClock
from vision.sources import Frame, Jpeg, Outage, Source, SteadySource, open_source, parse_source
from vision.sources.capture import CaptureSource
from vision.sources.folder import FolderSource
from vision.virtual.scene import TableStyle
from vision.virtual.source import VirtualSource

SIZE = (160, 90)
Maker = Callable[[FakeClock], Source]


def picture(level: int) -> np.ndarray:
    return np.full((SIZE[1], SIZE[0], 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for index in range(3):
        cv2.imwrite(str(tmp_path / f"t{index:03d}.png"), picture(40 * index + 40))
    cv2.imwrite(str(tmp_path / "empty.png"), picture(1))
    cv2.imwrite(str(tmp_path / "enrol_car.png"), picture(2))
    (tmp_path / "taps.json").write_text("{}")
    return tmp_path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    for index in range(4):
        writer.write(picture(40 * index + 40))
    writer.release()
    return path


@pytest.fixture
def makers(folder: Path, video: Path) -> dict[str, Maker]:
    style = TableStyle.random(1, 2, size=(320, 180))
    return {
        "folder": lambda clock: open_source(parse_source(str(folder)), clock, pace_s=0.4),
        "video": lambda clock: open_source(parse_source(str(video)), clock),
        "virtual": lambda clock: open_source(
            parse_source("virtual"), clock, virtual=lambda c: VirtualSource(style, 1, c)
        ),
    }


@pytest.mark.parametrize("kind", ["folder", "video", "virtual"])
class TestEverySource:
    def test_gives_color_frames_in_order_of_time(self, kind: str, makers: dict[str, Maker]) -> None:
        source = makers[kind](FakeClock())
        frames = [frame for frame in (source.read() for _ in range(4)) if frame is not None]
        source.close()
        assert len(frames) == 4
        assert all(frame.frame_bgr.dtype == np.uint8 and frame.frame_bgr.ndim == 3 for frame in frames)
        assert [frame.t_ns for frame in frames] == sorted({frame.t_ns for frame in frames})

    def test_waits_for_its_pace_by_the_clock_it_was_given(self, kind: str, makers: dict[str, Maker]) -> None:
        clock = FakeClock()
        source = makers[kind](clock)
        first, second = source.read(), source.read()
        assert first is not None
        assert second is not None
        assert second.t_ns - first.t_ns == pytest.approx(1e8, rel=0.01)
        assert clock.t_ns >= second.t_ns - 1_000_000

    def test_gives_the_same_frames_again_when_opened_again(self, kind: str, makers: dict[str, Maker]) -> None:
        one, two = makers[kind](FakeClock()).read(), makers[kind](FakeClock()).read()
        assert one is not None
        assert two is not None
        assert np.array_equal(one.frame_bgr, two.frame_bgr)


def test_folder_is_shown_in_order_of_name_without_the_calibration_pictures(folder: Path) -> None:
    source = FolderSource(folder, FakeClock(), pace_s=0.4, fps=0)
    names = []
    while (frame := source.read()) is not None:
        names.append(frame.name)
    assert names == ["t000.png", "t001.png", "t002.png"]


def test_folder_holds_each_picture_for_its_pace(folder: Path) -> None:
    source = FolderSource(folder, FakeClock(), pace_s=0.4, fps=10)
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    assert [frame.name for frame in frames] == ["t000.png"] * 4 + ["t001.png"] * 4 + ["t002.png"] * 4
    assert [frame.is_repeat for frame in frames[:5]] == [False, True, True, True, False]


def test_folder_follows_recorded_times(folder: Path) -> None:
    (folder / "timestamps.json").write_text('{"t000.png": 10.0, "t001.png": 10.3, "t002.png": 11.0}')
    source = FolderSource(folder, FakeClock(), pace_s=0.2, fps=0)
    times = [frame.t_ns for frame in (source.read() for _ in range(3)) if frame is not None]
    assert np.diff(times) / 1e9 == pytest.approx([0.3, 0.7])


def test_finite_source_ends_with_none(makers: dict[str, Maker]) -> None:
    source = makers["video"](FakeClock())
    assert [source.read() is None for _ in range(5)] == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("0", "camera"), ("12", "camera"), ("virtual", "virtual"), ("none", "none"), ("rtsp://cam/1", "url")],
)
def test_one_syntax_names_every_source(text: str, kind: str) -> None:
    assert parse_source(text).kind == kind


def test_unknown_source_is_refused_in_a_sentence() -> None:
    with pytest.raises(SourceError, match="There is no camera, file or folder 'nowhere/at/all'") as caught:
        parse_source("nowhere/at/all")
    assert caught.value.code == "source_failed"


def test_camera_that_is_not_there_is_refused_in_a_sentence() -> None:
    with pytest.raises(SourceError, match="Cannot open camera 97"):
        open_source(parse_source("97"), FakeClock())


class Webcam:
    """Stands for one that gives large pictures fast only as JPEG, as most do over USB 2."""

    def __init__(self, rate: float, widest: int) -> None:
        self.given: dict[int, float] = {}
        self._rate, self._widest = rate, widest

    def isOpened(self) -> bool:
        return True

    def set(self, what: int, value: float) -> bool:
        if what == cv2.CAP_PROP_FOURCC:
            # Another format forgets the size.
            self.given.clear()
        self.given[what] = value
        return True

    def get(self, what: int) -> float:
        if what == cv2.CAP_PROP_FPS:
            return 30.0 if self.is_compressed else self._rate
        given = self.given.get(what, 0.0)
        return given if self.is_compressed else min(given, self._widest)

    @property
    def is_compressed(self) -> bool:
        return self.given.get(cv2.CAP_PROP_FOURCC) == cv2.VideoWriter.fourcc(*"MJPG")


@pytest.mark.parametrize(("rate", "widest"), [(10, 1280), (30, 640), (30, 1280)])
def test_a_camera_that_is_slow_or_small_uncompressed_is_asked_for_compressed_pictures(
    rate: float, widest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    webcam = Webcam(rate, widest)
    monkeypatch.setattr(cv2, "VideoCapture", lambda _: webcam)
    CaptureSource(parse_source("0"))
    assert webcam.is_compressed == ((rate, widest) != (30, 1280))
    assert (webcam.given[cv2.CAP_PROP_FRAME_WIDTH], webcam.given[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)


def test_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("not a video")
    with pytest.raises(SourceError, match="Cannot open"):
        open_source(parse_source(str(path)), FakeClock())


def test_no_source_has_no_frames() -> None:
    assert open_source(parse_source("none")).read() is None


def gray_of(frame: Frame | None) -> float:
    return float(frame.frame_bgr.mean()) if frame is not None else 0.0


def test_pictures_of_a_stream_are_decoded_where_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    whole = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda data, flags: decoded.append(flags) or whole(data, flags))
    with network_camera() as camera:
        camera.show(np.full((720, 1280, 3), 60, np.uint8))
        source = CaptureSource(parse_source(camera.address))
        assert gray_of(source.read()) == pytest.approx(60, abs=2)
        camera.show(np.full((720, 1280, 3), 180, np.uint8))
        assert all(source.pass_over() for _ in range(8))
        assert decoded == [cv2.IMREAD_REDUCED_COLOR_8, cv2.IMREAD_COLOR]
        frame = source.read()
        assert decoded == [cv2.IMREAD_REDUCED_COLOR_8, cv2.IMREAD_COLOR, cv2.IMREAD_REDUCED_COLOR_8]
        assert gray_of(frame) == gray_of(frame) == pytest.approx(180, abs=2)
        assert len(decoded) == 4
        source.close()


@pytest.mark.parametrize(("size", "small"), [((1280, 720), (160, 90)), ((640, 480), (160, 120)), ((90, 60), (90, 60))])
def test_a_compressed_picture_is_small_at_once(size: tuple[int, int], small: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    image = cv2.resize(rng.integers(0, 256, (9, 16, 3), np.uint8), size, interpolation=cv2.INTER_CUBIC)
    shot = Jpeg(np.asarray(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1], np.uint8))
    assert shot.small_bgr.shape == (small[1], small[0], 3)
    assert shot.frame_bgr.shape == image.shape
    away = shot.small_bgr.astype(int) - cv2.resize(shot.frame_bgr, small, interpolation=cv2.INTER_AREA)
    assert np.abs(away).mean() < 2


def test_what_is_no_picture_is_refused_in_a_sentence() -> None:
    with pytest.raises(SourceError, match="What the camera sends is no picture"):
        Jpeg(np.zeros(20, np.uint8))


def test_a_broken_picture_of_a_stream_is_left_out() -> None:
    with network_camera() as camera:
        camera.show(np.full((90, 160, 3), 60, np.uint8))
        source = CaptureSource(parse_source(camera.address))
        source.read()
        camera.jpeg = b"\xff\xd8 nothing \xff\xd9"
        threading.Timer(0.35, camera.show, [np.full((90, 160, 3), 180, np.uint8)]).start()
        seen = [gray_of(source.read()) for _ in range(20)]
        source.close()
    assert {round(gray, -1) for gray in seen} == {60.0, 180.0}


class Lasting:
    """A source that counts what goes by."""

    passed = 0

    def read(self) -> Frame | None:
        return Frame(picture(9), self.passed)

    def pass_over(self) -> bool:
        self.passed += 1
        return True

    def close(self) -> None: ...


def test_a_steady_source_lets_frames_go_by_where_its_source_can() -> None:
    steady = SteadySource(Lasting)
    assert not steady.pass_over()
    first = steady.read()
    assert steady.pass_over()
    second = steady.read()
    assert isinstance(first, Frame)
    assert isinstance(second, Frame)
    assert (first.t_ns, second.t_ns) == (0, 1)
    other = SteadySource(FlakySource)
    other.read()
    assert not other.pass_over()
    assert isinstance(other.read(), Frame)


class FlakySource:
    """Gives two frames, then fails for good."""

    def __init__(self) -> None:
        self.left = 2
        self.is_closed = False

    def read(self) -> Frame | None:
        if not self.left:
            raise SourceError("The plug was pulled.")
        self.left -= 1
        return Frame(picture(9), self.left)

    def close(self) -> None:
        self.is_closed = True


def test_failing_source_is_reported_retried_with_growing_pauses_and_picked_up_again() -> None:
    clock = FakeClock()
    opened: list[FlakySource] = []
    attempts_ns: list[int] = []

    def opener() -> Source:
        attempts_ns.append(clock.t_ns)
        if 2 <= len(attempts_ns) <= 4:
            raise SourceError("Cannot open camera 0.")
        opened.append(FlakySource())
        return opened[-1]

    steady = SteadySource(opener, clock, back_off_s=(0.5, 1.0, 2.0))
    seen = [steady.read() for _ in range(60)]
    assert [type(item) for item in seen[:3]] == [Frame, Frame, Outage]
    assert isinstance(seen[2], Outage)
    assert seen[2].message == "The plug was pulled."
    assert opened[0].is_closed
    pauses = np.diff(attempts_ns) / 1e9
    assert pauses[:4] == pytest.approx([0.5, 1.0, 2.0, 2.0], abs=0.01)
    assert sum(isinstance(item, Frame) for item in seen) >= 4
