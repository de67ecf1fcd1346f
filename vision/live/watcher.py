"""Frames in, observations out: waits for the scene to settle, reads it, and reports what has changed."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.observations import (
    COP,
    SPACES,
    BoardBook,
    Building,
    BuildingsSeen,
    DiceSeen,
    DieKind,
    DieSeen,
    MarkersSeen,
    Observation,
    Picture,
    SightSeen,
    StandingSeen,
    TokenSeen,
)
from vision.detections import Box, BuildingReading, MarkerReading, TableReading, TokenReading
from vision.legibility import blinded, trouble
from vision.lessons import Example, Lessons, Pupil, Told
from vision.live.fallen import Fallen
from vision.live.glimpses import MOST_SHIFT_PX, Glimpses
from vision.live.identity import Identity, places_of
from vision.live.pieces import PlaceWatch, TokenWatch
from vision.live.slides import SlideThrowWatch
from vision.live.standing import StandingWatch
from vision.live.stills import Stills
from vision.live.streets import StreetMemory
from vision.live.throws import LyingDie, Place, Throw, ThrowWatch, look_of
from vision.sources.base import FrameBgr, Shot, decoded

Seen = Observation | Picture

#: Pause before the second picture of a scene, and between further ones while it is not yet clear.
SOON_S, AGAIN_S = 0.03, 0.15
#: Rest before tokens and buildings count: a token is tapped on the spaces that it crosses.
STAND_S = 0.35
#: Where it has not rested so for `RESTLESS_S`, as among shadows of leaves, they count once pictures have shown them on
#: the same spaces for this time, and no hand.
STOOD_S = 1.0
#: Pause while something covers the board or it is not found.
BLOCKED_S = 0.4
#: Where it is not known yet where the board is, it is looked for this often while something moves.
SEEK_S = 1.0
#: A scene that is clear is looked at again after this time, in case something changed unnoticed; where dice are due and
#: none lie, after this.
CHECK_S, AWAITED_S = 4.0, 1.0
#: Rest of a clear scene from which on it is calm.
CALM_S = 1.0
#: While it is calm, frames go by for so long between two that are looked at: what begins to move is noticed that much
#: and two frames later, and from then on every frame counts.
PASSING_S = 0.14
#: Smallest evidence picture of dice, and its margin around them, px.
CROP_PX, CROP_MARGIN = (240, 180), 40
EVIDENCE_QUALITY = 82
EVIDENCE_WIDTH = 960
#: A state of sight is reported when it has lasted this long, so that the light does not flicker.
SIGHT_S = 0.5
#: How long it is said that the camera was moved.
FOLLOWED_S = 20.0
#: Motion that lasts longer than a throw or a move is worth a word.
RESTLESS_S = 3.0


class Reader(Protocol):
    """Reads one picture (`vision.reader.TableReader`)."""

    def read(self, frame_bgr: FrameBgr) -> TableReading: ...


class Memory(msgspec.Struct, frozen=True):
    """What a watcher has to know to go on after a restart.

    Attributes:
        throw: number of the last throw.
        lying: its dice as they lie; None when none was ever looked for.
        was_away: they have been seen gone since.
        pictures: number of evidence pictures so far.
    """

    throw: int = 0
    lying: tuple[LyingDie, ...] | None = None
    was_away: bool = False
    pictures: int = 0


@dataclass(frozen=True)
class _Look:
    """One reading with the picture that it was made from."""

    frame_bgr: FrameBgr
    reading: TableReading
    t_ns: int


class Watcher:
    """Follows one table.

    With `is_slideshow` every picture is a moment of its own (a stop-motion clip, each picture given
    once): nothing is compared from frame to frame, tokens count at first sight, and dice count
    once two pictures show them in the same place, as tumbling dice never do.
    """

    def __init__(
        self,
        reader: Reader,
        stills: Stills | None = None,
        is_slideshow: bool = False,
        memory: Memory | None = None,
        prefix: str = "",
        log: Callable[[TableReading, int], None] | None = None,
        pupil: Pupil | None = None,
    ) -> None:
        """Starts to watch.

        Args:
            stills: what every frame but those of a slideshow is given to; its pictures are read.
            pupil: the reader, where it can be taught, and asked which tokens have fallen over.
            prefix: begins the ids of evidence pictures, so that they stay unique after a restart.
            log: told every reading, for diagnostics.
        """
        memory = memory or Memory()
        self._reader = reader
        self._stills = stills or Stills()
        self._is_slideshow = is_slideshow
        self._prefix = prefix
        self._log = log
        self._picture_count = memory.pictures
        watch = SlideThrowWatch if is_slideshow else ThrowWatch
        self._throws: ThrowWatch = watch(number=memory.throw, lying=memory.lying, was_away=memory.was_away)
        self._tokens = TokenWatch()
        self._whole = StandingWatch(least_looks=1 if is_slideshow else 2)
        self._identity = Identity()
        self._streets = StreetMemory()
        self._glimpses = Glimpses()
        self._fallen = Fallen()
        self._pupil = pupil
        self._lessons = Lessons()
        self._learned: list[Example] = []
        self._corners: NDArray[np.float64] | None = None
        #: Where the board is since the camera was moved, and since when.
        self._stood: tuple[NDArray[np.float64], int] | None = None
        #: The spaces on which tokens stand, one each, and since when pictures show that.
        self._spaces: tuple[list[int], int] | None = None
        self._buildings: PlaceWatch[int, tuple[int, bool]] = PlaceWatch()
        self._markers: PlaceWatch[int, tuple[str, ...]] = PlaceWatch()
        if is_slideshow:
            self._tokens.least_pictures = self._tokens.most_pictures = 1
            self._tokens.gone_s = 0.0
        self._due: tuple[DieKind, ...] = ()
        self._episode, self._beyond = -1, 0
        self._settled_ns = self._rested_ns = 0
        self._still_s, self._stirs = 0.0, False
        self._is_scene_read = False
        self._next_ns = 0
        self._fed_ns = self._sought_ns = -math.inf
        self._sight: SightSeen | None = None
        self._sight_since: tuple[tuple[str, str], int] | None = None

    def use_reader(self, reader: Reader) -> None:
        """Another calibration: what stands where is reported anew; the dice's history stays."""
        self._reader = reader
        self._tokens.reported.clear()
        self._identity.forget()
        self._streets.forget()
        self._whole.forget()
        self._glimpses.forget()
        self._fallen.forget()
        self._buildings.reported.clear()
        self._markers.reported.clear()
        self._new_scene()

    def expect(self, dice: int | None, kinds: Sequence[DieKind] = ()) -> None:
        """How many dice the game waits for, and of which kinds; None when nobody knows."""
        self._throws.wanted = dice
        self._due = tuple(kinds)

    def learn(self, book: BoardBook) -> None:
        """What the game has on the board: helps to tell look-alikes apart, and to count houses."""
        self._identity.learn(book.tokens)
        self._streets.learn(book.streets)
        if self._pupil is not None:
            self._pupil.book = book

    def teach(self, told: Told) -> None:
        """People have said where a token stands: the next clear picture teaches how it looks."""
        self._lessons.add(told)
        self._next_ns = 0

    def take_examples(self) -> list[Example]:
        """What has been learned since the last time, to be kept."""
        learned, self._learned = self._learned, []
        return learned

    def _attend(self, look: _Look, named: list[TokenReading]) -> None:
        """Learns from what people have said."""
        corners = look.reading.corners_px
        assert corners is not None, "only readings with a board get here"
        for example in self._lessons.attend(self._pupil, look.frame_bgr, named) if self._pupil is not None else []:
            self._identity.correct(example.token, places_of(corners, [example.base_px])[0])
            self._tokens.new_scene()
            self._learned.append(example)

    def memory(self) -> Memory:
        """For a watcher that takes over after a restart."""
        return Memory(self._throws.number, self._throws.lying, self._throws.was_away, self._picture_count)

    def feed(self, shot: Shot, t_ns: int, is_repeat: bool = False) -> list[Seen]:
        """Takes the next frame.

        Args:
            t_ns: monotonic time of the frame.
            is_repeat: the very same picture as before, which tells nothing new.
        Returns:
            Evidence pictures before the observations that refer to them; mostly nothing.
        """
        if self._is_slideshow:
            return [] if is_repeat else self._look(decoded(shot), t_ns, is_restless=False)
        if self.is_calm and t_ns - self._fed_ns < PASSING_S * 1e9:
            return []
        self._fed_ns = t_ns
        scene = self._stills.feed(shot, t_ns)
        self._still_s, self._stirs = scene.still_s, scene.stirs
        self._rested_ns = t_ns if scene.still_s >= STAND_S else self._rested_ns
        if not scene.is_settled:
            self._is_scene_read = False
            self._next_ns = t_ns
            self._seek(t_ns)
            if t_ns - self._settled_ns < RESTLESS_S * 1e9:
                return []
            return self._report_sight("unsure", "waiting for the table to come to rest", None, t_ns)
        self._settled_ns = t_ns
        if scene.episode != self._episode:
            self._episode = scene.episode
            self._new_scene()
        elif scene.beyond == self._beyond and t_ns < self._next_ns:
            return []
        self._beyond = scene.beyond
        is_at_rest = scene.is_restless or scene.still_s >= STAND_S
        return self._look(self._stills.picture(), t_ns, scene.is_restless, is_at_rest=is_at_rest)

    def _seek(self, t_ns: int) -> None:
        """Looks where the board is, so that hands beside it do not keep it from being read, where that is unknown."""
        if self._stills.is_attending or t_ns - self._sought_ns < SEEK_S * 1e9:
            return
        self._sought_ns = t_ns
        reading = self._reader.read(self._stills.picture())
        if reading.board_found and reading.corners_px is not None:
            self._stills.attend(reading.corners_px)

    @property
    def is_clear(self) -> bool:
        """The scene has been read, and another picture of it would change nothing."""
        parts = (self._throws, self._tokens, self._whole, self._fallen, self._buildings, self._markers)
        return self._is_scene_read and all(part.is_done for part in parts)

    @property
    def is_calm(self) -> bool:
        """Nothing is awaited, and nothing moves or has for a while: not every frame has to be looked at."""
        return self._still_s >= CALM_S and not self._stirs and self.is_clear

    def outage(self, message: str, t_ns: int) -> list[Seen]:
        """The source gives no frames."""
        return self._report_sight("blind", message, None, t_ns, at_once=True)

    def _new_scene(self) -> None:
        self._throws.new_scene()
        self._tokens.new_scene()

    def _look(self, frame_bgr: FrameBgr, t_ns: int, is_restless: bool, is_at_rest: bool = True) -> list[Seen]:
        reading = self._reader.read(frame_bgr)
        if self._log is not None:
            self._log(reading, t_ns)
        self._next_ns = t_ns + round(BLOCKED_S * 1e9)
        corners = reading.corners_px
        if not reading.board_found or corners is None:
            return self._report_sight("blind", "the board is not in view", None, t_ns)
        has_all_dice = True
        if not self._is_slideshow:
            self._stills.attend(corners)
            reading, has_all_dice = self._let_go(reading)
        if reading.hand:
            self._spaces = None
            self._confirm_dice(reading)
            return self._report_sight("unsure", "hand over the board", None, t_ns)
        out: list[Seen] = []
        word, state = "", "well"
        if is_restless:
            word, state = "something keeps moving", "unsure"
        elif illegible := trouble(reading, self._due):
            word, state = illegible, "unsure"
        elif reading.camera_moved and self._has_just_moved(corners, t_ns):
            word = "camera moved, following"
        out.extend(self._report_sight(state, word, _confidence(reading), t_ns))
        look = _Look(frame_bgr, reading, t_ns)
        if has_all_dice:
            out.extend(self._dice(look))
        have_stood = self._have_stood(reading, t_ns)
        if is_at_rest or (have_stood and t_ns - self._rested_ns >= RESTLESS_S * 1e9):
            out.extend(self._standing(look))
        pause_s = SOON_S if self._throws.is_fresh else AGAIN_S
        self._is_scene_read = True
        if not has_all_dice:
            pause_s = BLOCKED_S
        elif self.is_clear:
            pause_s = AWAITED_S if self._throws.is_awaiting else CHECK_S
        self._next_ns = t_ns + round(pause_s * 1e9)
        return out

    def _let_go(self, reading: TableReading) -> tuple[TableReading, bool]:
        """The reading without dice that a hand holds, and whether all dice of a throw may lie there."""
        held = self._stills.are_held(np.array([die.box for die in reading.dice], np.float64).reshape(-1, 4))
        lying = [die for die, is_held in zip(reading.dice, held, strict=True) if not is_held]
        return replace(reading, dice=lying), not held.any() or self._throws.is_enough(len(lying))

    def _have_stood(self, reading: TableReading, t_ns: int) -> bool:
        """Whether pictures have shown tokens on these spaces for long."""
        spaces = sorted(token.square for token in reading.tokens)
        if self._spaces is None or spaces != self._spaces[0]:
            self._spaces = (spaces, t_ns)
        return t_ns - self._spaces[1] >= STOOD_S * 1e9

    def _has_just_moved(self, corners: NDArray[np.float64], t_ns: int) -> bool:
        """Whether the camera has come to where it is a short while ago: from then on it stands there."""
        if self._stood is None or np.abs(corners - self._stood[0]).max() > MOST_SHIFT_PX:
            self._stood = (corners.copy(), t_ns)
        return t_ns - self._stood[1] < FOLLOWED_S * 1e9

    def _confirm_dice(self, reading: TableReading) -> None:
        if self._is_slideshow and reading.corners_px is not None:
            places = places_of(reading.corners_px, [die.centre_px for die in reading.dice])
            self._throws.confirm(reading.dice, places)

    def _dice(self, look: _Look) -> list[Seen]:
        corners = look.reading.corners_px
        assert corners is not None, "only readings with a board get here"
        places = places_of(corners, [die.centre_px for die in look.reading.dice])
        self._throws.next_picture(look.reading.dice, places)
        if self._corners is None or np.abs(corners - self._corners).max() > MOST_SHIFT_PX:
            self._corners = corners.copy()
            self._throws.shift()
        looks = [look_of(look.frame_bgr, die.box) for die in look.reading.dice]
        put_down = None
        if not self._is_slideshow:
            boxes = np.array([die.box for die in look.reading.dice], np.float64).reshape(-1, 4)
            put_down = self._stills.are_put_down(boxes).tolist()
        throw = self._throws.feed(look.reading.dice, places, looks=looks, put_down=put_down)
        if throw is None:
            return []
        return self._throw_seen(throw, look)

    def _throw_seen(self, throw: Throw, look: _Look) -> list[Seen]:
        boxes = [die.box for die in throw.dice]
        crop, (x, y) = crop_around(look.frame_bgr, boxes)
        picture = self._picture(crop, look.t_ns)
        dice = tuple(
            DieSeen(
                kind=die.kind,
                faces={int(face): round(float(p * die.found), 5) for face, p in sorted(die.faces.items()) if p > 1e-4},
                cocked=round(float(die.tilted), 4),
                box_px=_from(die.box, x, y),
            )
            for die in throw.dice
        )
        thrown = round(throw.thrown, 4)
        return [picture, DiceSeen(dice=dice, throw=throw.number, thrown=thrown, picture=picture.id, t_ns=look.t_ns)]

    def _standing(self, look: _Look) -> list[Seen]:
        """Tokens, buildings and markers; one evidence picture serves them all."""
        reading, t_ns = look.reading, look.t_ns
        assert reading.corners_px is not None, "only readings with a board get here"
        pieces = _with_cop(reading)
        feet = places_of(reading.corners_px, [token.base_px for token in pieces])
        named, feet, cop = _without_cop(self._identity.name(pieces, feet), feet)
        self._attend(look, [*named, *cop])
        there = reading.markers
        if not self._is_slideshow:
            fallen = self._find_fallen(look, named, feet)
            named = self._glimpses.fill(look.frame_bgr, reading.corners_px, named)
            there = self._glimpses.fill_discs(look.frame_bgr, reading.corners_px, there, named)
            named = [token for token in named if token.name not in fallen]
        tokens = [*named, *cop]
        places = places_of(reading.corners_px, [token.base_px for token in tokens])
        seen: list[StandingSeen | TokenSeen | BuildingsSeen | MarkersSeen] = []
        hidden = blinded(reading)
        whole = self._whole.feed(named, t_ns, hidden)
        if whole is not None:
            seen.append(whole)
        seen += [change.seen for change in self._tokens.feed(tokens, places, t_ns, hidden)]
        standing = self._streets.told(reading.buildings, reading.doubted)
        streets = self._buildings.feed(_built(standing), (0, False), blinded=hidden)
        if streets:
            buildings = {SPACES[square]: Building(houses, hotel) for square, ((houses, hotel), _) in streets.items()}
            confidence = float(min(confidence for _, confidence in streets.values()))
            seen.append(BuildingsSeen(buildings=buildings, confidence=confidence, t_ns=t_ns))
        discs = self._markers.feed(_marked(there), (), blinded=hidden)
        if discs:
            markers = {SPACES[square]: kinds for square, (kinds, _) in discs.items()}
            confidence = float(min(confidence for _, confidence in discs.values()))
            seen.append(MarkersSeen(markers=markers, confidence=confidence, t_ns=t_ns))
        if not seen:
            return []
        picture = self._picture(look.frame_bgr, t_ns)
        return [picture, *(msgspec.structs.replace(observation, picture=picture.id) for observation in seen)]

    def _find_fallen(self, look: _Look, named: list[TokenReading], feet: list[Place]) -> set[str]:
        """The names of tokens that lie."""
        if self._pupil is None or look.reading.corners_px is None:
            return set()
        dice = places_of(look.reading.corners_px, [die.centre_px for die in look.reading.dice])
        return self._fallen.feed(named, self._pupil.fallen(look.frame_bgr, named), feet, dice)

    def _picture(self, image: FrameBgr, t_ns: int) -> Picture:
        if image.shape[1] > EVIDENCE_WIDTH:
            height = round(image.shape[0] * EVIDENCE_WIDTH / image.shape[1])
            image = np.asarray(cv2.resize(image, (EVIDENCE_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
        ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
        assert ok, "OpenCV could not compress a picture"
        self._picture_count += 1
        return Picture(id=f"{self._prefix}{self._picture_count:05d}", jpeg=data.tobytes(), t_ns=t_ns)

    def _report_sight(
        self, state: str, word: str, confidence: float | None, t_ns: int, at_once: bool = False
    ) -> list[Seen]:
        """The status light, when it changed and stayed so."""
        if self._sight_since is None or self._sight_since[0] != (state, word):
            self._sight_since = ((state, word), t_ns)
        lasted = t_ns - self._sight_since[1] >= SIGHT_S * 1e9
        last = self._sight
        if last is not None and (last.state, last.word) == (state, word):
            return []
        if last is not None and not (lasted or at_once or state == "well"):
            return []
        self._sight = msgspec.convert(
            {"type": "sight", "state": state, "word": word, "confidence": confidence, "t_ns": t_ns}, SightSeen
        )
        return [self._sight]


def _from(box: Box, x: float, y: float) -> Box:
    """The box in a crop that begins at (x, y)."""
    x0, y0, x1, y1 = (round(float(edge), 1) for edge in box)
    return x0 - x, y0 - y, x1 - x, y1 - y


def _confidence(reading: TableReading) -> float | None:
    """How sure the least sure token or die of the picture is."""
    values = [token.confidence for token in reading.tokens] + [die.confidence for die in reading.dice]
    return round(float(min(values)), 3) if values else None


def _with_cop(reading: TableReading) -> list[TokenReading]:
    """The tokens and the cop, each of which may be another one of them."""
    tokens = [*reading.tokens, *(_cop(marker) for marker in reading.markers if marker.kind == COP)]
    return [one if one.cop is None else replace(one, names={**one.names, COP: one.cop}) for one in tokens]


def _cop(marker: MarkerReading) -> TokenReading:
    if marker.token is not None:
        return marker.token
    x0, _, x1, y1 = marker.box
    base = ((x0 + x1) / 2, y1)
    return TokenReading(COP, {marker.square: marker.confidence}, base, marker.box)


def _without_cop(
    tokens: list[TokenReading], feet: list[Place]
) -> tuple[list[TokenReading], list[Place], list[TokenReading]]:
    """The players' tokens, where they stand, and the cop: at most one."""
    players = [index for index, token in enumerate(tokens) if token.name != COP]
    names = [{name: p for name, p in tokens[index].names.items() if name != COP} for index in players]
    own = [replace(tokens[index], names=seen) for index, seen in zip(players, names, strict=True)]
    return own, [feet[index] for index in players], [token for token in tokens if token.name == COP][:1]


def _built(buildings: dict[int, BuildingReading]) -> dict[int, tuple[tuple[int, bool], float]]:
    return {square: ((seen.houses, seen.hotel), seen.confidence) for square, seen in buildings.items()}


def _marked(markers: list[MarkerReading]) -> dict[int, tuple[tuple[str, ...], float]]:
    by_square: dict[int, list[MarkerReading]] = {}
    for marker in markers:
        if marker.kind != COP:
            by_square.setdefault(marker.square, []).append(marker)
    return {
        square: (tuple(sorted(marker.kind for marker in here)), min(marker.confidence for marker in here))
        for square, here in by_square.items()
    }


def crop_around(frame_bgr: FrameBgr, boxes: list[Box]) -> tuple[FrameBgr, tuple[int, int]]:
    """The part of the picture that holds all boxes, and its upper left px."""
    height, width = frame_bgr.shape[:2]
    x0, y0 = (min(box[k] for box in boxes) - CROP_MARGIN for k in (0, 1))
    x1, y1 = (max(box[k] for box in boxes) + CROP_MARGIN for k in (2, 3))
    grow_x, grow_y = max(0.0, CROP_PX[0] - (x1 - x0)) / 2, max(0.0, CROP_PX[1] - (y1 - y0)) / 2
    left, top = max(int(x0 - grow_x), 0), max(int(y0 - grow_y), 0)
    right, bottom = min(int(x1 + grow_x) + 1, width), min(int(y1 + grow_y) + 1, height)
    return np.ascontiguousarray(frame_bgr[top:bottom, left:right]), (left, top)
