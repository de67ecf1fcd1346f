"""A real program in a process of its own, and real browsers before it."""

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from werkzeug.serving import make_server

from companion.journal import Journal
from companion.observations import DiceSeen, DieSeen, Picture, SightSeen, TokenSeen
from companion.session import Session
from web import build_page
from web.app import create_app

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

ROOT = Path(__file__).resolve().parents[2]
#: Longer than anything takes, on however busy a machine.
START_S = 180
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One browser at a time: all of these run in one worker."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def built_page() -> None:
    """The page of this very checkout, never an older one."""
    try:
        build_page.build(ROOT)
    except build_page.ToolsMissing as missing:
        pytest.skip(f"the page is not built of these sources: {missing}")
    except build_page.BuildFailed as failed:
        pytest.fail(f"the page cannot be built of these sources: {failed}", pytrace=False)


@pytest.fixture(scope="session")
def browser(built_page: None) -> Iterator["playwright.Browser"]:
    playwright.expect.set_options(timeout=START_S * 1000)
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    with playwright.sync_playwright() as started:
        if path is None and not Path(started.chromium.executable_path).exists():
            pytest.skip("no Chromium on this machine")
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"], timeout=START_S * 1000)
        yield browser
        browser.close()


class Program:
    """`boardside …` with its page on a free port; what it prints is kept."""

    def __init__(self, *arguments: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "companion", *arguments, "--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        self.printed: list[str] = []
        self._ready = threading.Event()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        self._ready.wait(START_S)
        found = re.search(r"http://\S+", "".join(self.printed))
        if found is None:
            self.stop()
            pytest.fail("the program printed no address:\n" + "".join(self.printed))
        self.address = found[0]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line)
            if "http://" in line:
                self._ready.set()
        self._ready.set()

    @property
    def port(self) -> int:
        return int(re.search(r":(\d+)", self.address.removeprefix("http:"))[1])  # type: ignore[index]

    def kill(self) -> None:
        """As a pulled plug does."""
        self.process.kill()
        self._finish()

    def stop(self) -> None:
        self.process.terminate()
        self._finish()

    def _finish(self) -> None:
        self.process.wait(START_S)
        self._reading.join(START_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


Start = Callable[..., Program]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `boardside` with a data folder of the test's own."""
    running: list[Program] = []

    def start(*arguments: str, port: int = 0) -> Program:
        running.append(Program(*arguments, "--data-dir", str(tmp_path / "data"), port=port))
        return running[-1]

    yield start
    for program in running:
        if program.process.poll() is None:
            program.stop()
        assert "Traceback" not in "".join(program.printed), "".join(program.printed)


TABLET = {"width": 1280, "height": 800}


class Tablet:
    """One browser before the page; an error in its script or a drawing fails the test at its end."""

    def __init__(self, browser: "playwright.Browser", address: str, size: dict[str, int] | None = None) -> None:
        self.context = browser.new_context(viewport=size or TABLET, reduced_motion="reduce")
        self.context.set_default_timeout(START_S * 1000)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._listen)
        self.page.goto(address)

    def _listen(self, message: "playwright.ConsoleMessage") -> None:
        if message.type == "error" and message.text.startswith("Error: <"):
            self.faults.append(message.text)

    def part(self, name: str) -> "playwright.Locator":
        return self.page.locator(f'[data-part="{name}"]')

    def button(self, name: str, exact: bool = True) -> "playwright.Locator":
        return self.page.get_by_role("button", name=name, exact=exact)

    def count_taps(self) -> None:
        """From now on; `taps` tells how many there were."""
        self.page.evaluate("() => { window.taps = 0; addEventListener('click', () => { window.taps += 1; }, true); }")

    @property
    def taps(self) -> int:
        return int(self.page.evaluate("window.taps"))

    def throw(self, *faces: int) -> None:
        """Taps the dice in, by hand."""
        decision = self.page.locator('.decision[data-kind="roll"], .decision[data-kind="jail"]').first
        for die, face in enumerate(faces, 1):
            decision.get_by_role("button", name=f"Die {die}: {face}", exact=True).click()

    def space_of(self, player: str) -> str:
        """Where the book has a player, by the API the page itself asks."""
        return str(self.view()["snapshot"]["players"][player]["at"])

    def view(self) -> dict:  # type: ignore[type-arg]
        return dict(self.page.request.get(self.page.url.split("?")[0] + "api/view").json())

    def shows(self, text: str) -> None:
        """Waits until NOW says `text`."""
        playwright.expect(self.part("now")).to_contain_text(text)


@pytest.fixture
def tablet(browser: "playwright.Browser") -> Iterator[Callable[..., Tablet]]:
    """Opens the page as a tablet of its own."""
    opened: list[Tablet] = []

    def open_tablet(program: Program, **more: object) -> Tablet:
        opened.append(Tablet(browser, program.address, **more))  # type: ignore[arg-type]
        return opened[-1]

    yield open_tablet
    faults = [fault for one in opened for fault in one.faults]
    for one in opened:
        one.context.close()
    assert not faults, faults


class House:
    """A table in this process, so that a test can be its camera."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._server = make_server("127.0.0.1", 0, create_app(session), threaded=True)
        self._serving = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._serving.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        self._throws = 0

    def close(self) -> None:
        self._server.shutdown()
        self._serving.join(10)
        self._server.server_close()

    def see_throw(self, *faces: dict[int, float], thrown: float = 1.0) -> None:
        self._throws += 1
        picture = f"throw-{self._throws}"
        is_written, jpeg = cv2.imencode(".jpg", np.full((120, 160, 3), 90, np.uint8))
        assert is_written
        self.session.take_picture(Picture(id=picture, jpeg=jpeg.tobytes()))
        dice = tuple(DieSeen(faces=each) for each in faces)
        number = self._throws
        self.session.observe(DiceSeen(dice=dice, picture=picture, throw=number, thrown=thrown, t_ns=number))

    def see_token(self, player: str, space: str) -> None:
        self.session.observe(TokenSeen(token=player, spaces={space: 0.99}, t_ns=self._throws))

    def sight(self, state: str, word: str = "") -> None:
        self.session.observe(SightSeen(state=state, word=word, confidence=0.9))  # type: ignore[arg-type]


@pytest.fixture
def house() -> Iterator[House]:
    journal = Journal.in_memory()
    session = Session(journal)
    session.set_up({"players": [{"name": "Ann"}, {"name": "Bob"}]})
    house = House(session)
    yield house
    house.close()
    session.close()
    journal.close()


#: Throws that the virtual table plays while the other browser tests run.
THROWS = 10


@pytest.fixture(scope="session", autouse=True)
def virtual(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tablet | None]:
    """A tablet beside `boardside demo`, from before the first test on: hands take their time.

    None when no test asks for it.
    """
    if not any("virtual" in item.path.name for item in request.session.items):
        yield None
        return
    browser = request.getfixturevalue("browser")
    data = tmp_path_factory.mktemp("virtual")
    game = ("demo", "--open", "--seed", "3", "--players", "2", "--turns", str(THROWS))
    program = Program(*game, "--data-dir", str(data))
    tablet = Tablet(browser, program.address)
    yield tablet
    tablet.context.close()
    program.stop()
