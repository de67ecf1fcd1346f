"""Weighs observations against what the rules allow: the nine rules of the protocol's observations."""

from typing import Any

from companion.observations import (
    COP,
    BuildingsSeen,
    DiceSeen,
    MarkersSeen,
    Observation,
    StandingSeen,
    TokenSeen,
    TowerThrow,
)
from companion.referee.context import Context
from companion.referee.effects import Effect, Question
from companion.referee.judge import Judge
from companion.referee.pieces import Pieces
from companion.referee.retakes import Retakes
from companion.referee.throws import ThrowLog
from companion.referee.tokens import DICE, THROWN, Tokens
from companion.rules import Game


class Referee:
    """Observations in, effects out. It reads `game` and never changes it.

    The caller applies each `Act` and then calls `acted`, also for what others did to the game; after
    an undo, a redo or an amendment it calls `rebase`. All of them return what is to be done next.
    """

    def __init__(self, game: Game) -> None:
        self._context = Context(game)
        self._tokens = Tokens(self._context)
        self._log = ThrowLog(self._context)
        self._retakes = Retakes(self._context, self._tokens, self._log)
        self._judge = Judge(self._context, self._tokens, self._log, self._retakes)
        self._pieces = Pieces(self._context)

    @property
    def game(self) -> Game:
        return self._context.game

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions, oldest first."""
        return self._context.desk.questions

    def see(self, observation: Observation) -> list[Effect]:
        """Weighs one observation. What says the same as before changes nothing."""
        self._begin()
        match observation:
            case DiceSeen():
                self._log.see_dice(observation)
            case TowerThrow():
                self._log.see_tower(observation)
            case StandingSeen():
                self._pieces.is_watched, self._pieces.hidden = True, observation.hidden
                self._log.see_standing(observation)
            case TokenSeen() if self._log.standing is not None and observation.token != COP:
                # The look at the whole board tells more than one token's name, which may be mistaken.
                if not observation.gone or not self._tokens.miss(observation, self._log.standing):
                    return []
            case TokenSeen():
                self._pieces.is_watched = True
                if not self._tokens.see(observation):
                    return self._context.desk.take_effects()
            case BuildingsSeen():
                self._pieces.is_watched = True
                self._pieces.see_buildings(observation)
                return self._context.desk.take_effects()
            case MarkersSeen():
                self._pieces.is_watched = True
                self._pieces.see_markers(observation)
                return self._context.desk.take_effects()
            case _:
                return []
        return self._conclude()

    def answer(self, which: str, option: str | list[int] | tuple[int, ...]) -> list[Effect]:
        """A person answered a question.

        Args:
            which: its id, or what it is about (then the oldest of that kind).
            option: one of its options; for dice any faces that the game's roll can have.
        Returns:
            Nothing to do, also when no such question is open: it was answered by the table going on.
        """
        self._begin()
        entry = self._context.desk.find(which)
        if entry is None:
            return []
        choice = option if isinstance(option, str) else tuple(option)
        self._context.desk.close(entry)
        about = entry.question.about
        if about in ("buildings", "markers"):
            self._pieces.answer(entry, str(choice))
        elif about in ("dice", "witnesses", "decision"):
            self._judge.answer(entry, choice)
        elif choice == THROWN:
            self._retakes.give(str(entry.question.facts["player"]), str(entry.question.facts["seen"]))
        elif choice == DICE or not isinstance(choice, str):
            self._judge.doubt(str(entry.question.facts["player"]), choice)
        else:
            self._tokens.answer(entry, choice)
        return self._conclude()

    def acted(self, action: dict[str, Any], events: list[dict[str, Any]]) -> list[Effect]:
        """Tells that an action was done: the referee's own, or one from elsewhere."""
        is_own = self._context.landed(action)
        self._context.look_again()
        self._tokens.follow(events)
        self._judge.acted(action, events, is_own=is_own)
        self._pieces.follow(events)
        return self._conclude()

    def rebase(self, game: Game) -> list[Effect]:
        """The game was folded again, after an undo, a redo or an amendment."""
        self._context.game = game
        self._context.flight.clear()
        self._context.look_again()
        self._tokens.follow([])
        self._judge.rebased()
        self._pieces.follow()
        return self._conclude()

    def _begin(self) -> None:
        """Anything still under way when the next thing comes in was not done by the caller."""
        self._context.flight.clear()

    def _conclude(self) -> list[Effect]:
        if not self._context.flight and self._log.standing is not None:
            self._tokens.attribute(self._log.standing, self._judge.reach(), self._retakes.instead())
            self._retakes.replace_if_shown()
        if not self._context.flight:
            self._judge.consider()
        if not self._context.flight:
            self._check_tokens()
        return self._context.desk.take_effects()

    def _check_tokens(self) -> None:
        for token in list(self._tokens.sights):
            if self._retakes.is_released(token):
                return
            mover = token if self._judge.has_stayed(token) else self._judge.unplayed
            by_dice = mover == token
            retaken = self._retakes.question(token)
            may_ask = retaken is not None or not self._judge.may_explain(token)
            is_doubted = by_dice and may_ask and self._judge.is_doubted(token)
            is_done = self._tokens.check(token, mover=mover, is_doubted=is_doubted, may_ask=may_ask, retaken=retaken)
            if is_done and by_dice:
                self._tokens.pass_by()
                self._judge.close(token)
            if self._context.flight:
                return
        if self._log.standing is not None and not self._log.waiting:
            self._tokens.check_swapped(self._log.standing)
