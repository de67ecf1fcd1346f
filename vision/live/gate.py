"""The settled-scene gate: lets a picture be read only while nothing moves.

Works on a thumbnail, so that an idle scene costs next to nothing. What is compared are
consecutive thumbnails (fast motion) and the thumbnail of `SLOW_S` ago, or of the end of the last fast
motion (slow motion). What all the picture does is taken out first: a change of its brightness, as automatic
exposure makes it, and a little sway of the camera (`sway`). So is light that moves (`shade`). Colors are compared too:
a red die may be as bright as the blue board on which it lands.

It cannot be wedged: places that never come to rest (a screen, a fan, a curtain) are learned and left out, what
people do beside the board keeps no picture from passing, and after `PATIENCE_S` of unrest
everywhere one passes anyway, marked as restless.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.ground import Ground
from vision.live.shade import without_shade
from vision.live.sway import sway_of
from vision.pixels import median, split
from vision.sources.base import SMALL_WIDTH, FrameBgr, Jpeg, Shot

#: Width of the thumbnail; a 16 mm die, about 25 px at 1280 px, still covers 3 px of it.
THUMB_WIDTH = SMALL_WIDTH
#: Rest that is needed before a picture passes.
SETTLE_S = 0.08
#: Slow motion is looked for over this time.
SLOW_S = 0.15
#: Smallest change of brightness (0-255) that is motion; eight by eight px averaged leave a
#: webcam's noise (sigma up to 8) below 1.
STEP = 4.0
#: Smallest change in multiples of the mean change that a place shows at rest.
NOISE_STEPS = 4.5
#: The same in sigmas of the noise of the whole picture; 14,400 px rarely go beyond, and never three together. The noise
#: is taken from every so many px.
NOISE_SIGMAS, NOISE_EVERY = 4.5, 7
#: How much the changes of brightness, and of both colors, count: these go on for longer where dice have slowed down.
SAY = np.array([1.0, 0.5, 0.5])
#: A frame that is the one before to the bit tells nothing new for so long: no camera's noise is ever the same, and what
#: shows it on is a stream in a poor network, maybe while dice roll. (Of 1349 frames of H.264 at 350 and 1500 kbit/s
#: none is; the time is a guess.)
STUCK_S = 2.0
#: No noise of a webcam reaches this: all of the picture changes.
MOST_NOISE_STEP = 15.0
#: Thumbnail px that have to change together; one px flickers on a fold or an edge.
LEAST_PX = 3
#: A place that moves in this share of the last `RESTLESS_S` is furniture that moves.
RESTLESS_SHARE = 0.6
RESTLESS_S = 12.0
#: Light is known to move where it alone did in this share of the last `LIGHT_S`. (On other tables a hand that reaches
#: in is taken for light in 2 to 7% of the frames in which it moves.)
LIGHT_SHARE, LIGHT_S = 0.1, 10.0
#: After this time without rest a picture passes anyway.
PATIENCE_S = 15.0
#: What moves beside the board keeps no picture from passing: hands and those who sit around it move there all the
#: time. Dice come to rest there, too: it is told when what moves there has come to rest, and every so often while it
#: does not.
BEYOND_S = 1.0
#: What moves is a hand if so much changes as this share of the board: 62 of 2500 cm². (On one rendered table, 15 frames
#: a second, 1.7 to 14% did where a hand carried dice, and up to 1.2% where two rolled.)
HAND_SHARE = 0.025
#: What is gray in YCrCb, but for its brightness.
_GRAY = np.array([0, 128, 128], np.float32)

Points = NDArray[np.float64]
"""(n, 2) px, or (n, 4) of boxes: left, top, right, bottom."""
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Scene:
    """What the gate makes of one frame.

    Attributes:
        is_settled: it may be read.
        is_restless: it passed only because rest did not come for a long time.
        episode: counts up whenever motion is followed by rest; the same number is the same scene.
        moving_share: share of the picture that moved, 0-1, on the board where it is known.
        still_s: seconds of rest so far.
        beyond: counts up whenever what moved beyond that has come to rest, and every `BEYOND_S` that it moves.
        stirs: something moves there, or did a moment ago.
        sway: thumbnail px by which the camera swayed since the frame before.
    """

    is_settled: bool
    is_restless: bool
    episode: int
    moving_share: float
    still_s: float
    beyond: int
    stirs: bool
    sway: float


class Gate:
    """Fed with every frame, in order of time."""

    def __init__(self, settle_s: float = SETTLE_S, patience_s: float = PATIENCE_S) -> None:
        self._settle_s = settle_s
        self._patience_s = patience_s
        self._past: deque[tuple[int, Thumbnail]] = deque()
        self._noise: NDArray[np.float32] | None = None
        self._unrest: NDArray[np.float32] | None = None
        self._still_since_ns: int | None = None
        self._last_rest_ns = 0
        self._episode = 0
        self._was_settled = False
        self._last_motion = _Motion(0.0, False, 0.0)
        self._ground: Ground | None = None
        self._board: Mask | None = None
        self._light_share = 0.0
        self._stirred_ns = 0
        self._stirring_since_ns: int | None = None
        self._beyond = 0

    def attend(self, corners_px: Points, frame_shape: tuple[int, ...]) -> None:
        """Where the board is: only what moves there counts from now on.

        Args:
            corners_px: (4, 2) in order, in frames of this shape.
        """
        self._board = _board_of(_on_thumbnail(corners_px, frame_shape), _thumbnail_shape(*frame_shape[:2]))

    @property
    def is_attending(self) -> bool:
        """Whether it is known where the board is."""
        return self._board is not None

    def attend_everywhere(self) -> None:
        """It is not known any more where the board is: all that moves counts."""
        self._board = None

    def are_held(self, boxes_px: Points, frame_shape: tuple[int, ...]) -> NDArray[np.bool_]:
        """(n,) which of these (n, 4) dice lie in a hand that came lately, and off the board.

        What lies on the board has a hand over it, which readers notice.
        """
        held = np.zeros(len(boxes_px), bool)
        if self._board is None or self._ground is None:
            return held
        height, width = self._board.shape
        planes = self._past[-1][1].planes
        for index, (x0, y0, x1, y1) in enumerate(_on_thumbnail(boxes_px, frame_shape)):
            row, column = int(np.clip((y0 + y1) / 2, 0, height - 1)), int(np.clip((x0 + x1) / 2, 0, width - 1))
            held[index] = not self._board[row, column] and self._ground.is_held((x0, y0, x1, y1), planes)
        return held

    def are_put_down(self, boxes_px: Points, frame_shape: tuple[int, ...]) -> NDArray[np.bool_]:
        """(n,) which of all (n, 4) dice that lie there came from under a hand, after which nothing has moved there."""
        if self._ground is None:
            return np.zeros(len(boxes_px), bool)
        boxes, ground = _on_thumbnail(boxes_px, frame_shape), self._ground
        return np.array([ground.is_put_down(box, len(boxes_px)) for box in boxes], bool)

    def feed(self, shot: Shot, t_ns: int) -> Scene:
        """Judges the newest frame.

        Args:
            shot: a change of its sides starts afresh.
            t_ns: monotonic; frames may come at any rate.
        """
        thumb = thumbnail(shot)
        if self._past and self._past[-1][1].planes.shape != thumb.planes.shape:
            self._start_afresh()
        if not self._past:
            self._past.append((t_ns, thumb))
            self._last_rest_ns = t_ns
            return Scene(False, False, self._episode, 0.0, 0.0, self._beyond, False, 0.0)
        last_ns, last = self._past[-1]
        if not thumb.repeats(last) or t_ns - last_ns >= STUCK_S * 1e9:
            self._last_motion = self._motion(thumb, t_ns)
            self._past.append((t_ns, thumb))
            while len(self._past) > 2 and t_ns - self._past[1][0] >= SLOW_S * 1e9:
                self._past.popleft()
        self._note_beyond(self._last_motion.is_beyond, t_ns)
        return self._judge(self._last_motion, t_ns)

    def _start_afresh(self) -> None:
        self._past.clear()
        self._noise = self._unrest = self._ground = self._still_since_ns = None
        self.attend_everywhere()

    def _judge(self, motion: "_Motion", t_ns: int) -> Scene:
        before_ns = self._past[-2][0] if len(self._past) > 1 else t_ns
        if motion.share > 0.0:
            self._still_since_ns = None
            self._was_settled = False
        elif self._still_since_ns is None:
            self._still_since_ns = before_ns
        still_s = 0.0 if self._still_since_ns is None else (t_ns - self._still_since_ns) / 1e9
        is_settled = self._still_since_ns is not None and still_s >= self._settle_s
        is_restless = not is_settled and t_ns - self._last_rest_ns >= self._patience_s * 1e9
        if is_settled or is_restless:
            self._last_rest_ns = t_ns
            if not self._was_settled:
                self._episode += 1
            self._was_settled = is_settled
        passes = is_settled or is_restless
        stirs = motion.is_beyond or self._stirring_since_ns is not None
        return Scene(passes, is_restless, self._episode, motion.share, still_s, self._beyond, stirs, motion.sway)

    def _note_beyond(self, stirs: bool, t_ns: int) -> None:
        """Counts what moves beside the board, once it rests or has moved for long."""
        if stirs:
            self._stirred_ns = t_ns
            self._stirring_since_ns = t_ns if self._stirring_since_ns is None else self._stirring_since_ns
        if self._stirring_since_ns is None:
            return
        rests = t_ns - self._stirred_ns >= SLOW_S * 1e9
        if rests or t_ns - self._stirring_since_ns >= BEYOND_S * 1e9:
            self._beyond += 1
            self._stirring_since_ns = None

    def _motion(self, thumb: "Thumbnail", t_ns: int) -> "_Motion":
        """What moved since the frames before."""
        steps = _changes(self._past[-1][1], thumb)
        # The median stands for the noise of all the picture: what moves covers less than half of it.
        noise = 1.48 * median(np.abs(steps.reshape(3, -1)[:, ::NOISE_EVERY]).T)
        floors = np.maximum(STEP, np.minimum(NOISE_SIGMAS * noise, MOST_NOISE_STEP))
        floor, shares = float(floors[0]), (SAY * floors[0] / floors).astype(np.float32)[:, None, None]
        if self._noise is None or self._unrest is None or self._ground is None:
            self._noise = np.ones_like(steps[0])
            self._unrest = np.zeros_like(steps[0])
            self._ground = Ground(thumb.planes, t_ns)
        limit = np.maximum(floor, NOISE_STEPS * self._noise)
        step = _moved(steps, shares, limit, thumb)
        slow = step
        if len(self._past) > 1:
            slow = _moved(_changes(self._past[0][1], thumb), shares, limit, thumb)
        elapsed_s = min((t_ns - self._past[-1][0]) / 1e9, 1.0)
        changed = (step.steady > limit) | (slow.steady > limit)
        unlit = (step.unlit > limit) | (slow.unlit > limit)
        if self._knows_light(changed, unlit, elapsed_s):
            change, moving = step.unlit, unlit
        else:
            change, moving = step.steady, changed
        fast = change > limit
        hand_px = np.inf if self._board is None else HAND_SHARE * np.count_nonzero(self._board)
        self._ground.feed(thumb.planes, _with_insides(moving, changed), t_ns, hand_px)
        weight = np.float32(min(elapsed_s / RESTLESS_S * 2.0, 0.5))
        self._unrest += weight * (moving - self._unrest)
        self._noise += np.float32(0.05) * (change - self._noise) * ~moving
        is_furniture = self._unrest > RESTLESS_SHARE
        moving, fast = moving & ~is_furniture, fast & ~is_furniture
        is_beyond = False
        if self._board is not None:
            is_beyond = _largest_patch(moving & ~self._board) > 0
            moving, fast = moving & self._board, fast & self._board
        if _largest_patch(fast):
            # What moved fast differs from before for a while after it has come to rest.
            self._past.clear()
        return _Motion(_largest_patch(moving) / moving.size, is_beyond, step.sway)

    def _knows_light(self, changed: Mask, unlit: Mask, elapsed_s: float) -> bool:
        """Notes whether nothing but light moves over the board; whether it does so often that it is no motion.

        Args:
            changed: (h, w) where something changed; unlit: where no light explains that.
        """
        on_it = True if self._board is None else self._board
        is_light = _largest_patch(changed & on_it) > 0 and not _largest_patch(unlit & on_it)
        self._light_share += elapsed_s / LIGHT_S * (is_light - self._light_share)
        return self._light_share > LIGHT_SHARE


class _Motion(NamedTuple):
    """What moved between two frames.

    Attributes:
        share: of the thumbnail, where it counts, 0 at rest.
        is_beyond: whether something did beyond that.
        sway: thumbnail px by which the camera did.
    """

    share: float
    is_beyond: bool
    sway: float


class Thumbnail(NamedTuple):
    """A small picture.

    Attributes:
        planes: (3, h, THUMB_WIDTH) brightness, and by how much it is redder and bluer than gray (YCrCb).
        levels: (3,) the medians of these.
    """

    planes: NDArray[np.float32]
    levels: NDArray[np.float32]

    def repeats(self, before: "Thumbnail") -> bool:
        """Whether it is the one before to the bit."""
        return np.array_equal(self.planes, before.planes)


def thumbnail(shot: Shot) -> Thumbnail:
    """The frame as the gate compares it, each px the average of its block."""
    frame_bgr = shot.small_bgr if isinstance(shot, Jpeg) else shot
    height, width = frame_bgr.shape[:2]
    size = _thumbnail_shape(height, width)[::-1]
    small: FrameBgr = frame_bgr
    while small.shape[1] >= 2 * THUMB_WIDTH:
        # Halving takes OpenCV's fast path: six tenths of the time for the same average.
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8)
    small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
    planes = split(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb), np.uint8))
    # Counted, a fifth of the time that it takes to rank them.
    counts = np.array([cv2.calcHist([plane], [0], None, [256], [0, 256]).ravel() for plane in planes])
    levels = (2 * counts.cumsum(axis=1) < planes[0].size).sum(axis=1)
    return Thumbnail(planes.astype(np.float32) - _GRAY[:, None, None], levels.astype(np.float32) - _GRAY)


def _thumbnail_shape(height: int, width: int) -> tuple[int, int]:
    return max(1, round(height * THUMB_WIDTH / width)), THUMB_WIDTH


def _on_thumbnail(points_px: Points, frame_shape: tuple[int, ...]) -> Points:
    """Points or boxes of a frame on its thumbnail."""
    return (points_px + 0.5) * (THUMB_WIDTH / frame_shape[1]) - 0.5


def _changes(before: Thumbnail, after: Thumbnail) -> NDArray[np.float32]:
    """(3, h, w) change of each px beyond what all the picture changed in brightness and color."""
    gain = (after.levels[0] + 8) / (before.levels[0] + 8)
    gain = gain if 0.8 < gain < 1.25 else np.float32(1)
    tint = after.levels - before.levels * gain
    tint[0] = 0
    changes = before.planes * gain
    np.subtract(after.planes, changes, out=changes)
    changes -= tint[:, None, None]
    return changes


class _Change(NamedTuple):
    """How much a thumbnail changed.

    Attributes:
        steady: (h, w) the largest of three changes of each px, each times its share, less what a camera's sway makes.
        unlit: (h, w) the same less what light makes in place of a sway: both together explain too much.
        sway: thumbnail px of that.
    """

    steady: NDArray[np.float32]
    unlit: NDArray[np.float32]
    sway: float


def _moved(
    changes: NDArray[np.float32], shares: NDArray[np.float32], limit: NDArray[np.float32], thumb: Thumbnail
) -> _Change:
    """What changes to a thumbnail come to.

    A sway, or light that moves, is looked for only where more is beyond the (h, w) limit than flickers.
    """
    change = _largest(np.abs(changes) * shares)
    if np.count_nonzero(change > limit) < LEAST_PX:
        return _Change(change, change, 0.0)
    unlit, sway = _largest(without_shade(changes, thumb.planes) * shares), sway_of(changes[0], thumb.planes)
    if sway is None:
        return _Change(change, unlit, 0.0)
    return _Change(_largest(np.maximum(np.abs(changes) - sway.changes, 0) * shares), unlit, sway.px)


def _with_insides(moving: Mask, changed: Mask) -> Mask:
    """(h, w) where something moves, and where a patch changed of which that is a part: a hand inside its outline."""
    if not moving.any():
        return moving
    _, labels = cv2.connectedComponents((moving | changed).astype(np.uint8), connectivity=8)
    return np.isin(labels, np.unique(labels[moving]))


def _largest(changes: NDArray[np.float32]) -> NDArray[np.float32]:
    """(h, w) the largest of three."""
    return np.asarray(np.maximum(np.maximum(changes[0], changes[1]), changes[2]), np.float32)


def _board_of(corners: Points, shape: tuple[int, int]) -> Mask:
    """(h, w) where a picture shows a board whose (4, 2) corners are there."""
    board = np.zeros(shape, np.uint8)
    return np.asarray(cv2.fillConvexPoly(board, np.round(corners).astype(np.int32), (1,)) > 0)


def _largest_patch(moving: Mask) -> int:
    """Thumbnail px in patches of at least `LEAST_PX`."""
    if int(moving.sum()) < LEAST_PX:
        return 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(moving.astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    return int(areas[areas >= LEAST_PX].sum())
