"""The classic rules (clauses CL): the base of every variant."""

from companion.rules.classic.rules import Classic

__all__ = ["Classic"]
