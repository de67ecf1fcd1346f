"""Games whose camera somebody turns, so that a part of the board does not show any more.

Run with `python -m pytest -m benchmark tests/benchmarks/test_out_of_view.py -s -n 0`. The virtual table plays,
the real eyes read. Dice that lie beyond the picture's rims cannot be read, and are not counted.
"""

from collections import Counter

import numpy as np
import pytest

from companion.bots import Action
from companion.cli.demo import reader_of
from companion.cli.headless import HeadlessTable, TurnRecord
from vision.virtual.render import Renderer

#: Games, their players, throws before the camera is turned, and all in all; the share of the board that is lost.
SEEDS, PLAYERS, BEFORE, THROWS, LOST = range(412, 418), (2, 4, 6), 6, 26, 0.12
#: Px between a die's middle and the rims of the picture, at least.
MARGIN_PX = 10


class TurnedTable(HeadlessTable):
    """Somebody turns its camera.

    Attributes:
        found: how many throws with dice in the picture were told rightly, asked about, or wrong in silence.
    """

    def __init__(self, seed: int, players: int) -> None:
        super().__init__(seed, reader_of, players=players)
        self.found: Counter[str] = Counter()

    def _throw(self, action: Action, turn: int) -> None:
        if turn == BEFORE:
            self._turn()
        super()._throw(action, turn)

    def _turn(self) -> None:
        steps = np.linspace(-0.5, 0.5, 21) * self.style.geometry.size_m
        board = np.array([[x, y, 0.0] for x in steps for y in steps])
        angle, camera = np.random.default_rng([self.style.seed, 12]).uniform(0, 2 * np.pi), self.style.camera
        while is_within(camera.project(board), camera.size).mean() > 1 - LOST:
            camera = camera.turned(0.5, float(np.cos(angle)), float(np.sin(angle)))
        self._renderer = Renderer(self.style, camera)
        self._rest(4.0)

    def _close(self, record: TurnRecord) -> TurnRecord:
        closed = super()._close(record)
        camera = self._renderer.camera
        dice = np.array([[die.x, die.y, 0.008] for die in self._world.setting.dice])
        if closed.turn >= BEFORE and is_within(camera.project(dice), camera.size, MARGIN_PX).all():
            self.found["asked" if closed.asked else "told" if closed.is_ok else "silent"] += 1
        return closed


def is_within(points_px: np.ndarray, size: tuple[int, int], margin_px: int = 0) -> np.ndarray:
    """(n,) whether px lie within the rims."""
    return np.asarray(((points_px > margin_px) & (points_px < np.array(size) - margin_px)).all(axis=1))


@pytest.mark.benchmark
def test_where_a_part_of_the_board_does_not_show_the_game_goes_on() -> None:
    found: Counter[str] = Counter()
    for seed in SEEDS:
        table = TurnedTable(seed, PLAYERS[seed % len(PLAYERS)])
        for _ in table.turns(THROWS):
            pass
        found += table.found
    print(f"\n{LOST:.0%} of the board not in view, {found.total()} throws: {dict(found)}")
    assert found["told"] >= 0.95 * found.total()
    assert not found["silent"]
