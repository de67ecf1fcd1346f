"""The demo's bookkeeping, with a reader that makes no mistakes and with one that does."""

import dataclasses
from typing import Any

import pytest

from companion.cli.headless import HeadlessTable, TurnRecord
from companion.observations import SPACES, Building, BuildingsSeen, DiceSeen, DieSeen
from companion.rules.catalog import spaces
from companion.table.sightings import board_book
from tests.unit.vision_live.truth_reader import TruthReader
from vision.detections import DieReading, TableReading
from vision.sources import FrameBgr
from vision.virtual.render import Renderer
from vision.virtual.world import World


def played(
    seed: int, turns: int, variant: str = "classic", reader: type[TruthReader] = TruthReader
) -> list[TurnRecord]:
    return list(HeadlessTable(seed, reader, variant, players=3, size=(480, 270)).turns(turns))


@pytest.mark.parametrize(("seed", "variant"), [(1, "classic"), (2, "watch")])
def test_every_turn_is_right_without_asking_when_the_reader_is(seed: int, variant: str) -> None:
    records = played(seed, 6, variant)
    assert len(records) == 6
    assert [record.turn for record in records if not record.is_ok or record.asked] == []


def test_the_cop_and_the_discs_on_the_table_are_those_of_the_book() -> None:
    table = HeadlessTable(3, TruthReader, "slaughterhouse", players=3, size=(480, 270))
    records = list(table.turns(12))
    assert [record.turn for record in records if not record.is_ok or record.asked] == []
    book = table.truth.snapshot()
    assert book["cop"]["at"] != "go-to-jail", "the Cop of this seed was never called"
    assert table._world.setting.square_of("cop") == (SPACES.index(book["cop"]["at"]), False)
    discs = {SPACES.index(slug): kinds for slug, space in book["spaces"].items() if (kinds := discs_of(space))}
    assert discs
    assert table._world.setting.markers == discs


def test_the_eyes_are_told_what_the_book_has_and_tokens_only_while_nothing_is_asked() -> None:
    table = HeadlessTable(3, TruthReader, "slaughterhouse", players=3, size=(480, 270))
    list(table.turns(12))
    told, watcher = table._book, table._watcher
    assert told == board_book(table.read.game.snapshot(), table.seating.tokens)
    assert told.markers
    assert watcher._identity._book == told.tokens
    table.read.see(BuildingsSeen(buildings={"kentucky": Building(1)}, confidence=0.99))
    assert [question.about for question in table.read.questions] == ["buildings"]
    moved = {"players": {"Ann": {"at": "illinois"}}, "spaces": {"boardwalk": {"houses": 2}}}
    table.read.act({"set": moved})
    table._tell_eyes()
    assert (table._book.tokens, table._book.streets[39]) == (told.tokens, (2, False))
    assert watcher._identity._book == told.tokens


def discs_of(space: dict[str, Any]) -> tuple[str, ...]:
    return tuple(kind for kind in ("bomb", "miner") if space[kind])


def test_tokens_of_the_bankrupt_are_taken_off_and_the_game_goes_on_to_its_end() -> None:
    table = HeadlessTable(1, TruthReader, players=3, size=(480, 270))
    deeds = {space["space"]: {"owner": "Cat"} for space in spaces() if space["kind"] in ("street", "railroad")}
    for game in (table.truth, table.read):
        game.act({"set": {"players": {name: {"cash": 1} for name in ("Ann", "Bob")}, "spaces": deeds}})
    records = list(table.turns(40))
    assert table.truth.state.winners == ("Cat",)
    ruined = [record for record in records if record.truth["to"] is None]
    assert [record.truth["mover"] for record in ruined if record.is_ok and not record.asked] == ["Ann", "Bob"]
    assert table._world.setting.square_of(table.seating.tokens["Ann"]) is None


def test_teams_are_dealt_to_the_virtual_table() -> None:
    table = HeadlessTable(1, TruthReader, "dungeonopoly", players=4, teams=2, size=(480, 270))
    assert {name: player.team for name, player in table.truth.state.players.items()} == {
        "Ann": "Red",
        "Bob": "Blue",
        "Cat": "Red",
        "Dee": "Blue",
    }


def test_same_seed_plays_the_same_turns() -> None:
    assert [record.truth for record in played(3, 3)] == [record.truth for record in played(3, 3)]


class Misreader(TruthReader):
    """Takes every die for the next higher one, and is sure of it."""

    def __init__(self, world: World, renderer: Renderer) -> None:
        super().__init__(world, renderer)

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        reading = super().read(frame_bgr)
        return dataclasses.replace(reading, dice=[_wrong(die) for die in reading.dice])


def _wrong(die: DieReading) -> DieReading:
    return dataclasses.replace(die, faces={1 + die.value % 6: 0.99})


def test_wrong_dice_are_not_hidden_by_the_record() -> None:
    records = played(1, 5, reader=Misreader)
    assert not any(record.is_ok and not record.asked for record in records)
    assert all(record.asked for record in records), "dice that do not fit the token have to be asked about"


class Blurred(TruthReader):
    """Sees dice, but not what they show."""

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        reading = super().read(frame_bgr)
        faces = dict.fromkeys(range(1, 7), 1 / 6)
        return dataclasses.replace(reading, dice=[dataclasses.replace(die, faces=faces) for die in reading.dice])


def test_of_dice_that_nobody_could_read_the_sum_is_right_where_the_token_tells_it() -> None:
    records = played(1, 8, reader=Blurred)
    told = [record for record in records if not record.asked]
    assert {record.reading["sum"] % 2 for record in told} == {1}, "of an even sum it is open whether it was a double"
    assert all(record.is_ok for record in told)
    assert not any(record.is_ok for record in records if record.asked)
    record = next(each for each in told if each.truth["sum"] in (5, 7, 9))
    assert record.reading["dice"] is None, "more than one throw comes to that"
    record.reading["sum"] += 1
    assert not record.is_ok


class Overlooker(TruthReader):
    """Misses all dice."""

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        return dataclasses.replace(super().read(frame_bgr), dice=[])


def test_what_stands_on_the_board_is_known_after_a_turn_that_people_put_right() -> None:
    """So that a die that is overlooked can wait for the token, which will tell it."""
    table = HeadlessTable(1, Overlooker, players=3, size=(480, 270))
    (record,) = table.turns(1)
    assert (record.is_ok, record.asked) == (False, True)
    table.read.see(DiceSeen(dice=(DieSeen(faces={3: 0.99}),), throw=1))
    assert [note.about for note in table.read.notes] == ["dice"]
    assert table.read.questions == ()


def test_zombies_and_survivors_are_read_by_their_dice_and_by_where_they_go() -> None:
    table = HeadlessTable(2, TruthReader, "monopocalypse", players=4, size=(480, 270))
    undead = {name: {"status": "zombie", "laps": 1, "cash": 0} for name in ("Ann", "Cat")}
    for game in (table.truth, table.read):
        game.act({"set": {"stage": "apocalypse", "turn": {"player": "Ann"}, "players": undead}})
    records = list(table.turns(4))
    assert [record.turn for record in records if not record.is_ok or record.asked] == []
    assert {len(record.truth["dice"]) for record in records} >= {2, 3}
    assert all(max(record.truth["dice"]) <= 4 for record in records if record.truth["mover"] in undead)
