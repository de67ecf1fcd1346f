"""The machine beneath all variants: actions in, steps, decisions and events out.

It knows no rule of any game. A rules class (see `companion.rules.classic`) adds
methods whose names it looks up:

    act_VERB(by, value, args)    an action of the protocol
    do_STEP(player, *args)       a step that was put off with `then`
    answer_KIND(decision, word)  `choose` for a decision of that kind
    throw_PURPOSE(decision, dice)  dice for a roll of that purpose
    use_ABILITY(by, args)        `use: ABILITY`
"""

import functools
import re
import sys
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

from msgspec.structs import replace

from companion.rules.board import Board, board, editions, space_names
from companion.rules.errors import Refused
from companion.rules.events import CLASSIC_EVENTS, AuctionDropped, Awaited, Event, PlayerNoted, SpaceNoted, StateNoted
from companion.rules.options import Option
from companion.rules.state import Decision, Player, Space, State, Step

VERBS = (
    *("roll", "choose", "draw", "bid", "pass", "build", "unbuild", "mortgage", "unmortgage", "trade", "pay"),
    *("bankrupt", "use", "end_turn", "set"),
)
_VERBS = frozenset(VERBS)


@functools.cache
def parse_dice(hand: str) -> tuple[int, ...]:
    """The number of faces of each die of a hand: `2d6` is (6, 6), `d20` is (20,)."""
    faces: list[int] = []
    for part in hand.split("+"):
        match = re.fullmatch(r"(\d*)d(\d+)", part.strip())
        if match is None:
            raise ValueError(f"not a hand of dice: {hand!r}")
        faces += [int(match[2])] * int(match[1] or 1)
    return tuple(faces)


@functools.cache
def method_name(prefix: str, word: str) -> str:
    """The name of a handler, interned: only then Python's own cache of methods finds it."""
    return sys.intern(prefix + word)


@functools.lru_cache(maxsize=1024)
def plain_step(name: str, player: str | None) -> Step:
    """A step without arguments; steps are never changed, so one of each will do."""
    return Step(name, player, [])


def event_applier(state: State) -> Callable[[Event], None]:
    """A `tell` that records nothing, for folds and simulations."""

    def tell(event: Event) -> None:
        event.apply(state)

    return tell


class Engine:
    """One action at work on a state that it may change.

    Attributes:
        state: changed in place, by `tell` only (and by the flow of the engine itself).
        events: what has happened so far in this action.
        hand: the dice thrown in this action (`2d6`); empty where none are.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    default_edition: ClassVar[str] = "classic"
    options: ClassVar[tuple[Option, ...]] = ()
    #: what each player chooses at set-up.
    choices: ClassVar[tuple[Option, ...]] = ()
    event_types: ClassVar[tuple[type[Event], ...]] = CLASSIC_EVENTS
    state_type: ClassVar[type[State]] = State
    player_type: ClassVar[type[Player]] = Player
    space_type: ClassVar[type[Space]] = Space
    #: `use:` abilities and the arguments that each takes.
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: what `status` of a player and `stage` of the game can be.
    statuses: ClassVar[tuple[str, ...]] = ("human", "bankrupt")
    stages: ClassVar[tuple[str, ...]] = ("play",)
    #: pieces of nobody that stand on spaces as tokens do, and may be shown to the camera like these (`cop`).
    figures: ClassVar[tuple[str, ...]] = ()
    #: whether players are asked in others' turns (`react`).
    has_reactions: ClassVar[bool] = False
    #: the smallest and largest number of players.
    player_range: ClassVar[tuple[int, int]] = (2, 8)

    def __init__(self, state: State, keep_events: bool = True) -> None:
        self.state = state
        self.events: list[Event] = []
        self.hand = ""
        if not keep_events and type(self).tell is Engine.tell:
            self.tell = event_applier(state)  # type: ignore[assignment, method-assign]
        self.board: Board = board()

    # -- what steps use ---------------------------------------------------------------------

    def tell(self, event: Event) -> None:
        """Something happens: the state changes and the event is recorded."""
        event.apply(self.state)
        self.events.append(event)

    def note_player(self, player: str, **values: Any) -> None:
        """Set fields of a player for which there is no event of their own."""
        self.tell(PlayerNoted(player, values))

    def note_space(self, space: str, **values: Any) -> None:
        """Set fields of a space for which there is no event of their own."""
        self.tell(SpaceNoted(space, values))

    def note(self, **values: Any) -> None:
        """Set fields of the state for which there is no event of their own."""
        self.tell(StateNoted(values))

    def then(self, name: str, player: str | None = None, *args: Any) -> None:
        """Put `do_NAME(player, *args)` on top of the steps still to do. `args` must be plain JSON values.

        The step is done when this handler returns and nothing that blocks is open. The last one put
        is the first done. A step whose player goes bankrupt is forgotten.
        """
        step = Step(name, player, list(args)) if args else plain_step(name, player)
        self.state.todo = (*self.state.todo, step)

    def ask(
        self,
        kind: str,
        player: str,
        options: tuple[str, ...] | list[str] | None = None,
        memo: dict[str, Any] | None = None,
        blocks: bool = True,
        **facts: Any,
    ) -> None:
        """Open a decision; steps still to do wait for it if it `blocks`."""
        choices = None if options is None else tuple(options)
        decision = Decision(kind, player, choices, facts, memo or {}, blocks)
        self.state.decisions = (*self.state.decisions, decision)

    def ask_roll(self, player: str, dice: str, purpose: str, memo: dict[str, Any] | None = None, **facts: Any) -> None:
        """Open a throw; the dice go to `throw_PURPOSE`."""
        self.ask("roll", player, None, memo, dice=dice, purpose=purpose, **facts)

    def close(self, decision: Decision) -> None:
        """Take an open decision away (one that is not open any more is no fault)."""
        self.state.decisions = tuple(each for each in self.state.decisions if each is not decision)

    def close_all(self, player: str | None = None, kinds: tuple[str, ...] | None = None) -> None:
        """Take away all decisions, or those of a player, or of some kinds."""
        self.state.decisions = tuple(
            each
            for each in self.state.decisions
            if (player is not None and each.player != player) or (kinds is not None and each.kind not in kinds)
        )

    def forget_steps(self, player: str | None = None) -> None:
        """Forget the steps still to do, or those of one player."""
        self.state.todo = tuple(step for step in self.state.todo if player is not None and step.player != player)

    def refuse(self, code: str, message: str) -> NoReturn:
        raise Refused(code, message)

    def title_of(self, space: str) -> str:
        """What the space is called in this edition."""
        return space_names(self.state.edition)[space]

    @property
    def order(self) -> list[str]:
        """All players in turn order, from the list's first."""
        return list(self.state.players)

    def others_from(self, player: str) -> list[str]:
        """All other players in turn order, beginning at this player's left."""
        names = self.order
        place = names.index(player)
        return names[place + 1 :] + names[:place]

    # -- actions ----------------------------------------------------------------------------

    def perform(self, action: dict[str, Any]) -> None:
        """Carry out one action.

        Raises:
            Refused: then the state must be thrown away, it may be half changed.
        """
        verb, value, by, args = self.parse(action)
        self.take(verb, value, by, args)

    def take(self, verb: str, value: Any, by: str | None = None, args: dict[str, Any] | None = None) -> None:
        """Carry out an action that is taken apart already, as simulations do."""
        self.check_actor(verb, by)
        getattr(self, method_name("act_", verb))(by, value, args or {})
        self.run()
        self.settle()

    def parse(self, action: dict[str, Any]) -> tuple[str, Any, str | None, dict[str, Any]]:
        """An action as (verb, its value, by, other arguments)."""
        if not isinstance(action, dict):
            self.refuse("malformed", "An action is a mapping with one action word.")
        if len(action) == 1:
            for verb, value in action.items():
                if verb in _VERBS:
                    return verb, value, None, {}
        verbs = [key for key in action if key in _VERBS]
        if len(verbs) > 1 and "use" in verbs:
            verbs = ["use"]
        if len(verbs) != 1:
            self.refuse("malformed", f"An action has exactly one of these words: {', '.join(VERBS)}.")
        verb = verbs[0]
        args = {key: value for key, value in action.items() if key not in (verb, "by")}
        if args and (verb != "use" or not all(isinstance(key, str) for key in args)):
            self.refuse("malformed", f"{verb} does not take {', '.join(map(str, args))}.")
        by = action.get("by")
        if by is not None and (not isinstance(by, str) or by not in self.state.players):
            self.refuse("unknown_player", f"{by} is not in this game; there are {', '.join(self.state.players)}.")
        return verb, action[verb], by, args

    def check_actor(self, verb: str, by: str | None) -> None:
        """Who may act at all. Rule: CL-2.11"""
        if verb == "set":
            return
        if self.state.winners:
            self.refuse("not_allowed", "The game is over.")
        if by is not None and self.state.players[by].status == "bankrupt":
            self.refuse("not_allowed", f"{by} is bankrupt and out of the game.")

    def waits_for(self) -> str:
        """The player the engine waits for: the first of `pending`, else the mover."""
        pending = self.state.pending
        return pending[0].player if pending else self.state.turn.player

    def actor(self, by: str | None) -> str:
        """Who acts: the one named, else the player the engine waits for. Rule: CL-2.9, CL-2.11"""
        player = self.waits_for() if by is None else by
        if self.state.players[player].status == "bankrupt":
            self.refuse("not_allowed", f"{player} is bankrupt and out of the game.")
        return player

    def run(self) -> None:
        """Do the steps still to do until something has to be waited for."""
        state = self.state
        while state.todo:
            if (state.decisions or state.indebted or state.auction is not None) and self.is_blocked():
                return
            step = state.todo[-1]
            state.todo = state.todo[:-1]
            getattr(self, method_name("do_", step.name))(step.player, *step.args)

    def is_blocked(self) -> bool:
        """Whether steps still to do have to wait: for an auction, a debt or a decision that blocks."""
        state = self.state
        if state.auction is not None:
            return True
        for decision in state.decisions:
            if decision.blocks:
                return True
        return bool(state.indebted)

    def settle(self) -> None:
        """Work out what is pending now, and the phase."""
        state = self.state
        if state.winners:
            pending: list[Decision] = []
            phase = "over"
        else:
            pending = self.open_decisions()
            if pending:
                phase = self.phase_while(pending)
            elif state.base == "roll":
                pending = self.turn_decisions(state.turn.player)
                phase = self.phase_while(pending)
            else:
                phase = "done"
        state.pending = tuple(pending)
        if state.turn.phase != phase:
            state.turn = replace(state.turn, phase=phase)

    def flow(self) -> Awaited:
        """The bookkeeping event that closes the events of an action."""
        state = self.state
        return Awaited(
            state.turn,
            state.pending,
            state.decisions,
            state.todo,
            state.base,
            state.again,
            state.dice,
            state.start_throws,
            state.card_rent,
            state.auction,
        )

    def over(self) -> None:
        """Nothing is left to do: the flow is emptied. Called when the game is won."""
        if self.state.auction is not None:
            self.tell(AuctionDropped())
        self.state.decisions = ()
        self.state.todo = ()

    # -- what is open: overridden by the rules ------------------------------------------------

    def open_decisions(self) -> list[Decision]:
        """Everything that is open apart from the movement roll, the oldest first."""
        return list(self.state.decisions)

    def turn_decisions(self, player: str) -> list[Decision]:
        """What the mover is asked when nothing else is open and a movement is due."""
        raise NotImplementedError

    def phase_while(self, pending: list[Decision]) -> str:
        """`roll` while only the movement is waited for, else `resolve`."""
        raise NotImplementedError

    # -- arguments -----------------------------------------------------------------------------

    def space_named(self, value: Any) -> str:
        """The slug of a space given by slug or index.

        Raises:
            Refused: `unknown_space`.
        """
        if isinstance(value, str) and value in self.board.index:
            return value
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(self.board.slugs):
            return self.board.slugs[value]
        raise Refused("unknown_space", f"{value!r} is no space of the board: use its name or its index 0 to 39.")

    def player_named(self, value: Any) -> str:
        """A player's name.

        Raises:
            Refused: `unknown_player`.
        """
        if isinstance(value, str) and value in self.state.players:
            return value
        raise Refused("unknown_player", f"{value!r} is not in this game; there are {', '.join(self.state.players)}.")

    def check_dice(self, hand: str, dice: Any) -> tuple[int, ...]:
        """The dice of a throw, if they are those of `hand`, in its order. Rule: CL-2.1"""
        if hand == "2d6" and type(dice) is list and len(dice) == 2:
            first, second = dice
            if type(first) is int and type(second) is int and 1 <= first <= 6 and 1 <= second <= 6:
                return first, second
        faces = parse_dice(hand)
        if isinstance(dice, (list, tuple)) and len(dice) == len(faces):
            for die, highest in zip(dice, faces, strict=True):
                if type(die) is not int or not 1 <= die <= highest:
                    break
            else:
                return tuple(dice)
        raise Refused("wrong_dice", f"{dice!r} is not a throw of {hand}: tell each die, from 1 to its number of faces.")

    def check_setup(self, names: list[str], edition: str, settings: dict[str, Any]) -> None:
        """Whether a game can be set up so. Rule: CL-1.2

        Raises:
            Refused: `malformed`.
        """
        low, high = self.player_range
        if not low <= len(names) <= high:
            self.refuse("malformed", f"{len(names)} players: there must be {low} to {high}.")
        if any(not isinstance(name, str) or not name.strip() for name in names):
            self.refuse("malformed", "Every player needs a name.")
        if len(set(names)) != len(names):
            self.refuse("malformed", "Two players have the same name.")
        if set(names) & {"bank", "pot"}:
            self.refuse("malformed", "No player can be called bank or pot.")
        if edition not in editions():
            self.refuse("malformed", f"There is no edition {edition!r}; there are {', '.join(editions())}.")
        for name, setting in settings.items():
            if setting:
                self.refuse("malformed", f"{name}: nothing but the name is chosen in this variant.")

    def set_up(self, settings: dict[str, Any]) -> None:
        """Begin the game on a fresh state: put the first steps."""
        raise NotImplementedError
