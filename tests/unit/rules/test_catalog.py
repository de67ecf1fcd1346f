"""The board, the cards and the lists that a page is drawn from."""

import pytest

from companion.observations import SPACES
from companion.rules import catalog
from companion.rules.board import board
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
