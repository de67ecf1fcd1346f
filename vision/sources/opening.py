"""From a source's name to its frames."""

import sys
from collections.abc import Callable
from pathlib import Path

import cv2

from companion.observations import SourceError
from vision.sources.base import IMAGE_SUFFIXES, Clock, Frame, Source, SourceSpec, SystemClock
from vision.sources.capture import CaptureSource
from vision.sources.folder import PACE_S, FolderSource


class NoSource:
    """`none`: a finite source without frames."""

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        return


def open_source(
    spec: SourceSpec,
    clock: Clock | None = None,
    pace_s: float = PACE_S,
    virtual: Callable[[Clock], Source] | None = None,
) -> Source:
    """Opens what `spec` names.

    Args:
        pace_s: seconds each picture of a folder is shown.
        virtual: makes the virtual table's source; None where there is none.
    Raises:
        SourceError: it cannot be opened.
    """
    clock = clock or SystemClock()
    if spec.kind == "none":
        return NoSource()
    if spec.kind == "virtual":
        if virtual is None:
            raise SourceError("The virtual table is not running here: start it with boardside demo.")
        return virtual(clock)
    if spec.kind == "folder":
        return FolderSource(Path(spec.value), clock, pace_s)
    if spec.kind == "video" and Path(spec.value).suffix.lower() in IMAGE_SUFFIXES:
        raise SourceError(f"{spec.value} is a single picture: give the folder that it is in, or a video.")
    return CaptureSource(spec, clock)


def cameras(most: int = 8) -> list[int]:
    """Numbers of the cameras that are plugged in; opens none of them where the system lists them."""
    if sys.platform.startswith("linux"):
        listed = sorted(int(path.name[5:]) for path in Path("/dev").glob("video*") if path.name[5:].isdecimal())
        return listed[:most]
    found = []
    for index in range(most):
        capture = cv2.VideoCapture(index)
        if capture.isOpened():
            found.append(index)
        capture.release()
    return found
