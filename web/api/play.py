"""The game itself: its view, actions, answers and corrections."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.rules import catalog
from companion.rules_page import described, rules_in_play
from companion.session import Session
from companion.table import Table
from web.bodies import (
    ActRequest,
    AmendRequest,
    AnswerRequest,
    DropRequest,
    SettingsRequest,
    TickRequest,
    UndoRequest,
    entry_argument,
    game_argument,
    read,
)
from web.errors import WebError


def play_api(session: Session) -> Blueprint:
    """`/api/view`, `/api/board`, `/api/act` and what else changes or explains the running game."""
    api = Blueprint("play", __name__)

    def table() -> Table:
        if session.table is None:
            raise WebError("no_game", "No game has been started yet.")
        return session.table

    @api.get("/view")
    def view() -> Response:
        return jsonify(session.view())

    @api.get("/catalog")
    def choices() -> Response:
        return jsonify(variants=[described(variant) for variant in catalog.variants()], editions=catalog.editions())

    @api.post("/act")
    def act() -> Response:
        body = read(ActRequest)
        return done(table().act(body.action, version=body.version))

    @api.post("/answer")
    def answer() -> Response:
        body = read(AnswerRequest)
        return done(table().answer(body.question, body.option, version=body.version))

    @api.post("/undo")
    def undo() -> Response:
        return done(table().undo(version=read(UndoRequest).version))

    @api.post("/redo")
    def redo() -> Response:
        return done(table().redo(version=read(UndoRequest).version))

    @api.post("/amend")
    def amend() -> Response:
        body = read(AmendRequest)
        return done(table().amend(body.entry, body.action, version=body.version, preview=body.preview))

    @api.post("/drop")
    def drop() -> Response:
        body = read(DropRequest)
        return done(table().drop(body.entry, version=body.version, preview=body.preview))

    @api.post("/tick")
    def tick() -> Response:
        body = read(TickRequest)
        return done(table().tick(body.line, version=body.version))

    @api.post("/settings")
    def settings() -> Response:
        body = read(SettingsRequest)
        table()
        session.use_patience(body.reaction_s, body.version)
        return done({})

    @api.get("/board")
    def board() -> Response:
        return jsonify(table().board())

    @api.get("/rules")
    def rules() -> Response:
        if "variant" in request.args:
            return jsonify(rules_in_play(*game_argument()))
        table()
        shown = session.view()
        game, players = shown["game"], shown["snapshot"]["players"]
        return jsonify(rules_in_play(game["variant"], game["edition"], game["options"], players))

    @api.get("/alternatives")
    def alternatives() -> Response:
        return jsonify(alternatives=table().alternatives(entry_argument()))

    @api.get("/why")
    def why() -> Response:
        return jsonify(table().why(entry_argument()))

    def done(result: Any) -> Response:
        """What came of it (the preview of a correction), and the version that the page will see pushed."""
        return jsonify(result=result, version=session.view()["version"])

    return api
