"""What in a picture is too small, too dark or too soft to be read, in a few words for the status light."""

from collections.abc import Iterable

import cv2

from companion.observations import DieKind
from vision.detections import TableReading
from vision.pixels import Image

#: Below these edges of a usual die of 16 mm, px, pips run together (the finder's own limit), and numerals do: a d4 or
#: d20 about 21 mm across is 24 px wide then.
LEAST_PIPS_PX, LEAST_NUMERAL_PX = 9.0, 18.0
#: Shares of the empty picture's brightness, and of its detail, below which pieces are not told apart. Detail of frames
#: of nine rendered and three real tables: 0.60 and more; blurred by 3 px (Gaussian sigma, 1280 wide) 0.30 to 0.51.
LEAST_LIGHT, LEAST_DETAIL = 0.2, 0.45
_NEARER = "too small in the picture: bring the camera nearer"


def detail(rows: Image) -> float:
    """How much fine structure rows of the board seen from above, gray, show against their contrast; blur lowers it."""
    steps = cv2.absdiff(rows[:, 1:], rows[:, :-1])
    return float(cv2.mean(steps)[0] / (cv2.meanStdDev(rows)[1][0, 0] + 1.0))


def trouble(reading: TableReading, due: Iterable[DieKind] = ()) -> str:
    """What keeps this picture from being read, in a few words; empty when nothing does.

    Args:
        due: the dice that are thrown next.
    """
    if reading.light < LEAST_LIGHT:
        return "too dark: more light on the table"
    if reading.detail < LEAST_DETAIL:
        return "out of focus: the picture is blurred"
    return _too_small(reading, due)


def _too_small(reading: TableReading, due: Iterable[DieKind]) -> str:
    if not reading.die_px:
        return ""
    read = {die.kind for die in reading.dice}
    numbered = [kind for kind in dict.fromkeys(due) if kind != "d6" and kind not in read]
    if reading.die_px < LEAST_PIPS_PX:
        return f"the dice are {_NEARER}"
    if numbered and reading.die_px < LEAST_NUMERAL_PX:
        return f"the {' and the '.join(numbered)} {'is' if len(numbered) == 1 else 'are'} {_NEARER}"
    return ""
