"""What pictures before showed of a street counts, and gives way to what is seen."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detections import BuildingReading
from vision.live.streets import StreetMemory

ONE, TWO, FOUR = (BuildingReading(houses, False, 0.999) for houses in (1, 2, 4))


def doubt(houses: int, chance: float, other: int = 2) -> dict[int, NDArray[np.float64]]:
    """Of one street, on which there are so many houses by this chance, or else as many others."""
    shares = np.zeros((2, 5))
    shares[0, other] = 1 - chance
    shares[0, houses] = chance
    return {6: shares}


def read(memory: StreetMemory, houses: int, chance: float) -> int:
    """How many houses are told on a street that shows so many by this chance, or else two."""
    found = {6: BuildingReading(houses, False, chance)} if houses else {}
    told = memory.told(found, doubt(houses, chance)).get(6)
    return told.houses if told is not None else 0


def test_the_first_picture_is_taken_at_its_word() -> None:
    told = StreetMemory().told({6: BuildingReading(1, False, 0.6)}, doubt(1, 0.6))[6]
    assert (told.houses, told.confidence) == (1, pytest.approx(0.6, abs=1e-3))


@pytest.mark.parametrize("houses", [0, 1, 4])
def test_a_doubtful_look_does_not_outweigh_what_was_clear_before(houses: int) -> None:
    memory = StreetMemory()
    memory.told({6: TWO}, {})
    assert read(memory, houses, 0.7) == 2
    assert read(memory, houses, 0.99) == houses, "it is plain now"


def test_a_house_that_was_clearly_not_there_is_not_seen_in_doubt() -> None:
    memory = StreetMemory()
    memory.told({}, {})
    assert memory.told({6: BuildingReading(1, False, 0.6)}, doubt(1, 0.6, other=0)) == {}


def test_what_stays_doubtful_is_believed_before_long() -> None:
    memory = StreetMemory()
    memory.told({6: TWO}, {})
    assert [read(memory, 4, 0.7) for _ in range(3)] == [2, 4, 4]


def test_looks_that_share_their_faults_do_not_add_up() -> None:
    """However often a street looked like that, one plain look is believed."""
    memory = StreetMemory()
    for _ in range(20):
        assert read(memory, 1, 0.7) == 1
    assert read(memory, 4, 0.95) == 4


def test_a_sure_street_is_as_it_is_seen_and_another_table_begins_anew() -> None:
    memory = StreetMemory()
    memory.told({6: TWO}, {})
    assert memory.told({6: FOUR, 8: ONE}, {}) == {6: FOUR, 8: ONE}
    doubted = BuildingReading(2, False, 0.6), doubt(2, 0.6, other=4)
    assert memory.told({6: doubted[0]}, doubted[1])[6].houses == 4
    memory.forget()
    again = memory.told({6: doubted[0]}, doubted[1])[6]
    assert (again.houses, again.confidence) == (2, pytest.approx(0.6, abs=1e-3))


def test_what_the_book_has_is_told_of_a_doubtful_street_and_what_is_plain_all_the_same() -> None:
    memory = StreetMemory()
    memory.learn({6: (4, False)})
    assert told_of(memory, 4, 0.1) == (4, False)
    memory.forget()
    assert told_of(memory, 4, 0.01) == (2, False)


def test_what_the_book_has_does_not_add_up() -> None:
    """However long it has been there, a doubtful look that lasts is believed at last."""
    memory = StreetMemory()
    memory.learn({6: (4, False)})
    seen = [told_of(memory, 4, 0.05) for _ in range(9)]
    assert seen[0] == (4, False)
    assert seen[-1] == (2, False)
    memory.learn({})
    assert told_of(memory, 4, 0.4) == (2, False)


def test_what_the_book_said_is_not_borne_in_mind_as_seen() -> None:
    memory = StreetMemory()
    memory.learn({6: (4, False)})
    assert told_of(memory, 4, 0.2) == (4, False)
    memory.learn({})
    assert told_of(memory, 4, 0.6) == (2, False), "by the look before"


@pytest.mark.parametrize("hotel", [False, True])
def test_what_is_told_by_the_book_is_as_sure_as_both_are(hotel: bool) -> None:
    memory, shares = StreetMemory(), np.full((2, 5), 1e-4)
    shares[0, 2], shares[1, 0] = (0.75, 0.25) if hotel else (0.25, 0.75)
    memory.learn({6: (0, True) if hotel else (2, False)})
    told = memory.told({}, {6: shares})[6]
    assert (told.houses, told.hotel) == ((0, True) if hotel else (2, False))
    # 1 : 3 by sight, 91 : 1 by the book.
    assert told.confidence == pytest.approx(91 / 94, abs=1e-3)


def test_another_book_or_one_that_no_street_can_hold_tells_nothing() -> None:
    memory = StreetMemory()
    memory.learn({6: (7, False), 8: (1, False), 5: (1, False)})
    assert told_of(memory, 4, 0.4) == (2, False)


def told_of(memory: StreetMemory, houses: int, chance: float) -> tuple[int, bool]:
    """What is told of a street that shows so many houses by this chance, or else two."""
    told = memory.told({6: TWO}, doubt(houses, chance))[6]
    return told.houses, told.hotel
