"""Why? The clause, the sum and what went into it, for the event that a line of the log tells."""

from collections.abc import Callable
from typing import Any

from companion.rules import Game, catalog
from companion.rules.board import board, editions
from companion.words.events import event_text
from companion.words.names import Names, dice, registered

Event = dict[str, Any]
Why = dict[str, Any]


def why(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    """`clause`, `text`, `sum` and `inputs` ({label, value} rows) for one event.

    Args:
        events: all of the same action, for the throw that it rests on.
        before: the game before the action.
    """
    explain = EXPLAIN.get(event["type"])
    if explain is not None:
        return explain(names, event, events, before)
    number = clause_of(names, event)
    return {"clause": number, "text": _text(names, event, number), "sum": None, "inputs": []}


def has_why(names: Names, event: Event | None) -> bool:
    """Whether there is more to say than that it happened."""
    return event is not None and (event["type"] in EXPLAIN or clause_of(names, event) is not None)


def clause_of(names: Names, event: Event) -> str | None:
    """Number of the clause that an event follows."""
    own = registered(names.variant, "CLAUSES")
    kind = event["type"]
    cause = event.get("reason") or event.get("how") or event.get("cause")
    for table in (own, CLAUSES):
        for key in (f"{kind}/{cause}", kind):
            if key in table:
                return str(table[key])
    return None


def _text(names: Names, event: Event, number: str | None) -> str:
    plain = PLAIN.get(number or "")
    if plain is not None:
        return plain
    found = catalog.clause(number) if number else None
    return found["text"].replace("`", "").replace("**(R)**", "").strip() if found else event_text(names, event)


CLAUSES = {
    "moved/roll": "CL-2.2",
    "moved/card": "CL-6.4",
    "moved/jail": "CL-8.2",
    "paid/salary": "CL-2.3",
    "paid/jail_fine": "CL-8.5",
    "paid/building_sold": "CL-10.1",
    "paid/mortgage": "CL-11.1",
    "paid/bankruptcy": "CL-13.6",
    "passed_go": "CL-2.3",
    "bought": "CL-3.2",
    "auction_opened": "CL-4.1",
    "auction_won": "CL-4.6",
    "auction_failed": "CL-4.7",
    "rent_lapsed": "CL-5.11",
    "card_kept": "CL-6.3",
    "jailed/go_to_jail": "CL-8.1",
    "jailed/card": "CL-6.8",
    "jailed/three_doubles": "CL-2.6",
    "released/paid": "CL-8.5",
    "released/card": "CL-8.6",
    "released/doubles": "CL-8.7",
    "released/third_turn": "CL-8.9",
    "released/failed_roll": "CL-15.5",
    "mortgaged": "CL-11.1",
    "went_bankrupt": "CL-13.6",
    "game_won/last_standing": "CL-14.1",
    "game_won/net_worth": "CL-15.7",
    "dealt": "CL-15.1",
    "rolled/jail": "CL-8.7",
    "rolled/utility_rent": "CL-5.6",
    "rolled/start": "CL-1.5",
}

#: The clause in the players' words.
PLAIN = {
    "CL-2.2": "The token moves forward by the sum of the dice.",
    "CL-2.3": "Whoever reaches or crosses GO forward gets the salary, once a move.",
    "CL-2.6": "The third double of a turn is not moved: it leads to Jail.",
    "CL-3.2": "A property that nobody owns can be bought for its printed price.",
    "CL-4.1": "What is not bought is auctioned at once; everybody may bid.",
    "CL-4.6": "The last one in the auction takes the property for the highest bid.",
    "CL-4.7": "Without a bid the property stays with the Bank.",
    "CL-5.11": "With this house rule an owner has to ask for the rent before the next player throws.",
    "CL-6.4": "A card that advances moves forward, with the salary for GO, and the space takes full effect.",
    "CL-6.8": "The card sends straight to Jail: no salary, and the turn is over.",
    "CL-8.1": "Landing on Go To Jail sends straight to Jail.",
    "CL-8.2": "The token goes straight to Jail: no salary, and the turn is over.",
    "CL-8.5": "In Jail one may pay $50 before throwing.",
    "CL-8.6": "A Get Out of Jail card leads out and goes back to its deck.",
    "CL-8.7": "A double leads out of Jail, moves the token, and gives no further throw.",
    "CL-5.6": "The visitor of a utility throws for the rent: 4 times the throw, 10 times if the owner has both.",
    "CL-6.3": "The card may be kept until it is used or sold.",
    "CL-1.5": "The highest throw begins.",
    "CL-10.1": "The Bank takes buildings back for half their price.",
    "CL-15.1": "In the speed game deeds are dealt before the first throw.",
    "CL-15.5": "In the speed game Jail has to be left on the next turn.",
    "CL-8.9": "On the third turn in Jail without a double the $50 have to be paid, and the token moves.",
    "CL-11.1": "The Bank pays the mortgage value; no building may stand in the group.",
    "CL-13.6": "Who cannot meet a debt gives everything to the one it is owed to.",
    "CL-14.1": "The last player who is not bankrupt wins.",
    "CL-15.7": "In the speed game the greatest worth wins: cash, deeds and buildings.",
}


# -- sums ----------------------------------------------------------------------------------------------


def _row(label: str, value: Any) -> dict[str, Any]:
    return {"label": label, "value": value}


def _rent(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    """Which row of the table, doubled or not."""
    printed, here = board().by_slug[event["space"]], before.snapshot()["spaces"].get(event["space"], {})
    amount, space = event["amount"], names.space(event["space"])
    inputs = [_row("Owner", event["to"]), _row("Group", names.group(event["space"]))]
    if printed.kind == "street":
        return _street_rent(names, event, printed.rent, here, inputs)
    group = board().groups[printed.group]
    spaces = before.snapshot()["spaces"]
    owned = sum(spaces[slug]["owner"] == event["to"] for slug in group)
    inputs.append(_row(f"{names.group(event['space']).capitalize()} owned", owned))
    if printed.kind == "railroad":
        base = printed.rent[max(owned, 1) - 1]
        inputs.append(_row("Table", " · ".join(names.money(rent) for rent in printed.rent)))
        if base and amount == 2 * base:
            text = f"The card makes it twice the rent of {space}."
            return {
                "clause": "CL-6.6",
                "text": text,
                "sum": f"2 × {names.money(base)} = {names.money(amount)}",
                "inputs": inputs,
            }
        text = f"{event['to']} owns {owned} of {len(group)}."
        return {"clause": "CL-5.5", "text": text, "sum": names.money(amount), "inputs": inputs}
    throw = sum(next((each["dice"] for each in reversed(events) if each["type"] == "rolled"), before.state.dice))
    times = amount // throw if throw else 0
    inputs.append(_row("Throw", throw))
    clause = "CL-5.6" if times in printed.times and (times == 4 or owned == len(group)) else "CL-6.5"
    text = f"{event['to']} owns {owned} of {len(group)}: {times} times the throw."
    return {"clause": clause, "text": text, "sum": f"{times} × {throw} = {names.money(amount)}", "inputs": inputs}


def _street_rent(names: Names, event: Event, table: tuple[int, ...], here: Event, inputs: list[Any]) -> Why:
    amount, space = event["amount"], names.space(event["space"])
    stands = [names.houses(count) for count in range(1, 5)]
    labels = ["bare", *stands, f"a {names.word('hotel')}"]
    inputs += [_row(label, names.money(rent)) for label, rent in zip(labels, table, strict=False)]
    row = 5 if here.get("hotel") else here.get("houses", 0)
    if row:
        text = f"{space} has {names.buildings(here['houses'], here['hotel'])}: the rent of that row."
        return {"clause": "CL-5.2", "text": text, "sum": names.money(amount), "inputs": inputs}
    if amount == 2 * table[0]:
        text = f"{event['to']} owns the whole group, and nothing stands on {space}: twice the bare rent."
        return {
            "clause": "CL-5.3",
            "text": text,
            "sum": f"2 × {names.money(table[0])} = {names.money(amount)}",
            "inputs": inputs,
        }
    text = f"Nothing stands on {space}: the bare rent."
    clause = "CL-5.3" if amount == table[0] else "CL-5.1"
    return {"clause": clause, "text": text, "sum": names.money(amount), "inputs": inputs}


def _paid(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    reason, amount = event["reason"], names.money(event["amount"])
    if reason == "rent":
        owed = next((each for each in events if each["type"] == "rent_owed"), None)
        if owed is not None:
            return _rent(names, owed, events, before)
    if reason == "tax":
        return _tax(names, event, events, before)
    if reason == "card":
        return _card(names, event, events, before)
    number = clause_of(names, event)
    return {"clause": number, "text": _text(names, event, number), "sum": amount, "inputs": []}


def _tax(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    edition = editions()[names.edition]
    printed = {edition.income_tax, edition.luxury_tax}
    if event["amount"] in printed:
        text = f"The fixed tax of this edition ({edition.title})."
        return {"clause": "CL-7.1", "text": text, "sum": names.money(event["amount"]), "inputs": []}
    text = "A tenth of everything: cash, printed prices of the deeds, and buildings at cost; rounded up."
    return {"clause": "CL-7.3", "text": text, "sum": names.money(event["amount"]), "inputs": []}


def _card(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    drawn = next((each for each in events if each["type"] == "card_drawn"), None)
    if drawn is None:
        return {"clause": "CL-6.9", "text": event_text(names, event), "sum": None, "inputs": []}
    cards = catalog.decks(names.variant, names.edition)[drawn["deck"]]
    card = next(each for each in cards if each["card"] == drawn["card"])
    paid = [each for each in events if each["type"] == "paid" and each["reason"] == "card"]
    inputs = [
        _row(f"{names.party(each['from'])} to {names.party(each['to'], inside=True)}", names.money(each["amount"]))
        for each in paid
    ]
    sum_ = names.money(sum(each["amount"] for each in paid)) if paid else None
    clause = {"general-repairs": "CL-6.11", "street-repairs": "CL-6.11", "chairman": "CL-6.10"}.get(
        drawn["card"], "CL-6.2"
    )
    return {"clause": clause, "text": f"{card['title']}: {card['text']}", "sum": sum_, "inputs": inputs}


def _moved(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    number = clause_of(names, event)
    rolled = next((each for each in events if each["type"] == "rolled"), None)
    inputs = [_row("From", names.space(event["from"])), _row("To", names.space(event["to"]))]
    thrown = rolled["dice"] if rolled and event["how"] == "roll" else []
    spaces = f"{sum(thrown)} spaces" if sum(thrown) != 1 else "1 space"
    sum_ = f"{dice(thrown)} = {spaces}" if len(thrown) > 1 else spaces if thrown else None
    return {"clause": number, "text": _text(names, event, number), "sum": sum_, "inputs": inputs}


def _building(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    paid = next((each for each in events if each["type"] == "paid"), None)
    price = names.money(board().by_slug[event["space"]].house)
    is_sale = event["type"] == "unbuilt"
    text = f"A {names.word('house')} there costs {price}"
    text += "; the Bank takes it back for half." if is_sale else f", and so does the {names.word('hotel')} on top."
    sum_ = names.money(paid["amount"]) if paid else None
    return {"clause": "CL-10.1" if is_sale else "CL-9.1", "text": text, "sum": sum_, "inputs": []}


def _lifted(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    value = board().by_slug[event["space"]].mortgage
    interest = -(-value * 10 // 100)
    sum_ = f"{names.money(value)} + {names.money(interest)} = {names.money(value + interest)}"
    return {"clause": "CL-11.3", "text": "The mortgage value and a tenth of it, rounded up.", "sum": sum_, "inputs": []}


def _bought(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    inputs = [_row("Group", names.group(event["space"]))]
    return {"clause": "CL-3.2", "text": PLAIN["CL-3.2"], "sum": names.money(event["price"]), "inputs": inputs}


def _won_auction(names: Names, event: Event, events: list[Event], before: Game) -> Why:
    price = board().by_slug[event["space"]].price if event.get("space") else None
    inputs = [] if price is None else [_row("Printed price", names.money(price))]
    return {"clause": "CL-4.6", "text": PLAIN["CL-4.6"], "sum": names.money(event["price"]), "inputs": inputs}


Explain = Callable[[Names, Event, list[Event], Game], Why]

EXPLAIN: dict[str, Explain] = {
    "rent_owed": _rent,
    "paid": _paid,
    "card_drawn": _card,
    "moved": _moved,
    "built": _building,
    "unbuilt": _building,
    "unmortgaged": _lifted,
    "bought": _bought,
    "auction_won": _won_auction,
}
