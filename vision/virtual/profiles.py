"""The pictures and taps with which a virtual table is calibrated, as a person would take them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.virtual.artwork import Image
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene, TableStyle
from vision.virtual.setting import Setting


@dataclass(frozen=True)
class CalibrationPictures:
    """What calibration takes from a person.

    Attributes:
        taps_px: (4, 2) board corners, GO's first, a pixel or two off.
        enrol: a picture of each token, and of each figure of nobody, alone on GO.
    """

    empty_bgr: Image
    taps_px: NDArray[np.float64]
    enrol: dict[str, Image]


def calibration_pictures(
    style: TableStyle,
    renderer: Renderer | None = None,
    seed: int = 0,
    figures: Sequence[str] = (),
    frames: int = 1,
) -> CalibrationPictures:
    """Takes the empty board, taps its corners, and enrols every token.

    Args:
        renderer: of this style, when there is one already.
        figures: what is nobody's and is enrolled too (`cop`).
        frames: of how many each picture is the mean.
    """
    rng = np.random.default_rng([style.seed, seed, 31])
    renderer = renderer or Renderer(style)
    empty = _taken(renderer, Setting(style, rng).scene(), 1, frames)
    taps = tapped(renderer, rng)
    enrol = {}
    for index, name in enumerate((*style.tokens, *figures)):
        alone = Setting(style, rng)
        alone.put_token(name, 0)
        enrol[name] = _taken(renderer, alone.scene(), 2 + index, frames)
    return CalibrationPictures(empty, taps, enrol)


def tapped(renderer: Renderer, rng: np.random.Generator) -> NDArray[np.float64]:
    """(4, 2) px, to a tenth, where somebody taps the board's corners, a pixel or two off."""
    corners = renderer.camera.project(renderer.style.geometry.corners())
    return np.round(corners + rng.normal(0, 0.9, (4, 2)), 1)


def _taken(renderer: Renderer, scene: Scene, seed: int, frames: int) -> Image:
    """The mean of so many frames, which differ in their noise."""
    shots = [renderer.render(scene, Moment(noise_seed=seed + 1000 * k)) for k in range(frames)]
    return np.mean(shots, axis=0).round().astype(np.uint8) if frames > 1 else shots[0]
