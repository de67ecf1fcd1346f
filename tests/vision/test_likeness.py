"""Houses of one set are of one color, and so are its hotels: what looks otherwise is none, what looks so is one."""

import numpy as np
import pytest

from tests.vision.table_sets import reader_of, virtual_table
from vision.board.layout import STREETS, usual_layout
from vision.pieces.finder import Found, Pieces
from vision.pieces.likeness import compared

PAWNS = ("red_pawn", "blue_pawn", "yellow_pawn", "white_pawn")
GREEN, RED, PURPLE = ((110.0, 85.0, 170.0), (125.0, 185.0, 188.0), (155.0, 142.0, 136.0))


def piece(
    street: int,
    score: float,
    color: tuple[float, float, float],
    kind: str = "house",
    off: float = 0.0,
    along: float = 0.5,
) -> Found:
    """Something on a street's strip, or `off` widths of a space from it towards the edge of the board."""
    layout = usual_layout()
    strip = layout.strip_corners(street)
    inner, outer = strip[0] + (strip[1] - strip[0]) * along, strip[3] + (strip[2] - strip[3]) * along
    outward = (outer - inner) / np.hypot(*(outer - inner))
    foot = (inner + outer) / 2 if off == 0 else outer + off * layout.unit * outward
    return Found(kind, foot, score, color=np.array(color, np.float32))


def judged(*pieces: Found, weak: tuple[Found, ...] = ()) -> list[Found]:
    return compared(Pieces(list(pieces), np.zeros((3, 4)), list(weak)), usual_layout()).pieces


def at(pieces: list[Found], one: Found, kind: str) -> float:
    """The score of that kind in the place of a piece; 0 where there is none."""
    return max((other.score for other in pieces if other.kind == kind and (other.foot == one.foot).all()), default=0.0)


def test_what_is_of_another_color_than_the_houses_is_less_likely_one() -> None:
    houses = [piece(street, 0.8, GREEN) for street in (1, 14, 27)]
    note, faint = piece(39, 0.5, PURPLE), piece(37, 0.4, GREEN)
    found = judged(*houses, note, faint)
    assert at(found, note, "house") < 0.36
    assert at(found, faint, "house") > 0.4
    assert [at(found, house, "house") for house in houses] == pytest.approx([0.8] * 3)


def test_what_is_plain_by_itself_stays_whatever_its_color() -> None:
    plain = piece(39, 0.85, PURPLE)
    assert at(judged(*(piece(street, 0.8, GREEN) for street in (1, 14, 27)), plain), plain, "house") > 0.6


def test_a_house_that_stands_alone_is_as_plain_as_it_is() -> None:
    alone = piece(39, 0.5, PURPLE)
    assert judged(alone) == [alone]
    assert judged() == []


@pytest.mark.parametrize(("off", "is_hotel"), [(0.1, True), (0.6, False)])
def test_a_disc_that_looks_like_the_hotels_and_lies_at_a_strip_is_one(off: float, is_hotel: bool) -> None:
    disc = piece(14, 0.5, RED, "bomb", off)
    found = judged(piece(1, 0.8, RED, "hotel"), piece(27, 0.8, RED, "hotel"), piece(31, 0.8, GREEN), disc)
    assert (at(found, disc, "hotel") > 0.3) == is_hotel
    assert at(found, disc, "house") == 0


def test_a_disc_that_is_surely_a_marker_is_no_hotel_and_neither_is_a_faint_token_in_its_place() -> None:
    hotels = piece(1, 0.8, RED, "hotel"), piece(27, 0.8, RED, "hotel")
    disc, faint = piece(14, 0.8, RED, "bomb", 0.1), piece(14, 0.15, RED, "token", 0.12)
    assert at(judged(*hotels, weak=(faint,)), faint, "hotel") > 0
    found = judged(*hotels, disc, weak=(faint,))
    assert at(found, disc, "hotel") == at(found, faint, "hotel") == 0


def test_a_faint_token_that_looks_like_the_houses_is_a_house() -> None:
    faint = piece(8, 0.15, GREEN, "token", 0.05)
    found = judged(piece(1, 0.9, GREEN), piece(27, 0.9, GREEN), weak=(faint,))
    assert at(found, faint, "house") > 0
    assert at(found, faint, "token") == 0


def test_a_house_that_may_be_seen_twice_gains_nothing_by_its_color() -> None:
    houses = [piece(street, 0.8, GREEN) for street in (1, 14, 27)]
    again = piece(14, 0.3, GREEN, along=0.7)
    assert at(judged(*houses, again), again, "house") <= 0.3


def test_pieces_of_rendered_tables_have_their_colors() -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    setting = table.setting(5)
    for street in STREETS[::5]:
        setting.put_buildings(street, 2, False)
    picture = table.picture(setting.scene())
    view = reader.reference.register(picture).view
    assert view is not None
    houses = [one for one in reader._finder.find(picture, view).pieces if one.kind == "house" and one.score > 0.5]
    assert len(houses) >= 8
    assert all(one.color[1] < 120 for one in houses), "green"
