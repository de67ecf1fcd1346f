"""Hands that count money beside the board while others play, and lie still for a while now and then."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.virtual.camera import Camera
from vision.virtual.hand import HandPose
from vision.virtual.render import Renderer
from vision.virtual.scene import Scene, TableStyle

#: How far fingertips are from the board's edge, and how far along it from its middle, in its sides.
_BESIDE, _ALONG = (0.06, 0.25), 0.4
#: How far hands move to and fro as they count, meters, radians, and how often in a second.
_COUNTING = ((0.012, 1.3), (0.008, 0.9), (0.1, 0.7))
#: Lengths of the waves that make up how busy they are, seconds: about two thirds of the time.
_MOODS, _BUSY, _STOPPING = (5.0, 8.3, 3.1), -0.5, 0.3
_HEIGHT_M = 0.01


@dataclass(frozen=True)
class IdleHand:
    """One hand.

    Attributes:
        at: (2,) where its fingertips are, meters.
        out: (2,) unit vector that leads away from the board.
        phases: (6,) of how it moves, radians.
        look: picks skin and sleeve.
    """

    at: NDArray[np.float64]
    out: NDArray[np.float64]
    phases: NDArray[np.float64]
    look: int

    def pose(self, time_s: float) -> HandPose:
        """Where it is at a time."""
        turns = 2 * np.pi * time_s
        mood = sum(np.sin(turns / length + phase) for length, phase in zip(_MOODS, self.phases[:3], strict=True))
        busy = float(np.clip((mood - _BUSY) / _STOPPING, 0, 1))
        out, along, turned = (
            busy * far * np.sin(turns * often + phase)
            for (far, often), phase in zip(_COUNTING, self.phases[3:], strict=True)
        )
        x, y = self.at + out * self.out + along * self.out[::-1] * (-1, 1)
        yaw = float(np.arctan2(self.out[0], -self.out[1])) + turned
        return HandPose(float(x), float(y), _HEIGHT_M, yaw, look=self.look)


class IdleHandsRenderer(Renderer):
    """Draws a table with hands beside the board.

    Attributes:
        time_s: when; the hands move as it goes on.
        seats: whose hands they are.
    """

    def __init__(self, style: TableStyle, hands: int, camera: Camera | None = None) -> None:
        super().__init__(style, camera)
        rng, side_m = np.random.default_rng([style.seed, 77]), style.geometry.size_m
        self._hands, self.seats = [], set[int]()
        for _ in range(hands):
            seat = int(rng.choice(seats_in_view(self.camera)))
            self.seats.add(seat)
            angle = seat_angle(seat)
            out = np.array([np.cos(angle), np.sin(angle)])
            beside, along = side_m * (0.5 + rng.uniform(*_BESIDE)), side_m * rng.uniform(-_ALONG, _ALONG)
            at = out * beside + out[::-1] * (-1, 1) * along
            self._hands.append(IdleHand(at, out, rng.uniform(0, 2 * np.pi, 6), int(rng.integers(8))))
        self.time_s = 0.0

    def compose(self, scene: Scene) -> NDArray[np.uint8]:
        hands = (*scene.hands, *(hand.pose(self.time_s) for hand in self._hands))
        return super().compose(Scene(scene.pieces, scene.dice, hands))


def seat_angle(seat: int) -> float:
    """From the board's middle to the middle of the side at which somebody sits, radians; seats 0 to 3 go round."""
    return -np.pi / 2 - seat % 4 * np.pi / 2


def seats_in_view(camera: Camera) -> list[int]:
    """Those at whose hands a camera looks."""
    angles = [seat_angle(seat) for seat in range(4)]
    return [seat for seat, angle in enumerate(angles) if is_in_view(np.array([np.cos(angle), np.sin(angle)]), camera)]


def is_in_view(out: NDArray[np.floating] | NDArray[np.integer], camera: Camera) -> bool:
    """Whether a camera looks at who sits where a (2,) unit vector leads; who sits before it is behind it."""
    eye = camera.eye[:2]
    return bool(out @ eye < 0.5 * np.hypot(*eye))
