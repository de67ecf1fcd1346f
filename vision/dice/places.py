"""Where upper faces of dice may be in a picture, and which of them are one die, or of one throw."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.crops import frame
from vision.dice.evidence import Floats, Looks, one_size_odds, size_evidence

#: Reported from this probability on that a die is there.
REPORT = 0.5
#: Two upper faces are never nearer to each other than this, in edges.
_APART = 0.6
#: Proposals looked at in one picture, at most.
_MOST = 80
#: Dice of one picture differ in size by less than this factor. What many small patterns in the ground agree on does not
#: count against few sure dice: `_SURELY` is the power of probabilities that are summed.
_SIZES, _SURELY = 2.1, 32
#: From low down, where level planes look more foreshortened than this, the reader sees them as if they were so much: it
#: learned from no lower cameras. (Of 480 pictures from 26 to 38 degrees over the table the dice of 465 are right so, of
#: 452 as they are seen. What the finder is shown stays as it is: it took sides of dice for upper faces, stretched so.)
_LEAST_SQUASH = 0.6
#: How much higher up the upper face is where a side of the die was taken for part of it, in edges.
_HIGHER = 0.3


@dataclass(frozen=True)
class Proposal:
    """Where an upper face may be.

    Attributes:
        x, y, edge: px, of its middle and of a side.
        score: what the finder gives it, 0-1.
        lean, squash: how things stand there, as `Stances` tells.
    """

    x: float
    y: float
    edge: float
    score: float
    lean: float = 0.0
    squash: float = 1.0

    def higher(self) -> "Proposal":
        """Where the upper face is if a side of the die was taken for part of it."""
        far = _HIGHER * self.edge
        return replace(self, x=self.x + far * float(np.sin(self.lean)), y=self.y - far * float(np.cos(self.lean)))

    def refined(self, place: Floats) -> "Proposal":
        """Moved and sized as the reader sees it (3,), see `Looks.place`."""
        dx, dy, grow = (float(v) for v in np.clip(place, -0.4, 0.4))
        right, down = frame(self.edge, self.lean, raised(self.squash)) @ (dx, dy)
        return replace(self, x=self.x + float(right), y=self.y + float(down), edge=self.edge * float(np.exp(grow)))


def raised(squash: float) -> float:
    """The `squash` of crops for the reader where level planes look so foreshortened: 1 leaves them as they are seen."""
    return min(squash / _LEAST_SQUASH, 1.0)


def edges_at(proposals: Sequence[Proposal]) -> Floats:
    """(n, 3) x, y and edge of each."""
    return np.array([(one.x, one.y, one.edge) for one in proposals], np.float32).reshape(-1, 3)


def of_one_size(places: list[Proposal], looks: Looks, edges: Floats | None = None) -> tuple[list[Proposal], Looks]:
    """Without what is much larger or smaller than the surest: dice of one picture are of about one size.

    Args:
        edges: (n,) as if all lay in one place, where that is known; two d6 say more of each other by these.
    """
    sizes = sizes_of(places, looks)
    odds = size_evidence(sizes) @ looks.weights.size
    if edges is not None:
        others = np.where(_are_apart(places) & looks.are_six, 1 - looks.none, 0.0)
        has_other = looks.are_six & (others.max(axis=1) >= REPORT)
        odds = np.where(has_other, one_size_odds(edges, others), odds)
    keep = [k for k, size in enumerate(sizes) if 1 / _SIZES < size < _SIZES]
    return [places[k] for k in keep], looks.sized(odds).taken(keep)


def sizes_of(places: Sequence[Proposal], looks: Looks) -> Floats:
    """(n,) edges against that of the surest die; 1 where there is none."""
    sure = [k for k in range(len(places)) if looks.none[k] < 1 - REPORT]
    if not sure:
        return np.ones(len(places), np.float32)
    weights = np.array([1 - looks.none[k] for k in sure]) ** _SURELY
    logs = np.log([places[k].edge for k in sure])
    support = [float(weights[np.abs(logs - size) < 0.35].sum()) for size in logs]
    usual = places[sure[int(np.argmax(support))]].edge
    return np.array([one.edge / usual for one in places], np.float32)


def apart(proposals: Sequence[Proposal], scores: NDArray[np.floating], alike: float = np.inf) -> list[int]:
    """The best ones that are not the same upper face as a better one, `_MOST` of them at most.

    Args:
        alike: upper faces that differ more in size are never the same.
    """
    kept: list[int] = []
    for k in np.argsort(-scores):
        one = proposals[int(k)]
        if not any(_is_same(one, proposals[j], alike) for j in kept):
            kept.append(int(k))
            if len(kept) == _MOST:
                break
    return kept


def _are_apart(proposals: Sequence[Proposal]) -> NDArray[np.bool_]:
    """(n, n) whether two are surely not the same upper face."""
    x, y, edges = edges_at(proposals).T
    away = np.hypot(x[:, None] - x, y[:, None] - y)
    return np.asarray(away > _APART * np.maximum(edges[:, None], edges))


def _is_same(one: Proposal, other: Proposal, alike: float) -> bool:
    small, large = sorted((one.edge, other.edge))
    return large < alike * small and np.hypot(one.x - other.x, one.y - other.y) <= _APART * large
