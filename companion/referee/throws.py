"""The throws: who reported which, which of them the game was given, and which still wait."""

from typing import Any

from companion.observations import DiceSeen, StandingSeen, TowerThrow
from companion.referee.context import Context, is_same_action
from companion.referee.hands import (
    Faces,
    Throw,
    alike,
    fits_hand,
    is_recast,
    is_same_throw,
    may_be,
    sharpness,
    top,
    tower_dice,
)
from companion.rules import Game

#: Throws that are remembered, so that none is taken twice.
MEMORY = 6
#: Tower throws that are remembered by their own number.
TOWER_MEMORY = 64
#: So much of a token more on a space: one came to stand there.
ARRIVED = 0.5


class ThrowLog:
    """Tells throws apart: every throw is in here once, whoever reports it and however often.

    Attributes:
        waiting: throws that the game has not been given yet, oldest first.
        last: the throw on which the game stands; None before the first and after an undo.
        disputed: a throw that the game was given and that its other witness has since contradicted.
        reopening: the last throw, when it is taken back to be weighed again.
        standing: the newest look at the board.
        hands_on: of dice that may only have been moved the last were: people here hand them on, and throw plainly.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._recent: list[Throw] = []
        self._told: set[tuple[str | None, str | None, int]] = set()
        self._count = 0
        self.waiting: list[Throw] = []
        self.last: Throw | None = None
        self.disputed: Throw | None = None
        self.reopening: Throw | None = None
        self.standing: StandingSeen | None = None
        self.hands_on = False

    def see_dice(self, seen: DiceSeen) -> None:
        """A camera's report."""
        if not seen.dice:
            return
        throw = self._throw_of(seen)
        if throw is None:
            throw = self._begin(camera=seen)
        elif throw.camera is None:
            self._join(throw, camera=seen)
        else:
            self._refine(throw, seen)
        if seen.throw is not None:
            throw.numbers.add(seen.throw)
        if throw.camera is seen or not throw.pictures:
            throw.add_picture(seen.picture)

    def see_standing(self, seen: StandingSeen) -> None:
        """A look at the board; what it shows is due to the newest throw."""
        self.standing = seen
        if self._recent:
            self._recent[-1].stood = seen

    def arrived_since(self, throw: Throw) -> dict[str, float]:
        """Spaces that have a token more than before this throw, whosoever, each with its share of those that came."""
        before, now = (look.tokens if look is not None else {} for look in (throw.before, self.standing))
        came = {space: count - before.get(space, 0.0) for space, count in now.items()} if before else {}
        came = {space: count for space, count in came.items() if count >= ARRIVED}
        return {space: count / sum(came.values()) for space, count in came.items()}

    def _throw_of(self, seen: DiceSeen) -> Throw | None:
        """The throw that this sight belongs to; None for a new one."""
        for throw in reversed(self._recent):
            if seen.throw is not None and seen.throw in throw.numbers:
                # Of a throw that people said not to count only the die may be thrown again that lay cocked.
                is_new = throw.is_void and throw.camera is not None and is_recast(throw.camera, seen)
                return None if is_new else throw
        newest = self._recent[-1] if self._recent else None
        if newest is None:
            return None
        if newest.camera is None and not newest.is_void:
            agrees, is_plain = self._agrees(newest, seen), Throw(camera=seen).is_plain
            is_it = self._is_other_witness(newest, agrees=agrees, may_be_late=True)
            return newest if is_it and (agrees or is_plain) else None
        if newest.camera is None:
            return None
        numbered = [number for throw in self._recent for number in throw.numbers]
        if seen.throw is not None and numbered and seen.throw > max(numbered):
            return None
        if is_same_throw(newest.camera, seen) and not self._is_more(newest, seen):
            return newest
        if newest.taken is not None and alike(newest.taken, tuple(map(top, seen.dice))):
            return newest
        return newest if newest.taken is None and may_be(newest, seen) else None

    def _is_more(self, throw: Throw, seen: DiceSeen) -> bool:
        """More dice than were thrown before, and as many as are wanted now."""
        wanted = self._context.look.wanted
        is_wanted = wanted is not None and fits_hand(seen.dice, wanted.kinds)
        return throw.taken is not None and len(seen.dice) > len(throw.dice) and is_wanted

    def _agrees(self, throw: Throw, seen: DiceSeen) -> bool:
        if throw.tower is not None:
            return not Throw(camera=seen, tower=throw.tower).is_disputed
        return throw.taken is not None and may_be(Throw(camera=seen), _as_dice(throw.taken))

    def _is_other_witness(self, throw: Throw, *, agrees: bool, may_be_late: bool = False) -> bool:
        """Whether a report from the other source is about this throw. Rule 6.

        Agreeing, it is; differing, it is as long as the throw has not been played to its end. Of a
        throw that was told on the tablet only one that agrees is, and only before anything followed, unless
        it may be late: fingers are quicker than a camera before which somebody stands. If that saw the
        next throw, of the same numbers, the token tells (`thrown_again`). Dice that may only have been moved are the
        throw only where they agree.
        """
        if not throw.is_plain:
            return agrees
        if not throw.is_witnessed:
            return agrees and throw is self.last and (may_be_late or self.steps_since() == 0)
        return agrees or not throw.is_closed

    def see_tower(self, told: TowerThrow) -> None:
        """A tower's report."""
        if told.sequence is not None:
            key = (told.tower, told.boot, told.sequence)
            if key in self._told:
                return
            if len(self._told) >= TOWER_MEMORY:
                self._told.clear()
            self._told.add(key)
        newest = self._recent[-1] if self._recent else None
        if newest is None:
            self._begin(tower=told)
        elif newest.tower is not None:
            if told.sequence is None and newest.tower.sequence is None and alike(newest.tower.faces, told.faces):
                return
            self._begin(tower=told)
        elif self._is_other_witness(newest, agrees=self._tower_agrees(newest, told)):
            self._join(newest, tower=told)
        else:
            self._begin(tower=told)

    def _tower_agrees(self, throw: Throw, told: TowerThrow) -> bool:
        if throw.camera is not None:
            return not Throw(camera=throw.camera, tower=told).is_disputed
        return throw.taken is not None and alike(throw.taken, told.faces)

    def _begin(self, *, camera: DiceSeen | None = None, tower: TowerThrow | None = None) -> Throw:
        throw = self.add(camera=camera, tower=tower)
        self.waiting.append(throw)
        return throw

    def add(self, *, camera: DiceSeen | None = None, tower: TowerThrow | None = None) -> Throw:
        """A throw that was not known before; it does not wait."""
        self._count += 1
        throw = Throw(key=self._count, camera=camera, tower=tower, before=self.standing)
        self._recent.append(throw)
        del self._recent[:-MEMORY]
        return throw

    def add_before(self, throw: Throw) -> Throw:
        """A throw that nobody saw, before one that is known."""
        self._count += 1
        unseen = Throw(key=self._count, before=throw.before, stood=throw.before)
        self._recent.insert(self._recent.index(throw), unseen)
        throw.before = None
        return unseen

    def thrown_again(self, throw: Throw) -> Throw:
        """What the camera saw of a throw was another, after it."""
        other = self.add(camera=throw.camera)
        other.numbers, other.pictures = throw.numbers, throw.pictures
        throw.camera, throw.numbers, throw.pictures, throw.is_late = None, set(), [], False
        return other

    def unite(self, told: Throw, throw: Throw) -> None:
        """What was seen is the throw that people had told before it."""
        self.waiting.remove(throw)
        self._recent.remove(throw)
        told.camera, told.tower, told.numbers, told.stood = throw.camera, throw.tower, throw.numbers, throw.stood
        for picture in throw.pictures:
            told.add_picture(picture)

    def _join(self, throw: Throw, camera: DiceSeen | None = None, tower: TowerThrow | None = None) -> None:
        """A second witness of a throw."""
        if camera is not None:
            throw.add_picture(camera.picture)
            throw.is_late = throw.tower is None and self.steps_since() > 0
        throw.camera, throw.tower = camera or throw.camera, tower or throw.tower
        if throw.taken is not None and throw.is_disputed:
            self.disputed = throw

    def _refine(self, throw: Throw, seen: DiceSeen) -> None:
        """The same throw seen again. A throw that waits is held to its sharpest sight."""
        assert throw.camera is not None
        if throw not in self.waiting:
            return
        more = len(seen.dice) - len(throw.camera.dice)
        wanted = self._context.look.wanted
        fits_better = wanted is not None and fits_hand(seen.dice, wanted.kinds)
        fits_now = wanted is not None and fits_hand(throw.camera.dice, wanted.kinds)
        if (fits_better and not fits_now) or (
            fits_better == fits_now and more >= 0 and sharpness(seen.dice) > sharpness(throw.camera.dice)
        ):
            throw.camera = seen

    # What became of them

    def find(self, key: object) -> Throw | None:
        """The throw with this key, as long as it is remembered."""
        return next((throw for throw in [*self.waiting, *self._recent] if throw.key == key), None)

    def take(self, throw: Throw, faces: Faces, player: str | None) -> None:
        """The game is given this throw."""
        if not throw.is_plain:
            self.hands_on = False
        throw.taken, throw.player, throw.is_void = faces, player, False
        if throw in self.waiting:
            self.waiting.remove(throw)
        self.last = throw

    def drop(self, throw: Throw) -> None:
        """It does not count."""
        if not throw.is_plain:
            self.hands_on = True
        if throw in self.waiting:
            self.waiting.remove(throw)
        throw.is_closed = throw.is_void = True

    def reopen(self, throw: Throw) -> None:
        """The game has given it back; it is the first of those that wait."""
        throw.taken, throw.is_void = None, False
        self.waiting.insert(0, throw)
        self.last = None

    def forget_undone(self) -> Throw | None:
        """A throw that people took back is known, but counts no more; returns it."""
        throw = self.last
        if throw is None or throw.taken is None:
            return None
        rolls = [action for action in self._context.game.actions if "roll" in action]
        if rolls and is_same_action(rolls[-1], action_of(throw)):
            return None
        throw.taken, throw.is_void = None, True
        self.last = None
        return throw

    def told_by_hand(self, faces: Faces, player: str | None) -> Throw:
        """Somebody entered a throw: the one that waits, or the one last taken back, or one still to be seen."""
        newest = self._recent[-1] if self._recent else None
        if self.waiting:
            throw = self.waiting[0]
        elif newest is not None and newest is not self.last and not newest.is_closed:
            throw = newest
        else:
            throw = self.add()
        self.take(throw, faces, player)
        return throw

    def older(self) -> list[Throw]:
        """Throws that the game was given before the last."""
        return [throw for throw in self._recent if throw is not self.last and throw.taken is not None]

    def steps_since(self) -> int:
        """How many actions followed the newest throw."""
        actions = self._context.game.actions
        rolls = [index for index, action in enumerate(actions) if "roll" in action]
        return len(actions) - 1 - rolls[-1] if rolls else 0

    def game_before(self) -> Game:
        """A copy of the game as it stood before the newest throw."""
        game = self._context.game.copy()
        game.undo(self.steps_since() + 1)
        return game


def action_of(throw: Throw) -> dict[str, Any]:
    """The action by which the game was given this throw."""
    return {"roll": list(throw.taken or ()), "by": throw.player}


def _as_dice(faces: Faces) -> DiceSeen:
    return DiceSeen(dice=tower_dice(TowerThrow(faces=faces)))
