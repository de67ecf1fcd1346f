"""From dice lying about to throws: what is a new throw, and what is only the old one lying there.

Places are in board units: the board's corners are (0, 0) to (1, 1), so that a bumped camera moves no die. Nor does a
board that is pushed along or turned: dice beside it stay where they are in the picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.observations import DieKind
from vision.detections import Box, DieReading

#: Edge of an ordinary die, 16 mm on a board of 50 cm, in board units.
DIE_EDGE = 0.033
#: Found again within this distance from picture to picture of one scene it is the same die.
SAME_PLACE = 0.6 * DIE_EDGE
#: A die within this distance of one of the last throw has not been thrown: in 6194 readings of dice that lay still
#: 99 of 100 were within 0.08 edges of the first, all within 0.23.
STILL = 0.25 * DIE_EDGE
#: Where others have moved while a throw is due, it has to lie within this: numbers may fall again where they lay.
EXACTLY = 0.12 * DIE_EDGE
#: Dice with unchanged faces that moved less than this were nudged, not thrown.
NUDGE = 2.5 * DIE_EDGE
#: Dice that kept their faces and their places to each other within this were pushed along together, if no farther than
#: this: half the board.
RIGID, FAR = 0.5 * DIE_EDGE, 0.5
#: A die below this probability may be read again before the throw is reported (the referee's own limit).
SURE = 0.97
#: A die that is less sure than this in a counted throw may still be put right by turning up otherwise.
DOUBTFUL = 0.9
#: Probability that dice were thrown that may as well have been pushed, or put down for who throws next: people are
#: asked, or the token tells.
EVEN = 0.5
#: Something seen in fewer than this share of the pictures is no die, nor what is less likely one than this.
SEEN_SHARE, LEAST_DETECTION = 0.6, 0.5
#: Where dice are missing, something seen in so many pictures may be one.
FAINT_PICTURES = 2
#: More dice than this are not put into pairs with the earlier ones.
MOST_DICE = 6

#: Correlation of two pictures of the middle of a die that lies still. Of 2916 pairs of pictures of such dice on four
#: rendered tables none was less alike (of looks whose boxes may not be off, 10), of 1500 pairs of dice that had been
#: thrown with the same face 80 in 100.
SAME_LOOK = 0.7
#: The same of dice that may have been pushed: 90 in 100 of such pairs are less alike, and nothing is lost where people
#: are asked.
PUSHED_LOOK = 0.8
#: The part of its box that is looked at, the px to which it is scaled, and by how many of these its box may be off.
LOOK_SHARE, LOOK_PX, LOOK_OFF = 0.79, 18, 1

#: By how much likelier something is a die when it makes up the number that the game waits for; an estimate, and a
#: modest one: in all of 5611 pictures of 64 rendered tables with as many finds as dice, dice were what was found.
EXPECTED_ODDS = 10.0
#: Places that are remembered for having looked like a die.
MOST_GHOSTS = 40

#: What each picture of a die says of its faces counts by how much it says at all, but for this: one out of focus leaves
#: to another what it shows. Pictures of one scene share their faults (glare, a hidden pip): that several agree counts
#: as this power of their number. And a face is never less likely than this.
LEAST_SAY, AGREED, LEAST_FACE = 0.02, 0.2, 1e-6

Place = tuple[float, float]
Look = NDArray[np.float32]
"""(LOOK_PX, LOOK_PX, 3)."""


@dataclass
class TrackedDie:
    """A die in one settled scene, over all its pictures.

    Attributes:
        log_faces: (n,) for each face from 1 on the sum over pictures of the logarithm of its probability, each times
            how much that picture says, 0-1 and a little; `say` is the sum of the latter.
        look: the middle of its picture, see `look_of`; None where nobody took it.
        is_expected: exactly as many dice were thrown as the game waits for, this one among them.
        is_put_down: it came from under a hand.
    """

    kind: DieKind
    place: Place
    box: Box
    log_faces: NDArray[np.float64]
    say: float
    pictures: int = 1
    cocked: float = 0.0
    detection: float = 1.0
    look: NDArray[np.float32] | None = None
    is_expected: bool = False
    is_put_down: bool = False

    @classmethod
    def of(cls, reading: DieReading, place: Place) -> "TrackedDie":
        """A die that one picture shows."""
        logs, say = _said(reading.faces, int(reading.kind[1:]))
        return cls(reading.kind, place, reading.box, logs * say, say, 1, reading.cocked, reading.detection)

    def see(self, reading: DieReading, place: Place) -> None:
        """Takes what one more picture shows of it."""
        logs, say = _said(reading.faces, len(self.log_faces))
        self.log_faces = self.log_faces + logs * say
        self.say += say
        self.pictures += 1
        self.place, self.box = place, reading.box
        self.cocked += (reading.cocked - self.cocked) / self.pictures
        self.detection += (reading.detection - self.detection) / self.pictures

    @property
    def faces(self) -> dict[int, float]:
        """Probability of each face, if it is a die that lies flat.

        Of 2997 dice on 64 rendered tables, two pictures each, 324 are not sure by this and five are wrong and sure; by
        the means of logarithms, of which what they left open was open, 555 and one; by four pictures 153 of 2719 and
        two, 436 and one.
        """
        chances = np.exp((self.log_faces - self.log_faces.max()) * (self.pictures**AGREED / self.say))
        return dict(enumerate((chances / chances.sum()).tolist(), 1))

    @property
    def center_px(self) -> Place:
        """The middle of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def edge_px(self) -> float:
        """The shorter side of its box."""
        return min(self.box[2] - self.box[0], self.box[3] - self.box[1])

    @property
    def value(self) -> int:
        return int(self.log_faces.argmax()) + 1

    @property
    def confidence(self) -> float:
        return max(self.faces.values()) * (1 - self.tilted) * self.found

    @property
    def tilted(self) -> float:
        """Probability that it lies tilted."""
        return _agreed(self.cocked, self.pictures)

    @property
    def found(self) -> float:
        """Probability that it is a die."""
        seen = _agreed(self.detection, self.pictures)
        odds = EXPECTED_ODDS if self.is_expected else 1.0
        return odds * seen / (odds * seen + 1 - seen)


class LyingDie(msgspec.Struct, frozen=True):
    """A die of the last throw that was counted.

    Attributes:
        at_px: its middle in the picture.
    """

    place: Place
    value: int
    confidence: float
    cocked: float = 0.0
    at_px: Place | None = None


@dataclass(frozen=True)
class Throw:
    """A throw to report: a new number, or the same one seen better.

    Attributes:
        thrown: probability that it is one at all: dice may only have been pushed, or put down.
    """

    number: int
    dice: tuple[TrackedDie, ...]
    thrown: float = 1.0


@dataclass
class ThrowWatch:
    """Fed with the dice of every picture of a settled scene.

    Dice that lie as they lay in a scene that was disturbed before they were read are looked at further.

    Attributes:
        wanted: how many dice the game waits for; None when nobody knows.
        least_pictures: in how many pictures dice have to lie in the same place before they count.
        most_pictures: after that many an unsure reading is reported as it is.
    """

    wanted: int | None = None
    least_pictures: int = 2
    most_pictures: int = 6
    number: int = 0
    lying: tuple[LyingDie, ...] | None = None
    was_away: bool = False
    _scene: list[TrackedDie] = field(default_factory=list)
    _disturbed: list[TrackedDie] = field(default_factory=list)
    _pictures: int = 0
    _pictures_before: int = 0
    _is_done: bool = False
    _looks: dict[Place, Look] = field(default_factory=dict)
    _ghosts: list[Place] = field(default_factory=list)
    _usual: int = 2
    _thrown: float = 1.0
    _has_shifted: bool = False

    def next_picture(self, dice: list[DieReading], places: list[Place]) -> None:
        """Dice that have come to lie where none lay when the scene had been read were not seen to move: in the dark."""
        there = [place for die, place in zip(dice, places, strict=True) if die.detection >= LEAST_DETECTION]
        if self._is_done and any(self._track_at(place) is None and not self._is_ghost(place) for place in there):
            self.new_scene()

    @property
    def is_fresh(self) -> bool:
        """One picture of the scene has been seen at most."""
        return self._pictures <= 1

    @property
    def is_awaiting(self) -> bool:
        """A throw is due, and no dice lie there."""
        return self.wanted is not None and not self._solid()

    def is_enough(self, dice: int) -> bool:
        """Whether a throw has no more dice than so many."""
        return dice >= (self.wanted or self._usual)

    def new_scene(self) -> None:
        """Something moved: what lies now is looked at afresh, unless it lies as it lay."""
        if self._is_done:
            self._note_ghosts(self._scene)
        elif self._scene:
            self._note_ghosts(self._disturbed)
            self._disturbed, self._pictures_before = self._scene, self._pictures
        self._scene = []
        self._pictures = 0
        self._is_done = False

    def _note_ghosts(self, dice: list[TrackedDie]) -> None:
        """None of these was counted, so that those that did not lie there before were none."""
        places = [die.place for die in self.lying or ()]
        strangers = [die.place for die in dice if all(_apart(die.place, place) >= SAME_PLACE for place in places)]
        self._ghosts = [*self._ghosts, *strangers][-MOST_GHOSTS:]

    def _go_on(self, places: list[Place], looks: list[Look] | None) -> None:
        """The first picture after a disturbance: the same dice in the same places are still the same scene."""
        before, self._scene, self._disturbed = self._disturbed, self._disturbed, []
        found = [self._track_at(place) for place in places]
        solid = {id(track) for track in before if track.pictures >= SEEN_SHARE * self._pictures_before}
        is_same = bool(found) and all(found) and solid <= set(map(id, found))
        for track, look in zip(found, looks or [], strict=False):
            if track is not None and track.look is not None:
                is_same = is_same and alike(track.look, look) >= SAME_LOOK
        if is_same:
            self._pictures = self._pictures_before
        else:
            self._scene = []
            self._note_ghosts(before)

    @property
    def is_done(self) -> bool:
        """Further pictures of this scene would change nothing."""
        return self._is_done

    def feed(
        self,
        dice: list[DieReading],
        places: list[Place],
        is_last: bool = False,
        looks: list[Look] | None = None,
        put_down: Sequence[bool] | None = None,
    ) -> Throw | None:
        """Takes the dice of one more picture of the scene.

        Args:
            put_down: which dice came from under a hand.
            looks: how each die looks (`look_of`): one that fell again on its old place looks otherwise.
            is_last: no better picture will come; report what there is.
        Returns:
            A throw when this picture settled one.
        """
        self._take(dice, places, looks, put_down)
        return self._judge(is_last)

    def confirm(self, dice: list[DieReading], places: list[Place]) -> None:
        """Takes a picture in which a hand covers part of the table: it may support dice, never rule them out."""
        for reading, place in zip(dice, places, strict=True):
            track = self._track_at(place)
            if track is not None and track.value == reading.value:
                track.see(reading, place)

    def shift(self) -> None:
        """The board shows elsewhere: it was moved, or the camera was, and then everything looks otherwise."""
        self._looks = {}
        self._has_shifted = True

    def _lay(self, dice: list[TrackedDie]) -> None:
        """These are the dice of the last throw, as they lie now."""
        self.lying = _lying(dice)
        self._looks = {die.place: die.look for die in dice if die.look is not None}
        self._has_shifted = False

    def _lie_on(self, dice: list[TrackedDie]) -> None:
        """These dice lie where they lay, which may be elsewhere on the board by now."""
        if self._has_shifted:
            now = {id(self._still(die)): die for die in dice}
            self.lying = tuple(
                msgspec.structs.replace(old, place=now[id(old)].place, at_px=now[id(old)].center_px)
                if id(old) in now
                else old
                for old in self.lying or ()
            )
            self._has_shifted = False

    def _take(
        self,
        dice: list[DieReading],
        places: list[Place],
        looks: list[Look] | None = None,
        put_down: Sequence[bool] | None = None,
    ) -> None:
        if not self._pictures:
            self._go_on(places, looks)
        self._pictures += 1
        for reading, place, is_put in zip(dice, places, put_down or [False] * len(dice), strict=True):
            track = self._track_at(place)
            if track is None:
                self._scene.append(replace(TrackedDie.of(reading, place), is_put_down=is_put))
            else:
                track.see(reading, place)
        for place, look in zip(places, looks or [], strict=False):
            track = self._track_at(place)
            if track is not None:
                track.look = look

    def _track_at(self, place: Place) -> TrackedDie | None:
        near = [track for track in self._scene if _apart(track.place, place) < SAME_PLACE]
        return min(near, key=lambda track: _apart(track.place, place), default=None)

    def _solid(self) -> list[TrackedDie]:
        """Dice that were there in most pictures."""
        least = SEEN_SHARE * self._pictures
        return [track for track in self._scene if track.pictures >= least and track.detection >= LEAST_DETECTION]

    def _faint(self) -> list[TrackedDie]:
        """What looked like a die in some pictures only, where nothing did before anybody threw."""
        solid = {id(track) for track in self._solid()}
        others = [track for track in self._scene if id(track) not in solid and track.detection >= LEAST_DETECTION]
        return [track for track in others if not self._is_ghost(track.place) and self._still(track) is None]

    def _with_faint(self, dice: list[TrackedDie]) -> list[TrackedDie]:
        """The dice and, as long as there are too few, what looked like one often enough; as unsure as it was rare."""
        faint = [track for track in self._faint() if track.pictures >= FAINT_PICTURES]
        missing = max((self.wanted or self._usual) - len(dice), 0)
        chosen = sorted(faint, key=lambda track: -track.pictures * track.detection)[:missing]
        shares = [track.pictures / self._pictures for track in chosen]
        weak = [replace(die, detection=die.detection * share) for die, share in zip(chosen, shares, strict=True)]
        return [*dice, *weak]

    def _is_ghost(self, place: Place) -> bool:
        return any(_apart(place, ghost) < SAME_PLACE for ghost in self._ghosts)

    def _moved(self, dice: list[TrackedDie]) -> list[TrackedDie]:
        """Those that do not lie as a die of the last throw lay."""
        moved = [die for die in dice if self._still(die) is None]
        if moved and self.wanted is not None:
            moved = [die for die in dice if self._still(die, EXACTLY) is None]
        return moved

    def _still(self, die: TrackedDie, within: float = STILL) -> LyingDie | None:
        for old in self.lying or ():
            if not self._is_where(old, die, within):
                continue
            look = self._looks.get(old.place)
            if look is not None and die.look is not None and alike(look, die.look) < SAME_LOOK:
                continue
            if old.value == die.value or old.confidence < DOUBTFUL:
                return old
        return None

    def _is_where(self, old: LyingDie, die: TrackedDie, within: float) -> bool:
        """Whether a die lies where one lay: on the board or, if that shows elsewhere now, in the picture."""
        if _apart(old.place, die.place) < within:
            return True
        if not self._has_shifted or old.at_px is None:
            return False
        return _apart(old.at_px, die.center_px) < within / DIE_EDGE * die.edge_px

    def _judge(self, is_last: bool) -> Throw | None:
        dice = self._solid()
        enough = self._pictures >= self.least_pictures or is_last
        exhausted = self._pictures >= self.most_pictures or is_last
        if self.lying is None:
            # Dice that lie there when watching begins were thrown before.
            if enough:
                self._lay(dice)
            return None
        if exhausted:
            dice = self._with_faint(dice)
        if not dice:
            if self._pictures >= self.least_pictures and (exhausted or not self._faint()):
                self.was_away = self.was_away or bool(self.lying)
                self._is_done = True
            return None
        moved = self._moved(dice)
        for die in moved:
            die.is_expected = len(moved) == self.wanted
        is_sure = all(die.confidence >= SURE for die in dice) and all(
            die.pictures >= min(self.least_pictures, self._pictures) for die in dice
        )
        if not enough or not (is_sure or exhausted):
            return None
        if not moved:
            self._lie_on(dice)
            return self._same_throw_better(dice, exhausted)
        return self._weigh(dice, moved, exhausted)

    def _weigh(self, dice: list[TrackedDie], moved: list[TrackedDie], exhausted: bool) -> Throw | None:
        """Some dice do not lie as they lay: a throw, a nudge, or a part of a throw."""
        stayed = [die for die in dice if die not in moved]
        wanted = self.wanted or self._usual
        if stayed and not (self.wanted is not None and len(moved) >= self.wanted):
            return self._part_of_throw(dice, moved, stayed, wanted, exhausted)
        if len(moved) < wanted and not exhausted:
            return None
        pushed = self._pushed(self._gone(stayed), moved)
        is_due = self.wanted is not None and len(moved) >= self.wanted
        if pushed and not (is_due and any(self._may_be_thrown(old, new) for old, new in pushed)):
            self._lay(dice)
            self._is_done = True
            return None
        # Turned, or moved far, while a throw is due: pushed by chance, or thrown with the same faces. Or put down.
        counted = self._without_ghosts(moved, wanted)
        is_doubtful = bool(pushed) or all(die.is_put_down for die in counted)
        return self._count(counted, dice, EVEN if is_doubtful else 1.0)

    def _without_ghosts(self, moved: list[TrackedDie], wanted: int) -> list[TrackedDie]:
        """Too many dice: what looked like a die there before anybody threw is part of the picture on the board."""
        if self.wanted is None or len(moved) <= wanted:
            return moved
        real = [die for die in moved if not self._is_ghost(die.place)]
        if len(real) < wanted:
            real = moved
        strong = [die for die in real if die.found >= SURE]
        return strong if len(strong) == wanted else real

    def _part_of_throw(
        self, dice: list[TrackedDie], moved: list[TrackedDie], stayed: list[TrackedDie], wanted: int, exhausted: bool
    ) -> Throw | None:
        """A die that stayed says that the throw is still the old one."""
        lying = self.lying or ()
        self._is_done = exhausted
        if len(lying) < wanted <= len(dice) and exhausted:
            # A die that was hidden has come to light.
            self._lay(dice)
            return Throw(self.number, tuple(dice), self._thrown) if self.number else None
        if len(dice) != len(lying):
            return None
        gone = self._gone(stayed)
        if len(gone) != 1 or len(moved) != 1:
            return None
        old, new = gone[0], moved[0]
        if old.cocked > 0.5 or old.confidence < DOUBTFUL:
            self._lay(dice)
            return Throw(self.number, tuple(dice), self._thrown) if self.number else None
        if new.value == old.value and _apart(new.place, old.place) < NUDGE:
            self._lay(dice)
        return None

    def _gone(self, stayed: list[TrackedDie]) -> list[LyingDie]:
        """The dice of the last throw that do not lie any more where they lay."""
        return [old for old in self.lying or () if all(self._still(die) is not old for die in stayed)]

    def _pushed(self, gone: list[LyingDie], moved: list[TrackedDie]) -> list[tuple[LyingDie, TrackedDie]]:
        """Each die before and after, where all show the same faces close by or moved along together.

        Others of them may be hidden now, but for those that moved along. Nothing where they were not pushed, or where
        somebody saw the dice away.
        """
        if self.was_away or not len(moved) <= len(gone) <= MOST_DICE:
            return []
        for chosen in permutations(gone, len(moved)):
            pairs = list(zip(chosen, moved, strict=True))
            if any(old.value != new.value for old, new in pairs):
                continue
            shifts = np.array([np.subtract(new.place, old.place) for old, new in pairs])
            if float(np.linalg.norm(shifts, axis=1).max()) < NUDGE:
                return pairs
            is_rigid = float(np.linalg.norm(shifts - shifts.mean(axis=0), axis=1).max()) < RIGID
            if 1 < len(pairs) == len(gone) and is_rigid and float(np.linalg.norm(shifts, axis=1).max()) < FAR:
                return pairs
        return []

    def _may_be_thrown(self, old: LyingDie, new: TrackedDie) -> bool:
        """Whether a die lies farther away than hands brush it, or looks otherwise than it lay before."""
        if _apart(old.place, new.place) >= NUDGE:
            return True
        look = self._looks.get(old.place)
        return look is not None and new.look is not None and alike(look, new.look) < PUSHED_LOOK

    def _count(self, moved: list[TrackedDie], dice: list[TrackedDie], thrown: float) -> Throw:
        """A new throw of the dice that `moved`; what else looks like `dice` stays where it is, and is none."""
        self.number += 1
        self._thrown = thrown
        self._usual = len(moved)
        self._lay(dice)
        self.was_away = False
        self._is_done = True
        return Throw(self.number, tuple(replace(die) for die in moved), thrown)

    def _same_throw_better(self, dice: list[TrackedDie], exhausted: bool) -> Throw | None:
        """The dice lie still; reported once more only when they were unsure and are sure now."""
        lying = self.lying or ()
        confidence = min(die.confidence for die in dice)
        self._is_done = exhausted or confidence >= SURE
        was_sure = all(die.confidence >= SURE for die in lying)
        if not self.number or len(dice) != len(lying) or was_sure or confidence < SURE:
            return None
        self._lay(dice)
        return Throw(self.number, tuple(dice), self._thrown)


def look_of(frame_bgr: NDArray[np.uint8], box: Box) -> Look:
    """The middle of a die's picture, to be compared by `alike`."""
    height, width = frame_bgr.shape[:2]
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    half_x, half_y = (box[2] - box[0]) * LOOK_SHARE / 2, (box[3] - box[1]) * LOOK_SHARE / 2
    top, bottom = max(int(y - half_y), 0), min(int(y + half_y) + 1, height)
    left, right = max(int(x - half_x), 0), min(int(x + half_x) + 1, width)
    if bottom - top < 2 or right - left < 2:
        return np.zeros((LOOK_PX, LOOK_PX, 3), np.float32)
    soft = cv2.GaussianBlur(frame_bgr[top:bottom, left:right], (3, 3), 0)
    return np.asarray(cv2.resize(soft, (LOOK_PX, LOOK_PX), interpolation=cv2.INTER_AREA), np.float32)


def alike(one: Look, other: Look) -> float:
    """Correlation of two looks, -1 to 1, whatever their brightness and color, and though a box is a little off."""
    middle = one[LOOK_OFF:-LOOK_OFF, LOOK_OFF:-LOOK_OFF]
    if not middle.std(axis=(0, 1)).any():
        return 1.0
    return float(cv2.matchTemplate(other, middle, cv2.TM_CCOEFF_NORMED).max())


def _said(faces: Mapping[int, float], count: int) -> tuple[NDArray[np.float64], float]:
    """Logarithms (count,) of the probabilities of the faces from 1 on, and how much these say, 0-1 and a little."""
    named = np.array([faces.get(face, 0.0) for face in range(1, count + 1)])
    # What was left open goes to the faces that were not named.
    is_open = named == 0 if (named == 0).any() else np.ones(count, bool)
    chances = np.maximum(named + is_open * (max(1 - named.sum(), 0.0) / is_open.sum()), LEAST_FACE)
    chances /= chances.sum()
    logs = np.log(chances)
    return logs, 1 + float(chances @ logs) / float(np.log(count)) + LEAST_SAY


def _agreed(probability: float, pictures: int) -> float:
    """What a probability in the mean of several pictures comes to; pictures that agree count as two at most."""
    weight = min(pictures, 2)
    yes, no = probability**weight, (1 - probability) ** weight
    return yes / (yes + no) if yes + no > 0 else 0.0


def _lying(dice: list[TrackedDie]) -> tuple[LyingDie, ...]:
    return tuple(LyingDie(die.place, die.value, die.confidence, die.tilted, die.center_px) for die in dice)


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
