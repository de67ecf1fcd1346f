"""The import table: who may know whom."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("companion", "vision", "hardware", "web", "calibration")
EVERYTHING = frozenset(ROOMS)

#: (folder or file, the project's modules it may import, third-party packages it may import or None for any).
#: The first row that fits a file holds for it.
TABLE: tuple[tuple[str, frozenset[str], frozenset[str] | None], ...] = (
    ("companion/rules", frozenset({"companion.rules"}), frozenset({"msgspec"})),
    ("companion/observations.py", frozenset({"companion.rules"}), frozenset({"msgspec"})),
    ("companion/cli", EVERYTHING, None),
    ("companion/__main__.py", frozenset({"companion"}), None),
    ("companion", frozenset({"companion"}), frozenset({"msgspec", "sqlalchemy", "platformdirs", "ruamel"})),
    ("vision", frozenset({"vision", "companion.observations"}), None),
    ("hardware", frozenset({"hardware", "companion.observations"}), None),
    ("calibration", frozenset({"calibration", "vision", "companion.observations"}), None),
    ("web", frozenset({"web", "companion", "calibration"}), None),
)


def sources() -> list[Path]:
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if "node_modules" not in path.parts]


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parts[:-1])


def imported_modules(path: Path, package: str) -> Iterator[str]:
    """Dotted names of all modules that a file imports, at whatever depth it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(
                    package.split(".")[: len(package.split(".")) - node.level + 1] + ([base] if base else [])
                )
            # `from companion import observations` names the module in the second half.
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if (ROOT / inner.replace(".", "/")).with_suffix(".py").exists() else base


def allowed(path: Path) -> tuple[frozenset[str], frozenset[str] | None]:
    relative = path.relative_to(ROOT).as_posix()
    for prefix, own, third_party in TABLE:
        if relative == prefix or relative.startswith(prefix + "/"):
            return own, third_party
    raise AssertionError(f"{relative} belongs to no row of the table")


def within(module: str, names: frozenset[str]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in names)


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_imports_only_what_the_table_allows(path: Path) -> None:
    own, third_party = allowed(path)
    wrong = []
    for module in imported_modules(path, package_of(path)):
        top = module.split(".")[0]
        if top in EVERYTHING:
            if not within(module, own):
                wrong.append(module)
        elif top not in sys.stdlib_module_names and third_party is not None and top not in third_party:
            wrong.append(module)
    assert not wrong, f"{path.relative_to(ROOT)} may not import {', '.join(sorted(set(wrong)))}"


def test_the_rules_read_no_clock_and_no_chance() -> None:
    forbidden = {"time", "random", "secrets", "datetime", "threading", "socket"}
    for path in sorted((ROOT / "companion/rules").rglob("*.py")):
        found = forbidden & {module.split(".")[0] for module in imported_modules(path, package_of(path))}
        assert not found, f"{path.relative_to(ROOT)} imports {found}"


def test_the_import_table_catches_a_stranger(tmp_path: Path) -> None:
    stray = tmp_path / "stray.py"
    stray.write_text("import vision.reader\nfrom companion import table\n")
    modules = set(imported_modules(stray, package="web"))
    assert not within("vision.reader", allowed(ROOT / "web/app.py")[0])
    assert "vision.reader" in modules
    assert "companion.table" in modules or "companion" in modules
