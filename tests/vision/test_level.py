"""Which way is up is told by the dice that lie before a camera."""

import numpy as np
import pytest

from vision.board.view import usual_focal
from vision.dice.level import Level, rays_of, slants

SIZE = (1280, 720)
PX = np.array([[300.0, 200.0], [640.0, 360.0], [1000.0, 500.0], [500.0, 600.0]])
UNTOLD, SURE = 0.0, np.log(0.05)


def rays(px: np.ndarray, zoom: float = 1.0) -> np.ndarray:
    return rays_of((px - (np.array(SIZE) - 1) / 2) / usual_focal(SIZE) / zoom)


def up_of(elevation: float, roll: float = 0.0) -> np.ndarray:
    """Up in the axes of a camera that looks down by `elevation` (radians), turned by `roll`."""
    ahead = np.array([0.0, -np.cos(elevation), -np.sin(elevation)])
    c, s = np.cos(roll), np.sin(roll)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ ahead


def said_of(
    px: np.ndarray, up: np.ndarray, tilted: int | None = None, by: tuple[float, float] = (0.55, 0)
) -> np.ndarray:
    """What is said of dice that lie flat there, but for one that is turned `by` so much to the right and up."""
    seen = slants(up[None], rays(px))[:, 0].copy()
    if tilted is not None:
        seen[tilted] += by
    return np.column_stack([np.full(len(px), UNTOLD), seen, np.full((len(px), 2), SURE)])


def chances(level: Level, said: np.ndarray, px: np.ndarray = PX) -> np.ndarray:
    return level.cocked(said, px[: len(said)], SIZE)


def test_in_the_middle_a_level_face_is_turned_away_by_what_the_camera_looks_down() -> None:
    middle = np.array([[(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2]])
    (((right, up),),) = slants(up_of(0.9)[None], rays(middle))
    assert (right, up) == pytest.approx((0.0, np.pi / 2 - 0.9))


def test_from_straight_above_faces_lean_outwards_as_far_as_they_are_from_the_middle() -> None:
    seen = slants(up_of(np.pi / 2)[None], rays(PX))[:, 0]
    away = np.arccos(rays(PX)[:, 2])
    assert np.hypot(*seen.T) == pytest.approx(away)
    outwards = (PX - (np.array(SIZE) - 1) / 2) * (1, -1)
    assert (seen * outwards).sum(axis=1) == pytest.approx(away * np.hypot(*outwards.T))


@pytest.mark.parametrize("elevation", [0.7, 1.0, 1.3, 1.57])
def test_dice_that_agree_lie_flat_and_one_that_does_not_lies_cocked(elevation: float) -> None:
    up = up_of(elevation)
    assert chances(Level(), said_of(PX, up)).max() < 0.1
    assert (chances(Level(), said_of(PX, up, tilted=2)) > 0.5).tolist() == [False, False, True, False]


def test_flat_dice_are_flat_through_a_lens_that_zooms_too() -> None:
    seen = slants(up_of(1.5)[None], rays(PX, zoom=3.0))[:, 0]
    said = np.column_stack([np.full(len(PX), UNTOLD), seen, np.full((len(PX), 2), SURE)])
    assert chances(Level(), said).max() < 0.1


def test_what_earlier_throws_told_is_kept_for_a_die_alone() -> None:
    # One that leans towards the eye looks like a flat one seen from higher up.
    up, level = up_of(0.9), Level()
    leaning = said_of(PX[:1], up, tilted=0, by=(0, -0.5))
    assert chances(level, leaning)[0] < 0.3
    for _ in range(4):
        chances(level, said_of(PX[1:3], up), PX[1:3])
        level.keep()
    assert chances(level, leaning)[0] > 0.5


def test_what_is_not_kept_is_forgotten() -> None:
    level, said = Level(), said_of(PX, up_of(0.8))
    first = chances(level, said)
    chances(level, said_of(PX, up_of(1.5, roll=2.0)))
    assert chances(level, said) == pytest.approx(first)
