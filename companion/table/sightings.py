"""What sources report, made ready for the book: tokens become players, and what says nothing new is passed over.

And what the book has, made ready for those that watch the board.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.observations import (
    COP,
    SPACES,
    BoardBook,
    BuildingsSeen,
    DiceSeen,
    MarkersSeen,
    Observation,
    StandingSeen,
    TokenSeen,
    TowerThrow,
)
from companion.referee.context import is_bookless
from companion.referee.pieces import MARKERS

#: Probabilities that differ by less than this say the same, unless the referee's threshold lies between them.
STEP = 0.05
#: From here on the referee takes a reading as sure (protocol.md, rule 1).
SURE = 0.97

_JOURNALLED = DiceSeen | TowerThrow | TokenSeen | StandingSeen | BuildingsSeen | MarkersSeen


def to_json(observation: Observation) -> dict[str, Any]:
    """An observation as the journal keeps it."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(observation))
    return plain


def from_json(payload: dict[str, Any]) -> Observation:
    """Reads what `to_json` wrote."""
    # Faces of dice are numbers, which JSON only has as keys of text.
    observation: Observation = msgspec.json.decode(msgspec.json.encode(payload), type=_JOURNALLED)
    return observation


def board_book(
    snapshot: dict[str, Any] | None, tokens: Mapping[str, str], before: BoardBook | None = None
) -> BoardBook:
    """What the book has on the board; nothing before there is a game.

    A street that an open decision is about (CL-9.10) may be built on at any moment, so that nothing is said of it.

    Args:
        tokens: player -> enrolled name.
        before: what was told last, where something is asked: before that is answered, nobody knows where tokens are.
    """
    if snapshot is None:
        return BoardBook()
    standing = {token: snapshot["players"][name] for name, token in tokens.items() if name in snapshot["players"]}
    places = {
        token: (SPACES.index(player["at"]), bool(player["in_jail"]))
        for token, player in standing.items()
        if player["at"] in SPACES and player["status"] != "bankrupt"
    }
    if (cop := snapshot.get(COP)) is not None:
        places[COP] = (SPACES.index(cop["at"]), False)
    is_open = {space for decision in snapshot["pending"] for space in decision.get("options") or ()}
    spaces = {} if is_bookless(snapshot) else snapshot["spaces"]
    streets = {
        SPACES.index(space): (int(held.get("houses", 0)), bool(held.get("hotel", False)))
        for space, held in spaces.items()
        if space not in is_open
    }
    lying = {SPACES.index(space): tuple(kind for kind in MARKERS if held.get(kind)) for space, held in spaces.items()}
    if before is not None:
        places = before.tokens
    return BoardBook(places, streets, {square: kinds for square, kinds in lying.items() if kinds})


class Sightings:
    """The newest report of every thing.

    Attributes:
        tokens: newest sight of each player's token.
        standing: newest look at where tokens stand, whosoever; None where none was told.
    """

    def __init__(self, players: Mapping[str, str]) -> None:
        """
        Args:
            players: name under which a token was enrolled -> player.
        """
        self._players = {token.casefold(): player for token, player in players.items()}
        self._first_throw = 0
        self._highest_throw = 0
        self.forget()

    @property
    def names(self) -> tuple[str, ...]:
        """Those under which tokens of players may have been enrolled, in lower case."""
        return tuple(self._players)

    def forget(self) -> None:
        """Nothing has been reported; throws go on being numbered as they were."""
        self._last: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.tokens: dict[str, TokenSeen] = {}
        self.standing: StandingSeen | None = None
        self.dice: DiceSeen | TowerThrow | None = None

    def new_source(self) -> None:
        """From here on throws are numbered anew by their source."""
        self._first_throw = self._highest_throw

    def translate(self, observation: Observation) -> Observation | None:
        """With players for tokens and throws numbered through the whole game; None for a token of nobody here."""
        if isinstance(observation, TokenSeen) and observation.token != COP:
            player = self._players.get(observation.token.casefold())
            return None if player is None else msgspec.structs.replace(observation, token=player)
        if isinstance(observation, StandingSeen):
            players = {name: self._players.get(name.casefold()) for name in observation.named}
            named = {player: observation.named[name] for name, player in players.items() if player is not None}
            return msgspec.structs.replace(observation, named=named)
        if isinstance(observation, DiceSeen) and observation.throw is not None:
            return msgspec.structs.replace(observation, throw=observation.throw + self._first_throw)
        return observation

    def is_news(self, observation: Observation) -> bool:
        """Whether it says anything that was not known."""
        subject, content = _key(observation)
        return content is None or self._last.get(subject) != content

    @property
    def looks(self) -> list[Observation]:
        """What was seen last of tokens: the look at the whole board, which may be better than their names, or each."""
        return [self.standing] if self.standing is not None else list(self.tokens.values())

    def take(self, observation: Observation) -> None:
        """Remembers a report that is in the journal."""
        subject, content = _key(observation)
        if content is not None:
            self._last[subject] = content
        if isinstance(observation, TokenSeen):
            self.tokens[observation.token] = observation
        elif isinstance(observation, StandingSeen):
            self.standing = observation
        elif isinstance(observation, (DiceSeen, TowerThrow)):
            self.dice = observation
            if isinstance(observation, DiceSeen):
                self._highest_throw = max(self._highest_throw, observation.throw or 0)


def _key(observation: Observation) -> tuple[tuple[Any, ...], tuple[Any, ...] | None]:
    """(what it is about, what it says); None for what never repeats."""
    match observation:
        case TokenSeen():
            likely = _coarse(observation.spaces)
            in_jail = observation.in_jail is not None and observation.in_jail >= 0.5
            return ("token", observation.token), (likely, in_jail, observation.between, observation.gone)
        case StandingSeen():
            halves = ((space, round(2 * count)) for space, count in observation.tokens.items())
            stand = tuple(sorted(half for half in halves if half[1]))
            named = tuple((name, _coarse(spaces)) for name, spaces in sorted(observation.named.items()))
            return ("standing",), (stand, named, observation.looks, observation.hidden)
        case DiceSeen(throw=None):
            return ("dice",), None
        case DiceSeen():
            dice = tuple((die.kind, _coarse(die.faces), round(die.cocked, 1)) for die in observation.dice)
            return ("dice",), (observation.throw, dice, round(observation.thrown, 1))
        case TowerThrow(sequence=None):
            return ("tower",), None
        case TowerThrow():
            return ("tower", observation.tower, observation.boot, observation.sequence), observation.faces
        case BuildingsSeen():
            stands = tuple(sorted((space, each.houses, each.hotel) for space, each in observation.buildings.items()))
            return ("buildings",), (stands, observation.confidence >= SURE)
        case MarkersSeen():
            lie = tuple(sorted((space, tuple(sorted(kinds))) for space, kinds in observation.markers.items()))
            return ("markers",), (lie, observation.confidence >= SURE)
        case _:
            return ("sight",), ()


def _coarse(probabilities: Mapping[Any, float]) -> tuple[tuple[Any, int, bool], ...]:
    shares = ((name, round(share / STEP), share >= SURE) for name, share in probabilities.items())
    return tuple(sorted(share for share in shares if share[1]))


def faces_of(observation: DiceSeen | TowerThrow | None) -> list[dict[int, float]]:
    """Per die the probability of each face, as it was seen."""
    if isinstance(observation, DiceSeen):
        return [dict(die.faces) for die in observation.dice]
    if isinstance(observation, TowerThrow):
        shares = observation.confidence or (1.0,) * len(observation.faces)
        return [{face: share} for face, share in zip(observation.faces, shares, strict=True)]
    return []
