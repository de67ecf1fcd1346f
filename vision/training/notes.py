"""Paper money as it lies about on a table: frames, medallions and small boxes with signs, which look like dice."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.dice import Eye

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

#: Px that a note is drawn with, and its length in edges of a usual d6 (banknotes of games are 90 to 120 mm long).
_WIDE, _HIGH, _LENGTH = 300, 165, (5.6, 7.5)
_SIGNS = "0123456789$M?!*#&A"
Color = tuple[float, float, float]


def draw_note(rng: np.random.Generator) -> Image:
    """(_HIGH, _WIDE, 3) BGR of a random note."""
    paper, ink, field = _colors(rng)
    blank = np.full((_HIGH, _WIDE, 3), paper, np.float32)
    inset = int(rng.integers(6, 22))
    cv2.rectangle(blank, (inset, inset), (_WIDE - inset, _HIGH - inset), field, -1)
    note = _engraved(rng, blank, ink)
    for _ in range(int(rng.integers(1, 4))):
        inset += int(rng.integers(3, 9))
        tone = paper if rng.random() < 0.5 else ink
        cv2.rectangle(note, (inset, inset), (_WIDE - inset, _HIGH - inset), tone, int(rng.integers(1, 4)), cv2.LINE_AA)
    middle, tall = (_WIDE // 2, _HIGH // 2), int(rng.integers(26, 56))
    cv2.ellipse(note, middle, (int(tall * rng.uniform(1, 1.5)), tall), 0, 0, 360, paper, -1, cv2.LINE_AA)
    _write(note, str(rng.choice(["1", "5", "10", "20", "50", "100", "500"])), middle, 1.3 * tall, ink)
    _boxes(rng, note, inset, paper, ink)
    for _ in range(int(rng.integers(0, 4))):
        at = (int(rng.integers(30, _WIDE - 90)), int(rng.integers(20, _HIGH - 10)))
        words = "".join(rng.choice(list("AEIMNORSTUL "), 12))
        cv2.putText(note, words, at, cv2.FONT_HERSHEY_SIMPLEX, float(rng.uniform(0.25, 0.45)), ink, 1, cv2.LINE_AA)
    return note


def lay_notes(rng: np.random.Generator, canvas: Floats, eye: Eye, center: NDArray[np.float64], edge: float) -> None:
    """Lays one to four notes near a place on the table, one over the other.

    Args:
        canvas: (h, w, 3) is painted on.
        center: (2,) in the world's units.
        edge: of a d6, in the world's units.
    """
    for _ in range(int(rng.integers(1, 5))):
        note = draw_note(rng).astype(np.float32) * np.float32(rng.uniform(0.7, 1.05))
        half = edge * rng.uniform(*_LENGTH) / 2 * np.array([1, _HIGH / _WIDE])
        yaw, at = rng.uniform(0, 2 * np.pi), center + edge * rng.normal(0, 4, 2)
        c, s = np.cos(yaw), np.sin(yaw)
        flat = at + (np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half) @ np.array([[c, s], [-s, c]])
        if (eye.projection[2] @ np.column_stack([flat, np.zeros(4), np.ones(4)]).T < 2 * edge).any():
            continue
        _lay(canvas, note, eye.project(np.column_stack([flat, np.zeros(4)])))


def _lay(canvas: Floats, note: Floats, corners_px: NDArray[np.float64]) -> None:
    """Paints a note into the quadrangle (4, 2): upper left, upper right, lower right, lower left."""
    height, width = canvas.shape[:2]
    longest = np.linalg.norm(np.diff(corners_px, axis=0, append=corners_px[:1]), axis=1).max()
    small = cv2.resize(
        note, None, fx=(scale := float(np.clip(longest / _WIDE, 0.1, 1))), fy=scale, interpolation=cv2.INTER_AREA
    )
    high, wide = small.shape[:2]
    own = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(own, corners_px.astype(np.float32))
    where = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(where, np.round(corners_px * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    shadow = cv2.GaussianBlur(where, (0, 0), max(0.006 * float(longest), 0.5)).astype(np.float32) / 255
    canvas *= 1 - np.float32(0.35) * shadow[..., None]
    printed = cv2.warpPerspective(
        small, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    alpha = where[..., None].astype(np.float32) / 255
    canvas[:] = canvas * (1 - alpha) + printed * alpha


def _colors(rng: np.random.Generator) -> tuple[Color, Color, Color]:
    """Paper, ink, and the tone between in which the middle is printed."""
    hsv = np.array([[[rng.integers(180), rng.integers(0, 110), rng.integers(165, 250)]]], np.uint8)
    paper = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(float)
    ink = paper * rng.uniform(0.1, 0.6)
    between = ink + (paper - ink) * rng.uniform(0.25, 1)
    return _color(paper), _color(ink), _color(between)


def _color(bgr: NDArray[np.floating]) -> Color:
    blue, green, red = (float(v) for v in bgr)
    return blue, green, red


def _engraved(rng: np.random.Generator, note: Floats, ink: Color) -> Image:
    """With fine waves and grain."""
    y, x = np.mgrid[:_HIGH, :_WIDE].astype(np.float32)
    wave = np.sin(x * rng.uniform(0.2, 1.5) + 6 * np.sin(y * rng.uniform(0.02, 0.3))) * rng.uniform(0, 0.25)
    waved = note + (np.array(ink) - note) * np.clip(wave, 0, 1)[..., None]
    grain = rng.normal(0, rng.uniform(0, 12), (_HIGH, _WIDE, 1))
    return np.clip(waved + grain, 0, 255).astype(np.uint8)


def _boxes(rng: np.random.Generator, note: Image, inset: int, paper: Color, ink: Color) -> None:
    """Small boxes or disks with a sign in them, the same towards all four corners."""
    light = _color(np.clip(np.array(paper) * rng.uniform(1, 1.25), 0, 255))
    for _ in range(int(rng.integers(1, 4))):
        half, is_round = int(rng.integers(8, 20)), rng.random() < 0.3
        x, y = int(rng.integers(inset + half, _WIDE // 3)), int(rng.integers(inset + half, _HIGH // 2))
        sign = str(rng.choice(list(_SIGNS)))
        for at in ((x, y), (_WIDE - x, y), (x, _HIGH - y), (_WIDE - x, _HIGH - y)):
            if is_round:
                cv2.circle(note, at, half, light, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(note, (at[0] - half, at[1] - half), (at[0] + half, at[1] + half), light, -1)
            if rng.random() < 0.4:
                cv2.circle(note, at, max(half // 3, 2), ink, -1, cv2.LINE_AA)
            else:
                _write(note, sign, at, half * rng.uniform(0.7, 1.4), ink)


def _write(note: Image, text: str, middle: tuple[int, int], height: float, ink: Color) -> None:
    """Text of a height, px, around a place."""
    scale, thick = height / 22, max(round(height / 9), 1)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    at = (middle[0] - wide // 2, middle[1] + high // 2)
    cv2.putText(note, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thick, cv2.LINE_AA)
