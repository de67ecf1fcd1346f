"""Slaughterhouse in words: events, decisions, what may be bought and when. `names`: the table's names."""

from typing import Any

from companion.rules.board import board
from companion.rules.errors import Refused
from companion.rules.game import Game
from companion.rules.slaughterhouse.bombs import BOMB_PRICE, MINER_PRICE
from companion.rules.slaughterhouse.police import badges, outlook, records, rules_at
from companion.rules.slaughterhouse.rules import Slaughterhouse

__all__ = ["badges", "outlook", "records"]

Event = dict[str, Any]
Fields = dict[str, Any]

#: What a die does, shown while it is thrown and before it is chosen: (faces, what they bring). Rule: SL-6.2, SL-3.7
TABLES = {
    "pickpocket": (("1", "$5"), ("2", "$10"), ("3", "$20"), ("4", "$50"), ("5", "$100"), ("6", "$500, a crime")),
    "luxury_tax": (
        ("1", "Lose one of your properties to the Bank"),
        ("23", "Give one of your properties to a player"),
        ("45", "Take a property outside the monopolies"),
        ("6", "Take any property"),
    ),
}

RANKS = {
    "exploded": 86,
    "arrested": 85,
    "went_broke": 84,
    "bank_robbed": 83,
    "bomb_defused": 72,
    "pickpocketed": 71,
    "deed_transferred": 66,
    "chairman_changed": 63,
    "cop_moved": 19,
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

PURPOSES = {
    "move_back": " backwards",
    "rob": " at the Bank",
    "pickpocket": " for the pocket",
    "luxury_tax": " instead of the tax",
}


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


def _loot(names: Any, who: str, loot: dict[str, int]) -> str:
    dues = [f"{names.party(to, inside=True)} {names.money(amount)}" for to, amount in loot.items()]
    return f"{who} has to pay back {' and '.join(dues)}" if dues else f"{who} has nothing to pay back"


def _cop(names: Any, _who: str, cop: Fields) -> str:
    told = [f"the Cop is on {names.space(cop['at'])}"] if "at" in cop else []
    if "out" in cop:
        told.append("the Cop hunts" if cop["out"] else "the Cop does not hunt")
    return " and ".join(told)


def _stock(thing: str) -> Any:
    return lambda names, who, count: f"{who} keeps {count or 'no'} {thing}{'' if count == 1 else 's'}"


#: What a correction by hand sets.
CORRECTED: dict[str, Any] = {
    "players.loot": _loot,
    "players.wanted": ("{who} is wanted", "{who} is not wanted"),
    "players.ever_robbed": ("{who} has robbed the Bank before", "{who} has never robbed the Bank"),
    "players.ever_monopoly": ("{who} has had a monopoly", "{who} has not had a monopoly yet"),
    "players.times_repaid": "{who} has paid the Bank back {value} times",
    "players.bombs": _stock("bomb"),
    "players.miners": _stock("miner"),
    "players.kept_houses": _stock("house"),
    "spaces.bomb": ("a bomb lies on {who}", "no bomb lies on {who}"),
    "spaces.miner": ("a miner works on {who}", "no miner works on {who}"),
    "turn.backwards": ("the throws go backwards", "the throws go forwards"),
    "cop": _cop,
    "chairman": lambda names, who, value: f"{value or 'nobody'} is Chairman of the Board",
    "trading_open": ("deeds may be traded", "deeds may not be traded yet"),
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
        "pickpocket": f"{player} throws one die for {pending.get('victim', 'the')}'s pocket.",
        "luxury_tax": f"{player} throws one die instead of paying the luxury tax.",
    }.get(pending["purpose"], f"{player} throws two dice.")


def _jail(names: Any, pending: Fields) -> str:
    player, price = pending["player"], names.money(pending["amount"])
    if "roll" not in pending["options"]:
        return f"{player} is in Jail and must use the card, or pay {price}."
    return f"{player} is in Jail: pay {price}, or throw for doubles."


def _forfeit(names: Any, pending: Fields) -> str:
    to, owner, player = pending["to"], pending["owner"], pending["player"]
    whose = "own properties" if owner == player else f"properties of {owner}"
    goes = "a player" if to is None else names.party(to, inside=True)
    return f"{player} says which of the {whose} goes to {goes}."


def _pickpocket(names: Any, pending: Fields) -> str:
    must = "picks" if "skip" not in pending["options"] else "may pick"
    return f"{pending['player']} {must} a pocket: whose?"


def _draw(names: Any, pending: Fields) -> str:
    if pending["deck"] == "journey":
        return f"{pending['player']} draws a blue card, Journey To Adventure. Which one?"
    return f"{pending['player']} draws {names.deck(pending['deck'])}. Which card?"


def _pass_key(names: Any, pending: Fields) -> str:
    what = names.space(pending["space"]) if "space" in pending else names.card(pending["card"])
    return f"{pending['player']}: use the pass key against {what}?"


DECISIONS: dict[str, Any] = {
    "roll": _roll,
    "jail": _jail,
    "rob_bank": lambda names, p: f"{p['player']} may rob the Bank: two dice, $100 for each point.",
    "income_tax": lambda names, p: f"{p['player']} pays income tax: $200, or a tenth of the cash.",
    "luxury_tax": lambda names, p: f"{p['player']} pays $75 luxury tax, or throws one die.",
    "draw": _draw,
    "forfeit": _forfeit,
    "forfeit_to": lambda names, p: f"{p['player']} says who gets {names.space(p['space'])}.",
    "take_property": lambda names, p: f"{p['player']} takes a property: which of the lit ones?",
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
    "percent": "Pay a tenth of the cash",
    "roll": "Throw",
    "later": "The space first",
    "skip": "Leave the pockets",
    "pass": "Leave it",
    "pay": "Pay $75",
    "use": "Use it",
    "keep": "Keep it",
    "place": "Place it",
    "strike": "Strike one",
    "kept": "The kept house",
    "pass_key": "Use the pass key",
    "flat": "Pay $200",
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
USES = {
    "bomb": "Plant a bomb on {on}",
    "miner": "Hire a miner on {on}",
    "place_house": "Place a kept house on {on}",
    "sell_bomb": "Sell a bomb",
    "sell_miner": "Sell a miner",
    "sell_house": "Sell a kept house",
}

# -- what may be bought, and when ------------------------------------------------------------------


def manage(game: Game, player: str) -> list[Fields]:
    """Bomb, miner and kept house for the mover, also when the moment for them is past."""
    rules, at = rules_at(game), game.state.players[player].at or ""
    lot = rules.lot(at)
    if player != game.state.turn.player:
        return []
    things = ("bomb", "miner") if lot and lot.owner else ()
    actions = [{"use": thing, "on": at, "by": player} for thing in things]
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


def price(game: Game, action: Fields) -> str | None:
    """What a bomb, a miner or a kept house costs: `$200`, or nothing from the stock; None of anything else."""
    rules, player = rules_at(game), action.get("by", game.state.turn.player)
    villain, thing = rules.villain(player), action.get("use")
    if thing in ("bomb", "miner"):
        dollars, stock = (BOMB_PRICE, villain.bombs) if thing == "bomb" else (MINER_PRICE, villain.miners)
        return "free, from stock" if stock else f"${dollars}"
    return "free" if thing == "place_house" else None
