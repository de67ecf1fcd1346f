"""Whole games on the virtual table, read by the real eyes: how many turns need nobody.

`python -m pytest -m benchmark tests/benchmarks/test_demo_games.py -s -n 0` plays what `boardside demo --turns 40
--headless` plays, for the seeds in `DEMO_SEEDS` (`1-10` where it is not set; `2` or `3-5` are other examples), and
prints a line a seed.
"""

import os

import pytest

from companion.cli.demo import is_silent, reader_of, summary
from companion.cli.headless import HeadlessTable, TurnRecord
from tests.benchmarks.test_hard_turns import dim

#: Throws of a game, and the least share of all that is read right without asking.
TURNS, LEAST_RIGHT = 40, 0.97


def seeds() -> range:
    first, _, last = os.environ.get("DEMO_SEEDS", "1-10").partition("-")
    return range(int(first), int(last or first) + 1)


#: Games in the dark, throws of each, and the least share of all that is read right without asking.
DARK_SEEDS, DARK_TURNS, LEAST_RIGHT_IN_THE_DARK = range(300, 304), 30, 0.75


#: Games in which zombies throw four-sided dice, throws and players of each, and the same.
ZOMBIE_SEEDS, ZOMBIE_TURNS, ZOMBIE_PLAYERS, LEAST_RIGHT_WITH_ZOMBIES = range(450, 454), 80, 5, 0.96


@pytest.mark.benchmark
def test_in_the_dark_most_turns_are_right_without_asking_and_no_move_is_wrong_in_silence() -> None:
    records: list[TurnRecord] = []
    for seed in DARK_SEEDS:
        records += HeadlessTable(seed, reader_of, restyled=dim).turns(DARK_TURNS)
    right = sum(record.is_ok and not record.asked for record in records)
    silent = [record for record in records if is_silent(record)]
    print(f"\nin the dark: {right} of {len(records)} right without asking, {len(silent)} silent errors")
    # A throw that is not seen, and by which no token moves, leaves nothing to ask by.
    assert [record for record in silent if record.truth["from"] != record.truth["to"]] == []
    assert right >= LEAST_RIGHT_IN_THE_DARK * len(records)


@pytest.mark.benchmark
def test_of_four_sided_dice_that_are_too_small_to_be_read_the_tokens_tell() -> None:
    records: list[TurnRecord] = []
    for seed in ZOMBIE_SEEDS:
        game = HeadlessTable(seed, reader_of, "monopozombie", ZOMBIE_PLAYERS)
        records += game.turns(ZOMBIE_TURNS)
    right = sum(record.is_ok and not record.asked for record in records)
    silent = [record for record in records if is_silent(record)]
    unread = sum(record.is_ok and record.reading["dice"] is None for record in records)
    print(f"\nwith zombies: {right} of {len(records)} right without asking, {unread} of these by the token alone")
    # Faces that are thought to be read may be wrong in silence, but nobody goes elsewhere by them.
    assert [each for each in silent if each.reading["to"] != each.truth["to"]] == []
    assert right >= LEAST_RIGHT_WITH_ZOMBIES * len(records)


@pytest.mark.benchmark
def test_turns_are_read_right_without_asking_and_none_wrong_in_silence() -> None:
    records: list[TurnRecord] = []
    print(f"\n{'seed':>4}{'turns':>7}{'right':>7}{'asked':>7}{'silent errors':>15}")
    for seed in seeds():
        game = list(HeadlessTable(seed, reader_of).turns(TURNS))
        told = summary(seed, game)
        print(
            f"{seed:>4}{told['turns']:>7}{told['right_without_asking']:>7}{told['asked']:>7}{told['silent_errors']:>15}",
            flush=True,
        )
        records += game
    silent = [record for record in records if is_silent(record)]
    right = [record for record in records if record.is_ok and not record.asked]
    assert records
    assert not silent
    assert len(right) >= LEAST_RIGHT * len(records), f"{len(right)} of {len(records)} turns"
