"""Bombs and miners. Rule: SL-5"""

from typing import Any

from companion.rules.events import Demolished, Mortgaged
from companion.rules.slaughterhouse.events import BombDefused, BombPlanted, Exploded, MinerHired, StockChanged
from companion.rules.slaughterhouse.jail import Thieves
from companion.rules.state import BANK

BOMB_PRICE = 200
MINER_PRICE = 250
#: What the Bank pays for one of the stock from cards. Rule: SL-5.8
STOCK_PRICES = {"bombs": 100, "miners": 125, "kept_houses": 25}


class Bombs(Thieves):
    """What is planted and hired, what goes off, and the stock from cards."""

    # -- planting and hiring -------------------------------------------------------------------

    def use_bomb(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-5.1"""
        player = self.actor(by)
        self.check_beginning(player)
        space = self.place_for(player, args)
        if self.has(space, "bomb"):
            self.refuse("not_allowed", f"There is a bomb on {self.title_of(space)} already.")
        price = self.take_from_stock(player, "bombs", BOMB_PRICE)
        self.tell(BombPlanted(player, space))
        self.spend(player, BANK, price, "bomb")

    def use_miner(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-5.2, SL-5.3"""
        player = self.actor(by)
        self.check_beginning(player)
        space = self.place_for(player, args, anywhere=bool(self.state.options["miners_for_own"]))
        if self.has(space, "miner"):
            self.refuse("not_allowed", f"There is a miner on {self.title_of(space)} already.")
        price = self.take_from_stock(player, "miners", MINER_PRICE)
        self.tell(MinerHired(player, space))
        self.spend(player, BANK, price, "miner")

    def place_for(self, player: str, args: dict[str, Any], anywhere: bool = False) -> str:
        """The property where a bomb or a miner may go now: where the token stands. Rule: SL-5.3

        Args:
            anywhere: one's own properties will do, wherever the token stands.
        """
        at = self.state.players[player].at or ""
        space = self.space_named(args["on"]) if "on" in args else at
        lot = self.lot(space)
        if space != at and not (anywhere and lot is not None and lot.owner == player):
            self.refuse("not_allowed", f"{player}'s token does not stand on {self.title_of(space)}.")
        if lot is None or lot.owner is None:
            self.refuse("not_allowed", f"{self.title_of(space)} is nobody's property: nothing is placed there.")
        return space

    def has(self, space: str, thing: str) -> bool:
        """Whether a bomb (a miner) is there."""
        return bool(getattr(self.lot(space), thing, False))

    def take_from_stock(self, player: str, thing: str, price: int) -> int:
        """What one costs now: nothing if it comes from the stock, which is used first. Rule: SL-5.1, SL-5.2"""
        if getattr(self.villain(player), thing) > 0:
            self.tell(StockChanged(player, thing, -1))
            return 0
        self.check_cash(player, price)
        return price

    # -- landing -------------------------------------------------------------------------------

    def is_mined(self, space: str) -> bool:
        """Whether landing here sets off a bomb."""
        return self.has(space, "bomb") and not self.has(space, "miner")

    def explode(self, player: str, space: str) -> None:
        """Rule: SL-5.4"""
        self.tell(Exploded(space, player))
        here = self.state.spaces[space]
        if here.is_built:
            self.tell(Demolished(space, 0, False, "bomb", player))
        if here.owner is not None and not here.mortgaged:
            self.tell(Mortgaged(here.owner, space))

    def defuse(self, player: str, space: str) -> None:
        """Rule: SL-5.5"""
        self.tell(BombDefused(space, player))
        self.recall_cop()

    def clear(self, space: str) -> None:
        """Bomb and miner leave a property that goes to the Bank. Rule: SL-3.9"""
        if self.has(space, "bomb") or self.has(space, "miner"):
            self.note_space(space, bomb=False, miner=False)
            self.recall_cop()

    # -- stock ---------------------------------------------------------------------------------

    def sell_stock(self, by: str | None, thing: str) -> None:
        """Rule: SL-5.8"""
        player = self.actor(by)
        self.check_sale_time(player)
        if getattr(self.villain(player), thing) < 1:
            self.refuse("not_allowed", f"{player} has none to sell.")
        self.cash_in(player, thing)

    def cash_in(self, player: str, thing: str) -> None:
        self.tell(StockChanged(player, thing, -1))
        self.receive(player, STOCK_PRICES[thing], "stock_sold")

    def use_sell_bomb(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-5.8"""
        self.sell_stock(by, "bombs")

    def use_sell_miner(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-5.8"""
        self.sell_stock(by, "miners")

    def use_sell_house(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-5.8"""
        self.sell_stock(by, "kept_houses")

    def use_place_house(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: SL-10.19"""
        player = self.actor(by)
        self.check_beginning(player)
        if self.villain(player).kept_houses < 1:
            self.refuse("not_allowed", f"{player} has no house in stock.")
        if "on" not in args:
            self.refuse("malformed", "Say on which street: on: SPACE.")
        space = self.space_named(args["on"])
        self.check_site(player, space)
        self.tell(StockChanged(player, "kept_houses", -1))
        self.put_building(player, space)

    def can_raise(self, player: str) -> int:
        """Stock counts. Rule: SL-11.4"""
        villain = self.villain(player)
        stock: int = sum(getattr(villain, thing) * price for thing, price in STOCK_PRICES.items())
        return super().can_raise(player) + stock
