"""One table's calibration as it is made on the page and grows by corrections: saved as a profile once it is whole."""

import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from calibration.profile import MOST_EXAMPLES, CalibrationError, Profile, check, decode, found_taps


class Desk:
    """One table's calibration; every step that is right is saved at once. Methods may be called from any thread."""

    def __init__(self, name: str, root: Path | None = None, profile: Profile | None = None) -> None:
        """
        Args:
            name: of the profile that is written.
            root: folder of the profiles; the user's own if None.
            profile: what is there already.
        """
        self.name = name
        self._root = root
        self._lock = threading.RLock()
        self._empty = profile.empty_jpeg if profile else None
        self._taps = profile.taps if profile else None
        self._enrol = dict(profile.enrol_jpeg) if profile else {}
        self._examples = dict(profile.examples_png) if profile else {}

    @property
    def empty(self) -> bytes | None:
        return self._empty

    @property
    def taps(self) -> Sequence[Sequence[float]] | None:
        return self._taps

    @property
    def enrolled(self) -> list[str]:
        return list(self._enrol)

    def take_empty(self, jpeg: bytes) -> None:
        """A new picture of the empty board: tokens are to be shown again, and its corners where they are not found.

        Raises CalibrationError when it cannot be read; all is kept then.
        """
        found = found_taps(decode(jpeg))
        with self._lock:
            self._empty, self._taps, self._enrol, self._examples = jpeg, None, {}, {}
            if found is not None:
                self._taps = tuple(found)
                self._save()

    def use_taps(self, taps: list[tuple[float, float]]) -> None:
        """Raises CalibrationError when these cannot be the corners of a board."""
        with self._lock:
            self._check(taps, {})
            self._taps = tuple((float(x), float(y)) for x, y in taps)
            self._save()

    def enrol(self, token: str, jpeg: bytes, among: Collection[str] = ()) -> None:
        """Takes a token's picture.

        Args:
            among: the tokens that play. Others of an earlier evening may be the same under another name.
        Raises:
            CalibrationError: it cannot be made out, or is another of those that play.
        """
        with self._lock:
            known = {name: self._enrol[name] for name in among if name != token and name in self._enrol}
            self._check(self._taps, {token: jpeg}, known)
            self._enrol[token] = jpeg
            self._examples.pop(token, None)
            self._save()

    def keep(self, token: str, png: bytes) -> None:
        """A correction has shown how this token looks; the newest few are kept."""
        with self._lock:
            if token in self._enrol:
                self._examples[token] = (*self._examples.get(token, ()), png)[-MOST_EXAMPLES:]
                self._save()

    def _check(self, taps: Any, enrol: dict[str, bytes], known: dict[str, bytes] | None = None) -> None:
        if self._empty is None:
            raise CalibrationError("First the picture of the empty board.")
        new, old = ({token: decode(jpeg) for token, jpeg in each.items()} for each in (enrol, known or {}))
        if problems := check(decode(self._empty), taps, new, old):
            raise CalibrationError(problems[0])

    def _whole(self) -> Profile | None:
        if self._empty is None or self._taps is None:
            return None
        return Profile(
            empty_jpeg=self._empty,
            taps=self._taps,
            enrol_jpeg=dict(self._enrol),
            examples_png=dict(self._examples),
        )

    def _save(self) -> None:
        whole = self._whole()
        if whole is not None:
            whole.save(self.name, self._root)

    def profile(self) -> dict[str, Any] | None:
        """What the eyes are told; None while something is missing."""
        with self._lock:
            whole = self._whole()
        return whole.settings() if whole is not None else None
