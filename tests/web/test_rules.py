"""The rules in play, as the page gets them."""

import pytest
from flask.testing import FlaskClient

from companion.rules.registry import VARIANTS, rules_of
from companion.rules_page import rules_in_play
from companion.session import Session


def test_the_rules_of_the_running_game_are_given(client: FlaskClient, playing: Session) -> None:
    rules = client.get("/api/rules").json
    assert rules["title"].startswith("Classic")
    assert "CL-1.3" in [line["clause"] for section in rules["sections"] for line in section["lines"]]
    assert all(option["is_default"] for option in rules["options"])


def test_without_a_game_there_are_no_rules_in_play(client: FlaskClient) -> None:
    answer = client.get("/api/rules")
    assert (answer.status_code // 100, answer.json["error"]) == (4, "no_game")


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_rules_in_words_for_people(variant: str) -> None:
    rules = rules_in_play(variant, rules_of(variant).default_edition, {})
    lines = [line["text"] for section in rules["sections"] for line in section["lines"]]
    assert len(lines) > 3
    assert not [text for text in lines if "`" in text or "{" in text or "malformed" in text or "_" in text]


def test_an_option_that_was_chosen_is_marked() -> None:
    rules = rules_in_play("classic", "classic", {"rent": "demand"})
    assert [option["setting"] for option in rules["options"] if not option["is_default"]] == ["demand"]


def test_the_speed_game_is_told_only_where_it_is_played() -> None:
    def clauses(short: bool) -> list[str]:
        rules = rules_in_play("classic", "classic", {"short_game": short})
        return [line["clause"] for section in rules["sections"] for line in section["lines"]]

    assert not [number for number in clauses(short=False) if number.startswith("CL-15")]
    assert [number for number in clauses(short=True) if number.startswith("CL-15")]


def test_what_a_variant_overrides_is_marked_in_its_base() -> None:
    rules = rules_in_play("monopozombie", "classic", {})
    changed = {line["clause"]: line["changed"] for section in rules["sections"] for line in section["lines"]}
    assert changed["CL-4.1"]
    assert not changed["CL-1.3"]
