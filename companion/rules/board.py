"""The board, the cards and the editions, read once from the package's data files."""

import functools
import tomllib
from importlib import resources
from typing import Any

import msgspec


class BoardSpace(msgspec.Struct, frozen=True):
    """One of the 40 spaces as printed. Money in whole dollars.

    Attributes:
        index: 0-39 in direction of travel.
        kind: `corner`, `street`, `railroad`, `utility`, `card` or `tax`.
        house: price of a house, and of a hotel on top of the houses; 0 where nothing is built.
        rent: of a street bare, with 1-4 houses, with a hotel; of a railroad by number owned.
        times: of a utility: factor on the throw with one and with both.
    """

    index: int
    space: str
    name: str
    kind: str
    group: str = ""
    deck: str = ""
    price: int = 0
    mortgage: int = 0
    house: int = 0
    rent: tuple[int, ...] = ()
    times: tuple[int, ...] = ()

    @property
    def is_property(self) -> bool:
        return self.price > 0


class Card(msgspec.Struct, frozen=True):
    """One card of a deck; `effect` names the step `card_EFFECT` that carries it out."""

    deck: str
    card: str
    title: str
    text: str
    effect: str
    amount: int = 0
    to: str = ""
    house: int = 0
    hotel: int = 0
    copies: int = 1


class Edition(msgspec.Struct, frozen=True):
    """Names and amounts of one edition. Rule: CL-16"""

    title: str
    income_tax: int
    income_tax_choice: bool
    luxury_tax: int
    words: dict[str, str]
    tokens: tuple[str, ...] = ()
    streets_by_position: bool = False
    names: dict[str, str] = {}


class Board:
    """The spaces, by index and by slug."""

    def __init__(self, spaces: tuple[BoardSpace, ...]) -> None:
        self.spaces = spaces
        self.slugs = tuple(space.space for space in spaces)
        self.by_slug = {space.space: space for space in spaces}
        self.index = {space.space: space.index for space in spaces}
        self.properties = tuple(space.space for space in spaces if space.is_property)
        self.groups: dict[str, tuple[str, ...]] = {}
        for space in spaces:
            if space.group:
                self.groups[space.group] = (*self.groups.get(space.group, ()), space.space)

    def after(self, slug: str, steps: int) -> str:
        """The space `steps` further on (backwards when negative)."""
        return self.slugs[(self.index[slug] + steps) % len(self.slugs)]

    def distance(self, start: str, end: str) -> int:
        """Spaces forward from `start` to `end`, 0-39."""
        return (self.index[end] - self.index[start]) % len(self.slugs)

    def next_of_kind(self, slug: str, kind: str) -> str:
        """The first space of this kind that lies ahead."""
        for steps in range(1, len(self.slugs) + 1):
            ahead = self.after(slug, steps)
            if self.by_slug[ahead].kind == kind:
                return ahead
        raise LookupError(kind)


def load_toml(name: str, package: str = "companion.rules") -> dict[str, Any]:
    """A data file of this package or of a variant's (`data/NAME` beneath it)."""
    return tomllib.loads(resources.files(package).joinpath("data", name).read_text(encoding="utf-8"))


@functools.cache
def board() -> Board:
    """The board that all editions and variants share. Rule: CL-1.1"""
    rows = load_toml("board.toml")["spaces"]
    return Board(tuple(msgspec.convert({"index": index, **row}, BoardSpace) for index, row in enumerate(rows)))


@functools.cache
def editions() -> dict[str, Edition]:
    return msgspec.convert(load_toml("editions.toml"), dict[str, Edition])


def cards_from(rows: list[dict[str, Any]], edition: str) -> dict[str, dict[str, Card]]:
    """Decks of cards (deck -> slug -> card) as this edition prints them. Rule: CL-6.12"""
    decks: dict[str, dict[str, Card]] = {}
    for row in rows:
        plain = {key: value for key, value in row.items() if not isinstance(value, dict)}
        card = msgspec.convert({**plain, **row.get(edition, {})}, Card)
        decks.setdefault(card.deck, {})[card.card] = card
    return decks


@functools.cache
def classic_decks(edition: str) -> dict[str, dict[str, Card]]:
    return cards_from(load_toml("cards.toml")["cards"], edition)


@functools.cache
def space_names(edition: str) -> dict[str, str]:
    """What each space is called in this edition. Rule: CL-16.2, CL-16.3"""
    printed = editions()[edition]
    names = {space.space: space.name for space in board().spaces}
    if printed.streets_by_position:
        for group, members in board().groups.items():
            if board().by_slug[members[0]].kind == "street":
                names |= {slug: f"{group.replace('-', ' ')} {place}" for place, slug in enumerate(members, 1)}
    return {**names, **printed.names}
