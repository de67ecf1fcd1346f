"""The demo without a page and without waiting: bots play, the real vision reads, the real referee decides."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.bots import Action, Bots
from companion.cli.virtual_play import (
    NAMES,
    Seating,
    dice_due,
    gestures_between,
    is_walk,
    pieces_of_nobody,
    place_of,
    renamed,
    throw_command,
    thrower,
)
from companion.observations import BoardBook, DieKind, Picture, SightSeen, StandingSeen
from companion.referee.driver import RefereedGame
from companion.referee.pieces import has_markers
from companion.rules import Game, Refused
from companion.table.book import sum_told
from companion.table.sightings import board_book
from vision.live.watcher import AWAITED_S, Reader, Watcher
from vision.reader import TableReader
from vision.virtual.render import Renderer
from vision.virtual.scene import TableStyle
from vision.virtual.world import SHAKE, Command, Gesture, World

#: Seconds between the frames that are rendered while the table rests, and after how long it counts as read.
FRAME_S, LONGEST_REST_S = 0.25, 3.0
#: Arms cross the board for nothing, and dice are brushed, in this share of turns.
PASS_OVER, NUDGE = 0.08, 0.06

#: While dice are shaken, the table lies still without them: frames at these shares of the time let it be read.
SHAKEN = (0.25, 0.5, 0.75)

#: Where somebody is who has left the game.
NOWHERE = (None, False)

#: Makes the reader of a virtual table.
ReaderMaker = Callable[[World, Renderer], Reader]


@dataclass
class TurnRecord:
    """One throw and what came of it: what was true and what was read, without `dice`, or `sum`, where that was not."""

    turn: int
    truth: dict[str, Any]
    reading: dict[str, Any] = field(default_factory=dict)
    asked: bool = False
    about: list[str] = field(default_factory=list)

    @property
    def is_ok(self) -> bool:
        unread = {key for key in ("dice", "sum") if self.reading[key] is None}
        return all(value == self.truth[key] for key, value in self.reading.items() if key not in unread)

    def as_json(self, seed: int) -> dict[str, Any]:
        record = {"seed": seed, "turn": self.turn, "truth": self.truth, "reading": self.reading}
        return {**record, "asked": self.asked, "about": self.about, "ok": self.is_ok}


class HeadlessTable:
    """One table of bots, played synchronously; time is simulated."""

    def __init__(
        self,
        seed: int,
        make_reader: ReaderMaker,
        variant: str = "classic",
        players: int = 4,
        teams: int = 0,
        size: tuple[int, int] = (1280, 720),
        restyled: Callable[[TableStyle], TableStyle] | None = None,
    ) -> None:
        """Sets the table up.

        Args:
            seed: draws the table, the dice and the players' wishes.
            teams: into how many the players are dealt; 0: everybody plays alone.
            size: of the camera's frames, px.
            restyled: makes another table, in other light, of the one that was drawn.
        """
        drawn = TableStyle.random(seed, players, size)
        self.style = drawn if restyled is None else restyled(drawn)
        self.seating = Seating(dict(zip(NAMES, self.style.tokens, strict=False)))
        self.truth = Game.new(variant, self.seating.characters(variant, seed), self.seating.teams(variant, teams))
        self.read = RefereedGame(self.truth.copy())
        self._bots = Bots(seed)
        self._world = World(self.style, seed)
        self._world.set_up()
        self._renderer = Renderer(self.style)
        reader = make_reader(self._world, self._renderer)
        self._pupil = reader if isinstance(reader, TableReader) else None
        if self._pupil is not None:
            self._pupil.has_markers = has_markers(self.truth.snapshot())
        self._watcher = Watcher(reader, pupil=self._pupil)
        self._now_s = 0.0
        self._record: TurnRecord | None = None
        self._read_before = 0
        self._due: tuple[DieKind, ...] | None = None
        self._book = BoardBook()
        self._standing: StandingSeen | None = None
        self._tell_eyes()
        self._rest()
        for command in pieces_of_nobody(self.truth):
            self._gesture(command)

    def turns(self, count: int) -> Iterator[TurnRecord]:
        """Plays until `count` throws have been made and settled, or the game is over."""
        done = 0
        while True:
            action = self._bots.next_action(self.truth)
            is_throw = action is not None and "roll" in action
            if is_throw or action is None:
                if self._record is not None:
                    yield self._close(self._record)
                if action is None or done == count:
                    return
                done += 1
                self._throw(action, done - 1)
            else:
                self._tap(action)

    def _throw(self, action: Action, turn: int) -> None:
        player = thrower(self.truth)
        square, _ = place_of(self.truth, player) or NOWHERE
        # Dice of one kind lie in no order.
        truth = {"mover": player, "dice": sorted(action["roll"]), "sum": sum(action["roll"]), "from": square}
        self._record = TurnRecord(turn, truth, {"mover": None, "dice": None, "sum": None, "from": square})
        self._distract()
        throw = throw_command(self.truth, action, player, self.seating)
        self._read_before = len(self._rolls_read())
        self._gesture(throw)
        if len(self._rolls_read()) == self._read_before and not self.read.questions:
            # Nobody goes on before the throw is told.
            self._rest(AWAITED_S)
        before = self.truth.copy()
        self.truth.act(action)
        self._hands(before, player)

    def _tell_eyes(self) -> None:
        """Which dice the game that was read waits for, and what it has on the board, as a live game tells it."""
        before = self._book if self.read.questions else None
        book = board_book(self.read.game.snapshot(), self.seating.tokens, before)
        if book != self._book:
            self._book = book
            self._watcher.learn(book)
        dice = dice_due(self.read.game)
        if dice != self._due:
            self._due = dice
            self._watcher.expect(None if dice is None else len(dice), dice or ())
            if self._pupil is not None:
                self._pupil.expect(dice or ())

    def _tap(self, action: Action) -> None:
        """A decision tapped on the tablet; what the book that was read cannot do is left out."""
        before = self.truth.copy()
        self.truth.act(action)
        mover = str(action.get("by", before.state.turn.player))
        if is_walk(before, action):
            self._hands(before, mover)
            if is_walk(self.read.game, action):
                self._tell(action)
        else:
            self._tell(action)
            self._hands(before, mover)

    def _tell(self, action: Action) -> None:
        try:
            self.read.act(action)
        except Refused as refusal:
            if self._record is not None:
                self._record.about.append(f"refused {refusal.code}")
        self._tell_eyes()
        self._note_questions()

    def _hands(self, before: Game, mover: str) -> None:
        for command in gestures_between(before, self.truth, self.seating, mover):
            self._gesture(command)

    def _distract(self) -> None:
        chance = self._world.rng.random()
        if chance < PASS_OVER:
            self._gesture(Command(do="pass_over", seat=int(self._world.rng.integers(4))))
        elif chance < PASS_OVER + NUDGE and self._world.setting.dice:
            self._gesture(Command(do="nudge", seat=int(self._world.rng.integers(4))))

    def _gesture(self, command: Command) -> None:
        """Carries out a gesture, with some frames of it, then lets the table rest until it is read."""
        self._world.do(command)
        self._now_s += 2.0
        gesture = self._world.begin(self._now_s)
        assert gesture is not None, "the table had rested"
        start_s = self._now_s
        for at_s in _telling_times(gesture):
            self._frame(start_s + at_s)
        self._now_s = start_s + gesture.duration_s
        self._rest()

    def _rest(self, least_s: float = 0.0) -> None:
        until_s, end_s, is_clear = self._now_s + least_s, self._now_s + LONGEST_REST_S, False
        # At least one picture: what was done is over by then, even if nothing of it was noticed.
        while self._now_s < end_s and not (is_clear and self._now_s > until_s):
            self._now_s += FRAME_S
            self._frame(self._now_s)
            is_clear = self._watcher.is_clear

    def _frame(self, now_s: float) -> None:
        scene = self._world.scene_at(now_s)
        frame_bgr = self._renderer.render(scene, self._world.moment())
        for seen in self._watcher.feed(frame_bgr, round(now_s * 1e9)):
            if isinstance(seen, Picture | SightSeen):
                continue
            told = renamed(seen, self.seating)
            if told is not None:
                self._standing = told if isinstance(told, StandingSeen) else self._standing
                self.read.see(told)
                self._tell_eyes()
                self._note_questions()

    def _note_questions(self) -> None:
        if self._record is not None and self.read.questions:
            self._record.asked = True
            self._record.about += [question.about for question in self.read.questions]

    def _rolls_read(self) -> list[dict[str, Any]]:
        return [event for event in self.read.events if event["type"] == "rolled"]

    def _close(self, record: TurnRecord) -> TurnRecord:
        """Compares the books; people would put right what differs before the game goes on."""
        mover = record.truth["mover"]
        for roll in self._rolls_read()[self._read_before :]:
            record.reading.update(mover=roll["player"], dice=sorted(roll["dice"]), sum=sum(roll["dice"]))
            if not next((act.is_read for act in reversed(self.read.acts) if "roll" in act.action), True):
                record.reading |= {"dice": None, "sum": sum(sum_told(roll)) or None}
        record.truth["to"], record.truth["in_jail"] = place_of(self.truth, mover) or NOWHERE
        record.reading["to"], record.reading["in_jail"] = place_of(self.read.game, mover) or NOWHERE
        record.about = sorted(set(record.about))
        if not record.is_ok or self.read.questions or self.read.game.snapshot() != self.truth.snapshot():
            self.read = RefereedGame(self.truth.copy())
            if self._standing is not None:
                self.read.see(self._standing)
            self._tell_eyes()
        return record


def _telling_times(gesture: Gesture) -> list[float]:
    """Moments of a gesture worth a frame: the middle of every phase, more while dice are shaken."""
    times, start = [], 0.0
    for index, length in enumerate(gesture.phases):
        shares = SHAKEN if gesture.command.do == "throw" and index == SHAKE else (0.5,)
        times += [start + share * length for share in shares if length > 0]
        start += length
    return times
