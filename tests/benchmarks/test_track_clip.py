"""`boardside track` on the rendered clips, scored as turns; skipped where the pictures are missing.

Run with `python -m pytest -m benchmark tests/benchmarks/test_track_clip.py -s -n 0`.
"""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.cli import build_app

TABLES = Path(__file__).resolve().parents[3] / "shared/bench/table"
CLIPS = sorted(path.parent for path in TABLES.glob("*/clip"))
#: Share of turns without a silent error.
FLOOR = 0.9


@pytest.mark.benchmark
@pytest.mark.skipif(not CLIPS, reason="the rendered tables are not here")
def test_hardly_a_turn_of_a_clip_is_told_wrong_in_silence() -> None:
    good = total = 0
    for folder in CLIPS:
        done = CliRunner().invoke(build_app("track"), ["track", str(folder)])
        assert done.exit_code == 0, done.output
        said = {line["turn"]: line for line in map(json.loads, done.stdout.splitlines())}
        turns = json.loads((folder / "clip/truth.json").read_text(encoding="utf-8"))["turns"]
        right = asked = 0
        for turn in turns:
            line = said.get(turn["turn"], {"asked": False})
            is_right = sorted(line.get("dice", ())) == sorted(turn["dice"]) and line.get("to") == turn["to"]
            is_right &= line.get("mover") == turn["token"]
            right += is_right
            asked += line["asked"]
            good += is_right or line["asked"]
        total += len(turns)
        print(f"\n{folder.name}: {right} of {len(turns)} turns right, {asked} asked")
    assert good >= FLOOR * total
