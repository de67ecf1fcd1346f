"""The server's own end: who was let in is still answered."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: A server that is interrupted just after a connection was handed to a thread of its own, as it may be at any time.
PROGRAM = """
import signal, socket, threading
from flask import Flask
from werkzeug.serving import ThreadedWSGIServer
from web.app import serve

# A background job's interruptions are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
handed = threading.Event()
let_in = ThreadedWSGIServer.process_request

def interrupted(server, request, address):
    let_in(server, request, address)
    handed.set()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

ThreadedWSGIServer.process_request = interrupted
app = Flask("greeting")
app.get("/")(lambda: "welcome")
listener = socket.create_server(("127.0.0.1", 0))

def call():
    with socket.create_connection(listener.getsockname()) as tablet:
        handed.wait()
        over.wait(1)
        tablet.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
        answer = tablet.makefile("rb").read()
    print(answer.splitlines()[-1].decode() if answer else "nothing")

over = threading.Event()
calling = threading.Thread(target=call)
calling.start()
serve(app, listener)
over.set()
calling.join()
"""


def test_a_server_that_ends_still_answers_whom_it_let_in() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.stdout == "welcome\n", ended.stderr
    assert "Traceback" not in ended.stderr
