"""MZ-1.2, MZ-8 Stages: capitalism, outbreak, apocalypse, and never back."""

from companion.rules.events import AuctionDropped, DebtClosed, Paid, RentClaimClosed, StageChanged
from companion.rules.monopozombie.demolition import Demolition
from companion.rules.monopozombie.events import CircuitCompleted
from companion.rules.state import BANK

#: What lapses with commerce. Rule: MZ-8.5
COMMERCE = ("purchase", "income_tax", "mortgaged_deed", "place_building")
#: Throws that are made in the apocalypse too.
STILL_THROWN = ("reroll", "defence", "attack")
#: Players with whom a game is small. Rule: MZ-8.2
SMALL_GAME = 3


class Stages(Demolition):
    """When a stage begins, and what changes with it."""

    # -- outbreak ------------------------------------------------------------------------------

    def begin_outbreak(self) -> None:
        """Rule: MZ-4.13, MZ-8.3"""
        self.tell(StageChanged("outbreak"))
        self.note_outbreak_start()

    def note_outbreak_start(self) -> None:
        """Where each human stands who has no start noted yet. Rule: MZ-8.3, MZ-1.5"""
        for name in self.humans:
            player = self.player(name)
            if player.outbreak_start is None:
                self.note_player(name, outbreak_start={"at": player.at or "go", "laps": player.laps})

    def note_circuit(self, name: str) -> None:
        """Rule: MZ-8.3, MZ-8.4"""
        player = self.player(name)
        start = player.outbreak_start
        if not self.is_small_game or self.state.stage != "outbreak" or start is None or player.circuit:
            return
        index = self.board.index
        if 40 * player.laps + index[player.at or "go"] >= 40 * start.laps + index[start.at] + 40:
            self.tell(CircuitCompleted(name))
            self.look_at_stage()

    @property
    def is_small_game(self) -> bool:
        return len(self.state.players) <= SMALL_GAME

    # -- apocalypse ----------------------------------------------------------------------------

    @property
    def zombies_needed(self) -> int:
        """How many zombies begin the apocalypse. Rule: MZ-8.1, MZ-8.2"""
        return 2 if self.is_small_game else len(self.state.players) // 2

    def is_apocalypse_due(self) -> bool:
        """Rule: MZ-8.1 to MZ-8.4"""
        humans = self.humans
        if len(self.zombies) >= self.zombies_needed:
            return True
        return self.is_small_game and bool(humans) and all(self.player(name).circuit for name in humans)

    def look_at_stage(self) -> None:
        """Rule: MZ-8.5"""
        if self.state.stage == "outbreak" and self.is_apocalypse_due():
            self.begin_apocalypse()

    def begin_apocalypse(self) -> None:
        """The economy collapses. Rule: MZ-8.5, MZ-9.1, MZ-9.2"""
        self.tell(StageChanged("apocalypse"))
        self.end_commerce()
        for name, player in self.state.players.items():
            if player.cash > 0:
                self.tell(Paid(name, BANK, player.cash, "collapse"))
        for slug, space in list(self.state.spaces.items()):
            if space.mortgaged:
                self.note_space(slug, mortgaged=False)
        self.note(passed=(), chased=())
        self.offer_owed_roll()

    def end_commerce(self) -> None:
        """Open purchases, auctions, debts and claims lapse; nobody has to move out of turn. Rule: MZ-8.5"""
        state = self.state
        self.close_all(kinds=COMMERCE)
        state.decisions = tuple(
            each for each in state.decisions if each.kind != "roll" or each.facts["purpose"] in STILL_THROWN
        )
        state.todo = tuple(step for step in state.todo if step.name != "auction")
        if state.auction is not None:
            self.tell(AuctionDropped())
        for name in state.indebted:
            for _ in state.players[name].owes:
                self.tell(DebtClosed(name))
        for _ in state.rent_claims:
            self.tell(RentClaimClosed(0))

    def offer_owed_roll(self) -> None:
        """A human who still had a further roll for a double may take it. Rule: MZ-8.5"""
        state = self.state
        mover = state.turn.player
        if state.base == "roll" and state.rolled:
            state.base = "done"
            if state.players[mover].status == "human":
                self.ask_extra_go(mover)

    def ask_extra_go(self, player: str) -> None:
        """Rule: MZ-9.8"""
        self.ask("extra_go", player, ("roll", "stop"), {"dice": "3d6"}, dice="3d6")
