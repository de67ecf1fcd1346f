"""What the virtual table draws, and what it leaves out."""

from dataclasses import replace

import numpy as np
import pytest

from vision.virtual.camera import Camera
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Piece, Scene, TableStyle


@pytest.mark.parametrize(("away_m", "shows"), [(-0.04, False), (0.0, False), (0.1, True), (0.3, True)])
def test_a_mug_that_is_not_before_the_camera_is_not_drawn(away_m: float, shows: bool) -> None:
    """It was, across the whole picture, where a corner of it lay behind a camera low down."""
    camera = Camera.looking_at((0.0, 0.0), 28, 0, 0.5, size=(320, 180))
    without = replace(TableStyle.random(3), tokens={}, camera=camera, mugs=())
    x, y, _ = camera.eye
    mug = Piece("mug", "mug", float(x) + 0.06, float(y) + away_m)
    before, now = (
        Renderer(style).render(Scene(), Moment(noise_seed=1)) for style in (without, replace(without, mugs=(mug,)))
    )
    assert (not np.array_equal(before, now)) == shows
