"""`boardside tower`: look for dice towers, watch one, or be one."""

import json
import random
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from companion.observations import SightSeen, SourceError, TowerThrow
from hardware.device import Device, Memory
from hardware.emulator import LASTING, SUDDEN, Emulator, Line, PtyLine, TcpLine
from hardware.ports import judge, ports
from hardware.protocol import Damage, LineReader
from hardware.tower import PROBE_S, Tower, TowerStatus

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

_HELP_EMULATE = """Be a dice tower on a pseudo-terminal, and misbehave on demand.

The first line printed names the port. Commands on standard input: `throw`, `throw 3 4`, `cocked`, `missing`,
`unplug`, `plug`, `power` (cut and back), `behave` (no more faults), `quit`, or the name of a fault:
"""


_PRINTING = threading.Lock()


def show(line: dict[str, Any]) -> None:
    """Prints one JSON line at once, whole whichever thread it comes from."""
    with _PRINTING:
        print(json.dumps(line), flush=True)


@app.command("list")
def list_towers(
    probe: Annotated[bool, typer.Option(help="Ask the boards that may be towers who they are.")] = True,
) -> None:
    """The serial ports of this computer, a JSON line each: what it is, and the tower found there."""
    present = ports()
    found: dict[str, TowerStatus] = {}
    if probe and any(judge(port)[0] == "tower" for port in present):
        with Tower("auto", on_observation=lambda _: None) as tower:
            time.sleep(PROBE_S)
            found = {status.port: status for status in tower.status if status.state != "unknown"}
    for port in present:
        verdict, why = judge(port)
        status = found.get(port.name)
        line = {"port": port.name, "usb_id": port.usb_id, "text": port.text, "opened": verdict, "why": why}
        show(line | {"tower": None if status is None else msgspec.to_builtins(status)})


@app.command()
def monitor(
    port: Annotated[str, typer.Argument(help="A port, URL, USB id or `auto`.")],
    frames: Annotated[bool, typer.Option(help="Also show every line of the protocol, damaged ones too.")] = False,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long; without it, at Ctrl-C.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write everything on the wire to this file.")] = None,
) -> None:
    """What a tower reports, as JSON lines. It takes the throws, as a game would: they are not kept for a game."""
    on_bytes = _Wire(frames, record)
    with suppress(KeyboardInterrupt), Tower(port, on_observation=_show_observation, on_bytes=on_bytes):
        threading.Event().wait(seconds)
    on_bytes.close()


def _show_observation(observation: TowerThrow | SightSeen) -> None:
    show(msgspec.to_builtins(observation))


class _Wire:
    """Shows and records what goes over the wire."""

    def __init__(self, frames: bool, record: Path | None) -> None:
        self._frames = frames
        self._readers: dict[tuple[str, str], LineReader] = {}
        try:
            self._file = record.open("w", encoding="utf-8") if record is not None else None
        except OSError as error:
            raise SourceError(f"{record} cannot be written: {error.strerror}.") from error

    def __call__(self, port: str, sender: Literal["tower", "host"], data: bytes) -> None:
        if self._file is not None:
            self._file.write(json.dumps({"from": sender, "bytes": data.decode("latin-1")}) + "\n")
            self._file.flush()
        if self._frames:
            reader = self._readers.setdefault((port, sender), LineReader(sender))
            for item in reader.feed(data):
                shown = {"damage": item.kind, "line": item.line.decode("latin-1")} if isinstance(item, Damage) else None
                show({"port": port, "from": sender} | (shown or {"frame": msgspec.to_builtins(item)}))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


@app.command(help=_HELP_EMULATE + ", ".join((*LASTING, *SUDDEN)) + ".")
def emulate(
    link: Annotated[Path | None, typer.Option(help="A path that always leads to the port.")] = None,
    listen: Annotated[str | None, typer.Option(help="HOST:PORT: a TCP port, for socket:// URLs.")] = None,
    every: Annotated[float | None, typer.Option(help="Throw by itself every so many seconds.")] = None,
    throws: Annotated[str, typer.Option(help='Faces of the first throws, "3,4 1,1"; random afterwards.')] = "",
    count: Annotated[int | None, typer.Option(help="Stop throwing by itself after so many throws.")] = None,
    fault: Annotated[list[str] | None, typer.Option(help="A fault from the beginning; may be repeated.")] = None,
    baud: Annotated[int | None, typer.Option(help="Behave as behind a USB-UART bridge at this baud rate.")] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the dice and the faults repeatable.")] = None,
) -> None:
    rng = random.Random(seed)
    memory = Memory()
    planned = [_faces(word) for word in throws.split()]
    with Emulator(lambda: Device(rng, memory=memory), _line(link, listen), rng=rng, baud_rate=baud) as emulator:
        show({"port": emulator.port})
        for name in fault or []:
            _obey(emulator, name)
        stop = threading.Event()

        def throw_by_itself() -> None:
            thrown = 0
            while every is not None and thrown != count and not stop.wait(every):
                emulator.throw(planned.pop(0) if planned else ())
                thrown += 1

        thrower = threading.Thread(target=throw_by_itself, daemon=True)
        thrower.start()
        with suppress(KeyboardInterrupt):
            _obey_input(emulator)
        stop.set()
        thrower.join()


def _faces(word: str) -> list[int]:
    try:
        return [int(face) for face in word.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{word!r} is not a throw such as 3,4") from None


def _line(link: Path | None, listen: str | None) -> Line:
    if listen is None:
        return PtyLine(link)
    host, _, port = listen.rpartition(":")
    if not port.isdigit():
        raise typer.BadParameter(f"{listen!r} is not HOST:PORT")
    return TcpLine(host or "127.0.0.1", int(port))


def _obey_input(emulator: Emulator) -> None:
    """Obeys commands until `quit`; where there is no input (any more), until Ctrl-C."""
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        try:
            _obey(emulator, line.strip())
        except typer.BadParameter as error:
            show({"error": "malformed", "message": error.message})
    threading.Event().wait()


def _obey(emulator: Emulator, line: str) -> None:
    word, *rest = line.split() or [""]
    commands: dict[str, Callable[[], object]] = {
        "": lambda: None,
        "throw": lambda: emulator.throw([int(face) for face in rest]),
        "cocked": lambda: emulator.throw(why="cocked"),
        "missing": lambda: emulator.throw(why="missing"),
        "unplug": emulator.unplug,
        "plug": emulator.plug,
        "power": emulator.cut_power,
        "behave": emulator.behave,
    }
    faults: dict[str, Any] = {name: name for name in (*LASTING, *SUDDEN)}
    if word in faults and word != "unplug":
        emulator.misbehave(faults[word])
    elif word in commands:
        try:
            commands[word]()
        except ValueError as error:
            raise typer.BadParameter(f"{line!r}: {error}") from None
        show({"did": line, "port": emulator.port})
    else:
        known = ", ".join(sorted({*commands, *faults} - {""}))
        raise typer.BadParameter(f"no command or fault {word!r}; there are {known}")
