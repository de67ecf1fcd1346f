"""How often the board is found with nobody tapping its corners: rendered tables, also under lamps, and the shared ones.

Run with `python -m pytest -m benchmark tests/benchmarks/test_no_taps.py -s -n 0`.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.pictures import bench_tables
from vision.board.outline import NoBoardFound, find_taps
from vision.virtual.disturbances import lamp
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene, TableStyle

#: Rendered tables: far from the seeds that anything was trained on.
SEEDS = range(930_240, 930_360)
#: Mean distance of the corners, in px of a picture 1280 px wide, up to which a board counts as found.
NEAR_PX = 6.0
#: Share that is found at least.
FLOOR = 0.97

Corners = NDArray[np.float64]
Tables = Iterator[tuple[str, NDArray[np.uint8], Corners]]


def rendered(seeds: range) -> Tables:
    """Empty boards, each with its name and true corners."""
    for seed in seeds:
        style = replace(TableStyle.random(seed), tokens={})
        picture = Renderer(style).render(Scene((), ()), Moment(noise_seed=seed))
        yield style.name, picture, style.camera.project(style.geometry.corners())


def under_lamps(tables: Tables) -> Tables:
    """The same, where each board mirrors a lamp."""
    for index, (name, picture, corners) in enumerate(tables):
        yield name, lamp(picture, np.random.default_rng([index, 35])), corners


def shared() -> Tables:
    for folder in bench_tables():
        truth = json.loads((folder / "truth.json").read_text())["empty"]
        yield folder.name, np.asarray(cv2.imread(str(folder / "empty.jpg"))), np.array(truth["board_corners_px"])


def told(picture: NDArray[np.uint8], corners: Corners) -> str:
    """`found`, or what went wrong."""
    try:
        taps = find_taps(picture)
    except NoBoardFound:
        return "not found"
    near = NEAR_PX * picture.shape[1] / 1280
    off = [float(np.hypot(*(np.roll(taps, turn, axis=0) - corners).T).mean()) for turn in range(4)]
    if off[0] < near:
        return "found"
    return "turned" if min(off) < near else f"{off[0]:.0f} px off"


@pytest.mark.benchmark
def test_boards_are_found_without_taps() -> None:
    print()
    tables, shares = list(rendered(SEEDS)), dict[str, float]()
    sets = {"rendered": iter(tables), "under lamps": under_lamps(iter(tables)), "shared": shared()}
    for name, pictures in sets.items():
        verdicts = {table: told(picture, corners) for table, picture, corners in pictures}
        if not verdicts:
            print(f"{name}: the pictures are not here")
            continue
        right = sum(verdict == "found" for verdict in verdicts.values())
        print(f"{name}: {right} of {len(verdicts)} found within {NEAR_PX:g} px")
        print(", ".join(f"{table}: {verdict}" for table, verdict in verdicts.items() if verdict != "found"))
        shares[name] = right / len(verdicts)
    assert min(shares.values()) >= FLOOR, shares
