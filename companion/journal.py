"""The journal: every action, observation and correction of every game, before anybody sees its effect.

An SQLite file in write-ahead mode, append-only. `synchronous=FULL` makes each append reach the disk before it
returns: with NORMAL a pulled plug could take the last appends with it, and those the tablet has already shown.
An append is one transaction, so what follows from one observation is kept wholly or not at all.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from companion.rules.errors import BoardsideError

#: `PRAGMA user_version` of the files that this program writes.
SCHEMA_VERSION = 1

#: Evidence pictures of one game together, bytes; beyond it the oldest go. A picture has 20-150 kB, a game 200-900.
MOST_PICTURE_BYTES = 256 * 1024 * 1024


class JournalError(BoardsideError):
    """The journal cannot be opened, read or written."""

    code = "journal_failed"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a game's journal; never changed once written.

    Attributes:
        number: counts from 1 within the game, without gaps.
        kind: `action`, `set`, `observation`, `amend`, `undo`, `redo`, `drop`, `question`, `withdraw`, `answer`,
            `note`, `tick` or `setting`.
        payload: plain JSON; its shape goes with the kind.
        by: `camera`, `tower`, `tablet` or `referee`.
        picture: id of the evidence picture.
        confidence: of the reading, 0-1; None for what people said.
        at: wall time, ISO 8601 UTC, as the caller's clock gave it.
    """

    number: int
    kind: str
    payload: dict[str, Any]
    by: str
    picture: str | None = None
    confidence: float | None = None
    at: str = ""


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What a game began with.

    Attributes:
        players: name -> what the player chose at set-up, in turn order.
        faces: per player `name`, `token`, `color`, `shape`, `initial`.
        given: a partial state to begin from.
        settings: of the table and not of the rules: camera, profile, automation, enrolled token -> player.
        started: wall time, ISO 8601 UTC.
    """

    id: str
    variant: str
    edition: str
    options: dict[str, Any]
    players: dict[str, dict[str, Any]]
    faces: tuple[dict[str, Any], ...] = ()
    first: str | None = None
    given: dict[str, Any] | None = None
    settings: dict[str, Any] = {}
    started: str = ""


_metadata = sa.MetaData()
_games = sa.Table(
    "games",
    _metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("started", sa.String, nullable=False),
    sa.Column("record", sa.LargeBinary, nullable=False),
)
_entries = sa.Table(
    "entries",
    _metadata,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.Column("by", sa.String, nullable=False),
    sa.Column("picture", sa.String),
    sa.Column("confidence", sa.Float),
    sa.Column("at", sa.String, nullable=False),
)
_pictures = sa.Table(
    "pictures",
    _metadata,
    sa.Column("order", sa.Integer, primary_key=True),
    sa.Column("game", sa.ForeignKey("games.id"), nullable=False),
    sa.Column("id", sa.String, nullable=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("game", "id"),
)


def _create_tables(connection: sa.Connection) -> None:
    _metadata.create_all(connection)


#: Step N-1 lifts a file from version N-1 to N; a released step is never changed.
MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (_create_tables,)


class Journal:
    """All games of one data folder. Methods may be called from any thread."""

    def __init__(self, engine: sa.Engine) -> None:
        """See `open` and `in_memory`."""
        self._engine = engine
        self._lock = threading.RLock()
        self._migrate()

    @classmethod
    def open(cls, path: Path) -> "Journal":
        """The journal in this file, which is made if it is not there.

        Raises:
            JournalError: it cannot be opened, is no journal, or was written by a newer program.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"The folder {path.parent} for the games cannot be made: {error.strerror}.") from error
        return cls(_engine(f"sqlite:///{path}"))

    @classmethod
    def in_memory(cls) -> "Journal":
        """A journal that ends with the program."""
        return cls(_engine("sqlite://"))

    def close(self) -> None:
        with self._lock:
            self._engine.dispose()

    # -- games -----------------------------------------------------------------------------

    def add_game(self, record: GameRecord) -> None:
        """A new game; raises JournalError `journal_conflict` if its id is taken."""
        row = {"id": record.id, "started": record.started, "record": msgspec.json.encode(record)}
        self._write(f"There is a game {record.id} already.", lambda c: c.execute(_games.insert().values(row)))

    def game(self, game: str) -> GameRecord:
        """What a game began with; raises JournalError `unknown_game`."""
        rows = self._read(sa.select(_games.c.record).where(_games.c.id == game))
        if not rows:
            raise JournalError(f"There is no game {game} here.", "unknown_game")
        return msgspec.json.decode(rows[0][0], type=GameRecord)

    def games(self) -> list[GameRecord]:
        """All games, the newest first: the one that was added last, whatever the clock said."""
        rows = self._read(sa.select(_games.c.record).order_by(sa.text("rowid DESC")))
        return [msgspec.json.decode(row[0], type=GameRecord) for row in rows]

    # -- entries ---------------------------------------------------------------------------

    def append(self, game: str, entries: Sequence[Entry], pictures: Iterable[tuple[str, bytes]] = ()) -> None:
        """Adds entries and the pictures that they refer to, all or nothing, on the disk when it returns.

        Args:
            entries: numbered on from the last one of this game.
            pictures: (id, content of the JPEG file); one that is there already is left as it is.
        Raises:
            JournalError: `journal_conflict` if somebody else wrote these numbers; `journal_failed` if it cannot
                be written, the disk being full or gone.
        """
        rows = [
            {**msgspec.structs.asdict(entry), "game": game, "payload": msgspec.json.encode(entry.payload)}
            for entry in entries
        ]
        images = [{"game": game, "id": name, "jpeg": jpeg} for name, jpeg in pictures]

        def write(connection: sa.Connection) -> None:
            if rows:
                connection.execute(_entries.insert(), rows)
            if images:
                connection.execute(_pictures.insert().prefix_with("OR IGNORE"), images)
                self._forget_oldest(connection, game)

        self._write("Another program is writing to this game; end one of the two.", write)

    def entries(self, game: str, after: int = 0) -> list[Entry]:
        """The entries of a game with a number above `after`, in order."""
        columns = [column for column in _entries.c if column.name != "game"]
        query = sa.select(*columns).where(_entries.c.game == game, _entries.c.number > after)
        rows = self._read(query.order_by(_entries.c.number))
        return [Entry(**{**row._mapping, "payload": msgspec.json.decode(row.payload)}) for row in rows]

    def last_number(self, game: str) -> int:
        """Number of the last entry; 0 when there is none."""
        rows = self._read(sa.select(sa.func.max(_entries.c.number)).where(_entries.c.game == game))
        return int(rows[0][0] or 0)

    # -- pictures --------------------------------------------------------------------------

    def picture(self, game: str, picture: str) -> bytes | None:
        """The JPEG file of an evidence picture; None if it was not kept."""
        rows = self._read(sa.select(_pictures.c.jpeg).where(_pictures.c.game == game, _pictures.c.id == picture))
        return rows[0][0] if rows else None

    def forget_pictures(self, game: str) -> int:
        """Deletes all pictures of a game, its entries stay; returns how many there were."""
        query = _pictures.delete().where(_pictures.c.game == game)
        return int(self._write("", lambda connection: connection.execute(query).rowcount))

    def _forget_oldest(self, connection: sa.Connection, game: str) -> None:
        of_game = _pictures.c.game == game
        total = connection.execute(sa.select(sa.func.sum(sa.func.length(_pictures.c.jpeg))).where(of_game)).scalar()
        surplus = int(total or 0) - MOST_PICTURE_BYTES
        if surplus <= 0:
            return
        oldest = sa.select(_pictures.c.order, sa.func.length(_pictures.c.jpeg)).where(of_game)
        for order, size in connection.execute(oldest.order_by(_pictures.c.order)).all():
            if surplus <= 0:
                return
            connection.execute(_pictures.delete().where(_pictures.c.order == order))
            surplus -= size

    # -- the file --------------------------------------------------------------------------

    def _migrate(self) -> None:
        def lift(connection: sa.Connection) -> None:
            found = int(connection.execute(sa.text("PRAGMA user_version")).scalar() or 0)
            if found > SCHEMA_VERSION:
                raise JournalError(
                    f"The games were written by a newer Boardside (format {found}; this one knows {SCHEMA_VERSION}).",
                    "journal_too_new",
                )
            for step in MIGRATIONS[found:]:
                step(connection)
            connection.execute(sa.text(f"PRAGMA user_version = {SCHEMA_VERSION}"))

        try:
            self._write("", lift)
        except JournalError:
            self._engine.dispose()
            raise

    def _write(self, conflict: str, work: Callable[[sa.Connection], Any]) -> Any:
        try:
            with self._lock, self._engine.begin() as connection:
                return work(connection)
        except IntegrityError as error:
            raise JournalError(conflict, "journal_conflict") from error
        except SQLAlchemyError as error:
            raise JournalError(f"The games cannot be written to {self._place()}: {_reason(error)}.") from error

    def _read(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        try:
            with self._lock, self._engine.connect() as connection:
                return connection.execute(query).all()
        except SQLAlchemyError as error:
            raise JournalError(f"The games cannot be read from {self._place()}: {_reason(error)}.") from error

    def _place(self) -> str:
        return self._engine.url.database or "memory"


def _engine(url: str) -> sa.Engine:
    # One connection for all threads, under the journal's own lock: SQLite has one writer anyway.
    engine = sa.create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 5.0})

    def prepare(connection: Any, _record: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    sa.event.listen(engine, "connect", prepare)
    return engine


def _reason(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
