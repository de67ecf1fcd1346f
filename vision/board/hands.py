"""Hands and arms over the board: large, and reaching in from outside."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import difference, recolor
from vision.board.light import Light
from vision.board.overview import overview_points
from vision.board.registration import SIDE_PX
from vision.board.view import Points
from vision.pixels import Image, closed, is_white, opened, shrunk, widened

#: Share of the board that an intruder covers at least; the largest token covers 0.4%, a deck or a note 2%. Less is
#: enough, the second, where it is the end of something that reaches in from beyond the picture.
LEAST_SHARE, LEAST_TIP = 0.025, 0.006
#: Px along the edge of the overview that it crosses at least: an arm is 5 cm (13 px) wide, a token 2 cm.
LEAST_CROSSING = 12
#: What is joined by less than so many px of the overview is not one thing: a row of tokens and a deck are none, nor
#: figures that lean over each other, seen from low down. (Of 115 hands over 25 rendered tables 109 are noticed, as
#: by 7 px; of 959 pictures from low down without one two showed one by these, none now.)
NARROW = 9
#: Px beside the edge of the overview and just within the board's own, which may be that of the picture.
EDGE = 6
#: Difference that counts (0-255) on a board of usual brightness; shadows of hands stay under it on most boards. In the
#: dark less counts, in proportion, but at least this share.
STEP, USUAL, LEAST_STEP = 18.0, 110.0, 0.3
#: Share of an intruder that another match of the light leaves at least, in parts of so many px across and more: of
#: changed light it leaves edges. And of one that reaches in from beyond the picture.
LEFT, LEFT_OF_ARM, PART = 0.36, 0.28, 5
#: What is covered hides the print, about the spaces: so large a share of what has detail, at least, does not show it.
#: Of 168 hands over rendered boards all that are seen otherwise hide 0.3 and more, of 240 passing shadows none that
#: would be.
HIDDEN = 0.25
#: Less of it shows everywhere next to a scan or an older print. There a hand hides so much more than what is about it:
#: 0.24 at least on photographs of a real board, of what is none 0.19 at most (462 pictures of 66 rendered tables).
MORE_HIDDEN = 0.22
#: Board sides from its middle beyond which that is told: nearer to it decks and dice hide it, which shadows join.
ABOUT_SPACES = 0.29
#: Detail is what differs from the mean about it (standard deviation, px); it is told where so much there is (of the
#: logarithm of brightness), and shows where windows so many px across correlate by so much.
FINE, DETAIL, WINDOW, SHOWS = 2.5, 0.03, 7, 0.4
#: Where so much detail is, and correlates by less than this, something lies over the spaces, even in their color: a
#: white sleeve would end a hand short of the board's edge. (With that 164 of 168 hands over rendered boards are seen,
#: 159 without.)
PLAIN, LOST = 0.06, 0.2
#: In windows so many px across about what is white, a lamp that the board mirrors hides the print too.
BLINDS = 15
#: Where so much of what lies beside the board looks otherwise, or more than the second is not shown, the empty picture
#: is of another table, or a scan, and tells of no arm there: one covers less than a tenth of it.
OTHER_TABLE, HARDLY_SHOWN = 0.25, 0.5
#: Board sides from its middle beyond which px of the overview may show some of the table: two of them within the edge.
NEAR_EDGE = 0.5 - 8 / SIDE_PX
#: By how much a table is looked at smaller where an arm is followed, and px of a picture's rim that it crosses then.
SMALLER, LEAST_WIDE = 2, 6

#: Board sides of each px of the overview from its middle; which lie beside the board, and which about its spaces.
_AWAY = np.abs(overview_points()).max(axis=2)
_BESIDE, _OUTSIDE = _AWAY > 0.5, _AWAY > ABOUT_SPACES


def intruder(differs: NDArray[np.bool_], beyond: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Mask of the largest thing that reaches in from outside, if it is large enough to be the end of a hand.

    Args:
        differs: (n, n) where the board looks otherwise from above.
        beyond: (n, n) what lies beyond the picture's rims.
    """
    mask = opened(closed(opened((differs & ~beyond).astype(np.uint8), 3), 9), NARROW)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    at_rim = widened(beyond.astype(np.uint8), 2 * EDGE + 1) > 0
    best, largest = None, LEAST_TIP
    for index in range(1, count):
        share = float(stats[index, cv2.CC_STAT_AREA] / mask.size)
        if share >= largest:
            near = np.asarray(labels == index)
            sides = (near[:EDGE].any(0), near[-EDGE:].any(0), near[:, :EDGE].any(1), near[:, -EDGE:].any(1))
            crossing = int(sum(side.sum() for side in sides)) + np.count_nonzero(near & at_rim) // EDGE
            if crossing >= LEAST_CROSSING:
                best, largest = near, share
    return best


class Covers:
    """Tells what covers a board, next to one picture of it with nothing on it.

    Args:
        empty_bgr: (n, n, 3) uint8, that picture from above, as `Overview` has it.
        light: of the same picture.
    """

    def __init__(self, empty_bgr: Image, light: Light) -> None:
        self._empty, self._light = empty_bgr, light
        self._print = _Detail.of(empty_bgr)

    def on(
        self, now_bgr: Image, colors: NDArray[np.float64], beyond: NDArray[np.bool_], shown_bgr: Image
    ) -> tuple[float, float]:
        """Share of the board that something covers which reaches in from outside, and of it what is not another light.

        Nothing is covered where the print shows through: a shadow falls there.

        Args:
            now_bgr: (n, n, 3) uint8, the board from above.
            colors: of `match_colors`.
            beyond: (n, n) what lies beyond the rims of either picture.
            shown_bgr: (n, n, 3) the same with what it mirrors, as the camera has it; `now_bgr` where that is nothing.
        """
        differs = difference(recolor(self._empty, colors), now_bgr) > _step(now_bgr)
        is_elsewhere = beyond[_BESIDE].mean() > HARDLY_SHOWN or _is_other_table(differs, _BESIDE & ~beyond)
        if is_elsewhere:
            beyond = beyond | (_AWAY > NEAR_EDGE)
            differs = self._differs(now_bgr, colors)
        alike, is_told = self._print.shown_in(now_bgr), ~_blinded(shown_bgr)
        is_lost = is_told & ~differs & _OUTSIDE & (self._print.amount > PLAIN) & (alike < LOST)
        if shown_bgr is not now_bgr:
            differs &= is_told
        there = intruder(differs | is_lost, beyond)
        if there is None:
            return 0.0, 0.0
        least = HIDDEN
        if is_elsewhere:
            least = self._print.hidden(alike, ~there & is_told & _OUTSIDE & ~beyond) + MORE_HIDDEN
        if self._print.hidden(alike, there & is_told & _OUTSIDE) < least:
            return 0.0, 0.0
        still = differs if is_elsewhere else self._differs(now_bgr, colors)
        left = opened((still & there).astype(np.uint8), PART)
        plain = there & ~is_lost
        return float(there.mean()), float(left[plain].mean()) if plain.any() else 0.0

    def _differs(self, now_bgr: Image, colors: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(n, n) where the board differs whatever the light on it."""
        return np.asarray(difference(self._light.on(self._empty, now_bgr, colors), now_bgr) > _step(now_bgr))


def reaches_in(before_bgr: Image, now_bgr: Image, corners_px: Points, unknown: NDArray[np.uint8] | None = None) -> bool:
    """Whether something reaches onto the board from beyond the picture.

    Args:
        before_bgr: (h, w, 3) the empty table in the colors of now; now_bgr likewise.
        corners_px: (4, 2) of the board in these.
        unknown: (h, w), not 0 where it is not known how the empty table looks.
    """
    small = (now_bgr.shape[1] // SMALLER, now_bgr.shape[0] // SMALLER)
    before, now = shrunk(before_bgr, small), shrunk(now_bgr, small)
    differs = difference(before, now) > _step(now)
    board = np.zeros(differs.shape, np.uint8)
    cv2.fillConvexPoly(board, np.round(corners_px / SMALLER).astype(np.int32), (1,))
    if unknown is not None:
        differs &= shrunk(unknown, small) == 0
    mask = closed(opened(differs.astype(np.uint8), 3), 5)
    count, labels = cv2.connectedComponents(mask, connectivity=8)
    on_board = np.bincount(labels[board > 0], minlength=count)
    rims = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    at_rims = np.bincount(rims, minlength=count)
    is_arm = (on_board >= LEAST_TIP * np.count_nonzero(board)) & (at_rims >= LEAST_WIDE)
    return bool(is_arm[1:].any())


def _is_other_table(differs: NDArray[np.bool_], beside: NDArray[np.bool_]) -> bool:
    """Whether much of what lies beside the board looks otherwise: its empty picture is of elsewhere, or a scan."""
    return bool(np.count_nonzero(differs & beside) >= OTHER_TABLE * np.count_nonzero(beside))


def _step(now_bgr: Image) -> float:
    """The difference that counts in a picture."""
    return STEP * float(np.clip(now_bgr.mean() / USUAL, LEAST_STEP, 1.0))


def hidden(empty_bgr: Image, now_bgr: Image, there: NDArray[np.bool_]) -> float:
    """Share of the print in a place, where it has detail, that does not show.

    Args:
        empty_bgr: (n, n, 3) the empty board from above, in any light; now_bgr likewise.
    """
    detail = _Detail.of(empty_bgr)
    return detail.hidden(detail.shown_in(now_bgr), there & ~_blinded(now_bgr))


@dataclass(frozen=True)
class _Detail:
    """The detail of a print.

    Attributes:
        off: (n, n) by how much the logarithm of brightness differs from its mean about each place.
        power: (n, n) the mean square of that, and its root `amount`, how much detail there is.
    """

    off: NDArray[np.float32]
    power: NDArray[np.float32]
    amount: NDArray[np.float32]

    @classmethod
    def of(cls, picture_bgr: Image) -> "_Detail":
        """That of a picture of the board."""
        off = _off_mean(picture_bgr)
        power = _mean(off * off)
        return cls(off, power, np.sqrt(power))

    def shown_in(self, now_bgr: Image) -> NDArray[np.float32]:
        """(n, n) how it correlates with what is seen in each place."""
        now = _off_mean(now_bgr)
        return np.asarray(_mean(self.off * now) / np.sqrt(self.power * _mean(now * now) + 1e-6), np.float32)

    def hidden(self, alike: NDArray[np.float32], there: NDArray[np.bool_]) -> float:
        """Share of a place with detail in which it does not show.

        Args:
            alike: of `shown_in`.
        """
        told = there & (self.amount > DETAIL)
        return float(np.mean(alike[told] < SHOWS)) if told.any() else 0.0


def _blinded(picture_bgr: Image) -> NDArray[np.bool_]:
    """(n, n) what is white, and about it: nothing is hidden there by a hand, as far as can be told."""
    return np.asarray(widened(is_white(picture_bgr).astype(np.uint8), BLINDS) > 0)


def _mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of the window about each place."""
    return np.asarray(cv2.blur(values, (WINDOW, WINDOW)), np.float32)


def _off_mean(picture_bgr: Image) -> NDArray[np.float32]:
    logs = cv2.log(picture_bgr + np.float32(8))
    brightness = cv2.transform(logs, np.full((1, 3), 1 / 3, np.float32))
    return np.asarray(brightness - cv2.GaussianBlur(brightness, (0, 0), FINE), np.float32)
