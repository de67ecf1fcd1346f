"""Monopocalypse (clauses MA): MonopoZombie with points, and an outbreak that lasts a turn of every player at least."""

from companion.rules.monopocalypse.rules import Monopocalypse

__all__ = ["Monopocalypse"]
