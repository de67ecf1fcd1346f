"""Pictures of token volumes: rays through the camera's pixels, a room to mirror, shadows on the board."""

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.pixels import remap
from vision.training.token_volumes import EXTENT, VOXEL
from vision.virtual.sprite import Layer, Sprite

_LEVELS = (0.0, 1.5, 4.0, 8.0, 16.0)
_LOW = np.array([-EXTENT[0], -EXTENT[1], -2 * VOXEL], np.float32)
_HIGH = np.array(EXTENT, np.float32)


class Room:
    """What surrounds the table: (32, 64) BGR radiance by direction, as it is and more and more blurred.

    Rows run from straight up to straight down, columns around. 1 is the light that falls on the board.
    """

    def __init__(self, rng, light):
        height, width = 48, 96
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        up, around = (rows + 0.5) / height * np.pi, (columns + 0.5) / width * 2 * np.pi
        self._directions = np.stack([np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)], -1)
        walls = rng.uniform(0.2, 0.8) * np.exp(rng.normal(0, 0.05, 3))
        ceiling = rng.uniform(0.35, 1.1) * np.exp(rng.normal(0, 0.04, 3))
        share = 1 / (1 + np.exp(-(self._directions[..., 2:] - rng.uniform(0.2, 0.7)) / rng.uniform(0.02, 0.3)))
        room = walls + (ceiling - walls) * share
        room = room * (1 + rng.uniform(0, 0.5) * np.cos(around - rng.uniform(0, 6.3)))[..., None]
        for _ in range(int(rng.integers(0, 9))):
            room += self._panel(rng, _random_direction(rng)) * rng.uniform(-0.3, 0.6)
        for _ in range(int(rng.integers(0, 3))):
            room += self._panel(rng, _random_direction(rng)) * rng.uniform(1, 6)
        towards = np.array(light.direction)
        room += self._panel(rng, towards) * rng.uniform(1, 9)
        if rng.random() < 0.4:
            towards = towards + rng.normal(0, 0.4, 3)
            room += self._panel(rng, towards / np.linalg.norm(towards)) * rng.uniform(1, 6)
        room = np.maximum(room, 0.06)
        weight = np.sin(up)[..., None]
        upper = np.clip(self._directions[..., 2:], 0, None) * weight
        room = room / ((room * upper).sum((0, 1)) / upper.sum()).mean()
        self.levels = [room.astype(np.float32)]
        for sigma in _LEVELS[1:]:
            padded = np.concatenate([room[:, -width // 2 :], room, room[:, : width // 2]], 1) * 1.0
            soft = cv2.GaussianBlur(padded, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
            self.levels.append(soft[:, width // 2 : -(width // 2)].astype(np.float32))
        bright = (room.mean(-1) * weight[..., 0] * np.clip(self._directions[..., 2], 0, None)).ravel()
        chosen = rng.choice(len(bright), 9, p=bright / bright.sum())
        self.lights = self._directions.reshape(-1, 3)[chosen]

    def _panel(self, rng, towards):
        """A window, a lamp, a dark cupboard: a rectangle or a spot in one direction."""
        side = np.cross(towards, [0, 0, 1.0])
        side /= max(np.linalg.norm(side), 1e-6)
        over = np.cross(side, towards)
        d = self._directions
        ahead = d @ towards
        x, y = (d @ side) / np.maximum(ahead, 1e-3), (d @ over) / np.maximum(ahead, 1e-3)
        a, b = rng.uniform(0.08, 0.6, 2)
        inside = (np.hypot(x / a, y / a) < 1) if rng.random() < 0.3 else ((np.abs(x) < a) & (np.abs(y) < b))
        if rng.random() < 0.3:
            inside &= (np.abs(x) > 0.06) & (np.abs(y) > 0.05)
        return ((inside & (ahead > 0))[..., None] * np.exp(rng.normal(0, 0.08, 3))).astype(np.float32)

    def seen(self, directions, blur):
        """(n, 3) radiance in directions (n, 3), blurred to a level (may lie between two)."""
        height, width = self.levels[0].shape[:2]
        row = np.arccos(np.clip(directions[:, 2], -1, 1)) / np.pi * height - 0.5
        column = (np.arctan2(directions[:, 1], directions[:, 0]) % (2 * np.pi)) / (2 * np.pi) * width - 0.5
        where = np.stack([column, row], -1)[None].astype(np.float32)
        low = int(np.clip(np.floor(blur), 0, len(self.levels) - 2))
        share = np.float32(min(blur - low, 1.0))
        return ((1 - share) * remap(self.levels[low], where, True) + share * remap(self.levels[low + 1], where, True))[
            0
        ]


def _random_direction(rng):
    towards = rng.normal(0, 1, 3)
    towards[2] = abs(towards[2]) * rng.uniform(0.1, 2)
    return towards / np.linalg.norm(towards)


class Volume:
    """A token's distances and the slopes of them, to be asked at any point."""

    def __init__(self, distances):
        slopes = np.gradient(distances, VOXEL)
        self.shape = distances.shape
        whole = np.stack([distances, slopes[2], slopes[1], slopes[0]]).astype(np.float32)
        self._all = torch.from_numpy(whole)[None]
        self._distances = self._all[:, :1].contiguous()
        solid = np.argwhere(distances < 0)
        self.low = np.maximum(_LOW + solid.min(0)[::-1] * VOXEL - VOXEL, _LOW).astype(np.float32)
        self.high = np.minimum(_LOW + solid.max(0)[::-1] * VOXEL + VOXEL, _HIGH).astype(np.float32)

    @property
    def corners(self):
        """(8, 3) of the box that holds it."""
        steps = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        return steps * (self.high - self.low) + self.low

    def at(self, points, slopes=False):
        """(n,) distances, or (n, 4) with slopes, at points (n, 3)."""
        span = (_HIGH - _LOW) / 2
        unit = torch.from_numpy(np.ascontiguousarray((points - _LOW) / span - 1, np.float32))
        source = self._all if slopes else self._distances
        got = functional.grid_sample(source, unit[None, None, None], align_corners=True, padding_mode="border")
        got = got[0, :, 0, 0].numpy()
        return got.T if slopes else got[0]


def laid(volume, rng):
    """The volume as it lies when it has fallen, mostly on one of its long sides, a little aslant."""
    long, _, tall = volume.high - volume.low
    axis = 0 if rng.random() < (0.8 if long > tall else 0.5) else 1
    angle = float(rng.choice([-1, 1])) * (np.pi / 2 + rng.normal(0, 0.12))
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]] if axis == 0 else [[c, 0, s], [0, 1, 0], [-s, 0, c]])
    middle = (volume.low + volume.high) / 2
    low = ((volume.corners - middle) @ turn.T).min(0)[2]
    grid = np.stack(np.meshgrid(*(np.arange(n) for n in volume.shape), indexing="ij"), -1)[..., ::-1] * VOXEL + _LOW
    grid[..., 2] += low
    points = (grid.reshape(-1, 3) @ turn + middle).astype(np.float32)
    inside = np.clip(points, _LOW, _HIGH)
    distances = volume.at(inside) + np.linalg.norm(points - inside, axis=1)
    fallen = distances.reshape(volume.shape).astype(np.float32)
    # Down to the board, where the corners of its box did not touch it.
    above = max(int((fallen < 0).any(axis=(1, 2)).argmax()) - 2, 0)
    return Volume(np.concatenate([fallen[above:], fallen[-1:].repeat(above, 0)]))


def draw(volume, look, place, yaw, camera, room, light, ground, shade=1.0):
    """The sprite of a token on the board.

    Args:
        place: (x, y) meters.
        ground: the picture without the token, (h, w, 3) uint8, sharp and blurred: what its lower parts mirror.
    """
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]], np.float32)
    at = np.array([place[0], place[1], 0.0], np.float32)
    px = camera.project((volume.corners @ turn.T + at).astype(np.float64))
    x0, y0 = np.floor(px.min(0)).astype(int) - 1
    width, height = (np.ceil(px.max(0)).astype(int) + 2 - (x0, y0)).tolist()
    fine = 2
    columns, rows = np.meshgrid(
        x0 - 0.5 + (np.arange(width * fine) + 0.5) / fine, y0 - 0.5 + (np.arange(height * fine) + 0.5) / fine
    )
    straight = camera._undistort(np.stack([columns.ravel(), rows.ravel()], 1))
    rays = np.hstack([straight, np.ones((len(straight), 1))]) @ camera.rotation
    rays = (rays / np.linalg.norm(rays, axis=1, keepdims=True)).astype(np.float32)
    eye = ((camera.eye - at) @ turn).astype(np.float32)
    rays_here = rays @ turn
    hit, points = _march(volume, eye, rays_here)
    color = np.zeros((len(rays), 3), np.float32)
    if hit.any():
        color[hit] = _shaded(volume, look, points, rays_here[hit], turn, at, camera, room, light, ground)
    level = light.brightness(np.array(place)[None])[0] * shade
    image = np.clip(color * level * 255, 0, 255).reshape(height * fine, width * fine, 3)
    mask = hit.astype(np.float32).reshape(height * fine, width * fine)
    alpha = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    bgr = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA) / np.maximum(alpha, 1e-3)[..., None]
    body = Layer(int(x0), int(y0), alpha, bgr)
    shadow = _shadow(volume, turn, at, camera, room, light)
    depth = float(np.linalg.norm(camera.eye - at))
    return Sprite(
        body,
        shadow,
        depth,
        (float(px[:, 0].min()), float(px[:, 1].min()), float(px[:, 0].max()), float(px[:, 1].max())),
    )


def _march(volume, eye, rays):
    """Which rays hit, and where (hits, 3)."""
    near, far = _through(volume, eye, rays)
    active = np.flatnonzero(near < far)
    reach = near.copy()
    hit = np.zeros(len(rays), bool)
    for _ in range(40):
        if not len(active):
            break
        distance = volume.at(eye + rays[active] * reach[active, None])
        hit[active[distance < 0.00012]] = True
        reach[active] += np.maximum(distance, 0.00005) * 0.9
        active = active[(distance >= 0.00012) & (reach[active] < far[active])]
    return hit, eye + rays[hit] * reach[hit, None]


def _through(volume, start, rays):
    """How far along rays (n, 3) from their starts the volume's box begins and ends."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (volume.low - start) / rays, (volume.high - start) / rays
    near, far = np.minimum(a, b), np.maximum(a, b)
    return (
        np.maximum(np.maximum(near[:, 0], near[:, 1]), near[:, 2]),
        np.minimum(np.minimum(far[:, 0], far[:, 1]), far[:, 2]),
    )


def _shaded(volume, look, points, rays, turn, at, camera, room, light, ground):
    """(n, 3) light that leaves the points towards the camera; 1 is a white sheet on the board."""
    slopes = volume.at(points, True)[:, 1:]
    normals = slopes / np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-6)
    facing = np.clip(-(normals * rays).sum(1), 0, 1)
    mirrored = rays + 2 * facing[:, None] * normals
    start = points + normals * 0.0004
    open_sky = np.ones(len(points), np.float32)
    for far in (0.0015, 0.004):
        open_sky *= np.clip(volume.at(start + normals * far) / far * 0.5 + 0.5, 0.3, 1)
    clear = np.ones(len(points), np.float32)
    for far in (0.001, 0.002, 0.004, 0.007):
        clear = np.minimum(clear, np.clip(volume.at(start + mirrored * far) / (far * 0.25), 0, 1))
    world_normals, world_mirrored = normals @ turn.T, mirrored @ turn.T
    below = _board_seen(start @ turn.T + at, world_mirrored, camera, light, ground[int(look.roughness > 0.35)])
    blur = look.roughness * (len(_LEVELS) - 1.01)
    horizon = 0.05 + 0.35 * look.roughness
    share = np.clip(world_mirrored[:, 2:] / horizon * 0.5 + 0.5, 0, 1)
    mirror = room.seen(world_mirrored, blur) * share + below * (1 - share)
    around = room.seen(world_normals, len(_LEVELS) - 1.01)
    up = world_normals[:, 2:] * 0.5 + 0.5
    base = _board_seen(start @ turn.T + at, np.array([[0, 0, -1.0]]).repeat(len(points), 0), camera, light, ground[1])
    diffuse = (around * up + base * 0.6 * (1 - up)) * open_sky[:, None]
    color = np.broadcast_to(look.color, (len(points), 3))
    if look.cap is not None:
        color = np.where(points[:, 2:] > look.cap_from, look.cap, color)
    if look.is_metal:
        tint = color + (1 - color) * ((1 - facing) ** 5)[:, None]
        own = mirror * clear[:, None] + diffuse * color * (1 - clear[:, None]) * 0.8
        return (own * tint * (0.6 + 0.4 * open_sky[:, None])).astype(np.float32)
    gloss = (0.04 + 0.96 * (1 - facing) ** 5)[:, None] * (1 - 0.7 * look.roughness)
    return (diffuse * color * (1 - gloss) + mirror * gloss * clear[:, None]).astype(np.float32)


def _board_seen(points, directions, camera, light, ground):
    """(n, 3) what of the board shows in directions (n, 3) that go down from points."""
    drop = np.minimum(directions[:, 2], -0.03)
    reach = np.clip(points[:, 2] / -drop, 0, 0.12)
    where = points + directions * reach[:, None]
    where[:, 2] = 0
    px = camera.project(where.astype(np.float64)).astype(np.float32)[None]
    seen = remap(ground, px, True)[0].astype(np.float32) / 255
    return seen / np.maximum(light.brightness(where[:, :2]), 0.05)


def _shadow(volume, turn, at, camera, room, light):
    """Darkening of the board about a token, from the room's brightest directions."""
    step, half = 0.002, 0.028
    side = np.arange(-half, half + step / 2, step, dtype=np.float32)
    gx, gy = np.meshgrid(side, side)
    spots = np.stack([gx.ravel(), gy.ravel(), np.full(gx.size, 0.0002, np.float32)], 1)
    towards = np.repeat((room.lights @ turn).astype(np.float32), len(spots), axis=0)
    starts = np.tile(spots, (len(room.lights), 1))
    near, far = _through(volume, starts, towards)
    active = np.flatnonzero(np.maximum(near, 0) < far)
    starts, towards, far, reach = starts[active], towards[active], far[active], np.maximum(near[active], 0)
    least = np.full(len(active), 1.0, np.float32)
    for _ in range(6):
        distance = volume.at(starts + towards * reach[:, None])
        least = np.where(reach <= far, np.minimum(least, distance / (0.10 * reach + 0.0006)), least)
        reach = reach + np.maximum(distance, 0.0006)
    covered = np.zeros(len(room.lights) * len(spots), np.float32)
    covered[active] = 1 - np.clip(least, 0, 1)
    covered = covered.reshape(-1, len(spots)).sum(0)
    lit = covered / len(room.lights) * 0.7
    near = np.clip(1 - volume.at(spots) / 0.004, 0, 1) * (np.abs(spots[:, :2]).max(1) < 0.018)
    depth = np.maximum(lit, near * 0.3).reshape(gx.shape).astype(np.float32)
    depth = cv2.GaussianBlur(depth, (0, 0), 0.6)
    world = np.stack([gx.ravel(), gy.ravel(), np.zeros(gx.size, np.float32)], 1) @ turn.T + at
    px = camera.project(world.astype(np.float64))
    x0, y0 = np.floor(px.min(0)).astype(int)
    width, height = (np.ceil(px.max(0)).astype(int) + 1 - (x0, y0)).tolist()
    source = np.array([[0, 0], [len(side) - 1, 0], [len(side) - 1, len(side) - 1], [0, len(side) - 1]], np.float32)
    corner = px.reshape(len(side), len(side), 2)
    target = np.array([corner[0, 0], corner[0, -1], corner[-1, -1], corner[-1, 0]], np.float32) - np.float32([x0, y0])
    warp = cv2.getPerspectiveTransform(source, target)
    return Layer(int(x0), int(y0), cv2.warpPerspective(depth, warp, (width, height), flags=cv2.INTER_LINEAR))
