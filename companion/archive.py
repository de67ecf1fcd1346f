"""A game as one readable file: a scenario with all its actions, which `boardside scenario` runs as any other.

What the scenario format has no word for (who sat where, the lines that no longer fit) stands under `source`;
each step has its line of the log beside it as a comment. The last step expects the state in which the game stood,
so a file that was changed, or that other rules read, is noticed.
"""

import io
from typing import Any

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from companion.journal import Entry, GameRecord, Journal
from companion.rules import Game, Refused
from companion.rules.errors import BoardsideError
from companion.scenario import Mismatch, match
from companion.table.book import Book, Step, complete, opening, read_book, with_settings
from companion.table.view import log_line
from companion.words import Names

Json = dict[str, Any]

PROGRAM = "boardside"
FORMAT = 1
#: What the last step expects of each player and space.
PLAYER_FACTS = ("at", "cash", "status", "in_jail", "cards", "laps")


class ArchiveError(BoardsideError):
    """The file is no exported game, or does not give the game that it says."""

    code = "archive_unreadable"


# -- writing -----------------------------------------------------------------------------------------


def export_text(journal: Journal, game_id: str) -> str:
    """The file of a game; raises JournalError `unknown_game`."""
    record, book = with_settings(journal.game(game_id), journal.entries(game_id)), read_book(journal, game_id)
    names = Names(record.variant, record.edition, record.faces)
    head: Json = {
        "scenario": f"{', '.join(record.players)}: {record.variant}, {record.started[:10] or record.id}",
        "variant": record.variant,
        "edition": record.edition,
        "options": book.game.snapshot()["options"],
        "players": record.players if any(record.players.values()) else list(record.players),
    }
    head |= {key: value for key, value in (("first", record.first), ("given", record.given)) if value}
    head["source"] = _source(record, book)
    lines = [_yaml(head).rstrip(), "steps:"]
    lines += [_step(names, step) for step in book.steps]
    lines.append("  # As it stood at the end.")
    lines.append(f"  - {_flow({'expect': expected_of(book.game)})}")
    return "\n".join(lines) + "\n"


def _source(record: GameRecord, book: Book) -> Json:
    source: Json = {"program": PROGRAM, "format": FORMAT, "game": record.id, "started": record.started}
    if record.faces:
        source["faces"] = [{key: value for key, value in face.items() if value is not None} for face in record.faces]
    if record.settings:
        source["settings"] = record.settings
    counted = 0
    misfits = []
    for step in book.steps:
        counted += step.counts
        if step.status == "no_longer_fits":
            misfits.append({"after": counted, "action": step.action, "context": step.context, "by": step.by})
    if misfits:
        source["no_longer_fits"] = misfits
    return source


def _step(names: Names, step: Step) -> str:
    line = log_line(names, step)
    said = {"undone": "taken back", "dropped": "dropped", "no_longer_fits": "no longer fits"}.get(step.status)
    if said is not None:
        return f"  # {said}: {line['text']}"
    return f"  - {_flow(step.action)}  # {step.turn}: {line['text']}"


def expected_of(game: Game) -> Json:
    """What an `expect` says of a state."""
    snapshot = game.snapshot()
    players = {
        name: {key: state[key] for key in PLAYER_FACTS if key in state} for name, state in snapshot["players"].items()
    }
    spaces = {slug: state for slug, state in snapshot["spaces"].items() if state.get("owner") is not None}
    turn = {key: snapshot["turn"][key] for key in ("player", "number", "phase")}
    return {
        "turn": turn,
        "players": players,
        "spaces": spaces,
        "bank": snapshot["bank"],
        "winners": snapshot["winners"],
    }


def _yaml(document: Json) -> str:
    writer = YAML()
    writer.default_flow_style = None
    writer.width = 10_000
    stream = io.StringIO()
    writer.dump(document, stream)
    return stream.getvalue()


def _flow(mapping: Json) -> str:
    writer = YAML()
    writer.default_flow_style = True
    writer.width = 1_000_000
    stream = io.StringIO()
    writer.dump(mapping, stream)
    return stream.getvalue().strip()


# -- reading -----------------------------------------------------------------------------------------


def import_text(journal: Journal, text: str, name: str = "the file") -> GameRecord:
    """Takes a game into the journal, under its own id if that is free.

    Args:
        name: of the file, for messages.
    Raises:
        ArchiveError: it is no exported game, or its actions do not lead where it says.
        JournalError: it cannot be written.
    """
    document = _read(text, name)
    record = _record(journal, document)
    try:
        entries = _entries(record, document)
    except Refused as refusal:
        raise ArchiveError(f"{name} cannot be played: {refusal.message}") from refusal
    except Mismatch as mismatch:
        raise ArchiveError(f"{name} does not lead where it says: {mismatch}") from mismatch
    journal.add_game(record)
    journal.append(record.id, entries)
    return record


def _read(text: str, name: str) -> Json:
    try:
        document = YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError) as error:
        raise ArchiveError(f"{name} is no YAML: {error}") from error
    source = document.get("source") if isinstance(document, dict) else None
    if not isinstance(source, dict) or source.get("program") != PROGRAM or not isinstance(document.get("steps"), list):
        raise ArchiveError(f"{name} is no game that Boardside exported.")
    if source.get("format") != FORMAT:
        raise ArchiveError(f"{name} has format {source.get('format')}; this Boardside knows {FORMAT}.")
    return dict(document)


def _record(journal: Journal, document: Json) -> GameRecord:
    source, players = document["source"], document["players"]
    taken = {record.id for record in journal.games()}
    wanted = str(source.get("game") or "imported")
    fields = {
        "id": next(each for each in (wanted, *(f"{wanted}-{n}" for n in range(2, 10_000))) if each not in taken),
        "variant": document["variant"],
        "edition": document["edition"],
        "options": document.get("options") or {},
        "players": dict(players) if isinstance(players, dict) else {player: {} for player in players},
        "faces": source.get("faces") or [],
        "first": document.get("first"),
        "given": document.get("given"),
        "settings": source.get("settings") or {},
        "started": source.get("started") or "",
    }
    try:
        return msgspec.convert(fields, GameRecord)
    except msgspec.ValidationError as error:
        raise ArchiveError(f"The file does not describe a game: {error}.") from error


def _entries(record: GameRecord, document: Json) -> list[Entry]:
    """The journal of the game: its actions, and those that no longer fit in their places."""
    game = opening(record)
    misfits = list(document["source"].get("no_longer_fits") or [])
    entries: list[Entry] = []

    def add(action: Json, context: Json, by: str) -> None:
        payload = {"action": action, "context": context}
        kind = "set" if "set" in action else "action"
        entries.append(Entry(number=len(entries) + 1, kind=kind, payload=payload, by=by, at=record.started))

    counted = 0
    for step in document["steps"]:
        while misfits and misfits[0]["after"] <= counted:
            misfit = misfits.pop(0)
            add(misfit["action"], misfit.get("context") or {}, misfit.get("by", "tablet"))
        if "expect" in step:
            match("the end", step["expect"], game.snapshot())
            continue
        action, context = complete(game, step)
        game.act(action)
        add(action, context, "tablet")
        counted += 1
    return entries
