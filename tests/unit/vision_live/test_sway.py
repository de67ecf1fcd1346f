"""A camera that sways a little: what is left of it in the gate, and in the pictures that are read."""

import numpy as np
import pytest

from vision.live.gate import STEP, Gate, Scene, thumbnail
from vision.live.stills import Stills
from vision.live.sway import Sway, sway_of
from vision.sources import FrameBgr
from vision.virtual.disturbances import swayed

STEP_NS = 33_000_000


def printed(seed: int) -> FrameBgr:
    """Something with much on it, as a board on a table."""
    rng = np.random.default_rng(seed)
    picture = np.full((360, 640, 3), (70, 95, 120), np.uint8)
    for _ in range(160):
        x, y = rng.integers(20, 600), rng.integers(20, 330)
        width, height = rng.integers(4, 40, 2)
        picture[y : y + height, x : x + width] = rng.integers(20, 240, 3)
    return picture


def noisy(picture: FrameBgr, rng: np.random.Generator) -> FrameBgr:
    return np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def sway_between(before: FrameBgr, after: FrameBgr) -> Sway | None:
    one, other = thumbnail(before), thumbnail(after)
    return sway_of(other.planes[0] - one.planes[0], other.planes)


def with_hand(picture: FrameBgr, x: int) -> FrameBgr:
    held = picture.copy()
    held[120:300, x : x + 70] = (120, 150, 200)
    held[120:150, x + 10 : x + 60 : 12] = (60, 80, 120)
    return held


def die_on(picture: FrameBgr) -> FrameBgr:
    """A gray one that lies across the edges of several things."""
    held = picture.copy()
    held[200:212, 300:312] = 160
    return held


@pytest.mark.parametrize("px", [0.5, 1.0, 2.0, 4.0])
def test_a_shift_of_all_the_picture_is_a_sway_as_far_as_it_is(px: float) -> None:
    rng, picture = np.random.default_rng(1), printed(1)
    sway = sway_between(noisy(picture, rng), noisy(swayed(picture, 1 / 4, px, 1.0), rng))
    assert sway is not None
    # A thumbnail px is 8 px of 1280; print that is finer makes a sway look larger than it is.
    assert 0.7 * px / 8 < sway.px < 2 * px / 8


def test_nothing_and_a_hand_that_moves_are_none() -> None:
    rng, picture = np.random.default_rng(2), printed(2)
    assert sway_between(noisy(picture, rng), noisy(picture, rng)) is None
    for far in (1, 4, 12):
        assert sway_between(noisy(with_hand(picture, 250), rng), noisy(with_hand(picture, 250 + far), rng)) is None


def film(gate: Gate, frames: list[FrameBgr], first: int = 0) -> list[Scene]:
    return [gate.feed(frame, k * STEP_NS) for k, frame in enumerate(frames, first)]


def swaying(picture: FrameBgr, count: int, px: float, hertz: float = 1.5, first: int = 0) -> list[FrameBgr]:
    rng = np.random.default_rng(first)
    return [noisy(swayed(picture, k * STEP_NS / 1e9, px, hertz), rng) for k in range(first, first + count)]


@pytest.mark.parametrize(("px", "hertz"), [(1.0, 1.5), (2.0, 1.5), (2.0, 6.0)])
def test_a_table_before_a_camera_that_sways_is_at_rest(px: float, hertz: float) -> None:
    scenes = film(Gate(), swaying(printed(3), 60, px, hertz))
    assert np.mean([scene.is_settled for scene in scenes[10:]]) > 0.8


def test_a_die_that_lands_and_a_hand_are_seen_before_a_camera_that_sways() -> None:
    gate, picture = Gate(), printed(4)
    before = film(gate, swaying(picture, 40, 2.0))[-1]
    landed = film(gate, swaying(die_on(picture), 40, 2.0, first=40), 40)
    assert before.is_settled
    assert not landed[0].is_settled
    assert landed[-1].is_settled
    assert landed[-1].episode > before.episode
    hands = [swayed(with_hand(picture, 6 * k - 400), k * STEP_NS / 1e9, 2.0, 1.5) for k in range(80, 110)]
    assert not any(scene.is_settled for scene in film(gate, hands, 80)[1:])


def test_what_a_sway_may_change_hides_no_die() -> None:
    picture = printed(4)
    one, other = thumbnail(picture), thumbnail(swayed(die_on(picture), 1 / 4, 2.0, 1.0))
    changed = other.planes[0] - one.planes[0]
    sway = sway_of(changed, other.planes)
    assert sway is not None
    beyond = np.abs(changed) - sway.changes[0]
    assert beyond[50:53, 75:78].max() > 2 * STEP
    beyond[49:54, 74:79] = 0
    assert np.count_nonzero(beyond > STEP) < 0.002 * beyond.size


def test_frames_between_which_the_camera_shook_are_not_laid_upon_each_other() -> None:
    picture = printed(5)
    for px, hertz, is_mean in ((1.5, 1.5, True), (3.0, 6.0, False)):
        stills, frames = Stills(), swaying(picture, 30, px, hertz)
        means = 0
        for k, frame in enumerate(frames):
            stills.feed(frame, k * STEP_NS)
            means += not np.array_equal(stills.picture(), frame)
        assert (means > 20) if is_mean else (means < 15)
