"""Turns and moves. Rule: CL-2"""

import functools
from typing import Any

from msgspec.structs import replace

from companion.rules.classic.rents import Rents
from companion.rules.engine import method_name
from companion.rules.errors import Refused
from companion.rules.events import LandedOn, Moved, PassedGo, Rolled, TurnStarted
from companion.rules.state import Decision

SALARY = 200


@functools.lru_cache(maxsize=256)
def plain_roll(player: str, dice: str) -> Decision:
    """The movement roll of a player; decisions are never changed, so one of each will do."""
    return Decision("roll", player, None, {"dice": dice, "purpose": "move"})


class Turns(Rents):
    """Whose turn it is, what is thrown, where the token goes."""

    # -- dice ----------------------------------------------------------------------------------

    def act_roll(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Dice for whatever throw is open. Rule: CL-2.1, CL-2.7"""
        state = self.state
        decision = self.open_roll(by) if state.pending else None
        if decision is None and state.turn.phase == "done" and self.may_roll_next(by):
            self.pass_turn()
            decision = self.open_roll(by)
        if decision is None:
            raise self.roll_refusal(by)
        hand, purpose = self.throw_for(decision)
        dice = self.check_dice(hand, value)
        self.hand = hand
        self.take_throw(decision, purpose, dice)

    def take_throw(self, decision: Decision, purpose: str, dice: tuple[int, ...]) -> None:
        """What comes of a throw that answers this decision. Rule: CL-2.1"""
        getattr(self, method_name("throw_", purpose))(decision, dice)

    def may_roll_next(self, by: str | None) -> bool:
        """Whether a roll of this player in phase `done` can end the turn. Rule: CL-2.7"""
        return by != self.state.turn.player

    def open_roll(self, by: str | None) -> Decision | None:
        """The open decision that dice answer: the first, or the first of this player."""
        for decision in self.state.pending:
            if (by is None or by == decision.player) and (
                decision.kind == "roll" or (decision.options is not None and "roll" in decision.options)
            ):
                return decision
        return None

    def throw_for(self, decision: Decision) -> tuple[str, str]:
        """The hand of dice and the purpose of a throw that answers this decision."""
        if decision.kind == "roll":
            return decision.facts["dice"], decision.facts["purpose"]
        return decision.memo.get("dice", "2d6"), decision.kind

    def roll_refusal(self, by: str | None) -> Refused:
        """Why there is no roll for this player. Rule: CL-2.1, CL-2.4, CL-2.7"""
        turn = self.state.turn
        if by in (None, turn.player) and turn.phase != "done":
            return Refused("decision_pending", f"First {self.waits_for()} has something to decide.")
        return Refused("not_your_turn", f"It is not {by}'s roll: it is {turn.player}'s turn.")

    def pass_turn(self) -> None:
        """The next player's roll ends the turn. Rule: CL-2.7"""
        following = self.next_player()
        self.start_turn(following)
        if self.state.todo or self.state.decisions:
            self.run()
            self.settle()
        else:
            self.state.pending = tuple(self.turn_decisions(following))

    # -- the turn ------------------------------------------------------------------------------

    def act_end_turn(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-2.7"""
        if value is not True:
            self.refuse("malformed", "It is end_turn: true.")
        turn = self.state.turn
        if turn.phase != "done":
            self.refuse("decision_pending", f"The turn is not over: {self.waits_for()} is waited for.")
        following = self.next_player()
        if by not in (None, turn.player, following):
            self.refuse("not_your_turn", f"It is {turn.player}'s turn, and {following} is next.")
        self.start_turn(following)

    def next_player(self) -> str:
        """Rule: CL-2.8"""
        mover = self.state.turn.player
        before, is_after = None, False
        for name in self.state.players:
            if name == mover:
                is_after = True
            elif (is_after or before is None) and self.has_turns(name):
                if is_after:
                    return name
                before = name
        return before or mover

    def has_turns(self, player: str) -> bool:
        """Whether the order of turns comes to this player."""
        return self.state.players[player].status != "bankrupt"

    def start_turn(self, player: str) -> None:
        """Rule: CL-2.1"""
        state = self.state
        self.tell(TurnStarted(player))
        state.base = "roll"
        state.again = False
        state.dice = ()
        state.card_rent = (1, 0)

    def turn_decisions(self, player: str) -> list[Decision]:
        """Rule: CL-2.1"""
        return [self.movement_roll(player)]

    def movement_roll(self, player: str) -> Decision:
        return plain_roll(player, self.movement_dice(player))

    def movement_dice(self, player: str) -> str:
        """The hand of dice with which the player moves."""
        return "2d6"

    def phase_while(self, pending: list[Decision]) -> str:
        """Rule: CL-2.1, CL-2.4"""
        for decision in pending:
            if decision.kind == "roll":
                if decision.facts["purpose"] not in ("move", "jail") or decision.player != self.state.turn.player:
                    return "resolve"
            elif decision.kind != "jail":
                return "resolve"
        return "roll"

    # -- moving --------------------------------------------------------------------------------

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """The movement dice. Rule: CL-2.2, CL-2.5, CL-2.6"""
        state, player = self.state, decision.player
        if state.rent_claims:
            self.lapse_claims(player)
        self.tell(Rolled(player, list(dice), decision.facts["purpose"]))
        state.base = "done"
        state.dice = dice
        state.again = self.is_double(player, dice)
        if state.again:
            state.turn = replace(state.turn, doubles=state.turn.doubles + 1)
            if state.turn.doubles == 3:
                self.third_double(player, dice)
                return
        self.then("end_move", player)
        self.move_by_roll(player, dice)

    def is_double(self, player: str, dice: tuple[int, ...]) -> bool:
        """Whether this movement throw gives a further roll."""
        return len(dice) == 2 and dice[0] == dice[1]

    def third_double(self, player: str, dice: tuple[int, ...]) -> None:
        """Rule: CL-2.6"""
        self.go_to_jail(player, "three_doubles")

    def move_by_roll(self, player: str, dice: tuple[int, ...]) -> None:
        """Rule: CL-2.2"""
        at = self.state.players[player].at
        if at is not None:
            self.move(player, self.board.after(at, sum(dice)), "roll")

    def move(self, player: str, to: str, how: str, forward: bool = True) -> None:
        """The token goes to `to`, past GO if that lies between, and lands there. Rule: CL-2.2, CL-2.3"""
        start = self.state.players[player].at
        self.leave(player, start)
        self.tell(Moved(player, start, to, how))
        index = self.board.index
        if forward and start is not None and index[to] <= index[start]:
            self.pass_go(player)
        self.land(player, to)

    def leave(self, player: str, space: str | None) -> None:
        """The token is about to leave a space by a move: nothing in the classic game."""

    def pass_go(self, player: str) -> None:
        """Reached or crossed GO forward. Rule: CL-2.3"""
        self.tell(PassedGo(player))
        self.receive(player, SALARY, "salary")

    def land(self, player: str, space: str) -> None:
        """The token has come to rest. Rule: CL-2.2"""
        self.tell(LandedOn(player, space))
        self.take_effect(player, space)

    def take_effect(self, player: str, space: str) -> None:
        """The space that was landed on takes effect. Rule: CL-2.4"""
        printed = self.board.by_slug[space]
        if printed.price:
            self.land_on_property(player, space)
        elif printed.kind == "card":
            self.land_on_cards(player, printed.deck)
        elif printed.kind == "tax":
            self.land_on_tax(player, space)
        else:
            self.land_on_corner(player, space)

    def land_on_cards(self, player: str, deck: str) -> None:
        """Rule: CL-6.1"""
        self.ask("draw", player, deck=deck)

    def land_on_tax(self, player: str, space: str) -> None:
        raise NotImplementedError

    def land_on_corner(self, player: str, space: str) -> None:
        """Rule: CL-7.4, CL-8.1, CL-8.3"""
        if space == "go-to-jail":
            self.go_to_jail(player, "go_to_jail")

    def go_to_jail(self, player: str, cause: str) -> None:
        raise NotImplementedError

    def do_end_move(self, player: str) -> None:
        """Everything from this move is settled. Rule: CL-2.5"""
        state = self.state
        if state.again and player == state.turn.player:
            state.base = "roll"
        state.again = False
        state.card_rent = (1, 0)
