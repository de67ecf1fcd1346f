"""The dice towers of one table: finds them, keeps them connected, reports their throws.

`Tower("auto", on_observation=table.observe)` is the whole interface for the live table. Each open port has a thread
of its own; the conversation itself is `hardware.link`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol

import msgspec
import serial

from companion.observations import DieKind, SightSeen, TowerThrow
from hardware.link import Ledger, Link, throw_of
from hardware.ports import Port, PortError, Wanted, check_named, open_failed, ports
from hardware.protocol import Hello, Roll, hand_of, kinds_of

try:
    from termios import error as _TermiosError
except ImportError:  # Windows
    _TermiosError = OSError  # type: ignore[assignment, misc]

logger = logging.getLogger(__name__)

BAUD_RATE = 115200
#: Tried in turn where bytes come that make no sense; towers with USB of their own have no baud rate.
BAUD_RATES = (BAUD_RATE, 9600, 57600, 230400, 38400, 19200)
#: A board that restarts when its port is opened needs about two seconds to answer.
PROBE_S = 3.0
SCAN_EVERY_S = 1.0
READ_TIMEOUT_S = 0.1
WRITE_TIMEOUT_S = 1.0
BACK_OFF_S = (0.25, 0.5, 1.0, 2.0, 4.0)
#: Silent for so long, the port is opened anew.
GIVE_UP_S = 10.0

_PORT_ERRORS = (OSError, ValueError, TypeError, _TermiosError)

OnObservation = Callable[[TowerThrow | SightSeen], object]


class SerialLike(Protocol):
    """What the driver uses of `serial.Serial`."""

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int = 1) -> bytes: ...

    def write(self, data: bytes, /) -> int | None: ...

    def close(self) -> None: ...


OpenPort = Callable[..., SerialLike]
OnBytes = Callable[[str, Literal["tower", "host"], bytes], None]

TowerState = Literal["looking", "unknown", "foreign", "quiet", "ready", "rolling", "unsure", "failed", "gone"]


class TowerStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One port, as it is now.

    Attributes:
        word: the state for people; for `failed` a sentence that says what to do.
        damaged, missing: lines since the port was opened that came damaged, or not at all.
    """

    port: str
    state: TowerState
    word: str
    id: str | None = None
    name: str | None = None
    firmware: str | None = None
    dice: tuple[DieKind, ...] = ()
    baud_rate: int | None = None
    damaged: int = 0
    missing: int = 0


class Tower:
    """All dice towers that `port` names, found, kept and read until `stop`.

    Args:
        port: `auto`, a port, a URL (`socket://`, `rfc2217://`, `loop://`), a USB id; several with commas; `none`.
        on_observation: is given each valid throw once and each change of sight, from one thread at a time. A throw
            is acknowledged when it returns; when it raises, the tower repeats the throw.
        known: throws that count already (the journal of a resumed game); they are not reported again.
        on_bytes: is shown everything that goes over the wire, as (port, sender, bytes).
        list_ports, open_port, clock_ns: the computer's own; others for tests.
    """

    def __init__(
        self,
        port: str = "auto",
        *,
        on_observation: OnObservation,
        known: Iterable[TowerThrow] = (),
        on_bytes: OnBytes | None = None,
        list_ports: Callable[[], list[Port]] = ports,
        open_port: OpenPort = serial.serial_for_url,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wanted_ports = Wanted.from_text(port)
        self._on_observation = on_observation
        self._on_bytes = on_bytes
        self._list_ports = list_ports
        self._open_port = open_port
        self._clock_ns = clock_ns
        self._ledger = Ledger(known)
        self._connections: dict[str, _Connection] = {}
        self._hand: str | None = None
        self._met: set[str] = set()
        self._last_sight: SightSeen | None = None
        self._stopping = threading.Event()
        self._scanner: threading.Thread | None = None
        self._lock = threading.RLock()

    def start(self) -> None:
        """Begins to look for towers; returns at once."""
        self._scanner = threading.Thread(target=self._scan_until_stopped, name="tower-ports", daemon=True)
        self._scanner.start()

    def stop(self) -> None:
        """Closes all ports and ends all threads."""
        self._stopping.set()
        if self._scanner is not None:
            self._scanner.join()
        with self._lock:
            connections = list(self._connections.values())
        for connection in connections:
            connection.thread.join()

    def __enter__(self) -> "Tower":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def status(self) -> tuple[TowerStatus, ...]:
        """Every port that is open, or should be, in order of discovery; boards that proved to be none are left out."""
        with self._lock:
            return tuple(c.status() for c in self._connections.values() if not c.dismissed)

    def remember(self, known: Iterable[TowerThrow]) -> None:
        """These throws count already: another game is gone on with."""
        self._ledger.remember(known)

    def ask(self, kinds: Sequence[DieKind] | str) -> None:
        """Tells all towers which dice are wanted next: ("d6", "d6") or "2d6". Raises ValueError for no such hand."""
        hand = hand_of(kinds_of(kinds) if isinstance(kinds, str) else tuple(kinds))
        kinds_of(hand)
        with self._lock:
            self._hand = hand
            for connection in self._connections.values():
                connection.want(hand)

    def identify(self, tower: str | None = None, seconds: int = 5) -> None:
        """Lets the tower of this id blink, or all of them; 0-60 seconds."""
        with self._lock:
            for connection in self._connections.values():
                connection.identify(tower, seconds)

    def _scan_until_stopped(self) -> None:
        while True:
            try:
                self._scan(self._list_ports())
            except OSError as error:
                logger.warning("cannot list the serial ports: %s", error)
            self._show_sight()
            if self._stopping.wait(SCAN_EVERY_S):
                return

    def _scan(self, present: list[Port]) -> None:
        found = self._wanted_ports.found_in(present)
        with self._lock:
            for name in [name for name, c in self._connections.items() if c.is_over and name not in found]:
                del self._connections[name]  # when it is plugged in again it is asked again
            for name in found:
                known = self._connections.get(name)
                if known is None or (known.is_over and not known.dismissed):
                    connection = _Connection(name, self, self._is_asked_for(name, present), present)
                    self._connections[name] = connection
                    connection.want(self._hand)
                    connection.thread.start()

    def _is_asked_for(self, name: str, present: list[Port]) -> bool:
        """Somebody named this port or its USB id: it is not just one that looks like a tower."""
        wanted = self._wanted_ports
        return name in wanted.names or any(port.name == name and port.usb_id in wanted.usb_ids for port in present)

    def take(self, hello: Hello, roll: Roll) -> bool:
        """Hands a new roll on; True when it is safe. Called with the ledger's lock held, so one at a time."""
        throw = throw_of(hello, roll, self._clock_ns())
        return throw is None or self._report(throw)

    def changed(self) -> None:
        """Some connection's state may have changed."""
        self._show_sight()

    def _show_sight(self) -> None:
        with self._ledger.lock:
            sight = self._sight()
            if sight is not None and sight != self._last_sight:
                self._last_sight = sight
                self._report(msgspec.structs.replace(sight, t_ns=self._clock_ns()))

    def _sight(self) -> SightSeen | None:
        """The best of all towers; None as long as `auto` has found none."""
        with self._lock:
            connections = [c for c in self._connections.values() if not c.dismissed]
        self._met |= {connection.port for connection in connections if connection.has_met}
        order = {"well": 0, "unsure": 1, "blind": 2}
        shown = [c.sight() for c in connections if c.has_met or c.named or c.failed]
        if shown:
            return min(shown, key=lambda sight: order[sight.state])
        if self._met:
            return SightSeen(source="tower", state="blind", word="the tower is unplugged: plug it in, play goes on")
        return None

    def _report(self, observation: TowerThrow | SightSeen) -> bool:
        try:
            self._on_observation(observation)
        except Exception:  # whoever listens is not ours; the port must go on, and the tower will repeat a throw
            logger.exception("an observation of the tower was not taken")
            return False
        return True


class _Connection:
    """One port and its thread: opens it, talks, opens it again."""

    def __init__(self, port: str, owner: Tower, named: bool, present: list[Port]) -> None:
        self.port = port
        self.named = named
        self.dismissed = False
        self.has_met = False
        self._present = present
        self._owner = owner
        self._link: Link | None = None
        self._hand: str | None = None
        self._baud_rate = BAUD_RATE
        self._problem: PortError | None = None
        self.thread = threading.Thread(target=self._run, name=f"tower {port}", daemon=True)

    @property
    def is_over(self) -> bool:
        return self.thread.ident is not None and not self.thread.is_alive()

    @property
    def failed(self) -> bool:
        return self._problem is not None

    def want(self, hand: str | None) -> None:
        self._hand = hand
        if self._link is not None:
            self._link.wanted = hand

    def identify(self, tower: str | None, seconds: int) -> None:
        link = self._link
        if link is not None and link.hello is not None and tower in (None, link.hello.id):
            link.identify(seconds)

    def sight(self) -> SightSeen:
        status = self.status()
        if status.state in ("failed", "gone", "looking") or self._link is None:
            return SightSeen(source="tower", state="blind", word=status.word)
        return self._link.sight()

    def status(self) -> TowerStatus:
        link, problem = self._link, self._problem
        if problem is not None and not (self.has_met and problem.code == "port_missing"):
            return TowerStatus(port=self.port, state="failed", word=problem.message)
        if link is None:
            word = "unplugged: plug it in, play goes on" if self.has_met else "opening the port"
            return TowerStatus(port=self.port, state="gone" if self.has_met else "looking", word=word)
        status = TowerStatus(
            port=self.port,
            state=link.state,
            word=link.word,
            baud_rate=self._baud_rate,
            damaged=link.damaged,
            missing=link.missing,
        )
        if link.hello is None:
            return status
        who = link.hello
        return msgspec.structs.replace(status, id=who.id, name=who.name, firmware=who.firmware, dice=who.dice)

    def _run(self) -> None:
        failures = 0
        stopping = self._owner._stopping
        while not stopping.is_set():
            try:
                if self._talk():
                    failures = 0
            except PortError as error:
                self._problem = error
            self._link = None
            missing = self._problem is not None and self._problem.code == "port_missing"
            if self.dismissed or (self.port not in self._owner._wanted_ports.names and (self.has_met or missing)):
                break  # the scanner finds it again, perhaps under another name
            self._owner.changed()
            stopping.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1
        self._owner.changed()

    def _talk(self) -> bool:
        """One conversation, until the port closes; True when a tower was there. Raises `PortError`."""
        port = self._open()
        self._link = link = Link(self._owner._ledger, self._owner.take)
        link.wanted = self._hand
        try:
            self._converse(port, link)
        except _PORT_ERRORS as error:
            logger.info("%s is gone: %s", self.port, error)
        finally:
            _close(port)
        return link.hello is not None

    def _open(self) -> SerialLike:
        check_named(self.port, self._present)
        options: dict[str, Any] = {"baudrate": self._baud_rate, "timeout": READ_TIMEOUT_S}
        if not self.port.startswith("rfc2217://"):  # which knows no such thing
            options["write_timeout"] = WRITE_TIMEOUT_S
        if "://" not in self.port:
            options["exclusive"] = True
        try:
            return self._owner._open_port(self.port, **options)
        except _PORT_ERRORS as error:
            raise open_failed(self.port, error) from error

    def _converse(self, port: SerialLike, link: Link) -> None:
        clock_ns = self._owner._clock_ns
        opened_s = heard_s = clock_ns() / 1e9
        came = 0
        link.open(opened_s)
        shown: tuple[str, str] = ("", "")
        while not self._owner._stopping.is_set():
            self._write(port, link)
            data = port.read(1)
            if data:
                data += port.read(port.in_waiting)
            now_s = clock_ns() / 1e9
            if data:
                came += len(data)
                heard_s = now_s
                self._tell_bytes("tower", data)
                for _ in link.receive(data, now_s):
                    self._write(port, link)
            link.tick(now_s)
            self.has_met |= link.hello is not None
            if (link.state, link.word) != shown:
                shown = (link.state, link.word)
                self._problem = None if link.state != "unknown" else self._problem
                self._owner.changed()
            if link.hello is None and now_s - opened_s > PROBE_S and link.state != "foreign":
                self._no_tower(came)
                return
            if now_s - heard_s > GIVE_UP_S:
                return

    def _no_tower(self, came: int) -> None:
        """Nobody answered: another baud rate where bytes came, else it is no tower."""
        if not self.named:
            self.dismissed = True
            return
        if came and "://" not in self.port:
            self._baud_rate = BAUD_RATES[(BAUD_RATES.index(self._baud_rate) + 1) % len(BAUD_RATES)]
        why = "something else speaks there" if came else "nothing answers"
        raise PortError(f"No dice tower at {self.port}: {why}. Check the port, and that the tower has its firmware.")

    def _write(self, port: SerialLike, link: Link) -> None:
        if link.outgoing:
            data = bytes(link.outgoing)
            link.outgoing.clear()
            self._tell_bytes("host", data)
            port.write(data)

    def _tell_bytes(self, sender: Literal["tower", "host"], data: bytes) -> None:
        if self._owner._on_bytes is not None:
            self._owner._on_bytes(self.port, sender, data)


def _close(port: SerialLike) -> None:
    end = getattr(port, "_socket", None)  # pyserial leaves a socket:// open when the other end has gone first
    try:
        port.close()
        if end is not None:
            end.close()
    except _PORT_ERRORS as error:
        logger.debug("a port did not close: %s", error)
