"""Hands and arms over the board: large, and reaching in from outside."""

import cv2
import numpy as np

from vision.foreground import difference
from vision.pixels import Image, closed, opened

#: Share of the board that an intruder covers at least; the largest token covers 0.4%, a deck, which does not
#: reach the edge, 2%.
LEAST_SHARE = 0.035
#: Px along the edge of the overview that it crosses at least: an arm is 5 cm (13 px) wide, a token 2 cm.
LEAST_CROSSING = 12
#: Difference that counts (0-255); shadows of hands stay under it on most boards.
STEP = 18


def intruder(empty_bgr: Image, now_bgr: Image) -> tuple[float, int]:
    """Share of the board that the largest thing reaching in from outside covers, and px of edge it crosses.

    Args:
        empty_bgr: (n, n, 3) the empty board from above in the colors of now; now_bgr likewise.
    """
    mask = (difference(empty_bgr, now_bgr) > STEP).astype(np.uint8)
    mask = closed(opened(mask, 3), 9)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    best = (0.0, 0)
    for index in range(1, count):
        share = float(stats[index, cv2.CC_STAT_AREA] / mask.size)
        if share > best[0]:
            near = labels == index
            sides = (near[:4].any(0), near[-4:].any(0), near[:, :4].any(1), near[:, -4:].any(1))
            crossing = int(sum(side.sum() for side in sides))
            if crossing >= LEAST_CROSSING:
                best = (share, crossing)
    return best


def is_hand(empty_bgr: Image, now_bgr: Image) -> bool:
    """Whether a hand or an arm is over the board."""
    share, crossing = intruder(empty_bgr, now_bgr)
    return share >= LEAST_SHARE and crossing >= LEAST_CROSSING
