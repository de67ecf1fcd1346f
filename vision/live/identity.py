"""Who is who among look-alike tokens: a token that nobody touched keeps its name.

One picture may not tell a metal boot from a metal dog. Over a game each token stands in many places
and is seen from many sides; that is summed up for each token that can be followed, and the names are
given to all of them together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from companion.observations import COP
from vision.detections import TokenReading
from vision.pieces.assignment import assign, marginals

#: A token found within this distance (board units) of where one stood is that one. Bases stand further apart.
STAY = 0.015
#: What is found nearer than this to where a token stood that is not seen there, is that one sooner by this factor than
#: its looks say: feet of tokens that others hide in part are not found to a hair.
NUDGED, SOONER = 0.03, 10.0
#: The least that one look may say of a name, so that a bad look can be outweighed later.
LEAST_SHARE = 0.05
#: Odds that a token is none of the enrolled.
STRANGER_SHARE = 0.02
#: What the places before say weighs this much: one side of a token looks alike in many places.
PAST_WEIGHT = 0.6
#: Evidence is kept within this many nats of the best name: people do swap tokens.
MOST_NATS = 8.0

#: Looks at one place that count towards there being a token; they share their faults.
MOST_LOOKS = 3

#: What the book says of a token weighs as much as some looks: a book may be wrong.
LEARNED_NATS = 3.0

JAIL = 10
Place = tuple[float, float]


@dataclass
class _Track:
    """One token as it is followed.

    Attributes:
        past: per name the summed logarithms of all earlier resting places.
        here: per name the sum over the pictures of the present place, `looks` of them.
        square: where it was last read, and whether in jail.
        is_learned: the game has said who stands here.
        doubt: probability that nothing stands there, after these looks.
    """

    place: Place
    past: dict[str, float] = field(default_factory=dict)
    here: dict[str, float] = field(default_factory=dict)
    looks: int = 0
    doubt: float = 1.0
    square: tuple[int, bool] = (-1, False)
    is_learned: bool = False

    def evidence(self, name: str) -> float:
        now = self.here.get(name, 0.0) / self.looks if self.looks else 0.0
        return self.past.get(name, 0.0) + now

    def look(self, reading: TokenReading, names: list[str]) -> None:
        for name in names:
            share = max(reading.names.get(name, 0.0), LEAST_SHARE)
            self.here[name] = self.here.get(name, 0.0) + float(np.log(share))
        self.looks += 1
        self.square = (reading.square, reading.square == JAIL and reading.in_jail > 0.5)
        if self.looks <= MOST_LOOKS:
            self.doubt *= 1 - min(detection_of(reading), 0.99)

    def move(self, place: Place) -> None:
        """It stands elsewhere now: another look from another side."""
        total = {name: self.evidence(name) for name in self.here}
        best = max(total.values(), default=0.0)
        self.past = {name: max(PAST_WEIGHT * (value - best), -MOST_NATS) for name, value in total.items()}
        self.here, self.looks, self.place, self.doubt, self.is_learned = {}, 0, place, 1.0, False


class Identity:
    """Follows all named tokens of one table."""

    def __init__(self) -> None:
        self._tracks: list[_Track] = []
        self._names: list[str] = []
        self._book: dict[str, tuple[int, bool]] = {}

    def forget(self) -> None:
        """Another table or calibration."""
        self._tracks, self._names = [], []

    def name(self, tokens: list[TokenReading], places: list[Place]) -> list[TokenReading]:
        """The same tokens under the names that all looks so far give them.

        Args:
            tokens: of one settled picture without a hand; those without names are passed through.
            places: where they stand, in board units.
        """
        named = [index for index, token in enumerate(tokens) if token.name is not None and token.names]
        names = {name for index in named for name in tokens[index].names}
        if named and COP in self._names and COP not in names:
            # This game has none.
            self.forget()
        self._names += sorted(names.difference(self._names))
        followed = self._follow([tokens[index] for index in named], [places[index] for index in named])
        # What is seen for the first time stands where the game had it before anything moved.
        self._heed_book([track for track in self._tracks if not track.past])
        shares = self._shares()
        out = list(tokens)
        for index, track in zip(named, followed, strict=True):
            # What is left when every name has its token is a stranger.
            stranger = replace(tokens[index], name=None)
            out[index] = stranger if track is None else self._renamed(tokens[index], shares, track)
        return out

    def learn(self, book: Mapping[str, tuple[int, bool]]) -> None:
        """The game has accepted that these tokens stand there: a token that stands alone on its space is told by that.

        Args:
            book: name -> (square 0-39, in jail).
        """
        self._book = dict(book)
        self._heed_book(self._tracks)

    def _heed_book(self, tracks: list[_Track]) -> None:
        for name, square in self._book.items():
            alone = [track for track in self._tracks if track.square == square]
            if name not in self._names or len(alone) != 1 or list(self._book.values()).count(square) != 1:
                continue
            if not alone[0].is_learned and any(track is alone[0] for track in tracks):
                alone[0].is_learned = True
                alone[0].past[name] = alone[0].past.get(name, 0.0) + LEARNED_NATS

    def correct(self, name: str, place: Place) -> None:
        """People say that this token stands there, whatever it looks like."""
        near = [track for track in self._tracks if _apart(track.place, place) < STAY]
        if name in self._names and len(near) == 1:
            near[0].past = {each: 0.0 if each == name else -MOST_NATS for each in self._names}
            near[0].is_learned = True

    def _follow(self, tokens: list[TokenReading], places: list[Place]) -> list[int | None]:
        """Which track each token belongs to; updates the tracks."""
        taken: list[int | None] = [None] * len(tokens)
        pairs = sorted(
            (_apart(place, track.place), index, number)
            for index, place in enumerate(places)
            for number, track in enumerate(self._tracks)
        )
        for distance, index, number in pairs:
            if distance < STAY and taken[index] is None and number not in taken:
                taken[index] = number
        self._find_moved(tokens, places, taken)
        for index, (token, place) in enumerate(zip(tokens, places, strict=True)):
            number_of = taken[index]
            if number_of is None:
                if len(self._tracks) >= len(self._names):
                    continue
                self._tracks.append(_Track(place))
                number_of = taken[index] = len(self._tracks) - 1
            track = self._tracks[number_of]
            if _apart(place, track.place) >= STAY:
                track.move(place)
            track.look(token, self._names)
        return taken

    def _find_moved(self, tokens: list[TokenReading], places: list[Place], taken: list[int | None]) -> None:
        """Gives tokens that stand where none stood to tracks whose token has left, by their looks.

        What rather looks like a token that has not been seen before is that: the Cop is put down later than the others.
        """
        new = [index for index, number in enumerate(taken) if number is None]
        left = [number for number in range(len(self._tracks)) if number not in taken]
        if not new or not left:
            return
        shares = self._shares()
        unseen = np.clip(1.0 - shares.sum(axis=0), 0.0, 1.0)
        gain = np.empty((len(new), len(left)))
        for row, index in enumerate(new):
            look = self._look_by_book(tokens[index])
            for column, number in enumerate(left):
                likely = float(look @ shares[number])
                if _apart(places[index], self._tracks[number].place) < NUDGED:
                    likely *= SOONER
                # Above 0 for any pair, so that every token that moved is followed while one is missing.
                gain[row, column] = 20.0 + float(np.log(max(likely, 1e-6))) if likely >= look @ unseen else -1.0
        for row, column in enumerate(assign(gain)):
            if column >= 0:
                taken[new[row]] = left[column]

    def _look_by_book(self, token: TokenReading) -> np.ndarray:
        """(names,) what it looks like, and sooner like the one that the book has alone on its space."""
        square = (token.square, token.square == JAIL and token.in_jail > 0.5)
        there = [name for name, place in self._book.items() if place == square]
        by_book = np.exp(LEARNED_NATS)
        return np.array([token.names.get(name, 0.0) * (by_book if [name] == there else 1.0) for name in self._names])

    def _shares(self) -> np.ndarray:
        """(tracks, names) probability of each name for each track, no name twice."""
        if not self._tracks:
            return np.zeros((0, len(self._names)))
        logits = np.array([[track.evidence(name) for name in self._names] for track in self._tracks])
        return np.asarray(marginals(logits - logits.max(axis=1, keepdims=True), nothing=float(np.log(STRANGER_SHARE))))

    def _renamed(self, token: TokenReading, shares: np.ndarray, track: int) -> TokenReading:
        gain = np.log(np.maximum(shares, 1e-9)) + 30.0
        given = assign(gain)[track]
        share = dict(zip(self._names, (float(p) for p in shares[track]), strict=True))
        name = self._names[given] if given >= 0 else max(share, key=lambda each: share[each])
        found = 1 - self._tracks[track].doubt
        return replace(token, name=name, names=share, name_confidence=found * share[name])


def _apart(a: Place, b: Place) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def detection_of(token: TokenReading) -> float:
    """Probability that there is one of the enrolled tokens at all."""
    return min(sum(token.names.values()), 1.0)
