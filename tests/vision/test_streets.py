"""Houses are counted by their feet, and again by all that their street shows."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.observations import BoardBook
from tests.vision.table_sets import virtual_table
from vision.board.bands import HEIGHT, LEAN_LEVELS, LEAN_UNITS, NOTHING, UNIT_PX, WIDTH, Bands, Sight
from vision.board.layout import STREETS, usual_layout
from vision.detections import BuildingReading
from vision.pieces.finder import Found
from vision.pieces.streets import _WEIGHTS, COLUMNS, HOUSES, ROWS, StreetReader, recounted
from vision.pieces.tokens import SIZE, Seen
from vision.reader import TableReader
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Piece, Scene, TableStyle


class Told(StreetReader):
    """Says that so many houses, or hotels, stand everywhere, by this probability, nothing by another, and else two
    houses."""

    def __init__(self, chance: float = 0.99, houses: int = 4, hotels: int = 0, nothing: float = 0.0) -> None:
        super().__init__(usual_layout(), Bands.of(usual_layout()))
        self.chance, self.houses, self.hotels, self.nothing = chance, houses, hotels, nothing
        self.asked = list[int]()

    def recounted(
        self,
        buildings: dict[int, BuildingReading],
        sight: Sight,
        tokens: NDArray[np.float64] | None = None,
        strange: Sequence[Found] = (),
        pieces: Sequence[Found] = (),
    ) -> dict[int, BuildingReading]:
        """The buildings, those of streets that are not clear counted again."""
        return recounted(buildings, self.doubted(buildings, sight, tokens, strange, pieces))

    def read(self, streets: Sequence[int], sight: Sight) -> NDArray[np.float64]:
        self.asked = list(streets)
        chances = np.zeros((len(streets), 2, HOUSES))
        chances[:, 0, 2] = 1 - self.chance - self.nothing
        chances[:, 0, 0] = self.nothing
        chances[:, self.hotels, self.houses] = self.chance
        return chances


def sight(is_other: bool = False) -> Sight:
    """Two gray pictures of the board."""
    bands = np.full((4 * HEIGHT, WIDTH, 3), 120, np.uint8)
    same = np.zeros((4, HEIGHT, WIDTH), bool)
    return Sight(bands, bands, same, np.full((4, 2, HEIGHT, WIDTH), NOTHING, np.uint8), 1.0, is_other)


DOUBTED, SURE, HOTEL = BuildingReading(2, False, 0.7), BuildingReading(2, False, 0.97), BuildingReading(0, True, 0.6)
CLEAR = [BuildingReading(1, False, chance) for chance in (0.998, 0.996, 0.999)]


def built(reading: BuildingReading) -> tuple[int, bool]:
    """What stands there, however sure that is."""
    return reading.houses, reading.hotel


def even(weight: float, by_feet: BuildingReading) -> float:
    """The probability from which what the street shows outweighs feet that speak against it so."""
    return float(1 / (1 + np.exp(-weight * by_feet.confidence)))


def test_houses_are_as_many_as_the_street_shows() -> None:
    read = Told(0.9).recounted({1: DOUBTED, 9: SURE}, sight())
    assert [(read[street].houses, read[street].hotel) for street in (1, 9)] == [(4, False)] * 2
    assert 0.5 < read[9].confidence < read[1].confidence < 0.9


@pytest.mark.parametrize(("degrees", "counts"), [(80, 1.0), (45, 1.0), (30, np.tan(np.radians(30)))])
def test_feet_tell_the_less_the_lower_down_a_street_is_seen_from(degrees: float, counts: float) -> None:
    low = sight()
    far_px = LEAN_UNITS * UNIT_PX / np.tan(np.radians(degrees))
    low.lean[:, 0] = round(NOTHING + LEAN_LEVELS * far_px)
    as_likely = float(1 / (1 + np.exp(-counts * _WEIGHTS.more * DOUBTED.confidence)))
    assert Told(as_likely - 0.01).recounted({1: DOUBTED}, low)[1].houses == 2
    assert Told(as_likely + 0.01).recounted({1: DOUBTED}, low)[1].houses == 4


def test_what_feet_tell_stays_where_the_street_hardly_shows_more() -> None:
    doubted, sure = (even(_WEIGHTS.more, by_feet) for by_feet in (DOUBTED, SURE))
    assert built(Told(doubted - 0.02).recounted({1: DOUBTED}, sight())[1]) == built(DOUBTED)
    assert built(Told(doubted + 0.02).recounted({1: SURE}, sight())[1]) == built(SURE)
    assert Told(doubted + 0.02).recounted({1: DOUBTED}, sight())[1].houses == 4
    assert Told(sure + 0.02).recounted({1: SURE}, sight())[1].houses == 4


def test_fewer_houses_than_feet_tell_are_there_where_the_street_shows_them_more_plainly() -> None:
    four = BuildingReading(4, False, 0.9)
    at = 1 - even(_WEIGHTS.fewer, four)
    assert Told(at - 0.01, 4).recounted({1: four}, sight())[1].houses == 2
    assert built(Told(at + 0.01, 4).recounted({1: four}, sight())[1]) == built(four)


def test_hotels_and_rows_are_taken_for_each_other_where_the_street_shows_it_plainly() -> None:
    faint, plain = BuildingReading(0, True, 0.7), BuildingReading(0, True, 0.99)
    reader = Told(1 - even(_WEIGHTS.no_hotel, faint) - 0.02, 0, hotels=1)
    assert built(reader.recounted({13: faint, 16: plain}, sight())[16]) == built(plain)
    assert reader.recounted({13: faint, 16: plain}, sight())[13].houses == 2
    at = even(_WEIGHTS.hotel, DOUBTED)
    assert built(Told(at - 0.02, 0, hotels=1).recounted({1: DOUBTED}, sight())[1]) == built(DOUBTED)
    hotel = Told(at + 0.02, 0, hotels=1).recounted({1: SURE, 3: DOUBTED}, sight())
    assert (hotel[1].houses, hotel[3].hotel) == (2, True)
    assert Told(0.99, 0).recounted({13: faint}, sight()) == {}, "it was none"


def test_beside_a_hotel_stand_houses_that_were_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, said = Told(), np.full((1, 2, HOUSES), 1e-6)
    monkeypatch.setattr(reader, "read", lambda *_: said)
    said[0, 1, :2] = 0.05, 0.95
    assert built(reader.recounted({13: HOTEL}, sight())[13]) == built(HOTEL)
    said[0, 1, :2] = 0.95, 0.05
    beside = BuildingReading(1, True, 0.8)
    assert built(reader.recounted({13: beside}, sight())[13]) == built(beside)
    said[0, 1, :2] = 0.999, 0.001
    assert reader.recounted({13: beside}, sight())[13].houses == 0


def test_rows_of_houses_are_looked_at_together_beside_the_clearest() -> None:
    reader = Told()
    clear = dict(zip((6, 8, 9), CLEAR, strict=True))
    read = reader.recounted({37: HOTEL, 3: SURE, **clear, 1: DOUBTED}, sight())
    assert reader.asked == [37, 3, 1, 9, 6]
    assert {street: read[street] for street in clear} == clear


@pytest.mark.parametrize("by_feet", [DOUBTED, SURE])
def test_what_is_counted_again_is_as_sure_as_all_of_it_tells(by_feet: BuildingReading) -> None:
    """What feet say is weighed in already, and need not say the same twice."""
    for chance, is_plain in ((0.6, False), (0.05, True)):
        read = Told(chance, houses=3).recounted({1: by_feet}, sight())[1]
        odds = np.log((1 - chance) / chance) + _WEIGHTS.more * by_feet.confidence
        assert (read.houses, read.confidence > 0.97) == (2, is_plain)
        assert read.confidence == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-3)


def test_clear_rows_that_are_not_as_the_book_has_them_are_counted_again() -> None:
    reader, rows = Told(), {6: CLEAR[0], 8: CLEAR[1]}
    for booked in ({}, {6: (1, False), 8: (1, False)}, {9: (0, False)}):
        assert reader.doubted(rows, sight(), booked=booked) == {}
    assert list(reader.doubted(rows, sight(), booked={6: (1, False), 8: (2, False)})) == [8]
    assert list(reader.doubted(rows, sight(), booked={6: (1, True)})) == [6]
    assert reader.asked == [6, 8], "the other row tells how large houses are"


def test_where_the_book_has_buildings_of_which_none_was_seen_they_are_looked_for() -> None:
    reader = Told()
    for built_on in ((1, False), (0, True)):
        assert list(reader.doubted({}, sight(), booked={8: built_on, 9: (0, False)})) == [8]


def test_clear_rows_alone_are_not_counted_again() -> None:
    reader = Told()
    assert reader.recounted({6: CLEAR[0]}, sight()) == {6: CLEAR[0]}
    assert not reader.asked


def test_houses_in_doubt_may_be_none_where_the_street_shows_none() -> None:
    one = BuildingReading(1, False, 0.5)
    assert Told(0.99, 0).recounted({1: one, 3: DOUBTED}, sight()) == {}
    at = even(_WEIGHTS.none, DOUBTED)
    read = Told(at + 0.02, 0).recounted({1: DOUBTED, 3: SURE}, sight())
    assert {street: built(one) for street, one in read.items()} == {3: built(SURE)}
    assert Told(at - 0.02, 0).recounted({1: DOUBTED}, sight())[1].houses == 2


def test_what_has_no_feet_is_there_where_something_differs_and_the_street_shows_it_plainly() -> None:
    changed = sight()
    bands = Bands.of(usual_layout())
    left, top = bands.to_band(3, usual_layout().strip_corners(31)).min(axis=0).astype(int)
    changed.differs[3, top : top + 10, left : left + 30] = True
    reading = Told(1 - nothing_as_likely_as(_WEIGHTS.missed) / 2, nothing=nothing_as_likely_as(_WEIGHTS.missed) / 2)
    assert [(one.houses, one.hotel) for one in reading.recounted({}, changed).values()] == [(4, False)]
    assert Told(0.98, nothing=1.1 * nothing_as_likely_as(_WEIGHTS.missed)).recounted({}, changed) == {}
    assert Told(0.99, 0).recounted({}, changed) == {}
    for share, is_there in ((0.9, True), (1.1, False)):
        nothing = share * nothing_as_likely_as(_WEIGHTS.missed_hotel)
        read = Told(1 - nothing, 0, hotels=1, nothing=nothing).recounted({}, changed)
        assert list(read) == [31] * is_there
        assert not is_there or (read[31].houses, read[31].hotel, read[31].confidence > 0.5) == (0, True, True)


def nothing_as_likely_as(weight: float) -> float:
    """The probability of nothing by which a street where no foot was seen may as well be built on."""
    return float(1 / (1 + np.exp(weight)))


@pytest.mark.parametrize("houses", [1, 4])
def test_what_was_found_as_a_token_but_is_no_figure_speaks_for_a_building(houses: int) -> None:
    layout = usual_layout()
    on_space = layout.strip_corners(31).mean(axis=0) * 1.1
    strange = [Found("token", on_space, 0.5), Found("token", np.array([0.0, 0.0]), 0.9)]
    reader = Told(0.5, houses, nothing=0.5)
    assert reader.recounted({}, sight()) == {}
    assert not reader.asked
    read = reader.recounted({}, sight(), None, strange)
    assert reader.asked == [31]
    assert {street: (one.houses, one.hotel) for street, one in read.items()} == {31: (houses, False)}
    assert Told(0.001, houses, nothing=0.999).recounted({}, sight(), None, strange) == {}, "it may be anything"


GREEN, RED = np.array([120, 90, 160], np.float32), np.array([110, 190, 170], np.float32)


@pytest.mark.parametrize("hotel_color", [RED, GREEN, None])
def test_what_has_the_color_of_houses_is_no_hotel_where_hotels_of_another_are_known(
    monkeypatch: pytest.MonkeyPatch, hotel_color: NDArray[np.float32] | None
) -> None:
    reader, said = Told(), {13: (0.9, 0.1), 16: (0.99, 0.01)}
    seen = {6: CLEAR[0], 8: CLEAR[1], 13: HOTEL} | ({} if hotel_color is None else {16: HOTEL})
    colors = {6: GREEN, 8: GREEN, 13: GREEN, 16: hotel_color}
    monkeypatch.setattr(reader, "read", lambda streets, _: chances(said.get(street, (0, 1)) for street in streets))
    pieces = [standing(street, reading.hotel, colors[street]) for street, reading in seen.items()]
    read = reader.recounted(seen, sight(), None, (), pieces)
    assert (read[13].houses, read[13].hotel) == ((2, False) if hotel_color is RED else (0, True))
    assert hotel_color is None or built(read[16]) == built(HOTEL)
    assert built(reader.recounted(seen, sight())[13]) == built(HOTEL), "nothing is known of colors"


def test_what_has_another_color_than_houses_is_a_hotel(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, seen = Told(), {6: CLEAR[0], 8: CLEAR[1], 13: DOUBTED}
    monkeypatch.setattr(reader, "read", lambda streets, _: chances((0.3, 0.7) for _ in streets))
    for color, is_hotel in ((RED, True), (GREEN, False)):
        pieces = [standing(street, False, color if street == 13 else GREEN) for street in seen]
        assert reader.recounted(seen, sight(), None, (), pieces)[13].hotel == is_hotel
    bare = reader.recounted(seen, sight(), None, (), [standing(13, False, RED)])
    assert bare[13].houses == 2, "no houses are there to compare with"


def chances(each: Iterable[tuple[float, float]]) -> NDArray[np.float64]:
    """Of a hotel alone, and of two houses, on some streets."""
    said = np.zeros((0, 2, HOUSES))
    for hotel, two in each:
        said = np.concatenate([said, np.full((1, 2, HOUSES), 1e-9)])
        said[-1, 1, 0], said[-1, 0, 2] = hotel, two
    return said


def standing(street: int, is_hotel: bool, color: NDArray[np.float32] | None) -> Found:
    """What stands in the middle of a street's strip."""
    foot = usual_layout().strip_corners(street).mean(axis=0)
    return Found("hotel" if is_hotel else "house", foot, 0.9, street // 10, np.zeros(3) if color is None else color)


def test_what_is_known_to_be_a_token_is_not_shown() -> None:
    """Where one leans over a strip, that looks as if it were empty; what stands beside it stays."""
    layout, seen = usual_layout(), list[Sight]()
    bands = Bands.of(layout)
    side, foot = 1, bands.to_board(1, np.array([[240.0, 40.0]]))
    now = np.full((4 * HEIGHT, WIDTH, 3), 200, np.uint8)
    lean = np.full((4, 2, HEIGHT, WIDTH), NOTHING, np.uint8)
    # Upright things lean 10 px to the left and 20 px up, for each half of a space's width that they are tall.
    lean[side, 0], lean[side, 1] = NOTHING - 10 * LEAN_LEVELS, NOTHING - 20 * LEAN_LEVELS
    reader = Told()
    reader.read = lambda streets, sight: seen.append(sight) or np.full((len(streets), 2, HOUSES), 0.1)
    reader.recounted({13: DOUBTED}, replace(sight(), now=now, lean=lean), tokens=foot)
    is_shown = (seen[0].now == 200).all(axis=2).reshape(4, HEIGHT, WIDTH)
    assert is_shown[[0, 2, 3]].all()
    assert is_shown[side, [40, 40 - 22], [240, 240 - 11]].tolist() == [False, False], "from its foot to its top"
    assert is_shown[side, [40, 18, 55], [230, 240, 240]].all(), "beside it, and below its foot"
    reader.recounted({13: DOUBTED}, replace(sight(), now=now, lean=lean))
    assert (seen[1].now == 200).all()


def test_the_reader_tells_the_streets_of_the_book_and_where_tokens_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pawns = ("red_pawn", "yellow_pawn")
    table, told = virtual_table(3, pawns), list[NDArray[np.float64]]()
    reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, table.pictures.enrol)
    setting = table.setting(4)
    placed = [setting.put_token(name, square) for name, square in zip(pawns, (24, 5), strict=True)]
    picture = table.picture(setting.scene())
    booked = list[dict[int, tuple[int, bool]]]()
    monkeypatch.setattr(
        reader._streets,
        "doubted",
        lambda buildings, sight, feet, _, __, book: told.append(feet) or booked.append(book) or {},
    )
    reader.book = BoardBook(streets={6: (2, False)})
    read = reader.read(picture).tokens
    assert booked == [{6: (2, False)}]
    right = np.array([(piece.x, piece.y) for piece in placed]) / table.style.geometry.size_m
    assert np.array(sorted(told[0].tolist())) == pytest.approx(np.array(sorted(right.tolist())), abs=0.01)
    doubted = [replace(token, names={str(token.name): 0.8}, cop=None) for token in read]
    monkeypatch.setattr(reader._namer, "name", lambda *_: Seen(doubted, [], [], None))
    reader.read(picture)
    assert len(told[1]) == 0, "it may be something else"


def test_a_figure_that_nobody_has_enrolled_is_no_building(monkeypatch: pytest.MonkeyPatch) -> None:
    pawns = ("red_pawn", "yellow_pawn")
    table, told = virtual_table(3, pawns), list[list[Found]]()
    picture = table.with_tokens(4, dict(zip(pawns, (24, 6), strict=True)))
    no_figure = np.zeros(2 * SIZE + 5, np.float32)
    no_figure[2 * SIZE + 1] = 40.0
    for enrolled in ({"red_pawn": table.pictures.enrol["red_pawn"]}, {}):
        reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, enrolled)
        reader.has_markers = False
        monkeypatch.setattr(
            reader._streets, "doubted", lambda buildings, sight, _, strange, *__: told.append(strange) or {}
        )
        reader.read(picture)
        look = reader._namer._recognizer.first_look
        monkeypatch.setattr(reader._namer._recognizer, "first_look", lambda shown, look=look: look(shown) - no_figure)
        reader.read(picture)
    squares = [[usual_layout().square_at(one.foot) for one in strange] for strange in told]
    assert squares == [[], [6], [], [6, 24]]


@pytest.mark.parametrize("buildings", [{}, {3: CLEAR[0]}])
def test_nothing_is_counted_again_where_all_is_clear(buildings: dict[int, BuildingReading]) -> None:
    reader = Told()
    assert reader.recounted(buildings, sight()) == buildings
    assert not reader.asked


@pytest.mark.parametrize("street", STREETS)
def test_each_street_is_seen_in_the_middle_of_its_window(street: int, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = usual_layout()
    bands = Bands.of(layout)
    marked = sight()
    corners = bands.to_band(street // 10, layout.strip_corners(street))
    left, right = corners[:, 0].min(), corners[:, 0].max()
    now = marked.now.copy().reshape(4, HEIGHT, WIDTH, 3)
    now[street // 10, :, round(left) : round(right)] = 250
    seen = list[NDArray[np.uint8]]()

    def network(shown: NDArray[np.uint8]) -> NDArray[np.float32]:
        seen.append(shown)
        return np.zeros((len(shown), 2 * HOUSES), np.float32)

    reader = StreetReader(layout, bands)
    monkeypatch.setattr(reader._networks, "of", lambda is_low: network)
    chances = reader.read([street], replace(marked, now=now.reshape(-1, WIDTH, 3)))
    assert chances == pytest.approx(np.full((1, 2, HOUSES), 1 / (2 * HOUSES)))
    assert seen[0].shape == (1, 8, ROWS, COLUMNS)
    bright = np.flatnonzero(seen[0][0, 0, 20] > 200)
    assert bright.mean() == pytest.approx((COLUMNS - 1) / 2, abs=1)
    assert len(bright) == pytest.approx(36, abs=2)


def misread(seed: int, is_recounted: bool) -> int:
    """On how many streets of a crowded board another number of houses is read than stands there."""
    style = replace(TableStyle.random(seed, ["red_pawn"]), has_decks=False, papers=())
    geometry, rng = style.geometry, np.random.default_rng(seed)
    houses, built = list[Piece](), dict[int, int]()
    for street in STREETS:
        built[street] = int(rng.integers(1, 5))
        for k in range(built[street]):
            depth = 1 - geometry.strip_frac * rng.uniform(0.4, 0.6)
            x, y = geometry.at(street, 0.15 + 0.236 * k, float(depth))
            turn = float(geometry.heading(street) + rng.normal(0, 0.05))
            houses.append(Piece(f"house {street} {k}", "house", x, y, 0.0, turn))
    renderer = Renderer(style)
    reader = TableReader(renderer.render(Scene(), Moment(noise_seed=1)), style.camera.project(geometry.corners()))
    reader.reads_dice = False
    if not is_recounted:
        reader._streets.doubted = lambda *_: {}
    read = reader.read(renderer.render(Scene(tuple(houses)), Moment(noise_seed=2))).buildings
    return sum(street not in read or read[street].houses != count for street, count in built.items())


def test_houses_are_counted_better_by_all_that_a_street_shows() -> None:
    seeds = (8, 59)
    by_feet, again = (sum(misread(seed, is_recounted) for seed in seeds) for is_recounted in (False, True))
    assert by_feet >= 2, "nothing in doubt: this tests nothing"
    assert again <= 1, f"{again} streets, {by_feet} by their feet"
