"""Dice of the virtual table: drawn ray by ray, put where the lens shows them, with their shadows."""

from functools import lru_cache

import numpy as np

from vision.virtual import dice
from vision.virtual.camera import Camera
from vision.virtual.light import Light
from vision.virtual.scene import Die, TableStyle
from vision.virtual.shapes import Solid
from vision.virtual.sprite import Layer, Sprite, draw_shadow


@lru_cache(maxsize=8)
def _shadow_solid(kind: str) -> Solid:
    """The die's outline: all triangles of its corners cover its shadow."""
    corners = dice.corners_of(kind)
    n = len(corners)
    faces = tuple(np.array([a, b, c]) for a in range(n) for b in range(a + 1, n) for c in range(b + 1, n))
    return Solid(corners, faces[:600], np.zeros((len(faces[:600]), 3)))


def draw_die(die: Die, style: TableStyle, camera: Camera, vignette: float, ground_m: float) -> Sprite:
    """The die as the style's dice look."""
    look = style.die_look(die.kind)
    rotation = dice.turn_up(die.kind, die.value, die.yaw, die.tilt)
    edge = style.die_m if die.kind == "d6" else style.die_m * 1.15
    center = dice.resting(look, rotation, (die.x, die.y), edge)
    center[2] += die.z + ground_m
    light = light_on(die.x, die.y, style.light)
    patch = dice.draw_die(look, rotation, center, eye_at(camera, center), light, edge, samples=3)
    body = Layer(patch.x, patch.y, patch.alpha, np.clip(patch.bgr * np.float32(vignette), 0, 255))
    outline = dice.corners_of(die.kind) @ rotation.T * edge + center
    shadow = draw_shadow(_shadow_solid(die.kind), outline, camera, style.light, ground_m)
    depth = float(camera.depth(np.array([[center[0], center[1], ground_m]]))[0])
    return Sprite(body, shadow, depth, patch.box)


def eye_at(camera: Camera, center: np.ndarray) -> dice.Eye:
    """The camera as a pinhole that shows this place where the lens does."""
    extrinsic = np.column_stack([camera.rotation, camera.translation])
    plain = camera.matrix @ extrinsic
    straight = plain @ np.append(center, 1.0)
    shift = camera.project(center[None])[0] - straight[:2] / straight[2]
    intrinsics = camera.matrix
    intrinsics[:2, 2] += shift
    return dice.Eye(intrinsics @ extrinsic)


def light_on(x: float, y: float, light: Light) -> dice.DiceLight:
    """The table's light as it falls on a die at (x, y) meters."""
    here = light.brightness(np.array([x, y]))
    level = float(here.mean())
    blue, green, red = (float(c) / level for c in here)
    ground = (float(here[0]) * 120, float(here[1]) * 120, float(here[2]) * 120)
    return dice.DiceLight(light.direction, light.ambient, level, (blue, green, red), ground)
