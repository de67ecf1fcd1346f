"""What hands have to do on the table after a correction, and what of it has been seen to be done.

A correction changes the book; the things on the table still lie as the old book said. The difference is kept until
it is put right: cash as sums to be handed over, everything else as what lies there against what the book says now.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.observations import BuildingsSeen, Observation, StandingSeen, TokenSeen
from companion.words.names import Names

Snapshot = dict[str, Any]

#: A token that is this likely where the book has it is where the book has it.
SEEN = 0.5
#: A count that is off by less is that count: a token on a line is seen in parts.
HALF = 0.5
BANK = "bank"


@dataclass
class Item:
    """One thing that lies otherwise than the book says.

    Attributes:
        key: (`token`, player), (`buildings`, space), (`deed`, space), (`mortgage`, space) or (`card`, card).
        lies: how it lies on the table.
    """

    key: tuple[str, str]
    lies: Any
    is_done: bool = False


@dataclass
class Repair:
    """The open list.

    Attributes:
        owed: per player the cash that is to come in (positive) or to go out, in dollars.
        settled: transfers that have been ticked off: (from, to, amount).
    """

    names: Names
    with_cash: bool = True
    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    owed: dict[str, int] = field(default_factory=dict)
    settled: list[tuple[str, str, int]] = field(default_factory=list)

    def corrected(self, old: Snapshot, new: Snapshot) -> None:
        """The book was corrected: what lies on the table is what the old one said."""
        for key, was, now in differences(old, new):
            if key[0] == "cash":
                if self.with_cash:
                    self.owed[key[1]] = self.owed.get(key[1], 0) + now - was
                continue
            item = self.items.get(key)
            lies = was if item is None or item.is_done else item.lies
            if lies == now:
                self.items.pop(key, None)
            else:
                self.items[key] = Item(key, lies)

    def played(self, events: Iterable[dict[str, Any]], book: Snapshot) -> None:
        """The game went on: who throws puts the token where it belongs, and what was done is no longer shown."""
        for event in events:
            if event["type"] == "rolled":
                self._clear_done()
            elif event["type"] == "moved":
                self.items.pop(("token", event["player"]), None)
        for key, item in list(self.items.items()):
            if not item.is_done and standing(book, key) == item.lies:
                del self.items[key]

    def _clear_done(self) -> None:
        self.items = {key: item for key, item in self.items.items() if not item.is_done}
        self.settled.clear()

    def seen(self, observation: Observation, book: Snapshot) -> list[tuple[str, str]]:
        """Ticks off what has been seen to be right; returns the keys of that."""
        right = [key for key, item in self.items.items() if not item.is_done and self._is_right(key, observation, book)]
        for key in right:
            self.items[key].is_done = True
        return right

    def _is_right(self, key: tuple[str, str], observation: Observation, book: Snapshot) -> bool:
        what, name = key
        if isinstance(observation, StandingSeen):
            return what == "token" and self._stand_right(name, observation, book)
        if isinstance(observation, TokenSeen):
            return key == ("token", observation.token) and _stands_right(observation, standing(book, key))
        if isinstance(observation, BuildingsSeen) and what == "buildings" and name in observation.buildings:
            stands = observation.buildings[name]
            return bool(standing(book, key) == (stands.houses, stands.hotel))
        return False

    def _stand_right(self, player: str, seen: StandingSeen, book: Snapshot) -> bool:
        """Whether as many tokens stand as the book has it, where this one lay and where it belongs.

        Where moving it would not change how many stand there (two have to change places), its name has to tell.
        """
        (at, in_jail), (lay, was_in_jail) = standing(book, ("token", player)), self.items["token", player].lies
        belong = {name: standing(book, ("token", name)) for name in book["players"]}
        lie = {name: self._lies(name, place) for name, place in belong.items()}
        count, before = (Counter(space for space, _ in places.values()) for places in (belong, lie))
        spaces = {space for space in (at, lay) if space is not None}
        if any(abs(seen.tokens.get(space, 0.0) - count[space]) >= HALF for space in spaces):
            return False
        if "jail" in spaces:
            cell = sum(place == ("jail", True) for place in belong.values())
            if abs(seen.in_jail - cell) >= HALF:
                return False
        if at is None or any(count[space] != before[space] for space in spaces) or in_jail != was_in_jail:
            return True
        named = seen.named.get(player, {})
        return named.get(at, 0.0) > max(SEEN, named.get(lay, 0.0))

    def _lies(self, player: str, place: tuple[str | None, bool]) -> tuple[str | None, bool]:
        item = self.items.get(("token", player))
        lies: tuple[str | None, bool] = place if item is None or item.is_done else item.lies
        return lies

    def tick(self, name: str) -> bool:
        """Ticks off the line with this id by hand; False if there is none."""
        for key, item in self.items.items():
            if _id(key) == name:
                item.is_done = True
                return True
        for giver, taker, amount in self.transfers():
            if _id(("cash", f"{giver}-{taker}")) == name:
                self.owed[giver] = self.owed.get(giver, 0) + amount
                self.owed[taker] = self.owed.get(taker, 0) - amount
                self.settled.append((giver, taker, amount))
                return True
        return False

    def transfers(self) -> list[tuple[str, str, int]]:
        """(from, to, dollars): the fewest hand-overs that settle the cash, the Bank making up the rest."""
        debts = {name: amount for name, amount in self.owed.items() if amount and name != BANK}
        transfers = []
        givers = sorted((name for name in debts if debts[name] < 0), key=lambda name: debts[name])
        takers = sorted((name for name in debts if debts[name] > 0), key=lambda name: -debts[name])
        for giver in givers:
            for taker in takers:
                amount = min(-debts[giver], debts[taker])
                if amount > 0:
                    transfers.append((giver, taker, amount))
                    debts[giver] += amount
                    debts[taker] -= amount
        transfers += [(name, BANK, -amount) for name, amount in debts.items() if amount < 0]
        transfers += [(BANK, name, amount) for name, amount in debts.items() if amount > 0]
        return transfers

    def lines(self, book: Snapshot) -> list[dict[str, Any]]:
        """As the page shows it: `id`, `text`, `done`."""
        shown = []
        for giver, taker, amount in [*self.transfers(), *self.settled]:
            text = f"{self.names.party(giver)} gives {self.names.party(taker, inside=True)} {self.names.money(amount)}."
            is_done = (giver, taker, amount) in self.settled
            shown.append({"id": _id(("cash", f"{giver}-{taker}")), "text": text, "done": is_done})
        for key, item in self.items.items():
            text = instruction(self.names, key, item.lies, standing(book, key))
            shown.append({"id": _id(key), "text": text, "done": item.is_done})
        return shown


def _stands_right(sight: TokenSeen, place: tuple[str | None, bool]) -> bool:
    """Whether a token was seen where the book has it, on the Jail square also on the right part of it."""
    at, in_jail = place
    if at is None:
        return sight.gone
    if sight.spaces.get(at, 0.0) <= SEEN:
        return False
    return at != "jail" or sight.in_jail is None or (sight.in_jail >= SEEN) == in_jail


def _id(key: tuple[str, str]) -> str:
    return f"{key[0]}-{key[1]}"


# -- books compared ------------------------------------------------------------------------------


def standing(book: Snapshot, key: tuple[str, str]) -> Any:
    """What the book says of one thing on the table."""
    what, name = key
    if what == "card":
        return next((player for player, state in book["players"].items() if name in state.get("cards", ())), None)
    if what in ("token", "cash"):
        player = book["players"].get(name, {})
        return player.get("cash", 0) if what == "cash" else (player.get("at"), bool(player.get("in_jail")))
    space = book["spaces"].get(name, {})
    if what == "buildings":
        return (space.get("houses", 0), bool(space.get("hotel")))
    return space.get("owner") if what == "deed" else bool(space.get("mortgaged"))


def differences(old: Snapshot, new: Snapshot) -> list[tuple[tuple[str, str], Any, Any]]:
    """(key, old, new) of everything on the table that two books see differently, players before spaces."""
    keys = [(what, name) for name in new["players"] for what in ("cash", "token")]
    spaces = [*new["spaces"], *(space for space in old["spaces"] if space not in new["spaces"])]
    keys += [(what, space) for space in spaces for what in ("deed", "buildings", "mortgage")]
    held = (card for book in (old, new) for state in book["players"].values() for card in state.get("cards", ()))
    keys += [("card", card) for card in dict.fromkeys(held)]
    found = ((key, standing(old, key), standing(new, key)) for key in keys)
    return [(key, was, now) for key, was, now in found if was != now]


def instruction(names: Names, key: tuple[str, str], lies: Any, book: Any) -> str:
    """One sentence for hands: from how it lies to how the book has it."""
    return _INSTRUCTIONS[key[0]](names, key[1], lies, book)


def _move(names: Names, player: str, _lies: Any, book: Any) -> str:
    at, in_jail = book
    if at is None:
        return f"Take {names.token(player)} off the board."
    if at == "jail":
        return f"Move {names.token(player)} {'into Jail' if in_jail else 'to Just Visiting'}."
    return f"Move {names.token(player)} to {names.space(at)}."


def _buildings(names: Names, space: str, lies: Any, book: Any) -> str:
    (houses, hotel), (to_houses, to_hotel) = lies, book
    where = names.space(space)
    if hotel and to_hotel != hotel:
        rest = f" and put {names.houses(to_houses)} there" if to_houses else ""
        return f"Take the {names.word('hotel')} off {where}{rest}."
    if to_hotel and not hotel:
        rest = f" in place of {names.houses(houses)}" if houses else ""
        return f"Put a {names.word('hotel')} on {where}{rest}."
    if to_houses > houses:
        return f"Put {names.houses(to_houses - houses)} on {where}."
    return f"Take {names.houses(houses - to_houses)} off {where}."


def _deed(names: Names, space: str, lies: Any, book: Any) -> str:
    if book is None:
        return f"{names.space(space)} goes back to the Bank."
    giver = "The Bank" if lies is None else lies
    return f"{giver} gives {book} the deed of {names.space(space)}."


def _card(names: Names, card: str, lies: Any, book: Any) -> str:
    if book is None:
        return f"{lies} puts the card {names.card(card)} back under its deck."
    return f"{book} gets the card {names.card(card)}{f' from {lies}' if lies else ''}."


def _mortgage(names: Names, space: str, _lies: Any, book: Any) -> str:
    return f"Turn the deed of {names.space(space)} {'face down' if book else 'face up'}."


_INSTRUCTIONS: dict[str, Callable[[Names, str, Any, Any], str]] = {
    "token": _move,
    "buildings": _buildings,
    "deed": _deed,
    "mortgage": _mortgage,
    "card": _card,
}
