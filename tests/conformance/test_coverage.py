"""Each clause of each implemented rules document has a scenario that passes, or a reason why it cannot have one."""

import pytest
from ruamel.yaml import YAML

from companion.rules import catalog
from companion.rules.registry import VARIANTS
from companion.scenario import load_file, run_scenario
from tests.conformance.scenarios import HERE, files_of

IMPLEMENTED = [document for document in catalog.DOCUMENTS if document in VARIANTS]


def untestable() -> dict[str, str]:
    reasons: dict[str, str] = YAML(typ="safe", pure=True).load(HERE / "untestable.yaml")
    return reasons


@pytest.mark.parametrize("variant", IMPLEMENTED)
def test_each_clause_has_a_passing_scenario(variant: str) -> None:
    shown: set[str] = set()
    for each in VARIANTS:
        for path in files_of(each):
            for document in load_file(path):
                if set(document.get("clauses") or []) & set(catalog.clauses(variant)):
                    outcome = run_scenario(document)
                    if outcome.problem is None:
                        shown |= set(outcome.clauses)
    missing = [clause for clause in catalog.clauses(variant) if clause not in shown | set(untestable())]
    assert not missing, f"no passing scenario for {', '.join(missing)}"


def test_what_is_called_untestable_is_a_clause_without_a_scenario() -> None:
    for number, reason in untestable().items():
        assert catalog.clause(number) is not None, number
        assert reason.strip()
