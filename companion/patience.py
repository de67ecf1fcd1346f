"""Whoever is asked for a reaction has so long to answer, where the table has set a time; then the answer is no."""

import json
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.rules.errors import Refused

Json = dict[str, Any]
#: Calls back after so many seconds, from another thread; returns what calls that off.
Later = Callable[[float, Callable[[], None]], Callable[[], None]]

#: The times that a table can set, s.
REACTION_S = (15, 30, 60)


def check_reaction_s(seconds: Any) -> None:
    """Whether a table can set this time; None waits for ever.

    Raises:
        Refused: `malformed`.
    """
    if seconds is not None and (type(seconds) is not int or seconds not in REACTION_S):
        times = ", ".join(map(str, REACTION_S))
        raise Refused("malformed", f"Nobody can be given {seconds} seconds to react: choose {times}, or leave it out.")


def later(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """`Later` by the machine's clock."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer.cancel


class Patience:
    """One alarm for each reaction that is asked for. All methods may be called from any thread."""

    def __init__(
        self, decline: Callable[[str], None], later: Later = later, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        """
        Args:
            decline: told the key (`open_reactions`) of what has been open for too long.
            now_s: seconds since any moment, on the clock that `later` goes by.
        """
        self._decline = decline
        self._later = later
        self._now_s = now_s
        self._ends_s: dict[str, float] = {}
        self._lock = threading.Lock()
        self._alarms: dict[str, Callable[[], None]] = {}
        self._seconds: float | None = None

    def see(self, view: Json) -> None:
        """What is open now: alarms are set for what is new, and called off for what is gone.

        When the table sets another time, whoever is asked has all of it from now on.
        """
        seconds = view["game"] and view["game"]["reaction_s"]
        asked = open_reactions(view) if seconds else {}
        with self._lock:
            for key in [key for key in self._alarms if key not in asked or seconds != self._seconds]:
                del self._ends_s[key]
                self._alarms.pop(key)()
            self._seconds = seconds
            for key in asked:
                if key not in self._alarms:
                    self._ends_s[key] = self._now_s() + seconds
                    self._alarms[key] = self._later(seconds, partial(self._decline, key))

    def told(self, view: Json) -> Json:
        """The view with the seconds that are left for each reaction, as `left_s` of its decision."""
        with self._lock:
            ends_s = dict(self._ends_s)
        if not ends_s:
            return view
        now_s = self._now_s()
        decisions = []
        for decision in view["decisions"]:
            end_s = ends_s.get(_key(view, decision)) if decision["kind"] == "react" else None
            decisions.append(decision if end_s is None else {**decision, "left_s": max(0.0, round(end_s - now_s, 1))})
        return {**view, "decisions": decisions}

    def close(self) -> None:
        """Nothing is declined any more."""
        with self._lock:
            while self._alarms:
                self._alarms.popitem()[1]()
            self._ends_s.clear()


def open_reactions(view: Json) -> dict[str, str]:
    """The reactions that a view asks for: a key, the same as long as the same is asked -> who is asked."""
    return {_key(view, decision): decision["player"] for decision in view["decisions"] if decision["kind"] == "react"}


def _key(view: Json, decision: Json) -> str:
    return json.dumps([view["game"]["id"], decision["player"], decision["fields"]], sort_keys=True)
