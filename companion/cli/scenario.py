"""`boardside scenario FILE…`: run rules scenarios."""

from pathlib import Path
from typing import Annotated

import typer

from companion.referee.witness import RefereeWitness
from companion.scenario import run_file


def scenario(files: Annotated[list[Path], typer.Argument(help="Scenario files (YAML 1.2).")]) -> None:
    """Run rules scenarios: a line each, `ok NAME` or what differed. Exit status 1 if any failed."""
    failed = False
    for path in files:
        for outcome in run_file(path, RefereeWitness):
            print(outcome.line)
            failed = failed or outcome.problem is not None
    if failed:
        raise typer.Exit(1)
