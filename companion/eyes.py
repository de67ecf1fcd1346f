"""Supervises the eyes, which run in a process of their own and may fail without hurting the game.

Knows nothing of cameras and pictures: the process's target is handed in by the command line.
"""

import logging
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from companion.observations import BoardBook, DieKind, Observation, Picture, SightSeen

log = logging.getLogger(__name__)

#: Pauses before a crashed worker is started again; the last one repeats.
BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 10.0)
#: A worker that lived this long had not failed at its start.
HEALTHY_S = 30.0
#: Silence after which the players are told, and what was seen last does not pass for now any more. Before the virtual
#: table a worker is silent for 0.7 s at most, with a twelfth of a core for 2.3 s; making ready 4.5 s and 35 s.
QUIET_S = 3.0
#: Silence after which a worker counts as hung: at its start and while it says that it is busy, and later.
START_LIMIT_S, SILENCE_LIMIT_S = 180.0, 10.0
POLL_S = 0.1
#: Whoever asks for a frame of now waits so long for it, not counting while a worker gets ready, and looks so often.
FRAME_LIMIT_S, FRAME_POLL_S = 3.0, 0.05
#: A worker that takes longer to stop is killed.
STOP_LIMIT_S = 2.0

Target = Callable[[Connection, dict[str, Any]], None]


@dataclass(frozen=True)
class EyesStatus:
    """How the eyes are.

    Attributes:
        state: `well`, `unsure` or `blind`, as the worker says, or `blind` while there is none.
        restarts: how often the worker had to be started again.
        has_ended: a finite source is at its end.
    """

    state: str
    word: str
    restarts: int = 0
    is_running: bool = False
    has_ended: bool = False
    is_calibrated: bool = False


class _Beat(msgspec.Struct):
    memory: msgspec.Raw
    world_done: tuple[int, ...] = ()
    is_calibrated: bool = False


class Eyes:
    """Starts the worker, passes on what it sees, and starts it again when it dies or hangs.

    Callbacks come from the supervising thread and should only put things into an inbox; one that fails is logged.
    """

    def __init__(
        self,
        target: Target,
        settings: dict[str, Any],
        on_observation: Callable[[Observation], None],
        on_picture: Callable[[Picture], None],
        list_cameras: Callable[[], list[int]] | None = None,
        on_learned: Callable[[str, bytes], dict[str, Any] | None] | None = None,
    ) -> None:
        """
        Args:
            on_learned: keeps what a correction has taught (token, picture) and returns the profile with it.
        """
        self._target = target
        self._settings = dict(settings)
        self._on_observation = on_observation
        self._on_picture = on_picture
        self._list_cameras = list_cameras
        self._on_learned = on_learned
        self._decoder: msgspec.msgpack.Decoder[Observation | Picture] = msgspec.msgpack.Decoder(Observation | Picture)
        self._beat_decoder = msgspec.msgpack.Decoder(_Beat)
        self._posted = threading.Condition()
        self._outbox: list[tuple[Any, ...]] = []
        self._frame: bytes | None = None
        self._frames = 0
        self._is_busy = True
        self._status = EyesStatus("blind", "starting")
        self._sight: SightSeen | None = None
        self._world_done: frozenset[int] = frozenset()
        self._stopping = threading.Event()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._thread: threading.Thread | None = None
        self._runs = 0

    def start(self) -> None:
        """Begins to watch; returns at once."""
        self._thread = threading.Thread(target=self._supervise, name="eyes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the worker and waits for it."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=10.0)

    @property
    def status(self) -> EyesStatus:
        return self._status

    @property
    def pid(self) -> int | None:
        """Process id of the worker; None while there is none."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def latest_frame(self) -> bytes | None:
        """The newest frame as a JPEG; None while the camera gives none. Asking makes frames come more often a while."""
        self._tell("frame")
        return self._frame

    def frame_now(self) -> bytes | None:
        """A frame from after this was asked for, as a JPEG; None where the camera gives none.

        A worker that is getting ready is waited for: what it showed before passes for nothing, and a camera that only
        has to wait is not taken for one that gives no picture.
        """
        self._tell("frame")
        known = self._frames
        waiting_s = 0.0
        while self._frames == known and waiting_s < FRAME_LIMIT_S and not self._stopping.wait(FRAME_POLL_S):
            waiting_s = 0.0 if self._is_busy else waiting_s + FRAME_POLL_S
        return self._frame if self._frames > known else None

    def use_profile(self, profile: dict[str, Any]) -> None:
        """Another calibration: `empty` and `enrol` (paths or JPEG bytes), `taps`; also for restarted workers."""
        self._settings["profile"] = profile
        self._tell("profile", profile)

    def use_camera(self, camera: str) -> None:
        """Another source, as `--camera` names it."""
        self._settings["camera"] = camera
        self._tell("camera", camera)

    def expect(self, dice: tuple[DieKind, ...] | None) -> None:
        """Which dice the game waits for; None when that is unknown."""
        if self._settings.get("expect") != dice:
            self._settings["expect"] = dice
            self._tell("expect", dice)

    def read_dice(self, is_wanted: bool) -> None:
        """Whether this camera reads the dice, or leaves them to another."""
        self._settings["reads_dice"] = is_wanted
        self._tell("read_dice", is_wanted)

    def look_for(self, has_markers: bool, playing: tuple[str, ...] | None) -> None:
        """What the game has.

        Args:
            has_markers: bombs, miners, a cop.
            playing: names under which tokens may be enrolled that play; None where all may.
        """
        self._settings.update(has_markers=has_markers, playing=playing)
        self._tell("game", has_markers, playing)

    def learn(self, book: BoardBook) -> None:
        """What the game has on the board: helps to tell look-alikes apart, and to count houses."""
        self._settings["book"] = book
        self._tell("book", book)

    def teach(self, token: str, square: int, in_jail: bool, company: list[str]) -> None:
        """People say that this token stands on this square (0-39), where these others belong too."""
        self._tell("told", {"token": token, "square": square, "in_jail": in_jail, "company": tuple(company)})

    def move_world(self, commands: list[dict[str, Any]]) -> None:
        """Lets people at the virtual table do something."""
        self._tell("world", commands)

    @property
    def world_done(self) -> frozenset[int]:
        """Ids of the virtual table's commands that have been carried out."""
        return self._world_done

    def cameras(self) -> list[int]:
        """Numbers of the cameras that are plugged in."""
        return self._list_cameras() if self._list_cameras is not None else []

    def _tell(self, *message: Any) -> None:
        with self._posted:
            if message in self._outbox:
                self._outbox.remove(message)  # what was told in between does not hold any more
            self._outbox.append(message)
            self._posted.notify()

    def _supervise(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            started = time.monotonic()
            try:
                reason = self._one_life()
            except (OSError, RuntimeError) as error:  # no memory, pipe or thread: there may be some in a while
                reason = f"could not be started ({error})"
            if self._stopping.is_set():
                break
            failures = 0 if time.monotonic() - started > HEALTHY_S else failures + 1
            pause_s = BACK_OFF_S[min(max(failures - 1, 0), len(BACK_OFF_S) - 1)]
            log.warning("the eyes %s; starting them again in %.1f s", reason, pause_s)
            self._became_blind(f"the eyes {reason} and are being restarted")
            self._stopping.wait(pause_s)

    def _became_blind(self, word: str) -> None:
        self._status = EyesStatus("blind", word, self._status.restarts + 1)
        self._sight, self._is_busy = None, False
        self._tell_blind(word)

    def _tell_blind(self, word: str) -> None:
        self._frame = None
        self._status = replace(self._status, state="blind", word=word)
        self._shielded(self._on_observation, SightSeen(state="blind", word=word))

    def _one_life(self) -> str:
        """Runs one worker to its end; returns what ended it."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._runs += 1
        # A new worker starts from the settings, which hold what it was told; what is told from here on it hears too.
        with self._posted:
            self._outbox = [message for message in self._outbox if message[0] == "world"]
        settings = {**self._settings, "prefix": f"{self._settings.get('prefix', '')}{self._runs:02d}-"}
        process = context.Process(target=self._target, args=(theirs, settings), name="eyes", daemon=True)
        process.start()
        self._process = process
        theirs.close()
        # In a thread of its own: a worker that waits for its own frame to be taken takes nothing meanwhile.
        is_over = threading.Event()
        postman = threading.Thread(target=self._post, args=(ours, is_over), name="eyes-post", daemon=True)
        postman.start()
        try:
            return self._attend(ours, process)
        finally:
            with self._posted:
                is_over.set()
                self._posted.notify_all()
            self._end(ours, process)
            postman.join()
            ours.close()

    def _attend(self, ours: Connection, process: multiprocessing.process.BaseProcess) -> str:
        heard = time.monotonic()
        self._is_busy, is_quiet = True, False
        while not self._stopping.is_set():
            try:
                message = ours.recv() if ours.poll(POLL_S) else None
            except (EOFError, OSError):
                return "stopped"
            if message is not None:
                heard, self._is_busy = time.monotonic(), message[0] == "busy"
                if is_quiet and self._sight is not None:
                    self._shielded(self._see, self._sight)
                is_quiet = False
                self._shielded(self._take, *message)
            if not process.is_alive() and not ours.poll():
                return "stopped"
            silence_s = time.monotonic() - heard
            if silence_s > (START_LIMIT_S if self._is_busy else SILENCE_LIMIT_S):
                return "hung"
            if silence_s > QUIET_S and not is_quiet:
                is_quiet = True
                self._tell_blind("getting ready" if self._is_busy else "the camera does not answer")
        return "were told to stop"

    def _post(self, ours: Connection, is_over: threading.Event) -> None:
        """Sends the worker what it is told, and at the end to stop; what was not sent yet is for the next worker."""
        is_stopped = False
        while not is_stopped:
            with self._posted:
                self._posted.wait_for(lambda: bool(self._outbox) or is_over.is_set())
                is_stopped = is_over.is_set()
                messages = [("stop",)]
                if not is_stopped:
                    messages, self._outbox = self._outbox, []
            try:
                for message in messages:
                    ours.send(message)
            except OSError:
                log.debug("the worker's pipe was closed before it was told everything")

    @staticmethod
    def _shielded(call: Callable[..., None], *arguments: Any) -> None:
        try:
            call(*arguments)
        except Exception:  # whoever listens is not ours; the eyes must go on
            log.exception("what the eyes told was not taken")

    def _take(self, what: str, *arguments: Any) -> None:
        data = arguments[0] if arguments else b""
        if what == "seen":
            seen = self._decoder.decode(data)
            if isinstance(seen, Picture):
                self._on_picture(seen)
                return
            if isinstance(seen, SightSeen):
                self._see(seen)
            else:
                self._on_observation(seen)
        elif what == "frame":
            self._frame = data
            self._frames += 1
        elif what == "beat":
            beat = self._beat_decoder.decode(data)
            self._settings["memory"] = bytes(beat.memory)
            self._world_done = frozenset(beat.world_done)
            self._status = replace(self._status, is_running=True, is_calibrated=beat.is_calibrated)
        elif what == "learned":
            if self._on_learned is not None:
                self._settings["profile"] = self._on_learned(*arguments)
        elif what == "ended":
            self._status = replace(self._status, has_ended=True)

    def _see(self, sight: SightSeen) -> None:
        """How well the worker says it sees."""
        self._sight = sight
        self._status = replace(self._status, state=sight.state, word=sight.word, is_running=True)
        self._on_observation(sight)

    @staticmethod
    def _end(ours: Connection, process: multiprocessing.process.BaseProcess) -> None:
        """Waits for the worker, taking what it still says, and kills it when that takes too long."""
        end = time.monotonic() + STOP_LIMIT_S
        try:
            while process.is_alive() and time.monotonic() < end:
                if ours.poll(POLL_S):
                    ours.recv()
        except (EOFError, OSError):
            log.debug("the worker's pipe was closed already")
        process.join(timeout=max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join(timeout=STOP_LIMIT_S)
