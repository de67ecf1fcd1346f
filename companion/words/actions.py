"""What somebody did, said of the action alone: for lines that did not happen, and for previews."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.words.corrections import correction_text
from companion.words.events import bundle_text, shown
from companion.words.names import Names, dice, plain, registered

Action = dict[str, Any]
#: What somebody does who chooses an option; `{space}` is what the decision was about.
CHOSEN = {
    "buy": "buys {space}",
    "auction": "puts {space} up for auction",
    "pay": "pays",
    "card": "uses the card",
    "roll": "throws",
    "flat": "pays the fixed sum",
    "percent": "pays a tenth of everything",
    "interest": "pays the interest for {space}",
    "repay": "lifts the mortgage on {space}",
}


def action_text(names: Names, action: Action, context: Mapping[str, Any] | None = None) -> str:
    """`Bob throws 4 and 3.`, also for actions of variants.

    Args:
        context: of the decision that it answers: `space`, …
    """
    who = action.get("by")
    for verb, say in _SAY.items():
        if verb in action:
            text = say(names, action[verb], {**(context or {}), **action})
            return f"{who} {text}." if who else f"{text[:1].upper()}{text[1:]}."
    told = ", ".join(f"{plain(key)} {shown(names, key, value)}" for key, value in action.items() if key != "by")
    return f"{who or 'Somebody'}: {told}."


def _choose(names: Names, value: Any, action: Action) -> str:
    if isinstance(value, str) and value in names._spaces:
        return f"chooses {names.space(value)}"
    chosen = {**CHOSEN, **registered(names.variant, "CHOSEN")}
    if value in chosen:
        return str(chosen[value]).format(space=names.space(action["space"]) if action.get("space") else "it")
    return f"chooses: {plain(str(value))}"


def _use(names: Names, value: Any, action: Action) -> str:
    facts = {key: fact for key, fact in action.items() if key not in ("use", "by", "kind", "deck")}
    told = ", ".join(shown(names, key, fact) for key, fact in facts.items())
    does = registered(names.variant, "USED").get(value, f"uses {plain(str(value))}")
    return f"{does}{f': {told}' if told else ''}"


def _trade(names: Names, value: Any, action: Action) -> str:
    give, get = bundle_text(names, value.get("give") or {}), bundle_text(names, value.get("get") or {})
    return f"gives {value.get('with')} {give} for {get}"


def _on(word: str) -> Callable[[Names, Any, Action], str]:
    return lambda names, value, action: f"{word} {names.space(value) if isinstance(value, str) else value}"


_SAY: dict[str, Callable[[Names, Any, Action], str]] = {
    "use": _use,
    "roll": lambda names, value, action: f"throws {dice(value)}",
    "choose": _choose,
    "draw": lambda names, value, action: f"draws {names.card(value)}",
    "bid": lambda names, value, action: f"bids {names.money(value)}",
    "pass": lambda names, value, action: "leaves the auction",
    "build": _on("builds on"),
    "unbuild": _on("sells on"),
    "mortgage": _on("mortgages"),
    "unmortgage": _on("lifts the mortgage on"),
    "trade": _trade,
    "pay": lambda names, value, action: "pays",
    "bankrupt": lambda names, value, action: "gives up",
    "end_turn": lambda names, value, action: "ends the turn",
    "set": lambda names, value, action: f"put right by hand: {correction_text(names, value)}",
}
