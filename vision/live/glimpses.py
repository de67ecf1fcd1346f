"""A token that the reader overlooks is still there while its part of the picture has not changed."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import TokenReading
from vision.sources.base import FrameBgr

#: Side of the patches that are compared, px.
PATCH_PX = 24
#: Correlation of two pictures of a token that stands still. On 56 rendered scenes of 14 tables, 223 tokens: the
#: same token 0.93 and more. Of 441 spaces that one left, on 140 further tables: none above 0.91.
SAME = 0.92
#: The board's corners moved by more than this (px): places in the picture mean nothing any more.
MOST_SHIFT_PX = 2.0


@dataclass(frozen=True)
class _Glimpse:
    reading: TokenReading
    patch: NDArray[np.float32]


class Glimpses:
    """How each token looked when it was last read."""

    def __init__(self) -> None:
        self._seen: dict[str, _Glimpse] = {}
        self._corners: NDArray[np.float64] | None = None

    def forget(self) -> None:
        """Another table or calibration."""
        self._seen, self._corners = {}, None

    def fill(
        self, frame_bgr: FrameBgr, corners_px: NDArray[np.float64], tokens: list[TokenReading]
    ) -> list[TokenReading]:
        """The tokens with those that were overlooked but look as when they were last read.

        Args:
            tokens: of a settled picture without a hand, named.
        """
        if self._corners is None or np.abs(corners_px - self._corners).max() > MOST_SHIFT_PX:
            self._seen, self._corners = {}, corners_px.copy()
        names = {token.name for token in tokens}
        overlooked = [
            seen for name, seen in self._seen.items() if name not in names and self._is_still_there(frame_bgr, seen)
        ]
        for token in tokens:
            if token.name is not None:
                self._seen[token.name] = _Glimpse(token, _patch(frame_bgr, token))
        return [*tokens, *(seen.reading for seen in overlooked)]

    @staticmethod
    def _is_still_there(frame_bgr: FrameBgr, seen: _Glimpse) -> bool:
        now = _patch(frame_bgr, seen.reading)
        a, b = now - now.mean(), seen.patch - seen.patch.mean()
        scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
        return scale > 0 and float((a * b).sum()) / scale >= SAME


def _patch(frame_bgr: FrameBgr, token: TokenReading) -> NDArray[np.float32]:
    """(PATCH_PX, PATCH_PX, 3) float32: the token's box, cut to the picture."""
    height, width = frame_bgr.shape[:2]
    x0, y0 = max(int(token.box[0]), 0), max(int(token.box[1]), 0)
    x1, y1 = min(int(token.box[2]) + 1, width), min(int(token.box[3]) + 1, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros((PATCH_PX, PATCH_PX, 3), np.float32)
    cropped = cv2.GaussianBlur(frame_bgr[y0:y1, x0:x1], (3, 3), 0)
    return np.asarray(cv2.resize(cropped, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA), np.float32)
