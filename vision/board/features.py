"""Features of the artwork, found again in another picture wherever it lies there."""

from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.view import Points
from vision.pixels import Image

#: A feature is the one whose description is nearer than this share of that of any other place (Lowe, Distinctive image
#: features from scale-invariant keypoints, 2004); what lies within so many px is the same place; and of so many
#: descriptions, the nearest ones, places are looked at.
_PLAINLY, _SAME_PLACE_PX, _NEAREST = 0.8, 10.0, 4
#: How a picture is seen from low down: foreshortened by half, turned by these degrees before (Yu and Morel, ASIFT: an
#: algorithm for fully affine invariant comparison, 2011).
_FORESHORTENED, _TURNED = 2.0, (0.0, 45.0, 90.0, 135.0)


class Features:
    """What one gray picture is known by.

    Args:
        detector: finds features and describes them, as those of OpenCV do.
        norm: how far two descriptions are from each other, one of OpenCV's.
        within: (h, w) uint8, 0 where nothing counts.
        from_low_down: whether it is known by how it looks from low down as well, wherever from.
    """

    def __init__(self, detector: Any, norm: int, picture: Image, within: Image, *, from_low_down: bool = False) -> None:
        self._detector, self._matcher = detector, cv2.BFMatcher(norm)
        self._own, self._from_low_down = (picture, within), from_low_down

    @cached_property
    def _known(self) -> tuple[Points, NDArray[Any] | None]:
        """Made when they are first asked for: five looks take half a second on a slow machine."""
        if not self._from_low_down:
            return _described(self._detector, *self._own)
        opencv: Any = cv2  # its stubs lack it
        seen = opencv.AffineFeature.create(self._detector)
        seen.setViewParams([1.0] + [_FORESHORTENED] * len(_TURNED), [0.0, *_TURNED])
        return _described(seen, *self._own)

    def found_in(self, picture: Image) -> tuple[Points, Points]:
        """Features found again in another gray picture, wrong ones among them: (n, 2) px in their own, and in this."""
        (own, known), (px, there) = self._known, _described(self._detector, picture, None)
        if known is None or there is None:
            return np.zeros((0, 2)), np.zeros((0, 2))
        nearest = self._matcher.knnMatch(there, known, k=_NEAREST)
        which = np.array([[one.trainIdx for one in each] for each in nearest])
        far = np.array([[one.distance for one in each] for each in nearest])
        is_elsewhere = np.abs(own[which] - own[which[:, :1]]).max(2) > _SAME_PLACE_PX
        is_plain = far[:, 0] < _PLAINLY * np.where(is_elsewhere, far, np.inf).min(1)
        return own[which[is_plain, 0]], px[is_plain]


def _described(detector: Any, picture: Image, within: Image | None) -> tuple[Points, NDArray[Any] | None]:
    keypoints, descriptions = detector.detectAndCompute(picture, within)
    return np.array([one.pt for one in keypoints], np.float64).reshape(-1, 2), descriptions
