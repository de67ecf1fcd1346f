"""Where the scenarios are: the shared set's copy and the project's own, for the variants that are implemented."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from companion.rules.registry import VARIANTS
from companion.scenario import load_file

HERE = Path(__file__).parent
SHARED_COPY = HERE / "scenarios"
OWN = HERE / "own"


def files_of(variant: str) -> list[Path]:
    """The scenario files of a variant's folders."""
    return sorted(path for root in (SHARED_COPY, OWN) for path in (root / variant).glob("*.yaml"))


def disputed() -> dict[tuple[str, str], str]:
    """(file, scenario) -> why it is expected to fail."""
    rows = YAML(typ="safe", pure=True).load(HERE / "disputed.yaml")["disputed"]
    return {(row["file"], row["scenario"]): f"{row['clause']}: {row['why']}" for row in rows}


def all_scenarios() -> list[Any]:
    """Every scenario of the implemented variants as a pytest parameter."""
    parameters = []
    for variant in VARIANTS:
        for path in files_of(variant):
            file = f"{variant}/{path.name}"
            for document in load_file(path):
                reason = disputed().get((file, document["scenario"]))
                marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
                parameters.append(pytest.param(document, id=f"{file}: {document['scenario']}", marks=marks))
    return parameters
