"""Pictures that prove what was read: they wait in memory until something in the journal refers to them."""

import logging
from collections.abc import Iterable

from companion.journal import Entry, Journal, JournalError
from companion.observations import Picture

log = logging.getLogger(__name__)

#: Pictures that wait.
MOST_WAITING = 64


class Evidence:
    """The pictures of one game. Not safe to be called from several threads."""

    def __init__(self, journal: Journal, game_id: str, *, is_kept: bool) -> None:
        """
        Args:
            is_kept: False leaves pictures in memory only.
        """
        self._journal = journal
        self._game_id = game_id
        self._is_kept = is_kept
        self._waiting: dict[str, bytes] = {}
        self._wanted: set[str] = set()

    def of(self, entries: Iterable[Entry]) -> list[tuple[str, bytes]]:
        """(id, JPEG) of what these entries refer to; what has not come yet is kept as soon as it does."""
        if not self._is_kept:
            return []
        found = []
        for entry in entries:
            if entry.kind == "observation":
                continue
            for name in dict.fromkeys([entry.picture, *entry.payload.get("evidence", ())]):
                if name in self._waiting:
                    found.append((name, self._waiting[name]))
                elif name is not None:
                    self._wanted.add(name)
        return found

    def take(self, picture: Picture) -> None:
        """A picture of the eyes; the oldest that waits makes room."""
        self._waiting[picture.id] = picture.jpeg
        while len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        if picture.id not in self._wanted:
            return
        self._wanted.discard(picture.id)
        try:
            self._journal.append(self._game_id, [], [(picture.id, picture.jpeg)])
        except JournalError as error:
            log.warning("a picture was not kept: %s", error.message)

    def get(self, picture: str) -> bytes | None:
        """The JPEG file of one that waits."""
        return self._waiting.get(picture)
