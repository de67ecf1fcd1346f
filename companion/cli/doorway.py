"""How a tablet finds the page: its address, a QR code to be photographed, and the server itself."""

import logging
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import segno

from companion.rules.errors import BoardsideError
from companion.session import Session
from web.app import create_app, serve
from web.login import join_token

#: Addresses that mean every network of this machine.
EVERYWHERE = ("0.0.0.0", "::", "")
WAITING = (
    "What the camera saw last could not be written yet: make room on the disk, and Boardside ends by itself. "
    "Ended once more, it ends at once, and that is lost."
)
LOST = "Boardside ends; the game is kept, but for what the camera saw last."
#: Tells that the terminal was closed; None where there is no such signal.
HANGUP: signal.Signals | None = getattr(signal, "SIGHUP", None)


class PortBusy(BoardsideError):
    """Something else answers on this port."""

    code = "port_busy"


@dataclass(frozen=True)
class Doorway:
    """Where the page is served.

    Attributes:
        port: 0 takes any free one.
        key: the token that the address carries; None leaves the door open.
        listener: where whoever calls before the page is served waits.
    """

    host: str
    port: int
    key: str | None
    listener: socket.socket | None = None

    @classmethod
    def at(cls, host: str, port: int, folder: Path, *, is_open: bool = False) -> "Doorway":
        """Takes the port, so that nobody else does before the page is served.

        Args:
            folder: keeps the token.
        Raises:
            PortBusy: it is taken, or this machine has no such address.
        """
        key = None if is_open else join_token(folder)
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError as error:
            listener.close()
            raise PortBusy(
                f"The page cannot be served on {host}:{port} ({error.strerror}); choose another --port."
            ) from error
        return cls(host, listener.getsockname()[1], key, listener)

    def close(self) -> None:
        """Gives the port back."""
        if self.listener is not None:
            self.listener.close()

    @property
    def address(self) -> str:
        """What a tablet in the same network opens."""
        host = own_address() if self.host in EVERYWHERE else self.host
        return self._url(host)

    @property
    def local_address(self) -> str:
        """What a browser on this computer opens."""
        return self._url("localhost" if self.host in EVERYWHERE else self.host)

    def _url(self, host: str) -> str:
        named = f"[{host}]" if ":" in host else host
        return f"http://{named}:{self.port}/" + (f"?join={self.key}" if self.key else "")

    def announce(self) -> None:
        """Prints the address and its QR code."""
        print(f"Boardside: {self.address}")
        if self.local_address != self.address:
            print(f"on this computer: {self.local_address}")
        print(flush=True)
        segno.make(self.address, error="l", micro=False).terminal(compact=True, border=2)
        print(flush=True)

    def serve(self, session: Session) -> None:
        """Serves until Ctrl-C, until the process is told to end or until its terminal is closed; what waits to be
        written is waited for then."""
        assert self.listener is not None, "a doorway that was only named"
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        signal.signal(signal.SIGTERM, _end)
        # Under `nohup` it stays ignored.
        if HANGUP and signal.getsignal(HANGUP) == signal.SIG_DFL:
            signal.signal(HANGUP, _hang_up)
        # The server takes an interruption as its end; it may come before or after.
        with suppress(KeyboardInterrupt):
            app = create_app(session, self.key)
            with suppress(KeyboardInterrupt):
                serve(app, self.listener)
            if not session.end():
                # Whoever reads this and closes the window does not mean what is lost by that.
                if HANGUP:
                    signal.signal(HANGUP, signal.SIG_IGN)
                _say(WAITING)
                serve(app, self.listener, until=lambda: not session.waits)
        _say(LOST if session.waits else "Boardside ends; the game is kept.")


def _say(sentence: str) -> None:
    """Prints it where there is still a terminal to read it in."""
    with suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _hang_up(number: int, frame: FrameType | None) -> None:
    """Both the system and the shell may tell that one terminal was closed: only the first of them counts."""
    signal.signal(number, signal.SIG_IGN)
    _end(number, frame)


def own_address() -> str:
    """This machine's address in the network that leads outside; `localhost` without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only picks the way out. (TEST-NET-1, RFC 5737.)
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])
