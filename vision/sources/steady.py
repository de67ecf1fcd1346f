"""A source that is opened again, with growing pauses, whenever it fails."""

from collections.abc import Callable

from companion.observations import SourceError
from vision.sources.base import Clock, Frame, Outage, Passing, Source, SystemClock

#: Pauses before the attempts after a failure; the last one repeats.
BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 10.0)
#: Longest single wait inside `read`, so that the caller can attend to other things.
PATIENCE_S = 0.25


class SteadySource:
    """Frames while there are any, an `Outage` while there are none, None at the end."""

    def __init__(
        self, opener: Callable[[], Source], clock: Clock | None = None, back_off_s: tuple[float, ...] = BACK_OFF_S
    ) -> None:
        self._opener = opener
        self._clock = clock or SystemClock()
        self._back_off_s = back_off_s
        self._source: Source | None = None
        self._failures = 0
        self._retry_ns = 0
        self._message = ""

    def read(self) -> Frame | Outage | None:
        """The next frame; during an outage waits at most `PATIENCE_S` and says what is wrong."""
        wait_s = (self._retry_ns - self._clock.now_ns()) / 1e9
        if self._failures and self._source is None and wait_s > 0:
            self._clock.sleep(min(wait_s, PATIENCE_S))
            return Outage(self._message, max(wait_s - PATIENCE_S, 0.0))
        try:
            if self._source is None:
                self._source = self._opener()
            frame = self._source.read()
        except SourceError as error:
            return self._failed(error)
        self._failures = 0
        return frame

    def pass_over(self) -> bool:
        """Lets the next frame go by; False where the source cannot, or where something is wrong, as `read` tells."""
        return isinstance(self._source, Passing) and self._source.pass_over()

    def close(self) -> None:
        """Gives the source back; the next `read` opens it anew."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def _failed(self, error: SourceError) -> Outage:
        self.close()
        pause_s = self._back_off_s[min(self._failures, len(self._back_off_s) - 1)]
        self._failures += 1
        self._retry_ns = self._clock.now_ns() + round(pause_s * 1e9)
        self._message = error.message
        return Outage(error.message, pause_s)
