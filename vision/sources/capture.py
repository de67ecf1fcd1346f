"""Cameras, video files and network streams, through OpenCV."""

from contextlib import suppress

import cv2
import numpy as np

from companion.observations import SourceError
from vision.sources.base import Clock, Frame, Jpeg, Shot, SourceSpec, SystemClock

#: Asked of a camera; drivers give the nearest they can.
CAMERA_SIZE = (1280, 720)
#: A camera that gives fewer a second is asked for compressed ones: over USB 2 most give 5 to 10 of this size else, and
#: drivers begin with these (https://github.com/opencv/opencv/issues/9540).
LEAST_RATE = 24
#: A stream of JPEG pictures, and what OpenCV is told so that it hands these out as they come.
MOTION_JPEG, AS_IT_COMES = cv2.VideoWriter.fourcc(*"MJPG"), -1
#: So many pictures of a stream may be broken one after the other.
MOST_BROKEN = 10


class CaptureSource:
    """Frames of a `cv2.VideoCapture`, live ones as they come, those of a file at the file's pace."""

    def __init__(self, spec: SourceSpec, clock: Clock | None = None) -> None:
        """Opens it.

        Raises:
            SourceError: it cannot be opened.
        """
        self._spec = spec
        self._clock = clock or SystemClock()
        self._capture = _open(spec)
        # A stream of single pictures is decoded where it is looked at; others have to be in turn.
        self._is_coded = (
            spec.kind == "url"
            and int(self._capture.get(cv2.CAP_PROP_FOURCC)) == MOTION_JPEG
            and self._capture.set(cv2.CAP_PROP_FORMAT, AS_IT_COMES)
        )
        self._frame_ns = 0
        self._start_ns = 0
        self._count = 0
        if spec.kind == "video":
            rate = float(self._capture.get(cv2.CAP_PROP_FPS))
            self._frame_ns = round(1e9 / (rate if 1.0 <= rate <= 240.0 else 30.0))

    def read(self) -> Frame | None:
        shot = self._next()
        if shot is None:
            if self._spec.kind == "video" and self._count:
                return None
            raise SourceError(f"No picture comes from {self._spec.label}: is it plugged in, and used by nothing else?")
        now_ns = self._clock.now_ns()
        if not self._count:
            self._start_ns = now_ns
        t_ns = now_ns
        if self._frame_ns:
            t_ns = self._start_ns + self._count * self._frame_ns
            self._clock.sleep((t_ns - now_ns) / 1e9)
        self._count += 1
        return Frame(shot, t_ns)

    def _next(self) -> Shot | None:
        """The next picture that is whole; None at the end, or where none comes."""
        for _ in range(MOST_BROKEN + 1):
            ok, seen = self._capture.read()
            if not ok or seen is None:
                return None
            pixels = np.asarray(seen, np.uint8)
            with suppress(SourceError):
                return Jpeg(pixels) if self._is_coded else pixels
        return None

    def pass_over(self) -> bool:
        """Lets the next frame go by: decoded only where a stream's frames build on each other."""
        return bool(self._capture.grab())

    def close(self) -> None:
        self._capture.release()


def _open(spec: SourceSpec) -> cv2.VideoCapture:
    capture = cv2.VideoCapture(int(spec.value)) if spec.kind == "camera" else cv2.VideoCapture(spec.value)
    if not capture.isOpened():
        capture.release()
        what = {"camera": "is it plugged in, and used by nothing else?", "video": "is it a video or a picture?"}
        raise SourceError(f"Cannot open {spec.label}: {what.get(spec.kind, 'is the address right and reachable?')}")
    if spec.kind == "camera":
        _ask_for_size(capture)
        if capture.get(cv2.CAP_PROP_FPS) < LEAST_RATE or capture.get(cv2.CAP_PROP_FRAME_WIDTH) < CAMERA_SIZE[0]:
            capture.set(cv2.CAP_PROP_FOURCC, MOTION_JPEG)
            _ask_for_size(capture)
        # Old frames are worth nothing: the queue of the driver is kept as short as it allows.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _ask_for_size(capture: cv2.VideoCapture) -> None:
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
