"""A dice tower without a dice tower: a pseudo-terminal or a TCP port that behaves like one, or misbehaves on demand."""

import contextlib
import os
import random
import select
import socket
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol, get_args

from companion.observations import SourceError
from hardware.protocol import WhyNot

#: Faults of the line that last until they are taken back.
LastingFault = Literal["garble", "no_newline", "duplicate", "out_of_order", "drip", "flood", "version", "deaf"]
#: Faults that happen once.
SuddenFault = Literal["stuck", "unplug", "reboot"]
LASTING: tuple[LastingFault, ...] = get_args(LastingFault)
SUDDEN: tuple[SuddenFault, ...] = get_args(SuddenFault)

_TICK_S = 0.01
_UNPLUGGED_S = 1.0
_FLOOD_BYTES = 20_000
_DRIP_S = 0.0002


class DeviceLike(Protocol):
    """What the emulator puts on the line: `hardware.device.Device`, or the real firmware built for this computer."""

    disorderly: bool

    def take(self) -> list[bytes]: ...

    def receive(self, data: bytes, now_s: float) -> None: ...

    def tick(self, now_s: float) -> None: ...

    def throw(self, now_s: float, faces: Sequence[int | None] = (), why: WhyNot | None = None) -> bool: ...


class Line(Protocol):
    """What the emulated tower is plugged in with; `port` is what the host opens.

    Only `wait` waits, until there may be something to read; it alone may be called while another thread plugs.
    """

    @property
    def port(self) -> str: ...

    @property
    def baud_rate(self) -> int | None: ...

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def wait(self, timeout_s: float) -> None: ...

    def read(self) -> bytes: ...

    def write(self, data: bytes) -> None: ...


class PtyLine:
    """A pseudo-terminal; `link` is a path that always leads to it, also after it was plugged in again."""

    def __init__(self, link: Path | None = None) -> None:
        self._link = link
        self._fds: tuple[int, int] | None = None
        self._name = ""

    @property
    def port(self) -> str:
        return str(self._link) if self._link is not None else self._name

    @property
    def baud_rate(self) -> int | None:
        """What the host has set, in baud."""
        import termios

        if self._fds is None:
            return None
        speed = termios.tcgetattr(self._fds[1])[5]
        names = {
            getattr(termios, name): int(name[1:]) for name in dir(termios) if name[0] == "B" and name[1:].isdigit()
        }
        return names.get(speed)

    def plug(self) -> None:
        try:
            import tty
        except ImportError as error:
            raise SourceError("This system has no pseudo-terminals: use --listen HOST:PORT instead.") from error
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._fds = (master, slave)
        self._name = os.ttyname(slave)
        if self._link is not None:
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(self._name)

    def unplug(self) -> None:
        if self._fds is not None:
            if self._link is not None:
                self._link.unlink(missing_ok=True)
            for fd in self._fds:
                os.close(fd)
            self._fds = None

    def wait(self, timeout_s: float) -> None:
        _wait_for(self._fds[0] if self._fds is not None else None, timeout_s)

    def read(self) -> bytes:
        if self._fds is None:
            return b""
        try:
            return os.read(self._fds[0], 4096)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """What finds no room is lost, as it is on a port that nobody reads."""
        if self._fds is not None:
            with contextlib.suppress(BlockingIOError):
                while data:
                    data = data[os.write(self._fds[0], data) :]


class TcpLine:
    """A TCP port, for `socket://` and for systems without pseudo-terminals; one host at a time."""

    baud_rate: int | None = None

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._address = (host, port)
        self._server: socket.socket | None = None
        self._client: socket.socket | None = None

    @property
    def port(self) -> str:
        return f"socket://{self._address[0]}:{self._address[1]}"

    def plug(self) -> None:
        self._server = socket.create_server(self._address)
        self._address = self._server.getsockname()[:2]

    def unplug(self) -> None:
        for end in (self._client, self._server):
            if end is not None:
                end.close()
        self._client = self._server = None

    def wait(self, timeout_s: float) -> None:
        _wait_for(self._client or self._server, timeout_s)

    def read(self) -> bytes:
        end = self._client or self._server
        if end is None or not select.select([end], [], [], 0)[0]:
            return b""
        if self._client is None:
            self._client, _ = end.accept()
            return b""
        try:
            data = self._client.recv(4096)
        except ConnectionError:
            data = b""
        if not data:
            self._client.close()
            self._client = None
        return data

    def write(self, data: bytes) -> None:
        if self._client is not None:
            with contextlib.suppress(OSError):  # the next read notices that the host is gone
                self._client.sendall(data)


def _wait_for(readable: int | socket.socket | None, timeout_s: float) -> None:
    if readable is None:
        time.sleep(timeout_s)
        return
    with contextlib.suppress(OSError, ValueError):  # unplugged meanwhile
        select.select([readable], [], [], timeout_s)


class Faults:
    """What goes wrong between the tower and the host (that it is `deaf`, the emulator sees to)."""

    def __init__(self, rng: random.Random) -> None:
        self.active: set[LastingFault] = set()
        self._rng = rng
        self._held: list[bytes] = []

    def apply(self, lines: list[bytes]) -> list[bytes]:
        """The pieces in which these lines arrive."""
        pieces: list[bytes] = []
        for line in lines:
            if "version" in self.active and b'"crc":' in line:
                line = as_version(line, 2)
            if "garble" in self.active and self._rng.random() < 0.5:
                line = garbled(line, self._rng)
            if "no_newline" in self.active and self._rng.random() < 0.5:
                line = line.removesuffix(b"\n")
            pieces += [line, line] if "duplicate" in self.active else [line]
        if "out_of_order" in self.active or self._held:
            pieces = self._swap(pieces)
        if "flood" in self.active:
            pieces = [piece for line in pieces for piece in (self._rng.randbytes(_FLOOD_BYTES), b"\n", line)]
        if "drip" in self.active:
            pieces = [bytes([byte]) for line in pieces for byte in line]
        return pieces

    def _swap(self, lines: list[bytes]) -> list[bytes]:
        """Every other line waits for the next one, and goes after it."""
        if "out_of_order" not in self.active:
            lines, self._held = self._held + lines, []
            return lines
        swapped: list[bytes] = []
        for line in lines:
            if self._held:
                swapped += [line, self._held.pop()]
            else:
                self._held.append(line)
        return swapped


def garbled(line: bytes, rng: random.Random) -> bytes:
    """The line with one to five bytes changed, lost or added; its newline may be among them."""
    damaged = bytearray(line)
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(damaged))
        match rng.randrange(3):
            case 0:
                damaged[at] ^= 1 << rng.randrange(8)
            case 1 if len(damaged) > 1:
                del damaged[at]
            case _:
                damaged.insert(at, rng.randrange(256))
    return bytes(damaged)


def as_version(line: bytes, version: int) -> bytes:
    """The same frame as another version of the protocol would send it, checksum included."""
    body = line[: line.rfind(b',"crc":"')].replace(b'"v":1', b'"v":%d' % version, 1)
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


class Emulator:
    """A tower on a line, run by a thread of its own.

    Args:
        power_up: makes the device; called again after each power cut.
        baud_rate: of a tower behind a USB-UART bridge: a host at another rate sees noise. None: as USB, any rate.
        clock_ns: what the device is ticked with; the line itself is real.

    Attributes:
        written_ns: `clock_ns` just before the last bytes went onto the line.
    """

    def __init__(
        self,
        power_up: Callable[[], DeviceLike],
        line: Line,
        *,
        rng: random.Random | None = None,
        baud_rate: int | None = None,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._power_up = power_up
        self._line = line
        self._rng = rng or random.Random()
        self._faults = Faults(self._rng)
        self._baud_rate = baud_rate
        self._clock_ns = clock_ns
        self._cuts_power = False
        self._stuck = False
        self._plug_at_s: float | None = None
        self._stopping = threading.Event()
        self._lock = threading.RLock()
        self._thread = threading.Thread(target=self._run, name="tower-emulator", daemon=True)
        self.device: DeviceLike = power_up()
        self.is_plugged = False
        self.written_ns = 0

    @property
    def port(self) -> str:
        """What the host opens; may be another one after `plug`."""
        return self._line.port

    def start(self) -> None:
        """Plugs in and runs."""
        self.plug()
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread and unplugs."""
        self._stopping.set()
        self._thread.join()
        self.unplug()

    def __enter__(self) -> "Emulator":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def plug(self) -> None:
        """Into the host again; it has had power all the time."""
        with self._lock:
            if not self.is_plugged:
                self._line.plug()
                self.is_plugged = True

    def unplug(self) -> None:
        """The cable is pulled."""
        with self._lock:
            if self.is_plugged:
                self._line.unplug()
                self.is_plugged = False

    def cut_power(self) -> None:
        """It starts anew, with what its memory has kept."""
        with self._lock:
            self.device = self._power_up()

    def throw(self, faces: Sequence[int | None] = (), why: WhyNot | None = None) -> bool:
        """The dice fall and come to rest at once; random faces where none are given."""
        with self._lock:
            if self._stuck:
                why, self._stuck = "jammed", False
            kept = self.device.throw(self._now_s(), faces, why)
            self._send()
            return kept

    def misbehave(self, fault: LastingFault | SuddenFault) -> None:
        """From now on, or once: see `LastingFault` and `SuddenFault`."""
        with self._lock:
            match fault:
                case "stuck":
                    self._stuck = True
                case "unplug":
                    self.unplug()
                    self._plug_at_s = self._now_s() + _UNPLUGGED_S
                case "reboot":
                    self._cuts_power = True
                case _:
                    self._faults.active.add(fault)
                    self.device.disorderly = "out_of_order" in self._faults.active

    def behave(self) -> None:
        """Ends all lasting faults."""
        with self._lock:
            self._faults.active.clear()
            self.device.disorderly = False

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._line.wait(_TICK_S)
            with self._lock:
                data = self._line.read()
                now_s = self._now_s()
                if self._plug_at_s is not None and now_s >= self._plug_at_s:
                    self._plug_at_s = None
                    self.plug()
                if data and self._hears_right() and "deaf" not in self._faults.active:
                    self.device.receive(data, now_s)
                self.device.tick(now_s)
                self._send()

    def _send(self) -> None:
        lines = self.device.take()
        for at, line in enumerate(lines):
            if self._cuts_power and b'"roll"' in line:
                self._cuts_power = False
                self._put(self._faults.apply([*lines[:at], line[: len(line) // 2]]))
                self.cut_power()
                return
        self._put(self._faults.apply(lines))

    def _put(self, pieces: list[bytes]) -> None:
        right = self._hears_right()
        for piece in pieces:
            self.written_ns = self._clock_ns()
            self._line.write(piece if right else bytes(byte * 7 % 256 | 0x80 for byte in piece))
            if "drip" in self._faults.active:
                time.sleep(_DRIP_S)

    def _hears_right(self) -> bool:
        return self._baud_rate is None or self._line.baud_rate in (None, self._baud_rate)

    def _now_s(self) -> float:
        return self._clock_ns() / 1e9
