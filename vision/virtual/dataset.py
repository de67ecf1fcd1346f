"""Rendered tables in the format of the table pictures: `python -m vision.virtual.dataset --out FOLDER --tables N`.

Each table is a folder with `empty.jpg`, `taps.json`, `enrol_*.jpg`, `frame_*.jpg` and `truth.json`; frames
are settled positions of a made-up game, the last two taken after the camera was touched.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.observations import COP
from vision.virtual.artwork import GROUPS
from vision.virtual.camera import Camera
from vision.virtual.hand import HandPose
from vision.virtual.profiles import tapped
from vision.virtual.render import Drawn, Renderer
from vision.virtual.scene import Die, Moment, Piece, Scene, TableStyle, nudged
from vision.virtual.setting import Setting, set_out


def write_table(
    folder: Path,
    style: TableStyle,
    frames: int = 12,
    moved: int = 2,
    with_hands: bool = True,
    drawn_by: Callable[[TableStyle, Camera], Renderer] = Renderer,
    cop: str | None = None,
    absent: float = 0.0,
    set_by: Callable[[TableStyle, np.random.Generator], Setting] = Setting,
) -> None:
    """Writes one table.

    Args:
        frames: settled frames before the camera is touched.
        moved: frames after that, each with another pose.
        cop: kind of the piece that stands for the cop; None where there is none.
        absent: share of frames that each token is off the board.
        set_by: how things are put down.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([style.seed, 11])
    renderer = drawn_by(style, style.camera)
    setting = set_by(style, rng)
    _write(folder / "empty.jpg", renderer, setting.scene(), moment_of(style, rng))
    (folder / "taps.json").write_text(json.dumps({"empty.jpg": tapped(renderer, rng).tolist()}), encoding="utf-8")
    truth = _table_truth(style, renderer.camera)
    for name in style.tokens:
        alone = Setting(style, rng)
        alone.put_token(name, 0)
        file = f"enrol_{name}.jpg"
        _write(folder / file, renderer, alone.scene(), moment_of(style, rng))
        truth["enrol"].append({"file": file, **_token_truth(alone, renderer, name, renderer.locate(alone.scene())[0])})
    setting.tokens.update(set_out(style, np.random.default_rng([style.seed, 13])))
    setting.has_decks = style.has_decks
    for index in range(frames + moved):
        if index >= frames:
            renderer = drawn_by(style, nudged(style.camera, rng, style.camera.size))
        shuffle(setting)
        if cop is not None:
            setting.tokens[COP] = replace(setting.put_token(COP, int(rng.integers(40))), kind=cop)
        away = [setting.tokens.pop(name, None) for name in style.tokens if absent and rng.random() < absent]
        scene = setting.scene()
        if with_hands and index < frames and rng.random() < 0.12:
            scene = Scene(scene.pieces, scene.dice, (_random_hand(rng),))
        file, moment = f"frame_{index:03d}.jpg", moment_of(style, rng)
        _write(folder / file, renderer, scene, moment)
        truth["frames"].append(_frame_truth(setting, renderer, scene, moment, file, index >= frames))
        setting.tokens.update({piece.name: piece for piece in away if piece is not None})
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def shuffle(setting: Setting) -> None:
    """The next settled position: tokens moved, dice thrown, now and then something built or planted."""
    rng = setting.rng
    for name in setting.style.tokens:
        if rng.random() < 0.8:
            square = int(rng.integers(40))
            setting.put_token(name, square, in_jail=square == 10 and rng.random() < 0.5)
    streets = list(GROUPS)
    for _ in range(3):
        street = int(rng.choice(streets))
        hotel = bool(rng.random() < 0.2)
        setting.put_buildings(street, 0 if hotel else int(rng.integers(0, 5)), hotel)
    if setting.style.seed % 3 == 0:
        setting.put_markers(int(rng.choice(streets)), (str(rng.choice(["bomb", "miner"])),))
    setting.dice = setting.throw(tuple(int(v) for v in rng.integers(1, 7, 3 if setting.style.seed % 4 == 1 else 2)))


def moment_of(style: TableStyle, rng: np.random.Generator) -> Moment:
    """How one frame was taken: the exposure wanders, now and then the focus hunts or the camera shakes."""
    common = 1 + rng.normal(0, style.drift)
    gain = tuple(float(common + rng.normal(0, style.drift / 3)) for _ in range(3))
    blur = float(rng.uniform(0.4, 1.3)) if rng.random() < 0.15 else 0.0
    shake = (float(rng.normal(0, 1.5)), float(rng.normal(0, 1.5))) if rng.random() < 0.08 else (0.0, 0.0)
    return Moment((gain[0], gain[1], gain[2]), blur, shake, int(rng.integers(1 << 30)))


def _write(path: Path, renderer: Renderer, scene: Scene, moment: Moment) -> None:
    path.write_bytes(renderer.render_jpeg(scene, moment).tobytes())


def _random_hand(rng: np.random.Generator) -> HandPose:
    x, y = (float(v) for v in rng.uniform(-0.2, 0.2, 2))
    posture = str(rng.choice(["pinch", "fist"]))
    return HandPose(x, y, float(rng.uniform(0.01, 0.08)), float(rng.uniform(0, 6.28)), posture, int(rng.integers(20)))


def _table_truth(style: TableStyle, camera: Camera) -> dict[str, Any]:
    geometry = style.geometry
    board = {
        "size_m": geometry.size_m,
        "thickness_m": geometry.thickness_m,
        "margin_frac": geometry.margin_frac,
        "corner_units": geometry.corner_units,
        "strip_frac": geometry.strip_frac,
        "jail_lane_frac": geometry.jail_lane_frac,
    }
    lens = {"K": camera.matrix.tolist(), "dist_k1_k2_p1_p2": camera.distortion.tolist()}
    return {
        "table": style.name,
        "image_size": list(camera.size),
        "camera": lens,
        "board": board,
        "tokens": [{"name": name, "kind": kind} for name, kind in style.tokens.items()],
        "dice_set": [{"kind": "d6", "colour": style.dice, "size_mm": style.die_m * 1000}] * 2,
        "surface": style.surface,
        "decks_on_board_in_frames": style.has_decks,
        "tray": False,
        "empty": {"file": "empty.jpg", **_pose_truth(style, camera)},
        "enrol": [],
        "frames": [],
    }


def _pose_truth(style: TableStyle, camera: Camera) -> dict[str, Any]:
    return {
        "board_corners_px": _rounded(camera.project(style.geometry.corners())),
        "pose": {"R": camera.rotation.tolist(), "t": camera.translation.tolist()},
    }


def _rounded(values: Any) -> Any:
    return np.round(np.asarray(values, float), 2).tolist()


def _token_truth(setting: Setting, renderer: Renderer, name: str, drawn: Drawn) -> dict[str, Any]:
    piece, place = setting.tokens[name], setting.square_of(name)
    square, in_jail = place if place is not None else (None, False)
    return {
        "name": name,
        "square": square,
        "in_jail": in_jail,
        "base_px": _base_px(renderer, piece),
        "box": _rounded(drawn.box),
        "visible": round(drawn.visible, 2),
    }


def _base_px(renderer: Renderer, thing: Piece | Die, height_m: float = 0.0) -> Any:
    return _rounded(renderer.camera.project(np.array([[thing.x, thing.y, height_m]]))[0])


def _frame_truth(
    setting: Setting, renderer: Renderer, scene: Scene, moment: Moment, file: str, was_touched: bool
) -> dict[str, Any]:
    drawn_things = renderer.locate(scene)
    dice = drawn_things[len(scene.pieces) :]
    by_name = {piece.name: drawn for piece, drawn in zip(scene.pieces, drawn_things, strict=False)}
    streets = setting.buildings.items()
    return {
        "file": file,
        **_pose_truth(setting.style, renderer.camera),
        "dice": [_die_truth(setting, renderer, die, drawn) for die, drawn in zip(scene.dice, dice, strict=True)],
        "tokens": [
            _token_truth(setting, renderer, name, by_name[name]) for name in setting.style.tokens if name in by_name
        ],
        "buildings": {str(square): {"hotel": True} if hotel else {"houses": n} for square, (n, hotel) in streets},
        "building_pieces": [
            _piece_truth(renderer, square, piece, by_name) for square, piece in setting.building_pieces()
        ],
        "markers": [_piece_truth(renderer, square, piece, by_name) for square, piece in _markers(setting)],
        "hand": bool(scene.hands),
        "camera_moved": was_touched,
        "blur": {"defocus_px": round(moment.blur_px, 2), "motion_px": _rounded(moment.shake_px)},
    }


def _markers(setting: Setting) -> list[tuple[int, Piece]]:
    """(square, piece) of every disc, and of the cop."""
    found, place = setting.marker_pieces(), setting.square_of(COP)
    return found if place is None else [*found, (place[0], replace(setting.tokens[COP], kind=COP))]


def _die_truth(setting: Setting, renderer: Renderer, die: Die, drawn: Drawn) -> dict[str, Any]:
    edge = setting.style.die_m
    on_board = max(abs(die.x), abs(die.y)) <= setting.geometry.size_m / 2
    ground = 0.0 if on_board else -setting.geometry.thickness_m
    return {
        "kind": "d6",
        "value": die.value,
        "centre_px": _base_px(renderer, die, ground + edge / 2),
        "top_px": _base_px(renderer, die, ground + edge),
        "box": _rounded(drawn.box),
        "colour": setting.style.dice,
        "size_mm": edge * 1000,
        "where": "board" if on_board else "table",
        "visible": round(drawn.visible, 2),
    }


def _piece_truth(renderer: Renderer, square: int, piece: Piece, drawn: dict[str, Drawn]) -> dict[str, Any]:
    here = drawn[piece.name]
    return {
        "kind": piece.kind,
        "square": square,
        "px": _base_px(renderer, piece),
        "box": _rounded(here.box),
        "visible": round(here.visible, 2),
    }


def main() -> None:
    """Writes tables with the seeds `--seed`, `--seed` + 1, …"""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder to write the tables into")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--frames", type=int, default=12, help="settled frames a table")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.tables):
        rng = np.random.default_rng([seed, 3])
        style = TableStyle.random(seed, int(rng.integers(2, 9)))
        write_table(options.out / style.name, style, options.frames)


if __name__ == "__main__":
    main()
