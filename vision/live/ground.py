"""The table as it looked before hands came: tells dice that lie on it from dice that lie in a hand.

A hand that keeps still is as much at rest as a table, and so are the dice that it holds. But it is larger than they
are, and came with them. Dice that a hand has put down it has covered to the last; those that were thrown roll on when
the hand is gone.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Box

Planes = NDArray[np.float32]
"""(3, h, w) of a thumbnail."""

#: What has not changed for so long belongs to the table.
LAID_S = 3.0
#: Change of brightness or color (0-255) beyond all that the nearest px of the table show.
STRANGE = 5.0
#: What came with a die covers more than so many times its box when it is a hand. (On twelve rendered tables two dice
#: and their shadows covered up to 4.9 times the box of one.)
LARGER = 6.0
#: Fingers that hold a die by its edge are nearer than this, in its own size.
BESIDE = 0.5
#: Where dice lie nothing has moved for longer than this since the hand was gone that has put them down; a guess.
LEFT_S = 0.2
#: A hand shows there in so many frames, none of them longer than this after the one before.
SHOWN, SHOWN_S = 2, 1.0
#: In so many where this many dice lie: six that jump from one frame to the next change as much as a hand does. (Of 159
#: throws of six, filmed 4 to 15 times a second on five rendered tables, 41 did in two frames, 7 in three.)
SHOWN_OF_MANY, MANY = 3, 4
#: What moves shows in two places at once in frames that are farther apart: so do two dice, which are no hand. (Of 32
#: throws of two, with frames 0.25 to 0.65 s apart, 16 were taken for put down.)
APART_S = 0.3
#: What changes of a hand may lie apart by twice this share of the root of its px; a guess, by one rendered table.
RIMS = 0.2
#: Before anything.
_NEVER = -(1 << 61)


class Ground:
    """Fed with every thumbnail, in order of time."""

    def __init__(self, planes: Planes, t_ns: int) -> None:
        self._planes = planes.copy()
        self._moved_ns = np.full(planes.shape[1:], t_ns, np.int64)
        self._last_ns = t_ns
        self._covered_ns = np.full_like(self._moved_ns, _NEVER)
        self._shown = np.zeros(planes.shape[1:], np.int32)

    def feed(self, planes: Planes, moving: NDArray[np.bool_], t_ns: int, hand_px: float) -> None:
        """Takes what has been at rest for long.

        Args:
            moving: (h, w) where something moves.
            hand_px: a patch of so many px is a hand; infinity where nobody knows.
        """
        self._moved_ns[moving] = t_ns
        is_next, self._last_ns = t_ns - self._last_ns <= APART_S * 1e9, t_ns
        if is_next and np.count_nonzero(moving) >= hand_px:
            # Of a hand often no more than its rims change.
            gap = 2 * round(RIMS * hand_px**0.5) + 1
            _, labels = cv2.connectedComponents(cv2.dilate(moving.astype(np.uint8), np.ones((gap, gap), np.uint8)))
            is_hand = np.bincount(labels[moving], minlength=labels.max() + 1) >= hand_px
            hand = is_hand[labels] & moving
            self._shown[hand] = np.where(t_ns - self._covered_ns[hand] <= SHOWN_S * 1e9, self._shown[hand] + 1, 1)
            self._covered_ns[hand] = t_ns
        np.copyto(self._planes, planes, where=t_ns - self._moved_ns >= LAID_S * 1e9)

    def is_put_down(self, box: Box, dice: int) -> bool:
        """Whether a hand was the last that moved where a die lies.

        Args:
            box: the die's, px of the newest thumbnail.
            dice: so many lie on the table.
        """
        about = _about(box)
        if self._shown[about].max(initial=0) < (SHOWN_OF_MANY if dice >= MANY else SHOWN):
            return False
        return bool(self._covered_ns[about].max() >= self._moved_ns[about].max() - LEFT_S * 1e9)

    def is_held(self, box: Box, planes: Planes) -> bool:
        """Whether a die is part of something larger that came with it.

        Args:
            box: the die's, px of the newest thumbnail, which is `planes`.
        """
        kernel = np.ones((3, 3), np.uint8)
        strange = np.zeros(planes.shape[1:], bool)
        for ground, plane in zip(self._planes, planes, strict=True):
            strange |= (plane > cv2.dilate(ground, kernel) + STRANGE) | (plane < cv2.erode(ground, kernel) - STRANGE)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=8)
        there = np.unique(labels[_about(box)])
        largest = max((int(stats[each, cv2.CC_STAT_AREA]) for each in there if each), default=0)
        return largest > LARGER * (box[2] - box[0]) * (box[3] - box[1])


def _about(box: Box) -> tuple[slice, slice]:
    """Rows and columns of a picture that show a box and what is beside it."""
    x0, y0, x1, y1 = box
    wide, tall = BESIDE * (x1 - x0), BESIDE * (y1 - y0)
    rows, columns = (y0 - tall, y1 + tall), (x0 - wide, x1 + wide)
    down, across = (slice(max(int(low), 0), max(int(high) + 2, 0)) for low, high in (rows, columns))
    return down, across
