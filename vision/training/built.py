"""Houses and hotels of crowded boards: where they stand, how large they are, and of what color."""

from typing import NamedTuple

import numpy as np

from vision.virtual import artwork
from vision.virtual.artwork import GROUPS
from vision.virtual.scene import Piece

#: How far, in widths of a space, a row of houses may reach beyond the street.
_BEYOND = 0.07
#: Where, as shares of a space's width, the middle of what stands nearest to its ends is.
_ENDS = (0.06, 0.94)
#: Length, depth, and heights of wall and ridge of the virtual table's, mm (`vision.virtual.shapes`); and share of
#: pictures whose houses and hotels have other shapes.
_HOUSE, _HOTEL, _OTHER_SHAPES = (9.5, 9.5, 6.2, 10.5), (20.0, 10.5, 9.5, 14.0), 0.6
#: Share of rows whose ridges go across the street, of houses and of hotels.
_ACROSS = {"house": 0.15, "hotel": 0.08}
#: Share of streets where they stand near each other anywhere on the inner part of the space, which begins at this share
#: of its depth.
_HEAPED, _INNER = 0.2, 0.45
#: Share of hotels that a house stands beside.
_HOUSE_BESIDE = 0.3
#: Of rows that are put down with care and of others: by how much houses stand beside their places, as shares of the
#: space's width and depth, and how far they are turned (standard deviations).
_CAREFUL, _LOOSE = (0.012, 0.02, 0.1), (0.05, 0.05, 0.5)


class Built(NamedTuple):
    """How a board is built on.

    Attributes:
        looks: of a random generator: what is added to the kinds `house` and `hotel`, their size and color, as
            `pieces_data.solid_of` reads it.
        pieces: of a random generator, the table's style, and looks: a list of (kind, piece).
    """

    looks: object
    pieces: object


def color(rng):
    """Any, as kinds of pieces name it."""
    return ",".join(str(int(v)) for v in rng.uniform(15, 235, 3))


def _of_a_strip(rng, least, most, spread=0.0):
    """Nearly the color of some strips."""
    own = np.array(artwork.GROUP_COLORS[int(rng.integers(8))]) * rng.uniform(least, most)
    if spread:
        own = np.clip(own * np.exp(rng.normal(0, spread, 3)), 5, 250)
    return ",".join(str(int(v)) for v in own)


def _usual(rng):
    """(green of houses, red of hotels), dull or bright, some of the latter nearly orange."""
    return (
        f"{int(rng.uniform(15, 80))},{int(rng.uniform(90, 190))},{int(rng.uniform(5, 60))}",
        f"{int(rng.uniform(10, 55))},{int(rng.uniform(20, 70 + 60 * rng.random() ** 2))},{int(rng.uniform(150, 250))}",
    )


def _shapes(rng, scale):
    """(house, hotel): length, depth, and heights of wall and ridge, mm.

    Sets differ: some hotels are hardly longer than houses, roofs are steep or nearly flat.
    """
    if rng.random() >= _OTHER_SHAPES:
        return tuple(scale * np.array(_HOUSE)), tuple(min(scale, 1.15) * np.array(_HOTEL))
    long = scale * _HOUSE[0]
    house = (long, *(long * np.exp(rng.normal(0, (0.12, 0.15))) * (1, 0.7)))
    hotel_long = min(long * rng.uniform(1.3, 2.2), 23.0)
    hotel = (hotel_long, long * rng.uniform(0.85, 1.3), long * rng.uniform(0.55, 1.15))
    roof = rng.uniform(0.05, 0.6)
    return tuple((*shape, shape[2] + roof * shape[1]) for shape in (house, hotel))


def _looks(shapes, colors):
    """What is added to the kinds of houses and hotels."""
    kinds = zip(("house", "hotel"), shapes, colors, strict=True)
    return {kind: "@" + ",".join(f"{size:.2f}" for size in shape) + "@" + paint for kind, shape, paint in kinds}


def looks_for_finder(rng):
    """The usual green and red, or any color."""
    shapes = _shapes(rng, float(rng.uniform(0.85, 1.12)))
    chance = rng.random()
    if chance < 0.25:
        house, hotel = color(rng), color(rng)
    elif chance < 0.35:
        house, hotel = _of_a_strip(rng, 0.7, 1.1), _of_a_strip(rng, 0.7, 1.1)
    else:
        house, hotel = _usual(rng)
    return _looks(shapes, (house, hotel))


def pieces_for_finder(rng, style, looks):
    """Half of the streets are built on, by houses of usual size."""
    pieces = []
    for street in GROUPS:
        if rng.random() < 0.5:
            continue
        depth = 1 - style.geometry.strip_frac * rng.uniform(0.3, 0.7)
        hotel = rng.random() < 0.2
        count = 1 if hotel else int(rng.integers(1, 5))
        pitch = rng.uniform(0.21, 0.25)
        start = rng.uniform(0.25, 0.75) if hotel else (1 - pitch * (count - 1)) * rng.uniform(0.2, 0.8)
        if rng.random() < 0.35 and not hotel:
            start, pitch = 0.13, 0.247
        loose = rng.random() < 0.25
        pieces += _row(rng, style, looks, street, hotel, start + pitch * np.arange(count), depth, loose)
    return pieces


def looks_for_streets(rng):
    """As for the finder, more often nearly the color of strips, and of all sizes that are sold, against the spaces."""
    scale = float(rng.uniform(1.1, 1.4) if rng.random() < 0.35 else rng.uniform(0.85, 1.12))
    chance = rng.random()
    if chance < 0.2:
        house, hotel = color(rng), color(rng)
    elif chance < 0.45:
        house, hotel = (_of_a_strip(rng, 0.65, 1.15, 0.06) for _ in range(2))
    else:
        house, hotel = _usual(rng)
    return _looks(_shapes(rng, scale), (house, hotel))


def pieces_for_streets(rng, style, looks):
    """Rows of as many houses as have room, mostly touching."""
    geometry, pieces = style.geometry, []
    long = long_of(style, looks)
    bare = float(rng.choice([0.25, 0.6]))
    for street in GROUPS:
        if rng.random() < bare:
            continue
        depth = 1 - geometry.strip_frac * rng.uniform(0.3, 0.7)
        hotel, loose = rng.random() < 0.2, rng.random() < 0.25
        if hotel:
            along = np.array([rng.uniform(0.25, 0.75)])
        else:
            count, pitch = int(rng.choice([1, 2, 3, 4], p=[0.22, 0.24, 0.26, 0.28])), long * rng.uniform(1.0, 1.12)
            if rng.random() < 0.25:
                pitch = max(pitch, float(rng.uniform(0.2, 1 / count)))
            room = 1 + _BEYOND - 0.9 * long
            if count == 4:
                pitch = max(min(pitch, room / 3), 0.97 * long)
            count = min(count, 1 + int(room / pitch))
            left, right = 0.45 * long, 1 - 0.45 * long - pitch * (count - 1)
            start = float(rng.uniform(left, right)) if left < right else 0.5 - pitch * (count - 1) / 2
            if rng.random() < 0.3 and left < right:
                start = float(rng.choice([left, right]))
            along = start + pitch * np.arange(count)
        pieces += _row(rng, style, looks, street, hotel, along, depth, loose)
    return pieces


def long_of(style, looks, kind="house"):
    """How long a house or hotel is, as a share of a space's width."""
    return float(looks[kind].split("@")[1].split(",")[0]) / 1000 / style.geometry.unit_m


def _row(rng, style, looks, street, hotel, along, depth, loose):
    """Buildings along a street; at times a house beside a hotel, which the rules forbid.

    Args:
        along, depth: shares of the space's width and depth.
        loose: whether they stand any way.
    """
    geometry, pieces = style.geometry, []
    yaw, kind = geometry.heading(street), "hotel" if hotel else "house"
    is_heap = rng.random() < _HEAPED
    beside, deeper, turned = _LOOSE if loose or is_heap else _CAREFUL
    if rng.random() < _ACROSS[kind]:
        yaw += np.pi / 2
    if is_heap:
        places = heap(rng, style, len(along), long_of(style, looks))
    else:
        along = _apart(along + rng.normal(0, beside, len(along)), along, long_of(style, looks))
        places = np.column_stack([along, depth + rng.normal(0, deeper, len(along))])
    standing = [(kind, f"{kind} {street} {k}", place) for k, place in enumerate(places)]
    if hotel and rng.random() < _HOUSE_BESIDE:
        share, deep = places[0]
        far = _beside_hotel(rng, style, looks, share)
        deep = np.clip(deep + rng.normal(0, deeper), _INNER, 1.0)
        standing.append(("house", f"extra {street}", (share + far, deep)))
    for which, name, (share, deep) in standing:
        x, y = geometry.at(street, float(share), float(deep))
        turn = float(rng.normal(0, turned))
        pieces.append((which, Piece(name, which + looks[which], x, y, 0.0, yaw + turn)))
    return pieces


def _beside_hotel(rng, style, looks, share):
    """How far from the middle of a hotel a house stands, where there is more room: near it or anywhere.

    Args:
        share: of the space's width, where the hotel stands.
    """
    least = (long_of(style, looks, "hotel") + long_of(style, looks)) / 2
    room = max(share, 1 - share) - _ENDS[0]
    far = rng.uniform(least, max(room, least)) if rng.random() < 0.5 else least * rng.uniform(1, 1.15)
    return far if share < 0.5 else -far


def heap(rng, style, count, long):
    """(n, 2) places anywhere on the inner part of a space, shares of its width and depth, of as many as have room.

    Args:
        long: how long a house is, as a share of the space's width.
    """
    geometry, places = style.geometry, []
    shape = np.array([1.0, geometry.depth_m / geometry.unit_m])
    middle = rng.uniform((0.25, _INNER), (0.75, 1.0))
    for place in middle + rng.normal(0, 0.18, (8 * count, 2)) / shape:
        place = np.clip(place, (_ENDS[0], _INNER), (_ENDS[1], 1.0))
        if len(places) < count and all(np.hypot(*((place - other) * shape)) > long for other in places):
            places.append(place)
    return np.array(places)


def _apart(along, before, long):
    """Places along a street as they were moved, but in order, in no other's, and hardly beyond the ends.

    Args:
        before: (n,) where they were before, as shares of the space's width.
        long: how long a house is, likewise.
    """
    room = np.minimum(np.diff(before), 0.97 * long)
    along = np.maximum(along, min(before[0], _ENDS[0]))
    for k, least in enumerate(room):
        along[k + 1] = max(along[k + 1], along[k] + least)
    along = np.minimum(along, max(before[-1], _ENDS[1]))
    for k, least in reversed(list(enumerate(room))):
        along[k] = min(along[k], along[k + 1] - least)
    return along


#: For what is trained on.
FOR_FINDER, FOR_STREETS = Built(looks_for_finder, pieces_for_finder), Built(looks_for_streets, pieces_for_streets)
