"""The newest throw, taken back and given again: the Jail was left before it, or it was another player's."""

from collections.abc import Iterator
from typing import Any

from companion.referee.context import Context
from companion.referee.hands import SURE, Throw
from companion.referee.outlook import Outlook, try_action
from companion.referee.throws import ThrowLog
from companion.referee.tokens import Tokens
from companion.referee.weighing import best_space
from companion.rules import Refused


class Retakes:
    """Each is several actions; the next one is done when the one before has landed."""

    def __init__(self, context: Context, tokens: Tokens, log: ThrowLog) -> None:
        self._context = context
        self._tokens = tokens
        self._log = log
        self._ahead: list[dict[str, Any]] = []
        self._because = ""
        self._given: Throw | None = None

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

    def is_thrower(self, player: str, space: str) -> bool:
        """Whether the newest throw would have led this player's token, and not its player's, to this space."""
        return self._turn_for(player, space) is not None

    def give(self, player: str, space: str) -> None:
        """The newest throw was this player's: a double was misread or forgotten, or somebody threw out of turn."""
        last, change = self._log.last, self._turn_for(player, space)
        if last is None or last.taken is None or change is None:
            return
        undone = [{"undo": True}] * (self._log.steps_since() + 1)
        self._given = last
        self._begin([*undone, change, {"roll": list(last.taken), "by": player}], f"It was {player}'s throw.")

    def _turn_for(self, player: str, space: str) -> dict[str, Any] | None:
        """The correction after which the newest throw is this player's and leads to this space."""
        last = self._log.last
        if last is None or last.taken is None or last.player == player:
            return None
        before = self._log.game_before()
        for turn in _turns(before.snapshot()["turn"], player):
            action, game = {"set": {"turn": turn}}, before.copy()
            try:
                game.act(action)
            except Refused:
                continue
            look = Outlook(game)
            outcome = look.after(last.taken) if look.wanted is not None and look.wanted.player == player else None
            if outcome is not None and any(place.space == space for place in outcome.spaces_for(player)):
                return action
        return None


def _turns(turn: dict[str, Any], player: str) -> Iterator[dict[str, Any]]:
    """How the turn may have stood before this player threw: after a double, when it had ended, or out of turn."""
    if turn["player"] == player:
        yield {"phase": "roll", "doubles": turn["doubles"] + 1}
    yield {"phase": "done"}
    yield {"player": player, "phase": "roll", "doubles": 0}
