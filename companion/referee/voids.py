"""Dice that lie there and count for nothing: pushed along, put down for whoever throws next, or one fell off the table.

They count all the same once the token of whoever would have thrown them goes by them, and do not once others are
plainly thrown before that.
"""

from companion.referee.context import Context
from companion.referee.hands import Throw, fits_hand, readings
from companion.referee.outlook import Wanted
from companion.referee.throws import ThrowLog
from companion.referee.tokens import Tokens
from companion.referee.told import leads_to
from companion.referee.weighing import will_be_told


class Voids:
    """Which of the throws that wait do not count."""

    def __init__(self, context: Context, tokens: Tokens, log: ThrowLog) -> None:
        self._context = context
        self._tokens = tokens
        self._log = log

    def is_last(self, throw: Throw) -> bool:
        """Whether what tokens do now is due to the throw that waits first, or to none."""
        since = self._log.waiting[1:]
        return not any(each.is_plain for each in since) if throw.is_plain else not since

    def is_void(self, throw: Throw, wanted: Wanted) -> bool:
        """Whether others were thrown since the throw that waits first; had anybody gone by that, it would not wait.

        Where nobody would by dice that were maybe moved, as in Jail, people have to say so, unless they are known to
        hand dice on. That a die is missing they are asked in any case, and throw again.
        """
        since = self._log.waiting[1:]
        if throw.is_plain:
            whole = [each for each in since if fits_hand(each.hand, wanted.kinds)]
            is_part = len(throw.hand) < len(wanted.kinds)
            return is_part and any(each.is_plain or self._is_gone_by(each, wanted) for each in whole)
        if not any(each.is_plain for each in since):
            return False
        found = readings(throw, wanted.kinds, self._context.look.is_ordered)
        return self._log.hands_on or will_be_told(found, self._context.look, wanted.player)

    def _is_gone_by(self, throw: Throw, wanted: Wanted) -> bool:
        """Whether the token of who throws next has gone by these dice."""
        player = wanted.player
        if not self._tokens.has_left(player):
            return False
        return leads_to(throw.best, self._context.look, player, self._tokens.sights[player])

    def may_lie_there(self, throw: Throw, wanted: Wanted, can_wait: bool) -> bool:
        """Whether nothing is asked about dice that may lie there to be thrown.

        Args:
            can_wait: the token of who throws next will tell.
        """
        is_left_alone = can_wait or self._log.hands_on
        return not throw.is_plain and is_left_alone and not self._tokens.has_left(wanted.player)

    def arrived(self, throw: Throw) -> dict[str, float]:
        """As `ThrowLog.arrived_since`, but for who moves by the throw before."""
        came, last = self._log.arrived_since(throw), self._log.last
        place = None if last is None or last.player is None else self._context.look.place(last.player)
        return {space: share for space, share in came.items() if place is None or space != place.space}
