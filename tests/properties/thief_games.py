"""What must hold besides in games with the Cop."""

from collections import Counter
from typing import Any

from companion.rules import Game

Snapshot = dict[str, Any]
Events = list[dict[str, Any]]
HOME = "go-to-jail"


def check_thieves(game: Game, events: Events) -> None:
    """After an action: the Cop, records and fines, bombs and miners, trade."""
    earlier = game.copy()
    earlier.undo()
    before, after = earlier.snapshot(), game.snapshot()
    check_cop(after, events)
    check_records(before, after, events)
    check_fines(before, after, events)
    check_discs(before, after, events)
    assert after["bank"] == {"houses": None, "hotels": None}
    if after["chairman"] is not None and not after["winners"]:
        assert after["players"][after["chairman"]]["status"] != "bankrupt"
    for event in events:
        if event["type"] == "traded" and (event["give"]["spaces"] or event["get"]["spaces"]):
            assert before["trading_open"]
        assert event["type"] != "auction_opened"


def check_cop(after: Snapshot, events: Events) -> None:
    """Home when nobody is wanted and no miner is out; one walk by dice, at the very end of a turn; just arrests."""
    wanted = [name for name, player in after["players"].items() if player["loot"]]
    miners = [slug for slug, space in after["spaces"].items() if space["miner"]]
    assert after["cop"]["out"] == bool(wanted or miners)
    assert after["cop"]["out"] or after["cop"]["at"] == HOME
    walks = [event for event in events if event["type"] == "cop_moved" and event["how"] == "dice"]
    assert len(walks) <= 1
    assert not walks or after["turn"]["phase"] in ("done", "over")
    place = None
    for event in events:
        if event["type"] == "cop_moved":
            place = event["to"]
        elif event["type"] == "arrested":
            assert event["space"] == place
            assert event["player"] in wanted
            assert after["players"][event["player"]]["in_jail"]


def check_records(before: Snapshot, after: Snapshot, events: Events) -> None:
    """Loot grows by robberies and thefts of $200 or more only, and goes by paying it back or by a bankruptcy only."""
    ruined = {event["player"] for event in events if event["type"] == "went_bankrupt"}
    freed = {event["player"] for event in events if event["type"] == "released" and event["how"] in PAID_WAYS}
    for name, player in after["players"].items():
        assert player["wanted"] == bool(player["loot"])
        loot = Counter() if name in ruined | freed else Counter(before["players"][name]["loot"])
        for event in events:
            if event["type"] == "bank_robbed" and event["player"] == name:
                loot["bank"] += event["amount"]
            elif event["type"] == "pickpocketed" and event["player"] == name and event["amount"] >= 200:
                loot[event["victim"]] += event["amount"]
        assert player["loot"] == {creditor: amount for creditor, amount in loot.items() if creditor not in ruined}


PAID_WAYS = ("paid", "third_turn")
FINES = ("jail_fine", "restitution")


def check_fines(before: Snapshot, after: Snapshot, events: Events) -> None:
    """Who must pay in Jail pays, or owes, what the record says: no more, no less, in its order; nobody else does."""
    for name, prisoner in before["players"].items():
        paid = [
            (each["to"], each["amount"])
            for each in events
            if each["type"] == "paid" and each["from"] == name and each["reason"] in FINES
        ]
        owed, owing = (
            [(debt["to"], debt["amount"]) for debt in side["players"][name]["owes"] if debt["reason"] in FINES]
            for side in (before, after)
        )
        if owed:
            # Bankruptcy of a creditor strikes his debt out; what is paid comes off the front.
            assert all(payment in owed for payment in paid)
        elif pays(prisoner, name, events):
            assert paid + owing == dues(before, name)
        else:
            assert not paid + owing


def pays(prisoner: dict[str, Any], name: str, events: Events) -> bool:
    """Whether this player pays for leaving Jail in this action, or must: the release may wait for other debts."""
    ways = [event["how"] for event in events if event["type"] == "released" and event["player"] == name]
    thrown = [
        event["dice"]
        for event in events
        if event["type"] == "rolled" and event["player"] == name and event["purpose"] == "jail"
    ]
    is_last = prisoner["jail_turns"] == 2 and any(first != second for first, second in thrown)
    return is_last or "paid" in ways


def dues(before: Snapshot, name: str) -> list[tuple[str, int]]:
    """What leaving Jail costs by the crimes on record: (to, dollars) in the order of payment."""
    order, prisoner = list(before["players"]), before["players"][name]
    loot, expected = prisoner["loot"], []
    place = order.index(name)
    victims = [each for each in order[place + 1 :] + order[:place] if each in loot]
    if "bank" in loot:
        expected += [("bank", 100 + 100 * prisoner["times_repaid"]), ("bank", loot["bank"])]
    if victims:
        expected += [("bank", 100), *((each, loot[each]) for each in victims)]
    if before["options"]["no_ones"]:
        expected = [(to, 5 * round(amount / 5)) for to, amount in expected]
    return expected or [("bank", 50)]


#: Event -> the disc that it lays down, or takes away.
LAID = {"bomb_planted": "bomb", "miner_hired": "miner"}
TAKEN = {"exploded": ("bomb",), "bomb_defused": ("bomb", "miner"), "miner_removed": ("miner",)}


def check_discs(before: Snapshot, after: Snapshot, events: Events) -> None:
    """At most one bomb and one miner a space: none is laid where one lies, none taken where none does."""
    lying = Counter((slug, kind) for slug, space in before["spaces"].items() for kind in LAID.values() if space[kind])
    for event in events:
        if event["type"] in LAID:
            lying[event["space"], LAID[event["type"]]] += 1
        for kind in TAKEN.get(event["type"], ()):
            lying[event["space"], kind] -= 1
        if event["type"] == "deed_transferred" and event["to"] == "bank":
            for kind in LAID.values():
                lying[event["space"], kind] = 0
        assert set(lying.values()) <= {0, 1}, event
    for slug, space in after["spaces"].items():
        for kind in LAID.values():
            assert space[kind] is bool(lying[slug, kind]), (slug, kind)
        assert space["owner"] is not None or not (space["bomb"] or space["miner"]), slug
