"""The referee plays every scenario with observations: the shared set's copy and its own."""

from pathlib import Path
from typing import Any

import pytest

from companion.referee.witness import RefereeWitness
from companion.rules.registry import VARIANTS
from companion.scenario import load_file, run_scenario

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
SHARED = Path(__file__).resolve().parents[4] / "shared/conformance/referee"


def scenarios() -> list[Any]:
    parameters = []
    for root in (CONFORMANCE / "scenarios/referee", CONFORMANCE / "own/referee"):
        for path in sorted(root.glob("*.yaml")):
            for document in load_file(path):
                variant = document.get("variant", "classic")
                marks = [] if variant in VARIANTS else [pytest.mark.skip(reason=f"no variant {variant} yet")]
                parameters.append(pytest.param(document, id=f"{path.name}: {document['scenario']}", marks=marks))
    return parameters


@pytest.mark.parametrize("document", scenarios())
def test_scenario(document: dict[str, Any]) -> None:
    outcome = run_scenario(document, RefereeWitness)
    assert outcome.problem is None, outcome.line


def test_every_rule_of_the_protocol_has_scenarios() -> None:
    clauses = {clause for parameter in scenarios() for clause in parameter.values[0].get("clauses", [])}
    assert {f"SEE-{number}" for number in range(1, 10)} <= clauses


def test_a_see_step_without_a_referee_fails() -> None:
    document = {"scenario": "x", "players": ["Ann", "Bob"], "steps": [{"see": {"tower": [3, 4]}}]}
    assert run_scenario(document).problem is not None


@pytest.mark.parametrize(
    "step",
    [{"see": {"weather": "fine"}}, {"see": {"dice": "two"}}, {"answer": {"about": "dice", "option": [1, 2]}}],
)
def test_a_malformed_observation_is_refused(step: dict[str, Any]) -> None:
    document = {"scenario": "x", "players": ["Ann", "Bob"], "steps": [step, {"expect": {"refused": "malformed"}}]}
    assert run_scenario(document, RefereeWitness).problem is None


@pytest.mark.skipif(not SHARED.exists(), reason="the shared scenarios are not here")
def test_the_copies_are_those_of_the_shared_set() -> None:
    for path in SHARED.glob("*.yaml"):
        copy = CONFORMANCE / "scenarios/referee" / path.name
        assert copy.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
