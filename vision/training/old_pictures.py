"""Makes rendered bands look like photographs: an older picture of the empty board, sculpted metal, papers on spaces.

Pictures are (h, w, 3) float32, 0-255. What is done to the empty board is what remains once it was put into the light
of the picture (`board/light.py`): colors of print that went their own way, glare in one of both pictures, paper that
bulges, sharpening by the camera.
"""

import cv2
import numpy as np

#: Side of the grid on which fields that vary slowly are drawn by chance.
_GRID = (3, 6)


def older(before, rng):
    """The empty board as an older photograph shows it."""
    before = _faded(before, rng)
    if rng.random() < 0.5:
        before = veiled(before, rng)
    return _bulging(before, rng, float(rng.choice([0.4, 0.9], p=[0.6, 0.4])))


def _faded(picture, rng):
    """Some colors of the print, each a little otherwise."""
    away = np.zeros_like(picture)
    for _ in range(int(rng.integers(1, 6))):
        row, column = (int(rng.integers(length)) for length in picture.shape[:2])
        near = ((picture - picture[row, column]) ** 2).sum(2) / (2 * 35.0**2)
        away += np.exp(-near)[..., None] * rng.normal(0, 11, 3).astype(np.float32)
    return picture + away


def veiled(picture, rng):
    """With glare over part of it: white is mixed in, most in one place."""
    rows, columns = np.meshgrid(*(np.linspace(0, 1, length) for length in picture.shape[:2]), indexing="ij")
    down, across = rng.uniform(0.15, 0.8, 2)
    far = ((rows - rng.uniform(-0.2, 1.2)) / down) ** 2 + ((columns - rng.uniform(-0.1, 1.1)) / across) ** 2
    share = (rng.uniform(0.05, 0.35) * np.exp(-far)).astype(np.float32)[..., None]
    return picture * (1 - share) + np.float32(rng.uniform(190, 250)) * share


def _bulging(picture, rng, far):
    """Every place moved by a way that varies slowly, px."""
    height, width = picture.shape[:2]
    ways = rng.normal(0, far, (*_GRID, 2)).astype(np.float32)
    fine = cv2.resize(ways, (width, height), interpolation=cv2.INTER_CUBIC)
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return cv2.remap(
        picture, columns + fine[..., 0], rows + fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def recorded(picture, rng):
    """As a cheap camera keeps it: blurred, sharpened with halos, and compressed."""
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 1.5)))
    wide = cv2.GaussianBlur(soft, (0, 0), float(rng.uniform(0.8, 2.0)))
    sharp = np.clip(soft + np.float32(rng.uniform(0, 2.2)) * (soft - wide), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", sharp, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])
    return cv2.imdecode(data, cv2.IMREAD_COLOR).astype(np.float32)


def sculpted(now, before, feet, rng):
    """Tokens with their feet there (n, 2), px, as if of metal with relief: gray, with small lights and darks."""
    differs = cv2.GaussianBlur(np.abs(now - before).max(2), (0, 0), 0.8)
    rows, columns = np.meshgrid(*(np.arange(length) for length in now.shape[:2]), indexing="ij")
    for column, row in feet:
        far = (rows - row) ** 2 + (columns - column) ** 2
        where = ((differs > 25) & (far < 17**2)).astype(np.float32)
        where = cv2.GaussianBlur(where, (0, 0), 0.7)[..., None]
        relief = cv2.GaussianBlur(rng.standard_normal(now.shape[:2]).astype(np.float32), (0, 0), rng.uniform(0.9, 1.8))
        relief *= rng.uniform(15, 55) / max(float(relief.std()), 1e-6)
        gray = now.mean(2) * rng.uniform(0.3, 1.0) + rng.uniform(0, 110)
        metal = (gray + relief)[..., None] * np.exp(rng.normal(0, 0.03, 3))
        now = now * (1 - where) + np.clip(metal, 0, 255).astype(np.float32) * where
    return now


def papered(now, print_bgr, rng):
    """A note or card that lies over part of the spaces: (picture, (h, w) where it lies).

    Args:
        print_bgr: (h, w, 3) what is printed on it, from any board.
    """
    height, width = now.shape[:2]
    middle = (float(rng.uniform(0, width)), float(rng.uniform(-25, 45)))
    size = (float(rng.uniform(60, 110)), float(rng.uniform(35, 65)))
    corners = cv2.boxPoints((middle, size, float(rng.uniform(0, 180)))).astype(np.int32)
    where = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(where, corners, 255)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), float(rng.uniform(0.6, 1.6)))
    marks = cv2.warpAffine(print_bgr, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    light = rng.uniform(110, 250) * np.exp(rng.normal(0, 0.12, 3))
    paper = np.clip(light + (marks - marks.mean((0, 1))) * rng.uniform(0, 0.9), 0, 255).astype(np.float32)
    shadow = cv2.GaussianBlur(where, (0, 0), 2.5).astype(np.float32)[..., None] / 255
    soft = cv2.GaussianBlur(where, (0, 0), 0.6).astype(np.float32)[..., None] / 255
    under = now * (1 - np.float32(rng.uniform(0, 0.4)) * shadow)
    return under * (1 - soft) + paper * soft, where > 0
