"""Hands at the virtual table lay discs and move the Cop."""

from companion.cli.virtual_play import markers_between
from companion.rules import Game


def test_hands_lay_a_miner_beside_the_bomb_and_move_the_cop() -> None:
    given = {"players": {"Ann": {"at": "reading"}}, "spaces": {"reading": {"owner": "Bob", "bomb": True}}}
    before = Game.new("slaughterhouse", ["Ann", "Bob"], given=given)
    after = before.copy()
    after.act({"use": "miner"})
    assert [(each.do, each.to, each.markers) for each in markers_between(before, after, 0)] == [
        ("mark", 5, ("bomb", "miner"))
    ]
    later = after.copy()
    later.act({"roll": [1, 2]})
    later.act({"choose": "pass"})
    assert [(each.do, each.token, each.to) for each in markers_between(after, later, 0)] == [("move", "cop", 33)]
    classic = Game.new("classic", ["Ann", "Bob"])
    assert list(markers_between(classic, classic.copy(), 0)) == []
