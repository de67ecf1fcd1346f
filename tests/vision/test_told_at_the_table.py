"""From pictures of a rendered table to what is said at it: what was taken, hidden or built otherwise."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.evenings import GIVEN, OWNED, PAWNS, Evening
from vision.sources import FrameBgr
from vision.virtual.setting import Setting


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
    evening.look(2.0)
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


@pytest.mark.parametrize(
    ("seed", "tokens"),
    [(3, PAWNS), (12, ("green_pawn", "white_pawn")), (13, ("red_meeple", "blue_meeple")), (14, ("boot", "thimble"))],
)
def test_a_token_that_fell_over_is_asked_about_until_it_stands_again(seed: int, tokens: tuple[str, str]) -> None:
    evening = Evening(tokens, seed, given=GIVEN)
    anns, bobs = tokens
    evening.stand(**{anns: 24, bobs: 5})
    evening.look(2.0)
    standing, token = evening.picture(), evening.setting.tokens[bobs]
    evening.setting.tokens[bobs] = replace(token, kind=f"fallen {token.kind}", yaw=token.yaw + 1.0)
    evening.look(12.0)
    assert evening.texts == ["I can't see Bob's token standing on Reading Railroad. Has it fallen over?"]
    evening.look(6.0, standing)
    assert evening.texts == []


@pytest.mark.parametrize(("seed", "tokens"), [(12, ("green_pawn", "white_pawn")), (14, ("boot", "thimble"))])
def test_a_token_that_is_put_down_lying_is_asked_about(seed: int, tokens: tuple[str, str]) -> None:
    evening = Evening(tokens, seed, given=OWNED)
    anns, bobs = tokens
    evening.stand(**{anns: 24, bobs: 5})
    evening.look(2.0)
    evening.go_on()
    standing, upright = evening.picture(), evening.setting.tokens[bobs]
    evening.setting.tokens[bobs] = replace(upright, kind=f"fallen {upright.kind}")
    evening.look(6.0)
    assert evening.texts == ["I can't see Bob's token standing on Virginia Avenue. Has it fallen over?"]
    evening.look(6.0, standing)
    assert evening.texts == []
