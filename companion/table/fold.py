"""One game as a fold over its journal: the book, and beside it referee, repair list and notes. Knows no file.

What is read from the journal is only taken in; what happens now makes further entries, which wait in `new` until the
table has written them.
"""

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec

from companion.journal import Entry, GameRecord
from companion.observations import Observation, TokenSeen
from companion.referee import Act, Ask, Effect, Note, Question, Referee, Withdraw
from companion.rules import Refused
from companion.table.book import Book, Step, amendment, complete, opening, with_settings
from companion.table.repair import Repair
from companion.table.sightings import Sightings, faces_of, from_json, to_json
from companion.words import Names, action_text

log = logging.getLogger(__name__)

Json = dict[str, Any]
Action = dict[str, Any]

#: Actions that may follow from one observation; more is a referee going round in circles.
MOST_ACTS = 50


class Fold:
    """One game. Not safe to be called from several threads.

    Attributes:
        record: what the game began with, and its settings as they are now.
        number: of the newest entry.
        new: entries that are not in the journal yet.
    """

    def __init__(
        self,
        record: GameRecord,
        entries: list[Entry],
        names: Names,
        sightings: Sightings,
        now: Callable[[], str],
    ) -> None:
        """
        Args:
            entries: all that the journal has of this game.
            sightings: begins anew, but for how throws are numbered.
            now: gives the wall time that is written into entries.
        """
        self.record = record
        self.book = Book(opening(record))
        self.referee = Referee(self.book.game)
        self.repair = Repair(names, with_cash=record.settings.get("automation", "show") == "show")
        self.notes: list[Entry] = []
        self.new: list[Entry] = []
        self.number = 0
        self._names = names
        self._now = now
        self._sightings = sightings
        sightings.forget()
        for entry in entries:
            self.number = entry.number
            self._replay(entry)

    def _replay(self, entry: Entry) -> None:
        """One entry of the past. What the referee makes of it stands in the entries that follow."""
        payload = entry.payload
        if entry.kind == "observation":
            observation = from_json(payload)
            self._sightings.take(observation)
            self._tick(observation)
            self.referee.see(observation)
        elif entry.kind == "answer":
            self.referee.answer(payload["question"], payload["option"])
        elif entry.kind == "note":
            self.notes.append(entry)
        elif entry.kind == "tick":
            self.repair.tick(payload["line"])
        elif entry.kind == "setting":
            self.record = with_settings(self.record, [entry])
        else:
            self._take(entry)

    # -- what happens ----------------------------------------------------------------------------

    def write(
        self, kind: str, payload: Json, by: str, picture: str | None = None, confidence: float | None = None
    ) -> Entry:
        """A further entry, as it is; nothing follows from it yet."""
        self.number += 1
        entry = Entry(
            number=self.number,
            kind=kind,
            payload=payload,
            by=by,
            picture=picture,
            confidence=confidence,
            at=self._now(),
        )
        self.new.append(entry)
        return entry

    def act(self, action: Action, by: str) -> Step:
        """An action, and what the referee concludes from it; raises Refused before anything is written."""
        full, context = complete(self.book.game, action)
        payload: Json = {"action": full, "context": context}
        before = self.book.place_for(full) if by == "tablet" else None
        if before is not None:
            payload["before"] = before
        entry = self.write("set" if "set" in full else "action", payload, by)
        effects = self._take(entry)
        step = self.book.step(entry.number)
        self.follow(effects, "camera" if by in ("camera", "tower") else "referee")
        return step

    def change(self, kind: str, payload: Json) -> None:
        """Somebody changes an action of the past: `amend`, `drop`, `undo` or `redo`."""
        self.follow(self._take(self.write(kind, payload, "tablet")), "referee")

    def see(self, observation: Observation, by: str) -> None:
        """What a source reports, with players for tokens (`Sightings.translate`)."""
        self.write("observation", to_json(observation), by, observation.picture)
        self._sightings.take(observation)
        self._tick(observation)
        self.follow(self.referee.see(observation), by)

    def set(self, settings: Json) -> None:
        """Settings of the table change."""
        self.record = with_settings(self.record, [self.write("setting", settings, "tablet")])

    def _take(self, entry: Entry) -> list[Effect]:
        """Takes an entry into the book; the referee is told, the repair list kept."""
        old = self.book.game.snapshot()
        step = self.book.apply(entry)
        if step is None:
            return []
        game = self.book.game
        if self.referee.game is game:
            self.repair.played(step.events, game.snapshot())
            return self.referee.acted(step.action, step.events)
        if entry.kind not in ("action", "set"):
            self._corrected(old)
        return self.referee.rebase(game)

    def _corrected(self, old: Json) -> None:
        book = self.book.game.snapshot()
        self.repair.corrected(old, book)
        # A token that already stands where the corrected book has it need not be moved.
        for look in self._sightings.looks:
            for key in self.repair.seen(look, book):
                del self.repair.items[key]

    def _tick(self, observation: Observation) -> None:
        """The repair list, by what is seen now; where the whole board is looked at, not by the names of tokens."""
        if self.repair.items and not (isinstance(observation, TokenSeen) and self._sightings.standing is not None):
            self.repair.seen(observation, self.book.game.snapshot())

    # -- what the referee concludes ---------------------------------------------------------------

    def follow(self, effects: list[Effect], by: str) -> None:
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
                self.write("question", _question_payload(effect.question), "referee", effect.question.picture)
            elif isinstance(effect, Withdraw):
                self.write("withdraw", {"question": effect.question_id, "because": effect.because}, "referee")
            elif isinstance(effect, Note):
                payload = {"text": effect.text, "about": effect.about, "player": effect.player}
                self.notes.append(self.write("note", payload, "referee", effect.picture))

    def _act_for_referee(self, act: Act, by: str) -> list[Effect]:
        """An action of the referee's; one that the rules refuse becomes a note."""
        picture = act.evidence[0] if act.evidence else None
        try:
            if "undo" in act.action:
                newest = self.book.last_counting()
                return [] if newest is None else self._take(self.write("undo", {"entry": newest.entry}, by))
            if act.replaces is not None:
                step = self.book.newest_like(act.replaces)
                if step is None:
                    return []
                payload = amendment(self.book, step.entry, act.action)
                evidence = {"because": act.because, "evidence": list(act.evidence)}
                return self._take(self.write("amend", {**payload, **evidence}, by))
            full, context = complete(self.book.game, act.action)
        except Refused as refusal:
            text = f"I saw this, but it does not fit: {action_text(self._names, act.action)} {refusal.message}"
            self.notes.append(self.write("note", {"text": text, "about": "move", "player": None}, "referee", picture))
            return []
        payload = {"action": full, "context": context, "because": act.because, "evidence": list(act.evidence)}
        if "roll" in full:
            payload["faces"] = [
                {str(face): share for face, share in die.items()} for die in faces_of(self._sightings.dice)
            ]
        if not act.is_read:
            payload["unread"] = True
        confidence = act.confidence if by in ("camera", "tower") else None
        kind = "set" if "set" in full else "action"
        return self._take(self.write(kind, payload, by, picture, confidence))


def _question_payload(question: Question) -> Json:
    payload: Json = msgspec.to_builtins(question)
    return payload
