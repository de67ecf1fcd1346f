"""Walks, square by square. Rule: DG-1.2, DG-1.3, DG-2.2, DG-2.13, DG-2.17, DG-2.18

A walk is a value in the arguments of a step. On every square it meets, in order, what is in PASSING, at its end what is
in LANDING: each is a method `meet_NAME(walk)`, which may ask, strike or put steps; the walk goes on when all that is
settled. `stop_walk` ends it where it is, `drop_walk` forgets it.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.board import Card
from companion.rules.classic.turns import SALARY
from companion.rules.dungeonopoly.events import AbilitiesRenewed, Walked
from companion.rules.dungeonopoly.uses import Uses
from companion.rules.events import LandedOn, PassedGo
from companion.rules.state import Decision

#: What is met on a square that is passed, and on the last one, in this order. Rule: DG-2.17
PASSING = ("go", "thorns", "glyph", "power", "foes")
LANDING = ("go", "notice", "thorns", "glyph", "effect", "deeds")
#: At the end of a walk that does not count.
UNSEEN = ("hiding",)


class Walk(msgspec.Struct, frozen=True, gc=False):
    """One walk under way.

    Attributes:
        at: the square that has been reached; the token is shown at `start` until the end.
        left: squares still to go.
        step: 1 forward, -1 backward.
        how: roll, card or ability.
        counts: it passes and lands. Rule: DG-2.13
        lands: False: its last square is only passed (Telekinesis). Rule: DG-7.17
        named: to a named square, not by a number of squares: nothing entangles. Rule: DG-11.3
        sneaks: a sneaking rogue's. Rule: DG-9.11
        towed: along with somebody else, whose landing comes first. Rule: DG-10.14
        arrived: the token stands on the last square.
        squares: how many have been walked.
        owner: whose the last square was when the token came.
    """

    player: str
    start: str
    at: str
    left: int
    step: int
    how: str
    counts: bool = True
    lands: bool = True
    named: bool = False
    sneaks: bool = False
    towed: bool = False
    arrived: bool = False
    squares: int = 0
    owner: str | None = None

    @property
    def meets(self) -> tuple[str, ...]:
        """What is met on the square that has been reached."""
        if self.arrived:
            return UNSEEN if not self.counts else LANDING if self.lands else ()
        return PASSING if self.counts else ("foes",) if self.sneaks else ()


class Walks(Uses):
    """How tokens move."""

    # -- setting out ---------------------------------------------------------------------------

    def walk(self, player: str, squares: int, how: str, **more: Any) -> None:
        """So many squares forward, or backward if below 0; `more`: fields of the walk. Next of all."""
        start = self.state.players[player].at
        if start is None or squares == 0:
            return
        self.stop_walk(player)
        start = self.state.players[player].at or start
        if not self.is_own_turn(player) and self.is_hidden(player):
            more["counts"] = False
        walk = Walk(player, start, start, abs(squares), 1 if squares > 0 else -1, how, **more)
        self.leave(player, start)
        self.forget_walk_uses()
        self.then("stride", player, msgspec.to_builtins(walk))

    def walk_to(self, player: str, to: str, how: str, forward: bool = True) -> None:
        """To a named square: nothing entangles. Rule: DG-11.3"""
        start = self.state.players[player].at or to
        ring = len(self.board.slugs)
        squares = self.board.distance(start, to) if forward else self.board.distance(to, start)
        self.walk(player, (squares or ring) * (1 if forward else -1), how, named=True)

    def walk_shorter_way(self, player: str, to: str, how: str = "ability") -> None:
        """To a named square by the shorter way; forward if both are alike. Rule: DG-10.11, DG-11.16"""
        start = self.state.players[player].at or to
        ahead = self.board.distance(start, to)
        if ahead:
            self.walk_to(player, to, how, forward=ahead * 2 <= len(self.board.slugs))

    def alight(self, player: str, to: str, how: str = "ability", lands: bool = True) -> None:
        """Straight there: nothing is passed; with `lands` the square takes effect."""
        start = self.state.players[player].at or to
        self.leave(player, start)
        walk = Walk(player, start, to, 0, 1, how, counts=lands)
        self.then("arrive", player, msgspec.to_builtins(walk))

    def answer_move_to(self, decision: Decision, choice: str) -> None:
        """The square that was chosen: `move_to_PURPOSE(player, space)` goes there."""
        self.close(decision)
        getattr(self, "move_to_" + decision.facts["purpose"])(decision.player, choice)

    def move(self, player: str, to: str, how: str, forward: bool = True) -> None:
        """Cards and other moves of the classic game. Rule: CL-2.2"""
        self.walk_to(player, to, how, forward)

    def card_back(self, player: str, card: Card) -> None:
        """So many squares back, each of them walked. Rule: CL-6.7, DG-11.3"""
        self.walk(player, -card.amount, "card")

    def forget_walk_uses(self) -> None:
        """What can be used once for each opponent in one walk can be used again. Rule: DG-2.12"""
        uses = self.state.turn.uses
        if uses:
            kept = [use for use in uses if self.catalogue[use.partition(":")[0]].limit != "walk"]
            if len(kept) < len(uses):
                self.note_turn(uses=kept)

    # -- under way -----------------------------------------------------------------------------

    def do_stride(self, player: str, values: dict[str, Any]) -> None:
        """On from the square that has been reached. Rule: DG-2.17"""
        walk = Walk(**values)
        while walk.left > 0:
            at = self.board.after(walk.at, walk.step)
            walk = replace(walk, at=at, left=walk.left - 1, squares=walk.squares + 1)
            if walk.counts:
                walk = replace(walk, left=self.squares_left(walk))
            if walk.left == 0 and walk.lands:
                break
            if not self.meet(walk, 0):
                return
        self.do_arrive(player, msgspec.to_builtins(walk))

    def squares_left(self, walk: Walk) -> int:
        """Squares still to go when this one has been reached: what entangles or stops takes away from them."""
        return walk.left

    def do_arrive(self, player: str, values: dict[str, Any]) -> None:
        """The token stands on its last square. Rule: DG-2.17"""
        walk = Walk(**values)
        owner = self.state.spaces[walk.at].owner if walk.at in self.state.spaces else None
        walk = replace(walk, arrived=True, left=0, owner=owner)
        self.tell(Walked(player, walk.start, walk.at, walk.how, walk.counts))
        self.come_to_rest(walk)

    def come_to_rest(self, walk: Walk) -> None:
        """What the last square brings."""
        self.meet(walk, 0)

    def meet(self, walk: Walk, place: int) -> bool:
        """What is on the square that has been reached, from `place` on; False if something is to be settled first."""
        state, meets = self.state, walk.meets
        for number in range(place, len(meets)):
            height = len(state.todo)
            getattr(self, "meet_" + meets[number])(walk)
            if len(state.todo) != height or self.is_blocked():
                rest = ("meet", walk.player, msgspec.to_builtins(walk), number + 1)
                above = state.todo[height:]
                state.todo = state.todo[:height]
                self.then(*rest)
                state.todo = (*state.todo, *above)
                return False
        return True

    def do_meet(self, player: str, values: dict[str, Any], place: int) -> None:
        """The rest of what is on the square, then on; nothing more where she has landed and is no longer."""
        walk = Walk(**values)
        if walk.arrived and self.at(player) != walk.at:
            return
        if self.meet(walk, place) and not walk.arrived:
            self.do_stride(player, values)

    def stop_walk(self, player: str) -> None:
        """A walk under way is over where it is: the token stands there, and lands on nothing. Rule: DG-8.16"""
        walk = self.drop_walk(player)
        if walk is not None and walk.at != walk.start:
            self.tell(Walked(player, walk.start, walk.at, walk.how, walk.counts))

    def drop_walk(self, player: str) -> Walk | None:
        """Forget the rest of the topmost walk of this player that has not arrived. Rule: DG-4.7"""
        todo = self.state.todo
        for place in reversed(range(len(todo))):
            step = todo[place]
            if step.player == player and step.name in ("stride", "meet") and not step.args[0]["arrived"]:
                self.state.todo = (*todo[:place], *todo[place + 1 :])
                return Walk(**step.args[0])
        return None

    # -- what is met ---------------------------------------------------------------------------

    def meet_go(self, walk: Walk) -> None:
        """GO, reached or crossed. Rule: DG-1.2, DG-1.3, DG-2.2"""
        is_landing = walk.arrived
        if walk.at != "go" or (walk.step < 0 and not is_landing):
            return
        self.tell(PassedGo(walk.player))
        if self.state.players[walk.player].used:
            self.tell(AbilitiesRenewed(walk.player))
        self.then("go_bonus", walk.player, is_landing)
        self.do_offer(walk.player, "go", {})

    def do_go_bonus(self, player: str, is_landing: bool) -> None:
        """$200 for passing, $400 for landing. Rule: DG-1.2"""
        self.pay_salary(player, is_landing)
        if self.is_hexed(player):
            self.lift(player, "hex", "spent")

    def pay_salary(self, player: str, is_landing: bool) -> None:
        self.receive(player, self.gained(SALARY * (2 if is_landing else 1)), "salary")

    def meet_notice(self, walk: Walk) -> None:
        self.tell(LandedOn(walk.player, walk.at))

    def meet_thorns(self, walk: Walk) -> None:
        """A Wall of Thorns hurts. Rule: DG-11.7"""

    def meet_glyph(self, walk: Walk) -> None:
        """A glyph stops and hurts. Rule: DG-8.18, DG-8.19"""

    def meet_power(self, walk: Walk) -> None:
        """Divine Power works in passing. Rule: DG-8.15"""

    def meet_foes(self, walk: Walk) -> None:
        """What she does to those whom she passes: Combat Reflexes, a sneaking rogue. Rule: DG-6.7, DG-9.13"""

    def meet_effect(self, walk: Walk) -> None:
        """The square takes effect. Rule: CL-2.4"""
        if self.state.players[walk.player].at == walk.at and not self.state.players[walk.player].in_jail:
            self.take_effect(walk.player, walk.at)

    def meet_deeds(self, walk: Walk) -> None:
        """What she does where she has landed: Raze, Conquer, Fortify. Rule: DG-6.8 to DG-6.11"""

    def meet_hiding(self, walk: Walk) -> None:
        """The end of a walk that does not count: where a rogue hides or comes out. Rule: DG-9.15"""

    def go_to_jail(self, player: str, cause: str) -> None:
        """Rule: DG-3.4, DG-4.7, DG-7.11"""
        self.drop_walk(player)
        super().go_to_jail(player, cause)
        self.reveal(player, "jail")
        if self.is_own_turn(player):
            self.note_turn(jailed=True, sneaking=False, doubled=False, lucky=False)
