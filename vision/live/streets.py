"""What earlier pictures showed of streets, and what the book has there, counts for the next one: it rarely changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.board.layout import STREETS
from vision.detections import BuildingReading
from vision.pieces.streets import HOUSES, recounted

#: Probability that on a street stands what the pictures before show there: of the streets of 2940 pictures of 210
#: rendered tables, one in nine of which changes from picture to picture, 58 more are right by it, and 32 fewer; by 0.7
#: 63 and 44, by 0.9 69 and 62. And the least that one picture says.
STAYS, LEAST_SHARE = 0.5, 1e-4
#: Probability that on a street stands what the book has there, whatever else it may be being as likely. (By 0.75 five
#: streets are asked about for nothing in eight games on four virtual tables, by this two, by no book seven.)
AS_BOOKED = 0.9


@dataclass
class StreetMemory:
    """Fed with the buildings of every picture of one table without a hand.

    What a street has shown is the mean of its pictures, each of which counts half as much as the next one: where
    nothing moves they share their faults, and none may outweigh what is seen now for long. What the book has there
    counts the same for every picture, so that what stands there in spite of it is told once it is plain.
    """

    _before: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    _booked: dict[int, NDArray[np.float64]] = field(default_factory=dict)

    def forget(self) -> None:
        """Another table or calibration."""
        self._before.clear()

    def learn(self, streets: Mapping[int, tuple[int, bool]]) -> None:
        """What the game has on streets.

        Args:
            streets: square -> (houses, hotel), of those of which the book is sure.
        """
        known = {street: streets[street] for street in STREETS if street in streets}
        # Whoever corrects a book may write in it what no street can hold.
        self._booked = {street: _booked(*built) for street, built in known.items() if built[0] in range(HOUSES)}

    def told(
        self, buildings: Mapping[int, BuildingReading], doubted: Mapping[int, NDArray[np.float64]]
    ) -> dict[int, BuildingReading]:
        """The buildings that one more picture shows, those of doubtful streets by what the last ones showed too.

        Args:
            doubted: of streets that are not clear the probability of each number, as `StreetReader.doubted` gives it.
        """
        again = dict[int, NDArray[np.float64]]()
        for street in STREETS:
            shares = doubted.get(street)
            if shares is None:
                self._before[street] = _clear(buildings.get(street))
                continue
            seen = np.maximum(shares, LEAST_SHARE)
            weighed, before = seen * self._booked.get(street, 1.0), self._before.get(street)
            if before is not None:
                weighed = weighed * (STAYS * before + (1 - STAYS) / before.size)
            again[street] = weighed / weighed.sum()
            self._before[street] = seen if before is None else (before + seen) / 2
        return recounted(buildings, again)


def _clear(reading: BuildingReading | None) -> NDArray[np.float64]:
    """(2, HOUSES) probability of each number on a street that is clear."""
    shares = np.full((2, HOUSES), LEAST_SHARE)
    if reading is None:
        shares[0, 0] = 1.0
    else:
        shares[int(reading.hotel), reading.houses] = reading.confidence
    return shares


def _booked(houses: int, hotel: bool) -> NDArray[np.float64]:
    """(2, HOUSES) probability of each number on a street where the book has this."""
    shares = np.full((2, HOUSES), (1 - AS_BOOKED) / (2 * HOUSES))
    shares[int(hotel), houses] += AS_BOOKED
    return shares
