"""Where this computer keeps its games."""

from pathlib import Path

import platformdirs

from companion.journal import Journal

#: Name of the journal in the data folder.
FILE = "games.sqlite"


def data_folder(chosen: Path | None = None) -> Path:
    """The folder for games and profiles: the chosen one, or the user's own."""
    return chosen if chosen is not None else Path(platformdirs.user_data_dir("boardside", appauthor=False))


def open_journal(chosen: Path | None = None) -> Journal:
    """The journal of that folder; raises JournalError."""
    return Journal.open(data_folder(chosen) / FILE)
