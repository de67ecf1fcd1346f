"""A camera over a rendered table and the referee who is told what it sees."""

import msgspec

from companion.observations import Picture, StandingSeen, TokenSeen
from companion.referee.driver import RefereedGame
from companion.rules import Game
from tests.unit.vision_live.helpers import as_taken
from tests.vision.table_sets import virtual_table
from vision.live.watcher import Memory, Watcher
from vision.reader import TableReader
from vision.sources import FrameBgr

PAWNS = ("red_pawn", "blue_pawn")
SEED = 3
STEP_NS = 250_000_000
GIVEN = {"players": {"Ann": {"at": "illinois"}, "Bob": {"at": "reading"}}}
OWNERS = {"ventnor": {"owner": "Ann"}, "pacific": {"owner": "Ann"}, "virginia": {"owner": "Bob"}}
#: With nothing to decide or to pay on the way of `Evening.go_on`.
OWNED = {**GIVEN, "spaces": OWNERS}


class Evening:
    """A camera over a rendered table and the referee who is told what it sees.

    Args:
        tokens: Ann's and Bob's; seed: of the table.
    """

    def __init__(self, tokens: tuple[str, str] = PAWNS, seed: int = SEED, **game: object) -> None:
        self._players = dict(zip(tokens, ("Ann", "Bob"), strict=True))
        self._table = virtual_table(seed, tokens)
        self.played = RefereedGame(Game.new(variant="classic", players=["Ann", "Bob"], options={}, **game))  # type: ignore[arg-type]
        self.setting = self._table.setting(6)
        pictures = self._table.pictures
        reader = TableReader(pictures.empty_bgr, pictures.taps_px, pictures.enrol)
        reader.has_markers = False
        self._watcher = Watcher(reader, memory=Memory(lying=()), pupil=reader)
        self._watcher.expect(2)
        self._t_ns = 0
        self._rested: FrameBgr | None = None

    def stand(self, **squares: int) -> None:
        for name, square in squares.items():
            self.setting.put_token(name, square)

    def throw(self, *dice: int) -> None:
        self.setting.dice = self.setting.throw(dice)
        self.look(2.0)

    def go_on(self) -> None:
        """From where `OWNED` has them both take turns until Bob, who has been in two places, has thrown 4 and stands in
        the third, Virginia Avenue; that has not been looked at yet."""
        anns, bobs = self._players
        for token, dice, square in ((anns, (1, 2), 27), (bobs, (2, 3), 10), (anns, (1, 3), 31)):
            self.throw(*dice)
            self.stand(**{token: square})
            self.look(3.0)
        self.throw(1, 3)
        self.stand(**{bobs: 14})

    def look(self, seconds: float, without: FrameBgr | None = None) -> None:
        """An arm passes over the table as it was, which then rests for a while as it is: dice come after the arm."""
        picture = self.picture() if without is None else without
        before = picture if self._rested is None else self._rested
        for k in range(5):
            moving = before.copy()
            moving[200:420, 240 * k : 240 * k + 320] = (90, 120, 180)
            self.feed(moving)
        self.rest(picture, seconds)

    def rest(self, picture: FrameBgr, seconds: float) -> None:
        self._rested = picture
        for _ in range(round(seconds * 1e9 / STEP_NS)):
            self.feed(picture)

    def picture(self) -> FrameBgr:
        return self._table.picture(self.setting.scene())

    def feed(self, frame: FrameBgr) -> None:
        self._t_ns += STEP_NS
        for seen in self._watcher.feed(as_taken(frame, self._t_ns // STEP_NS), self._t_ns):
            if isinstance(seen, TokenSeen):
                seen = msgspec.structs.replace(seen, token=self._players.get(seen.token, seen.token))
            if isinstance(seen, StandingSeen):
                named = {self._players[name]: spaces for name, spaces in seen.named.items()}
                seen = msgspec.structs.replace(seen, named=named)
            if not isinstance(seen, Picture):
                self.played.see(seen)

    @property
    def texts(self) -> list[str]:
        return [question.text for question in self.played.questions]
