"""Games: the pure functions `decide` and `evolve`, and `Game`, which remembers."""

import functools
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.rules.classic import Classic
from companion.rules.engine import parse_dice
from companion.rules.errors import Refused
from companion.rules.events import Event
from companion.rules.registry import rules_of
from companion.rules.state import Bank, State, Turn

Action = dict[str, Any]


def new_state(
    variant: str = "classic",
    players: Sequence[str] | dict[str, dict[str, Any] | None] = (),
    options: dict[str, Any] | None = None,
    edition: str | None = None,
    given: dict[str, Any] | None = None,
    first: str | None = None,
) -> State:
    """The state in which a game begins.

    Args:
        players: names in turn order, or name -> what the player chooses at set-up.
        given: a partial state, merged as by `set`.
        first: who has the first turn; the first in the list if None.
    Raises:
        Refused: `malformed` and the variant's own refusals of a set-up.
    """
    rules = rules_of(variant)
    if not isinstance(players, (list, tuple, dict)) or not isinstance(edition, str | None):
        raise Refused("malformed", "Players are a list of names, or a mapping with what each has chosen.")
    names = list(players)
    settings = {name: chosen or {} for name, chosen in players.items()} if isinstance(players, dict) else {}
    if not all(isinstance(chosen, dict) for chosen in settings.values()):
        raise Refused("malformed", "What a player chooses at set-up is a mapping.")
    edition = rules.default_edition if edition is None else edition
    blank = rules.state_type(variant, edition, rules.fill_options(options), Turn("", 0), {}, {}, Bank())
    engine = rules(blank)
    engine.check_setup(names, edition, settings)
    blank.players = {name: rules.player_type() for name in names}
    blank.spaces = {slug: rules.space_type() for slug in engine.board.properties}
    blank.turn = Turn(names[0] if first is None else engine.player_named(first))
    engine.set_up(settings)
    engine.settle()
    if given is not None:
        engine.correct(given)
        engine.settle()
    return blank


def decide(state: State, action: Action) -> list[Event]:
    """What follows from an action, the last event being the bookkeeping `awaited`. Changes nothing.

    Raises:
        Refused: the rules do not allow it.
    """
    engine = rules_of(state.variant)(state.fork())
    engine.perform(action)
    return [*engine.events, engine.flow()]


def evolve(state: State, event: Event | dict[str, Any]) -> State:
    """The state after an event. Changes nothing."""
    happened = event if isinstance(event, Event) else event_from(state.variant, event)
    new = state.fork()
    happened.apply(new)
    return new


def fold(state: State, events: Iterable[Event | dict[str, Any]]) -> State:
    """The state after many events, as by `evolve`, with one copy in all."""
    new = state.fork()
    for event in events:
        (event if isinstance(event, Event) else event_from(state.variant, event)).apply(new)
    return new


@functools.cache
def _event_union(variant: str) -> Any:
    return functools.reduce(operator.or_, rules_of(variant).event_types)


def event_from(variant: str, event: dict[str, Any]) -> Event:
    """A typed event from its JSON form."""
    typed: Event = msgspec.convert(event, _event_union(variant))
    return typed


def snapshot_of(state: State) -> dict[str, Any]:
    """The state as the protocol shows it: plain JSON values."""
    internal = state.internal
    shown = {name: getattr(state, name) for name in state.__struct_fields__ if name not in internal}
    shown["pending"] = [decision.as_dict() for decision in state.pending]
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(shown))
    for claim in plain["rent_claims"]:
        claim.pop("times")
    return plain


def state_from(plain: dict[str, Any]) -> State:
    """The state from its plain JSON form (all fields, as `Game.to_json` writes them)."""
    rules = rules_of(plain["variant"])
    state: State = msgspec.convert({**plain, "players": {}, "spaces": {}}, rules.state_type)
    state.players = msgspec.convert(plain["players"], dict[str, rules.player_type])  # type: ignore[name-defined]
    state.spaces = msgspec.convert(plain["spaces"], dict[str, rules.space_type])  # type: ignore[name-defined]
    return state


class _Past(NamedTuple):
    """The actions so far, shared between copies: a list linked backwards."""

    before: "_Past | None"
    state: State
    action: Action


class Game:
    """One game being played."""

    def __init__(self, state: State) -> None:
        """Go on from a state; what happened before it cannot be undone."""
        self.state = state
        self._rules: type[Classic] = rules_of(state.variant)
        self._past: _Past | None = None
        self._undone: tuple[tuple[Action, State], ...] = ()

    @classmethod
    def new(
        cls,
        variant: str = "classic",
        players: Sequence[str] | dict[str, dict[str, Any] | None] = (),
        options: dict[str, Any] | None = None,
        edition: str | None = None,
        given: dict[str, Any] | None = None,
        first: str | None = None,
    ) -> "Game":
        """A new game; see `new_state`."""
        return cls(new_state(variant, players, options, edition, given, first))

    @classmethod
    def from_json(cls, text: bytes | str) -> "Game":
        """Read what `to_json` wrote."""
        return cls(state_from(msgspec.json.decode(text)))

    def to_json(self) -> bytes:
        """The whole state, with what the snapshot does not show; without the past."""
        return msgspec.json.encode(self.state)

    def act(self, action: Action) -> list[dict[str, Any]]:
        """Carry out an action.

        Returns:
            The events that the table is told, as plain mappings.
        Raises:
            Refused: the rules do not allow it; nothing has changed.
        """
        if isinstance(action, dict) and "undo" in action:
            self.undo(_undo_count(action))
            return []
        engine = self._rules(self.state.fork())
        engine.perform(action)
        self._past = _Past(self._past, self.state, action)
        self._undone = ()
        self.state = engine.state
        told: list[dict[str, Any]] = msgspec.to_builtins([event for event in engine.events if not event.hidden])
        return told

    def sides(self, roll: Action) -> list[int]:
        """How many sides each die of a throw would have. Changes nothing.

        Raises:
            Refused: the rules do not allow the throw.
        """
        engine = self._rules(self.state.fork(), keep_events=False)
        engine.perform(roll)
        return list(parse_dice(engine.hand))

    def undo(self, n: int = 1) -> None:
        """Take back the last `n` actions.

        Raises:
            Refused: `not_allowed` if there are not so many.
        """
        past, state, undone = self._past, self.state, self._undone
        for _ in range(n):
            if past is None:
                raise Refused("not_allowed", "There is no action left to take back.")
            undone = ((past.action, state), *undone)
            state, past = past.state, past.before
        self._past, self.state, self._undone = past, state, undone

    def redo(self, n: int = 1) -> None:
        """Do again what was undone, as long as nothing else has been done since.

        Raises:
            Refused: `not_allowed` if there is not so much.
        """
        if n > len(self._undone):
            raise Refused("not_allowed", "There is nothing left to do again.")
        for action, state in self._undone[:n]:
            self._past = _Past(self._past, self.state, action)
            self.state = state
        self._undone = self._undone[n:]

    def copy(self) -> "Game":
        """The same game, going its own way from here. Costs nothing: states are never changed."""
        twin = Game(self.state)
        twin._past, twin._undone = self._past, self._undone
        return twin

    @property
    def actions(self) -> list[Action]:
        """The actions so far, the oldest first."""
        return [past.action for past in self._history()][::-1]

    def _history(self) -> Iterator[_Past]:
        past = self._past
        while past is not None:
            yield past
            past = past.before

    @property
    def pending(self) -> list[dict[str, Any]]:
        """What the game waits for, as the protocol shows it."""
        return [decision.as_dict() for decision in self.state.pending]

    def snapshot(self) -> dict[str, Any]:
        """The state as the protocol shows it; plain JSON values, the caller's own."""
        return snapshot_of(self.state)


def _undo_count(action: Action) -> int:
    count = action["undo"]
    if count is True:
        return 1
    if type(count) is not int or count < 1 or not set(action) <= {"undo", "by"}:
        raise Refused("malformed", "It is undo: true, or undo: N for the last N actions.")
    return count


def replay(state: State, actions: Iterable[Action]) -> State:
    """The state after these actions, folded quickly: nothing in between is kept.

    Raises:
        Refused: as soon as one does not fit.
    """
    engine = rules_of(state.variant)(state.fork(), keep_events=False)
    for action in actions:
        engine.perform(action)
    return engine.state
