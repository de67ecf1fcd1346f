"""A stop-motion game, read by a scripted reader through the real watcher, told turn by turn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.observations import SPACES, DiceSeen, DieSeen
from companion.rules import Game
from companion.tracking import Look, Tracker, Turn
from tests.unit.referee.noise import posterior
from vision.detections import DieReading, TableReading, TokenReading
from vision.live.watcher import Memory, Watcher

PLAYERS = ("car", "hat", "boot")
CORNERS = np.array([[900.0, 500.0], [100.0, 500.0], [100.0, 20.0], [900.0, 20.0]])
NOTHING = TableReading(True, CORNERS, False, False, [], [], {}, [], 1.0)


@dataclass
class Script:
    """A reader that is told what it reads."""

    reading: TableReading = NOTHING

    def read(self, frame_bgr: Any) -> TableReading:
        return self.reading


def die(faces: dict[int, float], x: float, y: float) -> DieReading:
    return DieReading("d6", faces, (x, y), (x - 12, y - 12, x + 12, y + 12))


def token(name: str, squares: dict[int, float], in_jail: float = 0.0) -> TokenReading:
    best = max(squares, key=lambda square: squares[square])
    # A foot of its own on every space, so that a token that moved is seen to have moved.
    x, y = 120.0 + 19.0 * best, 60.0 + 60.0 * PLAYERS.index(name)
    return TokenReading(name, squares, (x, y), (x - 8, y - 20, x + 8, y), in_jail)


def stop_motion(seed: int, turns: int, quality: float) -> Iterator[tuple[str, TableReading, dict[str, Any] | None]]:
    """Pictures of a game: dice tumbling, dice settled, token carried, token settled; with the last one the truth."""
    random = Random(seed)
    game = Game.new(variant="watch", players=PLAYERS, options={"doubles_again": False})
    places = dict.fromkeys(PLAYERS, 0)
    jailed = dict.fromkeys(PLAYERS, False)
    dice: list[DieReading] = []

    def standing() -> list[TokenReading]:
        return [
            token(name, posterior([(s + k) % 40 for k in range(-1, 2)], s, quality, random), float(jailed[name]))
            for name, s in places.items()
        ]

    for turn in range(turns):
        faces = [random.randint(1, 6), random.randint(1, 6)]
        events = game.act({"roll": faces})
        mover = next(event["player"] for event in events if event["type"] == "rolled")
        tumbling = [die({1: 0.4, 5: 0.3}, random.uniform(300, 700), random.uniform(150, 350)) for _ in faces]
        spots = [
            (random.uniform(300, 480), random.uniform(150, 350)),
            (random.uniform(520, 700), random.uniform(150, 350)),
        ]
        yield f"t{turn:03}_0", replace(NOTHING, dice=tumbling, tokens=standing()), None
        dice = [
            die(posterior(range(1, 7), face, quality, random), *spot) for face, spot in zip(faces, spots, strict=True)
        ]
        yield f"t{turn:03}_1", replace(NOTHING, dice=dice, tokens=standing()), None
        yield f"t{turn:03}_2", replace(NOTHING, dice=dice, hand=True), None
        start = places[mover]
        after = game.snapshot()["players"][mover]
        places[mover], jailed[mover] = SPACES.index(after["at"]), after["in_jail"]
        truth = {"mover": mover, "dice": sorted(faces), "start": start, "to": places[mover]}
        yield f"t{turn:03}_3", replace(NOTHING, dice=dice, tokens=standing()), truth


def follow(seed: int, turns: int, quality: float, lost: float = 0.0) -> tuple[list[Turn], list[dict[str, Any]]]:
    """What is told and what was true; `lost` is the share of dice, tokens and hands that the reader overlooks."""
    random = Random(seed)
    script = Script()
    watcher = Watcher(script, is_slideshow=True, memory=Memory(lying=()))
    tracker = Tracker(PLAYERS, {"doubles_again": False})
    told: list[Turn] = []
    truths = []
    frame = np.zeros((540, 960, 3), np.uint8)
    for index, (file, reading, truth) in enumerate(stop_motion(seed, turns, quality)):
        dice = [each for each in reading.dice if random.random() >= lost]
        tokens = [each for each in reading.tokens if random.random() >= lost]
        reading = replace(reading, dice=dice, tokens=tokens, hand=reading.hand and random.random() >= lost)
        script.reading = reading
        look = None if reading.hand else Look([token.squares for token in reading.tokens])
        told += tracker.feed(file, watcher.feed(frame, index * 1_000_000_000), look)
        if truth is not None:
            truths.append(truth)
    told += tracker.close()
    return told, truths


def as_truth(turn: Turn) -> dict[str, Any]:
    return {"mover": turn.mover, "dice": sorted(turn.dice), "start": turn.start, "to": turn.to}


@pytest.mark.parametrize("seed", range(3))
def test_a_clear_clip_is_told_exactly(seed: int) -> None:
    told, truths = follow(seed, 20, 9.0)
    assert [as_truth(turn) for turn in told] == truths
    assert not any(turn.asked for turn in told)
    assert [turn.turn for turn in told] == list(range(20))


@pytest.mark.parametrize("seed", range(3))
def test_a_clip_that_is_hard_to_read_has_few_silent_errors(seed: int) -> None:
    told, truths = follow(seed, 25, 4.0)
    wrong = [t for t, truth in zip(told, truths, strict=True) if as_truth(t) != truth]
    assert len(told) == len(truths)
    assert len([turn for turn in wrong if not turn.asked]) <= 1


def test_dice_tokens_and_hands_that_are_overlooked_now_and_then_shift_no_turn() -> None:
    told, truths = follow(3, 25, 7.0, lost=0.06)
    wrong = [turn for turn, truth in zip(told, truths, strict=True) if as_truth(turn) != truth]
    assert not [turn for turn in wrong if not turn.asked]
    assert len(wrong) <= 2


def sure(*faces: int, throw: int) -> DiceSeen:
    return DiceSeen(dice=tuple(DieSeen(faces={face: 0.99}) for face in faces), throw=throw)


def at(*spaces: int, **named: int) -> Look:
    """A token on each of these spaces, whosoever, or one that looks like that player's."""
    tokens = [{space: 0.97, (space + 1) % 40: 0.03} for space in (*spaces, *named.values())]
    return Look(tokens, {name: {named[name]: 0.9} if name in named else {} for name in PLAYERS} if named else {})


def tracker_of_three() -> Tracker:
    return Tracker(PLAYERS, {"doubles_again": False})


def test_a_turn_is_told_only_once_three_more_have_begun() -> None:
    tracker = tracker_of_three()
    assert tracker.feed("a", [sure(3, 4, throw=1)], at(0, 0, 0)) == []
    assert tracker.feed("b", [], at(0, 0, 7)) == []
    assert tracker.feed("c", [sure(1, 1, throw=2)], at(0, 2, 7)) == []
    assert tracker.feed("d", [sure(1, 2, throw=3)], at(3, 2, 7)) == []
    (turn,) = tracker.feed("e", [sure(1, 3, throw=4)], at(3, 2, 11))
    assert (turn.mover, turn.dice, turn.start, turn.to, turn.asked) == ("car", [3, 4], 0, 7, False)
    assert turn.evidence == {"dice": "a", "token": "b"}
    assert [turn.mover for turn in tracker.close()] == ["hat", "boot", "car"]


def test_a_throw_that_was_missed_is_guessed_from_the_token_and_marked() -> None:
    tracker = tracker_of_three()
    tracker.feed("a", [], at(0, 0, 0))
    tracker.feed("b", [], at(0, 0, 5))
    tracker.feed("c", [sure(3, 4, throw=1)], at(0, 0, 5))
    tracker.feed("d", [], at(0, 7, 5))
    first, second = tracker.close()
    assert (first.mover, sum(first.dice), first.to, first.asked) == ("car", 5, 5, True)
    assert (second.mover, second.dice, second.to, second.asked) == ("hat", [3, 4], 7, False)


def test_whether_dice_that_are_hard_to_read_show_a_double_is_told_by_who_moves_next() -> None:
    tracker = Tracker(PLAYERS, {"doubles_again": True})
    tracker.feed("a", [], at(0, 0, 0))
    hardly = (DieSeen(faces={2: 0.6, 3: 0.3}), DieSeen(faces={4: 0.6, 3: 0.3}))
    told = tracker.feed("b", [DiceSeen(dice=hardly, throw=1)], at(0, 0, 6))
    before = (0, 0, 6)
    for number, after in enumerate([(0, 0, 9), (0, 3, 9), (3, 3, 9)], 2):
        told += tracker.feed("c", [sure(1, 2, throw=number)], at(*before))
        told += tracker.feed("d", [], at(*after))
        before = after
    told += tracker.close()
    assert [(turn.mover, turn.dice) for turn in told[:2]] == [("car", [3, 3]), ("car", [1, 2])]
    assert [turn.mover for turn in told] == ["car", "car", "hat", "boot"]
    assert not any(turn.asked for turn in told)


def with_dice(look: Look, *faces: int) -> Look:
    return replace(look, dice=[DieSeen(faces={face: 0.95}) for face in faces])


@pytest.mark.parametrize("faces", [(4, 1), (4,), (6, 6), (4, 1, 6)])
def test_dice_that_one_picture_shows_tell_of_a_throw_that_was_missed(faces: tuple[int, ...]) -> None:
    tracker = tracker_of_three()
    tracker.feed("a", [], at(0, 0, 0))
    tracker.feed("b", [], with_dice(at(0, 0, 0), *faces))
    for file in ("c", "d"):
        tracker.feed(file, [], at(0, 0, 5))
    (turn,) = tracker.close()
    assert (turn.mover, turn.to, sum(turn.dice)) == ("car", 5, 5)
    if faces in ((4, 1), (4,)):
        assert sorted(turn.dice) == [1, 4]
    assert turn.asked == (faces != (4, 1))


def test_dice_that_were_seen_before_the_last_move_say_nothing_of_the_next_throw() -> None:
    tracker = tracker_of_three()
    tracker.feed("a", [], with_dice(at(0, 0, 0), 1, 4))
    told = [turn for file in ("b", "c") for turn in tracker.feed(file, [], at(0, 0, 5))]
    told += [turn for file in ("d", "e") for turn in tracker.feed(file, [], at(0, 5, 5))]
    first, second = told + tracker.close()
    assert (sorted(first.dice), first.asked) == ([1, 4], False)
    assert (sum(second.dice), second.asked) == (5, True)


def test_dice_of_the_last_throw_that_still_lie_say_nothing_of_the_next_one() -> None:
    tracker = tracker_of_three()
    told = tracker.feed("a", [sure(1, 4, throw=1)], with_dice(at(0, 0, 0), 1, 4))
    told += [turn for file in ("b", "c") for turn in tracker.feed(file, [], with_dice(at(0, 0, 5), 1, 4))]
    told += [turn for file in ("d", "e") for turn in tracker.feed(file, [], at(0, 5, 5))]
    first, second = told + tracker.close()
    assert (first.dice, first.asked) == ([1, 4], False)
    assert (second.mover, sum(second.dice), second.asked) == ("hat", 5, True)


def test_sure_dice_that_the_token_contradicts_are_marked() -> None:
    tracker = tracker_of_three()
    seen = (DieSeen(faces={3: 0.98, 2: 0.02}), DieSeen(faces={4: 0.99}))
    tracker.feed("a", [DiceSeen(dice=seen, throw=1)], at(0, 0, 6))
    tracker.feed("b", [], at(0, 0, 6))
    (turn,) = tracker.close()
    assert (sum(turn.dice), turn.to, turn.asked) == (6, 6, True)


def test_an_unsure_die_is_settled_by_the_token() -> None:
    tracker = tracker_of_three()
    seen = (DieSeen(faces={3: 0.55, 2: 0.45}), DieSeen(faces={4: 0.99}))
    tracker.feed("a", [DiceSeen(dice=seen, throw=1)], at(0, 0, 6))
    (turn,) = tracker.close()
    assert (sorted(turn.dice), turn.to, turn.asked) == ([2, 4], 6, False)


def test_dice_that_were_none_are_no_turn() -> None:
    tracker = tracker_of_three()
    tracker.feed("a", [sure(3, 4, throw=1)], at(0, 0, 0))
    tracker.feed("b", [sure(6, 4, throw=2)], at(0, 0, 0))
    for file in ("c", "d"):
        tracker.feed(file, [], at(0, 0, 10))
    told = tracker.close()
    assert [(turn.mover, turn.dice, turn.to) for turn in told] == [("car", [4, 6], 10)]


def test_a_throw_seen_better_is_no_second_throw() -> None:
    tracker = tracker_of_three()
    unsure = (DieSeen(faces={3: 0.5, 2: 0.4}), DieSeen(faces={4: 0.99}))
    tracker.feed("a", [DiceSeen(dice=unsure, throw=1)])
    tracker.feed("b", [sure(2, 4, throw=1)], at(0, 0, 6))
    (turn,) = tracker.close()
    assert (turn.dice, turn.asked) == ([2, 4], False)


def test_one_picture_of_nonsense_decides_nothing() -> None:
    tracker = tracker_of_three()
    tracker.feed("a", [sure(3, 4, throw=1)], at(0, 0, 0))
    tracker.feed("b", [], at(22, 31, 17, 5))
    tracker.feed("c", [], at(0, 0, 7))
    (turn,) = tracker.close()
    assert (turn.dice, turn.to) == ([3, 4], 7)


def test_the_corner_that_sends_to_jail_is_told_as_jail() -> None:
    tracker = Tracker(("car", "hat"), {"doubles_again": False})
    places = {"car": 0, "hat": 0}
    for number, faces in enumerate([(5, 5), (1, 2), (6, 4), (1, 2), (6, 4)], 1):
        mover = "car" if number % 2 else "hat"
        places[mover] = (places[mover] + sum(faces)) % 40
        places[mover] = 10 if places[mover] == 30 else places[mover]
        tracker.feed("x", [sure(*faces, throw=number)], at(*places.values()))
    *_, turn = tracker.close()
    assert (turn.mover, turn.start, turn.to, turn.to_in_jail) == ("car", 20, 10, True)
    assert tracker.book == {"car": (10, True), "hat": (6, False)}


def test_the_book_is_silent_while_it_is_in_question() -> None:
    tracker = tracker_of_three()
    seen = (DieSeen(faces={3: 0.5, 2: 0.5}), DieSeen(faces={4: 0.99}))
    tracker.feed("a", [DiceSeen(dice=seen, throw=1)])
    assert tracker.book == {}
    tracker.feed("b", [], at(0, 0, 6))
    assert tracker.book["car"] == (6, False)


def test_a_missed_throw_is_noticed_by_who_stands_where() -> None:
    tracker = tracker_of_three()
    # The car is never seen; the hat moves, nobody having read its throw, then the boot, whose throw is read.
    told = tracker.feed("a", [sure(3, 4, throw=1)], at(hat=0, boot=0))
    for file in ("b", "c"):
        told += tracker.feed(file, [], at(hat=6, boot=0))
    told += tracker.feed("d", [sure(2, 6, throw=2)], at(hat=6, boot=0))
    told += tracker.feed("e", [], at(hat=6, boot=8)) + tracker.close()
    assert [(turn.mover, turn.to) for turn in told] == [("car", 7), ("hat", 6), ("boot", 8)]
    assert told[1].asked


def test_looks_alone_do_not_undo_what_dice_and_places_say() -> None:
    tracker = tracker_of_three()
    told = tracker.feed("a", [sure(3, 4, throw=1)], at(boot=7, hat=0, car=0))
    told += tracker.feed("b", [sure(2, 4, throw=2)], at(boot=7, hat=6, car=0))
    told += tracker.feed("c", [sure(5, 6, throw=3)], at(boot=7, hat=6, car=11)) + tracker.close()
    assert [(turn.mover, turn.to, turn.asked) for turn in told] == [
        ("car", 7, False),
        ("hat", 6, False),
        ("boot", 11, False),
    ]


def test_two_throws_that_nobody_read_are_both_made_up_for() -> None:
    tracker = tracker_of_three()
    told = tracker.feed("a", [], at(car=0, hat=0, boot=0))
    told += tracker.feed("b", [], at(car=5, hat=9, boot=0))
    told += tracker.feed("c", [sure(1, 2, throw=1)], at(car=5, hat=9, boot=3)) + tracker.close()
    assert [(turn.mover, turn.to) for turn in told] == [("car", 5), ("hat", 9), ("boot", 3)]
    assert [turn.asked for turn in told] == [True, True, False]
