"""Which token stands where: enrolled from one picture each, told apart by a small network, named all together.

The recognizer (`vision/models/recognizer.onnx`) turns an upright crop of a token, and of the empty board
under it, into a unit vector; the same token elsewhere, turned, in other light gives one near to it.
"""

import numpy as np
from numpy.typing import NDArray

from vision.assignment import assign, marginals
from vision.bands import CROP_PX, crop_map, ground_map
from vision.detections import Box, TokenReading
from vision.finder import Found, PieceFinder, Pieces, load_network
from vision.foreground import recolor
from vision.layout import JAIL, Layout
from vision.pixels import Image, remap
from vision.view import Points, View

#: Similarity (cosine) of a token to its enrolled picture and to others': log odds are this steep about this.
_STEEP, _MIDDLE = 14.0, 0.55
#: Standard deviation of a foot's place, in widths of a space.
FOOT_SPREAD = 0.055
#: Added to log odds when names are given out: an enrolled token is likelier on the board than off it.
_EAGER = 2.0
#: Probability of being a token that a piece found as something else is given, how far beside a strip (widths of a
#: space) a house stands to be doubted, and how many such pieces are looked at.
_DOUBTFUL, _BESIDE, _MOST_DOUBTFUL = 0.12, 0.1, 8
#: In an enrolment picture, where a token is sure to stand, this much is enough.
_LEAST_ENROLLED = 0.06
#: Height of a usual token, and half its width, in widths of a space (22 mm and 10 mm on a usual board).
TALL, HALF_WIDE = 0.55, 0.25
#: A foot weaker than this stands for nothing by itself.
LEAST_SCORE = 0.35


class Recognizer:
    """Crops of tokens to unit vectors."""

    def __init__(self, empty_bgr: Image, view: View) -> None:
        self._network = load_network("recognizer.onnx")
        self._empty = empty_bgr
        self._view = view

    def vectors(
        self, frame_bgr: Image, view: View, colors: NDArray[np.float64], feet: list[Points]
    ) -> NDArray[np.float32]:
        """(n, 48) one unit vector for each token with its foot at these board points.

        Args:
            colors: the empty board's colors to the frame's, of `match_colors`.
        """
        if not feet:
            return np.zeros((0, 48), np.float32)
        batch = np.stack([self._crop(frame_bgr, view, colors, foot) for foot in feet])
        self._network.setInput(batch)
        return np.array(self._network.forward(), np.float32)

    def _crop(self, frame_bgr: Image, view: View, colors: NDArray[np.float64], foot: Points) -> NDArray[np.float32]:
        grid = crop_map(view, foot)
        now = remap(frame_bgr, grid, replicate=True)
        ground = ground_map(grid, view, self._view)
        under = remap(self._empty, ground, replicate=True)
        under = recolor(under, colors)
        gain = float(np.clip(110 / max(under.mean(), 1.0), 0.4, 4.0))
        both = np.concatenate([now, under], axis=2).astype(np.float32)
        return (np.clip(both * gain, 0, 255) / 255 - 0.45).transpose(2, 0, 1).reshape(6, CROP_PX, CROP_PX)


class TokenNamer:
    """Names the tokens that were found.

    Args:
        enrol: name -> picture of that token alone on GO; none to leave tokens without names.
    """

    def __init__(
        self, empty_bgr: Image, view: View, finder: PieceFinder, layout: Layout, enrol: dict[str, tuple[Image, View]]
    ) -> None:
        self._recognizer = Recognizer(empty_bgr, view)
        self._layout = layout
        self.names: list[str] = []
        self.not_found: list[str] = []
        known = []
        for name, (picture, seen_view) in enrol.items():
            found = finder.find(picture, seen_view, _LEAST_ENROLLED)
            foot = enrolled_foot(found.pieces, layout)
            if foot is None:
                self.not_found.append(name)
                continue
            self.names.append(name)
            known.append(self._recognizer.vectors(picture, seen_view, found.colors, [foot])[0])
        self._known = np.array(known, np.float32).reshape(len(known), 48)

    def name(self, frame_bgr: Image, view: View, found: Pieces) -> tuple[list[TokenReading], list[Found]]:
        """Readings of the tokens, and what looks like a token but like none of the enrolled."""
        tokens = [one for one in found.pieces if one.kind == "token"]
        if not len(self._known):
            return [self._reading(view, one, None, {}) for one in tokens if one.score >= LEAST_SCORE], []
        alike = self._compare(frame_bgr, view, found, tokens)
        taken = assign(alike + _odds_of(tokens) + _EAGER)
        if len([column for column in taken if column >= 0]) < len(self.names):
            # What was taken for a building or a marker of the same color may be the one that is missing.
            doubtful = self._doubtful(found)
            alike = np.concatenate([alike, self._compare(frame_bgr, view, found, doubtful)])
            tokens = tokens + doubtful
            taken = assign(alike + _odds_of(tokens) + _EAGER)
        shares = marginals(alike)
        readings, others = [], []
        for index, one in enumerate(tokens):
            if taken[index] >= 0:
                names = {name: float(p) for name, p in zip(self.names, shares[index], strict=True) if p > 1e-3}
                readings.append(self._reading(view, one, self.names[taken[index]], names))
            elif one.score >= LEAST_SCORE and one.kind == "token":
                others.append(one)
        return readings, others

    def _compare(self, frame_bgr: Image, view: View, found: Pieces, tokens: list[Found]) -> NDArray[np.float64]:
        """(n, names) log odds of looking like each of the enrolled."""
        vectors = self._recognizer.vectors(frame_bgr, view, found.colors, [one.foot for one in tokens])
        alike = _STEEP * (vectors @ self._known.T - _MIDDLE)
        return alike.astype(np.float64).reshape(len(tokens), len(self.names))

    def _doubtful(self, found: Pieces) -> list[Found]:
        """Buildings beside the strips and markers that may be tokens, the likeliest few."""
        layout = self._layout
        boxes = layout.strip_boxes
        doubtful = []
        for one in found.pieces:
            outside = np.maximum(np.maximum(boxes[:, 0] - one.foot, one.foot - boxes[:, 1]), 0)
            is_beside = np.hypot(outside[:, 0], outside[:, 1]).min() > _BESIDE * layout.unit
            if one.kind == "hotel" or one.kind in ("bomb", "miner") or (one.kind == "house" and is_beside):
                doubtful.append(one)
        return doubtful[:_MOST_DOUBTFUL]

    def _reading(self, view: View, one: Found, name: str | None, names: dict[str, float]) -> TokenReading:
        layout = self._layout
        spread = FOOT_SPREAD * layout.unit
        squares = layout.squares(one.foot, spread)
        jail = layout.in_cell(one.foot, spread) if JAIL in squares else 0.0
        base, box = outline(view, one.foot, layout.unit)
        share = one.score * (names.get(name, 0.0) if name is not None else 1.0)
        return TokenReading(name, squares, base, box, jail, names, share)


def _odds_of(tokens: list[Found]) -> NDArray[np.float64]:
    """(n, 1) log odds of being tokens at all."""
    scores = np.clip([one.score if one.kind == "token" else _DOUBTFUL for one in tokens], 0.01, 0.999)
    return np.log(scores / (1 - scores)).reshape(len(tokens), 1)


def enrolled_foot(found: list[Found], layout: Layout) -> Points | None:
    """Where the token of an enrolment picture stands: the best one on GO, else a plain one elsewhere."""
    tokens = [one for one in found if one.kind == "token"]
    on_go = [one for one in tokens if layout.distances(one.foot)[0] < 0.25 * layout.unit]
    best = max(on_go or [one for one in tokens if one.score >= LEAST_SCORE], key=lambda one: one.score, default=None)
    return best.foot if best is not None else None


def nearest_square(layout: Layout, foot: Points) -> int:
    """The space nearest to a point."""
    return int(layout.distances(foot).argmin())


def outline(view: View, foot: Points, unit: float, tall: float = TALL) -> tuple[tuple[float, float], Box]:
    """(base px, box px) of an upright piece with its foot at a board point."""
    spatial = np.array([[foot[0], foot[1], 0.0], [foot[0], foot[1], tall * unit]])
    px = view.project(spatial)
    half = HALF_WIDE * unit * view.scale_at(foot)
    low, high = px.min(0) - half, px.max(0) + half
    return (float(px[0, 0]), float(px[0, 1])), (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
