"""The `see`, `answer` and `asked` of scenario files (see `companion.scenario.Witness`)."""

from typing import Any

import msgspec

from companion.observations import Observation
from companion.referee.driver import RefereedGame
from companion.rules import Game, Refused

#: The key that tells what kind of observation a `see` step is.
KINDS = ("dice", "tower", "token", "buildings", "markers")


class RefereeWitness:
    """A referee for the game of one scenario."""

    def __init__(self, game: Game) -> None:
        self._refereed = RefereedGame(game)

    def see(self, game: Game, observation: dict[str, Any]) -> list[dict[str, Any]]:
        return self._events_of(lambda: self._refereed.see(observation_from(observation)))

    def answer(self, game: Game, answer: dict[str, Any]) -> list[dict[str, Any]]:
        which, option = answer.get("about"), answer.get("option")
        if not isinstance(which, str) or not any(which in (q.about, q.id) for q in self._refereed.questions):
            raise Refused("malformed", f"There is no open question about {which}.")
        if not isinstance(option, str | list):
            raise Refused("malformed", "An answer names its option: a word, or the faces of a throw.")
        return self._events_of(lambda: self._refereed.answer(which, option))

    def acted(self, game: Game, action: dict[str, Any], events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return self._events_of(lambda: self._refereed.acted(action, events))

    def questions(self) -> list[dict[str, Any]]:
        return [question.as_json() for question in self._refereed.questions]

    def _events_of(self, do: Any) -> list[dict[str, Any]]:
        """The events of all actions that follow."""
        start = len(self._refereed.events)
        do()
        return self._refereed.events[start:]


def observation_from(step: dict[str, Any]) -> Observation:
    """The observation that a `see` step describes.

    Raises:
        Refused: `malformed` if it describes none.
    """
    kind = next((kind for kind in KINDS if kind in step), None)
    if kind is None:
        raise Refused("malformed", f"An observation is one of {', '.join(KINDS)}.")
    fields = dict(step)
    if kind == "tower":
        fields["faces"] = fields.pop("tower")
    if kind == "markers":
        fields["markers"] = {space: [found] if isinstance(found, str) else found for space, found in step[kind].items()}
    try:
        observation: Observation = msgspec.convert({"type": kind, **fields}, Observation)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"This is no observation: {error}.") from error
    return observation
