"""What watching costs while nothing happens, and how soon a throw is told.

Run with `python -m pytest -m benchmark tests/benchmarks/test_eyes_speed.py -s -n 0`. Times are processor times of one
thread, so that a busy machine does not count.
"""

import time
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest

from companion.observations import DiceSeen
from tests.network_camera import camera_elsewhere
from tests.unit.vision_live.test_worker import Wire
from tests.unit.vision_live.truth_reader import TruthReader
from tests.vision.table_sets import reader_of, virtual_table
from vision.detections import TableReading
from vision.live.watcher import Watcher
from vision.live.worker import Settings, _Frames, _Worker
from vision.sources import FrameBgr, SteadySource, open_source, parse_source
from vision.virtual.disturbances import swayed
from vision.virtual.idle_hands import IdleHandsRenderer
from vision.virtual.moving_light import MOVING_LIGHTS, MovingLight
from vision.virtual.people import PeopledRenderer
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, Scene, TableStyle, random_camera
from vision.virtual.world import Command, World

PAWNS = ("red_pawn", "blue_pawn", "yellow_pawn", "white_pawn")
FPS = 30
#: Floors: share of one core of an idle scene; seconds from rest to the observation in 95 of 100 throws, without the
#: two readings that it takes.
MOST_IDLE, MOST_WAIT_S = 0.10, 0.240
THROWS = 20
#: Rendered tables seen from 30 to 50 degrees, the throws on each, how long a picture takes, and the same of these.
LIVELY, LIVELY_THROWS, USUAL_READING_S, LATE_S = range(942_800, 942_808), 8, 0.045, 0.6
#: What moves around a table.
AROUND = {"people": PeopledRenderer, "hands beside the board": partial(IdleHandsRenderer, hands=3)}
#: Px of a picture 1280 px wide, and times a second, by which the camera sways.
SWAYS = {"sways by 1 px": (1.0, 1.5), "sways by 2 px": (2.0, 1.5), "shakes by 2 px": (2.0, 6.0)}


def idle_frames() -> list[FrameBgr]:
    table = virtual_table(3, PAWNS)
    setting = table.setting(5)
    for index, name in enumerate(PAWNS):
        setting.put_token(name, 9 * index + 1)
    setting.dice = setting.throw((3, 5))
    return [table.renderer.render(setting.scene(), Moment(noise_seed=seed)) for seed in range(6)]


@pytest.mark.benchmark
def test_an_idle_scene_costs_a_small_share_of_reading_every_frame() -> None:
    frames, reader = idle_frames(), reader_of(3, PAWNS)
    watcher = Watcher(reader, pupil=reader)
    for k in range(4 * FPS):
        watcher.feed(frames[k % len(frames)], k * 10**9 // FPS)
    began, seconds = time.process_time(), 12
    for k in range(4 * FPS, (4 + seconds) * FPS):
        watcher.feed(frames[k % len(frames)], k * 10**9 // FPS)
    idle = (time.process_time() - began) / seconds
    began = time.process_time()
    for frame in frames * 2:
        reader.read(frame)
    every = (time.process_time() - began) / (2 * len(frames)) * FPS
    print(f"\nidle at {FPS} frames a second: {idle:.1%} of one core; reading every frame: {every:.0%}")
    assert idle < MOST_IDLE
    assert idle < 0.05 * every


@pytest.mark.benchmark
def test_an_idle_camera_in_the_network_costs_a_small_share() -> None:
    """All that the eyes' process does: it takes the frames of a stream, watches, and shows some on the page."""
    frames, reader = idle_frames(), reader_of(3, PAWNS)
    with camera_elsewhere(frames[0], 1 / FPS) as address:
        spec = parse_source(address)
        eyes = _Worker(Wire(), Settings(camera="none"))
        eyes._watcher = Watcher(reader, eyes._stills, pupil=reader)
        eyes._source = _Frames(SteadySource(lambda: open_source(spec)), is_live=True)
        idle = {}
        for seconds in (4, 12):
            began, until = time.process_time(), time.monotonic() + seconds
            while time.monotonic() < until:
                eyes._look()
                eyes._beat()
            idle[seconds] = (time.process_time() - began) / seconds
        assert eyes._watcher.is_calm
        eyes._source.close()
    print(f"\nidle before a camera in the network at {FPS} frames a second: {idle[12]:.1%} of one core")
    assert idle[12] < MOST_IDLE


class Slow(TruthReader):
    """Knows what lies there, and takes as long as a reader does."""

    def __init__(self, world: World, renderer: Renderer, takes_s: float) -> None:
        super().__init__(world, renderer)
        self.takes_s, self.spent_s = takes_s, 0.0

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        self.spent_s += self.takes_s
        return super().read(frame_bgr)


@dataclass
class Film:
    """What a camera shows of a virtual table as time goes on.

    Attributes:
        sway: px of a picture 1280 px wide, and times a second, by which the camera sways.
        light: that moves over the table.
    """

    renderer: Renderer
    sway: tuple[float, float] = (0.0, 0.0)
    light: MovingLight | None = None

    def frame(self, world: World, scene: Scene, now_s: float) -> FrameBgr:
        if isinstance(self.renderer, PeopledRenderer | IdleHandsRenderer):
            self.renderer.time_s = now_s
        picture = self.renderer.render(scene, world.moment())
        if self.light is not None:
            picture = self.light(picture, now_s)
        return swayed(picture, now_s, *self.sway) if any(self.sway) else picture


def waits_of(style: TableStyle, film: Film, throws: int, reading_s: float) -> list[float]:
    """Seconds from rest to the observation of each throw that is told, the first one aside."""
    world = World(style, style.seed, rest_s=(1.5, 1.6))
    world.set_up()
    reader = Slow(world, film.renderer, reading_s)
    watcher = Watcher(reader)
    rng = np.random.default_rng(4)
    waits, now_s = [], 0.0
    for throw in range(throws + 1):
        world.do(Command(do="throw", dice=tuple(int(v) for v in rng.integers(1, 7, 2)), seat=throw % 4))
        rest_s = None
        last, told_at = now_s, None
        while told_at is None and now_s - last < 12:
            now_s += 1 / FPS
            scene = world.scene_at(now_s)
            is_still = bool(scene.dice) and not scene.hands and all(die.speed == (0, 0) for die in scene.dice)
            rest_s = (rest_s if rest_s is not None else now_s) if is_still else None
            reader.spent_s = 0.0
            seen = watcher.feed(film.frame(world, scene, now_s), round(now_s * 1e9))
            if rest_s is not None and any(isinstance(item, DiceSeen) for item in seen):
                told_at = now_s + reader.spent_s
        if throw and rest_s is not None and told_at is not None:
            waits.append(told_at - rest_s)
        while world.is_busy:
            now_s += 1 / FPS
            watcher.feed(film.frame(world, world.scene_at(now_s), now_s), round(now_s * 1e9))
    return sorted(waits)


def late(waits: list[float]) -> float:
    """What 95 of 100 do not exceed, of times in order."""
    return waits[int(0.95 * (len(waits) - 1))]


def said(waits: list[float]) -> str:
    return f"n = {len(waits)}: median {waits[len(waits) // 2] * 1e3:.0f} ms, p95 {late(waits) * 1e3:.0f} ms"


@pytest.mark.benchmark
def test_a_throw_is_told_soon_after_the_dice_have_come_to_rest() -> None:
    style, reading_s = TableStyle.random(6, 2, size=(640, 360)), reading_time_s()
    waits = waits_of(style, Film(Renderer(style)), THROWS, reading_s)
    print(f"\ndice at rest to observation at {FPS} frames a second, {reading_s * 1e3:.0f} ms a reading, {said(waits)}")
    assert len(waits) == THROWS
    assert late(waits) - 2 * reading_s <= MOST_WAIT_S


@pytest.mark.benchmark
@pytest.mark.parametrize("what", ["at rest", *AROUND, *SWAYS, *MOVING_LIGHTS])
def test_a_throw_is_told_soon_on_tables_where_it_never_rests(what: str) -> None:
    waits = []
    for seed in LIVELY:
        rng = np.random.default_rng([seed, 6])
        camera = random_camera(rng, (640, 360), (30, 50))
        style = replace(TableStyle.random(seed, 2, size=(640, 360)), camera=camera, mugs=())
        renderer = AROUND.get(what, Renderer)(style)
        light = MOVING_LIGHTS[what](style.camera.size, rng) if what in MOVING_LIGHTS else None
        film = Film(renderer, SWAYS.get(what, (0.0, 0.0)), light)
        waits += waits_of(style, film, LIVELY_THROWS, USUAL_READING_S)
    waits.sort()
    print(f"\ndice at rest to observation, {what}: {said(waits)}")
    assert len(waits) == LIVELY_THROWS * len(LIVELY)
    assert late(waits) <= LATE_S


def reading_time_s() -> float:
    """Processor time of one reading of a table of 1280 × 720, median."""
    frames, reader = idle_frames(), reader_of(3, PAWNS)
    took = []
    for frame in frames * 2:
        began = time.process_time()
        reader.read(frame)
        took.append(time.process_time() - began)
    return float(np.median(took))
