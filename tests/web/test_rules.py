"""The rules in play, as the page gets them."""

import pytest
from flask.testing import FlaskClient

from companion.rules.registry import VARIANTS
from companion.rules_page import rules_in_play
from companion.session import Session


def test_the_rules_of_the_running_game_are_given(client: FlaskClient, playing: Session) -> None:
    rules = client.get("/api/rules").json
    assert rules["title"].startswith("Classic")
    assert "CL-1.3" in [line["clause"] for section in rules["sections"] for line in section["lines"]]
    assert all(option["is_default"] for option in rules["options"])


def test_sheets_of_the_running_game_say_whose_they_are(client: FlaskClient, session: Session) -> None:
    players = [{"name": "Ann", "extra": {"class": "cleric"}}, {"name": "Bob", "extra": {"class": "rogue"}}]
    session.set_up({"players": players, "variant": "dungeonopoly"})
    sheets = [section for section in client.get("/api/rules").json["sections"] if section["is_sheet"]]
    assert [sheet["title"] for sheet in sheets[:3]] == ["Cleric: Ann", "Rogue: Bob", "Fighter"]
    assert "Wrath of God" in [line.get("name") for line in sheets[0]["lines"]]


def test_without_a_game_there_are_no_rules_in_play(client: FlaskClient) -> None:
    answer = client.get("/api/rules")
    assert (answer.status_code // 100, answer.json["error"]) == (4, "no_game")


@pytest.mark.parametrize("variant", VARIANTS)
def test_before_a_game_any_variant_can_be_read_with_any_options(client: FlaskClient, variant: str) -> None:
    query = {"variant": variant, "edition": "vintage", "options": "{}"}
    rules = client.get("/api/rules", query_string=query).json
    assert "Vintage" in rules["title"]
    assert len([line for section in rules["sections"] for line in section["lines"]]) > 3


def test_options_that_are_none_are_refused(client: FlaskClient) -> None:
    for options in ("[", "[1]", '{"rent": "never"}', '{"spells": true}'):
        answer = client.get("/api/rules", query_string={"variant": "classic", "options": options})
        assert (answer.status_code // 100, answer.json["error"]) == (4, "malformed"), options
    answer = client.get("/api/rules", query_string={"variant": "classic", "edition": "moon"})
    assert (answer.status_code // 100, answer.json["error"]) == (4, "malformed")


def test_an_option_that_was_chosen_is_marked() -> None:
    rules = rules_in_play("classic", "classic", {"rent": "demand"})
    assert [option["name"] for option in rules["options"] if not option["is_default"]] == ["Rent"]


def test_the_speed_game_is_told_only_where_it_is_played() -> None:
    def clauses(short: bool) -> list[str]:
        rules = rules_in_play("classic", "classic", {"short_game": short})
        return [line["clause"] for section in rules["sections"] for line in section["lines"]]

    assert not [number for number in clauses(short=False) if number.startswith("CL-15")]
    assert [number for number in clauses(short=True) if number.startswith("CL-15")]


def test_the_catalog_says_what_options_mean(client: FlaskClient) -> None:
    variants = {each["name"]: each for each in client.get("/api/catalog").json["variants"]}
    options = {each["name"]: each for each in variants["monopocalypse"]["options"]}
    assert options["zombie_dice"]["title"] == "Zombies' dice"
    assert options["zombie_dice"]["settings"]["d4"] == "Two four-sided dice."
    assert options["rent"]["settings"]["auto"].startswith("Paid at once")
    assert all(option["title"] for each in variants.values() for option in each["options"])
