"""Everything, pictures included, is behind the key in the printed address."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.session import Session
from web.app import create_app
from web.login import join_token


@pytest.fixture
def tablet(playing: Session) -> FlaskClient:
    return create_app(playing, join="key").test_client()


@pytest.mark.parametrize("path", ["/api/view", "/api/frame.jpg", "/api/picture/p1.jpg", "/api/setup"])
def test_strangers_see_nothing(tablet: FlaskClient, path: str) -> None:
    answer = tablet.get(path)
    assert answer.status_code == 401
    assert answer.json["error"] == "join_first"


def test_strangers_are_told_at_the_door_how_to_come_in(tablet: FlaskClient) -> None:
    answer = tablet.get("/")
    assert answer.status_code == 401
    assert "QR code" in answer.text


def test_the_printed_address_opens_the_door_for_good_and_leaves_the_key_out_of_the_address(tablet: FlaskClient) -> None:
    welcome = tablet.get("/?join=key")
    assert (welcome.status_code, welcome.headers["Location"]) == (303, "/")
    assert "HttpOnly" in welcome.headers["Set-Cookie"]
    assert tablet.get("/api/view").status_code == 200


@pytest.mark.parametrize("wrong", ["", "kez", "schlüssel"])
def test_a_wrong_key_opens_nothing(tablet: FlaskClient, wrong: str) -> None:
    assert tablet.get("/", query_string={"join": wrong}).status_code == 401
    assert tablet.get("/api/view").status_code == 401


def test_without_a_key_the_door_is_open(playing: Session) -> None:
    assert create_app(playing).test_client().get("/api/view").status_code == 200


def test_the_key_stays_the_same_over_restarts_and_is_the_owners_alone(tmp_path: Path) -> None:
    first = join_token(tmp_path / "kept")
    assert join_token(tmp_path / "kept") == first
    assert len(first) >= 12
    assert (tmp_path / "kept" / "join_token").stat().st_mode & 0o077 == 0
    assert join_token(tmp_path / "other") != first
