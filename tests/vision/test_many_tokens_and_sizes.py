"""Dice of the sizes that are sold, and eight tokens of which several share a space, on rendered tables."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.table_sets import reader_of, virtual_table
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment
from vision.virtual.setting import Setting

PAWNS = ("red_pawn", "blue_pawn")
THROWS = 6


@pytest.mark.parametrize("millimeters", [12, 19])
def test_small_and_large_dice_are_read(millimeters: int) -> None:
    table, reader = virtual_table(3, PAWNS), reader_of(3, PAWNS)
    style = replace(table.style, die_m=millimeters / 1000)
    renderer, rng, right = Renderer(style), np.random.default_rng(millimeters), 0
    for number in range(THROWS):
        setting = Setting(style, rng)
        faces = int(rng.integers(1, 7)), int(rng.integers(1, 7))
        setting.dice = setting.throw(faces)
        dice = reader.read(renderer.render(setting.scene(), Moment(noise_seed=number))).dice
        right += sorted(die.value for die in dice) == sorted(faces)
    assert right >= THROWS - 1


EIGHT = tuple(f"{color}_pawn" for color in ("red", "orange", "green", "yellow", "black", "purple", "blue", "pink"))


@pytest.mark.parametrize("seed", [0, 1])
def test_eight_tokens_are_told_apart_three_of_them_on_one_space(seed: int) -> None:
    table = virtual_table(5, EIGHT)
    setting = table.setting(seed)
    squares = dict(zip(EIGHT, (24, 24, 24, 5, 5, 13, 31, 38), strict=True))
    for name, square in squares.items():
        setting.put_token(name, square)
    tokens = reader_of(5, EIGHT).read(table.picture(setting.scene(), seed=seed)).tokens
    assert Counter(token.square for token in tokens) == Counter(squares.values())
    assert sum(squares[str(token.name)] == token.square for token in tokens if token.name) >= len(EIGHT) - 1
