"""MZ-3 Bankruptcy and homelessness."""

from typing import Any

from companion.rules.events import Event, Paid, Rolled, WentBankrupt
from companion.rules.monopozombie.events import BecameHomeless, Recovered
from companion.rules.monopozombie.moves import Moves
from companion.rules.state import Auction, Decision

#: What neither the homeless nor zombies do, and nobody in the apocalypse. Rule: MZ-3.15, MZ-5.3, MZ-9.1
COMMERCE_VERBS = frozenset({"build", "unbuild", "mortgage", "unmortgage", "trade", "bid", "pass", "pay", "bankrupt"})
COMMERCE_USES = frozenset({"demand_rent", "building_auction", "sell_group", "fortify"})


class Homeless(Moves):
    """Players without money, who move when others chase them on.

    Attributes:
        is_commerce: the action at work is one that only humans with a home take.
    """

    is_commerce = False

    # -- becoming homeless and recovering --------------------------------------------------------

    def leave_game(self, player: str, creditor: str) -> None:
        """Nobody is ever out of this game. Rule: MZ-1.4, MZ-3.1"""
        self.tell(WentBankrupt(player, creditor))
        self.tell(BecameHomeless(player))
        self.drop_affairs(player)

    def tell(self, event: Event) -> None:
        """Money ends homelessness. Rule: MZ-3.12"""
        super().tell(event)
        if isinstance(event, Paid) and event.to in self.state.players and self.is_homeless(event.to):
            self.tell(Recovered(event.to))

    def is_homeless(self, player: str) -> bool:
        return self.state.players[player].status == "homeless"

    # -- no commerce ---------------------------------------------------------------------------

    def charge(self, player: str, to: str, amount: int, reason: str) -> None:
        """The homeless pay nothing; zombies neither pay nor are paid. Rule: MZ-3.3, MZ-5.3, MZ-9.1"""
        players = self.state.players
        if self.is_apocalypse or players[player].status != "human":
            return
        if to in players and players[to].status == "zombie":
            return
        super().charge(player, to, amount, reason)

    def receive(self, player: str, amount: int, reason: str) -> None:
        """Rule: MZ-5.3, MZ-9.1"""
        if self.is_human(player) and not self.is_apocalypse:
            super().receive(player, amount, reason)

    def check_actor(self, verb: str, by: str | None) -> None:
        """Rule: MZ-3.15, MZ-5.3, MZ-9.1"""
        super().check_actor(verb, by)
        if verb not in COMMERCE_VERBS:
            return
        if self.is_apocalypse:
            self.refuse("not_allowed", f"{verb}: there is no commerce in the apocalypse.")
        if by is not None:
            self.check_trader(by)

    def check_trader(self, player: str) -> None:
        """Whether he takes part in commerce at all. Rule: MZ-3.15, MZ-5.3"""
        status = self.state.players[player].status
        if status != "human":
            self.refuse("not_allowed", f"{player} is {status}: only humans with a home deal with money and deeds.")

    def actor(self, by: str | None) -> str:
        player = super().actor(by)
        if by is None and self.is_commerce:
            self.check_trader(player)
        return player

    def take(self, verb: str, value: Any, by: str | None = None, args: dict[str, Any] | None = None) -> None:
        self.is_commerce = verb in COMMERCE_VERBS or self.is_commerce_use(verb, value)
        super().take(verb, value, by, args)

    def is_commerce_use(self, verb: str, value: Any) -> bool:
        return verb == "use" and isinstance(value, str) and value in COMMERCE_USES

    def act_use(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: MZ-3.15, MZ-5.3, MZ-9.1"""
        if self.is_commerce_use("use", value):
            if self.is_apocalypse:
                self.refuse("not_allowed", f"{value}: there is no commerce in the apocalypse.")
            if by is not None:
                self.check_trader(by)
        super().act_use(by, value, args)

    def check_partner(self, player: str, partner: str) -> None:
        """Rule: MZ-3.15, MZ-5.3"""
        super().check_partner(player, partner)
        self.check_trader(partner)

    def bidders_for(self, space: str) -> list[str]:
        """Rule: MZ-3.4"""
        return [name for name, player in self.state.players.items() if player.status == "human"]

    def building_sites(self, player: str, building: str) -> list[str]:
        """Zombies build nothing, so they neither make buildings scarce nor bid for them. Rule: MZ-3.4, MZ-5.3"""
        return super().building_sites(player, building) if self.state.players[player].status == "human" else []

    def do_auction(self, player: str | None, space: str) -> None:
        """Rule: MZ-9.1"""
        if not self.is_apocalypse:
            super().do_auction(player, space)

    def still_in(self, auction: Auction) -> list[str]:
        players = self.state.players
        return [name for name in super().still_in(auction) if players[name].status == "human"]

    def partners(self, player: str) -> list[str]:
        """Cards leave zombies out; the homeless are paid, and pay nothing. Rule: MZ-5.3, MZ-3.3"""
        return [name for name in super().partners(player) if self.is_human(name)]

    def land_on_property(self, player: str, space: str) -> None:
        """Rule: MZ-3.3, MZ-3.4, MZ-5.3, MZ-9.1"""
        owner = self.ground(space).owner
        if self.is_apocalypse or (owner is not None and not self.is_human(owner)):
            return
        if not self.is_homeless(player):
            super().land_on_property(player, space)
        elif owner is None:
            self.then("auction", None, space)

    def land_on_tax(self, player: str, space: str) -> None:
        """Rule: MZ-3.3, MZ-9.1"""
        if not self.is_homeless(player) and not self.is_apocalypse:
            super().land_on_tax(player, space)

    # -- turns ---------------------------------------------------------------------------------

    def has_turns(self, player: str) -> bool:
        """Rule: MZ-3.2, MZ-3.16, MZ-9.11"""
        if not self.is_homeless(player) or self.is_apocalypse:
            return True
        return all(self.is_homeless(name) for name in self.state.players)

    def movement_dice(self, player: str) -> str:
        """Rule: MZ-3.2"""
        return "1d6" if self.is_homeless(player) else super().movement_dice(player)

    def turn_decisions(self, player: str) -> list[Decision]:
        """Who stands on the mover's property moves first. Rule: MZ-3.5, MZ-3.6, MZ-3.10"""
        if not self.is_apocalypse:
            for name in self.others_from(player):
                if self.is_homeless(name) and self.stands_with(name) == player:
                    return [self.movement_roll(name)]
        if self.is_homeless(player):
            return [self.movement_roll(player)]
        return super().turn_decisions(player)

    def stands_with(self, name: str) -> str | None:
        """Whose property, another player's, the homeless player stands on and is seen. Rule: MZ-3.5, MZ-12.5"""
        space = self.state.players[name].at or "go"
        owner = self.ground(space).owner
        return None if owner == name or self.is_invisible_in(name, space) else owner

    def may_roll_next(self, by: str | None) -> bool:
        """Also the mover himself, if he is the next, or homeless and first to move. Rule: MZ-3.11"""
        following = self.next_player()
        if by != self.state.turn.player or following == by:
            return True
        return by is not None and self.is_homeless(by) and self.stands_with(by) == following

    def phase_while(self, pending: list[Decision]) -> str:
        """A movement roll that a move has opened is no beginning of a turn. Rule: MZ-3.11, MZ-9.8"""
        moves = (each for each in self.state.decisions if each.kind == "roll" and each.facts["purpose"] == "move")
        return "resolve" if any(moves) else super().phase_while(pending)

    def start_turn(self, player: str) -> None:
        super().start_turn(player)
        self.note(rolled=False, settled=False, together=(), direction=None, passed=(), chased=())

    # -- moving out of turn ----------------------------------------------------------------------

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-3.2"""
        player, state = decision.player, self.state
        self.close(decision)
        if player == state.turn.player and decision.memo.get("cause") != "passed":
            self.note(passed=(), chased=())
            if not self.is_homeless(player):
                super().throw_move(decision, dice)
                return
            self.lapse_claims(player)
            state.base, state.again = "done", False
            self.then("end_move", player)
        else:
            self.note(chased=[*state.chased, player])
            self.then("end_detour", None)
        self.tell(Rolled(player, list(dice), "move"))
        state.dice = dice
        self.move_by_roll(player, dice)

    def throw_jail(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """A new move of the turn's player: whoever it passes moves, also who has moved before it. Rule: MZ-3.10"""
        self.note(passed=(), chased=())
        super().throw_jail(decision, dice)

    def note_passed(self, player: str, start: str, to: str, forward: bool) -> None:
        """Homeless players off others' property whom this move passes, or reaches. Rule: MZ-3.7, MZ-3.8"""
        if self.is_apocalypse or not any(self.is_homeless(name) for name in self.state.players):
            return
        distance = self.board.distance(start, to) if forward else self.board.distance(to, start)
        step = 1 if forward else -1
        way = {self.board.after(start, step * count) for count in range(1, distance + 1)}
        met = [name for name in self.others_from(player) if self.makes_way(name) and self.state.players[name].at in way]
        if met:
            self.note(passed=[*self.state.passed, *(name for name in met if name not in self.state.passed)])

    def makes_way(self, name: str) -> bool:
        """Rule: MZ-3.7, MZ-3.10"""
        if not self.is_homeless(name) or self.state.players[name].in_jail or name in self.state.chased:
            return False
        return self.stands_with(name) is None

    def chase_next(self) -> bool:
        """The next of those who were passed rolls; whether there was one. Rule: MZ-3.9, MZ-3.10"""
        mover = self.state.turn.player
        due = [name for name in (mover, *self.others_from(mover)) if name in self.state.passed]
        for name in due:
            self.note(passed=[other for other in self.state.passed if other != name])
            if self.is_homeless(name) and name not in self.state.chased and not self.is_apocalypse:
                self.ask_roll(name, "1d6", "move", {"cause": "passed"})
                return True
        return False

    def do_end_move(self, player: str) -> None:
        """Everything from this move is settled: those who were passed move on. Rule: MZ-3.9"""
        if self.state.passed:
            self.then("end_move", player)
            if self.chase_next():
                return
            self.state.todo = self.state.todo[:-1]
        super().do_end_move(player)

    def do_end_detour(self, player: str | None) -> None:
        """A move out of turn is settled. Rule: MZ-3.10"""
        self.state.card_rent = (1, 0)
        if self.state.passed:
            self.then("end_detour", None)
            if not self.chase_next():
                self.state.todo = self.state.todo[:-1]
