"""Board artwork, drawn from made-up names in several styles. No real board is copied."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.geometry import BoardGeometry

Color = tuple[int, int, int]
"""BGR, 0-255."""
Image = NDArray[np.uint8]

#: Side of the drawn texture; a space is about 115 px wide in it.
TEXTURE_PX = 1400

GROUPS: dict[int, int] = {
    **dict.fromkeys((1, 3), 0),
    **dict.fromkeys((6, 8, 9), 1),
    **dict.fromkeys((11, 13, 14), 2),
    **dict.fromkeys((16, 18, 19), 3),
    **dict.fromkeys((21, 23, 24), 4),
    **dict.fromkeys((26, 27, 29), 5),
    **dict.fromkeys((31, 32, 34), 6),
    **dict.fromkeys((37, 39), 7),
}
GROUP_COLORS: tuple[Color, ...] = (
    (32, 66, 122),
    (240, 205, 150),
    (165, 60, 205),
    (35, 135, 235),
    (40, 40, 210),
    (40, 220, 245),
    (75, 150, 35),
    (170, 75, 25),
)
RAILROADS = frozenset({5, 15, 25, 35})
FORTUNES = frozenset({7, 22, 36})
CHESTS = frozenset({2, 17, 33})
WORDS = (
    *("Amber", "Birch", "Cedar", "Dover", "Ember", "Fern", "Garnet", "Harbor", "Ivory", "Juniper", "Kestrel", "Linden"),
    *("Maple", "Nectar", "Oak", "Pine", "Quarry", "Raven", "Sable", "Tulip", "Umber", "Violet", "Willow", "Yarrow"),
)
KINDS = ("Avenue", "Street", "Lane", "Square", "Road", "Place", "Row", "Court")
TITLES = ("RIVERTOWN", "BARONS", "OLD HARBOR", "SKYLINE", "FORTUNE ROW", "GRAND TOUR", "LAST TRAIN", "MILL CITY")


@dataclass(frozen=True)
class BoardStyle:
    """How one board looks.

    Attributes:
        ground: color of the spaces.
        middle: color of the middle.
        ink: lines and text.
        accent: banner and corner signs.
        rim: blank rim.
        pattern: `plain`, `rays`, `stains`, `skyline`.
        font: an OpenCV Hershey face.
    """

    name: str
    ground: Color
    middle: Color
    ink: Color
    accent: Color
    rim: Color
    pattern: str = "plain"
    font: int = cv2.FONT_HERSHEY_SIMPLEX


STYLES: tuple[BoardStyle, ...] = (
    BoardStyle("mint", (215, 232, 208), (212, 230, 205), (30, 30, 30), (45, 40, 190), (205, 222, 198)),
    BoardStyle("cream", (200, 228, 240), (188, 218, 235), (30, 30, 40), (120, 60, 30), (60, 70, 90), "stains"),
    BoardStyle("night", (62, 62, 66), (44, 46, 50), (215, 215, 215), (40, 40, 150), (30, 30, 32), "stains"),
    BoardStyle("sea", (235, 225, 205), (150, 85, 25), (60, 30, 10), (240, 240, 240), (120, 60, 15), "skyline"),
    BoardStyle("cherry", (238, 240, 244), (45, 35, 190), (20, 20, 30), (235, 240, 250), (45, 35, 170), "rays"),
    BoardStyle("white", (244, 246, 246), (248, 248, 248), (50, 40, 30), (160, 110, 20), (250, 250, 250)),
    BoardStyle("moss", (150, 190, 165), (85, 120, 70), (20, 35, 20), (60, 180, 225), (55, 80, 45), "rays"),
    BoardStyle("slate", (215, 210, 205), (120, 110, 100), (25, 25, 25), (70, 160, 235), (80, 75, 70), "skyline"),
)


def draw_board(geometry: BoardGeometry, style: BoardStyle, rng: np.random.Generator) -> Image:
    """The board seen from above, GO at the lower right: (TEXTURE_PX, TEXTURE_PX, 3) uint8."""
    n = TEXTURE_PX
    board = np.full((n, n, 3), style.rim, np.uint8)
    scale = n / geometry.size_m
    inner = round((geometry.size_m / 2 - geometry.inner_m) * scale)
    margin = round(geometry.margin_frac * n)
    board[margin : n - margin, margin : n - margin] = style.ground
    board[inner : n - inner, inner : n - inner] = _middle(n - 2 * inner, style, rng)
    for side in range(4):
        strip = _side(geometry, style, side, rng, scale)
        board = np.ascontiguousarray(np.rot90(board, side))
        # The side is drawn as the lowest row, then the board is turned back clockwise.
        top = n - margin - strip.shape[0]
        board[top : top + strip.shape[0], n - margin - strip.shape[1] : n - margin] = strip
        board = np.ascontiguousarray(np.rot90(board, -side))
    return board


def _side(geometry: BoardGeometry, style: BoardStyle, side: int, rng: np.random.Generator, scale: float) -> Image:
    """One side without its far corner, reading from outside; the first corner is at the right."""
    unit, depth = geometry.unit_m * scale, geometry.depth_m * scale
    width = round(depth + 9 * unit)
    row = np.full((round(depth), width, 3), style.ground, np.uint8)
    for place in range(10):
        square = side * 10 + place
        x1 = width - (0 if place == 0 else depth + (place - 1) * unit)
        x0 = x1 - (depth if place == 0 else unit)
        cell = row[:, max(round(x0), 0) : round(x1)]
        if place == 0:
            _corner(cell, side, style, geometry)
        else:
            _space(cell, square, style, geometry, rng)
        cv2.rectangle(row, (round(x0), 0), (round(x1) - 1, row.shape[0] - 1), style.ink, 2)
    return row


def _text(cell: Image, text: str, y: float, style: BoardStyle, height_px: float, color: Color | None = None) -> None:
    """Writes a line centered at `y` (share of the height), shrunk to fit."""
    scale = height_px / 22.0
    (width, _), _ = cv2.getTextSize(text, style.font, scale, 2)
    room = cell.shape[1] * 0.9
    if width > room:
        scale *= room / width
        (width, _), _ = cv2.getTextSize(text, style.font, scale, 2)
    origin = (round((cell.shape[1] - width) / 2), round(y * cell.shape[0] + 11 * scale))
    thick = 2 if scale > 0.45 else 1
    cv2.putText(cell, text, origin, style.font, scale, color or style.ink, thick, cv2.LINE_AA)


def _space(cell: Image, square: int, style: BoardStyle, geometry: BoardGeometry, rng: np.random.Generator) -> None:
    height, width = cell.shape[:2]
    size = width * 0.14
    if square in GROUPS:
        strip = round(geometry.strip_frac * height)
        cell[:strip] = GROUP_COLORS[GROUPS[square]]
        cv2.line(cell, (0, strip), (width, strip), style.ink, 2)
        _text(cell, str(rng.choice(WORDS)), 0.32, style, size)
        _text(cell, str(rng.choice(KINDS)), 0.43, style, size)
        _text(cell, f"${40 + square * 9 // 10 * 10}", 0.9, style, size)
        return
    icon = _icon_of(square)
    _text(cell, {"?": "Fortune", "chest": "Town Chest", "train": "Railway"}.get(icon, "Works"), 0.12, style, size)
    _draw_icon(cell, icon, (width / 2, height * 0.5), width * 0.3, style)
    if icon not in ("?", "chest"):
        _text(cell, "$150" if icon != "train" else "$200", 0.9, style, size)


def _icon_of(square: int) -> str:
    if square in RAILROADS:
        return "train"
    if square in FORTUNES:
        return "?"
    if square in CHESTS:
        return "chest"
    return {4: "diamond", 38: "ring", 12: "bulb", 28: "tap"}[square]


def _draw_icon(cell: Image, icon: str, at: tuple[float, float], r: float, style: BoardStyle) -> None:
    x, y, s = round(at[0]), round(at[1]), round(r)
    ink = style.ink
    if icon == "train":
        cv2.rectangle(cell, (x - s, y - s // 3), (x + s, y + s // 3), ink, -1)
        cv2.rectangle(cell, (x + s // 3, y - s), (x + s, y), ink, -1)
        cv2.rectangle(cell, (x - s * 2 // 3, y - s * 4 // 5), (x - s // 3, y), ink, -1)
        for dx in (-s * 2 // 3, 0, s * 2 // 3):
            cv2.circle(cell, (x + dx, y + s // 2), max(s // 4, 2), ink, -1, cv2.LINE_AA)
    elif icon == "?":
        color = ((170, 30, 200), (30, 120, 240), (190, 130, 30))[(x + y) % 3]
        cv2.putText(cell, "?", (x - s * 3 // 5, y + s), cv2.FONT_HERSHEY_DUPLEX, s / 13, color, 6, cv2.LINE_AA)
    elif icon == "chest":
        cv2.rectangle(cell, (x - s, y - s // 2), (x + s, y + s * 2 // 3), (40, 95, 150), -1)
        cv2.ellipse(cell, (x, y - s // 2), (s, s // 2), 0, 180, 360, (30, 75, 125), -1, cv2.LINE_AA)
        cv2.rectangle(cell, (x - s // 5, y - s // 3), (x + s // 5, y + s // 5), (60, 210, 235), -1)
    elif icon == "bulb":
        cv2.circle(cell, (x, y - s // 4), s * 3 // 4, (60, 210, 240), -1, cv2.LINE_AA)
        cv2.circle(cell, (x, y - s // 4), s * 3 // 4, ink, 2, cv2.LINE_AA)
        cv2.rectangle(cell, (x - s // 3, y + s // 2), (x + s // 3, y + s), ink, -1)
    elif icon == "tap":
        cv2.rectangle(cell, (x - s, y - s // 4), (x + s // 3, y + s // 5), (150, 140, 130), -1)
        cv2.rectangle(cell, (x + s // 8, y), (x + s * 3 // 5, y + s), (150, 140, 130), -1)
        cv2.circle(cell, (x - s // 4, y - s * 3 // 5), s // 3, (60, 60, 190), -1, cv2.LINE_AA)
    else:
        points = np.array([[x, y - s], [x + s, y], [x, y + s], [x - s, y]])
        cv2.polylines(cell, [points], True, ink, 4, cv2.LINE_AA)
        cv2.circle(cell, (x, y), s // 3, ink, -1 if icon == "diamond" else 3, cv2.LINE_AA)


def _corner(cell: Image, side: int, style: BoardStyle, geometry: BoardGeometry) -> None:
    """A corner; the text reads along the diagonal, which a plain line of text stands in for."""
    n = cell.shape[0]
    if side == 0:
        _text(cell, "GO", 0.42, style, n * 0.34, (40, 35, 205))
        y = round(n * 0.8)
        cv2.arrowedLine(cell, (round(n * 0.9), y), (round(n * 0.12), y), (40, 35, 205), round(n * 0.06), tipLength=0.25)
    elif side == 1:
        _jail(cell, style, geometry)
    elif side == 2:
        _text(cell, "FREE", 0.15, style, n * 0.13)
        body = np.array(
            [[0.15, 0.62], [0.2, 0.48], [0.38, 0.46], [0.46, 0.34], [0.68, 0.34], [0.84, 0.5], [0.86, 0.62]]
        )
        cv2.fillPoly(cell, [np.round(body * n).astype(np.int32)], (40, 35, 190), cv2.LINE_AA)
        for x in (0.32, 0.7):
            cv2.circle(cell, (round(x * n), round(0.63 * n)), round(0.08 * n), style.ink, -1, cv2.LINE_AA)
        _text(cell, "PARKING", 0.87, style, n * 0.13)
    else:
        _text(cell, "GO TO", 0.14, style, n * 0.13)
        cv2.circle(cell, (n // 2, round(n * 0.52)), round(n * 0.17), (150, 190, 230), -1, cv2.LINE_AA)
        hat = np.array([[0.28, 0.46], [0.72, 0.46], [0.64, 0.28], [0.36, 0.28]])
        cv2.fillPoly(cell, [np.round(hat * n).astype(np.int32)], (130, 60, 30), cv2.LINE_AA)
        cv2.rectangle(cell, (round(n * 0.32), round(n * 0.66)), (round(n * 0.68), round(n * 0.76)), (130, 60, 30), -1)
        _text(cell, "JAIL", 0.88, style, n * 0.13)


def _jail(cell: Image, style: BoardStyle, geometry: BoardGeometry) -> None:
    """The cell is the inner part; drawn as side 1's first corner its outer edges are the right and the lower one."""
    n = cell.shape[0]
    lane = round(n * geometry.jail_lane_frac)
    room = cell[: n - lane, : n - lane]
    room[:] = (40, 135, 235)
    m = room.shape[0]
    cv2.rectangle(room, (round(m * 0.2), round(m * 0.2)), (round(m * 0.8), round(m * 0.8)), (225, 235, 240), -1)
    for k in range(5):
        x = round(m * (0.2 + 0.15 * k))
        cv2.line(room, (x, round(m * 0.2)), (x, round(m * 0.8)), style.ink, 4)
    cv2.rectangle(cell, (0, 0), (n - lane, n - lane), style.ink, 2)
    _text(cell[n - lane :], "VISITING", 0.5, style, n * 0.12)


def _middle(n: int, style: BoardStyle, rng: np.random.Generator) -> Image:
    middle = np.full((n, n, 3), style.middle, np.uint8)
    _pattern(middle, style, rng)
    banner = np.zeros((n // 6, round(n * 0.72), 3), np.uint8)
    banner[:] = style.accent
    light = sum(style.accent) > 450
    color = (150, 50, 30) if light else (245, 245, 245)
    _text(banner, str(rng.choice(TITLES)), 0.5, style, banner.shape[0] * 0.5, color)
    cv2.rectangle(banner, (0, 0), (banner.shape[1] - 1, banner.shape[0] - 1), color, 5)
    turn = cv2.getRotationMatrix2D((banner.shape[1] / 2, banner.shape[0] / 2), 45.0, 1.0)
    turn[:, 2] = turn[:, 2] + np.array([n - banner.shape[1], n - banner.shape[0]]) / 2
    mask = cv2.warpAffine(np.full(banner.shape[:2], 255, np.uint8), turn, (n, n))
    middle = np.where(mask[..., None] > 127, cv2.warpAffine(banner, turn, (n, n), flags=cv2.INTER_AREA), middle)
    for center, tint in (((0.26, 0.26), (60, 140, 235)), ((0.74, 0.74), (60, 215, 240))):
        box = cv2.boxPoints(((center[0] * n, center[1] * n), (n * 0.24, n * 0.16), 45.0))
        cv2.polylines(middle, [np.round(box).astype(np.int32)], True, tint, 4, cv2.LINE_AA)
    cv2.rectangle(middle, (2, 2), (n - 3, n - 3), style.ink, 3)
    return np.asarray(middle, np.uint8)


def _pattern(middle: Image, style: BoardStyle, rng: np.random.Generator) -> None:
    n = middle.shape[0]
    if style.pattern == "rays":
        lighter = tuple(min(255, round(c * 1.25 + 12)) for c in style.middle)
        for k in range(0, 48, 2):
            a, b = (2 * np.pi * j / 48 for j in (k, k + 1))
            tips = np.array([[0.5, 0.5], [0.5 + np.cos(a), 0.5 + np.sin(a)], [0.5 + np.cos(b), 0.5 + np.sin(b)]]) * n
            cv2.fillPoly(middle, [np.round(tips).astype(np.int32)], lighter)
    elif style.pattern == "stains":
        noise = rng.normal(0, 1, (12, 12)).astype(np.float32)
        field = cv2.resize(noise, (n, n), interpolation=cv2.INTER_CUBIC)
        middle[:] = np.clip(middle * (1 + 0.09 * field[..., None]), 0, 255).astype(np.uint8)
        cv2.circle(middle, (round(n * 0.3), round(n * 0.35)), n // 8, style.accent, 3, cv2.LINE_AA)
    elif style.pattern == "skyline":
        x = 0
        while x < n:
            width, height = (int(v) for v in rng.integers((n // 40, n // 12), (n // 14, n // 4)))
            color = tuple(round(c * rng.uniform(0.6, 0.85)) for c in style.middle)
            cv2.rectangle(middle, (x, n - height), (x + width, n), color, -1)
            for y in range(n - height + 8, n - 8, 14):
                for window in range(x + 6, x + width - 6, 12):
                    if rng.random() < 0.35:
                        middle[y : y + 6, window : window + 5] = (150, 220, 240)
            x += width
