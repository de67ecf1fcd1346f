"""Players for the demo: they decide legally and with some character, in any registered variant.

A bot proposes, best first, and the first proposal that the rules accept is taken; so a decision
that no bot has heard of is still answered by one of its options. The dice and the decks are the
bots' too, as a table's would be: shuffled by chance, seeded.
"""

import random
import re
from collections.abc import Iterator
from typing import Any

from companion.rules import Game, Refused
from companion.rules.board import board
from companion.rules.registry import rules_of

Action = dict[str, Any]

_DICE = re.compile(r"(\d*)d(\d+)")
#: Cash that a bot likes to keep when it buys, and when it builds.
RESERVE, BUILDING_RESERVE = 60, 160
#: How often a bot that may manage its estate tries to trade.
TRADE_CHANCE = 0.04
#: Improvements a bot makes in one go before the game goes on.
MOST_IN_A_ROW = 6


def kinds_of(dice: str) -> list[str]:
    """`2d6+1d20` -> d6, d6, d20."""
    return [f"d{sides}" for count, sides in _DICE.findall(dice) for _ in range(int(count or 1))]


def throw_of(dice: str, rng: random.Random) -> list[int]:
    """A throw of dice written as `2d6` (or `1d6+1d20`), in that order."""
    return [rng.randint(1, int(kind[1:])) for kind in kinds_of(dice)]


def wanted_throw(game: Game) -> Action | None:
    """The decision that dice answer: one that is open, or in phase `done` that of whoever throws next; else None."""
    pending = game.pending
    if not pending:
        ahead = game.copy()
        try:
            ahead.act({"end_turn": True})
        except Refused:
            return None
        pending = ahead.pending
    return next((each for each in pending if each["kind"] == "roll" or "roll" in (each.get("options") or ())), None)


class Bots:
    """Decides for all players of one game."""

    def __init__(self, seed: int) -> None:
        """Bots that do the same for the same seed and the same games."""
        self._rng = random.Random(seed)
        self._piles: dict[str, list[str]] = {}
        self._managed: tuple[str, int] | None = None
        self._improvements = 0
        self._appetite: dict[str, float] = {}

    def next_action(self, game: Game) -> Action | None:
        """What happens next; None when the game is over.

        A `roll` is the throw that the players are about to make: the caller may hand it in at
        once, or have it thrown and read first.
        """
        pending = game.pending
        if game.state.turn.phase == "over":
            return None
        decisions = [decision for decision in pending if decision["kind"] != "roll"]
        for decision in decisions:
            action = self._first_legal(game, self._answers(game, decision))
            if action is not None:
                return action
        improvement = self._improve(game)
        if improvement is not None:
            return improvement
        if not pending and rules_of(game.state.variant).buys_before_throw:
            return {"end_turn": True}
        return self._roll(game, pending)

    def _roll(self, game: Game, pending: list[Action]) -> Action | None:
        """The dice that are wanted; in phase `done` those of the next player."""
        wanted = wanted_throw(game)
        roll = {"roll": throw_of(str(wanted.get("dice", "2d6")), self._rng)} if wanted else None
        if roll is None or (not pending and not _is_legal(game, roll)):
            return self._first_legal(game, iter([{"end_turn": True}]))
        return roll

    def _answers(self, game: Game, decision: Action) -> Iterator[Action]:
        """Proposals for one decision, the best first, with the actor named."""
        player = str(decision.get("player", ""))
        kind = decision["kind"]
        own = {
            "purchase": self._purchase,
            "auction": self._auction,
            "draw": self._draw,
            "jail": self._jail,
            "raise_cash": self._raise_cash,
        }.get(kind)
        if own is not None:
            yield from own(game, decision, player)
        else:
            yield from self._suggested(game, kind, player)
        options = [str(option) for option in decision.get("options") or ()]
        self._rng.shuffle(options)
        for option in options:
            if option == "roll":
                yield {"roll": throw_of(str(decision.get("dice", "2d6")), self._rng), "by": player}
            yield {"choose": option, "by": player}
        yield {"pass": True, "by": player}

    def _suggested(self, game: Game, kind: str, player: str) -> Iterator[Action]:
        """What the rules of the variant propose for a decision of theirs."""
        suggest = getattr(rules_of(game.state.variant)(game.state), f"suggest_{kind}", None)
        if suggest is not None:
            for waiting in game.state.pending:
                if (waiting.kind, waiting.player) == (kind, player):
                    yield from suggest(waiting, self._rng)

    def _purchase(self, game: Game, decision: Action, player: str) -> Iterator[Action]:
        cash = game.state.players[player].cash
        price = int(decision.get("price", 0))
        if cash - price >= RESERVE or self._rng.random() < 0.3:
            yield {"choose": "buy", "by": player}
        yield {"choose": "auction", "by": player}

    def _auction(self, game: Game, decision: Action, player: str) -> Iterator[Action]:
        high = decision.get("high")
        lowest = int(high["amount"]) + 1 if high else 1
        space = decision.get("space")
        worth = board().by_slug[space].price if space in board().by_slug else 100
        appetite = self._appetite.setdefault(f"{player} {space}", self._rng.uniform(0.4, 1.15))
        limit = min(int(worth * appetite), game.state.players[player].cash - RESERVE // 2)
        if lowest <= limit:
            bid = min(limit, lowest + self._rng.choice((4, 9, 19)))
            yield {"bid": bid, "by": player}
        yield {"pass": True, "by": player}

    def _draw(self, game: Game, decision: Action, player: str) -> Iterator[Action]:
        """The top card; those that somebody holds are refused by the rules and lie under the pile."""
        deck = str(decision["deck"])
        pile = self._piles.setdefault(deck, [])
        cards = _deck(game, deck)
        for _ in range(len(cards) + 1):
            if not pile:
                pile.extend(self._rng.sample(cards, len(cards)))
            card = pile.pop(0)
            yield {"draw": card, "by": player}

    def _jail(self, game: Game, decision: Action, player: str) -> Iterator[Action]:
        options = decision.get("options") or ()
        if "card" in options:
            yield {"choose": "card", "by": player}
        if "pay" in options and game.state.players[player].cash > 400 and self._rng.random() < 0.5:
            yield {"choose": "pay", "by": player}
        yield {"roll": throw_of("2d6", self._rng), "by": player}

    def _raise_cash(self, game: Game, decision: Action, player: str) -> Iterator[Action]:
        yield {"pay": True, "by": player}
        mine = [slug for slug, space in game.state.spaces.items() if space.owner == player]
        bare = [slug for slug in mine if not game.state.spaces[slug].houses and not game.state.spaces[slug].hotel]
        for slug in sorted(bare, key=lambda slug: board().by_slug[slug].price):
            yield {"mortgage": slug, "by": player}
        for slug in mine:
            yield {"unbuild": slug, "by": player}
        # A whole group at once where the Bank lacks the houses for a hotel, and what else a variant buys back.
        yield from self._suggested(game, "raise_cash", player)

    def _improve(self, game: Game) -> Action | None:
        """Before the next throw: build, lift a mortgage, or offer a deal."""
        turn = game.state.turn
        if self._managed != (turn.player, turn.number):
            self._managed, self._improvements = (turn.player, turn.number), 0
        if self._improvements >= MOST_IN_A_ROW or not game.state.spaces:
            return None
        self._improvements += 1
        action = self._first_legal(game, self._wishes(game, turn.player))
        if action is None:
            self._improvements = MOST_IN_A_ROW
        return action

    def _wishes(self, game: Game, player: str) -> Iterator[Action]:
        yield from rules_of(game.state.variant)(game.state).suggest_wishes(player, self._rng)
        cash = game.state.players[player].cash
        mine = [slug for slug, space in game.state.spaces.items() if space.owner == player]
        for slug in sorted(mine, key=lambda slug: -board().by_slug[slug].price):
            house = board().by_slug[slug].house
            if house and cash - house >= BUILDING_RESERVE and _has_group(game, slug, player):
                yield {"build": slug, "by": player}
        for slug in mine:
            if game.state.spaces[slug].mortgaged and cash > 3 * BUILDING_RESERVE:
                yield {"unmortgage": slug, "by": player}
        if self._rng.random() < TRADE_CHANCE:
            yield from self._deals(game, player)

    def _deals(self, game: Game, player: str) -> Iterator[Action]:
        """Buys the deed that completes a color group, for a price that nobody refuses."""
        state = game.state
        for members in board().groups.values():
            owners = [state.spaces[slug].owner for slug in members if slug in state.spaces]
            others = {owner for owner in owners if owner not in (player, None)}
            if owners.count(player) != len(members) - 1 or len(others) != 1:
                continue
            missing = next(slug for slug in members if state.spaces[slug].owner != player)
            offer = min(2 * board().by_slug[missing].price, state.players[player].cash - RESERVE)
            if offer >= board().by_slug[missing].price:
                yield {
                    "trade": {
                        "with": others.pop(),
                        "give": {"cash": offer, "spaces": [], "cards": []},
                        "get": {"cash": 0, "spaces": [missing], "cards": []},
                    },
                    "by": player,
                }

    @staticmethod
    def _first_legal(game: Game, proposals: Iterator[Action]) -> Action | None:
        return next((action for action in proposals if _is_legal(game, action)), None)


def _is_legal(game: Game, action: Action) -> bool:
    try:
        game.copy().act(action)
    except Refused:
        return False
    return True


def _has_group(game: Game, slug: str, player: str) -> bool:
    members = board().groups[board().by_slug[slug].group]
    return all(game.state.spaces[member].owner == player for member in members)


def _deck(game: Game, deck: str) -> list[str]:
    """Slugs of a deck's cards in the game's variant and edition, each as often as it is in the deck."""
    decks = rules_of(game.state.variant)(game.state).decks
    return [card.card for card in decks[deck].values() for _ in range(card.copies)]
