"""Damage, in the order of its wards. Rule: DG-5"""

from typing import Any

import msgspec

from companion.rules.dungeonopoly.events import Damaged, Warded
from companion.rules.dungeonopoly.reactions import Reactions
from companion.rules.events import Rolled
from companion.rules.state import BANK, Decision

DAMAGE_PER_LEVEL = 20


class Blow(msgspec.Struct, frozen=True, gc=False):
    """Damage on its way. `met`: wards against the spell have been met already. `to`: who is paid.

    `push`: so many squares the damaged one is pushed then. Rule: DG-12.10
    """

    by: str
    cause: str
    per_level: int = DAMAGE_PER_LEVEL
    to: str = BANK
    met: bool = False
    push: int = 0


class Damages(Reactions):
    """One way for all damage: `strike`."""

    def strike(self, player: str, blow: Blow) -> None:
        """Damage to a character, next of all; to several: the last one first. Rule: DG-2.19, DG-5.3"""
        self.then("blow", player, msgspec.to_builtins(blow))

    def strike_all(self, players: list[str], blow: Blow) -> None:
        """Damage to several, one after the other. Rule: DG-2.19"""
        for name in reversed(players):
            self.strike(name, blow)

    def do_blow(self, player: str, plain: dict[str, Any]) -> None:
        """Rule: DG-4.4, DG-5.3 (1) and (2), DG-5.5"""
        blow = Blow(**plain)
        if player == blow.by or not self.in_game(player) or self.state.players[player].in_jail:
            return
        shelter = self.shelter(player)
        if shelter is not None:
            self.tell(Warded(player, blow.by, blow.cause, shelter))
        elif blow.met or not self.has_entropic_ward(player):
            self.do_wound(player, plain)
        else:
            self.test_ward(player, blow.by, blow.cause, "wound", plain)

    def do_wound(self, player: str, plain: dict[str, Any]) -> None:
        """Rule: DG-5.3 (3)"""
        blow = Blow(**plain)
        if self.spend_ward(player, blow.by, blow.cause, "mage_armor"):
            return
        if self.spend_ward(player, blow.by, blow.cause, "shield_of_faith"):
            return
        self.hurt(player, blow)

    def hurt(self, player: str, blow: Blow) -> None:
        """Nothing has warded it. Rule: DG-5.3 (4) to (7)"""
        amount = self.softened(player, self.damage_of(blow))
        self.tell(Damaged(player, blow.by, amount, blow.cause))
        taken = self.eased(player, amount)
        if taken > 0:
            self.then("wounded", player, blow.by, taken)
            self.charge(player, blow.to, taken, "damage")

    def do_wounded(self, player: str, by: str, amount: int) -> None:
        """The damage is paid. Rule: DG-5.3 (7)"""
        self.do_offer(player, "damage", {"attacker": by, "amount": amount})

    def damage_of(self, blow: Blow) -> int:
        """In dollars. Rule: DG-5.1, DG-13.8"""
        return self.doubled(blow.per_level * self.level(blow.by))

    def softened(self, player: str, amount: int) -> int:
        """What traits leave of damage. Rule: DG-6.12"""
        return amount

    # -- wards ---------------------------------------------------------------------------------

    def spend_ward(self, player: str, by: str, ability: str, ward: str) -> bool:
        """Whether an enchantment swallows this, and is spent. Rule: DG-7.4, DG-8.5"""
        if self.aura(player, ward) is None:
            return False
        self.tell(Warded(player, by, ability, ward))
        self.lift(player, ward, "spent")
        return True

    def has_entropic_ward(self, player: str) -> bool:
        """Rule: DG-12.15"""
        return False

    def test_ward(self, player: str, by: str, ability: str, step: str, *args: Any) -> None:
        """A die decides whether `do_STEP(player, *args)` happens to her. Rule: DG-12.15"""
        memo = {"by": by, "ability": ability, "step": step, "args": list(args)}
        self.ask_roll(player, "d6", "entropic_ward", memo)

    def throw_entropic_ward(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: DG-12.15"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "entropic_ward"))
        memo = decision.memo
        if dice[0] == 1:
            self.tell(Warded(decision.player, memo["by"], memo["ability"], "entropic_ward"))
        else:
            self.then(memo["step"], decision.player, *memo["args"])
