"""How many houses stand on each street: a small network looks at color strips as a whole.

The finder (`finder.py`) tells pieces one by one, by their feet; houses that touch, and have the color of the strip
they stand on, are counted better by all that a street shows. The network (`vision/models/streets.onnx`, trained by
`vision/training/pieces_train.py`) is shown the same as the finder, of several streets of the board at once: the houses
of one tell of what size and color those of the others are. There is one for cameras that stand low down, too
(`streets_low.onnx`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.bands import LEAN_UNITS, UNIT_PX, WIDTH, Bands, Sight, lean_px
from vision.board.layout import STREETS, Layout
from vision.board.view import Points
from vision.detections import BuildingReading
from vision.networks import MODELS, Twins
from vision.pieces.buildings import streets_at, streets_of
from vision.pieces.finder import Found
from vision.pieces.likeness import likeness_of
from vision.pieces.presence import feet_of
from vision.pieces.tokens import TALL

#: Rows and columns of a band that are shown of a street; its strip lies in the middle of the columns.
ROWS, COLUMNS = 48, 64
#: Numbers of houses that are told apart, none among them.
HOUSES = 5
#: Streets whose feet are surer than this are not counted again: of 65 that changed in 952 rendered pictures none was
#: surer. So many of these, the surest, are shown beside the others, as theirs are the same houses: without any, 13
#: pictures fewer were right, and with all of them none more (by 0.98 in place of 0.995).
_CLEAR, _BESIDE = 0.995, 2
#: Where so many px of a street's middle differ from the empty board, a hotel or houses may have been missed.
#: (By 40 in place of 100 two of 1680 pictures more are right.)
_COVERED = 40
#: Half the width of a token, in widths of a space. (Of 46 316 streets of 220 rendered tables with houses in rows 32 are
#: misread where tokens are shown, and 25 so; of 15 078 of 70 tables where houses stand anyhow, and tokens hide some, or
#: have other shapes, 229 and 238.)
_HALF_WIDE = 0.18
_MIDDLE = (slice(3, 36), slice(12, 52))


class Weights(NamedTuple):
    """What was told by feet, as far as that is sure: log odds that speak against all else.

    Attributes:
        none: against a street on which nothing stands, where houses or a hotel were seen.
        more, fewer: against more or fewer houses, where no hotel was seen.
        hotel, no_hotel: against a hotel where houses were seen, and against none where one was.
        beside: against other houses beside a hotel than were seen: the rules know none (CL-9.6).
        missed, missed_hotel: against houses, or a hotel, where nothing was seen.
        strange: against nothing there all the same, where something was found as a token that is no figure.
    """

    none: float
    more: float
    fewer: float
    hotel: float
    no_hotel: float
    beside: float
    missed: float
    missed_hotel: float
    strange: float


#: Of 41 489 streets that are looked at for the feet on them, of 318 rendered tables (on 96 of these houses stand
#: anyhow), 615 are misread so, 1 939 by feet alone, and 972 by the network alone, as it was before it learned from low
#: down.
_WEIGHTS = Weights(3.0, 1.5, 3.0, 1.0, 2.0, 6.0, 4.6, 2.5, 6.0)


#: Two houses that touch have the shape of a hotel, but the color of other houses. Streets that show one, three or four
#: houses with this probability tell that color; what is less alike to it than the second is of another color for sure.
_ARE_HOUSES, _UNLIKE = 0.9, 0.4
#: Log odds of a hotel, by how much its color is like that of houses: slope, likeness at which it tells nothing, and the
#: most that it tells for a hotel, and for houses, where a hotel of another color is known. (Of 4 110 hotels on 116
#: rendered tables 4% are like houses by more than 0.5, nearly all on four tables where both are of one color; of 13 681
#: streets with houses 1% are like others by less than 0.6.)
_BY_COLOR, _EVEN, _HOTEL_MOST, _HOUSES_MOST = 20.0, 0.52, 4.0, 4.5


class StreetReader:
    """Counts the houses on the streets of one board.

    Args:
        models: folder of the weights.
    """

    def __init__(self, layout: Layout, bands: Bands, models: Path = MODELS) -> None:
        self._networks = Twins(models, "streets")
        self._bands, self._layout = bands, layout
        self._firsts = {street: _first_column(layout, bands, street) for street in STREETS}

    def doubted(
        self,
        buildings: Mapping[int, BuildingReading],
        sight: Sight,
        tokens: Points | None = None,
        strange: Sequence[Found] = (),
        pieces: Sequence[Found] = (),
        booked: Mapping[int, tuple[int, bool]] = MappingProxyType({}),
    ) -> dict[int, NDArray[np.float64]]:
        """What streets that are not clear show as a whole, those among them where buildings may have been missed.

        What is clear but not as the book has it is looked at like this as well: a house may hide behind another.

        Args:
            buildings: as feet tell them.
            tokens: (n, 2) the feet of what is known to be a token, and so no houses, whatever it looks like.
            strange: what was found as a token, but is no figure: houses in a heap are, and hotels off their strips.
            pieces: by which the buildings were read, with their colors.
            booked: square -> (houses, hotel) that the game's book has there.
        Returns:
            Street -> (2, HOUSES) probability of so many houses, without and with a hotel.
        """
        rows = [street for street, reading in buildings.items() if not reading.hotel]
        clear = [street for street in rows if buildings[street].confidence >= _CLEAR]
        clear = [street for street in clear if booked.get(street) in (None, (buildings[street].houses, False))]
        asked = [street for street in buildings if street not in clear]
        there = self._chances(strange)
        missed = [street for street in STREETS if street not in buildings]
        asked += [
            street
            for street in missed
            if street in there or any(booked.get(street, ())) or self._differs(street, sight)
        ]
        if not asked:
            return {}
        if tokens is not None and len(tokens):
            sight = sight.without(self._bands, tokens, TALL, _HALF_WIDE)
        beside = sorted(clear, key=lambda street: -buildings[street].confidence)[:_BESIDE]
        odds = {
            street: np.log(chance + 1e-6)
            - self._steepness(street, sight) * _against(buildings.get(street), there.get(street, 0.0))
            for street, chance in zip(asked, self.read(asked + beside, sight), strict=False)
        }
        by_color = self._by_color(pieces, odds, clear) if any(map(_may_be_either, odds.values())) else {}
        for street, tells in by_color.items():
            odds[street][0, 1:] -= max(tells, 0.0)
            odds[street][1] += min(tells, 0.0)
        return {street: _shares(each) for street, each in odds.items()}

    def _by_color(
        self, pieces: Sequence[Found], odds: Mapping[int, NDArray[np.float64]], clear: Sequence[int]
    ) -> dict[int, float]:
        """Log odds that a hotel stands on streets, and no houses, by the colors of what stands there.

        Args:
            odds: (2, HOUSES) log odds of each number, of the streets that are asked for.
            clear: those on which only houses stand, for sure.
        """
        found: dict[int, list[Found]] = {}
        for one, street in zip(pieces, streets_of(self._layout, pieces), strict=True):
            if street is not None and (street in odds or street in clear):
                found.setdefault(street, []).append(one)
        streets = list(found)
        if len(streets) < 2:
            return {}
        shares = [_shares(odds[street]) if street in odds else None for street in streets]
        are_houses = np.array([1.0 if each is None else each[0, [1, 3, 4]].sum() for each in shares])
        are_hotels = np.array([0.0 if each is None else each[1].sum() for each in shares])
        colors = [np.average([one.color for one in of], 0, [one.chance for one in of]) for of in found.values()]
        elsewhere = 1 - np.eye(len(streets))
        houses = np.where(are_houses > _ARE_HOUSES, are_houses, 0.0) * elsewhere
        known = houses.sum(axis=1)
        is_told = known > 0
        alike = (houses * likeness_of(np.array(colors))).sum(axis=1) / np.maximum(known, _ARE_HOUSES)
        unlike = np.where(is_told & (alike < _UNLIKE), are_hotels, 0.0) * elsewhere
        tells = np.clip(_BY_COLOR * (_EVEN - alike), -_HOUSES_MOST * unlike.max(axis=1), _HOTEL_MOST)
        each = zip(streets, is_told, tells.tolist(), strict=True)
        return {street: told for street, is_one, told in each if is_one and street in odds}

    def _chances(self, strange: Sequence[Found]) -> dict[int, float]:
        """How probable it is that something stands on those streets on which such was found."""
        chances = dict[int, float]()
        for one, street in zip(strange, streets_at(self._layout, feet_of(strange)), strict=True):
            if street is not None:
                chances[street] = max(chances.get(street, 0.0), one.chance)
        return chances

    def _steepness(self, street: int, sight: Sight) -> float:
        """Tangent of the angle that a street is seen at, 1 from 45 degrees on: from lower down houses hide each other's
        feet, which tell the less."""
        rows, columns = (round((part.start + part.stop) / 2) for part in _MIDDLE)
        lean = lean_px(sight.lean[street // 10, :, rows, self._firsts[street] + columns])
        return min(1.0, LEAN_UNITS * UNIT_PX / max(float(np.hypot(*lean)), 1.0))

    def _differs(self, street: int, sight: Sight) -> bool:
        """Whether something may stand there."""
        rows, columns = _MIDDLE
        first = self._firsts[street]
        middle = sight.differs[street // 10, rows, first + columns.start : first + columns.stop]
        return int(np.count_nonzero(middle)) >= _COVERED

    def read(self, streets: Sequence[int], sight: Sight) -> NDArray[np.float64]:
        """(n, 2, HOUSES) probability of so many houses on each of some streets, without and with a hotel."""
        windows = [(street // 10, self._firsts[street], self._firsts[street] + COLUMNS) for street in streets]
        shown = sight.shown(windows, ROWS).reshape(8, ROWS, len(streets), COLUMNS)
        said = self._networks.of(sight.is_low)(np.ascontiguousarray(shown.transpose(2, 0, 1, 3))).astype(np.float64)
        chance = np.exp(said - said.max(axis=1, keepdims=True))
        return np.asarray((chance / chance.sum(axis=1, keepdims=True)).reshape(-1, 2, HOUSES))


def _first_column(layout: Layout, bands: Bands, street: int) -> int:
    """Of the band in which a street is looked at."""
    middle = float(bands.to_band(street // 10, layout.strip_corners(street))[:, 0].mean())
    return int(np.clip(round(middle - COLUMNS / 2 + 0.5), 0, WIDTH - COLUMNS))


def _against(by_feet: BuildingReading | None, there: float) -> NDArray[np.float64]:
    """(2, HOUSES) log odds against each number on a street by its feet.

    Args:
        by_feet: None where none was seen.
        there: how probable it is that something stands there that was found as a token, but is no figure.
    """
    odds = np.zeros((2, HOUSES))
    if by_feet is None:
        odds[0, 0] += _WEIGHTS.strange * there
        odds[0, 1:] += _WEIGHTS.missed
        odds[1] += _WEIGHTS.missed_hotel
        odds[1, 1:] += _WEIGHTS.beside
        return odds
    seen, known = by_feet.houses, by_feet.confidence
    odds[0, 0] += _WEIGHTS.none * known
    odds[1, np.arange(HOUSES) != (seen if by_feet.hotel else 0)] += _WEIGHTS.beside * known
    if by_feet.hotel:
        odds[0] += _WEIGHTS.no_hotel * known
    else:
        odds[1] += _WEIGHTS.hotel * known
        odds[0, 1:seen] += _WEIGHTS.fewer * known
        odds[0, seen + 1 :] += _WEIGHTS.more * known
    return odds


def _may_be_either(odds: NDArray[np.float64]) -> bool:
    """Whether what a color tells may make a hotel of houses, or the other way about, by log odds (2, HOUSES)."""
    houses, hotel, nothing = odds[0, 1:].max(), odds[1].max(), odds[0, 0]
    return bool(abs(houses - hotel) < max(_HOTEL_MOST, _HOUSES_MOST) and max(houses, hotel) > nothing)


def _shares(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities, by log odds against each other."""
    shares = np.exp(odds - odds.max())
    return np.asarray(shares / shares.sum())


def recounted(
    buildings: Mapping[int, BuildingReading], doubted: Mapping[int, NDArray[np.float64]]
) -> dict[int, BuildingReading]:
    """The buildings, but on streets of which the probability (2, HOUSES) of each number is known what is likeliest."""
    again = dict(buildings)
    for street, shares in doubted.items():
        again.pop(street, None)
        is_hotel, houses = (int(index) for index in np.unravel_index(shares.argmax(), shares.shape))
        if houses or is_hotel:
            again[street] = BuildingReading(houses, bool(is_hotel), float(shares.max()))
    return again
