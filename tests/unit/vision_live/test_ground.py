"""The table as it looked before hands came."""

import cv2
import numpy as np

from vision.live.ground import LAID_S, Ground, Planes

DIE = (40.0, 30.0, 43.0, 33.0)


def cloth() -> Planes:
    """A patterned tablecloth."""
    noise = np.random.default_rng(3).normal(0, 60, (3, 90, 160)).astype(np.float32)
    return np.array([cv2.GaussianBlur(plane, (0, 0), 2) * 4 for plane in noise], np.float32)


def test_a_pattern_that_sways_by_a_px_is_the_table() -> None:
    table = cloth()
    ground = Ground(table, 0)
    assert not ground.is_held(DIE, np.roll(table, 1, axis=2))
    with_hand = table.copy()
    with_hand[:, 25:45, 42:90] += 90
    assert ground.is_held(DIE, with_hand)


def test_what_has_rested_for_long_becomes_the_table_and_what_moves_does_not() -> None:
    table = cloth()
    with_hand = table.copy()
    with_hand[:, 25:45, 42:90] += 90
    still, moving = np.zeros((90, 160), bool), np.zeros((90, 160), bool)
    moving[25:45, 42:90] = 1
    for motion, is_held in ((still, False), (moving, True)):
        ground = Ground(table, 0)
        for k in range(1, round(LAID_S * 10) + 2):
            ground.feed(with_hand, motion, k * 100_000_000)
        assert ground.is_held(DIE, with_hand) == is_held


def test_beyond_the_picture_nothing_is_held() -> None:
    assert not Ground(cloth(), 0).is_held((-20.0, -20.0, -17.0, -17.0), cloth() + 90)
