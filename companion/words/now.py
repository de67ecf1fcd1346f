"""The log's lines, and NOW: the one thing that is shown large."""

from typing import Any

from companion.words.actions import action_text
from companion.words.events import SILENT, UNTOLD_RANK, event_text, rank
from companion.words.names import Names

Event = dict[str, Any]

#: Further sentences under the headline.
MOST_LINES = 3
#: With automation `warn` the app speaks of no money.
MONEY = frozenset({"paid", "rent_owed", "rent_lapsed"})


def telling(names: Names, events: list[Event], automation: str = "show") -> list[Event]:
    """The events that are worth a sentence, in their order, none told twice."""
    found = []
    rent = {(event["from"], event["to"]) for event in events if event["type"] == "rent_owed"}
    for event in events:
        kind = event["type"]
        if kind in SILENT or (automation == "warn" and kind in MONEY):
            continue
        if kind == "paid" and (rank(names, event) <= UNTOLD_RANK or _is_told(event, rent)):
            continue
        if kind == "moved" and event["how"] == "jail":
            continue
        found.append(event)
    return found


def _is_told(event: Event, rent: set[tuple[str, str]]) -> bool:
    return event["reason"] == "rent" and (event["from"], event["to"]) in rent


def main_event(names: Names, events: list[Event], automation: str = "show") -> Event | None:
    """The event with the greatest consequence, the earlier of two equal ones."""
    told = telling(names, events, automation)
    return max(told, key=lambda event: rank(names, event), default=None)


def sentence(names: Names, event: Event, automation: str = "show") -> str:
    """As `event_text`, with rent as the app's own payment where it keeps the bank."""
    if event["type"] == "rent_owed" and automation == "bank":
        amount, space = names.money(event["amount"]), names.space(event["space"])
        return f"{event['from']} pays {event['to']} {amount} for {space}."
    return event_text(names, event)


def kind_of(event: Event | None) -> str:
    """A short word for the page: `rent`, `move`, `tax`, …"""
    if event is None:
        return "note"
    if event["type"] == "paid":
        return str(event["reason"])
    return {"rent_owed": "rent", "moved": "move", "rolled": "throw", "bought": "purchase"}.get(
        event["type"], str(event["type"])
    )


def log_text(
    names: Names, action: dict[str, Any], events: list[Event], automation: str = "show", context: Event | None = None
) -> str:
    """One line of the log: the throw, and what mattered most of what followed."""
    told = telling(names, events, automation)
    main = main_event(names, events, automation)
    if main is None:
        return action_text(names, action, context)
    text = sentence(names, main, automation)
    first = told[0]
    if first is main or first["type"] not in ("rolled", "card_drawn"):
        return text
    return f"{event_text(names, first)} {text}"


def headline(
    names: Names, steps: list[tuple[int, list[Event]]], automation: str = "show"
) -> tuple[int, Event, list[str]] | None:
    """What NOW shows of the actions since the last throw.

    Args:
        steps: (entry, events) of these actions, oldest first.
    Returns:
        (entry, event of the headline, further sentences); None when there is nothing to tell.
    """
    told = [(entry, event) for entry, events in steps for event in telling(names, events, automation)]
    if not told:
        return None
    # Of equal ones the newest: the second building shown is the one just put up.
    best = max(range(len(told)), key=lambda index: (rank(names, told[index][1]), index))
    entry, main = told[best]
    rest = [sentence(names, event, automation) for _, event in told if event is not main and event["type"] != "rolled"]
    return entry, main, list(dict.fromkeys(rest))[-MOST_LINES:]
