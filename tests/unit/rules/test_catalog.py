"""The board, the cards and the lists that a page is drawn from."""

from typing import Any

import pytest

from companion.observations import SPACES
from companion.rules import Game, Refused, catalog
from companion.rules.board import board
from companion.rules.options import gathered
from companion.rules.registry import VARIANTS, rules_of


def test_the_board_has_the_spaces_of_the_protocol() -> None:
    assert tuple(space["space"] for space in catalog.spaces()) == SPACES
    assert [space["index"] for space in catalog.spaces()] == list(range(40))
    assert {group: len(members) for group, members in catalog.groups().items()} == {
        **dict.fromkeys(("light-blue", "pink", "orange", "red", "yellow", "green"), 3),
        "brown": 2,
        "dark-blue": 2,
        "railroad": 4,
        "utility": 2,
    }


def test_a_mortgage_is_half_the_price() -> None:
    assert all(space.mortgage * 2 == space.price for space in board().spaces)


def test_both_decks_have_sixteen_cards() -> None:
    for edition in catalog.editions():
        assert {
            deck: sum(card["copies"] for card in cards) for deck, cards in catalog.decks("classic", edition).items()
        } == {
            "chance": 16,
            "chest": 16,
        }


def test_every_card_has_a_step_that_carries_it_out() -> None:
    from companion.rules.board import classic_decks

    for deck in classic_decks("vintage").values():
        for card in deck.values():
            assert hasattr(rules_of("classic"), f"card_{card.effect}"), card


def test_an_edition_changes_names_only() -> None:
    plain, undead = catalog.spaces("classic"), catalog.spaces("walking-dead")
    assert [{**space, "name": ""} for space in plain] == [{**space, "name": ""} for space in undead]
    names = {space["space"]: space["name"] for space in undead}
    assert names["oriental"] == "light blue 1"
    assert names["boardwalk"] == "dark blue 2"
    assert names["b-and-o"] == "R.V."
    assert names["go"] == "GO"
    assert len(catalog.editions()["walking-dead"]["tokens"]) == 6


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_names_its_clause_and_has_an_allowed_default(variant: str) -> None:
    for option in catalog.options(variant):
        defaults = option["default"] if option["many"] else [option["default"]]
        assert set(defaults) <= set(option["values"])
        assert option["help"].endswith(".")
        document_clause = catalog.clause(option["clause"])
        assert document_clause or any(number.startswith(option["clause"] + ".") for number in catalog.clauses(variant))


def test_clauses_are_told_with_their_section() -> None:
    clause = catalog.clause("CL-5.5")
    assert clause is not None
    assert clause["section"] == "CL-5 Rent"
    assert "$25, $50, $100, $200" in clause["text"]
    assert catalog.clause("CL-99.9") is None


def test_variants_are_listed_for_set_up() -> None:
    listed = {variant["name"]: variant for variant in catalog.variants()}
    assert list(listed) == list(VARIANTS)
    assert listed["classic"]["players"] == [2, 8]
    assert listed["classic"]["abilities"]["deal"] == ["spaces"]


def test_what_players_choose_is_declared_with_its_clause_and_teams_group_them() -> None:
    listed = {variant["name"]: variant for variant in catalog.variants()}
    for variant in listed.values():
        for choice in variant["choices"]:
            assert choice["default"] is None or choice["default"] in choice["values"]
            assert choice["help"].endswith(".")
            assert catalog.clause(choice["clause"])
    [team] = [choice for choice in listed["dungeonopoly"]["choices"] if choice["gathers"]]
    assert (team["name"], team["gathers"], team["default"]) == ("team", "teams", None)
    assert [name for name, variant in listed.items() if variant["has_reactions"]] == ["dungeonopoly"]
    assert {name: variant["figures"] for name, variant in listed.items() if variant["figures"]} == {
        "slaughterhouse": ["cop"]
    }


def test_groups_are_gathered_in_turn_order_and_are_nothing_where_nobody_chose_one() -> None:
    choices = rules_of("dungeonopoly").choices
    told = {"Ann": {"class": "bard", "team": "Red"}, "Bob": {"team": "Blue"}, "Cat": {"team": "Red"}, "Dee": {}}
    assert gathered(choices, told) == {"teams": {"Red": ["Ann", "Cat"], "Blue": ["Bob"]}}
    assert gathered(choices, {"Ann": {"class": "bard"}, "Bob": {}}) == {}
    assert gathered(rules_of("classic").choices, told) == {}


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        ({"Red": ["Ann", "Bob"]}, "Cat is in no team: everybody is in a team, or nobody is."),
        ({"Red": ["Bob"]}, "Ann, Cat are in no team: everybody is in a team, or nobody is."),
        ({"Red": ["Ann", "Bob", "Cat"]}, "Everybody is in one team: there are at least two, or none."),
        ({"Red": ["Ann", "Cat"], "Blue": ["Bob", "Cat"]}, "Every player is in exactly one team, and nobody else is."),
        ({"Red": ["Ann", "Cat"], "Blue": ["Bob", "Dee"]}, "Every player is in exactly one team, and nobody else is."),
        ({"Red": ["Ann", "Cat"], "Blue": []}, "teams names at least two teams, each with its players."),
        ({"Red": [["Ann"]], "Blue": ["Bob"]}, "teams names at least two teams, each with its players."),
        ("Red", "teams names at least two teams, each with its players."),
    ],
)
def test_teams_that_do_not_fit_are_told_in_a_sentence(teams: Any, sentence: str) -> None:
    players = {name: {"class": "fighter"} for name in ("Ann", "Bob", "Cat")}
    with pytest.raises(Refused) as refused:
        Game.new("dungeonopoly", players, {"teams": teams})
    assert (refused.value.code, refused.value.message) == ("malformed", sentence)
