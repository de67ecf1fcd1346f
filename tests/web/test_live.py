"""The live channel pushes the view to every tablet."""

from typing import Any

import pytest
from engineio.exceptions import SocketIsClosedError
from flask_socketio import SocketIO, SocketIOTestClient

from companion.observations import TokenSeen
from companion.session import Session
from tests.web.conftest import see_throw
from web.app import create_app


def tablets(session: Session, count: int) -> list[SocketIOTestClient]:
    app = create_app(session)
    channel: SocketIO = app.extensions["socketio"]
    return [channel.test_client(app) for _ in range(count)]


def views(tablet: SocketIOTestClient) -> list[dict[str, Any]]:
    return [message["args"][0] for message in tablet.get_received() if message["name"] == "view"]


def test_a_tablet_gets_the_view_when_it_comes(playing: Session) -> None:
    [tablet] = tablets(playing, 1)
    assert views(tablet) == [playing.view()]


def test_all_tablets_get_every_change_in_order(playing: Session) -> None:
    one, other = tablets(playing, 2)
    assert playing.table is not None
    playing.table.act({"roll": [1, 2]})
    playing.table.act({"choose": "buy"})
    versions = [view["version"] for view in views(one)]
    assert versions == sorted(versions)
    assert versions[-1] == playing.view()["version"]
    assert versions == [view["version"] for view in views(other)]


@pytest.mark.parametrize("error", [SocketIsClosedError, KeyError])
def test_a_tablet_that_leaves_while_it_is_told_keeps_nothing_from_the_others(
    playing: Session, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    app = create_app(playing)
    channel: SocketIO = app.extensions["socketio"]
    tablets = [channel.test_client(app) for _ in range(3)]
    tell, leaving = channel.server._send_eio_packet, [tablets[0].eio_sid, tablets[1].eio_sid]

    def tell_or_leave(eio_sid: str, packet: Any) -> None:
        if eio_sid in leaving:
            leaving.remove(eio_sid)
            raise error
        tell(eio_sid, packet)

    monkeypatch.setattr(channel.server, "_send_eio_packet", tell_or_leave)
    answer = app.test_client().post("/api/act", json={"version": 0, "action": {"roll": [1, 2]}})
    assert answer.status_code == 200
    assert not leaving
    assert all(views(tablet)[-1]["version"] == 1 for tablet in tablets)


def test_what_the_camera_sees_is_pushed(playing: Session) -> None:
    [tablet] = tablets(playing, 1)
    see_throw(playing, (1, 2))
    assert views(tablet)[-1]["now"]["dice"] == [1, 2]


def test_views_of_one_version_can_be_told_apart(playing: Session) -> None:
    [tablet] = tablets(playing, 1)
    see_throw(playing, (1, 2))
    playing.observe(TokenSeen(token="Ann", spaces={"vermont": 0.99}))
    seen = views(tablet)
    assert seen[-1]["questions"]
    assert seen[-1]["version"] == seen[-2]["version"]
    assert [view["serial"] for view in seen] == sorted({view["serial"] for view in seen})


def test_what_one_tablet_does_the_other_sees(playing: Session) -> None:
    app = create_app(playing)
    other = app.extensions["socketio"].test_client(app)
    app.test_client().post("/api/act", json={"version": 0, "action": {"roll": [1, 2]}})
    assert views(other)[-1]["snapshot"]["players"]["Ann"]["at"] == "baltic"


def test_a_game_that_begins_is_pushed_to_those_at_the_setup(session: Session) -> None:
    [tablet] = tablets(session, 1)
    session.set_up({"players": [{"name": "Ann"}, {"name": "Bob"}]})
    assert [view["phase"] for view in views(tablet)] == ["setup", "play"]


def test_strangers_get_no_live_channel(playing: Session) -> None:
    app = create_app(playing, join="key")
    channel: SocketIO = app.extensions["socketio"]
    assert not channel.test_client(app).is_connected()
    joined = app.test_client()
    joined.get("/?join=key")
    assert channel.test_client(app, flask_test_client=joined).is_connected()
