"""A real session behind the web face, with a camera that always shows the same picture."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.journal import Journal
from companion.observations import BoardBook, DiceSeen, DieSeen, Picture
from companion.session import Session
from companion.workshop import Workshop
from web.app import create_app

JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")


class StillCamera:
    """Eyes that see nothing happen."""

    def __init__(self, frame: bytes | None) -> None:
        self.frame = frame

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def use_camera(self, camera: str) -> None: ...
    def use_profile(self, profile: dict[str, Any]) -> None: ...
    def expect(self, dice: tuple[str, ...] | None) -> None: ...
    def look_for(self, has_markers: bool, playing: tuple[str, ...] | None) -> None: ...
    def learn(self, book: BoardBook) -> None: ...
    def read_dice(self, is_wanted: bool) -> None: ...
    def teach(self, token: str, square: int, in_jail: bool, company: list[str]) -> None: ...

    def latest_frame(self) -> bytes | None:
        return self.frame

    def frame_now(self) -> bytes | None:
        return self.latest_frame()


class PatientDesk:
    """A calibration that takes whatever it is given."""

    def __init__(self) -> None:
        self.empty: bytes | None = None
        self.taps: Sequence[Sequence[float]] | None = None
        self.enrolled: list[str] = []

    def take_empty(self, jpeg: bytes) -> None:
        self.empty = jpeg

    def use_taps(self, taps: list[tuple[float, float]]) -> None:
        self.taps = taps

    def enrol(self, token: str, jpeg: bytes, among: Collection[str] = ()) -> None:
        self.enrolled.append(token)

    def keep(self, token: str, png: bytes) -> None: ...

    def profile(self) -> dict[str, Any] | None:
        return None


@pytest.fixture
def session() -> Iterator[Session]:
    workshop = Workshop(
        make_eyes=lambda _session, camera: StillCamera(JPEG if camera == "virtual" else None),
        calibration=PatientDesk(),
        cameras=lambda: [{"camera": "virtual", "label": "The virtual table"}, {"camera": "none", "label": "No camera"}],
    )
    journal = Journal.in_memory()
    session = Session(journal, workshop)
    yield session
    session.close()
    journal.close()


@pytest.fixture
def playing(session: Session) -> Session:
    """Ann and Bob, before the first throw."""
    session.set_up({"players": [{"name": "Ann"}, {"name": "Bob"}]})
    return session


@pytest.fixture
def client(session: Session) -> FlaskClient:
    return create_app(session).test_client()


def see_throw(session: Session, faces: tuple[int, int], sure: float = 0.99, throw: int = 1) -> None:
    """The camera sees a throw of faces below 6, with picture `p1`; what is missing to 1 is the next higher face."""
    dice = tuple(DieSeen(faces={face: sure, face + 1: 1 - sure}) for face in faces)
    session.take_picture(Picture(id="p1", jpeg=JPEG))
    session.observe(DiceSeen(dice=dice, picture="p1", throw=throw, t_ns=throw))
