"""The terms of the rules as questions: who knows what, who is where, hidden, protected. Rule: DG-2, DG-4"""

from typing import ClassVar

from companion.rules.classic import Classic
from companion.rules.dungeonopoly.abilities import BOARD, HERE, LIMITED, Ability
from companion.rules.dungeonopoly.state import DungeonState, Hero, Square, Wards

#: Enchantment effects on squares. Rule: DG-2.6
SQUARE_EFFECTS = ("bless", "curse", "glyph")
#: Ranks of a skill that is borrowed. Rule: DG-10.19
BORROWED_RANKS = 12
#: The sides of the board, corner to corner. Rule: DG-2.5
SIDE = 10


class Terms(Classic):
    """Questions about characters and squares; nothing here changes anything."""

    state: DungeonState
    #: every ability of every class.
    catalogue: ClassVar[dict[str, Ability]] = {}

    # -- characters ----------------------------------------------------------------------------

    def hero(self, player: str) -> Hero:
        return self.state.players[player]

    def level(self, player: str) -> int:
        """The level that counts now, also of a maker who has gone bankrupt. Rule: DG-2.15"""
        return self.state.players[player].level

    def in_game(self, player: str) -> bool:
        return self.state.players[player].status != "bankrupt"

    def same_side(self, player: str | None, other: str | None) -> bool:
        """The same player, or a team mate. Rule: DG-13.3"""
        if player == other or player is None or other is None:
            return player == other
        team = self.state.players[player].team
        return team is not None and team == self.state.players[other].team

    def opponents(self, player: str) -> list[str]:
        """All of them, in turn order from the player's left. Rule: DG-2.10, DG-2.19"""
        return [name for name in self.others_from(player) if self.in_game(name) and not self.same_side(player, name)]

    def others(self, player: str) -> list[str]:
        """All other characters, in turn order from the player's left. Rule: DG-2.10"""
        return [name for name in self.others_from(player) if self.in_game(name)]

    def is_own_turn(self, player: str) -> bool:
        return self.state.turn.player == player

    def knows(self, player: str, slug: str) -> bool:
        """Whether the ability is hers by class and level, by a choice, or borrowed."""
        ability, hero = self.catalogue[slug], self.state.players[player]
        if slug in hero.learned:
            return True
        if ability.part_of:
            return self.knows(player, ability.part_of)
        if ability.choice or ability.owner not in hero.classes:
            return False
        if ability.kind == "skill":
            return self.ranks(player, slug) > 0
        return hero.level >= ability.level and ability.pact in ("", hero.pact)

    def ranks(self, player: str, skill: str) -> int:
        """Rule: DG-9.1, DG-10.19"""
        hero = self.state.players[player]
        return max(BORROWED_RANKS if skill in hero.learned else 0, hero.skills.get(skill, 0))

    # -- places --------------------------------------------------------------------------------

    def at(self, player: str) -> str | None:
        """Where the character can be found: nowhere while in Jail. Rule: DG-4.2"""
        hero = self.state.players[player]
        return None if hero.in_jail else hero.at

    def spaces_between(self, space: str, other: str) -> int:
        """The shorter way round, 0-20. Rule: DG-2.4"""
        ahead = self.board.distance(space, other)
        return min(ahead, len(self.board.slugs) - ahead)

    def limited_range(self, player: str) -> int:
        """Rule: DG-2.3"""
        level = self.level(player)
        return 1 if level < 5 else 2 if level < 9 else 3

    def in_sight(self, space: str, other: str) -> bool:
        """On one edge of the board, corners included. Rule: DG-2.5"""
        edges = []
        for index in (self.board.index[space], self.board.index[other]):
            edges.append({index // SIDE % 4, (index - (index % SIDE == 0)) // SIDE % 4})
        return bool(edges[0] & edges[1])

    def reaches(self, player: str, space: str | None, reach: str) -> bool:
        """Whether a square lies within the range of the player's ability. Rule: DG-2.3 to DG-2.5"""
        at = self.at(player)
        if reach == BOARD:
            return True
        if at is None or space is None:
            return False
        if reach == HERE:
            return at == space
        if reach == LIMITED:
            return self.spaces_between(at, space) <= self.limited_range(player)
        return self.in_sight(at, space)

    def here(self, space: str | None) -> list[str]:
        """All characters on a square, in list order; nobody in Jail. Rule: DG-4.2"""
        return [
            name for name in self.state.players if space is not None and self.in_game(name) and self.at(name) == space
        ]

    # -- what lies on squares ------------------------------------------------------------------

    def square(self, space: str) -> Square:
        return self.state.spaces.get(space) or Square()

    def wards(self, space: str) -> Wards:
        return self.square(space).enchantments

    def laid(self, space: str | None, quality: str) -> str | None:
        """Whose enchantment of this kind works on a square; None where it is missing or suppressed. Rule: DG-11.8"""
        if space is None or space not in self.state.spaces:
            return None
        wards = self.state.spaces[space].enchantments
        if quality in SQUARE_EFFECTS and wards.antimagic_field is not None:
            return None
        maker: str | None = getattr(wards, quality)
        return maker

    # -- what holds for characters -------------------------------------------------------------

    def is_suppressed(self, player: str) -> bool:
        """Whether her enchantments do nothing now: she stands in an Antimagic Field. Rule: DG-11.9"""
        return self.laid(self.at(player), "antimagic_field") is not None

    def aura(self, player: str, enchantment: str) -> str | None:
        """Who made the enchantment effect that works on her now; None where there is none. Rule: DG-2.6, DG-11.9"""
        maker: str | None = getattr(self.state.players[player].enchantments, enchantment)
        return None if maker is None or self.is_suppressed(player) else maker

    def is_hidden(self, player: str) -> bool:
        """Rule: DG-2.9, DG-10.16, DG-11.4"""
        hero = self.state.players[player]
        if hero.in_jail or not self.in_game(player):
            return False
        if hero.hidden_by is not None and not (hero.hidden_by == "invisibility" and self.is_suppressed(player)):
            return True
        return self.laid(hero.at, "obscuring_mist") is not None and self.aura(player, "glitterdust") is None

    def shelter(self, player: str) -> str | None:
        """What keeps all damage from her: sanctuary or hallow. Rule: DG-5.3, DG-8.7, DG-11.5"""
        if self.aura(player, "sanctuary") is not None:
            return "sanctuary"
        return "hallow" if self.laid(self.at(player), "hallow") is not None else None

    def is_immune(self, user: str, player: str, ability: Ability) -> bool:
        """Whether the ability of `user` cannot target her. Rule: DG-2.8, DG-4.4, DG-5.3, DG-8.7, DG-8.21, DG-11.9"""
        if self.state.players[player].in_jail:
            return True
        if user != player and (self.is_hidden(player) or self.aura(player, "sanctuary") is not None):
            return True
        if ability.damages and self.shelter(player) is not None:
            return True
        if ability.enchants and self.is_suppressed(player):
            return True
        return ability.mental and self.is_ascended(player)

    def is_ascended(self, player: str) -> bool:
        """Whether mental effects do not touch her. Rule: DG-8.21"""
        return False

    def is_blessed(self, space: str) -> bool:
        """Whether nothing can destroy what is built there. Rule: DG-8.2"""
        return self.laid(space, "bless") is not None

    def is_animal(self, player: str) -> bool:
        return self.state.players[player].form != "humanoid"
