"""Games: what is accepted, refused, remembered and taken back."""

from typing import Any

import pytest

from companion.rules import Game, Refused, decide, event_from, evolve


def refusal(game: Game, action: Any) -> str:
    with pytest.raises(Refused) as caught:
        game.act(action)
    assert caught.value.message.endswith((".", "…")), caught.value.message
    return caught.value.code


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ([], "malformed"),
        ({}, "malformed"),
        ({"dance": True}, "malformed"),
        ({"roll": [1, 2], "build": "baltic"}, "malformed"),
        ({"roll": [1, 2], "space": "go"}, "malformed"),
        ({"roll": [1, 2], "by": "Zoe"}, "unknown_player"),
        ({"roll": [1, 2], "by": ["Ann"]}, "unknown_player"),
        ({"roll": [True, 2]}, "wrong_dice"),
        ({"roll": 7}, "wrong_dice"),
        ({"roll": [1, 2], "by": "Bob"}, "not_your_turn"),
        ({"choose": "buy"}, "not_an_option"),
        ({"pay": True}, "not_allowed"),
        ({"pay": 1}, "malformed"),
        ({"bankrupt": True}, "not_allowed"),
        ({"bid": 5, "by": "Ann"}, "not_allowed"),
        ({"pass": True, "by": "Ann"}, "not_allowed"),
        ({"end_turn": True}, "decision_pending"),
        ({"end_turn": "now"}, "malformed"),
        ({"use": "magic"}, "not_allowed"),
        ({"use": "sell_group", "group": "purple"}, "malformed"),
        ({"use": "sell_group", "group": "brown"}, "not_allowed"),
        ({"use": "deal", "spaces": ["go"]}, "not_allowed"),
        ({"use": "building_auction", "building": "castle"}, "malformed"),
        ({"use": "building_auction", "building": "house"}, "not_allowed"),
        ({"mortgage": "go"}, "not_allowed"),
        ({"mortgage": "baltic"}, "not_owner"),
        ({"unmortgage": 40}, "unknown_space"),
        ({"trade": "all"}, "malformed"),
        ({"trade": {"with": "Ann", "get": {"cash": 1}}}, "malformed"),
        ({"trade": {"with": "Zoe"}}, "unknown_player"),
        ({"trade": {"with": "Bob", "give": {"cards": ["joker"]}}}, "unknown_card"),
        ({"trade": {"with": "Bob", "give": {"spaces": ["moon"]}}}, "unknown_space"),
        ({"trade": {"with": "Bob", "give": {"spaces": ["go"]}}}, "not_owner"),
        ({"trade": {"with": "Bob"}}, "malformed"),
        ({"undo": True}, "not_allowed"),
        ({"undo": 0}, "malformed"),
        ({"set": 3}, "malformed"),
        ({"set": {"players": {"Zoe": {}}}}, "malformed"),
        ({"set": {"players": {"Ann": {"cash": "much"}}}}, "malformed"),
        ({"set": {"players": {"Ann": {"cash": -1}}}}, "malformed"),
        ({"set": {"players": {"Ann": {"hat": 1}}}}, "malformed"),
        ({"set": {"players": {"Ann": {"status": "asleep"}}}}, "malformed"),
        ({"set": {"spaces": {"go": {"owner": "Ann"}}}}, "malformed"),
        ({"set": {"spaces": {"reading": {"houses": 1}}}}, "malformed"),
        ({"set": {"spaces": {"baltic": {"houses": 1, "hotel": True}}}}, "malformed"),
        ({"set": {"turn": {"player": "Zoe"}}}, "malformed"),
        ({"set": {"options": {"rent": "demand"}}}, "malformed"),
        ({"set": {"todo": []}}, "malformed"),
        ({"set": {"stage": "moon"}}, "malformed"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(action: Any, code: str) -> None:
    game = Game.new(players=["Ann", "Bob"])
    before = game.state
    assert refusal(game, action) == code
    assert game.state is before


@pytest.mark.parametrize(
    "setup",
    [
        {"players": []},
        {"players": ["Ann"]},
        {"players": ["Ann", "Ann"]},
        {"players": ["Ann", ""]},
        {"players": ["Ann", "bank"]},
        {"players": [f"P{n}" for n in range(9)]},
        {"players": "Ann"},
        {"players": {"Ann": {"class": "fighter"}, "Bob": {}}},
        {"players": {"Ann": 3, "Bob": {}}},
        {"players": ["Ann", "Bob"], "variant": "chess"},
        {"players": ["Ann", "Bob"], "edition": "moon"},
        {"players": ["Ann", "Bob"], "options": {"rent": "never"}},
        {"players": ["Ann", "Bob"], "options": {"short_game": 1}},
        {"players": ["Ann", "Bob"], "options": {"color": "red"}},
        {"players": ["Ann", "Bob"], "options": ["rent"]},
        {"players": ["Ann", "Bob"], "given": []},
        {"players": ["A", "B", "C", "D"], "options": {"deal_deeds": 8}},
    ],
)
def test_a_set_up_that_cannot_be_is_malformed(setup: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        Game.new(**setup)
    assert caught.value.code == "malformed"


def test_undo_takes_back_and_redo_does_again() -> None:
    game = Game.new(players=["Ann", "Bob"])
    start = game.state
    game.act({"roll": [1, 2]})
    game.act({"choose": "buy"})
    bought = game.state
    assert game.act({"undo": 2}) == []
    assert game.state == start
    game.redo(2)
    assert game.state == bought
    assert game.actions == [{"roll": [1, 2]}, {"choose": "buy"}]
    game.undo()
    game.act({"choose": "auction"})
    with pytest.raises(Refused):
        game.redo()


def test_events_are_what_the_protocol_says() -> None:
    game = Game.new(players=["Ann", "Bob"], given={"spaces": {"oriental": {"owner": "Bob"}}})
    assert game.act({"roll": [2, 4]}) == [
        {"type": "rolled", "player": "Ann", "dice": [2, 4], "purpose": "move"},
        {"type": "moved", "player": "Ann", "from": "go", "to": "oriental", "how": "roll"},
        {"type": "landed_on", "player": "Ann", "space": "oriental"},
        {"type": "rent_owed", "from": "Ann", "to": "Bob", "space": "oriental", "amount": 6},
        {"type": "paid", "from": "Ann", "to": "Bob", "amount": 6, "reason": "rent"},
    ]


def test_evolve_takes_events_as_plain_mappings_too() -> None:
    game = Game.new(players=["Ann", "Bob"])
    event = {"type": "paid", "from": "Ann", "to": "bank", "amount": 7, "reason": "tax"}
    assert evolve(game.state, event).players["Ann"].cash == 1493
    assert evolve(game.state, event_from("classic", event)) == evolve(game.state, event)
    assert game.state.players["Ann"].cash == 1500


def test_the_last_event_of_decide_tells_what_is_awaited() -> None:
    game = Game.new(players=["Ann", "Bob"])
    last = decide(game.state, {"roll": [1, 2]})[-1]
    assert last.hidden
    assert last.pending[0].kind == "purchase"


def test_snapshots_and_pending_are_the_callers_own() -> None:
    game = Game.new(players=["Ann", "Bob", "Cat"])
    game.act({"roll": [1, 2]})
    game.act({"choose": "auction"})
    game.pending[0]["bidders"].clear()
    game.snapshot()["players"].clear()
    assert game.pending[0]["bidders"] == ["Ann", "Bob", "Cat"]
    assert list(game.snapshot()["players"]) == ["Ann", "Bob", "Cat"]


def test_a_correction_closes_what_it_overtakes() -> None:
    game = Game.new(players=["Ann", "Bob", "Cat"])
    game.act({"roll": [1, 2]})
    open_purchase = game.copy()
    open_purchase.act({"set": {"spaces": {"baltic": {"owner": "Bob"}}}})
    assert open_purchase.snapshot()["turn"]["phase"] == "done"
    game.act({"choose": "auction"})
    game.act({"bid": 500, "by": "Bob"})
    poorer = game.copy()
    poorer.act({"set": {"players": {"Bob": {"cash": 100}}}})
    assert [(each["player"], each["high"]) for each in poorer.pending] == [("Ann", None), ("Bob", None), ("Cat", None)]
    game.act({"set": {"turn": {"player": "Cat"}}})
    assert game.pending == [{"kind": "roll", "player": "Cat", "dice": "2d6", "purpose": "move"}]


def test_a_bankrupt_mover_does_nothing_more() -> None:
    given = {"players": {"Ann": {"cash": 0, "owes": [{"to": "bank", "amount": 10, "reason": "tax"}]}}}
    game = Game.new(players=["Ann", "Bob", "Cat"], given=given)
    game.act({"bankrupt": True})
    assert refusal(game, {"trade": {"with": "Bob", "get": {"cash": 5}}}) == "not_allowed"
    assert refusal(game, {"mortgage": "baltic"}) == "not_allowed"
    assert [event["type"] for event in game.act({"end_turn": True})] == ["turn_started"]


def test_spaces_may_be_named_by_their_index() -> None:
    game = Game.new(players=["Ann", "Bob"], given={"players": {"Ann": {"at": 39}}, "spaces": {6: {"owner": "Ann"}}})
    game.act({"mortgage": 6})
    assert game.snapshot()["spaces"]["oriental"]["mortgaged"]
    assert game.snapshot()["players"]["Ann"]["at"] == "boardwalk"


def test_a_highest_bidder_keeps_the_money_for_the_bid() -> None:
    game = Game.new(players=["Ann", "Bob"], given={"spaces": {"oriental": {"owner": "Bob", "mortgaged": True}}})
    game.act({"roll": [1, 2]})
    game.act({"choose": "auction"})
    game.act({"bid": 1490, "by": "Bob"})
    assert refusal(game, {"unmortgage": "oriental", "by": "Bob"}) == "cannot_afford"


def test_a_throw_tells_how_many_sides_its_dice_have() -> None:
    players = {"Ann": {"class": "rogue", "skills": {"pick_pockets": 3}}, "Bob": {"class": "wizard"}}
    given = {"players": {"Ann": {"at": "virginia"}, "Bob": {"at": "virginia"}}}
    game = Game.new("dungeonopoly", players, edition="vintage", given=given)
    assert game.sides({"roll": [1, 2]}) == [6, 6]
    game.act({"use": "pick_pockets", "target": "Bob"})
    waiting = game.snapshot()
    assert game.sides({"roll": [3]}) == [20]
    assert game.snapshot() == waiting
    with pytest.raises(Refused) as caught:
        game.sides({"roll": [1, 2]})
    assert caught.value.code == "wrong_dice"
