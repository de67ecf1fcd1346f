"""Follows a sequence of pictures of a game and tells it turn by turn, without anybody to ask.

Several stories of what has been thrown and moved are followed side by side (a beam search): each obeys
the rules, and each is weighed by how well it fits the dice that were read and the spaces on which
tokens stand. So a die misread, a throw overlooked or a token taken for another is put right by
what the other pictures show. Which token is which is told by the rules: they say who moves. What
tokens look like counts for less, but over many pictures it tells of a throw that was overlooked.

A turn is told when some more have begun: what a throw was that could not be read, or whether it was a double, shows by
who moves after it. It is marked as `asked` when the other stories together have more than 3%: the referee would then
have asked.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import msgspec

from companion.observations import SPACES, DiceSeen, DieSeen, Observation, Picture
from companion.referee.hands import SURE, Faces, Throw, parse, readings, top
from companion.referee.standing import NOT_YET, placed, resemblance
from companion.rules import Game

#: Share of readings of dice that say nothing, however sure they are.
GARBAGE = 0.03
#: Share of throws of which no reading comes at all, and of readings that are no throw.
MISSED, PHANTOM = 0.02, 0.02
#: What tokens look like counts for so much of what one look would say: looks share their faults. From 0.1 to 1.0
#: 2200 turns under hard conditions are told about as well, 45 wrong in silence become 8 to 10.
NAMED = 0.5
#: Stories that are kept; those less likely than the best by more than `MOST_NATS` are dropped.
MOST_STORIES, MOST_NATS = 150, 25.0
#: Where it is asked whether throws were overlooked, so many stories are continued by so many.
MOST_CONTINUED, MOST_OVERLOOKED = 12, 2
#: How far dice that one picture alone has shown since tell what such a throw was: they may have been tumbling. An
#: estimate.
GLIMPSED = 0.8
#: A turn is told when so many more have begun. (Of 1200 turns with doubles, on thirty rendered tables, 1125 are told
#: right and 51 wrong in silence after one, 1131 and 51 after two, 1180 and 7 after three, four and five.)
MORE = 3
DICE = parse("2d6")

#: What is seen of one token: probability of each space, by index.
Standing = Mapping[int, float]


@dataclass(frozen=True)
class Look:
    """The tokens of one picture.

    Attributes:
        standing: every token on the table.
        named: what looks like each player's token, as its share of each space; says nothing where it is empty.
        dice: all that the picture shows, at rest or not.
    """

    standing: Sequence[Standing]
    named: Mapping[str, Standing] = field(default_factory=dict)
    dice: Sequence[DieSeen] = ()

    @cached_property
    def seen(self) -> dict[int, float]:
        """How many tokens are seen on each space."""
        seen: dict[int, float] = defaultdict(float)
        for token in self.standing:
            for space, p in token.items():
                seen[space] += p
        return dict(seen)


class Turn(msgspec.Struct, kw_only=True):
    """One throw and the move that followed it. Spaces are 0-39.

    Attributes:
        asked: the referee would have asked; the rest is then its best guess.
        evidence: file names of the pictures of the `dice` and the `token`.
    """

    turn: int
    mover: str
    dice: list[int]
    start: int = msgspec.field(name="from")
    to: int
    to_in_jail: bool
    asked: bool
    evidence: dict[str, str | None]


@dataclass(frozen=True)
class _Move:
    """One turn of a story.

    Attributes:
        throw: the watcher's number, None for a throw that was overlooked.
        dice_file, token_file: the pictures that showed it.
    """

    mover: str
    faces: Faces
    start: int
    to: int
    in_jail: bool
    throw: int | None
    dice_file: str | None
    token_file: str | None = None

    @property
    def line(self) -> tuple[Any, ...]:
        """What is told of it."""
        return self.mover, tuple(sorted(self.faces)), self.to, self.in_jail


@dataclass(frozen=True)
class _Story:
    """One way in which the game may have gone.

    Attributes:
        weight: logarithm of its probability, up to a constant.
        moves: turns that have not been told yet, the newest last.
    """

    game: Game
    weight: float
    moves: tuple[_Move, ...]

    @property
    def spaces(self) -> dict[str, int]:
        """Where each token stands."""
        return {name: SPACES.index(player.at) for name, player in self.game.state.players.items() if player.at}

    @property
    def key(self) -> tuple[Any, ...]:
        """Stories that agree in this have the same future and tell the same."""
        players = tuple((player.at, player.in_jail) for player in self.game.state.players.values())
        return self.game.state.turn.player, players, tuple((move.line, move.throw) for move in self.moves)


class Tracker:
    """Fed with what was seen in each picture, in order."""

    def __init__(self, players: Sequence[str], options: dict[str, Any] | None = None) -> None:
        """Begins a game of the variant `watch`.

        Raises:
            Refused: `malformed` for players or options that cannot be.
        """
        self._stories = [_Story(Game.new(variant="watch", players=list(players), options=options), 0.0, ())]
        self._files: dict[str, str] = {}
        self._dice: dict[int | None, dict[Faces, float]] = {}
        self._glimpses: list[dict[Faces, float]] = []
        self._count = 0

    def feed(self, file: str, seen: Iterable[Observation | Picture], look: Look | None = None) -> list[Turn]:
        """Takes what was seen in one picture.

        Args:
            seen: what a watcher reports; of its observations only the dice are looked at.
            look: the tokens; None when the picture does not tell, as with a hand over the board.
        Returns:
            The turns that are over.
        """
        for item in seen:
            if isinstance(item, Picture):
                self._files[item.id] = file
            elif isinstance(item, DiceSeen) and item.dice:
                self._throw(item, self._files.get(item.picture or "", file))
        if look is not None:
            self._look(look, file)
        return self._over(MORE)

    def close(self) -> list[Turn]:
        """There are no more pictures."""
        return self._over(0)

    @property
    def book(self) -> dict[str, tuple[int, bool]]:
        """Where the tokens belong: name -> (space 0-39, in jail); empty while that is in question."""
        best = self._stories[0]
        agreeing = [story for story in self._stories if story.spaces == best.spaces]
        if self._share(agreeing) < SURE:
            return {}
        return {name: (SPACES.index(p.at), p.in_jail) for name, p in best.game.state.players.items() if p.at}

    # -- what pictures show ------------------------------------------------------------------

    def _throw(self, seen: DiceSeen, file: str) -> None:
        """Every story goes on with every likely reading, or holds that it was no throw."""
        chances = _chances(seen.dice)
        if seen.throw is not None and seen.throw in self._dice:
            self._read_again(seen.throw, chances)
            return
        grown = [replace(story, weight=story.weight + math.log(PHANTOM)) for story in self._stories]
        for story in self._stories:
            grown += [self._moved(story, faces, p, seen.throw, file) for faces, p in chances.items()]
        self._dice[seen.throw] = chances
        self._glimpses = []
        self._keep(grown)

    def _read_again(self, throw: int | None, chances: dict[Faces, float]) -> None:
        """The same throw seen better."""
        before = self._dice[throw]
        stories = []
        for story in self._stories:
            faces = [tuple(sorted(move.faces)) for move in story.moves if move.throw == throw]
            gain = sum(math.log(chances[f]) - math.log(before[f]) for f in faces)
            stories.append(replace(story, weight=story.weight + gain))
        self._dice[throw] = chances
        self._keep(stories)

    @staticmethod
    def _moved(story: _Story, faces: Faces, p: float, throw: int | None, file: str | None) -> _Story:
        game = story.game.copy()
        before = game.state.players
        events = game.act({"roll": list(faces)})
        mover = str(next(event["player"] for event in events if event["type"] == "rolled"))
        after = game.state.players[mover]
        start, to = SPACES.index(before[mover].at or "go"), SPACES.index(after.at or "go")
        move = _Move(mover, faces, start, to, after.in_jail, throw, file)
        return _Story(game, story.weight + math.log(p), (*story.moves, move))

    def _look(self, look: Look, file: str) -> None:
        """Weighs every story by the spaces on which tokens stand."""
        self._glimpse(look.dice)
        before = len(self._stories[0].moves)
        self._keep(_looked_at(story, look, file) for story in [*self._stories, *self._overlooked(look)])
        if len(self._stories[0].moves) > before:
            self._glimpses = []

    def _glimpse(self, dice: Sequence[DieSeen]) -> None:
        """Takes the dice of one picture, unless they show what was thrown last: then they may lie there still."""
        if not 0 < len(dice) <= len(DICE):
            return
        moves = self._stories[0].moves
        if not moves or Counter(map(top, dice)) - Counter(moves[-1].faces):
            self._glimpses.append(_chances(dice))

    def _overlooked(self, look: Look) -> list[_Story]:
        """Where tokens stand where no story has them, there may have been throws that nobody read."""
        added: list[_Story] = []
        newest, chances = self._stories[:MOST_CONTINUED], self._glimpsed()
        for _ in range(MOST_OVERLOOKED):
            if max(_fit(story, look) for story in newest) >= math.log(MISSED):
                break
            newest = [
                self._moved(story, faces, MISSED * p, None, None) for story in newest for faces, p in chances.items()
            ]
            added += newest
            chances = _fair()
        return added

    def _glimpsed(self) -> dict[Faces, float]:
        """Probability of each throw that may have been overlooked."""
        fair, count = _fair(), len(self._glimpses)
        if not count:
            return fair
        seen = {faces: sum(glimpse[faces] for glimpse in self._glimpses) / count for faces in fair}
        return {faces: GLIMPSED * seen[faces] + (1 - GLIMPSED) * p for faces, p in fair.items()}

    def _keep(self, stories: Iterable[_Story]) -> None:
        """The likeliest, those with the same future and the same lines as one."""
        merged: dict[tuple[Any, ...], _Story] = {}
        for story in stories:
            other = merged.get(story.key)
            if other is None:
                merged[story.key] = story
            else:
                high, low = (story, other) if story.weight > other.weight else (other, story)
                merged[story.key] = replace(high, weight=high.weight + math.log1p(math.exp(low.weight - high.weight)))
        ranked = sorted(merged.values(), key=lambda story: -story.weight)[:MOST_STORIES]
        best = ranked[0].weight
        self._stories = [
            replace(story, weight=story.weight - best) for story in ranked if best - story.weight < MOST_NATS
        ]

    # -- what is told ------------------------------------------------------------------------

    def _share(self, stories: Iterable[_Story]) -> float:
        total = sum(math.exp(story.weight) for story in self._stories)
        return sum(math.exp(story.weight) for story in stories) / total

    def _over(self, kept: int) -> list[Turn]:
        """Tells the turns of the likeliest story but its newest `kept`; stories that differ in them are dropped."""
        told: list[Turn] = []
        while len(self._stories[0].moves) > kept:
            move = self._stories[0].moves[0]
            agreeing = [story for story in self._stories if story.moves and story.moves[0].line == move.line]
            asked = self._share(agreeing) < SURE
            self._stories = [replace(story, moves=story.moves[1:]) for story in agreeing]
            told.append(
                Turn(
                    turn=self._count,
                    mover=move.mover,
                    dice=list(move.faces),
                    start=move.start,
                    to=move.to,
                    to_in_jail=move.in_jail,
                    asked=asked,
                    evidence={"dice": move.dice_file, "token": move.token_file},
                )
            )
            self._count += 1
        return told


def _fair() -> dict[Faces, float]:
    """Probability of each throw of two dice, in any order."""
    return {(a, b): (1 if a == b else 2) / 36 for a in range(1, 7) for b in range(a, 7)}


def _chances(dice: Sequence[DieSeen]) -> dict[Faces, float]:
    """Probability of each throw after a reading, faces in order."""
    throw = Throw(camera=DiceSeen(dice=tuple(dice)))
    found = {tuple(sorted(r.faces)): r.probability for r in readings(throw, DICE, False)}
    return {faces: (1 - GARBAGE) * found.get(faces, 0.0) + GARBAGE * p for faces, p in _fair().items()}


def _fit(story: _Story, look: Look) -> float:
    """Logarithm of how well the tokens seen fit a story, whose newest move may not have been made yet."""
    spaces = story.spaces
    best = _placed(spaces, look)
    move = story.moves[-1] if story.moves else None
    if move is not None and move.start != move.to:
        best = max(best, _placed({**spaces, move.mover: move.start}, look) + math.log(NOT_YET))
    return best


def _placed(spaces: Mapping[str, int], look: Look) -> float:
    return placed(spaces, look.seen) + NAMED * resemblance(spaces, look.seen, look.named)


def _looked_at(story: _Story, look: Look, file: str) -> _Story:
    """The story after a look; the first picture that shows its newest move done is the evidence for that."""
    moves = story.moves
    if moves and moves[-1].token_file is None:
        to = moves[-1].to
        if look.seen.get(to, 0.0) >= list(story.spaces.values()).count(to) - 0.5:
            moves = (*moves[:-1], replace(moves[-1], token_file=file))
    return replace(story, weight=story.weight + _fit(story, look), moves=moves)
