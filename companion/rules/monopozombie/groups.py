"""MZ-10 Groups: survivors who move together."""

from typing import Any

from companion.rules.events import Rolled
from companion.rules.monopozombie.apocalypse import Apocalypse
from companion.rules.monopozombie.events import (
    ClaimOverruled,
    DiceTaken,
    GroupFormed,
    GroupSplit,
    TurnDelayed,
)
from companion.rules.monopozombie.state import Group, Take
from companion.rules.monopozombie.zombies import DIRECTIONS
from companion.rules.state import Decision

#: Group moves after which a group parts, and turns that its members then move alone. Rule: MZ-10.9
MOST_MOVES = 3


class Groups(Apocalypse):
    """Forming, moving and parting."""

    def group_with(self, player: str) -> Group | None:
        return next((group for group in self.state.groups if player in group.players), None)

    # -- forming -------------------------------------------------------------------------------

    def use_team_up(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: MZ-10.1, MZ-10.2"""
        player, partners = self.actor(by), args.get("with")
        if not isinstance(partners, (list, tuple)) or not partners:
            self.refuse("malformed", "with is a list of the others' names.")
        named = {player, *(self.player_named(name) for name in partners)}
        if any(decision.kind == "extra_go" for decision in self.state.decisions):
            self.refuse("decision_pending", "First the further roll is taken or declined.")
        members = tuple(name for name in self.order if name in named)
        self.check_team(members)
        joined = [group for group in self.state.groups if set(group.players) & named]
        group = Group(members, self.last_come(members), max((each.moves for each in joined), default=0))
        self.tell(GroupFormed(list(members), group.lead))
        self.note(groups=[*(each for each in self.state.groups if each not in joined), group])
        for name in members:
            if self.is_homeless(name) and not self.player(name).upskilled:
                self.note_player(name, upskilled=True)
        if self.state.turn.phase == "roll" and self.state.turn.player != group.lead:
            self.tell(TurnDelayed(self.state.turn.player))
            self.state.base = "done"

    def check_team(self, members: tuple[str, ...]) -> None:
        """Rule: MZ-10.1, MZ-10.2"""
        turn, players = self.state.turn, self.state.players
        if not self.is_apocalypse:
            self.refuse("not_allowed", "Groups are formed in the apocalypse only.")
        if turn.phase not in ("roll", "done") or turn.player not in members:
            self.refuse("not_allowed", "A group is formed in the turn of one of its members, before or after the move.")
        if not all(self.is_human(name) for name in members):
            self.refuse("not_allowed", "Zombies join no group.")
        if len({players[name].at for name in members}) > 1 or any(players[name].in_jail for name in members):
            self.refuse("not_allowed", "All of a group stand on one space.")
        if any(self.player(name).apart for name in members):
            self.refuse("not_allowed", "Who has moved in a group three times moves alone for three turns.")
        for group in self.state.groups:
            if set(group.players) & set(members) and not set(group.players) < set(members):
                self.refuse("not_allowed", f"A group comes whole: {', '.join(group.players)}.")
        if len(members) < 2:
            self.refuse("not_allowed", "A group is two humans or more.")

    def last_come(self, members: tuple[str, ...]) -> str:
        """Who came to the space last; if that is not known, whose turn it is. Rule: MZ-10.4"""
        came = {name: self.state.came.get(name, 0) for name in members}
        latest = max(abs(when) for when in came.values())
        last = [name for name in members if abs(came[name]) == latest]
        if len(last) == 1 and came[last[0]] > 0:
            return last[0]
        return self.state.turn.player if self.state.turn.player in members else members[0]

    # -- turns ---------------------------------------------------------------------------------

    def has_turns(self, player: str) -> bool:
        """The group moves in the lead's turn. Rule: MZ-10.4, MZ-10.11"""
        group = self.group_with(player)
        return super().has_turns(player) and (group is None or group.lead == player)

    def start_turn(self, player: str) -> None:
        """Rule: MZ-10.4"""
        if self.state.groups and self.state.turn.number:
            for name in self.others_from(self.state.turn.player):
                if name == player:
                    break
                if self.group_with(name) is not None:
                    self.tell(TurnDelayed(name))
        super().start_turn(player)

    def turn_decisions(self, player: str) -> list[Decision]:
        """Rule: MZ-10.5"""
        group = self.group_with(player)
        if group is None or not self.is_apocalypse:
            return super().turn_decisions(player)
        facts = {"dice": self.group_dice(group), "purpose": "move", "group": list(group.players)}
        return [Decision("roll", player, None, facts)]

    def group_dice(self, group: Group) -> str:
        """Rule: MZ-10.5"""
        return f"{3 * len(group.players)}d6"

    def settle_turn(self, player: str) -> None:
        """A turn that he has moved alone. Rule: MZ-10.9"""
        super().settle_turn(player)
        apart = self.player(player).apart
        if apart and not self.state.together:
            self.note_player(player, apart=apart - 1)

    # -- sharing the dice ----------------------------------------------------------------------

    def throw_move(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: MZ-10.5"""
        if "group" not in decision.facts:
            super().throw_move(decision, dice)
            return
        self.tell(Rolled(decision.player, list(dice), "move"))
        self.state.base, self.state.again, self.state.dice = "done", False, dice
        members = decision.facts["group"]
        self.note(pool=dice, takes={}, together=members)
        for name in members:
            if name != decision.player:
                self.relieve_guards(name)
            self.ask_share(name)

    def ask_share(self, player: str) -> None:
        """Rule: MZ-10.6"""
        self.ask("share_dice", player, group=list(self.state.together), pool=list(self.state.pool))

    def use_take_dice(self, by: str | None, args: dict[str, Any]) -> None:
        """Rule: MZ-10.6"""
        player = self.actor(by)
        if not self.state.pool or player not in self.state.together:
            self.refuse("not_allowed", f"{player} has no dice of a group to take.")
        dice, direction = self.check_take(args)
        takes = {name: take for name, take in self.state.takes.items() if name != player}
        places: list[int] = []
        overruled: dict[str, int] = {}
        for die in dice:
            place, loser = self.find_die(player, die, places, takes)
            places.append(place)
            if loser is not None:
                overruled[loser] = die
                del takes[loser]
        self.tell(DiceTaken(player, dice, direction))
        takes[player] = Take((places[0], places[1]), direction)
        self.note(takes=takes)
        self.close_all(player, ("share_dice",))
        for loser, die in overruled.items():
            self.tell(ClaimOverruled(loser, player, die))
            self.ask_share(loser)
        if len(takes) == len(self.state.together):
            self.leave_with_dice()

    def check_take(self, args: dict[str, Any]) -> tuple[list[int], str]:
        """Rule: MZ-10.6"""
        dice, direction, pool = args.get("dice"), args.get("direction"), self.state.pool
        if not isinstance(dice, (list, tuple)) or len(dice) != 2 or any(type(die) is not int for die in dice):
            self.refuse("malformed", "dice are two of the pool.")
        if any(pool.count(die) < list(dice).count(die) for die in dice):
            self.refuse("not_an_option", f"{list(dice)} are not among the dice {list(pool)}.")
        if not isinstance(direction, str) or direction not in DIRECTIONS:
            self.refuse("not_an_option", f"direction is {' or '.join(DIRECTIONS)}.")
        return list(dice), direction

    def find_die(self, player: str, die: int, mine: list[int], takes: dict[str, Take]) -> tuple[int, str | None]:
        """A die of this value: its place in the pool, and who loses it. Rule: MZ-10.7"""
        holder = {place: name for name, take in takes.items() for place in take.dice}
        places = [place for place, value in enumerate(self.state.pool) if value == die and place not in mine]
        own = [place for place in places if self.state.together[place // 3] == player]
        for place in (*own, *places):
            if place not in holder:
                return place, None
        if not own:
            self.refuse("not_owner", f"The {die} is taken, and it is not {player}'s: its roller decides on it.")
        return own[0], holder[own[0]]

    # -- moving together -----------------------------------------------------------------------

    def leave_with_dice(self) -> None:
        """All have taken: all leave and arrive together. Rule: MZ-10.8, MZ-10.9, MZ-10.12"""
        pool, takes = self.state.pool, self.state.takes
        members, lead = list(self.state.together), self.state.turn.player
        self.note(pool=(), takes={})
        self.count_move(members)
        self.then("end_move", lead)
        self.then("part", None, members)
        hands = {name: (pool[takes[name].dice[0]], pool[takes[name].dice[1]]) for name in members}
        for name in reversed(members):
            self.offer_after_double(name, hands[name])
        for name in members:
            if hands[name] == (1, 1):
                self.turn_by_throw(name, "snake_eyes")
        ways = {}
        for name in members:
            forward = takes[name].direction == "forward"
            steps = sum(hands[name]) if forward else -sum(hands[name])
            ways[name] = (self.board.after(self.state.players[name].at or "go", steps), forward)
        self.move_together(ways, "roll", lead)

    def count_move(self, members: list[str]) -> None:
        """Rule: MZ-10.9"""
        groups = [
            Group(group.players, group.lead, group.moves + 1) if group.players[0] in members else group
            for group in self.state.groups
        ]
        self.note(groups=groups)

    def do_part(self, player: str | None, members: list[str]) -> None:
        """The group has moved: does it stay one? Rule: MZ-10.9, MZ-10.10"""
        for group in self.state.groups:
            if group.players[0] not in members:
                continue
            if group.moves >= MOST_MOVES:
                self.leave_group(list(group.players), "three_turns")
                for name in group.players:
                    self.note_player(name, apart=MOST_MOVES)
            else:
                self.part_by_place(group)

    def part_by_place(self, group: Group) -> None:
        """Those who still share a space stay a group, one alone is free. Rule: MZ-10.10"""
        by_place: dict[str | None, list[str]] = {}
        for name in group.players:
            by_place.setdefault(self.state.players[name].at, []).append(name)
        together = [tuple(names) for names in by_place.values() if len(names) > 1]
        kept = next((names for names in together if group.lead in names), together[0] if together else ())
        gone = [name for name in group.players if name not in kept]
        if not gone:
            return
        self.tell(GroupSplit(gone, "parted"))
        parts = [Group(names, self.next_lead(group, names), group.moves) for names in together]
        self.note(groups=[*(each for each in self.state.groups if each != group), *parts])
