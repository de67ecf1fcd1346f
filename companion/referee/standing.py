"""Weighs where tokens stand, whosoever, against where they belong: the rules say which is which.

One place for what a look at the board is worth, whether it is weighed as it comes or over a whole
recorded game (`companion.tracking`).
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.observations import SPACES, StandingSeen, TokenSeen

#: Nats that one token too many or too few on a space costs a story; one look at the table is off by a token
#: in about one of ten.
OFF_BY_ONE = 2.5
#: Probability of a look that shows something else altogether (a hand that was not noticed), so that no single
#: picture decides.
BLIND = 1e-4
#: Share of looks at which the token has not been moved yet.
NOT_YET = 0.3
#: Share of tokens that stand where nothing has sent them.
MISPLACED = 0.02
#: Share of tokens that are read on the next space, look after look (their foot is hidden or misjudged), or are
#: overlooked while another one is taken for two.
NEXT_DOOR, DOUBLED = 0.02, 0.005
#: Share of moves that end on either space beside the right one: miscounted, or after a die that was read wrong by one.
MISCOUNTED = 0.05
#: Share of looks at which whoever throws next has gone on already, though nobody saw the throw, or has gone elsewhere
#: than the dice said that were read; and of those at which dice that could not be read have been followed.
AHEAD, FOLLOWED = 0.1, 0.5
#: So many ways are weighed in which tokens may not have been moved yet, those in which the fewest wait.
MOST_BASES = 32
#: No two dice lead further.
FARTHEST = 12
#: A look-alike is taken for another token so often that no name counts for more. (Of 2880 tokens on twelve virtual
#: tables, 960 of them of metal, none was, while the book was right.)
LEAST_NAME = 0.005
#: A name that fits worse is given to a token by mistake.
MISTAKEN = 0.25
#: A space that is not at least this likely is not told.
WORTH = 0.005
#: Two neighboring spaces both at least this likely: people could read it either way.
BETWEEN = 0.25
SPACES_ON_BOARD = 40

#: A space, by slug or by index.
Space = TypeVar("Space", bound=Hashable)


def agreement(places: Mapping[Space, int], seen: Mapping[Space, float]) -> float:
    """Nats that a story loses on the spaces on which it has other tokens than are seen; 0 at best."""
    return -OFF_BY_ONE * sum(abs(places.get(space, 0) - seen.get(space, 0.0)) for space in {*places, *seen})


def fit(
    places: Counter[Space], seen: Mapping[Space, float], start: Space | None = None, to: Space | None = None
) -> float:
    """Logarithm of how well the tokens seen fit a story, whosoever.

    Args:
        places: how many tokens it has on each space.
        start, to: its newest move, which may not have been made on the board yet; None where there is none.
    """
    best = agreement(places, seen)
    if start is not None and to is not None and start != to:
        waiting = places - Counter([to]) + Counter([start])
        best = max(best, agreement(waiting, seen) + math.log(NOT_YET))
    return max(best, math.log(BLIND))


def placed(spaces: Mapping[str, Space], seen: Mapping[Space, float]) -> float:
    """Logarithm of how well the tokens seen fit such that stand on these spaces, whosoever."""
    return fit(Counter(spaces.values()), seen)


def resemblance(
    spaces: Mapping[str, Space],
    seen: Mapping[Space, float],
    named: Mapping[str, Mapping[Space, float]],
    overlooked: str | None = None,
) -> float:
    """Logarithm of how well what stands there looks like the tokens that belong there.

    Args:
        spaces: where each token stands.
        seen: how many tokens are seen on each space.
        named: what looks like each token, as its share of that; nothing is said of those that are not in it.
        overlooked: whose token is not what stands on its space.
    """
    costs = sorted(
        _looks_like(seen.get(space, 0.0), named[name].get(space, 0.0), name == overlooked)
        for name, space in spaces.items()
        if name in named
    )
    # One mistake gives two tokens each other's names.
    mistaken = [cost for cost in costs if cost < math.log(MISTAKEN)]
    return sum(costs[len(mistaken) :]) + sum(mistaken[::2])


def _looks_like(seen: float, share: float, is_other: bool) -> float:
    """How well what stands on a space looks like a token, or not like it; 0 where nothing stands there."""
    if seen < BETWEEN:
        return 0.0
    share = min(share, 1.0)
    return math.log(max(1.0 - share if is_other else share, LEAST_NAME))


@dataclass(frozen=True)
class _Guess:
    """One way in which the tokens may stand.

    Attributes:
        weight: logarithm of its share before anything is seen.
        shown: where they would be seen, when that is not where they stand.
        overlooked: whose token is not seen at all, another one being taken for two.
    """

    spaces: Mapping[str, str]
    weight: float
    shown: Mapping[str, str] | None = None
    overlooked: str | None = None


def attributed(
    seen: StandingSeen,
    belong: Mapping[str, Sequence[str]],
    reach: Mapping[str, Mapping[str, float]],
    instead: Iterable[tuple[Mapping[str, str], float]] = (),
) -> dict[str, TokenSeen]:
    """Which token is which: at most one of them stands where nothing has sent it.

    Args:
        belong: for each player on the board the spaces of the token's way, the one where it belongs last.
        reach: for a player who is to throw or has thrown, the share of spaces to which that may lead.
        instead: where all tokens would stand had the newest throw counted otherwise, each with its share.
    Returns:
        For each player, as if the token had been seen by itself.
    """
    guesses = [*_guesses(belong, reach, seen), *(_Guess(spaces, math.log(share)) for spaces, share in instead)]
    weights = [guess.weight + _fit(guess, seen) for guess in guesses]
    best = max(weights)
    shares = [math.exp(weight - best) for weight in weights]
    total = sum(shares)
    spaces: dict[str, dict[str, float]] = {player: {} for player in belong}
    for guess, share in zip(guesses, shares, strict=True):
        for player, space in guess.spaces.items():
            spaces[player][space] = spaces[player].get(space, 0.0) + share / total
    return {player: _sight(player, found, seen) for player, found in spaces.items()}


def beside(space: str) -> dict[str, float]:
    """Where a token may stand that was sent there."""
    return dict.fromkeys(_beside(space), MISCOUNTED)


def ahead_of(space: str) -> dict[str, float]:
    """Where unread dice may have led from there; from Go To Jail on to Jail. Rule: CL-8.1"""
    start = SPACES.index(space)
    led = {SPACES[(start + steps) % SPACES_ON_BOARD]: AHEAD / FARTHEST for steps in range(1, FARTHEST + 1)}
    return {**led, "jail": AHEAD / FARTHEST} if "go-to-jail" in led else led


def _guesses(
    belong: Mapping[str, Sequence[str]], reach: Mapping[str, Mapping[str, float]], seen: StandingSeen
) -> Iterable[_Guess]:
    home = {player: way[-1] for player, way in belong.items()}
    bases = [_Guess(home, 0.0)]
    for player, way in belong.items():
        # One throw may send several: its thrower, and whom somebody arrests, pushes, or swaps places with.
        waiting = [space for space in dict.fromkeys(way[:-1]) if space != way[-1]]
        later = [(base, {**base.spaces, player: space}) for base in bases for space in waiting]
        bases += [_Guess(spaces, base.weight + math.log(NOT_YET)) for base, spaces in later]
        bases = sorted(bases, key=lambda guess: -guess.weight)[:MOST_BASES]
    yield from bases
    taken = [space for space, count in seen.tokens.items() if count >= BETWEEN]
    lost = MISPLACED / SPACES_ON_BOARD / max(len(home), 1)
    for base in bases:
        for player in home:
            yield from _misread(base, player, taken)
            for space in taken:
                if space not in belong[player] and space != base.spaces[player]:
                    share = max(reach.get(player, {}).get(space, 0.0), lost)
                    yield _Guess({**base.spaces, player: space}, base.weight + math.log(share))


def _misread(base: _Guess, player: str, taken: Iterable[str]) -> Iterable[_Guess]:
    """The token stands where it belongs, but is read elsewhere."""
    others = {space for other, space in base.spaces.items() if other != player and space != base.spaces[player]}
    for space in taken:
        is_beside = space in _beside(base.spaces[player])
        share = NEXT_DOOR if is_beside else DOUBLED / len(others) if space in others else 0.0
        if share and space != base.spaces[player]:
            shown, overlooked = {**base.spaces, player: space}, None if is_beside else player
            yield _Guess(base.spaces, base.weight + math.log(share), shown, overlooked)


def _fit(guess: _Guess, seen: StandingSeen) -> float:
    shown = guess.shown or guess.spaces
    look = resemblance(shown, seen.tokens, seen.named, guess.overlooked)
    return fit(expected(shown.values(), seen), seen.tokens) * seen.looks + look


def expected(spaces: Iterable[str], seen: StandingSeen) -> Counter[str]:
    """How many tokens a look that shows these shows on each space; on one that is hidden, no more than it does."""
    count = Counter(spaces)
    for space in seen.hidden:
        count[space] = min(count[space], round(seen.tokens.get(space, 0.0)))
    return count


def _sight(player: str, found: Mapping[str, float], seen: StandingSeen) -> TokenSeen:
    space = max(found, key=lambda each: found[each])
    beside = _on_line(space, seen.tokens, seen.named.get(player, {}))
    if beside is not None:
        here = seen.tokens[space] % 1
        found = {space: here, beside: 1 - here}
    in_jail = None
    if space == "jail" and 0.5 <= seen.tokens.get("jail", 0.0) < 1.5:
        in_jail = min(seen.in_jail, 1.0)
    return TokenSeen(
        token=player,
        spaces={each: round(p, 4) for each, p in found.items() if p >= WORTH},
        in_jail=in_jail,
        between=beside is not None,
        picture=seen.picture,
        t_ns=seen.t_ns,
    )


def _on_line(space: str, tokens: Mapping[str, float], named: Mapping[str, float]) -> str | None:
    """The neighbor with which this space shares a token; not where it is another token that lies on the line.

    Args:
        named: what looks like this one.
    """
    shared = [each for each in _beside(space) if _is_part(each, tokens)]
    if len(shared) != 1 or not _is_part(space, tokens):
        return None
    here, there = named.get(space, 0.0), named.get(shared[0], 0.0)
    return None if here > (1 - BETWEEN) * (here + there) else shared[0]


def _beside(space: str) -> tuple[str, str]:
    index = SPACES.index(space)
    return SPACES[index - 1], SPACES[(index + 1) % SPACES_ON_BOARD]


def _is_part(space: str, tokens: Mapping[str, float]) -> bool:
    return BETWEEN <= tokens.get(space, 0.0) % 1 <= 1 - BETWEEN
