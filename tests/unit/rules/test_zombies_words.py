"""What the table reads in games with zombies."""

from typing import Any

import pytest

from companion.rules import Game
from companion.rules.monopozombie.events import ZOMBIE_EVENTS
from companion.rules.monopozombie.words import SENTENCES, retold
from companion.table.view import stage_view
from companion.words import Names, event_text
from companion.words.decisions import decisions
from companion.words.manage import manage

VARIANTS = ["monopozombie", "monopocalypse"]
PLAYERS = ["Ann", "Bob", "Cat", "Dee"]


def names(variant: str) -> Names:
    return Names(variant, "classic", tuple({"name": name, "token": None} for name in PLAYERS))


def game(variant: str = "monopozombie", **given: Any) -> Game:
    return Game.new(variant, PLAYERS, given=given)


def told(played: Game, *actions: dict[str, Any]) -> list[str]:
    """The sentences of the last action's events."""
    events: list[dict[str, Any]] = []
    for action in actions:
        events = played.act(action)
    return [event_text(names(played.state.variant), event) for event in events]


def test_every_event_that_is_told_has_a_sentence_of_its_own() -> None:
    shown = {str(event.__struct_config__.tag) for event in ZOMBIE_EVENTS if not event.hidden}
    assert shown <= set(SENTENCES)


def test_a_double_one_is_told_as_the_reason_of_a_conversion() -> None:
    played = game(players={"Ann": {"at": "new-york", "laps": 1}})
    said = told(played, {"roll": [1, 1]})
    assert "Ann throws a double one and becomes a zombie." in said
    assert "The outbreak begins: zombies walk in both directions and demolish." in said


@pytest.mark.parametrize(
    ("variant", "sentence"),
    [
        ("monopozombie", "Ann is a zombie: 1 zombie against 1 human."),
        ("monopocalypse", "Ann is a zombie: 1 zombie point against 1."),
    ],
)
def test_numbers_tell_why_somebody_is_outnumbered(variant: str, sentence: str) -> None:
    there = {"Ann": {"at": "go", "laps": 1}, "Bob": {"at": "jail", "laps": 1, "status": "zombie"}}
    played = game(variant, stage="outbreak", players=there)
    assert sentence in told(played, {"roll": [4, 6]})


def test_a_demolition_tells_who_left_what() -> None:
    there = {"Ann": {"at": "vermont", "laps": 1}, "Bob": {"at": "vermont", "laps": 1, "status": "zombie"}}
    spaces = {"vermont": {"owner": "Ann", "houses": 2}}
    played = game(stage="outbreak", players=there, spaces=spaces)
    assert "Ann leaves Vermont to the zombies: one house left." in told(played, {"roll": [6, 6]})


def test_the_stage_says_what_changes_it_and_who_is_what() -> None:
    there = {
        "Ann": {"laps": 1, "bodyguards": 2, "cards": ["get-out-of-jail-chance"]},
        "Bob": {"laps": 1, "status": "zombie"},
    }
    played = game(stage="outbreak", players=there)
    stage = stage_view(names("monopozombie"), played)
    assert stage is not None
    assert stage["title"] == "Outbreak"
    assert stage["text"] == "1 zombie; the apocalypse begins with the next conversion."
    assert stage["roles"]["Ann"] == {"status": "human", "notes": ["1 immunity card", "2 bodyguards"]}
    assert stage["roles"]["Bob"] == {"status": "zombie", "notes": []}
    assert stage["roles"]["Cat"]["notes"] == ["immune until GO"]


def test_the_stage_names_whose_turn_is_awaited() -> None:
    played = game(
        "monopocalypse", stage="outbreak", outbreak_waiting=["Ann", "Bob"], players={"Dee": {"status": "zombie"}}
    )
    stage = stage_view(names("monopocalypse"), played)
    assert stage is not None
    assert stage["text"] == "1 zombie; the apocalypse begins with the next conversion, after a turn of Ann and Bob."


def test_a_homeless_player_whose_move_is_due_is_named() -> None:
    there = {"Ann": {"laps": 1}, "Cat": {"at": "st-charles", "laps": 1, "status": "homeless", "cash": 0}}
    played = game(players=there, spaces={"st-charles": {"owner": "Ann"}})
    stage = stage_view(names("monopozombie"), played)
    assert stage is not None
    assert stage["due"] == ["Cat"]


def test_the_apocalypse_says_how_near_each_win_is() -> None:
    there = {"Ann": {"at": "illinois"}, "Cat": {"status": "zombie"}, "Dee": {"status": "zombie"}}
    played = game(stage="apocalypse", players=there, spaces={"illinois": {"owner": "Bob", "houses": 1}})
    stage = stage_view(names("monopozombie"), played)
    assert stage is not None
    assert stage["text"] == "2 humans against 2 zombies."
    assert stage["wins"] == [
        "Humans win: all on Illinois; 1 of 2 on Illinois.",
        "Zombies win: 2 humans to convert, then to Jail first.",
    ]


def test_when_all_are_zombies_their_ways_to_jail_are_told() -> None:
    undead = {name: {"status": "zombie", "at": at} for name, at in zip(PLAYERS, (0, 10, 14, 30), strict=True)}
    stage = stage_view(names("monopocalypse"), game("monopocalypse", stage="apocalypse", players=undead))
    assert stage is not None
    ways = "Ann 10 away, Bob has to leave it and come back, Cat 4 away and Dee 20 away"
    assert stage["wins"] == [f"The first zombie to land on Jail wins: {ways}."]


def test_the_dice_of_a_group_are_shown_with_who_threw_and_who_took_them() -> None:
    together = {name: {"at": "jail", "laps": 1} for name in ("Ann", "Bob")}
    there = {**together, "Cat": {"status": "zombie"}, "Dee": {"status": "zombie"}}
    groups = [{"players": ["Ann", "Bob"], "lead": "Ann", "moves": 0}]
    played = game(stage="apocalypse", groups=groups, players=there)
    played.act({"roll": [1, 6, 2, 5, 3, 4]})
    played.act({"use": "take_dice", "dice": [5, 1], "direction": "forward", "by": "Bob"})
    stage = stage_view(names("monopozombie"), played)
    assert stage is not None
    assert [die["roller"] for die in stage["pool"]] == ["Ann"] * 3 + ["Bob"] * 3
    assert [die["face"] for die in stage["pool"] if die["taker"] == "Bob"] == [1, 5]


@pytest.mark.parametrize(
    ("stage", "status", "card", "said"),
    [
        ("outbreak", "zombie", "bank-error", "Bank error in your favor: Receive $200. A zombie does not care."),
        ("apocalypse", "human", "bank-error", "Bank error in your favor: Receive $200. That means nothing any more."),
        ("apocalypse", "human", "get-out-of-jail-chest", "Get out of Jail free."),
        ("outbreak", "human", "bank-error", "Bank error in your favor."),
    ],
)
def test_a_card_that_nobody_follows_is_read_out(stage: str, status: str, card: str, said: str) -> None:
    played = game(stage=stage, players={"Ann": {"status": status, "cash": 0}, "Bob": {"status": "zombie", "at": 20}})
    played.act({"roll": [1, 1, 5] if (stage, status) == ("apocalypse", "human") else [1, 1]})
    if any(decision["kind"] == "move_to" for decision in played.pending):
        played.act({"choose": "chest-1"})
    before = played.copy()
    events = retold(before, played.act({"draw": card}))
    assert event_text(names("monopozombie"), events[0]) == f"Ann draws {said}"


def test_each_way_that_may_be_chosen_is_told_with_its_dice() -> None:
    there = {"Ann": {"at": "free-parking", "laps": 1}, "Cat": {"status": "zombie"}, "Dee": {"status": "zombie"}}
    played = game(stage="apocalypse", players=there)
    played.act({"roll": [1, 1, 4]})
    told = {choice["label"]: choice["note"] for choice in decisions(names("monopozombie"), played)[0]["buttons"]}
    assert told == {
        "Chance": "forward 1 + 1: a double one",
        "B. & O. Railroad": "forward 1 + 4",
        "Tennessee": "backward 1 + 1: a double one",
        "Pennsylvania Railroad": "backward 1 + 4",
    }


def test_the_classic_game_has_no_stage() -> None:
    assert stage_view(Names("classic", "classic"), Game.new("classic", PLAYERS)) is None


def test_the_dice_of_a_group_are_offered_in_pairs_with_the_spaces_they_reach() -> None:
    together = {name: {"at": "jail", "laps": 1} for name in ("Ann", "Bob")}
    there = {**together, "Cat": {"status": "zombie"}, "Dee": {"status": "zombie"}}
    groups = [{"players": ["Ann", "Bob"], "lead": "Ann", "moves": 0}]
    played = game(stage="apocalypse", groups=groups, players=there)
    played.act({"roll": [1, 6, 2, 5, 3, 4]})
    asked = decisions(names("monopozombie"), played)[0]
    labels = [choice["label"] for choice in asked["choices"]]
    assert len(labels) == 30
    assert "1 and 6 forward: Community Chest" in labels
    assert asked["text"] == "Ann takes two of 1, 6, 2, 5, 3, 4 and a direction."


def test_a_survivor_is_offered_a_further_throw_of_three_dice() -> None:
    there = {"Ann": {"at": "free-parking", "laps": 1}, "Cat": {"status": "zombie"}, "Dee": {"status": "zombie"}}
    played = game(stage="apocalypse", players=there)
    played.act({"roll": [2, 5, 2]})
    played.act({"choose": "illinois"})
    asked = decisions(names("monopozombie"), played)[0]
    assert asked["text"] == "Ann moved by a double and may go again."
    assert asked["fields"]["dice"] == "3d6"
    assert {"Throw", "Stay here"} == {button["label"] for button in asked["buttons"]}


def test_bodyguards_are_offered_during_the_outbreak() -> None:
    played = game(stage="outbreak", players={"Ann": {"laps": 1}, "Bob": {"status": "zombie"}})
    labels = [button["label"] for button in manage(names("monopozombie"), played)["Ann"]]
    assert any(label.startswith("Hire bodyguards: ") for label in labels)


def test_a_group_set_by_hand_can_be_told() -> None:
    group = {"players": ["Ann", "Bob"], "lead": "Ann", "moves": 1}
    said = told(game(stage="apocalypse"), {"set": {"groups": [group]}})
    assert said == ["Put right by hand: Ann and Bob move together, led by Ann, with 1 move made."]
