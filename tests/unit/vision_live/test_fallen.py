"""A token lies where it stood: told after several looks, and not while anything may hide it."""

import pytest

from vision.detections import TokenReading
from vision.fallen import PLAIN_LOOKS, STRANGE_LOOKS, Fallen

PLACE, BESIDE, FAR, AWAY = (0.5, 0.9), (0.53, 0.9), (0.2, 0.9), (0.1, 0.1)


def car(chance: float) -> TokenReading:
    return TokenReading("car", {24: 0.99}, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0), 0.0, {"car": chance})


def hat(chance: float) -> TokenReading:
    return TokenReading("hat", {3: 0.99}, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0), 0.0, {"hat": chance})


def look(
    fallen: Fallen, chance: float, at: tuple[float, float] = PLACE, other: tuple[float, float] = FAR, hats: float = 0.99
) -> set[str]:
    """The car looks like one with this probability, and the hat far away like one with `hats`."""
    return fallen.feed([car(chance), hat(hats)], [car(0.99), hat(0.99)], [at, AWAY], [other])


@pytest.fixture
def fallen() -> Fallen:
    fallen = Fallen()
    for _ in range(PLAIN_LOOKS):
        assert look(fallen, 0.98) == set()
    return fallen


def test_a_token_that_lies_is_told_after_several_looks_until_it_stands(fallen: Fallen) -> None:
    told = [look(fallen, 0.05, BESIDE) for _ in range(STRANGE_LOOKS + 2)]
    assert told == [set()] * (STRANGE_LOOKS - 1) + [{"car"}] * 3
    assert look(fallen, 0.9) == set()
    assert look(fallen, 0.05) == set()


def test_a_token_that_something_may_hide_has_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 0.05, other=BESIDE) == set() for _ in range(3 * STRANGE_LOOKS))


def test_a_token_that_was_never_seen_plainly_there_has_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 0.05, FAR, PLACE) == set() for _ in range(3 * STRANGE_LOOKS))


def test_a_token_that_is_hard_to_tell_has_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 0.4) == set() for _ in range(3 * STRANGE_LOOKS))


def test_tokens_that_all_look_strange_at_once_have_not_fallen(fallen: Fallen) -> None:
    assert all(look(fallen, 0.05, hats=0.1) == set() for _ in range(3 * STRANGE_LOOKS))
