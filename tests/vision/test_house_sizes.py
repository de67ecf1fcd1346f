"""Large houses, of which the finder sees two feet at times, are counted once; houses that touch are counted all."""

from dataclasses import replace

import numpy as np
import pytest

from vision.board.layout import STREETS
from vision.reader import TableReader
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Piece, Scene, TableStyle


def misread(seed: int, board_m: float) -> tuple[int, int]:
    """On how many of the 22 streets, each with one to three houses side by side, more and fewer are read."""
    style = TableStyle.random(seed, ["red_pawn"])
    geometry, camera = replace(style.geometry, size_m=board_m), style.camera
    camera = replace(camera, translation=camera.translation * board_m / 0.5)
    style = replace(style, geometry=geometry, camera=camera, has_decks=False, papers=())
    rng, houses, built = np.random.default_rng(seed), list[Piece](), dict[int, int]()
    for street in STREETS:
        built[street] = int(rng.integers(1, 4))
        step, first, turn = rng.uniform(0.0098, 0.0112), rng.uniform(0.16, 0.21), rng.normal(0, 0.15)
        for k in range(built[street]):
            depth = 1 - geometry.strip_frac * rng.uniform(0.35, 0.65)
            x, y = geometry.at(street, float(first + k * step / geometry.unit_m), float(depth))
            heading = float(geometry.heading(street) + turn + rng.normal(0, 0.1))
            houses.append(Piece(f"house {street} {k}", "house", x, y, 0.0, heading))
    renderer = Renderer(style)
    empty = renderer.render(Scene((), ()), Moment(noise_seed=1))
    reader = TableReader(empty, camera.project(geometry.corners()))
    reader.reads_dice = False
    read = reader.read(renderer.render(Scene(tuple(houses), ()), Moment(noise_seed=2))).buildings
    counts = [(read[street].houses if street in read else 0, count) for street, count in built.items()]
    return sum(seen > count for seen, count in counts), sum(seen < count for seen, count in counts)


@pytest.mark.parametrize("seed", [0, 6])
def test_large_houses_that_touch_are_counted_once(seed: int) -> None:
    more, fewer = misread(seed, 0.4)
    assert more <= 1, f"{more} streets"
    assert fewer <= 1, f"{fewer} streets"


def test_houses_of_usual_size_that_touch_are_all_there() -> None:
    more, fewer = misread(0, 0.5)
    assert more <= 1, f"{more} streets"
    assert fewer <= 1, f"{fewer} streets"
