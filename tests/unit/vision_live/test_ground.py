"""The table as it looked before hands came."""

import cv2
import numpy as np

from vision.live.ground import APART_S, LAID_S, LEFT_S, MANY, SHOWN, SHOWN_OF_MANY, SHOWN_S, Ground, Planes

DIE = (40.0, 30.0, 43.0, 33.0)
#: Px of a hand, and such as move when it does.
HAND_PX = 60
HAND, STILL = np.zeros((90, 160), bool), np.zeros((90, 160), bool)
HAND[25:45, 35:90] = True


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
    moving = np.zeros((90, 160), bool)
    moving[25:45, 42:90] = 1
    for motion, is_held in ((STILL, False), (moving, True)):
        ground = Ground(table, 0)
        for k in range(1, round(LAID_S * 10) + 2):
            ground.feed(with_hand, motion, k * 100_000_000, np.inf)
        assert ground.is_held(DIE, with_hand) == is_held


def test_beyond_the_picture_nothing_is_held() -> None:
    assert not Ground(cloth(), 0).is_held((-20.0, -20.0, -17.0, -17.0), cloth() + 90)


def moved(
    *motions: tuple[float, np.ndarray], hand_px: float = HAND_PX, frames: int = SHOWN, between_s: float = 0.02
) -> Ground:
    """What is known after something moved until these times, in seconds, in so many frames each."""
    ground = Ground(cloth(), 0)
    for until_s, motion in motions:
        for left in range(frames + 1)[::-1]:
            at_ns = round((until_s - between_s * left) * 1e9)
            ground.feed(cloth(), motion if left < frames else STILL, at_ns, hand_px)
    return ground


def test_dice_were_put_down_where_a_hand_was_the_last_that_moved() -> None:
    rolling, elsewhere = np.zeros((90, 160), bool), np.zeros((90, 160), bool)
    rolling[30:33, 38:42] = elsewhere[60:80, 100:140] = True
    assert moved((1.0, HAND)).is_put_down(DIE, 2)
    assert moved((1.0, HAND), (1.1, rolling)).is_put_down(DIE, 2)
    assert moved((1.0, HAND), (2.0, elsewhere)).is_put_down(DIE, 2)
    assert not moved((1.0, HAND), (1.05 + LEFT_S, rolling)).is_put_down(DIE, 2)
    assert not moved((1.0, elsewhere)).is_put_down(DIE, 2)
    assert not moved((1.0, rolling)).is_put_down(DIE, 2)
    assert not moved().is_put_down(DIE, 2)
    assert not moved((1.0, HAND), hand_px=np.inf).is_put_down(DIE, 2)
    assert not moved((1.0, HAND)).is_put_down((-20.0, -20.0, -17.0, -17.0), 2)


def test_what_is_as_large_as_a_hand_in_a_frame_alone_is_none() -> None:
    assert not moved((1.0, HAND), frames=SHOWN - 1).is_put_down(DIE, 2)
    assert moved((1.0, HAND), (1.0 + SHOWN_S, HAND), frames=SHOWN - 1).is_put_down(DIE, 2)
    assert not moved((1.0, HAND), (1.1 + SHOWN_S, HAND), frames=SHOWN - 1).is_put_down(DIE, 2)


def test_many_dice_that_jump_about_are_no_hand() -> None:
    assert moved((1.0, HAND), frames=SHOWN).is_put_down(DIE, MANY - 1)
    assert not moved((1.0, HAND), frames=SHOWN).is_put_down(DIE, MANY)
    assert moved((1.0, HAND), frames=SHOWN_OF_MANY).is_put_down(DIE, MANY)


def test_between_frames_that_are_far_apart_anything_changes_as_much_as_a_hand() -> None:
    assert moved((2.0, HAND), between_s=APART_S).is_put_down(DIE, 2)
    assert not moved((2.0, HAND), between_s=APART_S + 0.1).is_put_down(DIE, 2)


def test_a_hand_of_which_only_the_rims_change_is_one_and_things_far_apart_are_not() -> None:
    rims, apart = np.zeros((90, 160), bool), np.zeros((90, 160), bool)
    rims[29, 35:90] = rims[33, 35:90] = apart[31, 35:90] = apart[60, 35:90] = True
    assert moved((1.0, rims)).is_put_down(DIE, 2)
    assert not moved((1.0, apart)).is_put_down(DIE, 2)
