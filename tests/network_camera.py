"""A camera in the network whose plug can be pulled."""

import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

FRAME_PAUSE_S = 0.1
BOUNDARY = "frame"


class NetworkCamera:
    """Serves a picture as motion JPEG.

    Args:
        pause_s: from one frame to the next.

    Attributes:
        jpeg: what it sees; None while the plug is pulled.
        flows: unset, the stream stands still in the middle of a frame.
    """

    def __init__(self, pause_s: float = FRAME_PAUSE_S) -> None:
        self._pause_s = pause_s
        self.jpeg: bytes | None = None
        self.flows = threading.Event()
        self.flows.set()
        self._is_over = threading.Event()

        class Handler(_Handler):
            camera = self

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/camera.mjpg"

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        self.jpeg = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()

    def wait(self) -> bool:
        """Until the next frame is due; True at the end."""
        return self._is_over.wait(self._pause_s)

    def close(self) -> None:
        self._is_over.set()
        self.flows.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    camera: ClassVar[NetworkCamera]

    def do_GET(self) -> None:
        if self.camera.jpeg is None:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        self.end_headers()
        try:
            while (jpeg := self.camera.jpeg) is not None and not self.camera.wait():
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg[: len(jpeg) // 2])
                self.camera.flows.wait()
                self.wfile.write(jpeg[len(jpeg) // 2 :] + b"\r\n")
        except OSError:
            return

    def log_message(self, *_: object) -> None: ...


@contextmanager
def camera_elsewhere(image_bgr: NDArray[np.uint8], pause_s: float) -> Iterator[str]:
    """The address of such a camera in a process of its own, of which the time is not this one's."""
    address: multiprocessing.Queue[str] = multiprocessing.Queue()
    process = multiprocessing.Process(target=_serve, args=(image_bgr, pause_s, address), daemon=True)
    process.start()
    try:
        yield address.get(timeout=30)
    finally:
        process.terminate()
        process.join()


def _serve(image_bgr: NDArray[np.uint8], pause_s: float, address: "multiprocessing.Queue[str]") -> None:
    with network_camera(pause_s) as camera:
        camera.show(image_bgr)
        address.put(camera.address)
        threading.Event().wait()


@contextmanager
def network_camera(pause_s: float = FRAME_PAUSE_S) -> Iterator[NetworkCamera]:
    camera = NetworkCamera(pause_s)
    try:
        yield camera
    finally:
        camera.close()
