"""Rendered tables: how houses are put down on them, and by which cameras they are seen in training."""

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.virtual.artwork import GROUPS
from vision.virtual.camera import Camera
from vision.virtual.scene import TableStyle

if TYPE_CHECKING:
    from vision.training.token_tables import Anyhow

pytest.importorskip("torch", reason="training needs torch: install the extra `training`")


def settings() -> "list[Anyhow]":
    """Boards with tokens, built on anyhow."""
    from vision.training.token_tables import Anyhow

    every = []
    for seed in range(12):
        setting = Anyhow(TableStyle.random(seed, ["red_pawn", "blue_pawn", "car"]), np.random.default_rng(seed))
        for street in list(GROUPS)[::3]:
            setting.put_token("red_pawn", street)
            hotel = bool(setting.rng.random() < 0.2)
            setting.put_buildings(street, 0 if hotel else int(setting.rng.integers(1, 5)), hotel)
            setting.put_token("car", street)
        every.append(setting)
    return every


def test_houses_that_are_put_down_anyhow_are_counted_as_they_stand_and_in_no_token() -> None:
    from vision.training.pieces_data import CLEAR_M

    for setting in settings():
        pieces = setting.building_pieces()
        assert pieces
        for square, (houses, hotel) in setting.buildings.items():
            kinds = [piece.kind for street, piece in pieces if street == square]
            assert kinds == (["hotel"] if hotel else ["house"] * houses)
        for square, piece in pieces:
            assert setting.geometry.square_at(piece.x, piece.y) in (square, None)
        # A token that comes to a street where others stand keeps clear of them where there is room.
        car = setting.tokens["car"]
        assert all(np.hypot(car.x - piece.x, car.y - piece.y) > CLEAR_M for _, piece in pieces)


def test_some_houses_stand_off_their_strips() -> None:
    depths = []
    for setting in settings():
        edge = setting.geometry.size_m * (0.5 - setting.geometry.margin_frac)
        for _, piece in setting.building_pieces():
            depth = (edge - max(abs(piece.x), abs(piece.y))) / setting.geometry.depth_m
            depths.append(depth < 1 - 1.5 * setting.geometry.strip_frac)
    assert 0.05 < np.mean(depths) < 0.3


def test_what_is_built_anew_leaves_nothing_of_before() -> None:
    setting = settings()[0]
    setting.put_buildings(39, 3, False)
    setting.put_buildings(39, 0, True)
    assert [piece.kind for square, piece in setting.building_pieces() if square == 39] == ["hotel"]
    setting.put_buildings(39, 0, False)
    assert 39 not in setting.buildings
    assert all(square != 39 for square, _ in setting.building_pieces())


def test_some_tables_are_seen_from_low_down_and_some_by_small_webcams() -> None:
    from vision.training import pieces_data

    def seen_by(share: float) -> list[Camera]:
        return [pieces_data.seen_by(np.random.default_rng([seed, 43]), usual, share) for seed in range(200)]

    def are_low(cameras: list[Camera]) -> list[bool]:
        heights = [float(np.arctan2(camera.eye[2], np.hypot(*camera.eye[:2]))) for camera in cameras]
        return [height < np.radians(47) for height in heights]

    usual = TableStyle.random(3).camera
    cameras = seen_by(pieces_data.LOW)
    low, small = are_low(cameras), [camera.size in pieces_data.SMALL_SIZES for camera in cameras]
    assert np.mean(low) == pytest.approx(pieces_data.LOW, abs=0.08)
    assert np.mean(small) == pytest.approx(pieces_data.SMALL, abs=0.08)
    assert any(map(all, zip(low, small, strict=True)))
    assert np.mean([camera is usual for camera in cameras]) == pytest.approx(0.64, abs=0.1), "most are as they were"
    assert all(are_low(seen_by(1.0))), "networks for low cameras are shown nothing else"
