"""What the referee asks its caller to do."""

from typing import Any, Literal

import msgspec

About = Literal["dice", "move", "decision", "token", "buildings", "markers", "witnesses"]

#: What can be chosen: a word, or the faces of a throw.
Choice = str | tuple[int, ...]


class Option(msgspec.Struct, frozen=True):
    """One button of a question.

    Attributes:
        option: what `Referee.answer` is given back.
        label: what stands on the button.
        probability: of being what happened, 0-1; None where nothing was weighed.
    """

    option: Choice
    label: str
    probability: float | None = None


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the referee wants to know. It never holds up play.

    Attributes:
        options: likeliest first, at most four.
        picture: id of the evidence picture.
        facts: by the question's kind: `player`, `seen`, `book`, `wanted`, …
    """

    id: str
    about: About
    text: str
    options: tuple[Option, ...] = ()
    picture: str | None = None
    facts: dict[str, Any] = {}

    def as_json(self) -> dict[str, Any]:
        """As `expect: {asked: …}` matches it: options are bare, facts stand beside them."""
        options = [list(o.option) if isinstance(o.option, tuple) else o.option for o in self.options]
        return {**self.facts, "about": self.about, "text": self.text, "options": options, "picture": self.picture}


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """Apply this action to the game, then call `Referee.acted`.

    Attributes:
        evidence: ids of the pictures it rests on.
        confidence: probability that the reading is right, 0-1.
        because: one short sentence for the log.
        is_read: False for a throw of which it is not known what each die showed, only what they come to.
        replaces: the action, taken before, that this one corrects: the newest entry of the
            journal with that action is to be amended, and the game folded again.
    """

    action: dict[str, Any]
    evidence: tuple[str, ...] = ()
    confidence: float = 1.0
    because: str = ""
    is_read: bool = True
    replaces: dict[str, Any] | None = None


class Ask(msgspec.Struct, frozen=True):
    """Show this question; one with the same id takes the place of the former."""

    question: Question


class Withdraw(msgspec.Struct, frozen=True):
    """This question has been answered by what happened."""

    question_id: str
    because: str = ""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Worth a line on the tablet, nothing to answer."""

    text: str
    about: About
    picture: str | None = None
    player: str | None = None


Effect = Act | Ask | Withdraw | Note
