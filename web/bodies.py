"""What the page may send: one struct a request, checked by msgspec before anybody sees it."""

from typing import Any, TypeVar

import msgspec
from flask import request

from companion.rules.board import editions
from web.errors import WebError

Body = TypeVar("Body", bound="Request")


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A JSON body; unknown keys are errors."""


class Versioned(Request, frozen=True):
    """Carries the version of the view that the finger saw; a stale one is refused."""

    version: int


class ActRequest(Versioned, frozen=True):
    action: dict[str, Any]


class AnswerRequest(Versioned, frozen=True):
    question: str
    option: Any


class UndoRequest(Versioned, frozen=True):
    pass


class AmendRequest(Versioned, frozen=True):
    entry: int
    action: dict[str, Any]
    preview: bool = False


class DropRequest(Versioned, frozen=True):
    entry: int
    preview: bool = False


class TickRequest(Versioned, frozen=True):
    """`line`: id of a line of the list of what is to be put right on the table."""

    line: str


class SettingsRequest(Versioned, frozen=True):
    """`reaction_s`: after so many seconds a reaction that nobody answers is declined; null waits."""

    reaction_s: int | None


class CameraRequest(Request, frozen=True):
    """`camera` in the syntax of `--camera`: an index, a file, a folder, a URL, `virtual` or `none`."""

    camera: str


class TrayRequest(Request, frozen=True):
    """`tray`: a camera that looks into a dice tray, in the syntax of `--camera`; `none` for no tray."""

    tray: str


class TapsRequest(Request, frozen=True):
    """Four corners in pixels of the shown picture: GO's outer corner first, then in the direction of travel."""

    taps: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class EnrolRequest(Request, frozen=True):
    """One of the tokens that play, `among` which each looks otherwise."""

    token: str
    among: tuple[str, ...] = ()


class ResumeRequest(Request, frozen=True):
    game: str


class PlayerRequest(Request, frozen=True):
    name: str
    token: str | None = None
    color: str | None = None
    shape: str | None = None
    extra: dict[str, Any] = {}


class StartRequest(Request, frozen=True):
    players: list[PlayerRequest]
    variant: str = "classic"
    edition: str | None = None
    options: dict[str, Any] = {}
    first: str | None = None
    automation: str | None = None
    reaction_s: int | None = None


def read(kind: type[Body]) -> Body:
    """The request's JSON as `kind`; raises WebError `malformed` with what is wrong and where."""
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except msgspec.MsgspecError as error:
        raise WebError("malformed", f"The request cannot be read: {error}.") from error


def entry_argument() -> int:
    """The `entry` of the query string."""
    text = request.args.get("entry", "")
    if not text.isascii() or not text.isdigit():
        raise WebError("malformed", "The address has to name an entry of the log: ?entry=12.")
    return int(text)


def game_argument() -> tuple[str, str | None, dict[str, Any]]:
    """`variant`, `edition` and `options` (a JSON object) of the query string: a game that has not begun."""
    edition = request.args.get("edition") or None
    try:
        options = msgspec.json.decode(request.args.get("options") or "{}", type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise WebError("malformed", f"The options cannot be read: {error}.") from error
    if edition is not None and edition not in editions():
        raise WebError("malformed", f"There is no edition {edition!r}; there are {', '.join(editions())}.")
    return request.args["variant"], edition, options
