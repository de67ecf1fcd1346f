"""Renders what the piece finder and the token recognizer are trained on: bands of boards with the places of all pieces,
and crops of every token.

Boards are drawn crowded, with pieces of many colors, sizes and shapes, papers and dice on the spaces, so that what is
learned holds for other sets.
"""

from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from math import ceil

import cv2
import numpy as np

from vision.board import bands as bd
from vision.board.foreground import match_colors, recolor
from vision.board.layout import Layout
from vision.board.view import View
from vision.pixels import remap
from vision.training import built
from vision.training import token_volumes as volumes
from vision.training.meanwhile import made
from vision.training.old_pictures import photographed
from vision.training.token_pictures import Room, Volume, draw, laid
from vision.training.token_solids import capped_pawns, metal_solids, usual_solids
from vision.virtual import artwork, render, shapes
from vision.virtual.camera import Camera
from vision.virtual.dataset import _random_hand, moment_of
from vision.virtual.geometry import rotation_z
from vision.virtual.scene import Die, Piece, Scene, TableStyle, draw_tokens, nudged, random_camera
from vision.virtual.setting import Setting
from vision.virtual.sprite import blend, draw_solid

#: Tokens of metal, those with flat faces, and things that are no token, in a table of crops.
METAL, SOLIDS, STRANGERS = 44, 24, 10
#: Tokens of the virtual table's own shapes, bent, in a table of crops: of metal, and colors of each mold.
USUAL = (8, 6)
#: Blue pawns and the same with a cap of any shape, in a table of crops: so many of endless shapes, and of the virtual
#: table's own, bent.
CAPPED = 3
#: Share of looks that are also cropped with the foot taken for elsewhere, up to so far off, and share that are cropped
#: so far beside the token that it is none that stands there (widths of a space).
ASTRAY, ASTRAY_UP_TO = 0.3, 0.34
ASIDE, ASIDE_FAR = 0.06, (0.36, 0.75)
#: Tokens of metal where half of all tokens lie.
FALLEN_METAL = 24
#: Share of the finder's tables with tokens as plain as the virtual table's, and of those with houses in close rows.
PLAIN, CLOSELY = 0.5, 0.5
#: Share of the tables that are seen from low down, and by how many degrees over the table, next to others.
LOW, LOW_DOWN, USUALLY_DOWN = 0.25, (26.0, 45.0), (45.0, 90.0)
#: Share of the tables that a small webcam sees, and how large its picture is, px.
SMALL, SMALL_SIZES = 0.15, ((640, 480), (800, 450), (960, 540))
#: Share of the frames on which most tokens stand on one space, half of these on GO.
CROWDED = 0.15
#: Share of the tokens that stand beside a building, where there are any.
AMONG_HOUSES = 0.25
#: Buildings stand farther from the middle of each token than this, meters.
CLEAR_M = 0.012
#: Share of the frames, the last ones, that are seen from elsewhere than the empty board.
ELSEWHERE = 1 / 6
CLASSES = ("token", "house", "hotel", "bomb", "miner")
#: Tables that are rendered for each network, and frames or crops of each, where nothing else is said.
TABLES = {"finder": 400, "finder_low": 400, "streets": 500, "streets_low": 400, "recognizer": 740, "fallen": 250}
FRAMES = {"finder": 24, "finder_low": 24, "streets": 24, "streets_low": 24, "recognizer": 5, "fallen": 9}
_plain_solid = shapes.solid_of
_USUAL_STRIPS = artwork.GROUP_COLORS


@lru_cache(maxsize=4096)
def solid_of(kind, color=None):
    """`shapes.solid_of` for kinds with a scale, or with length, depth, and heights of wall and ridge, mm, and a color
    (`bomb@1.1`, `house@9.5,9.5,6.2,10.5@20,120,45`), and papers."""
    name, *rest = kind.split("@")
    sizes = [float(size) for size in rest[0].split(",")] if rest else [1.0]
    paint = tuple(int(v) for v in rest[1].split(",")) if len(rest) > 1 and rest[1] else color
    if name.startswith("paper"):
        rng = np.random.default_rng(int(name[5:]))
        color = tuple(int(v) for v in rng.uniform(90, 250, 3))
        return shapes._box(float(rng.uniform(0.04, 0.13)), float(rng.uniform(0.03, 0.06)), 0.0006, color)
    if len(sizes) > 1:
        return shapes._gabled(*np.array(sizes) / 1000, paint)
    solid = _plain_solid(name, paint)
    return replace(solid, vertices=solid.vertices * sizes[0])


render.solid_of = solid_of


def view_of(camera: Camera, size_m: float) -> View:
    return View(camera.size, camera.focal_px, float(camera.distortion[0]), camera.rotation, camera.translation / size_m)


def layout_of(geometry) -> Layout:
    unit, depth = geometry.unit_m / geometry.size_m, geometry.depth_m / geometry.size_m
    lines = -0.5 + geometry.margin_frac + depth + unit * np.arange(10)
    return Layout(lines, lines, geometry.margin_frac, geometry.strip_frac, geometry.jail_lane_frac)


def _tinted(rng, color):
    return np.clip(np.array(color) * np.exp(rng.normal(0, 0.15, 3)) + rng.normal(0, 15, 3), 5, 250)


def make_style(seed):
    rng = np.random.default_rng([seed, 19])
    size = (1280, 720) if rng.random() < 0.85 else (1920, 1080)
    style = TableStyle.random(seed, 4, size)
    light = style.light
    if rng.random() < 0.3:
        # A lamp that blinds: part of the board is white.
        light = replace(light, sheen=float(rng.uniform(0.3, 1.5)))
    if rng.random() < 0.2:
        light = replace(light, level=float(light.level * rng.uniform(1.1, 1.6)))
    if rng.random() < 0.6:
        style = replace(style, board=repainted(rng, style.board))
    return replace(style, light=light)


def repainted(rng, board):
    """The same board in other colors."""
    turn = np.exp(rng.normal(0, 0.12, 3))
    shade = rng.choice([1.0, rng.uniform(0.5, 0.9)], p=[0.7, 0.3])
    colors = {
        name: tuple(
            int(v) for v in np.clip(np.array(getattr(board, name)) * turn * shade + rng.normal(0, 18, 3), 5, 252)
        )
        for name in ("ground", "middle", "accent", "rim")
    }
    is_dark = np.mean(colors["ground"]) < 90
    ink = rng.uniform(190, 240, 3) if is_dark else rng.uniform(10, 70, 3)
    return replace(board, **colors, ink=tuple(int(v) for v in ink))


class TableRenderer(render.Renderer):
    """Draws tokens (of kind `token 3`) as volumes in a room, and the rest as usual.

    Args:
        looks: what is added to the kinds of houses and hotels (`built.Built`).
    """

    def __init__(self, style, camera, tokens, room, looks=None):
        self._tokens, self._room, self._looks = tokens, room, looks or {}
        super().__init__(style, camera)
        self._grounds = (self._background, cv2.GaussianBlur(self._background, (0, 0), 4))

    def _draw(self, thing):
        if not isinstance(thing, Piece) or not thing.kind.startswith("token "):
            if isinstance(thing, Piece) and thing.kind in self._looks:
                thing = replace(thing, kind=thing.kind + self._looks[thing.kind])
            return super()._draw(thing)
        volume, look, _ = self._tokens[int(thing.kind[6:])]
        place = (thing.x, thing.y)
        return draw(volume, look, place, thing.yaw, self.camera, self._room, self.style.light, self._grounds)


def markers(rng, style, tokens):
    """Discs on some spaces, some of them beside tokens."""
    pieces = []
    for name, token in tokens.items():
        if rng.random() < 0.08:
            kind, away, angle = str(rng.choice(["bomb", "miner"])), rng.uniform(0.016, 0.024), rng.uniform(0, 6.3)
            x, y = token.x + away * np.cos(angle), token.y + away * np.sin(angle)
            pieces.append((kind, Piece(f"{kind} {name}", f"{kind}@{rng.uniform(0.75, 1.2):.2f}", x, y)))
    for square in range(40):
        if square % 10 and rng.random() < 0.2:
            kind = str(rng.choice(["bomb", "miner"]))
            x, y = style.geometry.at(square, float(rng.uniform(0.25, 0.75)), float(rng.uniform(0.2, 0.6)))
            scale = rng.uniform(0.75, 1.2)
            pieces.append((kind, Piece(f"{kind} {square}", f"{kind}@{scale:.2f}", x, y)))
    return pieces


def at_edge(rng, geometry, token, buildings):
    """Now and then the token stands beside a building, or in a corner at the inner edge of the spaces instead."""
    chance = rng.random()
    if chance < AMONG_HOUSES and buildings:
        _, house = buildings[int(rng.integers(len(buildings)))]
        away, angle = rng.uniform(0.012, 0.025), rng.uniform(0, 6.3)
        return replace(token, x=house.x + away * np.cos(angle), y=house.y + away * np.sin(angle))
    if chance > 0.88:
        corner = 10 if rng.random() < 0.6 else int(rng.integers(4)) * 10
        x, y = geometry.at(corner, float(rng.uniform(0.4, 0.95)), float(rng.uniform(0.4, 0.95)))
        return replace(token, x=x, y=y)
    return token


def is_clear(building, tokens):
    """Whether a building stands in no token."""
    return all(np.hypot(one.x - building.x, one.y - building.y) > CLEAR_M for one in tokens)


def moment_scene(rng, style, setting, build, with_markers, cop):
    """A crowded moment: (scene, labeled pieces).

    Args:
        build: of a random generator, the houses and hotels.
    """
    geometry = style.geometry
    crowd = None
    if rng.random() < CROWDED:
        crowd = 0 if rng.random() < 0.5 else int(rng.integers(40))
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
        if crowd is not None and rng.random() < 0.7:
            square = crowd
        setting.put_token(name, square, in_jail=square == 10 and rng.random() < 0.5)
    standing = [one for one in build(rng) if is_clear(one[1], setting.tokens.values())]
    labeled = [
        ("token", replace(p, x=p.x + rng.normal(0, 0.004), y=p.y + rng.normal(0, 0.004)))
        for p in (at_edge(rng, geometry, p, standing) for p in setting.tokens.values())
    ]
    labeled += standing
    if with_markers:
        labeled += markers(rng, style, setting.tokens)
    if rng.random() < 0.4:
        x, y = setting.spot_on(int(rng.integers(40)))
        labeled.append(("token", Piece("cop", cop, x, y, 0.0, float(rng.uniform(0, 6.3)))))
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


def table_tokens(rng, tokens):
    """Indices of the tokens of one table: of metal, of one mold in many colors, or of both."""
    kinds = np.array([kind for *_, kind in tokens])
    family = str(rng.choice(["metal", "metal", "pawn", "meeple", "pawn", "both"]))
    metal, count = rng.permutation(np.flatnonzero(kinds == "metal")), int(rng.integers(4, 9))
    if family == "metal":
        return metal[:count]
    painted = np.flatnonzero(np.isin(kinds, ["pawn", "meeple"] if family == "both" else [family]))
    mold = tokens[rng.choice(painted)][0]
    of_mold = rng.permutation([index for index in painted if tokens[index][0] is mold])
    return np.concatenate([metal[: 3 * (family == "both")], of_mold])[:count]


def plain_tokens(rng):
    """Tokens of the virtual table, larger or smaller; three sets in four have the colors of buildings and discs."""
    scale = float(rng.uniform(0.88, 1.15))
    names = draw_tokens(rng, int(rng.integers(4, 9)))
    if rng.random() < 0.75:
        names = list(
            dict.fromkeys([*names, *(f"{color}_{rng.choice(['pawn', 'meeple'])}" for color in ("green", "red"))])
        )
    return {name: f"{name}@{scale:.3f}" for name in names}


@contextmanager
def strips_in(colors):
    """Draws boards with strips in other colors."""
    artwork.GROUP_COLORS = tuple(tuple(int(v) for v in color) for color in colors)
    try:
        yield
    finally:
        artwork.GROUP_COLORS = _USUAL_STRIPS


def seen_by(rng, camera, low):
    """The same camera, or one that stands low down (a share `low`) or takes small pictures, or both."""
    is_low, is_small = rng.random() < low, rng.random() < SMALL
    if not is_low and not is_small:
        return camera
    size = SMALL_SIZES[rng.integers(len(SMALL_SIZES))] if is_small else camera.size
    return random_camera(rng, size, LOW_DOWN if is_low else USUALLY_DOWN)


def make_table(seed, frames, how=None, low=LOW):
    """Bands of a table as `photographed` tells them.

    Args:
        how: it is built on; None for one of both ways.
        low: share of the tables that are seen from low down.
    """
    rng = np.random.default_rng([seed, 23])
    if how is None:
        how = built.FOR_STREETS if rng.random() < CLOSELY else built.FOR_FINDER
    style = make_style(seed)
    style = replace(style, camera=seen_by(np.random.default_rng([seed, 43]), style.camera, low))
    with strips_in([_tinted(rng, color) for color in _USUAL_STRIPS]):
        return _bands_of(rng, style, frames, how)


def _bands_of(rng, style, frames, how):
    tokens = token_set(rng, 8)
    cops = [k for k, (*_, kind) in enumerate(tokens) if kind == "cop"]
    cop = f"token {rng.choice(cops)}"
    if rng.random() < PLAIN:
        style = replace(style, tokens=plain_tokens(rng))
    else:
        style = replace(style, tokens={f"token {k}": f"token {k}" for k in table_tokens(rng, tokens)})
    room = Room(rng, style.light)
    size = style.geometry.size_m
    bands = bd.Bands.of(layout_of(style.geometry))
    renderer = TableRenderer(style, style.camera, tokens, room)
    camera = style.camera
    true_view = view_of(camera, size)
    wide = camera.size[0] / 1280
    view = true_view.with_corners(true_view.corners_px() + rng.normal(0, 1.2 * wide, (4, 2)))
    setting = Setting(style, rng)
    empty = renderer.render(setting.scene(), moment_of(style, rng))
    strip = style.geometry.strip_frac * style.geometry.corner_units
    out = {"reference": bd.cut(empty, bands.maps(view)), "strip": strip, "bands": [], "lean": [], "labels": []}
    with_markers, others = rng.random() < 0.4, ceil(frames * ELSEWHERE)
    for index in range(frames):
        seen_view = view
        if index == frames - others:
            other = nudged(style.camera, rng, style.camera.size)
            camera = other if rng.random() < 0.5 else random_camera(rng, style.camera.size)
            renderer = TableRenderer(style, camera, tokens, room)
        if index >= frames - others:
            there = view_of(camera, size)
            seen_view = there.with_corners(there.project(true_view.to_board(view.corners_px())))
        seen_view = seen_view.with_corners(seen_view.corners_px() + rng.normal(0, 0.3 * wide, (4, 2)))
        build = partial(how.pieces, style=style, looks=how.looks(rng))
        scene, labeled, offset = moment_scene(rng, style, setting, build, with_markers, cop)
        picture = renderer.render(scene, moment_of(style, rng))
        drawn = renderer.locate(scene)
        out["bands"].append(bd.cut(picture, bands.maps(seen_view)))
        out["lean"].append(bands.lean(seen_view)[:, :, ::8, ::8])
        for k, (kind, piece) in enumerate(labeled):
            foot = seen_view.to_board(camera.project(np.array([[piece.x, piece.y, 0.0]])))
            for side in range(4):
                column, row = bands.to_band(side, foot)[0]
                if -4 < column < bd.WIDTH + 4 and -4 < row < bd.HEIGHT + 4:
                    label = [index, side, CLASSES.index(kind), column, row, drawn[offset + k].visible]
                    out["labels"].append(label)
    return photographed({key: np.array(value) for key, value in out.items()}, rng)


def token_set(rng, metal=METAL):
    """(volume, look, kind) of many tokens: of metal, pawns and meeples of one mold each in many colors, and cops."""
    tint = rng.uniform(0.5, 0.95) * np.exp(rng.normal(0, 0.02, 3))
    if rng.random() < 0.12:
        tint = np.array([0.35, 0.65, 0.85]) * rng.uniform(0.8, 1.1)
    rough = float(rng.beta(2, 2.5))
    tokens = []
    for _ in range(metal):
        own = np.clip(tint * np.exp(rng.normal(0, 0.02)), 0, 1)
        volume = Volume(volumes.metal_token(rng))
        tokens.append(
            (volume, volumes.Look(own, True, float(np.clip(rough + rng.normal(0, 0.05), 0.05, 0.95))), "metal")
        )
    for _ in range(2):
        parts, tall, head = volumes.pawn(rng)
        plain, capped = Volume(volumes.join(parts)), Volume(volumes.join(parts + volumes.cap(rng, tall, head)))
        rough = float(rng.uniform(0.1, 0.9))
        for color in ("blue", *rng.permutation([color for color in shapes.PAWN_COLORS if color != "blue"])[:5]):
            tokens.append((plain, volumes.Look(_paint(rng, str(color)), False, rough), "pawn"))
        blue = _paint(rng, "blue")
        cap = _cap_color(rng, blue)
        from_z = tall - head * 1.0 if rng.random() < 0.5 else 1.0
        tokens.append((capped, volumes.Look(blue, False, rough, cap, from_z), "cop"))
    meeple = Volume(volumes.join(volumes.meeple(rng)))
    rough = float(rng.uniform(0.3, 0.95))
    for color in rng.permutation(list(shapes.PAWN_COLORS))[:5]:
        tokens.append((meeple, volumes.Look(_paint(rng, str(color)), False, rough), "meeple"))
    return tokens


def capped_volumes(rng, count):
    """(volume, look, kind) of so many pairs of a blue pawn and the same with a cap of any shape."""
    tokens = []
    for _ in range(count):
        parts, tall, head = volumes.pawn(rng)
        blue, rough = _paint(rng, "blue"), float(rng.uniform(0.1, 0.9))
        shape = str(rng.choice(["flat", "high", "round"]))
        look, top = volumes.Look(blue, False, rough), _cap_color(rng, blue)
        tokens.append((Volume(volumes.join(parts)), look, "pawn"))
        capped = Volume(volumes.join(parts + volumes.cap(rng, tall, head, shape)))
        tokens.append((capped, replace(look, cap=top, cap_from=tall - head), "cop"))
    return tokens


def _cap_color(rng, blue):
    return blue * rng.uniform(0.4, 1.3) if rng.random() < 0.7 else np.full(3, rng.choice([0.04, 0.85]))


def _paint(rng, color):
    usual = np.array(shapes.PAWN_COLORS[color], float) / 255
    return np.clip(usual**1.2 * np.exp(rng.normal(0, 0.12)) * np.exp(rng.normal(0, 0.08, 3)), 0.01, 0.95)


def _stranger(rng):
    """Something that is no token: a solid of the game, half of them in a token's color."""
    kind = str(rng.choice(["house", "hotel", "bomb", "miner"]))
    look = built.looks_for_finder(rng).get(kind, f"@{rng.uniform(0.85, 1.15):.2f}")
    if rng.random() < 0.5:
        color = _tinted(rng, shapes.PAWN_COLORS[str(rng.choice(list(shapes.PAWN_COLORS)))])
        look = "@".join([*look.split("@")[:2], ",".join(str(int(v)) for v in color)])
    return solid_of(kind + look)


def make_crops(seed, looks, metal=METAL, solids=SOLIDS, usual=USUAL, capped=CAPPED, lying=0.0):
    """Crops alone: many tokens, each put `looks` times on the board and drawn only about it.

    Args:
        metal, solids, usual, capped: so many are of metal, of metal with flat faces, of the virtual table's own shapes,
            and pairs of a blue pawn and the same with a cap.
        lying: share of the looks but the first in which a token, the cops aside, has fallen over.
    Returns:
        Crops, the ground under each as it looks in that light, and `off`, (n, 2) px [right, down] by which the token's
        foot is beside the place that was taken for it.
    """
    rng = np.random.default_rng([seed, 31])
    style = make_style(seed)
    size, geometry = style.geometry.size_m, style.geometry
    room = Room(rng, style.light)
    tokens = token_set(rng, metal) + [(solid, None, "solid") for solid in metal_solids(rng, solids)]
    tokens += [(solid, None, kind) for solid, kind in usual_solids(rng, *usual) + capped_pawns(rng, capped)]
    tokens += capped_volumes(rng, capped)
    other = nudged if rng.random() < 0.6 else lambda _, *rest: random_camera(*rest)
    cameras = [style.camera] + ([other(style.camera, rng, style.camera.size)] if rng.random() < 0.5 else [])
    wide = style.camera.size[0] / 1280
    true_view = view_of(style.camera, size)
    view = true_view.with_corners(true_view.corners_px() + rng.normal(0, 1.2 * wide, (4, 2)))
    renderers = [render.Renderer(style, camera) for camera in cameras]
    grounds = [renderer.compose(Scene()) for renderer in renderers]
    grounds = [(ground, cv2.GaussianBlur(ground, (0, 0), 4 * wide)) for ground in grounds]
    empty = renderers[0].render(Scene(), moment_of(style, rng))
    out = {"crops": [], "grounds": [], "names": [], "enrol": [], "lies": [], "off": []}
    kinds = ("metal", "pawn", "meeple", "cop", "stranger", "solid")
    for look in range(looks):
        which = int(look == looks - 1 and len(cameras) > 1)
        camera, seen_view = cameras[which], view_of(cameras[which], size)
        moment = moment_of(style, rng)
        before = None
        for name in range(len(tokens) + STRANGERS):
            square = 0 if look == 0 else int(rng.integers(40))
            x, y = geometry.at(square, float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.1, 0.78)))
            px = camera.project(np.array([[x, y, 0.0]]))
            reach = int(80 * wide)
            left, top = (int(v) - reach for v in px[0])
            if left < 0 or top < 0 or left + 2 * reach > camera.size[0] or top + 2 * reach > camera.size[1]:
                continue
            yaw = float(rng.uniform(0, 6.3))
            shape, made_of, kind = tokens[name] if name < len(tokens) else (_stranger(rng), None, "stranger")
            lies = False
            if made_of is None:
                placed = shape.vertices @ rotation_z(yaw).T + [x, y, 0.0]
                sprite = draw_solid(shape, placed, camera, style.light)
            else:
                lies = look > 0 and lying > 0 and kind != "cop" and rng.random() < lying
                volume = laid(shape, rng) if lies else shape
                sprite = draw(volume, made_of, (x, y), yaw, camera, room, style.light, grounds[which])
            sprites, neighbor = [sprite], None
            if look and before is not None and rng.random() < 0.35:
                # A neighbor, before or behind.
                away = rng.uniform(0.013, 0.03) * seen_view.scale_at(np.array([x, y]) / size) / size
                angle = rng.uniform(0, 6.3)
                there = px[0] + away * np.array([np.cos(angle), np.sin(angle) * rng.uniform(0.6, 1)])
                sprites.append(_shifted(before[0], *np.round(there - before[1]).astype(int)))
                neighbor = there
                if there[1] < px[0, 1]:
                    sprites.reverse()
            before = (sprite, px[0])
            patch = grounds[which][0][top : top + 2 * reach, left : left + 2 * reach].copy()
            for layer in (*(one.shadow for one in sprites), *(one.body for one in sprites)):
                if layer is not None:
                    blend(patch, replace(layer, x=layer.x - left, y=layer.y - top))
            shot = renderers[which]._expose(patch, replace(moment, noise_seed=int(rng.integers(1 << 30))))
            _, data = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, style.jpeg_quality])
            shot = cv2.imdecode(data, cv2.IMREAD_COLOR)
            feet = [(seen_view.to_board(px + rng.normal(0, 1.0 * wide, (1, 2)))[0], min(name, len(tokens)))]
            feet += _other_feet(rng, seen_view, geometry.unit_m / size, px[0], neighbor, feet[0], len(tokens))
            for which_foot, (foot, called) in enumerate(feet):
                grid = bd.crop_maps(seen_view, foot[None])[0]
                out["crops"].append(remap(shot, grid - np.float32([left, top]), replicate=True))
                ground = remap(empty, bd.ground_map(grid, seen_view, view), replicate=True)
                out["grounds"].append(recolor(ground, match_colors(ground, out["crops"][-1])))
                out["names"].append(called)
                out["enrol"].append(which == 0 and not lies and which_foot == 0)
                out["lies"].append(lies)
                out["off"].append(bd.off_in_crop(seen_view, foot[None], px)[0])
    of_kind = [kinds.index(kind) for *_, kind in tokens] + [kinds.index("stranger")]
    return {key: np.array(value) for key, value in out.items()} | {"kinds": np.array(of_kind)}


def _other_feet(rng, view, unit, px, neighbor, own, none):
    """Other places that are taken for the foot of a token, and what stands there: the token, or none.

    Args:
        unit: width of a space.
        px, neighbor: (2,) where the token's foot is seen, and that of the one beside it, if there is one.
        own: its foot on the board, and its name.
        none: the name of what is no token.
    """
    (foot, name), feet = own, []
    far, angle = rng.uniform(0, ASTRAY_UP_TO) * unit, rng.uniform(0, 2 * np.pi)
    there = foot + far * np.array([np.cos(angle), np.sin(angle)])
    seen = view.project(np.array([[*there, 0.0]]))[0]
    is_own = neighbor is None or np.hypot(*(seen - px)) < np.hypot(*(seen - neighbor))
    if rng.random() < ASTRAY and is_own:
        feet.append((there, name))
    if rng.random() < ASIDE and neighbor is None:
        far = rng.uniform(*ASIDE_FAR) * unit
        feet.append((foot + far * np.array([np.cos(angle), np.sin(angle)]), none))
    return feet


def _shifted(sprite, dx, dy):
    layers = [
        layer and replace(layer, x=layer.x + int(dx), y=layer.y + int(dy)) for layer in (sprite.body, sprite.shadow)
    ]
    return replace(sprite, body=layers[0], shadow=layers[1])


def rendered(what, count, seed, processes=None):
    """So many tables for a network, one after the other, while further ones are rendered.

    Args:
        seed: of the first; the next ones follow.
        processes: in which they are rendered; None for all but one core.
    """
    make = {
        "finder": make_table,
        "finder_low": partial(make_table, low=1.0),
        "streets": partial(make_table, how=built.FOR_STREETS),
        "streets_low": partial(make_table, how=built.FOR_STREETS, low=1.0),
        "recognizer": make_crops,
        "fallen": partial(make_crops, metal=FALLEN_METAL, solids=0, usual=(0, 0), capped=0, lying=0.5),
    }[what]
    return made(make, ((number, FRAMES[what]) for number in range(seed, seed + count)), processes)
