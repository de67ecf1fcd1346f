"""What is read while somebody moves behind the table, or takes up dice beside it."""

import numpy as np

from companion.observations import DiceSeen, Observation, Picture, SightSeen
from tests.unit.vision_live.rig import CORNERS, Rig, die, only, table
from vision.live.watcher import CHECK_S

#: Of a board in the lower half of the picture.
NEAR = np.array([[560.0, 340.0], [80.0, 340.0], [180.0, 180.0], [460.0, 180.0]])


def busy(rig: Rig, seconds: float, first: int = 0) -> list[Observation | Picture]:
    """Somebody moves behind the table."""
    seen = []
    for k in range(first, first + round(seconds * 10)):
        frame = rig.table_px.copy()
        x = 40 + 60 * (3 * k % 7)
        frame[10:90, x : x + 90] = (60 + 10 * (k % 9), 90, 160)
        seen += rig.feed(frame)
    return seen


def test_dice_are_read_while_somebody_moves_behind_the_table() -> None:
    rig = Rig()
    rig.watcher.expect(2)
    rig.see(2.0, corners_px=NEAR)
    busy(rig, 3.0)
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 200, 250), die(5, 300, 300)])
    rig.table_px[250:266, 200:216] = 250
    (throw,) = only(DiceSeen, busy(rig, 0.5, 30))
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [3, 5]
    assert not [seen for seen in busy(rig, 5.0, 35) if isinstance(seen, SightSeen)]


def test_a_board_is_found_and_read_while_somebody_moves_behind_it_from_the_start() -> None:
    rig = Rig()
    rig.watcher.expect(2)
    rig.reader.reading = table(corners_px=NEAR)
    busy(rig, 2.0)
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 200, 250), die(5, 300, 300)])
    rig.table_px[250:266, 200:216] = 250
    assert len(only(DiceSeen, busy(rig, 0.5, 20))) == 1


def test_a_board_that_is_not_in_view_is_looked_for_once_a_second_while_somebody_moves() -> None:
    rig = Rig()
    rig.reader.reading = table(board_found=False, corners_px=None)
    busy(rig, 5.0)
    assert 4 <= rig.reader.count <= 6


def test_dice_that_roll_far_from_the_board_are_read_when_they_lie() -> None:
    rig = Rig()
    rig.see(6.0, corners_px=NEAR)
    assert rig.watcher.is_clear
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 200, 40), die(5, 300, 50)])
    for k in range(6):
        frame = rig.table_px.copy()
        frame[30:50, 60 * k : 60 * k + 30] = 250
        rig.feed(frame)
    assert len(only(DiceSeen, [seen for _ in range(8) for seen in rig.feed(frame)])) == 1


def test_dice_far_from_the_board_are_told_as_soon_as_two_pictures_show_them() -> None:
    rig, frame_ns = Rig(), 33_000_000
    rig.watcher.expect(2)
    rig.see(6.0, corners_px=NEAR)
    assert rig.watcher.is_calm
    for k in range(6):
        frame = rig.table_px.copy()
        frame[30:50, 60 * k : 60 * k + 30] = 250
        rig.feed(frame, frame_ns)
    assert not rig.watcher.is_calm
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 200, 40), die(5, 300, 50)])
    frames = range(1, 60)
    told = next(k for k in frames if only(DiceSeen, rig.feed(frame, frame_ns)))
    assert told * frame_ns <= 400_000_000
    assert rig.watcher.is_clear
    assert rig.watcher.is_calm


def test_dice_that_a_hand_takes_up_far_from_the_board_are_no_throw() -> None:
    rig = Rig()
    rig.table_px[52:68, 252:268] = rig.table_px[42:58, 312:328] = 250
    rig.see(4.0, corners_px=NEAR, dice=[die(3, 260, 60), die(5, 320, 50)])
    # Fingers cover a pip, and now and then they keep still.
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 260, 60), die(4, 320, 50)])
    seen = []
    for k in range(25):
        frame = rig.table_px.copy()
        x = 322 + 3 * (k // 6)
        frame[20:100, x:] = (60, 90, 160)
        seen += rig.feed(frame)
    assert not only(DiceSeen, seen)


def test_where_the_board_has_come_to_lie_what_moves_counts() -> None:
    rig = Rig()
    rig.see(6.0, corners_px=NEAR)
    busy(rig, 1.0)
    rig.see(6.0, corners_px=CORNERS)
    before = rig.reader.count
    busy(rig, 3.0)
    assert rig.reader.count <= before + 1


def test_a_board_that_was_hidden_is_found_again_while_somebody_moves_behind_it() -> None:
    rig = Rig()
    rig.see(2.0, corners_px=NEAR)
    assert ("blind", "the board is not in view") in [
        (s.state, s.word) for s in only(SightSeen, rig.see(CHECK_S + 1.0, board_found=False, corners_px=None))
    ]
    rig.reader.reading = table(corners_px=NEAR)
    assert ("well", "") in [(s.state, s.word) for s in only(SightSeen, busy(rig, 1.5))]


def beside(rig: Rig, x: int, die_x: int, shade: int = 0) -> np.ndarray:
    """A hand that reaches in from the right as far as x, and a die."""
    frame = rig.table_px.copy()
    frame[60:120, x:] = (60 + shade, 90, 160)
    frame[80:96, die_x : die_x + 16] = 250
    return frame


def test_dice_that_a_hand_holds_beside_the_board_are_thrown_when_it_has_let_go() -> None:
    rig = Rig()
    rig.watcher.expect(1)
    rig.see(4.0, corners_px=NEAR)
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 508, 88)])
    held = [seen for k in range(24) for seen in rig.feed(beside(rig, 510 + 4 * (k // 8), 500))]
    assert not only(DiceSeen, held)
    rig.reader.reading = table(corners_px=NEAR, dice=[die(4, 448, 88)])
    (throw,) = only(DiceSeen, [seen for _ in range(10) for seen in rig.feed(beside(rig, 640, 440))])
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [4]


def test_dice_beside_a_hand_that_stays_are_told_when_it_has_lain_there_for_a_while() -> None:
    rig = Rig()
    rig.watcher.expect(1)
    rig.see(4.0, corners_px=NEAR)
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 508, 88)])
    told = [bool(only(DiceSeen, rig.feed(beside(rig, 510, 500)))) for _ in range(40)]
    assert not any(told[:28])
    assert sum(told) == 1


def test_a_ring_on_a_hand_that_moves_keeps_no_throw_from_being_told() -> None:
    rig = Rig()
    rig.watcher.expect(2)
    rig.see(4.0, corners_px=NEAR)
    ring = die(1, 508, 88)
    rig.reader.reading = table(corners_px=NEAR, dice=[ring])
    assert not only(DiceSeen, [seen for k in range(25) for seen in rig.feed(beside(rig, 490, 500, 40 * (k % 4)))])
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 200, 250), die(5, 300, 300), ring])
    rig.table_px[242:258, 192:208] = rig.table_px[292:308, 292:308] = 250
    (throw,) = only(DiceSeen, [seen for k in range(10) for seen in rig.feed(beside(rig, 490, 500, 40 * (k % 4)))])
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [3, 5]


def test_of_a_throw_of_which_a_hand_may_hold_a_die_nothing_is_told_yet() -> None:
    rig = Rig()
    rig.watcher.expect(2)
    rig.see(4.0, corners_px=NEAR)
    rig.reader.reading = table(corners_px=NEAR, dice=[die(3, 200, 250), die(5, 508, 88)])
    rig.table_px[242:258, 192:208] = 250
    assert not only(DiceSeen, [seen for _ in range(20) for seen in rig.feed(beside(rig, 520, 500))])
    (throw,) = only(DiceSeen, [seen for _ in range(20) for seen in rig.feed(beside(rig, 640, 500))])
    assert [max(d.faces, key=d.faces.get) for d in throw.dice] == [3, 5]
