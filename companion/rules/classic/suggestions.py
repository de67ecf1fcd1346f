"""Actions that a player could take now, for bots, tests and simulations.

Suggestions are plausible, not yet checked: `companion.rules.legal` filters them
through the rules. A variant adds its own by overriding `suggest_answers` (for
its decisions) and `suggest_affairs` (for what its players may do at any time).
"""

from typing import Any, ClassVar

from companion.rules.chance import Chance
from companion.rules.classic.cards import Cards
from companion.rules.engine import parse_dice
from companion.rules.state import Decision

Action = dict[str, Any]


def random_dice(hand: str, rng: Chance) -> list[int]:
    """A throw of a hand of dice (`2d6`)."""
    return [rng.randint(1, faces) for faces in parse_dice(hand)]


class Suggestions(Cards):
    """What could be done now.

    Attributes:
        buys_before_throw: what is bought is bought before the first throw of a turn: who wishes to ends the turn
            before by `end_turn`.
    """

    buys_before_throw: ClassVar[bool] = False

    @classmethod
    def suggest_players(cls, names: list[str], rng: Chance) -> dict[str, dict[str, Any]]:
        """What each player chooses at set-up; nothing but the name in the classic game."""
        return {name: {} for name in names}

    def suggest_answers(self, decision: Decision, rng: Chance) -> list[Action]:
        """Ways to answer an open decision; where there are many, a random few of each kind."""
        player, answers = decision.player, []
        if decision.kind == "roll" or "roll" in (decision.options or ()):
            answers.append({"roll": random_dice(self.throw_for(decision)[0], rng), "by": player})
        for option in decision.options or ():
            answers.append({"choose": option, "by": player})
        suggest = getattr(self, "suggest_" + decision.kind, None)
        return answers if suggest is None else answers + suggest(decision, rng)

    def suggest_draw(self, decision: Decision, rng: Chance) -> list[Action]:
        free = [card for card in self.decks[decision.facts["deck"]] if not self.is_held(card)]
        return [{"draw": rng.choice(free), "by": decision.player}]

    def suggest_auction(self, decision: Decision, rng: Chance) -> list[Action]:
        high = decision.facts["high"]
        bid = (0 if high is None else high["amount"]) + rng.choice((1, 5, 10, 40))
        return [{"bid": bid, "by": decision.player}, {"pass": True, "by": decision.player}]

    def suggest_raise_cash(self, decision: Decision, rng: Chance) -> list[Action]:
        player = decision.player
        return [{"pay": True, "by": player}, {"bankrupt": True, "by": player}, *self.suggest_sales(player)]

    def suggest_deal(self, decision: Decision, rng: Chance) -> list[Action]:
        free = [slug for slug in self.board.properties if self.state.spaces[slug].owner is None]
        return [{"use": "deal", "spaces": rng.sample(free, decision.facts["count"]), "by": decision.player}]

    def suggest_sales(self, player: str) -> list[Action]:
        """Everything of this player's that the Bank gives money for."""
        sales: list[Action] = []
        for slug in self.deeds_of(player):
            here = self.state.spaces[slug]
            if here.is_built:
                sales.append({"unbuild": slug, "by": player})
                sales.append({"use": "sell_group", "group": self.board.by_slug[slug].group, "by": player})
            elif not here.mortgaged:
                sales.append({"mortgage": slug, "by": player})
        return sales

    def suggest_affairs(self, player: str, rng: Chance) -> list[Action]:
        """What a player may do at any time, with deeds, buildings and claims. Rule: CL-2.9"""
        affairs = self.suggest_sales(player)
        for slug in self.deeds_of(player):
            if self.state.spaces[slug].mortgaged:
                affairs.append({"unmortgage": slug, "by": player})
            elif self.board.by_slug[slug].kind == "street":
                affairs.append({"build": slug, "by": player})
        if self.state.rent_claims:
            affairs.append({"use": "demand_rent", "by": player})
        for building in ("house", "hotel") if "building_auction" in self.abilities else ():
            if self.stock_left(building) < len(self.state.players):
                affairs.append({"use": "building_auction", "building": building, "by": player})
        return [*affairs, *self.suggest_trade(player, rng)]

    def suggest_wishes(self, player: str, rng: Chance) -> list[Action]:
        """What a lively player would like to do before throwing, besides building; the best first."""
        return []

    def suggest_trade(self, player: str, rng: Chance) -> list[Action]:
        """One random deal: something of each for something of the other."""
        partner = rng.choice(self.others_from(player))
        sides = []
        for name in (player, partner):
            deeds, hand = self.deeds_of(name), self.state.players[name]
            cash = rng.randint(0, max(0, min(hand.cash, 200)))
            spaces = rng.sample(deeds, min(len(deeds), rng.randint(0, 2)))
            cards = list(hand.cards) if rng.random() < 0.3 else []
            sides.append({"cash": cash, "spaces": spaces, "cards": cards})
        return [{"trade": {"with": partner, "give": sides[0], "get": sides[1]}, "by": player}]

    def suggest_done(self, rng: Chance) -> list[Action]:
        """When nothing is open: the next player's roll, or the end of the turn."""
        following = self.next_player()
        hand = self.movement_dice(following)
        return [{"roll": random_dice(hand, rng), "by": following}, {"end_turn": True}]
