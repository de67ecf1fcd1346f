"""MZ-7 Demolition: where a zombie meets a human's building, or a human a zombie's."""

from companion.rules.events import Demolished
from companion.rules.monopozombie.building import Building
from companion.rules.monopozombie.events import FortificationLost


class Demolition(Building):
    """How improvements come down a level."""

    def demolish(self, space: str, cause: str, by: str | None) -> None:
        """One level goes, back to the Bank; a fortification goes instead. Rule: MZ-7.1, MZ-7.8, MZ-7.9, MZ-12.10"""
        here = self.ground(space)
        if here.fortified:
            self.tell(FortificationLost(space, cause, by))
            return
        houses = min(4, self.state.bank.houses) if here.hotel else here.houses - 1
        self.tell(Demolished(space, houses, False, cause, by))

    def demolish_on_arrival(self, space: str, by: str) -> None:
        """A zombie has come to a human's improved property where no human was. Rule: MZ-7.2"""
        if self.level(space) and self.is_human_owned(space):
            self.demolish(space, "arrival", by)

    def demolish_on_leaving(self, space: str, leavers: list[str], by: str) -> None:
        """The last human may have left a building to the zombies, or a zombie's building. Rule: MZ-7.3 to MZ-7.6"""
        owner = self.ground(space).owner
        if not self.level(space) or owner is None:
            return
        gone = [name for name in leavers if self.leaves_as_human(name)]
        left = self.humans_at(space)
        if self.is_human(owner) or (owner in leavers and self.leaves_as_human(owner)):
            if gone and not left and self.zombies_at(space):
                self.demolish(space, "vacated", by)
        elif self.seen(gone, space) and not self.seen(left, space):
            self.demolish(space, "abandoned", by)

    def demolish_when_overrun(self, space: str, victims: list[str], by: str | None) -> None:
        """The last human there was converted on the spot. Rule: MZ-7.7"""
        left = self.humans_at(space)
        if self.is_infected(space):
            victims, left = self.seen(victims, space), self.seen(left, space)
        if self.level(space) and self.ground(space).owner is not None and victims and not left:
            self.demolish(space, "overrun", by)

    def leaves_as_human(self, name: str) -> bool:
        """Rule: MZ-4.2"""
        return self.is_human(name) or name in self.turning

    def seen(self, names: list[str], space: str) -> list[str]:
        """Those whose presence counts in a zombie's improved property. Rule: MZ-12.5"""
        return [name for name in names if not self.is_invisible_in(name, space)]
