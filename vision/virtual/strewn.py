"""What people put down as they play, beside the board and on its middle: spare houses, coins, cards, idle tokens."""

from dataclasses import dataclass, field

import numpy as np

from vision.virtual.everyday import EVERYDAY
from vision.virtual.scene import Die, Piece, Scene
from vision.virtual.setting import Setting
from vision.virtual.shapes import METAL_KINDS, PAWN_COLORS

#: What lies about: a heap of houses or of hotels, a thing, a token, a deck.
_KINDS = ("house", "hotel", "thing", "thing", "token", "deck")
#: Heaps, and pieces of a heap of houses, from and up to; how far these lie from its middle, and heaps from each other
#: and from the board's edge at least, meters; and the share of them on the board's middle.
_HEAPS, _PIECES, _SPREAD_M, _APART_M, _OFF_M, _ON_BOARD = (2, 7), (2, 9), 0.016, 0.045, 0.035, 0.25
#: Dice come to rest no nearer to any of it, meters.
_CLEAR_M = 0.03


@dataclass
class Strewn(Setting):
    """A setting where things lie about once dice are thrown, which are not there while the table is calibrated.

    Attributes:
        things: as they lie.
    """

    things: list[Piece] = field(default_factory=list)

    def scene(self) -> Scene:
        scene = super().scene()
        return Scene((*scene.pieces, *self.things), scene.dice, scene.hands)

    def throw(self, values: tuple[int, ...], kinds: tuple[str, ...] = (), beside: float = 0.12) -> tuple[Die, ...]:
        self.things = self.things or self._strewn(np.random.default_rng([self.style.seed, 14]))
        return super().throw(values, kinds, beside)

    def _strewn(self, rng: np.random.Generator) -> list[Piece]:
        heaps: list[tuple[float, float]] = []
        things: list[Piece] = []
        for _ in range(int(rng.integers(*_HEAPS))):
            for _ in range(200):
                is_on_board = rng.random() < _ON_BOARD
                reach = 0.6 * self.geometry.inner_m if is_on_board else 0.75
                x, y = (float(v) for v in rng.uniform(-reach, reach, 2))
                if self._is_room(x, y, is_on_board, heaps):
                    heaps.append((x, y))
                    things += self._heap(rng, len(heaps), (x, y, 0.0 if is_on_board else -self.geometry.thickness_m))
                    break
        return things

    def _is_room(self, x: float, y: float, is_on_board: bool, heaps: list[tuple[float, float]]) -> bool:
        """Whether a heap may lie there, in the camera's sight."""
        px = self.style.camera.project(np.array([[x, y, 0.0]]))[0] / self.style.camera.size
        is_beside = max(abs(x), abs(y)) > self.geometry.size_m / 2 + _OFF_M
        apart = all(np.hypot(x - there[0], y - there[1]) >= _APART_M for there in heaps)
        return bool((is_on_board or is_beside) and apart and px.min() > 0.02 and px.max() < 0.98)

    def _heap(self, rng: np.random.Generator, number: int, at: tuple[float, float, float]) -> list[Piece]:
        kind, count = str(rng.choice(_KINDS)), 1
        if kind in ("house", "hotel"):
            count = int(rng.integers(*_PIECES))
        elif kind == "thing":
            kind = str(rng.choice(list(EVERYDAY)))
        elif kind == "token":
            kind = str(rng.choice([*METAL_KINDS, *(f"{color}_pawn" for color in PAWN_COLORS)]))
        spread = _SPREAD_M if count > 1 else 0.0
        return [
            Piece(
                f"strewn {number} {k}",
                kind,
                at[0] + float(rng.normal(0, spread)),
                at[1] + float(rng.normal(0, spread)),
                at[2],
                float(rng.uniform(0, 2 * np.pi)),
            )
            for k in range(count)
        ]

    def _is_free(self, x: float, y: float, dice: list[Die]) -> bool:
        is_clear = all(np.hypot(thing.x - x, thing.y - y) > _CLEAR_M for thing in self.things)
        return is_clear and super()._is_free(x, y, dice)
