"""What the rules allow next: the roll that is wanted, and where each throw would lead.

Everything is found by asking the game itself on a copy, so it holds for every variant.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any

import msgspec

from companion.observations import COP, DieKind
from companion.referee.hands import FACES, Faces, parse
from companion.rules import Game, Refused
from companion.rules.catalog import decks

#: Hands that are tried when the game does not say which one the next player throws.
USUAL_HANDS = ("2d6", "2d4", "d6", "3d6", "d20")
#: How somebody who is asked lets it be, and the most who are asked one after the other before hands go on.
DECLINE, MOST_ASKED = "decline", 20


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

    @cached_property
    def course(self) -> tuple[bytes, ...]:
        """Equal for throws after which the game goes on in the same way, whatever the dice showed.

        Where a space may be chosen, that is how it goes on from each.
        """
        choices = [(player, space) for player, spaces in self.choices.items() for space in spaces]
        chosen = [try_action(self.game, {"choose": space, "by": player}) for player, space in choices]
        games = [outcome.game if outcome is not None else self.game for outcome in chosen] or [self.game]
        return tuple(msgspec.json.encode(msgspec.structs.replace(game.state, dice=())) for game in games)


class Outlook:
    """The view ahead from one state; made anew after every action."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._outcomes: dict[Faces, Outcome | None] = {}
        self.snapshot: dict[str, Any] = game.snapshot()
        self.pending: list[dict[str, Any]] = list(game.pending)
        self.wanted: Wanted | None = self._find_wanted()
        self._is_ordered: bool | None = None
        self._coming: dict[str, frozenset[str]] | None = None
        self._kept: dict[str, dict[str, Outcome]] = {}

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
        if token == COP:
            cop = self.snapshot.get(COP)
            return Place(cop["at"]) if isinstance(cop, dict) and cop.get("at") else None
        player = self.players.get(token)
        if player is None or player.get("status") == "bankrupt" or player.get("at") is None:
            return None
        return Place(player["at"], bool(player.get("in_jail")))

    def decision(self) -> dict[str, Any] | None:
        """The oldest open decision that no throw answers."""
        return next((d for d in self.pending if d["kind"] != "roll"), None)

    def coming(self, token: str) -> frozenset[str]:
        """Spaces to which the book sends a token as soon as those who are asked now let it be.

        A card that may be ignored is drawn in passing, too. Rule: DG-8.15
        """
        if self._coming is None:
            game, events = self._past_card()
            further, _ = let_be(game, game.pending)
            events += further
            self._coming = {each: frozenset(space for space, _ in way) for each, way in _ways(events).items()}
        return self._coming.get(token, frozenset())

    def _past_card(self) -> tuple[Game, list[dict[str, Any]]]:
        """The game when the card that is due is ignored, and what follows; as it is where no card may be."""
        drawn = next((decision for decision in self.pending if decision["kind"] in ("draw", "accept_card")), None)
        game = self._game.copy()
        if drawn is None:
            return game, []
        player = drawn["player"]
        try:
            if drawn["kind"] == "draw":
                cards = decks(self.snapshot["variant"], self.snapshot["edition"])[drawn["deck"]]
                game.act({"draw": cards[0]["card"], "by": player})
            return game, game.act({"choose": "ignore", "by": player})
        except Refused:
            return self._game, []

    def kept(self, player: str) -> dict[str, Outcome]:
        """What each way to keep some of the dice that lie there would do, where the player chooses which."""
        if player not in self._kept:
            asked = (d for d in self.pending if d["player"] == player and d["kind"] == "keep_dice")
            options = next((decision["options"] for decision in asked), ())
            tried = {each: try_action(self._game, {"choose": each, "by": player}) for each in options}
            self._kept[player] = {option: outcome for option, outcome in tried.items() if outcome is not None}
        return self._kept[player]

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

    def is_as_good(self, faces: Faces, others: Faces) -> bool:
        """Whether these two throws, of whatever faces, come to the same: the game goes on in the same way."""
        one, other = self.after(faces), self.after(others)
        return faces == others or (one is not None and other is not None and one.course == other.course)

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
    """What the action would do, found on a copy; None where it is refused.

    Whoever is asked whether to react is taken to let it be: so far do hands that go on go.
    """
    trial = game.copy()
    try:
        events = trial.act(action)
    except Refused:
        return None
    asked = trial.pending
    further, pending = let_be(trial, asked)
    events += further
    way = _ways(events)
    places = {player: Place(spaces[-1][0], spaces[-1][1]) for player, spaces in way.items()}
    choices = {decision["player"]: tuple(decision["options"]) for decision in pending if decision["kind"] == "move_to"}
    open_then = pending if pending is asked else [*asked, *pending]
    key = (*(repr(event) for event in events if event["type"] != "rolled"), *map(_undiced, open_then))
    return Outcome(trial, places, {p: tuple(s for s, _ in spaces) for p, spaces in way.items()}, choices, key)


def let_be(game: Game, pending: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What follows when nobody reacts who is asked now, and what is open then (`pending` itself if nobody is)."""
    events: list[dict[str, Any]] = []
    for _ in range(MOST_ASKED):
        asked = next((decision for decision in pending if DECLINE in decision.get("options", ())), None)
        if asked is None:
            break
        later = game.copy()
        try:
            events += later.act({"choose": DECLINE, "by": asked["player"]})
        except Refused:
            break
        game, pending = later, later.pending
    return events, pending


def _ways(events: list[dict[str, Any]]) -> dict[str, list[tuple[str, bool]]]:
    """Per token the spaces to which it is sent, and whether that is into Jail."""
    way: dict[str, list[tuple[str, bool]]] = {}
    for event in events:
        if event["type"] == "moved":
            way.setdefault(event["player"], []).append((event["to"], event.get("how") == "jail"))
        elif event["type"] == "cop_moved":
            way.setdefault(COP, []).append((event["to"], False))
    return way


def _undiced(decision: dict[str, Any]) -> str:
    """A decision without dice that have been thrown: in which order they lie is no difference."""
    if isinstance(decision.get("dice"), list):
        decision = {key: value for key, value in decision.items() if key != "dice"}
    return repr(decision)
