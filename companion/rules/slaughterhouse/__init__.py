"""Slaughterhouse: Theodore Wright's variation with the Cop, bombs, miners, pickpockets and bank robbers."""

from companion.rules.slaughterhouse.rules import Slaughterhouse

__all__ = ["Slaughterhouse"]
