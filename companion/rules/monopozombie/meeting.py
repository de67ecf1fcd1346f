"""MZ-6 Meeting zombies: infection grounds, being outnumbered, bodyguards; and MZ-12.2, battles of dice instead."""

from typing import Any

from companion.rules.events import Built, Event, Rolled, Unbuilt
from companion.rules.monopozombie.conversion import Conversion
from companion.rules.monopozombie.events import BattleFought, BodyguardsHired, BodyguardsLeft, HouseDeposited
from companion.rules.state import BANK, Decision

BODYGUARD_PRICE = 100
#: Option `shelters`: kinds of spaces that each word means. Rule: MZ-12.7
SHELTERS = {"cards": "card", "stations": "railroad", "utilities": "utility"}


class Meeting(Conversion):
    """What happens where humans and zombies, or their grounds, come together."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rebuilt: list[tuple[str, str]] = []

    # -- counting ------------------------------------------------------------------------------

    def is_refuge(self, space: str) -> bool:
        """Whether nobody is converted while standing here. Rule: MZ-6.7, MZ-12.7"""
        shelters, kind = self.state.options["shelters"], self.board.by_slug[space].kind
        if space == "free-parking" or (space == "go" and "go" in shelters):
            return True
        if space == "jail" and "just-visiting" in shelters:
            return True
        return any(SHELTERS.get(word) == kind for word in shelters)

    def guards_at(self, space: str) -> int:
        """Rule: MZ-6.4, MZ-6.16"""
        return sum(self.player(name).bodyguards for name in self.humans_at(space))

    def sides_at(self, space: str) -> tuple[int, int]:
        """Rule: MZ-6.4"""
        return len(self.zombies_at(space)), len(self.humans_at(space)) + self.guards_at(space)

    def condemned(self, space: str, arrivals: list[str]) -> dict[str, str]:
        """Who is converted here, and why, when these have just arrived. Rule: MZ-6.2 to MZ-6.9"""
        causes: dict[str, str] = {}
        if self.is_refuge(space) or self.level(space):
            return causes
        humans, zombies = self.humans_at(space), len(self.zombies_at(space))
        if zombies and zombies >= len(humans) + self.guards_at(space):
            causes = dict.fromkeys(humans, "outnumbered")
        if self.is_infected(space):
            causes |= {name: "infection_ground" for name in humans if name in arrivals}
        return {name: cause for name, cause in causes.items() if self.can_turn(name)}

    def look(self, space: str, by: str, arrivals: list[str] | None = None) -> None:
        """One look at one space. Rule: MZ-6.5, MZ-6.10"""
        if self.state.options["conversion"] == "count":
            self.overcome(space, self.condemned(space, arrivals or []), by)

    def overcome(self, space: str, causes: dict[str, str], by: str) -> None:
        """Those who are condemned at one look are converted together. Rule: MZ-6.10, MZ-7.7"""
        if not causes:
            return
        victims = self.convert(causes, space)
        self.demolish_when_overrun(space, victims, by)
        self.look_at_grounds_of(victims, by)

    # -- arriving ------------------------------------------------------------------------------

    def do_meet(self, player: str | None, space: str, arrivals: list[str], by: str) -> None:
        """Somebody has arrived. Rule: MZ-6.5, MZ-6.12"""
        arrivals = [name for name in arrivals if name in self.tokens_at(space)]
        for name in arrivals:
            self.deposit_house(name, space)
        if self.state.options["conversion"] == "dice":
            self.begin_battle(space, arrivals, by)
        else:
            self.look(space, by, arrivals)

    def deposit_house(self, player: str, space: str) -> None:
        """Rule: MZ-12.9"""
        is_street = self.board.by_slug[space].kind == "street"
        if not is_street or not self.is_human(player) or not self.player(player).carrying:
            return
        if self.is_infected(space) and not self.level(space) and not self.zombies_at(space):
            self.tell(HouseDeposited(player, space))

    # -- buildings change ----------------------------------------------------------------------

    def tell(self, event: Event) -> None:
        """Buildings that change are an occasion to look at a space. Rule: MZ-6.5, MZ-12.10"""
        super().tell(event)
        if isinstance(event, (Built, Unbuilt)):
            self.rebuilt.append((event.space, event.player))
            if not self.level(event.space) and self.ground(event.space).fortified:
                self.note_space(event.space, fortified=False)
        elif isinstance(event, Rolled) and event.purpose in ("move", "jail"):
            self.relieve_guards(event.player)

    def run(self) -> None:
        while self.rebuilt:
            space, player = self.rebuilt.pop(0)
            self.look(space, player)
        super().run()

    # -- bodyguards ----------------------------------------------------------------------------

    def use_bodyguard(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: MZ-6.13 to MZ-6.15"""
        name = self.actor(by)
        player, amount = self.player(name), args.get("amount")
        if self.state.stage != "outbreak" or player.status != "human":
            self.refuse("not_allowed", "Only humans hire bodyguards, and only during the outbreak.")
        if self.state.turn.player != name:
            self.refuse("not_your_turn", f"Bodyguards are hired in one's own turn: it is {self.state.turn.player}'s.")
        if type(amount) is not int or amount < 1:
            self.refuse("malformed", "amount is the number of bodyguards, at least 1.")
        self.check_no_debt(name)
        if any(each.player == name and each.kind not in ("roll", "jail") for each in self.state.pending):
            self.refuse("decision_pending", f"{name} has something to decide first.")
        self.check_cash(name, BODYGUARD_PRICE * amount)
        self.spend(name, BANK, BODYGUARD_PRICE * amount, "bodyguard")
        self.tell(BodyguardsHired(name, amount))
        if self.state.rolled:
            self.note_player(name, bodyguards=player.bodyguards + amount)
        else:
            self.note_player(name, bodyguards_next=player.bodyguards_next + amount)

    def relieve_guards(self, name: str) -> None:
        """At a player's first movement roll the guards who are paid anew take over. Rule: MZ-6.14"""
        player = self.player(name)
        if name == self.state.turn.player:
            if self.state.rolled:
                return
            self.note(rolled=True)
        if player.bodyguards > player.bodyguards_next:
            self.tell(BodyguardsLeft(name, player.bodyguards - player.bodyguards_next))
        if player.bodyguards or player.bodyguards_next:
            self.note_player(name, bodyguards=player.bodyguards_next, bodyguards_next=0)

    # -- battles of dice -----------------------------------------------------------------------

    def is_battle(self, space: str) -> bool:
        """Rule: MZ-12.2"""
        if self.is_refuge(space) or not any(self.can_turn(name) for name in self.humans_at(space)):
            return False
        return bool(self.zombies_at(space)) or self.is_infected(space)

    def begin_battle(self, space: str, arrivals: list[str], by: str) -> None:
        """Rule: MZ-12.2, MZ-12.3"""
        if self.is_battle(space):
            self.ask_defence({"space": space, "arrivals": arrivals, "by": by})

    def defence_dice(self, space: str) -> int:
        """Rule: MZ-12.3"""
        return len(self.humans_at(space)) + self.guards_at(space) + (1 if self.level(space) else 0)

    def attack_dice(self, space: str) -> int:
        """Rule: MZ-12.3"""
        return len(self.zombies_at(space)) + (1 if self.is_infected(space) else 0)

    def ask_defence(self, memo: dict[str, Any]) -> None:
        """Rule: MZ-12.3"""
        humans = self.humans_at(memo["space"])
        thrower = next((name for name in humans if name in memo["arrivals"]), humans[0])
        self.ask_roll(thrower, f"{self.defence_dice(memo['space'])}d6", "defence", memo)

    def throw_defence(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-12.3"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "defence"))
        memo = {**decision.memo, "defence": sum(dice)}
        zombies = self.zombies_at(memo["space"])
        owner = self.ground(memo["space"]).owner or ""
        thrower = next((name for name in zombies if name in memo["arrivals"]), zombies[0] if zombies else owner)
        self.ask_roll(thrower, f"{self.attack_dice(memo['space'])}d6", "attack", memo)

    def throw_attack(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-12.4"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "attack"))
        memo, attack = decision.memo, sum(dice)
        space, defence = memo["space"], memo["defence"]
        if attack == defence:
            self.ask_defence({key: memo[key] for key in ("space", "arrivals", "by")})
            return
        self.tell(BattleFought(space, defence, attack, "zombies" if attack > defence else "humans"))
        if attack > defence:
            fallen = {name: "battle" for name in self.humans_at(space) if self.can_turn(name)}
            self.overcome(space, fallen, memo["by"])
