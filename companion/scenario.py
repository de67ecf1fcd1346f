"""Scenario files: games in YAML 1.2 with what is expected of them.

`run_file` plays every scenario of a file; the format is described in the
protocol. Steps that are neither actions nor `expect` (observations and answers)
belong to a `Witness`, which whoever can judge observations hands in.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from companion.rules import BoardsideError, Game, Refused

#: Keys of a scenario document.
FIELDS = frozenset(
    {"scenario", "clauses", "variant", "edition", "options", "players", "first", "given", "steps", "note", "source"}
)
#: Keys of an `expect` that are not parts of the snapshot.
SPECIAL = frozenset({"events", "no_events", "no_pending", "refused", "asked"})


class ScenarioError(BoardsideError):
    """A scenario file cannot be read."""

    code = "scenario_unreadable"


class Mismatch(Exception):
    """Something is not as expected.

    Attributes:
        path: where in the expectation, as `players.Ann.cash`.
    """

    def __init__(self, path: str, expected: Any, found: Any) -> None:
        super().__init__(f"{path}: expected {expected}, found {found}")
        self.path = path


class Witness(Protocol):
    """Who weighs the observations of a scenario and turns them into actions and questions."""

    def see(self, game: Game, observation: dict[str, Any]) -> list[dict[str, Any]]:
        """A `see` step; carries out on `game` what is certain, returns the events."""

    def answer(self, game: Game, answer: dict[str, Any]) -> list[dict[str, Any]]:
        """An `answer` step; likewise."""

    def acted(self, game: Game, action: dict[str, Any], events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """An action step has been carried out; returns the events of what follows from it."""

    def questions(self) -> list[dict[str, Any]]:
        """The open questions: mappings with `about`, `options` and facts."""


class Outcome:
    """How one scenario ended; `problem` is None when all was as expected."""

    def __init__(self, name: str, clauses: list[str], problem: str | None) -> None:
        self.name = name
        self.clauses = clauses
        self.problem = problem

    @property
    def line(self) -> str:
        return f"ok {self.name}" if self.problem is None else f"FAIL {self.name}: {self.problem}"


def load_file(path: Path) -> list[dict[str, Any]]:
    """The scenarios of a file.

    Raises:
        ScenarioError: it cannot be read, or is no scenario file.
    """
    try:
        documents = list(YAML(typ="safe", pure=True).load_all(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ScenarioError(f"{path} cannot be read: {error.strerror}.") from error
    except (YAMLError, ValueError) as error:
        raise ScenarioError(f"{path} is no YAML: {error}") from error
    scenarios = [document for document in documents if document is not None]
    for document in scenarios:
        check_document(path, document)
    return scenarios


def check_document(path: Path, document: Any) -> None:
    """Whether this is a scenario at all."""
    if not isinstance(document, dict) or "scenario" not in document:
        raise ScenarioError(f"{path}: every document needs a `scenario` with its name.")
    name = document["scenario"]
    if unknown := set(document) - FIELDS:
        raise ScenarioError(f"{path}: {name}: unknown field {', '.join(sorted(map(str, unknown)))}.")
    steps = document.get("steps", [])
    if not isinstance(steps, list) or not all(isinstance(step, dict) and step for step in steps):
        raise ScenarioError(f"{path}: {name}: steps are a list of mappings.")


def run_file(path: Path, witness: Callable[[Game], Witness] | None = None) -> Iterator[Outcome]:
    """Run every scenario of a file.

    Args:
        witness: makes who judges the observations of a game; without one `see` steps fail.
    Raises:
        ScenarioError: the file cannot be read.
    """
    for document in load_file(path):
        yield run_scenario(document, witness)


def run_scenario(document: dict[str, Any], witness: Callable[[Game], Witness] | None = None) -> Outcome:
    """Run one scenario."""
    clauses = [str(clause) for clause in document.get("clauses") or []]
    problem = None
    try:
        Run(document, witness).play()
    except Mismatch as mismatch:
        problem = str(mismatch)
    return Outcome(str(document["scenario"]), clauses, problem)


class Run:
    """One scenario being played."""

    def __init__(self, document: dict[str, Any], witness: Callable[[Game], Witness] | None) -> None:
        self.steps: list[dict[str, Any]] = document.get("steps") or []
        self.events: list[dict[str, Any]] = []
        self.refused: Refused | None = None
        self.game: Game | None = None
        self.witness: Witness | None = None
        try:
            self.game = Game.new(
                variant=document.get("variant", "classic"),
                players=document.get("players") or [],
                options=document.get("options"),
                edition=document.get("edition"),
                given=document.get("given"),
                first=document.get("first"),
            )
        except Refused as refusal:
            self.refused = refusal
        if self.game is not None and witness is not None:
            self.witness = witness(self.game)

    def play(self) -> None:
        """All steps.

        Raises:
            Mismatch: at the first thing that is not as expected.
        """
        for number, step in enumerate(self.steps, 1):
            where = f"step {number}"
            if "expect" in step:
                self.expect(where, step["expect"])
                continue
            if self.refused is not None:
                raise Mismatch(where, "an accepted action", f"{self.refused.code} ({self.refused.message})")
            self.do(where, step)
        if self.refused is not None:
            raise Mismatch("the end", "an accepted action", f"{self.refused.code} ({self.refused.message})")

    def do(self, where: str, step: dict[str, Any]) -> None:
        """An action, an observation or an answer."""
        if self.game is None:
            raise Mismatch(where, "a game", "a set-up that was refused")
        try:
            if "see" in step or "answer" in step:
                self.events = self.judge(where, step)
            else:
                self.events = self.game.act(step)
                if self.witness is not None:
                    self.events = self.events + self.witness.acted(self.game, step, self.events)
        except Refused as refusal:
            self.refused = refusal
            self.events = []

    def judge(self, where: str, step: dict[str, Any]) -> list[dict[str, Any]]:
        """An observation or an answer, weighed by the witness."""
        if self.witness is None or self.game is None:
            raise Mismatch(where, "an action", "an observation, and nobody to judge it")
        if "see" in step:
            return self.witness.see(self.game, step["see"])
        return self.witness.answer(self.game, step["answer"])

    def expect(self, where: str, expected: Any) -> None:
        """Raises Mismatch unless everything is as expected."""
        if not isinstance(expected, dict):
            raise Mismatch(where, "a mapping", expected)
        code = expected.get("refused")
        found_code = self.refused.code if self.refused is not None else None
        if code != found_code:
            told = f"{found_code} ({self.refused.message})" if self.refused is not None else "no refusal"
            raise Mismatch(f"{where}.refused", code or "no refusal", told)
        self.refused = None
        if self.game is None:
            return
        snapshot = self.game.snapshot()
        for key, value in expected.items():
            if key not in SPECIAL:
                if key not in snapshot:
                    raise Mismatch(f"{where}.{key}", value, "nothing of this name in the state")
                match(f"{where}.{key}", value, snapshot[key], key)
        self.expect_lists(where, expected, snapshot)

    def expect_lists(self, where: str, expected: dict[str, Any], snapshot: dict[str, Any]) -> None:
        """Events, what must not be there, and questions."""
        if "events" in expected:
            match_list(f"{where}.events", expected["events"], self.events)
        for key, found in (("no_events", self.events), ("no_pending", snapshot["pending"])):
            for item in expected.get(key) or []:
                for candidate in found:
                    if matches(item, candidate):
                        raise Mismatch(f"{where}.{key}", f"nothing like {item}", candidate)
        if "asked" in expected:
            questions = [] if self.witness is None else self.witness.questions()
            asked = expected["asked"]
            if asked is None and questions:
                raise Mismatch(f"{where}.asked", "no question", questions)
            if asked is not None and not any(matches(asked, question) for question in questions):
                raise Mismatch(f"{where}.asked", asked, questions or "no question")


def matches(expected: Any, found: Any) -> bool:
    try:
        match("", expected, found)
    except Mismatch:
        return False
    return True


def match(path: str, expected: Any, found: Any, key: str = "") -> None:
    """Raises Mismatch unless `found` has everything that `expected` names."""
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            raise Mismatch(path, expected, found)
        for name, value in expected.items():
            if name not in found:
                raise Mismatch(f"{path}.{name}", value, "nothing")
            match(f"{path}.{name}", value, found[name], str(name))
    elif isinstance(expected, list) and key in ("pending", "events"):
        match_list(path, expected, found)
    elif isinstance(expected, list) and isinstance(found, list) and key in ("options", "winners"):
        if sorted(map(repr, expected)) != sorted(map(repr, found)):
            raise Mismatch(path, expected, found)
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            raise Mismatch(path, expected, found)
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            match(f"{path}[{place}]", one, other)
    elif expected != found or isinstance(expected, bool) is not isinstance(found, bool):
        raise Mismatch(path, expected, found)


def match_list(path: str, expected: Any, found: Any) -> None:
    """Each expected item must match a distinct found one, in this order; others may stand between."""
    if not isinstance(expected, list) or not isinstance(found, list):
        raise Mismatch(path, expected, found)
    if not expected and found:
        raise Mismatch(path, "nothing", found)
    start = 0
    for place, item in enumerate(expected):
        for index in range(start, len(found)):
            if matches(item, found[index]):
                start = index + 1
                break
        else:
            raise Mismatch(f"{path}[{place}]", item, nearest(item, found))


def nearest(item: Any, found: list[Any]) -> Any:
    """What to show for an item that was not found: those of its kind, else all."""
    name = "type" if isinstance(item, dict) and "type" in item else "kind"
    if isinstance(item, dict):
        alike = [each for each in found if isinstance(each, dict) and each.get(name) == item.get(name)]
        return alike or [each.get(name) if isinstance(each, dict) else each for each in found]
    return found
