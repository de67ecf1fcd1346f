"""What else it may have been: ranked corrections for one line of the log."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from companion.rules import Game, Refused
from companion.table.book import Step
from companion.words import Names, action_text
from companion.words.decisions import LABELS, decisions
from companion.words.events import event_text
from companion.words.names import dice, registered

Action = dict[str, Any]
Alternative = dict[str, Any]
Faces = tuple[int, ...]

#: Share of a reading that a camera gives to a neighbouring face where nothing else is known; measured readers
#: confuse faces that differ by one pip first (vision/README.md).
NEIGHBOR, OTHER = 0.05, 0.01
#: More throws than these are not listed; the page has keys for the rest.
MOST_THROWS = 60
RAISED = (1, 5, 10, 50)


def alternatives(names: Names, step: Step, faces: list[dict[int, float]]) -> list[Alternative]:
    """Corrections that the rules would have allowed, the likeliest first: `label`, `action`, `probability`.

    Args:
        faces: per die the probabilities that the camera gave, for a throw; empty where nothing was seen.
    """
    game = step.before
    if game is None:
        return []
    for verb, find in _FIND.items():
        if verb in step.action:
            found = find(names, game, step, faces)
            break
    else:
        found = []
    if step.refusal is not None:
        found = [*_what_is_open(names, game), *found]
    return _without_repeats(step, found)


def _without_repeats(step: Step, found: Iterable[Alternative]) -> list[Alternative]:
    unique: dict[str, Alternative] = {}
    for each in found:
        # What no longer fits may be said again in the same words, of what is open there now.
        if each["action"] != step.action or step.refusal is not None:
            unique.setdefault(each["label"], each)
    return list(unique.values())


def _fits(game: Game, action: Action) -> list[dict[str, Any]] | None:
    try:
        return game.copy().act(action)
    except Refused:
        return None


def _weighed(options: list[tuple[str, Action, float]], *, is_known: bool) -> list[Alternative]:
    """Ranked, with probabilities that add up to 1 where anything is known about them."""
    total = sum(weight for _, _, weight in options)
    ranked = sorted(options, key=lambda each: -each[2])
    return [
        {"label": label, "action": action, "probability": weight / total if is_known and total else None}
        for label, action, weight in ranked
    ]


# -- throws ------------------------------------------------------------------------------------------


def _throws(names: Names, game: Game, step: Step, faces: list[dict[int, float]]) -> list[Alternative]:
    read: Faces = tuple(step.action["roll"])
    sides = step.sides
    is_seen = len(faces) == len(sides)
    weights = [_weights(read[at], many, faces[at] if is_seen else {}) for at, many in enumerate(sides)]
    best: dict[Faces, tuple[Faces, float]] = {}
    for throw in product(*(range(1, many + 1) for many in sides)):
        weight = 1.0
        for die, face in enumerate(throw):
            weight *= weights[die][face]
        same = tuple(sorted(throw)) if len(set(sides)) == 1 else throw
        if same not in best or weight > best[same][1]:
            best[same] = (throw, weight)
    ranked = sorted(best.values(), key=lambda each: -each[1])
    options = []
    for throw, weight in ranked[: MOST_THROWS + 1]:
        if sorted(throw) == sorted(read):
            continue
        action = {**step.action, "roll": list(throw)}
        events = _fits(game, action)
        if events is not None:
            options.append((_throw_label(names, throw, events), action, weight))
    return _weighed(options, is_known=is_seen)


def _weights(read: int, sides: int, seen: dict[int, float]) -> dict[int, float]:
    rest = {face: NEIGHBOR if abs(face - read) == 1 else OTHER for face in range(1, sides + 1)}
    rest[read] = 1.0
    return {face: max(seen.get(face, 0.0), rest[face] / 10) if seen else rest[face] for face in rest}


def _throw_label(names: Names, throw: Faces, events: list[dict[str, Any]]) -> str:
    moved = [event for event in events if event["type"] == "moved"]
    label = dice(throw)
    return f"{label}: {names.space(moved[-1]['to'])}" if moved else label


# -- everything else -----------------------------------------------------------------------------------


def _choices(names: Names, game: Game, step: Step, _faces: Any) -> list[Alternative]:
    labels = {**LABELS, **registered(names.variant, "LABELS")}
    options = []
    for decision in game.pending:
        if decision["player"] != step.action.get("by", decision["player"]):
            continue
        for option in decision.get("options", ()):
            action = {"choose": option, "by": decision["player"]}
            events = _fits(game, action)
            if events is not None and option != step.action["choose"]:
                label = labels.get(option) or _outcome(names, action, events)
                options.append((label, action, 1.0))
        break
    return _weighed(options, is_known=False)


def _outcome(names: Names, action: Action, events: list[dict[str, Any]]) -> str:
    if isinstance(action.get("choose"), str) and action["choose"] in names._spaces:
        return names.space(action["choose"])
    return event_text(names, events[0]) if events else action_text(names, action)


def _cards(names: Names, game: Game, step: Step, _faces: Any) -> list[Alternative]:
    found = []
    for decision in decisions(names, game):
        if decision["kind"] == "draw":
            found += [_from_button(each) for each in decision["choices"] if each["enabled"]]
            break
    return found


def _from_button(button: dict[str, Any]) -> Alternative:
    return {"label": button["label"], "action": button["action"], "probability": None}


def _elsewhere(verb: str) -> Callable[[Names, Game, Step, Any], list[Alternative]]:
    """The same on another space of the same player, nearest spaces first."""

    def find(names: Names, game: Game, step: Step, _faces: Any) -> list[Alternative]:
        snapshot = game.snapshot()
        here = step.action[verb]
        slugs = list(snapshot["spaces"])
        place = slugs.index(here) if here in slugs else 0
        options = []
        for index, slug in enumerate(slugs):
            action = {**step.action, verb: slug}
            if slug != here and _fits(game, action) is not None:
                options.append((names.space(slug), action, 1.0 / (1 + abs(index - place))))
        return _weighed(options, is_known=False)

    return find


def _bids(names: Names, game: Game, step: Step, _faces: Any) -> list[Alternative]:
    bid = step.action.get("bid", 0)
    amounts = sorted({max(1, bid + sign * raised) for raised in RAISED for sign in (1, -1)})
    by = step.action.get("by")
    actions = [(names.money(amount), {"bid": amount, "by": by}) for amount in amounts]
    actions.append(("Left the auction", {"pass": True, "by": by}))
    return [
        {"label": label, "action": action, "probability": None}
        for label, action in actions
        if _fits(game, action) is not None
    ]


def _what_is_open(names: Names, game: Game) -> list[Alternative]:
    """For a line that no longer fits: what could have been done there instead."""
    return [
        _from_button(each)
        for decision in decisions(names, game)
        for each in [*decision["buttons"], *decision.get("choices", ())]
        if each["enabled"] and "end_turn" not in each["action"]
    ]


_FIND: dict[str, Callable[[Names, Game, Step, Any], list[Alternative]]] = {
    "roll": _throws,
    "choose": _choices,
    "draw": _cards,
    "build": _elsewhere("build"),
    "unbuild": _elsewhere("unbuild"),
    "mortgage": _elsewhere("mortgage"),
    "unmortgage": _elsewhere("unmortgage"),
    "bid": _bids,
    "pass": _bids,
}
