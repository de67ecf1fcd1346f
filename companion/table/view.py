"""The view: all that a page draws, as plain JSON values."""

from collections.abc import Iterable
from typing import Any

from companion.journal import Entry, GameRecord
from companion.observations import SightSeen
from companion.referee import Question
from companion.rules import Game
from companion.rules.board import editions
from companion.rules.catalog import spaces
from companion.rules.registry import rules_of
from companion.table.book import Book, Step, sum_told
from companion.words import Names, action_text
from companion.words.decisions import decisions
from companion.words.manage import manage
from companion.words.names import own_words
from companion.words.now import headline, kind_of, log_text, main_event, sentence
from companion.words.why import has_why

Json = dict[str, Any]

#: "Last 200 readings: 3 corrected."
READINGS = 200
#: Fields of a space that a page draws as markers.
MARKERS = ("bomb", "miner")
SENSED = frozenset({"camera", "tower"})


def empty_view() -> Json:
    """Before there is a game."""
    return {
        "version": 0,
        "serial": 0,
        "phase": "setup",
        "game": None,
        "snapshot": None,
        "stage": None,
        "players": [],
        "now": None,
        "log": [],
        "questions": [],
        "decisions": [],
        "manage": {},
        "outlook": [],
        "records": {},
        "seats": {},
        "badges": {},
        "sight": {"camera": None, "tower": None, "readings": 0, "corrected": 0},
        "repair": [],
        "problems": [],
        "winners": [],
        "can_undo": False,
        "can_redo": False,
    }


def sight_json(seen: SightSeen) -> Json:
    """How well a source sees, for the status light."""
    return {"state": seen.state, "word": seen.word, "confidence": seen.confidence}


def game_view(
    record: GameRecord, book: Book, names: Names, notes: list[Entry], questions: Iterable[Question], sight: Json
) -> Json:
    """The view of a game; `repair` and `serial` are filled in by the table."""
    automation = record.settings.get("automation", "show")
    snapshot = book.game.snapshot()
    return {
        "version": book.version,
        "serial": 0,
        "phase": "over" if snapshot["turn"]["phase"] == "over" else "play",
        "game": {
            "id": record.id,
            "variant": record.variant,
            "title": rules_of(record.variant).title,
            "edition": record.edition,
            "options": snapshot["options"],
            "started": record.started,
            "automation": automation,
            "has_reactions": rules_of(record.variant).has_reactions,
            "reaction_s": record.settings.get("reaction_s"),
        },
        "snapshot": with_markers(snapshot),
        "players": list(record.faces),
        "now": now_view(names, book, automation),
        "log": log_view(names, book, notes, automation),
        "questions": [_question(question) for question in questions],
        "decisions": decisions(names, book.game),
        "manage": manage(names, book.game),
        "stage": stage_view(names, book.game),
        **more_view(names, book.game),
        "sight": {**sight, **readings(book)},
        "repair": [],
        "problems": problems(names, book),
        "winners": snapshot["winners"],
        "can_undo": book.last_counting() is not None,
        "can_redo": book.last_undone() is not None,
    }


def more_view(names: Names, game: Game) -> Json:
    """What a variant tells besides; see its own words: `outlook`, and per player `records`, `badges` and `seats`."""
    told: Json = {"outlook": [], "records": {}, "badges": {}, "seats": {}}
    for part in told:
        say = getattr(own_words(names.variant), part, None)
        if say is not None:
            told[part] = say(names, game)
    return told


def with_markers(snapshot: Json) -> Json:
    """The snapshot with `markers` of each space that carries some: bomb, miner, cop; also of spaces nobody can own."""
    marked: dict[str, list[str]] = {}
    for slug, space in snapshot["spaces"].items():
        if found := [kind for kind in MARKERS if space.get(kind) is True]:
            marked[slug] = found
    if "cop" in snapshot:
        marked.setdefault(snapshot["cop"]["at"], []).append("cop")
    bare = {"owner": None, "houses": 0, "hotel": False, "mortgaged": False}
    spaces = {slug: {**snapshot["spaces"].get(slug, bare), "markers": kinds} for slug, kinds in marked.items()}
    return {**snapshot, "spaces": {**snapshot["spaces"], **spaces}} if marked else snapshot


def stage_view(names: Names, game: Game) -> Json | None:
    """How the game stands, in a variant with stages; see its own words."""
    say = getattr(own_words(names.variant), "stage", None)
    return None if say is None else dict(say(names, game))


def _question(question: Question) -> Json:
    options = [
        {
            "option": list(option.option) if isinstance(option.option, tuple) else option.option,
            "label": option.label,
            "probability": option.probability,
        }
        for option in question.options
    ]
    shown = {"id": question.id, "about": question.about, "text": question.text, "picture": question.picture}
    return {**shown, "options": options, "facts": question.facts}


def events_of(names: Names, step: Step) -> list[Json]:
    """What followed from an action, with what the variant's own words need to tell it."""
    retold = getattr(own_words(names.variant), "retold", None)
    return step.told if retold is None or step.before is None else list(retold(step.before, step.told))


def now_view(names: Names, book: Book, automation: str) -> Json | None:
    """The greatest consequence since the last throw; None before anything happened."""
    steps = list(book.since_last_throw())
    told = headline(names, [(step.entry, events_of(names, step)) for step in steps], automation)
    if not steps:
        return None
    throws = ((event, step) for step in steps for event in step.events if event["type"] == "rolled")
    throw, thrown = next(throws, (None, None))
    picture = next((step.picture for step in steps if step.picture), None)
    shown: Json = {"dice": None, "sides": None, "sum": None, "picture": picture}
    if throw is not None and thrown is not None:
        faces = throw["dice"] if thrown.is_read else [None] * len(throw["dice"])
        led = throw["dice"] if thrown.is_read else sum_told(throw)
        shown |= {"dice": faces, "sides": thrown.sides, "sum": sum(led) if led else None}
    if told is None:
        last = steps[-1]
        text = action_text(names, last.action, last.context)
        return {"entry": last.entry, "kind": "note", "headline": text, "lines": [], "why": False, **shown}
    entry, event, lines = told
    return {
        "entry": entry,
        "kind": kind_of(event),
        "headline": sentence(names, event, automation),
        "lines": lines,
        "why": has_why(names, event),
        **shown,
    }


def log_view(names: Names, book: Book, notes: list[Entry], automation: str) -> list[Json]:
    """All lines of the game, oldest first; notes of the referee stand where they were made."""
    lines: list[Json] = []
    waiting = list(reversed(notes))
    newest = 0
    for step in book.steps:
        newest = max(newest, step.entry)
        while waiting and waiting[-1].number < newest:
            lines.append(_note_line(waiting.pop()))
        if step.line is None:
            step.line = log_line(names, step, automation)
        lines.append(step.line)
    return lines + [_note_line(note) for note in reversed(waiting)]


def log_line(names: Names, step: Step, automation: str = "show") -> Json:
    """One action of the log."""
    events = events_of(names, step)
    main = main_event(names, events, automation)
    said = action_text(names, step.action, step.context)
    return {
        "entry": step.entry,
        "turn": step.turn,
        "player": step.player,
        "kind": kind_of(main),
        "text": log_text(names, step.action, events, automation, step.context) if step.counts else said,
        "by": step.by,
        "confidence": step.confidence,
        "picture": step.picture,
        "status": step.status,
        "why": has_why(names, main) if step.counts else False,
        "reason": step.refusal or step.because or None,
        "action": step.action,
        "sides": step.sides,
        "is_read": step.is_read,
        "at": step.at,
    }


def _note_line(note: Entry) -> Json:
    return {
        "entry": note.number,
        "turn": None,
        "player": note.payload.get("player"),
        "kind": "note",
        "text": note.payload["text"],
        "by": "referee",
        "confidence": None,
        "picture": note.picture,
        "status": "done",
        "why": False,
        "reason": None,
        "action": None,
        "sides": [],
        "is_read": True,
        "at": note.at,
    }


def readings(book: Book) -> Json:
    """How many of the last readings of camera and tower had to be put right."""
    seen = [step for step in book.steps if step.by in SENSED and not step.is_undone][-READINGS:]
    return {"readings": len(seen), "corrected": sum(step.is_amended or step.is_dropped for step in seen)}


def problems(names: Names, book: Book) -> list[Json]:
    misfits = book.misfits
    if not misfits:
        return []
    count = "One line" if len(misfits) == 1 else f"{len(misfits)} lines"
    fits = "fits" if len(misfits) == 1 else "fit"
    first = action_text(names, misfits[0].action, misfits[0].context)
    return [
        {"code": "no_longer_fits", "text": f"{count} of the log no longer {fits}: {first} Put it right or drop it."}
    ]


def board_view(names: Names) -> Json:
    """The board as this edition prints it: `spaces`, `currency`, and its `words` for houses and the like."""
    printed = editions()[names.edition]
    taxes = {"income-tax": printed.income_tax, "luxury-tax": printed.luxury_tax}
    rows = [{**row, "amount": taxes[row["space"]]} if row["space"] in taxes else row for row in spaces(names.edition)]
    return {"spaces": rows, "currency": "$", "words": dict(printed.words)}
