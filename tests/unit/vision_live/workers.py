"""Workers that misbehave, as targets for the supervisor."""

import os
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from companion.observations import DiceSeen, DieSeen, Picture, SightSeen

_ENCODE = msgspec.msgpack.Encoder().encode


def _beat(throw: int) -> tuple[str, bytes]:
    return "beat", _ENCODE({"memory": {"throw": throw}, "world_done": [throw], "is_calibrated": True})


def _first_throw(settings: dict[str, Any]) -> int:
    memory = settings.get("memory")
    return msgspec.msgpack.decode(memory)["throw"] if memory else 0


def honest(connection: Connection, settings: dict[str, Any]) -> None:
    """Sees one throw at its start, then echoes what it is told until it is stopped."""
    throw = _first_throw(settings) + 1
    connection.send(("seen", _ENCODE(SightSeen(state="well"))))
    connection.send(("seen", _ENCODE(Picture(id=f"{settings['prefix']}1", jpeg=b"jpeg"))))
    connection.send(("seen", _ENCODE(DiceSeen(dice=(DieSeen(faces={3: 1.0}),), throw=throw))))
    connection.send(("frame", b"frame"))
    connection.send(_beat(throw))
    while True:
        while connection.poll(0.05):
            what, *arguments = connection.recv()
            if what == "stop":
                return
            word = f"{what} {arguments}"
            connection.send(("seen", _ENCODE(SightSeen(state="unsure", word=word))))
        connection.send(_beat(throw))


def slow(connection: Connection, settings: dict[str, Any]) -> None:
    """Takes its time to start, then is honest."""
    time.sleep(0.5)
    honest(connection, settings)


def crashing(connection: Connection, settings: dict[str, Any]) -> None:
    """Dies twice, then is honest."""
    count = Path(settings["count_file"])
    count.write_text(count.read_text() + "x" if count.exists() else "x")
    if len(count.read_text()) <= 2:
        connection.send(_beat(7))
        time.sleep(0.1)
        os._exit(13)
    honest(connection, settings)


def hanging(connection: Connection, settings: dict[str, Any]) -> None:
    """Falls silent after its first sign of life, but only once."""
    count = Path(settings["count_file"])
    is_first = not count.exists()
    count.write_text("x")
    if is_first:
        connection.send(_beat(4))
        while True:
            time.sleep(1)
    honest(connection, settings)


def dozing(connection: Connection, settings: dict[str, Any]) -> None:
    """Sees well and shows a frame; then is silent until it is told something, and only lives on after that."""
    connection.send(("seen", _ENCODE(SightSeen(state="well", word="all of it"))))
    connection.send(("frame", b"frame"))
    while connection.recv()[0] != "stop":
        connection.send(_beat(1))


def preparing(connection: Connection, settings: dict[str, Any]) -> None:
    """Shows a frame; when it is given a profile it says so, gets ready for a while and shows another."""
    connection.send(("frame", b"old"))
    while (message := connection.recv())[0] != "stop":
        if message[0] == "profile":
            connection.send(("seen", _ENCODE(SightSeen(state="blind", word="a profile"))))
            connection.send(("busy",))
            time.sleep(settings["busy_s"])
            connection.send(("frame", b"new"))


def showing(connection: Connection, settings: dict[str, Any]) -> None:
    """Shows frames without a pause, each as large as it is told, which begin as the profile it was given last does."""
    mark = b"?"
    while True:
        while connection.poll(0):
            what, *arguments = connection.recv()
            if what == "stop":
                return
            if what == "profile":
                mark = arguments[0]["empty"][:1]
        connection.send(("frame", mark * settings["frame_bytes"]))


def deaf(connection: Connection, settings: dict[str, Any]) -> None:
    """Never hears what it is told."""
    connection.send(("seen", _ENCODE(SightSeen(state="well"))))
    time.sleep(3600)
