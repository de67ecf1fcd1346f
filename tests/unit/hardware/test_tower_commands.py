"""`boardside tower`: the emulator and the monitor talk to each other as two programs."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
    pytest.mark.xdist_group("tower"),
]

PATIENCE_S = 180
TOWER = [sys.executable, "-m", "companion", "tower"]


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [*TOWER, "emulate", "--link", str(tmp_path / "tower"), "--seed", "3"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"port": str(tmp_path / "tower")}
        yield process
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0


def tell(process: subprocess.Popen[str], line: str) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def test_monitor_shows_what_the_emulator_throws(emulator: subprocess.Popen[str], tmp_path: Path) -> None:
    record = tmp_path / "wire.jsonl"
    command = [
        *TOWER,
        "monitor",
        str(tmp_path / "tower"),
        "--frames",
        "--seconds",
        str(PATIENCE_S),
        "--record",
        str(record),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as monitor:
        assert monitor.stdout is not None
        lines = (json.loads(line) for line in monitor.stdout)
        assert next(line for line in lines if line.get("word") == "ready")["state"] == "well"
        tell(emulator, "throw 3 4")
        throw = next(line for line in lines if line.get("type") == "tower")
        assert (throw["faces"], throw["tower"], throw["late"]) == ([3, 4], "emulated", False)
        assert next(line for line in lines if line.get("from") == "host")["frame"]["roll"] == 1
        tell(emulator, "cocked")
        assert "tilted" in next(line for line in lines if line.get("state") == "unsure")["word"]
        monitor.terminate()
    wire = "".join(json.loads(line)["bytes"] for line in record.read_text().splitlines())
    assert '"faces":[3,4]' in wire


def test_emulator_refuses_what_it_does_not_know_and_goes_on(emulator: subprocess.Popen[str]) -> None:
    assert "no command or fault 'dance'" in tell(emulator, "dance")["message"]
    assert "9 9" in tell(emulator, "throw 9 9")["message"]
    assert "'throw x'" in tell(emulator, "throw x")["message"]
    assert tell(emulator, "throw 6 6")["did"] == "throw 6 6"


def test_emulator_throws_by_itself_over_tcp(tmp_path: Path) -> None:
    command = [*TOWER, "emulate", "--listen", "127.0.0.1:0", "--every", "0.1", "--throws", "6,5 1,1", "--count", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as emulator:
        assert emulator.stdin is not None
        assert emulator.stdout is not None
        port = json.loads(emulator.stdout.readline())["port"]
        assert port.startswith("socket://127.0.0.1:")
        assert not port.endswith(":0")
        command = [*TOWER, "monitor", port, "--seconds", str(PATIENCE_S)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as monitor:
            assert monitor.stdout is not None
            throws = (line for line in map(json.loads, monitor.stdout) if line["type"] == "tower")
            assert [next(throws)["faces"], next(throws)["faces"]] == [[6, 5], [1, 1]]
            monitor.terminate()
        emulator.stdin.write("quit\n")
        emulator.stdin.flush()


def test_list_prints_a_json_line_a_port() -> None:
    done = subprocess.run([*TOWER, "list", "--no-probe"], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        assert {"port", "usb_id", "opened", "why", "tower"} <= set(json.loads(line))


@pytest.mark.parametrize(
    "arguments",
    [["emulate", "--listen", "nowhere"], ["emulate", "--throws", "x"], ["emulate", "--fault", "dance"], ["dance"]],
)
def test_wrong_usage_is_status_two_and_no_traceback(arguments: list[str]) -> None:
    done = subprocess.run([*TOWER, *arguments], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
