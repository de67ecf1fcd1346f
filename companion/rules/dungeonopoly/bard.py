"""The bard. Rule: DG-10"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.chance import Chance
from companion.rules.dungeonopoly.abilities import ITSELF, LIMITED, MOVE, OTHER, REACT, Ability, Use
from companion.rules.dungeonopoly.core import Core
from companion.rules.dungeonopoly.damage import Blow
from companion.rules.dungeonopoly.events import AbilitiesRenewed
from companion.rules.dungeonopoly.rents import Rent
from companion.rules.dungeonopoly.uses import Objection
from companion.rules.dungeonopoly.walks import Walk
from companion.rules.events import Rolled
from companion.rules.state import Decision, Step

KNOWLEDGE = 7
#: (bard, melody) each; a list, because it is kept in steps.
Melodies = list[list[str]]


def _melody(slug: str, name: str, clause: str, text: str) -> Ability:
    return Ability(
        slug=slug,
        name=name,
        owner="bard",
        level=1,
        timing=REACT,
        trigger="music",
        choice="melody",
        clause=clause,
        text=text,
    )


ABILITIES = (
    _melody("inspire_courage", "Inspire Courage", "DG-10.2", "The Bank pays half of the rent that is owed here."),
    _melody("cutting_words", "Cutting Words", "DG-10.3", "When the rent is paid, the owner takes damage."),
    _melody("song_of_freedom", "Song of Freedom", "DG-10.4", "When the rent is paid, the payer goes to Free Parking."),
    _melody(
        "inspire_greatness", "Inspire Greatness", "DG-10.5", "When the rent is paid, the payer throws and goes on."
    ),
    _melody("song_of_rest", "Song of Rest", "DG-10.6", "The payer's abilities come back, and her turn is over."),
    _melody("frightening_tune", "Frightening Tune", "DG-10.7", "When the rent is paid, the payer flees backward."),
    _melody("dirge_of_doom", "Dirge of Doom", "DG-10.8", "The rent that is owed here is doubled."),
    Ability(
        slug="fascinate",
        name="Fascinate",
        owner="bard",
        level=2,
        mental=True,
        clause="DG-10.11",
        text="Everybody within range comes to the bard's square.",
    ),
    Ability(
        slug="suggestion",
        name="Suggestion",
        owner="bard",
        level=4,
        kind="spell",
        target=OTHER,
        reach=LIMITED,
        mental=True,
        clause="DG-10.13",
        text="Somebody moves along with her until the end of the turn.",
    ),
    Ability(
        slug="glitterdust",
        name="Glitterdust",
        owner="bard",
        level=5,
        kind="spell",
        reach=LIMITED,
        needs=("on",),
        enchants=True,
        clause="DG-10.15",
        text="Whoever is on a square is revealed, and cannot hide the next time.",
    ),
    Ability(
        slug="bardic_knowledge",
        name="Bardic Knowledge",
        owner="bard",
        level=7,
        timing=MOVE,
        single=True,
        clause="DG-10.17",
        text="Seven squares forward in place of a roll.",
    ),
    Ability(
        slug="mass_suggestion",
        name="Mass Suggestion",
        owner="bard",
        level=8,
        kind="spell",
        mental=True,
        clause="DG-10.18",
        text="Everybody within range moves along with her until the end of the turn.",
    ),
    Ability(
        slug="jack_of_all_trades",
        name="Jack-of-All-Trades",
        owner="bard",
        level=10,
        kind="automatic",
        timing=ITSELF,
        clause="DG-10.19",
        text="Three abilities of other classes, of level 5 or less.",
    ),
)


class Bards(Core):
    """What bards do."""

    # -- Bardic Music --------------------------------------------------------------------------

    def do_music(self, player: str, values: dict[str, Any]) -> None:
        """Bards on the property are asked, for all who come to owe it together at once. Rule: DG-10.1, DG-10.9"""
        rent = Rent(**values)
        known = self.song_for(player)
        if known is not None:
            self.play(player, known)
            return
        facts = {"space": rent.space, "payers": [player, *self.fellows(rent)], "amount": rent.amount}
        self.then("song_chosen", player)
        self.ask_round("music", [name for name in (player, *self.others(player)) if self.at(name) == rent.space], facts)

    def offers_melody(self, player: str, facts: dict[str, Any]) -> bool:
        """Only on that property. Rule: DG-10.1"""
        return bool(self.at(player) == facts["space"])

    offers_inspire_courage = offers_song_of_freedom = offers_inspire_greatness = offers_melody
    offers_song_of_rest = offers_frightening_tune = offers_dirge_of_doom = offers_melody

    def offers_cutting_words(self, player: str, facts: dict[str, Any]) -> bool:
        """Rule: DG-10.3"""
        owner = self.state.spaces[facts["space"]].owner
        if owner is None or self.same_side(player, owner):
            return False
        return self.offers_melody(player, facts) and not self.is_hidden(owner) and self.aura(owner, "sanctuary") is None

    def effect_melody(self, use: Use) -> None:
        """Rule: DG-10.1"""
        self.play(use.args["payers"][0], [[use.player, use.ability]])

    effect_inspire_courage = effect_cutting_words = effect_song_of_freedom = effect_inspire_greatness = effect_melody
    effect_song_of_rest = effect_frightening_tune = effect_dirge_of_doom = effect_melody

    def play(self, payer: str, melodies: Melodies) -> None:
        """These melodies go with the rent that this character is about to pay."""
        place = self.place_of("pay_rent", payer)
        if place is not None:
            step = self.state.todo[place]
            rent = Rent(**step.args[0])
            rent = replace(rent, melodies=[*rent.melodies, *melodies])
            self.put_args(place, msgspec.to_builtins(rent))

    def do_song_chosen(self, player: str) -> None:
        """What has been played goes for all who owe the same rent together. Rule: DG-10.9"""
        place = self.place_of("pay_rent", player)
        if place is None:
            return
        rent = Rent(**self.state.todo[place].args[0])
        fellows = self.fellows(rent)
        if not fellows:
            return
        words = [each for each in rent.melodies if each[1] == "cutting_words"]
        others = [each for each in rent.melodies if each[1] != "cutting_words"]
        for name in fellows:
            landing = self.place_of("land_towed", name)
            if landing is not None:
                values, _ = self.state.todo[landing].args
                self.put_args(landing, values, others)
        if words:
            self.put_args(place, msgspec.to_builtins(replace(rent, melodies=others)))
            last = min(place for name in fellows if (place := self.place_of("land_towed", name)) is not None)
            step = Step("words", words[0][0], [rent.owner])
            self.state.todo = (*self.state.todo[:last], step, *self.state.todo[last:])

    def do_pay_rent(self, player: str, values: dict[str, Any]) -> None:
        """Rule: DG-5.6 (5) to (8), DG-10.2, DG-10.8"""
        rent = Rent(**values)
        played = [melody for _, melody in rent.melodies]
        amount = rent.amount * 2 ** played.count("dirge_of_doom")
        share = amount // 2 if "inspire_courage" in played else 0
        self.then("after_rent", player, values)
        if share:
            self.then("share", rent.owner, share)
        super().do_pay_rent(player, msgspec.to_builtins(replace(rent, amount=amount - share)))

    def do_share(self, owner: str, amount: int) -> None:
        """The Bank's half. Rule: DG-10.2"""
        self.receive(owner, amount, "rent")

    def do_after_rent(self, player: str, values: dict[str, Any]) -> None:
        """What melodies do when the rent is paid. Rule: DG-5.6 (8)"""
        rent = Rent(**values)
        for bard, melody in reversed(rent.melodies):
            if melody == "cutting_words":
                self.then("words", bard, rent.owner)
            elif melody not in ("inspire_courage", "dirge_of_doom"):
                self.then(melody, player)

    def do_words(self, bard: str, owner: str) -> None:
        """Rule: DG-10.3"""
        self.strike(owner, Blow(bard, "cutting_words"))

    def do_song_of_freedom(self, player: str) -> None:
        """Rule: DG-10.4"""
        self.walk_to(player, "free-parking", "ability")

    def do_inspire_greatness(self, player: str) -> None:
        """Rule: DG-10.5"""
        self.ask_roll(player, "2d6", "inspire_greatness")

    def throw_inspire_greatness(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: DG-10.5"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "inspire_greatness"))
        self.walk(decision.player, sum(dice), "ability")

    def do_frightening_tune(self, player: str) -> None:
        """Rule: DG-10.7"""
        self.ask_roll(player, "d6", "frightening_tune")

    def throw_frightening_tune(self, decision: Decision, dice: tuple[int, ...]) -> None:
        """Rule: DG-10.7"""
        self.close(decision)
        self.tell(Rolled(decision.player, list(dice), "frightening_tune"))
        self.walk(decision.player, -dice[0], "ability")

    def do_song_of_rest(self, player: str) -> None:
        """Rule: DG-10.6"""
        if self.hero(player).used:
            self.tell(AbilitiesRenewed(player))
        if self.is_own_turn(player):
            self.end_turn_early(player, "song_of_rest")

    # -- Fascinate -----------------------------------------------------------------------------

    def fascinated(self, player: str) -> list[str]:
        """Who can be pulled to her, in turn order. Rule: DG-10.11"""
        at = self.at(player)
        return [
            name
            for name in self.others(player)
            if self.at(name) != at and self.reaches(player, self.at(name), LIMITED) and not self.is_ascended(name)
        ]

    def not_yet_fascinated(self, player: str) -> list[str]:
        uses = self.state.turn.uses
        return [name for name in self.fascinated(player) if f"fascinate:{name}" not in uses]

    def objections_fascinate(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-10.11"""
        if not self.fascinated(use.player):
            yield "no_effect", "There is nobody near who could come."
        elif not self.not_yet_fascinated(use.player):
            yield "already_used", "Everybody near has been fascinated in this turn."

    def effect_fascinate(self, use: Use) -> None:
        """Rule: DG-10.11"""
        names = self.not_yet_fascinated(use.player)
        self.note_turn(uses=[*self.state.turn.uses, *(f"fascinate:{name}" for name in names)])
        for name in reversed(names):
            self.then("pull", name, use.player)

    def do_pull(self, player: str, bard: str) -> None:
        """Rule: DG-10.11"""
        to = self.at(bard)
        if to is not None and self.at(player) is not None:
            self.walk_shorter_way(player, to)

    # -- Suggestion ----------------------------------------------------------------------------

    def objections_suggestion(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-2.14"""
        if use.target in self.state.turn.suggested:
            yield "no_effect", f"{use.target} moves along already."

    def effect_suggestion(self, use: Use) -> None:
        """Rule: DG-10.13"""
        self.take_along(use.player, [use.target])

    def entranced(self, player: str) -> list[str]:
        """Who comes under a Mass Suggestion now. Rule: DG-10.18"""
        return [
            name
            for name in self.others(player)
            if self.reaches(player, self.at(name), LIMITED)
            and not self.is_ascended(name)
            and name not in self.state.turn.suggested
        ]

    def objections_mass_suggestion(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-2.14"""
        if not self.entranced(use.player):
            yield "no_effect", "There is nobody near to take along."

    def effect_mass_suggestion(self, use: Use) -> None:
        """Rule: DG-10.18"""
        self.take_along(use.player, self.entranced(use.player))

    def take_along(self, player: str, names: list[str]) -> None:
        """Rule: DG-10.13"""
        before = self.state.turn.suggested if self.state.turn.leader == player else ()
        self.note_turn(suggested=[*before, *names], leader=player)

    def come_to_rest(self, walk: Walk) -> None:
        """All move, then they land, the leader first. Rule: DG-10.14"""
        if walk.towed:
            self.wait_to_land(walk)
            return
        followers = self.followers_of(walk)
        if not followers:
            super().come_to_rest(walk)
            return
        for name in reversed(followers):
            self.then("land_towed", name, None, None)
        self.then("meet", walk.player, msgspec.to_builtins(walk), 0)
        for name in reversed(followers):
            self.then("tow", name, walk.squares * walk.step)

    def followers_of(self, walk: Walk) -> list[str]:
        """Who moves along with this walk. Rule: DG-10.14"""
        turn = self.state.turn
        if walk.player != turn.leader or walk.squares == 0:
            return []
        return [name for name in self.others(walk.player) if name in turn.suggested and self.at(name) is not None]

    def do_tow(self, player: str, squares: int) -> None:
        """Rule: DG-10.14"""
        if self.at(player) is not None:
            self.walk(player, squares, "ability", towed=True)

    def wait_to_land(self, walk: Walk) -> None:
        """A towed character stands on her last square; the leader's landing comes first."""
        place = self.place_of("land_towed", walk.player)
        if place is not None:
            self.put_args(place, msgspec.to_builtins(walk), self.state.todo[place].args[1])

    def do_land_towed(self, player: str, values: dict[str, Any] | None, song: list[Any] | None) -> None:
        """Rule: DG-10.14"""
        if values is None or self.at(player) != values["at"]:
            return
        if song is not None:
            self.then("song", player, song)
        self.meet(Walk(**values), 0)

    def do_song(self, player: str, song: list[Any]) -> None:
        """The landing for which the melodies were chosen before is over."""

    def song_for(self, player: str) -> Melodies | None:
        """The melodies that were chosen for all who landed here together, if that has been done. Rule: DG-10.9"""
        place = self.place_of("song", player)
        return None if place is None else list(self.state.todo[place].args[0])

    def fellows(self, rent: Rent) -> list[str]:
        """Who else is about to land on the same property and to owe its rent. Rule: DG-10.9"""
        return [
            step.player
            for step in reversed(self.state.todo)
            if step.name == "land_towed"
            and step.player is not None
            and step.player != rent.debtor
            and step.args[0] is not None
            and step.args[0]["at"] == rent.space
            and step.args[0]["counts"]
            and not self.same_side(step.player, rent.owner)
        ]

    # -- Glitterdust, Bardic Knowledge ---------------------------------------------------------

    def dusted(self, space: str) -> list[str]:
        """Whom Glitterdust would touch there. Rule: DG-10.15, DG-11.9"""
        return [
            name
            for name in self.here(space)
            if not self.is_suppressed(name) and (self.aura(name, "glitterdust") is None or self.is_hidden(name))
        ]

    def objections_glitterdust(self, use: Use) -> Iterator[Objection]:
        """Rule: DG-10.15"""
        if not self.reaches(use.player, use.args["on"], LIMITED):
            yield "out_of_range", f"{self.title_of(use.args['on'])} is too far away for Glitterdust."
        if not self.dusted(use.args["on"]):
            yield "no_effect", f"Glitterdust would touch nobody on {self.title_of(use.args['on'])}."

    def effect_glitterdust(self, use: Use) -> None:
        """Rule: DG-10.15, DG-12.15"""
        touched = self.dusted(use.args["on"])
        for name in reversed([name for name in (use.player, *self.others(use.player)) if name in touched]):
            self.then("dust", name, use.player)

    def do_dust(self, player: str, bard: str) -> None:
        """Rule: DG-10.15, DG-12.15"""
        if player != bard and self.has_entropic_ward(player):
            self.test_ward(player, bard, "glitterdust", "glitter", bard)
        else:
            self.do_glitter(player, bard)

    def do_glitter(self, player: str, bard: str) -> None:
        """Rule: DG-10.15"""
        self.enchant(player, "glitterdust", bard)
        self.reveal(player, "glitterdust")

    def suggest_glitterdust(self, player: str, rng: Chance) -> dict[str, Any] | None:
        near = [self.at(name) for name in self.others(player) if self.reaches(player, self.at(name), LIMITED)]
        return {"on": rng.choice(near)} if near else None

    def effect_bardic_knowledge(self, use: Use) -> None:
        """Rule: DG-10.17"""
        self.replace_roll(use.player)
        self.walk(use.player, KNOWLEDGE, "ability", counts=self.counts_now(use.player))

    # -- steps ---------------------------------------------------------------------------------

    def place_of(self, name: str, player: str) -> int | None:
        """Where the topmost step of this name and player lies."""
        todo = self.state.todo
        return next((k for k in reversed(range(len(todo))) if todo[k].name == name and todo[k].player == player), None)

    def put_args(self, place: int, *args: Any) -> None:
        """Other arguments for a step that is still to be done."""
        todo = self.state.todo
        step = Step(todo[place].name, todo[place].player, list(args))
        self.state.todo = (*todo[:place], step, *todo[place + 1 :])
