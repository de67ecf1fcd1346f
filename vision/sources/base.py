"""Frames, the clock they are stamped with, and the syntax in which a source is named."""

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import SourceError

FrameBgr = NDArray[np.uint8]
"""(height, width, 3) uint8, blue first."""

#: By how much smaller JPEG pictures are decoded at once, in half the time, and how wide they still have to be, px.
REDUCTIONS = (cv2.IMREAD_REDUCED_COLOR_8, cv2.IMREAD_REDUCED_COLOR_4, cv2.IMREAD_REDUCED_COLOR_2)
SMALL_WIDTH = 160

SourceKind = Literal["camera", "video", "folder", "url", "virtual", "none"]

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})


class Jpeg:
    """A picture as a camera compressed it: small at once, decoded as a whole when somebody looks at it.

    Attributes:
        data: (n,) or (1, n) uint8, the file's content.
        small_bgr: the picture at an eighth, a quarter or half of its size, as small as is still `SMALL_WIDTH` wide.
    """

    def __init__(self, data: NDArray[np.uint8]) -> None:
        """Looks at it.

        Raises:
            SourceError: it is no picture.
        """
        self.data = data
        self.small_bgr = self._small()

    @cached_property
    def frame_bgr(self) -> FrameBgr:
        return self._decoded(cv2.IMREAD_COLOR)

    def _small(self) -> FrameBgr:
        for reduction in REDUCTIONS:
            small = self._decoded(reduction)
            if small.shape[1] >= SMALL_WIDTH:
                return small
        return self.frame_bgr

    def _decoded(self, flags: int) -> FrameBgr:
        image = cv2.imdecode(self.data, flags)
        if image is None:
            raise SourceError("What the camera sends is no picture: is its address right?")
        return np.asarray(image, np.uint8)


Shot = FrameBgr | Jpeg
"""A frame, decoded or not yet."""


def decoded(shot: Shot) -> FrameBgr:
    return shot.frame_bgr if isinstance(shot, Jpeg) else shot


@dataclass(frozen=True)
class Frame:
    """One picture as it came from a source.

    Attributes:
        t_ns: the source's monotonic clock when it was taken.
        name: file name, where it has one.
        is_repeat: the very same picture as the one before, shown on (a folder holds its pictures).
    """

    shot: Shot
    t_ns: int
    name: str | None = None
    is_repeat: bool = False

    @property
    def frame_bgr(self) -> FrameBgr:
        return decoded(self.shot)


@dataclass(frozen=True)
class Outage:
    """The source gives no frames at present.

    Attributes:
        message: one sentence for people.
        retry_s: seconds until the next attempt.
    """

    message: str
    retry_s: float


class Clock(Protocol):
    """Monotonic time; injected so that tests and headless play wait for nothing."""

    def now_ns(self) -> int: ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own clock."""

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class Source(Protocol):
    """A stream of frames."""

    def read(self) -> Frame | None:
        """The next frame, waiting for it at the source's own pace.

        Returns:
            None when a finite source is at its end.
        Raises:
            SourceError: it gives no frames; close it and open it again.
        """
        ...

    def close(self) -> None:
        """Gives the device or file back; reading on is an error."""
        ...


@runtime_checkable
class Passing(Protocol):
    """A source of which frames may be left alone, for less than it costs to read them."""

    def pass_over(self) -> bool:
        """Waits for the next frame, and lets it go by; False where none came."""
        ...


@dataclass(frozen=True)
class SourceSpec:
    """A source as `--camera` names it."""

    kind: SourceKind
    value: str

    @property
    def is_live(self) -> bool:
        """Frames that are not read in time are lost, so that only the newest counts."""
        return self.kind in ("camera", "url")

    @property
    def label(self) -> str:
        """As people call it in a sentence."""
        labels = {"camera": f"camera {self.value}", "virtual": "the virtual table", "none": "no camera"}
        return labels.get(self.kind, self.value)


def parse_source(text: str) -> SourceSpec:
    """Reads `0`, FILE, FOLDER, URL, `virtual` or `none`.

    Raises:
        SourceError: neither of these; the sentence says what is possible.
    """
    text = text.strip()
    if text.isdecimal():
        return SourceSpec("camera", text)
    if text in ("virtual", "none"):
        return SourceSpec("virtual" if text == "virtual" else "none", text)
    if "://" in text:
        return SourceSpec("url", text)
    path = Path(text).expanduser()
    if path.is_dir():
        return SourceSpec("folder", str(path))
    if path.exists():
        return SourceSpec("video", str(path))
    raise SourceError(
        f"There is no camera, file or folder {text!r}: give a camera's number such as 0, a video file, "
        "a folder of pictures, an address such as http://…, virtual, or none."
    )
