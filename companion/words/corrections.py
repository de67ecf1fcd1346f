"""What a correction by hand sets, in players' words.

A variant tells its own fields in `CORRECTED` of its words, as `PHRASES` does here: by the field's place in the state
(`players.cash`, `turn.phase`, `pot`) a phrase with `{who}` (the player, the space's name) and `{value}`, or two of
them for yes and no, or a function of (names, who, value).
"""

from collections.abc import Callable, Iterator
from typing import Any

from companion.words.names import Names, listed, number, plain, registered

Phrase = str | tuple[str, str] | Callable[[Names, str, Any], str]

_PHASES = {
    "roll": "the dice are due",
    "resolve": "something is to be decided",
    "done": "the dice have been thrown",
    "over": "the game is over",
}


def correction_text(names: Names, changes: dict[str, Any]) -> str:
    """What a correction sets: `Ann stands on Vermont, Bob has $900`."""
    phrases = {**PHRASES, **registered(names.variant, "CORRECTED")}
    return ", ".join(_told(names, phrases, changes)) or "nothing"


def _told(names: Names, phrases: dict[str, Phrase], changes: dict[str, Any]) -> Iterator[str]:
    for part, fields in changes.items():
        if part in phrases:
            yield _say(names, phrases[part], "", fields)
        elif part == "players":
            for player, values in fields.items():
                yield from _fields(names, phrases, part, player, _standing(values))
        elif part == "spaces":
            for space, values in fields.items():
                yield from _fields(names, phrases, part, names.space(space), _built(values))
        else:
            yield from _fields(names, phrases, part, "", fields)


def _fields(names: Names, phrases: dict[str, Phrase], part: str, who: str, values: dict[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        yield _say(names, phrases.get(f"{part}.{key}", f"{plain(key)}: {{value}}"), who, value)


def _say(names: Names, phrase: Phrase, who: str, value: Any) -> str:
    if callable(phrase):
        return phrase(names, who, value)
    if isinstance(phrase, tuple):
        phrase = phrase[0] if value else phrase[1]
    return phrase.format(who=who, value=_plain(value))


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return listed([str(one) for one in value]) or "nobody"
    return "nobody" if value is None else plain(value) if isinstance(value, str) else str(value)


def _standing(values: dict[str, Any]) -> dict[str, Any]:
    """A player's fields, with where the token stands told once."""
    told = dict(values)
    if "at" in told:
        told["at"] = "in_jail" if told.pop("in_jail", False) else told["at"]
    return told


def _built(values: dict[str, Any]) -> dict[str, Any]:
    """A space's fields, with what stands there told once."""
    if "houses" not in values or "hotel" not in values:
        return values
    rest = {key: value for key, value in values.items() if key not in ("houses", "hotel")}
    return {**rest, "buildings": (values["houses"], values["hotel"])}


def _stands(names: Names, who: str, at: str | None) -> str:
    where = {None: "is off the board", "in_jail": "stands in Jail", "jail": "is just visiting Jail"}
    return f"{who} {where[at] if at in where else f'stands on {names.space(at)}'}"


def _cards(names: Names, who: str, cards: list[str]) -> str:
    return f"{who} holds {listed([names.card(card) for card in cards]) or 'no card'}"


def _owes(names: Names, who: str, owes: list[dict[str, Any]]) -> str:
    sums = [f"{names.party(debt['to'], inside=True)} {names.money(debt['amount'])}" for debt in owes]
    return f"{who} owes {listed(sums) or 'nothing'}"


def _claims(names: Names, _who: str, claims: list[dict[str, Any]]) -> str:
    told = [f"{claim['to']} may ask {claim['from']} for the rent of {names.space(claim['space'])}" for claim in claims]
    return listed(told) or "no rent is to be asked for"


def _hotels(names: Names, _who: str, count: int | None) -> str:
    return f"the Bank has {_many(count)} {names.word('hotel')}{'' if count == 1 else 's'}"


def _houses(names: Names, _who: str, count: int | None) -> str:
    return f"the Bank has {_many(count)} {names.word('house')}{'' if count == 1 else 's'}"


def _many(count: int | None) -> str:
    return "any number of" if count is None else number(count)


def _won(_names: Names, _who: str, winners: list[str]) -> str:
    return f"{listed(winners) or 'nobody'} {'have' if len(winners) > 1 else 'has'} won"


def counted(phrase: str, one: str, many: str = "") -> Callable[[Names, str, int], str]:
    """A phrase with `{who}` and `{value}`, a number of things: `Ann has been in Jail for two turns`."""

    def say(_names: Names, who: str, count: int) -> str:
        return phrase.format(who=who, value=f"{number(count)} {one if count == 1 else many or f'{one}s'}")

    return say


PHRASES: dict[str, Phrase] = {
    "players.at": _stands,
    "players.cash": lambda names, who, value: f"{who} has {names.money(value)}",
    "players.status": "{who} is {value}",
    "players.in_jail": ("{who} is in Jail", "{who} is not in Jail"),
    "players.jail_turns": counted("{who} has been in Jail for {value}", "turn"),
    "players.laps": counted("{who} has been round the board {value}", "time"),
    "players.cards": _cards,
    "players.owes": _owes,
    "spaces.owner": "{who} belongs to {value}",
    "spaces.buildings": lambda names, who, value: f"{who} has {names.buildings(*value)}",
    "spaces.houses": lambda names, who, value: f"{who} has {names.houses(value)}",
    "spaces.hotel": lambda names, who, value: f"{who} has {'a' if value else 'no'} {names.word('hotel')}",
    "spaces.mortgaged": ("{who} is mortgaged", "{who} is not mortgaged"),
    "turn.player": lambda names, who, value: f"it is {value}'s turn",
    "turn.number": "it is turn {value}",
    "turn.doubles": counted("{value} thrown in this turn", "double"),
    "turn.phase": lambda names, who, value: _PHASES.get(value, plain(value)),
    "bank.houses": _houses,
    "bank.hotels": _hotels,
    "stage": "the stage is {value}",
    "pot": lambda names, who, value: f"the pot holds {names.money(value)}",
    "winners": _won,
    "rent_claims": _claims,
}
