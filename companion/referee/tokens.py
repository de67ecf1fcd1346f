"""The token side: where tokens were seen, where they belong, and what to do when that differs."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from companion.observations import COP, StandingSeen, TokenSeen
from companion.referee.context import Context
from companion.referee.desk import Open
from companion.referee.effects import About, Note, Option, Question
from companion.referee.hands import SURE
from companion.referee.outlook import Place
from companion.referee.standing import BETWEEN, FOLLOWED, ahead_of, attributed, beside, expected
from companion.referee.weighing import best_space, fit

#: The book's space is taken to be confirmed from this probability on.
CONFIRMED = 0.5
#: A token on a line is on the book's space if that is at least this likely.
MAY_BE = 0.2
#: From this probability on people are asked about a token that should be on its way and stands elsewhere.
LIKELIER = 0.5
#: Two tokens have changed places when each is called by the other's name with this share, over so many looks.
NAMED, LOOKS_SWAPPED = 0.6, 4
#: Spaces of a token's way that are remembered until it is seen where it belongs.
LONGEST_TRAIL = 8

#: So many throws may be played to their end before somebody moves as an earlier one says: one throw may send several.
MOST_PASSED = 2

PUT_RIGHT, ACCEPT, DICE, MISREAD, THROWN = "put_right", "accept", "dice", "misread", "thrown"


class Tokens:
    """Newest sight of every token, and the way on which the book has sent it since it was last confirmed."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.sights: dict[str, TokenSeen] = {}
        self.trails: dict[str, list[str]] = {}
        self._left_alone: dict[str, str] = {}
        self._hidden: dict[str, TokenSeen] = {}
        self._is_weighed = False
        self._known_at: dict[str, str] = {}
        self._kept_swapped: set[tuple[str, ...]] = set()
        self._passed: Counter[str] = Counter()
        self._unseen: set[str] = set()
        self.follow([])

    def see(self, sight: TokenSeen) -> bool:
        """Remembers a sight; False when it says what was known."""
        before = self.sights.get(sight.token)
        self.sights[sight.token] = sight
        if before is None or before.gone or sight.gone:
            return before is None or before.gone != sight.gone
        return _without_source(before) != _without_source(sight)

    def attribute(
        self, seen: StandingSeen, reach: dict[str, dict[str, float]], instead: Sequence[tuple[dict[str, str], float]]
    ) -> None:
        """Tells from where tokens stand which is which, and takes each as if it had been seen by itself.

        Args:
            reach: for whoever has thrown the share of spaces to which the dice may lead.
            instead: where tokens would stand had the newest throw counted otherwise, each with its share.
        """
        self._is_weighed = True
        self._unseen.clear()
        for player, sight in self._attributed(seen, reach, instead).items():
            # On a space that shows, and shows nothing, it was not seen, however likely it is to be there.
            space = best_space(sight)[0]
            if space not in seen.hidden and seen.tokens.get(space, 0.0) < BETWEEN:
                self._unseen.add(player)
                continue
            before = self.sights.get(player)
            # A token that was seen to be gone is back only when there is one more.
            if before is None or not before.gone or not self._lacks(seen):
                self.sights[player] = sight
        hidden, self._hidden = self._hidden, {}
        for player, sight in hidden.items():
            may_be = self._lacks(seen) or self._belongs_where_nothing_shows(player, seen)
            if may_be and not self.is_under_way(player) and not self.miss(sight, seen):
                self._hidden[player] = sight

    def miss(self, sight: TokenSeen, seen: StandingSeen) -> bool:
        """A token is said to be gone; False while that does not count.

        It has to be one token less, on the space that it lacks, which has to show; and where others still stand, it
        is hidden by them more often than it falls, so that it counts only when they have left.
        """
        is_hidden = self._belongs_where_nothing_shows(sight.token, seen)
        if not is_hidden and not self._is_missed(sight.token, seen):
            return False
        place = self._context.look.place(sight.token)
        if is_hidden or (place is not None and seen.tokens.get(place.space, 0.0) >= CONFIRMED):
            self._hidden[sight.token] = sight
            return False
        self.sights[sight.token] = sight
        return True

    def _attributed(
        self,
        seen: StandingSeen,
        reach: dict[str, dict[str, float]],
        instead: Sequence[tuple[dict[str, str], float]] = (),
    ) -> dict[str, TokenSeen]:
        ways = {player: self.trails[player] for player in self._context.look.players if self._is_on_board(player)}
        ahead = {player: {**ahead_of(way[-2]), **beside(way[-1])} for player, way in ways.items() if len(way) > 1}
        wanted = self._context.look.wanted
        if wanted is not None and wanted.player in ways:
            ahead[wanted.player] = {**ahead.get(wanted.player, {}), **ahead_of(ways[wanted.player][-1])}
        for decision in self._context.look.pending:
            if decision["kind"] == "move_to":
                options = decision["options"]
                ahead[decision["player"]] = dict.fromkeys(options, FOLLOWED / len(options))
        return attributed(seen, ways, {**ahead, **reach}, instead) if ways else {}

    def stood_elsewhere(self, player: str, seen: StandingSeen) -> bool:
        """Surely this player's token stood where nothing had sent it."""
        space, p = best_space(self._attributed(seen, {}).get(player, TokenSeen(token=player)))
        return p >= SURE and space not in self.trails.get(player, ())

    def is_out_of_sight(self, player: str, seen: StandingSeen | None) -> bool:
        """No token is seen on any space of this player's token's way."""
        way = self.trails.get(player, ())
        return seen is not None and bool(way) and all(seen.tokens.get(space, 0.0) < BETWEEN for space in way)

    def _belongs_where_nothing_shows(self, player: str, seen: StandingSeen) -> bool:
        place = self._context.look.place(player)
        return place is not None and place.space in seen.hidden

    def _is_missed(self, player: str, seen: StandingSeen) -> bool:
        """There is one token less than there should be, and it is on this player's space that it lacks."""
        place = self._context.look.place(player)
        if place is None or not self._lacks(seen):
            return False
        places = [self._context.look.place(other) for other in self._context.look.players]
        there = sum(other is not None and other.space == place.space for other in places)
        return seen.tokens.get(place.space, 0.0) < there - 0.5

    def _lacks(self, seen: StandingSeen) -> bool:
        places = [self._context.look.place(player) for player in self._context.look.players]
        count = expected((place.space for place in places if place is not None), seen).total()
        return sum(seen.tokens.values()) < count - 0.5

    def _is_on_board(self, player: str) -> bool:
        return self._context.look.place(player) is not None

    def follow(self, events: list[dict[str, Any]]) -> None:
        """Notes where the book has sent tokens."""
        for event in events:
            if event["type"] == "moved":
                self._extend(event["player"], event["to"])
            elif event["type"] == "cop_moved":
                self._extend(COP, event["to"])
        for token in [*self._context.look.players, COP]:
            place = self._context.look.place(token)
            if place is not None and (token not in self.trails or self.trails[token][-1] != place.space):
                self._extend(token, place.space)

    def _extend(self, token: str, space: str) -> None:
        self.trails.setdefault(token, []).append(space)
        del self.trails[token][:-LONGEST_TRAIL]

    def is_under_way(self, token: str) -> bool:
        """The book has sent it somewhere, and it has not been seen there."""
        return len(self.trails.get(token, ())) > 1

    def pass_by(self) -> None:
        """A throw has been played to its end; others may be waited for still."""
        self._passed.update(token for token in self.trails if self.is_under_way(token))

    def _is_overdue(self, token: str) -> bool:
        """It stands where it stood, though others have moved since; only where looks show them all."""
        return self._is_weighed and self._passed[token] >= MOST_PASSED and token not in self._unseen

    def has_left(self, token: str) -> bool:
        """It was surely seen on a space where nothing has put it so far."""
        sight = self.sights.get(token)
        return sight is not None and not sight.gone and best_space(sight)[0] not in ("", *self.trails.get(token, ()))

    def is_confirmed(self, token: str) -> bool:
        """It was last seen where it belongs."""
        sight, place = self.sights.get(token), self._context.look.place(token)
        return sight is not None and place is not None and fit(sight, place, by_cell=False) >= CONFIRMED

    def leave_alone(self, token: str) -> None:
        """People know where it stands; only another sight is worth a question."""
        sight = self.sights.get(token)
        if sight is not None:
            self._left_alone[token] = "" if sight.gone else best_space(sight)[0]

    def check(
        self, token: str, *, mover: str | None, is_doubted: bool, may_ask: bool, retaken: tuple[str, Option] | None
    ) -> bool:
        """Compares a token's newest sight with the book.

        Args:
            mover: whose the newest throw is, if its move has not been seen done, or it freed nobody from Jail. When it
                is this token's, that throw may have been misread.
            is_doubted: dice and token together speak for another throw than the one taken.
            may_ask: False while a throw that waits may explain where it stands.
            retaken: what is asked, with its own answer, where the newest throw would have led it, counted otherwise.
        Returns:
            True when it has just been confirmed.
        """
        sight, place = self.sights.get(token), self._context.look.place(token)
        if sight is None or place is None:
            self._withdraw(token, "It has left the game.")
            return False
        if sight.gone:
            if may_ask and not (self.is_under_way(token) and mover == token):
                self._ask_gone(token, place)
            return False
        if self._confirms(sight, place):
            return self._confirm(token, place)
        if self._choose(token, sight) or self._keep(token, sight):
            return False
        space, p = best_space(sight)
        if space in self._context.look.coming(token):
            # Hands were quicker than the answer of somebody who may react.
            self._extend(token, space)
            self._extend(token, place.space)
        is_on_its_way = space in self.trails.get(token, ()) and not self._is_overdue(token)
        if is_on_its_way or not may_ask or self._left_alone.get(token) == space:
            return False
        self._left_alone.pop(token, None)
        if p >= self._limit(token, mover, is_led=retaken is not None) - 1e-9 or (is_doubted and not sight.between):
            self._ask_elsewhere(token, sight, place, mover, retaken)
        elif sight.between:
            self._ask_between(token, sight, place)
        return False

    def _limit(self, token: str, mover: str | None, *, is_led: bool) -> float:
        """How sure it has to be that the token stands elsewhere before people are asked.

        Less is enough for whoever has to move, where the rules have told which token is which, and for one that has
        gone where the newest throw would have led it, counted otherwise.
        """
        wanted = self._context.look.wanted
        is_awaited = is_led or token == mover or (wanted is not None and wanted.player == token)
        return LIKELIER if self._is_weighed and is_awaited else SURE

    def _confirms(self, sight: TokenSeen, place: Place) -> bool:
        p = fit(sight, place, by_cell=False)
        return p >= CONFIRMED or (p >= MAY_BE and (sight.between or best_space(sight)[0] == place.space))

    def _confirm(self, token: str, place: Place) -> bool:
        was_under_way = self.is_under_way(token)
        self.trails[token] = [place.space]
        self._passed[token] = 0
        self._left_alone.pop(token, None)
        self._withdraw(token, f"{_piece(token)} stands on {self._context.name(place.space)}.")
        sight = self.sights[token]
        if sight.between and was_under_way:
            text = f"{_piece(token)} lies on a line. I take it to be on {self._context.name(place.space)}."
            self._context.desk.effects.append(Note(text=text, about="token", player=token, picture=sight.picture))
        return was_under_way

    def _choose(self, token: str, sight: TokenSeen) -> bool:
        """Answers the choice of a space by where the token stands. Rule 1 of the protocol's observations."""
        for decision in self._context.look.pending:
            if decision["kind"] != "move_to" or decision["player"] != token:
                continue
            shares = {option: sight.spaces.get(option, 0.0) for option in decision["options"]}
            space = max(shares, key=lambda option: shares[option])
            total = sum(shares.values())
            if total >= CONFIRMED and shares[space] >= SURE * total:
                action = {"choose": space, "by": token}
                because = f"{token}'s token stands on {self._context.name(space)}."
                pictures = (sight.picture,) if sight.picture else ()
                self._context.act(action, because=because, evidence=pictures, confidence=shares[space])
                return True
        return False

    def _keep(self, token: str, sight: TokenSeen) -> bool:
        """Answers which of the dice count by where the token stands. Rule 1 of the protocol's observations."""
        space, p = best_space(sight)
        kept = self._context.look.kept(token)
        fitting = [option for option, outcome in kept.items() if Place(space) in outcome.spaces_for(token)]
        if not fitting or p < SURE or any(kept[option].key != kept[fitting[0]].key for option in fitting):
            return False
        because = f"{token}'s token stands on {self._context.name(space)}."
        pictures = (sight.picture,) if sight.picture else ()
        self._context.act({"choose": fitting[0], "by": token}, because=because, evidence=pictures, confidence=p)
        return True

    def _withdraw(self, token: str, because: str) -> None:
        for about in ("move", "token"):
            self._context.desk.withdraw(about, token, because)

    def _ask_gone(self, token: str, place: Place) -> None:
        if self._left_alone.get(token) == "":
            return
        where = self._context.name(place.space)
        text = f"I can't see {_piece(token, inside=True)} standing on {where}. Has it fallen over?"
        facts = {"player": token, "gone": True, "book": place.space}
        self._ask("token", token, text, (Option(PUT_RIGHT, "It is back"),), facts)

    def _ask_elsewhere(
        self, token: str, sight: TokenSeen, place: Place, mover: str | None, retaken: tuple[str, Option] | None
    ) -> None:
        seen, book = best_space(sight)[0], place.space
        shown, right = self._context.name(seen), self._context.name(book)
        facts = {"player": token, "seen": seen, "book": book}
        options = [
            Option(PUT_RIGHT, f"Move it to {right}"),
            Option(ACCEPT, f"{shown} is right"),
        ]
        if retaken is not None:
            text, answer = retaken
            options = [answer, *options, Option(MISREAD, f"It stands on {right}")]
            self._ask("token", token, text, options, facts)
            return
        if self.is_under_way(token) or mover == token:
            if mover == token:
                options.insert(1, Option(DICE, "The dice were different"))
            text = f"{_called(token)} belongs on {right}, but stands on {shown}."
            self._ask("move", token, text, options, facts)
            return
        wanted = self._context.look.wanted
        if wanted is not None and wanted.player == token and mover != token:
            options.insert(1, Option(DICE, "I missed the throw"))
        options.append(Option(MISREAD, f"It stands on {right}"))
        other = self._changed_places_with(token, seen, book)
        if other is not None:
            self._ask_swapped(token, other, seen, book)
            return
        self._ask("token", token, self._unasked(token, shown, right, mover), options, facts)

    def _ask(self, about: About, token: str, text: str, options: Sequence[Option], facts: dict[str, Any]) -> None:
        """One question about a token, whichever it is."""
        self._context.desk.withdraw("move" if about == "token" else "token", token, "It is asked about otherwise.")
        self._context.desk.ask(about, token, text, options, picture=self.sights[token].picture, facts=facts)

    def _changed_places_with(self, token: str, seen: str, book: str) -> str | None:
        """The token that stands surely where this one belongs, while this one stands where that belongs."""
        for other, sight in self.sights.items():
            place = self._context.look.place(other)
            if other != token and place is not None and place.space == seen != book and not sight.gone:
                space, p = best_space(sight)
                if space == book and p >= SURE - 1e-9:
                    return other
        return None

    def check_swapped(self, seen: StandingSeen) -> None:
        """Asks about two tokens that stand where they should, but look like each other since somebody touched them."""
        for player in self._context.look.players:
            place = self._context.look.place(player)
            if place is not None and seen.named.get(player, {}).get(place.space, 0.0) >= NAMED:
                self._known_at[player] = place.space
        for token, other in combinations(sorted(p for p in self._context.look.players if self._is_on_board(p)), 2):
            subject = token, other
            mine, theirs = (self.trails[player][-1] for player in subject)
            is_known = (self._known_at.get(token), self._known_at.get(other)) == (mine, theirs)
            if not is_known or not _are_swapped(seen, token, other, mine, theirs):
                self._kept_swapped.discard(subject)
                because = f"{token}'s and {other}'s tokens stand where they belong."
                self._context.desk.withdraw("token", subject, because)
            elif subject not in self._kept_swapped:
                self._ask_swapped(token, other, theirs, mine, subject)

    def _ask_swapped(self, token: str, other: str, seen: str, book: str, subject: object = None) -> None:
        """Two tokens stand in each other's place: one question for both."""
        if other < token:
            self._withdraw(token, f"It is asked together with {other}'s.")
            return
        mine, theirs = self._context.name(book), self._context.name(seen)
        text = f"{token}'s and {other}'s tokens have changed places: {token} belongs on {mine}, {other} on {theirs}."
        facts = {"player": token, "seen": seen, "book": book, "with": other}
        options = (Option(PUT_RIGHT, "Change them back"), Option(MISREAD, "They stand right"))
        picture = self.sights[token].picture if token in self.sights else None
        self._context.desk.ask("token", subject or token, text, options, picture=picture, facts=facts)

    def _unasked(self, token: str, shown: str, right: str, mover: str | None) -> str:
        """A token moved that nothing has sent."""
        wanted = self._context.look.wanted
        if token == COP:
            return f"The Cop was moved to {shown}, but belongs on {right}."
        if mover is not None and mover != token:
            return f"{token} moved to {shown}, but it was {mover}'s throw. {token} belongs on {right}."
        if wanted is not None and wanted.player == token:
            return f"{token} moved to {shown}, but I saw no throw."
        return f"{token} moved to {shown} out of turn and belongs on {right}."

    def _ask_between(self, token: str, sight: TokenSeen, place: Place) -> None:
        ranked = sorted(sight.spaces, key=lambda space: -sight.spaces[space])[:2]
        names = " and ".join(self._context.name(space) for space in ranked)
        text = f"{_piece(token)} lies between {names}. It belongs on {self._context.name(place.space)}."
        facts = {"player": token, "seen": ranked, "book": place.space, "between": True}
        options = [Option(PUT_RIGHT, f"Move it to {self._context.name(place.space)}")]
        options += [Option(space, f"It is on {self._context.name(space)}", sight.spaces[space]) for space in ranked]
        self._ask("token", token, text, options, facts)

    def answer(self, entry: Open, option: str) -> None:
        """A person answered `put_right`, `misread`, `accept`, or named the space."""
        token = str(entry.question.facts["player"])
        sight = self.sights.get(token)
        if "with" in entry.question.facts:
            self.leave_alone(str(entry.question.facts["with"]))
        if isinstance(entry.subject, tuple):
            self._kept_swapped.add(entry.subject)
            return
        if option in (PUT_RIGHT, MISREAD) or sight is None:
            self.leave_alone(token)
            return
        space = best_space(sight)[0] if option == ACCEPT else option
        in_cell = space == "jail" and (sight.in_jail or 0.0) >= CONFIRMED
        change = {"cop": {"at": space}} if token == COP else {"players": {token: {"at": space, "in_jail": in_cell}}}
        self._context.act({"set": change}, because=f"{_piece(token)} was left on {self._context.name(space)}.")


def says_where(question: Question, option: Any) -> bool:
    """Whether this answer tells that the token stands where the book has it after the answer."""
    if question.about not in ("move", "token") or not isinstance(option, str):
        return False
    return option in (MISREAD, ACCEPT) or (option == PUT_RIGHT and bool(question.facts.get("gone")))


def _are_swapped(seen: StandingSeen, token: str, other: str, mine: str, theirs: str) -> bool:
    """Whether each of two looks surely like the other."""
    if mine == theirs:
        return False
    shares = seen.named.get(token, {}).get(theirs, 0.0), seen.named.get(other, {}).get(mine, 0.0)
    stand = seen.tokens.get(mine, 0.0), seen.tokens.get(theirs, 0.0)
    return seen.looks >= LOOKS_SWAPPED and min(shares) >= NAMED and min(stand) >= CONFIRMED


def _called(token: str) -> str:
    return "The Cop" if token == COP else token


def _piece(token: str, *, inside: bool = False) -> str:
    """`Ann's token`, `The Cop`; `inside` a sentence."""
    if token == COP:
        return "the Cop" if inside else "The Cop"
    return f"{token}'s token"


def _without_source(sight: TokenSeen) -> tuple[Any, ...]:
    return (best_space(sight)[0], sight.between, sight.gone, sight.in_jail is not None and sight.in_jail >= CONFIRMED)
