"""People of the virtual table at a live game: they throw, answer, follow corrections, and never get stuck."""

import dataclasses
from typing import Any

import msgspec
import pytest

from companion.cli import people
from companion.cli.people import People
from companion.cli.virtual_play import Seating, place_of
from companion.journal import Journal
from companion.observations import SPACES, Picture
from companion.session import Session
from companion.table import Table
from tests.unit.vision_live.truth_reader import TruthReader
from vision.detections import TableReading
from vision.live.watcher import Watcher
from vision.sources import FrameBgr
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.world import Command, World


class Misreader(TruthReader):
    """Takes the dice of some throws for others, surely."""

    def read(self, frame_bgr: FrameBgr) -> TableReading:
        reading = super().read(frame_bgr)
        values = [die.value for die in reading.dice]
        if sum(values) % 4:
            return reading
        wrong = [dataclasses.replace(die, faces={1 + die.value % 6: 0.995}) for die in reading.dice]
        return dataclasses.replace(reading, dice=wrong)


class Rig:
    """Session, journal, referee, world and watcher in one thread, on simulated time."""

    def __init__(self, seed: int, reader: type[TruthReader] = TruthReader, variant: str = "classic") -> None:
        style = TableStyle.random(seed, 3, (480, 270))
        self.seating = Seating(dict(zip(("Ann", "Bob", "Cat"), style.tokens, strict=True)))
        self.session = Session(Journal.in_memory())
        players = [{"name": name, "token": token} for name, token in self.seating.tokens.items()]
        self.table: Table = self.session.set_up({"players": players, "variant": variant})
        self.world = World(style, seed)
        self.world.set_up()
        self.renderer = Renderer(style)
        self.watcher = Watcher(reader(self.world, self.renderer))
        self.now_s = 0.0
        self.is_blind = False
        self.people = People(self.table, self, self.seating, seed, lambda: self.now_s)

    def move_world(self, commands: list[dict[str, Any]]) -> None:
        for command in msgspec.convert(commands, list[Command]):
            self.world.do(command)

    @property
    def world_done(self) -> frozenset[int]:
        return frozenset(self.world.done)

    def run(self, throws: int, seconds: float = 600.0) -> None:
        while self.people.throws <= throws and self.now_s < seconds:
            self.now_s += 0.2
            frame = self.renderer.render(self.world.scene_at(self.now_s), self.world.moment())
            for seen in [] if self.is_blind else self.watcher.feed(frame, round(self.now_s * 1e9)):
                if isinstance(seen, Picture):
                    self.session.take_picture(seen)
                else:
                    self.session.observe(seen)
            self.people.step()
        assert self.people.throws > throws, "the game got stuck"


def test_people_play_on_and_the_board_shows_the_book() -> None:
    rig = Rig(1)
    rig.run(5)
    log = rig.table.view()["log"]
    rolls = [line for line in log if line["kind"] in ("roll", "move", "rolled") or line["by"] == "camera"]
    assert [line["by"] for line in rolls].count("camera") >= 5
    game = rig.table.game()
    for player, token in rig.seating.tokens.items():
        if player != game.state.turn.player and not rig.people._under_way:
            assert rig.world.setting.square_of(token) == place_of(game, player)


def test_hands_that_never_heard_what_they_were_told_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "LOST_S", 30.0)
    rig = Rig(1)
    rig.run(1)
    with monkeypatch.context() as patch:
        patch.setattr(rig, "move_world", lambda commands: None)
        rig.run(2)
    rig.run(4)


def test_misread_dice_are_put_right_by_answering() -> None:
    rig = Rig(2, Misreader, "watch")
    rig.run(7)
    asked = [entry for entry in rig.session._journal.entries(rig.table.record.id) if entry.kind == "answer"]
    assert asked, "no throw of this seed was misread"


def test_blind_eyes_do_not_stop_the_game() -> None:
    rig = Rig(3, variant="watch")
    rig.is_blind = True
    rig.run(2)
    assert [action["roll"] for action in rig.table.actions() if "roll" in action]


def test_correction_on_the_tablet_is_carried_out_on_the_board() -> None:
    rig = Rig(4, variant="watch")
    rig.run(1)
    while rig.people._under_way - rig.world_done or len([a for a in rig.table.actions() if "roll" in a]) < 2:
        rig.now_s += 0.2
        rig.world.scene_at(rig.now_s)
        rig.people.step()
    rig.table.act({"set": {"players": {"Cat": {"at": "boardwalk"}}}})
    for _ in range(60):
        rig.now_s += 0.2
        rig.world.scene_at(rig.now_s)
        rig.people.step()
        if rig.world.setting.square_of(rig.seating.tokens["Cat"]) == (39, False):
            break
    else:
        raise AssertionError("nobody moved the token")


def test_a_zombie_shows_with_its_token_which_way_it_goes() -> None:
    rig = Rig(5, variant="monopozombie")
    zombies = {name: {"status": "zombie", "laps": 1, "cash": 0} for name in ("Ann", "Bob")}
    rig.table.act({"set": {"stage": "apocalypse", "turn": {"player": "Ann"}, "players": zombies}})
    rig.run(3)
    steps = [(line["by"], line["action"]) for line in rig.table.view()["log"] if line["action"]]
    walks = [by for by, action in steps if action.get("choose") in SPACES]
    assert walks
    assert set(walks) == {"camera"}
