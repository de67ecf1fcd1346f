"""Who may look: everybody who came by the printed address or its QR code, nobody else on the network.

The address carries a token; the first visit turns it into a cookie, and everything but the
joining itself, camera pictures included, wants that cookie.
"""

import hmac
import os
import secrets
from pathlib import Path

from flask import Flask, Response, redirect, request

from web.errors import WebError

COOKIE = "boardside_join"
#: A season of evenings; the token itself is what counts.
COOKIE_AGE_S = 180 * 24 * 3600

DOOR = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Boardside</title><body style="font: 22px/1.5 system-ui; max-width: 30em; margin: 20vh auto; padding: 0 1em">
<p>{sentence}</p>
"""


def join_token(folder: Path) -> str:
    """The token of this machine, made on first use and kept in `folder`, so that tablets stay joined over restarts."""
    path = folder / "join_token"
    if path.exists() and (kept := path.read_text(encoding="ascii").strip()):
        return kept
    folder.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(9)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token)
    return token


def is_joined(token: str | None) -> bool:
    """Whether the current request may be served; None as `token` means that no login was asked for."""
    return token is None or hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), token.encode())


def install(app: Flask, token: str | None) -> None:
    """Puts everything that `app` serves behind `token`."""

    @app.before_request
    def only_who_joined() -> Response | None:
        if token is None:
            return None
        offered = request.args.get("join")
        if offered is not None and hmac.compare_digest(offered.encode(), token.encode()):
            # Away from the address with the token in it: it does not stay in the history of the browser.
            welcome = Response(redirect(request.path).get_data(), 303, {"Location": request.path})
            welcome.set_cookie(COOKIE, token, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
            return welcome
        if is_joined(token):
            return None
        sentence = "Open Boardside by the address or the QR code that it printed: that is the key to this table."
        if request.path.startswith("/api/"):
            raise WebError("join_first", sentence)
        return Response(DOOR.format(sentence=sentence), 401, mimetype="text/html")
