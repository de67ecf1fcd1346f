"""Where the spaces of a board are: the lines between them, found in its artwork seen from above.

Boards differ in the width of the rim, the size of the corners and the depth of the color strips.
Coordinates are those of `vision.board.view`: the board's side is 1, GO at the lower right, x right, y up.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.view import Points
from vision.pixels import Image, blurred, lab_of, remap

JAIL = 10
#: Spaces that carry a color strip, on every board with the usual plan, those of one color together.
GROUPS = ((1, 3), (6, 8, 9), (11, 13, 14), (16, 18, 19), (21, 23, 24), (26, 27, 29), (31, 32, 34), (37, 39))
STREETS = tuple(street for group in GROUPS for street in group)
#: Ranges searched: rim and pitch as shares of the side, strip as a share of a space's depth, the visitors' lane
#: as a share of the corner.
_RIM, _CORNER_UNITS, _STRIP, _LANE = (0.0, 0.045), (1.25, 1.85), (0.13, 0.34), (0.2, 0.42)
#: Width, in px of the picture from above, to which lines are blurred while they are looked for.
_LINE_PX = 1.2


@dataclass(frozen=True)
class Layout:
    """The plan of one board.

    Attributes:
        x_lines, y_lines: (10,) ascending, the lines between the nine spaces of a side and its corners;
            the first and last are also the inner edges of the spaces.
        rim: width of the blank rim.
        strip: depth of the color strip, the inner part of a space, as a share of its depth.
        lane: width of "just visiting" along the jail corner's outer edges, as a share of the corner.
        clarity: how much stronger the artwork's edges are on the lines than elsewhere; about 1 without any lines.
    """

    x_lines: NDArray[np.float64]
    y_lines: NDArray[np.float64]
    rim: float = 0.012
    strip: float = 0.215
    lane: float = 0.3
    clarity: float = 1.0

    @cached_property
    def unit(self) -> float:
        """Mean width of a space."""
        return float((self.x_lines[-1] - self.x_lines[0] + self.y_lines[-1] - self.y_lines[0]) / 18)

    @cached_property
    def depth(self) -> float:
        """Depth of the spaces, rim excluded."""
        inner = np.abs([self.x_lines[0], self.x_lines[-1], self.y_lines[0], self.y_lines[-1]]).mean()
        return float(0.5 - self.rim - inner)

    def rectangle(self, square: int) -> tuple[float, float, float, float]:
        """(x0, y0, x1, y1) of a space, rim excluded."""
        x, y, edge = self.x_lines, self.y_lines, 0.5 - self.rim
        xs, ys = (-edge, *x, edge), (-edge, *y, edge)
        side, place = divmod(square, 10)
        if side == 0:
            return xs[10 - place], ys[0], xs[11 - place], ys[1]
        if side == 1:
            return xs[0], ys[place], xs[1], ys[place + 1]
        if side == 2:
            return xs[place], ys[10], xs[place + 1], ys[11]
        return xs[10], ys[10 - place], xs[11], ys[11 - place]

    def square_at(self, point: Points) -> int | None:
        """The space that holds a point (2,), rim included; None in the middle and off the board."""
        x, y = float(point[0]), float(point[1])
        if max(abs(x), abs(y)) > 0.5:
            return None
        column, row = int(np.searchsorted(self.x_lines, x)), int(np.searchsorted(self.y_lines, y))
        if row == 0:
            return 10 - column
        if column == 0:
            return 10 + row
        if row == 10:
            return 20 + column
        if column == 10:
            return (40 - row) % 40
        return None

    @cached_property
    def _reaches(self) -> NDArray[np.float64]:
        """(40, 4) x0, y0, x1, y1 of the spaces; the rim and what is beside it belong to the space there."""
        rectangles = np.array([self.rectangle(square) for square in range(40)])
        far = 0.5 - self.rim - 1e-9
        return np.where(np.abs(rectangles) >= far, np.sign(rectangles) * 0.6, rectangles)

    def distances(self, points: Points) -> NDArray[np.float64]:
        """(..., 40) how far outside each space points (..., 2) are; 0 within."""
        reach, at = self._reaches, points[..., None, :]
        outside = np.maximum(np.maximum(reach[:, :2] - at, at - reach[:, 2:]), 0)
        return np.asarray(np.hypot(outside[..., 0], outside[..., 1]), np.float64)

    def squares(self, points: Points, spreads: NDArray[np.float64]) -> list[dict[int, float]]:
        """Probability of each space for feet seen at points (n, 2), with these standard deviations (n,); sums are 1."""
        bounds = self._reaches.reshape(40, 2, 2)
        below = _below((bounds - points[:, None, None]) / spreads[:, None, None, None])
        # A foot in the middle of the board or beside it is on the nearest space, if on any.
        shares = (below[:, :, 1] - below[:, :, 0]).prod(-1) + 1e-9 * np.exp(-self.distances(points) / 0.02)
        shares /= shares.sum(axis=1, keepdims=True)
        return [{square: float(share[square]) for square in np.flatnonzero(share > 1e-4).tolist()} for share in shares]

    def in_cell(self, point: Points, spread: float) -> float:
        """Probability that a foot seen at a point of the jail corner stands in the cell, not on the lane."""
        edge, width = 0.5 - self.rim, self.depth * self.lane
        return _between(point[0], -edge + width, 0.5, spread) * _between(point[1], -edge + width, 0.5, spread)

    @cached_property
    def strip_boxes(self) -> NDArray[np.float64]:
        """(22, 2, 2) lowest and highest x and y of the streets' strips, in the order of `STREETS`."""
        strips = np.stack([self.strip_corners(street) for street in STREETS])
        return np.stack([strips.min(1), strips.max(1)], axis=1)

    def strip_corners(self, square: int, outward: float = 0.0, inward: float = 0.0) -> Points:
        """(4, 2) the color strip: inner edge from the first to the last of its ends in travel, then the outer edge.

        Args:
            outward, inward: how far to go beyond it, in depths of a space.
        """
        x0, y0, x1, y1 = self.rectangle(square)
        side = square // 10
        deep = self.depth
        if side == 0:
            top, bottom = y1 + inward * deep, y1 - (self.strip + outward) * deep
            return np.array([[x1, top], [x0, top], [x0, bottom], [x1, bottom]])
        if side == 1:
            top, bottom = x1 + inward * deep, x1 - (self.strip + outward) * deep
            return np.array([[top, y0], [top, y1], [bottom, y1], [bottom, y0]])
        if side == 2:
            top, bottom = y0 - inward * deep, y0 + (self.strip + outward) * deep
            return np.array([[x0, top], [x1, top], [x1, bottom], [x0, bottom]])
        top, bottom = x0 - inward * deep, x0 + (self.strip + outward) * deep
        return np.array([[top, y1], [top, y0], [bottom, y0], [bottom, y1]])


def _between(value: float, low: float, high: float, spread: float) -> float:
    """Probability that a normal value lies in an interval."""
    below = _below(np.array([(high - value) / spread, (low - value) / spread]))
    return float(below[0] - below[1])


def _below(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """The normal distribution's share below z standard deviations (tanh approximation, within 0.0005)."""
    z = np.clip(z, -30, 30)
    return np.asarray(0.5 + 0.5 * np.tanh(0.7978845608 * (z + 0.044715 * z**3)), np.float64)


def usual_layout(rim: float = 0.012, corner_units: float = 1.6) -> Layout:
    """The plan of a board of which nothing is known but its measures."""
    unit = (1 - 2 * rim) / (9 + 2 * corner_units)
    lines = np.asarray(-0.5 + rim + corner_units * unit + unit * np.arange(10), np.float64)
    return Layout(lines, lines, rim)


def find_layout(artwork: Image, side_px: int, rim_px: int) -> Layout:
    """The plan of the board from its artwork seen from above.

    Args:
        artwork: (n, n, 3) uint8, GO at the lower right; `side_px` the board's side, `rim_px` around it.
    """
    lab = lab_of(artwork)
    across = np.abs(np.asarray(cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3))).sum(2)
    down = np.abs(np.asarray(cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3))).sum(2)
    x_energy = _line_energy(across, side_px, rim_px)
    y_energy = _line_energy(np.ascontiguousarray(down.T[:, ::-1]), side_px, rim_px)
    firsts, pitches, x_score = _comb(x_energy)
    _, _, y_score = _comb(y_energy)
    # Both directions share the printing: near-equal pitch. Each takes its best, held to the common optimum.
    common = x_score.max(axis=0)[None] + y_score.max(axis=0)[None]
    pitch = int(common.argmax())
    near = slice(max(pitch - 6, 0), pitch + 7)
    x_lines = _lines(firsts, pitches[near], x_score[:, near])
    y_lines = _lines(firsts, pitches[near], y_score[:, near])
    rim = _find_rim(across, down, x_lines, y_lines, side_px, rim_px)
    plain = Layout(x_lines, y_lines, rim)
    strip = _find_strip(plain, lab, side_px, rim_px)
    lane = _find_lane(plain, lab, side_px, rim_px)
    clarity = min(_clarity(x_energy, x_lines), _clarity(y_energy, y_lines))
    return Layout(x_lines, y_lines, rim, strip, lane, clarity)


def _clarity(energy: NDArray[np.float64], lines: NDArray[np.float64]) -> float:
    places = np.round((lines + 0.5) * len(energy) - 0.5).astype(int)
    on_lines = np.sort([energy[max(place - 2, 0) : place + 3].max() for place in places])
    # The two weakest may be hidden by glare.
    return float(
        on_lines[2:].mean() / max(float(energy[int(0.15 * len(energy)) : -int(0.15 * len(energy))].mean()), 1e-6)
    )


def strip_evidence(layout: Layout, artwork: Image, side_px: int, rim_px: int) -> NDArray[np.float64]:
    """(40,) how strongly each space changes color where a color strip would end; 0 for corners."""
    lab = lab_of(artwork)
    evidence = np.zeros(40)
    along = np.linspace(0.12, 0.88, 16)
    for square in range(40):
        if square % 10 == 0:
            continue
        first, last, last_out, first_out = layout.strip_corners(square, outward=layout.strip)
        rows = []
        for share in (0.15, 0.28, 0.38, 0.62, 0.72, 0.85):
            points = np.array(
                [
                    (first + (last - first) * a) * (1 - share) + (first_out + (last_out - first_out) * a) * share
                    for a in along
                ]
            )
            rows.append(_sample(lab, points, side_px, rim_px))
        strip, below = np.median(np.stack(rows[:3]), axis=0), np.median(np.stack(rows[3:]), axis=0)
        step = np.abs(np.median(strip, axis=0) - np.median(below, axis=0)).sum()
        busy = np.abs(strip - np.median(strip, axis=0)).sum(1).mean()
        evidence[square] = max(0.0, min(float(step) / 60, 1.5) - float(busy) / 60)
    return evidence


def _line_energy(gradient: NDArray[np.float32], side_px: int, rim_px: int) -> NDArray[np.float64]:
    """(side_px,) how strongly a line runs across both bands of spaces at each place along them.

    Of each band the third-weakest of eight slices counts, so that print, which crosses few of them, does not.
    """
    inside = gradient[rim_px : rim_px + side_px, rim_px : rim_px + side_px]
    energy = np.zeros(side_px)
    for low, high in ((0.03, 0.115), (0.885, 0.97)):
        band = inside[int(low * side_px) : int(high * side_px)]
        slices = np.array_split(band, 8)
        strength = np.sort(np.stack([part.mean(0) for part in slices]), axis=0)[2]
        strength = strength / (np.median(strength) + np.percentile(strength, 95) * 0.2 + 1e-6)
        energy += np.minimum(strength, 6.0)
    return blurred(energy[None], _LINE_PX)[0]


def _comb(energy: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """First lines, pitches, and the score (n_firsts, n_pitches) of ten equally spaced lines with these."""
    side_px = len(energy)
    firsts = np.arange(0.095, 0.165, 0.25 / side_px)
    pitches = np.arange(0.070, 0.0885, 0.06 / side_px)
    lines = firsts[:, None, None] + pitches[None, :, None] * np.arange(10)
    places = lines * side_px - 0.5
    low = np.clip(np.floor(places).astype(int), 0, side_px - 2)
    part = np.clip(places - low, 0, 1)
    values = energy[low] * (1 - part) + energy[low + 1] * part
    score = np.minimum(values, np.percentile(energy, 97)).sum(2)
    # The two corners of a side are alike: lines far from symmetric about the middle are another pattern.
    lean = (firsts[:, None] + pitches[None] * 4.5 - 0.5) / 0.012
    return firsts - 0.5, pitches, score - 0.5 * lean**2


def _lines(
    firsts: NDArray[np.float64], pitches: NDArray[np.float64], score: NDArray[np.float64]
) -> NDArray[np.float64]:
    first, pitch = np.unravel_index(int(score.argmax()), score.shape)
    return np.asarray(firsts[first] + pitches[pitch] * np.arange(10), np.float64)


def _find_rim(
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    x_lines: NDArray[np.float64],
    y_lines: NDArray[np.float64],
    side_px: int,
    rim_px: int,
) -> float:
    """Width of the rim where its printed line shows; else what corners of 1.6 units leave."""
    inside = slice(rim_px, rim_px + side_px)
    edges = [across[inside, inside].T, across[inside, inside].T[::-1], down[inside, inside], down[inside, inside][::-1]]
    profile = np.mean(
        [np.sort(np.stack([p.mean(1) for p in np.array_split(e, 8, axis=1)]), axis=0)[3] for e in edges], 0
    )
    unit = (x_lines[-1] - x_lines[0] + y_lines[-1] - y_lines[0]) / 18
    inner = (0.5 - np.abs([x_lines[0], x_lines[-1], y_lines[0], y_lines[-1]])).mean()
    guess = float(np.clip(inner - 1.6 * unit, 0, _RIM[1]))
    shares = (np.arange(len(profile)) + 0.5) / side_px
    # Closer than 3 px to the edge it cannot be told from the edge itself.
    seek = (shares > 3.5 / side_px) & (shares < _RIM[1]) & (inner - shares > 1.25 * unit)
    if not seek.any():
        return guess
    weight = profile * np.exp(-0.5 * ((shares - guess) / 0.008) ** 2) * seek
    best = int(weight.argmax())
    background = float(np.median(profile[int(0.04 * side_px) : int(0.1 * side_px)]))
    return float(shares[best]) if profile[best] > 2.5 * background else guess


def _sample(lab: NDArray[np.float32], points: Points, side_px: int, rim_px: int) -> NDArray[np.float32]:
    """Colors (n, 3) of the picture from above at board points (n, 2)."""
    where = np.column_stack([points[:, 0] + 0.5, 0.5 - points[:, 1]]) * side_px + rim_px - 0.5
    return remap(lab, where[None].astype(np.float32))[0]


def _find_strip(layout: Layout, lab: NDArray[np.float32], side_px: int, rim_px: int) -> float:
    """Depth of the color strips as a share of the spaces': where most streets change color."""
    shares = np.arange(_STRIP[0] - 0.04, _STRIP[1] + 0.05, 0.005)
    total = np.zeros(len(shares) - 4)
    along, depth = np.linspace(0.1, 0.9, 24)[:, None], shares[:, None, None]
    deep = Layout(layout.x_lines, layout.y_lines, layout.rim, 1.0)
    for square in STREETS:
        first, last, last_out, first_out = deep.strip_corners(square)
        inner, outer = first + (last - first) * along, first_out + (last_out - first_out) * along
        points = (inner * (1 - depth) + outer * depth).reshape(-1, 2)
        colors = _sample(lab, points, side_px, rim_px).reshape(len(shares), len(along), 3)
        rows = np.median(colors, axis=1)
        step = np.abs(rows[4:] - rows[:-4]).sum(1)
        total += np.minimum(step, 60)
    kept = (shares[2:-2] >= _STRIP[0]) & (shares[2:-2] <= _STRIP[1])
    peak = float((total * kept).max())
    if peak < 1.6 * np.median(total) or peak < 8 * len(STREETS):
        return 0.215
    return float(shares[2:-2][int((total * kept).argmax())])


def _find_lane(layout: Layout, lab: NDArray[np.float32], side_px: int, rim_px: int) -> float:
    """Width of the visitors' lane as a share of the corner: where the jail cell's outer edges are."""
    edge, depth = 0.5 - layout.rim, layout.depth
    shares = np.arange(_LANE[0] - 0.03, _LANE[1] + 0.035, 0.0075)
    along = np.linspace(0.55, 0.92, 16)
    profiles = []
    for is_x in (True, False):
        points = np.array(
            [[-edge + (s if is_x else a) * depth, -edge + (a if is_x else s) * depth] for s in shares for a in along]
        )
        colors = _sample(lab, points, side_px, rim_px).reshape(len(shares), len(along), 3)
        rows = np.median(colors, axis=1)
        profiles.append(np.abs(rows[3:] - rows[:-3]).sum(1))
    both = np.minimum(profiles[0], profiles[1])
    best = int(both.argmax())
    if both[best] < 25:
        return 0.3
    return float((shares[best + 1] + shares[best + 2]) / 2)
