"""Moves and landings: GO, the order within a landing, the pass key. Rule: SL-2, SL-10.1, SL-10.16, SL-11.1

A landing knows the way by which the token came: `roll`, `card`, or `tax_card` (SL-10.18).
"""

from companion.rules.board import Card
from companion.rules.classic.turns import SALARY
from companion.rules.events import CardReturned, LandedOn, Moved, PassedGo
from companion.rules.slaughterhouse.crimes import Crimes
from companion.rules.slaughterhouse.events import PassKeyUsed
from companion.rules.slaughterhouse.jail import PASS_KEY
from companion.rules.state import Decision

#: A throw of one of these sums onto a card space draws from the third deck. Rule: SL-10.1
JOURNEY_SUMS = frozenset({3, 7, 9})


class Landings(Crimes):
    """How tokens travel, and what happens where they stop."""

    # -- moving --------------------------------------------------------------------------------

    def move_by_roll(self, player: str, dice: tuple[int, ...]) -> None:
        """The Cop will follow by as many steps. Rule: SL-7.3, SL-10.15"""
        steps, at = sum(dice), self.state.players[player].at
        self.note_course(steps=self.state.course.steps + steps)
        if self.state.turn.backwards and at is not None:
            self.move(player, self.board.after(at, -steps), "roll", forward=False)
        else:
            super().move_by_roll(player, dice)

    def note_course(self, **changes: int | bool) -> None:
        """Keep something for the end of the turn."""
        course = self.state.course
        fields = {name: getattr(course, name) for name in course.__struct_fields__}
        self.note(course={**fields, **changes})

    def move(self, player: str, to: str, how: str, forward: bool = True) -> None:
        """Rule: CL-2.2, SL-11.1"""
        self.travel(player, to, how, forward)
        self.tempt(player, to, how, [])

    def travel(self, player: str, to: str, how: str, forward: bool = True) -> None:
        """The token goes there and earns what GO pays; nothing takes effect yet. Rule: SL-2.1, SL-2.2"""
        start = self.state.players[player].at
        self.leave(player, start)
        self.tell(Moved(player, start, to, how))
        index = self.board.index
        if forward and start is not None and index[to] <= index[start]:
            self.tell(PassedGo(player))
            self.receive(player, 2 * SALARY if to == "go" else SALARY, "salary")
        elif to == "go":
            self.receive(player, 2 * SALARY, "salary")
        self.tell(LandedOn(player, to))

    def jump(self, player: str, to: str) -> None:
        """Straight there: GO pays nothing. Rule: SL-10.2, SL-10.3"""
        start = self.state.players[player].at
        self.leave(player, start)
        self.tell(Moved(player, start, to, "card"))
        self.tell(LandedOn(player, to))
        self.tempt(player, to, "card", [])

    # -- effect --------------------------------------------------------------------------------

    def do_effect(self, player: str, space: str, way: str) -> None:
        """The pass key comes first. Rule: SL-10.16 (a), SL-11.1"""
        if self.holds_pass_key(player) and self.is_avoidable(player, space):
            self.ask("pass_key", player, ("use", "keep"), {"way": way}, space=space)
        else:
            self.do_settle_landing(player, space, way)

    def do_settle_landing(self, player: str, space: str, way: str) -> None:
        """Bomb and miner, then the space itself. Rule: SL-5.10, SL-11.1"""
        if self.is_mined(space):
            self.explode(player, space)
            return
        if self.has(space, "bomb"):
            self.defuse(player, space)
        printed = self.board.by_slug[space]
        if printed.kind == "card":
            is_journey = way == "roll" and sum(self.state.dice) in JOURNEY_SUMS
            self.land_on_cards(player, "journey" if is_journey else printed.deck)
        elif way == "tax_card":
            self.tax_income(player, may_choose=False)
        else:
            self.take_effect(player, space)

    # -- the pass key --------------------------------------------------------------------------

    def holds_pass_key(self, player: str) -> bool:
        """Whether the player could use it: only in his own turn. Rule: SL-10.16"""
        return player == self.state.turn.player and PASS_KEY in self.state.players[player].cards

    def is_avoidable(self, player: str, space: str) -> bool:
        """Rule: SL-10.16 (a)"""
        printed = self.board.by_slug[space]
        if printed.kind == "tax" or space == "go-to-jail":
            return True
        return printed.is_property and (self.is_mined(space) or self.is_rent_due(player, space))

    def take_card(self, decision: Decision, card: Card) -> None:
        """Rule: SL-10.16 (b)"""
        if self.holds_pass_key(decision.player) and not decision.memo.get("gift"):
            self.ask("pass_key", decision.player, ("use", "keep"), {"deck": card.deck}, card=card.card)
        else:
            super().take_card(decision, card)

    def answer_pass_key(self, decision: Decision, choice: str) -> None:
        """Rule: SL-10.16"""
        player, facts = decision.player, decision.facts
        self.close(decision)
        if choice == "use":
            self.tell(PassKeyUsed(player, facts["space"] if "space" in facts else facts["card"]))
            self.tell(CardReturned(player, PASS_KEY))
        elif "card" in facts:
            self.carry_out(player, self.decks[decision.memo["deck"]][facts["card"]])
        else:
            self.do_settle_landing(player, facts["space"], decision.memo["way"])
