"""Features of the artwork, found again in another picture wherever it lies there."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.view import Points
from vision.pixels import Image

#: A feature is the one whose description is nearer than this share of that of the next best (Lowe, Distinctive image
#: features from scale-invariant keypoints, 2004).
_PLAINLY = 0.8


class Features:
    """What one gray picture is known by.

    Args:
        detector: finds features and describes them, as those of OpenCV do.
        norm: how far two descriptions are from each other, one of OpenCV's.
        within: (h, w) uint8, 0 where nothing counts.
    """

    def __init__(self, detector: Any, norm: int, picture: Image, within: Image) -> None:
        self._detector, self._matcher = detector, cv2.BFMatcher(norm)
        self._px, self._known = self._described(picture, within)

    def found_in(self, picture: Image) -> tuple[Points, Points]:
        """Features found again in another gray picture, wrong ones among them: (n, 2) px in their own, and in this."""
        px, there = self._described(picture, None)
        if self._known is None or there is None or len(px) < 2:
            return np.zeros((0, 2)), np.zeros((0, 2))
        pairs = self._matcher.knnMatch(self._known, there, k=2)
        plain = [first for first, second in pairs if first.distance < _PLAINLY * second.distance]
        return self._px[[one.queryIdx for one in plain]], px[[one.trainIdx for one in plain]]

    def _described(self, picture: Image, within: Image | None) -> tuple[Points, NDArray[Any] | None]:
        keypoints, descriptions = self._detector.detectAndCompute(picture, within)
        return np.array([one.pt for one in keypoints], np.float64).reshape(-1, 2), descriptions
