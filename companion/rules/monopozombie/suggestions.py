"""Actions that a player of this game could take now, for bots and random games."""

from typing import Any

from companion.rules.chance import Chance
from companion.rules.classic.suggestions import random_dice
from companion.rules.monopozombie.considered import Considered
from companion.rules.monopozombie.zombies import DIRECTIONS
from companion.rules.state import Decision

Action = dict[str, Any]

#: Worth of a space that decides the game, or ends a human's life.
FATAL = 20
#: Dollars that a lively player keeps, and how often one thinks of guards and walls.
CAUTION, CARE = 200, 0.4


class Suggested(Considered):
    """Suggestions beyond the classic ones."""

    def suggest_share_dice(self, decision: Decision, rng: Chance) -> list[Action]:
        """Any two of the pool, one's own first; half of the time where another member goes."""
        player, pool = decision.player, decision.facts["pool"]
        place = decision.facts["group"].index(player)
        takes: list[list[int]] = [rng.sample(pool, 2), rng.sample(pool[3 * place : 3 * place + 3], 2)]
        rng.shuffle(takes)
        words = [{"dice": dice, "direction": direction} for dice in takes for direction in DIRECTIONS]
        rng.shuffle(words)
        for take in self.state.takes.values():
            wanted = [self.state.pool[at] for at in take.dice]
            alike = [pair for pair in self.pairs(pool) if sum(pair) == sum(wanted)]
            words[:0] = [{"dice": pair, "direction": take.direction} for pair in alike[:4]]
        return [{"use": "take_dice", **word, "by": player} for word in words]

    def pairs(self, pool: list[int]) -> list[list[int]]:
        return [[one, other] for place, one in enumerate(pool) for other in pool[place + 1 :]]

    def suggest_move_to(self, decision: Decision, rng: Chance) -> list[Action]:
        """The space that promises most: zombies seek humans and houses, survivors safety and company."""
        player, options = decision.player, list(decision.options or ())
        rng.shuffle(options)
        worth = self.worth_to_human if self.is_human(player) else self.worth_to_zombie
        snake_eyes = {way[0] for way in decision.memo["ways"] if way[1] == [1, 1] and self.is_human(player)}
        best = max(options, key=lambda space: worth(player, space) - (FATAL if space in snake_eyes else 0))
        return [{"choose": best, "by": player}]

    def worth_to_zombie(self, player: str, space: str) -> int:
        if not self.humans:
            return FATAL if space == "jail" else 0
        if self.level(space) and self.is_human_owned(space):
            return 3
        return 2 * len(self.humans_at(space)) - 2 * self.level(space)

    def worth_to_human(self, player: str, space: str) -> int:
        if self.is_infected(space) and not self.level(space):
            return -FATAL
        company = 3 * sum(name != player for name in self.humans_at(space))
        if self.level(space):
            return company + (6 if self.is_human_owned(space) and not self.zombies_at(space) else 2)
        return company - 4 * len(self.zombies_at(space))

    def suggest_wishes(self, player: str, rng: Chance) -> list[Action]:
        """What a lively player does before throwing: build, hire a guard, join the others."""
        if not self.is_human(player):
            return []
        if self.is_apocalypse:
            return self.suggest_survival(player)
        wishes: list[Action] = []
        cash = self.state.players[player].cash
        if self.state.stage == "outbreak" and cash > CAUTION and rng.random() < CARE and not self.is_guarded(player):
            wishes.append({"use": "bodyguard", "amount": 1, "by": player})
        for slug in self.deeds_of(player):
            house = self.board.by_slug[slug].house
            if house and cash - house >= CAUTION:
                wishes.append({"build": slug, "by": player})
                if self.state.options["fortify"] and rng.random() < CARE:
                    wishes.append({"use": "fortify", "space": slug, "by": player})
        return wishes

    def is_guarded(self, player: str) -> bool:
        """Whether bodyguards are paid for the coming time."""
        guards = self.player(player)
        return bool(guards.bodyguards if self.state.rolled else guards.bodyguards_next)

    def suggest_affairs(self, player: str, rng: Chance) -> list[Action]:
        """What zombies and survivors may do besides. Rule: MZ-6.13, MZ-10.1, MZ-12.8, MZ-12.10"""
        if not self.is_human(player):
            return []
        if self.is_apocalypse:
            return self.suggest_survival(player)
        affairs = super().suggest_affairs(player, rng)
        if self.state.stage == "outbreak":
            affairs.append({"use": "bodyguard", "amount": rng.randint(1, 2), "by": player})
        if self.state.options["fortify"]:
            built = [slug for slug in self.deeds_of(player) if self.level(slug)]
            affairs += [{"use": "fortify", "space": slug, "by": player} for slug in built]
        return affairs

    def suggest_survival(self, player: str) -> list[Action]:
        """Join everybody here; carry a house off."""
        space = self.state.players[player].at or "go"
        affairs: list[Action] = []
        others = [name for name in self.humans_at(space) if name != player]
        if others:
            affairs += [{"use": "team_up", "with": others, "by": player}] * 3
        if self.state.options["carry_house"]:
            affairs.append({"use": "carry_house", "by": player})
        return affairs

    def suggest_done(self, rng: Chance) -> list[Action]:
        """The next one's roll with the dice that he will be asked for, or the end of the turn."""
        following = self.next_player()
        group = self.group_with(following)
        hand = self.movement_dice(following) if group is None else self.group_dice(group)
        return [{"roll": random_dice(hand, rng), "by": following}, {"end_turn": True}]
