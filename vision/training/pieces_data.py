"""Renders training data for the piece finder and the token recognizer.

`python -m vision.training.pieces_data --out FOLDER --tables N --seed S` writes an `.npz` a table: bands of frames and
of the empty board with the places of all pieces, and crops of every token. Boards are drawn crowded, with pieces of
many colors, sizes and shapes, papers and dice on the spaces, so that what is learned holds for other sets.
"""

import argparse
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision import bands as bd
from vision.layout import Layout
from vision.pixels import remap
from vision.training.token_shapes import metal_token
from vision.view import View
from vision.virtual import render, shapes
from vision.virtual.artwork import GROUPS
from vision.virtual.camera import Camera
from vision.virtual.dataset import _random_hand, moment_of
from vision.virtual.geometry import rotation_z
from vision.virtual.scene import Die, Piece, Scene, TableStyle, nudged, random_camera
from vision.virtual.setting import Setting
from vision.virtual.sprite import blend, draw_solid

CLASSES = ("token", "house", "hotel", "bomb", "miner")
_plain_solid = shapes.solid_of


@lru_cache(maxsize=4096)
def solid_of(kind, color=None):
    """`shapes.solid_of` for kinds with a size and color (`house@1.1@20,120,45`), random tokens and papers."""
    name, *rest = kind.split("@")
    scale = float(rest[0]) if rest else 1.0
    paint = tuple(int(v) for v in rest[1].split(",")) if len(rest) > 1 and rest[1] else color
    if name.startswith("random"):
        solid = _random_solid(int(name[6:]))
    elif name.startswith("figure"):
        solid = _figure(int(name[6:]), paint or (150, 60, 20))
    elif name.startswith("paper"):
        rng = np.random.default_rng(int(name[5:]))
        color = tuple(int(v) for v in rng.uniform(90, 250, 3))
        return shapes._box(float(rng.uniform(0.04, 0.13)), float(rng.uniform(0.03, 0.06)), 0.0006, color)
    else:
        solid = _plain_solid(name, paint)
    return replace(solid, vertices=solid.vertices * scale)


def _random_solid(seed):
    rng = np.random.default_rng([seed, 41])
    metal = rng.random() < 0.75
    color = tuple(int(v) for v in (rng.uniform(120, 200) + rng.normal(0, 6, 3) if metal else rng.uniform(15, 240, 3)))
    height = float(rng.uniform(0.007, 0.024))
    if rng.random() < 0.4:
        n = int(rng.integers(4, 9))
        radii = rng.uniform(0.0025, 0.0095, n)
        radii[0] = rng.uniform(0.006, 0.0105)
        zs = np.sort(rng.uniform(0, height, n))
        profile = (
            [(0.0, 0.0), (float(radii[0]), 0.0)]
            + [(float(r), float(z)) for r, z in zip(radii, zs, strict=True)]
            + [(0.0, height)]
        )
        return shapes._revolved(tuple(profile), color, gloss=0.6, is_metal=metal)
    half = float(rng.uniform(0.006, 0.017))
    n = int(rng.integers(4, 9))
    xs = np.linspace(half, -half, n)
    tops = rng.uniform(0.25, 1.0, n) * height
    outline = [(-half, 0.0), (half, 0.0)] + [(float(x), float(z)) for x, z in zip(xs, tops, strict=True)]
    return shapes._extruded(tuple(outline), float(rng.uniform(0.006, 0.014)), color, 0.6, metal)


def _figure(seed, color):
    """A pawn of other proportions than the usual: stouter or taller, with a cap or a collar."""
    rng = np.random.default_rng([seed, 43])
    foot, waist, head = rng.uniform(0.0075, 0.0105), rng.uniform(0.0035, 0.0075), rng.uniform(0.0045, 0.0078)
    tall = rng.uniform(0.018, 0.030)
    profile = [(0.0, 0.0), (foot, 0.0), (foot * 1.03, tall * 0.06), (foot * 0.85, tall * 0.2), (waist, tall * 0.5)]
    profile += [(waist * rng.uniform(0.8, 1.5), tall * 0.62), (waist * 0.8, tall * 0.66), (head, tall * 0.76)]
    if rng.random() < 0.6:
        profile += [(head * rng.uniform(1.1, 1.4), tall * 0.84), (head, tall * 0.88)]
    profile += [(head * 0.8, tall * 0.96), (0.0, tall)]
    return shapes._revolved(tuple((float(r), float(z)) for r, z in profile), color, gloss=0.35)


render.solid_of = solid_of


def view_of(camera: Camera, size_m: float) -> View:
    return View(camera.size, camera.focal_px, float(camera.distortion[0]), camera.rotation, camera.translation / size_m)


def layout_of(geometry) -> Layout:
    unit, depth = geometry.unit_m / geometry.size_m, geometry.depth_m / geometry.size_m
    lines = -0.5 + geometry.margin_frac + depth + unit * np.arange(10)
    return Layout(lines, lines, geometry.margin_frac, geometry.strip_frac, geometry.jail_lane_frac)


def _color(rng):
    return ",".join(str(int(v)) for v in rng.uniform(15, 235, 3))


def make_style(seed):
    rng = np.random.default_rng([seed, 19])
    size = (1280, 720) if rng.random() < 0.85 else (1920, 1080)
    style = TableStyle.random(seed, int(rng.integers(4, 9)), size)
    kinds = {}
    scale = float(rng.uniform(0.88, 1.15))
    for name in style.tokens:
        kind = name
        if rng.random() < 0.3:
            kind = f"random{int(rng.integers(1 << 30))}"
        kinds[name] = f"{kind}@{scale:.3f}"
    if rng.random() < 0.5:
        # The colors that houses, hotels and markers have as well.
        family = str(rng.choice(["pawn", "meeple"]))
        for color in ("green", "red"):
            kinds[f"{color}_{family}"] = f"{color}_{family}@{scale:.3f}"
    if rng.random() < 0.4:
        metal = [k for k in shapes.METAL_KINDS if k not in kinds]
        for kind in rng.permutation(metal)[:3]:
            kinds[str(kind)] = f"{kind}@{scale:.3f}"
    return replace(style, tokens=kinds)


def buildings(rng, style, looks):
    """House and hotel pieces of a crowded board; (square, piece)."""
    geometry, pieces = style.geometry, []
    for street in GROUPS:
        if rng.random() < 0.5:
            continue
        depth = 1 - style.geometry.strip_frac * rng.uniform(0.3, 0.7)
        yaw = geometry.heading(street)
        hotel = rng.random() < 0.2
        count = 1 if hotel else int(rng.integers(1, 5))
        pitch = rng.uniform(0.21, 0.25)
        start = rng.uniform(0.25, 0.75) if hotel else (1 - pitch * (count - 1)) * rng.uniform(0.2, 0.8)
        if rng.random() < 0.35 and not hotel:
            start, pitch = 0.13, 0.247
        loose = rng.random() < 0.25
        for k in range(count):
            along = np.clip(start + pitch * k + rng.normal(0, 0.008), 0.06, 0.94)
            deep = depth + rng.normal(0, 0.05 if loose else 0.015)
            x, y = geometry.at(street, float(along), float(deep))
            turn = float(rng.normal(0, 0.5 if loose else 0.1))
            kind = "hotel" if hotel else "house"
            pieces.append((kind, Piece(f"{kind} {street} {k}", kind + looks[kind], x, y, 0.0, yaw + turn)))
            if hotel and rng.random() < 0.1:
                x, y = geometry.at(street, float(np.clip(along + 0.42, 0, 0.93)), float(deep))
                pieces.append(("house", Piece(f"extra {street}", "house" + looks["house"], x, y, 0.0, yaw + turn)))
    return pieces


def markers(rng, style):
    pieces = []
    for square in range(40):
        if square % 10 and rng.random() < 0.2:
            kind = str(rng.choice(["bomb", "miner"]))
            x, y = style.geometry.at(square, float(rng.uniform(0.25, 0.75)), float(rng.uniform(0.2, 0.6)))
            scale = rng.uniform(0.75, 1.2)
            pieces.append((kind, Piece(f"{kind} {square}", f"{kind}@{scale:.2f}", x, y)))
    return pieces


def moment_scene(rng, style, setting, looks, with_markers):
    """A crowded moment: (scene, labeled pieces)."""
    geometry = style.geometry
    for name in style.tokens:
        square = int(rng.integers(40))
        if rng.random() < 0.15:
            setting.tokens.pop(name, None)
            continue
        if rng.random() < 0.15:
            square = 10
        if rng.random() < 0.35 and setting.tokens:
            near = setting.square_of(str(rng.choice(list(setting.tokens))))
            square = near[0] if near else square
        setting.put_token(name, square, in_jail=square == 10 and rng.random() < 0.5)
    labeled = [
        ("token", replace(p, x=p.x + rng.normal(0, 0.004), y=p.y + rng.normal(0, 0.004)))
        for p in setting.tokens.values()
    ]
    labeled += buildings(rng, style, looks)
    if with_markers:
        labeled += markers(rng, style)
    if rng.random() < 0.4:
        x, y = setting.spot_on(int(rng.integers(40)))
        blue = ",".join(str(int(v)) for v in np.array([185, 80, 25]) * rng.uniform(0.7, 1.2))
        labeled.append(("token", Piece("figure", f"figure{int(rng.integers(1 << 30))}@1.0@{blue}", x, y)))
    others = [Piece("deck", "deck", -0.072, 0.072, 0, 0.785)] if rng.random() < 0.3 else []
    if rng.random() < 0.25:
        for k in range(int(rng.integers(1, 5))):
            x, y = (float(v) for v in rng.uniform(-0.22, 0.22, 2))
            others.append(
                Piece(f"paper {k}", f"paper{int(rng.integers(1 << 30))}", x, y, 0.0, float(rng.uniform(0, 6.3)))
            )
    dice = list(setting.throw(tuple(int(v) for v in rng.integers(1, 7, 2))))
    if rng.random() < 0.6:
        edge = geometry.size_m * 0.43
        for _ in range(int(rng.integers(1, 4))):
            x, y = (float(v) for v in rng.uniform(-edge, edge, 2))
            side = float(rng.choice([-1, 1])) * edge * rng.uniform(0.85, 1.1)
            x, y = (side, y) if rng.random() < 0.5 else (x, side)
            if all(np.hypot(p.x - x, p.y - y) > 0.02 for _, p in labeled):
                dice.append(Die(int(rng.integers(1, 7)), x, y, 0.0, float(rng.uniform(0, 6.3))))
    hands = (_random_hand(rng),) if rng.random() < 0.04 else ()
    scene = Scene((*(p for p in others), *(p for _, p in labeled)), tuple(dice), hands)
    return scene, labeled, len(others)


def make_table(seed, frames):
    rng = np.random.default_rng([seed, 23])
    style = make_style(seed)
    geometry = style.geometry
    size = geometry.size_m
    layout = layout_of(geometry)
    bands = bd.Bands.of(layout)
    renderer = render.Renderer(style)
    usual = rng.random() < 0.65
    scale = f"@{rng.uniform(0.85, 1.12):.3f}@"
    looks = {"house": scale, "hotel": scale}
    if usual:
        looks["house"] += f"{int(rng.uniform(15, 60))},{int(rng.uniform(90, 170))},{int(rng.uniform(5, 50))}"
        looks["hotel"] += f"{int(rng.uniform(15, 50))},{int(rng.uniform(20, 60))},{int(rng.uniform(150, 220))}"
    else:
        looks["house"] += _color(rng)
        looks["hotel"] += _color(rng)
    camera = renderer.camera
    true_view = view_of(camera, size)
    corners = true_view.corners_px()
    wide = camera.size[0] / 1280
    view = true_view.with_corners(corners + rng.normal(0, 1.2 * wide, (4, 2)))
    setting = Setting(style, rng)
    empty = renderer.render(setting.scene(), moment_of(style, rng))
    if rng.random() < 0.12:
        relit = render.Renderer(replace(style, light=TableStyle.random(seed + 5000).light))
        empty = relit.render(setting.scene(), moment_of(style, rng))
    reference = bd.cut(empty, bands.maps(view))
    out = {
        "reference": reference,
        "bands": [],
        "lean": [],
        "labels": [],
        "crops": [],
        "grounds": [],
        "names": [],
        "enrol": [],
    }
    names = list(style.tokens)

    def add_crop(picture, seen_view, foot_px, name, is_enrol):
        foot = seen_view.to_board(np.array([foot_px]) + rng.normal(0, 0.7 * wide, (1, 2)))[0]
        grid = bd.crop_map(seen_view, foot)
        out["crops"].append(remap(picture, grid, replicate=True))
        ground = bd.ground_map(grid, seen_view, view)
        out["grounds"].append(remap(empty, ground, replicate=True))
        out["names"].append(names.index(name))
        out["enrol"].append(is_enrol)

    for name in names:
        alone = Setting(style, rng)
        piece = alone.put_token(name, 0)
        picture = renderer.render(alone.scene(), moment_of(style, rng))
        add_crop(picture, view, camera.project(np.array([[piece.x, piece.y, 0.0]]))[0], name, True)
    with_markers = rng.random() < 0.4
    for index in range(frames):
        seen_view = view
        if index == frames - 3:
            camera = (
                nudged(style.camera, rng, style.camera.size)
                if rng.random() < 0.5
                else random_camera(rng, style.camera.size)
            )
            renderer = render.Renderer(style, camera)
        if index >= frames - 3:
            there = view_of(camera, size)
            seen_view = there.with_corners(there.project(true_view.to_board(view.corners_px())))
        seen_view = seen_view.with_corners(seen_view.corners_px() + rng.normal(0, 0.3 * wide, (4, 2)))
        scene, labeled, offset = moment_scene(rng, style, setting, looks, with_markers)
        picture = renderer.render(scene, moment_of(style, rng))
        drawn = renderer.locate(scene)
        out["bands"].append(bd.cut(picture, bands.maps(seen_view)))
        out["lean"].append(bands.lean(seen_view)[:, :, ::8, ::8].astype(np.float16))
        for k, (kind, piece) in enumerate(labeled):
            px = camera.project(np.array([[piece.x, piece.y, 0.0]]))
            foot = seen_view.to_board(px)
            visible = drawn[offset + k].visible
            for side in range(4):
                column, row = bands.to_band(side, foot)[0]
                if -4 < column < bd.WIDTH + 4 and -4 < row < bd.HEIGHT + 4:
                    out["labels"].append([index, side, CLASSES.index(kind), column, row, visible])
            if kind == "token" and piece.name in names and visible > 0.45 and not scene.hands:
                add_crop(picture, seen_view, px[0], piece.name, False)
    return {key: np.array(value) for key, value in out.items()}


def make_crops(seed, looks):
    """Crops alone: many tokens, each put `looks` times on the board and drawn only about it."""
    rng = np.random.default_rng([seed, 31])
    style = make_style(seed)
    size, geometry = style.geometry.size_m, style.geometry
    scale = float(rng.uniform(0.88, 1.15))
    metal = tuple(int(v) for v in rng.uniform(110, 195) + rng.normal(0, 5, 3))
    gloss = float(rng.uniform(0.3, 0.8))
    solids = [
        replace(solid_of(kind), colors=np.tile(np.array(metal, float), (len(solid_of(kind).faces), 1)))
        for kind in shapes.METAL_KINDS
    ]
    solids += [metal_token(rng, metal, gloss) for _ in range(26)]
    count = len(solids)
    paints = [str(color) for color in rng.permutation(list(shapes.PAWN_COLORS))]
    for color in paints[:5]:
        solids.append(solid_of(f"{color}_{rng.choice(['pawn', 'meeple'])}"))
    for color in paints[:3]:
        paint = tuple(int(v) for v in shapes.PAWN_COLORS[color])
        solids += [_figure(int(rng.integers(1 << 30)), paint) for _ in range(2)]
    cameras = [style.camera, nudged(style.camera, rng, style.camera.size), random_camera(rng, style.camera.size)]
    wide = style.camera.size[0] / 1280
    true_view = view_of(style.camera, size)
    view = true_view.with_corners(true_view.corners_px() + rng.normal(0, 1.2 * wide, (4, 2)))
    renderers = [render.Renderer(style, camera) for camera in cameras]
    empty = renderers[0].render(Scene(), moment_of(style, rng))
    out = {"crops": [], "grounds": [], "names": [], "enrol": []}
    for look in range(looks):
        which = 0 if look < looks * 0.7 else int(rng.integers(1, 3))
        renderer, camera = renderers[which], cameras[which]
        plain = renderer.compose(Scene())
        seen_view = view_of(camera, size)
        moment = moment_of(style, rng)
        for name, solid in enumerate(solids):
            x, y = geometry.at(int(rng.integers(40)), float(rng.uniform(0.15, 0.85)), float(rng.uniform(0.12, 0.75)))
            placed = solid.vertices * scale @ rotation_z(float(rng.uniform(0, 6.3))).T + [x, y, 0.0]
            sprite = draw_solid(solid, placed, camera, style.light)
            px = camera.project(np.array([[x, y, 0.0]]))
            reach = int(80 * wide)
            left, top = (int(v) - reach for v in px[0])
            if left < 0 or top < 0 or left + 2 * reach > plain.shape[1] or top + 2 * reach > plain.shape[0]:
                continue
            patch = plain[top : top + 2 * reach, left : left + 2 * reach].copy()
            for layer in (sprite.shadow, sprite.body):
                if layer is not None:
                    blend(patch, replace(layer, x=layer.x - left, y=layer.y - top))
            picture = renderer._expose(patch, replace(moment, noise_seed=int(rng.integers(1 << 30))))
            foot = seen_view.to_board(px + rng.normal(0, 0.9 * wide, (1, 2)))[0]
            grid = bd.crop_map(seen_view, foot)
            out["crops"].append(remap(picture, grid - np.float32([left, top]), replicate=True))
            out["grounds"].append(remap(empty, bd.ground_map(grid, seen_view, view), replicate=True))
            out["names"].append(name)
            out["enrol"].append(which == 0)
    return {key: np.array(value) for key, value in out.items()} | {"metal": np.array(count)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=150)
    parser.add_argument("--frames", type=int, default=11)
    parser.add_argument("--seed", type=int, default=20000)
    parser.add_argument("--crops", action="store_true", help="crops for the recognizer alone, many tokens a table")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in range(options.seed, options.seed + options.tables):
        make = make_crops if options.crops else make_table
        part = options.out / f"{seed}.part"
        with part.open("wb") as file:
            np.savez(file, **make(seed, options.frames))
        part.replace(options.out / f"{seed}.npz")


if __name__ == "__main__":
    main()
