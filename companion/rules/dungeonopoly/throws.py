"""Throws: discarded or standing, which dice count, their EP. Rule: DG-1.18 to DG-1.21, DG-3.8, DG-7.6 to DG-7.9"""

from itertools import combinations
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.dungeonopoly.events import AwaitedDungeon, RollDiscarded, TurnEnded
from companion.rules.dungeonopoly.walks import Walks
from companion.rules.events import Awaited, Rolled
from companion.rules.state import Decision, Step

#: Forms that throw a die more and drop one.
DROPPING_FORMS = ("eagle", "mouse")


class Throws(Walks):
    """From the dice to the walk."""

    # -- discarding ----------------------------------------------------------------------------

    def take_throw(self, decision: Decision, purpose: str, dice: tuple[int, ...]) -> None:
        """Before anything comes of a throw, those who can discard it are asked. Rule: DG-3.8"""
        thrower = decision.player
        facts = {"roller": thrower, "dice": list(dice), "purpose": purpose}
        if purpose == "start" or not self.is_asked("roll", facts):
            super().take_throw(decision, purpose, dice)
            return
        self.close(decision)
        self.then("throw_stands", thrower, msgspec.to_builtins(decision), purpose, list(dice))
        self.ask_round("roll", [thrower, *self.others(thrower)], facts)

    def do_throw_stands(self, player: str, decision: dict[str, Any], purpose: str, dice: list[int]) -> None:
        super().take_throw(msgspec.convert(decision, Decision), purpose, tuple(dice))

    def discard_throw(self, by: str) -> None:
        """The throw in question never happened; it is due again. Rule: DG-8.13"""
        args = self.withdraw("throw_stands")
        if args is None:
            return
        decision = msgspec.convert(args[0], Decision)
        self.tell(RollDiscarded(decision.player, args[2], by))
        if decision.kind == "roll" and args[1] != "move":
            self.state.decisions = (*self.state.decisions, decision)

    # -- which dice ----------------------------------------------------------------------------

    def movement_dice(self, player: str) -> str:
        """Rule: DG-6.2, DG-7.6 to DG-7.9, DG-9.11, DG-11.14, DG-12.16"""
        turn = self.state.turn
        runs = self.is_own_turn(player) and turn.running and turn.moves == 0
        number = self.ordinary_dice(player) + runs
        return "d6" if number == 1 else f"{number}d6"

    def ordinary_dice(self, player: str) -> int:
        """Dice besides the extra one of Run."""
        turn = self.state.turn
        mine = self.is_own_turn(player)
        if mine and turn.sneaking:
            return 1
        more = self.state.players[player].form in DROPPING_FORMS or (mine and turn.lucky)
        return (3 if more else 2) - (self.aura(player, "slow") is not None)

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: CL-2.2, DG-1.20, DG-7.6 to DG-7.9"""
        state, player = self.state, decision.player
        self.lapse_claims(player)
        self.tell(Rolled(player, list(dice), decision.facts["purpose"]))
        state.base = "done"
        slowed = self.aura(player, "slow") is not None
        number, keep = self.ordinary_dice(player), self.dice_to_keep(player)
        kept, extra = self.dice_that_count(player, list(dice))
        if slowed:
            self.lift(player, "slow", "spent")
        self.note_turn(moves=state.turn.moves + 1)
        if state.turn.lucky and not state.turn.sneaking:
            self.note_turn(lucky=False)
            self.ask_which_dice(player, list(dice[:number]), keep, extra)
            return
        self.keep_throw(player, kept, extra, slowed)

    def dice_to_keep(self, player: str) -> int:
        return 1 if self.state.turn.sneaking or self.aura(player, "slow") is not None else 2

    def dice_that_count(self, player: str, dice: list[int]) -> tuple[list[int], list[int]]:
        """The ordinary dice that the form keeps, and the extra ones. Rule: DG-6.3, DG-11.14, DG-11.15"""
        number = self.ordinary_dice(player)
        ordinary, extra = dice[:number], dice[number:]
        form = self.state.players[player].form
        while len(ordinary) > self.dice_to_keep(player):
            ordinary.remove(max(ordinary) if form == "mouse" else min(ordinary))
        return ordinary, extra

    def ask_which_dice(self, player: str, dice: list[int], keep: int, extra: list[int]) -> None:
        """Rule: DG-12.16"""
        pairs = sorted({tuple(sorted(kept)) for kept in combinations(dice, keep)})
        options = ["+".join(map(str, pair)) for pair in pairs]
        self.ask("keep_dice", player, options, {"extra": extra, "slowed": keep == 1}, dice=dice)

    def answer_keep_dice(self, decision: Decision, choice: str) -> None:
        """Rule: DG-12.16"""
        self.close(decision)
        kept = [int(die) for die in choice.split("+")]
        self.keep_throw(decision.player, kept, decision.memo["extra"], decision.memo["slowed"])

    def keep_throw(self, player: str, kept: list[int], extra: list[int], slowed: bool) -> None:
        """These dice are the throw; a double that is not the third may be traded for Tree Stride. Rule: DG-11.17"""
        self.then("stand", player, kept, extra, slowed)
        if self.is_double(player, tuple(kept)) and self.state.turn.doubles < 2:
            self.do_offer(player, "doubles", {})

    # -- what the throw brings -----------------------------------------------------------------

    def do_stand(self, player: str, kept: list[int], extra: list[int], slowed: bool) -> None:
        """The throw stands: EP, then the token moves. Rule: DG-1.18 to DG-1.21"""
        state = self.state
        state.dice = (*kept, *extra)
        state.again = self.is_double(player, tuple(kept))
        self.gain_for(player, kept)
        if state.again:
            state.turn = replace(state.turn, doubles=state.turn.doubles + 1)
            if state.turn.doubles == 3:
                self.third_double(player, tuple(kept))
                return
        self.set_out(player, slowed)

    def set_out(self, player: str, slowed: bool = False) -> None:
        """The token moves by the throw that stands."""
        state = self.state
        self.then("end_move", player)
        steps = sum(state.dice)
        sneaks = state.turn.sneaking
        if sneaks and slowed:
            steps = (steps + 1) // 2
        if state.turn.doubled:
            steps *= 2
        self.note_turn(doubled=False, sneaking=False, moved=True)
        self.walk(player, steps, "roll", counts=not sneaks and self.counts_now(player), sneaks=sneaks)

    def end_turn_early(self, player: str, cause: str) -> None:
        """The turn is over as soon as the present move is settled. Rule: DG-10.6, DG-12.7"""
        self.state.todo = (Step("cut_turn", player, [cause]), *self.state.todo)

    def do_cut_turn(self, player: str, cause: str) -> None:
        """Rule: DG-10.6, DG-12.7"""
        if self.is_own_turn(player):
            self.tell(TurnEnded(player, cause))
            self.start_turn(self.next_player())

    def replace_roll(self, player: str) -> None:
        """An ability takes the place of the movement roll: no further roll follows. Rule: DG-6.13, DG-10.17"""
        self.state.base, self.state.again = "done", False
        self.note_turn(moves=self.state.turn.moves + 1)
        self.then("end_move", player)

    def cut_turn(self, player: str, cause: str) -> None:
        """The turn ends as soon as what is under way is settled, without a further roll. Rule: DG-10.6, DG-12.7"""
        state = self.state
        if self.is_own_turn(player):
            state.base, state.again = "done", False
            state.todo = (Step("pass_on", None, [player, state.turn.number, cause]), *state.todo)

    def do_pass_on(self, player: str | None, mover: str, number: int, cause: str) -> None:
        """Rule: DG-10.6, DG-12.7"""
        if self.state.turn.number == number:
            self.tell(TurnEnded(mover, cause))
            self.start_turn(self.next_player())

    def gain_for(self, player: str, dice: list[int]) -> None:
        """EP for a double and a lucky seven. Rule: DG-1.18 to DG-1.20"""
        if len(dice) == 2 and dice[0] == dice[1]:
            self.gain(player, "doubles")
        if len(dice) == 2 and sum(dice) == 7:
            self.gain(player, "seven")

    def counts_now(self, player: str) -> bool:
        """Whether her moves pass and land in this turn. Rule: DG-2.13, DG-7.10, DG-11.15"""
        unseen = self.state.turn.unseen and self.aura(player, "invisibility") is not None
        return not unseen and self.state.players[player].form != "mouse"

    def throw_jail(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Two plain dice, with their EP. Rule: DG-1.18, DG-4.6"""
        self.gain_for(decision.player, list(dice))
        super().throw_jail(decision, dice)

    def move_by_roll(self, player: str, dice: tuple[int, ...]) -> None:
        """The throw that freed her from Jail moves her. Rule: CL-8.12"""
        self.walk(player, sum(dice), "roll", counts=self.counts_now(player))

    def flow(self) -> Awaited:
        kept = super().flow()
        return AwaitedDungeon(*(getattr(kept, name) for name in kept.__struct_fields__))
