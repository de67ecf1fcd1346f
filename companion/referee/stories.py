"""Follows the ways in which the table may have gone on, where one look alone does not tell."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.observations import StandingSeen, TokenSeen
from companion.referee.hands import Throw, readings
from companion.referee.outlook import Outcome, Outlook, try_action
from companion.referee.standing import NOT_YET, expected
from companion.referee.standing import fit as fit_board
from companion.referee.weighing import best_space, fit, likelihood
from companion.rules import Game

#: How often a throw that could not be used was not meant to count (a die fell, a child played).
VOID = 0.05
#: Share of throws of which no reading comes at all.
OVERLOOKED = 0.02
#: Readings that are followed: among dice of which nothing was read, doubles too.
WORTH = 0.01
#: Stories that are followed at once, and throws that are looked at together.
MOST_STORIES = 48
MOST_THROWS = 3


@dataclass(frozen=True)
class Story:
    """One way in which the table may have gone on.

    Attributes:
        first: its first action; None when the first throw did not count.
        key: equal for stories whose first actions have the same consequences.
        has_unseen: its first action is a throw that nobody saw.
        is_stuck: it cannot say more before another decision.
        move: the newest, as (start, end); None where nobody was moved.
    """

    game: Game
    weight: float
    first: dict[str, Any] | None = None
    key: tuple[Any, ...] = ()
    has_unseen: bool = False
    steps: int = 0
    is_stuck: bool = False
    move: tuple[str, str] | None = None

    @property
    def places(self) -> Counter[str]:
        """How many tokens stand on each space."""
        return Counter(player.at for player in self.game.state.players.values() if player.at)


@dataclass(frozen=True)
class FirstStep:
    """What the next action must have been; `action` is None when the first throw did not count.

    Attributes:
        probability: of this, or what comes to the same.
        confidence: of this alone.
        is_unseen: it is a throw that nobody saw.
        is_stuck: nothing followed that would tell; all else fits less.
    """

    action: dict[str, Any] | None
    probability: float
    confidence: float
    is_unseen: bool
    is_stuck: bool


def first_steps(
    game: Game,
    throws: Sequence[Throw],
    sights: Mapping[str, TokenSeen],
    trails: Mapping[str, Sequence[str]],
    before: StandingSeen | None = None,
) -> list[FirstStep]:
    """What the next action must have been, judged by all that was seen since, likeliest first.

    Follows the throws that wait through every likely reading and every answer to the decisions
    between them, and weighs where that would have put each token against where it was seen.

    Args:
        before: the look at the board before the first of the throws, when it shows that one may have been overlooked.
    """
    stories = [Story(game, 1.0)]
    if before is not None:
        stories += [replace(story, weight=story.weight * _stood(story, before)) for story in _unseen(game)]
    for throw in list(throws)[:MOST_THROWS]:
        grown = [new for story in stories for new in _grow(story, throw)]
        if throw.stood is not None:
            grown = [replace(story, weight=story.weight * _stood(story, throw.stood)) for story in grown]
        stories = sorted(grown, key=lambda story: -story.weight)[:MOST_STORIES]
    if all(throw.stood is None for throw in throws):
        stories = [replace(story, weight=story.weight * _token_fit(story, sights, trails)) for story in stories]
    total = sum(story.weight for story in stories)
    if not total:
        return []
    groups: dict[tuple[Any, ...], list[Story]] = {}
    for story in sorted(stories, key=lambda story: -story.weight):
        groups.setdefault(story.key, []).append(story)
    steps = []
    for group in groups.values():
        best, alone = group[0], [story for story in group if story.first == group[0].first]
        probability, confidence = (sum(story.weight for story in each) / total for each in (group, alone))
        steps.append(FirstStep(best.first, probability, confidence, best.has_unseen, best.is_stuck))
    return sorted(steps, key=lambda step: -step.probability)


def _unseen(game: Game) -> Iterable[Story]:
    """A throw that nobody saw, before the first that was seen."""
    look = Outlook(game)
    if look.wanted is None:
        return
    for reading in readings(Throw(), look.wanted.kinds, look.is_ordered):
        outcome = look.after(reading.faces)
        if outcome is not None:
            weight, key = OVERLOOKED * reading.probability, (True, outcome.course)
            yield Story(outcome.game, weight, look.roll(reading.faces), key, True, 1, move=_move(game, outcome))


def _grow(story: Story, throw: Throw) -> Iterable[Story]:
    if story.is_stuck:
        yield story
        return
    void = max([VOID, 1.0 - throw.thrown, *(max(die.cocked, 1.0 - sum(die.faces.values())) for die in throw.dice)])
    yield replace(story, weight=story.weight * void, steps=story.steps + 1, move=None)
    for before in _decided(story):
        if before.is_stuck:
            yield replace(before, weight=before.weight * (1.0 - void))
            continue
        look = Outlook(before.game)
        assert look.wanted is not None
        found = readings(throw, look.wanted.kinds, look.is_ordered)
        for reading in [each for each in found if each.probability >= WORTH] or found[:1]:
            outcome = look.after(reading.faces)
            if outcome is not None:
                weight = before.weight * (1.0 - void) * reading.probability
                new = _begun(before, look.roll(reading.faces), (False, outcome.course))
                yield replace(new, game=outcome.game, weight=weight, move=_move(before.game, outcome))


def _move(before: Game, outcome: Outcome) -> tuple[str, str] | None:
    """From where to where a throw sent the first of those that it moved."""
    for player in outcome.places:
        state = before.state.players.get(player)
        if state is not None and state.at is not None:
            return state.at, outcome.places[player].space
    return None


def _stood(story: Story, seen: StandingSeen) -> float:
    """How well the look at the board before the next throw fits."""
    places = expected(story.places, seen)
    best = math.exp(fit_board(places, seen.tokens, *(story.move or (None, None))) * seen.looks)
    return max(best, NOT_YET**seen.looks) if story.is_stuck else best


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
        yield replace(story, is_stuck=True)
    for action, outcome in outcomes:
        new = _begun(story, action, (False, outcome.course))
        is_stuck = Outlook(outcome.game).wanted is None
        yield replace(new, game=outcome.game, weight=story.weight / len(outcomes), is_stuck=is_stuck)


def _begun(story: Story, action: dict[str, Any], key: tuple[Any, ...]) -> Story:
    """One step further; the first one is what is asked for."""
    if story.steps == 0:
        story = replace(story, first=action, key=key)
    return replace(story, steps=story.steps + 1)


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
