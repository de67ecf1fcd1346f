"""A table that ends, in a room, with people around it: they show behind the table, and never sit quite still."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.camera import Camera
from vision.virtual.idle_hands import is_in_view
from vision.virtual.light import FloatImage
from vision.virtual.render import Renderer
from vision.virtual.scene import Scene, TableStyle

#: Px of a person's picture for each meter; its width and height, and how far below the table it begins, meters.
_PX_PER_M, _WIDE_M, _TALL_M, _BELOW_M = 260, 0.62, 0.9, 0.15
#: The table ends so far from the board's middle to either side, and people sit so far behind its edge, meters.
_ENDS_M, _BEHIND_M = (0.42, 0.65), (0.05, 0.15)
#: How people sway: meters and times a second; and how far they move at times, for a second or three, and how fast.
_SWAY, _GESTURE = ((0.004, 0.23), (0.004, 0.41), (0.0024, 0.7)), (0.05, 1.1)
_SKINS = ((150, 180, 228), (120, 155, 205), (80, 110, 160), (45, 65, 105))
_CLOTHS = ("plain", "plain", "stripes", "plaid", "dots")


@dataclass(frozen=True)
class Person:
    """Somebody at the table.

    Attributes:
        at: (2,) where, meters.
        side: (2,) unit vector along the table's edge.
        picture: (h, w, 3) as seen from the front.
        opacity: (h, w) 0-1.
        phases: (6,) of how they move, radians.
    """

    at: NDArray[np.float64]
    side: NDArray[np.float64]
    picture: FloatImage
    opacity: FloatImage
    phases: NDArray[np.float64]

    @classmethod
    def random(cls, rng: np.random.Generator, at: NDArray[np.float64], side: NDArray[np.float64]) -> "Person":
        picture, opacity = _figure(rng)
        return cls(at, side, picture, opacity, rng.uniform(0, 2 * np.pi, 6))

    def moved_m(self, time_s: float) -> float:
        """How far along the table they have moved at a time."""
        turns = 2 * np.pi * time_s
        swaying = sum(far * np.sin(turns * often + self.phases[k]) for k, (far, often) in enumerate(_SWAY))
        mood = np.sin(turns / 7 + self.phases[3]) + np.sin(turns / 11 + self.phases[4])
        far, often = _GESTURE
        return float(swaying + far * np.clip((mood - 0.9) / 0.2, 0, 1) * np.sin(turns * often + self.phases[5]))

    def seen_by(self, camera: Camera, time_s: float) -> tuple[FloatImage, FloatImage] | None:
        """(h, w, 3) and (h, w) how they show in the camera's picture at a time; None where they are beside the eye."""
        moved = self.moved_m(time_s)
        foot = self.at + moved * self.side
        ahead = camera.eye[:2] - foot
        right = np.array([-ahead[1], ahead[0]]) / np.hypot(*ahead)
        half = _WIDE_M / 2
        top = [foot + right * (1.5 * moved + off) for off in (-half, half)]
        low = [foot + right * off for off in (half, -half)]
        corners = np.array([[*xy, _TALL_M - _BELOW_M] for xy in top] + [[*xy, -_BELOW_M] for xy in low])
        if camera.depth(corners).min() < 0.2:
            return None
        height, width = self.opacity.shape
        own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(own, camera.project(corners).astype(np.float32))
        picture, opacity = (cv2.warpPerspective(each, matrix, camera.size) for each in (self.picture, self.opacity))
        return np.asarray(picture, np.float32), np.asarray(opacity, np.float32)


class PeopledRenderer(Renderer):
    """Draws a table with people around it, wherever the camera sees beyond its edge.

    Attributes:
        time_s: when; people move as it goes on.
        people: the farthest from the camera first.
    """

    def __init__(self, style: TableStyle, camera: Camera | None = None) -> None:
        super().__init__(style, camera)
        rng = np.random.default_rng([style.seed, 70])
        ends = rng.uniform(*_ENDS_M, 2)
        where = self.camera.plane_map(1, -style.geometry.thickness_m)
        self._is_table = np.asarray((np.abs(where) < ends).all(axis=-1))
        room = _room(rng, self.camera.size) * self._vignette[..., None]
        self._room = np.where(self._is_table[..., None], self._background, room * style.light.level).astype(np.float32)
        eye = self.camera.eye
        self.people: list[Person] = []
        for out in np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]):
            if is_in_view(out, self.camera):
                side, behind = out[::-1].astype(float), np.abs(out) @ ends + rng.uniform(*_BEHIND_M)
                places = rng.uniform(-0.3, 0.3, int(rng.integers(1, 3)))
                self.people += [Person.random(rng, out * behind + side * along, side) for along in places]
        self.people.sort(key=lambda person: -float(np.hypot(*(person.at - eye[:2]))))
        self.time_s, self._drawn_s = 0.0, -1.0

    def compose(self, scene: Scene) -> NDArray[np.uint8]:
        if self.time_s != self._drawn_s:
            self._background, self._last, self._drawn_s = self._around(), None, self.time_s
        return super().compose(scene)

    def _around(self) -> NDArray[np.uint8]:
        """(h, w, 3) the table, the room and the people."""
        picture = self._room.copy()
        for person in self.people:
            seen = person.seen_by(self.camera, self.time_s)
            if seen is not None:
                share = (seen[1] * ~self._is_table)[..., None]
                picture += share * (seen[0] * (self.style.light.level * self._vignette[..., None]) - picture)
        return np.clip(picture, 0, 255).astype(np.uint8)


def _figure(rng: np.random.Generator) -> tuple[FloatImage, FloatImage]:
    """(h, w, 3) and (h, w) somebody from the front, and how opaque each px is."""
    height, width = round(_TALL_M * _PX_PER_M), round(_WIDE_M * _PX_PER_M)
    picture, opacity = _cloth(rng, height, width), np.zeros((height, width), np.float32)
    middle, shoulders = width // 2, round(0.36 * _PX_PER_M)
    reach, round_px = round(0.24 * _PX_PER_M), round(0.12 * _PX_PER_M)
    cv2.ellipse(opacity, (middle, shoulders + round_px), (reach, round_px), 0, 0, 360, (1.0,), -1)
    cv2.rectangle(opacity, (middle - reach, shoulders + round_px), (middle + reach, height), (1.0,), -1)
    skin = _SKINS[int(rng.integers(len(_SKINS)))]
    face, (wide, tall) = (middle, round(0.2 * _PX_PER_M)), (round(0.085 * _PX_PER_M), round(0.12 * _PX_PER_M))
    neck = (face[0] - wide // 2, face[1]), (face[0] + wide // 2, shoulders + round_px // 2)
    for canvas, color in ((picture, skin), (opacity, (1.0,))):
        cv2.rectangle(canvas, *neck, color, -1)
        cv2.ellipse(canvas, face, (wide, tall), 0, 0, 360, color, -1)
    return picture, np.asarray(cv2.GaussianBlur(opacity, (0, 0), 0.8), np.float32)


def _cloth(rng: np.random.Generator, height: int, width: int) -> FloatImage:
    """(h, w, 3) patterned, in folds, buttoned now and then."""
    color, other = rng.uniform(20, 240, (2, 3)).astype(np.float32)
    y, x = np.indices((height, width)) // (period := int(rng.integers(4, 26)))
    row, column = np.indices((height, width)) % period - period / 2
    pattern = {
        "plain": np.zeros((height, width)),
        "stripes": y % 2,
        "plaid": (x % 3 == 0) * 0.5 + (y % 3 == 0) * 0.5,
        "dots": np.hypot(row, column) < 0.3 * period,
    }[str(rng.choice(_CLOTHS))]
    folds = rng.normal(1, 0.15, (6, 5)).astype(np.float32)
    folded = np.asarray(cv2.resize(folds, (width, height), interpolation=cv2.INTER_CUBIC))
    cloth = (color + pattern[..., None] * (other - color)) * folded[..., None]
    if rng.random() < 0.5:
        for down in range(10, height, round(0.09 * _PX_PER_M)):
            cv2.circle(cloth, (width // 2, down), 3, rng.uniform(0, 255, 3).tolist(), -1)
    return np.asarray(np.clip(cloth, 0, 255), np.float32)


def _room(rng: np.random.Generator, size: tuple[int, int]) -> FloatImage:
    """(h, w, 3) walls, floor and furniture, out of focus."""
    width, height = size
    picture = np.full((height, width, 3), rng.uniform(30, 220, 3), np.float32)
    for _ in range(int(rng.integers(4, 12))):
        left, top = int(rng.integers(width)), int(rng.integers(height))
        across, down = (int(length) for length in rng.integers(width // 40, width // 4, 2))
        cv2.rectangle(picture, (left, top), (left + across, top + down), rng.uniform(10, 245, 3).tolist(), -1)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), width / 640), np.float32)
