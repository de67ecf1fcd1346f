"""The evening at one table: set-up, the game that is played, and the eyes and towers that watch it."""

import logging
import threading
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import msgspec

from companion.choices import record_of
from companion.journal import GameRecord, Journal, JournalError
from companion.observations import COP, BoardBook, DieKind, Observation, Picture, SightSeen, TowerThrow
from companion.patience import Later, Patience, check_reaction_s, later, open_reactions
from companion.referee.hands import parse
from companion.referee.pieces import has_markers
from companion.rules.errors import BoardsideError
from companion.table import Stale, Table
from companion.table.book import opening, read_book
from companion.table.sightings import board_book
from companion.table.table import utc_now
from companion.table.view import empty_view, sight_json
from companion.workshop import NO_CAMERA, Calibration, Eyes, Towers, Workshop

log = logging.getLogger(__name__)

Json = dict[str, Any]
Callback = Callable[[Json], None]

#: Pause before reports of cameras that could not be journalled are tried again.
CATCH_UP_S = 3.0
#: Games that are offered to be gone on with; older ones by `boardside games`.
MOST_OFFERED = 20


class SetupError(BoardsideError):
    """A step of the set-up that is not possible now."""

    code = "not_possible"


class Session:
    """At most one game at a time. All methods may be called from any thread."""

    def __init__(
        self,
        journal: Journal,
        workshop: Workshop | None = None,
        now: Callable[[], str] = utc_now,
        *,
        profile: str = "",
        keeps_pictures: bool = True,
        reaction_s: int | None = None,
        later: Later = later,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            now: the wall clock, for the journal.
            later: waits, for reactions that nobody answers and for a journal that cannot be written.
            now_s: seconds on the clock that `later` goes by.
            profile: name of the calibration, kept with each game.
            keeps_pictures: False keeps the camera's pictures in memory only.
            reaction_s: of games that are set up without it.
        Raises:
            Refused: there is no such `reaction_s`.
        """
        check_reaction_s(reaction_s)
        self._reaction_s = reaction_s
        self._keeps_pictures = keeps_pictures
        self._journal = journal
        self._workshop = workshop or Workshop()
        self._now = now
        self._profile = profile
        self._lock = threading.RLock()
        # What is seen last of a source is shown last, whichever camera's thread comes first.
        self._lights = threading.RLock()
        self._patience = Patience(self._decline, later, now_s)
        self._later = later
        self._end_waiting: Callable[[], None] = lambda: None
        self._table: Table | None = None
        self._subscribers: list[Callback] = []
        self._sight: dict[str, SightSeen] = {}
        self._camera: str | None = None
        self._eyes: Eyes | None = None
        self._tray: Eyes | None = None
        self._tray_camera = NO_CAMERA
        self._tray_word = ""
        self._towers: Towers | None = None
        self._hand: str | None = None
        self._told_book = BoardBook()
        self._looked_for: tuple[bool, tuple[str, ...] | None] = (True, None)

    # -- the game ------------------------------------------------------------------------------

    @property
    def table(self) -> Table | None:
        return self._table

    @property
    def eyes(self) -> Eyes | None:
        return self._eyes

    def view(self) -> Json:
        """All that a page draws; the set-up's while there is no game."""
        if self._table is not None:
            return self._patience.told(self._table.view())
        empty = empty_view()
        sight = {source: sight_json(seen) for source, seen in self._sight.copy().items()}
        return {**empty, "sight": {**empty["sight"], **sight}}

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Calls back with the view after each change, whichever game is played; returns what ends that."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def set_up(self, choices: Json) -> Table:
        """Begins a game.

        Args:
            choices: `players` (each `name`, and `token`, `color`, `shape`, `extra`), `variant`, `edition`,
                `options`; also `first`, `given`, `automation` and `reaction_s` (after how many seconds a reaction
                that nobody answers is declined: 15, 30 or 60; None waits).
        Raises:
            Refused: the rules do not allow such a game.
            SetupError: reports of the game that is played wait to be written.
        """
        record = self._record_of(choices)
        opening(record)
        self._leave_table()
        self._journal.add_game(record)
        return self._play(record.id)

    def _record_of(self, choices: Json) -> GameRecord:
        settings = {
            "reaction_s": self._reaction_s,
            "camera": self._camera,
            "tray": self._tray_camera,
            "profile": self._profile,
        }
        return record_of(choices, self._new_id(), self._now(), settings)

    def _new_id(self) -> str:
        """`20260101-190400`: easily typed, and in order of time."""
        digits = "".join(sign for sign in self._now()[:19] if sign.isdigit())
        stem = f"{digits[:8]}-{digits[8:]}"
        taken = {record.id for record in self._journal.games()}
        return next(name for name in (stem, *(f"{stem}-{count}" for count in range(2, 1000))) if name not in taken)

    def check(self, choices: Json) -> None:
        """Whether such a game can begin; nothing has happened.

        Raises:
            Refused: the rules do not allow it.
        """
        opening(self._record_of(choices))

    def resume(self, game: str) -> Table:
        """Goes on with a game; raises JournalError `unknown_game`, and SetupError as `set_up` does."""
        self._leave_table()
        return self._play(game)

    def resume_newest(self) -> Table | None:
        """Goes on with the game that was begun last; None when there is none."""
        games = self._journal.games()
        return self._play(games[0].id) if games else None

    def _leave_table(self) -> None:
        """The game that is played makes room for another, unless something would be lost by that."""
        if self._table is not None:
            try:
                self._table.catch_up()
            except JournalError as error:
                raise SetupError(
                    "What the camera saw of the game before waits to be written, and would be lost. " + error.message
                ) from error

    def _play(self, game: str) -> Table:
        table = Table(self._journal, game, self._now, keeps_pictures=self._keeps_pictures)
        table.on_placed = self._teach
        if self._towers is not None:
            self._towers.remember(table.tower_throws())
        with self._lights:
            for seen in self._sight.values():
                table.observe(seen)
            self._table = table
        table.subscribe(self._published)
        if self._camera is not None:
            self._remember("camera", self._camera)
        self._publish(table.view())
        return table

    def _published(self, view: Json) -> None:
        if self._table is not None and view["game"]["id"] == self._table.record.id:
            self._publish(view)

    def _publish(self, view: Json) -> None:
        self._tell_sources(view)
        self._patience.see(view)
        told = self._patience.told(view)
        for callback in list(self._subscribers):
            callback(told)

    def use_patience(self, reaction_s: int | None, version: int | None = None) -> None:
        """Another time for reactions in the game that is played; whoever is asked now has all of it.

        Args:
            version: of the view that the finger saw; None goes through whatever has happened since.
        Raises:
            Refused, Stale, JournalError; SetupError when no game is played.
        """
        check_reaction_s(reaction_s)
        if self._table is None:
            raise SetupError("No game has been started yet.")
        self._table.change_settings({"reaction_s": reaction_s}, version)

    def _decline(self, reaction: str) -> None:
        """The table says no for somebody who has been asked for too long; whoever was quicker has answered."""
        table = self._table
        while table is not None:
            view = table.view()
            player = open_reactions(view).get(reaction)
            if player is None:
                return
            try:
                table.act({"choose": "decline", "by": player}, view["version"], by="table")
            except Stale:
                continue
            except BoardsideError as error:
                log.error("a reaction was not declined: %s", error.message)
            return

    def _tell_sources(self, view: Json) -> None:
        """What the game may show, which dice it waits for, and where tokens stand: one sees better what one expects."""
        table = self._table if view["snapshot"] is not None else None
        looked_for = (True, None) if table is None else (has_markers(view["snapshot"]), table.tokens)
        if looked_for != self._looked_for:
            self._looked_for = looked_for
            if self._eyes is not None:
                self._eyes.look_for(*looked_for)
        book = board_book(view["snapshot"], _tokens(view), self._told_book if view["questions"] else None)
        if self._eyes is not None and book != self._told_book:
            self._told_book = book
            self._eyes.learn(book)
        # Dice that lie there already, to be kept or thrown again, are told one by one.
        asked = (decision["fields"].get("dice") for decision in view["decisions"])
        hand = next((dice for dice in asked if isinstance(dice, str)), None)
        if hand == self._hand:
            return
        self._hand = hand
        for eyes in (self._eyes, self._tray):
            if eyes is not None:
                eyes.expect(dice_of(hand))
        if self._towers is not None and hand is not None:
            self._towers.ask(hand)

    def _teach(self, player: str) -> None:
        """Somebody has said where this player's token, or the Cop, stands: that is where the book has it now."""
        if self._table is None or self._eyes is None:
            return
        view = self._table.view()
        tokens = _tokens(view)
        book = board_book(view["snapshot"], tokens).tokens
        token = tokens.get(player, COP if player == COP else None)
        if token in book:
            square, in_jail = book[token]
            company = [other for other, place in book.items() if other != token and place == book[token]]
            self._eyes.teach(token, square, in_jail, company)

    def learned(self, token: str, png: bytes) -> Json | None:
        """Keeps what a correction has taught the eyes; returns the profile with it."""
        desk = self._desk()
        try:
            desk.keep(token, png)
        except BoardsideError as error:
            log.warning("what was learned of %s is not kept: %s", token, error.message)
        return desk.profile()

    def games(self) -> list[Json]:
        """Games that can be gone on with, the newest first."""
        return [summary(self._journal, record) for record in self._journal.games()[:MOST_OFFERED]]

    # -- the sources -----------------------------------------------------------------------------

    def observe(self, observation: Observation) -> None:
        """What a camera or tower reports; without a game only how well it sees matters."""
        if isinstance(observation, SightSeen):
            with self._lights:
                self._sight[observation.source] = observation
                self._show_sight(observation)
            return
        table = self._table
        if table is not None:
            try:
                table.observe(observation)
            except JournalError as error:
                # The tower repeats what was not taken.
                if isinstance(observation, TowerThrow):
                    raise
                log.error("a report waits: %s", error.message)
                self._catch_up_later(table)

    def _catch_up_later(self, table: Table) -> None:
        """What cameras have reported is not lost while the journal cannot be written."""
        self._end_waiting()
        self._end_waiting = self._later(CATCH_UP_S, partial(self._catch_up, table))

    def _catch_up(self, table: Table) -> None:
        try:
            table.catch_up()
        except JournalError:
            self._catch_up_later(table)

    def _show_sight(self, seen: SightSeen) -> None:
        if seen.source == "camera" and seen.state == "well" and self._tray_word:
            seen = msgspec.structs.replace(seen, state="unsure", word=self._tray_word)
        if self._table is not None:
            self._table.observe(seen)
        else:
            self._publish(self.view())

    def _show_tray_word(self, word: str) -> None:
        with self._lights:
            self._tray_word = word
            self._show_sight(self._sight.get("camera") or SightSeen(state="well"))

    def _forget_sight(self, source: str) -> None:
        """That source is not there any more."""
        with self._lights:
            self._sight.pop(source, None)
            if self._table is not None:
                self._table.forget_sight(source)

    def take_picture(self, picture: Picture) -> None:
        """An evidence picture of the eyes."""
        table = self._table
        if table is not None:
            table.take_picture(picture)

    def picture(self, picture: str) -> bytes | None:
        """An evidence picture as a JPEG; None if it was not kept."""
        return self._table.picture(picture) if self._table is not None else None

    def frame(self) -> bytes | None:
        """What the camera sees now, as a JPEG; None without one."""
        return self._eyes.latest_frame() if self._eyes is not None else None

    def use_camera(self, camera: str) -> None:
        """Another camera, or `none`; also in the middle of a game.

        Raises:
            SetupError: this table was started without eyes.
        """
        with self._lock:
            if camera == NO_CAMERA:
                if self._eyes is not None:
                    self._eyes.stop()
                self._eyes = None
                self._forget_sight("camera")
            elif self._eyes is not None:
                self._eyes.use_camera(camera)
            elif self._workshop.make_eyes is None:
                raise SetupError("There are no eyes here that could use a camera.")
            else:
                self._eyes = self._workshop.make_eyes(self, camera)
                self._eyes.expect(dice_of(self._hand))
                self._eyes.look_for(*self._looked_for)
                if self._tray is not None:
                    self._eyes.read_dice(False)
                elif self._table is not None:
                    self._table.new_dice_source()
                self._eyes.start()
            self._camera = camera
        self._remember("camera", camera)

    def use_tray(self, camera: str) -> None:
        """A camera that looks into a dice tray and alone reads the dice; `none` leaves them to the first camera.

        Raises:
            SetupError: this table was started without eyes.
        """
        with self._lock:
            if camera != self._tray_camera:
                self._change_tray(camera)
        self._remember("tray", camera)

    def _change_tray(self, camera: str) -> None:
        if camera != NO_CAMERA and self._workshop.make_tray is None:
            raise SetupError("There are no eyes here that could look into a tray.")
        if self._tray is not None:
            self._tray.stop()
            self._tray = None
        if self._tray_word:
            self._show_tray_word("")
        if camera != NO_CAMERA and self._workshop.make_tray is not None:
            self._tray = self._workshop.make_tray(self, camera)
            self._tray.expect(dice_of(self._hand))
            self._tray.start()
        self._tray_camera = camera
        if self._eyes is not None:
            self._eyes.read_dice(self._tray is None)
        if self._table is not None:
            self._table.new_dice_source()

    def _remember(self, source: str, camera: str) -> None:
        """The game that is played is gone on with before this camera."""
        table = self._table
        if table is not None and table.record.settings.get(source) != camera:
            try:
                table.change_settings({source: camera})
            except JournalError as error:
                log.error("which camera is used was not written down: %s", error.message)

    def observe_tray(self, observation: Observation) -> None:
        """What the tray's camera reports; what it cannot see is a word of the camera's light."""
        if not isinstance(observation, SightSeen):
            self.observe(observation)
            return
        self._show_tray_word("" if observation.state == "well" else f"dice tray: {observation.word}")

    def use_towers(self) -> None:
        """Begins to listen to the dice towers."""
        if self._workshop.make_towers is not None:
            self._towers = self._workshop.make_towers(self)
            self._towers.start()
            if self._hand is not None:
                self._towers.ask(self._hand)

    @property
    def waits(self) -> bool:
        """Whether a camera's reports wait to be written, which would be lost if the program ended now."""
        return self._table is not None and self._table.waits

    def end(self) -> bool:
        """The program is to end; returns whether it can: nothing waits to be written any more."""
        return self._table is None or self._table.end()

    def close(self) -> None:
        """Ends eyes and towers; the game is in the journal."""
        self._patience.close()
        for source in (self._eyes, self._tray, self._towers):
            if source is not None:
                source.stop()
        self._end_waiting()
        self._eyes = self._tray = self._towers = None
        if not self.end():
            log.error("what the camera saw last could not be written, and is lost")

    # -- set-up ------------------------------------------------------------------------------------

    def setup(self) -> Json:
        """Where the set-up stands, for the page."""
        desk = self._workshop.calibration
        return {
            "cameras": self._workshop.cameras(),
            "camera": self._camera,
            "tray": self._tray_camera,
            "reaction_s": self._reaction_s,
            "empty": desk is not None and desk.empty is not None,
            "taps": [list(tap) for tap in desk.taps] if desk is not None and desk.taps is not None else None,
            "enrolled": list(desk.enrolled) if desk is not None else [],
        }

    def _desk(self) -> Calibration:
        if self._workshop.calibration is None:
            raise SetupError("There is no camera here to be set up.")
        return self._workshop.calibration

    def _frame_now(self) -> bytes:
        frame = self._eyes.frame_now() if self._eyes is not None else None
        if frame is None:
            raise SetupError("The camera gives no picture at the moment; choose it again or look at its cable.")
        return frame

    def take_empty(self) -> None:
        """The picture of now is the empty board."""
        self._desk().take_empty(self._frame_now())
        self._use_profile()

    def empty_picture(self) -> bytes | None:
        """The picture of the empty board, as a JPEG."""
        desk = self._workshop.calibration
        return desk.empty if desk is not None else None

    def use_taps(self, taps: list[tuple[float, float]]) -> None:
        """Four corners in pixels of the empty picture: GO's outer corner first, then in the direction of travel."""
        self._desk().use_taps(taps)
        self._use_profile()

    def enrol(self, token: str, among: Collection[str] = ()) -> None:
        """The picture of now shows this token, of these that play, alone on the board."""
        self._desk().enrol(token, self._frame_now(), among)
        self._use_profile()

    def _use_profile(self) -> None:
        profile = self._desk().profile()
        if profile is not None and self._eyes is not None:
            self._eyes.use_profile(profile)


def _tokens(view: Json) -> dict[str, str]:
    """Under which names the players' tokens are enrolled."""
    return {player["name"]: player["token"] for player in view["players"] if player["token"]}


def dice_of(hand: str | None) -> tuple[DieKind, ...] | None:
    """`2d6` -> two d6; None when nothing is thrown next."""
    return parse(hand) if hand else None


def summary(journal: Journal, record: GameRecord) -> Json:
    """A game of the journal in a line: `game`, `variant`, `players`, `started`, `turn`, `over`."""
    state = read_book(journal, record.id).game.state
    return {
        "game": record.id,
        "variant": record.variant,
        "edition": record.edition,
        "players": list(record.players),
        "started": record.started,
        "turn": state.turn.number,
        "over": bool(state.winners),
        "winners": list(state.winners),
    }
