"""From pictures of a rendered table to what is said at it: what was taken, hidden or built otherwise."""

from dataclasses import replace

import cv2
import msgspec
import numpy as np
import pytest

from companion.observations import Picture, StandingSeen, TokenSeen
from companion.referee.driver import RefereedGame
from companion.rules import Game
from tests.vision.table_sets import reader_of, virtual_table
from vision.sources import FrameBgr
from vision.virtual.setting import Setting
from vision.watcher import Memory, Watcher

PAWNS = ("red_pawn", "blue_pawn")
PLAYERS = {"red_pawn": "Ann", "blue_pawn": "Bob"}
SEED = 3
STEP_NS = 250_000_000
GIVEN = {"players": {"Ann": {"at": "illinois"}, "Bob": {"at": "reading"}}}


class Evening:
    """A camera over a rendered table and the referee who is told what it sees."""

    def __init__(self, **game: object) -> None:
        self.played = RefereedGame(Game.new(variant="classic", players=["Ann", "Bob"], options={}, **game))  # type: ignore[arg-type]
        self.setting = virtual_table(SEED, PAWNS).setting(6)
        self._watcher = Watcher(reader_of(SEED, PAWNS), memory=Memory(lying=()))
        self._watcher.expect(2)
        self._t_ns = 0

    def stand(self, **squares: int) -> None:
        for name, square in squares.items():
            self.setting.put_token(name, square)

    def look(self, seconds: float, without: FrameBgr | None = None) -> None:
        """An arm passes over the table, which then rests for a while."""
        picture = self.picture() if without is None else without
        for k in range(5):
            moving = picture.copy()
            moving[200:420, 240 * k : 240 * k + 320] = (90, 120, 180)
            self.feed(moving)
        self.rest(picture, seconds)

    def rest(self, picture: FrameBgr, seconds: float) -> None:
        for _ in range(round(seconds * 1e9 / STEP_NS)):
            self.feed(picture)

    def picture(self) -> FrameBgr:
        return virtual_table(SEED, PAWNS).picture(self.setting.scene())

    def feed(self, frame: FrameBgr) -> None:
        self._t_ns += STEP_NS
        for seen in self._watcher.feed(frame, self._t_ns):
            if isinstance(seen, TokenSeen):
                seen = msgspec.structs.replace(seen, token=PLAYERS.get(seen.token, seen.token))
            if isinstance(seen, StandingSeen):
                named = {PLAYERS[name]: spaces for name, spaces in seen.named.items()}
                seen = msgspec.structs.replace(seen, named=named)
            if not isinstance(seen, Picture):
                self.played.see(seen)

    @property
    def texts(self) -> list[str]:
        return [question.text for question in self.played.questions]


def test_a_token_that_is_taken_away_is_missed() -> None:
    evening = Evening(given=GIVEN)
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.look(2.0)
    assert evening.texts == []
    del evening.setting.tokens["blue_pawn"]
    evening.look(7.0)
    assert evening.texts == ["I can't see Bob's token standing on Reading Railroad. Has it fallen over?"]


def test_a_house_that_is_missing_on_the_board_is_asked_about() -> None:
    houses = {space: {"owner": "Ann", "houses": 2} for space in ("oriental", "vermont", "connecticut")}
    evening = Evening(given=GIVEN | {"spaces": houses})
    evening.stand(red_pawn=24, blue_pawn=5)
    for street in (6, 8, 9):
        evening.setting.put_buildings(street, 1 if street == 6 else 2, hotel=False)
    evening.look(3.0)
    assert evening.texts == ["The board shows 1 house on Oriental Avenue; the book says 2 houses."]


def covered(picture: FrameBgr, setting: Setting, which: int) -> FrameBgr:
    """With a note over one of the dice."""
    die, edge = setting.dice[which], setting.style.die_m
    corners = np.array(
        [[die.x + a * edge, die.y + b * edge] for a, b in ((-1.3, -1.3), (1.3, -1.3), (1.3, 1.3), (-1.3, 1.3))]
    )
    px = setting.style.camera.project(np.column_stack([corners, np.full(4, edge / 2)]))
    return np.asarray(cv2.fillConvexPoly(picture, px.round().astype(np.int32), (170, 215, 190), cv2.LINE_AA))


@pytest.mark.parametrize("is_hidden", [True, False])
def test_a_die_that_is_hidden_is_said_to_be_missing(is_hidden: bool) -> None:
    evening = Evening(given=GIVEN)
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.look(2.0)
    evening.setting.dice = evening.setting.throw((3, 5))
    picture = evening.picture()
    evening.look(8.0, covered(picture, evening.setting, 1) if is_hidden else picture)
    rolls = [action["roll"] for action in evening.played.game.actions if "roll" in action]
    said = [note.text for note in evening.played.notes] + evening.texts
    is_said = "I see one die; one is missing. Ann throws two dice." in said
    assert (is_said, [sorted(roll) for roll in rolls]) == ((True, []) if is_hidden else (False, [[3, 5]]))


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_die_that_lies_tilted_is_thrown_again(is_answered: bool) -> None:
    evening = Evening(given=GIVEN)
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.look(2.0)
    flat, other = evening.setting.throw((3, 5))
    evening.setting.dice = (flat, replace(other, tilt=0.5, yaw=2.5))
    evening.look(8.0)
    assert evening.texts == ["The right die lies tilted. 5, or throw again?"]
    if is_answered:
        evening.played.answer("dice", "throw_again")
    evening.setting.dice = (flat, replace(other, value=2, x=other.x + 0.05, y=other.y - 0.03))
    evening.look(8.0)
    assert evening.texts == []
    rolls = [action["roll"] for action in evening.played.game.actions if "roll" in action]
    assert [sorted(roll) for roll in rolls] == [[2, 3]]


def test_tokens_that_changed_places_are_asked_about_until_they_are_changed_back() -> None:
    evening = Evening(given=GIVEN)
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.look(2.0)
    evening.stand(red_pawn=5, blue_pawn=24)
    evening.look(30.0)
    assert evening.texts == [
        "Ann's and Bob's tokens have changed places: Ann belongs on Illinois Avenue, Bob on Reading Railroad."
    ]
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.look(30.0)
    assert evening.texts == []


def shaded(picture: FrameBgr, x: float) -> FrameBgr:
    """With the soft shadow of somebody who leans over at `x`, a share of the picture's width."""
    height, width = picture.shape[:2]
    dark = np.zeros((height, width), np.float32)
    cv2.circle(dark, (round(x * width), height // 2), height // 3, 1.0, -1)
    return np.asarray(picture * (1 - 0.3 * cv2.GaussianBlur(dark, (0, 0), 25)[..., None]), np.uint8)


def test_a_shadow_that_passes_and_a_lamp_that_is_lit_change_nothing() -> None:
    evening = Evening(given=GIVEN)
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.setting.dice = evening.setting.throw((3, 5))
    evening.look(2.0)
    assert [action["roll"] for action in evening.played.game.actions] in ([[3, 5]], [[5, 3]])
    picture = evening.picture()
    by_lamp = np.clip(picture * np.array([0.6, 0.8, 0.95]), 0, 255).astype(np.uint8)
    before = len(evening.played.notes), evening.texts
    for x in (-0.2, 0.0, 0.2, 0.4):
        evening.feed(shaded(picture, x))
    evening.rest(shaded(picture, 0.6), 6.0)
    for x in (0.8, 1.0, 1.2):
        evening.feed(shaded(picture, x))
    evening.rest(by_lamp, 6.0)
    evening.rest(picture, 3.0)
    assert len(evening.played.game.actions) == 1
    assert (len(evening.played.notes), evening.texts) == before


def fallen_over(standing: FrameBgr, without: FrameBgr, foot_m: tuple[float, float], degrees: float) -> FrameBgr:
    """The picture with the token that stands at `foot_m` turned about its middle, as one that lies."""
    style = virtual_table(SEED, PAWNS).style
    x, y = style.camera.project(np.array([[*foot_m, 0.0]]))[0]
    differs = (cv2.absdiff(standing, without).max(axis=2) > 14).astype(np.uint8)
    differs = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    near = np.zeros_like(differs)
    cv2.circle(near, (round(x), round(y)), 40, 1, -1)
    turn = cv2.getRotationMatrix2D((float(x), float(y) - 6), degrees, 1.0)
    size = (standing.shape[1], standing.shape[0])
    share = cv2.warpAffine((differs * near).astype(np.float32), turn, size)[..., None]
    return np.asarray(without * (1 - share) + cv2.warpAffine(standing, turn, size) * share, np.uint8)


def test_a_token_that_fell_over_is_asked_about_until_it_stands_again() -> None:
    evening = Evening(given=GIVEN)
    evening.stand(red_pawn=24, blue_pawn=5)
    evening.look(2.0)
    standing, foot = evening.picture(), evening.setting.tokens["blue_pawn"]
    del evening.setting.tokens["blue_pawn"]
    lying = fallen_over(standing, evening.picture(), (foot.x, foot.y), 90)
    evening.look(12.0, lying)
    assert evening.texts == ["I can't see Bob's token standing on Reading Railroad. Has it fallen over?"]
    evening.look(6.0, standing)
    assert evening.texts == []
