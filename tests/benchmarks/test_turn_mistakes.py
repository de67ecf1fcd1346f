"""People who forget a double, throw once more, when it is not their turn, or in place of a throw that did not count.

`python -m pytest -m benchmark tests/benchmarks/test_turn_mistakes.py -s -n 0` plays games on the virtual table for
the seeds in `TURN_SEEDS` (`388-391` where it is not set), read by the real eyes. In every game somebody draws who
begins. The referee has to ask which throw it was, and with that answer to have every token where it stands; of two of
which one does not count the token may tell it that.
"""

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.bots import Action
from companion.cli.demo import reader_of
from companion.cli.headless import NOWHERE, HeadlessTable, TurnRecord
from companion.cli.virtual_play import place_of, throw_command, thrower
from companion.referee.judge import INSTEAD
from companion.referee.tokens import THROWN
from companion.rules import Refused

PLAYERS, TURNS = (2, 4, 6, 8), 40
#: Share of doubles that are forgotten; of other turns after which the same player throws again, or any other does; and
#: of throws before which one lay there that does not count.
FORGOTTEN, AGAIN, OUT_OF_TURN, VOID = 0.3, 0.05, 0.05, 0.08
NOT_COUNTED = "one does not count"


def seeds() -> range:
    first, _, last = os.environ.get("TURN_SEEDS", "388-391").partition("-")
    return range(int(first), int(last or first) + 1)


class CarelessTable(HeadlessTable):
    """Its people make such mistakes, and say which throw it was when they are asked.

    Attributes:
        found: how many throws came to what: (the mistake or "", "told", "asked", or "silent").
    """

    def __init__(self, seed: int, players: int) -> None:
        super().__init__(seed, reader_of, players=players)
        self._random = Random(seed)
        self._mistake = ""
        self._is_offered = self._is_answered = False
        self.found: Counter[tuple[str, str]] = Counter()

    def _throw(self, action: Action, turn: int) -> None:
        """People know whose throw it is; the book that is read takes it for whose turn it is."""
        self._mistake, expected = "", thrower(self.truth)
        self._is_offered = self._is_answered = False
        name, change = self._drawn()
        twin = self.truth.copy()
        try:
            twin.act({"set": {"turn": change}})
            other = self._bots.next_action(twin)
        except Refused:
            other = None
        if name and other is not None and "roll" in other and thrower(twin) != expected:
            self.truth.act({"set": {"turn": change}})
            self._mistake, action = name, other
        elif not name and not self.truth.snapshot()["players"][expected]["in_jail"] and self._random.random() < VOID:
            self._mistake = NOT_COUNTED
            void = {"roll": [self._random.randint(1, 6) for _ in action["roll"]]}
            self._gesture(throw_command(self.truth, void, expected, self.seating))
        super()._throw(action, turn)

    def _drawn(self) -> tuple[str, dict[str, Any]]:
        turn, chance = self.truth.state.turn, self._random.random()
        anybody = {"player": self._random.choice(list(self.truth.state.players)), "phase": "roll", "doubles": 0}
        if not self.truth.actions:
            return "another begins", anybody
        if turn.phase == "roll" and turn.doubles:
            return ("a double is forgotten", {"phase": "done"}) if chance < FORGOTTEN else ("", {})
        if turn.phase != "done":
            return "", {}
        if chance < AGAIN:
            return "thrown again", {"phase": "roll", "doubles": turn.doubles + 1}
        return ("out of turn", anybody) if chance < AGAIN + OUT_OF_TURN else ("", {})

    def _tap(self, action: Action) -> None:
        self._say()
        super()._tap(action)

    def _say(self) -> None:
        """People who have made a mistake answer which throw it was, as soon as they want to go on."""
        mover = self._record.truth["mover"] if self._record is not None else None
        for question in self.read.questions:
            answer = next((option.option for option in question.options if option.option in (THROWN, INSTEAD)), None)
            self._is_offered |= answer is not None
            if self._mistake and answer is not None and (answer == INSTEAD or question.facts["player"] == mover):
                self.read.answer(question.id, answer)
                self._tell_eyes()
                self._is_answered = True
                return

    def _close(self, record: TurnRecord) -> TurnRecord:
        self._say()
        square, _ = place_of(self.truth, record.truth["mover"]) or NOWHERE
        if square in (None, record.truth["from"]):
            # Who stays in Jail, and who has left the game, has no token that tells.
            return super()._close(record)
        places = [(place_of(self.read.game, name), place_of(self.truth, name)) for name in self.truth.state.players]
        is_known = self._is_answered or (self._mistake == NOT_COUNTED and not self.read.questions)
        is_told = is_known and all(read == true for read, true in places)
        is_asked = self._is_offered or (self._mistake != "" and record.asked)
        self.found[self._mistake, "told" if is_told else "asked" if is_asked else "silent"] += 1
        return super()._close(record)


@pytest.mark.benchmark
def test_whose_throw_it_was_is_asked_when_it_was_not_whose_turn_it_is() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for seed in seeds():
        table = CarelessTable(seed, PLAYERS[seed % len(PLAYERS)])
        for _ in table.turns(TURNS):
            pass
        found += table.found
    print(f"\n{'':<24}{'throws':>8}{'told':>8}{'asked':>8}{'silent':>8}")
    for mistake in sorted({name for name, _ in found}):
        counts = [found[mistake, came] for came in ("told", "asked", "silent")]
        print(f"{mistake or 'as it should be':<24}{sum(counts):>8}" + "".join(f"{count:>8}" for count in counts))
    mistakes = sum(count for (name, _), count in found.items() if name)
    told = sum(count for (name, came), count in found.items() if name and came == "told")
    silent = sum(count for (name, came), count in found.items() if name and came == "silent")
    assert mistakes
    assert told >= 0.9 * mistakes
    # Where the right space is that of the wrong throw, nothing tells.
    assert silent <= 0.05 * mistakes
    assert found["", "asked"] <= 0.01 * sum(count for (name, _), count in found.items() if not name)
