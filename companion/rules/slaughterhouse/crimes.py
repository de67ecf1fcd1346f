"""Robbing the Bank and picking pockets. Rule: SL-3.1, SL-3.2, SL-6"""

from companion.rules.events import Rolled
from companion.rules.slaughterhouse.events import BankRobbed, Pickpocketed
from companion.rules.slaughterhouse.taxes import Taxes
from companion.rules.state import Decision

#: What a pocket yields by the die. Rule: SL-6.2
POCKETS = {1: 5, 2: 10, 3: 20, 4: 50, 5: 100, 6: 500}
#: Where no pockets are picked. Rule: SL-6.1
SAFE = frozenset({"jail", "go-to-jail"})


class Crimes(Taxes):
    """What puts a player on the Cop's list."""

    # -- the Bank ------------------------------------------------------------------------------

    def land_on_corner(self, player: str, space: str) -> None:
        """Rule: SL-3.1"""
        if space == "free-parking":
            self.ask("rob_bank", player, ("rob", "pass"))
        else:
            super().land_on_corner(player, space)

    def answer_rob_bank(self, decision: Decision, choice: str) -> None:
        """Rule: SL-3.1"""
        self.close(decision)
        if choice == "rob":
            self.ask_roll(decision.player, "2d6", "rob")

    def throw_rob(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: SL-3.1, SL-3.2"""
        player, amount = decision.player, 100 * sum(dice)
        self.close(decision)
        self.tell(Rolled(player, list(dice), "rob"))
        self.tell(BankRobbed(player, amount))
        self.receive(player, amount, "bank_robbery")

    # -- pockets -------------------------------------------------------------------------------

    def pockets_at(self, player: str, space: str, picked: list[str]) -> list[str]:
        """Whose pockets the player, in his own turn, may pick here, those of `picked` aside. Rule: SL-6.1, SL-6.5"""
        if space in SAFE or player != self.state.turn.player:
            return []
        players = self.state.players
        return [
            name
            for name in players
            if name not in (player, *picked) and players[name].at == space and players[name].cash > 0
        ]

    def tempt(self, player: str, space: str, way: str, picked: list[str]) -> None:
        """The first question of a landing, then the space takes effect. Rule: SL-6.2, SL-6.3"""
        victims = self.pockets_at(player, space, picked)
        if not victims:
            self.do_effect(player, space, way)
            return
        memo = {"space": space, "way": way, "picked": picked, "late": False}
        self.ask("pickpocket", player, (*victims, "later", "skip"), memo)

    def do_tempt_later(self, player: str, space: str, picked: list[str]) -> None:
        """The question that was put off, if the token is still there. Rule: SL-6.3"""
        there = self.state.players[player]
        victims = self.pockets_at(player, space, picked)
        if victims and there.at == space and not there.in_jail and self.in_game(player):
            memo = {"space": space, "picked": picked, "late": True}
            self.ask("pickpocket", player, (*victims, "skip"), memo)

    def answer_pickpocket(self, decision: Decision, choice: str) -> None:
        """Rule: SL-6.2, SL-6.3"""
        player, memo = decision.player, decision.memo
        self.close(decision)
        if choice == "later":
            self.then("tempt_later", player, memo["space"], memo["picked"])
            self.do_effect(player, memo["space"], memo["way"])
        elif choice != "skip":
            self.ask_roll(player, "d6", "pickpocket", {**memo, "victim": choice}, victim=choice)
        elif not memo["late"]:
            self.do_effect(player, memo["space"], memo["way"])

    def throw_pickpocket(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: SL-6.2, SL-10.8"""
        player, memo = decision.player, decision.memo
        self.close(decision)
        self.tell(Rolled(player, list(dice), "pickpocket"))
        victim = memo["victim"]
        amount = min(POCKETS[dice[0]], self.state.players[victim].cash)
        if amount > 0:
            self.tell(Pickpocketed(player, victim, amount))
            self.spend(victim, player, amount, "pickpocket")
        if "space" not in memo:
            return
        picked = [*memo["picked"], victim]
        if memo["late"]:
            self.do_tempt_later(player, memo["space"], picked)
        else:
            self.tempt(player, memo["space"], memo["way"], picked)

    def pick_by_wire(self, player: str) -> None:
        """Anybody's pocket, wherever he is; it must be done. Rule: SL-10.8"""
        players = self.state.players
        victims = [name for name in players if name != player and self.in_game(name) and players[name].cash > 0]
        if victims:
            self.ask("pickpocket", player, victims, {"late": True})

    def do_effect(self, player: str, space: str, way: str) -> None:
        """The space takes effect on a token that came this way. Rule: SL-11.1"""
        raise NotImplementedError
