"""The alternative rules: strict politics, teams, the blitz game's draft. Rule: DG-13 (the quicker game: see money)"""

from typing import Any

from companion.rules.classic.deals import Bundle
from companion.rules.dungeonopoly.basics import Basics
from companion.rules.dungeonopoly.events import Drafted
from companion.rules.dungeonopoly.state import Team
from companion.rules.errors import Refused
from companion.rules.events import CardReturned, CardTransferred
from companion.rules.state import Decision

#: What a get-out-of-jail card is worth in a strict deal. Rule: DG-13.2
CARD_VALUE = 50
PURSE = 1500


class Alternatives(Basics):
    """What the options of DG-13 change."""

    # -- set-up --------------------------------------------------------------------------------

    @classmethod
    def fill_options(cls, given: dict[str, Any] | None) -> dict[str, Any]:
        """`teams` is a mapping of its own. Rule: DG-13.2, DG-13.3"""
        rest = {name: value for name, value in given.items() if name != "teams"} if isinstance(given, dict) else given
        filled = super().fill_options(rest)
        if filled["politics"] == "strict" and filled["rent"] == "demand":
            raise Refused("malformed", "Under strict politics rent is not for the owner to demand or forgo.")
        filled["teams"] = teams = (given or {}).get("teams")
        is_mapping = isinstance(teams, dict) and all(
            isinstance(team, str) and isinstance(members, list) and members and all(isinstance(m, str) for m in members)
            for team, members in teams.items()
        )
        if teams is not None and not is_mapping:
            raise Refused("malformed", "teams names at least two teams, each with its players.")
        return filled

    def check_setup(self, names: list[str], edition: str, settings: dict[str, Any]) -> None:
        """Rule: DG-13.3"""
        super().check_setup(names, edition, settings)
        teams = self.state.options["teams"]
        if teams is None:
            return
        members = [name for team in teams.values() for name in team]
        alone = [name for name in names if name not in members]
        if alone:
            verb = "is" if len(alone) == 1 else "are"
            self.refuse("malformed", f"{', '.join(alone)} {verb} in no team: everybody is in a team, or nobody is.")
        if len(teams) < 2:
            self.refuse("malformed", "Everybody is in one team: there are at least two, or none.")
        if len(members) != len(names):
            self.refuse("malformed", "Every player is in exactly one team, and nobody else is.")

    def create(self, name: str, chosen: dict[str, Any]) -> None:
        """Rule: DG-13.4"""
        super().create(name, chosen)
        for team, members in (self.state.options["teams"] or {}).items():
            if name in members:
                pool = PURSE * len(members)
                self.state.teams = {**self.state.teams, team: Team(tuple(members), pool)}
                self.note_player(name, team=team, cash=pool)

    def do_begin(self, player: str | None, first: str) -> None:
        """In the blitz game the draft comes first. Rule: DG-13.10"""
        if self.state.options["blitz"] and self.undrafted():
            self.then("begin", None, first)
            self.then("draft", None, self.order.index(first))
        else:
            super().do_begin(player, first)

    # -- the draft -----------------------------------------------------------------------------

    def undrafted(self) -> list[str]:
        return [slug for slug in self.board.properties if self.state.spaces[slug].owner is None]

    def do_draft(self, player: str | None, place: int) -> None:
        """The player at this place of the order chooses. Rule: DG-13.10"""
        options = self.undrafted()
        if options:
            self.ask("draft", self.order[place % len(self.order)], options, {"place": place})

    def answer_draft(self, decision: Decision, choice: str) -> None:
        """Rule: DG-13.10"""
        self.close(decision)
        self.tell(Drafted(decision.player, choice))
        self.then("draft", None, decision.memo["place"] + 1)

    def correct(self, changes: Any) -> None:
        """After a correction a team has one pool, and the draft goes on with what is left. Rule: DG-13.4"""
        super().correct(changes)
        for team in self.state.teams.values():
            for name in team.members:
                if self.state.players[name].cash != team.cash:
                    self.note_player(name, cash=team.cash)
        for decision in self.state.decisions:
            if decision.kind == "draft" and list(decision.options or ()) != self.undrafted():
                self.close(decision)
                self.then("draft", None, decision.memo["place"])
                self.run()

    # -- strict politics -----------------------------------------------------------------------

    def check_deal(self, player: str, partner: str, give: Bundle, get: Bundle) -> None:
        """Rule: DG-13.2"""
        super().check_deal(player, partner, give, get)
        is_strict = self.state.options["politics"] == "strict" and not self.same_side(player, partner)
        if is_strict and self.listed_value(give) != self.listed_value(get):
            self.refuse("not_allowed", "Under strict politics both sides of a deal have the same listed value.")

    def listed_value(self, bundle: Bundle) -> int:
        """Rule: DG-13.2"""
        total: int = bundle["cash"] + CARD_VALUE * len(bundle["cards"])
        for slug in bundle["spaces"]:
            price = self.board.by_slug[slug].price
            total += price // 2 if self.state.spaces[slug].mortgaged else price
        return total

    # -- teams ---------------------------------------------------------------------------------

    def members(self, player: str) -> list[str]:
        """The player and the team mates who are in the game, in list order."""
        return [name for name in self.order if self.in_game(name) and self.same_side(player, name)]

    def is_owner(self, player: str | None, space: str) -> bool:
        """Rule: DG-13.5"""
        return space in self.state.spaces and self.same_side(player, self.state.spaces[space].owner)

    def is_rent_doubled(self, space: str) -> bool:
        """Rule: DG-13.5"""
        spaces = self.state.spaces
        return self.owns_group(spaces[space].owner, space) and not any(
            spaces[slug].mortgaged for slug in self.group_of(space)
        )

    def owned_in_group(self, owner: str | None, space: str) -> int:
        """Rule: DG-13.5"""
        return sum(self.is_owner(owner, slug) for slug in self.group_of(space))

    def deeds_of(self, player: str) -> list[str]:
        """The team's collection. Rule: DG-13.5"""
        if self.state.players[player].team is None:
            return super().deeds_of(player)
        return [slug for slug in self.board.properties if self.is_owner(player, slug)]

    def partners(self, player: str) -> list[str]:
        """Team mates have one purse: nothing moves between them. Rule: DG-13.4"""
        return [name for name in super().partners(player) if not self.same_side(player, name)]

    def cash_free(self, player: str) -> int:
        """The bid of a team mate binds the pool. Rule: DG-13.4"""
        auction = self.state.auction
        high = None if auction is None else auction.high
        if high is not None and high[0] != player and self.same_side(high[0], player):
            return self.state.players[player].cash - high[1]
        return super().cash_free(player)

    def give_all_to_bank(self, player: str, deeds: list[str]) -> None:
        """Rule: DG-13.6"""
        super().give_all_to_bank(player, deeds)
        for mate in self.mates(player):
            for card in self.state.players[mate].cards:
                self.tell(CardReturned(mate, card))

    def give_all_to(self, player: str, creditor: str, deeds: list[str]) -> None:
        """Rule: DG-13.6"""
        super().give_all_to(player, creditor, deeds)
        for mate in self.mates(player):
            for card in self.state.players[mate].cards:
                self.tell(CardTransferred(card, mate, creditor, "bankruptcy"))

    def mates(self, player: str) -> list[str]:
        return [name for name in self.members(player) if name != player]

    def leave_game(self, player: str, creditor: str) -> None:
        """The whole team. Rule: DG-13.6"""
        mates = self.mates(player)
        super().leave_game(player, creditor)
        for mate in mates:
            super().leave_game(mate, creditor)

    def is_decided(self) -> bool:
        """Rule: DG-13.6"""
        if self.state.options["teams"] is None:
            return super().is_decided()
        left = [name for name in self.order if self.in_game(name)]
        if any(not self.same_side(left[0], name) for name in left):
            return False
        self.win(left, "last_standing")
        return True
