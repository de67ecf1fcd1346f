"""The conversation with a tower, without a port: what is taken, acknowledged, asked again."""

import random

import msgspec
import pytest

from companion.observations import TowerThrow
from hardware.device import RING, Device, Memory
from hardware.link import QUIET_S, Ledger, Link, throw_of
from hardware.protocol import Ack, Ask, Error, Frame, Hail, Heartbeat, Hello, Identify, LineReader, Roll, encode

BOOT = "0000000a"
HELLO = Hello(id="t1", name="T", firmware="1", boot=BOOT, dice=("d6",), can=("ask",), oldest_boot=BOOT, oldest_roll=1)


def roll(number: int, boot: str = BOOT, **fields: object) -> Roll:
    plain = Roll(boot=boot, roll=number, dice="2d6", faces=(3, 4), confidence=(1.0, 1.0), valid=True)
    return msgspec.structs.replace(plain, **fields)


class Bench:
    """A link, what it has handed on, and what it has said."""

    def __init__(self, known: tuple[TowerThrow, ...] = (), ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger(known)
        self.taken: list[tuple[str, int]] = []
        self.takes = True
        self.now_s = 100.0
        self.link = Link(self.ledger, self._take)
        self._said = LineReader("host")
        self.link.open(self.now_s)

    def _take(self, hello: Hello, taken: Roll) -> bool:
        if self.takes:
            self.taken.append((taken.boot, taken.roll))
        return self.takes

    def hear(self, *frames: Frame) -> None:
        for frame in frames:
            list(self.link.receive(encode(frame), self.now_s))

    def said(self) -> list[object]:
        data = bytes(self.link.outgoing)
        self.link.outgoing.clear()
        return list(self._said.feed(data))

    def wait(self, seconds: float) -> None:
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.now_s += 0.1
            self.link.tick(self.now_s)


def test_asks_who_is_there_until_somebody_says() -> None:
    bench = Bench()
    bench.wait(2.1)
    assert len([frame for frame in bench.said() if isinstance(frame, Hail)]) >= 3
    bench.hear(HELLO)
    bench.wait(2.0)
    assert bench.said() == []
    assert bench.link.sight().state == "well"


def test_nothing_is_taken_from_somebody_who_has_not_said_who_it_is() -> None:
    bench = Bench()
    bench.hear(roll(1))
    assert bench.taken == []
    assert not [frame for frame in bench.said() if isinstance(frame, Ack)]


def test_a_roll_is_taken_once_and_acknowledged_each_time() -> None:
    bench = Bench()
    bench.hear(HELLO, roll(1), roll(1), roll(2), roll(1))
    assert bench.taken == [(BOOT, 1), (BOOT, 2)]
    assert [frame.roll for frame in bench.said() if isinstance(frame, Ack)] == [1, 1, 2, 1]


def test_a_roll_that_nobody_could_take_is_not_acknowledged_and_comes_again() -> None:
    bench = Bench()
    bench.hear(HELLO)
    bench.takes = False
    bench.hear(roll(1))
    assert not [frame for frame in bench.said() if isinstance(frame, Ack)]
    bench.takes = True
    bench.hear(roll(1))
    assert bench.taken == [(BOOT, 1)]


def test_a_roll_before_its_turn_waits_for_the_one_before_it() -> None:
    bench = Bench()
    bench.hear(HELLO, roll(2))
    assert bench.taken == []
    assert [type(frame) for frame in bench.said()] == [Hail, Hail]
    bench.hear(roll(1), roll(2))
    assert bench.taken == [(BOOT, 1), (BOOT, 2)]


def test_rolls_that_another_computer_took_are_not_waited_for() -> None:
    bench = Bench()
    bench.hear(msgspec.structs.replace(HELLO, oldest_roll=7), roll(7))
    assert bench.taken == [(BOOT, 7)]


def test_a_late_line_of_an_earlier_hello_takes_nothing_back() -> None:
    bench = Bench()
    bench.hear(HELLO, roll(1), roll(2), HELLO, roll(2), roll(3))
    assert bench.taken == [(BOOT, 1), (BOOT, 2), (BOOT, 3)]


def test_each_boot_counts_for_itself() -> None:
    bench = Bench()
    again = msgspec.structs.replace(HELLO, boot="0000000b", oldest_boot=BOOT, oldest_roll=2)
    bench.hear(HELLO, roll(1), again, roll(2, kept=True), roll(1, "0000000b"))
    assert bench.taken == [(BOOT, 1), (BOOT, 2), ("0000000b", 1)]


def test_throws_of_a_resumed_game_do_not_count_again() -> None:
    bench = Bench(known=(TowerThrow(faces=(3, 4), tower="t1", boot=BOOT, sequence=1), TowerThrow(faces=(1, 1))))
    bench.hear(HELLO, roll(1), roll(2))
    assert bench.taken == [(BOOT, 2)]


def test_throws_of_a_game_that_is_gone_on_with_later_do_not_count_again() -> None:
    bench = Bench()
    bench.hear(HELLO)
    bench.ledger.remember([TowerThrow(faces=(3, 4), tower="t1", boot=BOOT, sequence=1)])
    bench.hear(roll(1), roll(2))
    assert bench.taken == [(BOOT, 2)]


def test_two_cables_to_one_tower_count_a_roll_once() -> None:
    ledger = Ledger()
    one, other = Bench(ledger=ledger), Bench(ledger=ledger)
    for bench in (one, other):
        bench.hear(HELLO, roll(1))
    assert one.taken + other.taken == [(BOOT, 1)]


def test_the_ledger_forgets_only_the_oldest_boots() -> None:
    ledger = Ledger()
    for number in range(1000):
        ledger.settle("t1", f"{number:08x}", 5)
    assert ledger.taken("t1", f"{999:08x}") == 5
    assert ledger.taken("t1", f"{0:08x}") == 0


def test_a_wish_is_repeated_until_the_tower_repeats_it() -> None:
    bench = Bench()
    bench.hear(HELLO, Heartbeat(boot=BOOT, state="ready", asked="2d6"))
    bench.said()
    bench.link.wanted = "2d4"
    bench.wait(1.2)
    assert [frame.dice for frame in bench.said() if isinstance(frame, Ask)] == ["2d4"] * 3
    bench.hear(Heartbeat(boot=BOOT, state="ready", asked="2d4"))
    bench.wait(2.0)
    assert bench.said() == []


def test_a_tower_that_cannot_read_the_dice_is_asked_once_and_says_so() -> None:
    bench = Bench()
    bench.hear(HELLO)
    bench.link.wanted = "d20"
    bench.wait(0.2)
    bench.hear(Error(code="no_such_dice", text="cannot"))
    bench.said()
    bench.wait(2.0)
    assert bench.said() == []
    assert "cannot read d20" in bench.link.sight().word
    bench.link.wanted = "2d6"
    bench.wait(0.2)
    assert bench.link.sight().state == "well"


def test_a_restart_in_mid_conversation_is_noticed() -> None:
    bench = Bench()
    bench.hear(HELLO)
    bench.said()
    bench.hear(Heartbeat(boot="0000000b", state="ready", asked="2d6"))
    assert [type(frame) for frame in bench.said()] == [Hail]


def test_silence_is_told_and_ended_by_the_next_line() -> None:
    bench = Bench()
    bench.hear(HELLO)
    bench.wait(QUIET_S + 0.5)
    assert bench.link.sight().state == "blind"
    bench.hear(Heartbeat(boot=BOOT, state="ready", asked="2d6"))
    assert bench.link.sight().state == "well"


@pytest.mark.parametrize(("state", "word"), [("jammed", "stuck"), ("full", "more throws"), ("fault", "does not work")])
def test_trouble_in_the_tower_is_told_until_it_is_over(state: str, word: str) -> None:
    bench = Bench()
    beat = Heartbeat(boot=BOOT, state="ready", asked="2d6")
    bench.hear(HELLO, msgspec.structs.replace(beat, state=state))
    assert bench.link.sight().state == "unsure"
    assert word in bench.link.sight().word
    bench.hear(beat)
    assert bench.link.sight().state == "well"


def test_missing_and_damaged_lines_are_counted() -> None:
    bench = Bench()
    bench.hear(HELLO, msgspec.structs.replace(roll(1), seq=3))
    list(bench.link.receive(b"garbage\n", 100.0))
    assert (bench.link.missing, bench.link.damaged) == (2, 1)


def test_blinks_as_soon_as_it_is_known() -> None:
    bench = Bench()
    bench.link.identify(4)
    bench.wait(0.2)
    bench.hear(HELLO)
    bench.wait(0.2)
    assert [frame.seconds for frame in bench.said() if isinstance(frame, Identify)] == [4]


def test_only_valid_rolls_are_throws() -> None:
    assert throw_of(HELLO, roll(1, faces=(3, None), valid=False, why="cocked"), 5) is None
    throw = throw_of(HELLO, roll(1, kept=True), 5)
    assert throw == TowerThrow(
        faces=(3, 4), kinds=("d6", "d6"), sequence=1, tower="t1", boot=BOOT, confidence=(1.0, 1.0), late=True, t_ns=5
    )


def test_whatever_is_lost_on_the_way_every_throw_is_taken_once_and_in_order() -> None:
    """The emulated tower and the link over a line that loses a third of all lines, with power cuts."""
    rng = random.Random(11)
    memory = Memory()
    device = Device(rng, tower_id="t1", memory=memory)
    bench = Bench()
    thrown: list[tuple[str, int]] = []
    count = 0
    for step in range(6000):
        now_s = 100 + step * 0.05
        if step % 40 == 0 and len(memory.rolls) < RING and step < 5000:
            count = count + 1 if thrown and thrown[-1][0] == device.boot else 1
            thrown.append((device.boot, count))
            device.throw(now_s)
        if step % 1100 == 0 and step < 5000:
            device = Device(rng, tower_id="t1", memory=memory)
        device.tick(now_s)
        for line in device.take():
            if rng.random() > 0.3:
                list(bench.link.receive(line, now_s))
        bench.link.tick(now_s)
        if bench.link.outgoing and rng.random() > 0.3:
            device.receive(bytes(bench.link.outgoing), now_s)
        bench.link.outgoing.clear()
    assert bench.taken == thrown
    assert len(thrown) == 125
