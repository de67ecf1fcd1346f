"""Houses and hotels on the color strips."""

from collections.abc import Sequence

import numpy as np

from vision.board.layout import STREETS, Layout
from vision.board.view import Points
from vision.detections import BuildingReading
from vision.pieces.finder import Found

#: A building has its foot at most this far, in widths of a space, off its strip, towards the middle of the board and
#: towards its edge, where people put houses on the space; and beyond its ends: none of 8500 rendered ones 0.05. (Of 118
#: feet farther than 0.6 off, on 96 rendered tables where houses stand anyhow, all were those of buildings.)
_INWARD, _OUTWARD, _BEYOND = 0.25, 1.0, 0.12
#: Axis along which each street's strip lies.
_ALONG = np.array(STREETS) // 10 % 2
#: Peaks of at least this score are hotels, and houses.
LEAST_SCORE, LEAST_HOUSE = 0.3, 0.36
#: A house nearer than this, in widths of a space, to a plain building of another street, and to none of its own, may be
#: the shadow of that one, and is a house if it is plain too, from this score on: of 3108 pictures of rendered tables 15
#: showed one that was not, and none of them was a house.
_BESIDE, _NO_SHADOW = 0.35, 0.48
#: A house beside a hotel is believed from this score on.
_PLAIN = 0.6
#: Houses that stand inside the outline of a hotel are its roof, unless they are sure and it is not even likely.
_HOTEL_HALF = 0.3
_LIKELY, _SURE = 0.5, 0.95


def read_buildings(layout: Layout, found: list[Found]) -> dict[int, BuildingReading]:
    """What stands on each street that is built on."""
    streets: dict[int, list[Found]] = {}
    for one, street in zip(found, streets_of(layout, found), strict=True):
        if street is not None:
            streets.setdefault(street, []).append(one)
    readings = {}
    for street, pieces in _without_shadows(layout.unit, streets).items():
        reading = _read_street(layout, pieces)
        if reading is not None:
            readings[street] = reading
    return readings


def streets_of(layout: Layout, pieces: Sequence[Found]) -> list[int | None]:
    """The street on whose strip, or beside it, each building stands; None where there is none, or it is no building."""
    places = streets_at(layout, np.array([one.foot for one in pieces]).reshape(-1, 2))
    return [at if one.kind in ("house", "hotel") else None for one, at in zip(pieces, places, strict=True)]


def streets_at(layout: Layout, feet: Points) -> list[int | None]:
    """The street on whose strip, or beside it, buildings with their feet (n, 2) there would stand; None for none."""
    boxes, feet, every = layout.strip_boxes, feet[:, None], len(STREETS)
    outside = np.maximum(np.maximum(boxes[:, 0] - feet, feet - boxes[:, 1]), 0)
    beyond, beside = (outside[:, np.arange(every), axis] for axis in (_ALONG, 1 - _ALONG))
    middle = boxes.mean(axis=1)[np.arange(every), 1 - _ALONG]
    is_outward = feet[:, 0, 1 - _ALONG] * np.sign(middle) > np.abs(middle)
    is_near = (beyond < _BEYOND * layout.unit) & (beside < np.where(is_outward, _OUTWARD, _INWARD) * layout.unit)
    distances = np.where(is_near, np.hypot(outside[..., 0], outside[..., 1]), np.inf)
    nearest, is_on = distances.argmin(axis=1).tolist(), np.asarray(is_near.any(axis=1)).tolist()
    return [STREETS[street] if is_one else None for street, is_one in zip(nearest, is_on, strict=True)]


def _without_shadows(unit: float, streets: dict[int, list[Found]]) -> dict[int, list[Found]]:
    """The buildings of each street, without houses that may be the shadows of other streets' buildings."""
    of = np.array([street for street, pieces in streets.items() for _ in pieces])
    pieces = [one for some in streets.values() for one in some]
    scores = np.array([one.score for one in pieces])
    weak = [k for k in np.flatnonzero(scores < _NO_SHADOW) if pieces[k].kind == "house"]
    if not weak:
        return streets
    feet = np.array([one.foot for one in pieces])
    away = np.hypot(*(feet[weak][:, None] - feet).transpose(2, 0, 1))
    is_near, is_own = away < _BESIDE * unit, of[weak][:, None] == of
    is_near[np.arange(len(weak)), weak] = False
    beside_other = (is_near & ~is_own & (scores >= _NO_SHADOW)).any(axis=1)
    beside_own = (is_near & is_own & (scores >= LEAST_HOUSE)).any(axis=1)
    shadows = {weak[k] for k in np.flatnonzero(beside_other & ~beside_own)}
    kept: dict[int, list[Found]] = {}
    for k, one in enumerate(pieces):
        if k not in shadows:
            kept.setdefault(int(of[k]), []).append(one)
    return kept


def _read_street(layout: Layout, pieces: list[Found]) -> BuildingReading | None:
    hotels = [one for one in pieces if one.kind == "hotel" and one.score >= LEAST_SCORE]
    houses = [one for one in pieces if one.kind == "house"]
    hotel = max(hotels, key=lambda one: one.score, default=None)
    if hotel is not None:
        near = [one for one in houses if np.hypot(*(one.foot - hotel.foot)) < _HOTEL_HALF * layout.unit]
        if len([one for one in near if one.score > hotel.score]) >= 2 or (
            hotel.chance < _LIKELY and any(one.chance > _SURE for one in near)
        ):
            hotel = None
        else:
            houses = [one for one in houses if not any(one is other for other in near)]
    sure = sorted((one for one in houses if one.score >= LEAST_HOUSE), key=lambda one: -one.score)[:4]
    if hotel is not None and sure:
        # A house beside a hotel is against the rules, though not impossible: both have to be plain.
        if len(sure) > 1:
            hotel = None
        elif sure[0].score < _PLAIN:
            sure = []
    if hotel is None and not sure:
        return None
    standing = [*sure, *([hotel] if hotel is not None else [])]
    doubted = [one for one in houses if one.score < LEAST_HOUSE]
    confidence = float(np.prod([one.chance for one in standing]) * np.prod([1 - one.chance for one in doubted]))
    return BuildingReading(len(sure), hotel is not None, confidence)
