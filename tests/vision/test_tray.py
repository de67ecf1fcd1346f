"""A second camera that looks into a dice tray: its pictures become throws, with nothing calibrated."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes import Eyes
from companion.observations import DiceSeen, DieKind, Observation, Picture
from companion.referee.hands import FACES
from tests.unit.vision_live.test_eyes import wait_for
from tests.vision.table_sets import reader_of, virtual_table
from tests.vision.test_dice_reader import cloth, picture
from vision.legibility import spread, trouble
from vision.live.tray import TrayReader
from vision.live.watcher import Memory, Watcher
from vision.live.worker import run
from vision.sources import FrameBgr
from vision.virtual.dice import DiceLight, DieLook, Eye, draw_die, resting, turn_up
from vision.virtual.polyhedra import FONTS
from vision.virtual.scene import Die
from vision.virtual.surfaces import draw_surface

#: What lies in the tray, picture by picture: two throws, each seen twice, and hands in between.
SHOWN: list[list[tuple[str, int, float, float]]] = [
    [],
    [("white", 3, -2.0, 0.0), ("white", 5, 1.5, 0.8)],
    [("white", 3, -2.0, 0.0), ("white", 5, 1.5, 0.8)],
    [],
    [("white", 6, 0.5, -1.0), ("white", 1, 2.5, 1.0)],
    [("white", 6, 0.5, -1.0), ("white", 1, 2.5, 1.0)],
]


def tray_picture(dice: list[tuple[str, int, float, float]]) -> FrameBgr:
    return picture(dice, size=(640, 480), edge_px=56)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for index, dice in enumerate(SHOWN):
        cv2.imwrite(str(tmp_path / f"p{index}.png"), tray_picture(dice))
    return tmp_path


@pytest.fixture
def seen(folder: Path) -> Iterator[list[Observation | Picture]]:
    seen: list[Observation | Picture] = []
    eyes = Eyes(run, {"camera": str(folder), "is_tray": True, "folder_pace_s": 0.1}, seen.append, seen.append)
    eyes.expect(("d6", "d6"))
    eyes.start()
    wait_for(lambda: eyes.status.has_ended, 60.0)
    yield seen
    eyes.stop()


def test_throws_of_a_folder_of_tray_pictures_are_observed(seen: list[Observation | Picture]) -> None:
    throws = [item for item in seen if isinstance(item, DiceSeen)]
    read = [(item.throw, sorted(max(die.faces, key=lambda f: die.faces[f]) for die in item.dice)) for item in throws]
    assert read == [(1, [3, 5]), (2, [1, 6])]
    pictures = {item.id for item in seen if isinstance(item, Picture)}
    assert all(item.picture in pictures for item in throws)


def test_a_live_tray_tells_a_throw_once_and_a_nudge_never() -> None:
    watcher = Watcher(TrayReader(), memory=Memory(lying=()))
    watcher.expect(2)
    t_ns, told = 0, []
    shifted = [("white", 3, -1.8, 0.1), ("white", 5, 1.7, 0.9)]
    for dice in ([], SHOWN[1], shifted, SHOWN[4]):
        frame = tray_picture(dice)
        for _ in range(24):
            t_ns += 100_000_000
            told += [item for item in watcher.feed(frame, t_ns) if isinstance(item, DiceSeen)]
    assert [sorted(max(die.faces, key=lambda f: die.faces[f]) for die in item.dice) for item in told] == [
        [3, 5],
        [1, 6],
    ]


def test_a_die_that_leans_in_a_tray_is_said_to_be_cocked_once_throws_told_which_way_is_up() -> None:
    leaning = picture([("white", 3, -2.0, 0.0)], size=(640, 480), edge_px=56, tilt=0.5, way=np.pi)
    flat, first, later = tray_picture(SHOWN[1]), TrayReader(), TrayReader()
    assert [die.cocked > 0.5 for die in first.read(leaning).dice] == [False], "from higher up it would lie flat"
    for places in ((-2.0, 1.5), (-1.0, 2.0), (0.0, 2.5)):
        thrown = tray_picture([("white", 5, x, 0.5) for x in places])
        for _ in range(3):
            assert max(die.cocked for die in later.read(thrown).dice) < 0.5
    assert [die.cocked > 0.5 for die in later.read(leaning).dice] == [True]
    assert max(die.cocked for die in later.read(flat).dice) < 0.5


def test_places_are_told_in_units_that_do_not_change_from_picture_to_picture() -> None:
    reader = TrayReader()
    before = reader.read(tray_picture(SHOWN[1])).corners_px
    assert before is not None
    assert reader.read(tray_picture(SHOWN[4])).corners_px == pytest.approx(before)
    assert reader.read(tray_picture([])).corners_px == pytest.approx(before)
    width = float(np.hypot(*(before[1] - before[0])))
    assert 56 / width == pytest.approx(0.033, rel=0.25), "a die's edge is that of a die on a board"


@pytest.mark.parametrize("style", [0, 1], ids=["numbers at the base", "numbers at the apex"])
@pytest.mark.parametrize("kind", ["d4", "d20"])
def test_numbered_dice_are_read_from_near(kind: DieKind, style: int) -> None:
    """Every value, each in another typeface and turned otherwise."""
    reader = TrayReader()
    reader.expect(("d4", "d20"))
    values = range(1, FACES[kind] + 1)
    read = [reader.read(near(kind, value, 2 * (7 * value % (FONTS // 2)) + style)).dice for value in values]
    right = [
        [(die.kind, die.value) for die in dice] == [(kind, value)] for value, dice in zip(values, read, strict=True)
    ]
    assert sum(right) >= 0.9 * len(values)


def near(kind: str, value: int, font: int) -> FrameBgr:
    """A black die with white numerals, 50 px wide."""
    canvas = cloth(480, 320)
    look = DieLook(kind=kind, body=(30, 28, 28), ink=(240, 240, 240), font=font)
    rotation = turn_up(kind, value, 0.7 + value)
    eye = Eye.above(1.25, 45.0, 45.0 * 50, (240.0, 160.0))
    patch = draw_die(look, rotation, resting(look, rotation, (0.0, 0.0)), eye, DiceLight(ambient=0.6))
    height, width = patch.alpha.shape
    part = canvas[patch.y : patch.y + height, patch.x : patch.x + width]
    part[:] = part * (1 - patch.alpha[..., None]) + patch.bgr * patch.alpha[..., None]
    return np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.6), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("edge_px", "gain", "word"),
    [(56, 1.0, ""), (15, 1.0, "the d20 is too small in the picture: bring the camera nearer"), (56, 0.05, "too dark")],
)
def test_a_tray_that_cannot_be_read_is_said_to_be_so(edge_px: float, gain: float, word: str) -> None:
    reader = TrayReader()
    shown = picture(SHOWN[1], size=(640, 480), edge_px=edge_px)
    reader.read(shown)
    assert trouble(reader.read((shown * gain).astype(np.uint8)), ("d20",)).startswith(word)
    assert word or not trouble(reader.read(shown), ("d20",))


@pytest.mark.parametrize("is_known", [False, True], ids=["from the start", "later"])
def test_a_tray_that_is_out_of_focus_is_said_to_be_so(is_known: bool) -> None:
    reader = TrayReader()
    if is_known:
        assert not trouble(reader.read(tray_picture(SHOWN[1])))
    blurred = reader.read(picture(SHOWN[1], size=(640, 480), edge_px=56, blur=11))
    assert trouble(blurred).startswith("out of focus")
    assert blurred.dice == []


def test_dice_that_are_read_for_sure_are_not_called_blurred() -> None:
    seen = [TrayReader().read(picture(SHOWN[4], size=(640, 480), edge_px=56, blur=blur)) for blur in (0.6, 2.0, 3.0)]
    assert [(sorted(die.value for die in reading.dice), trouble(reading)) for reading in seen] == [([1, 6], "")] * 3


def ground(kind: str, seed: int) -> NDArray[np.float32]:
    """An empty tray, (480, 640, 3), in the light of a lamp that hangs over one side."""
    rng = np.random.default_rng(seed)

    def swell(count: int, strength: float) -> NDArray[np.float32]:
        waves = rng.normal(0, strength, (max(3 * count // 4, 2), count)).astype(np.float32)
        return cv2.resize(waves, (640, 480), interpolation=cv2.INTER_CUBIC)[..., None]

    def grain(sigma: float) -> NDArray[np.float32]:
        fine = cv2.GaussianBlur(rng.normal(0, 1, (480, 640)).astype(np.float32), (0, 0), sigma)
        return np.asarray(fine / fine.std(), np.float32)[..., None]

    if kind == "felt":
        canvas = np.array([50, 110, 40]) + 6 * grain(1.0) + swell(int(rng.integers(4, 12)), 12)
    elif kind == "wood":
        wood = draw_surface(str(rng.choice(["wood", "dark_wood", "pale_wood"])), rng).astype(np.float32)
        turned = cv2.getRotationMatrix2D((512, 512), rng.uniform(0, 360), rng.uniform(0.6, 2.5))
        canvas = cv2.warpAffine(wood, turned, (640, 480), borderMode=cv2.BORDER_REFLECT)
    elif kind == "leather":
        canvas = np.array([40, 65, 120]) * (1 + 0.12 * np.tanh(3 * grain(rng.uniform(2, 5))) + swell(6, 0.12))
    else:
        canvas = np.array([80, 120, 110]) + swell(int(rng.integers(3, 14)), rng.uniform(10, 45))
    y, x = np.mgrid[:480, :640].astype(np.float32)
    lamp = 0.6 + 0.5 * np.exp(-((x - rng.uniform(0, 640)) ** 2 + (y - rng.uniform(0, 480)) ** 2) / 400**2)
    return np.asarray(canvas * lamp[..., None], np.float32)


GROUNDS = ("felt", "wood", "leather", "blotches")


@pytest.mark.parametrize("kind", GROUNDS)
def test_an_empty_tray_in_focus_is_not_called_blurred_whatever_it_is_made_of(kind: str) -> None:
    reader = TrayReader()
    shown = [picture([], size=(640, 480), ground=ground(kind, seed)) for seed in range(12)]
    assert [trouble(reader.read(frame)) for frame in shown] == [""] * len(shown)


@pytest.mark.parametrize("kind", GROUNDS)
def test_dice_out_of_focus_are_said_to_be_so_on_most_grounds(kind: str) -> None:
    shown = [picture(SHOWN[1], (640, 480), 56, blur=11, ground=ground(kind, seed)) for seed in range(8)]
    told = [trouble(TrayReader().read(frame)).startswith("out of focus") for frame in shown]
    assert sum(told) >= LEAST_TOLD[kind]


#: Of eight.
LEAST_TOLD = {"felt": 8, "wood": 4, "leather": 8, "blotches": 2}


def test_a_picture_without_a_strong_edge_tells_nothing_of_its_focus() -> None:
    assert spread(np.full((480, 640, 3), 90, np.uint8), 56.0) == 0.0


def test_the_board_camera_leaves_the_dice_to_the_tray() -> None:
    pawns = ("red_pawn", "blue_pawn", "yellow_pawn", "white_pawn")
    table, reader = virtual_table(3, pawns), reader_of(3, pawns)
    setting = table.setting()
    setting.put_token("red_pawn", 13)
    setting.dice = (Die(value=4, x=0.02, y=0.03),)
    frame = table.picture(setting.scene())
    assert [die.value for die in reader.read(frame).dice] == [4]
    try:
        reader.reads_dice = False
        reading = reader.read(frame)
    finally:
        reader.reads_dice = True
    assert reading.dice == []
    assert [token.square for token in reading.tokens if token.confidence >= 0.3] == [13]
