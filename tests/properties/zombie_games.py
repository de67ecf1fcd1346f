"""What must hold besides in games with zombies."""

from typing import Any

from companion.rules import Game

STAGES = ("capitalism", "outbreak", "apocalypse")
HUMANS = ("human", "homeless")
#: Events that only those who take part in commerce cause, and where their name stands.
COMMERCE = {
    "paid": "from",
    "bought": "player",
    "built": "player",
    "unbuilt": "player",
    "bid_made": "player",
    "auction_won": "player",
    "mortgaged": "player",
    "unmortgaged": "player",
    "traded": "player",
    "bodyguards_hired": "player",
    "fortified": "player",
    "rent_owed": "to",
    "passed_go": "player",
}


def check_zombies(game: Game, events: list[dict[str, Any]]) -> None:
    """After an action: conversions, zombies' abstinence, stages, groups and wins."""
    earlier = game.copy()
    earlier.undo()
    before, after = earlier.snapshot(), game.snapshot()
    was = {name: player["status"] for name, player in before["players"].items()}
    check_statuses(was, after, events)
    assert STAGES.index(after["stage"]) >= STAGES.index(before["stage"])
    assert (after["stage"] == "capitalism") <= (not zombies(after))
    check_groups(after)
    for event in events:
        if event["type"] == "game_won":
            check_win(event, after)


def zombies(snapshot: dict[str, Any]) -> list[str]:
    return [name for name, player in snapshot["players"].items() if player["status"] == "zombie"]


def check_statuses(was: dict[str, str], after: dict[str, Any], events: list[dict[str, Any]]) -> None:
    """Nobody is converted twice or healed; a zombie never pays, buys or builds."""
    converted = [event["player"] for event in events if event["type"] == "converted"]
    assert len(set(converted)) == len(converted)
    for name, player in after["players"].items():
        assert player["status"] in (*HUMANS, "zombie")
        assert (player["status"] == "zombie") == (was[name] == "zombie" or name in converted)
        assert not (player["status"] == "zombie" and (player["cash"] or player["owes"] or player["in_jail"]))
        assert not (was[name] == "zombie" and name in converted)
    for event in events:
        if event["type"] in COMMERCE:
            assert was.get(event[COMMERCE[event["type"]]]) != "zombie", event


def check_groups(snapshot: dict[str, Any]) -> None:
    """Groups are disjoint, of humans, in the apocalypse."""
    members = [name for group in snapshot["groups"] for name in group["players"]]
    assert len(set(members)) == len(members)
    for group in snapshot["groups"]:
        assert snapshot["stage"] == "apocalypse"
        assert len(group["players"]) > 1
        assert group["lead"] in group["players"]
        assert 0 <= group["moves"] <= 3
        assert all(snapshot["players"][name]["status"] in HUMANS for name in group["players"])


def check_win(event: dict[str, Any], snapshot: dict[str, Any]) -> None:
    """The condition of the win is there to be seen."""
    players = snapshot["players"]
    assert snapshot["stage"] == "apocalypse"
    assert event["winners"] == snapshot["winners"]
    humans = [name for name, player in players.items() if player["status"] in HUMANS]
    if event["how"] == "jail":
        assert not humans
        assert [players[name]["at"] for name in event["winners"]] == ["jail"]
        return
    assert event["winners"] == humans
    places = {players[name]["at"] for name in humans}
    assert len(places) == 1
    space = snapshot["spaces"][places.pop()]
    assert space["houses"] or space["hotel"]
    assert not any(players[name]["at"] in {players[human]["at"] for human in humans} for name in zombies(snapshot))
    if event["how"] == "safe_house":
        assert players[space["owner"]]["status"] in HUMANS
    else:
        assert event["how"] == "last_homeless"
        assert len(humans) == 1
        assert players[humans[0]]["status"] == "homeless" or players[humans[0]]["once_homeless"]
