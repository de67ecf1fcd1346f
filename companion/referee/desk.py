"""The referee's open questions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.referee.effects import About, Ask, Effect, Option, Question, Withdraw

#: The tablet shows this many buttons beside each other (tablet.md).
MOST_OPTIONS = 4


@dataclass
class Open:
    """A question and what it hangs on: a player, a space, or a throw."""

    question: Question
    subject: object


@dataclass
class Desk:
    """Asks each thing once, numbers the questions, and collects the effects."""

    effects: list[Effect] = field(default_factory=list)
    _open: dict[tuple[str, object], Open] = field(default_factory=dict)
    _count: int = 0

    @property
    def questions(self) -> tuple[Question, ...]:
        """Oldest first."""
        return tuple(held.question for held in self._open.values())

    def held(self) -> list[Open]:
        return list(self._open.values())

    def ask(
        self,
        about: About,
        subject: object,
        text: str,
        options: Sequence[Option] = (),
        *,
        picture: str | None = None,
        facts: dict[str, Any] | None = None,
    ) -> None:
        """Asks, or brings the open question about the same thing up to date."""
        before = self._open.get((about, subject))
        if before is None:
            self._count += 1
        question = Question(
            id=before.question.id if before else f"q{self._count}",
            about=about,
            text=text,
            options=tuple(options[:MOST_OPTIONS]),
            picture=picture,
            facts=facts or {},
        )
        if before is not None and before.question == question:
            return
        self._open[(about, subject)] = Open(question, subject)
        self.effects.append(Ask(question))

    def find(self, which: str) -> Open | None:
        """By id, or else the oldest about this."""
        held = [entry for entry in self._open.values() if entry.question.id == which]
        held = held or [entry for entry in self._open.values() if entry.question.about == which]
        return held[0] if held else None

    def has(self, about: About, subject: object) -> bool:
        return (about, subject) in self._open

    def close(self, entry: Open) -> None:
        """It has been answered by a person."""
        self._open.pop((entry.question.about, entry.subject), None)

    def withdraw(self, about: About, subject: object, because: str) -> None:
        """It has been answered by what happened; nothing if it is not open."""
        entry = self._open.pop((about, subject), None)
        if entry is not None:
            self.effects.append(Withdraw(entry.question.id, because))

    def take_effects(self) -> list[Effect]:
        taken, self.effects = self.effects, []
        return taken
