"""Classic: set-up, choices, abilities and corrections on top of the steps. Rule: CL-1, CL-2.12, CL-15.1"""

from typing import Any, ClassVar

from msgspec.structs import replace

from companion.rules import corrections
from companion.rules.classic.suggestions import Suggestions
from companion.rules.errors import Refused
from companion.rules.events import AuctionDropped, AuctionOpened, Corrected, Dealt, Rolled
from companion.rules.options import Option, fill_in
from companion.rules.state import Decision, Player, Space, State


class Classic(Suggestions):
    """The classic game; variants subclass this and override its steps."""

    name: ClassVar[str] = "classic"
    title: ClassVar[str] = "Classic"
    options: ClassVar[tuple[Option, ...]] = (
        Option("rent", ("auto", "demand"), "auto", "Rent is paid by itself, or only when the owner asks.", "CL-5.11"),
        Option(
            "utility_dice", ("fresh", "move"), "fresh", "A utility's rent: a throw of its own, or the move's.", "CL-5.7"
        ),
        Option("roll_for_start", (False, True), False, "The throw for the first turn is made in the game.", "CL-1.5"),
        Option("short_game", (False, True), False, "The speed game, over with the first bankruptcy.", "CL-15"),
        Option("deal_deeds", tuple(range(10)), 0, "Deeds dealt to each player (3 in the speed game).", "CL-15.2"),
    )
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {
        "demand_rent": ("space",),
        "building_auction": ("building",),
        "sell_group": ("group",),
        "deal": ("spaces",),
    }

    # -- set-up --------------------------------------------------------------------------------

    @classmethod
    def fill_options(cls, given: dict[str, Any] | None) -> dict[str, Any]:
        """Rule: CL-15.2"""
        filled = fill_in(cls.options, given)
        if filled.get("short_game") and "deal_deeds" not in (given or {}):
            filled["deal_deeds"] = 3
        return filled

    def set_up(self, settings: dict[str, Any]) -> None:
        """Rule: CL-1.4, CL-1.5, CL-15.1"""
        state = self.state
        self.then("begin", None, state.turn.player)
        if state.options.get("roll_for_start"):
            self.then("ask_start_throws", None, self.order)
        count = state.options.get("deal_deeds", 0)
        if count * len(state.players) > len(self.board.properties):
            self.refuse("malformed", f"There are not {count} deeds for each of {len(state.players)} players.")
        if count:
            for name in state.players:
                self.ask("deal", name, count=count)
        self.run()

    def do_begin(self, player: str | None, first: str) -> None:
        """The first turn. Rule: CL-1.4"""
        self.state.turn = replace(self.state.turn, number=0)
        self.start_turn(first)

    def do_ask_start_throws(self, player: str | None, names: list[str]) -> None:
        """Rule: CL-1.5"""
        self.state.start_throws = {}
        for name in names:
            self.ask_roll(name, "2d6", "start")

    def throw_start(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: CL-1.5"""
        state = self.state
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "start"))
        state.start_throws = {**state.start_throws, decision.player: sum(dice)}
        if state.decisions:
            return
        highest = max(state.start_throws.values())
        best = [name for name in state.players if state.start_throws.get(name) == highest]
        if len(best) > 1:
            self.do_ask_start_throws(None, best)
        else:
            state.start_throws = {}
            self.forget_steps()
            self.then("begin", None, best[0])

    # -- choices and abilities -----------------------------------------------------------------

    def act_choose(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """Rule: CL-2.12"""
        decision = self.open_choice(by)
        options = decision.options or ()
        if type(value) is int and 0 <= value < len(self.board.slugs):
            value = self.board.slugs[value]
        if value not in options:
            self.refuse("not_an_option", f"{value!r} is not among {', '.join(options)}.")
        getattr(self, "answer_" + decision.kind)(decision, value)

    def open_choice(self, by: str | None) -> Decision:
        """The oldest decision with options, of this player if one is named."""
        choices = [decision for decision in self.state.pending if decision.options is not None]
        for decision in choices:
            if by in (None, decision.player):
                return decision
        if choices:
            self.refuse("not_your_turn", f"{by} has nothing to choose: {choices[0].player} has.")
        raise Refused("not_an_option", "There is nothing to choose now.")

    def act_use(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """A variant's ability, or one of the classic ones."""
        if not isinstance(value, str) or value not in self.abilities:
            self.refuse("not_allowed", f"{value!r} cannot be used here; there are {', '.join(self.abilities)}.")
        superfluous = [name for name in args if name not in self.abilities[value]]
        if superfluous:
            self.refuse("malformed", f"{value} does not take {', '.join(superfluous)}.")
        getattr(self, "use_" + value)(by, args)

    def use_deal(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: CL-15.1"""
        for decision in self.state.decisions:
            if decision.kind == "deal" and by in (None, decision.player):
                break
        else:
            self.refuse("not_allowed", "No deeds are to be dealt now.")
        spaces = args.get("spaces")
        count = decision.facts["count"]
        if not isinstance(spaces, (list, tuple)) or len(spaces) != count:
            self.refuse("malformed", f"{decision.player} gets {count} deeds: spaces is a list of them.")
        slugs = [self.space_named(space) for space in spaces]
        if len(set(slugs)) != count or any(not self.board.by_slug[slug].is_property for slug in slugs):
            self.refuse("malformed", "Each deed once, and properties only.")
        for slug in slugs:
            if self.state.spaces[slug].owner is not None:
                self.refuse("not_allowed", f"{self.title_of(slug)} has been dealt already.")
        self.close(decision)
        self.tell(Dealt(decision.player, slugs))

    # -- corrections ---------------------------------------------------------------------------

    def act_set(self, by: str | None, value: Any, args: dict[str, Any]) -> None:
        """A correction by hand: changes exactly what it names. Rule: CL-9.11"""
        self.correct(value)

    def correct(self, changes: Any) -> None:
        """Merge a partial state, and work out anew what is open."""
        state = self.state
        clean = corrections.normal(self, changes)
        self.tell(Corrected(clean))
        turn = clean.get("turn", {})
        if "player" in turn or "phase" in turn:
            state.decisions, state.todo, state.auction, state.again = (), (), None, False
            state.card_rent = (1, 0)
            state.base = "done" if turn.get("phase") in ("done", "resolve") else "roll"
        if state.players[state.turn.player].status == "bankrupt":
            state.base, state.again = "done", False
        self.check_auction()
        state.decisions = tuple(each for each in state.decisions if self.is_still_open(each))

    def check_auction(self) -> None:
        """An auction that a correction has overtaken is dropped, or begins anew without the bid."""
        auction = self.state.auction
        if auction is None:
            return
        sold = auction.space is not None and self.state.spaces[auction.space].owner is not None
        high = auction.high
        if sold or (high is not None and self.cash_free(high[0]) < 0):
            self.tell(AuctionDropped())
            if not sold:
                self.tell(AuctionOpened(self.still_in(replace(auction, high=None)), auction.space, auction.building))
        self.hammer()

    def check_corrected(self, state: State) -> None:
        """Whether a state that was corrected by hand can be played on.

        Raises:
            Refused: it names somebody or something that does not exist, or a number that cannot be.
        """
        self.player_named(state.turn.player)
        if state.turn.phase not in ("roll", "resolve", "done", "over") or state.stage not in self.stages:
            self.refuse("malformed", f"{state.turn.phase} is no phase, or {state.stage} no stage, of this game.")
        if min(state.bank.lowest, state.pot, state.turn.number, state.turn.doubles) < 0:
            self.refuse("malformed", "Neither the Bank's buildings nor the pot nor the turn can be below 0.")
        for name, player in state.players.items():
            self.check_corrected_player(name, player)
        for slug, space in state.spaces.items():
            self.check_corrected_space(slug, space)
        for winner in state.winners:
            self.player_named(winner)
        for claim in state.rent_claims:
            self.space_named(claim.space)
            if self.player_named(claim.debtor) == self.player_named(claim.creditor) or (claim.amount or 0) < 0:
                self.refuse("malformed", "A claim on rent is between two players, and not below 0.")

    def check_corrected_player(self, name: str, player: Player) -> None:
        if player.status not in self.statuses:
            self.refuse("malformed", f"{player.status!r} is no status; there are {', '.join(self.statuses)}.")
        if min(player.cash, player.laps, player.jail_turns) < 0:
            self.refuse("malformed", f"A number of {name} is below 0.")
        if player.at is None and player.status != "bankrupt":
            self.refuse("malformed", f"{name} is in the game: the token stands somewhere.")
        if player.in_jail and player.at != "jail":
            self.refuse("malformed", f"{name} cannot be in Jail and at {player.at}.")
        for debt in player.owes:
            if debt.amount <= 0 or (debt.to not in ("bank", "pot") and self.player_named(debt.to) == name):
                self.refuse("malformed", f"{name} owes somebody else a sum above 0, or nothing.")

    def check_corrected_space(self, slug: str, space: Space) -> None:
        printed = self.board.by_slug[slug]
        if space.owner is not None:
            self.player_named(space.owner)
        if not 0 <= space.houses <= 4:
            self.refuse("malformed", f"{space.houses} houses on {slug}: there can be 0 to 4.")
        if space.is_built and printed.kind != "street":
            self.refuse("malformed", f"Nothing is built on {slug}.")
        if (space.owner is not None or space.mortgaged) and not printed.is_property:
            self.refuse("malformed", f"{slug} is no property.")

    def is_still_open(self, decision: Decision) -> bool:
        """Whether a decision still makes sense after a correction by hand."""
        player = self.state.players[decision.player]
        if player.status == "bankrupt":
            return False
        if decision.kind == "purchase":
            space = decision.facts["space"]
            return self.state.spaces[space].owner is None and player.at == space
        if decision.kind == "deal":
            free = sum(space.owner is None for space in self.state.spaces.values())
            wanted: int = sum(each.facts["count"] for each in self.state.decisions if each.kind == "deal")
            return free >= wanted
        if decision.kind == "mortgaged_deed":
            here = self.state.spaces[decision.facts["space"]]
            return here.mortgaged and here.owner == decision.player
        return True
