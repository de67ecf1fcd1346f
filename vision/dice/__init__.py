"""Dice in pictures: where they lie and what they show."""

from vision.dice.reader import DiceReader

__all__ = ["DiceReader"]
