"""MonopoZombie: set-up, options and the end of each action. Rule: MZ-1, MZ-12"""

from typing import Any, ClassVar

from companion.rules.classic import Classic
from companion.rules.monopozombie.events import ZOMBIE_EVENTS
from companion.rules.monopozombie.stages import COMMERCE
from companion.rules.monopozombie.suggestions import Suggested
from companion.rules.options import Option, fill_in
from companion.rules.state import Decision, Player, State

SHELTER_WORDS = ("go", "cards", "just-visiting", "stations", "utilities")


class MonopoZombie(Suggested):
    """A zombie apocalypse overruns the classic game."""

    name: ClassVar[str] = "monopozombie"
    title: ClassVar[str] = "MonopoZombie"
    player_range: ClassVar[tuple[int, int]] = (2, 9)
    statuses: ClassVar[tuple[str, ...]] = ("human", "homeless", "zombie")
    stages: ClassVar[tuple[str, ...]] = ("capitalism", "outbreak", "apocalypse")
    event_types = (*Classic.event_types, *ZOMBIE_EVENTS)
    options: ClassVar[tuple[Option, ...]] = (
        *(option for option in Classic.options if option.name not in ("short_game", "deal_deeds")),
        Option("zombie_dice", ("d4", "d6"), "d4", "Zombies roll two d4, or d6 with 5 and 6 thrown again.", "MZ-5.1"),
        Option(
            "zombie_direction",
            ("after", "before"),
            "after",
            "Zombies choose their way after the roll or before.",
            "MZ-12.1",
        ),
        Option("conversion", ("count", "dice"), "count", "Who is outnumbered is converted, or dice decide.", "MZ-12.2"),
        Option(
            "homeless_invisible",
            ("off", "while_homeless", "forever"),
            "off",
            "The homeless shelter in zombies' houses unseen.",
            "MZ-12.5",
        ),
        Option("shelters", SHELTER_WORDS, [], "More spaces where nobody is converted.", "MZ-12.7", many=True),
        Option("carry_house", (False, True), False, "Survivors carry houses to zombies' land.", "MZ-12.8"),
        Option("fortify", (False, True), False, "Buildings can be fortified against one demolition.", "MZ-12.10"),
    )
    abilities: ClassVar[dict[str, tuple[str, ...]]] = {
        **{ability: args for ability, args in Classic.abilities.items() if ability != "deal"},
        "bodyguard": ("amount",),
        "team_up": ("with",),
        "take_dice": ("dice", "direction"),
        "carry_house": (),
        "fortify": ("space",),
    }

    @classmethod
    def fill_options(cls, given: dict[str, Any] | None) -> dict[str, Any]:
        """No speed game, no deeds dealt. Rule: MZ-1.3"""
        return fill_in(cls.options, given)

    # -- the end of each action ----------------------------------------------------------------

    def take(self, verb: str, value: Any, by: str | None = None, args: dict[str, Any] | None = None) -> None:
        """Stages and wins are looked at after every action but a correction by hand. Rule: MZ-1.5, MZ-11.5"""
        super().take(verb, value, by, args)
        if verb != "set":
            self.look_around()

    # -- corrections by hand -------------------------------------------------------------------

    def correct(self, changes: Any) -> None:
        """Rule: MZ-1.5, MZ-10.4"""
        super().correct(changes)
        named = changes.get("players", {})
        moved = [name for name, part in named.items() if "at" in part or "in_jail" in part]
        if moved:
            now = -1 - max(map(abs, self.state.came.values()), default=0)
            self.note(came={**self.state.came, **dict.fromkeys(moved, now)})
        turn = changes.get("turn", {})
        if "player" in turn or "phase" in turn:
            begun = turn.get("phase", "roll") == "roll"
            self.note(rolled=not begun, settled=not begun, together=(), direction=None, passed=(), chased=())
            self.note(pool=(), takes={})
        if not all(self.is_human(name) for name in self.state.together):
            self.note(pool=(), takes={})
        if changes.get("stage") == "outbreak":
            self.note_outbreak_start()
        if self.is_apocalypse:
            self.end_commerce()
            group = self.group_with(self.state.turn.player)
            if group is not None and group.lead != self.state.turn.player:
                self.state.base = "done"

    def check_corrected(self, state: State) -> None:
        super().check_corrected(state)
        for group in getattr(state, "groups", ()):
            members = [self.player_named(name) for name in group.players]
            if group.lead not in members or len(set(members)) < 2 or len(set(members)) < len(members):
                self.refuse("malformed", "A group has two members or more, one of whom leads.")
            if not 0 <= group.moves <= 3:
                self.refuse("malformed", "A group moves three times at most.")

    def check_corrected_player(self, name: str, player: Player) -> None:
        super().check_corrected_player(name, player)
        for number in ("bodyguards", "bodyguards_next", "apart"):
            if getattr(player, number) < 0:
                self.refuse("malformed", f"{number} of {name} is below 0.")
        start = getattr(player, "outbreak_start", None)
        if start is not None:
            self.space_named(start.at)

    def is_still_open(self, decision: Decision) -> bool:
        """Whether a decision still makes sense after a correction by hand."""
        player = self.state.players[decision.player]
        if not super().is_still_open(decision):
            return False
        if decision.kind == "move_to":
            return bool(player.at == decision.memo["at"])
        if decision.kind == "extra_go":
            return self.is_apocalypse and self.is_human(decision.player)
        if decision.kind == "share_dice":
            return all(self.is_human(name) for name in decision.facts["group"])
        if decision.memo.get("cause") == "passed":
            return self.is_homeless(decision.player)
        return not (self.is_apocalypse and decision.kind in COMMERCE)
