"""Watch only (clauses WA): dice and moves, no money."""

from companion.rules.watch.rules import Watch

__all__ = ["Watch"]
