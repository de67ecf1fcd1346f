"""Which token stands where: enrolled from one picture each, told apart by a small network, named all together.

The recognizer (`vision/models/recognizer.onnx`) turns an upright crop of a token, and of the empty board
under it, into a unit vector; the same token elsewhere, turned, in other light gives one near to it. It goes by
shapes more than by colors, which are compared besides (`tints.py`). It also tells the cop, a blue pawn with a cap
that belongs to nobody, whether it is a token at all (`presence.py`), and where the token's foot is: a foot that was
found a little beside is put right, and cropped again where it was found far beside.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.observations import COP
from vision.board.bands import CROP_PX, CROP_SCALE, beside_foot, crop_maps, ground_map
from vision.board.foreground import recolor
from vision.board.layout import JAIL, Layout
from vision.board.view import Points, View
from vision.detections import Box, TokenReading
from vision.networks import MODELS, load
from vision.pieces import presence
from vision.pieces.finder import SAME_PIECE, Found, PieceFinder, Pieces
from vision.pieces.naming import BLUE, BLUE_AMONG_DISCS, NEVER, Evidence
from vision.pieces.presence import feet_of, score_odds
from vision.pieces.tints import are_blue, tints_of
from vision.pixels import Image, remap

#: Length of a token's vector.
SIZE = 64
#: Px of a crop in which the recognizer tells how far beside the crop's foot that of the token is; and the least scale
#: of the Laplace distribution of how far off that is, in these.
FOOT_PX, LEAST_SCALE = 8.0, 0.05
#: What the network answers to a crop, and what is known of it by two looks, in columns: a vector of both, log odds of
#: being the cop, and of being a token at all, where the foot is, px of the crop [right, down], and the scale of how far
#: off that is, px.
ANSWERS = SIZE + 5
_VECTORS, _COP, _TOKEN = slice(2 * SIZE), 2 * SIZE, 2 * SIZE + 1
_FOOT, _SURE_OF_FOOT = slice(2 * SIZE + 2, 2 * SIZE + 4), 2 * SIZE + 4
#: A token whose foot is so far beside its crop's, px, is cropped again: by 3 as many of 2492 pictures were right, by 5
#: three fewer.
_ASTRAY_PX = 4.0
#: What the recognizer sees of a crop, along both of its sides.
WITHIN = slice(8, 56)
#: Similarity (cosine) of a token to an enrolled one: in training, log odds of being that one are this steep about this.
STEEP, MIDDLE = 16.0, 0.5
#: Share of colors in how alike two tokens are, the rest is the cosine: on 120 rendered tables shares from 0.1 to 0.25
#: gave the most right names.
_OF_COLORS = 0.185
#: Standard deviation of a foot's place, in widths of a space, and the least that is believed where the foot is told.
FOOT_SPREAD, _LEAST_SPREAD = 0.055, 0.03
#: Buildings and markers are doubted while some token is not sure to have been found: buildings that stand beside a
#: strip (widths of a space), and so many in all; and so many weak peaks are looked at.
_BESIDE, _MOST_DOUBTFUL, _MOST_WEAK = 0.03, 8, 4
#: What one look makes this probable is not looked at a second time: of 170 from here to 0.98 none was named otherwise.
_CLEAR = 0.93
#: Places about a foot, in widths of a space, from which what two looks leave unclear is looked at too: on one table the
#: log odds of being the cop go up and down by as much as 1 from place to place (standard deviation).
_ABOUT = 0.04 * np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
#: A token that is missing may show no peak of its own: it touches another, has the color of what it stands on, or is
#: like nothing that the finder knows. It is looked for where the score is at least this (by 0.07 five of 2170 rendered
#: pictures fewer are right), so far from all peaks (widths of a space), at so many places at most. It may stand nearer
#: to other feet than these places are. Scores there count less, by this power of their odds.
_SLOPE, _FROM_PEAKS, _MOST_SLOPES, _FROM_FEET, _SLOPE_POWER = 0.045, 0.2, 12, 0.18, 0.7
#: There it is alike from this on, and as much so as to any other token but for this. The cop is, where he alone is
#: enrolled.
_ALIKE, _AS_MUCH = 0.55, 0.05
#: Score of what was not found.
_NOTHING = 0.1
#: Score of a disc that is sure to be one.
_DISC = 0.5
#: What nobody has enrolled, and one look leaves as unsure, in log odds, is looked at a second time.
_UNSURE = 4.0
#: An example that people have named speaks so much, in likeness, against every name that it is nearer than.
_AGAINST = 3.0
#: Where a token is sure to stand, in an enrolment picture or by what people say, this much is enough.
LEAST_EXPECTED = 0.06
#: Further examples by which a token is known beside its enrolment picture, the newest.
MOST_EXAMPLES = 6
#: Height of a usual token, and half its width, in widths of a space (22 mm and 10 mm on a usual board).
TALL, HALF_WIDE = 0.55, 0.25
#: A foot weaker than this stands for nothing by itself.
LEAST_SCORE = 0.25


class Recognizer:
    """Crops of tokens to unit vectors."""

    def __init__(self, empty_bgr: Image, view: View, models: Path = MODELS) -> None:
        self._network = load(models / "recognizer.onnx")
        self._empty = empty_bgr
        self._view = view

    def vectors_of(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(n, 2 * SIZE + 5) of each of some of `crops`: a unit vector, log odds of being the cop, and of being a token,
        and px [right, down] of its foot beside the crop's with the scale of how far off that is.

        Each is looked at as it is and mirrored.
        """
        shown = shown_of(_middles_of(crops))
        return self.second_look(shown, self.first_look(shown))

    def first_look(self, shown: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, 2 * SIZE + 5) as of `vectors_of`, by one look: products with vectors of two looks are cosines too.

        Args:
            shown: (n, 6, 48, 48) the middles of crops, of `shown_of`.
        """
        plain = self._look(shown)
        scaled = plain[:, :SIZE] * np.float32(np.sqrt(2))
        return np.column_stack([scaled, np.zeros_like(scaled), plain[:, SIZE:]])

    def second_look(self, shown: NDArray[np.float32], first: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, 2 * SIZE + 5) as of `vectors_of`, where the first look at the same crops is known."""
        mirrored = self._look(shown[..., ::-1])
        both = np.concatenate([first[:, :SIZE] / 2, mirrored[:, :SIZE] / np.float32(np.sqrt(2))], axis=1)
        more = mirrored[:, SIZE:] * np.array([1, 1, -1, 1, 1], np.float32)
        return np.column_stack([both, (first[:, 2 * SIZE :] + more) / 2])

    def _look(self, shown: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, ANSWERS) the network's own answers, the foot's place and scale in px."""
        if not len(shown):
            return np.zeros((0, ANSWERS), np.float32)
        said = self._network(np.ascontiguousarray(shown))
        scale = LEAST_SCALE + np.logaddexp(0, said[:, -1:])
        return np.concatenate([said[:, : SIZE + 2], said[:, SIZE + 2 : -1] * FOOT_PX, scale * FOOT_PX], axis=1)

    def crops(
        self,
        frame_bgr: Image,
        view: View,
        colors: NDArray[np.float64],
        feet: Points,
        within: slice = slice(CROP_PX),
    ) -> NDArray[np.uint8]:
        """(n, side, 2 * side, 3): tokens with their feet at board points (n, 2), beside each the empty board there.

        Args:
            colors: the empty board's colors to the frame's, of `match_colors`.
            within: the part of the CROP_PX to show, along both sides.
        """
        side = len(range(CROP_PX)[within])
        if not len(feet):
            return np.zeros((0, side, 2 * side, 3), np.uint8)
        if view is self._view:
            grids = grounds = crop_maps(view, feet, within)
        else:
            whole = crop_maps(view, feet)
            under = np.stack([ground_map(grid, view, self._view) for grid in whole])
            grids, grounds = (np.ascontiguousarray(maps[:, within, within]) for maps in (whole, under))
        now = remap(frame_bgr, grids.reshape(-1, side, 2), replicate=True)
        before = recolor(remap(self._empty, grounds.reshape(-1, side, 2), replicate=True), colors)
        return np.concatenate([now, before], axis=1).reshape(-1, side, 2 * side, 3)


def _middles_of(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What the recognizer sees of crops."""
    return np.concatenate([half[:, WITHIN, WITHIN] for half in np.split(crops, 2, axis=2)], axis=2)


def shown_of(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 6, side, side) crops (n, side, 2 * side, 3) as the networks are shown them."""
    count, side = crops.shape[:2]
    planes = crops.reshape(count, side, 2, side, 3).transpose(0, 2, 4, 1, 3).reshape(count, 6, side, side)
    gain = np.clip(110 / np.maximum(planes[:, 3:].mean(axis=(1, 2, 3)), 1.0), 0.4, 4.0)
    shown = planes * (gain / 255).astype(np.float32)[:, None, None, None]
    np.minimum(shown, np.float32(1), out=shown)
    return np.subtract(shown, np.float32(0.45), out=shown)


class Cop(NamedTuple):
    """The piece that is nobody's, how probable that is, 0-1, and, where tokens are enrolled, what it is as one."""

    found: Found
    chance: float
    reading: TokenReading | None = None


class Seen(NamedTuple):
    """What stands on the board, but for buildings and markers.

    Attributes:
        tokens: of those that play, or all where none is enrolled.
        strange: what was found as a token, but is no figure.
        figures: where tokens are enrolled, what is one, but none of these.
        cop: where he is.
    """

    tokens: list[TokenReading]
    strange: list[Found]
    figures: list[TokenReading]
    cop: Cop | None


#: A token's name, the probability of every name, and of this one or that it is a token.
Called = tuple[str | None, dict[str, float], float]


class TokenNamer:
    """Names the tokens that were found.

    Args:
        enrol: name -> picture of that token alone on GO; none to leave tokens without names. `cop` is the cop's, who
            is known by that, whatever he looks like.
        examples: name -> further crops (of `Recognizer.crops`) of that token, from `learn`; others' are passed over.
        models: folder of the weights.

    Attributes:
        has_cop: False where nothing can be the cop.
        playing: the names of the tokens that play, in any case; those of others that are enrolled are nobody's. None
            where all may.
    """

    def __init__(
        self,
        empty_bgr: Image,
        view: View,
        finder: PieceFinder,
        layout: Layout,
        enrol: dict[str, tuple[Image, View]],
        examples: Mapping[str, Sequence[Image]] | None = None,
        models: Path = MODELS,
    ) -> None:
        self._recognizer = Recognizer(empty_bgr, view, models)
        self._layout = layout
        self.has_cop = True
        self.playing: Collection[str] | None = None
        self.not_found: list[str] = []
        self._known: dict[str, NDArray[np.float32]] = {}
        self._enrolled: dict[str, Image] = {}
        self._fallen = load(models / "fallen.onnx")
        for name, (picture, seen_view) in enrol.items():
            found = finder.find(picture, seen_view, LEAST_EXPECTED)
            foot = enrolled_foot(found.pieces, layout)
            if foot is None:
                self.not_found.append(name)
                continue
            foot = self._put_right(picture, seen_view, found.colors, foot)
            seen = self._recognizer.crops(picture, seen_view, found.colors, foot[None])
            self._known[name] = self._looks_of(seen)
            self._enrolled[name] = seen[0]
        for name, crops in (examples or {}).items():
            for crop in crops:
                self._add(name, crop)

    @property
    def _looked_for(self) -> dict[str, NDArray[np.float32]]:
        """What each of the enrolled that play is known by, and the cop."""
        if self.playing is None:
            return self._known
        playing = {name.casefold() for name in self.playing} | {COP}
        return {name: known for name, known in self._known.items() if name.casefold() in playing}

    @property
    def names(self) -> list[str]:
        """The enrolled tokens of players, of those that play."""
        return [name for name in self._looked_for if name != COP]

    def learn(self, name: str, frame_bgr: Image, view: View, found: Pieces, foot: Points) -> Image | None:
        """The token with its foot there is this one: it is known by that from now on.

        Returns:
            The crop, to be kept as an example; None for a name that is not enrolled.
        """
        crop = self._recognizer.crops(frame_bgr, view, found.colors, foot[None])[0]
        return crop if self._add(name, crop) else None

    def _add(self, name: str, crop: Image) -> bool:
        if name not in self._known or crop.shape != (CROP_PX, 2 * CROP_PX, 3):
            return False
        first, later = self._known[name][:1], self._known[name][1:]
        self._known[name] = np.concatenate([first, later[-(MOST_EXAMPLES - 1) :], self._looks_of(crop[None])])
        return True

    def look_alikes(self, least: float) -> list[tuple[str, str]]:
        """Pairs of those that are enrolled whose pictures are at least so alike."""
        first = {name: known[0] for name, known in self._known.items()}
        return [(one, other) for one, other in combinations(first, 2) if float(first[one] @ first[other]) >= least]

    def _put_right(self, picture: Image, view: View, colors: NDArray[np.float64], foot: Points) -> Points:
        """Where the foot of the token is that was found about there."""
        known = self._recognizer.vectors_of(self._recognizer.crops(picture, view, colors, foot[None]))
        return beside_foot(view, foot[None], known[:, _FOOT].astype(np.float64))[0]

    def _looks_of(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(n, 2 * SIZE + CELLS) what tokens are known by, of each of some of `Recognizer.crops`."""
        return _looks(self._recognizer.vectors_of(crops), tints_of(_middles_of(crops)))

    def fallen(
        self, frame_bgr: Image, view: View, colors: NDArray[np.float64], tokens: Sequence[TokenReading]
    ) -> dict[str, float]:
        """Log odds that each of the enrolled tokens among these lies, next to how it stood when it was enrolled."""
        known = [token for token in tokens if token.name in self._enrolled]
        if not known:
            return {}
        feet = view.to_board(np.array([token.base_px for token in known]))
        now = shown_of(self._recognizer.crops(frame_bgr, view, colors, feet))
        then = shown_of(np.stack([self._enrolled[str(token.name)] for token in known]))
        seen = np.concatenate([now, then], axis=1)
        said = (self._fallen(seen) + self._fallen(np.ascontiguousarray(seen[..., ::-1]))) / 2
        return {str(token.name): odds for token, odds in zip(known, said.reshape(-1).tolist(), strict=True)}

    def name(self, frame_bgr: Image, view: View, found: Pieces) -> Seen:
        """Who stands where."""
        if not self.names:
            return self._unnamed(frame_bgr, view, found)
        feet, evidence = self.candidates(frame_bgr, view, found)
        taken = np.array(evidence.given(), int)
        sure, shares = evidence.shares, evidence.between_cop_and_like(taken.tolist())
        unit = self._layout.unit
        named, called = np.flatnonzero(taken >= 0), list[Called]()
        for index in named:
            names = {name: p for name, p in zip(self.names, shares[index].tolist(), strict=False) if p > 1e-3}
            called.append(((*self.names, COP)[taken[index]], names, float(sure[index, taken[index]])))
        strange, figures = [], list[int]()
        for index in np.flatnonzero((taken < 0) & _are_plain(feet)):
            if evidence.as_figure[index] < 0:
                strange.append(feet[index])
            elif not evidence.is_near[index, named].any():
                figures.append(int(index))
        unknown = self._figures(view, found, [feet[index] for index in figures], evidence.of(np.array(figures, int)))
        readings = self._readings(view, evidence.at[named] * unit, evidence.spread[named] * unit, called)
        if not self.has_cop:
            return Seen(readings, strange, unknown, None)
        readings = [replace(one, cop=float(shares[index, -1])) for index, one in zip(named, readings, strict=True)]
        who = next((k for k, one in enumerate(readings) if one.name == COP), None)
        if who is None:
            return Seen(readings, strange, unknown, None)
        index, reading = named[who], readings.pop(who)
        cop = replace(feet[index], foot=evidence.at[index] * unit)
        return Seen(readings, strange, unknown, Cop(cop, reading.name_confidence, reading))

    def _figures(self, view: View, found: Pieces, feet: list[Found], evidence: Evidence) -> list[TokenReading]:
        """Readings of the feet that are those of figures, though of none that is enrolled."""
        if not feet:
            return []
        odds = evidence.as_figure + presence.log_odds(found, feet, self._layout)
        kept, unit = np.flatnonzero(odds > 0), self._layout.unit
        called: list[Called] = [(None, {}, float(1 / (1 + np.exp(-odds[index])))) for index in kept]
        return self._readings(view, evidence.at[kept] * unit, evidence.spread[kept] * unit, called)

    def _unnamed(self, frame_bgr: Image, view: View, found: Pieces) -> Seen:
        """What `name` says where none is enrolled."""
        feet, unit = presence.candidates(found, self._layout), self._layout.unit
        before = presence.log_odds(found, feet, self._layout)
        shown, vectors, tints = self._first_looks(frame_bgr, view, found, feet_of(feet))
        unsure = np.flatnonzero(np.abs(vectors[:, _TOKEN] + before) < _UNSURE)
        vectors[unsure] = self._recognizer.second_look(shown[unsure], vectors[unsure])
        at, odds = _moved(view, feet_of(feet), vectors), vectors[:, _TOKEN] + before
        kept = presence.each_once(at, odds, unit)
        cop = self._cop_of(np.array(kept, int), vectors, tints, found) if self.has_cop else None
        tokens = [index for index in kept if index != cop]
        chances = 1 / (1 + np.exp(-odds))
        spread = np.full(len(tokens), FOOT_SPREAD * unit)
        unknown: list[Called] = [(None, {}, float(chances[index])) for index in tokens]
        who = None if cop is None else Cop(replace(feet[cop], foot=at[cop]), float(chances[cop]))
        strange = [feet[index] for index in np.flatnonzero((vectors[:, _TOKEN] < 0) & _are_plain(feet))]
        return Seen(self._readings(view, at[tokens], spread, unknown), strange, [], who)

    def _cop_of(
        self, feet: NDArray[np.intp], vectors: NDArray[np.float32], tints: NDArray[np.float32], found: Pieces
    ) -> int | None:
        """Which of these feet is the cop's, where no token is enrolled; None for none.

        He alone may be enrolled. Where there are discs he is on the board (SL-7.1), and blue.
        """
        as_cop, least = vectors[:, _COP], presence.COP
        if self._looked_for:
            as_cop, least = self._alike(_looks(vectors, tints))[:, 0], _ALIKE
        elif _has_discs(found):
            blue = feet[are_blue(tints[feet])]
            feet, least = (blue, NEVER) if len(blue) else (feet, least)
        likeliest = max(feet.tolist(), key=lambda index: float(as_cop[index]), default=None)
        return None if likeliest is None or as_cop[likeliest] <= least else likeliest

    def candidates(self, frame_bgr: Image, view: View, found: Pieces) -> tuple[list[Found], Evidence]:
        """What may be tokens or the cop: all feet of tokens, and other pieces and places while a token is missing."""
        feet = [one for one in found.pieces if one.kind == "token"]
        evidence = self._evidence(frame_bgr, view, found, feet)
        if evidence.missing.any():
            # What hardly shows, or was taken for a building or a marker of the same color, may be the missing one.
            doubtful = [one for one in found.weak if one.kind == "token"][:_MOST_WEAK]
            doubtful = doubtful + self._doubtful(found, feet + doubtful)
            evidence = evidence.and_of(self._evidence(frame_bgr, view, found, doubtful))
            feet = feet + doubtful
        if evidence.missing.any():
            overlooked, more = self._overlooked(frame_bgr, view, found, evidence)
            feet, evidence = feet + overlooked, evidence.and_of(more)
        return feet, evidence

    def _overlooked(self, frame_bgr: Image, view: View, found: Pieces, known: Evidence) -> tuple[list[Found], Evidence]:
        """Feet of missing tokens that show no peaks.

        Each place is looked at as it is, and where the foot of a token is told to be from there: beside another token
        that may be the other's.
        """
        slopes = found.slopes(_SLOPE, _FROM_PEAKS * self._layout.unit)[:_MOST_SLOPES]
        slopes = [replace(one, score=_softened(one.score, _SLOPE_POWER)) for one in slopes]
        at = feet_of(slopes)
        first = self._first_looks(frame_bgr, view, found, at)
        astray = np.flatnonzero(np.hypot(*first[1][:, _FOOT].T) >= _ASTRAY_PX)
        moved = _moved(view, at[astray], first[1][astray])
        again = self._first_looks(frame_bgr, view, found, moved)
        shown, vectors, tints = (np.concatenate(both) for both in zip(first, again, strict=True))
        feet, at = slopes + [slopes[index] for index in astray], np.concatenate([at, moved])

        def of(which: NDArray[np.intp]) -> Evidence:
            return self._weighed(vectors[which], tints[which], found, [feet[index] for index in which], at[which])

        away = np.hypot(*np.moveaxis(at[:, None] / self._layout.unit - known.at, -1, 0)).min(axis=1, initial=np.inf)
        likely = np.flatnonzero(away > _FROM_FEET)
        likely = likely[self._is_missing(of(likely), known)]
        vectors[likely] = self._recognizer.second_look(shown[likely], vectors[likely])
        likely = likely[self._is_missing(of(likely), known)]
        return [feet[index] for index in likely], of(likely)

    def _is_missing(self, evidence: Evidence, known: Evidence) -> NDArray[np.bool_]:
        """(n,) whether feet are rather those of tokens that are missing among the known ones than none."""
        alike = evidence.alike
        is_like = (alike > _ALIKE) & (alike > alike.max(axis=1, keepdims=True, initial=-1.0) - _AS_MUCH)
        return np.asarray((known.missing & is_like & (evidence.odds[:, :-1] > 0)).any(axis=1))

    def _evidence(self, frame_bgr: Image, view: View, found: Pieces, feet: list[Found]) -> Evidence:
        """What is known of the feet; those that one look leaves unclear are looked at again."""
        at = feet_of(feet)
        shown, vectors, tints = self._first_looks(frame_bgr, view, found, at)
        astray = np.flatnonzero(np.hypot(*vectors[:, _FOOT].T) >= _ASTRAY_PX)
        if len(astray):
            at[astray] = _moved(view, at[astray], vectors[astray])
            shown[astray], vectors[astray], tints[astray] = self._first_looks(frame_bgr, view, found, at[astray])
        evidence = self._weighed(vectors, tints, found, feet, _moved(view, at, vectors))
        unclear = evidence.below(_CLEAR)
        if len(unclear):
            vectors[unclear] = self._recognizer.second_look(shown[unclear], vectors[unclear])
            evidence = self._weighed(vectors, tints, found, feet, _moved(view, at, vectors))
            unclear = evidence.below(_CLEAR)
        if len(unclear):
            vectors[unclear] = self._looks_about(frame_bgr, view, found, at[unclear], vectors[unclear])
            evidence = self._weighed(vectors, tints, found, feet, _moved(view, at, vectors))
        return evidence

    def _looks_about(
        self, frame_bgr: Image, view: View, found: Pieces, at: Points, own: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """(n, 2 * SIZE + 5) the means of what is known of feet (n, 2), but where these are, and of looks from about."""
        about = (at[:, None] + _ABOUT * self._layout.unit).reshape(-1, 2)
        looks = self._recognizer.vectors_of(self._recognizer.crops(frame_bgr, view, found.colors, about))
        mean = (own + looks.reshape(len(at), len(_ABOUT), -1).sum(axis=1)) / np.float32(1 + len(_ABOUT))
        return np.column_stack([mean[:, : _FOOT.start], own[:, _FOOT.start :]])

    def _first_looks(
        self, frame_bgr: Image, view: View, found: Pieces, at: Points
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Of crops about feet (n, 2): what the recognizer is shown, what it says by one look, and colors."""
        crops = self._recognizer.crops(frame_bgr, view, found.colors, at, WITHIN)
        shown = shown_of(crops)
        return shown, self._recognizer.first_look(shown), tints_of(crops)

    def _weighed(
        self, vectors: NDArray[np.float32], tints: NDArray[np.float32], found: Pieces, feet: list[Found], at: Points
    ) -> Evidence:
        is_token = np.array([foot.kind == "token" for foot in feet], bool)
        shows = score_odds([foot.score for foot in feet]) * is_token
        things = [one for one in found.pieces if one.kind != "token"]
        beside = np.where(self._at_one_place(feet, things), [one.score for one in things], 0.0)
        other = score_odds(beside.max(axis=1, initial=_NOTHING))
        alike = self._alike(_looks(vectors, tints)).astype(np.float64)
        is_cop = np.array([name == COP for name in self._looked_for])
        nobody = np.full(len(feet), np.nan)
        like_cop = alike[:, is_cop][:, 0] if is_cop.any() and self.has_cop else nobody
        cop = vectors[:, _COP].astype(np.float64) if self.has_cop else np.full(len(feet), NEVER)
        unit = self._layout.unit
        off = np.sqrt(2) * vectors[:, _SURE_OF_FOOT].astype(np.float64) / (CROP_SCALE * unit)
        spread = np.hypot(_LEAST_SPREAD, off)
        blue = BLUE_AMONG_DISCS if _has_discs(found) else BLUE
        by_color = np.where(are_blue(tints) & self.has_cop, blue, NEVER)
        doubted, figure = 1.0 - is_token, vectors[:, _TOKEN].astype(np.float64)
        return Evidence(at / unit, alike[:, ~is_cop], like_cop, by_color, figure, cop, shows, other, doubted, spread)

    def _alike(self, looks: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, looked for) likeness to the nearest example of each, less where one learned says it is another."""
        examples = list(self._looked_for.values())
        own = np.stack([(looks @ known.T).max(1) for known in examples], axis=1)
        learned = np.stack([(looks @ known[1:].T).max(1, initial=-1.0) for known in examples], axis=1)
        others = np.array([np.delete(learned, index, axis=1).max(1, initial=-1.0) for index in range(len(examples))])
        return np.asarray(own - _AGAINST * np.maximum(others.T - own, 0), np.float32)

    def _doubtful(self, found: Pieces, tokens: list[Found]) -> list[Found]:
        """Markers and buildings beside the strips, away from the tokens, that may be tokens: the likeliest few."""
        boxes = self._layout.strip_boxes
        feet = feet_of(found.pieces)[:, None]
        outside = np.maximum(np.maximum(boxes[:, 0] - feet, feet - boxes[:, 1]), 0)
        distances = np.asarray(np.hypot(outside[..., 0], outside[..., 1]).min(axis=1, initial=np.inf))
        is_beside = distances > _BESIDE * self._layout.unit
        is_token = np.asarray(self._at_one_place(found.pieces, tokens).any(axis=1))
        is_same = self._at_one_place(found.pieces, found.pieces)
        doubtful: list[int] = []
        for index, one in enumerate(found.pieces):
            is_like = one.kind in ("bomb", "miner") or (one.kind in ("house", "hotel") and is_beside[index])
            if is_like and not is_token[index] and not is_same[index, doubtful].any():
                doubtful.append(index)
        return [found.pieces[index] for index in doubtful[:_MOST_DOUBTFUL]]

    def _at_one_place(self, some: list[Found], others: list[Found]) -> NDArray[np.bool_]:
        """(some, others) whether two stand nearer than two tokens could."""
        away = feet_of(some)[:, None] - feet_of(others)
        return np.asarray(np.hypot(away[..., 0], away[..., 1]) < SAME_PIECE["token"] * self._layout.unit)

    def _readings(
        self,
        view: View,
        feet: Points,
        spreads: NDArray[np.float64],
        called: Sequence[Called],
    ) -> list[TokenReading]:
        """What is said of tokens with their feet at board points (n, 2), each with the standard deviation of that."""
        layout = self._layout
        places = zip(feet, spreads, layout.squares(feet, spreads), outlines(view, feet, layout.unit), strict=True)
        readings = []
        for (name, names, chance), (foot, spread, on, (base, box)) in zip(called, places, strict=True):
            jail = layout.in_cell(foot, spread) if JAIL in on else 0.0
            readings.append(TokenReading(name, on, base, box, jail, names, chance))
        return readings


def _are_plain(feet: Sequence[Found]) -> NDArray[np.bool_]:
    """(n,) whether the finder saw a token there that stands for something by itself."""
    return np.array([one.kind == "token" and one.score >= LEAST_SCORE for one in feet], bool)


def _has_discs(found: Pieces) -> bool:
    """Whether a bomb or a miner surely lies on the board."""
    return any(one.kind in ("bomb", "miner") and one.score >= _DISC for one in found.pieces)


def _looks(vectors: NDArray[np.float32], tints: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 2 * SIZE + CELLS) vectors and colors beside each other: products of two tell how alike they are."""
    return np.column_stack(
        [vectors[:, _VECTORS] * np.float32(np.sqrt(1 - _OF_COLORS)), tints * np.float32(np.sqrt(_OF_COLORS))]
    )


def _moved(view: View, feet: Points, vectors: NDArray[np.float32]) -> Points:
    """(n, 2) where the recognizer tells feet (n, 2) to be by what it knows of the crops about them."""
    return beside_foot(view, feet, vectors[:, _FOOT].astype(np.float64))


def _softened(score: float, power: float) -> float:
    """A probability of which the odds are raised to a power."""
    return score**power / (score**power + (1 - score) ** power)


def enrolled_foot(found: list[Found], layout: Layout) -> Points | None:
    """Where the token of an enrolment picture stands: the best one on GO, else a plain one elsewhere."""
    tokens = [one for one in found if one.kind == "token"]
    on_go = [one for one in tokens if layout.distances(one.foot)[0] < 0.25 * layout.unit]
    best = max(on_go or [one for one in tokens if one.score >= LEAST_SCORE], key=lambda one: one.score, default=None)
    return best.foot if best is not None else None


def nearest_square(layout: Layout, foot: Points) -> int:
    """The space nearest to a point."""
    return int(layout.distances(foot).argmin())


def outlines(view: View, feet: Points, unit: float, tall: float = TALL) -> list[tuple[tuple[float, float], Box]]:
    """(base px, box px) of each of some upright pieces with their feet at board points (n, 2)."""
    bottom = np.column_stack([feet, np.zeros(len(feet))])
    px = view.project(np.vstack([bottom, bottom + np.array([0.0, 0.0, tall * unit])])).reshape(2, -1, 2)
    half = HALF_WIDE * unit * view.scales_at(bottom)[:, None]
    boxes = np.hstack([px.min(0) - half, px.max(0) + half])
    return [((x, y), (x0, y0, x1, y1)) for (x, y), (x0, y0, x1, y1) in zip(px[0].tolist(), boxes.tolist(), strict=True)]


def feet_on(found: list[Found], company: Sequence[Points], layout: Layout, square: int, in_jail: bool) -> list[Points]:
    """Where tokens stand on a space, each once.

    Args:
        company: feet of other tokens that are known.
    """
    near = SAME_PIECE["token"] * layout.unit
    feet: list[Points] = []
    for one in found:
        known = [*company, *feet]
        is_new = one.kind == "token" and all(np.hypot(*(one.foot - foot)) > near for foot in known)
        if is_new and _is_on(layout, one.foot, square, in_jail):
            feet.append(one.foot)
    return feet


def _is_on(layout: Layout, foot: Points, square: int, in_jail: bool) -> bool:
    spread = FOOT_SPREAD * layout.unit
    if layout.squares(foot[None], np.array([spread]))[0].get(square, 0.0) < 0.5:
        return False
    return square != JAIL or (layout.in_cell(foot, spread) >= 0.5) == in_jail
