"""Throws random and mutated bytes at the reader of the tower's frames.

    python -m tests.fuzz.tower_frames --inputs 1000000 --seed 1

Reports what came out; exit status 1 when something was yielded that nobody had sent, or too much memory was held. An
exception ends it.
"""

import argparse
import random
import sys
import time
import tracemalloc
import zlib
from collections import Counter
from dataclasses import dataclass, field

from hardware.protocol import MAX_LINE, Damage, Frame, Heartbeat, Hello, LineReader, Roll, RollStart, encode

BOOT = "5f3a9c1e"
TOKENS = [
    b'{"type":"',
    b'"roll"',
    b'"v":1',
    b',"crc":"',
    b'"}',
    b"\n",
    b"\r\n",
    b"null",
    b"[" * 90,
    b'"\\ud800"',
    b"1e999",
]


def sent_frames(rng: random.Random) -> list[Frame]:
    """Frames as a tower sends them."""
    frames: list[Frame] = [
        Hello(
            id="tower-1",
            name="Dice tower",
            firmware="1.0.0",
            boot=BOOT,
            dice=("d4", "d6", "d20"),
            can=("ask", "identify", "keep"),
            oldest_boot=BOOT,
            oldest_roll=1,
        ),
        Heartbeat(boot=BOOT, state="ready", asked="2d6", seq=1),
        RollStart(boot=BOOT, dice="2d6", seq=2),
    ]
    for number in range(1, 40):
        faces = (rng.randint(1, 6), rng.randint(1, 6))
        frames.append(
            Roll(boot=BOOT, roll=number, dice="2d6", faces=faces, confidence=(0.99, 0.98), valid=True, seq=2 + number)
        )
    return frames


def mutated(line: bytes, rng: random.Random, lines: list[bytes]) -> bytes:
    """The line after one to four small accidents."""
    data = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(8):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1 if at < len(data):
                data[at] = rng.choice(b"0123456789abcdef")
            case 2:
                del data[at : at + rng.randint(1, 20)]
            case 3:
                data[at:at] = rng.randbytes(rng.randint(1, 12))
            case 4:
                data[at:at] = rng.choice(TOKENS)
            case 5:
                data[at:] = rng.choice(lines)[at:]  # two lines spliced
            case 6:
                data[at:at] = data[at : at + rng.randint(1, 60)]
            case _:
                data += rng.choice(lines)
    return bytes(data)


def resealed(data: bytes) -> bytes:
    """The same nonsense with a checksum that holds: must not raise, may well be read."""
    body = data.split(b"\n")[0][: MAX_LINE - 18]
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


@dataclass
class Report:
    """What came of it; `never_sent` counts frames yielded that were not among those sent."""

    inputs: int = 0
    bytes: int = 0
    frames: int = 0
    never_sent: int = 0
    peak_bytes: int = 0
    seconds: float = 0.0
    damage: Counter[str] = field(default_factory=Counter)


def fuzz(inputs: int, seed: int) -> Report:
    """Feeds so many inputs to one reader, in pieces of random size, and to another those with a checksum forged."""
    rng = random.Random(seed)
    frames = sent_frames(rng)
    lines = [encode(frame) for frame in frames]
    sent = set(frames)
    report = Report(inputs=inputs)
    reader, forged = LineReader("tower"), LineReader("tower")
    started = time.process_time()
    tracemalloc.start()
    base = tracemalloc.get_traced_memory()[0]
    for number in range(inputs):
        kind = number % 10
        if kind == 0:
            data = rng.randbytes(rng.randint(1, 1200))
        elif kind == 1:
            for _ in forged.feed(resealed(mutated(rng.choice(lines), rng, lines)[:-1])):
                pass
            continue
        else:
            data = mutated(rng.choice(lines), rng, lines)
        report.bytes += len(data)
        cut = rng.randrange(len(data) + 1)
        for piece in (data[:cut], data[cut:]):
            for item in reader.feed(piece):
                if isinstance(item, Damage):
                    report.damage[item.kind] += 1
                else:
                    report.frames += 1
                    report.never_sent += item not in sent
    report.peak_bytes = tracemalloc.get_traced_memory()[1] - base
    tracemalloc.stop()
    report.seconds = time.process_time() - started
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = fuzz(options.inputs, options.seed)
    print(report)
    return 1 if report.never_sent or report.peak_bytes > 1_000_000 else 0


if __name__ == "__main__":
    sys.exit(main())
