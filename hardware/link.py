"""The host's side of a conversation with one tower: bytes in, rolls out, bytes back. No port, no thread, no clock.

The tower repeats its oldest unacknowledged roll until it is acknowledged; the link hands a roll on exactly once and
acknowledges it only after it has been taken, so that a cable pulled anywhere between neither loses nor doubles it.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from companion.observations import SightSeen, TowerThrow
from hardware.protocol import (
    Ack,
    Ask,
    Damage,
    Error,
    Frame,
    Hail,
    Heartbeat,
    Hello,
    Identify,
    LineReader,
    Roll,
    RollStart,
    encode,
    kinds_of,
)

#: Three heartbeats missed.
QUIET_S = 3.5
HAIL_EVERY_S = 0.7
#: A tower that refuses a hand is asked for it again no sooner.
ASK_EVERY_S = 0.5

_BOOTS_REMEMBERED = 256

LinkState = Literal["unknown", "foreign", "quiet", "ready", "rolling", "unsure"]

_WHY = {
    "cocked": "a die lies tilted: throw again",
    "missing": "a die is missing: throw again",
    "jammed": "a die is stuck in the tower: free it and throw again",
    "wrong_dice": "other dice than those asked for: throw again",
}
_TROUBLE = {
    "jammed": "a die is stuck in the tower: free it and throw again",
    "full": "the tower cannot keep more throws: it waits for the table",
    "fault": "the tower's reader does not work",
}


class Ledger:
    """Which rolls have been taken, of all towers; shared by all links of a driver.

    Args:
        known: throws that count already, as the journal of a resumed game holds them.

    Attributes:
        lock: held while a roll is handed on and noted, so that two cables to one tower cannot do it at once.
    """

    def __init__(self, known: Iterable[TowerThrow] = ()) -> None:
        self.lock = threading.RLock()
        self._noting = threading.Lock()
        self._taken: dict[tuple[str, str], int] = {}
        self.remember(known)

    def remember(self, known: Iterable[TowerThrow]) -> None:
        """These throws count already."""
        for throw in known:
            if throw.tower is not None and throw.boot is not None and throw.sequence is not None:
                self.settle(throw.tower, throw.boot, throw.sequence)

    def taken(self, tower: str, boot: str) -> int:
        """The highest number taken of this tower's boot; 0 for none."""
        return self._taken.get((tower, boot), 0)

    def settle(self, tower: str, boot: str, roll: int) -> None:
        """All numbers up to `roll` are done with."""
        key = (tower, boot)
        with self._noting:
            self._taken[key] = max(roll, self._taken.get(key, 0))
            while len(self._taken) > _BOOTS_REMEMBERED:
                del self._taken[next(iter(self._taken))]


class Link:
    """One conversation, from the opening of a port to its closing.

    Args:
        take: is given each new roll, once, in order; True means that it is safe with whoever took it.

    Attributes:
        hello: who it is, None until it has said so.
        outgoing: what is to be written; whoever writes it clears it.
        damaged, missing: lines that could not be read; lines that never came, by their sequence numbers.
    """

    def __init__(self, ledger: Ledger, take: Callable[[Hello, Roll], bool]) -> None:
        self._ledger = ledger
        self._take = take
        self._reader = LineReader("tower")
        self.hello: Hello | None = None
        self.outgoing = bytearray()
        self.damaged = 0
        self.missing = 0
        self.state: LinkState = "unknown"
        self.word = "asking who is there"
        self.wanted: str | None = None
        self._blink_s: int | None = None
        self._heard_s = 0.0
        self._hailed_s = 0.0
        self._asked_s = -ASK_EVERY_S
        self._seq = 0
        self._their_seq: int | None = None
        self._asked: str | None = None
        self._refused: str | None = None
        self._trouble = False

    def open(self, now_s: float) -> None:
        """The port has just been opened."""
        self._heard_s = now_s
        self._hail(now_s)

    def identify(self, seconds: int) -> None:
        """Lets the tower blink; sent with the next `tick`. Safe from any thread."""
        self._blink_s = seconds

    def receive(self, data: bytes, now_s: float) -> Iterator[Frame | Damage]:
        """Takes bytes as they come; yields what they were, after it has been dealt with."""
        for item in self._reader.feed(data):
            if isinstance(item, Damage):
                self._on_damage(item)
            else:
                self._heard_s = now_s
                self._count(item.seq)
                self._on_frame(item, now_s)
            yield item

    def tick(self, now_s: float) -> None:
        """To be called at least every 200 ms: asks again what has not been answered, notices silence."""
        silent = now_s - self._heard_s > QUIET_S
        if silent and self.hello is not None:
            self._become("quiet", "the tower has gone quiet: check its cable")
        if (silent or self.hello is None) and now_s - self._hailed_s >= HAIL_EVERY_S:
            self._hail(now_s)
        if self.hello is None:
            return
        if self._blink_s is not None:
            self._send(Identify(seconds=self._blink_s))
            self._blink_s = None
        self._ask(now_s)

    def sight(self) -> SightSeen:
        """How well this tower sees, for the status light."""
        good = self.state in ("ready", "rolling")
        seen: Literal["well", "unsure", "blind"] = "well" if good else "unsure" if self.state == "unsure" else "blind"
        return SightSeen(source="tower", state=seen, word=self.word)

    def _on_damage(self, damage: Damage) -> None:
        if damage.kind == "version" and self.hello is None:
            self._become(
                "foreign",
                f"this tower speaks version {damage.version} of the protocol: update Boardside or the tower's firmware",
            )
        elif damage.kind != "unknown_type":
            self.damaged += 1

    def _on_frame(self, frame: Frame, now_s: float) -> None:
        match frame:
            case Hello():
                self._on_hello(frame)
            case Heartbeat():
                self._on_heartbeat(frame, now_s)
            case RollStart():
                self._become("rolling", "dice are falling")
            case Roll():
                self._on_roll(frame, now_s)
            case Error(code="no_such_dice"):
                self._refused = self.wanted
                self._become("unsure", f"this tower cannot read {self.wanted}: throw them on the table")
            case Error(code="bad_line"):
                self.damaged += 1  # what we said; what matters is said again anyway
            case Error():
                self._become("unsure", frame.text)

    def _on_hello(self, hello: Hello) -> None:
        if self.hello is None or self.hello.boot != hello.boot:
            self._refused = None
        if self.hello is None or self.state in ("unknown", "foreign", "quiet"):
            self._become("ready", "ready")
        self.hello = hello
        with self._ledger.lock:
            self._ledger.settle(hello.id, hello.oldest_boot, hello.oldest_roll - 1)

    def _on_heartbeat(self, beat: Heartbeat, now_s: float) -> None:
        if self.hello is None or beat.boot != self.hello.boot:
            self._hail(now_s)
            return
        if beat.state in _TROUBLE:
            self._become("unsure", _TROUBLE[beat.state])
        elif beat.state == "rolling":
            self._become("rolling", "dice are falling")
        elif self.state in ("quiet", "rolling") or self._trouble:
            self._become("ready", "ready")
        self._trouble = beat.state in _TROUBLE
        self._asked = beat.asked

    def _ask(self, now_s: float) -> None:
        """Asks for the dice that are wanted until the heartbeat repeats them, or the tower says that it has none."""
        if self._refused not in (None, self.wanted):
            self._refused = None
            self._become("ready", "ready")
        if self.hello is None or "ask" not in self.hello.can or self.wanted in (None, self._asked, self._refused):
            return
        if self.wanted is not None and now_s - self._asked_s >= ASK_EVERY_S:
            self._asked_s = now_s
            self._send(Ask(dice=self.wanted))

    def _on_roll(self, roll: Roll, now_s: float) -> None:
        if self.hello is None:
            return
        tower = self.hello.id
        with self._ledger.lock:
            taken = self._ledger.taken(tower, roll.boot)
            if roll.roll > taken + 1:
                self._hail(now_s)  # one before it is missing: it will be repeated, and hello tells the oldest
                return
            if roll.roll == taken + 1:
                if not self._take(self.hello, roll):
                    return
                self._ledger.settle(tower, roll.boot, roll.roll)
                self._become("ready", "ready") if roll.why is None else self._become("unsure", _WHY[roll.why])
        self._send(Ack(boot=roll.boot, roll=roll.roll))

    def _become(self, state: LinkState, word: str) -> None:
        self.state, self.word = state, word

    def _hail(self, now_s: float) -> None:
        self._hailed_s = now_s
        self._send(Hail())

    def _send(self, frame: Hail | Ack | Ask | Identify) -> None:
        self.outgoing += encode(msgspec.structs.replace(frame, seq=self._seq))
        self._seq = (self._seq + 1) % 2**32

    def _count(self, seq: int) -> None:
        gap = 0 if self._their_seq is None else (seq - self._their_seq - 1) % 2**32
        self.missing += gap if gap < 1000 else 0  # a larger one is a restart or a repeated line
        self._their_seq = seq


def throw_of(tower: Hello, roll: Roll, t_ns: int) -> TowerThrow | None:
    """The roll as the referee is told of it; None for one that is not valid."""
    if not roll.valid:
        return None
    return TowerThrow(
        faces=tuple(face for face in roll.faces if face is not None),
        kinds=kinds_of(roll.dice),
        sequence=roll.roll,
        tower=tower.id,
        boot=roll.boot,
        confidence=roll.confidence,
        late=roll.kept,
        t_ns=t_ns,
    )
