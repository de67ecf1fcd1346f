"""People at the virtual table: what the bots decide becomes gestures of hands, or taps on the tablet."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.bots import Action, wanted_throw
from companion.observations import COP, SPACES, DieKind, Observation, StandingSeen, TokenSeen
from companion.referee.hands import parse
from companion.rules import Game
from companion.rules.errors import BoardsideError
from companion.rules.options import gathered
from companion.rules.registry import rules_of
from vision.virtual.world import Command

#: Fields of a space for which a disc lies on it.
MARKERS = ("bomb", "miner")
NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal")


@dataclass(frozen=True)
class Seating:
    """Who sits where with which token; players in turn order."""

    tokens: dict[str, str]

    @property
    def players(self) -> list[str]:
        return list(self.tokens)

    def characters(self, variant: str, seed: int) -> dict[str, dict[str, Any] | None]:
        """What each player chooses at set-up, drawn by chance."""
        chosen = rules_of(variant).suggest_players(self.players, random.Random(seed))
        return {player: chosen.get(player, {}) for player in self.players}

    def teams(self, variant: str, count: int) -> dict[str, Any]:
        """The option by which the players are dealt into so many teams, one after the other; none for 0.

        Raises:
            BoardsideError: the variant has no teams, or not so many.
        """
        if not count:
            return {}
        choices = rules_of(variant).choices
        names = next((choice.values[:count] for choice in choices if choice.gathers), ())
        if len(names) < count:
            raise BoardsideError(f"There are no {count} teams in {variant}.", "malformed")
        dealt = {player: names[place % count] for place, player in enumerate(self.players)}
        return gathered(choices, {player: {c.name: dealt[player] for c in choices if c.gathers} for player in dealt})

    def seat(self, player: str) -> int:
        """The side of the table from which a player's arm comes."""
        return self.players.index(player) if player in self.tokens else 0

    def player_of(self, token: str) -> str | None:
        """Who plays this token; the cop and strangers' tokens are nobody's."""
        return next((player for player, own in self.tokens.items() if own == token), None)


def place_of(game: Game, player: str) -> tuple[int, bool] | None:
    """(square, in jail) where the book has a player; None for one who has left the game."""
    state = game.state.players[player]
    return None if state.at is None else (SPACES.index(state.at), bool(state.in_jail))


def gestures_between(before: Game, after: Game, seating: Seating, mover: str) -> Iterator[Command]:
    """What hands have to do on the board so that it shows `after` instead of `before`."""
    for player, token in seating.tokens.items():
        was, now = place_of(before, player), place_of(after, player)
        if now is None and was is not None:
            yield Command(do="take", token=token, seat=seating.seat(player))
        elif now is not None and now != was:
            square, in_jail = now
            yield Command(do="move", token=token, to=square, in_jail=in_jail, seat=seating.seat(mover))
    for slug, space in after.state.spaces.items():
        old = before.state.spaces.get(slug)
        if old is None or (old.houses, old.hotel) != (space.houses, space.hotel):
            if old is None and not (space.houses or space.hotel):
                continue
            square = SPACES.index(slug)
            yield Command(
                do="build", to=square, houses=space.houses, hotel=space.hotel, seat=seating.seat(space.owner or mover)
            )

    yield from markers_between(before, after, seating.seat(mover))


def markers_between(before: Game, after: Game, seat: int) -> Iterator[Command]:
    """Bombs and miners that were put down or taken away, and the Cop, where the variant has them."""
    for slug, space in after.state.spaces.items():
        old = before.state.spaces.get(slug)
        lying, lay = (tuple(kind for kind in MARKERS if getattr(each, kind, False)) for each in (space, old))
        if lying != lay:
            yield Command(do="mark", to=SPACES.index(slug), markers=lying, seat=seat)
    cop, was = (getattr(game.state, COP, None) for game in (after, before))
    if cop is not None and was is not None and cop.at != was.at:
        yield Command(do="move", token=COP, to=SPACES.index(cop.at), seat=seat)


def pieces_of_nobody(game: Game) -> Iterator[Command]:
    """What has to be put on the board at the start besides the players' tokens."""
    cop = getattr(game.state, COP, None)
    if cop is not None:
        yield Command(do="move", token=COP, to=SPACES.index(cop.at))


def dice_due(game: Game) -> tuple[DieKind, ...] | None:
    """What is thrown next, as a live game tells its cameras; None while something else has to be decided."""
    wanted = wanted_throw(game)
    hand = None if wanted is None else wanted.get("dice", "2d6")
    return parse(hand) if isinstance(hand, str) else None


def throw_command(game: Game, action: Action, player: str, seating: Seating) -> Command:
    """The gesture of a roll that the game waits for."""
    kinds, values = dice_due(game) or (), tuple(action["roll"])
    if len(kinds) != len(values):
        kinds = tuple("d6" for _ in values)
    return Command(do="throw", dice=values, kinds=kinds, seat=seating.seat(player))


def thrower(game: Game) -> str:
    """Who throws next: whoever a roll is asked of, now or when the turn ends."""
    return str((wanted_throw(game) or {"player": game.state.turn.player})["player"])


def is_walk(game: Game, action: Action) -> bool:
    """Whether the action chooses a space to go to: the token that is put there tells it."""
    player = action.get("by")
    return "choose" in action and any(each["kind"] == "move_to" and each["player"] == player for each in game.pending)


def renamed(seen: Observation, seating: Seating) -> Observation | None:
    """An observation with players for tokens; None for a stranger's token."""
    if isinstance(seen, StandingSeen):
        players = {name: seating.player_of(name) for name in seen.named}
        named = {player: seen.named[name] for name, player in players.items() if player is not None}
        return msgspec.structs.replace(seen, named=named)
    if not isinstance(seen, TokenSeen):
        return seen
    player = COP if seen.token == COP else seating.player_of(seen.token)
    return None if player is None else msgspec.structs.replace(seen, token=player)
