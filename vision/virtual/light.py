"""The light over the table: how bright each place is, where shadows fall, where the board shines."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatImage = NDArray[np.float32]


@dataclass(frozen=True)
class Light:
    """One main light plus the room's.

    Attributes:
        direction: (3,) unit vector towards the main light.
        ambient: share of the light that comes from everywhere, 0-1.
        level: brightness of a white sheet at the board's center, 0-1.2 (1 = 255).
        gradient: change of brightness per meter along x and y.
        lamp: height in meters of a lamp that makes a bright spot; 0 for none.
        lamp_at: the spot's center.
        tint: BGR factors of the light's color.
        sheen: strength of the reflection on the board's varnish, 0-1.
        softness_m: blur of shadows for each meter of height over the table.
    """

    direction: tuple[float, float, float]
    ambient: float = 0.55
    level: float = 0.85
    gradient: tuple[float, float] = (0.0, 0.0)
    lamp: float = 0.0
    lamp_at: tuple[float, float] = (0.0, 0.0)
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    sheen: float = 0.0
    softness_m: float = 0.25

    @classmethod
    def random(cls, rng: np.random.Generator) -> "Light":
        """A window, a lamp or a lit ceiling."""
        angle = rng.uniform(0, 2 * np.pi)
        height = rng.uniform(0.7, 2.2)
        towards = np.array([np.cos(angle), np.sin(angle), height])
        towards /= np.linalg.norm(towards)
        kind = str(rng.choice(["window", "lamp", "ceiling", "dim"]))
        warm = {"window": 0.0, "lamp": 0.18, "ceiling": 0.05, "dim": 0.12}[kind] + rng.uniform(-0.04, 0.06)
        slope = rng.uniform(0.1, 0.7) * np.array([np.cos(angle), np.sin(angle)])
        return cls(
            direction=(float(towards[0]), float(towards[1]), float(towards[2])),
            ambient=float(rng.uniform(0.4, 0.75)),
            level=float({"dim": rng.uniform(0.32, 0.5)}.get(kind, rng.uniform(0.68, 0.98))),
            gradient=(float(slope[0]), float(slope[1])),
            lamp=float(rng.uniform(0.4, 0.8)) if kind == "lamp" else 0.0,
            lamp_at=(float(rng.uniform(-0.25, 0.25)), float(rng.uniform(-0.25, 0.25))),
            tint=(1.0 - warm, 1.0 - warm * 0.3, 1.0 + warm * 0.3),
            sheen=float(rng.choice([0.0, rng.uniform(0.05, 0.3)])),
            softness_m=float(rng.uniform(0.1, 0.4)),
        )

    def brightness(self, xy: NDArray[np.floating]) -> FloatImage:
        """(..., 3) BGR factor by which albedo is multiplied, at points (..., 2) of the table."""
        value = 1.0 + xy[..., 0] * self.gradient[0] + xy[..., 1] * self.gradient[1]
        value = np.clip(value, 0.35, 1.6)
        if self.lamp:
            d2 = (xy[..., 0] - self.lamp_at[0]) ** 2 + (xy[..., 1] - self.lamp_at[1]) ** 2
            value = value * (0.6 + 0.6 / (1.0 + d2 / self.lamp**2) ** 1.5)
        return np.asarray(value[..., None] * self.level * np.array(self.tint), np.float32)

    def shade(self, normals: NDArray[np.float64], to_eye: NDArray[np.float64], gloss: float) -> NDArray[np.float64]:
        """(n, 2): diffuse factor (1 for a face that looks up) and highlight 0-1 of faces with these unit normals."""
        towards = np.array(self.direction)
        direct = np.clip(normals @ towards, 0, None) / towards[2]
        sky = 0.5 + 0.5 * normals[:, 2]
        diffuse = self.ambient * (0.35 + 0.65 * sky) + (1 - self.ambient) * direct
        half = towards + to_eye
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        shine = np.clip(np.sum(normals * half, axis=1), 0, None) ** 40 * gloss
        return np.stack([np.clip(diffuse, 0.0, 1.7), shine], axis=1)

    @property
    def shadow_depth(self) -> float:
        """Share of the light that a full shadow takes away."""
        return (1 - self.ambient) * 0.85
