"""Weighs dice and tokens together: how well a sight of a token fits what a reading would lead to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.observations import TokenSeen
from companion.referee.hands import LIKELY, Faces, Reading, Throw, readings
from companion.referee.outlook import Outlook, Place, try_action
from companion.rules import Game

#: How often people put a token on a wrong space. An estimate: one move in fifty, on any space.
MISPLACED = 0.02
SPACES_ON_BOARD = 40
#: How often a throw that could not be used was not meant to count (a die fell, a child played).
VOID = 0.05
#: How well a token that still stands where it stood fits a story that sent it elsewhere.
NOT_YET = 0.3
#: Stories that are followed at once, and throws that are looked at together.
MOST_STORIES = 48
MOST_THROWS = 3


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


@dataclass(frozen=True)
class Story:
    """One way in which the table may have gone on.

    Attributes:
        first: its first action; None when the first throw did not count.
        is_stuck: it cannot say more before another decision.
    """

    game: Game
    weight: float
    first: dict[str, Any] | None
    steps: int = 0
    is_stuck: bool = False


def first_steps(
    game: Game,
    throws: Sequence[Throw],
    sights: Mapping[str, TokenSeen],
    trails: Mapping[str, Sequence[str]],
) -> list[tuple[dict[str, Any] | None, float]]:
    """What the next action must have been, judged by all that was seen since, likeliest first.

    Follows the throws that wait through every likely reading and every answer to the decisions
    between them, and weighs where that would have put each token against where it was seen.
    """
    stories = [Story(game, 1.0, None)]
    for throw in list(throws)[:MOST_THROWS]:
        grown = [new for story in stories for new in _grow(story, throw)]
        stories = sorted(grown, key=lambda story: -story.weight)[:MOST_STORIES]
    shares: dict[str, tuple[dict[str, Any] | None, float]] = {}
    for story in stories:
        weight = story.weight * _token_fit(story, sights, trails)
        key = repr(story.first)
        shares[key] = (story.first, shares.get(key, (None, 0.0))[1] + weight)
    total = sum(weight for _, weight in shares.values())
    ranked = sorted(shares.values(), key=lambda item: -item[1])
    return [(first, weight / total) for first, weight in ranked] if total else []


def _grow(story: Story, throw: Throw) -> Iterable[Story]:
    if story.is_stuck:
        yield story
        return
    void = max([VOID, *(die.cocked for die in throw.dice)])
    yield Story(story.game, story.weight * void, story.first, story.steps + 1)
    for before in _decided(story):
        if before.is_stuck:
            yield Story(before.game, before.weight * (1.0 - void), before.first, before.steps, True)
            continue
        look = Outlook(before.game)
        assert look.wanted is not None
        found = readings(throw, look.wanted.kinds, look.is_ordered)
        for reading in likely(found) or found[:1]:
            outcome = look.after(reading.faces)
            if outcome is not None:
                weight = before.weight * (1.0 - void) * reading.probability
                first = before.first if before.steps else look.roll(reading.faces)
                yield Story(outcome.game, weight, first, before.steps + 1)


def _decided(story: Story) -> Iterable[Story]:
    """The story itself when a throw is wanted; else one for each answer to the open decision."""
    look = Outlook(story.game)
    if look.wanted is not None:
        yield story
        return
    decision = look.decision()
    actions = (
        [{"choose": option, "by": decision["player"]} for option in decision.get("options", ())] if decision else []
    )
    outcomes = [(action, outcome) for action in actions if (outcome := try_action(story.game, action)) is not None]
    if not outcomes:
        yield Story(story.game, story.weight, story.first, story.steps, True)
    for action, outcome in outcomes:
        ahead = Outlook(outcome.game)
        first = story.first if story.steps else action
        yield Story(outcome.game, story.weight / len(outcomes), first, story.steps + 1, ahead.wanted is None)


def _token_fit(story: Story, sights: Mapping[str, TokenSeen], trails: Mapping[str, Sequence[str]]) -> float:
    look = Outlook(story.game)
    product = 1.0
    for token, sight in sights.items():
        place = look.place(token)
        if place is None or sight.gone or not sight.spaces:
            continue
        seen = fit(sight, place)
        if story.is_stuck or (place.space != best_space(sight)[0] and best_space(sight)[0] in trails.get(token, ())):
            seen = max(seen, NOT_YET)
        product *= likelihood(sight, seen)
    return product
