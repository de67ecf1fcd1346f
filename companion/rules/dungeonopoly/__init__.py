"""Dungeonopoly (clauses DG): the classic game with characters. One module a class; the rest is what all share."""

from companion.rules.dungeonopoly.rules import Dungeonopoly

__all__ = ["Dungeonopoly"]
