"""The open decisions as large buttons: at most four, the likeliest first, those not possible with the reason."""

from collections.abc import Callable
from typing import Any

from companion.rules import Game, Refused, catalog
from companion.words.names import Names, hand, plain, registered

Decision = dict[str, Any]
Button = dict[str, Any]
Action = dict[str, Any]

#: tablet.md: never more than four buttons.
MOST_BUTTONS = 4
#: Raises that are offered in an auction, dollars.
RAISES = (10, 50, 100)


def button(game: Game, label: str, action: Action, **more: Any) -> Button:
    """A button for an action, tried out on a copy of the game: disabled with the refusal's sentence."""
    try:
        game.copy().act(action)
    except Refused as refusal:
        verdict = {"enabled": False, "reason": refusal.message, "code": refusal.code}
    else:
        verdict = {"enabled": True, "reason": None, "code": None}
    return {"label": label, "action": action, **verdict, "likeliest": False, **more}


def decisions(names: Names, game: Game) -> list[Decision]:
    """Everything that the game waits for, as the page draws it: text, fields, buttons, choices."""
    shown = [_decision(names, game, pending) for pending in game.pending]
    shown += _rent_claims(names, game)
    if not game.pending and not game.state.winners:
        shown.append(_next_turn(names, game))
    return shown


def _decision(names: Names, game: Game, pending: Decision) -> Decision:
    kind, player = pending["kind"], pending["player"]
    own = registered(names.variant, "DECISIONS").get(kind)
    say: Callable[[Names, Decision], str] = own or TEXTS.get(kind, _unknown)
    make = BUTTONS.get(kind, _options)
    fields = {key: value for key, value in pending.items() if key not in ("kind", "player")}
    if kind != "roll" and "roll" in pending.get("options", ()):
        fields.setdefault("dice", "2d6")
    answers = registered(names.variant, "ANSWERS").get(kind)
    if answers is not None:
        buttons = [button(game, label, action, **more) for label, action, more in answers(names, game, pending)]
    else:
        buttons = make(names, game, pending)
    shown: Decision = {"player": player, "kind": kind, "text": say(names, pending), "fields": fields}
    table = registered(names.variant, "TABLES").get(str(pending.get("purpose", kind)))
    if table is not None:
        shown["table"] = [{"faces": list(map(int, faces)), "text": text} for faces, text in table]
    if kind in CHOICES or len(buttons) > MOST_BUTTONS:
        return {**shown, "buttons": [], "choices": buttons}
    return {**shown, "buttons": _likeliest_first(buttons)}


def _likeliest_first(buttons: list[Button]) -> list[Button]:
    ranked = sorted(buttons, key=lambda each: not each["enabled"])
    if ranked and ranked[0]["enabled"]:
        ranked[0] = {**ranked[0], "likeliest": True}
    return ranked


def _next_turn(names: Names, game: Game) -> Decision:
    """Nothing is open: the next player throws, which also ends the turn."""
    action = {"end_turn": True, "by": game.state.turn.player}
    ahead = game.copy()
    end = button(game, "End the turn", action)
    if not end["enabled"]:
        return {"player": None, "kind": "done", "text": "The turn goes on.", "fields": {}, "buttons": [end]}
    ahead.act(action)
    waiting = ahead.pending[0] if ahead.pending else {"kind": "roll", "player": ahead.state.turn.player}
    player, kind = waiting["player"], waiting["kind"]
    fields = {"dice": waiting.get("dice", "2d6"), "purpose": waiting.get("purpose", kind), "opens_turn": True}
    text = f"{player} is next." if kind == "roll" else f"{player} is next, in Jail: pay, or throw for doubles."
    end["label"] = f"{player}'s turn"
    if kind == "roll":
        return {"player": player, "kind": "roll", "text": text, "fields": fields, "buttons": []}
    return {"player": player, "kind": "roll", "text": text, "fields": fields, "buttons": [{**end, "likeliest": True}]}


def _rent_claims(names: Names, game: Game) -> list[Decision]:
    """Rent that its owner may ask for. Rule: CL-5.11"""
    shown = []
    for claim in game.snapshot().get("rent_claims", ()):
        owner, space, amount = claim["to"], claim["space"], claim["amount"]
        sum_ = names.money(amount) if amount is not None else "the rent"
        action = {"use": "demand_rent", "space": space, "by": owner}
        text = f"{owner} may ask {claim['from']} for {sum_}: {names.space(space)}."
        ask = button(game, f"{owner} asks for {sum_}", action)
        shown.append({"player": owner, "kind": "rent_claim", "text": text, "fields": claim, "buttons": [ask]})
    return shown


# -- what is asked ---------------------------------------------------------------------------------


def _roll(names: Names, pending: Decision) -> str:
    player, dice = pending["player"], hand(pending.get("dice", "2d6"))
    return {
        "move": f"{player} throws {dice}.",
        "jail": f"{player} throws {dice}: doubles lead out of Jail.",
        "utility_rent": f"{player} throws {dice} for the rent.",
        "start": f"{player} throws {dice}: the highest begins.",
    }.get(pending.get("purpose", "move"), f"{player} throws {dice}: {plain(str(pending.get('purpose')))}.")


def _purchase(names: Names, pending: Decision) -> str:
    return f"{pending['player']}: {names.space(pending['space'])} is for sale at {names.money(pending['price'])}."


def _auction(names: Names, pending: Decision) -> str:
    high = pending.get("high")
    standing = f"{high['player']} bids {names.money(high['amount'])}." if high else "No bid yet."
    lot = names.space(pending["space"]) if pending.get("space") else f"a {names.word(pending.get('building', 'house'))}"
    return f"Auction of {lot}. {standing}"


def _raise_cash(names: Names, pending: Decision) -> str:
    amount, to = names.money(pending["amount"]), names.party(pending["to"], inside=True)
    return f"{pending['player']} owes {to} {amount} and has to find the cash."


def _unknown(names: Names, pending: Decision) -> str:
    return f"{pending['player']}: {plain(pending['kind'])}?"


TEXTS: dict[str, Callable[[Names, Decision], str]] = {
    "roll": _roll,
    "purchase": _purchase,
    "auction": _auction,
    "draw": lambda n, p: f"{p['player']} draws {n.deck(p['deck'])}. Which card?",
    "jail": lambda n, p: f"{p['player']} is in Jail: pay {n.money(50)}, or throw for doubles.",
    "income_tax": lambda n, p: f"{p['player']} pays income tax: {n.money(200)}, or a tenth of everything?",
    "raise_cash": _raise_cash,
    "mortgaged_deed": lambda n, p: f"{p['player']} gets {n.space(p['space'])} with a mortgage on it.",
    "place_building": lambda n, p: f"Where does {p['player']} put the {n.word(p['building'])}?",
    "move_to": lambda n, p: f"Where does {p['player']} go?",
    "deal": lambda n, p: f"Which {p['count']} deeds is {p['player']} dealt?",
}


# -- what can be answered ----------------------------------------------------------------------------

LABELS = {
    "buy": "Buy",
    "auction": "Auction it",
    "pay": "Pay",
    "card": "Use the card",
    "roll": "Throw for doubles",
    "flat": "The fixed sum",
    "percent": "A tenth of everything",
    "interest": "Pay the interest",
    "repay": "Lift the mortgage",
    "pass": "Leave it",
}


def _options(names: Names, game: Game, pending: Decision) -> list[Button]:
    """A button for each option; those that only dice answer are left to the dice."""
    labels = {**LABELS, **registered(names.variant, "LABELS")}
    buttons = []
    for option in pending.get("options", ()):
        is_space = isinstance(option, str) and option in names._spaces
        label = names.space(option) if is_space else labels.get(option, plain(str(option)).capitalize())
        label = option if option in game.state.players else label
        buttons.append(button(game, label, {"choose": option, "by": pending["player"]}))
    return buttons


def _buy(names: Names, game: Game, pending: Decision) -> list[Button]:
    buttons = _options(names, game, pending)
    for each in buttons:
        if each["action"]["choose"] == "buy":
            each["label"] = f"Buy for {names.money(pending['price'])}"
    return buttons


def _leave_jail(names: Names, game: Game, pending: Decision) -> list[Button]:
    buttons = _options(names, game, pending)
    for each in buttons:
        if each["action"]["choose"] == "pay":
            each["label"] = f"Pay {names.money(pending.get('amount', 50))}"
    return buttons


def _cards(names: Names, game: Game, pending: Decision) -> list[Button]:
    cards = catalog.decks(names.variant, names.edition)[pending["deck"]]
    return [
        button(game, card["title"], {"draw": card["card"], "by": pending["player"]}, text=card["text"])
        for card in cards
    ]


def _bids(names: Names, game: Game, pending: Decision) -> list[Button]:
    player = pending["player"]
    high = pending.get("high")
    standing = high["amount"] if high else 0
    cash = game.state.players[player].cash
    amounts = [standing + raised for raised in RAISES if standing + raised <= cash] or [max(cash, standing + 1)]
    buttons = [button(game, names.money(amount), {"bid": amount, "by": player}) for amount in amounts]
    return [*buttons, button(game, "Leave", {"pass": True, "by": player})]


def _debt(names: Names, game: Game, pending: Decision) -> list[Button]:
    player = pending["player"]
    pay = button(game, f"Pay {names.money(pending['amount'])}", {"pay": True, "by": player})
    return [pay, button(game, "Give up", {"bankrupt": True, "by": player})]


def _free_deeds(names: Names, game: Game, pending: Decision) -> list[Button]:
    """One for each deed that can still be dealt; the page gathers as many as `count` and sends them together."""
    player = pending["player"]
    free = [slug for slug, space in game.snapshot()["spaces"].items() if space["owner"] is None]
    action = {"use": "deal", "by": player}
    return [
        {"label": names.space(slug), "action": {**action, "spaces": [slug]}, "enabled": True, "reason": None}
        for slug in free
    ]


#: Decisions whose answers are a list to choose from and not buttons.
CHOICES = frozenset({"draw", "deal"})

BUTTONS: dict[str, Callable[[Names, Game, Decision], list[Button]]] = {
    "roll": lambda names, game, pending: [],
    "purchase": _buy,
    "auction": _bids,
    "draw": _cards,
    "jail": _leave_jail,
    "raise_cash": _debt,
    "deal": _free_deeds,
}
