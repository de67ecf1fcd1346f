"""Streams that do not bring every picture: in a poor network a phone's app shows the last one on."""

import numpy as np

from vision.virtual.disturbances import Picture

#: Seconds between two stalls on average, and that one lasts, at least and at most.
EVERY_S, LASTS_S = 1.2, (0.3, 1.5)


class Stalling:
    """What comes through of one picture after the other, at a time in seconds: the last one again, now and then."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._last: Picture | None = None
        self._begins_s, self._ends_s = rng.exponential(EVERY_S), 0.0

    def __call__(self, picture: Picture, time_s: float) -> Picture:
        if time_s >= self._begins_s:
            self._ends_s = time_s + self._rng.uniform(*LASTS_S)
            self._begins_s = self._ends_s + self._rng.exponential(EVERY_S)
        if self._last is None or time_s >= self._ends_s:
            self._last = picture
        return self._last
