"""A program that is told to end while what the camera saw cannot be written: it waits, and says so."""

import json
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli.doorway import LOST, WAITING
from companion.journal import Journal

resource = pytest.importorskip("resource", reason="needs limits on the size of files")
pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs limits set from outside")

#: What the page says while the program waits.
ENDING = "would be lost if Boardside ended now. Boardside ends as soon as it is written."
#: A program that is not done by then is stuck.
PATIENCE_S = 120.0
ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys, threading
from contextlib import closing
from pathlib import Path
from companion.cli.doorway import Doorway
from companion.journal import Journal
from companion.session import Session
from tests.unit.table.tables import sure

folder = Path(sys.argv[1])
with closing(Doorway.at("127.0.0.1", 0, folder, is_open=True)) as doorway:
    session = Session(Journal.open(folder / "games.sqlite3"))
    with closing(session):
        session.set_up({"players": [{"name": "Ann"}, {"name": "Bob"}]})

        def camera():
            print(doorway.address, flush=True)
            for line in sys.stdin:
                session.observe(sure(1, 3, throw=1))
                print("seen", flush=True)

        threading.Thread(target=camera, daemon=True).start()
        doorway.serve(session)
"""


@contextmanager
def program(folder: Path, *before: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A game whose disk has no room for the throw that the camera has just seen; with the page's address.

    Args:
        before: the command that it is started by.
    """
    with subprocess.Popen(
        [*before, sys.executable, "-c", PROGRAM, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # What is told to end by a signal that it does not heed would be waited for in vain.
        patience = threading.Timer(PATIENCE_S, process.kill)
        patience.start()
        try:
            address = process.stdout.readline().strip()
            urllib.request.urlopen(address, timeout=60).close()
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
            process.stdin.write("throw\n")
            process.stdin.flush()
            assert process.stdout.readline() == "seen\n"
            yield process, address
        finally:
            patience.cancel()
            process.kill()


def wait_for(process: "subprocess.Popen[str]", sentence: str) -> None:
    assert process.stderr is not None
    printed = []
    for line in process.stderr:
        printed.append(line)
        if sentence in line:
            return
    pytest.fail("".join(printed))


def problem(address: str) -> str:
    """What the page says first that people should see to."""
    with urllib.request.urlopen(f"{address}api/view", timeout=60) as answer:
        return str(json.load(answer)["problems"][0]["text"])


def ends_once_there_is_room(process: "subprocess.Popen[str]", address: str, folder: Path) -> None:
    """The page says that it waits; it ends when there is room, and the throw is written."""
    assert problem(address).endswith(ENDING)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert process.wait(60) == 0
    assert throws(folder) == [[1, 3]]


def throws(folder: Path) -> list[list[int]]:
    journal = Journal.open(folder / "games.sqlite3")
    entries = journal.entries(journal.games()[0].id)
    journal.close()
    return [entry.payload["action"]["roll"] for entry in entries if entry.kind == "action"]


def test_the_end_waits_until_there_is_room_and_then_nothing_is_lost(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address):
        process.send_signal(signal.SIGTERM)
        wait_for(process, WAITING)
        ends_once_there_is_room(process, address, tmp_path)


@pytest.mark.skipif(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, reason="these tests outlive their terminal")
def test_a_terminal_that_is_closed_ends_it_the_same_way_and_loses_nothing(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address):
        # Nobody reads any more what it prints, and both the shell and the system tell that.
        assert process.stderr is not None
        process.stderr.close()
        process.send_signal(signal.SIGHUP)
        while not problem(address).endswith(ENDING):
            time.sleep(0.05)
        process.send_signal(signal.SIGHUP)
        ends_once_there_is_room(process, address, tmp_path)


def test_a_window_that_is_closed_after_it_was_told_to_end_loses_nothing(tmp_path: Path) -> None:
    with program(tmp_path) as (process, address):
        process.send_signal(signal.SIGTERM)
        wait_for(process, WAITING)
        process.send_signal(signal.SIGHUP)
        ends_once_there_is_room(process, address, tmp_path)


def test_started_so_that_it_outlives_its_terminal_it_goes_on(tmp_path: Path) -> None:
    with program(tmp_path, "nohup") as (process, address):
        process.send_signal(signal.SIGHUP)
        # Had it counted, this would be the second time.
        process.send_signal(signal.SIGTERM)
        wait_for(process, WAITING)
        ends_once_there_is_room(process, address, tmp_path)


def test_told_to_end_twice_it_ends_and_says_what_is_lost(tmp_path: Path) -> None:
    with program(tmp_path) as (process, _):
        process.send_signal(signal.SIGTERM)
        wait_for(process, WAITING)
        process.send_signal(signal.SIGTERM)
        wait_for(process, LOST)
        assert process.wait(60) == 0
    assert throws(tmp_path) == []
