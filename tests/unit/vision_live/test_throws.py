"""What counts as a throw, and what is only dice lying there."""

from dataclasses import replace

import numpy as np
import pytest

from vision.detections import DieReading
from vision.live.throws import DIE_EDGE, EVEN, LOOK_PX, LyingDie, Throw, ThrowWatch

Lies = dict[tuple[float, float], int]

A, B, C, D = (0.3, 0.3), (0.4, 0.42), (0.6, 0.55), (0.7, 0.4)


def reading(value: int, sure: float = 0.99, cocked: float = 0.0) -> DieReading:
    other = 1 + value % 6
    return DieReading("d6", {value: sure, other: 0.98 - sure if sure < 0.9 else 0.001}, (0, 0), (0, 0, 1, 1), cocked)


def show(watch: ThrowWatch, lies: Lies, pictures: int = 3, sure: float = 0.99, moved: bool = True) -> list[Throw]:
    """A settled scene with these dice; what it reports."""
    if moved:
        watch.new_scene()
    found = [watch.feed([reading(v, sure) for v in lies.values()], list(lies)) for _ in range(pictures)]
    return [throw for throw in found if throw is not None]


def started(lies: Lies | None = None) -> ThrowWatch:
    """A watch that has seen an empty table and then, if given, one throw."""
    watch = ThrowWatch(wanted=2)
    show(watch, {})
    if lies is not None:
        assert [throw.number for throw in show(watch, lies)] == [1]
    return watch


def values(throws: list[Throw]) -> list[list[int]]:
    return [[die.value for die in throw.dice] for throw in throws]


def test_dice_that_come_to_rest_are_a_throw() -> None:
    throws = show(started(), {A: 3, B: 5})
    assert values(throws) == [[3, 5]]


def test_one_picture_is_not_enough() -> None:
    assert show(started(), {A: 3, B: 5}, pictures=1) == []


def test_dice_that_lay_there_when_watching_began_are_no_throw() -> None:
    watch = ThrowWatch(wanted=2)
    assert show(watch, {A: 3, B: 5}, pictures=8) == []
    assert watch.number == 0


def test_same_dice_lying_still_make_no_second_throw() -> None:
    watch = started({A: 3, B: 5})
    assert show(watch, {A: 3, B: 5}) == []
    assert show(watch, {A: 3, B: 5}, pictures=10) == []


def test_new_faces_elsewhere_are_a_second_throw() -> None:
    throws = show(started({A: 3, B: 5}), {C: 1, D: 2})
    assert [throw.number for throw in throws] == [2]


def test_same_faces_elsewhere_are_a_second_throw() -> None:
    throws = show(started({A: 3, B: 5}), {C: 3, D: 5})
    assert [throw.number for throw in throws] == [2]


def test_same_faces_close_by_count_when_the_dice_were_away() -> None:
    near = {(A[0] + DIE_EDGE * 1.5, A[1]): 3, (B[0], B[1] + DIE_EDGE * 1.8): 5}
    watch = started({A: 3, B: 5})
    show(watch, {})
    assert [throw.number for throw in show(watch, near)] == [2]


def test_nudged_die_makes_no_throw() -> None:
    watch = started({A: 3, B: 5})
    assert show(watch, {(A[0] + DIE_EDGE, A[1]): 3, B: 5}, pictures=8) == []
    assert show(watch, {C: 2, D: 2})[0].number == 2


def test_both_dice_nudged_make_no_throw() -> None:
    near = {(A[0] + DIE_EDGE * 1.5, A[1]): 3, (B[0], B[1] + DIE_EDGE): 5}
    assert show(started({A: 3, B: 5}), near, pictures=8) == []


def test_dice_that_show_the_same_and_were_turned_in_their_places_are_thrown_as_likely_as_not() -> None:
    before, turned = (
        np.random.default_rng(k).uniform(0, 255, (LOOK_PX, LOOK_PX, 3)).astype(np.float32) for k in (1, 2)
    )
    near_a, near_b = (A[0] + DIE_EDGE, A[1]), (B[0], B[1] + DIE_EDGE)
    for look, due, reported in ((before, 2, []), (turned, 2, [[3, 5]]), (turned, None, []), (turned, 3, [])):
        watch = started()
        watch.new_scene()
        for _ in range(3):
            watch.feed([reading(3), reading(5)], [A, B], looks=[before, before])
        watch.wanted = due
        watch.new_scene()
        found = [watch.feed([reading(3), reading(5)], [near_a, near_b], looks=[look, look]) for _ in range(3)]
        throws = [throw for throw in found if throw is not None]
        assert values(throws) == reported
        assert all(throw.thrown == EVEN for throw in throws)


def test_dice_pushed_aside_together_make_no_throw_and_while_one_is_due_they_may() -> None:
    far = {(x + 0.25, y + 0.1): v for (x, y), v in {A: 3, B: 5}.items()}
    watch = started({A: 3, B: 5})
    watch.wanted = None
    assert show(watch, far, pictures=8) == []
    throws = show(started({A: 3, B: 5}), far, pictures=8)
    assert values(throws) == [[3, 5]]
    assert all(throw.thrown == EVEN for throw in throws)


def test_one_of_two_dice_that_is_nudged_while_one_is_due_is_no_throw() -> None:
    before, turned = (
        np.random.default_rng(k).uniform(0, 255, (LOOK_PX, LOOK_PX, 3)).astype(np.float32) for k in (1, 2)
    )
    near = (A[0] + 0.3 * DIE_EDGE, A[1])
    for place, value, look, reported in ((near, 3, before, []), (near, 3, turned, [[3]]), (C, 4, turned, [[4]])):
        watch = started()
        watch.new_scene()
        for _ in range(3):
            watch.feed([reading(3), reading(5)], [A, B], looks=[before, before])
        watch.wanted = 1
        watch.new_scene()
        found = [watch.feed([reading(value), reading(5)], [place, B], looks=[look, before]) for _ in range(3)]
        throws = [throw for throw in found if throw is not None]
        assert values(throws) == reported
        assert all(throw.thrown == (EVEN if value == 3 else 1.0) for throw in throws)


def test_a_die_that_is_nudged_while_the_other_is_hidden_is_no_throw() -> None:
    watch = started({A: 3, B: 5})
    assert show(watch, {(A[0] + DIE_EDGE, A[1]): 3}, pictures=8) == []
    assert values(show(watch, {C: 4, D: 4})) == [[4, 4]]
    other = started({A: 3, B: 5})
    assert values(show(other, {(A[0] + DIE_EDGE, A[1]): 4}, pictures=8)) == [[4]]


@pytest.mark.parametrize(("put_down", "thrown"), [((True, True), EVEN), ((True, False), 1.0), ((False, False), 1.0)])
def test_dice_that_a_hand_has_put_down_are_thrown_as_likely_as_not(put_down: tuple[bool, bool], thrown: float) -> None:
    watch, dice = started({C: 1, D: 2}), [reading(3), reading(5)]
    watch.new_scene()
    # What is told of the first picture holds for the scene.
    found = [watch.feed(dice, [A, B], put_down=told) for told in (put_down, (False, False), (True, True))]
    assert [throw.thrown for throw in found if throw is not None] == [thrown]


def test_dice_that_lie_alike_at_the_other_end_of_the_board_were_thrown() -> None:
    far = {(x + 0.1, y + 0.55): v for (x, y), v in {A: 3, B: 5}.items()}
    assert values(show(started({A: 3, B: 5}), far)) == [[3, 5]]


def test_one_die_lifted_and_put_back_elsewhere_makes_no_throw() -> None:
    watch = started({A: 3, B: 5})
    show(watch, {B: 5})
    assert show(watch, {C: 2, B: 5}, pictures=8) == []


def test_die_that_falls_with_its_old_face_beside_its_old_place_is_part_of_the_new_throw() -> None:
    beside = (A[0] - 0.24 * DIE_EDGE, A[1] - 0.15 * DIE_EDGE)
    assert values(show(started({A: 1, B: 3}), {beside: 1, C: 4})) == [[1, 4]]


def test_die_that_falls_nearly_where_it_lay_beside_one_that_was_thrown_was_thrown_too() -> None:
    watch, nearly = started({A: 3, B: 5}), (A[0] + 0.19 * DIE_EDGE, A[1])
    assert show(watch, {nearly: 3}, pictures=1) == []
    assert values(show(watch, {nearly: 3, D: 5}, pictures=6)) == [[3, 5]]
    # Where no throw is due, one was lifted and the other brushed.
    watch = started({A: 3, B: 5})
    watch.wanted = None
    assert show(watch, {nearly: 3, D: 5}, pictures=6) == []


def test_dice_that_are_read_a_little_off_have_not_been_thrown() -> None:
    off = {(A[0] + 0.2 * DIE_EDGE, A[1]): 1, (B[0], B[1] - 0.2 * DIE_EDGE): 3}
    assert show(started({A: 1, B: 3}), off, pictures=8) == []


def test_dice_taken_one_after_the_other_are_one_throw_when_both_have_moved() -> None:
    watch = started({A: 3, B: 5})
    assert show(watch, {C: 2, B: 5}, pictures=8) == []
    assert values(show(watch, {C: 2, D: 6})) == [[2, 6]]


def test_cocked_die_thrown_again_is_the_same_throw_seen_better() -> None:
    watch = started()
    watch.new_scene()
    dice = [reading(3), reading(5, 0.6, cocked=0.8)]
    throws = [watch.feed(dice, [A, B]) for _ in range(8)]
    assert [throw.number for throw in throws if throw is not None] == [1]
    better = show(watch, {A: 3, C: 2}, pictures=8)
    assert [throw.number for throw in better] == [1]
    assert values(better) == [[3, 2]]


def test_unsure_dice_are_looked_at_several_times_before_they_are_reported() -> None:
    watch = started()
    assert show(watch, {A: 3, B: 5}, pictures=watch.most_pictures - 1, sure=0.6) == []
    throw = watch.feed([reading(3, 0.6), reading(5, 0.6)], [A, B])
    assert throw is not None
    assert throw.dice[0].confidence < 0.9


def test_unsure_dice_are_reported_though_the_scene_is_disturbed_again_and_again() -> None:
    watch = started({C: 1, D: 1})
    throws = [throw for _ in range(3) for throw in show(watch, {A: 3, B: 5}, pictures=3, sure=0.6)]
    assert values(throws) == [[3, 5]]
    assert throws[0].dice[0].pictures == watch.most_pictures


def test_dice_that_were_thrown_again_before_they_were_read_are_not_mixed_with_the_later_ones() -> None:
    watch = started({C: 1, D: 1})
    assert show(watch, {A: 3, B: 5}, pictures=3, sure=0.6) == []
    (throw,) = show(watch, {A: 3, D: 2}, pictures=6, sure=0.6)
    assert [(die.value, die.pictures) for die in throw.dice] == [(3, 6), (2, 6)]


def test_unsure_throw_is_reported_again_when_it_is_seen_better() -> None:
    watch = started()
    assert len(show(watch, {A: 3, B: 5}, pictures=8, sure=0.6)) == 1
    better = show(watch, {A: 3, B: 5}, sure=0.995)
    assert [throw.number for throw in better] == [1]


def test_missing_second_die_is_waited_for() -> None:
    watch = started()
    assert show(watch, {A: 3}, pictures=watch.most_pictures - 1) == []
    assert watch.feed([reading(3)], [A]) is not None


def test_die_that_stays_for_good_does_not_stop_the_throws() -> None:
    watch = started()
    watch.lying = (LyingDie((0.9, 0.9), 1, 1.0),)
    assert values(show(watch, {(0.9, 0.9): 1, A: 3, B: 5})) == [[3, 5]]


def test_picture_on_the_board_that_looks_like_a_die_is_left_out_of_every_throw() -> None:
    picture, watch = (0.9, 0.9), started()
    show(watch, {picture: 6}, pictures=1)
    assert values(show(watch, {A: 3, B: 5, picture: 6})) == [[3, 5]]
    assert values(show(watch, {C: 2, D: 2, picture: 6})) == [[2, 2]]
    assert show(watch, {C: 2, D: 2, picture: 6}) == []


def test_slight_doubt_whether_a_die_leans_is_overcome_by_a_second_picture() -> None:
    watch = started()
    watch.new_scene()
    throws = [watch.feed([reading(3, 0.999, 0.04), reading(5, 0.999, 0.04)], [A, B]) for _ in range(2)]
    assert throws[1] is not None
    assert all(die.confidence > 0.99 for die in throws[1].dice)


def test_flicker_in_one_of_many_pictures_is_no_die() -> None:
    watch = started()
    watch.new_scene()
    watch.feed([reading(3, 0.6), reading(5), reading(1)], [A, B, C])
    throws = [watch.feed([reading(3), reading(5)], [A, B]) for _ in range(7)]
    assert values([throw for throw in throws if throw is not None]) == [[3, 5]]


@pytest.mark.parametrize("pictures", [1, 2, 5])
def test_pictures_of_one_scene_are_not_taken_for_independent(pictures: int) -> None:
    watch = started()
    watch.new_scene()
    for _ in range(pictures):
        watch.feed([reading(3, 0.7), reading(5, 0.7)], [A, B])
    # As independent ones two would come to 0.84, and five to 0.99.
    assert 0.69 < watch._scene[0].confidence < 0.78


@pytest.mark.parametrize("is_first", [True, False])
def test_a_picture_out_of_focus_leaves_what_a_die_shows_to_a_sharp_one(is_first: bool) -> None:
    watch = started()
    watch.new_scene()
    sharp = reading(6)
    blurred = replace(sharp, faces={1: 0.11, 2: 0.15, 3: 0.43, 4: 0.05, 5: 0.17, 6: 0.09})
    for seen in (blurred, sharp) if is_first else (sharp, blurred):
        watch.feed([seen], [A])
    (die,) = watch._scene
    assert die.value == 6
    assert die.faces[6] > 0.95
    assert sum(die.faces.values()) == pytest.approx(1)


def test_pictures_that_contradict_each_other_leave_a_die_unsure() -> None:
    watch = started()
    watch.new_scene()
    for value in (3, 5):
        watch.feed([reading(value, 0.99)], [A])
    assert watch._scene[0].confidence < 0.6


def test_a_numbered_die_of_which_nothing_is_told_may_show_any_face() -> None:
    watch = started()
    watch.new_scene()
    watch.feed([replace(reading(1), kind="d20", faces={1: 0.0})], [A])
    assert set(watch._scene[0].faces) == set(range(1, 21))
    assert max(watch._scene[0].faces.values()) < 0.06


def test_die_that_is_seen_in_some_pictures_only_is_part_of_the_throw_but_never_sure() -> None:
    watch = started()
    watch.new_scene()
    both, one = ([reading(3), reading(5)], [A, B]), ([reading(3)], [A])
    (throw,) = [throw for seen in (both, one, one, both, one, one) if (throw := watch.feed(*seen)) is not None]
    assert values([throw]) == [[3, 5]]
    assert throw.dice[0].confidence > 0.97
    assert 0.1 < throw.dice[1].confidence < 0.97


def test_dice_of_which_most_pictures_show_nothing_are_not_taken_for_an_empty_table() -> None:
    watch = started({A: 3, B: 5})
    watch.new_scene()
    seen = [[C], [], [], [C], [], []]
    (throw,) = [throw for at in seen if (throw := watch.feed([reading(2) for _ in at], at)) is not None]
    assert (throw.number, values([throw])) == (2, [[2]])
    assert throw.dice[0].confidence < 0.97


def test_what_looked_like_a_die_before_anybody_threw_completes_no_throw() -> None:
    watch = started()
    for lies in ({C: 6}, {}):
        show(watch, lies, pictures=1)
    watch.new_scene()
    seen = [[A, C], [A], [A], [A, C], [A], [A]]
    (throw,) = [throw for at in seen if (throw := watch.feed([reading(3) for _ in at], at)) is not None]
    assert values([throw]) == [[3]]


def test_die_that_fell_again_on_its_old_place_with_its_old_face_is_part_of_the_new_throw() -> None:
    rng = np.random.default_rng(1)
    before, again, other = (rng.uniform(0, 255, (LOOK_PX, LOOK_PX, 3)).astype(np.float32) for _ in range(3))
    watch = started()
    watch.new_scene()
    for _ in range(3):
        watch.feed([reading(3), reading(5)], [A, B], looks=[before, before])
    assert watch.number == 1
    watch.new_scene()
    for _ in range(3):
        watch.feed([reading(3), reading(5)], [A, B], looks=[before * 1.1, before + 8])
    assert watch.number == 1
    watch.new_scene()
    throws = [watch.feed([reading(3), reading(2)], [A, C], looks=[again, other]) for _ in range(3)]
    assert values([throw for throw in throws if throw is not None]) == [[3, 2]]


#: Px to the board, and the edge of a die in a picture of it.
PX, EDGE_PX = 500, 20


def seen_at(value: int, at_px: tuple[float, float], sure: float = 0.99) -> DieReading:
    x, y = at_px
    half = EDGE_PX / 2
    return replace(reading(value, sure), centre_px=at_px, box=(x - half, y - half, x + half, y + half))


def look_at(watch: ThrowWatch, dice: list[DieReading], shift: float = 0.0) -> list[Throw]:
    """A settled scene on a board that shows so much farther to the right, in its own units."""
    watch.new_scene()
    places = [(die.centre_px[0] / PX - shift, die.centre_px[1] / PX) for die in dice]
    found = [watch.feed(dice, places) for _ in range(3)]
    return [throw for throw in found if throw is not None]


def test_dice_beside_a_board_that_is_pushed_or_turned_make_no_throw() -> None:
    watch = started()
    dice = [seen_at(3, (550, 150)), seen_at(5, (600, 180))]
    assert len(look_at(watch, dice)) == 1
    watch.shift()
    assert not look_at(watch, dice, 0.2)
    # From now on they lie there: when the camera is bumped, too.
    watch.shift()
    bumped = [seen_at(die.value, (die.centre_px[0] + 60, die.centre_px[1])) for die in dice]
    assert not look_at(watch, bumped, 0.2 + 60 / PX)
    assert watch.lying is not None
    assert [lying.at_px for lying in watch.lying] == [(610.0, 150.0), (660.0, 180.0)]


def test_a_die_beside_a_board_that_is_pushed_under_the_other_makes_no_throw() -> None:
    watch = started()
    off, on = seen_at(3, (550, 150)), seen_at(5, (300, 180))
    assert len(look_at(watch, [off, on])) == 1
    watch.shift()
    watch.new_scene()
    moved = seen_at(5, (370, 180))
    assert not any(watch.feed([off, moved], [(1.1 - 0.14, 0.3), (0.6, 0.36)]) for _ in range(3))


@pytest.mark.parametrize("has_moved", [False, True], ids=["in its place", "moved"])
def test_before_a_camera_that_was_moved_dice_that_lie_still_look_otherwise(has_moved: bool) -> None:
    watch, rng = started(), np.random.default_rng(3)
    before, after = (rng.uniform(0, 255, (2, LOOK_PX, LOOK_PX, 3)).astype(np.float32) for _ in range(2))
    dice = [reading(3), reading(5)]
    for looks in (before, after):
        watch.new_scene()
        for _ in range(3):
            watch.feed(dice, [A, B], looks=list(looks))
        if has_moved:
            watch.shift()
    assert watch.number == (1 if has_moved else 2)


def test_dice_that_were_thrown_after_a_push_are_a_throw() -> None:
    watch = started()
    assert len(look_at(watch, [seen_at(3, (550, 150)), seen_at(5, (600, 180))])) == 1
    watch.shift()
    assert len(look_at(watch, [seen_at(4, (550, 150)), seen_at(5, (600, 180 + EDGE_PX))], 0.2)) == 1


@pytest.mark.parametrize("has_moved", [False, True], ids=["never moved", "moved before"])
def test_on_a_board_that_has_not_moved_its_own_places_count(has_moved: bool) -> None:
    watch = started()
    dice = [seen_at(3, (250, 150)), seen_at(5, (300, 180))]
    assert len(look_at(watch, dice)) == 1
    if has_moved:
        watch.shift()
        assert not look_at(watch, dice)
    # From low down a way along the line of sight shows as less than it is.
    watch.new_scene()
    far = [(0.5, 0.3 + 0.3 * DIE_EDGE), (0.6, 0.36 + 0.3 * DIE_EDGE)]
    watch.was_away = True
    assert any(watch.feed(dice, far) for _ in range(3))


def test_memory_keeps_lying_dice_from_counting_again_after_a_restart() -> None:
    before = started({A: 3, B: 5})
    after = ThrowWatch(wanted=2, number=before.number, lying=before.lying)
    assert show(after, {A: 3, B: 5}, pictures=8) == []
    assert [throw.number for throw in show(after, {C: 1, D: 1})] == [2]


def test_what_flickered_once_in_a_scene_that_was_read_is_no_throw() -> None:
    watch = started({A: 3, B: 5})
    watch.next_picture([reading(1)], [D])
    assert watch.feed([reading(3), reading(5), reading(1)], [A, B, D]) is None
    assert show(watch, {A: 3, B: 5}, pictures=8, moved=False) == []
