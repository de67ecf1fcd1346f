"""The firmware's own unit tests, compiled and run on this computer; the sketch checked against the Arduino names."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[3] / "hardware/firmware"
SOURCES = sorted((FIRMWARE / "boardside_tower").rglob("*.[chi]*"))


def make(target: str, folder: Path) -> str:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None or shutil.which("make") is None:
        assert os.environ.get("CI") is None, "continuous integration has to have a C++ compiler"
        pytest.skip("no C++ compiler")
    command = ["make", "-s", "-C", str(FIRMWARE / "host"), f"BUILD={folder}", f"CXX={compiler}", target]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_core_passes_its_own_tests(tmp_path: Path) -> None:
    lines = make("test", tmp_path).splitlines()
    assert len(lines) >= 17
    assert all(line.startswith("ok ") for line in lines)


def test_the_sketch_compiles_for_both_families_of_boards(tmp_path: Path) -> None:
    make("sketch", tmp_path)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_firmware_uses_no_heap(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    assert not [word for word in ("malloc", "new ", "std::string", "std::vector", "String ") if f" {word}" in text]


def test_the_example_of_another_sensor_compiles(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    guide = (FIRMWARE / "README.md").read_text(encoding="utf-8")
    example = guide.split("```cpp\n")[1].split("```")[0]
    parts = "bool barrier_was_crossed();\nuint8_t read_face();\n"
    source = tmp_path / "example.cpp"
    source.write_text(f'#include "{FIRMWARE}/boardside_tower/src/dice.h"\n{parts}{example}\nMyReader reader;\n')
    command = [compiler, "-std=c++17", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
