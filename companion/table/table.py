"""The live table of one game: one writer, which journals before anything is shown."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from companion.journal import Entry, GameRecord, Journal, JournalError
from companion.observations import COP, Observation, Picture, SightSeen, TowerThrow
from companion.referee.tokens import says_where
from companion.rules import Game, Refused
from companion.table.alternatives import alternatives
from companion.table.book import Book, Step, amendment
from companion.table.consequences import consequences
from companion.table.errors import Answered, Stale
from companion.table.evidence import Evidence
from companion.table.fold import Fold
from companion.table.sightings import Sightings, from_json
from companion.table.view import board_view, game_view, sight_json
from companion.words import Names, action_text
from companion.words.now import main_event
from companion.words.why import why

Json = dict[str, Any]
Action = dict[str, Any]


def utc_now() -> str:
    """The wall clock, ISO 8601 UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Table:
    """One game. All methods may be called from any thread; each change is one transaction of the journal.

    Everything goes through one lock: whoever comes waits for a few milliseconds, and nothing that was reported or
    tapped is lost. What subscribers get is always in the order of versions.
    """

    def __init__(
        self, journal: Journal, game_id: str, now: Callable[[], str] = utc_now, *, keeps_pictures: bool = True
    ) -> None:
        """Takes up a game where its journal ends.

        Args:
            now: gives the wall time that is written into the journal.
            keeps_pictures: False leaves evidence pictures in memory only.
        Raises:
            JournalError: `unknown_game`, or the journal cannot be read.
        """
        record = journal.game(game_id)
        self.names = Names(record.variant, record.edition, record.faces)
        self._game_id = game_id
        self._journal = journal
        self._now = now
        self._evidence = Evidence(journal, game_id, is_kept=keeps_pictures)
        self._lock = threading.RLock()
        self._publishing = threading.Lock()
        self._reporting = threading.RLock()
        self._untaken: deque[Observation] = deque()
        self._is_ending = False
        self._subscribers: list[Callable[[Json], None]] = []
        #: Told a player, or `cop`, of whom somebody has said where the token really stands, as the book has it now.
        self.on_placed: Callable[[str], None] = lambda player: None
        self._sight: Json = {"camera": None, "tower": None}
        self._shown: Json | None = None
        self._serial = self._published = 0
        self._trouble: JournalError | None = None
        self._sightings = Sightings(_players_of_tokens(record))
        self._load()
        self._sightings.new_source()

    @property
    def record(self) -> GameRecord:
        """What the game began with, and its settings as they are now."""
        return self._fold.record

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names under which the players' tokens may have been enrolled, in lower case."""
        return self._sightings.names

    # -- the journal ---------------------------------------------------------------------------

    def _load(self) -> None:
        """Everything anew from the journal; when that cannot be read, nothing has changed."""
        entries, record = self._journal.entries(self._game_id), self._journal.game(self._game_id)
        self._fold = Fold(record, entries, self.names, self._sightings, self._now)
        self._is_astray, self._shown = False, None

    @contextmanager
    def _changing(self, version: int | None = None) -> Iterator[None]:
        """One change: all of it reaches the journal, then the tablets; or nothing of it has happened."""
        is_complete = False
        try:
            with self._lock:
                if self._is_astray:
                    self._load()
                if version is not None and version != self.version:
                    raise Stale("The table has moved on since; look again.")
                try:
                    yield
                    self._commit()
                    is_complete, self._shown = True, None
                finally:
                    if not is_complete and self._fold.new:
                        self._go_back()
        finally:
            if is_complete or self._trouble is not None:
                self._publish()

    def _go_back(self) -> None:
        """What was begun has not happened; when even that cannot be looked up, the next change tries again."""
        try:
            self._load()
        except JournalError as error:
            self._is_astray, self._trouble = True, error

    def _commit(self) -> None:
        new = self._fold.new
        if not new:
            return
        try:
            self._journal.append(self._game_id, new, self._evidence.of(new))
        except JournalError as error:
            self._trouble = error
            raise
        self._fold.new, self._trouble = [], None

    # -- what people do --------------------------------------------------------------------------

    def act(self, action: Action, version: int | None = None, by: str = "tablet") -> Json:
        """An action of the protocol.

        Args:
            version: of the view that the finger saw; None goes through whatever has happened since.
        Returns:
            `entry` and the `events`.
        Raises:
            Stale, Refused, JournalError; nothing has changed.
        """
        if "undo" in action:
            return self._undo_many(action, version)
        with self._changing(version):
            step = self._fold.act(action, by)
            events = step.events
        for player, change in action.get("set", {}).get("players", {}).items():
            if "at" in change:
                self.on_placed(player)
        if "at" in action.get("set", {}).get("cop", {}):
            self.on_placed(COP)
        return {"entry": step.entry, "events": events}

    def answer(self, question: str, option: Any, version: int | None = None) -> Json:
        """An answer to a question of the referee, by its id or by what it is about.

        Raises:
            Stale; Answered when it is not open any more.
        """
        with self._changing(version):
            asked = next((each for each in self._fold.referee.questions if question in (each.id, each.about)), None)
            if asked is None:
                raise Answered("That question is not open any more: the table has answered it.")
            self._fold.write("answer", {"question": question, "option": option}, "tablet")
            self._fold.follow(self._fold.referee.answer(question, option), "tablet")
        if says_where(asked, option):
            for key in ("player", "with"):
                if key in asked.facts:
                    self.on_placed(asked.facts[key])
        return {}

    def amend(self, entry: int, action: Action, version: int | None = None, preview: bool = False) -> Json:
        """Puts an action of the past right; everything after it is folded again.

        Args:
            preview: nothing is changed.
        Returns:
            `consequences`: what changes. In a preview `refused` holds the sentence of a refusal.
        Raises:
            Stale, UnknownEntry, JournalError; Refused (not in a preview) when it could not have been.
        """
        if preview:
            return self._preview(lambda book: amendment(book, entry, action), version)
        with self._changing(version):
            old = self._book.copy()
            self._fold.change("amend", amendment(self._book, entry, action))
            return self._consequences(old, self._book)

    def drop(self, entry: int, version: int | None = None, preview: bool = False) -> Json:
        """Takes an action out of the log for good, as one that never happened; as `amend`."""
        if preview:
            return self._preview(lambda book: {"entry": book.step(entry).entry}, version, "drop")
        with self._changing(version):
            old = self._book.copy()
            self._fold.change("drop", {"entry": self._book.step(entry).entry})
            return self._consequences(old, self._book)

    def undo(self, version: int | None = None) -> Json:
        """Takes back the last action; Refused `not_allowed` when there is none."""
        return self._undo_many({"undo": True}, version)

    def _undo_many(self, action: Action, version: int | None) -> Json:
        count = action["undo"]
        if count is not True and (type(count) is not int or count < 1):
            raise Refused("malformed", "It is undo: true, or undo: N for the last N actions.")
        with self._changing(version):
            old = self._book.copy()
            for _ in range(int(count)):
                step = self._book.last_counting()
                if step is None:
                    raise Refused("not_allowed", "There is no action left to take back.")
                self._fold.change("undo", {"entry": step.entry})
            return self._consequences(old, self._book)

    def redo(self, version: int | None = None) -> Json:
        """Does again what was taken back last, as long as nothing has been done since."""
        with self._changing(version):
            old = self._book.copy()
            step = self._book.last_undone()
            if step is None:
                raise Refused("not_allowed", "There is nothing left to do again.")
            self._fold.change("redo", {"entry": step.entry})
            return self._consequences(old, self._book)

    def tick(self, line: str, version: int | None = None) -> Json:
        """Ticks off a line of the repair list by hand; `line` is its id."""
        with self._changing(version):
            if self._fold.repair.tick(line):
                self._fold.write("tick", {"line": line}, "tablet")
        return {}

    def change_settings(self, settings: Json, version: int | None = None) -> None:
        """The table does something otherwise from now on (`reaction_s`); no part of the game.

        Raises:
            Stale, JournalError; nothing has changed.
        """
        with self._changing(version):
            self._fold.set(settings)

    def _preview(self, change: Callable[[Book], Json], version: int | None, kind: str = "amend") -> Json:
        with self._lock:
            if version is not None and version != self.version:
                raise Stale("The table has moved on since; look again.")
            twin = self._book.copy()
            try:
                payload = change(twin)
            except Refused as refusal:
                return {"refused": refusal.message, "changes": [], "no_longer_fits": [], "repair": []}
            twin.apply(Entry(number=self._fold.number + 1, kind=kind, payload=payload, by="tablet"))
            return self._consequences(self._book, twin)

    def _consequences(self, old: Book, new: Book) -> Json:
        return consequences(self.names, old, new, with_cash=self._fold.repair.with_cash)

    # -- what sources report -----------------------------------------------------------------------

    def observe(self, observation: Observation) -> None:
        """What a camera or tower reports: journalled when it says anything new, then weighed by the referee.

        What a camera reports while the journal cannot be written waits and comes before whatever it reports later.

        Raises:
            JournalError: nothing has changed. A tower has to repeat its throw; a camera's report waits (`catch_up`).
        """
        if isinstance(observation, SightSeen):
            self._see_sight(observation)
            return
        with self._lock:
            mine = self._sightings.translate(observation)
        if isinstance(mine, TowerThrow):
            self._take_in(mine)
        elif mine is not None:
            self._untaken.append(mine)
            self.catch_up()

    def catch_up(self) -> None:
        """Takes the reports of cameras that wait, in their order; raises JournalError while it still cannot."""
        with self._reporting:
            while self._untaken:
                is_done = True
                try:
                    self._take_in(self._untaken[0])
                except JournalError:
                    is_done = False
                    raise
                finally:
                    if is_done:
                        self._untaken.popleft()

    @property
    def waits(self) -> bool:
        """Whether a camera's reports wait, which would be lost if the program ended now."""
        return bool(self._untaken)

    def end(self) -> bool:
        """The program is to end: tries once more what waits, and says so on the tablets when it has to go on waiting.

        Returns:
            Whether nothing waits.
        """
        self._is_ending = True
        try:
            self.catch_up()
        except JournalError:
            return False
        return True

    def _take_in(self, mine: Observation) -> None:
        with self._lock:
            if not self._sightings.is_news(mine):
                return
        with self._changing():
            self._fold.see(mine, "tower" if isinstance(mine, TowerThrow) else "camera")

    def _see_sight(self, sight: SightSeen) -> None:
        with self._lock:
            told = sight_json(sight)
            if self._sight[sight.source] == told:
                return
            self._sight = {**self._sight, sight.source: told}
        self._show_anew()

    def forget_sight(self, source: str) -> None:
        """`camera` or `tower` is not there any more: its light goes out."""
        with self._lock:
            self._sight = {**self._sight, source: None}
        self._show_anew()

    def new_dice_source(self) -> None:
        """Another camera reads the dice from now on, and numbers its throws from 1."""
        with self._lock:
            self._sightings.new_source()

    def take_picture(self, picture: Picture) -> None:
        """An evidence picture; kept when something in the journal refers to it."""
        with self._lock:
            self._evidence.take(picture)

    def picture(self, picture: str) -> bytes | None:
        """The JPEG file of an evidence picture; None if it was not kept."""
        with self._lock:
            waiting = self._evidence.get(picture)
        return waiting if waiting is not None else self._journal.picture(self._game_id, picture)

    # -- what is shown -------------------------------------------------------------------------------

    @property
    def _book(self) -> Book:
        return self._fold.book

    @property
    def version(self) -> int:
        """Number of the last entry that changed the game; 0 at its start."""
        return self._book.version

    def game(self) -> Game:
        """The game as it stands: the caller's own copy."""
        with self._lock:
            return self._book.game.copy()

    def view(self) -> Json:
        """All that a page draws; the same object until something changes, not to be changed."""
        with self._lock:
            if self._shown is None:
                shown = game_view(
                    self.record, self._book, self.names, self._fold.notes, self._fold.referee.questions, self._sight
                )
                shown["repair"] = self._fold.repair.lines(shown["snapshot"])
                if self._trouble is not None:
                    shown["problems"].insert(0, {"code": self._trouble.code, "text": self._trouble_text()})
                self._serial += 1
                shown["serial"] = self._serial
                self._shown = shown
            return self._shown

    def _trouble_text(self) -> str:
        assert self._trouble is not None
        sentences = [self._trouble.message]
        if self.waits:
            sentences.append("What the camera has seen since then waits, and would be lost if Boardside ended now.")
            if self._is_ending:
                sentences.append("Boardside ends as soon as it is written.")
        return " ".join(sentences)

    def _show_anew(self) -> None:
        with self._lock:
            self._shown = None
        self._publish()

    def board(self) -> Json:
        """The 40 spaces as this edition prints them."""
        return board_view(self.names)

    def tower_throws(self) -> list[TowerThrow]:
        """Throws of towers that the journal has: they count already."""
        seen = (entry for entry in self._journal.entries(self.record.id) if entry.kind == "observation")
        throws = (from_json(entry.payload) for entry in seen if entry.by == "tower")
        return [throw for throw in throws if isinstance(throw, TowerThrow)]

    def subscribe(self, callback: Callable[[Json], None]) -> Callable[[], None]:
        """Calls back with the view after each change, from the thread that made it; returns what ends that."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def _publish(self) -> None:
        """Outside the table's lock, so that a slow tablet holds up nobody but the next push."""
        with self._publishing:
            with self._lock:
                view, serial = self.view(), self._serial
            if serial <= self._published:
                return
            self._published = serial
            for callback in list(self._subscribers):
                callback(view)

    def alternatives(self, entry: int) -> list[Json]:
        """Ranked corrections of one line: `label`, `action`, `probability`. Raises UnknownEntry."""
        with self._lock:
            step = self._book.step(entry)
            return alternatives(self.names, step, self._faces(entry))

    def _faces(self, entry: int) -> list[dict[int, float]]:
        """Per die the probabilities that were seen for a throw."""
        for line in self._journal.entries(self.record.id, after=entry - 1)[:1]:
            seen = line.payload.get("faces", ())
            return [{int(face): share for face, share in die.items()} for die in seen]
        return []

    def why(self, entry: int) -> Json:
        """`clause`, `text`, `sum` and `inputs` of what a line tells. Raises UnknownEntry."""
        with self._lock:
            step = self._book.step(entry)
            event = main_event(self.names, step.told, self.record.settings.get("automation", "show"))
            if event is None or step.before is None:
                return {
                    "clause": None,
                    "text": step.refusal or action_text(self.names, step.action, step.context),
                    "sum": None,
                    "inputs": [],
                }
            return why(self.names, event, step.told, step.before)

    def actions(self) -> list[Action]:
        """The actions that count, in their order."""
        with self._lock:
            return [step.action for step in self._book.steps if step.counts]

    def steps(self) -> list[Step]:
        """All lines as they stand; not to be changed."""
        with self._lock:
            return list(self._book.steps)


def _players_of_tokens(record: GameRecord) -> dict[str, str]:
    """Name under which a token was enrolled -> player: as set up, else the token's own word, else the player's."""
    own = {name: name for name in record.players}
    chosen = {face["token"]: face["name"] for face in record.faces if face.get("token")}
    return {**own, **chosen, **record.settings.get("tokens", {})}
