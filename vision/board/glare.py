"""Lamps that a glossy board mirrors: their light is found by comparing with the empty board, and taken away.

What is mirrored is added to the light that the print throws back (S. Shafer, Using color to separate reflection
components, 1985), and it changes slowly across the board, so that everything printed or standing under it still shows;
what has edges is told by `reflections`. Numbers of light here are squares of the picture's levels over 255, nearly
proportional to light.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import match_colors, recolor
from vision.board.hands import USUAL, hidden
from vision.board.light import Light
from vision.board.overview import overview_px
from vision.board.reflections import LEAST_GONE_PX, LEAST_PX, Reflections, is_large_light
from vision.board.view import Points, View
from vision.pixels import Image, channels_of, is_white, median, remap

#: Waves across the board that what is mirrored is made of, up to so many halves of one in both directions together;
#: how stiff the fine ones are; and how hard it is for the gain to be other than that of the whole board.
_ORDER, _STIFF, _NO_GAIN = 5, 2e-4, 1e-3
#: Board sides beside the board within which it changes, and over which it fades then: tables hardly shine.
_BESIDE, _FADES = 0.03, 0.15
#: Every so many px of the board from above are looked at, to fit it and at first; and residuals (0-255, of a picture of
#: usual brightness) at which px lose most of their say, from fit to fit.
_EVERY, _AT_FIRST, _RESIDUALS = 2, 4, (60.0, 40.0, 25.0, 15.0, 12.0, 12.0)
#: Levels (0-255, of a usual picture) by which a share of the board is off in a smooth way, where a lamp may be
#: mirrored, each px up to a limit: 3.5 or less on 95% of 280 rendered pictures without one, 4.2 or more on 95% of those
#: with one.
_OFF, _OFF_SHARE, _CLIPPED = 4.0, 0.05, 12.0
#: What stays of all residuals without it, at most, of which each counts up to a limit (0-255). Where the empty picture
#: is of another lamp, camera or print, it is no mirrored one: light had to be taken away elsewhere (up to a share of
#: what was added, it may), or colors still go ways of their own, which they may only where hardly anything is left.
_LEFT, _MOST_OFF, _TAKEN, _HARDLY = 0.9, 18.0, 0.25, 0.7
#: Where so much of the most light is mirrored, no more than a share of the print may be hidden: it is a hand otherwise.
_BRIGHT, _HIDDEN = 0.3, 0.25
#: Where a lamp makes such a share of the board white, edges are those of what the camera cuts off. (Windows and panels
#: on 16 rendered tables make 5% white at most, blinding lamps 17 to 39%.)
_BLINDED = 0.1
#: What is mirrored is the same in two pictures if it differs by less than this share.
_SAME = 0.3
#: Signs of the board's corners.
_CORNERS = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]]
#: Px between the places of a picture where it is worked out.
_STEP = 16


@dataclass(frozen=True)
class Mirrored:
    """Light that a board mirrors, and did not in its empty picture.

    Attributes:
        amounts: (waves, 3) of blue, green and red.
        edged: (n, n, 3) what has edges, over the overview; None where nothing has.
    """

    amounts: NDArray[np.float32]
    edged: NDArray[np.float32] | None = None

    def is_like(self, other: "Mirrored") -> bool:
        """Whether it is the same as in another picture."""
        return _are_alike(self.amounts, other.amounts) and _are_alike(
            np.float32(0) if self.edged is None else self.edged, np.float32(0) if other.edged is None else other.edged
        )

    def taken_from(self, picture_bgr: Image, view: View) -> Image:
        """The picture without it."""
        corners = np.vstack([view.corners_px(), view.project(np.array(_CORNERS) * (0.5 + _BESIDE + 1.5 * _FADES))])
        left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, None)
        right, bottom = np.ceil(corners.max(axis=0)).astype(int)
        about = picture_bgr[top:bottom, left:right]
        rows, columns = -(-about.shape[0] // _STEP), -(-about.shape[1] // _STEP)
        cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
        at = view.to_board((cells + 0.5) * _STEP - 0.5 + [left, top])
        outside = np.linalg.norm(np.maximum(np.abs(at) - 0.5 - _BESIDE, 0), axis=1)
        light = (_waves(at).T @ self.amounts) * np.exp(-((outside / _FADES) ** 2))[:, None]
        coarse = light.astype(np.float32).reshape(rows, columns, 3)
        size = (columns * _STEP, rows * _STEP)
        fine = np.asarray(cv2.resize(coarse, size), np.float32)[: about.shape[0], : about.shape[1]]
        if self.edged is not None:
            px = overview_px(at).astype(np.float32).reshape(rows, columns, 2)
            where = np.asarray(cv2.resize(px, size), np.float32)[: about.shape[0], : about.shape[1]]
            fine = fine + remap(self.edged, where)
        without = picture_bgr.copy()
        without[top:bottom, left:right] = _less(about, fine)
        return without


class Glare:
    """Finds what a board mirrors.

    Args:
        empty_bgr: (n, n, 3) uint8, the empty board from above.
        points: (n, n, 2) the board points of its px.
        light: of this picture.

    Attributes:
        is_gone: the last picture lacks light that the board mirrors in its empty one.
    """

    def __init__(self, empty_bgr: Image, points: Points, light: Light) -> None:
        self._empty, self._light = empty_bgr, light
        self.is_gone, self._points = False, points
        self._all = _waves(points)
        self._waves = _waves(points[::_EVERY, ::_EVERY])
        x, y = points[::_EVERY, ::_EVERY].reshape(-1, 2).T * 2
        self._tilts = np.stack([np.ones_like(x), x, y]).astype(np.float32)
        self._first = _waves(points[::_AT_FIRST, ::_AT_FIRST])
        stiff = _stiffness()
        inner = self._first @ self._first.T / self._first.shape[1] + 1e-3 * np.diag(stiff)
        self._smooth = np.linalg.solve(inner, self._first / self._first.shape[1]).astype(np.float32)
        self._stiff = _STIFF * np.diag(stiff)
        self._reflections = Reflections(empty_bgr, light)

    def on(
        self, now_bgr: Image, colors: NDArray[np.float64], beyond: NDArray[np.bool_], least_px: int = LEAST_PX
    ) -> Mirrored | None:
        """What the board mirrors; None where that is nothing, or where something else makes it look otherwise.

        Args:
            now_bgr: (n, n, 3) the board from above.
            colors: of `match_colors`.
            beyond: (n, n) what lies beyond the picture's rims.
            least_px: what a light with edges covers at least.
        """
        soft, has_less = self._soft(now_bgr, colors, beyond)
        rest = self._less_soft(now_bgr, soft)
        rest_colors = colors if soft is None else match_colors(self._empty, rest)
        before = recolor(self._empty, rest_colors)
        self.is_gone = has_less or is_large_light(before, rest, beyond, LEAST_GONE_PX)
        if (is_white(now_bgr) & ~is_white(before)).mean() > _BLINDED:
            return None if soft is None else Mirrored(soft)
        edged = self._reflections.on(rest, rest_colors, beyond, least_px)
        first = edged if soft is None else self._reflections.on(now_bgr, colors, beyond, least_px)
        if first is not None:
            # Waves follow edges as well as they can: where these are told first, less may be left.
            but_first = _less(now_bgr, first)
            soft_then, _ = self._soft(but_first, match_colors(self._empty, but_first), beyond)
            ways = [(soft, edged), (soft_then, first)]
            withouts = [rest if edged is None else _less(rest, edged), self._less_soft(but_first, soft_then)]
            left = [self._off(each, match_colors(self._empty, each), ~beyond).mean() for each in withouts]
            soft, edged = ways[int(np.argmin(left))]
        if soft is None and edged is None:
            return None
        return Mirrored(np.zeros((len(self._waves), 3), np.float32) if soft is None else soft, edged)

    def _less_soft(self, now_bgr: Image, amounts: NDArray[np.float32] | None) -> Image:
        """The board from above without light without edges."""
        return now_bgr if amounts is None else _less(now_bgr, (amounts.T @ self._all).T.reshape(now_bgr.shape))

    def _soft(
        self, now_bgr: Image, colors: NDArray[np.float64], beyond: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32] | None, bool]:
        """(waves, 3) of light without edges, None where there is none; and whether some is gone instead."""
        level = max(float(now_bgr.mean()), 1.0) / USUAL
        if not self._may_mirror(now_bgr, recolor(self._empty, colors), ~beyond, level):
            return None, False
        amounts = self._fitted(now_bgr, ~beyond, level)
        more = (amounts.T @ self._waves).mean(axis=0)
        most, least = float(more.max()), float(more.min())
        is_gone = max(most, 0.0) < -_TAKEN * least
        if -least > _TAKEN * most:
            return None, is_gone
        without = self._less_soft(now_bgr, amounts)
        matched = match_colors(self._empty, without)
        was = self._residual(now_bgr, colors, ~beyond, level)
        left = self._residual(without, matched, ~beyond, level) / was
        if left > (_HARDLY if self._light.is_other else _LEFT):
            return None, is_gone
        bright = (amounts.T @ self._all).mean(axis=0).reshape(now_bgr.shape[:2])
        is_hand = hidden(self._empty, now_bgr, bright > _BRIGHT * bright.max()) >= _HIDDEN
        return None if is_hand else amounts, is_gone

    def of_empty(self, now_bgr: Image, beyond: NDArray[np.bool_]) -> Mirrored | None:
        """What the board mirrors in its empty picture, and now does not."""
        points = self._points
        other = Glare(now_bgr, points, Light(now_bgr, points))
        return other.on(self._empty, match_colors(now_bgr, self._empty), beyond, LEAST_GONE_PX)

    def _may_mirror(self, now: Image, before: Image, is_seen: NDArray[np.bool_], level: float) -> bool:
        """Whether the board is brighter or darker in some parts than it was."""
        y, x = (channels_of(picture[::_AT_FIRST, ::_AT_FIRST].reshape(-1, 3)) for picture in (now, before))
        most = _CLIPPED * level
        off = np.clip(y - x, -most, most) * is_seen[::_AT_FIRST, ::_AT_FIRST].ravel()
        smooth = off @ self._smooth.T @ self._first
        is_off = np.abs(smooth).max(axis=0) > _OFF * level
        return int(np.count_nonzero(is_off)) > _OFF_SHARE * is_off.size

    def _fitted(self, now: Image, is_seen: NDArray[np.bool_], level: float) -> NDArray[np.float32]:
        """(waves, 3) of what may be mirrored; what stands on the board is outvoted."""
        x, y = (channels_of(picture[::_EVERY, ::_EVERY].reshape(-1, 3)) for picture in (self._empty, now))
        told = is_seen[::_EVERY, ::_EVERY].ravel() & (np.maximum(x, y).max(axis=0) < 250)
        waves, count = self._waves, len(self._waves)
        amounts = np.zeros((count, 3), np.float32)
        if told.sum() < 100:
            return amounts
        # To begin with all is gain; then how that is tilted across the board is told together with what is mirrored.
        slope = 127.5 / np.maximum((x + y) / 2, 16.0).mean(axis=0)
        gain = median(((y + 4) / (x + 4)).T)[:, None]
        before, after = (np.asarray(each * each / 255, np.float32) for each in (x * gain, y))
        tilted = before[:, None] * self._tilts  # (channels, terms, n)
        terms = len(self._tilts)
        gains = np.zeros((3, terms), np.float32)
        gains[:, 0] = 1
        for residual in _RESIDUALS:
            fitted = (gains[:, None] @ tilted)[:, 0] + amounts.T @ waves
            off = np.abs(after - fitted).max(axis=0) * slope
            trusted = told / (1 + (off / (residual * min(level, 1.5))) ** 2) ** 2 * slope**2
            weight = (trusted / trusted.sum()).astype(np.float32)
            weighted = waves * weight
            inner = weighted @ waves.T
            inner += self._stiff * (np.trace(inner) / count)
            for channel in range(3):
                own, with_gain = tilted[channel] * weight, weighted @ tilted[channel].T
                square = own @ tilted[channel].T
                ridge = _NO_GAIN * square[0, 0] * np.eye(terms)
                whole = np.block([[inner, with_gain], [with_gain.T, square + ridge]])
                right = np.concatenate([weighted @ after[channel], own @ after[channel] + ridge[0]])
                solved = np.linalg.solve(whole, right)
                amounts[:, channel], gains[channel] = solved[:count], solved[count:]
        return amounts

    def _residual(self, now: Image, colors: NDArray[np.float64], is_seen: NDArray[np.bool_], level: float) -> float:
        """By how much the board is off on average, up to a limit, in whatever light it is."""
        return float(np.minimum(self._off(now, colors, is_seen), _MOST_OFF * level).mean()) + 1e-6

    def _off(self, now: Image, colors: NDArray[np.float64], is_seen: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """(n,) by how much what is seen of the board is off, in whatever light it is."""
        return np.asarray(cv2.absdiff(now, self._light.on(self._empty, now, colors))).max(axis=2)[is_seen]


def _are_alike(some: NDArray[np.float32] | np.float32, others: NDArray[np.float32] | np.float32) -> bool:
    """Whether lights of two pictures are the same; none are."""
    return float(np.linalg.norm(some - others)) <= _SAME * float(np.linalg.norm(others))


def _pairs() -> list[tuple[int, int]]:
    return [(i, j) for i in range(_ORDER + 1) for j in range(_ORDER + 1 - i)]


def _waves(points: Points) -> NDArray[np.float32]:
    """(waves, n) at board points (..., 2)."""
    x, y = (np.clip(points.reshape(-1, 2).T, -0.5 - _BESIDE, 0.5 + _BESIDE) + 0.5 + _BESIDE) / (1 + 2 * _BESIDE)
    across, along = ([np.cos(np.pi * i * each) for i in range(_ORDER + 1)] for each in (x, y))
    return np.stack([across[i] * along[j] for i, j in _pairs()]).astype(np.float32)


def _stiffness() -> NDArray[np.float64]:
    """(waves,) of each; finer ones are stiffer."""
    return np.array([1.0 + i * i + j * j for i, j in _pairs()])


def _less(picture: Image, light: NDArray[np.float32]) -> Image:
    """A picture without some light (h, w, 3) at each px."""
    levels: NDArray[Any] = picture.astype(np.float32)
    cv2.multiply(levels, levels, dst=levels)
    cv2.scaleAdd(light, -255.0, levels, dst=levels)
    np.maximum(levels, 0, out=levels)
    return np.asarray(cv2.convertScaleAbs(cv2.sqrt(levels, dst=levels)), np.uint8)
