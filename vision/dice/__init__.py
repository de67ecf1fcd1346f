"""Dice in pictures: where they lie and what they show."""

from vision.dice.reader import OF_TABLES, DiceReader

__all__ = ["OF_TABLES", "DiceReader"]
