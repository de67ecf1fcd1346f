"""The referee: turns what cameras and towers saw into actions, questions, or nothing.

It is pure: no clock, no threads, no randomness, no files. It never changes the game; whoever
calls it applies each `Act` and tells it so by `Referee.acted`.
"""

from companion.referee.effects import Act, Ask, Effect, Note, Option, Question, Withdraw
from companion.referee.referee import Referee

__all__ = ["Act", "Ask", "Effect", "Note", "Option", "Question", "Referee", "Withdraw"]
