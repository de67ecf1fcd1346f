"""How long a throw takes from its last byte on the wire to the table."""

import random
import statistics
import sys
import threading
import time
from pathlib import Path

import pytest

from companion.observations import SightSeen, TowerThrow
from hardware.device import Device, Memory
from hardware.emulator import Emulator, PtyLine
from hardware.tower import Tower

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
    pytest.mark.benchmark,
]

#: Issue: from the last byte to the tablet, median.
LIMIT_MS = 100.0


def measure(folder: Path, throws: int) -> list[float]:
    """Milliseconds from just before the roll's bytes are written to the pty until the observation is handed on."""
    rng, memory = random.Random(1), Memory()
    heard = threading.Event()
    heard_ns = 0
    taken: list[float] = []

    def on_observation(observation: TowerThrow | SightSeen) -> None:
        nonlocal heard_ns
        if isinstance(observation, TowerThrow):
            heard_ns = time.monotonic_ns()
            heard.set()

    with (
        Emulator(lambda: Device(rng, memory=memory), PtyLine(folder / "tower"), rng=rng) as emulator,
        Tower(emulator.port, on_observation=on_observation) as tower,
    ):
        while not any(status.state == "ready" for status in tower.status):
            time.sleep(0.01)
        for _ in range(throws):
            time.sleep(rng.uniform(0.01, 0.06))  # anywhere in the driver's and the emulator's rhythm
            heard.clear()
            emulator.throw()
            written_ns = emulator.written_ns
            assert heard.wait(5)
            taken.append((heard_ns - written_ns) / 1e6)
    return taken


def test_latency_of_a_throw(tmp_path: Path) -> None:
    taken = sorted(measure(tmp_path, 500))
    print(f"last byte to observation: median {statistics.median(taken):.2f} ms, 99th {taken[494]:.2f} ms, n = 500")
    assert statistics.median(taken) < LIMIT_MS / 2
