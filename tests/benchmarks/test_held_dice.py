"""Dice that a hand shows beside the board, moving and keeping still in turns: how many are taken for a throw.

Run with `python -m pytest -m benchmark tests/benchmarks/test_held_dice.py -s -n 0`; it takes five minutes.
"""

from dataclasses import replace

import numpy as np
import pytest

from companion.observations import DiceSeen
from tests.benchmarks.test_eyes_speed import FPS
from vision.live.watcher import Watcher
from vision.reader import TableReader
from vision.virtual.idle_hands import IdleHandsRenderer, seats_in_view
from vision.virtual.profiles import calibration_pictures
from vision.virtual.scene import TableStyle, random_camera
from vision.virtual.world import Command, World

#: Rendered tables, how many other hands are beside the board, throws on each, and for how long dice are shaken.
SEEDS, HANDS, THROWS, SHAKE_S = range(942_860, 942_872), 2, 5, 2.5
#: The most of the throws before which something is told while a hand has the dice, and the least that are told right.
MOST_HELD, LEAST_TOLD = 0.1, 0.9


@pytest.mark.benchmark
def test_dice_in_a_hand_are_hardly_ever_taken_for_a_throw() -> None:
    held = told = 0
    for seed in SEEDS:
        shaken, right = shown(seed)
        held, told = held + shaken, told + right
        print(f"\n{seed}: {right} of {THROWS} throws told, {shaken} while a hand had the dice", end="", flush=True)
    total = THROWS * len(SEEDS)
    print(f"\ntogether: {told} of {total} throws told, {held} while a hand had the dice")
    assert held <= MOST_HELD * total
    assert told >= LEAST_TOLD * total


def shown(seed: int) -> tuple[int, int]:
    """Before how many throws something was told while a hand had the dice, and how many were told right at rest."""
    style = TableStyle.random(seed, 2)
    style = replace(style, camera=random_camera(np.random.default_rng([seed, 6]), style.camera.size, (30, 50)), mugs=())
    renderer = IdleHandsRenderer(style, HANDS)
    world = World(style, seed, rest_s=(3.0, 3.1), shake_s=SHAKE_S, is_open_handed=True)
    world.set_up()
    pictures = calibration_pictures(style, renderer)
    watcher = Watcher(TableReader(pictures.empty_bgr, pictures.taps_px, pictures.enrol))
    watcher.expect(2)
    rng, everybody = np.random.default_rng([seed, 7]), seats_in_view(style.camera)
    # An arm would lie in the other hands there.
    seats = [seat for seat in everybody if seat not in renderer.seats] or everybody
    now_s, held, right = 0.0, 0, 0
    while now_s < 2.0:
        now_s += 1 / FPS
        renderer.time_s = now_s
        watcher.feed(renderer.render(world.scene_at(now_s), world.moment()), round(now_s * 1e9))
    for throw in range(THROWS):
        dice = tuple(int(value) for value in rng.integers(1, 7, 2))
        world.do(Command(do="throw", dice=dice, seat=seats[throw % len(seats)], id=throw + 1))
        was_held = was_told = False
        rested_s = 0.0
        while rested_s < 2.5:
            now_s += 1 / FPS
            scene = world.scene_at(now_s)
            renderer.time_s = now_s
            rested_s += (throw + 1 in world.done) / FPS
            for seen in watcher.feed(renderer.render(scene, world.moment()), round(now_s * 1e9)):
                if isinstance(seen, DiceSeen):
                    faces = sorted(max(die.faces, key=lambda face: die.faces[face]) for die in seen.dice)
                    was_held |= not rested_s
                    was_told |= rested_s > 0 and faces == sorted(dice)
        held, right = held + was_held, right + was_told
    return held, right
