"""The live table: the single writer that journals, keeps the book, and publishes one view to every tablet."""

from companion.table.errors import Answered, Stale, UnknownEntry
from companion.table.table import Table

__all__ = ["Answered", "Stale", "Table", "UnknownEntry"]
