"""Where tokens stand, whosoever: the whole board's look, agreed upon by pictures one after the other."""

from dataclasses import dataclass, field

from companion.observations import SPACES, StandingSeen
from vision.detections import TokenReading

#: Pictures whose tokens on any space differ by less than this agree.
SAME = 0.5
#: Further pictures that agree say nothing new, unless tokens have changed places: they share their faults.
MOST_LOOKS = 4
JAIL = 10


@dataclass
class StandingWatch:
    """Fed with the tokens of every picture without a hand.

    Attributes:
        least_looks: so many pictures have to agree before anything is reported.
    """

    least_looks: int = 2
    _looks: int = 0
    _tokens: dict[int, float] = field(default_factory=dict)
    _named: dict[str, dict[int, float]] = field(default_factory=dict)
    _owners: dict[str, int] = field(default_factory=dict)
    _known: int = 0
    _in_cell: float = 0.0
    _hidden: frozenset[int] = frozenset()

    def forget(self) -> None:
        """Another table or calibration."""
        self._looks = 0

    @property
    def is_done(self) -> bool:
        """What stands has been reported."""
        return self._looks >= self.least_looks

    def feed(self, tokens: list[TokenReading], t_ns: int, hidden: frozenset[int] = frozenset()) -> StandingSeen | None:
        """Takes one more picture; returns what is known by now when that is more than before.

        Args:
            hidden: spaces 0-39 of which it shows too little to tell that nothing stands there.
        """
        seen: dict[int, float] = {}
        named: dict[str, dict[int, float]] = {}
        for token in tokens:
            _add(seen, token.squares, 1.0)
            for name, share in token.names.items():
                _add(named.setdefault(name, {}), token.squares, share)
        in_cell = sum(token.in_jail * token.squares.get(JAIL, 0.0) for token in tokens)
        if self._looks == 0 or not self._agrees(seen):
            self._looks, self._tokens, self._named, self._in_cell = 1, seen, named, in_cell
        else:
            self._looks += 1
            share = 1 / min(self._looks, MOST_LOOKS)
            self._tokens = _mixed(self._tokens, seen, share)
            names = {*self._named, *named}
            self._named = {n: _mixed(self._named.get(n, {}), named.get(n, {}), share) for n in names}
            self._in_cell += share * (in_cell - self._in_cell)
        if self._looks < self.least_looks:
            return None
        owners = {name: max(spaces, key=lambda space: spaces[space]) for name, spaces in self._named.items() if spaces}
        self._known = self._known + 1 if owners == self._owners else 1
        self._owners = owners
        if self._looks > MOST_LOOKS and self._known >= MOST_LOOKS and hidden == self._hidden:
            return None
        self._hidden = hidden
        return StandingSeen(
            tokens=_by_slug(self._tokens),
            named={name: _by_slug(spaces) for name, spaces in sorted(self._named.items())},
            in_jail=round(float(self._in_cell), 4),
            looks=min(self._looks, MOST_LOOKS),
            hidden=tuple(SPACES[space] for space in sorted(hidden)),
            t_ns=t_ns,
        )

    def _agrees(self, seen: dict[int, float]) -> bool:
        return all(abs(seen.get(s, 0.0) - self._tokens.get(s, 0.0)) < SAME for s in {*seen, *self._tokens})


def _add(total: dict[int, float], spaces: dict[int, float], share: float) -> None:
    for space, p in spaces.items():
        total[space] = total.get(space, 0.0) + share * p


def _mixed(old: dict[int, float], new: dict[int, float], share: float) -> dict[int, float]:
    return {s: old.get(s, 0.0) + share * (new.get(s, 0.0) - old.get(s, 0.0)) for s in {*old, *new}}


def _by_slug(spaces: dict[int, float]) -> dict[str, float]:
    return {SPACES[space]: round(float(n), 4) for space, n in sorted(spaces.items()) if n >= 0.005}
