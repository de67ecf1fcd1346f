"""What colors a thing shows is told whatever its shape, its turn and the ground under it."""

import cv2
import numpy as np
import pytest

from vision.pieces.tints import are_blue, tints_of
from vision.pixels import Image

GROUND, RED, GREEN = (225, 235, 240), (40, 40, 200), (60, 130, 50)
BLUE, GRAY, WARM = (190, 90, 35), (150, 145, 140), (0.7, 1.0, 1.15)
Color = tuple[int, int, int]


def crop(color: Color, turn: float = 0.0, ground: Color = GROUND, light: float = 1.0) -> Image:
    """A block on the board, with its shadow, and beside it the empty board."""
    under = np.full((48, 48, 3), ground, np.uint8)
    now = under.copy()
    cv2.ellipse(now, (30, 30), (9, 5), 20, 0, 360, [v * 0.6 for v in ground], cv2.FILLED)
    box = cv2.boxPoints(((24, 27), (13, 20), turn)).astype(np.int32)
    cv2.fillPoly(now, [box], color)
    return np.asarray(np.clip(np.hstack([now, under]) * light, 0, 255), np.uint8)


def alike(one: Image, other: Image) -> float:
    tints = tints_of(np.stack([one, other]))
    return float(tints[0] @ tints[1])


@pytest.mark.parametrize("other", [crop(RED, 70), crop(RED, ground=(150, 170, 180)), crop(RED, light=0.7)])
def test_the_same_color_is_known_turned_on_another_ground_and_in_less_light(other: Image) -> None:
    assert alike(crop(RED), other) > 0.8
    assert alike(crop(GREEN), other) < 0.5


def test_the_very_same_look_is_wholly_alike() -> None:
    assert alike(crop(RED), crop(RED)) == pytest.approx(1, abs=1e-5)


def test_crops_are_told_apart_together_as_alone() -> None:
    crops = np.stack([crop(RED), crop(GREEN), crop(RED, 40)])
    alone = np.concatenate([tints_of(each[None]) for each in crops])
    assert np.allclose(tints_of(crops), alone, atol=1e-6)
    assert len(tints_of(crops[:0])) == 0


def test_nothing_is_like_what_shows_nothing() -> None:
    empty = np.full((48, 96, 3), 200, np.uint8)
    assert alike(empty, crop(RED)) == 0


def test_blue_is_known_in_other_light_and_of_no_other_color() -> None:
    warm = np.clip(crop(BLUE) * np.array(WARM), 0, 255).astype(np.uint8)
    assert are_blue(tints_of(np.stack([crop(BLUE), crop(BLUE, 40, light=0.5), warm]))).all()
    assert not are_blue(tints_of(np.stack([crop(RED), crop(GREEN), crop(GRAY), crop((160, 60, 120))]))).any()
