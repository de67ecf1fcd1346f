"""What lamps, shadows and the evening do to readings of rendered tables, and how often hands are noticed.

Run with `python -m pytest -m benchmark tests/benchmarks/test_other_light.py -s -n 0`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.pictures import Json, frames_of, judged, reader_of_folder
from tests.vision.table_sets import virtual_table
from vision.detections import TableReading
from vision.reader import TableReader
from vision.virtual.dataset import shuffle, write_table
from vision.virtual.disturbances import blinding, evening, lamp, leaning
from vision.virtual.hand import HandPose
from vision.virtual.mirrored import KINDS, MirroringRenderer, RoomLight
from vision.virtual.scene import Moment, Scene, TableStyle

#: Rendered tables and pictures of each; and tables over which hands reach.
TABLES, FRAMES, HANDED, HANDS = range(940_700, 940_716), 5, range(950_000, 950_012), 6
#: Share of all that is read rightly in a table's own light that is so in another one, at least; and of hands noticed.
FLOORS = {"lamp": 0.95, "leaning": 0.97, "evening": 0.97, "blinding": 0.75, "out": 0.93}
HANDS_FLOOR = 0.9
#: Tables in rooms whose lights the board mirrors; share of all that is read rightly without one that is so with it, at
#: least; and pictures under one kind of light in which a hand may be seen where there is none.
MIRRORING, ROOM_FLOOR, ROOM_HANDS = range(942_200, 942_212), 0.94, 3
#: Pictures of one kind of light in which a hand may be seen where there is none; and where a lamp blinds the camera.
NO_HANDS, BLINDED = 1, 5

Picture = NDArray[np.uint8]


def right(frame: Json, reading: TableReading) -> float:
    """How much of all that stands and lies there is read, less what is not there."""
    there = sum(len(frame[kind]) for kind in ("dice", "tokens", "buildings", "markers"))
    said = list(judged(frame, reading))
    rights = sum(one.is_right for one in said)
    return max(rights - (len(said) - rights), 0) / max(there, 1)


def share(
    tables: list[tuple[TableReader, list[tuple[Json, Picture]]]],
    disturbance: Callable[[Picture, np.random.Generator], Picture] | None,
) -> tuple[float, int]:
    """How much is read rightly, and how many hands are seen where there are none."""
    shares, hands = [], 0
    for index, (reader, frames) in enumerate(tables):
        rng = np.random.default_rng([index, 31])
        for frame, picture in frames:
            reading = reader.read(picture if disturbance is None else disturbance(picture, rng))
            shares.append(right(frame, reading))
            hands += reading.hand
    return float(np.mean(shares)), hands


@pytest.mark.benchmark
def test_other_light_takes_little(tmp_path: Path) -> None:
    tables = []
    for seed in TABLES:
        write_table(tmp_path / str(seed), TableStyle.random(seed, 3 + seed % 6), FRAMES, 0, with_hands=False)
        tables.append((reader_of_folder(tmp_path / str(seed)), list(frames_of(tmp_path / str(seed)))))
    plain, _ = share(tables, None)
    print(f"\nread in its own light: {plain:.3f} of all there is, {len(TABLES) * FRAMES} pictures")
    for disturbance in (lamp, leaning, evening, blinding):
        name = disturbance.__name__
        seen, hands = share(tables, disturbance)
        print(f"{name}: {seen:.3f}, {seen / plain:.1%} of that; {hands} hands that are none")
        assert seen >= FLOORS[name] * plain
        assert hands <= (BLINDED if disturbance is blinding else NO_HANDS)
    # The lamp was on when the empty board was photographed; it takes two pictures to tell that it went out.
    tables = [(went_out(tmp_path / str(seed), seed), frames) for seed, (_, frames) in zip(TABLES, tables, strict=True)]
    seen, hands = share(tables, None)
    print(f"a lamp went out: {seen:.3f}, {seen / plain:.1%} of that; {hands} hands that are none")
    assert seen >= FLOORS["out"] * plain
    assert hands <= NO_HANDS


def went_out(folder: Path, seed: int) -> TableReader:
    """The reader of a table whose empty board mirrored a lamp."""
    path = str(folder / "empty.jpg")
    cv2.imwrite(path, lamp(np.asarray(cv2.imread(path), np.uint8), np.random.default_rng([seed, 33])))
    return reader_of_folder(folder)


@pytest.mark.benchmark
def test_lights_with_edges_take_little(tmp_path: Path) -> None:
    """Windows, tubes, panels, spots and bulbs, come on since the empty board was photographed, or gone out."""
    tables: dict[str, list[tuple[TableReader, list[tuple[Json, Picture]]]]] = {}
    for seed in MIRRORING:
        style = TableStyle.random(seed, 3 + seed % 6)
        plain = tmp_path / str(seed)
        write_table(plain, style, FRAMES - 1, 1, with_hands=False)
        tables.setdefault("none", []).append((reader_of_folder(plain), list(frames_of(plain))))
        for kind in KINDS:
            light = RoomLight.random(np.random.default_rng([seed, KINDS.index(kind)]), kind, style.camera)
            shining = tmp_path / f"{seed} {kind}"
            drawn_by = partial(MirroringRenderer, lights=(light,))
            write_table(shining, style, FRAMES - 1, 1, with_hands=False, drawn_by=drawn_by)
            tables.setdefault(f"{kind} on", []).append((reader_of_folder(plain), list(frames_of(shining))))
            tables.setdefault(f"{kind} out", []).append((reader_of_folder(shining), list(frames_of(plain))))
    usual, _ = share(tables["none"], None)
    for name, those in tables.items():
        seen, hands = share(those, None)
        print(f"{name:12}: {seen:.3f} of all there is, {len(MIRRORING) * FRAMES} pictures; {hands} hands that are none")
        assert seen >= ROOM_FLOOR * usual
        assert hands <= ROOM_HANDS


@pytest.mark.benchmark
def test_hands_are_noticed() -> None:
    noticed = total = 0
    for seed in HANDED:
        rng = np.random.default_rng([seed, 7])
        table = virtual_table(seed, ("red_pawn", "dog", "ship"))
        reader = TableReader(table.pictures.empty_bgr, table.pictures.taps_px, {})
        setting = table.setting(seed)
        for _ in range(HANDS):
            shuffle(setting)
            scene = setting.scene()
            x, y = (float(each) for each in rng.uniform(-0.2, 0.2, 2))
            posture = str(rng.choice(["pinch", "fist"]))
            pose = HandPose(x, y, 0.03, float(rng.uniform(0, 6.28)), posture, int(rng.integers(100)))
            picture = table.renderer.render(Scene(scene.pieces, scene.dice, (pose,)), Moment(noise_seed=seed))
            noticed += reader.read(picture).hand
            total += 1
    print(f"\nhands noticed: {noticed} of {total}")
    assert noticed >= HANDS_FLOOR * total
