"""What the finder of dice is shown: boxes about what is marked, side by side on one sheet."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice.sheets import CELL, pieces_of, placed

#: Px of a picture at half its size, and edges about what is marked.
HEIGHT, WIDTH, EDGE = 360, 640, 12.0


def marked(*places: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """A mask with these boxes (x0, y0, x1, y1) marked."""
    regions = np.zeros((HEIGHT, WIDTH), np.uint8)
    for x0, y0, x1, y1 in places:
        regions[y0:y1, x0:x1] = 255
    return regions


def area(boxes: list[tuple[int, int, int, int]]) -> int:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


DICE = ((300, 100, 320, 120), (400, 200, 420, 220))
LEFT, BOTTOM = (0, 0, 30, HEIGHT), (0, HEIGHT - 20, WIDTH, HEIGHT)
RIM = (LEFT, BOTTOM, (WIDTH - 20, 0, WIDTH, HEIGHT), (0, 0, WIDTH, 20))


def test_what_lies_apart_has_a_box_of_its_own_with_an_edge_about_it() -> None:
    assert sorted(pieces_of(marked(*DICE), EDGE)) == [(588, 188, 652, 252), (788, 388, 852, 452)]


@pytest.mark.parametrize("places", [(LEFT, BOTTOM), RIM, (BOTTOM,)])
def test_a_rim_is_shown_in_pieces_and_not_all_that_lies_within(places: tuple[tuple[int, int, int, int], ...]) -> None:
    regions = marked(*places, *DICE)
    boxes = pieces_of(regions, EDGE)
    shown = np.zeros((2 * HEIGHT, 2 * WIDTH), bool)
    for x0, y0, x1, y1 in boxes:
        shown[y0:y1, x0:x1] = True
        assert max(x1 - x0, y1 - y0) <= WIDTH
    assert shown[::2, ::2][regions > 0].all()
    assert area(boxes) < 2.5 * 4 * np.count_nonzero(regions)
    sizes = [(-(-(x1 - x0) // CELL) * CELL, -(-(y1 - y0) // CELL) * CELL) for x0, y0, x1, y1 in boxes]
    _, (width, height) = placed(sizes)
    assert width * height < 2 * area(boxes)


def test_windows_of_one_size_fill_the_sheet() -> None:
    corners, size = placed([(64, 64)] * 4)
    assert sorted(corners) == [(0, 0), (0, 64), (64, 0), (64, 64)]
    assert size == (128, 128)
