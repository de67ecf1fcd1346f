"""A folder of pictures, shown in order of name at a camera's pace."""

import itertools
import json
from pathlib import Path

import cv2
import numpy as np

from companion.observations import SourceError
from vision.sources.base import IMAGE_SUFFIXES, Clock, Frame, FrameBgr, SystemClock

#: Seconds each picture is shown when no times are known: long enough for a scene to settle and be read.
PACE_S = 1.5
#: Frames a second while a picture is held.
HOLD_FPS = 10.0
#: A pause in the recorded times longer than this is shortened to it.
LONGEST_HOLD_S = 4.0


def pictures_in(folder: Path) -> list[Path]:
    """The folder's pictures in order of name, without those that only calibrate (`empty.*`, `enrol_*`)."""
    names = (path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES)
    return sorted(path for path in names if path.stem != "empty" and not path.stem.startswith("enrol_"))


def recorded_times_s(folder: Path) -> dict[str, float]:
    """Times by file name from `timestamps.json` (a mapping of file name to seconds); {} without such a file."""
    path = folder / "timestamps.json"
    if not path.exists():
        return {}
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): float(seconds) for name, seconds in raw.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise SourceError(f"{path} is not a mapping of file names to seconds.") from error


class FolderSource:
    """Pictures of a folder; each is held, as a camera in front of it would see it, until the next is due."""

    def __init__(self, folder: Path, clock: Clock | None = None, pace_s: float = PACE_S, fps: float = HOLD_FPS) -> None:
        """Lists the pictures.

        Args:
            pace_s: seconds each picture is shown where the folder records no times.
            fps: frames a second while a picture is held; 0 gives each picture exactly once.
        Raises:
            SourceError: no pictures in it.
        """
        if not folder.is_dir():
            raise SourceError(f"The folder {folder} is gone.")
        self._paths = pictures_in(folder)
        if not self._paths:
            raise SourceError(f"There are no pictures in {folder}.")
        self._clock = clock or SystemClock()
        self._starts_ns = _starts_ns(self._paths, recorded_times_s(folder), pace_s)
        self._step_ns = round(1e9 / fps) if fps > 0 else 0
        self._index = -1
        self._due_ns = 0
        self._zero_ns = self._clock.now_ns()
        self._image: FrameBgr | None = None

    def read(self) -> Frame | None:
        index = self._next_index()
        if index >= len(self._paths):
            return None
        is_repeat = index == self._index
        if not is_repeat:
            self._index = index
            self._image = _load(self._paths[index])
            self._due_ns = max(self._due_ns, self._starts_ns[index])
        assert self._image is not None
        t_ns = self._zero_ns + self._due_ns
        self._clock.sleep((t_ns - self._clock.now_ns()) / 1e9)
        self._due_ns += self._step_ns
        return Frame(self._image, t_ns, self._paths[index].name, is_repeat)

    def close(self) -> None:
        self._image = None

    def _next_index(self) -> int:
        """The picture that is up at `_due_ns`."""
        if not self._step_ns or self._index < 0:
            return self._index + 1
        return self._index + 1 if self._due_ns >= self._starts_ns[self._index + 1] else self._index


def _starts_ns(paths: list[Path], times_s: dict[str, float], pace_s: float) -> list[int]:
    """When each picture comes up, from 0; one entry more than pictures, the end."""
    starts = [0.0]
    for before, after in itertools.pairwise(paths):
        held_s = pace_s
        if before.name in times_s and after.name in times_s:
            held_s = min(max(times_s[after.name] - times_s[before.name], 0.0), LONGEST_HOLD_S)
        starts.append(starts[-1] + held_s)
    starts.append(starts[-1] + pace_s)
    return [round(start * 1e9) for start in starts]


def _load(path: Path) -> FrameBgr:
    try:
        image = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
    except (OSError, cv2.error) as error:
        raise SourceError(f"{path} cannot be read.") from error
    if image is None:
        raise SourceError(f"{path} is not a picture.")
    return np.asarray(image, np.uint8)
