"""The live channel: every change is pushed to every tablet as the whole view."""

import logging
from typing import Any

from engineio.exceptions import SocketIsClosedError
from flask import Flask
from flask_socketio import SocketIO, emit

from companion.session import Session
from web.login import is_joined

log = logging.getLogger(__name__)

#: More than tablets leave at one time.
MOST_ATTEMPTS = 10


def install(app: Flask, session: Session, token: str | None) -> SocketIO:
    """Socket.IO on `app`: event `view` to all on each change, and to a tablet when it comes or comes back."""
    live = SocketIO(app, async_mode="threading", ping_interval=5, ping_timeout=10)

    def connected(_auth: Any = None) -> bool:
        # Requests of the live channel do not pass Flask's before_request.
        if not is_joined(token):
            return False
        emit("view", session.view())
        return True

    def push(view: dict[str, Any]) -> None:
        # A tablet that leaves at this very moment ends the round before all have been told; it is not asked again.
        for _ in range(MOST_ATTEMPTS):
            try:
                live.emit("view", view)
            except (SocketIsClosedError, KeyError):
                continue
            return
        log.warning("a view was not pushed to every tablet")

    live.on_event("connect", connected)
    session.subscribe(push)
    return live
