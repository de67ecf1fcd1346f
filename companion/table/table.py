"""The live table of one game: one writer, which journals before anything is shown."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from companion.journal import Entry, Journal, JournalError
from companion.observations import Observation, Picture, SightSeen, TokenSeen, TowerThrow
from companion.referee import Act, Ask, Effect, Note, Question, Referee, Withdraw
from companion.referee.tokens import says_where
from companion.rules import Game, Refused
from companion.table.alternatives import alternatives
from companion.table.book import Book, Step, complete, opening, with_settings
from companion.table.consequences import consequences
from companion.table.errors import Answered, Stale
from companion.table.repair import Repair
from companion.table.sightings import Sightings, faces_of, from_json, to_json
from companion.table.view import board_view, game_view, sight_json
from companion.words import Names, action_text
from companion.words.now import main_event
from companion.words.why import why

log = logging.getLogger(__name__)

Json = dict[str, Any]
Action = dict[str, Any]

#: Pictures that wait in memory for something to refer to them.
MOST_WAITING_PICTURES = 64
#: Actions that may follow from one observation; more is a referee going round in circles.
MOST_ACTS = 50


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
        self.record = journal.game(game_id)
        self.names = Names(self.record.variant, self.record.edition, self.record.faces)
        self._journal = journal
        self._now = now
        self._keeps_pictures = keeps_pictures
        self._lock = threading.RLock()
        self._publishing = threading.Lock()
        self._reporting = threading.RLock()
        self._untaken: deque[Observation] = deque()
        self._subscribers: list[Callable[[Json], None]] = []
        #: Told a player of whom somebody has said where the token really stands, as the book has it now.
        self.on_placed: Callable[[str], None] = lambda player: None
        self._sight: Json = {"camera": None, "tower": None}
        self._pictures: dict[str, bytes] = {}
        self._wanted: set[str] = set()
        self._shown: Json | None = None
        self._serial = self._published = 0
        self._trouble: JournalError | None = None
        self._sightings = Sightings(_players_of_tokens(self))
        self._load()
        self._sightings.new_source()

    # -- the journal ---------------------------------------------------------------------------

    def _load(self) -> None:
        """Everything anew from the journal; when that cannot be read, nothing has changed."""
        entries = self._journal.entries(self.record.id)
        self._is_astray = False
        self.record = self._journal.game(self.record.id)
        self._book = Book(opening(self.record))
        self._referee = Referee(self._book.game)
        self._sightings.forget()
        self._repair = Repair(self.names, with_cash=self.record.settings.get("automation", "show") == "show")
        self._notes: list[Entry] = []
        self._batch: list[Entry] = []
        self._number = 0
        for entry in entries:
            self._number = entry.number
            self._replay(entry)
        self._shown = None

    def _replay(self, entry: Entry) -> None:
        """One entry of the past. What the referee makes of it stands in the entries that follow."""
        payload = entry.payload
        if entry.kind == "observation":
            observation = from_json(payload)
            self._sightings.take(observation)
            self._tick(observation)
            self._referee.see(observation)
        elif entry.kind == "answer":
            self._referee.answer(payload["question"], payload["option"])
        elif entry.kind == "note":
            self._notes.append(entry)
        elif entry.kind == "tick":
            self._repair.tick(payload["line"])
        elif entry.kind == "setting":
            self.record = with_settings(self.record, [entry])
        else:
            self._fold(entry)

    def _record(
        self, kind: str, payload: Json, by: str, picture: str | None = None, confidence: float | None = None
    ) -> Entry:
        """A further entry of this change; it reaches the disk when the change is complete."""
        self._number += 1
        entry = Entry(
            number=self._number,
            kind=kind,
            payload=payload,
            by=by,
            picture=picture,
            confidence=confidence,
            at=self._now(),
        )
        self._batch.append(entry)
        return entry

    @contextmanager
    def _changing(self, version: int | None = None) -> Iterator[None]:
        """One change: all of it reaches the journal, then the tablets; or nothing of it has happened."""
        is_complete = False
        try:
            with self._lock:
                if self._is_astray:
                    self._load()
                if version is not None and version != self._book.version:
                    raise Stale("The table has moved on since; look again.")
                try:
                    yield
                    self._commit()
                    is_complete, self._shown = True, None
                finally:
                    if not is_complete and self._batch:
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
        if not self._batch:
            return
        try:
            self._journal.append(self.record.id, self._batch, self._evidence(self._batch))
        except JournalError as error:
            self._trouble = error
            raise
        self._batch, self._trouble = [], None

    def _evidence(self, entries: list[Entry]) -> list[tuple[str, bytes]]:
        """The pictures that these entries refer to; those that are not there yet are wanted."""
        if not self._keeps_pictures:
            return []
        found = []
        for entry in entries:
            if entry.kind == "observation":
                continue
            for name in dict.fromkeys([entry.picture, *entry.payload.get("evidence", ())]):
                if name in self._pictures:
                    found.append((name, self._pictures[name]))
                elif name is not None:
                    self._wanted.add(name)
        return found

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
            step = self._do(action, by)
            events = step.events
        for player, change in action.get("set", {}).get("players", {}).items():
            if "at" in change:
                self.on_placed(player)
        return {"entry": step.entry, "events": events}

    def _do(self, action: Action, by: str, **told: Any) -> Step:
        """Journals an action and lets the referee conclude what follows; raises Refused before anything is written."""
        full, context = complete(self._book.game, action)
        payload: Json = {"action": full, "context": context, **{key: fact for key, fact in told.items() if fact}}
        before = self._book.place_for(full) if by == "tablet" else None
        if before is not None:
            payload["before"] = before
        picture, confidence = payload.pop("picture", None), payload.pop("confidence", None)
        entry = self._record("set" if "set" in full else "action", payload, by, picture, confidence)
        effects = self._fold(entry)
        step = self._book.step(entry.number)
        self._follow(effects, "camera" if by in ("camera", "tower") else "referee")
        return step

    def _fold(self, entry: Entry) -> list[Effect]:
        """Takes an entry into the book; the referee is told, the repair list kept."""
        old = self._book.game.snapshot()
        step = self._book.apply(entry)
        if step is None:
            return []
        game = self._book.game
        if self._referee.game is game:
            self._repair.played(step.events, game.snapshot())
            return self._referee.acted(step.action, step.events)
        if entry.kind not in ("action", "set"):
            self._corrected(old)
        return self._referee.rebase(game)

    def _corrected(self, old: Json) -> None:
        book = self._book.game.snapshot()
        self._repair.corrected(old, book)
        # A token that already stands where the corrected book has it need not be moved.
        for look in self._sightings.looks:
            for key in self._repair.seen(look, book):
                del self._repair.items[key]

    def answer(self, question: str, option: Any, version: int | None = None) -> Json:
        """An answer to a question of the referee, by its id or by what it is about.

        Raises:
            Stale; Answered when it is not open any more.
        """
        with self._changing(version):
            asked = next((each for each in self._referee.questions if question in (each.id, each.about)), None)
            if asked is None:
                raise Answered("That question is not open any more: the table has answered it.")
            self._record("answer", {"question": question, "option": option}, "tablet")
            self._follow(self._referee.answer(question, option), "tablet")
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
            return self._preview(lambda book: _amendment(book, entry, action), version)
        with self._changing(version):
            old = self._book.copy()
            payload = _amendment(self._book, entry, action)
            effects = self._fold(self._record("amend", payload, "tablet"))
            self._follow(effects, "referee")
            return self._consequences(old, self._book)

    def drop(self, entry: int, version: int | None = None, preview: bool = False) -> Json:
        """Takes an action out of the log for good, as one that never happened; as `amend`."""
        if preview:
            return self._preview(lambda book: {"entry": book.step(entry).entry}, version, "drop")
        with self._changing(version):
            old = self._book.copy()
            step = self._book.step(entry)
            self._follow(self._fold(self._record("drop", {"entry": step.entry}, "tablet")), "referee")
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
                self._follow(self._fold(self._record("undo", {"entry": step.entry}, "tablet")), "referee")
            return self._consequences(old, self._book)

    def redo(self, version: int | None = None) -> Json:
        """Does again what was taken back last, as long as nothing has been done since."""
        with self._changing(version):
            old = self._book.copy()
            step = self._book.last_undone()
            if step is None:
                raise Refused("not_allowed", "There is nothing left to do again.")
            self._follow(self._fold(self._record("redo", {"entry": step.entry}, "tablet")), "referee")
            return self._consequences(old, self._book)

    def tick(self, line: str, version: int | None = None) -> Json:
        """Ticks off a line of the repair list by hand; `line` is its id."""
        with self._changing(version):
            if self._repair.tick(line):
                self._record("tick", {"line": line}, "tablet")
        return {}

    def change_settings(self, settings: Json, version: int | None = None) -> None:
        """The table does something otherwise from now on (`reaction_s`); no part of the game.

        Raises:
            Stale, JournalError; nothing has changed.
        """
        with self._changing(version):
            self.record = with_settings(self.record, [self._record("setting", settings, "tablet")])

    def _preview(self, change: Callable[[Book], Json], version: int | None, kind: str = "amend") -> Json:
        with self._lock:
            if version is not None and version != self._book.version:
                raise Stale("The table has moved on since; look again.")
            twin = self._book.copy()
            try:
                payload = change(twin)
            except Refused as refusal:
                return {"refused": refusal.message, "changes": [], "no_longer_fits": [], "repair": []}
            twin.apply(Entry(number=self._number + 1, kind=kind, payload=payload, by="tablet"))
            return self._consequences(self._book, twin)

    def _consequences(self, old: Book, new: Book) -> Json:
        return consequences(self.names, old, new, with_cash=self._repair.with_cash)

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
                mine = self._untaken.popleft()
                try:
                    self._take_in(mine)
                except JournalError:
                    self._untaken.appendleft(mine)
                    raise

    def _take_in(self, mine: Observation) -> None:
        with self._lock:
            if not self._sightings.is_news(mine):
                return
        by = "tower" if isinstance(mine, TowerThrow) else "camera"
        with self._changing():
            self._record("observation", to_json(mine), by, mine.picture)
            self._sightings.take(mine)
            self._tick(mine)
            self._follow(self._referee.see(mine), by)

    def _tick(self, observation: Observation) -> None:
        """The repair list, by what is seen now; where the whole board is looked at, not by the names of tokens."""
        if self._repair.items and not (isinstance(observation, TokenSeen) and self._sightings.standing is not None):
            self._repair.seen(observation, self._book.game.snapshot())

    def _see_sight(self, sight: SightSeen) -> None:
        with self._lock:
            told = sight_json(sight)
            if self._sight[sight.source] == told:
                return
            self._sight = {**self._sight, sight.source: told}
            self._shown = None
        self._publish()

    def forget_sight(self, source: str) -> None:
        """`camera` or `tower` is not there any more: its light goes out."""
        with self._lock:
            self._sight = {**self._sight, source: None}
            self._shown = None
        self._publish()

    def new_dice_source(self) -> None:
        """Another camera reads the dice from now on, and numbers its throws from 1."""
        with self._lock:
            self._sightings.new_source()

    def take_picture(self, picture: Picture) -> None:
        """An evidence picture; kept when something in the journal refers to it."""
        with self._lock:
            self._pictures[picture.id] = picture.jpeg
            while len(self._pictures) > MOST_WAITING_PICTURES:
                del self._pictures[next(iter(self._pictures))]
            if picture.id not in self._wanted:
                return
            self._wanted.discard(picture.id)
            try:
                self._journal.append(self.record.id, [], [(picture.id, picture.jpeg)])
            except JournalError as error:
                log.warning("a picture was not kept: %s", error.message)

    def picture(self, picture: str) -> bytes | None:
        """The JPEG file of an evidence picture; None if it was not kept."""
        with self._lock:
            waiting = self._pictures.get(picture)
        return waiting if waiting is not None else self._journal.picture(self.record.id, picture)

    def _follow(self, effects: list[Effect], by: str) -> None:
        """Carries out what the referee concluded, and what follows from that.

        Args:
            by: who is behind it: `camera`, `tower`, `tablet` for an answer, else `referee`.
        """
        left = deque(effects)
        done = 0
        while left:
            effect = left.popleft()
            if isinstance(effect, Act):
                done += 1
                if done > MOST_ACTS:
                    log.error("the referee goes round in circles: %s", effect.action)
                    return
                left.extend(self._act_for_referee(effect, by))
            elif isinstance(effect, Ask):
                self._record("question", _question_payload(effect.question), "referee", effect.question.picture)
            elif isinstance(effect, Withdraw):
                self._record("withdraw", {"question": effect.question_id, "because": effect.because}, "referee")
            elif isinstance(effect, Note):
                payload = {"text": effect.text, "about": effect.about, "player": effect.player}
                self._notes.append(self._record("note", payload, "referee", effect.picture))

    def _act_for_referee(self, act: Act, by: str) -> list[Effect]:
        """Journals an action of the referee's; one that the rules refuse becomes a note."""
        try:
            if "undo" in act.action:
                newest = self._book.last_counting()
                return [] if newest is None else self._fold(self._record("undo", {"entry": newest.entry}, by))
            if act.replaces is not None:
                step = self._book.newest_like(act.replaces)
                if step is None:
                    return []
                payload = _amendment(self._book, step.entry, act.action)
                evidence = {"because": act.because, "evidence": list(act.evidence)}
                return self._fold(self._record("amend", {**payload, **evidence}, by))
            full, context = complete(self._book.game, act.action)
        except Refused as refusal:
            text = f"I saw this, but it does not fit: {action_text(self.names, act.action)} {refusal.message}"
            picture = act.evidence[0] if act.evidence else None
            self._notes.append(
                self._record("note", {"text": text, "about": "move", "player": None}, "referee", picture)
            )
            return []
        payload = {"action": full, "context": context, "because": act.because, "evidence": list(act.evidence)}
        if "roll" in full:
            payload["faces"] = [
                {str(face): share for face, share in die.items()} for die in faces_of(self._sightings.dice)
            ]
        confidence = act.confidence if by in ("camera", "tower") else None
        kind = "set" if "set" in full else "action"
        picture = act.evidence[0] if act.evidence else None
        return self._fold(self._record(kind, payload, by, picture, confidence))

    # -- what is shown -------------------------------------------------------------------------------

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
                    self.record, self._book, self.names, self._notes, self._referee.questions, self._sight
                )
                shown["repair"] = self._repair.lines(shown["snapshot"])
                if self._trouble is not None:
                    shown["problems"].insert(0, {"code": self._trouble.code, "text": self._trouble.message})
                self._serial += 1
                shown["serial"] = self._serial
                self._shown = shown
            return self._shown

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
            event = main_event(self.names, step.events, self.record.settings.get("automation", "show"))
            if event is None or step.before is None:
                return {
                    "clause": None,
                    "text": step.refusal or action_text(self.names, step.action, step.context),
                    "sum": None,
                    "inputs": [],
                }
            return why(self.names, event, step.events, step.before)

    def actions(self) -> list[Action]:
        """The actions that count, in their order."""
        with self._lock:
            return [step.action for step in self._book.steps if step.counts]

    def steps(self) -> list[Step]:
        """All lines as they stand; not to be changed."""
        with self._lock:
            return list(self._book.steps)


def _players_of_tokens(table: Table) -> dict[str, str]:
    """Name under which a token was enrolled -> player: as set up, else the token's own word, else the player's."""
    record = table.record
    own = {name: name for name in record.players}
    chosen = {face["token"]: face["name"] for face in record.faces if face.get("token")}
    return {**own, **chosen, **record.settings.get("tokens", {})}


def _amendment(book: Book, entry: int, action: Action) -> Json:
    """The payload of an `amend`; raises Refused when the action could not have been, UnknownEntry."""
    step = book.step(entry)
    if step.is_out:
        raise Refused("not_allowed", "This line was taken back; it can be done again, but not changed.")
    assert step.before is not None
    who = step.action.get("by")
    told = action if "by" in action or "set" in action or who is None else {**action, "by": who}
    full, context = complete(step.before, told)
    return {"entry": entry, "action": full, "context": context}


def _question_payload(question: Question) -> Json:
    payload: Json = msgspec.to_builtins(question)
    return payload
