"""The shapes of the HTTP API: what goes in, what comes out, and how it says no."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.observations import DiceSeen, DieSeen, TokenSeen
from companion.session import Session
from tests.web.conftest import JPEG, see_throw


def post(client: FlaskClient, path: str, **body: Any) -> Any:
    return client.post(f"/api/{path}", json=body)


def version(client: FlaskClient) -> int:
    return int(client.get("/api/view").json["version"])


def act(client: FlaskClient, **action: Any) -> Any:
    return post(client, "act", version=version(client), action=action)


def test_the_view_is_what_the_session_shows(client: FlaskClient, playing: Session) -> None:
    shown = client.get("/api/view").json
    assert shown == json.loads(json.dumps(playing.view()))
    assert shown["phase"] == "play"
    assert [decision["player"] for decision in shown["decisions"]] == ["Ann"]


def test_the_board_has_forty_spaces_with_their_deeds(client: FlaskClient, playing: Session) -> None:
    board = client.get("/api/board").json
    assert [space["index"] for space in board["spaces"]] == list(range(40))
    assert board["spaces"][39]["name"] == "Boardwalk"
    assert board["spaces"][39]["rent"][-1] == 2000
    assert board["words"]["hotel"] == "hotel"


def test_the_catalog_lists_variants_with_their_options(client: FlaskClient) -> None:
    catalog = client.get("/api/catalog").json
    variants = {variant["name"]: variant for variant in catalog["variants"]}
    assert variants["classic"]["players"] == [2, 8]
    assert {"name", "values", "default", "help", "clause"} <= variants["classic"]["options"][0].keys()
    assert catalog["editions"]["vintage"]["title"] == "Vintage"


def test_an_action_goes_through_the_rules(client: FlaskClient, playing: Session) -> None:
    answer = act(client, roll=[1, 2], by="Ann")
    assert answer.status_code == 200
    assert [event["type"] for event in answer.json["result"]["events"]][:2] == ["rolled", "moved"]
    shown = client.get("/api/view").json
    assert answer.json["version"] == shown["version"]
    assert shown["snapshot"]["players"]["Ann"]["at"] == "baltic"
    assert shown["decisions"][0]["kind"] == "purchase"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("act", {"action": {"roll": [1, 2]}}),
        ("answer", {"question": "q1", "option": [4, 3]}),
        ("undo", {}),
        ("redo", {}),
        ("amend", {"entry": 1, "action": {"roll": [1, 2]}}),
        ("drop", {"entry": 1}),
        ("tick", {"line": "token-Ann"}),
        ("settings", {"reaction_s": 30}),
    ],
)
def test_every_change_carries_the_version_and_a_stale_one_is_told_so(
    client: FlaskClient, playing: Session, path: str, body: dict[str, Any]
) -> None:
    old = version(client)
    assert act(client, roll=[1, 2]).status_code == 200
    before = client.get("/api/view").json
    without = post(client, path, **body)
    assert (without.status_code, without.json["error"]) == (400, "malformed")
    stale = post(client, path, version=old, **body)
    assert (stale.status_code, stale.json["error"]) == (409, "stale")
    assert stale.json["message"].endswith(".")
    assert client.get("/api/view").json == before


def test_a_refusal_by_the_rules_comes_with_its_code_and_sentence(client: FlaskClient, playing: Session) -> None:
    answer = act(client, roll=[3, 4], by="Bob")
    assert answer.status_code == 400
    assert answer.json["error"] == "not_your_turn"
    assert "Ann" in answer.json["message"]


def test_the_time_for_reactions_is_a_setting_of_the_table(client: FlaskClient, playing: Session) -> None:
    assert post(client, "settings", version=version(client), reaction_s=30).status_code == 200
    assert client.get("/api/view").json["game"]["reaction_s"] == 30
    wrong = post(client, "settings", version=version(client), reaction_s=31)
    assert (wrong.status_code, wrong.json["error"]) == (400, "malformed")
    assert client.get("/api/view").json["game"]["reaction_s"] == 30


def test_whether_a_game_can_begin_is_told_in_a_sentence_before_it_does(client: FlaskClient) -> None:
    players = [{"name": name, "extra": {"class": "fighter"}} for name in ("Ann", "Bob", "Cat")]
    game = {"players": players, "variant": "dungeonopoly"}
    assert post(client, "setup/check", **game).status_code == 200
    teams = {"Red": ["Ann"], "Blue": ["Bob"]}
    refused = post(client, "setup/check", **game, options={"teams": teams})
    assert (refused.status_code, refused.json["error"]) == (400, "malformed")
    assert refused.json["message"] == "Cat is in no team: everybody is in a team, or nobody is."
    assert client.get("/api/view").json["phase"] == "setup"


def test_undo_and_redo_are_a_touch_each(client: FlaskClient, playing: Session) -> None:
    act(client, roll=[1, 2])
    post(client, "undo", version=version(client))
    assert client.get("/api/view").json["snapshot"]["players"]["Ann"]["at"] == "go"
    assert client.get("/api/view").json["can_redo"] is True
    post(client, "redo", version=version(client))
    assert client.get("/api/view").json["snapshot"]["players"]["Ann"]["at"] == "baltic"


def test_a_preview_tells_what_would_change_and_changes_nothing(client: FlaskClient, playing: Session) -> None:
    act(client, roll=[1, 2])
    now = version(client)
    [line] = client.get("/api/view").json["log"]
    body = {"version": now, "entry": line["entry"], "action": {"roll": [1, 3]}}
    preview = post(client, "amend", **body, preview=True).json
    assert any("Income Tax" in change for change in preview["result"]["changes"])
    assert version(client) == now
    assert client.get("/api/view").json["snapshot"]["players"]["Ann"]["at"] == "baltic"
    post(client, "amend", **body)
    assert client.get("/api/view").json["snapshot"]["players"]["Ann"]["at"] == "income-tax"


def test_a_line_can_be_dropped_and_what_hands_must_do_ticked_off(client: FlaskClient, playing: Session) -> None:
    act(client, roll=[1, 2])
    [line] = client.get("/api/view").json["log"]
    post(client, "drop", version=version(client), entry=line["entry"])
    [repair] = client.get("/api/view").json["repair"]
    assert repair["done"] is False
    post(client, "tick", version=version(client), line=repair["id"])
    assert client.get("/api/view").json["repair"][0]["done"] is True


def test_alternatives_and_why_are_asked_for_by_entry(client: FlaskClient, playing: Session) -> None:
    see_throw(playing, (1, 2), sure=0.98)
    [line] = client.get("/api/view").json["log"]
    alternatives = client.get(f"/api/alternatives?entry={line['entry']}").json["alternatives"]
    assert alternatives[0]["action"]["roll"] in ([1, 3], [2, 2])
    assert 0 < alternatives[0]["probability"] <= 1
    assert client.get(f"/api/why?entry={line['entry']}").json["clause"] == "CL-2.2"


def test_a_question_is_answered_by_one_of_its_options(client: FlaskClient, playing: Session) -> None:
    see_throw(playing, (1, 2), sure=0.55)
    playing.observe(TokenSeen(token="Ann", spaces={"boardwalk": 0.99}, t_ns=5))
    [question] = client.get("/api/view").json["questions"]
    option = question["options"][0]["option"]
    assert post(client, "answer", version=version(client), question=question["id"], option=option).status_code == 200
    shown = client.get("/api/view").json
    assert shown["log"][-1]["action"]["roll"] == option
    assert question["id"] not in [other["id"] for other in shown["questions"]]
    gone = post(client, "answer", version=version(client), question=question["id"], option=option)
    assert (gone.status_code, gone.json["error"]) == (409, "answered")


@pytest.mark.parametrize("throw", [1, 2])
def test_a_die_that_lies_tilted_is_said_to_and_thrown_again(client: FlaskClient, playing: Session, throw: int) -> None:
    playing.observe(DiceSeen(dice=(DieSeen(faces={1: 0.99}), DieSeen(faces={2: 0.99}, cocked=0.9)), throw=1, t_ns=1))
    [question] = client.get("/api/view").json["questions"]
    assert question["text"] == "A die lies tilted. 2, or throw again?"
    assert question["options"][-1]["label"] == "Throw again"
    again = question["options"][-1]["option"]
    assert post(client, "answer", version=version(client), question=question["id"], option=again).status_code == 200
    assert client.get("/api/view").json["questions"] == []
    # The camera may take it for the same throw, seen better, or for another.
    playing.observe(DiceSeen(dice=(DieSeen(faces={1: 0.99}), DieSeen(faces={3: 0.99})), throw=throw, t_ns=2))
    assert client.get("/api/view").json["log"][-1]["action"]["roll"] == [1, 3]


def test_the_evidence_of_a_line_comes_as_jpeg(client: FlaskClient, playing: Session) -> None:
    see_throw(playing, (1, 2))
    [line] = client.get("/api/view").json["log"]
    picture = client.get(f"/api/picture/{line['picture']}.jpg")
    assert (picture.data, picture.mimetype) == (JPEG, "image/jpeg")


ERRORS = [
    ("GET", "/api/nothing", None, 404, "not_found"),
    ("GET", "/api/act", None, 405, "wrong_method"),
    ("POST", "/api/act", "{", 400, "malformed"),
    ("POST", "/api/act", '{"version": "x", "action": {}}', 400, "malformed"),
    ("POST", "/api/act", '{"version": 0, "action": {}, "extra": 1}', 400, "malformed"),
    ("POST", "/api/act", '{"version": 0, "action": {"fly": true}}', 400, "malformed"),
    ("POST", "/api/act", "x" * 1_000_001, 413, "too_large"),
    ("GET", "/api/alternatives", None, 400, "malformed"),
    ("GET", "/api/why?entry=-1", None, 400, "malformed"),
    ("GET", "/api/alternatives?entry=100", None, 404, "unknown_entry"),
    ("GET", "/api/picture/none.jpg", None, 404, "unknown_picture"),
    ("GET", "/api/frame.jpg", None, 404, "no_camera"),
    ("GET", "/api/setup/empty.jpg", None, 404, "unknown_picture"),
    ("POST", "/api/setup/taps", '{"taps": [[1, 2]]}', 400, "malformed"),
    ("POST", "/api/setup/resume", '{"game": "zz"}', 404, "unknown_game"),
    ("POST", "/api/setup/start", '{"players": [{"name": "Ann"}]}', 400, "malformed"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), ERRORS)
def test_every_error_has_the_one_shape(
    client: FlaskClient, playing: Session, method: str, path: str, body: str | None, status: int, code: str
) -> None:
    answer = client.open(path, method=method, data=body, content_type="application/json")
    assert answer.json is not None
    assert (answer.status_code, answer.json["error"]) == (status, code)
    assert answer.json.keys() == {"error", "message"}
    assert answer.json["message"].strip().endswith(".")


def test_an_unforeseen_failure_is_logged_and_says_nothing_of_its_inside(
    client: FlaskClient, playing: Session, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Session) -> None:
        raise ZeroDivisionError("secret of the inside")

    monkeypatch.setattr(Session, "games", fail)
    answer = client.get("/api/setup/games")
    assert answer.status_code == 500
    assert answer.json is not None
    assert answer.json["error"] == "internal"
    assert "secret" not in answer.text
    assert "secret of the inside" in caplog.text


def test_without_a_game_there_is_nothing_to_act_on(client: FlaskClient) -> None:
    assert client.get("/api/view").json["phase"] == "setup"
    answer = post(client, "act", version=0, action={"roll": [1, 2]})
    assert (answer.status_code, answer.json["error"]) == (409, "no_game")
    assert client.get("/api/board").status_code == 409


def test_setup_goes_step_by_step_to_a_game(client: FlaskClient) -> None:
    assert post(client, "setup/camera", camera="virtual").json["camera"] == "virtual"
    frame = client.get("/api/frame.jpg")
    assert (frame.data, frame.headers["Cache-Control"]) == (JPEG, "no-store")
    assert post(client, "setup/empty").json["empty"] is True
    assert client.get("/api/setup/empty.jpg").data == JPEG
    taps = [[10.5, 20.0], [30.0, 20.0], [30.0, 5.0], [10.0, 5.0]]
    assert post(client, "setup/taps", taps=taps).json["taps"] == taps
    assert post(client, "setup/enrol", token="hat").json["enrolled"] == ["hat"]
    players = [{"name": "Ann", "token": "hat", "color": "red", "shape": "circle"}, {"name": "Bob"}]
    view = post(client, "setup/start", players=players, options={"rent": "demand"}, automation="bank").json
    assert view["phase"] == "play"
    assert view["players"][0] == {"name": "Ann", "token": "hat", "color": "red", "shape": "circle", "initial": "A"}
    assert view["game"]["automation"] == "bank"
    assert view["snapshot"]["options"]["rent"] == "demand"


def test_a_saved_game_can_be_gone_on_with(client: FlaskClient, playing: Session) -> None:
    act(client, roll=[1, 2])
    shown = client.get("/api/view").json
    playing.set_up({"players": [{"name": "Cat"}, {"name": "Dee"}]})
    games = client.get("/api/setup/games").json["games"]
    assert [game["players"] for game in games] == [["Cat", "Dee"], ["Ann", "Bob"]]
    resumed = post(client, "setup/resume", game=shown["game"]["id"]).json
    assert resumed["snapshot"] == shown["snapshot"]
