"""Giving up, and winning. Rule: CL-13.5 to CL-13.12, CL-14, CL-15.6, CL-15.7"""

from typing import Any

from companion.rules.classic.deals import Deals
from companion.rules.classic.estate import percent_up
from companion.rules.events import (
    AuctionDropped,
    AuctionOpened,
    CardReturned,
    CardTransferred,
    DebtClosed,
    DeedTransferred,
    GameWon,
    LeftBoard,
    RentClaimClosed,
    WentBankrupt,
)
from companion.rules.state import BANK


class Bankruptcies(Deals):
    """What becomes of a player who cannot pay."""

    def act_bankrupt(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-13.5"""
        if value is not True:
            self.refuse("malformed", "It is bankrupt: true.")
        player = by or self.first_debtor()
        owes = self.state.players[player].owes
        if not owes:
            self.refuse("not_allowed", f"{player} has no debt.")
        if self.can_raise(player) >= owes[0].amount:
            self.refuse("not_allowed", f"{player} can still raise ${self.can_raise(player)} for ${owes[0].amount}.")
        self.go_bankrupt(player, owes[0].to)

    def can_raise(self, player: str) -> int:
        """Cash, half price of buildings and mortgage values, in dollars. Rule: CL-13.5"""
        total = self.state.players[player].cash
        for slug in self.deeds_of(player):
            total += self.sale_value(slug)
            if not self.state.spaces[slug].mortgaged:
                total += self.board.by_slug[slug].mortgage
        return total

    def go_bankrupt(self, player: str, creditor: str) -> None:
        """Everything goes its way, then the player is out. Rule: CL-13.6"""
        self.sell_buildings(player, [slug for slug in self.deeds_of(player) if self.state.spaces[slug].is_built])
        if self.state.players[player].cash > 0:
            self.transfer(player, creditor, self.state.players[player].cash, "bankruptcy")
        deeds = self.deeds_of(player)
        if creditor == BANK:
            self.give_all_to_bank(player, deeds)
        else:
            self.give_all_to(player, creditor, deeds)
        self.leave_game(player, creditor)
        if self.state.options.get("short_game") and creditor != BANK:
            self.charge_interest_now(creditor, deeds)
        if self.is_decided():
            return
        if creditor == BANK:
            for slug in reversed(deeds):
                self.then("auction", None, slug)
        else:
            self.hand_over_mortgages([(slug, creditor) for slug in deeds])

    def give_all_to_bank(self, player: str, deeds: list[str]) -> None:
        """Rule: CL-13.10"""
        for slug in deeds:
            self.tell(DeedTransferred(slug, player, BANK, "bankruptcy"))
        for card in self.state.players[player].cards:
            self.tell(CardReturned(player, card))

    def give_all_to(self, player: str, creditor: str, deeds: list[str]) -> None:
        """Rule: CL-13.7"""
        for slug in deeds:
            self.tell(DeedTransferred(slug, player, creditor, "bankruptcy"))
        for card in self.state.players[player].cards:
            self.tell(CardTransferred(card, player, creditor, "bankruptcy"))

    def leave_game(self, player: str, creditor: str) -> None:
        """The token leaves the board and nothing waits for the player any more. Rule: CL-13.11"""
        self.tell(WentBankrupt(player, creditor))
        self.tell(LeftBoard(player))
        self.drop_affairs(player)

    def drop_affairs(self, player: str) -> None:
        """Everything open to, by or against a player lapses. Rule: CL-13.11, CL-13.12"""
        state = self.state
        self.close_all(player)
        self.forget_steps(player)
        for name, other in state.players.items():
            for place in reversed(range(len(other.owes))):
                if name == player or other.owes[place].to == player:
                    self.tell(DebtClosed(name, place))
        for place in reversed(range(len(state.rent_claims))):
            claim = state.rent_claims[place]
            if player in (claim.debtor, claim.creditor):
                self.tell(RentClaimClosed(place))
        if state.turn.player == player:
            state.again = False
            state.base = "done"
        self.leave_auction(player)

    def leave_auction(self, player: str) -> None:
        """An open auction goes on without the player; a bid of his is void."""
        auction = self.state.auction
        if auction is None or player not in auction.bidders:
            return
        if auction.high is None or auction.high[0] != player:
            self.hammer()
            return
        left = [name for name in auction.bidders if name not in (*auction.passed, player)]
        self.tell(AuctionDropped())
        if left:
            self.tell(AuctionOpened(left, auction.space, auction.building))

    # -- the end -------------------------------------------------------------------------------

    def is_decided(self) -> bool:
        """Whether the game is over by a bankruptcy; then it is won. Rule: CL-14.1, CL-15.6"""
        left = [name for name, player in self.state.players.items() if player.status != "bankrupt"]
        if len(left) == 1:
            if self.state.options.get("short_game"):
                self.win_by_worth(left)
            else:
                self.win(left, "last_standing")
            return True
        if self.state.options.get("short_game"):
            self.win_by_worth(left)
            return True
        return False

    def win(self, winners: list[str], how: str, worth: dict[str, int] | None = None) -> None:
        """The game is over."""
        self.tell(GameWon(winners, how, worth))
        self.over()

    def win_by_worth(self, left: list[str]) -> None:
        """Rule: CL-15.7"""
        worth = {name: self.net_worth(name) for name in left}
        self.win([name for name in left if worth[name] == max(worth.values())], "net_worth", worth)

    def net_worth(self, player: str) -> int:
        """What the speed game counts, in dollars. Rule: CL-15.7"""
        total = self.state.players[player].cash
        for slug in self.deeds_of(player):
            here, printed = self.state.spaces[slug], self.board.by_slug[slug]
            total += printed.price // 2 if here.mortgaged else printed.price
            total += printed.house * (4 if here.hotel else here.houses)
        return total

    def charge_interest_now(self, owner: str, deeds: list[str]) -> None:
        """In the speed game the 10% are charged without a decision, as far as the cash goes. Rule: CL-15.6"""
        for slug in deeds:
            if self.state.spaces[slug].mortgaged:
                interest = percent_up(self.board.by_slug[slug].mortgage)
                self.spend(owner, BANK, min(interest, self.state.players[owner].cash), "mortgage_interest")
