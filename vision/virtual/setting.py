"""The settled state of a virtual table, and where hands put things down."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from vision.virtual.geometry import JAIL, BoardGeometry
from vision.virtual.scene import Die, Piece, Scene, TableStyle

#: Tokens stand at least this far from each other and from discs where there is room, meters.
TOKEN_GAP_M = 0.017
#: So often all tokens are set out on GO to stand apart.
_TRIES = 60
_DECKS = (Piece("deck 1", "deck", -0.072, 0.072, 0.0, 0.785), Piece("deck 2", "deck", 0.072, -0.072, 0.0, 0.785))


@dataclass
class Setting:
    """What stands where; every change draws from `rng` where exactly.

    Attributes:
        tokens: name -> the piece as it stands; a token off the board is missing.
        buildings: square -> (houses, hotel).
        markers: square -> `bomb`, `miner`.
        dice: as they lie; none while they are in a hand.
    """

    style: TableStyle
    rng: np.random.Generator
    tokens: dict[str, Piece] = field(default_factory=dict)
    buildings: dict[int, tuple[int, bool]] = field(default_factory=dict)
    markers: dict[int, tuple[str, ...]] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    has_decks: bool = False
    _houses: dict[int, tuple[Piece, ...]] = field(default_factory=dict)
    _discs: dict[int, tuple[Piece, ...]] = field(default_factory=dict)

    @property
    def geometry(self) -> BoardGeometry:
        return self.style.geometry

    def scene(self) -> Scene:
        """The table at rest."""
        pieces = [*(_DECKS if self.has_decks else ()), *self.tokens.values()]
        for houses in self._houses.values():
            pieces.extend(houses)
        for discs in self._discs.values():
            pieces.extend(discs)
        return Scene(tuple(pieces), self.dice)

    def square_of(self, token: str) -> tuple[int, bool] | None:
        """(square, in jail) on which a token stands; None when it is off the board or beside a space."""
        piece = self.tokens.get(token)
        square = self.geometry.square_at(piece.x, piece.y) if piece is not None else None
        if piece is None or square is None:
            return None
        return square, square == JAIL and self.geometry.is_in_cell(piece.x, piece.y)

    def spot_on(self, square: int, in_jail: bool = False, without: str | None = None) -> tuple[float, float]:
        """A free point of a square for a token, as far from the others as chance finds in some tries."""
        others = [piece for name, piece in self.tokens.items() if name != without]
        others += self._in_the_way(square)
        best, best_gap = (0.0, 0.0), -1.0
        for _ in range(40):
            x, y = self._somewhere_on(square, in_jail)
            gap = min((float(np.hypot(piece.x - x, piece.y - y)) for piece in others), default=1.0)
            if gap > best_gap:
                best, best_gap = (x, y), gap
            if best_gap >= TOKEN_GAP_M:
                break
        return best

    def put_token(self, name: str, square: int, in_jail: bool = False) -> Piece:
        """Stands a token on a square; the `cop` is nobody's and looks like himself."""
        x, y = self.spot_on(square, in_jail, name)
        piece = Piece(name, self.style.tokens.get(name, name), x, y, 0.0, float(self.rng.uniform(0, 2 * np.pi)))
        self.tokens[name] = piece
        return piece

    def put_buildings(self, square: int, houses: int, hotel: bool) -> None:
        """Leaves exactly this on a street's strip; houses that stay are not touched."""
        if (houses, hotel) == self.buildings.get(square, (0, False)):
            return
        depth = 1 - self.geometry.strip_frac / 2
        standing = self._houses.get(square, ())
        if hotel:
            new = [self._building(square, "hotel", 0, 0.5, depth)]
        else:
            new = [piece for piece in standing if piece.kind == "house"][:houses]
            new += [self._building(square, "house", k, 0.13 + 0.247 * k, depth) for k in range(len(new), houses)]
        self._houses.pop(square, None)
        self.buildings.pop(square, None)
        if new:
            self._houses[square] = tuple(new)
            self.buildings[square] = (houses, hotel)

    def put_markers(self, square: int, kinds: tuple[str, ...]) -> None:
        """Leaves exactly these markers on a square, beside the tokens there where there is room."""
        self._discs.pop(square, None)
        self.markers.pop(square, None)
        discs = []
        for k, kind in enumerate(kinds):
            spots = self._row_spots(square, k, len(kinds))
            gaps = [min((np.hypot(p.x - x, p.y - y) for p in self.tokens.values()), default=1.0) for x, y in spots]
            free = [spot for spot, gap in zip(spots, gaps, strict=True) if gap >= TOKEN_GAP_M]
            x, y = free[0] if free else spots[int(np.argmax(gaps))]
            discs.append(Piece(f"{kind} {square} {k}", kind, x, y))
        if discs:
            self._discs[square] = tuple(discs)
            self.markers[square] = kinds

    def throw(self, values: tuple[int, ...], kinds: tuple[str, ...] = (), beside: float = 0.12) -> tuple[Die, ...]:
        """Where dice of these values come to rest.

        Args:
            kinds: of the dice, in the same order; all d6 if empty.
            beside: share of throws that end beside the board.
        """
        center = self._throw_center(bool(self.rng.random() < beside))
        placed: list[Die] = []
        for value, kind in zip(values, kinds or ("d6",) * len(values), strict=True):
            spread = 0.035
            for _ in range(200):
                x, y = (float(c + self.rng.normal(0, spread)) for c in center)
                if self._is_free(x, y, placed):
                    break
                spread *= 1.01
            placed.append(Die(value, x, y, 0.0, float(self.rng.uniform(0, 2 * np.pi)), kind=kind))
        return tuple(placed)

    def together(self, values: tuple[int, ...], kinds: tuple[str, ...]) -> tuple[Die, ...]:
        """Where a hand puts dice of these values down: beside each other, as often beside the board as on it."""
        first, *_ = self.throw(values[:1], kinds[:1], beside=0.5)
        placed = [first]
        for value, kind in zip(values[1:], kinds[1:], strict=True):
            for _ in range(200):
                angle, away = self.rng.uniform(0, 2 * np.pi), self.style.die_m * self.rng.uniform(1.5, 2.2)
                last = placed[-1]
                x, y = last.x + float(away * np.cos(angle)), last.y + float(away * np.sin(angle))
                if self._is_free(x, y, placed):
                    break
            placed.append(Die(value, x, y, 0.0, float(self.rng.uniform(0, 2 * np.pi)), kind=kind))
        return tuple(placed)

    def building_pieces(self) -> list[tuple[int, Piece]]:
        """(square, piece) of every house and hotel."""
        return [(square, piece) for square, pieces in self._houses.items() for piece in pieces]

    def marker_pieces(self) -> list[tuple[int, Piece]]:
        """(square, piece) of every disc."""
        return [(square, piece) for square, pieces in self._discs.items() for piece in pieces]

    def _in_the_way(self, square: int) -> tuple[Piece, ...]:
        """What else a token is kept clear of on a square."""
        return self._discs.get(square, ())

    def _building(self, square: int, kind: str, index: int, along: float, depth: float) -> Piece:
        x, y = self.geometry.at(square, along, depth)
        x, y = (float(v + self.rng.normal(0, 0.0004)) for v in (x, y))
        yaw = self.geometry.heading(square) + float(self.rng.normal(0, 0.08))
        return Piece(f"{kind} {square} {index}", kind, x, y, 0.0, yaw)

    def _row_spots(self, square: int, index: int, count: int) -> list[tuple[float, float]]:
        """Points of a square for the discs of a row side by side: the usual one, then such as tokens leave free."""
        along = 0.5 + min(0.46, 0.72 / max(count - 1, 1)) * (index - (count - 1) / 2)
        usual = self.geometry.at(square, along, float(self.rng.uniform(0.3, 0.6)))
        room = 0.05 if count > 1 else 0.3
        return [usual] + [
            self.geometry.at(square, along + side * room, deep) for deep in (0.2, 0.4, 0.6) for side in (-1, 0, 1)
        ]

    def _somewhere_on(self, square: int, in_jail: bool) -> tuple[float, float]:
        lane = self.geometry.jail_lane_frac
        u, v = (float(value) for value in self.rng.random(2))
        if square == JAIL:
            if in_jail:
                return self.geometry.at(
                    square, lane + (0.2 + 0.6 * u) * (1 - lane), lane + (0.2 + 0.6 * v) * (1 - lane)
                )
            # At the first corner of its side the lane runs along both outer edges.
            narrow, wide = (0.25 + 0.5 * v) * lane, 0.12 + 0.8 * u
            return self.geometry.at(square, *((narrow, wide) if self.rng.random() < 0.5 else (wide, narrow)))
        reach = 0.86 if square % 10 == 0 else 0.94 - self.geometry.strip_frac
        return self.geometry.at(square, 0.18 + 0.64 * u, 0.15 + (reach - 0.25) * v)

    def _throw_center(self, is_beside: bool) -> tuple[float, float]:
        inner = self.geometry.inner_m * 0.62
        if is_beside:
            camera, half = self.style.camera, self.geometry.size_m / 2
            for _ in range(50):
                angle, out = self.rng.uniform(0, 2 * np.pi), half * self.rng.uniform(1.25, 1.5)
                x, y = float(out * np.cos(angle)), float(out * np.sin(angle))
                px = camera.project(np.array([[x, y, 0.0]]))[0] / np.array(camera.size)
                if max(abs(x), abs(y)) > half + 0.05 and px.min() > 0.1 and px.max() < 0.9:
                    return x, y
        return float(self.rng.uniform(-inner, inner)), float(self.rng.uniform(-inner, inner))

    def _is_free(self, x: float, y: float, dice: list[Die]) -> bool:
        edge = self.style.die_m
        half = self.geometry.size_m / 2
        if max(abs(x), abs(y)) < half and max(abs(x), abs(y)) > self.geometry.inner_m - edge:
            return False
        if half <= max(abs(x), abs(y)) < half + edge:
            return False
        if any(np.hypot(die.x - x, die.y - y) < 1.5 * edge for die in dice):
            return False
        decks = _DECKS if self.has_decks else ()
        near = (*decks, *self.style.mugs)
        if any(np.hypot(piece.x - x, piece.y - y) < 0.05 + edge for piece in near):
            return False
        if any(np.hypot(paper.x - x, paper.y - y) < max(paper.size_m) for paper in self.style.papers):
            return False
        px = self.style.camera.project(np.array([[x, y, 0.0]]))[0] / np.array(self.style.camera.size)
        return bool(px.min() > 0.03 and px.max() < 0.97)


def set_out(style: TableStyle, rng: np.random.Generator) -> dict[str, Piece]:
    """All tokens on GO as people begin: beside each other, as far apart as chance finds in some tries."""
    tries: list[dict[str, Piece]] = []
    for _ in range(_TRIES):
        setting = Setting(style, rng)
        tries.append({name: setting.put_token(name, 0) for name in style.tokens})
        if _least_gap(tries[-1]) >= TOKEN_GAP_M:
            break
    return max(tries, key=_least_gap)


def _least_gap(tokens: Mapping[str, Piece]) -> float:
    """Meters between the two that are nearest to each other."""
    pairs = combinations(tokens.values(), 2)
    return min((math.dist((one.x, one.y), (other.x, other.y)) for one, other in pairs), default=math.inf)


def nudge(die: Die, rng: np.random.Generator) -> Die:
    """The die pushed a little, the same face up."""
    shift = rng.normal(0, 0.006, 2)
    return replace(die, x=die.x + float(shift[0]), y=die.y + float(shift[1]), yaw=die.yaw + float(rng.normal(0, 0.3)))
