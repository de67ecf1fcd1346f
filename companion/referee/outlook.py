"""What the rules allow next: the roll that is wanted, and where each throw would lead.

Everything is found by asking the game itself on a copy, so it holds for every variant.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from companion.observations import DieKind
from companion.referee.hands import FACES, Faces, parse
from companion.rules import Game, Refused

#: Hands that are tried when the game does not say which one the next player throws.
USUAL_HANDS = ("2d6", "2d4", "d6", "3d6", "d20")


@dataclass(frozen=True)
class Place:
    """Where a token stands, or belongs."""

    space: str
    in_jail: bool = False


@dataclass(frozen=True)
class Wanted:
    """The throw that the game waits for.

    Attributes:
        kinds: the dice in the game's order.
        opens_turn: the throw also ends the turn of the player before.
        is_choice: the throw answers a decision that could be answered otherwise (as in jail).
        group: players whose dice these are, an equal share for each in this order; empty for a throw of one player.
    """

    player: str
    kinds: tuple[DieKind, ...]
    purpose: str
    spec: str
    opens_turn: bool = False
    is_choice: bool = False
    group: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What an action would do.

    Attributes:
        places: where the tokens that it moves come to belong.
        way: all spaces that the mover's token is sent to on the way, the last included.
        choices: spaces of which the mover may then choose one.
        key: equal for actions with equal consequences.
    """

    game: Game
    places: Mapping[str, Place]
    way: Mapping[str, tuple[str, ...]]
    choices: Mapping[str, tuple[str, ...]]
    key: tuple[Any, ...]

    def spaces_for(self, player: str) -> tuple[Place, ...]:
        """Where the player's token may be seen after this; empty when it is not moved."""
        found = [Place(space) for space in self.choices.get(player, ())]
        if player in self.places:
            final = self.places[player]
            found += [final] + [Place(space) for space in self.way[player] if space != final.space]
        return tuple(found)


class Outlook:
    """The view ahead from one state; made anew after every action."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._outcomes: dict[Faces, Outcome | None] = {}
        self.snapshot: dict[str, Any] = game.snapshot()
        self.pending: list[dict[str, Any]] = list(game.pending)
        self.wanted: Wanted | None = self._find_wanted()
        self._is_ordered: bool | None = None

    @property
    def is_over(self) -> bool:
        return bool(self.snapshot["turn"]["phase"] == "over")

    @property
    def is_under_way(self) -> bool:
        """Whether dice of this turn have been thrown and it is not over yet."""
        turn = self.snapshot["turn"]
        return bool(turn["phase"] == "resolve" or (turn["phase"] == "roll" and turn["doubles"]))

    @property
    def players(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.snapshot["players"]
        return found

    def place(self, token: str) -> Place | None:
        """Where the book has a token; None for one that it does not know or that is off the board."""
        if token == "cop":
            cop = self.snapshot.get("cop")
            return Place(cop["at"]) if isinstance(cop, dict) and cop.get("at") else None
        player = self.players.get(token)
        if player is None or player.get("status") == "bankrupt" or player.get("at") is None:
            return None
        return Place(player["at"], bool(player.get("in_jail")))

    def decision(self) -> dict[str, Any] | None:
        """The oldest open decision that no throw answers."""
        return next((d for d in self.pending if d["kind"] != "roll"), None)

    def roll(self, faces: Faces) -> dict[str, Any]:
        """The action that reports this throw."""
        assert self.wanted is not None
        return {"roll": list(faces), "by": self.wanted.player}

    def after(self, faces: Faces) -> Outcome | None:
        """What this throw would do; None where it is refused."""
        if faces not in self._outcomes:
            self._outcomes[faces] = try_action(self._game, self.roll(faces)) if self.wanted else None
        return self._outcomes[faces]

    def is_same(self, faces: Faces, others: Faces) -> bool:
        """Whether these two ways to throw lead to the same."""
        one, other = self.after(faces), self.after(others)
        return faces == others or (one is not None and other is not None and one.key == other.key)

    @property
    def is_ordered(self) -> bool:
        """Whether it matters which of the wanted dice shows what."""
        if self._is_ordered is None:
            self._is_ordered = self._find_order()
        return self._is_ordered

    def _find_order(self) -> bool:
        count = len(self.wanted.kinds) if self.wanted else 0
        if count < 2 or count > 3:
            return False
        least = min(FACES[kind] for kind in self.wanted.kinds) if self.wanted else 4
        probes = [(1, 3, 4)[:count], (1, 1, 4)[:count], (2, least - 1, least)[:count]]
        for probe in probes:
            keys = {outcome.key for order in set(permutations(probe)) if (outcome := self.after(order))}
            if len(keys) > 1:
                return True
        return False

    def _find_wanted(self) -> Wanted | None:
        if self.is_over:
            return None
        for decision in self.pending:
            if decision["kind"] == "roll":
                return _wanted_from(decision)
        for decision in self.pending:
            if "roll" in decision.get("options", ()):
                return self._wanted_by_choice(decision)
        return None if self.pending else self._wanted_next()

    def _wanted_by_choice(self, decision: dict[str, Any]) -> Wanted:
        """The hand is the one that the game asks for when `roll` is chosen."""
        player = decision["player"]
        spec, purpose = "2d6", decision["kind"]
        trial = self._game.copy()
        try:
            trial.act({"choose": "roll", "by": player})
        except Refused:
            pass
        else:
            rolls = [d for d in trial.pending if d["kind"] == "roll" and d["player"] == player]
            if rolls:
                spec, purpose = rolls[0]["dice"], rolls[0].get("purpose", purpose)
        return Wanted(player, parse(spec), purpose, spec, is_choice=True)

    def _wanted_next(self) -> Wanted | None:
        """With nothing open, the next player's throw ends the turn and is the first of the next."""
        trial = self._game.copy()
        try:
            trial.act({"end_turn": True})
        except Refused:
            return self._probe()
        ahead = Outlook(trial).wanted if trial.pending else None
        if ahead is None:
            return None
        return replace(ahead, opens_turn=True)

    def _probe(self) -> Wanted | None:
        """Where a turn cannot be ended by itself, throws tell who is next and with what."""
        for spec in USUAL_HANDS:
            kinds = parse(spec)
            trial = self._game.copy()
            try:
                events = trial.act({"roll": [1, 2, 4][: len(kinds)]})
            except Refused as refusal:
                if refusal.code == "wrong_dice":
                    continue
                return None
            rolled = next((event for event in events if event["type"] == "rolled"), None)
            if rolled is not None:
                return Wanted(rolled["player"], kinds, rolled.get("purpose", "move"), spec, opens_turn=True)
        return None


def _wanted_from(decision: dict[str, Any]) -> Wanted:
    purpose, group = decision.get("purpose", "move"), tuple(decision.get("group", ()))
    return Wanted(decision["player"], parse(decision["dice"]), purpose, decision["dice"], group=group)


def try_action(game: Game, action: dict[str, Any]) -> Outcome | None:
    """What the action would do, found on a copy; None where it is refused."""
    trial = game.copy()
    try:
        events = trial.act(action)
    except Refused:
        return None
    places: dict[str, Place] = {}
    way: dict[str, list[str]] = {}
    for event in events:
        if event["type"] == "moved":
            player, space = event["player"], event["to"]
            way.setdefault(player, []).append(space)
            places[player] = Place(space, event.get("how") == "jail")
        elif event["type"] == "cop_moved":
            way.setdefault("cop", []).append(event["to"])
            places["cop"] = Place(event["to"])
    choices = {
        decision["player"]: tuple(decision["options"]) for decision in trial.pending if decision["kind"] == "move_to"
    }
    told = tuple(repr(event) for event in events if event["type"] != "rolled")
    return Outcome(trial, places, {p: tuple(w) for p, w in way.items()}, choices, (*told, repr(trial.pending)))
