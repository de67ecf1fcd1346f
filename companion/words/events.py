"""A sentence for every event, and how much it matters."""

from collections.abc import Callable
from typing import Any

from companion.words.corrections import correction_text
from companion.words.names import Names, dice, listed, plain, registered

Event = dict[str, Any]
Sentence = Callable[[Names, Event], str]

#: How much an event matters for NOW (tablet.md: conversion > bankruptcy > rent > demolition > purchase > move).
RANKS: dict[str, int] = {
    "game_won": 1000,
    "stage_changed": 110,
    "converted": 100,
    "went_bankrupt": 90,
    "rent_owed": 80,
    "demolished": 70,
    "bought": 60,
    "auction_won": 60,
    "auction_failed": 58,
    "auction_opened": 57,
    "traded": 56,
    "jailed": 55,
    "card_drawn": 50,
    "built": 45,
    "unbuilt": 44,
    "mortgaged": 42,
    "unmortgaged": 42,
    "dealt": 41,
    "rent_lapsed": 40,
    "released": 35,
    "corrected": 30,
    "bid_made": 25,
    "passed": 24,
    "moved": 20,
    "rolled": 10,
    "passed_go": 5,
    "turn_started": 0,
    "landed_on": 0,
}
#: Of an event that nobody has ranked: above a move, below a purchase.
UNKNOWN_RANK = 28
#: Of payments by reason; one that is told with its event (rent, purchase, …) is not told twice.
PAID_RANKS = {
    "tax": 65,
    "card": 64,
    "jail_fine": 52,
    "rent": 79,
    "mortgage_interest": 43,
    "bankruptcy": 15,
    "salary": 6,
}
UNTOLD_RANK = 1

#: Told with another event of the same action, or too small for a line of their own.
SILENT = frozenset({"landed_on", "turn_started", "card_kept", "card_returned"})


def rank(names: Names, event: Event) -> int:
    """How much an event matters; 0 for what is not worth a line."""
    kind = event["type"]
    own = registered(names.variant, "RANKS")
    if kind in own:
        return int(own[kind])
    if kind == "paid":
        ranks = {**PAID_RANKS, **registered(names.variant, "PAID_RANKS")}
        return int(ranks.get(_reason(event), UNTOLD_RANK))
    return RANKS.get(kind, UNKNOWN_RANK)


def event_text(names: Names, event: Event) -> str:
    """What happened, as one sentence; readable also for events that nobody has a sentence for."""
    own = registered(names.variant, "SENTENCES").get(event["type"])
    if isinstance(own, str):
        return own.format_map(_Fields(names, event))
    sentence: Sentence = own or SENTENCES.get(event["type"], unknown)
    return sentence(names, event)


class _Fields(dict[str, Any]):
    """An event's fields as a format string shows them: spaces by name, sums as money, lists with `and`."""

    def __init__(self, names: Names, event: Event) -> None:
        super().__init__(event)
        self._names = names

    def __getitem__(self, key: str) -> Any:
        return shown(self._names, key, super().__getitem__(key))

    def __missing__(self, key: str) -> str:
        return "nobody"


def shown(names: Names, key: str, value: Any) -> str:
    """The value of an event's field, for people."""
    if key in ("space", "to", "from", "at", "on") and isinstance(value, str) and value in names._spaces:
        return names.space(value)
    if key in ("amount", "price") and isinstance(value, int):
        return names.money(value)
    if key == "dice":
        return dice(value)
    if isinstance(value, (list, tuple)):
        return listed([shown(names, "space", one) for one in value])
    if isinstance(value, dict):
        return listed([f"{plain(str(one))} {shown(names, str(one), many)}" for one, many in value.items()])
    if value is None:
        return "nobody"
    return plain(value) if isinstance(value, str) and key not in ("player", "by", "target", "with") else str(value)


def unknown(names: Names, event: Event) -> str:
    """`Ann: spell cast, on Vermont.`"""
    facts = {key: value for key, value in event.items() if key not in ("type", "player") and value is not None}
    told = ", ".join(f"{plain(key)} {shown(names, key, value)}" for key, value in facts.items())
    who = f"{event['player']}: " if "player" in event else ""
    text = f"{who}{plain(event['type'])}{f', {told}' if told else ''}."
    return text if who else text[:1].upper() + text[1:]


# -- the classic events ------------------------------------------------------------------------

_PURPOSES = {"jail": " in Jail", "utility_rent": " for the rent", "start": " for the first turn"}


def _rolled(names: Names, event: Event) -> str:
    faces = f" {dice(event['dice'])}" if event["dice"] else ""
    purpose = {**_PURPOSES, **registered(names.variant, "PURPOSES")}.get(event["purpose"], "")
    return f"{event['player']} throws{faces}{purpose}."


def _moved(names: Names, event: Event) -> str:
    if event["how"] == "jail":
        return f"{event['player']} goes to Jail."
    return f"{event['player']} moves to {names.stop(event['to'])}."


def _reason(event: Event) -> str:
    """What a payment is for; one that a hex leads elsewhere is told as such. Rule: DG-12.3"""
    return str(event["reason"]) if event.get("hexed") is None else "hexed"


def _paid(names: Names, event: Event) -> str:
    payer, to, sum_ = event["from"], event["to"], names.money(event["amount"])
    reason, hexed = _reason(event), event.get("hexed")
    sentence = registered(names.variant, "PAID").get(reason) or _PAID.get(reason)
    if sentence is not None:
        return sentence.format(
            payer=names.party(payer), to=names.party(to, inside=True), taker=names.party(to), sum=sum_, hexed=hexed
        )
    return f"{names.party(payer)} pays {names.party(to, inside=True)} {sum_}: {plain(event['reason'])}."


_PAID = {
    "salary": "{taker} gets {sum} for passing GO.",
    "rent": "{payer} pays {to} {sum} rent.",
    "tax": "{payer} pays {sum} tax.",
    "card": "{payer} pays {to} {sum}.",
    "jail_fine": "{payer} pays {sum} to leave Jail.",
    "purchase": "{payer} pays {to} {sum}.",
    "auction": "{payer} pays {to} {sum}.",
    "build": "{payer} pays {to} {sum} for building.",
    "building_sold": "{taker} gets {sum} for buildings.",
    "mortgage": "{taker} gets {sum} for the mortgage.",
    "unmortgage": "{payer} pays {sum} to lift the mortgage.",
    "mortgage_interest": "{payer} pays {sum} interest.",
    "trade": "{payer} pays {to} {sum}.",
    "bankruptcy": "{payer} gives {to} the last {sum}.",
}


def _rent_owed(names: Names, event: Event) -> str:
    return f"{event['from']} owes {event['to']} {names.money(event['amount'])} for {names.space(event['space'])}."


def _lot(names: Names, event: Event) -> str:
    return names.space(event["space"]) if event.get("space") else f"a {names.word(event.get('building') or 'house')}"


def _jailed(names: Names, event: Event) -> str:
    cause = {"three_doubles": " for a third double", "card": " by a card"}.get(event["cause"], "")
    return f"{event['player']} goes to Jail{cause}."


def _released(names: Names, event: Event) -> str:
    how = {
        "paid": "pays and leaves Jail",
        "card": "leaves Jail with a card",
        "doubles": "throws doubles and leaves Jail",
        "third_turn": "has to leave Jail",
        "failed_roll": "has to leave Jail",
    }
    return f"{event['player']} {how.get(event['how'], 'leaves Jail')}."


def _built(names: Names, event: Event) -> str:
    if event["hotel"]:
        return f"{event['player']} builds a {names.word('hotel')} on {names.space(event['space'])}."
    stands = names.houses(event["houses"])
    return f"{event['player']} builds on {names.space(event['space'])}: {stands} now."


def _unbuilt(names: Names, event: Event) -> str:
    return f"{event['player']} sells on {names.space(event['space'])}: {_left(names, event)}."


def _demolished(names: Names, event: Event) -> str:
    return f"{names.space(event['space'])} is hit: {_left(names, event)}."


def _left(names: Names, event: Event) -> str:
    if not event["hotel"] and not event["houses"]:
        return "nothing stands there now"
    return f"{names.buildings(event['houses'], event['hotel'])} left"


def bundle_text(names: Names, bundle: dict[str, Any]) -> str:
    """One side of a deal: `$50, Vermont and Baltic`; `nothing`."""
    parts = [names.money(bundle["cash"])] if bundle.get("cash") else []
    parts += [names.space(space) for space in bundle.get("spaces", ())]
    parts += [f"the card {names.card(card)}" for card in bundle.get("cards", ())]
    return listed(parts) or "nothing"


def _traded(names: Names, event: Event) -> str:
    give, get = bundle_text(names, event["give"]), bundle_text(names, event["get"])
    return f"{event['player']} gives {event['with']} {give} for {get}."


def _deed(names: Names, event: Event) -> str:
    return f"{names.space(event['space'])} goes to {names.party(event['to'], inside=True)}."


def _won(names: Names, event: Event) -> str:
    winners = event["winners"]
    wins = "wins" if len(winners) == 1 else "win"
    worth = event.get("worth") or {}
    with_worth = f" with {names.money(worth[winners[0]])}" if winners and winners[0] in worth else ""
    return f"{listed(list(winners))} {wins} the game{with_worth}." if winners else "The game is over; nobody wins."


def _corrected(names: Names, event: Event) -> str:
    return f"Put right by hand: {correction_text(names, event['changes'])}."


SENTENCES: dict[str, Sentence] = {
    "rolled": _rolled,
    "moved": _moved,
    "passed_go": lambda names, e: f"{e['player']} passes GO.",
    "landed_on": lambda names, e: f"{e['player']} is on {names.space(e['space'])}.",
    "paid": _paid,
    "rent_owed": _rent_owed,
    "rent_lapsed": lambda n, e: f"{e['to']} did not ask: no rent for {n.space(e['space'])}.",
    "bought": lambda n, e: f"{e['player']} buys {n.space(e['space'])} for {n.money(e['price'])}.",
    "auction_opened": lambda n, e: f"Auction of {_lot(n, e)}.",
    "bid_made": lambda n, e: f"{e['player']} bids {n.money(e['amount'])} for {_lot(n, e)}.",
    "passed": lambda n, e: f"{e['player']} leaves the auction of {_lot(n, e)}.",
    "auction_won": lambda n, e: f"{e['player']} gets {_lot(n, e)} for {n.money(e['price'])}.",
    "auction_failed": lambda n, e: f"Nobody bids for {_lot(n, e)}.",
    "card_drawn": lambda n, e: f"{e['player']} draws {n.card(e['card'])}.",
    "card_kept": lambda n, e: f"{e['player']} keeps {n.card(e['card'])}.",
    "card_returned": lambda n, e: f"{e['player']} gives {n.card(e['card'])} back.",
    "card_transferred": lambda n, e: f"{n.card(e['card'])} goes to {n.party(e['to'], inside=True)}.",
    "jailed": _jailed,
    "released": _released,
    "built": _built,
    "unbuilt": _unbuilt,
    "demolished": _demolished,
    "mortgaged": lambda n, e: f"{e['player']} mortgages {n.space(e['space'])}.",
    "unmortgaged": lambda n, e: f"{e['player']} lifts the mortgage on {n.space(e['space'])}.",
    "traded": _traded,
    "deed_transferred": _deed,
    "dealt": lambda n, e: f"{e['player']} is dealt {n.spaces(e['spaces'])}.",
    "went_bankrupt": lambda n, e: f"{e['player']} is bankrupt; everything goes to {n.party(e['to'], inside=True)}.",
    "stage_changed": lambda n, e: f"{plain(e['stage']).capitalize()} begins.",
    "turn_started": lambda n, e: f"{e['player']}'s turn.",
    "game_won": _won,
    "corrected": _corrected,
}
