"""The look at the whole board is told as long as it says more than before."""

from vision.detections import TokenReading
from vision.live.standing import MOST_LOOKS, StandingWatch


def tokens(*names: str) -> list[TokenReading]:
    """Tokens of these names on the spaces 3, 8, …"""
    return [
        TokenReading(name, {3 + 5 * k: 0.99}, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0), 0.0, {name: 0.98})
        for k, name in enumerate(names)
    ]


def test_a_look_is_told_until_further_pictures_say_nothing_new() -> None:
    watch = StandingWatch()
    told = [watch.feed(tokens("car", "hat"), k) for k in range(12)]
    assert [look.looks for look in told if look is not None] == list(range(2, MOST_LOOKS + 1))


def test_tokens_that_change_places_are_told_though_the_same_spaces_are_taken() -> None:
    watch = StandingWatch()
    for k in range(12):
        watch.feed(tokens("car", "hat"), k)
    told = [look for k in range(12) if (look := watch.feed(tokens("hat", "car"), k)) is not None]
    assert len(told) == MOST_LOOKS - 1
    assert told[-1].named["hat"]["baltic"] > 0.6 > told[-1].named["car"].get("baltic", 0.0)


def test_what_shows_too_little_is_told_and_when_it_shows_again() -> None:
    watch = StandingWatch()
    for k in range(12):
        watch.feed(tokens("car", "hat"), k)
    for hidden, spaces in ((frozenset({1, 3}), ("mediterranean", "baltic")), (frozenset[int](), ())):
        told = [look for k in range(4) if (look := watch.feed(tokens("car", "hat"), k, hidden)) is not None]
        assert [look.hidden for look in told] == [spaces]
