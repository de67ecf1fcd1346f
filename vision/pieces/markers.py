"""Flat discs on properties (a red `bomb`, a green `miner`) and the blue pawn `cop`."""

from dataclasses import replace

import numpy as np

from companion.observations import COP
from vision.board.layout import Layout
from vision.board.view import View
from vision.detections import MarkerReading
from vision.pieces.finder import LEAST_SCORE as LEAST_PIECE
from vision.pieces.finder import SAME_PIECE, Found, Pieces
from vision.pieces.tokens import Cop, nearest_square, outlines

#: Peaks of at least this score are markers.
LEAST_SCORE = 0.4
#: Height of a disc in widths of a space.
_FLAT = 0.08


def as_tokens(found: Pieces, unit: float) -> Pieces:
    """What was found in a game that has no markers: a disc is a token, or speaks for the one that was found there.

    Args:
        unit: width of a space.
    """
    pieces = [*found.pieces, *found.weak]
    others = [one for one in pieces if one.kind not in ("bomb", "miner")]
    for disc in pieces:
        if disc.kind not in ("bomb", "miner"):
            continue
        for index, one in enumerate(others):
            if one.kind == "token" and np.hypot(*(one.foot - disc.foot)) < SAME_PIECE["token"] * unit:
                others[index] = replace(one, score=1 - (1 - one.score) * (1 - disc.score))
                break
        else:
            others.append(replace(disc, kind="token"))
    others.sort(key=lambda one: -one.score)
    is_weak = [one.kind == "token" and one.score < LEAST_PIECE for one in others]
    plain = [one for one, weak in zip(others, is_weak, strict=True) if not weak]
    return replace(found, pieces=plain, weak=[one for one, weak in zip(others, is_weak, strict=True) if weak])


def seen_as_both(pieces: list[Found], strange: list[Found], unit: float) -> list[Found]:
    """The pieces, markers among them as plain as they and what was found as a token in their place are together.

    Args:
        pieces: of any kinds, also those that hardly show.
        strange: what was found as a token, but is no figure.
        unit: width of a space.
    """
    feet = np.array([one.foot for one in strange]).reshape(-1, 2)
    missed = 1 - np.array([one.score for one in strange])
    together = []
    for one in pieces:
        if one.kind in ("bomb", "miner"):
            away = feet - one.foot
            is_same = np.hypot(away[:, 0], away[:, 1]) < SAME_PIECE[one.kind] * unit
            one = replace(one, score=1 - (1 - one.score) * float(missed[is_same].prod()))
        together.append(one)
    return together


def read_markers(view: View, layout: Layout, found: list[Found], cop: Cop | None) -> list[MarkerReading]:
    """The discs that were found, and the cop."""
    markers = []
    for one in found:
        if one.kind in ("bomb", "miner") and one.score >= LEAST_SCORE:
            box = outlines(view, one.foot[None], layout.unit, _FLAT)[0][1]
            markers.append(MarkerReading(one.kind, _square_of(layout, one), one.chance, box))
    if cop is not None:
        box = outlines(view, cop.found.foot[None], layout.unit)[0][1]
        markers.append(MarkerReading(COP, _square_of(layout, cop.found), cop.chance, box, cop.reading))
    return markers


def _square_of(layout: Layout, one: Found) -> int:
    square = layout.square_at(one.foot)
    return square if square is not None else nearest_square(layout, one.foot)
