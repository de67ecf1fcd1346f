"""Throws and moves that the real eyes tell in light that moves over the table, and where the stream stalls.

Run with `python -m pytest -m benchmark tests/benchmarks/test_light_and_streams.py -s -n 0`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from companion.observations import SPACES, DiceSeen, StandingSeen
from vision.live.watcher import Watcher
from vision.reader import TableReader
from vision.virtual.disturbances import Picture
from vision.virtual.moving_light import MOVING_LIGHTS
from vision.virtual.profiles import calibration_pictures
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.streams import Stalling
from vision.virtual.world import Command, World

#: Rendered tables, throws on each, players, frames a second, and how long a table rests after each gesture.
SEEDS, THROWS, PLAYERS, FPS, REST_S = range(942_960, 942_966), 5, 4, 12, 3.0
#: Where tokens go: neither to Jail nor from it.
SQUARES = [square for square in range(1, 40) if square not in (10, 30)]
#: Least share of the throws and of the moves that are told rightly.
LEAST_TOLD = 0.9
TOTAL = THROWS * len(SEEDS)


@dataclass
class Table:
    """A game, and what its eyes told since the last gesture.

    Attributes:
        seen: what becomes of its pictures.
        dice: the throws that were told.
    """

    seed: int
    seen: Callable[[Picture, float], Picture]
    now_s: float = 0.0
    dice: list[list[int]] = field(default_factory=list)
    named: dict[str, dict[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.style = TableStyle.random(self.seed, PLAYERS)
        self.world = World(self.style, self.seed, rest_s=(REST_S, REST_S))
        self.world.set_up()
        self._renderer = Renderer(self.style)
        pictures = calibration_pictures(self.style, self._renderer)
        reader = TableReader(pictures.empty_bgr, pictures.taps_px, pictures.enrol)
        reader.has_markers = False
        self._watcher = Watcher(reader, pupil=reader)
        self._watcher.expect(2)

    def do(self, **command: object) -> None:
        """Carries out a gesture, and lets the table rest."""
        self.world.do(Command(**command))  # type: ignore[arg-type]
        self.dice, self.named = [], {}
        self.wait()

    def wait(self) -> None:
        """Until the table has rested."""
        rested_s = 0.0
        while rested_s < REST_S:
            self.now_s += 1 / FPS
            scene = self.world.scene_at(self.now_s)
            picture = self.seen(self._renderer.render(scene, self.world.moment()), self.now_s)
            for seen in self._watcher.feed(picture, round(self.now_s * 1e9)):
                if isinstance(seen, DiceSeen):
                    self.dice.append(sorted(max(die.faces, key=lambda face: die.faces[face]) for die in seen.dice))
                if isinstance(seen, StandingSeen):
                    self.named = seen.named
            rested_s = 0.0 if self.world.is_busy else rested_s + 1 / FPS


def told(what: str, seen: Callable[[int, np.random.Generator], Callable[[Picture, float], Picture]]) -> tuple[int, ...]:
    """How many throws, and moves, were told rightly in the end, and how many throws wrongly, be it for a while.

    Args:
        seen: makes for a table what becomes of its pictures.
    """
    throws = moves = wrong = 0
    for seed in SEEDS:
        rng = np.random.default_rng([seed, 8])
        table = Table(seed, seen(seed, rng))
        table.wait()
        for throw in range(THROWS):
            dice = tuple(int(value) for value in rng.integers(1, 7, 2))
            token, square = list(table.style.tokens)[throw % PLAYERS], int(rng.choice(SQUARES))
            table.do(do="throw", dice=dice, seat=throw % 4)
            throws += table.dice[-1:] == [sorted(dice)]
            wrong += any(each != sorted(dice) for each in table.dice)
            table.do(do="move", token=token, to=square, seat=throw % 4)
            places = table.named.get(token, {})
            moves += bool(places) and max(places, key=lambda space: places[space]) == SPACES[square]
    print(f"\n{what}: of {TOTAL} throws {throws} told rightly, {wrong} wrongly, be it for a while; {moves} moves")
    return throws, moves, wrong


@pytest.mark.benchmark
@pytest.mark.parametrize("what", MOVING_LIGHTS)
def test_throws_and_moves_are_told_in_light_that_moves(what: str) -> None:
    throws, moves, _ = told(what, lambda _, rng: MOVING_LIGHTS[what]((1280, 720), rng))
    assert min(throws, moves) >= LEAST_TOLD * TOTAL


@pytest.mark.benchmark
def test_dice_that_roll_while_a_stream_stalls_are_no_throw() -> None:
    throws, moves, wrong = told("a stream that stalls", lambda seed, _: Stalling(np.random.default_rng([seed, 9])))
    assert min(throws, moves) >= LEAST_TOLD * TOTAL
    assert not wrong
