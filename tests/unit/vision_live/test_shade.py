"""Light that moves over a table is no motion; what moves in it is."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.vision_live.test_sway import die_on, film, noisy, printed, with_hand
from vision.live.gate import Gate, Scene
from vision.live.shade import BLACK, without_shade
from vision.sources import FrameBgr
from vision.virtual import moving_light
from vision.virtual.moving_light import MOVING_LIGHTS, MovingLight

SIZE = (640, 360)
STEP_S = 0.033


def light(what: str) -> MovingLight:
    return MOVING_LIGHTS[what](SIZE, np.random.default_rng(5))


def lit(shown: Callable[[int], FrameBgr], by: MovingLight, count: int, first: int = 0) -> list[FrameBgr]:
    """What is shown in each frame, in this light."""
    rng = np.random.default_rng(first)
    return [by(noisy(shown(k), rng), k * STEP_S) for k in range(first, first + count)]


def settled(scenes: list[Scene]) -> float:
    return float(np.mean([scene.is_settled for scene in scenes]))


@pytest.mark.parametrize("what", MOVING_LIGHTS)
def test_a_table_in_light_that_moves_is_at_rest(what: str) -> None:
    scenes = film(Gate(), lit(lambda k: printed(3), light(what), 150))
    assert settled(scenes[75:]) > 0.8


@pytest.mark.parametrize("what", MOVING_LIGHTS)
def test_a_die_that_lands_and_a_hand_are_seen_in_light_that_moves(what: str) -> None:
    picture = printed(4)
    gate, by = Gate(), light(what)
    before = film(gate, lit(lambda k: picture, by, 60))[-1]
    landed = film(gate, lit(lambda k: die_on(picture), by, 30, 60), 60)
    assert not landed[0].is_settled
    assert landed[-1].episode > before.episode
    over = film(gate, lit(lambda k: with_hand(picture, 100 + 8 * (k - 90)), by, 30, 90), 90)
    assert settled(over[1:]) < 0.2


def thumbnails(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([rng.uniform(low, high, (90, 160)) for low, high in ((30, 200), (-40, 40), (-40, 40))]).astype("f4")


def test_what_brightens_all_that_is_near_by_about_the_same_share_is_light() -> None:
    before = thumbnails(1)
    after = before * np.linspace(0.5, 1.5, 160, dtype=np.float32)
    assert np.abs(after - before).max() > 80
    assert without_shade(after - before, after).max() < 4


def test_what_tints_all_that_is_near_alike_is_light() -> None:
    before = thumbnails(1)
    after = before.copy()
    after[1] += 0.2 * (before[0] + BLACK)
    assert without_shade(after - before, after).max() < 0.1


def test_the_darkest_level_of_a_camera_is_still_some_light() -> None:
    before = thumbnails(1) * 0.1
    after = before * 1.5
    after[0] += 0.5 * BLACK
    assert without_shade(after - before, after).max() < 0.1


def test_what_covers_a_place_is_none() -> None:
    before = thumbnails(2)
    before[0, 40:43, 80:83] = 60
    after = before.copy()
    after[0, 40:43, 80:83] = 220
    left = without_shade(after - before, after)
    assert left[0, 40:43, 80:83].min() > 20
    assert np.count_nonzero(left[0] > 4) == np.count_nonzero(np.abs(after - before)[0] > 4)


def test_a_red_die_as_bright_as_the_board_is_none() -> None:
    before = np.full((3, 90, 160), 60, np.float32)
    before[1:] = -10
    after = before.copy()
    after[1, 40:43, 80:83] = 50
    assert without_shade(after - before, after)[1, 40:43, 80:83].min() > 20


def test_in_the_dark_nothing_is_divided_by_no_light() -> None:
    before = np.zeros((3, 90, 160), np.float32)
    after = before.copy()
    after[0, 20:40] = 3
    assert np.isfinite(without_shade(after - before, after)).all()


#: Of the board, in the left of the picture; of a die beside it; and the hand that may hold that.
BOARD = np.array([[400.0, 340.0], [40.0, 340.0], [40.0, 20.0], [400.0, 20.0]])
DIE, HAND = np.array([[500.0, 200.0, 512.0, 212.0]]), (60, 90, 160)


@pytest.mark.parametrize("is_held", [False, True])
def test_dice_beside_the_board_are_held_by_a_hand_and_not_by_shade_that_moves(
    is_held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving_light, "BLADES", 0.3)
    gate, by, picture = Gate(), light("a fan"), printed(6)
    picture[100:300, 440:] = (70, 95, 120)
    gate.attend(BOARD, picture.shape)
    film(gate, lit(lambda k: picture, by, 150))
    shown = picture.copy()
    if is_held:
        shown[180:260, 506:640] = HAND
    shown[200:212, 500:512] = 250
    film(gate, lit(lambda k: shown, by, 30, 150), 150)
    assert gate.are_held(DIE, picture.shape).tolist() == [is_held]
