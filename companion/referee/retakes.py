"""The newest throw, taken back and given again: the Jail was left before it, or it was another player's."""

from dataclasses import dataclass
from typing import Any

from companion.referee.context import Context
from companion.referee.hands import SURE, Faces, Throw, alike
from companion.referee.outlook import Outlook, try_action
from companion.referee.throws import ThrowLog
from companion.referee.tokens import Tokens
from companion.referee.weighing import best_space
from companion.rules import Game, Refused

#: Share of throws that are not whose turn it is by the book, but the next one's (a double was forgotten, or is none)
#: or once more those of the one before (a double was not read); and any other player's.
MISTAKEN, OUT_OF_TURN = 0.01, 0.003
#: Share of games that another player begins than the first of the list.
BEGINS = 0.3


@dataclass(frozen=True)
class _Turn:
    """How the newest throw would be another player's: the correction before it, and where it leads then."""

    change: dict[str, Any]
    share: float
    spaces: frozenset[str]


class Retakes:
    """Each is several actions; the next one is done when the one before has landed."""

    def __init__(self, context: Context, tokens: Tokens, log: ThrowLog) -> None:
        self._context = context
        self._tokens = tokens
        self._log = log
        self._ahead: list[dict[str, Any]] = []
        self._because = ""
        self._given: Throw | None = None
        self._stood: dict[str, str] = {}
        self._known: dict[str, _Turn] = {}
        self._known_for: tuple[int, Outlook] | None = None

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
        self._begin([{"undo": True}, action], f"{player}'s token has left the Jail.")
        return True

    # Another player's

    def instead(self) -> list[tuple[dict[str, str], float]]:
        """Where all tokens would stand had the newest throw been another player's, each with the share of such throws.

        Faces that a token has told tell nothing of whose they were.
        """
        last, turns = self._log.last, self._turns()
        if last is None or (last.is_witnessed and not (last.is_sure and alike(last.best, last.taken or ()))):
            return []
        return [({**self._stood, player: space}, turn.share) for player, turn in turns.items() for space in turn.spaces]

    def thrower(self, player: str) -> str | None:
        """Whose the newest throw is by the book, if as this player's it would have led to where the token stands."""
        last, turn = self._log.last, self._turns().get(player)
        if last is None or turn is None or not self._tokens.has_left(player):
            return None
        return last.player if best_space(self._tokens.sights[player])[0] in turn.spaces else None

    def give(self, player: str) -> None:
        """The newest throw was this player's: a double was misread or forgotten, or somebody threw out of turn."""
        last, turn = self._log.last, self._turns().get(player)
        if last is None or last.taken is None or turn is None:
            return
        undone = [{"undo": True}] * (self._log.steps_since() + 1)
        self._given = last
        self._begin([*undone, turn.change, {"roll": list(last.taken), "by": player}], f"It was {player}'s throw.")

    def _turns(self) -> dict[str, _Turn]:
        """Whose else the newest throw may have been, until its move is seen; worked out once for each look."""
        last, look = self._log.last, self._context.look
        if last is None or last.taken is None or last.is_closed:
            return {}
        if self._known_for != (last.key, look):
            self._known_for = last.key, look
            before = self._log.game_before()
            players = {name: state.at for name, state in before.state.players.items() if state.at is not None}
            self._stood = {name: at for name, at in players.items() if look.place(name) is not None}
            found = {name: _turn_of(before, name, last.taken) for name in self._stood if name != last.player}
            self._known = {name: turn for name, turn in found.items() if turn is not None}
        return self._known


def _turn_of(before: Game, player: str, faces: Faces) -> _Turn | None:
    """How it could have come that this player threw these dice; None where it could not."""
    turn, is_first = before.state.turn, not any("roll" in action for action in before.actions)
    ways: list[tuple[dict[str, Any], float]] = [({"phase": "done"}, MISTAKEN)]
    ways.append(({"player": player, "phase": "roll", "doubles": 0}, OUT_OF_TURN))
    if turn.player == player:
        ways.insert(0, ({"phase": "roll", "doubles": turn.doubles + 1}, MISTAKEN))
    for fields, share in ways:
        change, game = {"set": {"turn": fields}}, before.copy()
        try:
            game.act(change)
        except Refused:
            continue
        look = Outlook(game)
        outcome = look.after(faces) if look.wanted is not None and look.wanted.player == player else None
        if outcome is not None:
            share = BEGINS / (len(before.state.players) - 1) if is_first else share
            return _Turn(change, share, frozenset(place.space for place in outcome.spaces_for(player)))
    return None
