"""People at the virtual table of a live game: they throw, carry and build by hand, and tap what the rules ask.

They know what they threw, so that they can answer the referee; they follow the tablet when somebody
corrects it; and anybody at the tablet may tap before they do.
"""

import itertools
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from companion.bots import Action, Bots
from companion.cli.virtual_play import (
    Seating,
    gestures_between,
    is_walk,
    pieces_of_nobody,
    place_of,
    throw_command,
    thrower,
)
from companion.observations import SPACES
from companion.rules import Game, Refused
from companion.rules.errors import BoardsideError
from companion.table import Table
from vision.virtual.world import Command

#: Seconds before a decision is tapped, before a question is answered, and before people stop waiting for the camera.
THINK_S, ANSWER_S, PATIENCE_S = 1.2, 3.0, 20.0
#: Hands that have not done by then what they were told have never heard of it: the eyes were started anew.
LOST_S = 120.0


class Hands(Protocol):
    """What carries out gestures (`companion.eyes.Eyes`)."""

    def move_world(self, commands: list[dict[str, Any]]) -> None: ...

    @property
    def world_done(self) -> frozenset[int]: ...


class People:
    """Plays one table. `step` never waits; call it a few times a second."""

    def __init__(
        self,
        table: Table,
        hands: Hands,
        seating: Seating,
        seed: int,
        now_s: Callable[[], float],
        most_throws: int | None = None,
    ) -> None:
        """Sits down at a board on which the tokens stand where the game has them.

        Args:
            now_s: a monotonic clock.
            most_throws: after that many throws nobody throws any more; None plays to the end.
        """
        self._table = table
        self._hands = hands
        self._seating = seating
        self._bots = Bots(seed)
        self._now_s = now_s
        self._most_throws = most_throws
        self._numbers = itertools.count(1)
        self._under_way: set[int] = set()
        self._since_s = now_s()
        self._quiet_for: tuple[Any, ...] = ()
        self._board = table.game()
        self._thrown: tuple[Action, int] | None = None
        self._walked: Action | None = None
        self._throws = 0
        self._order(list(pieces_of_nobody(self._board)))

    @property
    def throws(self) -> int:
        """How many throws have been made."""
        return self._throws

    def step(self) -> None:
        """Does the next thing, if it is time."""
        if self._under_way - self._hands.world_done and self._now_s() < self._lost_after_s:
            self._since_s = self._now_s()
            return
        self._under_way.clear()
        view = self._table.view()
        questions = view["questions"]
        situation = (self._table.version, [question["id"] for question in questions])
        if situation != self._quiet_for:
            self._quiet_for, self._since_s = situation, self._now_s()
        waited_s = self._now_s() - self._since_s
        if questions:
            if waited_s >= ANSWER_S:
                self._try(lambda: self._answer(questions[0]))
        elif self._thrown is not None and not self._is_roll_taken():
            if waited_s >= PATIENCE_S:
                self._tap_throw()
        elif self._walked is not None and is_walk(self._table.game(), self._walked):
            if waited_s >= PATIENCE_S:
                action = self._walked
                self._try(lambda: self._table.act(action))
        elif waited_s >= THINK_S:
            self._thrown = self._walked = None
            self._go_on(self._table.game())

    def _go_on(self, game: Game) -> None:
        if self._follow_book(game):
            return
        action = self._bots.next_action(game)
        if action is None:
            return
        if "roll" in action:
            if self._most_throws is None or self._throws < self._most_throws:
                self._throw(game, action)
        elif is_walk(game, action):
            self._walk(game, action)
        else:
            self._try(lambda: self._table.act(action))

    def _walk(self, game: Game, action: Action) -> None:
        """Chooses a space by going there: the camera sees it, or else it is tapped later."""
        self._walked = action
        after = game.copy()
        after.act(action)
        self._order(list(gestures_between(game, after, self._seating, str(action["by"]))))
        self._board = after

    def _throw(self, game: Game, action: Action) -> None:
        """Throws, and moves on the board as the dice say, whatever anybody sees."""
        player = thrower(game)
        self._throws += 1
        self._thrown = (action, self._count_rolls())
        after = game.copy()
        after.act(action)
        self._order(
            [throw_command(game, action, player, self._seating), *gestures_between(game, after, self._seating, player)]
        )
        self._board = after

    def _follow_book(self, game: Game) -> bool:
        """Puts on the board what the tablet has and the board has not: cards, purchases, corrections."""
        gestures = list(gestures_between(self._board, game, self._seating, game.state.turn.player))
        self._order(gestures)
        self._board = game
        return bool(gestures)

    def _order(self, commands: list[Command]) -> None:
        numbered = [msgspec.structs.replace(command, id=next(self._numbers)) for command in commands]
        self._under_way = {command.id for command in numbered}
        self._lost_after_s = self._now_s() + LOST_S
        self._hands.move_world([msgspec.to_builtins(command) for command in numbered])

    def _count_rolls(self) -> int:
        return sum("roll" in action for action in self._table.actions())

    def _is_roll_taken(self) -> bool:
        return self._thrown is not None and self._count_rolls() > self._thrown[1]

    def _tap_throw(self) -> None:
        """The camera has not read it: the dice are tapped in."""
        if self._thrown is not None:
            action, _ = self._thrown
            self._thrown = None
            self._try(lambda: self._table.act(action))

    def _answer(self, question: dict[str, Any]) -> None:
        """What somebody would answer who has seen everything."""
        about, options = question["about"], [option["option"] for option in question["options"]]
        if about == "witnesses" and "next_throw" in options:
            # What they tapped was right: if the camera saw something else, they have thrown again, or it misread.
            self._table.answer(question["id"], "next_throw" if self._thrown is not None else question["facts"]["told"])
        elif about in ("dice", "witnesses") and self._thrown is not None:
            self._table.answer(question["id"], list(self._thrown[0]["roll"]))
        elif about == "move" and "dice" in options and self._is_misread():
            self._table.answer(question["id"], "dice")
        elif options:
            choice = "put_right" if "put_right" in options else options[0]
            self._table.answer(question["id"], choice)
            self._show_book(question)

    def _is_misread(self) -> bool:
        """The last throw in the book is another than the one that was made."""
        rolls = [action["roll"] for action in self._table.actions() if "roll" in action]
        return self._thrown is not None and bool(rolls) and rolls[-1] != self._thrown[0]["roll"]

    def _show_book(self, question: dict[str, Any]) -> None:
        """Takes up the token in question and puts it down where the book has it."""
        player = question.get("facts", {}).get("player")
        place = place_of(self._table.game(), player) if player in self._seating.tokens else None
        if place is not None:
            square, in_jail = place
            token, seat = self._seating.tokens[player], self._seating.seat(player)
            self._order([Command(do="move", token=token, to=square, in_jail=in_jail, seat=seat)])
        for slug, built in (
            (question.get("facts", {}).get("book") or {}).items() if question["about"] == "buildings" else ()
        ):
            self._order(
                [
                    Command(
                        do="build",
                        to=SPACES.index(slug),
                        houses=built.get("houses", 0),
                        hotel=built.get("hotel", False),
                    )
                ]
            )

    @staticmethod
    def _try(what: Callable[[], object]) -> None:
        """Somebody else may have been quicker, or the book may have changed meanwhile."""
        try:
            what()
        except (Refused, BoardsideError):
            return
