"""People who hand the dice on to whoever throws next, other faces up, and throw them from a hand that is in sight.

`python -m pytest -m benchmark tests/benchmarks/test_handed_on.py -s -n 0` plays games on the virtual table for the
seeds in `HANDED_SEEDS` (`489-490` where it is not set), read by the real eyes. Dice that are handed on are no throw,
those that are thrown right beside a hand are one. The baseline, in the same games, is eyes to whom all dice are thrown.
"""

import os
from collections import Counter

import numpy as np
import pytest

from companion.bots import Action
from companion.cli.demo import reader_of
from companion.cli.headless import HeadlessTable
from companion.cli.virtual_play import thrower
from companion.rules import Game
from vision.live.gate import Gate
from vision.virtual.world import Command

PLAYERS, TURNS = (2, 4, 6, 8), 20
#: How far from where dice come to rest the hand lets them go, meters; for one table after the other.
THROWN_M = (0.03, 0.06, 0.1, 0.2)
#: Share of turns after which dice are handed on, how long they lie there, seconds, and frames in a second.
HANDED_ON, LIE_S, FPS = 0.7, 2.0, 15
#: So many questions and silent errors, as a share of throws, are too many.
MOST_ASKED, MOST_SILENT = 0.05, 0.01


def seeds() -> range:
    first, _, last = os.environ.get("HANDED_SEEDS", "489-490").partition("-")
    return range(int(first), int(last or first) + 1)


class HandedOn(HeadlessTable):
    """Its people hand the dice on `before the next throw`, `before decisions`, `before the token moves`, or `never`.

    Attributes:
        handed: how often they did.
    """

    def __init__(self, seed: int, when: str) -> None:
        super().__init__(seed, reader_of, players=PLAYERS[seed % len(PLAYERS)])
        self._world.thrown_m = THROWN_M[seed % len(THROWN_M)]
        self._chance = np.random.default_rng([seed, 78])
        self._when, self._is_thrown, self._thrower = when, False, ""
        self.handed = 0

    def _throw(self, action: Action, turn: int) -> None:
        if self._when == "before the next throw":
            self._hand_on()
        self._thrower, self._is_thrown = thrower(self.truth), True
        super()._throw(action, turn)
        if self._when == "before decisions":
            self._hand_on()

    def _hands(self, before: Game, mover: str) -> None:
        if self._when == "before the token moves" and self._is_thrown:
            self._hand_on()
        self._is_thrown = False
        super()._hands(before, mover)

    def _hand_on(self) -> None:
        dice = self._world.setting.dice
        if dice and self._chance.random() < HANDED_ON:
            self.handed += 1
            faces = tuple(int(face) for face in self._chance.integers(1, 7, len(dice)))
            self._gesture(Command(do="hand_on", dice=faces, seat=self.seating.seat(self._thrower)))

    def _gesture(self, command: Command) -> None:
        """Dice in motion are filmed."""
        if command.do not in ("throw", "hand_on"):
            super()._gesture(command)
            return
        self._world.do(command)
        gesture = self._world.begin(self._now_s + 2.0)
        assert gesture is not None, "the table had rested"
        start_s = self._now_s + 2.0
        lies_s = LIE_S if command.do == "hand_on" else 0.0
        for frame in range(int((gesture.duration_s + lies_s) * FPS) + 2):
            self._now_s = start_s + frame / FPS
            self._frame(self._now_s)
        self._rest()


@pytest.mark.benchmark
@pytest.mark.parametrize("when", ["never", "before the next throw", "before decisions", "before the token moves"])
@pytest.mark.parametrize("eyes", ["ours", "all is thrown"])
def test_dice_that_are_handed_on_are_no_throw(when: str, eyes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if eyes != "ours":
        monkeypatch.setattr(Gate, "are_put_down", lambda _, boxes, __: np.zeros(len(boxes), bool))
    found = Counter[str]()
    for seed in seeds():
        table = HandedOn(seed, when)
        for record in table.turns(TURNS):
            found["throws"] += 1
            found["asked" if record.asked else "right" if record.is_ok else "silent"] += 1
        found["handed on"] += table.handed
    print(f"\n{when}, {eyes}: " + ", ".join(f"{count} {what}" for what, count in sorted(found.items())))
    if eyes == "ours":
        assert found["asked"] <= MOST_ASKED * found["throws"]
        assert found["silent"] <= MOST_SILENT * found["throws"]
