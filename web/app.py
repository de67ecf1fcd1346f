"""The web face: an API over the session, a live channel, and the page."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint, Flask, Response, send_from_directory
from werkzeug.serving import make_server

from companion.session import Session
from web import errors, live, login
from web.api.pictures import pictures_api
from web.api.play import play_api
from web.api.setup import setup_api

#: Between two looks at whether there is still need to serve; and the longest that a server takes to end.
_LOOK_S, _END_S = 0.5, 5.0
PAGE = Path(__file__).parent / "static" / "app"

UNBUILT = """<!doctype html><meta charset="utf-8"><title>Boardside</title>
<body style="font: 22px/1.5 system-ui; max-width: 34em; margin: 3em auto; padding: 0 1em">
<h1>The page has not been built</h1>
<p>Everything else is running: the API answers under <code>/api</code>.
The page itself is made when the package is installed (<code>pip install .</code>), or by
<code>python web/build_page.py</code> in a checkout.</p>
"""


def create_app(session: Session, join: str | None = None) -> Flask:
    """The Flask application over `session`.

    Args:
        join: the token that everybody has to bring along (`login.join_token`); None leaves the doors open.
    Returns:
        The application; its live channel is `app.extensions["socketio"]`.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 1_000_000
    errors.install(app)
    login.install(app, join)
    api = Blueprint("api", __name__, url_prefix="/api")
    for part in (play_api(session), pictures_api(session), setup_api(session)):
        api.register_blueprint(part)
    app.register_blueprint(api)
    live.install(app, session, join)
    _serve_page(app)
    return app


def _serve_page(app: Flask) -> None:
    @app.get("/")
    def page() -> Response:
        if not (PAGE / "index.html").exists():
            return Response(UNBUILT, mimetype="text/html")
        answer = send_from_directory(PAGE, "index.html")
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    @app.get("/assets/<path:name>")
    def asset(name: str) -> Response:
        # The names of built files carry a hash of their content.
        return send_from_directory(PAGE / "assets", name, max_age=31_536_000)


def serve(app: Flask, listener: socket.socket, until: Callable[[], bool] = lambda: False) -> None:
    """Serves until it is interrupted, or there is no more need to.

    Args:
        listener: on which tablets call; it listens already, and may be served again.
        until: asked twice a second.
    """
    host, port = listener.getsockname()[:2]
    # One household's tablets, not the internet: Werkzeug's threaded server is enough, and it needs no build.
    server = make_server(host, port, app, threaded=True, fd=listener.fileno())
    over, ended = threading.Event(), threading.Event()

    def end_if_over() -> None:
        if over.is_set():
            raise KeyboardInterrupt  # as the server takes its end from outside

    def run() -> None:
        try:
            server.serve_forever()
        finally:
            ended.set()

    server.service_actions = end_if_over  # type: ignore[method-assign]
    # An interruption reaches the main thread wherever it is: there it only waits, and closes no connection that
    # another thread still reads.
    try:
        threading.Thread(target=run, name="page", daemon=True).start()
        while not until() and not ended.wait(_LOOK_S):
            pass
    except KeyboardInterrupt:
        pass
    finally:
        over.set()
        # It may have been interrupted before it began.
        ended.wait(_END_S)
