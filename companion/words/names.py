"""What things are called at this table: the edition's names, its money, the players' tokens."""

import functools
import importlib
import importlib.util
from types import ModuleType
from typing import Any

from companion.rules import catalog
from companion.rules.board import board, editions, space_names

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@functools.cache
def own_words(variant: str) -> ModuleType | None:
    """`companion.rules.VARIANT.words`, where a variant registers its sentences; None if it has none.

    Such a module may define, each of them optional: `SENTENCES` and `RANKS` (by event type), `PAID` and `PAID_RANKS`
    (by reason of a payment), `PURPOSES` (what follows on a throw, by its purpose), `DECISIONS` (by kind), `LABELS`
    and `CHOSEN` (by option word), `USED` (by ability), `CLAUSES` (event type -> clause), `manage(game, player)`
    (further actions to offer), `is_telling(game, action)` (whether an action refused is shown with its reason),
    `price(game, action)` (what it costs), `TABLES` (what the faces of a die bring, by purpose or decision),
    `outlook(names, game)` (sentences on what may come), `records(names, game)` (per player, what is on record),
    `badges(names, game)` (the same at a glance), `CORRECTED` (phrases for the fields of a correction by hand, as in
    `companion.words.corrections`), `retold(game, events)` (the events of one action on that game, with facts added
    for the sentences), `seats(names, game)` (per player a character and what it can do now), `SEATED` (the abilities
    that seats show) and `sheet(slug, options)` (the lines that a sheet of the rules in play adds). Sentences are
    format strings over the event's fields, or functions of (names, event).
    """
    name = f"companion.rules.{variant}.words"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def registered(variant: str, table: str) -> dict[str, Any]:
    """One of the tables of `own_words`; empty where the variant has none."""
    return dict(getattr(own_words(variant), table, {}))


class Names:
    """Names of one game.

    Args:
        faces: per player at least `name`, and `token` where one was chosen.
    """

    def __init__(self, variant: str, edition: str, faces: tuple[dict[str, Any], ...] = ()) -> None:
        self.variant = variant
        self.edition = edition
        self._spaces = space_names(edition)
        self._words = editions()[edition].words
        self._tokens = {face["name"]: face.get("token") for face in faces}
        decks = catalog.decks(variant, edition)
        self._cards = {card["card"]: card for cards in decks.values() for card in cards}

    def space(self, slug: str | None) -> str:
        """The short name: without `Avenue`."""
        if slug is None:
            return "off the board"
        return self._spaces.get(slug, plain(slug).title()).removesuffix(" Avenue")

    def stop(self, slug: str | None) -> str:
        """The name of a space that somebody who is free comes to: in the Jail's corner Just Visiting."""
        return str(self._words.get("just-visiting", "Just Visiting")) if slug == "jail" else self.space(slug)

    def spaces(self, slugs: list[str] | tuple[str, ...]) -> str:
        return listed([self.space(slug) for slug in slugs])

    def group(self, slug: str) -> str:
        """Name of the colour group, railroads and utilities of a space, without `the`."""
        group = board().by_slug[slug].group
        return str(self._words.get(group, plain(group)))

    def money(self, amount: int) -> str:
        return f"{'−' if amount < 0 else ''}${abs(amount):,}"

    def word(self, thing: str) -> str:
        """The edition's word for `house`, `hotel`, `chance`, …"""
        return str(self._words.get(thing, plain(thing)))

    def houses(self, count: int) -> str:
        """`one house`, `two Walls`."""
        return f"{number(count)} {self.word('house')}{'' if count == 1 else 's'}"

    def buildings(self, houses: int, hotel: bool) -> str:
        return f"a {self.word('hotel')}" if hotel else self.houses(houses)

    def card(self, slug: str) -> str:
        """Title of a card."""
        return str(self._cards[slug]["title"]) if slug in self._cards else plain(slug).capitalize()

    def card_text(self, slug: str) -> str:
        """What a card says, in one line."""
        return str(self._cards[slug]["text"]) if slug in self._cards else ""

    def deck(self, deck: str) -> str:
        return self.word(deck)

    def token(self, player: str) -> str:
        """`the hat`, or `Ann's token`."""
        token = self._tokens.get(player)
        return f"the {token}" if token and token != player else f"{player}'s token"

    def party(self, name: str, *, inside: bool = False) -> str:
        """A player, or the Bank, or the pot; `inside` a sentence."""
        special = {"bank": "the Bank", "pot": "the pot"}.get(name)
        if special is None:
            return name
        return special if inside else special.capitalize().replace("bank", "Bank")


def plain(code: str) -> str:
    """`raise_cash` -> `raise cash`."""
    return code.replace("_", " ").replace("-", " ")


def number(count: int) -> str:
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else f"{count:,}"


def listed(words: list[str], joint: str = "and") -> str:
    """`a, b and c`."""
    if len(words) < 2:
        return words[0] if words else ""
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"


def dice(faces: list[int] | tuple[int, ...]) -> str:
    """`4 and 3`."""
    return listed([str(face) for face in faces])


def hand(spec: str) -> str:
    """`2d6` -> `two dice`, `d20` -> `one twenty-sided die`."""
    kinds = {"6": "", "4": "four-sided ", "20": "twenty-sided "}
    parts = []
    for part in spec.split("+"):
        count, sides = part.strip().split("d")
        many = int(count or 1)
        parts.append(f"{number(many)} {kinds.get(sides, f'{sides}-sided ')}{'die' if many == 1 else 'dice'}")
    return listed(parts)
