"""How long one picture takes to be read, at rest and after the camera was bumped.

Run with `python -m pytest -m benchmark tests/benchmarks/test_reading_speed.py -s -n 0`. Times are processor times of
one thread and the shortest of some, so that a busy machine counts little; asserted are ratios alone. What it is
compared with: the same reader whose networks OpenCV runs, and a blur of the same picture (Gaussian, sigma 3 px).
"""

import time
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.table_sets import virtual_table
from vision import networks
from vision.reader import TableReader
from vision.sources import FrameBgr
from vision.virtual.scene import nudged

TABLES = (3, 5, 8)
TOKENS = ("red_pawn", "blue_pawn", "car", "hat")
#: A reading takes at most this share of the time that it takes when OpenCV runs the networks, and as long as so many
#: blurs; one after a bump as long as so many at rest.
MOST_OF_OPENCV, MOST_BLURS, MOST_AFTER_A_BUMP = 0.85, 9.0, 6.0


def pictures(seed: int) -> tuple[list[FrameBgr], list[FrameBgr]]:
    """Of a game in its middle, the camera at rest and, each time from elsewhere, bumped."""
    table, rng = virtual_table(seed, TOKENS), np.random.default_rng(seed)
    still, bumped = [], []
    for index in range(3):
        setting = table.setting(index)
        for name in TOKENS:
            setting.put_token(name, int(rng.integers(40)))
        for street, houses in ((1, 2), (14, 3), (24, 4), (39, 1)):
            setting.put_buildings(street, houses, False)
        setting.dice = setting.throw((3, 5))
        camera = nudged(table.style.camera, rng, table.style.camera.size)
        still.append(table.picture(setting.scene(), seed=index))
        bumped.append(table.picture(setting.scene(), camera, seed=index))
    return still, bumped


def shortest_ms(action: Callable[[], object], times: int = 5) -> float:
    took = []
    for _ in range(times):
        began = time.process_time()
        action()
        took.append((time.process_time() - began) * 1e3)
    return min(took)


def reader_of(seed: int) -> TableReader:
    calibration = virtual_table(seed, TOKENS).pictures
    return TableReader(calibration.empty_bgr, calibration.taps_px, calibration.enrol)


def after_a_bump_ms(reader: TableReader, still: NDArray[np.uint8], bumped: NDArray[np.uint8]) -> float:
    took = []
    for _ in range(3):
        reader.read(still)
        took.append(shortest_ms(partial(reader.read, bumped), 1))
    return min(took)


@pytest.mark.benchmark
def test_a_picture_is_read_in_the_time_of_a_few_blurs_and_sooner_than_by_opencv(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rest: list[float] = []
    bump: list[float] = []
    by_opencv: list[float] = []
    blurs: list[float] = []
    for seed in TABLES:
        still, bumped = pictures(seed)
        reader = reader_of(seed)
        with monkeypatch.context() as patch:
            patch.setattr(networks, "with_onnx_runtime", networks.with_opencv)
            other = reader_of(seed)
            other.read(still[0])
        reader.read(still[0])
        for picture, moved in zip(still, bumped, strict=True):
            reading = reader.read(picture)
            assert reading.board_found
            assert not reading.camera_moved
            assert reader.read(moved).camera_moved
            reader.read(picture)
            rest.append(shortest_ms(partial(reader.read, picture)))
            by_opencv.append(shortest_ms(partial(other.read, picture)))
            blurs.append(shortest_ms(partial(cv2.GaussianBlur, picture, (0, 0), 3.0)))
            bump.append(after_a_bump_ms(reader, picture, moved))
    one, moved_ms, opencv_ms, blur_ms = (float(np.median(each)) for each in (rest, bump, by_opencv, blurs))
    print(
        f"\none picture of 1280 x 720, median of {len(rest)}: {one:.1f} ms, {one / blur_ms:.1f} blurs of it;"
        f" with OpenCV's networks {opencv_ms:.1f} ms; after a bump {moved_ms:.1f} ms"
    )
    assert one < MOST_OF_OPENCV * opencv_ms
    assert one < MOST_BLURS * blur_ms
    assert moved_ms < MOST_AFTER_A_BUMP * one
