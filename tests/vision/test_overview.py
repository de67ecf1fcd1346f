"""The overview shows the board from above, from wherever the picture was taken."""

import numpy as np

from tests.vision.table_sets import virtual_table
from vision.board.overview import OVERVIEW_PX, Overview, overview_points, overview_px
from vision.board.registration import Reference, rectify
from vision.pixels import halved, shrunk
from vision.virtual.scene import Scene, nudged


def test_overview_shows_what_the_rectified_board_shows() -> None:
    table = virtual_table(3, ("red_pawn", "blue_pawn"))
    empty = table.pictures.empty_bgr
    reference = Reference(empty, table.pictures.taps_px)
    camera = nudged(table.style.camera, np.random.default_rng(3), table.style.camera.size)
    moved = table.picture(Scene(), camera)
    elsewhere = reference.register(moved).view
    assert elsewhere is not None
    overview = Overview()
    for picture, view in ((empty, reference.view), (moved, elsewhere), (empty, reference.view)):
        seen = overview.of(halved(picture), view)
        assert seen.shape == (OVERVIEW_PX, OVERVIEW_PX, 3)
        whole = shrunk(rectify(picture, view), (OVERVIEW_PX, OVERVIEW_PX))
        assert np.abs(seen.astype(int) - whole).mean() < 2


def test_px_of_an_overview_are_those_of_its_points() -> None:
    rows, columns = np.indices((OVERVIEW_PX, OVERVIEW_PX))
    px = overview_px(overview_points().reshape(-1, 2))
    assert np.allclose(px, np.column_stack([columns.ravel(), rows.ravel()]))
