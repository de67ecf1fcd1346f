"""What earlier pictures of a game add to the next: the same pictures read one by one, and in their order.

Run with `python -m pytest -m benchmark tests/benchmarks/test_sequences.py -s -n 0`.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from vision.detections import TableReading
from vision.live.sequence import SequenceReader
from vision.reader import TableReader
from vision.virtual.artwork import GROUPS
from vision.virtual.dataset import moment_of
from vision.virtual.profiles import calibration_pictures
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.setting import Setting
from vision.virtual.shapes import METAL_KINDS

#: Rendered tables, and pictures of each, by a camera of that size: tokens of metal are some 14 px wide there.
TABLES, PICTURES, SIZE = range(942_000, 942_024), 12, (800, 450)
KINDS = ("dice", "tokens", "buildings", "discs")


@pytest.mark.benchmark
def test_pictures_in_their_order_are_read_better_than_alone() -> None:
    wrong: dict[str, Counter[str]] = {"alone": Counter(), "in their order": Counter()}
    read = 0
    for seed in TABLES:
        style, rng = TableStyle.random(seed, list(METAL_KINDS[: 4 + seed % 5]), SIZE), np.random.default_rng([seed, 53])
        renderer, setting = Renderer(style), Setting(style, rng)
        calibrated = calibration_pictures(style, renderer)
        alone, following = (TableReader(calibrated.empty_bgr, calibrated.taps_px, calibrated.enrol) for _ in range(2))
        alone.has_markers = following.has_markers = has_discs = seed % 2 == 0
        in_order = SequenceReader(following)
        for index in range(PICTURES):
            go_on(setting, index == 0, has_discs)
            picture, truth = renderer.render(setting.scene(), moment_of(style, rng)), truth_of(setting)
            read += 1
            for way, reading in (("alone", alone.read(picture)), ("in their order", in_order.read(picture))):
                said = said_by(reading)
                wrong[way].update(kind for kind in KINDS if said[kind] != truth[kind])
                wrong[way]["everything"] += said != truth
    print(f"\nof {read} pictures of {len(TABLES)} tables something is read wrongly in")
    print(f"{'':16}" + "".join(f"{kind:>12}" for kind in (*KINDS, "everything")))
    for way, counts in wrong.items():
        print(f"{way:16}" + "".join(f"{counts[kind]:12}" for kind in (*KINDS, "everything")))
    for kind in (*KINDS, "everything"):
        assert wrong["in their order"][kind] <= wrong["alone"][kind], kind
    assert wrong["in their order"]["everything"] < wrong["alone"]["everything"]


def go_on(setting: Setting, is_first: bool, has_discs: bool) -> None:
    """The next position: somebody has thrown and moved; a street, or a disc, changes now and then."""
    rng, names, streets = setting.rng, list(setting.style.tokens), list(GROUPS)
    for name in names if is_first else rng.choice(names, 1 + int(rng.random() < 0.3), replace=False).tolist():
        square = int(rng.integers(40))
        setting.put_token(name, square, in_jail=square == 10 and rng.random() < 0.5)
    for _ in range(8 if is_first else int(rng.random() < 0.4)):
        hotel = bool(rng.random() < 0.2)
        setting.put_buildings(int(rng.choice(streets)), 0 if hotel else int(rng.integers(0, 5)), hotel)
    for _ in range(has_discs * (3 if is_first else int(rng.random() < 0.4))):
        kinds = (str(rng.choice(["bomb", "miner"])),) if rng.random() < 0.7 else ()
        setting.put_markers(int(rng.choice(streets)), kinds)
    setting.dice = setting.throw(tuple(int(value) for value in rng.integers(1, 7, 2)))


def truth_of(setting: Setting) -> dict[str, Any]:
    return {
        "dice": Counter(die.value for die in setting.dice),
        "tokens": {name: setting.square_of(name) for name in setting.tokens},
        "buildings": setting.buildings,
        "discs": setting.markers,
    }


def said_by(reading: TableReading) -> dict[str, Any]:
    return {
        "dice": Counter(die.value for die in reading.dice),
        "tokens": {str(one.name): (one.square, one.square == 10 and one.in_jail >= 0.5) for one in reading.tokens},
        "buildings": {street: (seen.houses, seen.hotel) for street, seen in reading.buildings.items()},
        "discs": {disc.square: (disc.kind,) for disc in reading.markers if disc.kind != "cop"},
    }
