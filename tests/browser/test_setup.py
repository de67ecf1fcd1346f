"""A new table is set up on the page, from the names of the players to the first look at the board."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import expect

from calibration.profile import Profile
from tests.browser.conftest import START_S, Start, Tablet
from tests.network_camera import NetworkCamera, network_camera
from vision.virtual.profiles import CalibrationPictures, calibration_pictures
from vision.virtual.render import Renderer
from vision.virtual.scene import Moment, TableStyle
from vision.virtual.setting import Setting

Image = NDArray[np.uint8]

#: The boot stands for the Cop.
STYLE = TableStyle.random(3, ["hat", "car", "boot"])
#: Side of the label in a picture's corner, px, and gray levels between the labels of two pictures.
LABEL_PX, LABEL_STEP = 32, 40


@pytest.fixture(scope="module")
def pictures() -> CalibrationPictures:
    return calibration_pictures(STYLE)


@pytest.fixture
def camera() -> Iterator[NetworkCamera]:
    with network_camera() as camera:
        yield camera


def both_on_go() -> Image:
    setting = Setting(STYLE, np.random.default_rng(1))
    for token in ("hat", "car"):
        setting.put_token(token, 0)
    return Renderer(STYLE).render(setting.scene(), Moment(noise_seed=9))


class Newcomer:
    """Somebody who sets a table up for the first time, before a camera that shows what it is told to."""

    def __init__(self, tablet: Tablet, camera: NetworkCamera) -> None:
        self.tablet = tablet
        self.page = tablet.page
        self.address = tablet.page.url
        self._camera = camera
        self._pictures = 0

    def show(self, image: Image) -> None:
        """The table changes; a gray label in the corner tells the picture from the one before."""
        self._pictures += 1
        labelled = image.copy()
        labelled[:LABEL_PX, :LABEL_PX] = LABEL_STEP * self._pictures
        self._camera.show(labelled)

    def wait(self) -> None:
        """Until the program sees the newest picture."""
        for _ in range(START_S * 5):
            answer = self.page.request.get(f"{self.address}api/frame.jpg")
            if answer.ok:
                seen = cv2.imdecode(np.frombuffer(answer.body(), np.uint8), cv2.IMREAD_GRAYSCALE)
                label = float(seen[: LABEL_PX // 2, : LABEL_PX // 2].mean())
                if abs(label - LABEL_STEP * self._pictures) < LABEL_STEP / 4:
                    return
            self.page.wait_for_timeout(200)
        raise AssertionError("the camera's picture never came")

    def touch_corners(self, corners_px: NDArray[np.float64]) -> None:
        image = self.page.get_by_role("img", name="The empty board")
        image.evaluate("(image) => image.decode()")
        for name, (x, y) in zip(("GO", "Jail", "Free Parking", "Go To Jail"), corners_px, strict=True):
            expect(self.page.get_by_role("heading", level=2)).to_have_text(f"Touch the outer corner of {name}")
            box = image.bounding_box()
            assert box is not None
            scale = box["width"] / STYLE.camera.size[0]
            self.page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)


def test_a_camera_is_chosen_the_corners_touched_and_the_tokens_shown(
    start: Start,
    tablet: Callable[..., Tablet],
    camera: NetworkCamera,
    pictures: CalibrationPictures,
    tmp_path: Path,
) -> None:
    page = tablet(start("play", "--open", "--tower", "none"))
    someone = Newcomer(page, camera)
    heading = page.page.get_by_role("heading", level=2)
    for place, name in enumerate(("Ann", "Bob"), 1):
        page.page.get_by_label(f"Name of player {place}").fill(name)
    page.button("Next").click()
    page.page.locator('[data-variant="slaughterhouse"]').click()
    page.button("Next").click()

    someone.show(pictures.empty_bgr)
    page.page.get_by_label("Address of a camera in the network").fill(camera.address)
    page.button("Use it").click()
    someone.wait()
    page.button("Next").click()
    expect(heading).to_have_text("Clear the board")
    page.button("Take this picture").click()
    corners = STYLE.camera.project(STYLE.geometry.corners())
    # The board is found; whoever knows better touches its corners.
    expect(heading).to_have_text("Do the four corners sit right?")
    found = page.page.request.get(f"{someone.address}api/setup").json()["taps"]
    assert np.asarray(found) == pytest.approx(corners, abs=6)
    page.button("Corners again").click()
    someone.touch_corners(corners)
    expect(heading).to_have_text("Do the four corners sit right?")
    page.button("Next").click()

    expect(heading).to_have_text("Put Ann’s hat on GO, alone")
    page.button("It stands there").click()
    expect(page.page.get_by_text("No token stands on GO in the picture of “hat”")).to_be_visible()
    for token, figure in (("hat", "hat"), ("car", "car"), ("cop", "boot")):
        if token == "cop":
            expect(heading).to_have_text("Put the Cop on GO, alone")
            expect(page.page.get_by_text("Any figure will do.")).to_be_visible()
        if token == "car":
            page.button("It stands there").click()
            expect(page.page.get_by_text("“car” and “hat” show the same token")).to_be_visible()
        someone.show(pictures.enrol[figure])
        someone.wait()
        page.button("It stands there").click()
        expect(page.page.locator(f'[data-token="{token}"]')).to_contain_text("known")
    expect(heading).to_have_text("All tokens are known")
    page.button("Next").click()
    someone.show(both_on_go())
    page.button("Start the game").click()
    page.shows("Ann begins.")
    expect(page.part("light")).to_have_attribute("data-state", "well")

    saved = Profile.load("table", tmp_path / "data" / "profiles")
    assert sorted(saved.enrol_jpeg) == ["car", "cop", "hat"]
    assert np.asarray(saved.taps) == pytest.approx(corners, abs=3)
