"""Buildings and markers: what stands on the board against what the book says."""

from collections.abc import Collection, Iterable
from typing import Any

from companion.observations import COP, SPACES, BuildingsSeen, MarkersSeen
from companion.referee.context import Context
from companion.referee.desk import Open
from companion.referee.effects import About, Note, Option
from companion.referee.hands import SURE
from companion.referee.tokens import PUT_RIGHT
from companion.referee.words import stands

BOOK_WRONG = "book_wrong"
#: Markers that the book can know, as fields of a space.
MARKERS = ("bomb", "miner")

#: Nobody builds more often than this on one street without a word.
MOST_BUILT = 3

Counts = dict[str, Any]
_NOTHING: Counts = {"houses": 0, "hotel": False}


def has_markers(snapshot: dict[str, Any]) -> bool:
    """Whether a game with this snapshot can have markers on the board."""
    return any(kind in held for held in snapshot["spaces"].values() for kind in MARKERS)


class Pieces:
    """Compares sights of buildings and markers with the book.

    What the book changed is owed by the table for a while: the board may still show what stood or lay
    there before (`_owed`), and seeing the new state confirms it silently. What was not read surely is
    asked about once it has lasted into the next turn, and nobody stands there any more. What people say they put
    right is not asked about again before the board has surely been as the book says, or the book changes there:
    what was misread once may be misread again. Keys are (what it is about, space).

    Attributes:
        is_watched: somebody looks at the board, so that a space of which nothing is reported is empty.
        hidden: spaces of which too little shows: nothing is asked of these until they show again.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._book: dict[tuple[About, str], Any] = {}
        self._owed: dict[tuple[About, str], list[Any]] = {}
        self._turn_of: dict[tuple[About, str], int] = {}
        self._left_alone: dict[tuple[str, str], Any] = {}
        self._seen: dict[tuple[About, str], Any] = {}
        self._unsure: dict[tuple[About, str], int] = {}
        self._picture: str | None = None
        self.is_watched = False
        self.hidden: Collection[str] = ()
        self._surely: dict[str, Counts] = {}
        self._fallen: dict[str, Counts] = {}
        self.follow()

    def follow(self, events: Iterable[dict[str, Any]] = ()) -> None:
        """Notes what the book has changed since it was last looked at.

        Args:
            events: by which it changed, where it is not a matter of a correction.
        """
        told = list(events)
        if any(event["type"] == "rolled" for event in told):
            self._remind()
        self._note_fallen(told)
        for space in {*self._context.look.snapshot["spaces"], *(space for _, space in self._book)}:
            self._note("buildings", space)
            self._note("markers", space)
        # A throw moves a token in the book before hands do: what it was taken for is asked about a turn later.
        beside = [key for key in self._unsure if self._stands_by(key[1], int(self._is_plain(*key)))]
        self._unsure.update(dict.fromkeys(beside, self._turn + 1))
        late = [key for key in self._owed if self._turn > self._turn_of[key] + 1 and key[1] not in self.hidden]
        for key in late:
            del self._owed[key]
        lasting = [key for key, turn in self._unsure.items() if self._turn > turn and key[1] not in self.hidden]
        self._ask_lasting([*late, *lasting])
        for entry in self._context.desk.held():
            if entry.question.about in ("buildings", "markers") and not self._still_differs(entry):
                self._context.desk.withdraw(entry.question.about, entry.subject, "The book says so too now.")

    @property
    def _turn(self) -> int:
        return int(self._context.look.snapshot["turn"].get("number", 0))

    def _note(self, about: About, space: str) -> None:
        """What the book said before it changed may still stand on the table."""
        now, before = self._written(about, space), self._book.get((about, space))
        if before is not None and now != before:
            self._owed.setdefault((about, space), []).append(before)
            self._turn_of[about, space] = self._turn
            self._left_alone.pop((about, space), None)
        self._book[about, space] = now

    def _is_owed(self, about: About, space: str, seen: Any) -> bool:
        """Whether this is what stood there before the book changed: hands are not that quick."""
        return seen in self._owed.get((about, space), ())

    def _ask_lasting(self, keys: list[tuple[About, str]]) -> None:
        """What should long have been put right, and what looked otherwise a turn ago and still does."""
        if not self.is_watched or self._context.is_bookless:
            return
        for about, space in keys:
            seen = self._seen.get((about, space), _NOTHING if about == "buildings" else [])
            if (about, space) in self._unsure and not (
                self._is_plain(about, space) or self._may_stand(about, space, seen)
            ):
                continue
            self._unsure.pop((about, space), None)
            is_told = self._left_alone.get((about, space)) == seen
            if seen != self._written(about, space) and (about, space) not in self._owed and not is_told:
                self._ask_again(about, space, seen)

    def _may_stand(self, about: About, space: str, seen: Any) -> bool:
        """Whether this may have come to stand there unsaid; what may not has to be seen surely before anybody is asked.

        A shadow on a green strip looks like a house, a red token like a hotel, one seen from above like a bomb.
        """
        return self._may_have_built(space, seen) if about == "buildings" else self._may_have_put(space, seen)

    def _may_have_put(self, space: str, seen: list[str]) -> bool:
        """Whether such markers may lie there. Rule: SL-5.3"""
        is_owned = self._context.look.snapshot["spaces"].get(space, {}).get("owner") is not None
        return is_owned or set(seen) <= set(self._markers(space))

    def _may_have_built(self, space: str, seen: Counts) -> bool:
        book = self._counts(space)
        if _height(seen) <= _height(book):
            return True
        owner = self._context.look.snapshot["spaces"].get(space, {}).get("owner")
        is_built_on = book != _NOTHING or self._context.is_possible({"build": space, "by": owner})
        return is_built_on and _height(seen) - _height(book) <= MOST_BUILT

    def _is_plain(self, about: About, space: str) -> bool:
        """What was seen there last was seen surely."""
        return about == "buildings" and space in self._surely and self._surely[space] == self._seen.get((about, space))

    def _may_be_token(self, space: str, seen: Counts) -> bool:
        """Nobody may have built that, and somebody stands there: a green head over the strip looks like a house."""
        return self._stands_by(space, 1) and not self._may_have_built(space, seen)

    def _stands_by(self, space: str, reach: int) -> bool:
        """Whether a token stands there, or no more than so many spaces away."""
        look = self._context.look
        taken = {place.space for token in (*look.players, COP) if (place := look.place(token)) is not None}
        around = {
            SPACES[(SPACES.index(each) + step) % len(SPACES)] for each in taken for step in range(-reach, reach + 1)
        }
        return space in around

    def _written(self, about: About, space: str) -> Any:
        """What the book has there."""
        return self._counts(space) if about == "buildings" else self._markers(space)

    def _ask_again(self, about: About, space: str, seen: Any) -> None:
        if about == "buildings":
            self._ask_buildings(space, seen, self._picture)
        else:
            self._ask_markers(space, seen, self._markers(space), self._picture)

    def _note_fallen(self, events: list[dict[str, Any]]) -> None:
        """What somebody has to take off the board by hand; a correction may have put it back."""
        for event in events:
            if event["type"] == "demolished":
                self._fallen.setdefault(event["space"], self._book["buildings", event["space"]])
        self._fallen = {space: stood for space, stood in self._fallen.items() if stood != self._counts(space)}

    def _remind(self) -> None:
        """The table has gone on: a building that should have fallen and was seen standing last is asked about."""
        for space, stood in self._fallen.items():
            if space in self.hidden:
                continue
            self._owed.pop(("buildings", space), None)
            if self._surely.get(space) == stood and self._left_alone.get(("buildings", space)) != stood:
                self._ask_fallen(space, stood)
        self._fallen = {space: stood for space, stood in self._fallen.items() if space in self.hidden}

    def _ask_fallen(self, space: str, stood: Counts) -> None:
        name, book = self._context.name(space), self._counts(space)
        text = f"{name} was demolished: {stands(stood)} still {_verb(stood)} there, the book says {stands(book)}."
        self._ask(space, stood, text, None)

    def _counts(self, space: str) -> Counts:
        held = self._context.look.snapshot["spaces"].get(space, {})
        return {"houses": int(held.get("houses", 0)), "hotel": bool(held.get("hotel", False))}

    def _markers(self, space: str) -> list[str]:
        held = self._context.look.snapshot["spaces"].get(space, {})
        return [kind for kind in MARKERS if held.get(kind)]

    @property
    def _knows_markers(self) -> bool:
        return has_markers(self._context.look.snapshot)

    def see_buildings(self, sight: BuildingsSeen) -> None:
        seen = {s: {"houses": b.houses, "hotel": b.hotel} for s, b in sight.buildings.items()}
        if self._context.is_bookless:
            self._tell("buildings", {space: stands(counts) for space, counts in seen.items()}, sight.picture)
            return
        wrong = []
        self._picture = sight.picture
        for space, counts in seen.items():
            self._seen["buildings", space] = counts
            self._unsure.pop(("buildings", space), None)
            if sight.confidence >= SURE:
                self._surely[space] = counts
            if counts == self._counts(space):
                self._fallen.pop(space, None)
                self._owed.pop(("buildings", space), None)
                if sight.confidence >= SURE or counts == _NOTHING:
                    self._left_alone.pop(("buildings", space), None)
                self._context.desk.withdraw("buildings", space, f"{self._context.name(space)} is as it should be.")
            elif self._is_owed("buildings", space, counts):
                continue
            elif sight.confidence < SURE:
                self._unsure["buildings", space] = self._turn
            elif self._places(space, counts):
                continue
            elif self._may_be_token(space, counts):
                self._unsure["buildings", space] = self._turn
            else:
                wrong.append(space)
        for space in wrong:
            if self._left_alone.get(("buildings", space)) != seen[space]:
                self._ask_buildings(space, seen[space], sight.picture)

    def _places(self, space: str, counts: Counts) -> bool:
        """The sight answers an open choice of where to put a building. Rule: CL-9.10"""
        for decision in self._context.look.pending:
            if decision["kind"] == "place_building" and space in decision["options"]:
                book = self._counts(space)
                wants_hotel = decision.get("building") == "hotel"
                if counts["hotel"] if wants_hotel else counts["houses"] == book["houses"] + 1:
                    action = {"choose": space, "by": decision["player"]}
                    self._context.act(action, because=f"It was put on {self._context.name(space)}.")
                    return True
        return False

    def _ask_buildings(self, space: str, seen: Counts, picture: str | None) -> None:
        text = f"The board shows {stands(seen)} on {self._context.name(space)}; the book says "
        self._ask(space, seen, f"{text}{stands(self._counts(space))}.", picture)

    def _ask(self, space: str, seen: Counts, text: str, picture: str | None) -> None:
        book = self._counts(space)
        facts = {"space": space, "seen": {space: seen}, "book": {space: book}}
        options = self._options("buildings", space, seen, stands(book), stands(seen))
        self._context.desk.ask("buildings", space, text, options, picture=picture, facts=facts)

    def see_markers(self, sight: MarkersSeen) -> None:
        seen = {space: sorted(kinds) for space, kinds in sight.markers.items()}
        if self._context.is_bookless:
            self._tell(
                "markers", {space: " and ".join(kinds) or "nothing" for space, kinds in seen.items()}, sight.picture
            )
            return
        if not self._knows_markers:
            return
        self._picture = sight.picture
        for space, kinds in seen.items():
            book = self._markers(space)
            self._seen["markers", space] = kinds
            self._unsure.pop(("markers", space), None)
            if kinds == book:
                self._owed.pop(("markers", space), None)
                if sight.confidence >= SURE or not kinds:
                    self._left_alone.pop(("markers", space), None)
                self._context.desk.withdraw("markers", space, f"{self._context.name(space)} is as it should be.")
            elif self._is_owed("markers", space, kinds) or self._left_alone.get(("markers", space)) == kinds:
                continue
            elif sight.confidence >= SURE:
                self._ask_markers(space, kinds, book, sight.picture)
            else:
                self._unsure["markers", space] = self._turn

    def _ask_markers(self, space: str, seen: list[str], book: list[str], picture: str | None) -> None:
        shown, written = _kinds(seen), _kinds(book)
        text = f"I see {shown} on {self._context.name(space)}; the book says {written}."
        facts = {"space": space, "seen": {space: seen}, "book": {space: book}}
        options = self._options("markers", space, seen, written, shown)
        self._context.desk.ask("markers", space, text, options, picture=picture, facts=facts)

    def _still_differs(self, entry: Open) -> bool:
        space, about = str(entry.question.facts["space"]), entry.question.about
        seen = entry.question.facts["seen"][space]
        return bool(seen != self._written(about, space))

    def _tell(self, about: About, seen: dict[str, str], picture: str | None) -> None:
        """Without a book, what stands on the board is told as it is. Rule: WA-5"""
        fresh = {space: what for space, what in seen.items() if self._seen.get((about, space)) != what}
        for space, what in fresh.items():
            self._seen[about, space] = what
        if fresh:
            text = _listing(f"{what} on {self._context.name(space)}" for space, what in fresh.items())
            self._context.desk.effects.append(Note(text=text, about=about, picture=picture))

    def answer(self, entry: Open, option: str) -> None:
        """A person answered `put_right` or `book_wrong`."""
        space, about = str(entry.question.facts["space"]), entry.question.about
        seen = entry.question.facts["seen"][space]
        if option == PUT_RIGHT:
            self._left_alone[about, space] = seen
            return
        name = self._context.name(space)
        self._context.act(self._correction(about, space, seen), because=f"{name} is as it stands on the board.")

    def _correction(self, about: str, space: str, seen: Any) -> dict[str, Any]:
        """The action that puts what was seen into the book."""
        if about == "markers":
            return {"set": {"spaces": {space: {kind: kind in seen for kind in MARKERS}}}}
        return {"set": {"spaces": {space: dict(seen)}, **self._stock(space, seen)}}

    def _options(self, about: str, space: str, seen: Any, book: str, shown: str) -> list[Option]:
        options = [Option(PUT_RIGHT, f"Put {book} there")]
        if self._context.is_possible(self._correction(about, space, seen)):
            options.append(Option(BOOK_WRONG, f"{shown.capitalize()} is right"))
        return options

    def _stock(self, space: str, seen: Counts) -> dict[str, Any]:
        """The Bank's stock after the correction: what is not on the board is the Bank's."""
        bank, book = self._context.look.snapshot.get("bank"), self._counts(space)
        if not isinstance(bank, dict) or bank.get("houses") is None:
            return {}
        houses = bank["houses"] + book["houses"] - seen["houses"]
        hotels = bank["hotels"] + int(book["hotel"]) - int(seen["hotel"])
        return {"bank": {"houses": max(houses, 0), "hotels": max(hotels, 0)}}


def _height(counts: Counts) -> int:
    """How often it has been built there; a hotel stands for four houses and itself."""
    return 5 if counts["hotel"] else int(counts["houses"])


def _verb(counts: Counts) -> str:
    return "stand" if counts["houses"] > 1 else "stands"


def _kinds(kinds: list[str]) -> str:
    return " and ".join(f"a {kind}" for kind in kinds) or "nothing"


def _listing(parts: Iterable[str]) -> str:
    text = ", ".join(parts)
    return f"I see {text}."
