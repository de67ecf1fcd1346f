"""The eyes' own process: opens the source, watches, and sends what it sees through a pipe.

Messages to the worker are tuples: `("profile", settings)`, `("camera", text)`, `("expect", kinds of dice or None)`,
`("book", BoardBook)`, `("told", a token's place)`, `("world", [command, …])`, `("frame",)`,
`("stop",)`. Messages from it: `("seen", bytes)` (an encoded observation or picture), `("frame", jpeg)` (None while the
source gives none), `("learned", token, png)` (an example for the profile), `("beat", bytes)` (an encoded `Beat`),
`("busy",)` (something begins that may take a while), `("ended",)`.
"""

import logging
import math
import os
import signal
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import msgspec
import numpy as np

from companion.observations import COP, BoardBook, BoardsideError, DieKind, SightSeen, SourceError
from vision.lessons import Example, Told
from vision.live.stills import MOST_FRAMES, Stills
from vision.live.tray import TrayReader
from vision.live.watcher import PASSING_S, Memory, Watcher
from vision.sources import Frame, Jpeg, Outage, Source, SteadySource, SystemClock, decoded, open_source, parse_source
from vision.sources.base import Clock, FrameBgr, Shot, SourceSpec
from vision.sources.folder import PACE_S, FolderSource
from vision.virtual.profiles import calibration_pictures
from vision.virtual.scene import TableStyle
from vision.virtual.source import VirtualSource
from vision.virtual.world import Command

if TYPE_CHECKING:
    from vision.reader import TableReader

log = logging.getLogger(__name__)

BEAT_S = 0.5
#: The newest frame is sent this often when nobody asks, and when somebody looks.
FRAME_S, LOOKED_AT_S = 1.0, 0.15
LOOKED_AT_FOR_S = 3.0
FRAME_QUALITY = 90
#: A live source that is silent for longer has hung, or cannot be opened at all; only a new process gets rid of it.
SILENT_S, OPENING_S = 8.0, 90.0
#: One that is silent for longer shows nothing: cameras in the network pause for a second now and then.
STALLED_S = 2.0
#: A live source that is closed may be the next one to be opened, and has this long to give its device back.
CLOSING_S = 1.0


class Beat(msgspec.Struct, frozen=True):
    """A sign of life, with what the next worker needs to go on."""

    memory: Memory
    world_done: tuple[int, ...] = ()
    is_calibrated: bool = False


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the supervisor tells a worker when it starts.

    Attributes:
        camera: a source as `--camera` names it.
        profile: `empty` and `enrol` pictures (paths or JPEG bytes), `taps` ([x, y] of four corners or none), and
            `examples` (token -> pictures) that were learned.
        virtual: `seed` and `tokens` of the virtual table.
        memory: an encoded `Memory` of the worker before.
        prefix: begins the ids of evidence pictures.
        folder_pace_s: seconds each picture of a folder is shown.
        is_tray: the camera looks into a dice tray; nothing is calibrated.
        reads_dice: False where another camera reads the dice.
        has_markers: False where the game has no bombs, miners and no cop.
        playing: names of the tokens that play; None where all that are enrolled may.
        book: what the game has on the board.
    """

    camera: str
    profile: dict[str, Any] | None = None
    virtual: dict[str, Any] | None = None
    memory: bytes | None = None
    prefix: str = ""
    folder_pace_s: float = PACE_S
    expect: tuple[DieKind, ...] | None = None
    is_tray: bool = False
    reads_dice: bool = True
    has_markers: bool = True
    playing: tuple[str, ...] | None = None
    book: BoardBook = BoardBook()


def run(connection: Connection, settings: dict[str, Any]) -> None:
    """Target of the worker process; returns when told to stop, or when the supervisor is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The page and the table matter more than the next reading.
    os.nice(5)
    cv2.setNumThreads(1)
    worker = _Worker(connection, msgspec.convert(settings, Settings))
    try:
        worker.loop()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


class _Worker:
    def __init__(self, connection: Connection, settings: Settings) -> None:
        self._connection = connection
        self._settings = settings
        self._clock = SystemClock()
        self._encoder = msgspec.msgpack.Encoder()
        self._virtual: VirtualSource | None = None
        self._memory = msgspec.msgpack.decode(settings.memory, type=Memory) if settings.memory else Memory()
        self._expect = settings.expect
        self._watcher: Watcher | None = None
        self._unready = ""
        self._reader_in_use: TableReader | TrayReader | None = None
        self._reads_dice = settings.reads_dice
        self._has_markers, self._playing = settings.has_markers, settings.playing
        self._book = settings.book
        self._source: _Frames | None = None
        self._is_slideshow = False
        self._stills = Stills()
        self._frame: Shot | None = None
        self._next_beat = self._next_frame = 0.0
        self._looked_at = -LOOKED_AT_FOR_S
        self._is_running = True
        self._has_ended = False

    def loop(self) -> None:
        self._open(self._settings.camera)
        while self._is_running:
            self._obey()
            self._look()
            self._beat()
        if self._source is not None:
            self._source.close()

    def _open(self, camera: str) -> None:
        """Opens a source; a wrong name is reported, and another may be named later."""
        if self._source is not None:
            self._source.close()
        self._source, self._has_ended, self._stills = None, False, Stills()
        self._show_nothing()
        try:
            spec = parse_source(camera)
        except SourceError as error:
            self._send_sight("blind", error.message)
            return
        self._is_slideshow = spec.kind == "folder"
        if spec.kind == "virtual":
            # Here and not when its first frame is wanted: hands may be told to move at once.
            self._open_virtual(self._clock)
        self._use_profile(self._settings.profile)
        self._source = _Frames(SteadySource(lambda: self._open_source(spec), self._clock), spec.is_live)

    def _open_source(self, spec: SourceSpec) -> Source:
        if spec.kind == "folder":
            return FolderSource(Path(spec.value), self._clock, self._settings.folder_pace_s)
        return open_source(spec, self._clock, virtual=self._open_virtual)

    def _open_virtual(self, clock: Clock) -> VirtualSource:
        if self._virtual is None:
            self._connection.send(("busy",))
            self._virtual = VirtualSource(_virtual_style(self._settings.virtual), _virtual_seed(self._settings), clock)
        return self._virtual

    def _use_profile(self, profile: dict[str, Any] | None) -> None:
        """Builds the reader; without a profile the worker only shows frames."""
        if self._watcher is not None:
            self._memory = self._watcher.memory()
        self._watcher = None
        self._stills.attend_everywhere()
        self._connection.send(("busy",))
        try:
            reader = self._reader(profile)
        except BoardsideError as error:
            self._not_ready(error.message)
            return
        if reader is None:
            self._not_ready("not calibrated yet")
            return
        if self._is_slideshow and self._memory == Memory():
            # A folder is watched from its beginning: nothing was thrown before.
            self._memory = Memory(lying=())
        self._watcher = Watcher(
            reader,
            self._stills,
            is_slideshow=self._is_slideshow,
            memory=self._memory,
            prefix=self._settings.prefix,
            pupil=None if isinstance(reader, TrayReader) else reader,
        )
        self._watcher.learn(self._book)
        self._reader_in_use = reader
        self._tell_reader()

    def _not_ready(self, word: str) -> None:
        """Frames can be shown, but not read."""
        self._unready = word
        self._send_sight("blind", word)

    def _tell_reader(self) -> None:
        if self._watcher is not None and self._reader_in_use is not None:
            self._reader_in_use.expect(self._expect or ())
            if not isinstance(self._reader_in_use, TrayReader):
                self._reader_in_use.reads_dice = self._reads_dice
                self._reader_in_use.has_markers = self._has_markers
                self._reader_in_use.playing = self._playing
            self._watcher.expect(None if self._expect is None else len(self._expect), self._expect or ())

    def _reader(self, profile: dict[str, Any] | None) -> "TableReader | TrayReader | None":
        from vision.reader import TableReader

        if self._settings.is_tray:
            return TrayReader()
        if profile is not None:
            enrol = {str(name): _picture(data) for name, data in (profile.get("enrol") or {}).items()}
            taps = profile.get("taps")
            corners = None if taps is None else np.asarray(taps, np.float64).reshape(4, 2)
            learned = (profile.get("examples") or {}).items()
            examples = {str(name): [_picture(data) for data in pictures] for name, pictures in learned}
            return TableReader(_picture(profile["empty"]), corners, enrol=enrol, examples=examples)
        if self._settings.virtual is not None and self._settings.camera == "virtual":
            style = _virtual_style(self._settings.virtual)
            renderer = self._open_virtual(self._clock).renderer
            pictures = calibration_pictures(style, renderer, figures=(COP,), frames=MOST_FRAMES)
            return TableReader(pictures.empty_bgr, pictures.taps_px, enrol=dict(pictures.enrol))
        return None

    def _obey(self) -> None:
        """Carries out the supervisor's commands; waits for one when there is nothing to look at."""
        wait_s = BEAT_S / 2 if self._source is None or self._has_ended else 0.0
        while self._connection.poll(wait_s):
            wait_s = 0.0
            what, *arguments = self._connection.recv()
            if what == "stop":
                self._is_running = False
            elif what == "profile":
                self._settings = msgspec.structs.replace(self._settings, profile=arguments[0])
                self._use_profile(arguments[0])
            elif what == "camera":
                self._settings = msgspec.structs.replace(self._settings, camera=arguments[0])
                self._open(arguments[0])
            elif what == "expect":
                self._expect = arguments[0]
                self._tell_reader()
            elif what == "read_dice":
                self._reads_dice = arguments[0]
                self._tell_reader()
            elif what == "game":
                self._has_markers, self._playing = arguments
                self._tell_reader()
            elif what == "book":
                self._book = arguments[0]
                if self._watcher is not None:
                    self._watcher.learn(self._book)
            elif what == "told" and self._watcher is not None:
                self._watcher.teach(Told(**arguments[0]))
            elif what == "world" and self._virtual is not None:
                for command in msgspec.convert(arguments[0], list[Command]):
                    self._virtual.do(command)
            elif what == "frame":
                self._looked_at = time.monotonic()

    def _look(self) -> None:
        if self._source is None or self._has_ended:
            return
        frame = self._source.next()
        if frame is NOTHING_YET:
            return
        if frame is None:
            self._has_ended = True
            self._send_sight("blind", "the recording is at its end")
            self._connection.send(("ended",))
            return
        if isinstance(frame, Outage):
            self._show_nothing()
            if self._watcher is not None:
                self._send(self._watcher.outage(frame.message, self._clock.now_ns()))
            else:
                self._send_sight("blind", frame.message)
            return
        if isinstance(frame, Frame):
            self._frame = frame.shot
            if self._watcher is not None:
                self._send(self._watcher.feed(frame.shot, frame.t_ns, frame.is_repeat))
                self._source.is_calm = self._watcher.is_calm
                self._send_examples(self._watcher.take_examples())
            else:
                # The table is calibrated with what is shown.
                self._stills.feed(frame.shot, frame.t_ns)
                self._send_sight("blind", self._unready)

    def _show_nothing(self) -> None:
        """No old picture passes for what the camera sees now."""
        if self._frame is not None:
            self._frame = None
            self._connection.send(("frame", None))

    def _send(self, seen: list[Any]) -> None:
        for item in seen:
            self._connection.send(("seen", self._encoder.encode(item)))
            if isinstance(item, SightSeen):
                self._last_sight = (item.state, item.word)
        if seen:
            # Whoever takes over from here has to know of it: else the next throw would pass for this one.
            self._next_beat = 0.0

    def _send_examples(self, examples: list[Example]) -> None:
        for example in examples:
            ok, png = cv2.imencode(".png", example.crop)
            if ok:
                self._connection.send(("learned", example.token, png.tobytes()))

    _last_sight: tuple[str, str] = ("", "")

    def _send_sight(self, state: str, word: str) -> None:
        if self._last_sight == (state, word):
            return
        now_ns = self._clock.now_ns()
        self._send([msgspec.convert({"type": "sight", "state": state, "word": word, "t_ns": now_ns}, SightSeen)])

    def _beat(self) -> None:
        now = time.monotonic()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_S
            memory = self._watcher.memory() if self._watcher is not None else self._memory
            done = tuple(sorted(self._virtual.world.done)) if self._virtual is not None else ()
            beat = Beat(memory, done, self._watcher is not None)
            self._connection.send(("beat", self._encoder.encode(beat)))
        if self._frame is not None and now >= self._next_frame:
            is_looked_at = now - self._looked_at < LOOKED_AT_FOR_S
            self._next_frame = now + (LOOKED_AT_S if is_looked_at else FRAME_S)
            self._connection.send(("frame", self._shown(self._frame, is_looked_at)))

    def _shown(self, shot: Shot, is_looked_at: bool) -> bytes:
        """A JPEG of the newest frame, laid upon those before it unless nobody looks, or needs it to calibrate."""
        if isinstance(shot, Jpeg) and self._watcher is not None and not is_looked_at:
            return shot.data.tobytes()
        picture = decoded(shot) if self._is_slideshow else self._stills.picture()
        ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, FRAME_QUALITY])
        assert ok, "OpenCV could not compress a picture"
        return data.tobytes()


class _NothingYet:
    """A live source has no new frame at the moment."""


NOTHING_YET = _NothingYet()
STALLED = Outage("no new picture comes from the camera", 0.0)


class _Frames:
    """The next frame of a source; of a live one always the newest, taken in a thread of its own.

    Attributes:
        is_calm: not every frame of a live source is looked at.
    """

    def __init__(self, source: SteadySource, is_live: bool) -> None:
        self._source = source
        self._is_live = is_live
        self.is_calm = False
        self._newest: Frame | Outage | None = None
        self._silent_after = time.monotonic() + OPENING_S
        self._stalled_after = math.inf
        self._arrived = threading.Condition()
        self._is_closed = False
        self._is_over = False
        self._grabber = threading.Thread(target=self._grab, name="grabber", daemon=True) if is_live else None
        if self._grabber is not None:
            self._grabber.start()

    def next(self) -> Frame | Outage | _NothingYet | None:
        """Waits for a frame, of a live source no longer than until the next sign of life.

        Returns:
            An outage also where a live source only stands still.
        Raises:
            SystemExit: a live source has hung.
        """
        if not self._is_live:
            return self._source.read()
        with self._arrived:
            if not self._arrived.wait_for(lambda: self._newest is not None or self._is_over, BEAT_S / 2):
                if time.monotonic() > self._silent_after:
                    raise SystemExit("the camera has hung")
                return STALLED if time.monotonic() > self._stalled_after else NOTHING_YET
            newest, self._newest = self._newest, None
            now = time.monotonic()
            # After an outage it is opened anew.
            self._silent_after = now + (OPENING_S if isinstance(newest, Outage) else SILENT_S)
            self._stalled_after = math.inf if isinstance(newest, Outage) else now + STALLED_S
            return newest

    def close(self) -> None:
        """Gives the source back, a live one as soon as its frame has come: a hung camera is waited for no longer."""
        self._is_closed = True
        if self._grabber is not None:
            self._grabber.join(CLOSING_S)
        else:
            self._source.close()

    def _grab(self) -> None:
        while not self._is_closed:
            looked = time.monotonic()
            while self.is_calm and time.monotonic() - looked < PASSING_S and self._source.pass_over():
                pass
            frame = self._source.read()
            with self._arrived:
                self._newest, self._is_over = frame, frame is None
                self._arrived.notify()
            if frame is None:
                break
        self._source.close()


def _picture(data: Any) -> FrameBgr:
    """A picture from its file content or its path."""
    raw = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else np.fromfile(str(data), np.uint8)
    image = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
    if image is None:
        raise SourceError("A picture of the profile cannot be read: calibrate again.")
    return np.asarray(image, np.uint8)


def _virtual_style(virtual: dict[str, Any] | None) -> TableStyle:
    """The virtual table that the settings describe."""
    chosen = virtual or {}
    return TableStyle.random(int(chosen.get("seed", 0)), chosen.get("tokens") or 4)


def _virtual_seed(settings: Settings) -> int:
    return int((settings.virtual or {}).get("seed", 0))
