"""The tower's side of the protocol, as the firmware does it: what the emulator runs. No port, no thread, no clock."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from companion.observations import DieKind
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
    TowerState,
    WhyNot,
    encode,
    kinds_of,
)

HEARTBEAT_S = 1.0
REPEAT_S = 0.5
#: Rolls kept until they are acknowledged; a throw that finds no room is refused, never half counted.
RING = 16


@dataclass
class Memory:
    """What survives a power cut: the unacknowledged rolls."""

    rolls: list[Roll] = field(default_factory=list)


class Device:
    """One tower.

    Args:
        rng: draws boot ids, and faces where a throw does not name them.
        dice: the kinds that it can read.
        memory: outlives the device; None for a tower that forgets.
    """

    def __init__(
        self,
        rng: random.Random,
        *,
        tower_id: str = "emulated",
        dice: tuple[DieKind, ...] = ("d4", "d6", "d20"),
        memory: Memory | None = None,
        heartbeat_s: float = HEARTBEAT_S,
        repeat_s: float = REPEAT_S,
    ) -> None:
        self._rng = rng
        self._id = tower_id
        self._dice = dice
        self._heartbeat_s = heartbeat_s
        self._repeat_s = repeat_s
        self._memory = memory if memory is not None else Memory()
        self._keeps = memory is not None
        self._rolls = self._memory.rolls
        self._rolls[:] = [replace(roll, kept=True) for roll in self._rolls]
        self.boot = f"{rng.getrandbits(32):08x}"
        self._next_roll = 1
        self._seq = 0
        self._reader = LineReader("host")
        self._outgoing: list[Frame] = []
        self.state: TowerState = "ready"
        self.asked = "2d6"
        self._beat_s: float | None = None
        self._sent_s = 0.0
        #: Sends all that waits, newest first, as no tower may: for the emulator's `out_of_order`.
        self.disorderly = False
        self.blinks_until_s = 0.0

    def take(self) -> list[bytes]:
        """The lines that are to be sent now."""
        lines = [b"\n"] if self._seq == 0 and self._outgoing else []  # ends what a power cut has left half said
        for frame in self._outgoing:
            lines.append(encode(replace(frame, seq=self._seq)))
            self._seq = (self._seq + 1) % 2**32
        self._outgoing.clear()
        return lines

    def receive(self, data: bytes, now_s: float) -> None:
        """Takes bytes from the host."""
        for frame in self._reader.feed(data):
            match frame:
                case Damage(kind="unknown_type"):
                    pass
                case Damage():
                    self._say(Error(code="bad_line", text=f"a line was not understood: {frame.kind}"))
                case Hail():
                    self._rolls[:] = [replace(roll, kept=True) for roll in self._rolls]
                    self._hello()
                    self._repeat(now_s)
                case Ack():
                    self._acknowledge(frame, now_s)
                case Identify():
                    self.blinks_until_s = now_s + frame.seconds
                    self._beat(now_s)
                case Ask() if set(kinds_of(frame.dice)) <= set(self._dice):
                    self.asked = frame.dice
                    self._beat(now_s)
                case Ask():
                    self._say(Error(code="no_such_dice", text=f"cannot read {frame.dice}", re=frame.seq))

    def tick(self, now_s: float) -> None:
        """Called every few milliseconds: heartbeat, and what has not been acknowledged again."""
        if self._beat_s is None:
            self._hello()
        if self._beat_s is None or now_s - self._beat_s >= self._heartbeat_s:
            self._beat(now_s)
        if self._rolls and now_s - self._sent_s >= self._repeat_s:
            self._repeat(now_s)

    def start_roll(self) -> None:
        """A die has fallen in."""
        self.state = "rolling"
        self._say(RollStart(boot=self.boot, dice=self.asked))

    def throw(self, now_s: float, faces: Sequence[int | None] = (), why: WhyNot | None = None) -> bool:
        """The dice have come to rest; False when there is no room to keep the roll.

        Args:
            faces: as `asked` names them; random where none are given.
            why: makes the roll invalid.
        """
        kinds = kinds_of(self.asked)
        if not faces:
            faces = [self._rng.randint(1, int(kind[1:])) for kind in kinds]
        roll = Roll(
            boot=self.boot,
            roll=self._next_roll,
            dice=self.asked,
            faces=tuple(faces),
            confidence=tuple(0.0 if face is None else round(self._rng.uniform(0.97, 1), 3) for face in faces),
            valid=why is None,
            why=why,
        )
        self.start_roll()
        if len(self._rolls) >= RING:
            self.state = "full"
            self._say(Error(code="full", text="no room for another throw until the table takes the last ones"))
            return False
        self._rolls.append(roll)
        self._next_roll += 1
        self.state = "jammed" if why == "jammed" else "ready"
        if len(self._rolls) == 1 or self.disorderly:
            self._repeat(now_s)
        return True

    def free(self) -> None:
        """Somebody has freed the stuck die."""
        self.state = "ready"

    def _acknowledge(self, ack: Ack, now_s: float) -> None:
        before = len(self._rolls)
        self._rolls[:] = [roll for roll in self._rolls if roll.boot != ack.boot or roll.roll > ack.roll]
        if len(self._rolls) < before:
            if self.state == "full":
                self.state = "ready"
            self._repeat(now_s)

    def _repeat(self, now_s: float) -> None:
        """Sends the oldest unacknowledged roll; one at a time keeps them in order."""
        self._sent_s = now_s
        for roll in self._rolls[::-1] if self.disorderly else self._rolls[:1]:
            self._say(roll)

    def _hello(self) -> None:
        oldest = self._rolls[0] if self._rolls else None
        self._say(
            Hello(
                id=self._id,
                name="Emulated tower",
                firmware="emulator-1.0",
                boot=self.boot,
                dice=self._dice,
                can=("ask", "identify", "keep") if self._keeps else ("ask", "identify"),
                oldest_boot=oldest.boot if oldest else self.boot,
                oldest_roll=oldest.roll if oldest else self._next_roll,
                waiting=len(self._rolls),
            )
        )

    def _beat(self, now_s: float) -> None:
        self._beat_s = now_s
        self._say(
            Heartbeat(
                boot=self.boot,
                state=self.state,
                asked=self.asked,
                waiting=len(self._rolls),
                blinking=now_s < self.blinks_until_s,
            )
        )

    def _say(self, frame: Frame) -> None:
        self._outgoing.append(frame)
