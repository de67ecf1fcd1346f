"""Tokens that nobody enrolled: what is one at all, and each of them once."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table_sets import reader_of, virtual_table
from vision.board.bands import Bands, Sight
from vision.board.layout import usual_layout
from vision.board.view import Points, View
from vision.pieces import tokens
from vision.pieces.finder import Found, Pieces
from vision.pieces.heat import Heat
from vision.pieces.presence import candidates, each_once, log_odds
from vision.pixels import Image

TOKENS = ("car", "dog", "iron", "red_pawn", "yellow_meeple")
COLORS = np.zeros((3, 4))


def street(square: int) -> np.ndarray:
    """The middle of a street's strip."""
    return np.asarray(usual_layout().strip_corners(square).mean(axis=0))


def test_a_building_in_its_place_speaks_against_a_token_and_a_plain_foot_for_it() -> None:
    layout = usual_layout()
    foot, far = street(24), street(6)
    tokens = [Found("token", foot, 0.5), Found("token", far, 0.5), Found("token", far, 0.7)]
    odds = log_odds(Pieces([*tokens, Found("house", foot, 0.8)], COLORS), tokens, layout)
    assert odds[0] < odds[1] < odds[2]
    assert log_odds(Pieces([], COLORS), [], layout).shape == (0,)


def test_only_what_stands_on_a_space_or_hardly_beside_it_may_be_a_token() -> None:
    layout = usual_layout()
    inner = layout.rectangle(25)[1]
    places = [np.array([0.0, inner - share * layout.unit]) for share in (-0.3, 0.1, 0.3, 2.0)]
    found = [Found("token", place, 0.6) for place in places]
    assert candidates(Pieces(found, COLORS), layout) == found[:2]
    assert candidates(Pieces([], COLORS), layout) == []


def test_what_shows_no_peak_may_be_a_token_but_has_to_look_much_more_like_one() -> None:
    layout = usual_layout()
    bands = Bands.of(layout)
    odds = np.full((5, 48, 240), -9.0, np.float32)
    # A peak with a shoulder, and nothing but a slope a space away.
    odds[0, 30, 100:110] = [0.0, -0.2, -0.4, -0.6, -0.8, -1.0, -1.2, -1.4, -1.6, -1.8]
    everywhere = np.ones((4, 96, 480), bool)
    sight = Sight(*np.zeros((2, 384, 480, 3), np.uint8), everywhere, np.full((4, 2, 96, 480), 115, np.uint8), 1.0)
    heat = Heat(odds, [(0, 0, 480)], bands)
    foot = Found("token", heat.peaks(0.4).feet[0], 0.5)
    found = Pieces([foot], COLORS, sight=sight, heat=heat)
    first, second = candidates(found, layout)
    assert first is foot
    assert 0.25 < np.hypot(*(second.foot - foot.foot)) / layout.unit < 0.35
    before = log_odds(found, [replace(second, score=float(1 / (1 + np.exp(1.0)))), second], layout)
    assert before[0] - before[1] > 2.5


def test_of_two_feet_of_one_token_the_likelier_is_kept_and_what_is_rather_none_is_not() -> None:
    unit = usual_layout().unit
    feet = np.array([[0.0, 0.4], [0.2 * unit, 0.4], [0.5 * unit, 0.4], [0.3, 0.4]])
    assert each_once(feet, np.array([1.0, 3.0, 2.0, -0.1]), unit) == [1]
    assert each_once(feet, np.array([3.0, 1.0, 2.0, -0.1]), unit) == [0, 2]
    assert each_once(np.zeros((0, 2)), np.zeros(0), unit) == []


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_tokens_are_told_from_discs_dice_and_the_cop_before_anybody_enrolled_them(seed: int) -> None:
    table, reader = virtual_table(seed, TOKENS), reader_of(seed, ())
    setting = table.setting(seed)
    spaces = dict(zip(TOKENS, (2, 13, 24, 35, 38), strict=True))
    for name, square in spaces.items():
        setting.put_token(name, square)
    setting.put_markers(6, ("bomb",))
    setting.put_markers(21, ("miner",))
    setting.dice = setting.throw((2, 5))
    reading = reader.read(table.picture(setting.scene(), seed=seed))
    assert sorted(token.square for token in reading.tokens) == sorted(spaces.values())
    assert all(token.name is None and token.name_confidence > 0.5 for token in reading.tokens)
    assert sorted((one.kind, one.square) for one in reading.markers) == [("bomb", 6), ("miner", 21)]
    assert sorted(die.value for die in reading.dice) == [2, 5]


@pytest.mark.parametrize(("cops", "told"), [((2.5, 9.0), [26]), ((9.0, 2.5), [13]), ((1.5, 1.9), [])])
def test_the_cop_is_who_looks_most_like_him_where_there_may_be_one(
    cops: tuple[float, float], told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, reader = virtual_table(3, TOKENS), reader_of(3, ())
    setting = table.setting(3)
    setting.put_token("red_pawn", 13)
    setting.put_token("car", 26)
    picture = table.picture(setting.scene(), seed=3)
    looked = reader._namer._first_looks

    def looking(frame: Image, view: View, found: Pieces, at: Points) -> object:
        shown, vectors, more = looked(frame, view, found, at)
        squares = [reader.layout.square_at(foot) for foot in at]
        vectors[:, tokens._COP] = [cops[squares[k] == 26] for k in range(len(at))]
        return shown, vectors, more

    monkeypatch.setattr(reader._namer, "_first_looks", looking)
    monkeypatch.setattr(tokens.Recognizer, "second_look", lambda _, __, first: first)
    seen = reader.read(picture)
    assert [(one.kind, one.square) for one in seen.markers] == [("cop", square) for square in told]
    assert sorted(token.square for token in seen.tokens) == sorted({13, 26} - set(told))
    reader.has_markers = False
    try:
        assert sorted(token.square for token in reader.read(picture).tokens) == [13, 26]
    finally:
        reader.has_markers = True
