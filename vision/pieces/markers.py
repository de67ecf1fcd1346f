"""Flat discs on properties (a red `bomb`, a green `miner`) and the blue pawn `cop`."""

from dataclasses import replace

import numpy as np

from companion.observations import COP, BoardBook
from vision.board.layout import Layout
from vision.board.view import View
from vision.detections import MarkerReading
from vision.pieces.finder import LEAST_SCORE as LEAST_PIECE
from vision.pieces.finder import SAME_PIECE, Found, Pieces
from vision.pieces.tokens import Cop, nearest_square, outlines

#: Peaks of at least this score are markers.
LEAST_SCORE = 0.4
#: The building that has the color of each marker; what is one from this score on; and the score of a marker of which
#: the book knows. (Of 151 discs that touch the strips of 20 rendered tables 88 are read without the book, 149 with it;
#: of 720 of which the book is wrong, on spaces where nothing stands, none is.)
_LIKE, _PLAIN_BUILDING, _BOOKED = {"bomb": "hotel", "miner": "house"}, 0.65, 0.5
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


def as_booked(pieces: list[Found], layout: Layout, book: BoardBook) -> list[Found]:
    """The pieces, among them the markers that the book has and nobody sees: on a street's color strip they hardly show,
    or look like the buildings of their color.

    What is as plain as a building stays one, and so do as many as the book has there.
    """
    if not book.markers:
        return pieces
    places: dict[int, list[Found]] = {}
    for one in pieces:
        places.setdefault(_square_of(layout, one), []).append(one)
    for square, kinds in book.markers.items():
        for kind in kinds:
            here = places.get(square, [])
            if not any(one.kind == kind and one.score >= LEAST_SCORE for one in here):
                disc = _likeliest(here, kind, book.streets.get(square))
                places[square] = here if disc is None else _with_disc(here, disc, kind, layout.unit)
    return [one for here in places.values() for one in here]


def _likeliest(here: list[Found], kind: str, built: tuple[int, bool] | None) -> Found | None:
    """What on a space is likeliest to be a marker of this kind; None where nothing may be.

    Args:
        built: how many houses, and whether a hotel, stand there; None where that is not known.
    """
    may_be = [one for one in here if one.kind == kind]
    if built is not None:
        likes = sorted((one for one in here if one.kind == _LIKE[kind]), key=lambda one: -one.score)
        spare = likes[built[0] if kind == "miner" else int(built[1]) :]
        may_be += [one for one in spare if one.score < _PLAIN_BUILDING]
    return max(may_be, key=lambda one: one.score, default=None)


def _with_disc(here: list[Found], disc: Found, kind: str, unit: float) -> list[Found]:
    """The pieces of a space where one is a marker, and what shows less in its place is nothing else."""
    others = [one for one in here if one is not disc]
    left = [
        one for one in others if one.score > disc.score or np.hypot(*(one.foot - disc.foot)) > SAME_PIECE[kind] * unit
    ]
    return [*left, replace(disc, kind=kind, score=max(disc.score, _BOOKED))]


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
