"""The `boardside` command: the one place that knows every room and puts them together.

Each command lives in a module of its own here and is imported when it is called.
"""

import importlib
import sys

import typer

from companion.rules.errors import BoardsideError

#: command -> (module, function, one line of help). Modules are imported on use, so that `boardside scenario`
#: does not wait for OpenCV.
COMMANDS: dict[str, str] = {
    "play": "companion.cli.play:play",
    "demo": "companion.cli.demo:demo",
    "scenario": "companion.cli.scenario:scenario",
    "calibrate": "companion.cli.calibrate:calibrate",
    "read-table": "companion.cli.read_table:read_table",
    "read-dice": "companion.cli.read_dice:read_dice",
    "track": "companion.cli.track:track",
    "tower": "companion.cli.tower:app",
    "games": "companion.cli.games:app",
}


def build_app(only: str | None = None) -> typer.Typer:
    """The command tree; `only` names the one command to load, None loads all."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
    for name, target in COMMANDS.items():
        if only is not None and name != only:
            continue
        module_name, attribute = target.split(":")
        command = getattr(importlib.import_module(module_name), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)

    @app.callback()
    def root() -> None:
        """Boardside watches a real board, referees the game and shows it on a tablet."""

    return app


def main() -> None:
    """Entry point. Exit status 0 done, 1 something was wrong, 2 wrong usage or unreadable input."""
    only = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] in COMMANDS else None
    try:
        build_app(only)()
    except BoardsideError as error:
        print(f"boardside: {error.message}", file=sys.stderr)
        raise SystemExit(2) from None
