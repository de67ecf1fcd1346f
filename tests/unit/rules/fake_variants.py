"""Three tiny variants that bend the rules where real ones do."""

from typing import Any, ClassVar

from msgspec import field

from companion.rules.classic import Classic
from companion.rules.events import Demolished, Event, Moved, Rolled
from companion.rules.state import Claim, Decision, Player, Space, State

# -- other dice, a choice of direction, other building rules, no jail, somebody who moves out of turn --------------


class Shamblers(Classic):
    """Whoever would go to Jail shambles from then on: two d4, either direction. The lost move before their host."""

    name = "shamblers"
    statuses = (*Classic.statuses, "shambler", "lost")

    def movement_dice(self, player: str) -> str:
        return {"shambler": "2d4", "lost": "1d6"}.get(self.state.players[player].status, "2d6")

    def is_double(self, player: str, dice: tuple[int, ...]) -> bool:
        return self.state.players[player].status == "human" and super().is_double(player, dice)

    def go_to_jail(self, player: str, cause: str) -> None:
        self.note_player(player, status="shambler")

    def move_by_roll(self, player: str, dice: tuple[int, ...]) -> None:
        if self.state.players[player].status != "shambler":
            super().move_by_roll(player, dice)
            return
        at = self.state.players[player].at or "go"
        self.ask("move_to", player, [self.board.after(at, sum(dice)), self.board.after(at, -sum(dice))])

    def answer_move_to(self, decision: Decision, choice: str) -> None:
        self.close(decision)
        self.move(decision.player, choice, "roll", forward=False)

    def check_group_for_building(self, player: str, space: str) -> None:
        pass

    def has_turns(self, player: str) -> bool:
        return self.state.players[player].status != "lost" and super().has_turns(player)

    def turn_decisions(self, player: str) -> list[Decision]:
        for name in self.others_from(player):
            other = self.state.players[name]
            here = self.state.spaces.get(other.at or "")
            if other.status == "lost" and here is not None and here.owner == player:
                return [self.movement_roll(name)]
        return super().turn_decisions(player)

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        if decision.player == self.state.turn.player:
            super().throw_move(decision, dice)
            return
        self.tell(Rolled(decision.player, list(dice), "move"))
        self.move_by_roll(decision.player, dice)

    def land_on_property(self, player: str, space: str) -> None:
        if self.state.players[player].status == "human":
            super().land_on_property(player, space)


# -- reactions between a rent owed and its payment ------------------------------------------------------------------


class HaggledPlayer(Player, frozen=True):
    favors: int = 1


class Haggle(Classic):
    """Before a rent is paid the owner may forgive it, if he has a favor left; then the debtor may halve it."""

    name = "haggle"
    player_type = HaggledPlayer
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {**Classic.abilities, "favor": ()}

    def settle_rent(self, claim: Claim) -> None:
        amount = claim.amount or 0
        self.then("pay_rent", claim.debtor, claim.creditor, amount)
        memo = {"debtor": claim.debtor, "amount": amount}
        self.ask("haggle", claim.creditor, ["forgive", "insist"], memo)

    def answer_haggle(self, decision: Decision, choice: str) -> None:
        self.close(decision)
        debtor = decision.memo["debtor"]
        if choice == "forgive":
            self.forget_steps(debtor)
            self.then("end_move", debtor)

    def do_pay_rent(self, debtor: str, creditor: str, amount: int) -> None:
        self.charge(debtor, creditor, amount, "rent")

    def use_favor(self, by: str | None, args: dict[str, Any]) -> None:
        player = by or self.waits_for()
        favors = self.state.players[player].favors  # type: ignore[attr-defined]
        if favors < 1:
            self.refuse("not_allowed", f"{player} has no favor left.")
        self.note_player(player, favors=favors - 1)
        self.receive(player, 10, "favor")


# -- a second moving piece, things planted on spaces, a deck of its own ----------------------------------------------


class MinedSpace(Space, frozen=True):
    bombs: tuple[str, ...] = ()


class PatrolState(State):
    guard_at: str = "jail"
    alarm: dict[str, int] = field(default_factory=dict)


class GuardMoved(Event, frozen=True, gc=False, tag="guard_moved"):
    to: str

    def apply(self, state: State) -> None:
        state.guard_at = self.to  # type: ignore[attr-defined]


class BombPlanted(Event, frozen=True, gc=False, tag="bomb_planted"):
    player: str
    space: str

    def apply(self, state: State) -> None:
        space = state.spaces.get(self.space, MinedSpace())
        state.spaces[self.space] = MinedSpace(
            space.owner,
            space.houses,
            space.hotel,
            space.mortgaged,
            (*space.bombs, self.player),  # type: ignore[attr-defined]
        )


class Patrol(Classic):
    """Everybody may plant bombs on any space. After every move a guard moves by a d20 and jails whom he meets."""

    name = "patrol"
    state_type = PatrolState
    space_type = MinedSpace
    state: PatrolState
    event_types = (*Classic.event_types, GuardMoved, BombPlanted)
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {**Classic.abilities, "bomb": ("on",)}

    def use_bomb(self, by: str | None, args: dict[str, Any]) -> None:
        player = by or self.waits_for()
        self.check_cash(player, 100)
        self.tell(BombPlanted(player, self.space_named(args.get("on"))))
        self.spend(player, "pot", 100, "bomb")

    def land(self, player: str, space: str) -> None:
        here = self.state.spaces.get(space)
        if here is not None and here.bombs:  # type: ignore[attr-defined]
            self.note_space(space, bombs=[])
            self.note(alarm={**self.state.alarm, player: 1})
            if here.is_built:
                self.tell(Demolished(space, 0, False, "bomb", player))
        super().land(player, space)

    def do_end_move(self, player: str) -> None:
        self.then("finish_move", player)
        self.ask_roll(player, "d20", "guard")

    def throw_guard(self, decision: Decision, dice: tuple[int, ...]) -> None:
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "guard"))
        self.tell(GuardMoved(self.board.after(self.state.guard_at, dice[0])))
        for name, other in self.state.players.items():
            if other.at == self.state.guard_at and not other.in_jail:
                self.tell(Moved(name, other.at, "jail", "jail"))

    def do_finish_move(self, player: str) -> None:
        super().do_end_move(player)
