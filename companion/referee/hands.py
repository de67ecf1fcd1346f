"""Hands of dice: what was thrown, how sure it is, and which readings it allows."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from math import prod

from companion.observations import DiceSeen, DieKind, DieSeen, StandingSeen, TowerThrow

#: A reading with this probability or more is sure (protocol.md, "Observations").
SURE = 0.97
#: A face or a reading below this is not among the likely ones.
LIKELY = 0.03
#: No reader is so good that it excludes a face altogether; only weighed against a token.
FLOOR = 1e-4
#: A tower that checks its own reading and says nothing about how sure it is.
TOWER_SURE = 0.995
#: A throw that comes late from a tower may long have been played.
TOWER_LATE = 0.5
#: Share of dice surely read that only lie about.
STRAY = 0.02
#: Readings that are looked at for one throw.
MOST_READINGS = 250
_KINDS: dict[str, DieKind] = {"d4": "d4", "d6": "d6", "d20": "d20"}
FACES: dict[str, int] = {"d4": 4, "d6": 6, "d20": 20}

Faces = tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """One way to read a throw, in the order in which the game wants the dice."""

    faces: Faces
    probability: float


@dataclass
class Throw:
    """One throw and everybody who reported it.

    Attributes:
        key: names it for questions.
        camera, tower: the witnesses' newest words; both None when a person told it on the tablet.
        taken: the faces that the game was given, None while it was not.
        numbers: the camera's own numbers of this throw.
        is_closed: its dice have been played and seen to be played; a witness who says something
            else speaks of another throw.
        is_void: it was taken back or did not count.
        is_next: people said that it is not the one before it.
        is_late: the camera saw these numbers only after the game had gone on: it may have been the next throw.
        before, stood: the last looks at the board before this throw and before the next one.
    """

    key: int = 0
    camera: DiceSeen | None = None
    tower: TowerThrow | None = None
    taken: Faces | None = None
    player: str | None = None
    numbers: set[int] = field(default_factory=set)
    pictures: list[str] = field(default_factory=list)
    is_closed: bool = False
    is_void: bool = False
    is_next: bool = False
    is_late: bool = False
    is_asked: bool = False
    is_told: bool = False
    before: StandingSeen | None = None
    stood: StandingSeen | None = None

    @property
    def dice(self) -> tuple[DieSeen, ...]:
        """The dice as the camera saw them, or else as the tower told them."""
        if self.camera is not None:
            return self.camera.dice
        return tower_dice(self.tower) if self.tower is not None else ()

    @property
    def hand(self) -> tuple[DieSeen, ...]:
        """The dice as the surer witness tells them."""
        return tower_dice(self.tower) if self.tower is not None else self.dice

    @property
    def is_witnessed(self) -> bool:
        """Camera or tower reported it, not only a person."""
        return self.camera is not None or self.tower is not None

    @property
    def is_known(self) -> bool:
        """Every die is sure by one witness, and no other speaks against it."""
        is_told = self.tower is not None and all(is_sure(die) for die in tower_dice(self.tower))
        return (is_told or self.is_read) and not self.is_disputed

    @property
    def is_sure(self) -> bool:
        """It is known what was thrown, and that it was."""
        return self.is_known and self.is_plain

    @property
    def is_plain(self) -> bool:
        """It was plainly thrown."""
        return self.thrown >= SURE

    @property
    def is_read(self) -> bool:
        """Every die shows what it shows for sure."""
        return bool(self.dice) and all(is_sure(die) for die in self.dice)

    @property
    def thrown(self) -> float:
        """Probability that it is a throw at all: dice may have been pushed along, or put down."""
        return self.camera.thrown if self.camera is not None and self.tower is None else 1.0

    @property
    def is_disputed(self) -> bool:
        """Camera and tower report different throws."""
        return self.camera is not None and self.tower is not None and not agree(self.camera.dice, self.tower)

    @property
    def is_cocked(self) -> bool:
        return any(map(is_cocked, self.dice))

    @property
    def best(self) -> Faces:
        """Likeliest faces, in the order seen."""
        if self.tower is not None and (self.camera is None or not self.is_disputed):
            return self.tower.faces
        return tuple(top(die) for die in self.dice)

    @property
    def picture(self) -> str | None:
        """Its newest evidence."""
        return self.pictures[-1] if self.pictures else None

    def add_picture(self, picture: str | None) -> None:
        if picture is not None and picture not in self.pictures:
            self.pictures.append(picture)


def parse(dice: str) -> tuple[DieKind, ...]:
    """`2d6` -> ("d6", "d6"); `d20` -> ("d20",); `d6+d4` -> ("d6", "d4").

    Raises:
        ValueError: for anything else.
    """
    kinds: list[DieKind] = []
    for part in dice.split("+"):
        match = re.fullmatch(r"(\d*)(d4|d6|d20)", part.strip())
        if match is None:
            raise ValueError(f"{dice!r} is no hand of dice")
        kinds += [_KINDS[match[2]]] * int(match[1] or 1)
    return tuple(kinds)


def top(die: DieSeen) -> int:
    """Likeliest face; 0 for a die of which nothing was read."""
    return max(die.faces, key=lambda face: die.faces[face]) if die.faces else 0


def is_cocked(die: DieSeen) -> bool:
    return die.cocked >= 0.5


def is_sure(die: DieSeen) -> bool:
    return bool(die.faces) and max(die.faces.values()) * (1.0 - die.cocked) >= SURE - 1e-9


def tower_dice(throw: TowerThrow) -> tuple[DieSeen, ...]:
    """A tower's throw as if it had been seen: each face with what is left to 1 on the others."""
    d6: DieKind = "d6"
    kinds = throw.kinds or (d6,) * len(throw.faces)
    sure = throw.confidence or (TOWER_SURE,) * len(throw.faces)
    if throw.late:
        sure = tuple(min(s, TOWER_LATE) for s in sure)
    return tuple(DieSeen(kind=kind, faces={face: s}) for kind, face, s in zip(kinds, throw.faces, sure, strict=False))


def weights(die: DieSeen, kind: DieKind) -> dict[int, float]:
    """Probability of every face of a die of `kind`, adding up to 1.

    What the reader left open goes to the faces that it did not name.
    """
    count = FACES[kind]
    named = {face: max(p, 0.0) * (1.0 - die.cocked) for face, p in die.faces.items() if 1 <= face <= count}
    rest = max(0.0, 1.0 - sum(named.values()))
    others = [face for face in range(1, count + 1) if face not in named] or list(range(1, count + 1))
    spread = {face: named.get(face, 0.0) + FLOOR for face in range(1, count + 1)}
    for face in others:
        spread[face] += rest / len(others)
    total = sum(spread.values())
    return {face: p / total for face, p in spread.items()}


def agree(dice: Sequence[DieSeen], tower: TowerThrow) -> bool:
    """Whether what the camera saw can be what the tower reports, dice in any order.

    A die that the camera misses or has too many (another one lying about) is no disagreement.
    """
    told = tower.faces
    if len(dice) <= len(told):
        pairs = [list(zip(dice, chosen, strict=True)) for chosen in permutations(told, len(dice))]
    else:
        pairs = [list(zip(chosen, told, strict=True)) for chosen in permutations(dice, len(told))]
    return any(all(_fits(die, face) for die, face in pairing) for pairing in pairs)


def _fits(die: DieSeen, face: int) -> bool:
    rest = max(0.0, 1.0 - sum(die.faces.values()))
    return die.faces.get(face, rest / FACES[die.kind]) >= LIKELY


def fits_hand(dice: Sequence[DieSeen], kinds: Sequence[DieKind]) -> bool:
    """Number and kinds of the dice are those of the hand."""
    return Counter(die.kind for die in dice) == Counter(kinds)


def readings(throw: Throw, kinds: tuple[DieKind, ...], is_ordered: bool) -> list[Reading]:
    """What the throw may have been, likeliest first, probabilities adding up to 1.

    Args:
        kinds: the hand that the game wants. Where the throw has other dice, the readings are
            those that complete it (a die overlooked) or leave something out (a die too many).
        is_ordered: which die shows what matters; the readings then hold all orders.
    """
    found: dict[Faces, float] = defaultdict(float)
    for hand, share in _hands(throw, kinds):
        for faces, p in _products(hand):
            if is_ordered and len(faces) <= 3:
                orders = set(permutations(faces))
                for order in orders:
                    found[order] += share * p / len(orders)
            else:
                found[faces] += share * p
    if not is_ordered:
        found = _merged(found)
    total = sum(found.values())
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST_READINGS]
    return [Reading(faces, p / total) for faces, p in ranked] if total else []


def _hands(throw: Throw, kinds: tuple[DieKind, ...]) -> Iterable[tuple[list[dict[int, float]], float]]:
    """Distributions of the dice in the order of `kinds`, one entry for each way to pick them, with its share."""
    dice = list(throw.dice)
    picks = list(combinations(range(len(dice)), min(len(kinds), len(dice))))[:20]
    for pick in picks:
        arranged = _arranged([dice[index] for index in pick], kinds)
        hand = [
            weights(die, kind) if die is not None else _even(kind) for die, kind in zip(arranged, kinds, strict=True)
        ]
        if throw.tower is not None and throw.camera is not None:
            hand = _with_tower(hand, throw.tower)
        yield hand, prod(_no_die(die) for index, die in enumerate(dice) if index not in pick)


def _no_die(die: DieSeen) -> float:
    """How easily this may be something else, or a die that was not thrown."""
    return max(1.0 - sum(die.faces.values()), STRAY)


def _arranged(dice: list[DieSeen], kinds: tuple[DieKind, ...]) -> list[DieSeen | None]:
    """A die for each place of the hand, its own kind first; None where one is missing."""
    places: list[DieSeen | None] = [None] * len(kinds)
    for index, kind in enumerate(kinds):
        match = next((die for die in dice if die.kind == kind), None)
        if match is not None:
            places[index] = match
            dice.remove(match)
    for index, held in enumerate(places):
        if held is None and dice:
            places[index] = dice.pop(0)
    return places


def _even(kind: DieKind) -> dict[int, float]:
    return dict.fromkeys(range(1, FACES[kind] + 1), 1.0 / FACES[kind])


def _with_tower(hand: list[dict[int, float]], tower: TowerThrow) -> list[dict[int, float]]:
    """The camera's dice weighed with the tower's, which are put in the order that suits the camera best."""
    told = [weights(die, die.kind) for die in tower_dice(tower)]
    if len(told) != len(hand):
        return hand

    def fit(order: tuple[dict[int, float], ...]) -> float:
        return prod(sum(a[f] * b.get(f, 0.0) for f in a) for a, b in zip(hand, order, strict=True))

    best = max(permutations(told), key=fit)
    joint = [{f: a[f] * b.get(f, FLOOR) for f in a} for a, b in zip(hand, best, strict=True)]
    return [{f: p / sum(die.values()) for f, p in die.items()} for die in joint]


def _products(hand: list[dict[int, float]]) -> Iterable[tuple[Faces, float]]:
    """Faces with their joint probability; of large hands only what is likely."""
    least = 0.0 if len(hand) <= 2 else FLOOR if len(hand) == 3 else LIKELY
    dice = [sorted(die.items(), key=lambda item: -item[1]) for die in hand]
    kept = [[item for index, item in enumerate(die) if index == 0 or item[1] > least] for die in dice]
    size = prod(len(die) for die in kept)
    if size > 4096:
        kept = [die[:1] if die[0][1] >= SURE else die[:2] for die in kept]
    for choice in product(*kept):
        yield tuple(face for face, _ in choice), prod(p for _, p in choice)


def _merged(found: Mapping[Faces, float]) -> dict[Faces, float]:
    """Readings that differ only in the order of the dice added up, under the likeliest of their orders."""
    groups: dict[Faces, list[Faces]] = {}
    for faces in found:
        groups.setdefault(tuple(sorted(faces)), []).append(faces)
    return {max(group, key=lambda f: (found[f], f)): sum(found[f] for f in group) for group in groups.values()}


def alike(a: Faces, b: Faces) -> bool:
    """The same dice in any order."""
    return sorted(a) == sorted(b)


def is_same_throw(before: DiceSeen, after: DiceSeen) -> bool:
    """Whether two sights without a throw number are one throw lying there.

    A throw takes up every die: a die that lies where it lay and shows what it showed has not been
    thrown, so nothing has. Without boxes, equal faces are taken for the same throw; so are dice of
    which some have been taken up.
    """
    if any(_lies_still(old, new) for old in before.dice for new in after.dice):
        return True
    old_faces, new_faces = Counter(map(top, before.dice)), Counter(map(top, after.dice))
    return new_faces == old_faces or (len(after.dice) < len(before.dice) and new_faces <= old_faces)


def _lies_still(old: DieSeen, new: DieSeen) -> bool:
    if old.box_px is None or new.box_px is None or top(old) != top(new):
        return False
    return overlap(old.box_px, new.box_px) > 0.6


def is_recast(before: DiceSeen, after: DiceSeen) -> bool:
    """Whether dice lay cocked before and have been thrown again: now they lie flat, and elsewhere.

    Without boxes, other faces than before say so.
    """
    cocked = [die.box_px for die in before.dice if is_cocked(die)]
    now = [die.box_px for die in after.dice]
    if not cocked or any(map(is_cocked, after.dice)):
        return False
    if None in cocked or None in now:
        return Counter(map(top, before.dice)) != Counter(map(top, after.dice))
    return not any(overlap(old, new) > 0.3 for old in cocked for new in now if old is not None and new is not None)


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Intersection over union of two boxes, 0-1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0.0 or height <= 0.0:
        return 0.0
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (area - width * height)


def may_be(throw: Throw, after: DiceSeen) -> bool:
    """Whether an unresolved throw, seen unsurely before, may be what is seen now."""
    if len(throw.dice) != len(after.dice):
        return Counter(map(top, throw.dice)) <= Counter(map(top, after.dice))
    faces = TowerThrow(faces=tuple(top(die) for die in after.dice))
    return agree(throw.dice, faces)


def sharpness(dice: Sequence[DieSeen]) -> float:
    """How sure the least sure die is, 0-1."""
    return min((max(die.faces.values(), default=0.0) * (1.0 - die.cocked) for die in dice), default=0.0)
