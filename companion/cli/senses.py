"""Eyes and towers for a session, as the command line names them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from calibration.checks import corners_of
from calibration.profile import Profile, list_profiles, read_folder
from companion.cli.desk import Desk
from companion.eyes import Eyes
from companion.observations import SourceError
from companion.patience import REACTION_S
from companion.rules.errors import BoardsideError
from companion.session import Session
from companion.workshop import NO_CAMERA, Workshop
from hardware.tower import Tower
from vision.live.worker import run
from vision.sources import cameras

#: Under this name the page saves a calibration when no other was named.
DEFAULT_PROFILE = "table"
#: What `--reactions` means, of `play` and of `demo`.
REACTIONS_HELP = (
    f"Seconds until a reaction that nobody answers is declined: {', '.join(map(str, REACTION_S))}; else waits."
)


class Recorded(msgspec.Struct, forbid_unknown_fields=True):
    """`players.json` of a recorded clip: what is played and by whom, in turn order, named as the tokens."""

    variant: str
    players: list[str]
    options: dict[str, Any] = {}


def recorded_game(camera: str) -> Recorded | None:
    """What a folder of pictures says of its game; None where it says nothing.

    Raises:
        SourceError: `players.json` cannot be understood.
    """
    path = Path(camera) / "players.json"
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Recorded)
    except (OSError, msgspec.MsgspecError) as error:
        raise SourceError(f"{path} does not describe a game: {error}.") from error


def desk_for(camera: str, profile: str | None, profiles: Path | None = None) -> Desk:
    """The calibration of a table.

    Args:
        camera: a folder with pictures of its own empty board brings its calibration along.
        profile: the name of a saved one, or under which a new one is saved.
    Raises:
        CalibrationError: it is damaged, its taps cannot be right, or its empty board shows nothing.
    """
    name = profile or DEFAULT_PROFILE
    folder = Path(camera)
    if profile is None and (folder / "empty.jpg").is_file():
        own = read_folder(folder, with_taps=(folder / "taps.json").is_file())
        corners_of(own)
        return Desk(name, profiles, own)
    saved = Profile.load(name, profiles) if name in list_profiles(profiles) else None
    return Desk(name, profiles, saved)


@dataclass
class Senses:
    """What `play` and `demo` put at a session's disposal.

    Attributes:
        virtual: `seed` and `tokens` of a virtual table, where there is one.
        extra: further settings of the eyes' worker.
    """

    desk: Desk
    tower: str = NO_CAMERA
    virtual: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def workshop(self) -> Workshop:
        makes_towers = self.tower != NO_CAMERA
        return Workshop(
            make_eyes=self.make_eyes,
            make_tray=self.make_tray,
            make_towers=self.make_towers if makes_towers else None,
            calibration=self.desk,
            cameras=self.cameras,
        )

    def make_eyes(self, session: Session, camera: str) -> Eyes:
        settings: dict[str, Any] = {
            "camera": camera,
            # Picture ids stay unique over restarts of the program.
            "prefix": f"{int(time.time()):x}-",
            "profile": self.desk.profile(),
            **self.extra,
        }
        if self.virtual is not None:
            settings["virtual"] = self.virtual
        return Eyes(run, settings, session.observe, session.take_picture, cameras, session.learned)

    def make_tray(self, session: Session, camera: str) -> Eyes:
        settings = {"camera": camera, "prefix": f"{int(time.time()):x}-tray-", "is_tray": True, **self.extra}
        return Eyes(run, settings, session.observe_tray, session.take_picture)

    def make_towers(self, session: Session) -> Tower:
        known = session.table.tower_throws() if session.table is not None else []
        return Tower(self.tower, on_observation=session.observe, known=known)

    def cameras(self) -> list[dict[str, Any]]:
        """What the page offers: plugged-in cameras, the virtual table, none."""
        found = [{"camera": str(index), "label": f"Camera {index + 1}"} for index in cameras()]
        if self.virtual is not None:
            found.append({"camera": "virtual", "label": "The virtual table"})
        return [*found, {"camera": NO_CAMERA, "label": "No camera"}]


def parsed_options(pairs: list[str], convert: Callable[[str], Any] | None = None) -> dict[str, Any]:
    """`["rent=demand", "short_game=true"]` as a mapping; `true`, `false` and whole numbers are meant as such.

    Raises:
        BoardsideError: `malformed`, for one without `=`.
    """
    options = {}
    for pair in ",".join(pairs).split(",") if pairs else []:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise BoardsideError(f"An option is written name=value, not {pair!r}.", "malformed")
        options[name.strip()] = (convert or option_value)(value.strip())
    return options


def option_value(text: str) -> Any:
    """`true`, `false` and whole numbers as such, else the word."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdecimal() else text
