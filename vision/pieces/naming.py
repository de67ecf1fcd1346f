"""Whose foot is whose: what speaks for each, weighed, and the names given out to all together."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.pieces.assignment import assign, marginals

#: A token is sure to be known from this probability on.
SURE = 0.9
#: Log odds of what cannot be.
NEVER = -500.0
#: Added to log odds when names are given out: a name given wrongly is mostly no worse than one that is missing. Not
#: where a foot is a second one of one that is sure to be known, or pushes that aside.
_EAGER = 5.0
#: Nor where a name is hardly probable, or what stands there is rather the cop, unless it resembles the token. (By 0.1
#: three of 3359 pictures more are right, but of 36 tokens that are put down lying 22 are told, in place of 27.)
_HARDLY, _RATHER, _RESEMBLES = 0.015, 0.5, 0.65
#: Of the cop and a token of his kind neither has less than the first of what both have, nor, where both are seen, than
#: the second in each place: odds of 1.4 in two places are as much as odds of 2 in one. All looks share their faults, so
#: together they must not outweigh the book. Of one kind with a token is what resembles it, or, where others hide it in
#: part, is at least so much like it and more so than like any other.
_LEAST_OF_LIKE, _LEAST_OF_BOTH, _IN_PART = 1 / 3, 0.41, 0.45
#: What is so much more like another token is not rather this one: of six such names none was right.
_MUCH_LESS = 0.15
#: He is blue, and where there are discs he is there (SL-7.1): log odds of what is blue to be him without any disc, and
#: among some, but for what shows that something stands there. (On 240 rendered tables he is told in 1109 of 1119
#: pictures, in place of 1105 by what else speaks for him, and where he is not, in 10 of 2240, in place of nine; by 6
#: among discs in one more, but next to scans of the empty board some markers were misread then.)
BLUE, BLUE_AMONG_DISCS = 2.0, 4.0
#: Feet nearer to each other than this, in widths of a space, are not those of two tokens, if both are most like one;
#: if they are like two, but the second no more than by so much, these are as near as that at least.
_APART, _TWO_APART, _UNLIKE = 0.33, 0.27, 0.1


class Weights(NamedTuple):
    """What speaks for a foot being that of an enrolled token, or of the cop: weights that give log odds.

    Attributes:
        alike: of the likeness to the token.
        cop: of the recognizer's log odds of being the cop, where nobody has enrolled him.
        kind: of how much that looks like the token that it is most like: he may be a pawn like those that play.
        shows: of the finder's log odds of a token.
        other: of the finder's log odds of the likeliest other thing there.
        doubted: of being found as another thing alone (1) or not (0).
        as_token, as_cop: constants; and `as_any`, for whatever figure stands for the cop.
    """

    alike: float
    cop: float
    kind: float
    shows: float
    other: float
    doubted: float
    as_token: float
    as_cop: float
    as_any: float


#: Fitted by `python -m vision.training.calibrate_tokens` before colors counted, whose share is added to what the cosine
#: had; but for those of the finder's log odds, and of the cop, which are fitted to what the recognizer has said since.
#: (Of the cop that nobody has enrolled, in 240 rendered tables: he is told in 1109 of 1119 pictures, and all tokens are
#: right in 3234 of 3359; where he is a pawn with a cap, and the blue one without plays, he is told in 945 of 980, with
#: caps of shapes that nothing was trained on in 400 of 448; where he is any figure, in 232 of 336.)
WEIGHTS = Weights(21.6, 0.7, 3.0, 4.0, -0.5, -6.0, -8.5, 1.3, -1.5)


@dataclass(frozen=True)
class Evidence:
    """What is known of feet that may be those of tokens.

    Attributes:
        at: (n, 2) where they are, in widths of a space; `spread`: (n,) the standard deviation of that.
        alike: (n, names) likeness to the enrolled tokens, up to 1 for the very same look.
        like_cop: (n,) likewise to the cop; NaN where nobody has enrolled him.
        by_color: (n,) log odds of being the cop by its color, but for what shows that something stands there.
        as_figure: (n,) log odds of being a token or the cop, whoever, by the recognizer alone.
        cop, shows, other, doubted: (n,) as in `Weights`.
    """

    at: NDArray[np.float64]
    alike: NDArray[np.float64]
    like_cop: NDArray[np.float64]
    by_color: NDArray[np.float64]
    as_figure: NDArray[np.float64]
    cop: NDArray[np.float64]
    shows: NDArray[np.float64]
    other: NDArray[np.float64]
    doubted: NDArray[np.float64]
    spread: NDArray[np.float64]

    @cached_property
    def odds(self) -> NDArray[np.float64]:
        """(n, names + 1) log odds of being each of the enrolled, and the cop, rather than none of them."""
        common = WEIGHTS.shows * self.shows + WEIGHTS.other * self.other + WEIGHTS.doubted * self.doubted
        tokens = WEIGHTS.alike * self.alike + (common + WEIGHTS.as_token)[:, None]
        is_again = self._is_again(tokens)
        tokens = np.where(is_again[:, None], NEVER, tokens)
        by_looks = WEIGHTS.alike * self.like_cop + WEIGHTS.as_token
        by_cap = WEIGHTS.cop * self.cop + WEIGHTS.kind * self.alike.max(axis=1, initial=-1.0) + WEIGHTS.as_cop
        by_any = np.where(self.cop > NEVER, WEIGHTS.as_any, NEVER)
        unknown = np.logaddexp(np.logaddexp(by_cap, by_any), self.by_color)
        # What looks like no figure at all is not he: hotels were, where nothing else spoke for another.
        cop = np.where(self._is_cop_known, by_looks, unknown + np.minimum(self.as_figure, 0.0)) + common
        return np.column_stack([tokens - self._as_second(tokens), np.where(is_again, NEVER, cop)])

    @property
    def _is_cop_known(self) -> NDArray[np.bool_]:
        """(n,) the same of all: whether the cop is enrolled."""
        return ~np.isnan(self.like_cop)

    def _is_again(self, tokens: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(n,) whether each stands too near to a foot that is more like the token it is most like, by log odds."""
        name, most = tokens.argmax(axis=1), tokens.max(axis=1, initial=NEVER)
        is_less = (name[:, None] == name) & (most[:, None] < most) & (most > 0)
        return np.asarray((self.is_near & is_less).any(axis=1))

    def _as_second(self, tokens: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, names) what log odds lose to a foot being one more of a token too near to it that shows more plainly.

        What is more like another token than that one, is sooner the other.
        """
        plainness = self.shows + NEVER * self.doubted
        is_plainer = self._is_within(_TWO_APART) & (plainness > plainness[:, None])
        name, most = tokens.argmax(axis=1), tokens.max(axis=1, initial=NEVER)
        unlike = np.maximum(self.alike[:, None] - self.alike[:, name][..., None] - _UNLIKE, 0.0)
        other = np.where(is_plainer[..., None], most[:, None] - WEIGHTS.alike * unlike, NEVER)
        return np.asarray(np.logaddexp(0.0, other.max(axis=1, initial=NEVER)))

    @cached_property
    def is_near(self) -> NDArray[np.bool_]:
        """(n, n) whether one stands too near to the other for both to be tokens."""
        return self._is_within(_APART)

    def _is_within(self, reach: float) -> NDArray[np.bool_]:
        away = self.at[:, None] - self.at
        return np.asarray((np.hypot(away[..., 0], away[..., 1]) < reach) & ~np.eye(len(away), dtype=bool))

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """(n, names + 1) probability of being each of the enrolled, and the cop, of which there is one each."""
        return marginals(self.odds)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """(names,) whose foot is not surely among these."""
        return np.asarray(self.shares[:, :-1].sum(axis=0) < SURE)

    def below(self, least: float) -> NDArray[np.intp]:
        """The feet of which nothing is so probable, not even that they are none of these."""
        shares = self.shares
        return np.flatnonzero(np.maximum(shares.max(axis=1, initial=0.0), 1 - shares.sum(axis=1)) < least)

    def of(self, which: NDArray[np.intp]) -> "Evidence":
        """That of some of the feet."""
        return Evidence(*(getattr(self, each.name)[which] for each in fields(self)))

    def and_of(self, more: "Evidence") -> "Evidence":
        """This, and that of further feet."""
        pairs = ((getattr(self, each.name), getattr(more, each.name)) for each in fields(self))
        return Evidence(*(np.concatenate(pair) for pair in pairs))

    def given(self) -> list[int]:
        """(n,) number of the name that each foot is given, that of the cop after them all; -1 for none."""
        return assign(self.odds + self._eager())

    def between_cop_and_like(self, given: list[int]) -> NDArray[np.float64]:
        """(n, names + 1) shares, but where the cop looks like a token, which of the two is which is not surer than so.

        Where nobody has enrolled him, a token of his kind looks like the cop as much as he does, and in every picture.
        Where no foot is his, the one most like him may be.

        Args:
            given: see `given`.
        """
        shares, last, as_cop = self.shares.copy(), self.alike.shape[1], self.odds[:, -1]
        if self._is_cop_known.all():
            return shares
        cop = given.index(last) if last in given else int(as_cop.argmax()) if (as_cop > 0).any() else None
        for foot, name in enumerate(given):
            if cop is not None and 0 <= name < last and self._is_like(cop, name):
                least = _LEAST_OF_LIKE if cop == foot else _LEAST_OF_BOTH
                for each in {foot, cop}:
                    both = shares[each, name] + shares[each, last]
                    shares[each, name] = np.clip(shares[each, name], both * least, both * (1 - least))
                    shares[each, last] = both - shares[each, name]
        return shares

    def _is_like(self, foot: int, name: int) -> bool:
        """Whether what stands there may be of a token's kind."""
        least = _IN_PART if name == int(self.alike[foot].argmax()) else _RESEMBLES
        return bool(self.alike[foot, name] > least)

    def _eager(self) -> NDArray[np.float64]:
        """(n, names + 1) what is added to log odds when names are given out."""
        shares, alike = self.shares, self.alike
        is_sure, is_cop = shares[:, :-1] > SURE, shares[:, -1:] > _RATHER
        is_strange = (alike < _RESEMBLES) & ((shares[:, :-1] < _HARDLY) | is_cop)
        is_known = is_sure.any(axis=1, keepdims=True)
        is_other = ~is_sure & (is_known | self.is_near @ is_known | is_sure.any(axis=0))
        eager = np.where(np.column_stack([~(is_strange | is_other), is_cop]), _EAGER, 0.0)
        is_less = alike < alike.max(axis=1, keepdims=True, initial=-1.0) - _MUCH_LESS
        eager[:, :-1][is_less & (shares[:, :-1] < _RATHER)] = NEVER
        return eager
