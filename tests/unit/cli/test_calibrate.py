"""Pictures that `boardside calibrate --camera` takes."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import CalibrationError
from companion.cli import calibrate
from companion.cli.calibrate import settled_picture
from tests.network_camera import network_camera
from tests.unit.vision_live.helpers import noisy_table


def test_a_camera_is_waited_for_and_its_frames_laid_upon_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "_SETTLE_S", 1.0)
    rng = np.random.default_rng(0)
    with network_camera(0.05) as camera:
        camera.show(noisy_table(rng, 8.0))
        wait = camera.wait

        def wait_for_the_next() -> bool:
            camera.show(noisy_table(rng, 8.0))
            return wait()

        monkeypatch.setattr(camera, "wait", wait_for_the_next)
        picture = settled_picture(camera.address)
    one = cv2.imdecode(np.frombuffer(camera.jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture[310:, 510:].std() < 0.7 * one[310:, 510:].std()


def test_of_a_folder_the_first_picture_is_taken(tmp_path: Path) -> None:
    for index in range(3):
        cv2.imwrite(str(tmp_path / f"p{index}.png"), np.full((90, 160, 3), 60 * index + 60, np.uint8))
    assert settled_picture(str(tmp_path)).mean() == pytest.approx(60)


def test_what_has_no_picture_is_refused_in_a_sentence() -> None:
    with pytest.raises(CalibrationError, match="There is no picture from no camera"):
        settled_picture("none")
