"""Numbered dice with flat faces: tetrahedron, octahedron, icosahedron, and the numerals on them."""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

#: What lies next to each number of a common d20, clockwise seen from outside.
_D20_AROUND: dict[int, tuple[int, int, int]] = {
    1: (13, 7, 19), 13: (5, 1, 11), 7: (1, 15, 17), 19: (1, 3, 9), 5: (15, 13, 18), 11: (13, 9, 4),
    17: (7, 10, 3), 15: (7, 5, 12), 9: (11, 19, 6), 3: (19, 17, 16),
}  # fmt: skip
_TEXTURE = 64
#: Styles of numerals: Hershey faces, thickness of strokes, widths, sizes on the face, and two ways of printing.
_FACES = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
_STROKES, _WIDTHS, _SIZES = (4, 6, 9, 12, 15), (1.0, 0.8, 1.2), (0.9, 1.05, 1.2, 1.35, 1.5)
#: Of a d4 read at the apex: its numerals are 17 to 28% of an edge high. Those read at the base have less room.
_SIZES_ON_D4, _AT_BASE = (0.55, 0.68, 0.76, 0.84, 0.9), 0.87
FONTS = 2 * len(_SIZES) * len(_FACES) * len(_STROKES) * len(_WIDTHS)


@dataclass(frozen=True)
class Polyhedron:
    """A convex die with edge 1 around the origin.

    Attributes:
        vertices: (n, 3).
        faces: indices of the corners of each face, counterclockwise from outside.
        normals, offsets: (m, 3), (m,): a point p is inside where normals @ p <= offsets.
        numbers: what is printed on each face; of a d4 what is printed at each of its corners.
    """

    kind: str
    vertices: Matrix
    faces: tuple[tuple[int, ...], ...]
    normals: Matrix
    offsets: Matrix
    numbers: tuple[int, ...]

    def up_of(self, value: int) -> Matrix:
        """Unit vector that points up when `value` is read."""
        if self.kind == "d4":
            corner = self.vertices[value - 1]
            return np.asarray(corner / np.linalg.norm(corner))
        return np.asarray(self.normals[self.numbers.index(value)])

    def read(self, rotation: Matrix) -> tuple[int, float]:
        """Value and lean in radians in this position."""
        values = range(1, 5) if self.kind == "d4" else self.numbers
        heights = {value: float((rotation @ self.up_of(value))[2]) for value in values}
        value = max(heights, key=lambda number: heights[number])
        return value, float(np.arccos(min(heights[value], 1.0)))

    def reading_corners(self, rotation: Matrix) -> Matrix:
        """(3, 3) corners of the face that is read; of a d4 of the small triangle under the apex."""
        value, _ = self.read(rotation)
        if self.kind == "d4":
            others = [k for k in range(4) if k != value - 1]
            return np.asarray(self.vertices[value - 1] * 0.5 + self.vertices[others] * 0.5)
        return np.asarray(self.vertices[list(self.faces[self.numbers.index(value)])])

    def ink(
        self, points: NDArray[np.float32], face: NDArray[np.int64], font: int, typeface: str = ""
    ) -> NDArray[np.float32]:
        """1 where a numeral is printed, else 0, at points on the given faces."""
        ink = np.zeros(len(points), np.float32)
        for index in np.unique(face):
            on_face = face == index
            corners = self.vertices[list(self.faces[index])]
            middle = corners.mean(axis=0)
            for number, towards, share, shift in self._printed(int(index), font):
                up = corners[towards] - middle
                reach = float(np.linalg.norm(up))
                up = up / reach
                right = np.cross(up, self.normals[index])
                at = points[on_face] - middle - up * reach * shift
                side = reach * share
                u = np.round((at @ right / side + 0.5) * _TEXTURE).astype(int)
                v = np.round((0.5 - at @ up / side) * _TEXTURE).astype(int)
                inside = (u >= 0) & (u < _TEXTURE) & (v >= 0) & (v < _TEXTURE)
                printed = np.zeros(len(u), np.float32)
                printed[inside] = numeral(number, font, typeface)[v[inside], u[inside]]
                ink[on_face] = np.maximum(ink[on_face], printed)
        return ink

    def _printed(self, face: int, font: int) -> list[tuple[int, int, float, float]]:
        """(number, corner it stands towards, size, shift towards that corner), both as shares of the corner's way."""
        which = font // 2 % len(_SIZES)
        if self.kind == "d4":
            # Read at the apex: each corner carries its own number; read at the base: the opposite edge does.
            corners, size = self.faces[face], _SIZES_ON_D4[which]
            if font % 2:
                return [(corners[k] + 1, k, size, 0.42) for k in range(3)]
            return [(corners[k] + 1, k, _AT_BASE * size, -0.27) for k in range(3)]
        return [(self.numbers[face], (face * 7 + font) % 3, _SIZES[which], 0.0)]


@lru_cache(maxsize=4096)
def numeral(number: int, font: int, typeface: str = "") -> NDArray[np.float32]:
    """(64, 64) mask of a numeral; 6 and 9 carry a line or a point.

    Args:
        typeface: file of a TrueType font, drawn in place of the Hershey face that `font` names.
    """
    style = font // (2 * len(_SIZES))
    stretch = _WIDTHS[style // len(_FACES) // len(_STROKES) % len(_WIDTHS)]
    side = 2 * _TEXTURE
    big = _typeset(number, typeface) if typeface else _stroked(number, style)
    x, y, width, height = cv2.boundingRect(big)
    scale = min(84 / width, 70 / height)
    across, down = round(width * scale), round(height * scale)
    left, top = (side - across) // 2, (side - down) // 2
    placed = np.zeros((side, side), np.uint8)
    placed[top : top + down, left : left + across] = cv2.resize(
        big[y : y + height, x : x + width], (across, down), interpolation=cv2.INTER_AREA
    )
    if number in (6, 9):
        if font % 2:
            cv2.line(placed, (left + 4, top + down + 16), (left + across - 4, top + down + 16), 255, 6, cv2.LINE_AA)
        else:
            cv2.circle(placed, (left + across + 8, top + down - 2), 6, 255, -1, cv2.LINE_AA)
    if stretch != 1.0:
        wider = np.array([[stretch, 0, _TEXTURE * (1 - stretch)], [0, 1, 0]])
        placed = np.asarray(cv2.warpAffine(placed, wider, (side, side)), np.uint8)
    small = cv2.resize(placed, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA)
    return np.asarray(small > 110, np.float32)


def _stroked(number: int, style: int) -> NDArray[np.uint8]:
    """A numeral in a Hershey face, large."""
    face, stroke = _FACES[style % len(_FACES)], _STROKES[style // len(_FACES) % len(_STROKES)]
    big = np.zeros((160, 320), np.uint8)
    cv2.putText(big, str(number), (40, 120), face, 3.2, 255, round(1.3 * stroke), cv2.LINE_AA)
    return big


def _typeset(number: int, typeface: str) -> NDArray[np.uint8]:
    """A numeral in a typeface, large."""
    big = np.zeros((160, 320), np.uint8)
    cv2.putText(big, str(number), (40, 120), 255, _face(typeface), 100)
    return big


@cache
def _face(typeface: str) -> cv2.FontFace:
    """Kept for good: OpenCV knows what it has drawn by where a face lies in memory, and would draw the numerals of one
    that is gone where the next one lies in its place."""
    return cv2.FontFace(typeface)


@lru_cache(maxsize=4)
def polyhedron(kind: str) -> Polyhedron:
    """The solid for `d4`, `d8` or `d20`."""
    if kind == "d4":
        raw = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif kind == "d8":
        raw = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)
    elif kind == "d20":
        golden = (1 + 5**0.5) / 2
        raw = np.array([np.roll([0, a, b * golden], k) for k in range(3) for a in (-1, 1) for b in (-1, 1)])
    else:
        raise KeyError(kind)
    edge = min(float(np.linalg.norm(a - b)) for a, b in combinations(raw, 2))
    vertices = raw / edge
    triples = [t for t in combinations(range(len(raw)), 3)
               if all(np.linalg.norm(vertices[a] - vertices[b]) < 1.01 for a, b in combinations(t, 2))]  # fmt: skip
    faces, normals = [], []
    for a, b, c in triples:
        normal = np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a])
        outward = normal @ vertices[a] > 0
        faces.append((a, b, c) if outward else (a, c, b))
        normals.append((normal if outward else -normal) / np.linalg.norm(normal))
    offsets = np.array([normal @ vertices[face[0]] for normal, face in zip(normals, faces, strict=True)])
    stacked = np.array(normals)
    numbers = _d20_numbers(stacked) if kind == "d20" else _paired_numbers(stacked)
    return Polyhedron(kind, vertices, tuple(faces), stacked, offsets, numbers)


def _paired_numbers(normals: Matrix) -> tuple[int, ...]:
    """Numbers whose opposites add up to one more than there are faces; in order where nothing is opposite."""
    numbers = [0] * len(normals)
    low, high = 1, len(normals)
    for k, normal in enumerate(normals):
        if numbers[k]:
            continue
        numbers[k], low = low, low + 1
        opposite = int((normals @ normal).argmin())
        if normals[opposite] @ normal < -0.99:
            numbers[opposite], high = high, high - 1
    return tuple(numbers)


def _d20_numbers(normals: Matrix) -> tuple[int, ...]:
    """The common layout, walked over the faces from the 1."""
    around = dict(_D20_AROUND)
    for number, (a, b, c) in _D20_AROUND.items():
        # The far side shows the numbers' opposites, mirrored.
        around[21 - number] = (21 - a, 21 - c, 21 - b)
    placed = {1: 0}
    neighbors = [_clockwise(normals, k) for k in range(20)]
    first = neighbors[0]
    for number, face in zip(around[1], first, strict=True):
        placed[number] = face
    queue = [13, 7, 19]
    while queue:
        number = queue.pop(0)
        face = placed[number]
        known = next(n for n in around[number] if n in placed and placed[n] in neighbors[face])
        start, turn = neighbors[face].index(placed[known]), around[number].index(known)
        for step in range(1, 3):
            other = around[number][(turn + step) % 3]
            if other not in placed:
                placed[other] = neighbors[face][(start + step) % 3]
                queue.append(other)
    by_face = {face: number for number, face in placed.items()}
    return tuple(by_face[k] for k in range(20))


def _clockwise(normals: Matrix, face: int) -> list[int]:
    """The three faces next to one, clockwise seen from outside."""
    out = normals[face]
    closeness = normals @ out
    closeness[face] = -2
    near = [int(k) for k in np.argsort(-closeness)[:3]]
    u = np.cross(out, [0.3, 0.5, 0.8])
    v = np.cross(out, u)
    return sorted(near, key=lambda k: -np.arctan2(normals[k] @ v, normals[k] @ u))
