"""One table's profile: the empty board, its corners and one picture of each token; saved as a folder of pictures."""

import os
import re
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import platformdirs
from numpy.typing import NDArray

from companion.observations import BoardsideError

Image = NDArray[np.uint8]

#: Quality of saved JPEG pictures: their own artifacts stay under the noise of webcams.
_QUALITY = 97
#: Crops that are kept of a token beside its enrolment picture.
MOST_EXAMPLES = 6
#: A save that has written nothing for so long was cut off: a whole profile takes seconds.
ABANDONED_S = 600.0
#: Layout of `profile.json`.
_FORMAT = 1
#: `.NAME.PID`, where a save writes before its folder takes the profile's place.
_UNFINISHED = re.compile(r"\..+\.[0-9]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}")


class CalibrationError(BoardsideError):
    """A profile is missing, damaged, or cannot be made from these pictures and taps."""

    code = "calibration"


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    taps: list[tuple[float, float]] | None
    tokens: list[str]
    examples: dict[str, int] = {}


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """What is particular to one board, camera and set of tokens.

    Attributes:
        empty_jpeg: the board with nothing on it, as JPEG.
        taps: px of the board's four outer corners in it, GO's first, in the direction of travel; None to have the
            board found.
        enrol_jpeg: token name -> a picture of that token alone on GO, as JPEG.
        examples_png: token name -> crops by which corrections have made it better known, oldest first, as PNG.
    """

    empty_jpeg: bytes
    taps: tuple[tuple[float, float], ...] | None = None
    enrol_jpeg: dict[str, bytes] = {}
    examples_png: dict[str, tuple[bytes, ...]] = {}

    @classmethod
    def from_pictures(cls, empty_bgr: Image, taps: Any, enrol: Mapping[str, Image] | None = None) -> "Profile":
        """A profile from pictures, checked.

        Args:
            empty_bgr: (h, w, 3) uint8.
            taps: (4, 2) px, or None.
            enrol: token name -> picture.
        Raises:
            CalibrationError: the first thing that is wrong, with what to do about it.
        """
        problems = check(empty_bgr, taps, enrol or {})
        if problems:
            raise CalibrationError(problems[0])
        return cls.of(empty_bgr, taps, enrol or {})

    @classmethod
    def of(cls, empty_bgr: Image, taps: Any, enrol: Mapping[str, Image]) -> "Profile":
        """A profile from pictures, not checked; arguments as for `from_pictures`."""
        corners = None if taps is None else tuple((float(x), float(y)) for x, y in np.asarray(taps))
        pictures = {name: _encode(picture) for name, picture in enrol.items()}
        return cls(empty_jpeg=_encode(empty_bgr), taps=corners, enrol_jpeg=pictures)

    @classmethod
    def load(cls, name: str, root: Path | None = None) -> "Profile":
        """The saved profile of this name.

        Raises:
            CalibrationError: there is none, or it is damaged.
        """
        folder = _folder(name, root)
        _restore(folder)
        try:
            record = msgspec.json.decode((folder / "profile.json").read_bytes(), type=_Record)
            pictures = {token: (folder / f"enrol_{token}.jpg").read_bytes() for token in record.tokens}
            examples = {
                token: tuple((folder / _example(token, number)).read_bytes() for number in range(count))
                for token, count in record.examples.items()
            }
            empty = (folder / "empty.jpg").read_bytes()
        except FileNotFoundError as error:
            known = ", ".join(list_profiles(root)) or "none"
            raise CalibrationError(f"There is no whole profile “{name}”; saved profiles: {known}.") from error
        except (OSError, msgspec.MsgspecError) as error:
            raise CalibrationError(f"The profile “{name}” is damaged ({error}): calibrate again.") from error
        taps = None if record.taps is None else tuple(record.taps)
        return cls(empty_jpeg=empty, taps=taps, enrol_jpeg=pictures, examples_png=examples)

    def save(self, name: str, root: Path | None = None) -> Path:
        """Writes the profile in place of one of the same name; returns its folder.

        Whenever the plug is pulled, the next `load` finds either the one or the other.

        Raises:
            CalibrationError: the name is no name for a folder, or the folder cannot be written.
        """
        folder = _folder(name, root)
        fresh = folder.with_name(f".{folder.name}.{os.getpid()}")
        counts = {token: len(pictures) for token, pictures in self.examples_png.items()}
        record = _Record(_FORMAT, None if self.taps is None else list(self.taps), list(self.enrol_jpeg), counts)
        _sweep(folder.parent)
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            _write(fresh / "empty.jpg", self.empty_jpeg)
            for token, picture in self.enrol_jpeg.items():
                _write(fresh / f"enrol_{_checked(token, 'token')}.jpg", picture)
            for token, pictures in self.examples_png.items():
                for number, picture in enumerate(pictures):
                    _write(fresh / _example(token, number), picture)
            _write(fresh / "profile.json", msgspec.json.format(msgspec.json.encode(record)))
            shutil.rmtree(_old(folder), ignore_errors=True)
            if folder.exists():
                folder.replace(_old(folder))
            fresh.replace(folder)
            shutil.rmtree(_old(folder), ignore_errors=True)
        except OSError as error:
            raise CalibrationError(f"The profile cannot be saved in {folder}: {error.strerror}.") from error
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return folder

    def settings(self) -> dict[str, Any]:
        """What the camera's worker takes: `empty`, `enrol` and `examples` as files' bytes, and `taps`."""
        taps = None if self.taps is None else [list(tap) for tap in self.taps]
        examples = {token: list(pictures) for token, pictures in self.examples_png.items()}
        return {"empty": self.empty_jpeg, "taps": taps, "enrol": dict(self.enrol_jpeg), "examples": examples}

    def empty_bgr(self) -> Image:
        """The empty board's picture, (h, w, 3) uint8."""
        return decode(self.empty_jpeg)

    def enrol_bgr(self) -> dict[str, Image]:
        """The tokens' pictures."""
        return {name: decode(picture) for name, picture in self.enrol_jpeg.items()}


def check(
    empty_bgr: Image, taps: Any, enrol: Mapping[str, Image], known: Mapping[str, Image] | None = None
) -> list[str]:
    """What is wrong with pictures and taps, each in a sentence; empty when all is well.

    Args:
        known: pictures of other tokens that play, which were right when they were taken.
    """
    from calibration.checks import check_pictures

    return check_pictures(empty_bgr, taps, enrol, known)


def found_taps(empty_bgr: Image) -> list[tuple[float, float]] | None:
    """The board's corners where they show with nobody tapping them, GO's first; None where none surely does."""
    from calibration.checks import find_corners

    return find_corners(empty_bgr)


def decode(jpeg: bytes) -> Image:
    """A JPEG or PNG file's content as a BGR picture.

    Raises:
        CalibrationError: it is no picture.
    """
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if picture is None:
        raise CalibrationError("A picture of the profile cannot be read: take it again.")
    return np.asarray(picture, np.uint8)


def read_folder(folder: Path, with_taps: bool = True) -> Profile:
    """A profile from `empty.jpg`, `taps.json` and `enrol_*.jpg` of a folder, not checked.

    Raises:
        CalibrationError: a file is missing or cannot be read.
    """
    try:
        empty = (folder / "empty.jpg").read_bytes()
    except OSError as error:
        raise CalibrationError(f"There is no picture of the empty board, {folder / 'empty.jpg'}.") from error
    taps = _read_taps(folder / "taps.json") if with_taps else None
    enrol = {path.stem.removeprefix("enrol_"): path.read_bytes() for path in sorted(folder.glob("enrol_*.jpg"))}
    return Profile(empty_jpeg=empty, taps=taps, enrol_jpeg=enrol)


def _read_taps(path: Path) -> tuple[tuple[float, float], ...]:
    try:
        raw = msgspec.json.decode(path.read_bytes(), type=dict[str, list[tuple[float, float]]])
        taps = raw["empty.jpg"]
    except OSError as error:
        raise CalibrationError(f"There are no taps, {path}; --no-taps looks for the board by itself.") from error
    except (msgspec.MsgspecError, KeyError) as error:
        raise CalibrationError(f"{path} should hold four corners of empty.jpg, GO's first.") from error
    if len(taps) != 4:
        raise CalibrationError(f"{path} holds {len(taps)} corners; it should hold four, GO's first.")
    return tuple(taps)


def profiles_root() -> Path:
    """Where profiles are kept on this computer."""
    return Path(platformdirs.user_data_dir("boardside", appauthor=False)) / "profiles"


def list_profiles(root: Path | None = None) -> list[str]:
    """Names of the saved profiles, sorted."""
    folder = root or profiles_root()
    if not folder.is_dir():
        return []
    _sweep(folder)
    for old in folder.glob(".*.old"):
        _restore(folder / old.name[1:].removesuffix(".old"))
    return sorted(path.parent.name for path in folder.glob("*/profile.json") if not path.parent.name.startswith("."))


def _example(token: str, number: int) -> str:
    return f"example_{_checked(token, 'token')}_{number}.png"


def _folder(name: str, root: Path | None) -> Path:
    return (root or profiles_root()) / _checked(name, "profile")


def _old(folder: Path) -> Path:
    """Where the profile before is, while another takes its place."""
    return folder.with_name(f".{folder.name}.old")


def _sweep(root: Path) -> None:
    """Removes what was left by saves that were cut off; one that goes on has written a file just now."""
    for unfinished in root.glob(".*.*"):
        with suppress(OSError):  # another process has finished or swept it meanwhile
            if _UNFINISHED.fullmatch(unfinished.name) and time.time() - unfinished.stat().st_mtime > ABANDONED_S:
                shutil.rmtree(unfinished)


def _restore(folder: Path) -> None:
    """Puts the profile before back where no other has come to take its place."""
    if _old(folder).exists() and not folder.exists():
        _old(folder).replace(folder)


def _write(path: Path, data: bytes) -> None:
    """Writes a file that is on the disk when this returns."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _checked(name: str, what: str) -> str:
    if not _NAME.fullmatch(name):
        raise CalibrationError(
            f"“{name}” cannot name a {what}: letters, digits, space, _ . - only, a letter or digit first."
        )
    return name


def _encode(picture: Image) -> bytes:
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not ok:
        raise CalibrationError("A picture could not be compressed.")
    return bytes(data.tobytes())
