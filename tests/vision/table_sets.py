"""Virtual tables for the tests of the table's eyes, rendered once a process."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.reader import TableReader
from vision.virtual.camera import Camera
from vision.virtual.profiles import CalibrationPictures, calibration_pictures
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene, TableStyle
from vision.virtual.setting import Setting

BENCH = Path(__file__).parents[3] / "shared" / "bench"


@dataclass(frozen=True)
class VirtualTable:
    """A table, its calibration, and a renderer of its own camera."""

    style: TableStyle
    pictures: CalibrationPictures
    renderer: Renderer

    def setting(self, seed: int = 0) -> Setting:
        return Setting(self.style, np.random.default_rng(seed))

    def corners(self, camera: Camera | None = None) -> NDArray[np.float64]:
        return (camera or self.style.camera).project(self.style.geometry.corners())

    def picture(self, scene: Scene, camera: Camera | None = None, seed: int = 1) -> NDArray[np.uint8]:
        renderer = self.renderer if camera is None else Renderer(self.style, camera)
        return renderer.render(scene, Moment(noise_seed=seed))

    def with_tokens(self, seed: int, places: dict[str, int]) -> NDArray[np.uint8]:
        """A picture of tokens, by their names, on their squares."""
        setting = self.setting(seed)
        for name, square in places.items():
            setting.put_token(name, square)
        return self.picture(setting.scene())


@lru_cache(maxsize=6)
def virtual_table(seed: int, tokens: tuple[str, ...]) -> VirtualTable:
    style = TableStyle.random(seed, list(tokens))
    renderer = Renderer(style)
    return VirtualTable(style, calibration_pictures(style, renderer), renderer)


@lru_cache(maxsize=4)
def reader_of(seed: int, tokens: tuple[str, ...]) -> TableReader:
    pictures = virtual_table(seed, tokens).pictures
    return TableReader(pictures.empty_bgr, pictures.taps_px, pictures.enrol)
