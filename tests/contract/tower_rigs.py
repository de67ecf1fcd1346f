"""Four towers for one contract: the emulator, loop://, a recorded session, and the firmware built for this computer.

The recording is made by running the contract on the emulator with `RECORD_TOWER=1` in the environment.
"""

import itertools
import json
import os
import random
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import serial

from companion.observations import SightSeen, TowerThrow
from hardware.device import Device, Memory
from hardware.emulator import DeviceLike, Emulator, Line, PtyLine
from hardware.protocol import Damage, Frame, Heartbeat, LineReader, Roll, kinds_of
from hardware.tower import Tower

FIRMWARE = Path(__file__).parents[2] / "hardware/firmware"
RECORDING = Path(__file__).parents[1] / "data/tower/sessions.jsonl"
WAIT_S = 180.0


class LoopLine:
    """A loop:// port as the cable: the host's end is `open`, whose writing goes to the tower and not into the loop."""

    baud_rate: int | None = None
    port = "loop://"

    def __init__(self, most_wait_s: float = 0.05) -> None:
        """
        Args:
            most_wait_s: what the host has not made room for by then is lost.
        """
        self._most_wait_s = most_wait_s
        self._loop: Any = None
        self._from_host: deque[bytes] = deque()

    @property
    def is_plugged(self) -> bool:
        return self._loop is not None

    def plug(self) -> None:
        self._loop = serial.serial_for_url("loop://", timeout=0.05, write_timeout=self._most_wait_s, baudrate=10**9)

    def unplug(self) -> None:
        self._loop.close()
        self._loop = None

    def wait(self, timeout_s: float) -> None:
        time.sleep(timeout_s)

    def read(self) -> bytes:
        return self._from_host.popleft() if self._from_host else b""

    def write(self, data: bytes) -> None:
        if self._loop is not None:
            with suppress(serial.SerialException):  # full: what is not read is lost
                self._loop.write(data)

    def open(self, _port: str, **_options: object) -> "LoopLine.HostEnd":
        if self._loop is None:
            raise serial.SerialException(2, "no such port")
        return LoopLine.HostEnd(self._loop, self._from_host)

    class HostEnd:
        def __init__(self, loop: Any, to_tower: deque[bytes]) -> None:
            self._loop = loop
            self._to_tower = to_tower
            self.read = loop.read

        @property
        def in_waiting(self) -> int:
            return int(self._loop.in_waiting)

        def write(self, data: bytes) -> int:
            self._to_tower.append(data)
            return len(data)

        def close(self) -> None:
            pass  # the other end owns it


class FirmwareDevice:
    """The real firmware in a process; what it says is read from its standard output."""

    def __init__(self, program: Path, store: Path) -> None:
        command = [program, "--fast", "--store", store]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        assert self._stdin is not None
        assert self._stdout is not None
        os.set_blocking(self._stdout.fileno(), False)
        self._reader = LineReader("tower")
        self._rest = b""
        self._asked = "2d6"
        self.waiting = 0
        self.disorderly = False

    def take(self) -> list[bytes]:
        data = self._stdout.read() or b""
        for frame in self._reader.feed(data):
            if isinstance(frame, Heartbeat):
                self._asked, self.waiting = frame.asked, frame.waiting
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line + b"\n" for line in lines]

    def receive(self, data: bytes, now_s: float) -> None:
        self._stdin.write(data)

    def tick(self, now_s: float) -> None:
        pass

    def throw(self, now_s: float, faces: Sequence[int | None] = (), why: str | None = None) -> bool:
        kinds = kinds_of(self._asked)
        shown = [face or 0 for face in faces] or [1] * len(kinds)
        shown = {"cocked": [*shown[:-1], 0], "missing": shown[:-1], "jammed": []}.get(why or "", shown)
        dice = " ".join(f"{kind}:{face}" for kind, face in zip(kinds, shown, strict=False))
        self._stdin.write(f"!throw {dice}\n".encode())
        return True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._stdin.close()
        self._stdout.close()


class Rig:
    """A tower that can be made to do things, the driver on it, and what the driver reported.

    Attributes:
        is_live: it answers what the driver says; a recording does not.
    """

    is_live = True

    def __init__(self, emulator: Emulator, open_port: Callable[..., Any] = serial.serial_for_url) -> None:
        self._emulator = emulator
        self._changed = threading.Condition()
        self.heard: list[TowerThrow | SightSeen] = []
        self.frames: dict[str, list[Frame | Damage]] = {"tower": [], "host": []}
        self._readers = {"tower": LineReader("tower"), "host": LineReader("host")}
        self._record: list[dict[str, Any]] = []
        self.tower = Tower(emulator.port, on_observation=self._hear, on_bytes=self._listen, open_port=open_port)

    def _hear(self, observation: TowerThrow | SightSeen) -> None:
        with self._changed:
            self.heard.append(observation)
            self._changed.notify_all()

    def _listen(self, _port: str, sender: str, data: bytes) -> None:
        with self._changed:
            self.frames[sender] += self._readers[sender].feed(data)  # type: ignore[arg-type]
            if sender == "tower":
                self._record.append({"bytes": data.decode("latin-1")})
            self._changed.notify_all()

    def step(self, name: str, *arguments: Any) -> None:
        """Lets the tower do something: a method of `Emulator`."""
        self._record.append({"step": name, "arguments": arguments})
        getattr(self._emulator, name)(*arguments)

    @property
    def throws(self) -> list[tuple[int, ...]]:
        return [seen.faces for seen in self.heard if isinstance(seen, TowerThrow)]

    @property
    def words(self) -> list[str]:
        return [f"{seen.state}: {seen.word}" for seen in self.heard if isinstance(seen, SightSeen)]

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Raises AssertionError, saying what was heard, when it does not come true."""
        with self._changed:
            if not self._changed.wait_for(condition, WAIT_S):
                damage = [item for item in self.frames["tower"] if isinstance(item, Damage)]
                raise AssertionError(f"heard {self.heard}\nstatus {self.tower.status}\ndamage {damage[-5:]}")

    def wait_until_all_is_taken(self) -> None:
        """The last acknowledgement has reached the tower."""

        def nothing_waits() -> bool:
            last = next((f for f in self.frames["tower"][::-1] if isinstance(f, Heartbeat | Roll)), None)
            return isinstance(last, Heartbeat) and last.waiting == 0

        self.wait_until(nothing_waits)

    def wait_until_kept(self, count: int) -> None:
        """So many throws wait in the tower: the firmware, unlike the others, takes a while to see dice at rest."""
        device, end_s = self._emulator.device, time.monotonic() + WAIT_S
        while isinstance(device, FirmwareDevice) and device.waiting != count:
            assert time.monotonic() < end_s, f"{device.waiting} throws are kept, not {count}"
            time.sleep(0.01)

    def start(self, is_understood: bool = True) -> None:
        """Plugs the tower in, and lets the driver find it."""
        self._emulator.start()
        self.tower.start()
        if is_understood:
            self.wait_until(lambda: any(word.startswith("well") for word in self.words))

    def stop(self) -> None:
        self.tower.stop()
        self._emulator.stop()

    def save(self, session: str) -> None:
        """Appends what the tower did and said to the recording."""
        lines = []
        for key, parts in itertools.groupby(self._record, key=lambda line: "bytes" in line):
            many = list(parts)
            lines += [{"bytes": "".join(part["bytes"] for part in many)}] if key else many
        with RECORDING.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps({"session": session} | line) + "\n" for line in lines)


class RecordedRig(Rig):
    """Plays the bytes that followed each step when the session was recorded."""

    is_live = False

    def __init__(self, session: str) -> None:
        self._line = LoopLine(WAIT_S)
        quiet = Emulator(lambda: Device(random.Random(0)), self._line)
        super().__init__(quiet, self._line.open)
        lines = [json.loads(line) for line in RECORDING.read_text(encoding="utf-8").splitlines()]
        self._tape = deque(line for line in lines if line["session"] == session)

    def start(self, is_understood: bool = True) -> None:
        self._line.plug()
        self.tower.start()
        self.wait_until(lambda: bool(self.frames["host"]))  # the port is open
        self._play()
        if is_understood:
            self.wait_until(lambda: any(word.startswith("well") for word in self.words))

    def stop(self) -> None:
        self.tower.stop()
        assert not self._tape, f"the session has not been played to its end: {self._tape[0]}"

    def step(self, name: str, *arguments: Any) -> None:
        played = self._tape.popleft()
        assert played["step"] == name, f"recorded was {played}, not {name}"
        assert played["arguments"] == json.loads(json.dumps(arguments))
        if name == "unplug":
            self._line.unplug()
        elif name == "plug":
            said = len(self.frames["host"])
            self._line.plug()
            self.wait_until(lambda: len(self.frames["host"]) > said)
        if self._line.is_plugged:
            self._play()

    def _play(self) -> None:
        while self._tape and "bytes" in self._tape[0]:
            data = self._tape.popleft()["bytes"].encode("latin-1")
            for start in range(0, len(data), 1000):
                self._line.write(data[start : start + 1000])
                time.sleep(0.002)


def emulated(seed: int) -> Callable[[], DeviceLike]:
    """A tower that remembers over power cuts."""
    rng, memory = random.Random(seed), Memory()
    return lambda: Device(rng, memory=memory, heartbeat_s=0.3, repeat_s=0.15)


def build_firmware(folder: Path) -> Path | None:
    """The firmware for this computer; None without a C++ compiler."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None or shutil.which("make") is None:
        return None
    make = ["make", "-s", "-C", str(FIRMWARE / "host"), f"BUILD={folder}", f"CXX={compiler}", f"{folder}/tower_host"]
    subprocess.run(make, check=True, timeout=240)
    return folder / "tower_host"


@contextmanager
def rig_of(kind: str, session: str, folder: Path, program: Path | None) -> Iterator[Rig]:
    """One of `emulator`, `loop`, `recorded`, `firmware`; not yet started."""
    processes: list[FirmwareDevice] = []

    def firmware() -> DeviceLike:
        assert program is not None
        for process in processes:
            process.kill()
        processes[:] = [FirmwareDevice(program, folder / "rolls")]
        return processes[0]

    rng = random.Random(5)
    rig: Rig
    if kind == "recorded":
        rig = RecordedRig(session)
    elif kind == "loop":
        line = LoopLine()
        rig = Rig(Emulator(emulated(5), line, rng=rng), line.open)
    else:
        pty: Line = PtyLine(folder / "tower")
        rig = Rig(Emulator(emulated(5) if kind == "emulator" else firmware, pty, rng=rng))
    try:
        yield rig
    finally:
        rig.stop()
        if kind == "emulator" and os.environ.get("RECORD_TOWER") and "flood" not in session:
            rig.save(session)
        for process in processes:
            process.kill()
