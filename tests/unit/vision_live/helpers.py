"""A clock that nobody waits for, and pictures to feed."""

from functools import cache

import numpy as np

from vision.sources import FrameBgr


class FakeClock:
    """Time passes only by sleeping."""

    def __init__(self) -> None:
        self.t_ns = 1_000_000_000
        self.slept_s: list[float] = []

    def now_ns(self) -> int:
        return self.t_ns

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.slept_s.append(seconds)
            self.t_ns += round(seconds * 1e9)


@cache
def _noise_field() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((424, 704, 3), np.float32)


def noisy_table(rng: np.random.Generator, noise: float = 4.0, gain: float = 1.0) -> FrameBgr:
    """A table with some squares on it, as a webcam with this noise sees it."""
    frame = np.full((360, 640, 3), 120.0, np.float32)
    frame[60:300, 150:500] = (200, 220, 205)
    frame[100:140, 200:260] = (40, 40, 190)
    y, x = rng.integers(0, 64, 2)
    noisy = frame * np.float32(gain) + np.float32(noise) * _noise_field()[y : y + 360, x : x + 640]
    return np.clip(noisy, 0, 255).astype(np.uint8)


def as_taken(frame: FrameBgr, count: int) -> FrameBgr:
    """The frame as the so many-th that a camera takes: no two are ever the same to the bit."""
    taken = frame.copy()
    taken[-16:, -16:] = np.minimum(taken[-16:, -16:], 250) + count % 3
    return taken
