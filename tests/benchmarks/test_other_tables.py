"""Tables as people have them: boards that do not lie flat, everyday things in place of tokens, people, and clutter.

Run with `python -m pytest -m benchmark tests/benchmarks/test_other_tables.py -s -n 0`.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.pictures import HARDLY, die_at, frames_of, judged, read_of, reader_of_folder
from vision.virtual.dataset import write_table
from vision.virtual.everyday import EVERYDAY
from vision.virtual.folded import FoldedCamera
from vision.virtual.people import PeopledRenderer
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene, TableStyle, random_camera
from vision.virtual.setting import Setting
from vision.virtual.strewn import Strewn

#: Rendered tables and pictures of each; how far the crease stands up, mm; and the share of all there is that is read
#: rightly at least, less what is not there.
FOLDED, FRAMES, RISES_MM, FLOOR = range(988_100, 988_112), 6, (0, 8, 15, -10), 0.97
#: Tables on which everyday things are tokens, and the share of these that is found and named at least.
STREWN, EVERYDAY_FLOOR = range(989_100, 989_130), 0.93
#: Tables seen from 30 to 50 degrees at which people sit, or on which things lie that were not there at first.
LIVED_AT, LIVED_AT_FLOOR = range(942_700, 942_716), 0.98
KINDS = ("dice", "tokens", "buildings")


class Sitting(PeopledRenderer):
    """Some seconds go by from picture to picture."""

    def render_jpeg(self, scene: Scene, moment: Moment | None = None, quality: int | None = None) -> NDArray[np.uint8]:
        self.time_s += 7.3
        return super().render_jpeg(scene, moment, quality)


@pytest.mark.benchmark
def test_people_about_the_table_and_what_they_put_down_are_neither_hands_nor_dice(tmp_path: Path) -> None:
    print(f"\n{'':12}" + "".join(f"{kind:>12}" for kind in (*KINDS, "together")) + f"{'hands, dice that are none':>28}")
    ways = {"as it is": (Renderer, Setting), "people": (Sitting, Setting), "clutter": (Renderer, Strewn)}
    for name, (drawn_by, set_by) in ways.items():
        there, right, hands, invented = Counter[str](), Counter[str](), 0, 0
        for seed in LIVED_AT:
            camera = random_camera(np.random.default_rng([seed, 6]), (1280, 720), (30, 50))
            style, folder = replace(TableStyle.random(seed, 2 + seed % 5), camera=camera), tmp_path / f"{seed} {name}"
            write_table(folder, style, FRAMES - 1, 1, with_hands=False, drawn_by=drawn_by, set_by=set_by)
            reader = reader_of_folder(folder)
            for frame, picture in frames_of(folder):
                reading = reader.read(picture)
                hands += reading.hand
                invented += sum(die_at(frame, die) is None for die in reading.dice)
                there.update({kind: len(frame[kind]) for kind in KINDS})
                for one in judged(frame, reading):
                    right[one.kind] += 1 if one.is_right else -1
        together = sum(right[kind] for kind in KINDS) / there.total()
        shares = [*(right[kind] / there[kind] for kind in KINDS), together]
        print(f"{name:12}" + "".join(f"{share:12.1%}" for share in shares) + f"{hands:14}{invented:14}")
        assert together >= LIVED_AT_FLOOR


@pytest.mark.benchmark
def test_boards_that_do_not_lie_flat_are_read(tmp_path: Path) -> None:
    print(f"\n{'crease, mm':12}" + "".join(f"{kind:>12}" for kind in (*KINDS, "together")))
    for rise_mm in RISES_MM:
        there, right = Counter[str](), Counter[str]()
        for seed in FOLDED:
            style, folder = TableStyle.random(seed, 3 + seed % 6), tmp_path / f"{seed} {rise_mm}"
            camera = FoldedCamera.over(style.camera, rise_mm / 1000, seed % 2)
            write_table(folder, replace(style, camera=camera), FRAMES - 1, 1, with_hands=False)
            for total, more in zip((there, right), read_of(folder, KINDS), strict=True):
                total.update(more)
        together = sum(right[kind] for kind in KINDS) / there.total()
        shares = [right[kind] / there[kind] for kind in KINDS]
        print(f"{rise_mm:<12}" + "".join(f"{share:12.1%}" for share in (*shares, together)))
        assert together >= FLOOR


@pytest.mark.benchmark
def test_everyday_things_are_found_and_named(tmp_path: Path) -> None:
    there, right, invented = Counter[str](), Counter[str](), 0
    for seed in STREWN:
        rng, folder = np.random.default_rng([seed, 77]), tmp_path / str(seed)
        things = [str(thing) for thing in rng.permutation(list(EVERYDAY))[: 3 + seed % 4]]
        style = replace(TableStyle.random(seed, 2), tokens={thing: thing for thing in things})
        write_table(folder, style, FRAMES - 1, 1, with_hands=False, absent=0.06)
        reader = reader_of_folder(folder)
        for frame, picture in frames_of(folder):
            standing = {one["name"]: one["square"] for one in frame["tokens"]}
            read = {one.name: one.square for one in reader.read(picture).tokens}
            invented += len(read.keys() - standing.keys())
            for one in frame["tokens"]:
                if one["visible"] >= HARDLY:
                    there[one["name"]] += 1
                    right[one["name"]] += read.get(one["name"]) == one["square"]
    print()
    for thing, count in sorted(there.items(), key=lambda counted: right[counted[0]] / counted[1]):
        print(f"{thing:20}{right[thing]:4} of {count}")
    print(f"together {right.total()} of {there.total()}; {invented} that are off the board were seen on it")
    assert right.total() >= EVERYDAY_FLOOR * there.total()
