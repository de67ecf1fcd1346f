"""The driver on real pseudo-terminals and sockets: discovery, several towers, all that can be wrong with a port."""

import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import serial
import serial.rfc2217

import hardware.tower
from companion.observations import SightSeen, TowerThrow
from hardware.device import Device, Memory
from hardware.emulator import Emulator, Line, PtyLine, TcpLine
from hardware.ports import Port
from hardware.tower import Tower

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
    pytest.mark.xdist_group("tower"),
]

PICO = "2e8a:000a"
#: Longer than anything takes, on however busy a machine.
PATIENCE_S = 120.0


@pytest.fixture(autouse=True)
def _quick_to_look_but_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware.tower, "PROBE_S", PATIENCE_S)
    monkeypatch.setattr(hardware.tower, "SCAN_EVERY_S", 0.05)
    monkeypatch.setattr(hardware.tower, "BACK_OFF_S", (0.05, 0.1))


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For ports at which nobody answers."""
    monkeypatch.setattr(hardware.tower, "PROBE_S", 0.9)


class Heard:
    """Collects what the driver reports."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.all: list[TowerThrow | SightSeen] = []
        self.failures_left = 0

    def __call__(self, observation: TowerThrow | SightSeen) -> None:
        with self._changed:
            if isinstance(observation, TowerThrow) and self.failures_left:
                self.failures_left -= 1
                raise RuntimeError("the table is busy")
            self.all.append(observation)
            self._changed.notify_all()

    @property
    def throws(self) -> list[tuple[str | None, tuple[int, ...]]]:
        return [(seen.tower, seen.faces) for seen in self.all if isinstance(seen, TowerThrow)]

    @property
    def sights(self) -> list[str]:
        return [f"{seen.state}: {seen.word}" for seen in self.all if isinstance(seen, SightSeen)]

    def wait_until(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE_S), self.all


class Bench:
    """Emulated towers, and a driver that is closed at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stack = ExitStack()
        self.heard = Heard()
        self.present: list[Port] = []
        self.opened: list[str] = []
        self.looks = 0

    def emulate(self, name: str, line: Line | None = None, baud_rate: int | None = None) -> Emulator:
        rng, memory = random.Random(name), Memory()

        def power_up() -> Device:
            return Device(rng, tower_id=name, memory=memory, heartbeat_s=0.2, repeat_s=0.1)

        line = line or PtyLine(self.folder / name)
        return self.stack.enter_context(Emulator(power_up, line, rng=rng, baud_rate=baud_rate))

    def list(self, emulator: Emulator, usb_id: str | None = PICO, text: str = "") -> Port:
        self.present.append(Port(name=emulator.port, usb_id=usb_id, text=text))
        return self.present[-1]

    def drive(self, port: str, **options: Any) -> Tower:
        def open_port(name: str, **settings: Any) -> Any:
            self.opened.append(name)
            return serial.serial_for_url(name, **settings)

        def list_ports() -> list[Port]:
            self.looks += 1
            return list(self.present)

        options = {"open_port": open_port, "list_ports": list_ports} | options
        return self.stack.enter_context(Tower(port, on_observation=self.heard, **options))

    def wait_for_looks(self, more: int = 4) -> None:
        """The driver has looked at what is plugged in some times more, and acted upon it."""
        enough = self.looks + more
        wait_until(lambda: self.looks >= enough)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    with bench.stack:
        yield bench


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_auto_without_a_tower_opens_nothing_and_says_nothing(bench: Bench) -> None:
    for usb_id, text in ((None, "n/a"), ("10c4:ea60", "CP2102"), ("2c99:0002", "Prusa"), ("04e8:6860", "SAMSUNG")):
        bench.present.append(Port(name=f"/dev/{text}", usb_id=usb_id, text=text))
    tower = bench.drive("auto")
    bench.wait_for_looks()
    assert (bench.opened, bench.heard.all, tower.status) == ([], [], ())


def test_auto_finds_a_tower_that_is_plugged_in_later_and_again_under_another_name(bench: Bench) -> None:
    bench.drive("auto")
    first = bench.emulate("one")
    bench.list(first)
    bench.heard.wait_until(lambda: "well: ready" in bench.heard.sights)
    first.unplug()
    bench.present.clear()
    bench.heard.wait_until(lambda: bench.heard.sights[-1].startswith("blind: the tower is unplugged"))
    first.throw((2, 3))
    again = Emulator(lambda: first.device, PtyLine(bench.folder / "elsewhere"))
    bench.stack.enter_context(again)
    bench.list(again)
    bench.heard.wait_until(lambda: bench.heard.throws == [("one", (2, 3))])
    wait_until(lambda: bench.heard.sights[-1] == "well: ready")


@pytest.mark.usefixtures("_impatient")
def test_a_board_that_is_no_tower_is_asked_once_and_then_left_alone(bench: Bench) -> None:
    line = PtyLine(bench.folder / "other")
    line.plug()
    bench.stack.callback(line.unplug)
    bench.present.append(Port(name=line.port, usb_id=PICO))
    tower = bench.drive("auto")
    wait_until(lambda: bool(bench.opened) and tower.status == ())
    bench.wait_for_looks()
    assert bench.opened == [line.port]
    assert bench.heard.all == []
    assert tower.status == ()
    bench.present.clear()
    bench.wait_for_looks()
    bench.present.append(Port(name=line.port, usb_id=PICO))
    wait_until(lambda: len(bench.opened) == 2)


def test_several_towers_play_together(bench: Bench) -> None:
    red, blue = bench.emulate("red"), bench.emulate("blue")
    bench.list(red)
    tower = bench.drive(f"auto,{blue.port}")
    wait_until(lambda: {status.id for status in tower.status} == {"red", "blue"})
    for emulator, faces in ((red, (1, 1)), (blue, (2, 2)), (red, (3, 3))):
        count = len(bench.heard.throws)
        emulator.throw(faces)
        bench.heard.wait_until(lambda count=count: len(bench.heard.throws) > count)  # type: ignore[misc]
    assert bench.heard.throws == [("red", (1, 1)), ("blue", (2, 2)), ("red", (3, 3))]


def test_one_tower_lost_does_not_blind_the_other(bench: Bench) -> None:
    red, blue = bench.emulate("red"), bench.emulate("blue")
    tower = bench.drive(f"{red.port},{blue.port}")
    wait_until(lambda: [status.state for status in tower.status] == ["ready", "ready"])
    red.unplug()
    wait_until(lambda: tower.status[0].state == "gone" and bench.heard.sights[-1] == "well: ready")
    blue.unplug()
    bench.heard.wait_until(lambda: bench.heard.sights[-1].startswith("blind"))


def test_a_port_in_use_is_told_and_taken_when_it_is_free(bench: Bench) -> None:
    emulator = bench.emulate("one")
    other = serial.Serial(emulator.port, exclusive=True)
    bench.drive(emulator.port)
    bench.heard.wait_until(lambda: any("Another program uses" in sight for sight in bench.heard.sights))
    other.close()
    bench.heard.wait_until(lambda: bench.heard.sights[-1] == "well: ready")


def test_a_port_without_permission_is_told_with_the_remedy(bench: Bench) -> None:
    def refuse(name: str, **_: object) -> Any:
        raise serial.SerialException(13, f"could not open port {name}: [Errno 13] Permission denied: '{name}'")

    bench.present.append(Port(name="/dev/ttyACM0", usb_id=PICO))
    tower = bench.drive("auto", open_port=refuse)
    bench.heard.wait_until(lambda: bool(bench.heard.sights))
    assert "You may not use /dev/ttyACM0 yet" in bench.heard.sights[-1] or sys.platform != "linux"
    assert tower.status[0].state == "failed"


def test_a_printer_that_somebody_names_is_not_opened(bench: Bench) -> None:
    bench.present.append(Port(name="/dev/ttyACM1", usb_id="2c99:0002"))
    bench.drive("/dev/ttyACM1")
    bench.heard.wait_until(lambda: any("does not write to it" in sight for sight in bench.heard.sights))
    assert bench.opened == []


def test_a_named_port_that_is_not_there_is_told_until_it_is(bench: Bench) -> None:
    bench.drive(str(bench.folder / "late"))
    bench.heard.wait_until(lambda: any("is not there: plug the tower in" in sight for sight in bench.heard.sights))
    bench.emulate("late")
    bench.heard.wait_until(lambda: bench.heard.sights[-1] == "well: ready")


@pytest.mark.usefixtures("_impatient")
def test_another_baud_rate_is_found(bench: Bench) -> None:
    emulator = bench.emulate("slow", baud_rate=57600)
    tower = bench.drive(emulator.port)
    bench.heard.wait_until(lambda: bench.heard.sights[-1:] == ["well: ready"])
    assert tower.status[0].baud_rate == 57600
    assert any("something else speaks there" in sight for sight in bench.heard.sights)
    emulator.throw((4, 5))
    bench.heard.wait_until(lambda: bench.heard.throws == [("slow", (4, 5))])


def test_a_throw_that_the_table_could_not_take_comes_again(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    emulator = bench.emulate("one")
    bench.drive(emulator.port)
    bench.heard.wait_until(lambda: bench.heard.sights[-1:] == ["well: ready"])
    bench.heard.failures_left = 2
    emulator.throw((6, 1))
    bench.heard.wait_until(lambda: len(bench.heard.throws) == 1)
    emulator.throw((1, 2))
    bench.heard.wait_until(lambda: len(bench.heard.throws) == 2)
    assert bench.heard.throws == [("one", (6, 1)), ("one", (1, 2))]
    assert "was not taken" in caplog.text


def test_a_resumed_game_is_not_told_again_what_it_knows(bench: Bench) -> None:
    emulator = bench.emulate("one")
    emulator.misbehave("deaf")
    first = Heard()
    with Tower(emulator.port, on_observation=first):
        emulator.throw((5, 5))
        time.sleep(0.3)  # deaf as it is, it has never heard the hello, yet it said its own when it was plugged in
        emulator.behave()
        first.wait_until(lambda: len(first.throws) == 1)
        emulator.misbehave("deaf")
    known = [seen for seen in first.all if isinstance(seen, TowerThrow)]
    emulator.behave()
    emulator.throw((1, 2))
    bench.drive(emulator.port, known=known)
    bench.heard.wait_until(lambda: bool(bench.heard.throws))
    assert bench.heard.throws == [("one", (1, 2))]


def test_a_tower_on_the_network_is_read_and_found_again(bench: Bench) -> None:
    line = TcpLine()
    emulator = bench.emulate("net", line)
    bench.drive(emulator.port)
    assert emulator.port.startswith("socket://127.0.0.1:")
    bench.heard.wait_until(lambda: bench.heard.sights[-1:] == ["well: ready"])
    emulator.throw((3, 3))
    bench.heard.wait_until(lambda: len(bench.heard.throws) == 1)
    emulator.unplug()
    bench.heard.wait_until(lambda: any("check the address" in sight for sight in bench.heard.sights))
    emulator.throw((4, 4))
    emulator.plug()
    bench.heard.wait_until(lambda: len(bench.heard.throws) == 2)
    assert bench.heard.throws == [("net", (3, 3)), ("net", (4, 4))]


def serve_rfc2217(server: socket.socket, port: serial.Serial, stop: threading.Event) -> None:
    """Passes one connection after the other through to the port, as a serial device server does."""
    server.settimeout(0.02)
    while not stop.is_set():
        with suppress(TimeoutError, ConnectionError):
            connection, _ = server.accept()
            with connection:
                pass_through(connection, port, stop)


def pass_through(connection: socket.socket, port: serial.Serial, stop: threading.Event) -> None:
    connection.settimeout(0.02)
    wire = type("Wire", (), {"write": staticmethod(connection.sendall)})()
    manager = serial.rfc2217.PortManager(port, wire)
    while not stop.is_set():
        with suppress(TimeoutError):
            data = connection.recv(1024)
            if not data:
                return
            port.write(b"".join(manager.filter(data)))
        said = port.read(4096)
        if said:
            connection.sendall(b"".join(manager.escape(said)))


@pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning", "ignore:setName:DeprecationWarning")
def test_a_tower_behind_a_serial_device_server_is_read(bench: Bench) -> None:
    emulator = bench.emulate("far", TcpLine())
    server = bench.stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    stop = threading.Event()
    port = bench.stack.enter_context(serial.serial_for_url(emulator.port, timeout=0))
    thread = threading.Thread(target=serve_rfc2217, args=(server, port, stop))
    thread.start()
    bench.stack.callback(thread.join)
    bench.stack.callback(stop.set)
    bench.drive(f"rfc2217://127.0.0.1:{server.getsockname()[1]}")
    bench.heard.wait_until(lambda: bench.heard.sights[-1:] == ["well: ready"])
    emulator.throw((2, 5))
    bench.heard.wait_until(lambda: bench.heard.throws == [("far", (2, 5))])


@pytest.mark.usefixtures("_impatient")
def test_an_echo_is_no_tower(bench: Bench) -> None:
    bench.drive("loop://")
    bench.heard.wait_until(lambda: any("something else speaks there" in sight for sight in bench.heard.sights))
    assert bench.heard.throws == []


@pytest.mark.parametrize("port", ["socket://nowhere", "nonsense://x", "rfc2217://"])
def test_an_address_that_is_none_is_a_sentence(bench: Bench, port: str) -> None:
    bench.drive(port)
    bench.heard.wait_until(lambda: any("check the address" in sight for sight in bench.heard.sights))


def test_a_hand_that_is_none_is_refused_at_once() -> None:
    tower = Tower("none", on_observation=print)
    for hand in ("d7", ("d6",) * 9):
        with pytest.raises(ValueError, match="dice"):
            tower.ask(hand)


def test_starting_and_stopping_leaves_no_thread(bench: Bench) -> None:
    emulator = bench.emulate("one")
    with Tower(emulator.port, on_observation=bench.heard):
        bench.heard.wait_until(lambda: bench.heard.sights[-1:] == ["well: ready"])
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("tower ")]
