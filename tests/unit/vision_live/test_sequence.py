"""What earlier pictures of a table showed counts for the next."""

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision.detections import BuildingReading, TableReading, TokenReading
from vision.live.sequence import SequenceReader

CORNERS = np.array([[90.0, 90.0], [10.0, 90.0], [10.0, 10.0], [90.0, 10.0]])
PICTURE = np.random.default_rng(1).integers(0, 255, (100, 100, 3)).astype(np.uint8)


def token(name: str, share: float, x: float, square: int = 5) -> TokenReading:
    """One of two look-alikes on the lower side of the board."""
    other = "dog" if name == "boot" else "boot"
    box = (x - 4, 70.0, x + 4, 88.0)
    return TokenReading(name, {square: 1.0}, (x, 85.0), box, 0.0, {name: share, other: 1 - share}, share)


def reading(*tokens: TokenReading, **more: Any) -> TableReading:
    known: dict[str, Any] = {"board_found": True, "corners_px": CORNERS, "camera_moved": False, "hand": False}
    seen: dict[str, Any] = {"dice": [], "tokens": list(tokens), "buildings": {}, "markers": [], "ms": 1.0}
    return TableReading(**{**known, **seen, **more})


class Said:
    """A reader that gives these readings, one after the other."""

    def __init__(self, *readings: TableReading) -> None:
        self.left = deque(readings)

    def read(self, frame_bgr: object) -> TableReading:
        return self.left.popleft()


def following(*readings: TableReading) -> list[TableReading]:
    reader = SequenceReader(Said(*readings))
    return [reader.read(PICTURE) for _ in readings]


def names(read: TableReading) -> dict[float, str | None]:
    return {one.base_px[0]: one.name for one in read.tokens}


def test_look_alikes_keep_their_names_where_nobody_touched_them() -> None:
    stand = reading(token("boot", 0.95, 30), token("dog", 0.95, 60))
    swapped = reading(token("dog", 0.6, 30), token("boot", 0.6, 60))
    moved = reading(token("dog", 0.6, 30), token("boot", 0.6, 75))
    assert [names(read) for read in following(stand, swapped, moved)] == [
        {30: "boot", 60: "dog"},
        {30: "boot", 60: "dog"},
        {30: "boot", 75: "dog"},
    ]


def test_a_name_is_as_probable_as_the_picture_has_it() -> None:
    """Whatever may be the cop besides: that leaves less for the name alone."""
    doubted = replace(token("boot", 0.7, 30), names={"boot": 0.35, "dog": 0.3})
    (read,) = following(reading(doubted))
    assert read.tokens[0].names["boot"] > 2 * read.tokens[0].names["dog"]


def test_overlooked_token_is_still_there() -> None:
    both, one = reading(token("boot", 0.95, 30), token("dog", 0.95, 60)), reading(token("boot", 0.95, 30))
    assert [names(read) for read in following(both, one)] == [{30: "boot", 60: "dog"}] * 2


def test_doubtful_street_is_what_it_was() -> None:
    two, three = BuildingReading(2, False, 0.999), BuildingReading(3, False, 0.6)
    shares = np.zeros((2, 5))
    shares[0, [2, 3]] = 0.4, 0.6
    clear, doubtful = reading(buildings={6: two}), reading(buildings={6: three}, doubted={6: shares})
    assert [read.buildings[6].houses for read in following(clear, doubtful)] == [2, 2]
    assert following(doubtful)[0].buildings[6].houses == 3


@pytest.mark.parametrize("unread", [{"hand": True}, {"board_found": False, "corners_px": None}])
def test_a_picture_that_shows_no_board_changes_nothing(unread: dict[str, Any]) -> None:
    stand = reading(token("boot", 0.95, 30), token("dog", 0.95, 60), buildings={6: BuildingReading(2, False, 0.999)})
    nothing = reading(**unread)
    swapped = reading(token("dog", 0.6, 30), token("boot", 0.6, 60))
    read = following(stand, nothing, swapped)
    assert read[1] is nothing
    assert names(read[2]) == names(read[0])
