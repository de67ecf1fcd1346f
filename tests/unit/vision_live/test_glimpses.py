"""What the reader overlooks is still there while its part of the picture lets it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detections import MarkerReading, TokenReading
from vision.live.glimpses import Glimpses

CORNERS = np.array([[180.0, 180.0], [20.0, 180.0], [20.0, 20.0], [180.0, 20.0]])
BOARD = cv2.GaussianBlur(np.random.default_rng(3).integers(0, 255, (200, 200, 3)).astype(np.uint8), (0, 0), 2)
DISC_BOX = (90.0, 90.0, 112.0, 112.0)
BOMB, MINER = (MarkerReading(kind, 8, 0.9, DISC_BOX) for kind in ("bomb", "miner"))
COP = MarkerReading("cop", 8, 0.9, (80.0, 60.0, 100.0, 112.0))


def token(x0: float, name: str | None = "car") -> TokenReading:
    """One that is 20 px wide, and stands in the disc's row."""
    return TokenReading(name, {8: 1.0}, (x0 + 10, 112.0), (x0, 60.0, x0 + 20, 112.0))


def picture(disc: bool = True, standing: TokenReading | MarkerReading | None = None) -> NDArray[np.uint8]:
    shown = BOARD.copy()
    if disc:
        cv2.circle(shown, (101, 101), 10, (30, 30, 220), -1)
        cv2.circle(shown, (101, 101), 4, (240, 240, 240), -1)
    if standing is not None:
        x0, y0, x1, y1 = (int(edge) for edge in standing.box)
        cv2.rectangle(shown, (x0, y0), (x1, y1), (200, 120, 40), -1)
    return shown


def told(glimpses: Glimpses, shown: NDArray[np.uint8], *markers: MarkerReading, tokens: tuple[TokenReading, ...] = ()):
    return glimpses.fill_discs(shown, CORNERS, list(markers), list(tokens))


def test_overlooked_disc_is_still_there_while_its_place_looks_the_same() -> None:
    glimpses = Glimpses()
    assert told(glimpses, picture(), BOMB) == [BOMB]
    for _ in range(2):
        assert told(glimpses, picture()) == [BOMB]
    assert told(glimpses, picture(disc=False)) == []
    assert told(glimpses, picture()) == [], "it was taken away, and nobody has seen it come back"


def test_disc_that_is_another_one_now_was_misread() -> None:
    glimpses = Glimpses()
    told(glimpses, picture(), BOMB)
    assert told(glimpses, picture(), MINER) == [MINER]
    assert told(glimpses, picture()) == [MINER]


@pytest.mark.parametrize("hiding", [token(80), COP])
def test_disc_that_a_token_or_the_cop_hides_is_still_there(hiding: TokenReading | MarkerReading) -> None:
    glimpses = Glimpses()
    told(glimpses, picture(), BOMB)
    shown = picture(standing=hiding)
    tokens, markers = ((hiding,), ()) if isinstance(hiding, TokenReading) else ((), (hiding,))
    assert told(glimpses, shown, *markers, tokens=tokens) == [*markers, BOMB]
    assert told(glimpses, shown, tokens=(token(130),)) == [], "nothing stands there that hides it"


def test_disc_is_gone_where_what_a_token_leaves_of_its_place_is_bare() -> None:
    glimpses = Glimpses()
    told(glimpses, picture(), BOMB)
    assert told(glimpses, picture(disc=False, standing=token(80)), tokens=(token(80),)) == []


@pytest.mark.parametrize(("is_alike", "there"), [(True, [BOMB]), (False, [])])
def test_disc_of_which_nothing_shows_is_still_there_where_all_looks_much_the_same(
    is_alike: bool, there: list[MarkerReading]
) -> None:
    """Outlines are wider than tokens; what is quite another picture may hide anything."""
    glimpses, wide = Glimpses(), TokenReading("car", {8: 1.0}, (101.0, 112.0), (85.0, 60.0, 117.0, 112.0))
    told(glimpses, picture(), BOMB)
    thin = TokenReading("car", {8: 1.0}, (91.0, 112.0), (88.0, 60.0, 92.0, 112.0))
    assert told(glimpses, picture(standing=thin if is_alike else wide), tokens=(wide,)) == there


def test_nothing_is_still_there_when_the_camera_was_moved() -> None:
    glimpses = Glimpses()
    told(glimpses, picture(), BOMB)
    glimpses.fill(picture(), CORNERS, [token(30)])
    assert glimpses.fill_discs(picture(), CORNERS + 3, [], []) == []
    assert glimpses.fill(picture(), CORNERS + 3, []) == []


def test_token_that_has_left_is_not_still_there() -> None:
    glimpses = Glimpses()
    standing = picture(standing=token(30))
    assert glimpses.fill(standing, CORNERS, [token(30)]) == [token(30)]
    assert glimpses.fill(standing, CORNERS, []) == [token(30)]
    assert glimpses.fill(picture(), CORNERS, []) == []
    assert glimpses.fill(picture(), CORNERS, [token(60, None)]) == [token(60, None)]
