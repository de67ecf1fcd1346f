"""Whose foot is whose: names are given out to all together, by what speaks for each."""

from dataclasses import replace

import numpy as np
import pytest

from vision.pieces.assignment import assign, marginals
from vision.pieces.naming import BLUE, BLUE_AMONG_DISCS, NEVER, Evidence


def evidence(alike: list[list[float]], scores: list[float], away: float = 1.0) -> Evidence:
    none, at = np.zeros(len(scores)), np.outer(np.arange(len(scores)), [0.0, away])
    shows = np.array([np.log(score / (1 - score)) for score in scores])
    unknown, never, figures, no_cop = none * np.nan, none + NEVER, none + 8.0, none - 12.0
    return Evidence(at, np.array(alike), unknown, never, figures, no_cop, shows, none - 2.2, none, none + 0.05)


def test_of_two_feet_of_one_token_the_plainer_is_named() -> None:
    odds = evidence([[0.80, 0.1], [0.82, 0.1], [0.1, 0.8]], [0.6, 0.28, 0.5]).odds
    assert assign(odds) == [0, -1, 1]
    shares = marginals(odds)
    assert shares[0, 0] > 0.9
    assert shares[1].sum() < 0.1


def test_of_the_cop_and_a_token_like_him_neither_is_surely_one_of_them() -> None:
    both = replace(evidence([[0.88, 0.1], [0.8, 0.1], [0.1, 0.9]], [0.9, 0.9, 0.9]), cop=np.array([-4.0, 1.5, -9.0]))
    given = both.given()
    assert given == [0, 2, 1]
    plain, fair = both.shares, both.between_cop_and_like(given)
    assert plain[0, 0] > 0.7
    assert fair[0, 0] == pytest.approx(0.59 * (plain[0, 0] + plain[0, 2]))
    assert fair[1, 2] == pytest.approx(0.59 * (plain[1, 0] + plain[1, 2]))
    assert fair[2] == pytest.approx(plain[2])
    alone = both.of(np.array([0, 2]))
    assert alone.given() == [0, 1]
    assert alone.between_cop_and_like([0, 1])[0, 0] == pytest.approx(2 / 3 * alone.shares[0, [0, 2]].sum())
    unlike = replace(both, alike=np.array([[0.88, 0.1], [0.2, 0.1], [0.1, 0.9]]))
    assert unlike.between_cop_and_like(unlike.given()) == pytest.approx(unlike.shares)


@pytest.mark.parametrize(("cop", "given"), [(2.0, [2, 0, 1]), (-11.0, [0, -1, 1])])
def test_of_two_feet_like_one_token_that_which_looks_like_the_cop_is_he(cop: float, given: list[int]) -> None:
    # A foot that hardly shows is most like the token, one that shows plainly is nearly as much like it.
    both = evidence([[0.84, 0.1], [0.89, 0.1], [0.1, 0.9]], [0.7, 0.4, 0.6])
    assert replace(both, cop=np.array([cop, cop - 4, -12.0])).given() == given


def test_of_feet_like_one_token_the_likest_is_its_own_though_the_other_looks_a_little_less_like_the_cop() -> None:
    both = replace(evidence([[0.9, 0.1], [0.7, 0.1], [0.1, 0.9]], [0.7, 0.7, 0.7]), cop=np.array([-1.0, -2.0, -12.0]))
    assert both.given() == [0, 2, 1]


def test_any_figure_that_is_like_no_token_may_be_the_cop_where_there_is_one() -> None:
    seen = evidence([[0.9, 0.1], [0.1, 0.9], [0.1, 0.1]], [0.7, 0.7, 0.7])
    assert seen.given() == [0, 1, 2]
    assert replace(seen, cop=np.full(3, NEVER)).given() == [0, 1, -1]


def test_what_is_no_figure_is_not_the_cop_whatever_its_color() -> None:
    seen = evidence([[0.9, 0.1], [0.1, 0.9], [0.1, 0.1]], [0.7, 0.7, 0.7])
    figures = np.array([8.0, 8.0, -9.0])
    assert replace(seen, as_figure=figures).given() == [0, 1, -1]
    assert replace(seen, as_figure=figures, by_color=np.full(3, BLUE)).given() == [0, 1, -1]
    known = replace(seen, as_figure=figures, like_cop=np.array([0.1, 0.1, 0.9]))
    assert known.given() == [0, 1, 2], "people have shown him, and he lies"


def test_a_token_of_the_cops_mold_is_not_seen_twice_as_him_too() -> None:
    look = [[0.93, 0.1], [0.54, 0.46], [0.1, 0.9]]
    for away, expected in ((0.2, [0, -1, 1]), (1.0, [0, 2, 1])):
        both = replace(evidence(look, [0.65, 0.5, 0.9], away), cop=np.array([-5.7, -1.5, -9.0]))
        assert both.given() == expected
    plain, fair = both.shares, both.between_cop_and_like(expected)
    assert plain[0, 0] > 0.9, "of two pawns the one that others hide in part is less like the enrolled one"
    assert fair[0, 0] == pytest.approx(0.59 * (plain[0, 0] + plain[0, 2]))


def test_second_foot_of_a_token_is_not_that_of_another_that_it_is_a_little_like() -> None:
    alike, scores = [[0.44, 0.74], [0.21, 0.85], [0.42, 0.11]], [0.57, 0.35, 0.47]
    assert assign(evidence(alike, scores).odds) == [0, 1, -1]
    assert assign(evidence(alike, scores, away=0.3).odds) == [1, -1, 0]
    # Two feet of one token that are most like another, which stands elsewhere.
    seen_twice = evidence([[0.7, 0.75], [0.5, 0.72], [0.1, 0.9]], [0.5, 0.5, 0.5])
    seen_twice = replace(seen_twice, at=np.array([[0.0, 0.0], [0.0, 0.3], [0.0, 3.0]]))
    assert assign(seen_twice.odds) == [0, -1, 1]
    # Two that are both there, each most like itself, may stand so near, and nearer, though one shows less plainly.
    assert assign(evidence([[0.8, 0.3], [0.3, 0.8]], [0.5, 0.5], away=0.3).odds) == [0, 1]
    assert assign(evidence([[0.8, 0.3], [0.3, 0.8]], [0.5, 0.3], away=0.24).odds) == [0, 1]


def test_feet_of_which_nothing_is_clear_are_looked_at_again() -> None:
    one_or_other = evidence([[0.80, 0.1, 0.1], [0.1, 0.6, 0.6], [0.1, 0.6, 0.6], [0.1, 0.1, 0.1]], [0.6, 0.5, 0.5, 0.1])
    assert one_or_other.below(0.7).tolist() == [1, 2]
    assert one_or_other.below(0.4).tolist() == []


def test_a_plain_foot_loses_nothing_to_a_fainter_one_beside_it() -> None:
    both = evidence([[0.6, 0.3], [0.3, 0.6]], [0.7, 0.3], away=0.25).odds
    alone = evidence([[0.6, 0.3], [0.3, 0.6]], [0.7, 0.3]).odds
    assert (both[0] == alone[0]).all()
    assert (both[1, :2] < alone[1, :2] - 1).all()


def named(feet: list[tuple[float, tuple[float, float]]], away: float = 3.0) -> list[int]:
    """Which of two tokens each foot is said to be, -1 for none, by its score and how much it is like them.

    Each stands so many widths of a space away from the one before.
    """
    return evidence([list(alike) for _, alike in feet], [score for score, _ in feet], away).given()


@pytest.mark.parametrize(
    ("score", "alike", "name"),
    [(0.5, 0.45, 0), (0.2, 0.7, 0), (0.06, 0.68, 0), (0.3, 0.35, 0), (0.3, 0.25, -1), (0.06, 0.4, -1)],
)
def test_a_name_that_is_hardly_probable_is_given_only_to_what_resembles_the_token(
    score: float, alike: float, name: int
) -> None:
    assert named([(0.6, (-0.1, 0.8)), (score, (alike, 0.2))]) == [1, name]


@pytest.mark.parametrize(("other", "name"), [(0.45, 0), (0.8, -1)])
def test_a_name_is_not_given_to_what_is_much_more_like_another_token(other: float, name: int) -> None:
    assert named([(0.6, (-0.1, 0.9)), (0.5, (0.33, other))]) == [1, name]


def test_what_is_rather_the_cop_is_no_token_that_is_missing() -> None:
    seen = evidence([[0.4, 0.1]], [0.6])
    assert seen.given() == [0]
    assert replace(seen, cop=np.array([4.0])).given() == [2]


def test_what_is_blue_is_sooner_the_cop_but_for_what_looks_very_like_a_token() -> None:
    feet = [[0.5, 0.1], [0.1, 0.9]]
    assert evidence(feet, [0.8, 0.8]).given() == [0, 1]
    by_color = np.array([BLUE_AMONG_DISCS, NEVER])
    blue = replace(evidence(feet, [0.8, 0.8]), by_color=by_color)
    assert blue.given() == [2, 1]
    own = replace(evidence([[0.8, 0.1], [0.1, 0.9]], [0.8, 0.8]), by_color=by_color)
    assert own.given() == [0, 1]
    assert replace(blue, like_cop=np.array([0.1, 0.1])).given() == [0, 1], "how he looks is known"
    assert replace(blue, by_color=np.array([BLUE, NEVER])).given() == [0, 1], "he need not be there"


def test_no_token_that_is_sure_is_renamed_so_that_one_more_name_is_given() -> None:
    assert named([(0.64, (0.27, 0.83)), (0.19, (-0.5, 0.75))]) == [1, -1]


def test_what_may_be_a_second_foot_of_a_token_that_is_known_is_not_given_the_name_that_is_left() -> None:
    feet = [(0.6, (-0.1, 0.8)), (0.3, (0.45, 0.4))]
    assert named(feet) == [1, 0]
    assert named(feet, away=0.3) == [1, -1]
