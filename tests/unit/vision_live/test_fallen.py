"""A token lies where it stood or was put: told after several looks, and not while anything may hide it."""

import pytest

from vision.detections import TokenReading
from vision.live.fallen import LYING_LOOKS, PLAIN_LOOKS, Fallen

PLACE, BESIDE, FAR, AWAY, NEW = (0.5, 0.9), (0.53, 0.9), (0.2, 0.9), (0.1, 0.1), (0.9, 0.5)
CAR = TokenReading("car", {24: 0.99}, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0))
HAT = TokenReading("hat", {3: 0.99}, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0))


def look(
    fallen: Fallen, car: float, at: tuple[float, float] = PLACE, other: tuple[float, float] = FAR, hat: float = -4.0
) -> set[str]:
    """The car lies with these log odds, and the hat far away with `hat`."""
    return fallen.feed([CAR, HAT], {"car": car, "hat": hat}, [at, AWAY], [other])


@pytest.fixture
def fallen() -> Fallen:
    fallen = Fallen()
    for _ in range(PLAIN_LOOKS):
        assert look(fallen, -4.0) == set()
    return fallen


def test_a_token_that_lies_is_told_after_several_looks_until_it_stands(fallen: Fallen) -> None:
    told = [look(fallen, 3.0, BESIDE) for _ in range(LYING_LOOKS + 2)]
    assert told == [set()] * (LYING_LOOKS - 1) + [{"car"}] * 3
    assert look(fallen, -2.0) == set()
    assert look(fallen, 3.0) == set()


def test_a_token_that_something_may_hide_has_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 3.0, other=BESIDE) == set() for _ in range(3 * LYING_LOOKS))


def test_a_token_that_was_never_seen_standing_there_has_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 3.0, FAR, PLACE) == set() for _ in range(3 * LYING_LOOKS))


def test_a_token_that_is_put_down_lying_is_told_where_it_stood_twice_before(fallen: Fallen) -> None:
    for _ in range(PLAIN_LOOKS):
        assert look(fallen, -3.0, FAR, PLACE) == set()
    told = [look(fallen, 5.0, NEW) for _ in range(LYING_LOOKS)]
    assert told == [set()] * (LYING_LOOKS - 1) + [{"car"}]
    assert look(fallen, -3.0, NEW) == set()


def test_a_token_that_always_looked_nearly_so_was_not_put_down_lying(fallen: Fallen) -> None:
    for _ in range(PLAIN_LOOKS):
        assert look(fallen, -0.5, FAR, PLACE) == set()
    assert all(look(fallen, 5.0, NEW) == set() for _ in range(3 * LYING_LOOKS))


def test_a_token_that_may_stand_has_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 0.6) == set() for _ in range(3 * LYING_LOOKS))


def test_a_token_that_always_looked_nearly_so_has_not_fallen() -> None:
    fallen = Fallen()
    for _ in range(PLAIN_LOOKS):
        assert look(fallen, 0.4) == set()
    assert all(look(fallen, 1.5) == set() for _ in range(3 * LYING_LOOKS))
    assert [look(fallen, 5.0) for _ in range(LYING_LOOKS)][-1] == {"car"}


def test_a_token_beside_which_another_always_looks_so_is_told_all_the_same() -> None:
    fallen = Fallen()
    for _ in range(PLAIN_LOOKS):
        assert look(fallen, -4.0, hat=3.0) == set()
    assert [look(fallen, 3.0, hat=3.5) for _ in range(LYING_LOOKS)][-1] == {"car"}


def test_tokens_that_all_seem_to_lie_at_once_have_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 3.0, hat=1.0) == set() for _ in range(3 * LYING_LOOKS))


def test_a_token_that_nobody_can_ask_about_has_not_fallen(fallen: Fallen) -> None:
    assert all(fallen.feed([CAR], {}, [PLACE], []) == set() for _ in range(3 * LYING_LOOKS))


def test_the_only_token_that_is_seen_may_have_fallen() -> None:
    fallen = Fallen()
    told = [fallen.feed([CAR], {"car": odds}, [PLACE], []) for odds in [-4.0] * PLAIN_LOOKS + [3.0] * LYING_LOOKS]
    assert told[-1] == {"car"}
