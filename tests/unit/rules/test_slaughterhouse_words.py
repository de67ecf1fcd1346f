"""Slaughterhouse in words, and what a page is told besides the book."""

import random
from typing import Any

from companion.bots import Bots
from companion.rules import Game
from companion.rules.slaughterhouse import police, words
from companion.rules.slaughterhouse.events import SLAUGHTERHOUSE_EVENTS
from companion.table.view import with_markers
from companion.words import Names, action_text
from companion.words.decisions import decisions
from companion.words.events import RANKS, SENTENCES, event_text
from companion.words.manage import manage
from companion.words.names import own_words

NAMES = Names("slaughterhouse", "vintage")


def new_game(**given: Any) -> Game:
    return Game.new("slaughterhouse", ["Ann", "Bob", "Cat"], given=given)


def test_every_event_that_is_told_has_a_sentence_and_a_rank() -> None:
    assert own_words("slaughterhouse") is words
    for event in SLAUGHTERHOUSE_EVENTS:
        if not event.hidden:
            kind = event.__struct_config__.tag
            assert kind in {**SENTENCES, **words.SENTENCES}, kind
            assert kind == "paid" or kind in {**RANKS, **words.RANKS} or kind.startswith("card_"), kind


def test_a_seven_arrests_who_stands_seven_ahead_of_the_cop() -> None:
    game = new_game(
        players={"Bob": {"at": "st-james", "loot": {"bank": 300}}, "Ann": {"at": "go"}, "Cat": {"loot": {"Ann": 200}}},
        cop={"at": "connecticut"},
    )
    assert words.outlook(NAMES, game) == ["The Cop is on Connecticut and hunts Bob and Cat.", "A 7 arrests Bob."]
    game.act({"roll": [3, 4]})
    game.act({"draw": "free-bomb"})
    assert game.state.players["Bob"].in_jail
    assert words.outlook(NAMES, game)[0] == "The Cop is on St. James Place and hunts Cat."


def test_the_throws_said_to_arrest_are_those_that_do() -> None:
    rng = random.Random(4)
    for _ in range(60):
        places = {name: {"at": rng.choice(["oriental", "vermont", "jail", "st-james", "virginia"])} for name in "AB"}
        given = {
            "players": {**places, "B": {**places["B"], "loot": {"bank": 200}}},
            "cop": {"at": rng.choice(["go", "reading"])},
        }
        game = Game.new("slaughterhouse", ["A", "B"], given=given)
        told = " ".join(police.arrests_ahead(game))
        for total in range(3, 12):
            trial = game.copy()
            events = trial.act({"roll": [1, total - 1] if total < 8 else [6, total - 6]})
            if trial.state.turn.phase == "done":
                arrested = any(event["type"] == "arrested" for event in events)
                assert arrested == (str(total) in told.replace(",", " ").split() or "Any" in told), (given, total, told)


def test_the_mover_beside_the_cop_is_caught_by_any_throw() -> None:
    game = new_game(players={"Ann": {"at": "reading", "loot": {"Bob": 500}}}, cop={"at": "reading"})
    assert police.arrests_ahead(game) == ["Any throw arrests Ann."]


def test_nobody_hunted_is_nothing_to_say_and_a_miner_is() -> None:
    assert words.outlook(NAMES, new_game()) == []
    game = new_game(spaces={"vermont": {"owner": "Bob", "miner": True}})
    assert words.outlook(NAMES, game) == ["The Cop is on Go To Jail and looks for the miner on Vermont."]
    game = new_game(players={"Bob": {"in_jail": True, "loot": {"bank": 300}}})
    assert words.outlook(NAMES, game) == ["The Cop is on Go To Jail; Bob sits in Jail."]


def test_the_record_tells_fines_stock_and_chairman() -> None:
    game = new_game(
        players={
            "Bob": {"loot": {"bank": 700, "Cat": 500}, "times_repaid": 1, "ever_robbed": True},
            "Cat": {"bombs": 1, "miners": 2, "times_repaid": 2, "cards": ["get-out-of-jail-now"]},
        }
    )
    assert words.records(NAMES, game) == {
        "Ann": ["Chairman of the Board."],
        "Bob": [
            "Wanted: $1,500 next time in Jail ($200 fine, $700 to the Bank, $100 fine, $500 to Cat).",
            "The income tax takes all the cash.",
        ],
        "Cat": [
            "The next bank robbery's fine: $300.",
            "Holds Get out of Jail now.",
            "It must be used the next time in Jail.",
            "In stock: 1 bomb and 2 miners.",
        ],
    }
    shown = {name: [(each["kind"], each["text"]) for each in own] for name, own in words.badges(NAMES, game).items()}
    assert shown == {
        "Ann": [("chairman", "")],
        "Bob": [("wanted", "$1,500")],
        "Cat": [("card", "1"), ("bomb", "1"), ("miner", "2")],
    }


def test_the_record_of_a_thief_in_the_cell_says_what_leaving_costs() -> None:
    game = new_game(players={"Bob": {"in_jail": True, "loot": {"Cat": 300}}})
    assert words.records(NAMES, game)["Bob"] == ["Wanted: $400 to leave Jail ($100 fine, $300 to Cat)."]


def test_before_the_end_of_a_turn_the_way_of_the_cop_is_known() -> None:
    game = new_game(players={"Ann": {"at": "electric"}, "Bob": {"at": "luxury-tax"}})
    game.act({"roll": [3, 5]})
    assert words.outlook(NAMES, game) == ["A crime calls the Cop: at the end of the turn he moves to Luxury Tax."]
    game.act({"choose": "rob"})
    game.act({"set": {"players": {"Bob": {"loot": {"Ann": 200}}}}})
    assert words.outlook(NAMES, game)[1:] == ["At the end of the turn he moves to Luxury Tax and arrests Bob."]
    game.act({"roll": [3, 5]})
    assert game.state.players["Bob"].in_jail
    assert words.outlook(NAMES, game)[1:] == ["The next throw arrests nobody."]


def test_throws_that_remove_a_miner_are_named() -> None:
    game = new_game(spaces={"short-line": {"owner": "Bob", "miner": True}})
    assert words.outlook(NAMES, game)[1:] == ["A 5 removes the miner on Short Line."]


def test_purchases_are_gray_with_the_reason_after_the_first_throw() -> None:
    owned = {"mediterranean": {"owner": "Ann"}, "baltic": {"owner": "Ann"}, "oriental": {"owner": "Ann"}}
    game = new_game(spaces=owned, players={"Bob": {"at": "boardwalk"}, "Cat": {"at": "boardwalk"}})
    before = {each["label"]: each for each in manage(NAMES, game)["Ann"]}
    assert before["Build on Baltic"]["enabled"]
    game.act({"roll": [2, 4]})
    after = {each["label"]: each for each in manage(NAMES, game)["Ann"]}
    assert not after["Build on Baltic"]["enabled"]
    assert "before the first throw" in after["Build on Baltic"]["reason"]
    assert before["Build on Baltic"]["note"] is None
    assert "before the first throw" in after["Plant a bomb on Oriental"]["reason"]
    assert after["Plant a bomb on Oriental"]["note"] == "$200"
    assert "Build on Oriental" not in after
    assert not any("Build" in each["label"] for each in manage(NAMES, game)["Bob"])


def test_the_tables_of_the_die_are_shown_while_it_is_thrown() -> None:
    game = new_game(players={"Bob": {"at": "oriental"}, "Cat": {"at": "go"}}, spaces={"oriental": {"owner": "Ann"}})
    game.act({"roll": [2, 4]})
    asked = decisions(NAMES, game)[0]
    assert [each["label"] for each in asked["buttons"]] == ["Bob", "The space first", "Leave the pockets"]
    assert asked["table"][-1] == {"faces": [6], "text": "$500, a crime"}
    game.act({"choose": "Bob"})
    thrown = decisions(NAMES, game)[0]
    assert thrown["text"] == "Ann throws one die for Bob's pocket."
    assert thrown["table"] == asked["table"]
    game.act({"set": {"players": {"Ann": {"at": "pacific"}}, "turn": {"player": "Ann", "phase": "roll"}}})
    game.act({"roll": [3, 4]})
    tax = decisions(NAMES, game)[0]
    assert tax["fields"]["dice"] == "d6"
    assert tax["table"][1] == {"faces": [2, 3], "text": "Give one of your properties to a player"}
    assert "table" not in decisions(NAMES, new_game())[0]


def test_jail_says_what_it_costs_a_thief() -> None:
    game = new_game(players={"Ann": {"in_jail": True, "loot": {"bank": 400}}})
    jail = decisions(NAMES, game)[0]
    assert jail["text"] == "Ann is in Jail: pay $500, or throw for doubles."
    assert "Pay $500" in [each["label"] for each in jail["buttons"]]


def test_the_page_is_given_cop_bombs_and_miners_as_markers() -> None:
    game = new_game(spaces={"vermont": {"owner": "Bob", "bomb": True, "miner": True}}, cop={"at": "chance-1"})
    spaces = with_markers(game.snapshot())["spaces"]
    assert spaces["vermont"]["markers"] == ["bomb", "miner"]
    assert spaces["chance-1"]["markers"] == ["cop"]
    assert "markers" not in spaces["boardwalk"]


def test_everything_that_bots_do_is_said_in_words_and_they_rob_plant_and_hire() -> None:
    kinds: set[str] = set()
    for seed in range(3):
        game = Game.new("slaughterhouse", ["Ann", "Bob", "Cat", "Dee"])
        bots = Bots(seed)
        while game.state.turn.number <= 60 and (action := bots.next_action(game)) is not None:
            kinds |= play_in_words(game, action)
    assert {"bank_robbed", "pickpocketed", "cop_moved", "bomb_planted", "miner_hired", "exploded"} <= kinds


def play_in_words(game: Game, action: dict[str, Any]) -> set[str]:
    """Carry out the action; everything that is said about it is said in words. Returns the types of its events."""
    assert "_" not in action_text(NAMES, action, {"space": "vermont"})
    for shown in decisions(NAMES, game):
        assert "_" not in shown["text"]
        assert "None" not in shown["text"]
    events = game.act(action)
    assert not any("_" in event_text(NAMES, event) for event in events)
    told = [*words.outlook(NAMES, game), *(line for lines in words.records(NAMES, game).values() for line in lines)]
    assert all(line.endswith(".") for line in told)
    return {event["type"] for event in events}
