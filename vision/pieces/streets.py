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
#: against fewer houses, and against more; nothing where they cover less of the board than so many houses do. Of 16 490
#: streets with houses on 360 rendered tables 50 are misread so, 380 by feet alone, 58 by the network alone, and 63
#: where feet weigh as much everywhere.
_BY_FEET = (1.0, 1.5, 0.5)
#: The same over a picture of the empty board whose print had other colors: strips follow the houses on them there
#: (`board/light.py`), and what the network takes for none may be one. Of 6200 streets on 96 rendered tables, made so,
#: 116 are misread (300 by feet alone, 178 where there may be more houses than feet tell, but never fewer).
_BY_FEET_OTHER = (5.5, 8.0, 2.0)
#: Streets whose feet are surer than this are not counted again: of 65 that changed in 952 rendered pictures none was
#: surer. So many of these, the surest, are shown beside the others, as theirs are the same houses: without any, 13
#: pictures fewer were right, and with all of them none more (by 0.98 in place of 0.995).
_CLEAR, _BESIDE = 0.995, 2
#: Where so many px of a street's middle differ from the empty board, a hotel or a row of houses may have been missed.
#: (By 40 in place of 100 two of 1680 pictures more are right.)
_COVERED = 40
#: There is a hotel where that is more probable than this; and where none is less probable than the next, what is most
#: probable with a hotel or a row. Of 6695 streets of 240 of these that differ on 100 px 23 had something on them: 16
#: hotels and a row were found so, and nothing that was not there. Other rows, and single houses, that the network sees
#: there are tokens.
_HOTEL, _NO_HOTEL, _NO_ROW = 0.8, 0.05, 0.003
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
                reading = _recounted(by_feet, chance[0], (0.0, 0.0, 0.0) if street in few else weights)
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
    by_feet: BuildingReading, chance: NDArray[np.float64], weights: tuple[float, float, float]
) -> BuildingReading | None:
    """The houses of a street by the probability (HOUSES,) of each number, and by their feet; None where there is none.

    Args:
        weights: of the feet, as `_BY_FEET`.
    """
    odds, known = np.log(chance + 1e-6), by_feet.confidence
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
    none, row = chance[0, 0], chance[0, houses]
    if hotel > (row if none <= _NO_HOTEL else _HOTEL):
        return BuildingReading(0, True, hotel) if with_hotels else None
    if houses > 1 and none <= _NO_ROW:
        return BuildingReading(houses, False, float(row))
    return None
