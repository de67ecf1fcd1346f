"""The newest throw, taken back and given again: the Jail was left before it, it was another's, or it alone counts."""

from dataclasses import dataclass
from typing import Any

from companion.referee.context import Context
from companion.referee.effects import Note, Option
from companion.referee.hands import SURE, Faces, Throw, alike, fits_hand
from companion.referee.outlook import Outlook, try_action
from companion.referee.throws import ThrowLog
from companion.referee.tokens import THROWN, Tokens
from companion.referee.weighing import best_space
from companion.rules import Game, Refused

#: Share of throws that are not whose turn it is by the book, but the next one's (a double was forgotten, or is none)
#: or once more those of the one before (a double was not read); and any other player's.
WRONG_TURN, OUT_OF_TURN = 0.01, 0.003
#: Share of games that another player begins than the first of the list.
BEGINS = 0.3
#: Share of throws that did not count, though they lay there plainly: something else was thrown, or they were tossed to
#: whoever throws next. Once that has happened at a table, a throw before which nobody moved by the one before is as
#: likely as not to be the only one that counts. Guesses.
REPLACED, AS_BEFORE = 0.02, 1.0

UNDO = {"undo": True}
ONLY_LAST = "Only the last throw counts"


@dataclass(frozen=True)
class Retake:
    """Another way in which the newest throw may count, or one that waits.

    Attributes:
        throw: which it is.
        player: whose it is then.
        share: of all throws.
        spaces: to which it leads that player's token then.
        stood: where the tokens stood before it.
        before: actions that lead from the game as it is to that.
        is_again: the throw before, of the same player, did not count.
    """

    throw: Throw
    player: str
    share: float
    spaces: frozenset[str]
    stood: dict[str, str]
    before: tuple[dict[str, Any], ...]
    is_again: bool = False


class Retakes:
    """Each is several actions; the next one is done when the one before has landed."""

    def __init__(self, context: Context, tokens: Tokens, log: ThrowLog) -> None:
        self._context = context
        self._tokens = tokens
        self._log = log
        self._ahead: list[dict[str, Any]] = []
        self._because = ""
        self._given: Throw | None = None
        self._known: list[Retake] = []
        self._are_tossed = False
        self._known_for: tuple[int, Outlook, list[Faces]] | None = None

    def _begin(self, actions: list[dict[str, Any]], because: str) -> None:
        self._ahead, self._because = actions, because
        self.proceed()

    def proceed(self) -> bool:
        """Does the next action of what was begun; False when nothing is left to do."""
        if not self._ahead:
            return False
        action = self._ahead.pop(0)
        evidence: tuple[str, ...] = ()
        if "roll" in action and self._given is not None:
            self._log.take(self._given, tuple(action["roll"]), action["by"])
            evidence, self._given = tuple(self._given.pictures), None
        self._context.act(action, because=self._because, evidence=evidence)
        return True

    # Out of Jail

    def ways_out(self) -> dict[str, dict[str, Any]]:
        """Spaces to which the newest throw leads from the Jail, though it freed nobody, and what was done before."""
        last = self._log.last
        if last is None or last.player is None or last.taken is None or self._log.steps_since() > 0:
            return {}
        place = self._context.look.place(last.player)
        if place is None or not place.in_jail:
            return {}
        game = self._log.game_before()
        ways: dict[str, dict[str, Any]] = {}
        for option in next((d["options"] for d in game.pending if "roll" in d.get("options", ())), ()):
            action = {"choose": option, "by": last.player}
            freed = try_action(game, action) if option != "roll" else None
            outcome = Outlook(freed.game).after(last.taken) if freed is not None else None
            for way in outcome.spaces_for(last.player) if outcome is not None else ():
                ways.setdefault(way.space, action)
        return ways

    def is_released(self, player: str) -> bool:
        """Takes the newest throw back when its player's token shows that the Jail was left before it."""
        last = self._log.last
        if last is None or last.player != player or not self._tokens.has_left(player):
            return False
        space, p = best_space(self._tokens.sights[player])
        action = self.ways_out().get(space) if p >= SURE else None
        if action is None:
            return False
        self._log.reopening = last
        self._begin([UNDO, action], f"{player}'s token has left the Jail.")
        return True

    # Another player's, or alone

    def instead(self) -> list[tuple[dict[str, str], float]]:
        """Where all tokens would stand had the newest throw counted otherwise, each with the share of such throws.

        Faces that a token has told tell nothing of whose they were.
        """
        last = self._log.last
        if last is None or (last.is_witnessed and not (last.is_sure and alike(last.best, last.taken or ()))):
            return []
        return [({**way.stood, way.player: space}, way.share) for way in self._ways() for space in way.spaces]

    def replace_if_shown(self) -> None:
        """Takes back what somebody threw before, when the token shows that only a throw after it counts.

        Where dice are known to be tossed on, it does so too where both lead.
        """
        for way in self._ways():
            sight = self._tokens.sights.get(way.player)
            if sight is None or not way.is_again or way.share < REPLACED:
                continue
            if not self._are_tossed and not self._tokens.has_left(way.player):
                continue
            space, p = best_space(sight)
            if p >= SURE and space in way.spaces and space in self._log.arrived_since(way.throw):
                text = f"{ONLY_LAST}: {way.player}'s token went by it."
                self._context.desk.effects.append(Note(text=text, about="dice", player=way.player))
                self.give(way.player, space)
                return

    def question(self, player: str) -> tuple[str, Option] | None:
        """What is asked of a token that stands where the newest throw led it, had it counted otherwise."""
        space, _ = best_space(self._tokens.sights[player])
        last, place, way = self._log.last, self._context.look.place(player), self._way_to(player, space)
        if way is None or last is None or place is None:
            return None
        shown = self._context.name(space)
        belongs = f"{player} belongs on {self._context.name(place.space)}"
        if way.is_again:
            return f"{belongs}, but moved to {shown} by the last throw alone.", Option(THROWN, ONLY_LAST)
        text = f"It was {last.player}'s throw, but {player} moved by it to {shown}. {belongs}."
        return text, Option(THROWN, f"It was {player}'s throw")

    def give(self, player: str, space: str) -> None:
        """The newest throw was this player's, or the only one of two that counts."""
        way = self._way_to(player, space)
        if way is None:
            return
        waiting = self._log.waiting
        for throw in waiting[: waiting.index(way.throw)] if way.throw in waiting else ():
            self._log.drop(throw)
            self._context.desk.withdraw("dice", throw.key, "It was thrown again.")
        self._given = way.throw
        self._are_tossed |= way.is_again
        because = "The throw before did not count." if way.is_again else f"It was {player}'s throw."
        self._begin([*way.before, {"roll": list(way.throw.taken or way.throw.best), "by": player}], because)

    def _way_to(self, player: str, space: str) -> Retake | None:
        return next((way for way in self._ways() if way.player == player and space in way.spaces), None)

    def _ways(self) -> list[Retake]:
        """How else the newest throw may count, until its move is seen, or those that wait in place of it.

        Worked out once for each state of the game.
        """
        last, look = self._log.last, self._context.look
        if last is None or last.taken is None or last.is_closed:
            return []
        kept = [throw.best for throw in self._log.waiting]
        if self._known_for != (last.key, look, kept):
            self._known_for = last.key, look, kept
            before, undone = self._log.game_before(), self._log.steps_since() + 1
            others = [name for name in before.state.players if name != last.player and look.place(name) is not None]
            ways = [_as_throw_of(name, before, last, undone) for name in others]
            ways.append(self._alone(before, last, undone))
            for count, throw in enumerate(self._log.waiting, 1):
                share = self._replaced**count * throw.thrown
                ways.append(_way(last.player or "", share, before, throw, (UNDO,) * undone, is_again=True))
            self._known = [way for way in ways if way is not None]
        return self._known

    def _alone(self, game: Game, throw: Throw, undone: int) -> Retake | None:
        """The newest throw as the only one that counts of two of one player, who has not moved by the first yet."""
        rolls = [index for index, action in enumerate(game.actions) if "roll" in action]
        player = game.actions[rolls[-1]].get("by") if rolls else None
        if player is None or not self._tokens.is_under_way(player):
            return None
        more = len(game.actions) - rolls[-1]
        earlier = game.copy()
        earlier.undo(more)
        return _way(player, self._replaced, earlier, throw, (UNDO,) * (undone + more), is_again=True)

    @property
    def _replaced(self) -> float:
        return AS_BEFORE if self._are_tossed else REPLACED

    # Instead of the one before

    def may_replace(self, throw: Throw) -> bool:
        """Whether a throw that waits may have been thrown in place of the newest, by which nobody has moved yet."""
        last = self._log.last
        if last is None or last.taken is None or last.is_closed:
            return False
        wanted = Outlook(self._log.game_before()).wanted
        return wanted is not None and wanted.player == last.player and fits_hand(throw.hand, wanted.kinds)

    def replace(self) -> None:
        """The newest throw did not count: the one that waits takes its place."""
        self._are_tossed = True
        self._begin([UNDO] * (self._log.steps_since() + 1), "The throw before did not count.")


def _as_throw_of(player: str, before: Game, throw: Throw, undone: int) -> Retake | None:
    """The newest throw as another player's: after a double, when the turn had ended, or out of turn."""
    turn, is_first = before.state.turn, not any("roll" in action for action in before.actions)
    turns: list[tuple[dict[str, Any], float]] = [({"phase": "done"}, WRONG_TURN)]
    turns.append(({"player": player, "phase": "roll", "doubles": 0}, OUT_OF_TURN))
    if turn.player == player:
        turns.insert(0, ({"phase": "roll", "doubles": turn.doubles + 1}, WRONG_TURN))
    for fields, share in turns:
        change, game = {"set": {"turn": fields}}, before.copy()
        try:
            game.act(change)
        except Refused:
            continue
        share = BEGINS / (len(before.state.players) - 1) if is_first else share
        way = _way(player, share, game, throw, (*(UNDO,) * undone, change))
        if way is not None:
            return way
    return None


def _way(
    player: str, share: float, game: Game, throw: Throw, before: tuple[dict[str, Any], ...], *, is_again: bool = False
) -> Retake | None:
    """This as that player's throw in this game; None where that is not what it waits for."""
    look = Outlook(game)
    is_wanted = look.wanted is not None and look.wanted.player == player
    outcome = look.after(throw.taken or throw.best) if is_wanted else None
    if outcome is None:
        return None
    spaces = frozenset(place.space for place in outcome.spaces_for(player))
    stood = {name: place.space for name in look.players if (place := look.place(name)) is not None}
    return Retake(throw, player, share, spaces, stood, before, is_again)
