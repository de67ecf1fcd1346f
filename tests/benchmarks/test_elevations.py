"""How low the camera may stand: pictures of rendered tables from several heights.

Run with `python -m pytest -m benchmark tests/benchmarks/test_elevations.py -s -n 0`.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.pictures import read_of
from vision.virtual.dataset import write_table
from vision.virtual.scene import TableStyle, random_camera

#: Rendered tables, and pictures of each, seen by so many degrees over the table; and the share of all there is that is
#: read rightly at least, less what is not there.
TABLES, FRAMES = range(981_000, 981_010), 6
FLOORS = {(26, 30): 0.935, (31, 35): 0.98, (36, 40): 0.985, (50, 85): 0.98}
KINDS = ("dice", "tokens", "buildings")


@pytest.mark.benchmark
def test_pictures_from_low_down_are_read(tmp_path: Path) -> None:
    print(f"\n{'degrees':10}" + "".join(f"{kind:>12}" for kind in (*KINDS, "together")))
    for elevations, floor in FLOORS.items():
        there, right = Counter[str](), Counter[str]()
        for seed in TABLES:
            style, rng = TableStyle.random(seed, 3 + seed % 6), np.random.default_rng([seed, elevations[0]])
            folder = tmp_path / f"{seed} {elevations[0]}"
            camera = random_camera(rng, style.camera.size, elevations)
            write_table(folder, replace(style, camera=camera), FRAMES, 0, with_hands=False)
            for total, more in zip((there, right), read_of(folder, KINDS), strict=True):
                total.update(more)
        shares = [right[kind] / there[kind] for kind in KINDS]
        together = sum(right[kind] for kind in KINDS) / there.total()
        print(f"{elevations[0]} to {elevations[1]:3}" + "".join(f"{share:12.1%}" for share in (*shares, together)))
        assert together >= floor
