"""What the reader overlooks is still there while its part of the picture has not changed, or a token hides it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import COP
from vision.detections import Box, MarkerReading, TokenReading
from vision.sources.base import FrameBgr

#: Side of the patches that are compared, px.
PATCH_PX = 24
#: Correlation of two pictures of a token that stands still. On 56 rendered scenes of 14 tables, 223 tokens: the
#: same token 0.93 and more. Of 441 spaces that one left, on 140 further tables: none above 0.91.
SAME = 0.92
#: Where less than this share of a disc shows beside tokens, it is still there if all is as alike as that. (Of 765
#: places that discs had left, on 117 rendered tables, one is taken for a disc; of 46 that were overlooked 29 are told.)
LEAST_SHOWN, SAME_HIDDEN = 0.07, 0.5
#: The board's corners moved by more than this (px): places in the picture mean nothing any more.
MOST_SHIFT_PX = 2.0

Seen = TypeVar("Seen", TokenReading, MarkerReading)


@dataclass(frozen=True)
class _Glimpse(Generic[Seen]):
    """What was read, and how its part of the picture looked."""

    reading: Seen
    patch: NDArray[np.float32]

    @classmethod
    def of(cls, frame_bgr: FrameBgr, reading: Seen) -> "_Glimpse[Seen]":
        return cls(reading, _patch(frame_bgr, reading.box))

    def is_still_there(self, frame_bgr: FrameBgr, hiding: Collection[Box] = ()) -> bool:
        """Whether its place looks as it did, but for what others hide of it.

        Args:
            hiding: outlines of what stands before it.
        """
        now, shown = _patch(frame_bgr, self.reading.box), _shown(self.reading.box, hiding)
        if shown.mean() < LEAST_SHOWN:
            return _correlation(now, self.patch) >= SAME_HIDDEN
        return _correlation(now[shown], self.patch[shown]) >= SAME


def _correlation(now: NDArray[np.float32], then: NDArray[np.float32]) -> float:
    a, b = now - now.mean(), then - then.mean()
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / scale if scale > 0 else 0.0


def _shown(box: Box, hiding: Collection[Box]) -> NDArray[np.bool_]:
    """(PATCH_PX, PATCH_PX) what no other box hides of a box."""
    shown = np.ones((PATCH_PX, PATCH_PX), bool)
    first, last = np.array(box).reshape(2, 2)
    for other in hiding:
        across = (np.array(other).reshape(2, 2) - first) / np.maximum(last - first, 1) * PATCH_PX
        (left, top), (right, bottom) = np.clip(across, 0, PATCH_PX).round().astype(int).tolist()
        shown[top:bottom, left:right] = False
    return shown


class Glimpses:
    """How each token and disc looked when it was last read."""

    def __init__(self) -> None:
        self._tokens: dict[str, _Glimpse[TokenReading]] = {}
        self._discs: dict[tuple[str, int], _Glimpse[MarkerReading]] = {}
        self._corners: NDArray[np.float64] | None = None

    def forget(self) -> None:
        """Another table or calibration."""
        self._tokens, self._discs, self._corners = {}, {}, None

    def fill(
        self, frame_bgr: FrameBgr, corners_px: NDArray[np.float64], tokens: list[TokenReading]
    ) -> list[TokenReading]:
        """The tokens with those that were overlooked but look as when they were last read.

        Args:
            tokens: of a settled picture without a hand, named.
        """
        self._follow(corners_px)
        names = {token.name for token in tokens}
        overlooked = [seen for name, seen in self._tokens.items() if name not in names]
        there = [seen.reading for seen in overlooked if seen.is_still_there(frame_bgr)]
        self._tokens |= {token.name: _Glimpse.of(frame_bgr, token) for token in tokens if token.name is not None}
        return [*tokens, *there]

    def fill_discs(
        self,
        frame_bgr: FrameBgr,
        corners_px: NDArray[np.float64],
        markers: list[MarkerReading],
        tokens: list[TokenReading],
    ) -> list[MarkerReading]:
        """The markers with discs that were overlooked but look as when they were last read, as far as tokens let.

        Args:
            markers, tokens: of a settled picture without a hand.
        """
        self._follow(corners_px)
        hiding = [token.box for token in tokens] + [marker.box for marker in markers if marker.kind == COP]
        discs = {(marker.kind, marker.square): marker for marker in markers if marker.kind != COP}
        boxes = [disc.box for disc in discs.values()]
        there = {
            key: seen
            for key, seen in self._discs.items()
            if key not in discs
            and _shown(seen.reading.box, boxes).mean() > 0.5
            and seen.is_still_there(frame_bgr, hiding)
        }
        self._discs = there | {key: _Glimpse.of(frame_bgr, disc) for key, disc in discs.items()}
        return [*markers, *(seen.reading for seen in there.values())]

    def _follow(self, corners_px: NDArray[np.float64]) -> None:
        if self._corners is None or np.abs(corners_px - self._corners).max() > MOST_SHIFT_PX:
            self.forget()
            self._corners = corners_px.copy()


def _patch(frame_bgr: FrameBgr, box: Box) -> NDArray[np.float32]:
    """(PATCH_PX, PATCH_PX, 3) float32: the box, cut to the picture."""
    height, width = frame_bgr.shape[:2]
    x0, y0 = max(int(box[0]), 0), max(int(box[1]), 0)
    x1, y1 = min(int(box[2]) + 1, width), min(int(box[3]) + 1, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros((PATCH_PX, PATCH_PX, 3), np.float32)
    cropped = cv2.GaussianBlur(frame_bgr[y0:y1, x0:x1], (3, 3), 0)
    return np.asarray(cv2.resize(cropped, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA), np.float32)
