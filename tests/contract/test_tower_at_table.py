"""A real tower on a pseudo-terminal at a real table with its journal on disk: two witnesses, restarts, latency."""

import random
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.table import Table
from hardware.device import Device, Memory
from hardware.emulator import Emulator, PtyLine
from hardware.tower import Tower
from tests.unit.table.tables import again, new_table, place, sure

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
    pytest.mark.xdist_group("tower"),
]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    journal = Journal.open(tmp_path / "journal.sqlite3")
    yield new_table(variant="watch", journal=journal)
    journal.close()


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[Emulator]:
    rng, memory = random.Random(2), Memory()

    def power_up() -> Device:
        return Device(rng, memory=memory, heartbeat_s=0.2, repeat_s=0.1)

    with Emulator(power_up, PtyLine(tmp_path / "tower"), rng=rng) as emulator:
        yield emulator


class Watched:
    """A table and its tower, and waiting for what is published."""

    def __init__(self, table: Table, emulator: Emulator) -> None:
        self.table = table
        self._changed = threading.Condition()
        self.published_ns: dict[int, int] = {}
        self.tower = Tower(emulator.port, on_observation=table.observe, known=table.tower_throws())
        table.subscribe(self._published)

    def _published(self, view: dict[str, Any]) -> None:
        with self._changed:
            rolls = sum("roll" in (line["action"] or {}) for line in view["log"])
            self.published_ns.setdefault(rolls, time.monotonic_ns())
            self._changed.notify_all()

    def wait_until(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, 180), self.table.view()

    def wait_until_it_sees(self) -> None:
        self.wait_until(lambda: (self.table.view()["sight"]["tower"] or {}).get("state") == "well")

    @property
    def rolls(self) -> list[dict[str, Any]]:
        return [line for line in self.table.view()["log"] if "roll" in (line["action"] or {})]


def test_a_throw_in_the_tower_moves_the_player_and_is_shown_as_the_towers(table: Table, emulator: Emulator) -> None:
    watched = Watched(table, emulator)
    with watched.tower:
        watched.wait_until_it_sees()
        emulator.throw((4, 2))
        watched.wait_until(lambda: len(watched.rolls) == 1)
    assert place(table, "Ann") == "oriental"
    assert watched.rolls[0]["by"] == "tower"
    assert watched.rolls[0]["confidence"] >= 0.9


def test_camera_and_tower_alike_are_one_throw(table: Table, emulator: Emulator) -> None:
    watched = Watched(table, emulator)
    with watched.tower:
        watched.wait_until_it_sees()
        emulator.throw((4, 2))
        watched.wait_until(lambda: len(watched.rolls) == 1)
        table.observe(sure(2, 4))
        emulator.throw((1, 2))
        watched.wait_until(lambda: len(watched.rolls) == 2)
    assert (place(table, "Ann"), place(table, "Bob")) == ("oriental", "baltic")


def test_camera_and_tower_that_differ_are_asked_about_with_both(table: Table, emulator: Emulator) -> None:
    watched = Watched(table, emulator)
    with watched.tower:
        watched.wait_until_it_sees()
        emulator.throw((4, 2))
        watched.wait_until(lambda: len(watched.rolls) == 1)
        table.observe(sure(5, 2))
        (question,) = [asked for asked in table.view()["questions"] if asked["about"] == "witnesses"]
        assert sorted(sorted(option["option"]) for option in question["options"]) == [[2, 4], [2, 5]]


def test_a_program_that_stops_before_it_could_acknowledge_counts_the_throw_once(
    table: Table, emulator: Emulator
) -> None:
    watched = Watched(table, emulator)
    with watched.tower:
        watched.wait_until_it_sees()
        emulator.misbehave("deaf")  # the acknowledgement never arrives
        emulator.throw((4, 2))
        watched.wait_until(lambda: len(watched.rolls) == 1)
    emulator.throw((3, 1))  # while no program runs
    emulator.behave()
    resumed = Watched(again(table), emulator)
    with resumed.tower:
        resumed.wait_until(lambda: len(resumed.table.tower_throws()) == 2)
        resumed.wait_until_it_sees()
    assert [throw.faces for throw in resumed.table.tower_throws()] == [(4, 2), (3, 1)]
    assert place(resumed.table, "Ann") == "oriental"


@pytest.mark.benchmark
def test_a_throw_is_on_the_tablet_within_a_tenth_of_a_second(table: Table, emulator: Emulator) -> None:
    """From just before the last byte is written until the view that shows it is published, journal included."""
    watched = Watched(table, emulator)
    taken_ms = []
    with watched.tower:
        watched.wait_until_it_sees()
        for number in range(1, 41):
            emulator.throw((1, 2))  # no doubles: each throw is a turn
            written_ns = emulator.written_ns
            watched.wait_until(lambda number=number: number in watched.published_ns)  # type: ignore[misc]
            taken_ms.append((watched.published_ns[number] - written_ns) / 1e6)
    print(f"last byte to published view: median {statistics.median(taken_ms):.1f} ms, most {max(taken_ms):.1f} ms")
    assert statistics.median(taken_ms) < 100
