"""The beginning and the end of a turn. Rule: SL-7.3, SL-10.14, SL-10.15, SL-11.2, SL-11.3"""

from typing import Any

from msgspec.structs import replace

from companion.rules.events import Awaited
from companion.rules.slaughterhouse.bargains import Bargains
from companion.rules.slaughterhouse.events import AwaitedDirected
from companion.rules.slaughterhouse.state import Course
from companion.rules.state import Decision


class Rounds(Bargains):
    """What comes before the first throw, and what comes when all is settled."""

    def start_turn(self, player: str) -> None:
        super().start_turn(player)
        self.note(course=Course())

    def movement_roll(self, player: str) -> Decision:
        """Rule: SL-10.15"""
        if self.state.turn.backwards:
            return Decision("roll", player, None, {"dice": self.movement_dice(player), "purpose": "move_back"})
        return super().movement_roll(player)

    def throw_move_back(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: SL-10.15"""
        self.throw_move(decision, dice)

    def act_roll(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """A single die thrown is the choice to throw it for the luxury tax. Rule: SL-3.7"""
        if isinstance(value, (list, tuple)) and len(value) == 1:
            for decision in self.state.pending:
                if decision.kind == "luxury_tax" and by in (None, decision.player):
                    self.answer_luxury_tax(decision, "roll")
                    self.settle()
                    break
        super().act_roll(by, value, args)

    def open_roll(self, by: str | None) -> Decision | None:
        """Two dice are no answer to the luxury tax. Rule: SL-3.7, CL-2.4"""
        for decision in self.state.pending:
            if by in (None, decision.player) and (
                decision.kind == "roll" or (decision.kind == "jail" and "roll" in (decision.options or ()))
            ):
                return decision
        return None

    def phase_while(self, pending: list[Decision]) -> str:
        """Rule: SL-10.15"""
        others = [each for each in pending if each.facts.get("purpose") != "move_back"]
        return super().phase_while(others)

    # -- the end of the turn -------------------------------------------------------------------

    def run(self) -> None:
        """The steps still to do, and when nothing is left the end of the turn. Rule: SL-11.2"""
        super().run()
        if self.is_turn_over():
            self.end_of_turn()

    def is_turn_over(self) -> bool:
        """Whether no further roll is due and nothing is open any more."""
        state = self.state
        return (
            state.base == "done"
            and not state.course.closed
            and not (state.todo or state.decisions or state.indebted or state.winners)
        )

    def end_of_turn(self) -> None:
        """Rule: SL-11.2"""
        mover = self.state.turn.player
        if self.state.course.jail_bound and self.in_game(mover) and not self.state.players[mover].in_jail:
            self.go_to_jail(mover, "card")
        self.walk_cop()
        self.recall_cop()
        self.note_course(closed=True)
        self.state.turn = replace(self.state.turn, backwards=False)

    def settle(self) -> None:
        """Monopolies and the Cop are watched after every action. Rule: SL-3.5, SL-7.1, SL-9.1"""
        self.open_trading()
        self.update_cop()
        super().settle()

    def flow(self) -> Awaited:
        plain = super().flow()
        return AwaitedDirected(*(getattr(plain, name) for name in plain.__struct_fields__))

    # -- corrections ---------------------------------------------------------------------------

    def correct(self, changes: Any) -> None:
        """A turn that is set by hand begins anew, or is over without the Cop's move."""
        super().correct(changes)
        turn = changes.get("turn") if isinstance(changes, dict) else None
        if isinstance(turn, dict) and ("player" in turn or "phase" in turn):
            self.note(course=Course(closed=self.state.base == "done"))
            if self.state.base == "roll":
                self.state.dice = ()
