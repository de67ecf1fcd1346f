"""Tables as people have them: boards that do not lie flat, and everyday things in place of tokens.

Run with `python -m pytest -m benchmark tests/benchmarks/test_other_tables.py -s -n 0`.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.pictures import HARDLY, frames_of, read_of, reader_of_folder
from vision.virtual.dataset import write_table
from vision.virtual.everyday import EVERYDAY
from vision.virtual.folded import FoldedCamera
from vision.virtual.scene import TableStyle

#: Rendered tables and pictures of each; how far the crease stands up, mm; and the share of all there is that is read
#: rightly at least, less what is not there.
FOLDED, FRAMES, RISES_MM, FLOOR = range(988_100, 988_112), 6, (0, 8, 15, -10), 0.97
#: Tables on which everyday things are tokens, and the share of these that is found and named at least.
STREWN, EVERYDAY_FLOOR = range(989_100, 989_130), 0.93
KINDS = ("dice", "tokens", "buildings")


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
