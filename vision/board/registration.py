"""Finding the board in a picture by its artwork, with no markers.

The empty picture and four taps make a `Reference`: the camera's view and the artwork seen straight
from above. Every frame is registered to the artwork, not to the empty picture's pose: first where
the board lay last, by the flow of corners of the artwork; when that fails, not far from there, and then anywhere, by
features that it shows from above and from low down.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.edge import refine_taps, to_the_edge
from vision.board.features import Features
from vision.board.layout import find_layout
from vision.board.lines import on_the_lines
from vision.board.view import RADIAL_SPREAD, Points, View, pose_from_points, refine, usual_focal, view_from_corners
from vision.legibility import detail
from vision.pixels import Image, fixed_map, gray_of, halved, remap, shrunk, steps

#: Px of the board's side seen straight from above, for alignment.
SIDE_PX = 512
#: Rim around it, for what stands on the board's edge.
RIM_PX = 16
#: Corners of the artwork that are followed; a third is enough when hands and money cover the rest.
FOLLOWED = 220
#: Mean way of the board's corners beyond which the camera has been moved, in shares of the picture's width
#: (3 px of 1280): a shaken or refocused picture moves under half of it.
MOVED_SHARE = 3.0 / 1280
#: Inliers of the flow, and of the feature matches, below which the board is not where it was thought to be.
LEAST_FLOW, LEAST_MATCHES = 0.22, 12
#: Where fewer agree elsewhere than the board lay, it is looked for further, and believed where most agree: its streets
#: look alike, and its sides. Of 280 rendered pictures after a bump two were read a street beside, by 0.24 and 0.25, and
#: next to empty pictures from elsewhere two of 80 lay the other way round, by 0.5 and 0.63; of 84 where the camera was
#: moved all agree by 0.82 and more.
SURE_FLOW = 0.75
#: Px from above by which a corner may miss the place where all go.
LARGEST_MISS = 1.5
#: Another lens is believed when this share of the corners then lie within `LARGEST_MISS`, and the rest of their way
#: is at most this share of what it was; or this one, where the lens was told by features alone.
LEAST_LENS, LENS_GAIN, FINER_LENS = 0.6, 0.75, 0.95
#: Pictures whose sides have the same ratio, within this, are of one camera.
SAME_SIDES = 0.02
#: Window in which light is evened out at half the size, and every how many rows of the board show its detail.
HALF_AROUND, DETAIL_ROWS = 15, 8
#: Halvings of the picture over which the corners are followed: one more doubles how far.
HALVINGS = 2
#: Features of the artwork looked for about where it lay, over so many sizes, each smaller by this factor; and px from
#: above by which one may miss. So many, of at least this contrast, are looked for anywhere.
NEARBY, SIZES, SMALLER, FAR_MISS = 1000, 3, 1.2, 3.0
ANYWHERE, LEAST_CONTRAST = 1000, 0.02
#: Where this share of the corners went less far than that, and less than this on average, the board lies where it lay:
#: 0.07 to 0.25 px under a camera at rest, for noise and what stands on the board.
LEAST_STILL, STILL_PX = 0.5, 0.35
#: How exactly they are followed for that: in ten steps, or to 0.03 px.
STILL_STEPS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 10, 0.03)

#: Share of the lines between spaces that have to show to draw a view to them; what well tapped corners are off (root of
#: the mean square along x and y, px of 1280); and in multiples of what they are off how far away the edge may lie.
#: (From low down fewer lines show: of 60 boards with taps off by 6 px 56 are found within 6 px so, 52 by a share of
#: 0.75. Where taps are off by 2 px and more, rendered boards would gain, but printed ones are no exact squares, and a
#: photographed one would be off by 1.5, not 0.8 px.)
LEAST_LINES, TAPPED_WELL, NEAR_TAPS = 0.5, 3.0, 1.0
#: A lens is very wide where lines tell less distortion than this, which is twice the spread of usual ones: 42 of 48
#: rendered boards before very wide lenses do, none of 73 before usual ones, and none of 120 scans.
BENT = -2 * RADIAL_SPREAD


def rectified_map(view: View, side_px: int = SIDE_PX, rim_px: int = RIM_PX, step: int = 16) -> NDArray[np.float32]:
    """(n, n, 2) map for `cv2.remap`: the board from above, GO at the lower right."""
    n = side_px + 2 * rim_px
    coarse = np.arange(0, n + step, step, dtype=np.float64)
    x = (coarse - rim_px + 0.5) / side_px - 0.5
    grid = np.stack(np.meshgrid(x, -x), axis=-1).reshape(-1, 2)
    px = view.project(grid).reshape(len(coarse), len(coarse), 2).astype(np.float32)
    return remap(px, steps(n, n, step))


def half_map(view: View) -> NDArray[np.float32]:
    """(n, n, 2) map for `cv2.remap`: the board from above at half the size, of a picture at half its size."""
    return (rectified_map(view, SIDE_PX // 2, RIM_PX // 2) - np.float32(0.5)) / np.float32(2)


def rectify(picture: Image, view: View, side_px: int = SIDE_PX, rim_px: int = RIM_PX) -> Image:
    """The board from above."""
    return remap(picture, rectified_map(view, side_px, rim_px))


def to_rectified(points: Points, side_px: int = SIDE_PX, rim_px: int = RIM_PX) -> Points:
    """Board points (n, 2) to px of the rectified picture."""
    return np.column_stack([points[:, 0] + 0.5, 0.5 - points[:, 1]]) * side_px + rim_px - 0.5


def from_rectified(px: Points, side_px: int = SIDE_PX, rim_px: int = RIM_PX) -> Points:
    """Px of the rectified picture to board points (n, 2)."""
    share = (px - rim_px + 0.5) / side_px
    return np.column_stack([share[:, 0] - 0.5, 0.5 - share[:, 1]])


def flattened(gray: Image, around: int = 31) -> Image:
    """A gray picture with light and contrast evened out, so that other light, glare and print scans compare.

    Args:
        around: px across the window in which they are evened out.
    """
    opencv: Any = cv2  # its stubs do not know numbers as operands
    soft = cv2.GaussianBlur(gray, (5, 5), 0.8)
    mean = cv2.boxFilter(soft, cv2.CV_32F, (around, around))
    variance = opencv.subtract(cv2.sqrBoxFilter(soft, cv2.CV_32F, (around, around)), cv2.multiply(mean, mean))
    spread = opencv.add(cv2.sqrt(opencv.max(variance, 0.0)), 6.0)
    away = cv2.divide(cv2.subtract(soft, mean, dtype=cv2.CV_32F), spread, scale=48.0)
    return np.asarray(opencv.add(away, 128.0, dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True)
class Registration:
    """Where the board is in a frame.

    Attributes:
        view: None when it was not found.
        support: share of the artwork's followed corners, or number of matches as a share, that agree; 0-1.
        moved: the camera or board is elsewhere than in the empty picture.
        detail: the board's fine structure as a share of the empty picture's.
    """

    view: View | None
    support: float
    moved: bool
    detail: float = 1.0


def view_of_taps(empty_bgr: Image, taps: Points) -> View:
    """View of a board of which somebody tapped the corners.

    Where the lines between its spaces show that they were tapped well, sides are drawn to the edges next to the taps,
    through the lens that these lines tell if that is a very wide one; else the view is drawn to these lines, and to the
    edge that shows about as far out as was tapped.

    Args:
        empty_bgr: (h, w, 3) uint8.
        taps: (4, 2) px, GO's outer corner first, in the direction of travel.
    """
    px = empty_bgr.shape[1] / 1280
    view, lines, _ = _by_lines(empty_bgr, taps)
    tapped = view.sized_to(taps)
    if lines < LEAST_LINES or _missed_by(tapped, taps) < TAPPED_WELL * px:
        is_wide = lines >= LEAST_LINES and view.radial < BENT
        return refine_taps(empty_bgr, taps, like=view if is_wide else None)
    # Corners that miss tell another lens, and from straight above lines keep to it.
    view, _, unit = _by_lines(empty_bgr, tapped.corners_px())
    tapped = view.sized_to(taps)
    edge = to_the_edge(empty_bgr, view, unit)
    farther_px = float(np.abs(tapped.to_board(edge.corners_px())).mean() - 0.5) * tapped.scale_at(np.zeros(2))
    return edge if abs(farther_px) < NEAR_TAPS * _missed_by(tapped, taps) else tapped


def _by_lines(empty_bgr: Image, corners: Points) -> tuple[View, float, float]:
    """The view of a board about there by `on_the_lines`, what share of these shows, and the width of a space by it."""
    first = view_from_corners((empty_bgr.shape[1], empty_bgr.shape[0]), corners)
    unit = find_layout(rectify(empty_bgr, first), SIDE_PX, RIM_PX).unit
    return *on_the_lines(empty_bgr, first, unit), unit


def _missed_by(view: View, taps: Points) -> float:
    """By how many px taps miss its corners, root of the mean square along x and y."""
    return float(np.sqrt(np.square(view.corners_px() - taps).mean()))


class Reference:
    """The empty board: its view and its artwork.

    Args:
        empty_bgr: (h, w, 3) uint8.
        taps: (4, 2) px, GO's outer corner first, in the direction of travel.

    Attributes:
        view: of the empty picture.
        artwork: the empty board from above, gray.
    """

    def __init__(self, empty_bgr: Image, taps: Points) -> None:
        self.view = view_of_taps(empty_bgr, np.asarray(taps, np.float64))
        self.taps = taps
        self.artwork = rectify(gray_of(empty_bgr), self.view)
        self._flat = flattened(self.artwork)
        inside = np.zeros(self._flat.shape, np.uint8)
        inside[RIM_PX + 4 : -RIM_PX - 4, RIM_PX + 4 : -RIM_PX - 4] = 255
        self._points = self._spread_points(inside)
        opencv: Any = cv2  # its stubs lack SIFT and ORB
        sift = opencv.SIFT_create(nfeatures=ANYWHERE, contrastThreshold=LEAST_CONTRAST)
        self._features = Features(sift, cv2.NORM_L2, self._flat, inside, from_low_down=True)
        orb = opencv.ORB_create(NEARBY, SMALLER, SIZES, fastThreshold=7)
        self._nearby = Features(orb, cv2.NORM_HAMMING, self._flat, inside)
        self._last: View | None = None
        # By how much the corners lie elsewhere than the last view has them, px from above: paper bulges, prints differ.
        self._off = np.zeros((len(self._points), 2))
        self._mapped = (self.view, rectified_map(self.view))
        self._rows = (self.view, fixed_map(self._mapped[1][::DETAIL_ROWS]))
        self._own_detail = self._detail_of(empty_bgr, self.view)
        self._half_view, self._half_map = self.view, fixed_map(half_map(self.view))
        self._half_flat = flattened(remap(gray_of(halved(empty_bgr)), self._half_map), HALF_AROUND)

    def _spread_points(self, inside: Image) -> NDArray[np.float32]:
        """(n, 1, 2) corners of the artwork, spread over the board so that a hand never covers all."""
        points = cv2.goodFeaturesToTrack(self._flat, FOLLOWED * 4, 0.01, 5, mask=inside, blockSize=5)
        if points is None:
            return np.zeros((0, 1, 2), np.float32)
        cells: dict[tuple[int, int], int] = {}
        kept = []
        for point in points[:, 0]:
            cell = (int(point[0] // 64), int(point[1] // 64))
            cells[cell] = cells.get(cell, 0) + 1
            if cells[cell] <= FOLLOWED // 40:
                kept.append(point)
        return np.array(kept[:FOLLOWED], np.float32).reshape(-1, 1, 2)

    def register(self, frame_bgr: Image, half_bgr: Image | None = None) -> Registration:
        """Finds the board in a frame; remembers where, as the first guess for the next.

        Args:
            half_bgr: the frame at half its size, where it is known.
        """
        if not len(self._points):
            # The empty picture shows nothing by which a board could be known.
            return Registration(None, 0.0, True)
        first = self._scaled_view(frame_bgr)
        last = self._last if self._last is not None and self._last.size == first.size else first
        support = self._lies_still(halved(frame_bgr) if half_bgr is None else half_bgr, last)
        if support:
            return self._found(frame_bgr, last, support)
        gray = gray_of(frame_bgr)
        view, support, off = None, 0.0, self._off
        for guess in self._guesses(gray, first, last):
            found, agree = self._follow(gray, guess)
            if found is not None and agree > support:
                view, support, off = found, agree, self._off
            if view is not None and (support > SURE_FLOW or self._is_near(view, last)):
                break
        self._off = off
        return Registration(None, 0.0, True) if view is None else self._found(frame_bgr, view, support)

    @staticmethod
    def _is_near(view: View, last: View) -> bool:
        """Whether the board lies so near to where it lay that no street of it can be where another was."""
        return float(np.hypot(*(view.corners_px() - last.corners_px()).T).mean()) < MOVED_SHARE * view.size[0]

    def _lies_still(self, half_bgr: Image, view: View) -> float:
        """Share of the artwork's corners that lie where a view has them, seen at half the size; 0 when some moved."""
        if view is not self._half_view:
            self._half_view, self._half_map = view, fixed_map(half_map(view))
        now = flattened(remap(gray_of(half_bgr), self._half_map), HALF_AROUND)
        # Half of them tell this as well.
        off = (self._off if view is self._last else np.zeros_like(self._off))[::2].astype(np.float32) / 2
        points = (self._points[::2, 0] + np.float32(0.5)) / 2 - np.float32(0.5)
        where, status, _ = cv2.calcOpticalFlowPyrLK(
            self._half_flat,
            now,
            points,
            points + off,
            winSize=(11, 11),
            maxLevel=0,
            criteria=STILL_STEPS,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        ways = 2 * np.hypot(*(where - points - off)[status[:, 0] == 1].T)
        stayed = ways < LARGEST_MISS
        support = float(stayed.sum() / max(len(points), 1))
        return support if support > LEAST_STILL and ways[stayed].mean() < STILL_PX else 0.0

    def _guesses(self, gray: Image, first: View, last: View) -> Iterator[View]:
        """Where the board may be, the cheapest first: where it lay last, or first, not far from there, anywhere."""
        before = [last] if last is first else [last, first]
        yield from before
        most = min(1.0, 1280 / gray.shape[1])
        nearby = [partial(self._bumped, view) for view in before]
        for look in (*nearby, partial(self._search, most / 2), partial(self._search, most)):
            guess = look(gray)
            if guess is not None:
                yield guess

    def _flow(self, gray: Image, view: View) -> tuple[NDArray[np.bool_], Points, Points]:
        """Which of the artwork's corners were found, where (n, 2) they are and where they should be, px from above."""
        now = flattened(self._rectify(gray, view))
        no_guess: Any = None
        flow, status, _ = cv2.calcOpticalFlowPyrLK(
            self._flat, now, self._points, no_guess, winSize=(17, 17), maxLevel=HALVINGS
        )
        good = status[:, 0] == 1
        return good, self._points[good, 0].astype(np.float64), flow[good, 0].astype(np.float64)

    def _bumped(self, last: View, gray: Image) -> View | None:
        """About where the board is when it or the camera was pushed.

        Seen as from above by where it lay, the artwork looks much as it did, from however low down.
        """
        source, target = self._nearby.found_in(flattened(self._rectify(gray, last)))
        keep = _agreeing(source, target, FAR_MISS)
        if keep is None:
            return None
        view = pose_from_points(last, from_rectified(source[keep]), last.project(from_rectified(target[keep])))
        return view if view.is_sane() else None

    def _rectify(self, gray: Image, view: View) -> Image:
        return remap(gray, self._map_of(view))

    def _map_of(self, view: View) -> NDArray[np.float32]:
        if view is not self._mapped[0]:
            self._mapped = (view, rectified_map(view))
        return self._mapped[1]

    def _detail_of(self, frame_bgr: Image, view: View) -> float:
        if view is not self._rows[0]:
            self._rows = (view, fixed_map(self._map_of(view)[::DETAIL_ROWS]))
        return detail(gray_of(remap(frame_bgr, self._rows[1])))

    def _scaled_view(self, frame: Image) -> View:
        """The empty picture's view for the frame's size, for a camera that now delivers another size.

        What has other sides is of another camera, or a scan, and tells nothing of this one's lens.
        """
        size, own = (frame.shape[1], frame.shape[0]), self.view.size
        if size == own:
            return self.view
        is_same = abs(size[0] * own[1] / (size[1] * own[0]) - 1) < SAME_SIDES
        focal, radial = (self.view.focal_px * size[0] / own[0], self.view.radial) if is_same else (usual_focal(size), 0)
        return View(size, focal, radial, self.view.rotation, self.view.translation)

    def _found(self, frame_bgr: Image, view: View, support: float) -> Registration:
        start = self._scaled_start(view.size)
        way = float(np.hypot(*(view.corners_px() - start).T).mean())
        moved = way > MOVED_SHARE * view.size[0]
        if self.view.has_lens_of(view) and way < 0.4:
            view = self.view
        self._last = view
        return Registration(view, support, moved, self._detail_of(frame_bgr, view) / max(self._own_detail, 1e-6))

    def _scaled_start(self, size: tuple[int, int]) -> Points:
        return self.view.corners_px() * (np.array(size) / np.array(self.view.size))

    def _follow(self, gray: Image, guess: View) -> tuple[View | None, float]:
        """Follows the artwork's corners from a guess; None when too few agree on one place."""
        view, support = guess, 0.0
        gain = LENS_GAIN if self._scaled_view(gray).has_lens_of(guess) else FINER_LENS
        off = self._off if guess is self._last else np.zeros_like(self._off)
        for tried in range(3):
            good, source, target = self._flow(gray, view)
            since = np.hypot(*(target - source - off[good]).T)
            stayed = since < LARGEST_MISS
            support = float(stayed.sum() / max(len(self._points), 1))
            if not tried and support > LEAST_STILL and since[stayed].mean() < STILL_PX:
                return view, support
            if good.sum() < 20:
                return None, 0.0
            homography, inlier = cv2.findHomography(source, target, cv2.RANSAC, LARGEST_MISS, maxIters=500)
            if homography is None:
                return None, 0.0
            keep = inlier[:, 0] == 1
            support = float(keep.sum() / len(self._points))
            if support < LEAST_FLOW:
                return None, support
            board, px = from_rectified(source), view.project(from_rectified(target))
            moved = pose_from_points(view, board[keep], px[keep])
            if not moved.is_sane():
                return None, 0.0
            other = _other_lens(moved, board, px, gain)
            view = moved if other is None else other
            misses = (view.to_board(px) - board) * [SIDE_PX, -SIDE_PX]
            self._off = np.zeros_like(self._off)
            self._off[good] = np.where(np.hypot(*misses.T)[:, None] < LARGEST_MISS, misses, 0)
            if other is None and np.hypot(*(target - source)[keep].T).mean() < 0.8:
                break
        return view, support

    def _search(self, shrink: float, gray: Image) -> View | None:
        """About where the artwork is, by its features, in the frame made smaller by a factor."""
        height, width = gray.shape[:2]
        small = shrunk(gray, (round(width * shrink), round(height * shrink)))
        own, there = self._features.found_in(flattened(small))
        board, px = from_rectified(own), (there + 0.5) / shrink - 0.5
        keep = _agreeing(board, px, 4.0 * width / 1280)
        if keep is None:
            return None
        view = pose_from_points(self._scaled_view(gray), board[keep], px[keep])
        view = _other_lens(view, board[keep], px[keep]) or view
        return view if view.is_sane() else None


def _agreeing(source: Points, target: Points, miss: float) -> NDArray[np.bool_] | None:
    """(n,) which of some matches (n, 2) one flat motion takes to within `miss` of their places; None for too few."""
    if len(source) < LEAST_MATCHES:
        return None
    homography, inlier = cv2.findHomography(source, target, cv2.RANSAC, miss, maxIters=3000)
    if homography is None or inlier.sum() < LEAST_MATCHES:
        return None
    return np.asarray(inlier[:, 0] == 1)


def _other_lens(view: View, board: Points, px: Points, gain: float = LENS_GAIN) -> View | None:
    """The view with another lens, where it explains better by so much where the artwork is seen.

    The empty picture may be a scan, or come from another camera, and pictures may have been straightened.
    """
    px_of_picture = view.scale_at(np.zeros(2)) / SIDE_PX
    misses = np.hypot(*(view.project(board) - px).T) / px_of_picture
    other, now = view, misses
    for _ in range(4):
        scale = max(2.0 * float(np.median(now)), 0.5)
        near = now < 6 * scale
        spread = 0.5 * np.hypot(1, now[near] / scale)
        other = refine(other, board[near], px[near], spread * px_of_picture, steps=3)
        now = np.hypot(*(other.project(board) - px).T) / px_of_picture
    if not other.is_sane() or (now < LARGEST_MISS).mean() < LEAST_LENS:
        return None
    limited = (np.minimum(each, 2 * LARGEST_MISS).mean() for each in (now, misses))
    return other if next(limited) < gain * next(limited) else None
