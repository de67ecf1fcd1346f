"""Where the heat maps of the finder have their summits, and what lies on their slopes."""

import numpy as np
from numpy.typing import NDArray

from vision.board.bands import HEIGHT, Bands
from vision.board.layout import usual_layout
from vision.board.view import Points
from vision.pieces.heat import Heat

BANDS = Bands.of(usual_layout())
WINDOW = (2, 160, 288)


def hills(*tops: tuple[float, float, float]) -> Heat:
    """Of one window: a hill of the first class for each (column, row, log odds), all px of the band."""
    columns, rows = np.meshgrid(np.arange(WINDOW[1], WINDOW[2], 2) + 0.5, np.arange(0, HEIGHT, 2) + 0.5)
    odds = np.full((5, HEIGHT // 2, (WINDOW[2] - WINDOW[1]) // 2), -12.0, np.float32)
    each = [top - ((columns - x) ** 2 + (rows - y) ** 2) / 30 for x, y, top in tops]
    odds[0] = np.maximum(odds[0], np.max(each, axis=0))
    return Heat(odds, [WINDOW], BANDS)


def in_band(feet: Points) -> NDArray[np.float64]:
    return BANDS.to_band(WINDOW[0], feet)


def test_peaks_lie_between_cells() -> None:
    found = hills((200.3, 40.8, 1.0), (250.5, 60.5, -1.0)).peaks(0.1)
    assert found.kinds.tolist() == [0, 0]
    assert found.sides.tolist() == [2, 2]
    assert np.allclose(in_band(found.feet)[np.argsort(-found.scores)], [(200.3, 40.8), (250.5, 60.5)], atol=0.2)
    assert hills((200.3, 40.8, -3.0)).peaks(0.1).feet.shape == (0, 2)


def test_what_lies_in_the_middle_of_the_board_or_beyond_a_diagonal_is_no_place() -> None:
    assert len(hills((200.5, 8.5, 1.0)).peaks(0.1).feet) == 1, "a house leans over the inner edge of its space"
    heat = Heat(hills((200.5, 40.5, 1.0)).odds, [(2, 0, 128)], BANDS)
    assert len(heat.peaks(0.1).feet) == 0


def test_slopes_are_away_from_peaks_and_from_each_other_strongest_first() -> None:
    heat = hills((200.5, 40.5, 1.0), (216.5, 40.5, -0.5))
    reach = 0.2 * BANDS.unit
    peak = BANDS.to_board(2, np.array([[200.5, 40.5]]))
    found = heat.slopes(0, 0.1, peak, reach)
    assert len(found.feet) > 1
    assert (np.diff(found.scores) <= 0).all()
    assert (found.scores >= 0.1).all()
    every = np.vstack([peak, found.feet])
    away = np.hypot(*np.moveaxis(every[:, None] - every, -1, 0))
    assert (away + np.eye(len(every)) > reach).all()
    assert np.hypot(*(in_band(found.feet) - (216.5, 40.5)).T).min() < 2
    assert len(heat.slopes(1, 0.1, peak, reach).feet) == 0
    assert len(heat.slopes(0, 0.9, peak, reach).feet) == 0
