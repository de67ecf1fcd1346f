"""Who is who among look-alike tokens: a token that nobody touched keeps its name.

One picture may not tell a metal boot from a metal dog. Over a game each token stands in many places
and is seen from many sides. What each place has shown, and who is left for it when all others are told, is
kept for as long as a token stands there, and goes with it when it moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.observations import COP
from vision.detections import TokenReading
from vision.pieces.assignment import assign, marginals

#: What is found within this distance (board units) of where a token stood is that one, unless it looks like another:
#: bases stand further apart.
STAY = 0.015
#: What is found nearer than this to where a token stood that is not seen there, is that one sooner by this factor than
#: its looks say: feet of tokens that others hide in part are not found to a hair.
NUDGED, SOONER = 0.03, 10.0
#: The least that one look may say of a name, so that a bad look can be outweighed later, and yet a plain one outweighs
#: what is known of a place. (By 0.01 as many of 2940 pictures of rendered tables are named rightly, but half as many
#: tokens are so for sure.)
LEAST_SHARE = 0.002
#: Probability that who stands where a token stood is another one. And the share, in a new place, of names that nobody
#: has left anywhere: tokens come back that were off the board. (By 0.01 or 0.05, and by 0.05 to 0.5, at most two of
#: these pictures differ.)
REPLACED, COMES_BACK = 0.03, 0.3
#: Odds that a token is none of the enrolled.
STRANGER_SHARE = 0.005
#: What is known of who stands in a place besides its looks: in nats, at most.
MOST_NATS = 8.0
#: Looks at one place that count towards there being a token; they share their faults.
MOST_LOOKS = 3
#: What the book says of a token weighs as much as some looks: a book may be wrong.
LEARNED_NATS = 3.0

JAIL = 10
Place = tuple[float, float]
Odds = NDArray[np.float64]
"""(names,) in nats."""


@dataclass
class _Stand:
    """A token for as long as it stands in one place.

    Attributes:
        prior: who it is by all but its looks here.
        here: sum over its `looks` here, which share their faults: their mean counts.
        shares: (names,) who it is, all in all.
        square: where it was last read, and whether in jail.
        is_learned: the game has said who stands here.
        doubt: probability that nothing stands there, after these looks.
    """

    place: Place
    prior: Odds
    here: Odds
    shares: Odds
    looks: int = 0
    doubt: float = 1.0
    square: tuple[int, bool] = (-1, False)
    is_learned: bool = False

    def look(self, reading: TokenReading, said: Odds) -> None:
        self.here = self.here + said
        self.looks += 1
        self.square = _square_of(reading)
        if self.looks <= MOST_LOOKS:
            self.doubt *= 1 - min(detection_of(reading), 0.99)


class Identity:
    """Follows all named tokens of one table."""

    def __init__(self) -> None:
        self._stands: list[_Stand] = []
        self._names: list[str] = []
        self._book: dict[str, tuple[int, bool]] = {}

    def forget(self) -> None:
        """Another table or calibration."""
        self._stands, self._names = [], []

    def name(self, tokens: list[TokenReading], places: list[Place]) -> list[TokenReading]:
        """The same tokens under the names that all looks so far give them.

        Args:
            tokens: of one settled picture without a hand; those without names are passed through.
            places: where they stand, in board units.
        """
        named = [index for index, token in enumerate(tokens) if token.name is not None and token.names]
        self._know({name for index in named for name in tokens[index].names})
        here = self._stands_of([tokens[index] for index in named], [places[index] for index in named])
        out = list(tokens)
        if here:
            given = assign(np.log(np.maximum(np.array([stand.shares for stand in here]), 1e-9)) + 30.0)
            for index, stand, name in zip(named, here, given, strict=True):
                out[index] = self._renamed(tokens[index], stand, name)
        return out

    def _know(self, names: set[str]) -> None:
        if names and COP in self._names and COP not in names:
            # This game has none.
            self.forget()
        new = sorted(names.difference(self._names))
        self._names += new
        for stand in self._stands:
            least = np.log(LEAST_SHARE)
            stand.prior = np.append(stand.prior, np.zeros(len(new)))
            stand.here = np.append(stand.here, np.full(len(new), least * stand.looks))
            stand.shares = np.append(stand.shares, np.zeros(len(new)))

    def learn(self, book: Mapping[str, tuple[int, bool]]) -> None:
        """The game has accepted that these tokens stand there: a token that stands alone on its space is told by that.

        That is told once: what is said again, while tokens may be on their way, changes nothing.

        Args:
            book: name -> (square 0-39, in jail).
        """
        if book == self._book:
            return
        self._book = dict(book)
        for stand in self._stands:
            alone = [other for other in self._stands if other.square == stand.square]
            name = self._alone_in_book(stand.square)
            if len(alone) == 1 and name is not None and not stand.is_learned:
                stand.is_learned = True
                stand.prior[self._names.index(name)] += LEARNED_NATS

    def _alone_in_book(self, square: tuple[int, bool]) -> str | None:
        there = [name for name, place in self._book.items() if place == square]
        return there[0] if len(there) == 1 and there[0] in self._names else None

    def correct(self, name: str, place: Place) -> None:
        """People say that this token stands there, whatever it looks like."""
        near = [stand for stand in self._stands if _apart(stand.place, place) < STAY]
        if name in self._names and len(near) == 1:
            near[0].prior = np.where(np.array(self._names) == name, 0.0, -MOST_NATS)
            near[0].is_learned = True

    def _stands_of(self, tokens: list[TokenReading], places: list[Place]) -> list[_Stand]:
        """Where each token stands, all looks until now and its name told."""
        said = [np.log([max(token.names.get(name, 0.0), LEAST_SHARE) for name in self._names]) for token in tokens]
        stayed = self._stayed(said, places)
        left = [stand for stand in self._stands if not any(stand is one for one in stayed)]
        here = []
        for token, place, look, stand in zip(tokens, places, said, stayed, strict=True):
            here.append(stand or self._new(token, place, left))
            here[-1].look(token, look)
        if not here:
            return []
        for stand, shares, before in zip(here, _shares(here), stayed, strict=True):
            stand.shares = shares
            if before is None:
                # Whom the others leave for this place is still known when they have moved.
                prior = np.log(np.maximum(shares, 1e-9)) - stand.here
                stand.prior = np.maximum(prior - prior.max(), -MOST_NATS)
        told = np.sum([stand.shares for stand in here], axis=0)
        self._stands = [*here, *(stand for stand in left if float(stand.shares @ told) < 0.5)]
        return here

    def _new(self, token: TokenReading, place: Place, left: list[_Stand]) -> _Stand:
        """A place where none stood: who left another is there sooner, the more so from beside, and who the book has."""
        nobody = np.zeros(len(self._names))
        away = np.minimum(sum((one.shares for one in left), nobody), 1.0)
        prior = np.log(away + COMES_BACK) if self._stands else nobody.copy()
        for one in left:
            if _apart(place, one.place) < NUDGED:
                prior += np.log(1 + (SOONER - 1) * one.shares)
        name = self._alone_in_book(_square_of(token))
        if name is not None:
            prior[self._names.index(name)] += LEARNED_NATS
        return _Stand(place, prior, nobody, nobody)

    def _stayed(self, said: list[Odds], places: list[Place]) -> list[_Stand | None]:
        """For each place the stand that it belongs to; None where nobody stood, or now another one does."""
        stayed: list[_Stand | None] = [None] * len(places)
        pairs = sorted(
            (_apart(place, stand.place), index, number)
            for index, place in enumerate(places)
            for number, stand in enumerate(self._stands)
        )
        taken = set[int]()
        for distance, index, number in pairs:
            stand = self._stands[number]
            if distance >= STAY or stayed[index] is not None or number in taken:
                continue
            look = np.exp(said[index])
            if (1 - REPLACED) * float(look @ stand.shares) >= REPLACED * float(look.max()):
                stayed[index] = stand
                taken.add(number)
        return stayed

    def _renamed(self, token: TokenReading, stand: _Stand, given: int) -> TokenReading:
        if given < 0:
            # What is left when every name has its token is a stranger.
            return replace(token, name=None)
        share = dict(zip(self._names, (float(p) for p in stand.shares), strict=True))
        name = self._names[given]
        return replace(token, name=name, names=share, name_confidence=(1 - stand.doubt) * share[name])


def _shares(stands: list[_Stand]) -> Odds:
    """(stands, names) probability of each name for each place.

    Looks give each name out once already; they are changed by as much as what else is known changes that.
    """
    looks = np.array([stand.here / stand.looks for stand in stands])
    known = looks + np.array([stand.prior for stand in stands])
    stranger = float(np.log(STRANGER_SHARE))
    given, alone = (marginals(each - each.max(axis=1, keepdims=True), stranger) for each in (known, looks))
    shares = np.exp(looks) * np.maximum(given, 1e-9) / np.maximum(alone, 1e-9)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True) * (1 - STRANGER_SHARE))


def _square_of(token: TokenReading) -> tuple[int, bool]:
    return token.square, token.square == JAIL and token.in_jail > 0.5


def places_of(corners_px: NDArray[np.float64], points_px: list[tuple[float, float]]) -> list[Place]:
    """Board units of points in the picture."""
    if not points_px:
        return []
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners_px.astype(np.float32), unit)
    moved = cv2.perspectiveTransform(np.array(points_px, np.float32)[None], matrix)[0]
    return [(float(x), float(y)) for x, y in moved]


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def detection_of(token: TokenReading) -> float:
    """Probability that there is one of the enrolled tokens at all."""
    return min(sum(token.names.values()), 1.0)
