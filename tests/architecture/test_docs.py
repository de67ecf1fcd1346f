"""The documents cannot fall behind: commands, options and variants are where people look for them."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from companion.cli import COMMANDS
from companion.rules import catalog

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert re.search(rf"boardside {command}\b", README)


@pytest.mark.parametrize("variant", [each["name"] for each in catalog.variants()])
def test_every_option_of_a_variant_is_in_a_rules_document(variant: str) -> None:
    documents = files("companion.rules") / "documents"
    text = "".join(entry.read_text(encoding="utf-8") for entry in documents.iterdir() if entry.name.endswith(".md"))
    missing = [option["name"] for option in catalog.options(variant) if f"`{option['name']}`" not in text]
    assert not missing


def test_every_variant_is_in_the_readme() -> None:
    assert not [each["name"] for each in catalog.variants() if f"`{each['name']}`" not in README]


def test_the_readme_shows_a_picture_that_exists() -> None:
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_the_readme_names_only_files_that_exist() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert not [link for link in links if not (ROOT / link).exists()]
