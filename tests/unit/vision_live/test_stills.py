"""Frames of a table at rest, laid upon each other."""

import cv2
import numpy as np
import pytest

from tests.unit.vision_live.helpers import noisy_table
from vision.live.stills import MOST_FRAMES, Stills
from vision.sources import FrameBgr, Jpeg

TENTH = 100_000_000
NOISE = 6.0


def fed(stills: Stills, frames: list[FrameBgr], first: int = 0) -> Stills:
    for index, frame in enumerate(frames, first):
        stills.feed(frame, index * TENTH)
    return stills


def noise_of(picture: FrameBgr) -> float:
    """Standard deviation of what is all of one color."""
    return float(picture[310:, 510:].std())


def test_noise_falls_as_the_root_of_how_many_frames_lie_upon_each_other() -> None:
    rng = np.random.default_rng(0)
    frames = [noisy_table(rng, NOISE) for _ in range(2 * MOST_FRAMES)]
    one = noise_of(frames[0])
    seen = [noise_of(fed(Stills(), frames[:count]).picture()) for count in (1, 2, MOST_FRAMES, 2 * MOST_FRAMES)]
    assert np.array(seen) / one == pytest.approx([1, 1 / 2**0.5, 1 / 2, 1 / 2], abs=0.06)


def test_nothing_of_what_moved_is_left() -> None:
    rng = np.random.default_rng(1)
    stills = fed(Stills(), [noisy_table(rng, NOISE) for _ in range(6)])
    there = [noisy_table(rng, NOISE) for _ in range(4)]
    for frame in there:
        frame[200:260, 300:400] = 20
    for index, frame in enumerate(there, 6):
        stills.feed(frame, index * TENTH)
        assert stills.picture()[205:255, 305:395].max() == 20


def test_while_something_moves_the_newest_frame_is_the_picture() -> None:
    rng = np.random.default_rng(2)
    stills = fed(Stills(), [noisy_table(rng, NOISE) for _ in range(6)])
    for index in range(5):
        frame = noisy_table(rng, NOISE)
        frame[100:180, 60 * index : 60 * index + 90] = (60, 90, 160)
        stills.feed(frame, (6 + index) * TENTH)
        assert np.array_equal(stills.picture(), frame)


def test_frames_of_another_size_begin_anew() -> None:
    rng = np.random.default_rng(3)
    stills = fed(Stills(), [noisy_table(rng, NOISE) for _ in range(3)])
    smaller = np.ascontiguousarray(noisy_table(rng, NOISE)[::2, ::2])
    stills.feed(smaller, 3 * TENTH)
    assert np.array_equal(stills.picture(), smaller)


def test_compressed_frames_of_another_size_begin_anew() -> None:
    table = noisy_table(np.random.default_rng(4), NOISE)
    sizes = (cv2.resize(table, size) for size in ((1280, 720), (1280, 720), (640, 360)))
    *large, smaller = (Jpeg(np.asarray(cv2.imencode(".jpg", image)[1], np.uint8)) for image in sizes)
    stills = Stills()
    for index, shot in enumerate([*large, smaller]):
        stills.feed(shot, index * TENTH)
    assert np.array_equal(stills.picture(), smaller.frame_bgr)


def test_there_is_no_picture_before_the_first_frame() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        Stills().picture()
