"""The line protocol of a dice tower, version 1: frames, checksum, reader and writer.

`PROTOCOL.md` beside this file is the specification. Nothing here knows a port, a thread or a clock.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Annotated, Literal, get_args

from msgspec import DecodeError, Meta, Struct, json

from companion.observations import DieKind

VERSION = 1
#: Longest frame in bytes without its newline. Up to 371 bytes CRC-32 notices any four flipped bits
#: (Koopman, "32-bit cyclic redundancy codes for Internet applications", DSN 2002, table 1: 0x04C11DB7, HD 5).
MAX_LINE = 360
#: Most dice in one hand.
MAX_DICE = 8

_START = b'{"type":"'
_TRAILER = re.compile(rb',"crc":"([0-9a-f]{8})"\}\Z')
_TRAILER_BYTES = len(b',"crc":"00000000"}')
_PRINTABLE = re.compile(rb"[ -~]*\Z")
_HAND = r"^[1-8]?d(4|6|20)(\+[1-8]?d(4|6|20)){0,3}\Z"

Word = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,32}\Z")]
BootId = Annotated[str, Meta(pattern=r"^[0-9a-f]{8}\Z")]
Hand = Annotated[str, Meta(pattern=_HAND, max_length=24)]
Count = Annotated[int, Meta(ge=0, lt=2**32)]
Number = Annotated[int, Meta(ge=1, lt=2**32)]
Share = Annotated[float, Meta(ge=0, le=1)]
WhyNot = Literal["cocked", "missing", "jammed", "wrong_dice"]
TowerState = Literal["ready", "rolling", "jammed", "full", "fault"]


class Frame(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=False):
    """What every frame carries; `seq` counts the lines of its sender and only shows that some are missing."""

    v: int = VERSION
    seq: Count = 0


class Hello(Frame, frozen=True, kw_only=True, tag="hello"):
    """Tower: who it is. Sent at power-up and in answer to a host's hello.

    Attributes:
        boot: drawn anew at each power-up; with a roll's number it names the roll, without any clock.
        can: abilities: `ask`, `identify`, `keep` (unacknowledged rolls survive a power cut).
        oldest_boot, oldest_roll: the oldest roll not yet acknowledged, or the next one where there is none.
        waiting: how many rolls wait for their acknowledgement.
    """

    id: Word
    name: Annotated[str, Meta(max_length=24)]
    firmware: Word
    boot: BootId
    dice: Annotated[tuple[DieKind, ...], Meta(min_length=1, max_length=3)]
    can: Annotated[tuple[Word, ...], Meta(max_length=6)] = ()
    oldest_boot: BootId
    oldest_roll: Number
    waiting: Count = 0


class Heartbeat(Frame, frozen=True, kw_only=True, tag="heartbeat"):
    """Tower: still there, once a second and after each command; repeats what it was asked for."""

    boot: BootId
    state: TowerState
    asked: Hand
    waiting: Count = 0
    blinking: bool = False


class RollStart(Frame, frozen=True, kw_only=True, tag="roll_start"):
    """Tower: dice are falling."""

    boot: BootId
    dice: Hand


class Roll(Frame, frozen=True, kw_only=True, tag="roll"):
    """Tower: dice have come to rest. Repeated, with the same `boot` and `roll`, until acknowledged.

    Attributes:
        faces: as `dice` names them; null for a die that cannot be read.
        confidence: 0-1 for each face.
        why: why it is not valid; null where it is.
        kept: made before this conversation began (while unplugged, or before a power cut).
    """

    boot: BootId
    roll: Number
    dice: Hand
    faces: Annotated[tuple[Annotated[int, Meta(ge=1, le=20)] | None, ...], Meta(max_length=MAX_DICE)]
    confidence: Annotated[tuple[Share, ...], Meta(max_length=MAX_DICE)]
    valid: bool
    why: WhyNot | None = None
    kept: bool = False

    def __post_init__(self) -> None:
        kinds = kinds_of(self.dice)
        if not len(kinds) == len(self.faces) == len(self.confidence):
            raise ValueError("dice, faces and confidence differ in number")
        if any(
            face is not None and not 1 <= face <= int(kind[1:]) for kind, face in zip(kinds, self.faces, strict=True)
        ):
            raise ValueError("a die shows a face that it does not have")
        if self.valid != (self.why is None) or (self.valid and None in self.faces):
            raise ValueError("a valid roll has all its faces, another says why it is not")


class Error(Frame, frozen=True, kw_only=True, tag="error"):
    """Tower: something is wrong; `re` is the `seq` of the command that it answers, null where it answers none."""

    code: Word
    text: Annotated[str, Meta(max_length=80)]
    re: Count | None = None


class Hail(Frame, frozen=True, kw_only=True, tag="hello"):
    """Host: say who you are, and repeat what is not yet acknowledged."""

    app: Word = "boardside"


class Ack(Frame, frozen=True, kw_only=True, tag="ack"):
    """Host: this roll, and all before it of the same `boot`, are taken."""

    boot: BootId
    roll: Number


class Identify(Frame, frozen=True, kw_only=True, tag="identify"):
    """Host: blink, so that people see which tower this is; 0 seconds stops it."""

    seconds: Annotated[int, Meta(ge=0, le=60)] = 5


class Ask(Frame, frozen=True, kw_only=True, tag="ask"):
    """Host: these dice are wanted next."""

    dice: Hand


FromTower = Hello | Heartbeat | RollStart | Roll | Error
ToTower = Hail | Ack | Identify | Ask

DamageKind = Literal["too_long", "not_text", "no_checksum", "checksum", "version", "unknown_type", "malformed"]


class Damage(Struct, frozen=True):
    """A line, or the first part of one, that yields nothing.

    Attributes:
        line: its first 80 bytes.
        version: what it claims to be, where the checksum holds and only the version is foreign.
    """

    kind: DamageKind
    line: bytes
    version: int | None = None


class _Header(Struct, frozen=True, kw_only=True):
    type: str
    v: int


def _decoders(frames: tuple[type[Frame], ...]) -> dict[str, json.Decoder[Frame]]:
    return {str(frame.__struct_config__.tag): json.Decoder(frame) for frame in frames}


_HEADER = json.Decoder(_Header)
_READABLE = {"tower": _decoders(get_args(FromTower)), "host": _decoders(get_args(ToTower))}


def kinds_of(hand: str) -> tuple[DieKind, ...]:
    """The dice of a hand, one by one: "2d6+d20" is d6, d6, d20.

    Raises:
        ValueError: it is not a hand of at most `MAX_DICE` dice.
    """
    if not re.match(_HAND, hand):
        raise ValueError(f"not a hand of dice: {hand!r}")
    kinds: list[DieKind] = []
    for part in hand.split("+"):
        count, _, sides = part.partition("d")
        kinds += [f"d{sides}"] * int(count or 1)  # type: ignore[list-item]
    if len(kinds) > MAX_DICE:
        raise ValueError(f"more than {MAX_DICE} dice: {hand!r}")
    return tuple(kinds)


def hand_of(kinds: tuple[DieKind, ...]) -> str:
    """The hand as it is written: d6, d6, d20 is "2d6+d20"."""
    parts: list[tuple[DieKind, int]] = []
    for kind in kinds:
        if parts and parts[-1][0] == kind:
            parts[-1] = (kind, parts[-1][1] + 1)
        else:
            parts.append((kind, 1))
    return "+".join(kind if count == 1 else f"{count}{kind}" for kind, count in parts)


def encode(frame: Frame) -> bytes:
    """The frame as the line that goes over the wire, newline included."""
    body = json.encode(frame)[:-1]
    if not body.isascii():
        raise ValueError("frames are printable ASCII; other characters are to be left out")
    line = b'%b,"crc":"%08x"}' % (body, zlib.crc32(body))
    if len(line) > MAX_LINE:
        raise ValueError(f"the frame is {len(line)} bytes long, {MAX_LINE} are allowed")
    return line + b"\n"


def decode(line: bytes, sender: Literal["tower", "host"]) -> Frame | Damage:
    """Reads one line without its newline. Never raises, whatever the bytes."""
    if len(line) > MAX_LINE:
        return Damage("too_long", line[:80])
    if not _PRINTABLE.match(line):
        return Damage("not_text", line[:80])
    trailer = _TRAILER.search(line, max(0, len(line) - _TRAILER_BYTES))
    if trailer is None:
        return Damage("no_checksum", line[:80])
    if zlib.crc32(line[: trailer.start()]) != int(trailer[1], 16):
        return Damage("checksum", line[:80])
    try:
        header = _HEADER.decode(line)
        if header.v != VERSION:
            return Damage("version", line[:80], header.v)
        decoder = _READABLE[sender].get(header.type)
        return Damage("unknown_type", line[:80]) if decoder is None else decoder.decode(line)
    except (DecodeError, RecursionError):
        return Damage("malformed", line[:80])


class LineReader:
    """Cuts a stream of bytes into frames; holds at most `MAX_LINE` + 1 bytes of it.

    A damaged line is tried once more from its last `{"type":"`, so that a frame whose predecessor lost its
    newline, or that follows noise, is still read. Quotes within a text are escaped, so no text can pose as a frame.
    """

    def __init__(self, sender: Literal["tower", "host"]) -> None:
        self._sender = sender
        self._line = b""

    def feed(self, data: bytes) -> Iterator[Frame | Damage]:
        """Takes the next bytes, in pieces of any size, and yields what they complete, in order."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            self._keep(data, start, end)
            line, self._line = self._line.removesuffix(b"\r"), b""
            start = end + 1
            if line:
                yield from self._read(line)
        self._keep(data, start, len(data))

    def _keep(self, data: bytes, start: int, end: int) -> None:
        """Appends data[start:end] to the line so far; of a line too long the end is kept."""
        self._line = (self._line + data[max(start, end - MAX_LINE - 1) : end])[-MAX_LINE - 1 :]

    def _read(self, line: bytes) -> Iterator[Frame | Damage]:
        whole = decode(line, self._sender)
        yield whole
        again = line.rfind(_START)
        if isinstance(whole, Damage) and again > 0:
            tail = decode(line[again:], self._sender)
            if isinstance(tail, Frame):
                yield tail
