"""Cameras that do not see as webcams do: zoomed in, very wide, upright. Pictures of rendered tables through each lens.

Run with `python -m pytest -m benchmark tests/benchmarks/test_other_lenses.py -s -n 0`.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.benchmarks.pictures import frames_of, judged, reader_of_folder
from vision.virtual.dataset import write_table
from vision.virtual.scene import TableStyle, random_camera

#: Rendered tables, and pictures of each; what each camera is like.
TABLES, FRAMES = range(987_100, 987_124), 6
LENSES: dict[str, dict[str, Any]] = {
    "usual": {},
    "upright": {"size": (720, 1280), "fovs": (38, 50), "nearest_m": 0.3},
    "4 : 3": {"size": (1024, 768), "nearest_m": 0.3},
    "zoomed in": {"fovs": (22, 32), "nearest_m": 0.3},
    "very wide, straightened": {"fovs": (85, 100), "k1s": (-0.02, 0.02), "nearest_m": 0.3},
    "very wide": {"fovs": (95, 112), "k1s": (-0.28, -0.15), "nearest_m": 0.3},
}
#: Share of all there is that is read rightly at least, less what is not there; and px of a picture 1280 px long that
#: the board's corners may be off on average.
FLOOR, NEAR_PX = 0.98, 6
KINDS = ("dice", "tokens", "buildings")


@pytest.mark.benchmark
@pytest.mark.parametrize("lens", LENSES)
def test_pictures_through_other_lenses_are_read(lens: str, tmp_path: Path) -> None:
    there, right, found = Counter[str](), Counter[str](), list[bool]()
    for seed in TABLES:
        style, rng = TableStyle.random(seed, 3 + seed % 6), np.random.default_rng([seed, 77])
        camera = random_camera(rng, **{"size": style.camera.size, **LENSES[lens]})
        folder = tmp_path / str(seed)
        write_table(folder, replace(style, camera=camera), FRAMES - 1, 1, with_hands=False)
        reader = reader_of_folder(folder)
        for frame, picture in frames_of(folder):
            reading = reader.read(picture)
            there.update({kind: len(frame[kind]) for kind in KINDS})
            for one in judged(frame, reading):
                right[one.kind] += 1 if one.is_right else -1
            corners = np.inf if reading.corners_px is None else reading.corners_px
            off = np.hypot(*(corners - np.array(frame["board_corners_px"])).T).mean()
            found.append(off < NEAR_PX * max(camera.size) / 1280)
    shares = {kind: right[kind] / there[kind] for kind in KINDS}
    told = "  ".join(f"{kind} {share:.1%}" for kind, share in shares.items())
    print(f"\n{lens:24} board {sum(found)} of {len(found)}  {told}")
    assert sum(right[kind] for kind in KINDS) >= FLOOR * there.total()
    assert all(found)
