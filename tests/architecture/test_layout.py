"""The top level is the one that was asked for, and the repository carries no stray files."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP = {"pyproject.toml", "README.md", "LICENSE", "companion", "vision", "hardware", "web", "calibration", "tests"}


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    return done.stdout.splitlines()


def test_nothing_else_stands_at_the_top() -> None:
    top = {name.split("/")[0] for name in tracked()}
    assert {name for name in top if not name.startswith(".")} == TOP


def test_no_generated_file_is_tracked() -> None:
    generated = ("web/static/app/", "node_modules/", "__pycache__/")
    assert not [name for name in tracked() if any(part in name for part in generated)]


def test_lock_files_name_no_host() -> None:
    for name in tracked():
        if name.endswith(("package-lock.json", ".npmrc", ".lock")):
            assert "://" not in (ROOT / name).read_text(encoding="utf-8"), f"{name} names a host"


def test_weights_stay_under_six_megabytes() -> None:
    weights = [path for path in (ROOT / "vision").rglob("*") if path.suffix in {".onnx", ".npz", ".npy"}]
    assert sum(path.stat().st_size for path in weights) < 6_000_000
