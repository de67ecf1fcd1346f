"""What each player may do besides answering: build, sell, mortgage, claim, and a variant's abilities."""

import random
from typing import Any

from companion.rules import Game
from companion.rules.legal import suggested
from companion.words.actions import action_text
from companion.words.decisions import Button, button
from companion.words.events import shown
from companion.words.names import Names, own_words, registered

#: Refusals that are worth a disabled button: something is lacking that the player can do something about.
TELLING = frozenset({"cannot_afford", "uneven_building", "bank_short", "decision_pending", "buildings_standing"})
#: Answers to open decisions, which have their own buttons, and deals, which have their own sheet.
ELSEWHERE = frozenset({"roll", "choose", "draw", "bid", "pass", "pay", "bankrupt", "end_turn", "trade"})


def manage(names: Names, game: Game) -> dict[str, list[Button]]:
    """Per player who is still in the game the buttons for what is possible now, or lacks little."""
    if game.state.winners:
        return {}
    offered = {}
    for name, player in game.state.players.items():
        if player.status != "bankrupt":
            offered[name] = [each for each in _buttons(names, game, name) if each.pop("is_shown")]
    return offered


def _buttons(names: Names, game: Game, player: str) -> list[Button]:
    more = getattr(own_words(names.variant), "manage", None)
    actions = more(game, player) if more is not None else []
    actions += [action for action in suggested(game.state, random.Random(0), player) if ELSEWHERE.isdisjoint(action)]
    seated = registered(names.variant, "SEATED")
    unique: dict[str, dict[str, Any]] = {}
    for action in actions:
        if action.get("use") in seated:
            continue
        unique.setdefault(label_of(names, action), action)
    return [_button(names, game, label, action) for label, action in unique.items()]


def _button(names: Names, game: Game, label: str, action: dict[str, Any]) -> Button:
    price = getattr(own_words(names.variant), "price", None)
    made = button(game, label, action, note=price(game, action) if price else None)
    is_telling = getattr(own_words(names.variant), "is_telling", None)
    made["is_shown"] = made["enabled"] or made["code"] in TELLING or (is_telling and is_telling(game, action))
    return made


def label_of(names: Names, action: dict[str, Any]) -> str:
    """`Build on Vermont`; for what nobody has words for, the action's own sentence."""
    for verb, label in _LABELS.items():
        if verb in action:
            return f"{label} {names.space(action[verb])}"
    if action.get("use") == "demand_rent":
        return "Ask for the rent"
    if action.get("use") == "sell_group":
        return f"Sell all buildings: {names.word(action['group'])}"
    if action.get("use") == "building_auction":
        return f"Auction the last {names.word(action['building'])}s"
    own = registered(names.variant, "USES").get(action.get("use", ""))
    if own is not None:
        return str(own.format_map({key: shown(names, key, value) for key, value in action.items()}))
    said = action_text(names, {key: value for key, value in action.items() if key != "by"})
    return said.removeprefix("Somebody: ").rstrip(".")


_LABELS = {
    "build": "Build on",
    "unbuild": "Sell a building on",
    "mortgage": "Mortgage",
    "unmortgage": "Lift the mortgage on",
}
