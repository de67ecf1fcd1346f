"""Settled scenes pass, others do not, and nothing wedges the gate."""

import time

import numpy as np
import pytest

from tests.unit.vision_live.helpers import noisy_table
from vision.live.gate import PATIENCE_S, STUCK_S, Gate, Scene
from vision.sources import FrameBgr

STEP_NS = 100_000_000


class Film:
    """Feeds a gate at ten frames a second."""

    def __init__(self) -> None:
        self.gate = Gate()
        self.rng = np.random.default_rng(4)
        self.t_ns = 0

    def show(self, seconds: float, change: object = None) -> list[Scene]:
        scenes = []
        for k in range(round(seconds * 10)):
            frame = noisy_table(self.rng)
            if callable(change):
                frame = change(frame, k)
            self.t_ns += STEP_NS
            scenes.append(self.gate.feed(frame, self.t_ns))
        return scenes


def passing_arm(frame: FrameBgr, k: int) -> FrameBgr:
    frame[100:150, : 40 + 30 * (k % 18)] = (90, 120, 180)
    return frame


def test_still_scene_settles_within_a_second() -> None:
    scenes = Film().show(1.0)
    assert scenes[-1].is_settled
    assert not scenes[0].is_settled


def test_moving_arm_keeps_the_gate_shut() -> None:
    film = Film()
    film.show(1.0)
    assert not any(scene.is_settled for scene in film.show(1.5, passing_arm)[1:])


def test_a_stream_that_shows_a_frame_on_while_something_moves_is_not_at_rest() -> None:
    film = Film()
    film.show(1.0)
    film.show(0.5, passing_arm)
    stuck = passing_arm(noisy_table(film.rng), 5)
    scenes = film.show(1.8, lambda frame, k: stuck)
    assert not any(scene.is_settled for scene in scenes)
    # What does not get rid of its last frame has come to rest, or nobody would ever know.
    assert film.show(STUCK_S, lambda frame, k: stuck)[-1].is_settled


def test_a_stream_that_shows_each_frame_twice_is_at_rest_as_soon_as_the_table() -> None:
    film, frames = Film(), []

    def twice(frame: FrameBgr, k: int) -> FrameBgr:
        if k % 2 == 0:
            frames.append(frame)
        return frames[-1]

    scenes = film.show(1.0, twice)
    assert scenes[-1].is_settled
    assert scenes[-1].episode == 1
    assert not any(scene.is_settled for scene in film.show(1.4, lambda frame, k: twice(passing_arm(frame, k), k)))
    assert film.show(1.0, twice)[-1].is_settled


def test_rest_after_motion_is_a_new_episode() -> None:
    film = Film()
    before = film.show(1.0)[-1]
    film.show(1.0, passing_arm)
    after = film.show(1.0)[-1]
    assert after.is_settled
    assert after.episode == before.episode + 1


def test_long_rest_stays_one_episode() -> None:
    scenes = Film().show(5.0)
    assert {scene.episode for scene in scenes if scene.is_settled} == {scenes[-1].episode}


def test_die_that_rolls_to_a_stop_is_noticed() -> None:
    film = Film()
    film.show(1.0)

    def roll(frame: FrameBgr, k: int) -> FrameBgr:
        x = 400 - min(k, 8) * 12
        frame[200:214, x : x + 14] = (245, 245, 245)
        return frame

    scenes = film.show(2.5, roll)
    assert not any(scene.is_settled for scene in scenes[:8])
    assert scenes[-1].is_settled


@pytest.mark.parametrize("color", [(10, 10, 140), (10, 80, 5), (60, 48, 48)])
def test_die_as_bright_as_what_it_lands_on_is_noticed(color: tuple[int, int, int]) -> None:
    """Red, green and gray on a blue board: their brightness is that of the board, within 1 of 49."""
    film = Film()

    def board(frame: FrameBgr, k: int) -> FrameBgr:
        noise = film.rng.normal(0, 4, frame.shape)
        return np.clip(np.array((120, 50, 20)) + noise, 0, 255).astype(np.uint8)

    def landed(frame: FrameBgr, k: int) -> FrameBgr:
        frame = board(frame, k)
        frame[200:214, 300:314] = color
        return frame

    before = film.show(2.0, board)[-1]
    after = film.show(1.0, landed)
    assert not after[0].is_settled
    assert after[-1].is_settled
    assert after[-1].episode == before.episode + 1


def test_other_white_balance_is_no_motion() -> None:
    film = Film()
    before = film.show(2.0)[-1]

    def warmer(frame: FrameBgr, k: int) -> FrameBgr:
        return np.clip(frame + np.array((-20, 0, 20)), 0, 255).astype(np.uint8)

    scenes = film.show(1.0, warmer)
    assert all(scene.is_settled for scene in scenes)
    assert scenes[-1].episode == before.episode


def test_slow_drift_of_exposure_is_no_motion() -> None:
    gate, rng = Gate(), np.random.default_rng(1)
    scenes = [gate.feed(noisy_table(rng, gain=1 + 0.004 * k), k * STEP_NS) for k in range(40)]
    assert all(scene.is_settled for scene in scenes[8:])


def test_noise_of_a_dark_room_is_no_motion() -> None:
    gate, rng = Gate(), np.random.default_rng(2)
    scenes = [gate.feed(noisy_table(rng, noise=12.0, gain=0.3), k * STEP_NS) for k in range(30)]
    assert all(scene.is_settled for scene in scenes[8:])


def test_screen_that_never_stops_beside_the_board_does_not_wedge_the_gate() -> None:
    film = Film()

    def flicker(frame: FrameBgr, k: int) -> FrameBgr:
        frame[20:60, 560:630] = 250 * (k % 2)
        return frame

    scenes = film.show(PATIENCE_S + 5, flicker)
    settled = [scene for scene in scenes if scene.is_settled]
    assert settled
    assert not settled[-1].is_restless, "the screen should have been learned and left out"


def test_unrest_everywhere_lets_a_picture_pass_after_a_while_and_says_so() -> None:
    gate, rng = Gate(patience_s=2.0), np.random.default_rng(3)
    mottled = rng.integers(0, 255, (36, 64, 3), np.uint8).repeat(10, 0).repeat(10, 1)
    scenes = [gate.feed(np.roll(mottled, 40 * k, axis=1), k * STEP_NS) for k in range(30)]
    assert any(scene.is_settled and scene.is_restless for scene in scenes)


#: A board seen from low down in the lower half of the picture, as `Gate.attend` takes it.
BOARD = np.array([[560.0, 340.0], [80.0, 340.0], [180.0, 180.0], [460.0, 180.0]])
SHAPE = (360, 640, 3)


def somebody(frame: FrameBgr, k: int) -> FrameBgr:
    """Moves behind the table, never twice alike, now here and now there."""
    x = 40 + 60 * (3 * k % 7)
    frame[10:90, x : x + 90] = (60 + 10 * (k % 9), 90, 160)
    return frame


def test_people_who_move_behind_the_board_keep_no_picture_from_passing() -> None:
    film = Film()
    film.show(1.0)
    assert not any(scene.is_settled for scene in film.show(3.0, somebody)[1:])
    film.gate.attend(BOARD, SHAPE)
    film.show(1.0)
    scenes = film.show(5.0, somebody)
    assert all(scene.is_settled and not scene.is_restless for scene in scenes)
    assert scenes[-1].episode == scenes[0].episode
    # It is told every second, and when it has come to rest.
    assert 4 <= scenes[-1].beyond - scenes[0].beyond <= 6
    after = film.show(3.0)
    assert after[-1].beyond == after[5].beyond == scenes[-1].beyond + 1


def test_what_moves_on_the_board_shuts_the_gate() -> None:
    film = Film()
    film.gate.attend(BOARD, SHAPE)
    film.show(1.0)

    def over(frame: FrameBgr, k: int) -> FrameBgr:
        frame[200:240, : 230 + 30 * (k % 8)] = (90, 120, 180)
        return frame

    assert not any(scene.is_settled for scene in film.show(1.4, over)[1:])

    def at_its_edge(frame: FrameBgr, k: int) -> FrameBgr:
        """A die that rolls along the edge."""
        frame[324:336, 86 + 4 * k : 98 + 4 * k] = (245, 245, 245)
        return frame

    film.show(1.0)
    assert not film.show(0.3, at_its_edge)[-1].is_settled


def test_hands_beside_the_board_keep_no_picture_from_passing() -> None:
    """They count money, a tenth of its side from the edge."""
    film = Film()
    film.gate.attend(BOARD, SHAPE)
    film.show(1.0)

    def counting(frame: FrameBgr, k: int) -> FrameBgr:
        frame[200:260, 560 + 8 * (k % 3) : 620 + 8 * (k % 3)] = (60 + 10 * (k % 9), 90, 160)
        return frame

    assert all(scene.is_settled for scene in film.show(5.0, counting))


#: Boxes of a die beside the board and of one on it, and the hand that may hold one of them.
BESIDE_IT, ON_IT, HAND = [580.0, 200.0, 592.0, 212.0], [300.0, 250.0, 312.0, 262.0], (60, 90, 160)


def hold(film: Film, boxes: list[list[float]], seconds: float, fingers: int = 590) -> list[bool]:
    """Which of the dice are held after a hand whose fingers end there has kept still with them for so long."""
    film.gate.attend(BOARD, SHAPE)
    film.show(4.0)

    def held(frame: FrameBgr, k: int) -> FrameBgr:
        frame[180:240, fingers:640] = HAND
        frame[200:212, 580:592] = 250
        return frame

    film.show(seconds, held)
    return film.gate.are_held(np.array(boxes), SHAPE).tolist()


def test_dice_are_held_as_long_as_a_hand_beside_the_board_has_not_been_there_for_long() -> None:
    assert hold(Film(), [BESIDE_IT, [100.0, 100.0, 112.0, 112.0]], 1.0) == [True, False]
    assert hold(Film(), [BESIDE_IT], 1.0, fingers=600) == [True], "they hold it by an edge"
    assert hold(Film(), [BESIDE_IT], 4.0) == [False]


def test_dice_are_not_held_beside_which_a_hand_lies_or_none() -> None:
    assert hold(Film(), [BESIDE_IT], 1.0, fingers=606) == [False]
    assert hold(Film(), [BESIDE_IT], 1.0, fingers=640) == [False]


def test_of_dice_on_the_board_and_before_it_is_found_none_is_held() -> None:
    film = Film()
    assert film.gate.are_held(np.array([BESIDE_IT]), SHAPE).tolist() == [False]
    film.gate.attend(BOARD, SHAPE)
    film.show(4.0)

    def over(frame: FrameBgr, k: int) -> FrameBgr:
        frame[200:300, 200:400] = HAND
        return frame

    film.show(1.0, over)
    assert film.gate.are_held(np.array([ON_IT]), SHAPE).tolist() == [False]


def test_what_moves_slowly_on_the_board_is_seen_while_somebody_moves_fast_behind_it() -> None:
    film = Film()
    film.gate.attend(BOARD, SHAPE)
    film.show(1.0, somebody)

    def slowly(frame: FrameBgr, k: int) -> FrameBgr:
        frame = somebody(frame, k)
        frame[220:250, 250:290] = 150 + 3 * k
        return frame

    film.show(1.0, lambda frame, k: slowly(frame, 0))
    assert not any(scene.is_settled for scene in film.show(1.0, slowly)[3:])


def test_while_nobody_knows_where_the_board_is_all_that_moves_counts() -> None:
    film = Film()
    film.gate.attend(BOARD, SHAPE)
    film.gate.attend_everywhere()
    film.show(1.0)
    assert not any(scene.is_settled for scene in film.show(2.0, somebody)[1:])


def test_change_of_picture_size_starts_afresh() -> None:
    gate, rng = Gate(), np.random.default_rng(5)
    gate.attend(BOARD, SHAPE)
    for k in range(10):
        gate.feed(noisy_table(rng), k * STEP_NS)
    assert not gate.feed(noisy_table(rng)[:300], 10 * STEP_NS).is_settled
    assert gate.feed(noisy_table(rng)[:300], 20 * STEP_NS).is_settled


@pytest.mark.benchmark
def test_idle_scene_costs_less_than_a_tenth_of_a_core_at_30_frames_a_second() -> None:
    gate, rng = Gate(), np.random.default_rng(6)
    frame = np.asarray(rng.integers(90, 110, (720, 1280, 3)), np.uint8)
    start = time.process_time()
    for k in range(90):
        gate.feed(frame, k * 33_000_000)
    assert time.process_time() - start < 0.3
