"""Whether a token stands where one may be seen, whosoever it is: nothing else tells where none is enrolled.

The recognizer says of each place how much it looks like a token at all, whatever the token; that is weighed together
with how plainly the finder saw its foot, and a building there. A foot is where the recognizer tells it to be, so that
two that were found of one token come together, of which the likelier is kept.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board.layout import Layout
from vision.board.view import Points
from vision.pieces.buildings import streets_of
from vision.pieces.finder import SAME_PIECE, Found, Pieces

#: By how much the finder's log odds of a token count, and of a building in its place, next to what the recognizer says
#: (`vision.training.presence` learns that on top of these).
_SHOWS, _BUILDING = 1.2, 1.3
#: Score of what was not found, and of the faintest foot that is looked at.
_NOTHING, _FAINTEST = 0.1, 0.12
#: What has no foot but stands alone is looked at where nothing that was found is nearer, in widths of a space.
_CLEAR_OF = 0.5
#: What touches another token or a house, or has the color of what it stands on, may show no peak: it is looked for
#: where the score is at least this, so far from all peaks (widths of a space), at so many places at most. There the
#: finder's log odds are lower by so much: next to an older picture, print that has shifted makes such places too. By
#: these 9 of 1120 pictures of rendered tables came right, and none wrong.
_SLOPE, _FROM_PEAKS, _MOST_SLOPES, _DOUBTED = 0.05, 0.25, 12, 2.5
#: Tokens stand on spaces, or so little beside them (widths of a space): of 11 174 feet of rendered ones all do, of 727
#: of other things 69 do not.
_BESIDE = 0.15
#: Feet nearer to each other than this, in widths of a space, are those of one token.
_APART = 0.33
#: Log odds by the recognizer from which on the likeliest is the cop, where there may be one. A blue pawn may be a
#: player's, too. On 80 rendered tables he is told so in 207 of 560 pictures, half of which show him without a cap, and
#: some player's token is taken for him in 4 of 560 others (from 1 on in 239 and 10, from 4 on in 152 and none). Where
#: discs tell that he is there (`tokens.TokenNamer`), he is told in 546.
COP = 2.0


def candidates(found: Pieces, layout: Layout) -> list[Found]:
    """What may be a token: feet, what stands alone on a space, and what might be feet though it shows no peak."""
    feet = [one for one in (*found.pieces, *found.weak) if one.kind == "token" and one.score >= _FAINTEST]
    alone = [one for one in found.things if layout.square_at(one.foot) is not None]
    others = [*found.pieces, *(one for one in found.weak if one.kind != "token")]
    is_clear = ~_nearer(alone, others, _CLEAR_OF * layout.unit).any(axis=1)
    slopes = found.slopes(_SLOPE, _FROM_PEAKS * layout.unit)[:_MOST_SLOPES]
    may_be = feet + [alone[index] for index in np.flatnonzero(is_clear)] + [_doubted(one) for one in slopes]
    beside = layout.distances(feet_of(may_be)).min(axis=1)
    return [may_be[index] for index in np.flatnonzero(beside <= _BESIDE * layout.unit)]


def log_odds(found: Pieces, candidates: list[Found], layout: Layout) -> NDArray[np.float64]:
    """(n,) of each being a token, by all but what the recognizer says."""
    every = [*found.pieces, *found.weak]
    buildings = [one for one, street in zip(every, streets_of(layout, every), strict=True) if street is not None]
    near = _nearer(candidates, buildings, SAME_PIECE["token"] * layout.unit)
    there = np.where(near, [one.score for one in buildings], _NOTHING).max(axis=1, initial=_NOTHING)
    shows = score_odds([one.score for one in candidates])
    return np.asarray(_SHOWS * shows - _BUILDING * (score_odds(there) - score_odds([_NOTHING])))


def each_once(feet: Points, odds: NDArray[np.float64], unit: float) -> list[int]:
    """Which candidates are tokens, the likeliest first; of feet of one token, the likeliest.

    Args:
        feet: (n, 2) where they are.
        odds: (n,) log odds of being tokens.
        unit: width of a space.
    """
    kept: list[int] = []
    for index in np.argsort(-odds, kind="stable"):
        away = feet[kept] - feet[index]
        if odds[index] > 0 and (np.hypot(away[:, 0], away[:, 1]) > _APART * unit).all():
            kept.append(int(index))
    return kept


def _doubted(one: Found) -> Found:
    """The same with a score that is lower by the log odds that places without a peak lack."""
    return replace(one, score=1 / (1 + (1 - one.score) / one.score * np.exp(_DOUBTED)))


def _nearer(some: list[Found], others: list[Found], reach: float) -> NDArray[np.bool_]:
    """(some, others) whether two stand nearer to each other than that."""
    away = feet_of(some)[:, None] - feet_of(others)
    return np.asarray(np.hypot(away[..., 0], away[..., 1]) < reach)


def feet_of(found: Sequence[Found]) -> Points:
    """(n, 2)."""
    return np.array([one.foot for one in found]).reshape(-1, 2)


def score_odds(scores: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Log odds of scores, each 0-1."""
    score = np.asarray(scores, np.float64)
    return np.asarray(np.log(score / np.maximum(1 - score, 1e-3)))
