"""A game with its referee in one hand: what the scenario runner, `track` and the tests play with."""

from collections.abc import Iterable
from typing import Any

from companion.observations import Observation
from companion.referee.context import is_same_action
from companion.referee.effects import Act, Effect, Note, Question
from companion.referee.referee import Referee
from companion.rules import Game, Refused

#: Actions that may follow from one observation; more is a referee going round in circles.
MOST_ACTS = 50


class RefereedGame:
    """Applies the referee's effects at once, as the live table does through its journal.

    Attributes:
        events: of all actions, oldest first.
        acts: all that the referee has done, oldest first.
        dropped: actions that no longer fitted after a correction.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.referee = Referee(game)
        self.events: list[dict[str, Any]] = []
        self.acts: list[Act] = []
        self.notes: list[Note] = []
        self.dropped: list[dict[str, Any]] = []

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.referee.questions

    def act(self, action: dict[str, Any]) -> list[dict[str, Any]]:
        """An action from elsewhere, as by a finger on the tablet.

        Raises:
            Refused: state unchanged.
        """
        events = self._do(action)
        self.acted(action, events)
        return events

    def acted(self, action: dict[str, Any], events: list[dict[str, Any]]) -> None:
        """Somebody else has carried out an action on the game."""
        self._apply(self.referee.acted(action, events))

    def see(self, observation: Observation) -> None:
        self._apply(self.referee.see(observation))

    def answer(self, which: str, option: str | list[int] | tuple[int, ...]) -> None:
        self._apply(self.referee.answer(which, option))

    def _do(self, action: dict[str, Any]) -> list[dict[str, Any]]:
        events = self.game.act(action)
        self.events += events
        return events

    def _apply(self, effects: Iterable[Effect]) -> None:
        left = list(effects)
        done = 0
        while left:
            effect = left.pop(0)
            if isinstance(effect, Note):
                self.notes.append(effect)
            if not isinstance(effect, Act):
                continue
            done += 1
            assert done <= MOST_ACTS, "the referee goes round in circles"
            self.acts.append(effect)
            if effect.replaces is not None:
                self._amend(effect)
                left += self.referee.rebase(self.game)
            else:
                left += self.referee.acted(effect.action, self._do(effect.action))

    def _amend(self, effect: Act) -> None:
        """Folds the game again with the corrected action; what no longer fits is dropped."""
        actions = self.game.actions
        index = max(i for i, action in enumerate(actions) if is_same_action(action, effect.replaces or {}))
        later = actions[index + 1 :]
        self.game.undo(len(actions) - index)
        for action in [effect.action, *later]:
            try:
                self._do(action)
            except Refused:
                self.dropped.append(action)
