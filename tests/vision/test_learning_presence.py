"""What the answer whether a token stands somewhere is learned from."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch: install the extra `training`")


def test_what_a_token_looks_like_is_learned_from_what_nothing_else_takes_for_one() -> None:
    from vision.training.presence import Pieces, fitted

    rng, n = np.random.default_rng(3), 4000
    # Of what may be one all else tells already which are; the second feature alone tells tokens from other things.
    are = np.repeat([True, False, False], n)
    seen = rng.normal(0, 1, (3 * n, 3)).astype(np.float32)
    seen[:, 1] += np.where(are, 1.5, -1.5)
    before = np.repeat([8.0, -8.0, np.nan], n)
    weights, constant = fitted(Pieces(seen, before, are))
    assert weights[1] > 5 * np.abs(weights[[0, 2]]).max()
    odds = seen @ weights + constant + np.log(1 / 2)
    assert ((odds > 0) == are).mean() > 0.9
