"""The Cop and the criminal records in words: whom he hunts, what the next throw would do, what everybody owes.

`names`: the table's names.
"""

from typing import Any

from companion.rules.board import board
from companion.rules.game import Game
from companion.rules.slaughterhouse.cop import HOME
from companion.rules.slaughterhouse.jail import MUST_USE, THIEF_FINE
from companion.rules.slaughterhouse.rules import Slaughterhouse
from companion.rules.slaughterhouse.state import SlaughterState

#: Purposes of a throw that moves the token, so that the Cop follows; a decision in Jail may be answered by one.
MOVES = frozenset({"move", "move_back", "jail"})
#: Decisions and throws by which the mover may become a thief.
TEMPTATIONS = frozenset({"rob_bank", "pickpocket", "rob"})


def rules_at(game: Game) -> Slaughterhouse:
    """The rules at work on this game, for questions only."""
    return Slaughterhouse(game.state)


def state_of(game: Game) -> SlaughterState:
    """The state of a game of this variant.

    Raises:
        TypeError: it is a game of another one.
    """
    state = game.state
    if not isinstance(state, SlaughterState):
        raise TypeError(f"this is no game of Slaughterhouse but of {state.variant}")
    return state


# -- the Cop ---------------------------------------------------------------------------------------


def outlook(names: Any, game: Game) -> list[str]:
    """Whom the Cop hunts, and what the next throw, or the end of this turn, would do. Rule: SL-7"""
    state, rules = state_of(game), rules_at(game)
    if state.winners:
        return []
    if not state.cop.out:
        return _temptation(names, state)
    hunted = [name for name in state.players if rules.is_due(name)]
    told = [f"The Cop is on {names.space(state.cop.at)}{_aim(names, rules, hunted)}."]
    if is_settling(state):
        return [*told, *_end_of_turn(names, rules)]
    ahead = [*arrests_ahead(game), *_miners_ahead(names, game)]
    if not ahead and hunted and _waiting_throw(game) is not None:
        ahead = ["The next throw arrests nobody."]
    return told + ahead


def is_settling(state: SlaughterState) -> bool:
    """Whether the dice of this turn are thrown and something is open before its end."""
    return state.course.steps > 0 and not state.course.closed and state.turn.phase == "resolve"


def _aim(names: Any, rules: Slaughterhouse, hunted: list[str]) -> str:
    state = rules.state
    in_cell = [name for name in state.players if rules.villain(name).wanted and state.players[name].in_jail]
    miners = [slug for slug in state.spaces if rules.has(slug, "miner")]
    if hunted:
        return f" and hunts {_and(hunted)}"
    if in_cell:
        return f"; {_and(in_cell)} {'sits' if len(in_cell) == 1 else 'sit'} in Jail"
    return f" and looks for the miner on {names.space(miners[0])}" if miners else ""


def _walk(state: SlaughterState) -> str:
    """Where the throws of this turn lead the Cop at its end. Rule: SL-7.3"""
    return state.cop.at if state.course.cop_stays else board().after(state.cop.at, state.course.steps)


def _end_of_turn(names: Any, rules: Slaughterhouse) -> list[str]:
    """Where he will come by the dice thrown already, and who is arrested if nobody moves any more."""
    state = rules.state
    if state.course.cop_stays:
        return []
    place = _walk(state)
    caught = [name for name, player in state.players.items() if player.at == place and rules.is_due(name)]
    arrests = f" and arrests {_and(caught)}" if caught else ""
    return [f"At the end of the turn he moves to {names.space(place)}{arrests}."]


def _temptation(names: Any, state: SlaughterState) -> list[str]:
    """What the mover had better know before a crime that would call the Cop. Rule: SL-7.4"""
    waiting = state.pending[0] if state.pending else None
    if waiting is None or not is_settling(state) or waiting.player != state.turn.player:
        return []
    if waiting.facts.get("purpose", waiting.kind) not in TEMPTATIONS:
        return []
    place = _walk(state)
    here = f", where {waiting.player} stands" if state.players[waiting.player].at == place else ""
    return [f"A crime calls the Cop: at the end of the turn he moves to {names.space(place)}{here}."]


def _waiting_throw(game: Game) -> tuple[Game, str] | None:
    """The game before the next throw that moves a token, and who throws; None while something else is waited for."""
    ahead = game.copy()
    if ahead.state.turn.phase == "done":
        ahead.act({"end_turn": True})
    waiting = ahead.state.pending[0] if ahead.state.pending else None
    if waiting is None or waiting.facts.get("purpose", waiting.kind) not in MOVES:
        return None
    return ahead, waiting.player


def arrests_ahead(game: Game) -> list[str]:
    """`A 7 arrests Bob.`: if nothing but this throw moves anybody before the end of the turn."""
    found = _waiting_throw(game)
    if found is None:
        return []
    ahead, mover = found
    state, rules = state_of(ahead), rules_at(ahead)
    sums = sums_that_end(state, mover)
    caught: dict[str, list[int]] = {}
    for total in sums:
        place = board().after(state.cop.at, state.course.steps + total)
        for name, player in state.players.items():
            at = player.at or ""
            if name == mover:
                at = board().after(at, -total if state.turn.backwards else total)
            leaves_cell = name == mover and player.in_jail and rules.villain(name).wanted
            is_jailed = name == mover and at == HOME
            if at == place and not is_jailed and (rules.is_due(name) or leaves_cell):
                caught.setdefault(name, []).append(total)
    return [f"{_throws(totals, sums)} arrests {name}." for name, totals in caught.items()]


def _miners_ahead(names: Any, game: Game) -> list[str]:
    """`A 5 removes the miner on Kentucky.` Rule: SL-5.7"""
    found = _waiting_throw(game)
    if found is None:
        return []
    state, rules = state_of(found[0]), rules_at(found[0])
    sums = sums_that_end(state, found[1])
    places = {total: board().after(state.cop.at, state.course.steps + total) for total in sums}
    return [
        f"{_throws([total], sums)} removes the miner on {names.space(place)}."
        for total, place in places.items()
        if rules.has(place, "miner")
    ]


def sums_that_end(state: SlaughterState, mover: str) -> list[int]:
    """Sums of a throw that moves the token and can be the last of the turn."""
    prisoner = state.players[mover]
    if not prisoner.in_jail:
        return list(range(3, 12))
    return list(range(2, 13)) if prisoner.jail_turns >= 2 else list(range(2, 13, 2))


def _throws(totals: list[int], every: list[int]) -> str:
    if len(totals) == len(every):
        return "Any throw"
    return f"{'An' if totals[0] in (8, 11) else 'A'} {_listed([str(total) for total in totals], 'or')}"


# -- the records -----------------------------------------------------------------------------------


def records(names: Any, game: Game) -> dict[str, list[str]]:
    """Per player what is on record, in hand and in stock: `Wanted: $1,000 next time in Jail ($300 fine, …).`"""
    rules = rules_at(game)
    return {name: _record(names, rules, name) for name in game.state.players if rules.in_game(name)}


def _record(names: Any, rules: Slaughterhouse, player: str) -> list[str]:
    villain, told = rules.villain(player), []
    if rules.state.chairman == player:
        told.append("Chairman of the Board.")
    if villain.wanted:
        when = "to leave Jail" if villain.in_jail else "next time in Jail"
        told.append(f"Wanted: {names.money(_price(rules, player))} {when} ({_dues(names, rules, player)}).")
    elif villain.times_repaid:
        told.append(f"The next bank robbery's fine: {names.money(THIEF_FINE * (1 + villain.times_repaid))}.")
    if villain.ever_robbed:
        told.append("The income tax takes all the cash.")
    elif rules.is_ruined_by_tax(player):
        told.append("With the monopoly, the income tax takes all the cash.")
    if villain.cards:
        told.append(f"Holds {_and([names.card(card) for card in villain.cards])}.")
    if MUST_USE in villain.cards and not villain.in_jail:
        told.append("It must be used the next time in Jail.")
    if stock := _stock(rules, player):
        told.append(f"In stock: {_and([_counted(number, thing) for thing, number in stock.items()])}.")
    return told


def badges(names: Any, game: Game) -> dict[str, list[dict[str, str]]]:
    """Per player the same at a glance, each with `kind`, what stands beside its picture (`text`) and its `label`.

    Kinds: `chairman`, `wanted`, `card`, `bomb`, `miner`, `house`.
    """
    rules, shown = rules_at(game), {}
    for player in game.state.players:
        villain, own = rules.villain(player), []
        if rules.in_game(player):
            if rules.state.chairman == player:
                own.append({"kind": "chairman", "text": "", "label": "Chairman of the Board"})
            if villain.wanted:
                price = names.money(_price(rules, player))
                own.append({"kind": "wanted", "text": price, "label": f"Wanted: {price} in Jail"})
            if villain.cards:
                cards = _and([names.card(card) for card in villain.cards])
                own.append({"kind": "card", "text": str(len(villain.cards)), "label": f"Holds {cards}"})
            for thing, number in _stock(rules, player).items():
                own.append({"kind": thing, "text": str(number), "label": f"In stock: {_counted(number, thing)}"})
        shown[player] = own
    return shown


def _price(rules: Slaughterhouse, player: str) -> int:
    """What leaving Jail costs now, in dollars."""
    return sum(due.amount for due in rules.jail_dues(player))


def _dues(names: Any, rules: Slaughterhouse, player: str) -> str:
    """`$300 fine, $700 to the Bank`."""
    return ", ".join(
        f"{names.money(due.amount)} fine"
        if due.reason == "jail_fine"
        else f"{names.money(due.amount)} to {names.party(due.to, inside=True)}"
        for due in rules.jail_dues(player)
    )


def _stock(rules: Slaughterhouse, player: str) -> dict[str, int]:
    villain = rules.villain(player)
    stock = {"bomb": villain.bombs, "miner": villain.miners, "house": villain.kept_houses}
    return {thing: number for thing, number in stock.items() if number}


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _and(words: list[str]) -> str:
    return _listed(words, "and")


def _listed(words: list[str], joint: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"
