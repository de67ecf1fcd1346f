"""Frames of the virtual table for the dice networks: dice among tokens, houses, cards and printed words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.training.notes import lay_notes
from vision.training.scenes import (
    COCKED,
    Image,
    Label,
    camera_effects,
    lay_things,
    of_ground_color,
    random_around,
    random_glare,
    random_lamps,
    random_looks,
    random_spots,
    random_tubes,
    seen_before,
)
from vision.virtual.dataset import shuffle
from vision.virtual.dice import Eye
from vision.virtual.dice_sprites import eye_at, light_on
from vision.virtual.render import Renderer
from vision.virtual.scene import Scene, TableStyle
from vision.virtual.setting import Setting

#: Kind of a row that is no die but may look like one.
DECOY = -1
KINDS = ("d6", "d4", "d8", "d20")
#: Of a row of labels.
COLUMNS = 11
Rows = NDArray[np.float32]
#: Throws in one picture, where nothing else is said, and how near to a piece a die may lie, meters.
THROWS, _CLEAR_M = 5, 0.024
#: How far from any piece the middle of scattered notes is: they are laid over what was drawn before.
_CLEAR_OF_NOTES_M = 0.15


@dataclass(frozen=True)
class Example:
    """A picture to learn from.

    Attributes:
        image: (h, w, 3) BGR.
        rows: (n, COLUMNS), see `rows_of`.
        before: (h // 2, w // 2, 3) the place when it was empty, see `seen_before`.
    """

    image: Image
    rows: Rows
    before: Image


def table_frames(seed: int, count: int, throws: int = THROWS, cocked: float = COCKED) -> list[Example]:
    """`count` frames of one random table; tokens and houses come as decoys.

    Args:
        throws: in one frame, up to four dice each.
        cocked: share of the dice that lie cocked.
    """
    style = TableStyle.random(seed, 4 + seed % 5)
    rng = np.random.default_rng([seed, 53])
    renderer, setting = Renderer(style), Setting(style, rng)
    setting.has_decks = style.has_decks
    frames, empty = [], renderer.compose(Scene(())).astype(np.float32)
    for number in range(count):
        if number % 2 == 0:
            for _ in range(2):
                shuffle(setting)
        scene = Scene(setting.scene().pieces)
        canvas = renderer.compose(scene).astype(np.float32)
        if rng.random() < 0.4:
            _scatter_notes(rng, canvas, style, renderer, scene)
        labels = [label for _ in range(throws) for label in _throw(rng, canvas, style, renderer, scene, cocked)]
        edge_px = 0.016 * renderer.camera.focal_px / float(renderer.camera.depth(np.zeros((1, 3)))[0])
        image = camera_effects(canvas, rng, edge_px)
        decoys = []
        for where in renderer.locate(scene):
            x0, y0, x1, y1 = where.box
            if max(x1 - x0, y1 - y0) < 90:
                size = 0.7 * max(x1 - x0, y1 - y0, 8.0)
                decoys.append((DECOY, 0, (x0 + x1) / 2, (y0 + y1) / 2, size, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
        kept = np.concatenate([rows_of(labels), np.array(decoys, np.float32).reshape(-1, COLUMNS)])
        frames.append(Example(image, kept[_is_clear(kept)], seen_before(empty, image, rng)))
    return frames


def _scatter_notes(
    rng: np.random.Generator, canvas: NDArray[np.float32], style: TableStyle, renderer: Renderer, scene: Scene
) -> None:
    """Lays money on the board or beside it, clear of the pieces."""
    reach = 0.62 * style.geometry.size_m
    pieces = np.array([(piece.x, piece.y) for piece in scene.pieces]).reshape(-1, 2)
    for center in rng.uniform(-reach, reach, (4, 2)):
        if np.linalg.norm(pieces - center, axis=1).min(initial=1.0) > _CLEAR_OF_NOTES_M:
            lay_notes(rng, canvas, eye_at(renderer.camera, np.array([*center, 0.0])), center, 0.016)


def _throw(
    rng: np.random.Generator,
    canvas: NDArray[np.float32],
    style: TableStyle,
    renderer: Renderer,
    scene: Scene,
    cocked: float,
) -> list[Label]:
    """Lays some dice near each other, on the board or beside it, clear of the pieces."""
    reach, edge = 0.62 * style.geometry.size_m, float(rng.uniform(0.013, 0.02))
    center = np.array([*rng.uniform(-reach, reach, 2), 0.0])
    eye = eye_at(renderer.camera, center)
    looks = random_looks(rng, 4)
    if rng.random() < 0.25:
        looks = [of_ground_color(rng, look, _around(canvas, eye, center)) for look in looks]
    spots = center[:2] + edge * random_spots(rng, len(looks), 5.0)
    pieces = np.array([(piece.x, piece.y) for piece in scene.pieces]).reshape(-1, 2)
    away = np.linalg.norm(spots[:, None] - pieces[None], axis=2).min(axis=1, initial=1.0)
    clear = np.flatnonzero(away > _CLEAR_M)
    window, glare = random_glare(rng)
    light = replace(
        light_on(float(center[0]), float(center[1]), style.light),
        around=random_around(rng),
        contact=float(rng.uniform(0, 1)),
        window=window,
        lamps=random_lamps(rng),
        tubes=random_tubes(rng),
        glare=glare,
    )
    return lay_things(rng, canvas, [looks[k] for k in clear], spots[clear], eye, light, edge, cocked)


def _around(canvas: NDArray[np.float32], eye: Eye, center: NDArray[np.float64], reach: int = 24) -> NDArray[np.float32]:
    """The part of the canvas around a point of the world; all of it where that lies outside."""
    x, y = (round(float(v)) for v in eye.project(center[None])[0])
    part = canvas[max(y - reach, 0) : max(y + reach, 0), max(x - reach, 0) : max(x + reach, 0)]
    return part if part.size else canvas


def rows_of(labels: Iterable[Label]) -> Rows:
    """(n, COLUMNS): kind, value, x, y, edge, visible, cocked, lean, squash, slant."""
    rows = []
    for one in labels:
        how = (one.visible, one.cocked, one.lean, one.squash, *one.slant)
        rows.append((KINDS.index(one.kind), one.value, *one.top_px, one.edge_px, *how))
    return np.array(rows, np.float32).reshape(-1, COLUMNS)


def stances(rows: Rows, px: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 2) lean and squash at px (n, 2): as at the nearest of the labelled ones."""
    return np.asarray(rows[np.hypot(*(rows[:, None, 2:4] - px).transpose(2, 0, 1)).argmin(axis=0), 7:9], np.float64)


def _is_clear(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """False for decoys that lie over or under a die."""
    dice = rows[rows[:, 0] != DECOY]
    clear = np.ones(len(rows), bool)
    for k, row in enumerate(rows):
        if row[0] == DECOY and len(dice):
            away = np.hypot(dice[:, 2] - row[2], dice[:, 3] - row[3]) / dice[:, 4]
            clear[k] = float(away.min()) > 0.9
    return clear
