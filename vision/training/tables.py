"""Frames of the virtual table for the dice networks: dice among tokens, houses, cards and printed words."""

import numpy as np
from numpy.typing import NDArray

from vision.training.scenes import Image
from vision.virtual.dataset import moment_of, shuffle
from vision.virtual.render import Renderer
from vision.virtual.scene import Die, TableStyle
from vision.virtual.setting import Setting

#: Kind of a row that is no die but may look like one.
DECOY = -1


def table_frames(seed: int, count: int) -> list[tuple[Image, NDArray[np.float32]]]:
    """`count` frames of one random table, with rows as of `pictures.rows_of`; tokens and houses come as decoys."""
    style = TableStyle.random(seed, 4 + seed % 5)
    rng = np.random.default_rng([seed, 53])
    renderer, setting = Renderer(style), Setting(style, rng)
    setting.has_decks = style.has_decks
    frames = []
    for _ in range(count):
        for _ in range(2):
            shuffle(setting)
        scene = setting.scene()
        image = renderer.render(scene, moment_of(style, rng))
        drawn = renderer.locate(scene)
        rows = []
        for thing, where in zip(scene.things, drawn, strict=True):
            x0, y0, x1, y1 = where.box
            if isinstance(thing, Die):
                top, edge = _upper_face(renderer, style, thing)
                rows.append((0, thing.value, *top, edge, float(where.visible), 0.0))
            elif max(x1 - x0, y1 - y0) < 90:
                size = 0.7 * max(x1 - x0, y1 - y0, 8.0)
                rows.append((DECOY, 0, (x0 + x1) / 2, (y0 + y1) / 2, size, 1.0, 0.0))
        kept = np.array(rows, np.float32).reshape(-1, 7)
        frames.append((image, kept[_is_clear(kept)]))
    return frames


def _upper_face(renderer: Renderer, style: TableStyle, die: Die) -> tuple[tuple[float, float], float]:
    """Center px of the upper face, and the root of its area."""
    on_board = max(abs(die.x), abs(die.y)) <= style.geometry.size_m / 2
    height = style.die_m - (0.0 if on_board else style.geometry.thickness_m)
    c, s, half = np.cos(die.yaw), np.sin(die.yaw), style.die_m / 2
    corners = [(die.x + half * (a * c - b * s), die.y + half * (a * s + b * c), height) for a, b in _SQUARE]
    px = renderer.camera.project(np.array(corners))
    x, y = px[:, 0], px[:, 1]
    area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
    return (float(x.mean()), float(y.mean())), area**0.5


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _is_clear(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """False for decoys that lie over or under a die."""
    dice = rows[rows[:, 0] != DECOY]
    clear = np.ones(len(rows), bool)
    for k, row in enumerate(rows):
        if row[0] == DECOY and len(dice):
            away = np.hypot(dice[:, 2] - row[2], dice[:, 3] - row[3]) / dice[:, 4]
            clear[k] = float(away.min()) > 0.9
    return clear
