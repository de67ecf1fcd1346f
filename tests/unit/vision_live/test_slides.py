"""Dice in pictures that are moments apart."""

from vision.detections import DieReading
from vision.live.slides import SlideThrowWatch
from vision.live.throws import Place

Seen = tuple[dict[int, float], Place]


def feed(watch: SlideThrowWatch, *dice: Seen) -> list[int] | None:
    readings = [DieReading("d6", faces, (0.0, 0.0), (0.0, 0.0, 10.0, 10.0)) for faces, _ in dice]
    places = [place for _, place in dice]
    watch.next_picture(readings, places)
    throw = watch.feed(readings, places)
    return None if throw is None else sorted(die.value for die in throw.dice)


def started() -> SlideThrowWatch:
    return SlideThrowWatch(wanted=2, lying=())


LEFT, RIGHT = (0.3, 0.4), (0.6, 0.5)


def test_dice_that_lie_in_two_pictures_are_a_throw() -> None:
    watch = started()
    assert feed(watch, ({2: 0.9}, (0.1, 0.1)), ({6: 0.9}, (0.9, 0.9))) is None
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) is None
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) == [3, 5]
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) is None


def test_a_die_overlooked_in_one_picture_counts_beside_one_seen_twice() -> None:
    for first, second in (((LEFT, RIGHT), (LEFT,)), ((LEFT,), (LEFT, RIGHT))):
        watch = started()
        assert feed(watch, *(({4: 0.99}, place) for place in first)) is None
        assert feed(watch, *(({4: 0.99}, place) for place in second)) == [4, 4]


def test_something_seen_once_beside_enough_dice_is_no_die() -> None:
    watch = started()
    feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT))
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT), ({1: 0.99}, (0.1, 0.1))) == [3, 5]


def test_an_unsure_reading_is_reported_as_it_is() -> None:
    watch = started()
    feed(watch, ({3: 0.6, 2: 0.4}, LEFT), ({5: 0.99}, RIGHT))
    assert feed(watch, ({3: 0.6, 2: 0.4}, LEFT), ({5: 0.99}, RIGHT)) == [3, 5]


def test_the_same_faces_thrown_again_are_a_throw() -> None:
    watch = started()
    for _ in range(2):
        feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT))
    assert feed(watch, ({1: 0.4}, (0.1, 0.1)), ({2: 0.4}, (0.9, 0.9))) is None
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) is None
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) == [3, 5]
    assert watch.number == 2


def test_a_picture_without_dice_forgets_nothing() -> None:
    watch = started()
    feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT))
    assert feed(watch) is None
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) == [3, 5]
    assert feed(watch) is None
    assert feed(watch, ({3: 0.99}, LEFT), ({5: 0.99}, RIGHT)) is None
