"""The book: the game as its journal tells it, kept so that any past action can be changed and the rest folded again.

The journal is only ever added to. Which actions count, and in which form, follows from it: an `undo` takes the
last action that counts out, a `redo` puts it back, an `amend` replaces one, a `drop` takes one out for good. What
no longer fits after that stays in its place with the refusal, counts for nothing, and is tried again at every fold.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.journal import Entry, GameRecord, Journal
from companion.rules import Game, Refused
from companion.table.errors import UnknownEntry

Action = dict[str, Any]

#: Kinds of journal entries that change the game; the number of the last one is the version of the state.
CHANGES = frozenset({"action", "set", "amend", "undo", "redo", "drop"})

#: Words of actions that answer a decision, and so mean nothing where another decision is open.
ANSWERS = frozenset({"choose", "draw", "bid", "pass"})

#: What says of a decision which one it is.
MARKS = ("kind", "space", "building", "deck")


@dataclass
class Step:
    """One action of the log, as it stands now.

    Attributes:
        entry: number of its journal entry; names it for ever.
        action: what counts now.
        context: what it answered when it was made (`context_of`).
        is_amended: it was said otherwise at first.
        status: `done`, `amended` (counts, in another form than first said), `undone`, `dropped`, `no_longer_fits`.
        events: what followed; empty unless it counts.
        before: the game just before it.
        turn: number of the turn it belongs to.
        line: how the log shows it, once it has been shown; None after a fold.
        player: who acted; None for corrections by hand.
        is_read: False for a throw of which it is not known what each die showed, only what they came to.
    """

    entry: int
    action: Action
    context: dict[str, Any]
    by: str
    picture: str | None = None
    confidence: float | None = None
    at: str = ""
    because: str = ""
    evidence: tuple[str, ...] = ()
    events: list[dict[str, Any]] = field(default_factory=list)
    before: Game | None = None
    turn: int = 0
    player: str | None = None
    is_read: bool = True
    is_amended: bool = False
    is_undone: bool = False
    is_dropped: bool = False
    refusal: str | None = None
    refusal_code: str | None = None
    line: dict[str, Any] | None = None

    @property
    def sides(self) -> list[int]:
        """How many sides each die of a throw has; empty for what is no throw."""
        if self.before is None or "roll" not in self.action:
            return []
        try:
            return self.before.sides(self.action)
        except Refused:
            return [6 if face <= 6 else 20 for face in self.action["roll"]]

    @property
    def told(self) -> list[dict[str, Any]]:
        """What followed, as people are told it: of dice that were not read no more than what they came to."""
        if self.is_read:
            return self.events
        return [{**each, "dice": sum_told(each)} if each["type"] == "rolled" else each for each in self.events]

    @property
    def is_out(self) -> bool:
        """Taken out by hand."""
        return self.is_undone or self.is_dropped

    @property
    def counts(self) -> bool:
        return not self.is_out and self.refusal is None

    @property
    def status(self) -> str:
        if self.is_dropped:
            return "dropped"
        if self.is_undone:
            return "undone"
        if self.refusal is not None:
            return "no_longer_fits"
        return "amended" if self.is_amended else "done"


class Book:
    """A fold over journal entries. `apply` takes them in order; the same entries give the same book."""

    def __init__(self, start: Game) -> None:
        """
        Args:
            start: the game before its first action.
        """
        self.game = start
        self.steps: list[Step] = []
        self.version = 0
        self._undone: list[int] = []

    def copy(self) -> "Book":
        """A book that can be changed without touching this one."""
        twin = Book(self.game.copy())
        twin.steps = [copy(step) for step in self.steps]
        twin.version, twin._undone = self.version, list(self._undone)
        return twin

    # -- reading -----------------------------------------------------------------------------

    def step(self, entry: int) -> Step:
        """Raises UnknownEntry."""
        for step in reversed(self.steps):
            if step.entry == entry:
                return step
        raise UnknownEntry(f"There is no line {entry} in the log that could be changed.")

    def last_counting(self) -> Step | None:
        return next((step for step in reversed(self.steps) if step.counts), None)

    def last_undone(self) -> Step | None:
        """What `redo` would put back."""
        return self.step(self._undone[-1]) if self._undone else None

    def newest_like(self, action: Action) -> Step | None:
        """The newest action that counts and says all that `action` says."""
        for step in reversed(self.steps):
            if step.counts and all(step.action.get(key) == value for key, value in action.items()):
                return step
        return None

    @property
    def misfits(self) -> list[Step]:
        return [step for step in self.steps if step.status == "no_longer_fits"]

    def place_for(self, action: Action) -> int | None:
        """The entry before which an action by hand belongs that closes a gap; None: at the end.

        When an amendment has opened something that nobody answered then (the third throw after a double, a
        purchase), everything after it hangs. What people tell now to fill the gap comes before what hangs, so that
        the rest fits again.
        """
        counting = [index for index, step in enumerate(self.steps) if step.counts]
        hanging = [step for step in self.steps[counting[-1] + 1 if counting else 0 :] if not step.is_out]
        if not hanging or "set" in action:
            return None
        before = next((step for step in hanging if step.refusal_code in ("decision_pending", "not_your_turn")), None)
        return None if before is None else before.entry

    # -- folding -----------------------------------------------------------------------------

    def apply(self, entry: Entry) -> Step | None:
        """Takes the next entry of the journal; entries that change nothing in the game are passed over.

        Returns:
            The step that it made or changed.
        Raises:
            Refused: an amendment to something that could not have been; the book is unchanged.
            UnknownEntry: it speaks of a line that is not there.
        """
        if entry.kind not in CHANGES:
            return None
        payload = entry.payload
        if entry.kind in ("action", "set"):
            step = self._add(entry)
        elif entry.kind == "amend":
            step = self.step(payload["entry"])
            step.action, step.context = payload["action"], payload.get("context", {})
            step.is_amended = step.is_read = True
            self.fold_from(step)
        else:
            step = self.step(payload["entry"])
            if entry.kind == "drop":
                step.is_dropped = True
            else:
                self._take(step, is_undone=entry.kind == "undo")
            self.fold_from(step)
        self.version = entry.number
        return step

    def _take(self, step: Step, *, is_undone: bool) -> None:
        step.is_undone = is_undone
        if is_undone:
            self._undone.append(step.entry)
        elif step.entry in self._undone:
            self._undone.remove(step.entry)

    def _add(self, entry: Entry) -> Step:
        payload = entry.payload
        step = Step(
            entry=entry.number,
            action=payload["action"],
            context=payload.get("context", {}),
            by=entry.by,
            picture=entry.picture,
            confidence=entry.confidence,
            at=entry.at,
            because=payload.get("because", ""),
            evidence=tuple(payload.get("evidence", ())),
            is_read=not payload.get("unread", False),
        )
        self._undone.clear()
        before = payload.get("before")
        if before is None:
            self.steps.append(step)
            self._do(step)
        else:
            self.steps.insert(self.steps.index(self.step(before)), step)
            step.before = self.step(before).before
            self.fold_from(step)
        return step

    def fold_from(self, step: Step) -> None:
        """Folds again from this step on."""
        index = self.steps.index(step)
        self.game = (step.before or self.game).copy()
        for later in self.steps[index:]:
            self._do(later)

    def _do(self, step: Step) -> None:
        step.before = self.game.copy()
        step.events, step.refusal, step.refusal_code, step.line = [], None, None, None
        if step.is_out:
            return
        try:
            step.events = act_in_context(self.game, step.action, step.context)
        except Refused as refusal:
            step.refusal, step.refusal_code = refusal.message, refusal.code
            self.game = step.before.copy()
        step.turn, step.player = self.game.state.turn.number, step.action.get("by")

    def since_last_throw(self) -> Iterator[Step]:
        """The counting steps from the newest throw on, oldest first."""
        found: list[Step] = []
        for step in reversed(self.steps):
            if not step.counts:
                continue
            found.append(step)
            if "roll" in step.action:
                break
        yield from reversed(found)


def opening(record: GameRecord) -> Game:
    """The game before its first action; raises Refused for a set-up that the rules do not allow."""
    players: Any = record.players if any(record.players.values()) else list(record.players)
    return Game.new(record.variant, players, record.options, record.edition, record.given, record.first)


def with_settings(record: GameRecord, entries: Iterable[Entry]) -> GameRecord:
    """The record with the settings that the journal has changed since the game began."""
    changed = {key: value for entry in entries if entry.kind == "setting" for key, value in entry.payload.items()}
    return msgspec.structs.replace(record, settings={**record.settings, **changed}) if changed else record


def read_book(journal: Journal, game_id: str) -> Book:
    """The book of a game in the journal; raises JournalError."""
    book = Book(opening(journal.game(game_id)))
    for entry in journal.entries(game_id):
        book.apply(entry)
    return book


def amendment(book: Book, entry: int, action: Action) -> dict[str, Any]:
    """The payload of an `amend`; raises Refused when the action could not have been, UnknownEntry."""
    step = book.step(entry)
    if step.is_out:
        raise Refused("not_allowed", "This line was taken back; it can be done again, but not changed.")
    assert step.before is not None
    who = step.action.get("by")
    told = action if "by" in action or "set" in action or who is None else {**action, "by": who}
    full, context = complete(step.before, told)
    return {"entry": entry, "action": full, "context": context}


def sum_told(rolled: dict[str, Any]) -> list[int]:
    """What the dice came to, by their sum; nothing where another sum may come to the same, or not all of them count."""
    is_sum = rolled["purpose"] in ("move", "utility_rent") and len(rolled["dice"]) <= 2
    return [sum(rolled["dice"])] if is_sum else []


# -- what an action is about -------------------------------------------------------------------


def complete(game: Game, action: Action) -> tuple[Action, dict[str, Any]]:
    """An action with `by` filled in and what it answers: so that it never comes to mean another's, or another thing.

    Raises:
        Refused: the game does not allow it.
    """
    events = game.copy().act(action)
    full = dict(action)
    if "by" not in full and "set" not in full:
        full["by"] = _actor(game, action, events)
    return full, context_of(game, full, events)


def _actor(game: Game, action: Action, events: list[dict[str, Any]]) -> str:
    for event in events:
        if event["type"] == "rolled" and "roll" in action:
            return str(event["player"])
    for decision in game.pending:
        if _answers(action, decision):
            return str(decision["player"])
    pending = game.pending
    return str(pending[0]["player"]) if pending else game.state.turn.player


def _answers(action: Action, decision: dict[str, Any]) -> bool:
    """Whether an action is of the sort that answers this decision."""
    if action.get("by") not in (None, decision["player"]):
        return False
    if "choose" in action:
        return "options" in decision
    if "bid" in action or "pass" in action:
        return bool(decision["kind"] == "auction")
    if "pay" in action or "bankrupt" in action:
        return bool(decision["kind"] == "raise_cash")
    return "draw" in action and decision["kind"] == "draw"


def context_of(game: Game, action: Action, events: list[dict[str, Any]]) -> dict[str, Any]:
    """What an action answers: of a throw its purpose, of an answer the marks of the decision."""
    if "roll" in action:
        purpose = next((event["purpose"] for event in events if event["type"] == "rolled"), None)
        return {} if purpose is None else {"purpose": purpose}
    if ANSWERS.isdisjoint(action):
        return {}
    for decision in game.pending:
        if _answers(action, decision):
            return {mark: decision[mark] for mark in MARKS if mark in decision}
    return {}


def act_in_context(game: Game, action: Action, context: dict[str, Any]) -> list[dict[str, Any]]:
    """Carries an action out if it still answers what it answered when it was made.

    Raises:
        Refused: by the rules, or `other_context`; then `game` may have been changed.
    """
    if "roll" not in action:
        found = context_of(game, action, [])
        if context and found and found != context:
            raise Refused(
                "other_context", f"Something else is to be decided here: {_what(found)}, not {_what(context)}."
            )
        return game.act(action)
    events = game.act(action)
    before, now = context.get("purpose"), context_of(game, action, events).get("purpose")
    if before != now and {before, now} - {"move", "jail", None}:
        raise Refused("other_context", "The dice were thrown for something else.")
    return events


def _what(context: dict[str, Any]) -> str:
    return " ".join(str(context[mark]).replace("_", " ").replace("-", " ").title() for mark in MARKS if mark in context)
