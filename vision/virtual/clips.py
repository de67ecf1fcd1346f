"""Stop-motion games of the virtual table, in the format of the clips among the table pictures: four pictures a turn.

Dice that tumble or a hand over the board, the dice settled, the token carried, and the token settled.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.virtual.artwork import GROUPS
from vision.virtual.dataset import moment_of
from vision.virtual.profiles import tapped
from vision.virtual.render import Renderer
from vision.virtual.scene import Scene, TableStyle, nudged
from vision.virtual.setting import Setting
from vision.virtual.world import SHAKE, Command, Gesture, World

#: Size of the pictures, px.
SIZE = (960, 540)
#: Shares of turns after which something is built, and after which somebody has touched the camera.
BUILT, TOUCHED = 0.4, 0.02


@dataclass(frozen=True)
class ClipTurn:
    """What happens in one turn: the token that moves, the faces, and where it comes to rest."""

    token: str
    faces: tuple[int, int]
    to: int
    in_jail: bool = False


def write_clip(folder: Path, style: TableStyle, turns: Iterable[ClipTurn]) -> None:
    """Writes `empty.jpg`, `taps.json`, `enrol_*.jpg` and `t000_0.jpg` on; the tokens begin on GO.

    Args:
        style: with a camera of `SIZE`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng, renderer = np.random.default_rng([style.seed, 51]), Renderer(style)
    world, now_s = World(style, style.seed, rest_s=(0.0, 0.0)), 0.0
    world.set_up()

    def save(name: str, scene: Scene) -> None:
        (folder / name).write_bytes(renderer.render_jpeg(scene, moment_of(style, rng)).tobytes())

    def begun(command: Command) -> Gesture:
        world.do(command)
        gesture = world.begin(now_s)
        assert gesture is not None, "nothing else is under way"
        return gesture

    save("empty.jpg", Setting(style, rng).scene())
    (folder / "taps.json").write_text(json.dumps({"empty.jpg": tapped(renderer, rng).tolist()}), encoding="utf-8")
    for name in style.tokens:
        alone = Setting(style, rng)
        alone.put_token(name, 0)
        save(f"enrol_{name}.jpg", alone.scene())
    for number, turn in enumerate(turns):
        seat = number % len(style.tokens)
        throw = begun(Command(do="throw", seat=seat, dice=turn.faces))
        flying_s = sum(throw.phases[: SHAKE + 1]) + float(rng.uniform(0.2, 0.9)) * throw.phases[-1]
        shown_s = flying_s if rng.random() < 0.5 else throw.phases[0]
        save(f"t{number:03d}_0.jpg", world.scene_at(now_s + shown_s))
        now_s += throw.duration_s + 0.1
        save(f"t{number:03d}_1.jpg", world.scene_at(now_s))
        move = begun(Command(do="move", seat=seat, token=turn.token, to=turn.to, in_jail=turn.in_jail))
        save(f"t{number:03d}_2.jpg", world.scene_at(now_s + move.phases[0] + float(rng.random()) * move.phases[1]))
        now_s += move.duration_s + 0.1
        save(f"t{number:03d}_3.jpg", world.scene_at(now_s))
        if rng.random() < BUILT:
            street = int(rng.choice(list(GROUPS)))
            houses, is_hotel = world.setting.buildings.get(street, (0, False))
            world.setting.put_buildings(street, 0 if is_hotel or houses == 4 else houses + 1, is_hotel or houses == 4)
        if rng.random() < TOUCHED:
            renderer = Renderer(style, nudged(style.camera, rng, style.camera.size))
