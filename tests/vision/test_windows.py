"""Which parts of the bands networks are shown, and how."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.board.bands import HEIGHT, WIDTH, Bands, Sight, lean_px
from vision.board.layout import usual_layout
from vision.board.view import view_from_corners
from vision.pieces.finder import _own, _windows
from vision.pixels import fixed_map, remap

BANDS = Bands.of(usual_layout())
#: Of a board that is looked at from the side where GO is on the right.
VIEW = view_from_corners((1280, 720), np.array([[1000.0, 650.0], [280, 650], [420, 120], [860, 120]]))


def sight(now: int, before: int, gain: float) -> Sight:
    """Even bands."""
    pictures = (np.full((4 * HEIGHT, WIDTH, 3), level, np.uint8) for level in (now, before))
    return Sight(*pictures, np.zeros((4, HEIGHT, WIDTH), bool), BANDS.lean(VIEW), gain)


def differing_at(point: tuple[float, float]) -> NDArray[np.bool_]:
    """Bands of which the first differs in some px about a board point."""
    differs = np.zeros((4, HEIGHT, WIDTH), bool)
    column, row = BANDS.to_band(0, np.array([point]))[0].astype(int)
    differs[0, row - 4 : row + 5, column - 4 : column + 5] = True
    return differs


def test_windows_lie_about_what_differs_in_steps_of_what_the_network_looks_at_coarsest() -> None:
    ((side, start, stop),) = _windows(differing_at((0.1, -0.44)), _own(BANDS))
    column = BANDS.to_band(0, np.array([[0.1, -0.44]]))[0, 0]
    assert side == 0
    assert start % 8 == stop % 8 == 0
    assert start + 8 <= column <= stop - 8
    assert stop - start <= 48


@pytest.mark.parametrize("point", [(-0.48, -0.4), (0.2, -0.515)])
def test_what_the_next_band_shows_too_and_what_lies_beside_the_board_is_not_looked_at(
    point: tuple[float, float],
) -> None:
    differs = differing_at(point)
    assert differs.any()
    assert _windows(differs, _own(BANDS)) == []
    assert _windows(differs, np.ones_like(differs)) != []


def test_every_space_is_looked_at_in_one_band_at_least() -> None:
    own = _own(BANDS)
    for x, y in np.random.default_rng(3).uniform(-0.49, 0.49, (400, 2)):
        if max(abs(x), abs(y)) > BANDS.inner:
            seen = [BANDS.to_band(side, np.array([[x, y]]))[0].astype(int) for side in range(4)]
            inside = [(side, *px) for side, px in enumerate(seen) if (px >= 0).all() and (px < (WIDTH, HEIGHT)).all()]
            assert any(own[side, row, column] for side, column, row in inside)


def test_a_map_in_whole_numbers_shows_the_same_but_for_rounding() -> None:
    rng = np.random.default_rng(1)
    picture = np.cumsum(rng.integers(0, 3, (60, 80, 3)), axis=1).astype(np.uint8)
    where = rng.uniform(-3, 85, (40, 50, 2)).astype(np.float32)
    exact, rounded = remap(picture, where, replicate=True), remap(picture, fixed_map(where), replicate=True)
    assert np.abs(exact.astype(int) - rounded).max() <= 2


def test_networks_are_shown_levels_of_one_brightness_and_how_things_lean() -> None:
    windows = [(0, 8, 40), (2, 100, 124)]
    shown = sight(90, 40, 1.5).shown(windows, rows=48)
    assert shown.shape == (8, 48, 56)
    assert shown.dtype == np.uint8
    assert (shown[:3] == 135).all()
    assert (shown[3:6] == 60).all()
    assert (shown[6:, :, :32] == BANDS.lean(VIEW)[0, :, :48, 8:40]).all()
    assert (shown[6:, :, 32:] == BANDS.lean(VIEW)[2, :, :48, 100:124]).all()
    assert (sight(90, 40, 4.0).shown(windows)[:3] == 255).all()


@pytest.mark.parametrize("side", range(4))
def test_tops_appear_where_the_lean_tells(side: int) -> None:
    column, row = 200, 50
    foot = BANDS.to_board(side, np.array([[column, row]], float))
    top = VIEW.to_board(VIEW.project(np.column_stack([foot, [[0.5 * BANDS.unit]]])))
    seen = BANDS.to_band(side, top)[0] - [column, row]
    assert np.abs(seen).max() > 3
    assert lean_px(BANDS.lean(VIEW)[side, :, row, column]) == pytest.approx(seen, abs=0.4)


def test_points_of_several_sides_are_placed_as_those_of_each() -> None:
    sides, feet = np.array([0, 1, 2, 3, 1]), np.random.default_rng(0).uniform(-0.5, 0.5, (5, 2))
    px = BANDS.to_band(sides, feet)
    beyond = BANDS.beyond_diagonal(sides, feet)
    for side, foot, at, far in zip(sides.tolist(), feet, px, beyond, strict=True):
        assert BANDS.to_band(side, foot[None])[0] == pytest.approx(at)
        assert BANDS.beyond_diagonal(side, foot[None])[0] == pytest.approx(far)
    assert BANDS.to_board(sides, px) == pytest.approx(feet)
