"""Finds the feet of tokens, houses, hotels and markers on the spaces, with a small network.

The network (`vision/models/finder.onnx`, trained by `vision/training/pieces_train.py`) compares the bands of a
picture with those of the empty board; what cameras see that stand low down is compared by one that went on learning
from such pictures (`finder_low.onnx`). They know kinds of pieces, not particular ones: which token it is, the
recognizer says.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.alignment import aligned
from vision.board.bands import HEIGHT, WIDTH, Bands, Sight, Window, cut, lean_px
from vision.board.foreground import difference, match_colors
from vision.board.layout import GROUPS, Layout
from vision.board.light import Box, Light
from vision.board.view import Points, View
from vision.networks import MODELS, Twins
from vision.pieces.heat import Heat, Places
from vision.pixels import Image, fixed_map, lab_of, median, opened, widened

#: Classes of the network's heat maps, in its order.
KINDS = ("token", "house", "hotel", "bomb", "miner")
#: Slope and shift of the log odds by which a score becomes a probability: scores are places on a heat map, and come
#: out low. Fitted on 612 pieces of 5 rendered tables, the shift lowered by about 1 for tables
#: that look otherwise, rendered and shared ones; those of markers by `python -m vision.training.calibrate_tokens`.
_CHANCES = {"token": (3.5, 3.6), "house": (4.0, 2.0), "hotel": (4.0, 1.0), "bomb": (3.3, 2.5), "miner": (3.6, 2.4)}
#: Mean brightness to which both pictures are brought, and how far that may go.
_LEVEL, _GAIN = 110.0, (0.4, 4.0)
#: Peaks weaker than this are not kept at all.
LEAST_SCORE = 0.25
#: Of tokens and markers, peaks of at least this score are kept apart, for when a token is missing or stands there
#: that is nobody's.
_WEAK_SCORE = {"token": 0.1, "bomb": 0.2, "miner": 0.2}
#: Peaks of a kind in two bands nearer than this, in widths of a space, are one piece; and in one band.
_SAME_IN_TWO_BANDS = 0.35
SAME_PIECE = {"token": 0.3, "house": 0.17, "hotel": 0.3, "bomb": 0.25, "miner": 0.25}
#: Columns around a difference that the network is shown; difference (0-255) that makes it look, and px of a column that
#: have to be as different: noise has fewer, and of 1200 pieces on rendered tables none had fewer beside its foot.
_AROUND, _STEP, _LEAST_ROWS = 8, 13, 3
#: Windows are so many columns wide, or so many times that: what the network looks at coarsest. What differs farther
#: beyond the board's diagonals, or its edge, in widths of a space, is left to the next band, or to nobody.
_COLUMNS, _NEXT, _EDGE = 8, 0.45, 0.1
#: Half the px of a band across a building, and where its middle is, in the height whose lean is known. A building
#: of score 0 differs from the empty board on this share of its body at least; of 25 peaks on rendered tables that
#: differ less than half as much again 19 are buildings, most of them in their strip's own color.
_BODY, _MIDDLE, _SHOWS = 5, 0.25, 0.3
#: Half the px of a band across what tells a piece's color.
_PAINT = 3
#: The same of a token: each of 1200 rendered ones, faint or not, differs on 0.22 of its body and more.
_TOKEN, _TOKEN_MIDDLE, _TOKEN_SHOWS = 8, 0.4, 0.22
#: And of what stands at no peak: 42 of 46 such on rendered tables differ on more where they look most like themselves.
_SLOPE_SHOWS = 0.4
#: Half the px of a band about a token, and by how much the artwork may be off. What was taken for
#: a token of score 0 is the artwork when it looks more than so much like the empty board (correlation), more of higher
#: score, and anything from the last on: of 380 tokens on rendered tables 99% look less like it.
_ALIKE_HALF, _OFF = 11, 3
_ALIKE, _ALIKE_SURE, _ALIKE_MOST = 0.7, 0.5, 0.86
#: Px of what stands alone (least and most), its sides, how far about it how little else differs, and how much less it
#: looks like the artwork: on 60 pictures of rendered tables everything like that is a token. Its score as one.
_THING_PX, _THING, _BESIDE, _BESIDE_SHARE, _THING_PRINT, _THING_SCORE = (100, 400), (9, 24), 6, 0.15, 0.6, 0.15


@dataclass(frozen=True)
class Found:
    """One piece.

    Attributes:
        kind: one of `KINDS`.
        foot: (2,) center of its contact with the board, in the board's frame.
        score: how plainly it shows, 0-1.
        side: of the board in whose band it was seen, 0-3.
        color: (3,) CIELAB (as `pixels.lab_of`) of the middle of its body.
    """

    kind: str
    foot: Points
    score: float
    side: int = 0
    color: NDArray[np.float32] = field(default_factory=lambda: np.zeros(3, np.float32))

    @cached_property
    def chance(self) -> float:
        """Probability that such a piece stands there, 0-1."""
        slope, shift = _CHANCES.get(self.kind, _CHANCES["token"])
        score = min(max(self.score, 1e-3), 1 - 1e-3)
        return 1 / (1 + math.exp(-slope * math.log(score / (1 - score)) - shift))


@dataclass(frozen=True)
class Pieces:
    """What stands on the spaces.

    Attributes:
        colors: the empty board's colors to the picture's, of `foreground.match_colors`.
        weak: what may be a token or a marker, though its score says rather not.
        things: what stands alone, whatever it is, where it was asked for; of the size of tokens, as faint ones.
        sight: of the bands in which all this was found.
        heat: what the network said of these.
    """

    pieces: list[Found]
    colors: NDArray[np.float64]
    weak: list[Found] = field(default_factory=list)
    things: list[Found] = field(default_factory=list)
    sight: Sight | None = None
    heat: Heat | None = None

    def slopes(self, least: float, reach: float) -> list[Found]:
        """Where more tokens may have their feet, though there is no peak: so far from all, and from each other.

        Args:
            least: score.
            reach: board units.
        """
        if self.heat is None or self.sight is None:
            return []
        tokens = [one.foot for one in (*self.pieces, *self.weak) if one.kind == "token"]
        found = _found(self.heat.slopes(KINDS.index("token"), least, np.array(tokens).reshape(-1, 2), reach))
        shares = _differing(found, self.heat.bands, self.sight.differs, self.sight.lean)
        return [one for one, share in zip(found, shares, strict=True) if share >= _SLOPE_SHOWS]


class PieceFinder:
    """Looks for pieces on one board.

    Args:
        empty_bgr: the empty picture, seen through `view`.
        models: folder of the weights.
    """

    def __init__(self, empty_bgr: Image, view: View, layout: Layout, models: Path = MODELS) -> None:
        self._networks = Twins(models, "finder")
        self._bands = bands = Bands.of(layout)
        self._maps = fixed_map(bands.maps(view))
        self._empty = cut(empty_bgr, self._maps)
        self._light = Light(self._empty.reshape(-1, WIDTH, 3), bands.points(), _strips(layout, bands))
        self._under = self._empty.reshape(-1, WIDTH, 3)
        self._own = _own(bands)
        self._view: View | None = None
        self._lean = np.zeros(0, np.uint8)

    def find(
        self,
        frame_bgr: Image,
        view: View,
        least: float = LEAST_SCORE,
        colors: NDArray[np.float64] | None = None,
        with_things: bool = False,
    ) -> Pieces:
        """The pieces on the spaces with a score of at least `least`, strongest first.

        Args:
            colors: the empty board's colors to the picture's, of `match_colors`, where they are known.
            with_things: whether to look for things that stand alone.
        """
        if view is not self._view:
            self._maps, self._lean = fixed_map(self._bands.maps(view)), self._bands.lean(view)
        now = cut(frame_bgr, self._maps)
        if view is not self._view:
            self._view, self._under = view, aligned(self._empty, now).reshape(-1, WIDTH, 3)
        flat_now = now.reshape(-1, WIDTH, 3)
        matched = match_colors(self._under, flat_now) if colors is None else colors
        before = self._light.on(self._under, flat_now, matched)
        gain = float(np.clip(_LEVEL / max(float(np.mean(cv2.mean(before)[:3])), 1.0), *_GAIN))
        changes = difference(before, flat_now)
        differs = (changes > _STEP / max(gain, 1.0)).reshape(4, HEIGHT, WIDTH)
        sight = Sight(flat_now, before, differs, self._lean, gain, self._light.is_other, view.is_low)
        windows = _windows(differs, self._own)
        if not windows:
            return Pieces([], matched, sight=sight)
        heat = Heat(self._networks.of(sight.is_low)(sight.shown(windows)[None])[0], windows, self._bands)
        peaks = _found(heat.peaks(min(least, *_WEAK_SCORE.values())))
        peaks = [one for one in peaks if one.score >= min(least, _WEAK_SCORE.get(one.kind, least))]
        if self._light.is_other:
            peaks = [one for one in peaks if one.kind != "token" or not self._is_print(one, flat_now, before)]
        found = _without_doubles(self._standing_out(peaks, differs), self._bands.unit)
        found = self._colored(found, flat_now)
        weak = [one for one in found if one.score < least]
        things = self._things(differs, flat_now, before) if with_things else []
        return Pieces([one for one in found if one.score >= least], matched, weak, things, sight, heat)

    def _standing_out(self, found: list[Found], differs: NDArray[np.bool_]) -> list[Found]:
        """Without pieces where the picture hardly differs from the empty board: of buildings the less, the fainter."""
        shares = _differing(found, self._bands, differs, self._lean)
        return [one for one, share in zip(found, shares, strict=True) if share >= _least_share(one)]

    def _middles(self, pieces: list[Found], share: float) -> tuple[NDArray[np.intp], Points]:
        """(n,) sides of the board, and (n, 2) px of their bands where that share of the pieces' height is seen."""
        feet = np.array([one.foot for one in pieces]).reshape(-1, 2)
        sides = np.array([one.side for one in pieces], int)
        px = self._bands.to_band(sides, feet)
        columns, rows = np.clip(px, 0, (WIDTH - 1, HEIGHT - 1)).astype(int).T
        return sides, px + lean_px(self._lean[sides, :, rows, columns]) * share

    def _colored(self, found: list[Found], now: Image) -> list[Found]:
        """The pieces with their colors."""
        sides, px = self._middles(found, _MIDDLE)
        about = np.arange(-_PAINT, _PAINT + 1)
        rows = np.clip(px[:, 1].round().astype(int)[:, None] + about, 0, HEIGHT - 1) + sides[:, None] * HEIGHT
        columns = np.clip(px[:, 0].round().astype(int)[:, None] + about, 0, WIDTH - 1)
        patches = now[rows[:, :, None], columns[:, None]].reshape(len(found), len(about) ** 2, 3)
        colors = median(lab_of(patches).transpose(1, 0, 2)) if found else np.zeros((0, 3), np.float32)
        return [replace(one, color=color) for one, color in zip(found, colors, strict=True)]

    def _is_print(self, one: Found, now: Image, before: Image) -> bool:
        """Whether it is the artwork in another light; what shows faintly is so sooner."""
        alike = self._likeness_to_print(one, now, before)
        return alike > min(_ALIKE + _ALIKE_SURE * one.score, _ALIKE_MOST)

    def _likeness_to_print(self, one: Found, now: Image, before: Image) -> float:
        """Correlation of a token's look with that of the empty board there."""
        column, row = self._middle(one)
        left = int(np.clip(column - _ALIKE_HALF, _OFF, WIDTH - 2 * _ALIKE_HALF - 1 - _OFF))
        top = int(np.clip(row - _ALIKE_HALF, _OFF, HEIGHT - 2 * _ALIKE_HALF - 1 - _OFF)) + one.side * HEIGHT
        below, beside = top + 2 * _ALIKE_HALF + 1, left + 2 * _ALIKE_HALF + 1
        around = now[top - _OFF : below + _OFF, left - _OFF : beside + _OFF]
        return float(cv2.matchTemplate(around, before[top:below, left:beside], cv2.TM_CCOEFF_NORMED).max())

    def _middle(self, one: Found) -> Points:
        """(2,) px of a band where the middle of a token's body is seen."""
        px = self._bands.to_band(one.side, one.foot[None])[0]
        column, row = np.clip(px, 0, (WIDTH - 1, HEIGHT - 1)).astype(int)
        return np.asarray(px + lean_px(self._lean[one.side][:, row, column]) * _TOKEN_MIDDLE)

    def _things(self, differs: NDArray[np.bool_], now: Image, before: Image) -> list[Found]:
        """What differs from the empty board, alone, of a token's size, and unlike what is printed there."""
        things = []
        for side in range(4):
            mask = opened(differs[side].astype(np.uint8), 2)
            _, labels, stats, centers = cv2.connectedComponentsWithStats(mask)
            for part in range(1, len(stats)):
                left, top, width, height, area = (int(value) for value in stats[part])
                has_size = _THING_PX[0] < area < _THING_PX[1] and _THING[0] <= min(width, height)
                if top < 2 or not has_size or max(width, height) > _THING[1]:
                    continue
                about = np.s_[
                    max(top - _BESIDE, 0) : top + height + _BESIDE, max(left - _BESIDE, 0) : left + width + _BESIDE
                ]
                if differs[side][about][labels[about] != part].mean() >= _BESIDE_SHARE:
                    continue
                column, row = centers[part].astype(int)
                px = centers[part] - lean_px(self._lean[side][:, row, column]) * _TOKEN_MIDDLE
                one = Found("token", self._bands.to_board(side, px[None])[0], _THING_SCORE, side)
                is_here = self._bands.beyond_diagonal(side, one.foot[None])[0] < 0
                if is_here and self._likeness_to_print(one, now, before) < _THING_PRINT:
                    things.append(one)
        return things


def _found(places: Places) -> list[Found]:
    each = zip(*(part.tolist() for part in (places.kinds, places.scores, places.sides)), places.feet, strict=True)
    return [Found(KINDS[kind], foot, score, side) for kind, score, side, foot in each]


def _differing(found: list[Found], bands: Bands, differs: NDArray[np.bool_], lean: Image) -> NDArray[np.float64]:
    """(n,) share of each piece's body in which the bands differ from the empty board.

    Args:
        differs, lean: as of `Sight`.
    """
    feet, sides = np.array([one.foot for one in found]).reshape(-1, 2), np.array([one.side for one in found], int)
    px = bands.to_band(sides, feet)
    columns, rows = np.clip(px, 0, (WIDTH - 1, HEIGHT - 1)).astype(int).T
    places = np.column_stack([px, lean_px(lean[sides, :, rows, columns])]).tolist()
    shares = np.zeros(len(found))
    for index, (one, (column, row, right, down)) in enumerate(zip(found, places, strict=True)):
        half, middle = (_TOKEN, _TOKEN_MIDDLE) if one.kind == "token" else (_BODY, _MIDDLE)
        left, top = max(int(column + right * middle) - half, 0), max(int(row + down * middle) - half, 0)
        body = differs[one.side, top : top + 2 * half + 1, left : left + 2 * half + 1]
        shares[index] = np.count_nonzero(body) / max(body.size, 1)
    return shares


def _least_share(one: Found) -> float:
    """Share of a piece's body that has to differ from the empty board; discs may have the color of what they lie on."""
    if one.kind == "token":
        return _TOKEN_SHOWS * (1 - one.score)
    return _SHOWS * (1 - one.score) if one.kind in ("house", "hotel") else 0.0


def _strips(layout: Layout, bands: Bands) -> list[list[Box]]:
    """Rows and columns of the color strips in the bands below each other, without their outlines; by color."""
    groups = []
    for streets in GROUPS:
        boxes = []
        for street in streets:
            side = street // 10
            corners = bands.to_band(side, layout.strip_corners(street)) + np.array([0, side * HEIGHT])
            (left, top), (right, bottom) = np.ceil(corners.min(0)).astype(int), np.floor(corners.max(0)).astype(int)
            boxes.append((slice(int(top), int(bottom)), slice(int(left), int(right))))
        groups.append(boxes)
    return groups


def _windows(differs: NDArray[np.bool_], own: NDArray[np.bool_]) -> list[Window]:
    """Where something differs; multiples of `_COLUMNS` columns.

    Args:
        own: (4, HEIGHT, WIDTH) where each band is looked at, of `_own`.
    """
    rows = opened((differs & own).reshape(-1, WIDTH).view(np.uint8), 2).reshape(differs.shape)
    columns = np.asarray(rows.sum(1, dtype=np.uint8) >= _LEAST_ROWS, np.uint8)
    windows: list[Window] = []
    for side in range(4):
        near = widened(columns[side][None], 2 * _AROUND + 1, 1)[0]
        near = near.reshape(-1, _COLUMNS).any(1)
        edges = _COLUMNS * np.flatnonzero(np.diff(np.concatenate([[0], near.astype(np.int8), [0]])))
        windows += [(side, int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return windows


def _own(bands: Bands) -> NDArray[np.bool_]:
    """(4, HEIGHT, WIDTH) where a band shows the board, but for what the next band shows as well."""
    points = bands.points().reshape(4, -1, 2)
    own = [
        (bands.beyond_diagonal(side, at) < _NEXT * bands.unit) & (np.abs(at).max(axis=1) < 0.5 + _EDGE * bands.unit)
        for side, at in enumerate(points)
    ]
    return np.array(own).reshape(4, HEIGHT, WIDTH)


def _without_doubles(found: list[Found], unit: float) -> list[Found]:
    """The pieces, the strongest first, each once."""
    ranked = sorted(found, key=lambda one: -one.score)
    feet = np.array([one.foot for one in ranked]).reshape(-1, 2)
    kinds = np.array([KINDS.index(one.kind) for one in ranked], int)
    sides = np.array([one.side for one in ranked], int)
    reach = np.array([SAME_PIECE[kind] for kind in KINDS])[kinds][:, None]
    reach = np.where(sides[:, None] == sides, reach, _SAME_IN_TWO_BANDS) * unit
    away = feet[:, None] - feet
    is_same = (np.hypot(away[..., 0], away[..., 1]) <= reach) & (kinds[:, None] == kinds)
    kept: list[int] = []
    for index in range(len(ranked)):
        if not is_same[index, kept].any():
            kept.append(index)
    return [ranked[index] for index in kept]
