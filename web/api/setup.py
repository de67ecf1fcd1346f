"""Set-up: camera, corners, tokens, players, and the games that can be gone on with."""

import msgspec
from flask import Blueprint, Response, jsonify

from companion.session import Session
from web.bodies import CameraRequest, EnrolRequest, ResumeRequest, StartRequest, TapsRequest, TrayRequest, read
from web.errors import WebError


def setup_api(session: Session) -> Blueprint:
    """`/api/setup` and `/api/setup/…`."""
    api = Blueprint("setup", __name__, url_prefix="/setup")

    @api.get("")
    def state() -> Response:
        return jsonify(session.setup())

    @api.get("/games")
    def games() -> Response:
        return jsonify(games=session.games())

    @api.post("/resume")
    def resume() -> Response:
        session.resume(read(ResumeRequest).game)
        return jsonify(session.view())

    @api.post("/camera")
    def camera() -> Response:
        session.use_camera(read(CameraRequest).camera)
        return jsonify(session.setup())

    @api.post("/tray")
    def tray() -> Response:
        session.use_tray(read(TrayRequest).tray)
        return jsonify(session.setup())

    @api.post("/empty")
    def empty() -> Response:
        session.take_empty()
        return jsonify(session.setup())

    @api.get("/empty.jpg")
    def empty_picture() -> Response:
        jpeg = session.empty_picture()
        if jpeg is None:
            raise WebError("unknown_picture", "The empty board has not been pictured yet.")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @api.post("/taps")
    def taps() -> Response:
        session.use_taps([(x, y) for x, y in read(TapsRequest).taps])
        return jsonify(session.setup())

    @api.post("/enrol")
    def enrol() -> Response:
        shown = read(EnrolRequest)
        session.enrol(shown.token, shown.among)
        return jsonify(session.setup())

    @api.post("/check")
    def check() -> Response:
        session.check(msgspec.to_builtins(read(StartRequest)))
        return jsonify(session.setup())

    @api.post("/start")
    def start() -> Response:
        session.set_up(msgspec.to_builtins(read(StartRequest)))
        return jsonify(session.view())

    return api
