"""Weighs dice and tokens together: how well a sight of a token fits what a reading would lead to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.observations import TokenSeen
from companion.referee.effects import Option
from companion.referee.hands import LIKELY, Faces, Reading
from companion.referee.outlook import Outlook, Place
from companion.referee.words import faces_label

#: How often people put a token on a wrong space. An estimate: one move in fifty, on any space.
MISPLACED = 0.02
SPACES_ON_BOARD = 40


@dataclass(frozen=True)
class Weighed:
    """A reading with its share of the joint probability of dice and token."""

    reading: Reading
    probability: float
    fit: float

    @property
    def faces(self) -> Faces:
        return self.reading.faces


def fit(sight: TokenSeen, place: Place, *, by_cell: bool = True) -> float:
    """Probability that the token is seen at `place`, 0-1.

    Args:
        by_cell: the Jail's cell and just visiting are told apart where the sight does.
    """
    p = sight.spaces.get(place.space, 0.0)
    if by_cell and place.space == "jail" and sight.in_jail is not None:
        p *= sight.in_jail if place.in_jail else 1.0 - sight.in_jail
    return p


def likelihood(sight: TokenSeen, seen: float) -> float:
    """How well a sight that gives a space the probability `seen` fits a token that belongs there.

    What the sight leaves open may be any space, and people misplace tokens.
    """
    rest = max(0.0, 1.0 - sum(sight.spaces.values()))
    return (1.0 - MISPLACED) * min(1.0, seen + rest / SPACES_ON_BOARD) + MISPLACED / SPACES_ON_BOARD


def best_space(sight: TokenSeen) -> tuple[str, float]:
    """Likeliest space and its probability; ("", 0.0) when nothing was read."""
    if not sight.spaces:
        return "", 0.0
    space = max(sight.spaces, key=lambda name: sight.spaces[name])
    return space, sight.spaces[space]


def weigh(
    found: Sequence[Reading], look: Outlook, player: str, home: Place | None, sight: TokenSeen | None
) -> list[Weighed]:
    """Readings that the rules allow, weighed with where the token was seen; likeliest first."""
    weighed = []
    for reading in found:
        outcome = look.after(reading.faces)
        if outcome is None:
            continue
        places = outcome.spaces_for(player) or ((home,) if home is not None else ())
        seen = min(1.0, sum(fit(sight, place) for place in places)) if sight is not None else 1.0
        share = likelihood(sight, seen) if sight is not None else 1.0
        weighed.append((reading, reading.probability * share, seen))
    total = sum(weight for _, weight, _ in weighed)
    if not total:
        return []
    ranked = sorted(weighed, key=lambda item: -item[1])
    return [Weighed(reading, weight / total, seen) for reading, weight, seen in ranked]


def buttons(weighed: Iterable[Weighed]) -> list[Option]:
    """The answers to what was thrown."""
    return [Option(each.faces, faces_label(each.faces), each.probability) for each in weighed]


def likely(found: Iterable[Reading]) -> list[Reading]:
    return [reading for reading in found if reading.probability >= LIKELY]


def leads_apart(found: Sequence[Reading], look: Outlook, player: str) -> bool:
    """Whether seeing the token would help to tell these readings from each other."""
    ends = set()
    for reading in found:
        outcome = look.after(reading.faces)
        if outcome is not None:
            ends.add(frozenset(outcome.spaces_for(player)))
    return len(ends) > 1


def will_be_told(found: Sequence[Reading], look: Outlook, player: str) -> bool:
    """Whether the token's next space will tell which reading is right: not from the Jail, that it may not leave."""
    chosen = likely(found) or found
    return (len(chosen) == 1 or leads_apart(chosen, look, player)) and moves_on(chosen, look, player)


def moves_on(found: Sequence[Reading], look: Outlook, player: str) -> bool:
    """Whether the player's token has to leave its space whichever of these readings is right."""
    home = look.place(player)
    for reading in found:
        outcome = look.after(reading.faces)
        if outcome is not None:
            places = outcome.spaces_for(player)
            if not places or any(home is not None and place.space == home.space for place in places):
                return False
    return True
