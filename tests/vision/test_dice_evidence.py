"""What speaks for being a die."""

import numpy as np
import pytest

from vision.dice.evidence import USUALLY_COCKED, cocked_odds, one_size_odds, slant_evidence


def odds_beside(edge: float, other: float, chance: float) -> float:
    """Of a d6 with this edge beside another, that is one with this probability."""
    edges, others = np.array([edge, other], np.float32), np.array([[0, chance], [0, 0]], np.float32)
    return float(one_size_odds(edges, others)[0])


@pytest.mark.parametrize("edge", [18.0, 20.0, 22.0])
def test_a_die_as_large_as_a_sure_one_is_surer(edge: float) -> None:
    assert 0 < odds_beside(edge, 20.0, 0.99) <= 1


@pytest.mark.parametrize("edge", [12.0, 14.0, 28.0, 40.0])
def test_what_is_of_another_size_is_doubted_but_may_be_of_another_set(edge: float) -> None:
    assert -8 < odds_beside(edge, 20.0, 0.99) < -0.5


def test_the_surer_the_other_the_more_it_says() -> None:
    assert odds_beside(12.0, 20.0, 0.99) < odds_beside(12.0, 20.0, 0.6) < odds_beside(12.0, 20.0, 0.0)
    assert odds_beside(12.0, 20.0, 0.0) == pytest.approx(0, abs=1e-6)


def test_small_dice_are_less_surely_cocked() -> None:
    """Of one that is too small to tell it is as likely as in any game."""
    plainly = np.tile(slant_evidence(np.array([3.0, 0.6, 0.0, -3.0, -3.0]), np.zeros(2)), (4, 1))
    tiny, small, clear, large = 1 / (1 + np.exp(-cocked_odds(plainly, np.array([0.01, 8, 16, 30]))))
    assert tiny == pytest.approx(USUALLY_COCKED, abs=0.001)
    assert tiny < small < clear == large
    assert clear > 0.9


@pytest.mark.parametrize("edge", [0.01, 8.0, 16.0, 30.0])
def test_no_flat_die_is_cocked_however_small(edge: float) -> None:
    plainly_flat = slant_evidence(np.array([-6.0, 0.0, 0.0, -3.0, -3.0]), np.zeros(2))[None]
    assert cocked_odds(plainly_flat, np.array([edge])) < np.log(0.05)
