"""Reads dice in a picture: a finder proposes upper faces, a reader says what each shows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import DieKind
from vision.detections import Box, DieReading
from vision.dice.crops import (
    CLASSES,
    COCKED_CHANNELS,
    COCKED_SPAN,
    CROP,
    FINDER_EDGE,
    GRAY,
    LEVEL,
    NUMERAL_SPAN,
    NUMERALS,
    STRIDE,
    cells,
    crop,
    crop_before,
    frame,
    planes,
    shown,
    slant_of,
)
from vision.dice.evidence import AGAINST_EMPTY, ALONE, Looks, Weights, cocked_odds, size_evidence, slant_evidence
from vision.dice.level import Level
from vision.dice.places import REPORT, Proposal, apart, edges_at, of_one_size, raised, sizes_of
from vision.dice.sheets import CELL, pieces_of, placed
from vision.networks import MODELS, Network, load

#: The networks that see pictures of a table of which an empty one is known.
OF_TABLES = ("table_dice_finder", "table_dice_reader", "dice_cocked")

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Stances = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Px (n, 2) to (n, 2): the angle in radians, clockwise, by which what stands upright there leans in the picture, and by
how much a level plane looks foreshortened there, 0-1 (1 from straight above)."""

Nearness = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Px (n, 2) to (n,): how large things look there, against those in the middle of the board."""

#: The finder was trained on edges of 10.5 to 36 px; each level of the pyramid answers for one octave of it.
_LEAST_EDGE, _MOST_EDGE = 11.0, 34.0
#: Edge at which dice of known size are looked for: smaller costs less time, and what sees the picture alone finds more
#: of them where they are larger (the dice of 33 photographs of a board are right in 33 in place of 30, of 1344 rendered
#: pictures, all read so, in 1311 in place of 1307). Dice of fewer px than the last are not shown that large.
_KNOWN_EDGE, _KNOWN_EDGE_ALONE, _LEAST_KNOWN = 18.0, 24.0, 9.0
#: How far around what is marked is looked at too, px as the finder sees them.
_MARGIN = 9.0
#: Looked at a second time from this probability on, unless one look makes one class so probable: three in four are
#: clear so, and of 1100 pictures as many are read rightly as where all were looked at again.
_SECOND_LOOK, _CLEAR = 0.03, 0.99
#: Proposals of the finder from here on that show no die are looked at higher up too.
_PLAIN = 0.25
#: Divides the logits of numerals on dice of `CLEAR_NUMERAL` px and more, and by which power of how much smaller they
#: are it grows on smaller ones, about as `vision.training.calibrate` fits it: of 113 rendered d4 of 12 to 16 px that
#: were said to be 95% sure without, 92 were right.
NUMERAL_TEMPERATURE: Final[dict[DieKind, float]] = {"d4": 1.35, "d20": 0.85}
CLEAR_NUMERAL, SMALLER = 24.0, {"d4": 1.75, "d20": 0.5}
#: A d6 that lies cocked by lower log odds than this lies flat for sure.
_FLAT = -5.0
#: What is said of a mirrored die, see `slant_evidence`, is said of the die by these factors.
_MIRRORED = np.array([1, -1, 1, 1, 1], np.float32)
#: A pip is not taken for the same upper face as its die: places differ by less than this factor in size.
_ALIKE = 1.6
_KINDS: tuple[DieKind, ...] = ("d6", "d4", "d20")
#: Half the die's width over its size, which is the edge of a d6, and of other dice that of a d6 about as large.
_REACH: dict[DieKind, float] = {"d6": 0.72, "d4": 0.62, "d20": 0.93}
#: Size over the edge of a usual d6 seen from straight above, for dice of all sizes that are sold.
_SPAN: dict[DieKind, tuple[float, float]] = {"d6": (0.5, 1.45), "d4": (0.5, 2.0), "d20": (0.4, 1.7)}
#: Numerals of upper faces smaller than this, px, are legible only when they are certain.
_SMALL: dict[DieKind, float] = {"d4": 20.0, "d20": 13.0}
_LEGIBLE, _SURE = 0.4, 0.95
#: The (scale, angle) of what is seen of a numeral each time it is looked at: twice to find it, then to read it. That of
#: a level face is read turned by a third too: so 89% of rendered d20 are right (88% without), 85% (83%) from anywhere.
_LOOKS = (((1.0, 0.0),), ((1.0, 0.0),), ((1.0, 0.0), (0.92, -0.12), (1.08, 0.12)))
_THIRDS = ((0.95, 2 * np.pi / 3), (1.05, -2 * np.pi / 3))


@dataclass(frozen=True)
class _Window:
    """A piece of the picture that the finder is shown.

    Attributes:
        box: left, top, right and bottom, px.
        size: width and height to which it is stretched, px: whole cells.
        squash: by how much a level plane looks foreshortened in its middle.
    """

    box: tuple[int, int, int, int]
    size: tuple[int, int]
    squash: float

    @property
    def scale(self) -> tuple[float, float]:
        """By how much it is stretched."""
        x0, y0, x1, y1 = self.box
        return self.size[0] / (x1 - x0), self.size[1] / (y1 - y0)


class DiceReader:
    """Finds dice and reads their upper faces.

    Keeps the loaded networks; not to be shared between threads.

    Args:
        models: folder of the weights.
        first: networks that are loaded at once, so that the first picture does not wait for them; others are when they
            are needed.

    Attributes:
        pointed_at: (n, 3) x, y and edge, px, of all that was taken for an upper face at first in the last picture.
    """

    def __init__(self, models: Path = MODELS, first: Sequence[str] = ()) -> None:
        self.pointed_at: Floats = np.zeros((0, 3), np.float32)
        self._models = models
        self._networks: dict[str, Network] = {name: load(models / f"{name}.onnx") for name in first}

    def read(
        self,
        image_bgr: Image,
        regions: NDArray[np.uint8] | None = None,
        die_px: float | None = None,
        kinds: Sequence[DieKind] = ("d6",),
        stances: Stances | None = None,
        before: Image | None = None,
        level: Level | None = None,
        nearness: Nearness | None = None,
    ) -> list[DieReading]:
        """Dice at rest, the most certain first.

        Args:
            image_bgr: (h, w, 3) uint8.
            regions: (h // 2, w // 2), not 0 where dice may lie; None for anywhere.
            die_px: edge of a die in px, within a factor of 1.4; None when unknown.
            kinds: what the game throws, and what is reported; other dice are taken to be rare, and left out but d6.
            stances: how things stand, where the camera's view is known; None for upright, seen from above.
            before: (h // 2, w // 2, 3) the table without dice as it would look in this picture.
            level: what earlier pictures of this camera told of which way is up, where `before` is not known.
            nearness: where `die_px` is that of dice in the middle of the board; None where it is that of all.
        Returns:
            Only dice that are more likely there than not.
        """
        sight = _Sight(image_bgr, stances, before, nearness)
        dice = self._dice(sight, regions, die_px, kinds)
        sixes = [(reading, place) for reading, place in dice if reading.kind == "d6"]
        others = [reading for reading, _ in dice if reading.kind != "d6"]
        cocked = self._cocked(sight, [place for _, place in sixes], level or Level())
        readings = [replace(reading, cocked=chance) for (reading, _), chance in zip(sixes, cocked, strict=True)]
        return sorted(readings + others, key=lambda reading: -reading.confidence)

    def tilts(
        self, image_bgr: Image, die_px: float | None, stances: Stances, before: Image | None = None
    ) -> tuple[Floats, NDArray[np.float64]]:
        """(n, 3) x, y and edge, px, of the d6 that `read` reports, and (n, 4) the evidence that each lies cocked.

        It is not yet weighed, and of dice that are turned against what is told of the view, whether or not `before` is
        known.
        """
        sight = _Sight(image_bgr, stances, before)
        places = [place for _, place in self._dice(sight, None, die_px, ("d6",))]
        if not places:
            return edges_at(places), np.zeros((0, 4))
        return edges_at(places), slant_evidence(self._slants(sight, places), sight.flat(places))

    def places(self, image_bgr: Image, kind: DieKind) -> list[tuple[float, float, float]]:
        """(x, y, edge) px of the upper faces of dice of this kind, whatever they show; the most certain first."""
        places, looks = self._places(_Sight(image_bgr), None, None)
        chances = looks.classes[:, [name.startswith(kind) for name in CLASSES]].sum(axis=1)
        found = [k for k in apart(places, chances) if chances[k] >= REPORT]
        return [(places[k].x, places[k].y, places[k].edge) for k in found]

    def proposals(
        self,
        image_bgr: Image,
        die_px: float | None = None,
        stances: Stances | None = None,
        before: Image | None = None,
    ) -> Floats:
        """(n, 3) x, y and edge, px, of all that the finder takes for an upper face, before anything is read."""
        return edges_at(self._propose(_Sight(image_bgr, stances, before), None, die_px))

    def opinions(
        self,
        image_bgr: Image,
        die_px: float | None = None,
        stances: Stances | None = None,
        before: Image | None = None,
    ) -> tuple[Floats, Floats]:
        """Proposals as the reader sees them (n, 3), and (n, 6) the evidence that each is a die, not yet weighed."""
        sight = _Sight(image_bgr, stances, before)
        refined, looks = self._look_twice(sight, self._propose(sight, None, die_px), least=0.0)
        scores = [one.score for one in refined]
        sizes = sizes_of(refined, looks.weighed(scores))
        return edges_at(refined), np.column_stack([looks.evidence(scores), size_evidence(sizes)])

    def numerals(self, image_bgr: Image, stances: Stances) -> list[tuple[DieKind, Floats, dict[int, float]]]:
        """Kind, (3,) x, y and edge, px, and the logit of each value, before it is tempered, of each d4 and d20."""
        places, looks = self._places(_Sight(image_bgr, stances), None, None)
        kinds = [(places[k], _likeliest(looks, k)) for k in apart(places, 1 - looks.none)]
        numbered = [(one, kind) for one, (kind, chance) in kinds if kind != "d6" and chance >= REPORT]
        edges = edges_at([one for one, _ in numbered])
        said = (self._numeral(image_bgr, one, kind) for one, kind in numbered)
        return [(kind, at, logits) for (_, kind), at, logits in zip(numbered, edges, said, strict=True)]

    def _places(
        self, sight: "_Sight", regions: NDArray[np.uint8] | None, die_px: float | None
    ) -> tuple[list[Proposal], Looks]:
        """Upper faces of about one size, and what is thought of them."""
        proposals = self._propose(sight, regions, die_px)
        self.pointed_at = edges_at(proposals)
        refined, looks = self._look_twice(sight, proposals, _SECOND_LOOK)
        return of_one_size(refined, looks.weighed([one.score for one in refined]), sight.edges_in_one_place(refined))

    def _look_twice(self, sight: "_Sight", proposals: Sequence[Proposal], least: float) -> tuple[list[Proposal], Looks]:
        """Looks where the finder points, and, where that is a die with probability `least`, again, mirrored.

        The first look corrects place and size for the second, which counts twice; what is clear at first needs none.
        """
        proposals, scores = list(proposals), [one.score for one in proposals]
        raw = self._look(sight, proposals)
        chance = 1 - Looks.from_raw(raw, sight.weights).weighed(scores).none
        faint = [k for k in range(len(proposals)) if chance[k] < least and scores[k] >= _PLAIN]
        higher = [proposals[k].higher() for k in faint]
        for k, one, said in zip(faint, higher, self._look(sight, higher), strict=True):
            proposals[k], raw[k] = one, said
        first = Looks.from_raw(raw, sight.weights)
        weighed = first.weighed(scores)
        keep = np.flatnonzero(1 - weighed.none >= least)
        refined = [proposals[k].refined(first.place[k]) for k in keep]
        said, unclear = raw[keep], np.flatnonzero(weighed.classes[keep, 1:].max(axis=1, initial=0.0) < _CLEAR)
        again = self._look(sight, [refined[k] for k in unclear], mirrored=True)
        both = np.s_[:, : len(CLASSES)]
        again[both] = (said[unclear][both] + 2 * again[both]) / 3
        said[unclear] = again
        return refined, Looks.from_raw(said, sight.weights)

    def _reading(
        self, sight: "_Sight", place: Proposal, looks: Looks, k: int, kinds: Sequence[DieKind], usual: float | None
    ) -> DieReading | None:
        kind, detection = _likeliest(looks, k)
        if kind not in ("d6", *kinds) or detection < REPORT:
            return None
        if usual is not None and not _SPAN[kind][0] < place.edge / usual < _SPAN[kind][1]:
            return None
        if kind == "d6":
            faces = looks.faces(k)
        else:
            faces = tempered(self._numeral(sight.image, place, kind), temperature(kind, place.edge))
        reading = DieReading(kind, faces, (place.x, place.y), _box(place, kind), detection=detection)
        if kind == "d6":
            return reading
        least = _LEGIBLE if place.edge > _SMALL[kind] else _SURE
        return replace(reading, is_legible=reading.confidence >= least)

    def _dice(
        self, sight: "_Sight", regions: NDArray[np.uint8] | None, die_px: float | None, kinds: Sequence[DieKind]
    ) -> list[tuple[DieReading, Proposal]]:
        """The dice that are reported, and where they lie."""
        places, looks = self._places(sight, regions, die_px)
        looks = looks.expecting(kinds)
        kept = apart(places, 1 - looks.none)
        usual = sight.usual_edges(places, die_px)
        dice = ((self._reading(sight, places[k], looks, k, kinds, usual[k]), places[k]) for k in kept)
        return [(reading, place) for reading, place in dice if reading is not None]

    def _cocked(self, sight: "_Sight", places: Sequence[Proposal], level: Level) -> list[float]:
        """Probability of each d6 that it lies cocked."""
        if not places:
            return []
        said, found = self._slants(sight, places), edges_at(places).astype(float)
        if sight.before is None:
            # A table that is not known to be the same is not known to be seen from where it is thought to be, either.
            height, width = sight.image.shape[:2]
            chances = level.cocked(said, found[:, :2], (width, height))
        else:
            evidence = slant_evidence(said, sight.flat(places))
            chances = 1 / (1 + np.exp(-cocked_odds(evidence, found[:, 2])))
        return chances.tolist()

    def _slants(self, sight: "_Sight", places: Sequence[Proposal]) -> Floats:
        """(n, 5) what is said of each d6, see `slant_evidence`, looked at mirrored too unless it lies flat for sure."""
        network, seen = self._network("dice_cocked"), np.stack([sight.whole(place) for place in places])
        said = network(seen).reshape(len(seen), -1)
        odds = slant_evidence(said, sight.flat(places)) @ np.array(sight.weights.cocked)
        doubtful = np.full(len(seen), True) if sight.before is None else odds > _FLAT
        if doubtful.any():
            again = network(np.ascontiguousarray(seen[doubtful][..., ::-1])).reshape(-1, said.shape[1])
            said[doubtful] = (said[doubtful] + again * _MIRRORED) / 2
        return said

    def _numeral(self, image: Image, place: Proposal, kind: DieKind) -> dict[int, float]:
        """Logit of each value of a d20 or d4; each look corrects the place for the next."""
        is_level = kind in LEVEL
        squash = place.squash if is_level else 1.0
        at, raw = np.array([place.x, place.y]), np.zeros(0, np.float32)
        *finding, reading = _LOOKS
        for views in (*finding, reading + _THIRDS if is_level else reading):
            hows = [(place.edge * NUMERAL_SPAN[kind] * scale, place.lean + angle, squash) for scale, angle in views]
            seen = np.stack([planes(crop(image, (at[0], at[1]), *how)) for how in hows])
            said = self._network("dice_numerals")(seen).reshape(len(hows), -1)
            steps = np.clip(said[:, len(NUMERALS) :], -0.7, 0.7)
            at = at + np.mean([frame(*how) @ step for how, step in zip(hows, steps, strict=True)], axis=0)
            raw = said.mean(axis=0)
        return {value: float(raw[index]) for index, (name, value) in enumerate(NUMERALS) if name == kind}

    def _propose(self, sight: "_Sight", regions: NDArray[np.uint8] | None, die_px: float | None) -> list[Proposal]:
        found: list[Proposal] = []
        for scale in _scales(sight.image.shape, die_px, sight.known_edge):
            for one in self._peaks(sight, _windows(sight, regions, scale)):
                if regions is None or _touches(regions, one):
                    found.append(one)
        usual = sight.usual_edges(found, die_px)
        found = [one for one, edge in zip(found, usual, strict=True) if edge is None or 0.4 < one.edge / edge < 2.0]
        kept = apart(found, np.array([one.score for one in found]), _ALIKE)
        return sight.standing([found[k] for k in kept])

    def _peaks(self, sight: "_Sight", windows: list[_Window]) -> list[Proposal]:
        """What the finder takes for upper faces, in all windows of one scale at once."""
        if not windows:
            return []
        corners, size = placed([window.size for window in windows])
        said = cells(self._network(sight.networks + "finder")(sight.sheet(windows, corners, size)[None])[0])
        which = np.full(said.shape[1:], -1)
        for index, (window, (left, top)) in enumerate(zip(windows, corners, strict=True)):
            width, height = window.size
            which[top // STRIDE : (top + height) // STRIDE, left // STRIDE : (left + width) // STRIDE] = index
        return _summits(said, which, windows, np.array(corners), sight.weights.least)

    def _network(self, name: str) -> Network:
        if name not in self._networks:
            self._networks[name] = load(self._models / f"{name}.onnx")
        return self._networks[name]

    def _look(self, sight: "_Sight", proposals: Sequence[Proposal], mirrored: bool = False) -> Floats:
        """(n, classes + 4) numbers of the reader."""
        if not proposals:
            return np.zeros((0, len(CLASSES) + 4), np.float32)
        seen = sight.around(proposals)
        raw = self._network(sight.networks + "reader")(np.ascontiguousarray(seen[..., ::-1]) if mirrored else seen)
        raw = raw.reshape(len(seen), -1)
        if mirrored:
            raw[:, len(CLASSES) + 1] *= -1
        return raw


@dataclass(frozen=True)
class _Sight:
    """A picture and what is known of where it was taken; see `DiceReader.read`."""

    image: Image
    stances: Stances | None = None
    before: Image | None = None
    nearness: Nearness | None = None

    @property
    def weights(self) -> Weights:
        """How what these say is weighed."""
        return ALONE if self.before is None else AGAINST_EMPTY

    @property
    def known_edge(self) -> float:
        """Edge, px, at which dice of known size are looked for."""
        return _KNOWN_EDGE_ALONE if self.before is None else _KNOWN_EDGE

    @property
    def networks(self) -> str:
        """How the names of the networks begin that see this much."""
        return "dice_" if self.before is None else "table_dice_"

    def standing(self, proposals: list[Proposal]) -> list[Proposal]:
        """The proposals, and how things stand there."""
        if self.stances is None or not proposals:
            return proposals
        said = self.stances(np.array([(one.x, one.y) for one in proposals]))
        return [
            replace(one, lean=lean, squash=squash) for one, (lean, squash) in zip(proposals, said.tolist(), strict=True)
        ]

    def usual_edges(self, proposals: Sequence[Proposal], die_px: float | None) -> list[float] | list[None]:
        """Edge of a usual die, px, in the place of each; None where it is not known."""
        if die_px is None:
            return [None] * len(proposals)
        if self.nearness is None or not proposals:
            return [die_px] * len(proposals)
        return list((die_px * self.nearness(np.array([(one.x, one.y) for one in proposals]))).tolist())

    def edges_in_one_place(self, proposals: Sequence[Proposal]) -> Floats | None:
        """(n,) edges as if all lay in the middle of the board; None where the camera's view is not known."""
        if self.nearness is None or not proposals:
            return None
        found = edges_at(proposals)
        return np.asarray(found[:, 2] / self.nearness(found[:, :2].astype(np.float64)), np.float32)

    def around(self, proposals: Sequence[Proposal]) -> Floats:
        """(n, 3 or CHANNELS, CROP, CROP) what the reader is shown of each proposal."""
        # Below each other they are turned into planes at once.
        hows = [((one.x, one.y), one.edge, one.lean, raised(one.squash)) for one in proposals]
        now = np.vstack([crop(self.image, *how) for how in hows])
        if self.before is None:
            seen = planes(now)
        else:
            then = np.vstack([crop_before(self.before, *how) for how in hows])
            seen = shown(now, then, np.repeat([one.squash / raised(one.squash) for one in proposals], CROP)[:, None])
        return np.ascontiguousarray(seen.reshape(len(seen), len(proposals), CROP, CROP).swapaxes(0, 1))

    def whole(self, place: Proposal) -> Floats:
        """(6, CROP, CROP) a whole die and what lies about it, and by how much this differs from the empty table."""
        edge, at = COCKED_SPAN * place.edge, (place.x, place.y)
        if self.before is None:
            now = then = crop(self.image, at, edge)
        else:
            now, then = crop(self.image, at, edge, place.lean), crop_before(self.before, at, edge, place.lean)
        return shown(now, then, place.squash)[:COCKED_CHANNELS]

    def flat(self, places: Sequence[Proposal]) -> NDArray[np.float64]:
        """(n, 2) slants of what lies flat there, in what `whole` shows; see `slant_evidence`."""
        lean, squash = np.array([(place.lean, place.squash) for place in places]).T
        return slant_of(lean if self.before is None else np.zeros(len(places)), squash)

    def squashes(self, boxes: Sequence[tuple[int, int, int, int]]) -> list[float]:
        """By how much a level plane looks foreshortened in the middles of boxes."""
        if self.stances is None or not boxes:
            return [1.0] * len(boxes)
        corners = np.array(boxes, np.float64)
        return list(self.stances((corners[:, :2] + corners[:, 2:]) / 2)[:, 1].tolist())

    def sheet(self, windows: Sequence[_Window], corners: Sequence[tuple[int, int]], size: tuple[int, int]) -> Floats:
        """(3 or CHANNELS, h, w) what the finder is shown of some windows, on one sheet that is gray between them.

        Args:
            corners: left and top of each on the sheet; size: width and height of the sheet.
        """
        now = np.full((size[1], size[0], 3), GRAY, np.uint8)
        then, squash = now.copy(), np.zeros(now.shape[:2], np.float32)
        for window, (left, top) in zip(windows, corners, strict=True):
            (x0, y0, x1, y1), (width, height) = window.box, window.size
            there = np.s_[top : top + height, left : left + width]
            mode = cv2.INTER_AREA if window.scale[0] < 1 else cv2.INTER_LINEAR
            now[there] = cv2.resize(self.image[y0:y1, x0:x1], window.size, interpolation=mode)
            if self.before is not None:
                small = self.before[y0 // 2 : -(-y1 // 2), x0 // 2 : -(-x1 // 2)]
                then[there] = cv2.resize(small, window.size, interpolation=cv2.INTER_LINEAR)
                squash[there] = window.squash
        return planes(now) if self.before is None else shown(now, then, squash)


def _summits(
    said: Floats, which: NDArray[np.intp], windows: Sequence[_Window], corners: NDArray[np.intp], least: float
) -> list[Proposal]:
    """The peaks among the cells (4, h, w) of a sheet.

    Args:
        which: (h, w) the window of each cell, -1 between them.
        corners: (windows, 2) left and top px of each on the sheet.
        least: peaks below this are passed over.
    """
    logit = np.where(which >= 0, said[0], np.float32(-1e9))
    highest = cv2.dilate(logit, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((logit >= highest) & (logit > np.log(least / (1 - least))))
    edges = np.exp(np.clip(said[3, rows, columns], -3, 3)) * FINDER_EDGE
    # A level answers for its own sizes, with some room; the neighboring levels see the others better.
    own = (edges > 0.75 * _LEAST_EDGE) & (edges < 1.25 * _MOST_EDGE)
    rows, columns, edges = rows[own], columns[own], edges[own].astype(np.float64)
    of = which[rows, columns]
    origins, scales = np.array([one.box[:2] for one in windows])[of], np.array([one.scale for one in windows])[of]
    cell = np.column_stack([columns, rows]) + said[1:3, rows, columns].T
    px = origins + (cell * STRIDE + STRIDE / 2 - corners[of]) / scales - 0.5
    scores = 1 / (1 + np.exp(-logit[rows, columns].astype(np.float64)))
    # At the ends of the range a neighbor's answer is preferred.
    scores *= np.where((edges > 0.9 * _LEAST_EDGE) & (edges < _MOST_EDGE), 1.0, 0.7)
    found = np.column_stack([px, edges / scales[:, 0], scores])
    return [Proposal(x, y, edge, score) for x, y, edge, score in found.tolist()]


def _box(one: Proposal, kind: DieKind) -> Box:
    """A box around the whole die; its sides show below the upper face, by how much the crop does not tell."""
    reach = _REACH[kind] * one.edge
    right, down = -0.3 * reach * np.sin(one.lean), 0.3 * reach * np.cos(one.lean)
    return (
        float(one.x - reach + min(right, 0)),
        float(one.y - reach + min(down, 0)),
        float(one.x + reach + max(right, 0)),
        float(one.y + reach + max(down, 0)),
    )


def _scales(shape: tuple[int, ...], die_px: float | None, known_edge: float) -> Iterable[float]:
    """How the picture is scaled for the finder."""
    if die_px is not None:
        return [known_edge / max(die_px, _LEAST_KNOWN)]
    longest = max(shape[:2])
    scale = min(1.0, 1440 / longest)
    scales = []
    while scale * longest > 60:
        scales.append(scale)
        scale /= 2
    return scales or [1.0]


def _windows(sight: _Sight, regions: NDArray[np.uint8] | None, scale: float) -> list[_Window]:
    """Scaled pieces that cover the regions, or everything."""
    height, width = sight.image.shape[:2]
    boxes = [(0, 0, width, height)] if regions is None else pieces_of(regions, _MARGIN / scale)
    return [_Window(box, _goal(box, scale), squash) for box, squash in zip(boxes, sight.squashes(boxes), strict=True)]


def _goal(box: tuple[int, int, int, int], scale: float) -> tuple[int, int]:
    """Width and height of a box at a scale, px, in whole cells."""
    x0, y0, x1, y1 = box
    width, height = (max(round(length * scale / CELL), 4) * CELL for length in (x1 - x0, y1 - y0))
    return width, height


def temperature(kind: DieKind, edge: float) -> float:
    """What divides the logits of a numeral on a die with such an edge, px."""
    return NUMERAL_TEMPERATURE[kind] * max(CLEAR_NUMERAL / edge, 1.0) ** SMALLER[kind]


def tempered(logits: Mapping[int, float], by: float) -> dict[int, float]:
    """Probabilities of values from their logits."""
    highest = max(logits.values())
    chance = {value: float(np.exp((logit - highest) / by)) for value, logit in logits.items()}
    return {value: one / sum(chance.values()) for value, one in chance.items()}


def _likeliest(looks: Looks, k: int) -> tuple[DieKind, float]:
    """Which kind of die it is, and how probable that is."""
    chances = {kind: looks.chance(k, kind) for kind in _KINDS}
    kind = max(chances, key=lambda name: chances[name])
    return kind, chances[kind]


def _touches(regions: NDArray[np.uint8], one: Proposal) -> bool:
    """Whether part of the upper face lies in a marked place."""
    x, y, reach = one.x / 2, one.y / 2, one.edge / 4
    y0, y1 = max(int(y - reach), 0), int(y + reach) + 1
    x0, x1 = max(int(x - reach), 0), int(x + reach) + 1
    return bool(regions[y0:y1, x0:x1].any())
