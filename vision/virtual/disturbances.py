"""What happens to a picture while people play: a lamp is mirrored, somebody leans over, it gets dark outside.

Each takes a rendered picture (h, w, 3) and a random generator, and gives another picture. Lamps lie over pieces, too;
those of `mirrored` do not. A camera sways by the time.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

#: How a picture's levels go with light (sRGB, about).
_GAMMA = 2.2


def lamp(picture_bgr: Picture, rng: np.random.Generator) -> Picture:
    """A lamp is mirrored softly somewhere: its light is added, up to 30% of that of the brightest things."""
    return _mirrored(picture_bgr, rng, (0.12, 0.6), (0.03, 0.3))


def blinding(picture_bgr: Picture, rng: np.random.Generator) -> Picture:
    """A lamp is mirrored as it is: about there all is white."""
    return _mirrored(picture_bgr, rng, (0.12, 0.3), (1.0, 3.0))


def _mirrored(
    picture_bgr: Picture, rng: np.random.Generator, wide: tuple[float, float], bright: tuple[float, float]
) -> Picture:
    """A lamp is mirrored somewhere.

    Args:
        wide: how far its light reaches, least and most, as shares of the picture's sides.
        bright: its light, as shares of that of the brightest things.
    """
    light = light_of(picture_bgr)
    height, width = light.shape[:2]
    rows, columns = np.meshgrid(np.linspace(0, 1, height), np.linspace(0, 1, width), indexing="ij")
    down, across = rng.uniform(*wide, 2)
    far = ((rows - rng.uniform(0.1, 0.9)) / down) ** 2 + ((columns - rng.uniform(0.15, 0.85)) / across) ** 2
    brightest = np.percentile(light.max(axis=2), 95)
    mirrored = rng.uniform(*bright) * brightest * np.exp(-far)
    return picture_of(light + mirrored[..., None] * np.exp(rng.normal(0, 0.12, 3)))


def leaning(picture_bgr: Picture, rng: np.random.Generator) -> Picture:
    """Somebody leans over the table: a soft shadow comes from one side and takes 20 to 60% of the light."""
    light = light_of(picture_bgr)
    height, width = light.shape[:2]
    angle, share = rng.uniform(0, 2 * np.pi), width / 1280
    ahead = np.array([np.cos(angle), np.sin(angle)])
    aside = np.array([-ahead[1], ahead[0]])
    wide = rng.uniform(60, 220) * share
    middle = np.array([width / 2, height / 2])
    tip = middle + rng.uniform(-0.25, 0.25) * width * ahead + rng.uniform(-150, 150) * share * aside
    end = tip + 2 * width * ahead
    outline = np.array([tip + 0.6 * wide * aside, tip - 0.6 * wide * aside, end - wide * aside, end + wide * aside])
    shadow = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(shadow, outline.round().astype(np.int32), (1.0,))
    cv2.circle(shadow, tip.round().astype(int).tolist(), int(0.7 * wide), (1.0,), -1)
    shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), float(rng.uniform(6, 30) * share)))
    return picture_of(light * (1 - rng.uniform(0.2, 0.6) * shadow[..., None] * np.array([0.95, 1.0, 1.03])))


def evening(picture_bgr: Picture, rng: np.random.Generator) -> Picture:
    """Another exposure, tone and tint, and light that falls off to another side."""
    levels = (picture_bgr / 255.0) ** rng.uniform(0.85, 1.2)
    gray = levels.mean(axis=2, keepdims=True)
    levels = gray + (levels - gray) * rng.uniform(0.75, 1.25)
    levels = levels * np.exp(rng.normal(0, 0.12, 3)) * rng.uniform(0.6, 1.15)
    height, width = levels.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width]
    angle = rng.uniform(0, 2 * np.pi)
    away = (columns / width - 0.5) * np.cos(angle) + (rows / height - 0.5) * np.sin(angle)
    return np.clip(levels * (1 + rng.uniform(0, 0.35) * away)[..., None] * 255, 0, 255).astype(np.uint8)


def swayed(picture_bgr: Picture, time_s: float, px: float, hertz: float) -> Picture:
    """The stand of the camera sways: by so many px of a picture 1280 px wide to either side, so many times a second."""
    height, width = picture_bgr.shape[:2]
    turns = 2 * np.pi * hertz * time_s
    across, down = px * width / 1280 * np.array([np.sin(turns), 0.6 * np.sin(1.13 * turns + 1)])
    matrix = np.array([[1, 0, across], [0, 1, down]])
    moved = cv2.warpAffine(picture_bgr, matrix, (width, height), None, cv2.INTER_CUBIC, cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def light_of(picture_bgr: Picture) -> NDArray[np.float64]:
    """Light of each px, 0-1."""
    return np.asarray((picture_bgr / 255.0) ** _GAMMA)


def picture_of(light: NDArray[np.floating]) -> Picture:
    """The picture that shows so much light, 1 being white."""
    return np.round(np.clip(light, 0, 1) ** (1 / _GAMMA) * 255).astype(np.uint8)
