"""The seats of Dungeonopoly: what is offered is possible, and what is not says why."""

import json
import random
from typing import Any

import pytest

from companion.rules import Game
from companion.rules.dungeonopoly.seats import seats
from companion.rules.dungeonopoly.state import CLASSES
from companion.rules.dungeonopoly.words import outlook, retold
from companion.words import event_text
from companion.words.names import Names

NAMES = Names("dungeonopoly", "vintage")
PLAYERS = {word.capitalize(): {"class": word} for word in CLASSES}


def crowd() -> Game:
    """One of each class, all of the highest level, near each other."""
    game = Game.new("dungeonopoly", PLAYERS)
    while learning := [decision for decision in game.pending if decision["kind"] == "learn"]:
        game.act({"choose": learning[0]["options"][0], "by": learning[0]["player"]})
    learned = {"Druid": ["bear", "eagle", "entangle"], "Bard": ["attack", "dirge_of_doom", "slow"]}
    places = ["virginia", "virginia", "states", "virginia", "states", "virginia", "pennsylvania-rr"]
    heroes: dict[str, Any] = {name: {"level": 10, "at": at} for name, at in zip(PLAYERS, places, strict=True)}
    for name, slugs in learned.items():
        heroes[name]["learned"] = slugs
    heroes["Rogue"]["skills"] = {"pick_pockets": 10, "sneak": 10, "steal": 5, "open_locks": 3, "rob_bank": 2}
    heroes["Wizard"]["enchantments"] = {"hex": "Warlock"}
    spaces = {"virginia": {"owner": "Fighter", "houses": 2}, "states": {"owner": "Rogue"}}
    game.act({"set": {"players": heroes, "spaces": spaces}})
    return game


@pytest.mark.parametrize("player", PLAYERS)
def test_every_way_that_a_seat_offers_is_possible(player: str) -> None:
    game = crowd()
    game.act({"set": {"turn": {"player": player, "phase": "roll"}}})
    seat = seats(NAMES, game)[player]
    offered = [way for ability in seat["abilities"] for way in ability["ways"]]
    assert len(offered) >= 2
    for way in offered:
        game.copy().act(way["action"])
    for ability in seat["abilities"]:
        if ability["many"] is not None:
            options = ability["many"]["options"]
            chosen = random.Random(1).choice(options)
            game.copy().act({**ability["many"]["action"], ability["many"]["argument"]: [chosen["value"]]})
    assert json.loads(json.dumps(seat)) == seat


def test_what_cannot_be_used_says_why() -> None:
    game = crowd()
    found = seats(NAMES, game)
    assert not any(
        ability["ways"] for name, seat in found.items() if name != "Fighter" for ability in seat["abilities"]
    )
    smite = next(each for each in found["Cleric"]["abilities"] if each["ability"] == "holy_smite")
    assert "Fighter's" in smite["reason"]
    assert (smite["cost"], smite["range"], smite["kind"]) == (0, "anywhere", "spell")


def test_a_seat_shows_experience_and_what_lies_on_the_character() -> None:
    game = crowd()
    game.act({"set": {"players": {"Cleric": {"level": 2, "ep": 14}}}})
    seat = seats(NAMES, game)["Cleric"]
    assert (seat["level"], seat["ep"], seat["to_go"]) == (2, 14, 6)
    assert seats(NAMES, game)["Wizard"]["enchantments"] == [
        {"name": "Hex", "by": "Warlock", "until": "until she next collects money"}
    ]
    assert seats(NAMES, game)["Fighter"]["to_go"] is None


def test_what_lies_on_squares_is_told_with_its_maker_and_its_end() -> None:
    game = crowd()
    game.act({"set": {"spaces": {"virginia": {"enchantments": {"bless": "Cleric", "entangle": "Druid"}}}}})
    (told,) = outlook(NAMES, game)
    blessing, primal = told.split("; ")
    assert blessing == "Virginia: a blessing by Cleric, until it is cursed or dispelled"
    assert primal == "Entangle by Druid, until it is laid elsewhere."


def test_a_seat_says_with_whom_its_player_shares_how_much() -> None:
    players = {name: {"class": "fighter"} for name in ("Ann", "Bob", "Cat")}
    shown = seats(NAMES, Game.new("dungeonopoly", players, {"teams": {"Red": ["Ann", "Cat"], "Blue": ["Bob"]}}))
    assert shown["Ann"]["team"] == {"name": "Red", "mates": ["Cat"], "cash": 3000}
    assert shown["Bob"]["team"] == {"name": "Blue", "mates": [], "cash": 1500}
    assert seats(NAMES, Game.new("dungeonopoly", players))["Ann"]["team"] is None


def test_every_way_is_reached_by_its_own_choices_one_after_the_other() -> None:
    game = crowd()
    for player in PLAYERS:
        game.act({"set": {"turn": {"player": player, "phase": "roll"}}})
        for ability in seats(NAMES, game)[player]["abilities"]:
            paths = [tuple(way["path"]) for way in ability["ways"]]
            assert all(paths)
            assert len(set(paths)) == len(paths)
            assert not [path for path in paths for step in range(1, len(path)) if path[:step] in paths]


def test_a_wish_offers_every_spell_that_could_do_something_and_a_crown_whatever_can_be_forced() -> None:
    game = crowd()
    found = {}
    for player in ("Wizard", "Warlock"):
        game.act({"set": {"turn": {"player": player, "phase": "roll"}}})
        for ability in seats(NAMES, game)[player]["abilities"]:
            found[ability["ability"]] = [way["path"] for way in ability["ways"]]
    wished = {path[0] for path in found["wish"]}
    assert {"Bless", "Curse", "Hallow", "Suggestion", "Call Lightning", "Crown of Madness", "Wrath of God"} <= wished
    assert "Wish" not in wished
    assert "Divine Intervention" not in wished
    assert ["Fighter", "Attack", "Rogue"] in found["crown_of_madness"]
    assert any(path[:2] == ["Druid", "Call Lightning"] for path in found["crown_of_madness"]) == any(
        path[0] == "Druid" for path in found["crown_of_madness"]
    )


@pytest.mark.parametrize(
    ("start", "said"),
    [("virginia", "$300 for Ann goes to the pot: a hex."), ("boardwalk", "$200 for Ann goes to the pot: a hex.")],
)
def test_money_that_a_hex_leads_into_the_pot_is_told(start: str, said: str) -> None:
    players = {"Ann": {"class": "fighter"}, "Bob": {"class": "warlock", "pact": "dark"}}
    heroes = {"Ann": {"at": start, "enchantments": {"hex": "Bob"}}}
    game = Game.new("dungeonopoly", players, given={"pot": 300, "players": heroes})
    told = [event_text(NAMES, event) for event in game.act({"roll": [2, 4]})]
    assert said in told
    assert not any(text.startswith("The pot") for text in told)
    assert game.state.pot == (300 if start == "virginia" else 500)


@pytest.mark.parametrize(
    ("at", "roll", "cash", "hexed", "said"),
    [
        ("pennsylvania", [1, 2], 90, True, "Ann is bankrupt; the cash goes to the pot, all else to Bob."),
        ("pennsylvania", [1, 2], 90, False, "Ann is bankrupt; everything goes to Bob."),
        ("pennsylvania", [1, 2], 0, True, "Ann is bankrupt; everything goes to Bob."),
        ("short-line", [1, 2], 30, False, "Ann is bankrupt; the cash goes to the pot, all else to the Bank."),
    ],
    ids=["hexed creditor", "creditor", "hexed creditor and no cash", "fee"],
)
def test_a_bankruptcy_says_where_the_cash_goes(at: str, roll: list[int], cash: int, hexed: bool, said: str) -> None:
    players = {"Ann": {"class": "fighter"}, "Bob": {"class": "wizard"}, "Cat": {"class": "warlock", "pact": "fey"}}
    heroes = {"Ann": {"at": at, "cash": cash}, "Bob": {"enchantments": {"hex": "Cat"}} if hexed else {}}
    spaces = {slug: {"owner": "Bob", "hotel": True} for slug in ("boardwalk", "park-place")}
    game = Game.new("dungeonopoly", players, given={"players": heroes, "spaces": spaces})
    game.act({"roll": roll})
    assert said in [event_text(NAMES, event) for event in retold(game.copy(), game.act({"bankrupt": True}))]
