"""How many houses stand on each street: a small network looks at color strips as a whole where that is in doubt.

The finder (`vision.finder`) tells pieces one by one, by their feet; houses that touch, and have the color of the strip
they stand on, are counted better by all that a street shows. The network (`vision/models/streets.onnx`, trained by
`vision/training/pieces_train.py`) is shown the same as the finder, of several streets of the board at once: the houses
of one tell of what size and color those of the others are.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.bands import WIDTH, Bands, Sight
from vision.detections import BuildingReading
from vision.layout import STREETS, Layout
from vision.networks import MODELS, load

#: Rows and columns of a band that are shown of a street; its strip lies in the middle of the columns.
ROWS, COLUMNS = 48, 64
#: Numbers of houses that are told apart, none among them.
HOUSES = 5
#: A street is in doubt while its houses are less sure than this; so many of the surest others are looked at with it.
_SURE, _OTHERS = 0.98, 4
#: What the houses were counted as by their feet weighs as much as these log odds, as far as it is sure.
_BY_FEET = 4.0


class StreetReader:
    """Counts the houses on the streets of one board.

    Args:
        models: folder of the weights.
    """

    def __init__(self, layout: Layout, bands: Bands, models: Path = MODELS) -> None:
        self._network = load(models / "streets.onnx")
        self._firsts = {street: _first_column(layout, bands, street) for street in STREETS}

    def recounted(self, buildings: Mapping[int, BuildingReading], sight: Sight) -> dict[int, BuildingReading]:
        """The buildings, with the houses of streets that are in doubt counted again.

        Where there is none, or a hotel, it stays so: hotels are of more shapes than were trained on. Nothing is counted
        again over a picture of the empty board whose print had other colors, as nothing like that was trained on.
        """
        rows = [street for street, reading in buildings.items() if reading.houses and not reading.hotel]
        rows.sort(key=lambda street: buildings[street].confidence)
        doubtful = [street for street in rows if buildings[street].confidence < _SURE]
        if sight.is_other or not doubtful:
            return dict(buildings)
        seen = doubtful + rows[max(len(doubtful), len(rows) - _OTHERS) :]
        chances = self.read(seen, sight)[: len(doubtful), 0]
        return dict(buildings) | {
            street: _recounted(buildings[street], chance) for street, chance in zip(doubtful, chances, strict=True)
        }

    def read(self, streets: Sequence[int], sight: Sight) -> NDArray[np.float64]:
        """(n, 2, HOUSES) probability of so many houses on each of some streets, without and with a hotel."""
        windows = [(street // 10, self._firsts[street], self._firsts[street] + COLUMNS) for street in streets]
        shown = sight.shown(windows)[:, :ROWS].reshape(8, ROWS, len(streets), COLUMNS)
        said = self._network(np.ascontiguousarray(shown.transpose(2, 0, 1, 3))).astype(np.float64)
        chance = np.exp(said - said.max(axis=1, keepdims=True))
        return np.asarray((chance / chance.sum(axis=1, keepdims=True)).reshape(-1, 2, HOUSES))


def _first_column(layout: Layout, bands: Bands, street: int) -> int:
    """Of the band in which a street is looked at."""
    middle = float(bands.to_band(street // 10, layout.strip_corners(street))[:, 0].mean())
    return int(np.clip(round(middle - COLUMNS / 2 + 0.5), 0, WIDTH - COLUMNS))


def _recounted(by_feet: BuildingReading, chance: NDArray[np.float64]) -> BuildingReading:
    """The houses of a street, of which there is one, by their feet and by the probability (HOUSES,) of each number."""
    odds = np.log(chance[1:] + 1e-6)
    odds[by_feet.houses - 1] += _BY_FEET * by_feet.confidence
    shares = np.exp(odds - odds.max())
    houses = int(shares.argmax()) + 1
    # That there are any is no surer than before.
    return by_feet if houses == by_feet.houses else BuildingReading(houses, False, float(shares.max() / shares.sum()))
