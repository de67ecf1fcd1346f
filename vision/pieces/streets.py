"""How many houses stand on each street: a small network looks at color strips as a whole.

The finder (`finder.py`) tells pieces one by one, by their feet; houses that touch, and have the color of the strip
they stand on, are counted better by all that a street shows. The network (`vision/models/streets.onnx`, trained by
`vision/training/pieces_train.py`) is shown the same as the finder, of several streets of the board at once: the houses
of one tell of what size and color those of the others are.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.board.bands import WIDTH, Bands, Sight
from vision.board.layout import STREETS, Layout
from vision.detections import BuildingReading
from vision.networks import MODELS, load

#: Rows and columns of a band that are shown of a street; its strip lies in the middle of the columns.
ROWS, COLUMNS = 48, 64
#: Numbers of houses that are told apart, none among them.
HOUSES = 5
#: What the houses were counted as by their feet weighs as much as these log odds, as far as it is sure: against none,
#: against fewer houses, and against more. Of 11100 streets with houses on 96 rendered tables 46 are misread so, 165 by
#: feet alone, and 63 where these weigh half as much again; where they weigh less still, streets of shared ones are too.
_BY_FEET = (2.5, 2.5, 2.0)
#: The same over a picture of the empty board whose print had other colors: strips follow the houses on them there
#: (`board/light.py`), and what the network takes for none may be one. Of 6200 streets on the same tables, made so, 116
#: are misread (300 by feet alone, 178 where there may be more houses than feet tell, but never fewer).
_BY_FEET_OTHER = (5.5, 8.0, 2.0)
#: And where they cover less of the board than so many houses do, in place of all three: by that three pictures of 60
#: tables more are right than where such rows were looked at again as smaller ones, and on boards of 40 and 45 cm as
#: many streets.
_BY_FEW = 1.5
#: Streets whose feet are surer than this are not counted again: of 65 that changed in 952 rendered pictures none was
#: surer. So many of these, the surest, are shown beside the others, as theirs are the same houses: without any, 13
#: pictures fewer were right, and with all of them none more (by 0.98 in place of 0.995).
_CLEAR, _BESIDE = 0.995, 2
#: Where so many px of a street's middle differ from the empty board, a row of houses may have been missed; there is one
#: where anything else is less probable than this. (Of 18 000 streets of rendered tables six rows were found so, none
#: where there was none; single houses would be wrong as often as right.)
_COVERED, _ELSE = 100, 0.15
#: A hotel was missed where it is more probable than this: of those on 180 rendered tables five were found so, and none
#: where there was none.
_HOTEL = 0.8
#: Where nothing is less probable than this, a hotel or a row stands there, however sure that is: of 4994 streets of 180
#: rendered tables that differed and on which no foot was seen five were so, with something on each, four times just
#: that.
_NOTHING = 0.05
_MIDDLE = (slice(3, 36), slice(12, 52))


class StreetReader:
    """Counts the houses on the streets of one board.

    Args:
        models: folder of the weights.
    """

    def __init__(self, layout: Layout, bands: Bands, models: Path = MODELS) -> None:
        self._network = load(models / "streets.onnx")
        self._firsts = {street: _first_column(layout, bands, street) for street in STREETS}

    def recounted(
        self, buildings: Mapping[int, BuildingReading], sight: Sight, few: Collection[int] = ()
    ) -> dict[int, BuildingReading]:
        """The buildings, with the houses of streets that are not clear counted again, and rows that were missed.

        Where a hotel was seen, it stays so, and houses become none: hotels are of more shapes than were trained on.
        Over a picture of the empty board whose print had other colors hotels that were missed stay so too.

        Args:
            few: streets whose houses cover less of the board than so many do (`vision.pieces.doubles`).
        """
        built = [street for street, reading in buildings.items() if reading.houses and not reading.hotel]
        clear = [street for street in built if buildings[street].confidence >= _CLEAR and street not in few]
        asked = [street for street in built if street not in clear]
        asked += [street for street in STREETS if street not in buildings and self._differs(street, sight)]
        again = dict(buildings)
        if not asked:
            return again
        beside = sorted(clear, key=lambda street: -buildings[street].confidence)[:_BESIDE]
        weights = _BY_FEET_OTHER if sight.is_other else _BY_FEET
        for street, chance in zip(asked, self.read(asked + beside, sight), strict=False):
            by_feet = again.pop(street, None)
            if by_feet is None:
                reading = _missed(chance, with_hotels=not sight.is_other)
            else:
                reading = _recounted(by_feet, chance[0], weights, street in few)
            if reading is not None:
                again[street] = reading
        return again

    def _differs(self, street: int, sight: Sight) -> bool:
        """Whether a row of houses may stand there."""
        rows, columns = _MIDDLE
        first = self._firsts[street]
        middle = sight.differs[street // 10, rows, first + columns.start : first + columns.stop]
        return int(np.count_nonzero(middle)) >= _COVERED

    def read(self, streets: Sequence[int], sight: Sight) -> NDArray[np.float64]:
        """(n, 2, HOUSES) probability of so many houses on each of some streets, without and with a hotel."""
        windows = [(street // 10, self._firsts[street], self._firsts[street] + COLUMNS) for street in streets]
        shown = sight.shown(windows, ROWS).reshape(8, ROWS, len(streets), COLUMNS)
        said = self._network(np.ascontiguousarray(shown.transpose(2, 0, 1, 3))).astype(np.float64)
        chance = np.exp(said - said.max(axis=1, keepdims=True))
        return np.asarray((chance / chance.sum(axis=1, keepdims=True)).reshape(-1, 2, HOUSES))


def _first_column(layout: Layout, bands: Bands, street: int) -> int:
    """Of the band in which a street is looked at."""
    middle = float(bands.to_band(street // 10, layout.strip_corners(street))[:, 0].mean())
    return int(np.clip(round(middle - COLUMNS / 2 + 0.5), 0, WIDTH - COLUMNS))


def _recounted(
    by_feet: BuildingReading, chance: NDArray[np.float64], weights: tuple[float, float, float], is_few: bool
) -> BuildingReading | None:
    """The houses of a street by their feet and by the probability (HOUSES,) of each number; None where there is none.

    Args:
        weights: of the feet, as `_BY_FEET`.
        is_few: they cover less of the board than so many houses do.
    """
    odds, known = np.log(chance + 1e-6), by_feet.confidence
    if is_few:
        odds[by_feet.houses] += _BY_FEW * known
    else:
        none, fewer, more = weights
        odds[0] -= none * known
        odds[1 : by_feet.houses] -= fewer * known
        odds[by_feet.houses + 1 :] -= more * known
    shares = np.exp(odds - odds.max())
    shares /= shares.sum()
    houses = int(shares.argmax())
    if houses == by_feet.houses:
        # That there are any is no surer than before.
        return by_feet
    return BuildingReading(houses, False, float(shares[houses])) if houses else None


def _missed(chance: NDArray[np.float64], with_hotels: bool) -> BuildingReading | None:
    """What stands where no foot was seen, by the probability (2, HOUSES) of each number; None where nothing does."""
    hotel, houses = float(chance[1].sum()), int(chance[0, 1:].argmax()) + 1
    is_row = houses > 1 and chance[0, 0] + hotel <= _ELSE
    is_hotel = hotel > (chance[0, houses] if chance[0, 0] <= _NOTHING else _HOTEL)
    if is_hotel:
        return BuildingReading(0, True, hotel) if with_hotels else None
    if is_row or (houses > 1 and chance[0, 0] <= _NOTHING):
        return BuildingReading(houses, False, float(chance[0, houses]))
    return None
