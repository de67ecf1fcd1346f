"""Which dice were thrown: the page draws each by its kind, and offers its faces when it was read wrong."""

from typing import Any

import pytest

from tests.unit.table.tables import line, new_table, play

ZOMBIE = {"set": {"stage": "outbreak", "turn": {"player": "Bob"}, "players": {"Bob": {"status": "zombie"}}}}


@pytest.mark.parametrize(
    ("variant", "options", "actions", "sides"),
    [
        ("classic", {}, [{"roll": [1, 2]}], [6, 6]),
        ("monopozombie", {}, [ZOMBIE, {"roll": [1, 3]}], [4, 4]),
        ("monopozombie", {}, [{"roll": [1, 2]}, {"choose": "buy"}, ZOMBIE, {"roll": [1, 3]}], [4, 4]),
        ("monopozombie", {"zombie_dice": "d6"}, [ZOMBIE, {"roll": [1, 3]}], [6, 6]),
        (
            "slaughterhouse",
            {},
            [{"set": {"players": {"Ann": {"at": "pennsylvania"}}}}, {"roll": [1, 3]}, {"roll": [4]}],
            [6],
        ),
    ],
)
def test_now_and_the_log_tell_the_kind_of_each_die(
    variant: str, options: dict[str, Any], actions: list[dict[str, Any]], sides: list[int]
) -> None:
    table = new_table(("Ann", "Bob", "Cat"), variant=variant, options=options)
    play(table, *actions)
    view = table.view()
    assert view["now"]["sides"] == sides
    assert len(view["now"]["dice"]) == len(sides)
    assert view["log"][-1]["sides"] == sides


def test_what_is_no_throw_has_no_dice() -> None:
    table = new_table()
    play(table, {"roll": [1, 2]}, {"choose": "buy"})
    assert line(table, 2)["sides"] == []
    assert table.view()["now"]["sides"] == [6, 6]


def test_only_throws_of_the_dice_that_were_thrown_are_proposed_instead() -> None:
    table = new_table(("Ann", "Bob", "Cat"), variant="monopozombie")
    play(table, ZOMBIE, {"roll": [1, 3]})
    proposed = [each["action"]["roll"] for each in table.alternatives(2)]
    assert len(proposed) == 9
    assert max(max(throw) for throw in proposed) == 4
