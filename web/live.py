"""The live channel: every change is pushed to every tablet as the whole view."""

from typing import Any

from flask import Flask
from flask_socketio import SocketIO, emit

from companion.session import Session
from web.login import is_joined


def install(app: Flask, session: Session, token: str | None) -> SocketIO:
    """Socket.IO on `app`: event `view` to all on each change, and to a tablet when it comes or comes back."""
    live = SocketIO(app, async_mode="threading", ping_interval=5, ping_timeout=10)

    def connected(_auth: Any = None) -> bool:
        # Requests of the live channel do not pass Flask's before_request.
        if not is_joined(token):
            return False
        emit("view", session.view())
        return True

    live.on_event("connect", connected)
    session.subscribe(lambda view: live.emit("view", view))
    return live
