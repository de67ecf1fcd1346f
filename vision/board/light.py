"""The empty board as it would look in another picture's light.

Exposure and white balance are one map of colors (`foreground.match_colors`). Another lamp, another camera or a print
that has faded do more than that: the light falls off across the board, and every color of the print goes a way of its
own. Both are taken from the pictures, so robustly that what stands on the board is outvoted.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.foreground import recolor
from vision.board.view import Points
from vision.pixels import Image, channels_of, lab_of, largest_channel, median

#: Colors that are told apart on a board, and bits of each channel by which they are.
_COLORS, _BITS = 16, 5
#: About so many px have a say, evenly spread.
_SAMPLES = 5000
#: Distance between colors (CIELAB, 0-255) at which one hardly goes the other's way.
_OTHER_COLOR = 8.0
#: Px of a color that have to be seen, and share of them that have to agree; more of a patch, which buildings may cover.
_LEAST_PX, _AGREE, _AGREE_IN_PATCH = 15, 0.4, 0.6
#: What differs by less (0-255) agrees; nothing goes farther from the common map than the second.
_SAME, _FARTHEST = 18.0, 60.0
#: Residuals at which px lose most of their say: of a shift of color (0-255), and of the logarithm of a gain.
_RESIDUAL, _GAIN_RESIDUAL = 12.0, 0.12
#: Logarithms of a gain across the board that are too small to bother, and the largest one.
_LEAST_GAIN, _MOST_GAIN = 0.04, 0.5
#: Shifts of a color (0-255) too small to bother, and share of its px that may be off by twice that.
_SMALL, _SOME = 5.0, 0.25
#: Colors that have to shift for the light to be another: one alone may be hidden by buildings of about its own color.
#: And how far they have to go together (0-255), where each counts up to a limit: a sheen moves many a little.
_MANY, _ONE = (4, 60.0), 30.0
#: The same where evenly colored px alone are asked: px of a print that have no other color (0-255) so near, px. Blur
#: and a print that is a px off move the others: of 563 rendered pictures in their own light 20 seemed to be in another,
#: none by evenly colored px; all of 33 photographs over an older one are told so, and 46% of 448 that were made so.
_MANY_EVEN, _EVEN, _AROUND = (3, 40.0), 40, 5
#: A patch of which this share looks as it should is left alone: buildings of its own color stand on it.
_PLAIN = 0.5
#: Share of a patch that has to agree where a shift is far from none.
_ALL_OF_PATCH = 0.8
#: Patches of one color go one way. Where there are more than so many, one that goes farther (0-255) than another is
#: built on: of 448 rendered pictures buildings of four more are right by that, over older empty pictures of 18 more. Of
#: two that differ either may be the one.
_TWO, _ONE_WAY = 2, 7.0
#: Share of a patch, at least, that shows the color which others like it have now.
_SOME_OF_PATCH = 0.15
#: Px between the places where the falling-off of the light is worked out.
_STEP = 8

Box = tuple[slice, slice]


class Light:
    """Puts one picture of the empty board, or its bands, into the light of other pictures.

    Args:
        empty_bgr: (h, w, 3) uint8.
        points: (h, w, 2) the board points of its px.
        patches: rows and columns of evenly colored parts, those of one color together; where there are such, the
            picture is fine enough for evenly colored px alone to tell of another light.

    Attributes:
        is_other: in the last picture colors of the print went ways of their own.
    """

    def __init__(self, empty_bgr: Image, points: Points, patches: list[list[Box]] | None = None) -> None:
        self._patches = patches or []
        self._near = np.ascontiguousarray(_basis(_sample(points)).T)
        self._on_board = np.abs(_sample(points)).max(1) < 0.5
        self._palette = _palette(_sample(empty_bgr)[self._on_board])
        self._coarse = _basis(points[::_STEP, ::_STEP])
        self.is_other = False
        self._under: Image | None = None
        self._index = np.zeros((0, 0), np.intp)
        self._blend = np.zeros((0, _COLORS))
        self._of = self._even_of = np.zeros(0, np.intp)

    def on(self, under_bgr: Image, now_bgr: Image, colors: NDArray[np.float64]) -> Image:
        """The empty board in the light of now.

        Args:
            under_bgr: (h, w, 3) uint8, the empty board where `now_bgr` has it.
            colors: of `match_colors`.
        """
        if under_bgr is not self._under:
            self._look_at(under_bgr)
        before = self._shaded(recolor(under_bgr, colors), now_bgr)
        away = channels_of(_sample(now_bgr)) - channels_of(_sample(before))
        self.is_other = _are_many(_shifts(away, self._even_of), *(_MANY_EVEN if self._patches else _MANY))
        if not self.is_other:
            return before
        shifts = _shifts(away, self._of)
        blended = np.round(self._blend @ shifts).astype(np.int16)
        lit = np.asarray(cv2.add(before, blended[self._index], dtype=cv2.CV_8U), np.uint8)
        for patches in self._patches:
            _match_patches(lit, now_bgr, patches)
        return lit

    def _look_at(self, under_bgr: Image) -> None:
        self._under = under_bgr
        blue, green, red = (plane.astype(np.intp) for plane in cv2.split(under_bgr >> (8 - _BITS)))
        cells = (blue << 2 * _BITS) + (green << _BITS) + red
        used = np.flatnonzero(np.bincount(cells.ravel(), minlength=1 << 3 * _BITS))
        place = np.zeros(1 << 3 * _BITS, np.intp)
        place[used] = np.arange(len(used))
        self._index = place[cells]
        distances = ((_lab_of_cells(used)[:, None] - self._palette) ** 2).sum(2)
        nearest_color = distances.argmin(1)
        self._of = self._even_of = np.where(self._on_board, nearest_color[_sample(self._index)], _COLORS)
        if self._patches:
            self._even_of = np.where(_sample(_spread(under_bgr)) < _EVEN, self._of, _COLORS)
        distances[:, np.bincount(self._of, minlength=_COLORS)[:_COLORS] < _LEAST_PX] = np.inf
        nearest = np.minimum(distances.min(1, keepdims=True), 1e9)
        likeness = np.exp(-0.5 * (distances - nearest) / _OTHER_COLOR**2)
        self._blend = likeness / np.maximum(likeness.sum(1, keepdims=True), 1e-9)

    def _shaded(self, before: Image, now: Image) -> Image:
        """With the light falling off across the board as it does now."""
        x, y = channels_of(_sample(before)), channels_of(_sample(now))
        told = self._on_board & (x.min(0) > 15) & (np.maximum(x, y).max(0) < 250)
        if told.sum() < 100:
            return before
        basis, x, y = (each.compress(told, axis=1) for each in (self._near, x, y))
        gain = np.log((y + 4) / (x + 4))
        ridge = 0.01 * told.sum() * np.eye(len(basis))
        fit = np.zeros((len(basis), 3), np.float32)
        for _ in range(4):
            residual = np.abs(gain - fit.T @ basis).max(0)
            weighted = basis / (1 + (residual / _GAIN_RESIDUAL) ** 2) ** 2
            fit = np.linalg.solve(weighted @ basis.T + ridge, weighted @ gain.T)
        field = self._coarse @ fit
        if np.abs(field).max() < _LEAST_GAIN:
            return before
        field = np.exp(np.clip(field, -_MOST_GAIN, _MOST_GAIN)).astype(np.float32)
        height, width = before.shape[:2]
        rows, columns = -(-height // _STEP), -(-width // _STEP)
        fine = cv2.resize(field.reshape(rows, columns, 3), (columns * _STEP, rows * _STEP))[:height, :width]
        return np.asarray(cv2.multiply(before, fine, dtype=cv2.CV_8U), np.uint8)


def _shifts(away: NDArray[np.float32], of: NDArray[np.intp]) -> NDArray[np.int16]:
    """(colors, 3) by how much each color of the print looks otherwise now, by px that do by (3, n), of these colors."""
    is_far = np.abs(away).max(0) > 2 * _SMALL
    counts, changed = (np.bincount(some, minlength=_COLORS + 1)[:_COLORS] for some in (of, of[is_far]))
    shifts = np.zeros((_COLORS, 3), np.int16)
    for color in np.flatnonzero((changed >= np.maximum(_SOME * counts, 1)) & (counts >= _LEAST_PX)):
        shifts[color] = _common_shift(away.compress(of == color, axis=1))
    return shifts


def _spread(picture: Image) -> Image:
    """(h, w) by how much the px around each differ, 0-255, in the channel in which they differ most."""
    around = np.ones((_AROUND, _AROUND), np.uint8)
    spread = cv2.subtract(cv2.dilate(picture, around), cv2.erode(picture, around))
    return largest_channel(np.asarray(spread, np.uint8))


def _sample(picture: NDArray[Any]) -> NDArray[Any]:
    """About `_SAMPLES` px of a picture, evenly spread, below each other."""
    every = max(1, round(np.sqrt(picture.shape[0] * picture.shape[1] / _SAMPLES)))
    return picture[::every, ::every].reshape(-1, *picture.shape[2:])


def _are_many(shifts: NDArray[np.int16], many: int, together: float) -> bool:
    """Whether so many colors go ways of their own, so far together, that the light is another."""
    far = np.abs(shifts).max(1)
    far = far[far >= _SMALL]
    return bool(len(far) >= many and np.minimum(far, _ONE).sum() >= together)


def _basis(points: Points) -> NDArray[np.float32]:
    """(n, 3) the terms of a plane over the board; anything more bent could follow a hand."""
    x, y = points.reshape(-1, 2).T * 2
    return np.stack([np.ones_like(x), x, y], axis=1).astype(np.float32)


def _palette(px_bgr: Image) -> NDArray[np.float32]:
    """(colors, 3) CIELAB of px (n, 3): the means of the parts of a median cut, which is split where it differs most."""
    parts = [lab_of(px_bgr[None])[0]]
    while len(parts) < _COLORS:
        part = parts.pop(int(np.argmax([part.var(0).max() * len(part) for part in parts])))
        axis = int(part.var(0).argmax())
        is_low = part[:, axis] <= part[:, axis].mean()
        parts += [part[is_low], part[~is_low] if not is_low.all() else part[:1]]
    return np.stack([part.mean(0) for part in parts])


def _lab_of_cells(cells: NDArray[np.intp]) -> NDArray[np.float32]:
    """(n, 3) CIELAB of the middles of cells of blue, green and red."""
    most = (1 << _BITS) - 1
    levels = np.stack([cells >> 2 * _BITS, (cells >> _BITS) & most, cells & most], axis=-1)
    middles = levels * (256 >> _BITS) + (128 >> _BITS)
    return lab_of(middles.astype(np.uint8)[None])[0]


def _common_shift(away: NDArray[np.float32]) -> NDArray[np.float32]:
    """By how much (3,) most of the differences (3, n) go; zero where they do not agree, or go too far."""
    middle = median(away.T)
    for _ in range(3):
        weight = 1 / (1 + (np.abs(away - middle[:, None]).max(0) / _RESIDUAL) ** 2) ** 2
        middle = away @ weight / weight.sum()
    agree = (np.abs(away - middle[:, None]).max(0) < _SAME).mean()
    return middle if agree >= _AGREE and np.abs(middle).max() <= _FARTHEST else np.zeros_like(middle)


def _match_patches(before: Image, now: Image, patches: list[Box]) -> None:
    """Gives evenly colored patches of one color the color that it has now; in place."""
    ways = [_patch_shift(before[patch], now[patch]) for patch in patches]
    if len(patches) > _TWO:
        ways = _one_way(ways)
    usual = [np.median(before[patch], axis=(0, 1)) for patch in patches]
    told = [color + way.mean(0) for color, way in zip(usual, ways, strict=True) if way is not None]
    for patch, color, way in zip(patches, usual, ways, strict=True):
        if way is None and told:
            # So much is built on it that it does not tell; others of its color do.
            one = np.mean(told, axis=0) - color
            seen = np.abs(cv2.subtract(now[patch], before[patch], dtype=cv2.CV_32F) - one).max(2) < _SAME
            way = np.tile(one, (before[patch].shape[1], 1)) if seen.mean() >= _SOME_OF_PATCH else None
        if way is not None and way.any():
            along = np.broadcast_to(way, before[patch].shape).astype(np.float32)
            before[patch] = cv2.add(before[patch], along, dtype=cv2.CV_8U)


def _one_way(ways: list[NDArray[np.floating] | None]) -> list[NDArray[np.floating] | None]:
    """The shifts of patches of one color, but for those that go farther than the one that goes least."""
    means = [np.zeros(3) if way is None else way.mean(0) for way in ways]
    told = [mean for mean, way in zip(means, ways, strict=True) if way is not None]
    least = min(told, key=lambda mean: float(np.abs(mean).max()), default=np.zeros(3))
    return [way if np.abs(mean - least).max() <= _ONE_WAY else None for mean, way in zip(means, ways, strict=True)]


def _patch_shift(before: Image, now: Image) -> NDArray[np.floating] | None:
    """(w, 3) by how much an evenly colored patch looks otherwise now, more at one end; None when it does not tell."""
    height, width = before.shape[:2]
    away = cv2.subtract(now, before, dtype=cv2.CV_32F)[1:-1, 1:-1].reshape(-1, 3)
    ends = np.linspace(-1, 1, width, dtype=np.float32)
    if (np.abs(away).max(1) <= 2 * _SMALL).mean() > _PLAIN:
        return np.zeros((width, 3))
    along = np.tile(ends[1:-1], height - 2)
    basis = np.stack([np.ones_like(along), along], axis=1)
    median = np.stack([np.median(away, axis=0), np.zeros(3)])
    # From wide to narrow: the shift nearest to none that much of the patch agrees on, else that of nearly all of it.
    for fit, scales, enough in (
        (np.zeros((2, 3)), (2 * _RESIDUAL, _RESIDUAL, _RESIDUAL), _AGREE_IN_PATCH),
        (median, (_RESIDUAL,), _ALL_OF_PATCH),
    ):
        for scale in scales:
            weight = 1 / (1 + (np.abs(away - basis @ fit).max(1) / scale) ** 2) ** 2
            weighted = (basis * weight[:, None]).T
            fit = np.linalg.solve(weighted @ basis + np.diag([1.0, 12.0]), weighted @ away)
        shift = basis @ fit
        if (np.abs(away - shift).max(1) < _SAME).mean() >= enough and np.abs(shift).max() <= _FARTHEST:
            return np.outer(ends, fit[1]) + fit[0]
    return None
