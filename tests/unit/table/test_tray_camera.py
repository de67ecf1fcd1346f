"""A second camera that looks into a dice tray, beside that of the board."""

import pytest

from companion.journal import Journal
from companion.observations import SightSeen
from companion.session import Session, SetupError
from companion.workshop import Workshop
from tests.unit.table.tables import AT, sure
from tests.unit.table.test_session import PLAYERS, StillEyes

#: A game of which the dice alone are followed.
WATCHED = {"players": PLAYERS, "variant": "watch", "options": {"doubles_again": False}}


class TrayTable:
    """A session with eyes for the board and others for a dice tray."""

    def __init__(self) -> None:
        self.eyes: list[StillEyes] = []
        self.trays: list[StillEyes] = []
        workshop = Workshop(
            make_eyes=lambda session, camera: self._made(self.eyes, session, camera),
            make_tray=lambda session, camera: self._made(self.trays, session, camera),
        )
        self.session = Session(Journal.in_memory(), workshop, lambda: AT)

    @staticmethod
    def _made(where: list[StillEyes], session: Session, camera: str) -> StillEyes:
        where.append(StillEyes(session, camera))
        return where[-1]


def test_a_tray_camera_alone_reads_the_dice() -> None:
    made = TrayTable()
    session = made.session
    session.use_camera("0")
    session.use_tray("1")
    assert made.eyes[0].told[-1] == ("read_dice", False)
    assert session.setup()["tray"] == "1"
    table = session.set_up({"players": PLAYERS})
    assert table.record.settings["tray"] == "1"
    assert made.trays[0].told[-1] == ("expect", ("d6", "d6"))
    session.observe_tray(sure(2, 1))
    assert table.actions()[-1]["roll"] == [2, 1]
    session.use_tray("none")
    assert made.trays[0].told[-1] == ("stop", None)
    assert made.eyes[0].told[-1] == ("read_dice", True)


def test_throws_are_counted_on_when_another_camera_begins_to_read_the_dice() -> None:
    made = TrayTable()
    session = made.session
    session.use_camera("0")
    table = session.set_up(WATCHED)
    session.observe(sure(2, 1, throw=1))
    session.use_tray("1")
    session.observe_tray(sure(6, 4, throw=1))
    assert [action["roll"] for action in table.actions()] == [[2, 1], [6, 4]]


def test_a_camera_that_is_put_back_beside_a_tray_does_not_count_its_throws_anew() -> None:
    made = TrayTable()
    session = made.session
    session.use_tray("1")
    table = session.set_up(WATCHED)
    session.observe_tray(sure(2, 1, throw=1))
    session.use_camera("0")
    session.observe_tray(sure(2, 1, throw=1))
    assert [action["roll"] for action in table.actions()] == [[2, 1]]


def test_a_tray_that_cannot_be_seen_is_a_word_of_the_light() -> None:
    made = TrayTable()
    session = made.session
    session.use_camera("0")
    session.use_tray("1")
    session.set_up({"players": PLAYERS})
    session.observe(SightSeen(state="well"))
    session.observe_tray(SightSeen(state="blind", word="Cannot open camera 1"))
    sight = session.view()["sight"]["camera"]
    assert (sight["state"], sight["word"]) == ("unsure", "dice tray: Cannot open camera 1")
    session.observe_tray(SightSeen(state="well"))
    assert session.view()["sight"]["camera"]["state"] == "well"
    session.observe_tray(SightSeen(state="blind", word="Cannot open camera 1"))
    session.use_tray("none")
    assert session.view()["sight"]["camera"]["state"] == "well"


def test_without_eyes_there_is_no_tray() -> None:
    with pytest.raises(SetupError, match="look into a tray"):
        Session(Journal.in_memory()).use_tray("1")
