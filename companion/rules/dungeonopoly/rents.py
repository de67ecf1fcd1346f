"""Rent, in the order of everything that changes it. Rule: DG-4.1, DG-5.6, DG-13.3

owed       the classic amount, blessed or cursed            (rent_owed)
charm      a charmed landlord waives it                     (rent_waived)
react      Intimidate of the debtor, who may waive it
react      Bardic Music of those who stand there
payment    eased by Barkskin                                (paid, EP)
"""

from typing import Any

import msgspec

from companion.rules.dungeonopoly.events import RentWaived
from companion.rules.dungeonopoly.throws import Throws
from companion.rules.state import Claim


class Rent(msgspec.Struct, frozen=True, gc=False):
    """Rent on its way. `melodies`: what is played for it, as [bard, melody]."""

    debtor: str
    owner: str
    space: str
    amount: int
    melodies: list[list[str]] = []


class DungeonRents(Throws):
    """What is due where somebody has landed."""

    def land_on_property(self, player: str, space: str) -> None:
        """Neither an owner in Jail nor a team mate collects. Rule: DG-4.1, DG-13.5"""
        owner = self.state.spaces[space].owner
        if owner is not None and (self.same_side(player, owner) or self.state.players[owner].in_jail):
            return
        super().land_on_property(player, space)

    def settle_rent(self, claim: Claim) -> None:
        """Rule: DG-5.6"""
        rent = Rent(claim.debtor, claim.creditor, claim.space, claim.amount or 0)
        values = msgspec.to_builtins(rent)
        if self.is_waived(rent):
            return
        facts = {"space": rent.space, "payers": [rent.debtor], "amount": rent.amount}
        self.then("pay_rent", rent.debtor, values)
        self.then("music", rent.debtor, values)
        self.then("offer", rent.debtor, "rent", facts)

    def is_waived(self, rent: Rent) -> bool:
        """Whether the owner forgoes it: a charm, which is spent. Rule: DG-7.12"""
        return False

    def waive(self, rent: Rent, cause: str) -> None:
        """Of the rest only what follows the landing happens. Rule: DG-5.6"""
        self.tell(RentWaived(rent.debtor, rent.owner, rent.space, rent.amount, cause))

    def waive_rent_due(self, cause: str) -> None:
        """The rent that is being settled is waived. Rule: DG-6.6"""
        self.withdraw("music")
        args = self.withdraw("pay_rent")
        if args is not None:
            self.waive(Rent(**args[0]), cause)

    def do_music(self, player: str, values: dict[str, Any]) -> None:
        """Bards on the property may play. Rule: DG-10.1"""

    def do_pay_rent(self, player: str, values: dict[str, Any]) -> None:
        """Rule: DG-5.6 (6) to (8)"""
        rent = Rent(**values)
        self.charge(player, rent.owner, rent.amount, "rent")

    def rent_now(self, space: str) -> int:
        """What a street or railroad would bring now, blessing or curse included, in dollars. Rule: DG-9.17"""
        return self.adjusted_rent(space, self.rent_of(space))
