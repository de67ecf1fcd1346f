"""Slaughterhouse in words: events, decisions, whom the Cop hunts, what is on record. `names`: the table's names."""

from typing import Any

from companion.rules.board import board
from companion.rules.errors import Refused
from companion.rules.game import Game
from companion.rules.slaughterhouse.rules import Slaughterhouse
from companion.rules.slaughterhouse.state import SlaughterState

Event = dict[str, Any]
Fields = dict[str, Any]

#: What the die does, shown while it is thrown. Rule: SL-6.2, SL-3.7
POCKET_TABLE = "1: $5. 2: $10. 3: $20. 4: $50. 5: $100. 6: $500, a crime."
LUXURY_TABLE = "1: a property to the Bank. 2, 3: one to a player. 4, 5: take one outside the monopolies. 6: take any."

RANKS = {
    "exploded": 86,
    "arrested": 85,
    "went_broke": 84,
    "bank_robbed": 83,
    "bomb_defused": 72,
    "pickpocketed": 71,
    "deed_transferred": 66,
    "chairman_changed": 63,
    "cop_moved": 27,
    "miner_removed": 47,
    "bomb_planted": 46,
    "miner_hired": 46,
    "pass_key_used": 62,
    "card_given": 61,
    "trading_opened": 48,
    "purchase_declined": 32,
    "house_kept": 34,
}
PAID_RANKS = {"restitution": 53, "stock_sold": 33}
PAID = {
    "restitution": "{payer} pays {to} {sum} back.",
    "stock_sold": "{payer} buys it back for {sum}.",
    "bank_robbery": "{payer} loses {sum} to {taker}.",
    "pickpocket": "{payer} loses {sum} to {taker}.",
    "income_tax": "{payer} pays all the cash, {sum}.",
    "bomb": "{payer} pays {sum} for a bomb.",
    "miner": "{payer} pays {sum} for a miner.",
}

_PURPOSES = {
    "jail": " in Jail",
    "utility_rent": " for the rent",
    "start": " for the first turn",
    "move_back": " backwards",
    "rob": " at the Bank",
    "pickpocket": " for the pocket",
    "luxury_tax": " instead of the tax",
}


def _rolled(names: Any, event: Event) -> str:
    return f"{event['player']} throws {_and(map(str, event['dice']))}{_PURPOSES.get(event['purpose'], '')}."


def _cop_moved(names: Any, event: Event) -> str:
    if event["how"] == "returned":
        return "The Cop goes home: nobody is wanted."
    return f"The Cop moves to {names.space(event['to'])}."


def _jailed(names: Any, event: Event) -> str:
    return f"{event['player']} goes to Jail{' as a thief' if event.get('thief') else ''}."


def _key_used(names: Any, event: Event) -> str:
    against = event["against"]
    what = "Jail" if against == "jail" else names.space(against) if against in board().index else names.card(against)
    return f"{event['player']} uses the pass key: {what} does nothing."


SENTENCES: dict[str, Any] = {
    "rolled": _rolled,
    "jailed": _jailed,
    "purchase_declined": "{player} leaves {space} unsold.",
    "bank_robbed": "{player} robs the Bank of {amount}.",
    "went_broke": "{player} loses all cash to the income tax: {amount}.",
    "chairman_changed": "{player} is Chairman of the Board.",
    "trading_opened": "Deeds may be traded from now on.",
    "bomb_planted": "{player} plants a bomb on {space}.",
    "miner_hired": "{player} hires a miner on {space}.",
    "exploded": "{player} sets off the bomb on {space}.",
    "bomb_defused": "The miner saves {space}: bomb and miner are gone.",
    "miner_removed": "The Cop removes the miner on {space}.",
    "pickpocketed": "{player} takes {amount} from {victim}.",
    "cop_moved": _cop_moved,
    "arrested": "The Cop arrests {player} on {space}.",
    "card_given": lambda names, e: f"{e['from']} gives {names.card(e['card'])} to {e['to']}.",
    "house_kept": "{player} keeps a house for later.",
    "pass_key_used": _key_used,
}

CLAUSES = {
    "purchase_declined": "SL-1.4",
    "bank_robbed": "SL-3.1",
    "paid/bank_robbery": "SL-3.1",
    "went_broke": "SL-3.4",
    "chairman_changed": "SL-3.12",
    "trading_opened": "SL-9.1",
    "bomb_planted": "SL-5.1",
    "miner_hired": "SL-5.2",
    "exploded": "SL-5.4",
    "demolished/bomb": "SL-5.4",
    "bomb_defused": "SL-5.5",
    "miner_removed": "SL-5.7",
    "pickpocketed": "SL-6.2",
    "cop_moved/dice": "SL-7.3",
    "cop_moved/card": "SL-10.13",
    "cop_moved/returned": "SL-7.8",
    "arrested": "SL-7.5",
    "jailed/cop": "SL-7.5",
    "card_given": "SL-10.4",
    "house_kept": "SL-10.12",
    "pass_key_used": "SL-10.16",
    "released/pass_key": "SL-10.16",
    "paid/jail_fine": "SL-8.2",
    "paid/restitution": "SL-8.2",
    "paid/stock_sold": "SL-5.8",
    "paid/salary": "SL-2.1",
    "demolished/forfeited": "SL-3.9",
    "demolished/card": "SL-10.12",
    "deed_transferred/luxury_tax": "SL-3.7",
    "deed_transferred/card": "SL-3.9",
    "paid/bomb": "SL-5.1",
    "paid/miner": "SL-5.2",
}

# -- decisions -------------------------------------------------------------------------------------


def _roll(names: Any, pending: Fields) -> str:
    player = pending["player"]
    return {
        "jail": f"{player} throws two dice: doubles lead out of Jail.",
        "utility_rent": f"{player} throws two dice for the rent.",
        "start": f"{player} throws two dice: the highest begins.",
        "move_back": f"{player} throws two dice and moves backwards.",
        "rob": f"{player} throws two dice: $100 for each point.",
        "pickpocket": f"{player} throws one die. {POCKET_TABLE}",
        "luxury_tax": f"{player} throws one die. {LUXURY_TABLE}",
    }.get(pending["purpose"], f"{player} throws two dice.")


def _jail(names: Any, pending: Fields) -> str:
    way = "must use the card, or pay" if "roll" not in pending["options"] else "pays, or throws for doubles"
    return f"{pending['player']} is in Jail and {way}: {names.money(pending['amount'])}."


def _forfeit(names: Any, pending: Fields) -> str:
    to, owner, player = pending["to"], pending["owner"], pending["player"]
    whose = "own properties" if owner == player else f"properties of {owner}"
    goes = "a player" if to is None else names.party(to, inside=True)
    return f"{player} says which of the {whose} goes to {goes}."


def _pickpocket(names: Any, pending: Fields) -> str:
    return f"{pending['player']} may pick a pocket: one die. {POCKET_TABLE}"


def _pass_key(names: Any, pending: Fields) -> str:
    what = names.space(pending["space"]) if "space" in pending else names.card(pending["card"])
    return f"{pending['player']}: use the pass key against {what}?"


DECISIONS: dict[str, Any] = {
    "roll": _roll,
    "jail": _jail,
    "rob_bank": lambda names, p: f"{p['player']} may rob the Bank: two dice, $100 for each point.",
    "income_tax": lambda names, p: f"{p['player']} pays income tax: $200, or a tenth of the cash.",
    "luxury_tax": lambda names, p: f"{p['player']} pays $75, or throws one die. {LUXURY_TABLE}",
    "forfeit": _forfeit,
    "forfeit_to": lambda names, p: f"{p['player']} says who gets {names.space(p['space'])}.",
    "take_property": lambda names, p: f"{p['player']} takes a property.",
    "pickpocket": _pickpocket,
    "pass_key": _pass_key,
    "give_card": lambda names, p: f"{p['player']} gives {names.card(p['card'])} to another player.",
    "house_card": lambda names, p: f"{p['player']} has a house to place, to keep, or to strike from another player.",
    "place_house": lambda names, p: f"{p['player']} says where the house goes.",
    "strike": lambda names, p: f"{p['player']} says who loses a house.",
    "lose_house": lambda names, p: f"{p['player']} says which house goes.",
}
LABELS = {
    "rob": "Rob the Bank",
    "percent": "A tenth of the cash",
    "roll": "Throw",
    "later": "Later",
    "skip": "No more",
    "use": "Use it",
    "keep": "Keep it",
    "place": "Place it",
    "strike": "Strike one",
    "kept": "The kept house",
    "pass_key": "Use the pass key",
    "flat": "$200",
}
CHOSEN = {
    "rob": "robs the Bank",
    "pass": "leaves it",
    "later": "waits with the pocket",
    "skip": "picks no pocket",
    "use": "uses the pass key",
    "keep": "keeps it",
    "place": "places the house",
    "strike": "strikes a house",
    "kept": "gives up the kept house",
    "pass_key": "uses the pass key",
    "percent": "pays a tenth of the cash",
}
USED = {
    "bomb": "plants a bomb",
    "miner": "hires a miner",
    "place_house": "places a kept house",
    "sell_bomb": "sells a bomb",
    "sell_miner": "sells a miner",
    "sell_house": "sells a kept house",
}

# -- what may be bought, and when ------------------------------------------------------------------


def manage(game: Game, player: str) -> list[Fields]:
    """Bomb, miner and kept house for the mover, also when the moment for them is past."""
    rules = _rules(game)
    lot = rules.lot(game.state.players[player].at or "")
    if player != game.state.turn.player:
        return []
    actions = [{"use": "bomb", "by": player}, {"use": "miner", "by": player}] if lot and lot.owner else []
    if rules.villain(player).kept_houses:
        actions += [{"use": "place_house", "on": slug, "by": player} for slug in rules.house_sites(player)]
    return actions


def is_telling(game: Game, action: Fields) -> bool:
    """Whether nothing but the moment forbids this purchase: it would be possible at the start of the turn."""
    player = game.state.turn.player
    if action.get("by") != player or not (action.get("use") in ("bomb", "miner", "place_house") or "build" in action):
        return False
    rules = Slaughterhouse(game.state.fork(), keep_events=False)
    state = rules.state
    state.base, state.dice, state.decisions, state.todo = "roll", (), (), ()
    rules.settle()
    try:
        rules.perform(action)
    except Refused:
        return False
    return True


# -- the Cop and the records -----------------------------------------------------------------------


def outlook(names: Any, game: Game) -> list[str]:
    """Whom the Cop hunts, and what the next throw would do. Rule: SL-7"""
    state = _state(game)
    if not state.cop.out or state.winners:
        return []
    rules = _rules(game)
    hunted = [name for name in state.players if rules.is_due(name)]
    in_cell = [name for name in state.players if rules.villain(name).wanted and state.players[name].in_jail]
    miners = [slug for slug in state.spaces if rules.has(slug, "miner")]
    told = [f"The Cop is on {names.space(state.cop.at)}{_aim(names, hunted, in_cell, miners)}."]
    return told + arrests_ahead(game)


def _aim(names: Any, hunted: list[str], in_cell: list[str], miners: list[str]) -> str:
    if hunted:
        return f" and hunts {_and(hunted)}"
    if in_cell:
        return f"; {_and(in_cell)} {'sits' if len(in_cell) == 1 else 'sit'} in Jail"
    return f" and looks for the miner on {names.space(miners[0])}" if miners else ""


def arrests_ahead(game: Game) -> list[str]:
    """`A 7 arrests Bob.`: if nothing but this throw moves anybody before the end of the turn."""
    ahead = game.copy()
    if ahead.state.turn.phase == "done":
        ahead.act({"end_turn": True})
    state, rules = _state(ahead), _rules(ahead)
    waiting = state.pending[0] if state.pending else None
    if waiting is None or waiting.facts.get("purpose", waiting.kind) not in ("move", "move_back", "jail"):
        return []
    mover = waiting.player
    caught: dict[str, list[int]] = {}
    for total in sums_that_end(state, mover):
        place = board().after(state.cop.at, state.course.steps + total)
        for name, player in state.players.items():
            at = player.at or ""
            if name == mover:
                at = board().after(at, -total if state.turn.backwards else total)
            leaves_cell = name == mover and player.in_jail and rules.villain(name).wanted
            if at == place and (rules.is_due(name) or leaves_cell):
                caught.setdefault(name, []).append(total)
    every = len(sums_that_end(state, mover))
    return [
        f"Any throw arrests {name}."
        if len(totals) == every
        else f"{'An' if totals[0] in (8, 11) else 'A'} {_or(map(str, totals))} arrests {name}."
        for name, totals in caught.items()
    ]


def sums_that_end(state: SlaughterState, mover: str) -> list[int]:
    """Sums of a throw that moves the token and can be the last of the turn."""
    prisoner = state.players[mover]
    if not prisoner.in_jail:
        return list(range(3, 12))
    return list(range(2, 13)) if prisoner.jail_turns >= 2 else list(range(2, 13, 2))


def records(names: Any, game: Game) -> dict[str, list[str]]:
    """Per player what is on record and in stock: `Wanted: $800 in Jail ($100 fine, $700 to the Bank).`"""
    rules = _rules(game)
    return {name: _record(names, rules, name) for name in game.state.players if rules.in_game(name)}


def _record(names: Any, rules: Slaughterhouse, player: str) -> list[str]:
    villain, told = rules.villain(player), []
    if rules.state.chairman == player:
        told.append("Chairman of the Board.")
    if villain.wanted:
        dues = rules.jail_dues(player)
        parts = [
            f"{names.money(due.amount)} fine"
            if due.reason == "jail_fine"
            else f"{names.money(due.amount)} to {names.party(due.to, inside=True)}"
            for due in dues
        ]
        told.append(f"Wanted: {names.money(sum(due.amount for due in dues))} in Jail ({', '.join(parts)}).")
    elif villain.times_repaid:
        told.append(f"The next robbery's fine: {names.money(100 * (1 + villain.times_repaid))}.")
    if villain.ever_robbed:
        told.append("The income tax takes all the cash.")
    elif player in rules.monopolists():
        told.append("With the monopoly, the income tax takes all the cash.")
    stock = [
        f"{number} {thing}{'' if number == 1 else 's'}"
        for thing, number in (("bomb", villain.bombs), ("miner", villain.miners), ("house", villain.kept_houses))
        if number
    ]
    if stock:
        told.append(f"In stock: {_and(stock)}.")
    return told


def _rules(game: Game) -> Slaughterhouse:
    """The rules at work on this state, for questions only."""
    return Slaughterhouse(game.state)


def _state(game: Game) -> SlaughterState:
    state = game.state
    if not isinstance(state, SlaughterState):
        raise TypeError(f"this is no game of Slaughterhouse but of {state.variant}")
    return state


def _and(words: Any) -> str:
    return _listed(list(words), "and")


def _or(words: Any) -> str:
    return _listed(list(words), "or")


def _listed(words: list[str], joint: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
