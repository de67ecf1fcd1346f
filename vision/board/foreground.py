"""What in a picture of the board differs from the empty board, whatever the exposure and white balance."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import Image, channels_of, largest_channel, median, narrowed, widened

#: Residual (0-255) at which a pixel loses most of its say in matching colors.
_RESIDUAL = 12.0
#: Px that are compared when colors are matched, about.
_SAMPLES = 2000


def match_colors(empty_bgr: Image, now_bgr: Image) -> NDArray[np.float64]:
    """(3, 4) map from the empty board's colors to those of the same place now: exposure, white balance, tint.

    Robust: pieces, hands and money on the board are outvoted. Close to a plain gain for each channel unless
    the pictures show that more is needed.
    """
    stride = max(1, round(np.sqrt(empty_bgr.shape[0] * empty_bgr.shape[1] / _SAMPLES)))
    x, y = (channels_of(picture[::stride, ::stride].reshape(-1, 3)) for picture in (empty_bgr, now_bgr))
    keep = (x.max(0) < 250) & (y.max(0) < 250) & (x.max(0) > 4)
    if keep.sum() < 100:
        return np.hstack([np.eye(3), np.zeros((3, 1))])
    x, y = x.compress(keep, axis=1), y.compress(keep, axis=1)
    gain = np.clip(median(((y + 4) / (x + 4)).T), 0.2, 5.0)
    prior = np.hstack([np.diag(gain), np.zeros((3, 1))])
    features = np.vstack([x, np.full((1, x.shape[1]), 32.0, np.float32)])
    ridge = np.eye(4) * (30.0**2) * x.shape[1] * 0.05
    fit = prior.copy()
    for _ in range(3):
        residual = np.abs(y - fit.astype(np.float32) @ features).max(0)
        weighted = features / (1 + (residual / _RESIDUAL) ** 2) ** 2
        fit = np.linalg.solve(weighted @ features.T + ridge, weighted @ y.T + ridge @ prior.T).T
    fit[:, 3] *= 32.0
    return fit


def recolor(picture_bgr: Image, colors: NDArray[np.float64]) -> Image:
    """The picture with its colors mapped by `match_colors`' result."""
    return np.asarray(cv2.transform(picture_bgr, colors), np.uint8)


def difference(empty_bgr: Image, now_bgr: Image, tolerance_px: float = 1) -> Image:
    """How far (0-255) each place lies outside the colors found within `tolerance_px`, 0-1, of it on the empty board."""
    highest, lowest = widened(empty_bgr, 3), narrowed(empty_bgr, 3)
    if tolerance_px < 1:
        for end in (highest, lowest):
            cv2.addWeighted(end, tolerance_px, empty_bgr, 1 - tolerance_px, 0, dst=end)
    above, below = cv2.subtract(now_bgr, highest, dst=highest), cv2.subtract(lowest, now_bgr, dst=lowest)
    return largest_channel(np.asarray(cv2.max(above, below, dst=above), np.uint8))
