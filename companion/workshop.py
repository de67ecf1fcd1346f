"""What a session needs of the world outside: eyes, towers and calibration, as the command line provides them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.observations import DieKind, TowerThrow

if TYPE_CHECKING:
    from companion.session import Session

Json = dict[str, Any]

NO_CAMERA = "none"


class Eyes(Protocol):
    """`companion.eyes.Eyes`, as far as a session uses it."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def latest_frame(self) -> bytes | None: ...
    def use_camera(self, camera: str) -> None: ...
    def use_profile(self, profile: Json) -> None: ...
    def expect(self, dice: tuple[DieKind, ...] | None) -> None: ...
    def read_dice(self, is_wanted: bool) -> None: ...
    def learn(self, book: dict[str, tuple[int, bool]]) -> None: ...
    def teach(self, token: str, square: int, in_jail: bool, company: list[str]) -> None: ...


class Towers(Protocol):
    """`hardware.tower.Tower`, as far as a session uses it."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def ask(self, kinds: str) -> None: ...
    def remember(self, known: Sequence[TowerThrow]) -> None: ...


class Calibration(Protocol):
    """Where the pictures of the empty board and of the tokens go, and what the eyes are told of them."""

    @property
    def empty(self) -> bytes | None: ...
    @property
    def taps(self) -> Sequence[Sequence[float]] | None: ...
    @property
    def enrolled(self) -> Sequence[str]: ...
    def take_empty(self, jpeg: bytes) -> None: ...
    def use_taps(self, taps: list[tuple[float, float]]) -> None: ...
    def enrol(self, token: str, jpeg: bytes) -> None: ...
    def keep(self, token: str, png: bytes) -> None: ...
    def profile(self) -> Json | None: ...


@dataclass
class Workshop:
    """What the command line puts at a session's disposal; without it the tablet alone does everything.

    Attributes:
        make_eyes: opens a camera, named as by `--camera`, and reports to the session; not yet started.
        make_tray: likewise, for a camera that looks into a dice tray.
        make_towers: likewise for the dice towers of the port that was named.
        calibration: of this table.
        cameras: those that can be chosen: `camera` and `label`.
    """

    make_eyes: "Callable[[Session, str], Eyes] | None" = None
    make_tray: "Callable[[Session, str], Eyes] | None" = None
    make_towers: "Callable[[Session], Towers] | None" = None
    calibration: Calibration | None = None
    cameras: Callable[[], list[Json]] = field(default=lambda: [{"camera": NO_CAMERA, "label": "No camera"}])
