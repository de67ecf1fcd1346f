"""What could be done now in Slaughterhouse, for bots, tests and the page. Rule: SL-1.2, SL-5, SL-10.19"""

from typing import Any, ClassVar

from companion.rules.chance import Chance
from companion.rules.slaughterhouse.bombs import BOMB_PRICE, MINER_PRICE
from companion.rules.slaughterhouse.turns import Rounds
from companion.rules.state import Decision

Action = dict[str, Any]
#: Cash that a bot keeps when it plants or hires, in dollars.
CAUTION = 250
#: How often a bot that could plant a bomb would like to, and hire a miner where there is no bomb yet.
MALICE, FORESIGHT = 0.4, 0.3
#: How often the Bank is robbed without a second thought.
GREED = 0.7


class Proposals(Rounds):
    """Suggestions, not yet checked."""

    buys_before_throw: ClassVar[bool] = True

    def suggest_affairs(self, player: str, rng: Chance) -> list[Action]:
        """Bombs, miners and stock besides the classic affairs."""
        affairs = super().suggest_affairs(player, rng)
        if not self.is_own_turn(player) or not self.is_beginning():
            return affairs
        at = self.state.players[player].at or ""
        lot = self.lot(at)
        if lot is not None and lot.owner is not None:
            affairs += [
                {"use": thing, "on": at, "by": player} for thing in ("bomb", "miner") if not getattr(lot, thing)
            ]
        if self.state.options["miners_for_own"]:
            bombed = [slug for slug in self.deeds_of(player) if self.is_mined(slug)]
            affairs += [{"use": "miner", "on": slug, "by": player} for slug in bombed]
        if self.villain(player).kept_houses:
            sites = self.house_sites(player)
            affairs += [{"use": "place_house", "on": slug, "by": player} for slug in sites]
        return affairs

    def suggest_wishes(self, player: str, rng: Chance) -> list[Action]:
        """Kept houses up, miners where one's own is bombed, bombs under the others: with some cash left."""
        villain = self.villain(player)
        at = villain.at or ""
        lot = self.lot(at)
        sites = self.house_sites(player) if villain.kept_houses else []
        wishes: list[Action] = [{"use": "place_house", "on": slug, "by": player} for slug in sites]
        if lot is None or lot.owner is None:
            return wishes
        if lot.owner == player:
            is_rich = villain.miners > 0 or villain.cash > MINER_PRICE + CAUTION
            if is_rich and not lot.miner and (lot.bomb or rng.random() < FORESIGHT):
                wishes.append({"use": "miner", "by": player})
        elif not lot.bomb and not lot.mortgaged and rng.random() < MALICE:
            if villain.bombs or villain.cash > BOMB_PRICE + CAUTION:
                wishes.append({"use": "bomb", "by": player})
        elif lot.bomb and not lot.miner and villain.miners:
            wishes.append({"use": "miner", "by": player})
        return wishes

    def suggest_rob_bank(self, decision: Decision, rng: Chance) -> list[Action]:
        """Most would rather rob."""
        return [{"choose": "rob", "by": decision.player}] if rng.random() < GREED else []

    def suggest_stock_sales(self, player: str) -> list[Action]:
        villain = self.villain(player)
        stock = {"sell_bomb": villain.bombs, "sell_miner": villain.miners, "sell_house": villain.kept_houses}
        return [{"use": ability, "by": player} for ability, number in stock.items() if number]

    def suggest_sales(self, player: str) -> list[Action]:
        """Stock brings money too. Rule: SL-11.4"""
        return [*super().suggest_sales(player), *self.suggest_stock_sales(player)]

    def suggest_trade(self, player: str, rng: Chance) -> list[Action]:
        """Deals are the mover's, in round sums where there are no ones. Rule: SL-9.2, SL-12.3"""
        deals = super().suggest_trade(player, rng)
        for deal in deals:
            for side in ("give", "get"):
                deal["trade"][side]["cash"] -= deal["trade"][side]["cash"] % 5
        return deals
