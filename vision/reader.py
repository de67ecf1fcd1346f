"""Reads everything on one table from one picture."""

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.observations import COP, BoardBook, DieKind
from vision.board.bands import Bands
from vision.board.foreground import match_colors
from vision.board.glare import Glare, Mirrored
from vision.board.hands import LEAST_SHARE, LEFT, LEFT_OF_ARM, Covers, reaches_in
from vision.board.layout import Layout, find_layout
from vision.board.light import Light
from vision.board.outline import find_taps
from vision.board.overview import Overview, overview_points, spaces_in_overview
from vision.board.registration import Reference, Registration, rectify
from vision.board.view import Points, View
from vision.detections import BuildingReading, DieReading, MarkerReading, TableReading, TokenReading
from vision.dice import OF_TABLES, DiceReader
from vision.dice.field import DiceField, is_alike, is_print
from vision.legibility import contrast, glare, shares_of
from vision.lessons import Example, Told
from vision.networks import MODELS
from vision.pieces.buildings import read_buildings
from vision.pieces.finder import LEAST_SCORE, Found, PieceFinder, Pieces
from vision.pieces.likeness import compared
from vision.pieces.markers import as_booked, as_tokens, read_markers, seen_as_both
from vision.pieces.streets import StreetReader, recounted
from vision.pieces.tokens import LEAST_EXPECTED, TALL, Cop, TokenNamer, feet_on
from vision.pixels import Image, halved, shrunk

#: Side in px of the board from above in which the lines between spaces are looked for, and rim around it.
_LAYOUT_PX, _LAYOUT_RIM = 1000, 20
#: Edge of a usual die in board sides: 16 mm on a board of 50 cm.
DIE_SIDES = 0.032
#: A die that holds a token's foot, or is held by its outline, is the token when it is surer, and the other way about.
_SAME_THING = 0.6
#: Probability of being one of the enrolled tokens from which on it is no die, and from which on it is none that is not
#: plain (see `_PLAIN_DIE`): small tokens of metal look like dice.
_ENROLLED, _MAY_BE_ENROLLED = 0.5, 0.15
#: And, the cop's with it, from which on what stands there is no houses, whoever it is.
_SURELY_ENROLLED = 0.9
#: Parts of a token reach to its sides as far as this, in halves of its outline's width; what is taken for a die there
#: is one from this confidence on: of 815 pictures of rendered tables four are right by that, and none lost a die.
_SIDEWAYS, _PLAIN_DIE = 1.7, 0.97
#: How far about an upper face its die may reach, in edges.
_AROUND_DIE = 1.5
#: Width and height of what stands on spaces, in widths of a space, and score from which on it is no die: 91% of 6100
#: pieces found on rendered and real boards had that, and what was a die had 0.26 at most.
_BODY = {"house": (0.3, 0.3), "hotel": (0.45, 0.35), "bomb": (0.5, 0.08), "miner": (0.5, 0.08)}
_NO_DIE = 0.5
#: What has its foot in a die's picture, but in this share of what lies above the middle of its upper face, is no die.
_BEHIND = 0.4
#: Nothing else stands this near to a token's foot, in widths of a space; and a building that is seen this near to the
#: ground that a token hides is part of it, unless its score is above that.
_WITHIN, _PLAIN = 0.22, 0.55
#: A picture of the empty board is made smaller from so many times as many px across the board as a camera's have.
_FINER = 1.25
#: So often lamps that went out are taken from the picture of the empty board: each time all is compared anew.
_MOST_MIRRORED = 4


class _Look(NamedTuple):
    """A picture without what the board mirrors.

    Attributes:
        half_bgr: at half its size.
        above_bgr: the board from above.
        colors: the empty board's colors to the picture's, of `match_colors`.
        shown_bgr: the board from above as the camera has it.
    """

    picture_bgr: Image
    half_bgr: Image
    above_bgr: Image
    colors: NDArray[np.float64]
    shown_bgr: Image


class TableReader:
    """Reads pictures of one table.

    Args:
        empty_bgr: (h, w, 3) uint8, the board with nothing on it; may be from another place than the pictures
            to be read, or a flat scan.
        taps: (4, 2) px of the board's corners in it, GO's first, in the direction of travel; None to find the board
            by itself (`outline.find_taps`).
        enrol: name -> picture of that token alone, standing on GO; empty leaves tokens without names. `cop` is the
            cop's, without which he is looked for as a blue pawn.
        examples: name -> what `learn` gave of that token before.
        models: folder of the weights.

    Attributes:
        reads_dice: False leaves the dice to another camera.
        has_markers: False where the game has no bombs, miners and no cop: what looks like one may be a token.
        playing: the names of the tokens that play; those of others that are enrolled are not given. None where all may.
        book: what the game has on the board: what looks otherwise is looked at twice.
        empty_bgr: the picture of the empty board that others are compared with; no finer than they are, and without
            lamps that went out since.
    """

    def __init__(
        self,
        empty_bgr: Image,
        taps: Points | None,
        enrol: Mapping[str, Image] | None = None,
        kinds: tuple[DieKind, ...] = ("d6",),
        examples: Mapping[str, Sequence[Image]] | None = None,
        models: Path = MODELS,
    ) -> None:
        self._dice = DiceReader(models, OF_TABLES)
        self._kinds = kinds
        self.reads_dice = self.has_markers = True
        self.playing: Collection[str] | None = None
        self.book = BoardBook()
        self._models = models
        self._examples = {name: list(crops) for name, crops in (examples or {}).items()}
        self._overview = Overview()
        self._begin(empty_bgr, find_taps(empty_bgr) if taps is None else np.asarray(taps, np.float64), enrol or {})

    def _begin(self, empty_bgr: Image, corners: Points, enrol: Mapping[str, Image]) -> None:
        """Learns the board from this picture, and the tokens from theirs."""
        self.reference = Reference(empty_bgr, corners)
        view = self.reference.view
        self.layout: Layout = find_layout(rectify(empty_bgr, view, _LAYOUT_PX, _LAYOUT_RIM), _LAYOUT_PX, _LAYOUT_RIM)
        self.bands, self._spaces = Bands.of(self.layout), spaces_in_overview(self.layout)
        self._streets = StreetReader(self.layout, self.bands, self._models)
        registered = {name: (picture, self.reference.register(picture).view) for name, picture in enrol.items()}
        self._enrol = {name: (picture, where) for name, (picture, where) in registered.items() if where is not None}
        self._mirrors_left, self._tries, self._until_next = _MOST_MIRRORED, 0, 0
        self._gone: Mirrored | None = None
        self._compare_with(empty_bgr)
        self._own_light = float(self._small.mean())
        self.not_enrolled = [name for name in registered if name not in self._enrol] + self._namer.not_found
        self._is_as_fine = False

    def _compare_with(self, empty_bgr: Image) -> None:
        """Takes this picture for that of the empty board; where it lies in it is known."""
        view = self.reference.view
        self.empty_bgr = empty_bgr
        self._field = DiceField(empty_bgr, view)
        self._small = self._overview.of(halved(empty_bgr), view)
        self._not_shown = self._overview.beyond
        self._light = Light(self._small, overview_points())
        self._glare = Glare(self._small, overview_points(), self._light)
        self._covers = Covers(self._small, self._light)
        self._finder = PieceFinder(empty_bgr, view, self.layout, self._models)
        enrol = {
            name: (self._looked_at(picture, halved(picture), where).picture_bgr, where)
            for name, (picture, where) in self._enrol.items()
        }
        self._namer = TokenNamer(empty_bgr, view, self._finder, self.layout, enrol, self._examples, self._models)

    def _made_as_fine(self, seen: View) -> bool:
        """Begins anew where the picture of the empty board is finer than those of a camera, as a scan may be.

        What is compared px by px has to show the same detail.

        Args:
            seen: the first view of the camera's pictures.
        """
        self._is_as_fine = True
        finer = self.reference.view.scale_at(np.zeros(2)) / seen.scale_at(np.zeros(2))
        if finer < _FINER:
            return False
        size = np.array(self.empty_bgr.shape[1::-1])
        fewer = np.round(size / finer).astype(int)
        pictures = {name: picture for name, (picture, _) in self._enrol.items()}
        corners = (self.reference.view.corners_px() + 0.5) * (fewer / size) - 0.5
        self._begin(shrunk(self.empty_bgr, tuple(fewer.tolist())), corners, pictures)
        self._is_as_fine = True
        return True

    @property
    def _beyond(self) -> NDArray[np.bool_]:
        """(n, n) what of the last overview lay beyond the rims of its picture, or of that of the empty board."""
        return self._overview.beyond | self._not_shown

    def expect(self, kinds: Sequence[DieKind]) -> None:
        """Which dice may be thrown next; d6, and no others, are told as well where they lie about."""
        self._kinds = tuple(kinds) or ("d6",)

    def read(self, frame_bgr: Image) -> TableReading:
        """Everything that one picture shows.

        Args:
            frame_bgr: (h, w, 3) uint8, of any size; pictures may come in any order.
        """
        began = time.perf_counter()
        half = halved(frame_bgr)
        where = self.reference.register(frame_bgr, half)
        if where.view is not None and not self._is_as_fine and self._made_as_fine(where.view):
            where = self.reference.register(frame_bgr, half)
        if where.view is None:
            return self._result(began, where, None, False)
        look = self._looked_at(frame_bgr, half, where.view)
        if self._glare.is_gone and self._mirrors_left and self._without_own_glare(look.shown_bgr):
            look = self._looked_at(frame_bgr, half, where.view)
        frame_bgr, half, colors = look.picture_bgr, look.half_bgr, look.colors
        if self._is_hand(look, where.view):
            return self._result(began, where, look, True)
        namer = self._namer_of_game()
        found = self._finder.find(frame_bgr, where.view, colors=colors, with_things=not namer.names)
        found = compared(found, self.layout)
        if namer.names and not self.has_markers:
            found = as_tokens(found, self.layout.unit)
        tokens, strange, figures, cop = namer.name(frame_bgr, where.view, found)
        tokens = [one for one in tokens if _is_within(one.base_px, frame_bgr) or _is_enrolled(one)]
        dice = self._read_dice(frame_bgr, half, where.view, found, tokens) if self.reads_dice else []
        tokens, dice = apart(tokens, dice)
        # What is not plainly a die may be a figure that nobody has enrolled.
        _, unsure = apart(figures, [die for die in dice if die.confidence < _PLAIN_DIE])
        dice = [die for die in dice if die.confidence >= _PLAIN_DIE or die in unsure]
        dice, standing = one_or_other(where.view, dice, found.pieces)
        strange = _beside_dice(where.view, strange, dice)
        standing = seen_as_both([*standing, *found.weak], strange, self.layout.unit)
        pieces = without_tokens(where.view, self.layout.unit, standing, tokens, cop)
        pieces = as_booked(pieces, self.layout, self.book)
        buildings = read_buildings(self.layout, pieces)
        doubted: dict[int, NDArray[np.float64]] = {}
        if found.sight is not None:
            known = [token for token in tokens if sum(token.names.values()) + (token.cop or 0.0) >= _SURELY_ENROLLED]
            feet = _feet_of(where.view, known, cop)
            doubted = self._streets.doubted(buildings, found.sight, feet, strange, pieces, self.book.streets)
        markers = read_markers(where.view, self.layout, pieces, cop) if self.has_markers else []
        buildings = recounted(buildings, doubted)
        return self._result(began, where, look, False, tokens, dice, buildings, markers, doubted)

    def _namer_of_game(self) -> TokenNamer:
        """Who names tokens, as the game is now."""
        self._namer.has_cop, self._namer.playing = self.has_markers, self.playing
        return self._namer

    def _without_own_glare(self, above: Image) -> bool:
        """Takes from the picture of the empty board what it mirrors there and does not now; whether there is any.

        Two pictures have to tell the same. Where they do not, it is looked for again after twice as many each time.
        """
        self._until_next -= 1
        if self._until_next > 0:
            return False
        mirrored, last = self._glare.of_empty(above, self._beyond), self._gone
        self._gone = mirrored
        if mirrored is None or last is None or not mirrored.is_like(last):
            self._tries += 1
            self._until_next = 2**self._tries if mirrored is None else 0
            return False
        self._mirrors_left, self._tries, self._gone = self._mirrors_left - 1, 0, None
        self._compare_with(mirrored.taken_from(self.empty_bgr, self.reference.view))
        return True

    def _is_hand(self, look: _Look, view: View) -> bool:
        """Whether a hand or an arm is over the board: much of it is covered, or a little by what comes from afar."""
        share, left = self._covers.on(look.above_bgr, look.colors, self._beyond, look.shown_bgr)
        if share >= LEAST_SHARE and left >= LEFT:
            return True
        if left < LEFT_OF_ARM:
            return False
        before = self._field.before(look.half_bgr, view, look.colors)
        return reaches_in(before, look.half_bgr, view.corners_px() / 2, self._field.unknown)

    def _looked_at(self, frame_bgr: Image, half: Image, view: View) -> _Look:
        """A frame without what the board mirrors.

        Args:
            half: the frame at half its size.
        """
        shown = self._overview.of(half, view)
        colors = match_colors(self._small, shown)
        mirrored = self._glare.on(shown, colors, self._beyond)
        if mirrored is None:
            return _Look(frame_bgr, half, shown, colors, shown)
        frame_bgr = mirrored.taken_from(frame_bgr, view)
        half = halved(frame_bgr)
        above = self._overview.of(half, view)
        return _Look(frame_bgr, half, above, match_colors(self._small, above), shown)

    def _read_dice(
        self, frame_bgr: Image, half: Image, view: View, found: Pieces, tokens: list[TokenReading]
    ) -> list[DieReading]:
        before = self._field.before(half, view, found.colors)
        boxes = [token.box for token in tokens if _is_enrolled(token)]
        field = self._field.mask(half, before, _die_px(view), bodies(view, found.pieces, self.layout.unit), boxes)
        before_too = before if is_alike(half, before) else None
        dice = self._dice.read(
            frame_bgr, field, _die_px(view), self._kinds, view.stances_at, before_too, nearness=view.nearness_at
        )
        x, y, reach = (self._dice.pointed_at * (1, 1, _AROUND_DIE)).T
        self._field.learn(half, found.colors, np.column_stack([x - reach, y - reach, x + reach, y + reach]).tolist())
        if before_too is None:
            # What sees the picture alone cannot know.
            dice = [die for die in dice if not is_print(half, before, die.centre_px, die.box[2] - die.box[0])]
        return dice

    def learn(self, frame_bgr: Image, told: Told) -> Example | None:
        """People say which token stands where: it is known from now on by how it looks in this picture.

        Returns:
            None when it cannot be made out which one is meant.
        """
        half = halved(frame_bgr)
        view = self.reference.register(frame_bgr, half).view
        if view is None:
            return None
        frame_bgr = self._looked_at(frame_bgr, half, view).picture_bgr
        found = self._finder.find(frame_bgr, view, LEAST_EXPECTED)
        strong = Pieces([one for one in found.pieces if one.score >= LEAST_SCORE], found.colors)
        named, *_, cop = self._namer_of_game().name(frame_bgr, view, strong)
        feet = view.to_board(np.array([token.base_px for token in named]).reshape(-1, 2))
        company = [foot for foot, token in zip(feet, named, strict=True) if token.name in told.company]
        company += [cop.found.foot] if cop is not None and COP in told.company else []
        seen = [Found("token", foot, token.confidence) for foot, token in zip(feet, named, strict=True)]
        there = feet_on([*seen, *strong.pieces], company, self.layout, told.square, told.in_jail)
        there = there or feet_on(found.pieces, company, self.layout, told.square, told.in_jail)
        foot = there[0] if len(there) == 1 else None
        crop = None if foot is None else self._namer.learn(told.token, frame_bgr, view, found, foot)
        if foot is None or crop is None:
            return None
        self._examples.setdefault(told.token, []).append(crop)
        x, y = view.project(foot[None])[0]
        return Example(told.token, crop, (float(x), float(y)))

    def look_alikes(self, least: float) -> list[tuple[str, str]]:
        """Pairs of enrolled tokens whose pictures are at least so alike, 1 for the very same."""
        return self._namer.look_alikes(least)

    def fallen(self, frame_bgr: Image, tokens: Sequence[TokenReading]) -> dict[str, float]:
        """Log odds that each of the enrolled tokens among these, as they were read in this picture, lies."""
        half = halved(frame_bgr)
        view = self.reference.register(frame_bgr, half).view
        if view is None:
            return {}
        look = self._looked_at(frame_bgr, half, view)
        return self._namer.fallen(look.picture_bgr, view, look.colors, tokens)

    def _result(
        self,
        began: float,
        where: Registration,
        look: _Look | None,
        hand: bool,
        tokens: list[TokenReading] | None = None,
        dice: list[DieReading] | None = None,
        buildings: dict[int, BuildingReading] | None = None,
        markers: list[MarkerReading] | None = None,
        doubted: dict[int, NDArray[np.float64]] | None = None,
    ) -> TableReading:
        above = look.shown_bgr if look is not None else None
        return TableReading(
            board_found=where.view is not None,
            corners_px=where.view.corners_px() if where.view is not None else None,
            camera_moved=where.moved,
            hand=hand,
            dice=dice or [],
            tokens=tokens or [],
            buildings=buildings or {},
            markers=markers or [],
            doubted=doubted or {},
            ms=(time.perf_counter() - began) * 1e3,
            die_px=_die_px(where.view) if where.view is not None else 0.0,
            light=float(above.mean()) / max(self._own_light, 1.0) if above is not None else 1.0,
            detail=where.detail,
            contrast=contrast(above) if above is not None else 255.0,
            glare=glare(look.shown_bgr, self._small, look.colors, self._spaces) if look is not None else (),
            beyond=shares_of(self._overview.beyond, self._spaces) if look is not None else (),
        )


def bodies(view: View, pieces: list[Found], unit: float) -> Points:
    """(n, 5) px x, y of the foot and of the top of buildings and markers that are surely no dice, and their width."""
    sure = [one for one in pieces if one.kind in _BODY and one.score >= _NO_DIE]
    feet = np.array([one.foot for one in sure]).reshape(-1, 2)
    wide, tall = np.array([_BODY[one.kind] for one in sure]).reshape(-1, 2).T * unit
    top = np.column_stack([feet, tall])
    return np.column_stack([view.project(feet), view.project(top), wide * view.scales_at(top)])


def _is_within(at_px: tuple[float, float], picture_bgr: Image) -> bool:
    """Whether a place lies within a picture's rims: beyond them only what is known is told by what reaches in."""
    height, width = picture_bgr.shape[:2]
    return -0.5 <= at_px[0] <= width - 0.5 and -0.5 <= at_px[1] <= height - 0.5


def without_tokens(
    view: View, unit: float, pieces: list[Found], tokens: list[TokenReading], cop: Cop | None = None
) -> list[Found]:
    """The buildings and markers that are no part of a token or the cop.

    Args:
        unit: width of a space.
    """
    feet, eye = _feet_of(view, tokens, cop), view.eye
    hidden = (feet - eye[:2]) * (TALL * unit / (eye[2] - TALL * unit))
    return [one for one in pieces if one.kind == "token" or not _is_part(one, feet, hidden, unit)]


def _feet_of(view: View, tokens: list[TokenReading], cop: Cop | None) -> Points:
    """(n, 2) of tokens on the board, and of the cop."""
    bases = np.array([token.base_px for token in tokens]).reshape(-1, 2)
    feet = view.to_board(bases) if len(bases) else bases
    return feet if cop is None else np.vstack([feet, cop.found.foot])


def _is_part(one: Found, feet: Points, hidden: Points, unit: float) -> bool:
    """Whether a building or marker stands in the very place of a token, or is weak and before what one hides.

    Args:
        hidden: (n, 2) from each foot to where the token's top hides the board.
    """
    away = one.foot - feet
    if one.kind in ("house", "hotel") and one.score < _PLAIN:
        share = (away * hidden).sum(axis=1) / np.maximum((hidden**2).sum(axis=1), 1e-9)
        away = away - np.clip(share, 0, 1)[:, None] * hidden
    return bool((np.hypot(away[:, 0], away[:, 1]) < _WITHIN * unit).any())


def apart(tokens: list[TokenReading], dice: list[DieReading]) -> tuple[list[TokenReading], list[DieReading]]:
    """Takes away, of each token and die that are one thing in the picture, the one that is less likely."""
    gone_tokens: set[int] = set()
    gone_dice: set[int] = set()
    for i, token in enumerate(tokens):
        for k, die in enumerate(dice):
            x0, y0, x1, y1 = die.box
            inside = x0 <= token.base_px[0] <= x1 and y0 <= token.base_px[1] <= y1
            if inside or _overlap(token.box, die.box) > _SAME_THING:
                if _is_enrolled(token, die) or token.name_confidence >= die.detection:
                    gone_dice.add(k)
                else:
                    gone_tokens.add(i)
            elif _is_enrolled(token) and die.confidence < _PLAIN_DIE and _is_at_side(die, token):
                gone_dice.add(k)
    return (
        [token for i, token in enumerate(tokens) if i not in gone_tokens],
        [die for k, die in enumerate(dice) if k not in gone_dice],
    )


def _is_at_side(die: DieReading, token: TokenReading) -> bool:
    """Whether a die has its middle where the token may reach beyond its outline."""
    x0, y0, x1, y1 = token.box
    x, y = die.centre_px
    return abs(2 * x - x0 - x1) < _SIDEWAYS * (x1 - x0) and y0 <= y <= y1


def _is_enrolled(token: TokenReading, die: DieReading | None = None) -> bool:
    """Whether it is one of the enrolled tokens, where a die is seen in its place, or none."""
    is_doubted = die is None or die.confidence >= _PLAIN_DIE
    return sum(token.names.values()) >= (_ENROLLED if is_doubted else _MAY_BE_ENROLLED)


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Common area as a share of the smaller box."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    least = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return width * height / max(least, 1e-6)


def one_or_other(view: View, dice: list[DieReading], pieces: list[Found]) -> tuple[list[DieReading], list[Found]]:
    """Takes away, of a die and the buildings and markers that have their feet in its picture, what is less sure.

    Of several of these all would have to be wrong.
    """
    under = _under(view, pieces, dice) & np.array([one.kind != "token" for one in pieces], bool)
    doubt = np.where(under, 1 - np.array([one.chance for one in pieces]), 1.0).prod(axis=1)
    kept = [k for k, die in enumerate(dice) if 1 - doubt[k] <= die.confidence]
    left = np.flatnonzero(~under[kept].any(axis=0))
    return [dice[k] for k in kept], [pieces[index] for index in left]


def _beside_dice(view: View, pieces: list[Found], dice: list[DieReading]) -> list[Found]:
    """The pieces that have their feet in the picture of no die."""
    return [pieces[index] for index in np.flatnonzero(~_under(view, pieces, dice).any(axis=0))]


def _under(view: View, pieces: list[Found], dice: list[DieReading]) -> NDArray[np.bool_]:
    """(dice, pieces) whether each piece has its foot in the picture of each die."""
    px = view.project(np.array([one.foot for one in pieces]).reshape(-1, 2))
    boxes = np.array([die.box for die in dice], np.float64).reshape(-1, 1, 4)
    # What stands behind a die has its foot above the die's upper face.
    boxes[..., 1] += _BEHIND * (np.array([die.centre_px[1] for die in dice]).reshape(-1, 1) - boxes[..., 1])
    return np.asarray(((boxes[..., :2] <= px) & (px <= boxes[..., 2:])).all(axis=2))


def _die_px(view: View) -> float:
    return DIE_SIDES * view.scale_at(np.zeros(2))
