"""People who hand or toss the dice on, throw them one after the other, or lose one over the table's edge.

`python -m pytest -m benchmark tests/benchmarks/test_ways_to_throw.py -s -n 0` plays games on the virtual table for the
seeds in `THROWN_SEEDS` (`489-490` where it is not set), read by the real eyes. A hand in sight lets the dice go right
before where they come to rest. Dice that are handed on, other faces up, are no throw; the baseline, in the same games,
is eyes to whom all dice are thrown. What was asked and has answered itself by the end of the turn is counted as told.
Dice that are tossed to whoever throws next look thrown to all eyes: where it is asked whether only the last throw
counts, people say so, and that counts as asked.
"""

import os
from collections import Counter
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import pytest

from companion.bots import Action
from companion.cli.demo import reader_of
from companion.cli.headless import HeadlessTable, TurnRecord
from companion.cli.virtual_play import thrower
from companion.referee.tokens import THROWN
from companion.rules import Game
from vision.live.gate import Gate
from vision.virtual.scene import Die, Scene
from vision.virtual.setting import Setting
from vision.virtual.world import Command

PLAYERS, TURNS = (2, 4, 6, 8), 20
#: How far from where dice come to rest the hand lets them go, meters; for one table after the other.
THROWN_M = (0.03, 0.06, 0.1, 0.2)
#: Share of throws to which something happens, how long dice lie there then, seconds, and frames in a second of usual
#: cameras and of slow ones, as many are in the dark.
SHARE, LIE_S, FPS, SLOW_FPS = 0.7, 2.0, 15, 5
#: So many questions that stay, and silent errors, as a share of throws, are too many.
MOST_ASKED, MOST_SILENT = 0.05, 0.01
HANDED_ON = ["before the next throw", "before decisions", "before the token moves"]
ONE_BY_ONE, FELL, TOSSED = "one after the other", "one falls off the table", "tossed on before the next throw"
#: Until it is known that people toss dice on, it is asked, or goes by unseen where both lead to one space; in Jail and
#: for a utility's rent no token tells.
MOST_ASKED_TOSSED, MOST_SILENT_TOSSED = 0.1, 0.1
WAYS = [(way, "ours", FPS) for way in ("plainly", *HANDED_ON, ONE_BY_ONE, FELL, TOSSED)]
WAYS += [(way, "ours", SLOW_FPS) for way in ("plainly", *HANDED_ON)]
WAYS += [(way, "all is thrown", FPS) for way in HANDED_ON]


def seeds() -> range:
    first, _, last = os.environ.get("THROWN_SEEDS", "489-490").partition("-")
    return range(int(first), int(last or first) + 1)


@dataclass
class WithLying(Setting):
    """A die lies there already while others are thrown."""

    lying: tuple[Die, ...] = ()

    def scene(self) -> Scene:
        scene = super().scene()
        return replace(scene, dice=(*scene.dice, *self.lying))

    def _is_free(self, x: float, y: float, dice: list[Die]) -> bool:
        return super()._is_free(x, y, [*dice, *self.lying])


class Customs(HeadlessTable):
    """Its people have one way to throw.

    Attributes:
        done: how often something other than a plain throw happened.
        found: what came of the throws.
    """

    def __init__(self, seed: int, way: str, fps: int) -> None:
        super().__init__(seed, reader_of, players=PLAYERS[seed % len(PLAYERS)])
        old = self._world.setting
        self._setting = WithLying(old.style, old.rng, old.tokens, has_decks=old.has_decks)
        self._world.setting, self._world.thrown_m = self._setting, THROWN_M[seed % len(THROWN_M)]
        self._chance = np.random.default_rng([seed, 78])
        self._way, self._fps, self._is_thrown, self._thrower = way, fps, False, ""
        self.done, self.found = 0, Counter[str]()

    def _throw(self, action: Action, turn: int) -> None:
        if self._way in ("before the next throw", TOSSED):
            self._hand_on()
        self._thrower, self._is_thrown = thrower(self.truth), True
        super()._throw(action, turn)
        if self._way == "before decisions":
            self._hand_on()

    def _hands(self, before: Game, mover: str) -> None:
        if self._way == "before the token moves" and self._is_thrown:
            self._hand_on()
        self._is_thrown = False
        super()._hands(before, mover)

    def _is_due(self) -> bool:
        is_due = bool(self._chance.random() < SHARE)
        self.done += is_due
        return is_due

    def _faces(self, count: int) -> tuple[int, ...]:
        return tuple(int(face) for face in self._chance.integers(1, 7, count))

    def _hand_on(self) -> None:
        dice = self._setting.dice
        if dice and self._is_due():
            do = "throw" if self._way == TOSSED else "hand_on"
            self._film(Command(do=do, dice=self._faces(len(dice)), seat=self.seating.seat(self._thrower)), LIE_S)

    def _gesture(self, command: Command) -> None:
        """Dice in motion are filmed."""
        if command.do != "throw":
            super()._gesture(command)
            return
        if self._way in (ONE_BY_ONE, FELL) and len(command.dice) > 1 and self._is_due():
            faces = command.dice[:1] if self._way == ONE_BY_ONE else self._faces(1)
            self._film(msgspec.structs.replace(command, dice=faces, kinds=command.kinds[:1]), LIE_S)
            if self._way == ONE_BY_ONE:
                self._setting.lying, self._setting.dice = self._setting.dice, ()
                command = msgspec.structs.replace(command, dice=command.dice[1:], kinds=command.kinds[1:])
        self._film(command)
        self._setting.dice, self._setting.lying = (*self._setting.lying, *self._setting.dice), ()
        self._rest()

    def _film(self, command: Command, lies_s: float = 0.0) -> None:
        """Every frame of a gesture, and of the dice lying there."""
        self._world.do(command)
        start_s = self._now_s + 2.0
        gesture = self._world.begin(start_s)
        assert gesture is not None, "the table had rested"
        for frame in range(int((gesture.duration_s + lies_s) * self._fps) + 2):
            self._now_s = start_s + frame / self._fps
            self._frame(self._now_s)

    def _close(self, record: TurnRecord) -> TurnRecord:
        is_open = bool(self.read.questions)
        for question in self.read.questions:
            if THROWN in [option.option for option in question.options]:
                self.read.answer(question.id, THROWN)
        closed = super()._close(record)
        self.found["told" if closed.is_ok and not is_open else "asked" if closed.asked else "silent"] += 1
        return closed


@pytest.mark.benchmark
@pytest.mark.parametrize(("way", "eyes", "fps"), WAYS)
def test_what_counts_is_told_in_whichever_way_people_throw(
    way: str, eyes: str, fps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if eyes != "ours":
        monkeypatch.setattr(Gate, "are_put_down", lambda _, boxes, __: np.zeros(len(boxes), bool))
    found, done = Counter[str](), 0
    for seed in seeds():
        table = Customs(seed, way, fps)
        for _ in table.turns(TURNS):
            pass
        found, done = found + table.found, done + table.done
    throws = found.total()
    counts = ", ".join(f"{found[what]} {what}" for what in ("told", "asked", "silent"))
    print(f"\n{way}, {eyes}, {fps} frames a second: {throws} throws, {done} so: {counts}")
    if eyes == "ours":
        assert found["asked"] <= (MOST_ASKED_TOSSED if way == TOSSED else MOST_ASKED) * throws
        assert found["silent"] <= (MOST_SILENT_TOSSED if way == TOSSED else MOST_SILENT) * throws
