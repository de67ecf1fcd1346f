"""Light that moves over a table while people play: leaves before the sun, a fan under a lamp, candles, a screen.

Each maker takes the width and height of pictures, px, and a random generator, and gives what makes of a picture
(h, w, 3) and a time in seconds the picture in that light.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.disturbances import Picture, light_of, picture_of

#: A picture and a time, to the picture in the light of then.
MovingLight = Callable[[Picture, float], Picture]

#: The most that the shade of leaves and of a fan's blades takes of the light; how bright a screen is against the
#: brightest things, and by what share candles flicker.
LEAVES, BLADES, SCREEN, CANDLES = 0.5, 0.25, 0.3, 0.12
#: Size of the shade of leaves, and how far it sways to either side, in widths of a picture; how often in a second.
_LEAF, _SWAY, _SWAYS_HZ = 0.02, (0.010, 0.006), (0.31, 0.47)
#: Blades of a fan, and how many of them pass in a second.
_BLADES, _PASS_HZ = 4, 5.0
#: Waves that make up a candle's flicker, a second.
_FLICKER_HZ = (0.7, 2.3, 3.7, 6.1)
#: Seconds that a screen shows the same, at least and on average besides.
_SHOT_S = (0.2, 1.2)
_SHOTS = 1000


def leaves(size: tuple[int, int], rng: np.random.Generator) -> MovingLight:
    """The sun shines through a tree, in a breeze."""
    width, height = size
    rim = int(2 * max(_SWAY) * width)
    mottled = cv2.GaussianBlur(
        rng.standard_normal((height + 2 * rim, width + 2 * rim), np.float32), (0, 0), _LEAF * width
    )
    shade = np.clip(0.5 + 0.75 * mottled / mottled.std(), 0, 1)
    phases = rng.uniform(0, 2 * np.pi, 2)

    def lit(picture: Picture, time_s: float) -> Picture:
        shift = width * np.array(_SWAY) * np.sin(2 * np.pi * np.array(_SWAYS_HZ) * time_s + phases)
        matrix = np.column_stack([np.eye(2), rim + shift])
        return _times(picture, 1 - LEAVES * cv2.warpAffine(shade, matrix, size, flags=cv2.WARP_INVERSE_MAP))

    return lit


def fan(size: tuple[int, int], rng: np.random.Generator) -> MovingLight:
    """A lamp shines through the blades of a fan over the table."""
    width, height = size
    rows, columns = np.mgrid[0:height, 0:width]
    down, across = rows - height * rng.uniform(0.3, 0.7), columns - width * rng.uniform(0.3, 0.7)
    turned, near = _BLADES * np.arctan2(down, across), np.clip(np.hypot(down, across) / (0.05 * width), 0, 1)

    def lit(picture: Picture, time_s: float) -> Picture:
        shade = near * np.clip(0.5 + 1.5 * np.sin(turned - 2 * np.pi * _PASS_HZ * time_s), 0, 1)
        return _times(picture, 1 - BLADES * shade)

    return lit


def candles(size: tuple[int, int], rng: np.random.Generator) -> MovingLight:
    """Candles flicker at one side of the table."""
    width, height = size
    rows, columns = np.mgrid[0:height, 0:width]
    angle, phases = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi, len(_FLICKER_HZ))
    near = 0.6 + ((columns - width / 2) * np.cos(angle) + (rows - height / 2) * np.sin(angle)) / width

    def lit(picture: Picture, time_s: float) -> Picture:
        flicker = np.sin(2 * np.pi * np.array(_FLICKER_HZ) * time_s + phases).sum() / 2
        return _times(picture, 1 + CANDLES * flicker * near)

    return lit


def screen(size: tuple[int, int], rng: np.random.Generator) -> MovingLight:
    """A glossy board mirrors a screen on which a film is shown."""
    width, height = size
    rows, columns = np.meshgrid(np.linspace(0, 1, height), np.linspace(0, 1, width), indexing="ij")
    far = sum(((at - rng.uniform(0.2, 0.8)) / rng.uniform(0.15, 0.4)) ** 2 for at in (rows, columns))
    cuts, colors = np.cumsum(_SHOT_S[0] + rng.exponential(_SHOT_S[1], _SHOTS)), rng.uniform(0, 1, (_SHOTS, 3))

    def lit(picture: Picture, time_s: float) -> Picture:
        light = light_of(picture)
        brightest = np.percentile(light.max(axis=2), 95)
        shown = colors[np.searchsorted(cuts, time_s % cuts[-1])]
        return picture_of(light + SCREEN * brightest * np.exp(-far)[..., None] * shown)

    return lit


#: By what a reader may call it.
MOVING_LIGHTS = {"leaves": leaves, "a fan": fan, "candles": candles, "a screen": screen}


def _times(picture: Picture, share: NDArray[np.floating]) -> Picture:
    """The picture with (h, w) shares of its light."""
    return picture_of(light_of(picture) * share[..., None])
