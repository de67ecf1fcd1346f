"""Who stands where, and on whose ground: the questions that all other parts ask."""

from typing import cast

from companion.rules.classic import Classic
from companion.rules.monopozombie.state import ZombiePlayer, ZombieSpace, ZombieState
from companion.rules.state import State

HUMANS = ("human", "homeless")


class Standing(Classic):
    """The board as humans and zombies see it.

    Attributes:
        leaving: tokens that are just being taken from their spaces: they count there no more.
        turning: of these, who was converted by the throw that moves him: he leaves as a human. Rule: MZ-4.2
    """

    state_type = ZombieState
    player_type = ZombiePlayer
    space_type = ZombieSpace
    state: ZombieState

    def __init__(self, state: State, keep_events: bool = True) -> None:
        super().__init__(state, keep_events)
        self.leaving: tuple[str, ...] = ()
        self.turning: tuple[str, ...] = ()

    def player(self, name: str) -> ZombiePlayer:
        return cast(ZombiePlayer, self.state.players[name])

    def ground(self, space: str) -> ZombieSpace:
        """What is on a space; nothing on those that cannot be owned."""
        return cast(ZombieSpace, self.state.spaces.get(space) or ZombieSpace())

    def is_human(self, name: str) -> bool:
        """Of status `human` or `homeless`."""
        return self.state.players[name].status in HUMANS

    @property
    def humans(self) -> list[str]:
        """All humans in list order."""
        return [name for name, player in self.state.players.items() if player.status in HUMANS]

    @property
    def zombies(self) -> list[str]:
        """All zombies in list order."""
        return [name for name, player in self.state.players.items() if player.status == "zombie"]

    @property
    def is_apocalypse(self) -> bool:
        return self.state.stage == "apocalypse"

    def tokens_at(self, space: str) -> list[str]:
        """Who stands on a space; who is in Jail is not with the visitors. Rule: MZ-5.9, MZ-6.8"""
        return [
            name
            for name, player in self.state.players.items()
            if player.at == space and not player.in_jail and name not in self.leaving
        ]

    def counts_as_human(self, name: str) -> bool:
        """Also whom his throw has converted, until his token has left. Rule: MZ-4.2"""
        return self.is_human(name) or (name in self.turning and name not in self.leaving)

    def humans_at(self, space: str) -> list[str]:
        return [name for name in self.tokens_at(space) if self.counts_as_human(name)]

    def zombies_at(self, space: str) -> list[str]:
        return [name for name in self.tokens_at(space) if not self.counts_as_human(name)]

    def level(self, space: str) -> int:
        """Improvement of a street: its houses, 5 for a hotel."""
        here = self.ground(space)
        return 5 if here.hotel else here.houses

    def is_infected(self, space: str) -> bool:
        """Whether a zombie owns it, mortgaged or not. Rule: MZ-6.1"""
        owner = self.ground(space).owner
        return owner is not None and not self.counts_as_human(owner)

    def is_human_owned(self, space: str) -> bool:
        owner = self.ground(space).owner
        return owner is not None and self.counts_as_human(owner)

    def is_invisible_in(self, name: str, space: str) -> bool:
        """Whether he is not seen in a zombie's improved property. Rule: MZ-12.5, MZ-12.6"""
        option, player = self.state.options["homeless_invisible"], self.player(name)
        if option == "off" or not (self.is_infected(space) and self.level(space)):
            return False
        return player.status == "homeless" or (option == "forever" and player.once_homeless)
