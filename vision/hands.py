"""Hands and arms over the board: large, and reaching in from outside."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.foreground import difference, recolor
from vision.light import Light
from vision.pixels import Image, closed, opened, widened

#: Share of the board that an intruder covers at least; the largest token covers 0.4%, a deck, which does not
#: reach the edge, 2%.
LEAST_SHARE = 0.035
#: Px along the edge of the overview that it crosses at least: an arm is 5 cm (13 px) wide, a token 2 cm.
LEAST_CROSSING = 12
#: Px beside the edge of the overview and just within the board's own, which may be that of the picture.
EDGE = 6
#: Difference that counts (0-255); shadows of hands stay under it on most boards.
STEP = 18
#: Share of an intruder that another match of the light leaves at least, in parts of so many px across and more: of
#: changed light it leaves edges.
LEFT, PART = 0.36, 5


def intruder(empty_bgr: Image, now_bgr: Image, beyond: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Mask of the largest thing that reaches in from outside, if it is large enough to be a hand or an arm.

    Args:
        empty_bgr: (n, n, 3) the empty board from above in the colors of now; now_bgr likewise.
        beyond: (n, n) what lies beyond the picture's rims.
    """
    mask = ((difference(empty_bgr, now_bgr) > STEP) & ~beyond).astype(np.uint8)
    mask = closed(opened(mask, 3), 9)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    at_rim = widened(beyond.astype(np.uint8), 2 * EDGE + 1) > 0
    best, largest = None, LEAST_SHARE
    for index in range(1, count):
        share = float(stats[index, cv2.CC_STAT_AREA] / mask.size)
        if share >= largest:
            near = np.asarray(labels == index)
            sides = (near[:EDGE].any(0), near[-EDGE:].any(0), near[:, :EDGE].any(1), near[:, -EDGE:].any(1))
            crossing = int(sum(side.sum() for side in sides)) + np.count_nonzero(near & at_rim) // EDGE
            if crossing >= LEAST_CROSSING:
                best, largest = near, share
    return best


def is_hand(
    empty_bgr: Image, now_bgr: Image, colors: NDArray[np.float64], light: Light, beyond: NDArray[np.bool_]
) -> bool:
    """Whether a hand or an arm is over the board, and not another light.

    Args:
        empty_bgr: (n, n, 3) the empty board from above; now_bgr likewise.
        colors: of `match_colors`.
        light: of the empty board.
        beyond: (n, n) what lies beyond the picture's rims.
    """
    there = intruder(recolor(empty_bgr, colors), now_bgr, beyond)
    if there is None:
        return False
    differs = difference(light.on(empty_bgr, now_bgr, colors), now_bgr) > STEP
    left = opened((differs & there).astype(np.uint8), PART)
    return bool(left[there].mean() >= LEFT)
