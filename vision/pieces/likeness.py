"""What houses say about each other: those of one set are of one color, and so are its hotels."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board.layout import Layout
from vision.board.view import Points
from vision.pieces.finder import Found, Pieces

#: Distance of colors (`_paint`) at which one is hardly like another.
_SPREAD = 18.0
#: Others that stand nearer than this, in widths of a space, say nothing: they may be the same piece.
_APART = 0.3
#: What the likeness to others adds to the log odds of a score: slope and shift, the least and the most. Fitted on 5000
#: houses and hotels of rendered tables, half of them over older pictures of the empty board; the least is such that
#: what is plain by itself stays.
_SLOPE, _SHIFT, _LEAST, _MOST = 2.5, 0.9, -1.0, 1.0
#: No score is lifted above this: what a token hides may look like a house in part.
_LIFTED = 0.5
#: What stands this near to a strip, in widths of a space, and is so much like the houses, or the hotels, is one of
#: them, where the probabilities of the others come to this: on rendered tables 95% of 200 such things were.
_BESIDE, _ALIKE, _ENOUGH = 0.25, 0.45, 0.8
#: What is a marker with this probability is no building, however much it looks like one: in 480 pictures of rendered
#: tables eight are right by that alone. A photographed house was a marker by 0.98.
_MARKER = 0.99
#: Findings nearer than this, in widths of a space, are of one thing.
_SAME = 0.2


def compared(found: Pieces, layout: Layout) -> Pieces:
    """What was found, with houses and hotels as plain as the others of their kind make them.

    What was taken for something else, but stands at a strip and looks like the houses or hotels elsewhere, is
    there as one of these too.
    """
    pieces = [*found.pieces, *found.weak]
    if not pieces:
        return found
    feet = np.array([one.foot for one in pieces])
    away = np.hypot(*(feet[:, None] - feet).transpose(2, 0, 1)) / layout.unit
    alike = likeness_of(np.array([one.color for one in pieces], np.float64))
    chances = np.array([one.chance for one in pieces])
    is_building = np.array([one.kind in ("house", "hotel") for one in pieces])
    at_strip = _from_strips(layout, feet) < _BESIDE * layout.unit
    is_marker = np.array([one.kind in ("bomb", "miner") for one in pieces]) & (chances >= _MARKER)
    is_free = at_strip & ~((is_building | is_marker) & (away < _APART)).any(1)
    kept, more = list(found.pieces), list[tuple[float, int, Found]]()
    for kind in ("house", "hotel"):
        of_kind = np.array([one.kind == kind for one in pieces])
        others = np.where(of_kind & (away > _APART), chances, 0.0)
        known = others.sum(1)
        likeness = (others * alike).sum(1) / np.maximum(known, 1e-9)
        is_one = at_strip & (known >= _ENOUGH) & (likeness >= _ALIKE)
        shifts = np.clip(_SLOPE * np.log(likeness + 0.2) + _SHIFT, _LEAST, _MOST) * np.minimum(known, 1.0)
        for index in np.flatnonzero(of_kind | (is_one & is_free)).tolist():
            score = _as_building(pieces, index, away[index], kind, bool(is_one[index]), float(shifts[index]))
            one = replace(pieces[index], kind=kind, score=score)
            if of_kind[index]:
                kept[index] = one
            else:
                more.append((float(likeness[index]), index, one))
    added: list[int] = []
    for _, index, one in sorted(more, key=lambda each: -each[0]):
        if (away[index, added] > _APART).all():
            added.append(index)
            kept.append(one)
    return replace(found, pieces=sorted(kept, key=lambda one: -one.score))


def _from_strips(layout: Layout, feet: Points) -> NDArray[np.float64]:
    """(n,) how far board points (n, 2) are from the nearest color strip."""
    boxes = layout.strip_boxes
    outside = np.maximum(np.maximum(boxes[:, 0] - feet[:, None], feet[:, None] - boxes[:, 1]), 0)
    return np.asarray(np.hypot(outside[..., 0], outside[..., 1]).min(axis=1))


def likeness_of(colors: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, n) how alike colors (n, 3), CIELAB as of `Found`, are, 0-1: by hue and saturation, hardly by lightness."""
    light, tint = colors[:, :1], colors[:, 1:] - 128
    paint = np.concatenate([10 * np.log(light + 10), 100 * tint / (light + 40)], axis=1)
    return np.asarray(np.exp(-np.sqrt(((paint[:, None] - paint) ** 2).sum(2)) / _SPREAD))


def _as_building(
    pieces: list[Found], index: int, away: NDArray[np.float64], kind: str, is_one: bool, shift: float
) -> float:
    """The score of a piece as a house or hotel, where others of that kind shift its log odds.

    Args:
        away: (n,) of it from all pieces, in widths of a space.
        is_one: it looks so much like one that whatever else was found there speaks for it as well.
    """
    own = pieces[index]
    beside = [pieces[other] for other in np.flatnonzero(away < _APART)]
    score = own.score
    if any(one.kind == kind and one.score > score for one in beside):
        # Its likeness says nothing: it may be the same piece, seen twice.
        shift = min(shift, 0.0)
    elif is_one:
        near = [pieces[other] for other in np.flatnonzero(away < _SAME)]
        things = {one.kind: one.score for one in reversed(near) if one.kind not in ("house", "hotel")}
        things[own.kind] = own.score
        score = 1 - float(np.prod([1 - each for each in things.values()]))
    score = min(max(score, 1e-3), 1 - 1e-3)
    return min(1 / (1 + float(np.exp(-shift)) * (1 - score) / score), max(_LIFTED, own.score))
