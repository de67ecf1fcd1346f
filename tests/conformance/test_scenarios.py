"""Every scenario of every implemented variant, the shared set's and the project's own."""

from pathlib import Path
from typing import Any

import pytest

from companion.rules.registry import VARIANTS
from companion.scenario import load_file, run_scenario
from tests.conformance.scenarios import HERE, SHARED_COPY, all_scenarios, disputed

SHARED = Path(__file__).parents[3] / "shared"
DOCUMENTS = Path(__file__).parents[2] / "companion" / "rules" / "documents"


@pytest.mark.parametrize("document", all_scenarios())
def test_scenario(document: dict[str, Any]) -> None:
    outcome = run_scenario(document)
    assert outcome.problem is None, outcome.line


def test_every_dispute_names_a_scenario_that_exists() -> None:
    names = {parameter.id for parameter in all_scenarios()}
    for file, scenario in disputed():
        assert f"{file}: {scenario}" in names


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared scenarios are not beside this checkout")
def test_copies_are_current() -> None:
    theirs = {path.relative_to(SHARED / "conformance"): path for path in (SHARED / "conformance").rglob("*.yaml")}
    ours = {path.relative_to(SHARED_COPY): path for path in SHARED_COPY.rglob("*.yaml")}
    assert sorted(ours) == sorted(theirs)
    for name, path in theirs.items():
        assert ours[name].read_text() == path.read_text(), f"{name} differs from the shared one"
    for path in (SHARED / "rules").glob("*.md"):
        assert (DOCUMENTS / path.name).read_text() == path.read_text(), f"{path.name} differs from the shared one"


def test_own_scenarios_are_in_the_folder_of_their_variant() -> None:
    for variant in VARIANTS:
        for path in (HERE / "own" / variant).glob("*.yaml"):
            assert all(document.get("variant", "classic") == variant for document in load_file(path)), path
