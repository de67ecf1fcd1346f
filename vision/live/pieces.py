"""From what pictures show of tokens, buildings and markers to what has changed and come to rest."""

from collections import Counter
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from companion.observations import SPACES, TokenSeen
from vision.detections import Box, TokenReading

#: A token is sure of its space from here on; below, more pictures are looked at first.
SURE = 0.9
#: A token whose foot moved less than this (board units; 5 mm of 50 cm) stands where it stood.
SAME_FOOT = 0.01
#: Farther than any error in finding a foot: the token was moved, if nobody saw it move.
ELSEWHERE = 0.02
#: Another token this close to where one stood may hide it (board units; 3 cm of 50 cm).
MAY_HIDE = 0.06
#: Two neighboring spaces both at least this likely: people could read it either way.
BETWEEN = 0.25
#: Pictures (and seconds) without a token, hand or motion before it counts as gone.
GONE_PICTURES, GONE_S = 5, 3.0

Place = tuple[float, float]


@dataclass
class _Standing:
    """One token over the pictures of a scene, or as it was last reported."""

    spaces: dict[int, float]
    in_jail: float
    place: Place
    box: Box
    pictures: int = 1

    @property
    def square(self) -> int:
        return max(self.spaces, key=lambda square: self.spaces[square])

    @property
    def confidence(self) -> float:
        return self.spaces[self.square]

    @property
    def is_in_cell(self) -> bool:
        return self.in_jail >= 0.5

    @property
    def is_sure(self) -> bool:
        return self.confidence >= SURE and (self.square != 10 or abs(self.in_jail - 0.5) > 0.3)

    def is_like(self, other: "_Standing") -> bool:
        return self.square == other.square and (self.square != 10 or self.is_in_cell == other.is_in_cell)


@dataclass(frozen=True)
class TokenChange:
    """What to report of a token; `box` is where it is in the picture, None when gone."""

    seen: TokenSeen
    box: Box | None


@dataclass
class TokenWatch:
    """Fed with the tokens of every picture of a settled scene."""

    least_pictures: int = 2
    most_pictures: int = 6
    gone_pictures: int = GONE_PICTURES
    gone_s: float = GONE_S
    reported: dict[str, _Standing] = field(default_factory=dict)
    _scene: dict[str, _Standing] = field(default_factory=dict)
    _missing: dict[str, tuple[int, int]] = field(default_factory=dict)
    _gone: set[str] = field(default_factory=set)
    _pictures: int = 0

    def new_scene(self) -> None:
        """Something moved: what stands now is looked at afresh."""
        self._scene = {}
        self._pictures = 0

    @property
    def is_done(self) -> bool:
        """Further pictures of this scene would change nothing."""
        if self._pictures < self.least_pictures or any(name not in self._gone for name in self._missing):
            return False
        return self._pictures >= self.most_pictures or all(
            token.is_sure or self._is_unmoved(name, token) for name, token in self._scene.items()
        )

    def _is_unmoved(self, name: str, token: _Standing) -> bool:
        """It stands where it was reported to stand, and is no easier to read than then."""
        before = self.reported.get(name)
        return before is not None and before.is_like(token) and _apart(before.place, token.place) < SAME_FOOT

    def feed(
        self, tokens: list[TokenReading], places: list[Place], t_ns: int, blinded: Collection[int] = ()
    ) -> list[TokenChange]:
        """Takes the tokens of one more picture; returns those that came to rest elsewhere or are gone.

        Args:
            blinded: spaces 0-39 where a lamp hides what stands there.
        """
        self._pictures += 1
        best: dict[str, tuple[TokenReading, Place]] = {}
        for reading, place in zip(tokens, places, strict=True):
            if reading.name is not None and (
                reading.name not in best or reading.confidence > best[reading.name][0].confidence
            ):
                best[reading.name] = (reading, place)
        changes = []
        for name, (reading, place) in best.items():
            self._missing.pop(name, None)
            change = self._stands(name, reading, place, t_ns)
            if change is not None:
                changes.append(change)
        for name, before in self.reported.items():
            if name in best:
                continue
            if before.square in blinded or any(_apart(before.place, place) < MAY_HIDE for place in places):
                # Look-alikes that stand close together are sometimes taken for one.
                self._missing.pop(name, None)
            else:
                changes.extend(self._is_missing(name, t_ns))
        return changes

    def _stands(self, name: str, reading: TokenReading, place: Place, t_ns: int) -> TokenChange | None:
        now = self._average(name, reading, place)
        exhausted = now.pictures >= self.most_pictures
        if now.pictures < self.least_pictures or not (now.is_sure or exhausted):
            return None
        before = self.reported.get(name)
        if before is not None and name not in self._gone:
            still = _apart(before.place, now.place) < SAME_FOOT
            better = now.is_sure and not before.is_sure
            if (now.is_like(before) or still) and not better:
                if now.is_like(before):
                    before.place = now.place
                return None
        self._gone.discard(name)
        self.reported[name] = _Standing(dict(now.spaces), now.in_jail, now.place, now.box, now.pictures)
        return TokenChange(_seen(name, now, t_ns), now.box)

    def _average(self, name: str, reading: TokenReading, place: Place) -> _Standing:
        """The token over the scene so far; spaces weigh with the certainty of its name."""
        spaces = {square: p * reading.name_confidence for square, p in reading.squares.items()}
        standing = self._scene.get(name)
        if standing is None or _apart(standing.place, place) > ELSEWHERE:
            standing = self._scene[name] = _Standing(spaces, reading.in_jail, place, reading.box)
            return standing
        standing.pictures += 1
        share = 1 / standing.pictures
        for square in set(standing.spaces) | set(spaces):
            old = standing.spaces.get(square, 0.0)
            standing.spaces[square] = old + share * (spaces.get(square, 0.0) - old)
        standing.in_jail += share * (reading.in_jail - standing.in_jail)
        standing.place, standing.box = place, reading.box
        return standing

    def _is_missing(self, name: str, t_ns: int) -> list[TokenChange]:
        count, since_ns = self._missing.get(name, (0, t_ns))
        self._missing[name] = (count + 1, since_ns)
        if name in self._gone or count + 1 < self.gone_pictures or t_ns - since_ns < self.gone_s * 1e9:
            return []
        self._gone.add(name)
        return [TokenChange(TokenSeen(token=name, gone=True, t_ns=t_ns), None)]


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _seen(name: str, standing: _Standing, t_ns: int) -> TokenSeen:
    ranked = sorted(standing.spaces.items(), key=lambda item: -item[1])
    spaces = {SPACES[square]: round(float(p), 4) for square, p in ranked if p >= 0.005}
    between = len(ranked) > 1 and ranked[1][1] >= BETWEEN and (ranked[0][0] - ranked[1][0]) % 40 in (1, 39)
    in_jail = round(float(standing.in_jail), 4) if standing.square == 10 else None
    return TokenSeen(token=name, spaces=spaces, in_jail=in_jail, between=between, t_ns=t_ns)


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value", bound=Hashable)


@dataclass
class PlaceWatch(Generic[Key, Value]):
    """What stands on places (buildings on streets, markers on spaces): a change counts once pictures agree on it.

    Something that disappears needs twice the pictures: a token or a die in front of it hides it as well.
    """

    least_pictures: int = 2
    reported: dict[Key, Value] = field(default_factory=dict)
    _votes: dict[Key, Counter[Value]] = field(default_factory=dict)

    def feed(
        self,
        seen: dict[Key, tuple[Value, float]],
        nothing: Value,
        least_confidence: float = 0.6,
        blinded: Collection[Key] = (),
    ) -> dict[Key, tuple[Value, float]]:
        """Takes one more picture.

        Args:
            seen: value and confidence of each place that holds something.
            nothing: the value of a place that holds nothing.
            blinded: places of which this picture tells nothing.
        Returns:
            Places whose value is now surely another than reported.
        """
        changed = {}
        for key in set(seen) | set(self.reported) | set(self._votes):
            value, confidence = seen.get(key, (nothing, 0.9))
            if key in blinded or value == self.reported.get(key, nothing):
                self._votes.pop(key, None)
                continue
            if confidence < least_confidence:
                continue
            votes = self._votes.setdefault(key, Counter())
            for other in [other for other in votes if other != value]:
                del votes[other]
            votes[value] += 1
            needed = self.least_pictures * (2 if value == nothing else 1)
            if votes[value] >= needed:
                changed[key] = (value, confidence)
        for key, (value, _) in changed.items():
            self.reported[key] = value
            self._votes.pop(key, None)
        return changed

    @property
    def is_done(self) -> bool:
        """Nothing is waiting for another picture."""
        return not self._votes
