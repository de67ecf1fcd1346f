"""The one shape in which errors leave the web face: `{"error": code, "message": sentence}`."""

import logging

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from companion.rules.errors import BoardsideError

log = logging.getLogger(__name__)

#: HTTP status of an error code; what is not named here is 400.
STATUS: dict[str, int] = {
    "stale": 409,
    "no_game": 409,
    "answered": 409,
    "join_first": 401,
    "unknown_picture": 404,
    "unknown_entry": 404,
    "unknown_game": 404,
    "no_camera": 404,
}

#: Sentences for what the web server itself turns down, by HTTP status.
SENTENCES: dict[int, tuple[str, str]] = {
    404: ("not_found", "There is nothing at this address."),
    405: ("wrong_method", "This address is not asked in this way."),
    413: ("too_large", "That is more than fits in one request."),
}


class WebError(BoardsideError):
    """A request that cannot be served: malformed, not logged in, or too early."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, code)


def answer(error: BoardsideError) -> tuple[Response, int]:
    return jsonify(error.as_json()), STATUS.get(error.code, 400)


def install(app: Flask) -> None:
    """Makes every failure of `app` leave in the one shape; only what nobody foresaw is logged with its traceback."""
    app.register_error_handler(BoardsideError, answer)

    @app.errorhandler(HTTPException)
    def of_the_server(error: HTTPException) -> tuple[Response, int]:
        status = error.code or 500
        code, message = SENTENCES.get(status, ("malformed", error.description or "The request cannot be read."))
        return jsonify(error=code, message=message), status

    @app.errorhandler(Exception)
    def unforeseen(error: Exception) -> tuple[Response, int]:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        sentence = "Something went wrong inside Boardside. The game is safe; the program's log says more."
        return jsonify(error="internal", message=sentence), 500
