"""What the parts of the referee share: the game, the view ahead, the desk, and what is under way."""

from dataclasses import dataclass, field
from typing import Any

from companion.referee.desk import Desk
from companion.referee.effects import Act, Note
from companion.referee.outlook import Outlook, try_action
from companion.referee.words import plain_name
from companion.rules import Game
from companion.rules.board import space_names


def is_bookless(snapshot: dict[str, Any]) -> bool:
    """Whether the variant keeps no book of buildings and markers. Rule: WA-5"""
    return bool(snapshot["variant"] == "watch")


@dataclass
class Context:
    """
    Attributes:
        flight: actions that were proposed and of which the caller has not yet told that they are done.
        is_bookless: see `is_bookless`.
    """

    game: Game
    desk: Desk = field(default_factory=Desk)
    flight: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.look = Outlook(self.game)
        self._names = space_names(self.look.snapshot["edition"])
        self.is_bookless = is_bookless(self.look.snapshot)

    def look_again(self) -> None:
        self.look = Outlook(self.game)

    def name(self, space: str) -> str:
        """What the space is called in this edition."""
        return self._names.get(space) or plain_name(space)

    def is_possible(self, action: dict[str, Any]) -> bool:
        """Whether the rules accept this action now."""
        return try_action(self.game, action) is not None

    def act(
        self,
        action: dict[str, Any],
        *,
        because: str,
        evidence: tuple[str, ...] = (),
        confidence: float = 1.0,
        is_read: bool = True,
        replaces: dict[str, Any] | None = None,
    ) -> None:
        """Proposes an action; nothing else is concluded before the caller says that it is done.

        What the rules refuse is not proposed: people are told instead.
        """
        if "undo" not in action and replaces is None and not self.is_possible(action):
            text = f"{because} The rules do not allow it now; put it in by hand."
            self.desk.effects.append(Note(text=text, about="decision", picture=evidence[-1] if evidence else None))
            return
        self.flight.append(action)
        act = Act(
            action=action,
            evidence=evidence,
            confidence=min(confidence, 1.0),
            because=because,
            is_read=is_read,
            replaces=replaces,
        )
        self.desk.effects.append(act)

    def landed(self, action: dict[str, Any]) -> bool:
        """Whether this action was the referee's own; it is then no longer under way."""
        for proposed in self.flight:
            if all(action.get(key) == value for key, value in proposed.items()):
                self.flight.remove(proposed)
                return True
        return False


def is_same_action(action: dict[str, Any], other: dict[str, Any]) -> bool:
    """Equal, leaving aside who did it where one of them does not say."""
    by = {action["by"], other["by"]} if "by" in action and "by" in other else {None}
    return len(by) == 1 and _without_by(action) == _without_by(other)


def _without_by(action: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in action.items() if key != "by"}
