"""A variant overrides named steps and adds state, events, decisions and abilities of its own."""

import pytest

from companion.rules import Game, Refused, decide, evolve, fold
from companion.rules.registry import VARIANTS


@pytest.fixture(autouse=True)
def fake_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Shamblers", "Haggle", "Patrol"):
        monkeypatch.setitem(VARIANTS, name.lower(), f"tests.unit.rules.fake_variants:{name}")


def game_of(variant: str, **given: object) -> Game:
    return Game.new(variant, ["Ann", "Bob", "Cat"], given=given)


def assert_folds(game: Game, action: dict[str, object]) -> None:
    """The same action through decide and evolve, and through JSON."""
    before = game.state
    events = decide(before, action)
    game.act(action)
    assert fold(before, events) == game.state
    assert Game.from_json(game.to_json()).state == game.state


def test_a_shambler_rolls_other_dice_and_chooses_a_direction() -> None:
    game = game_of("shamblers", players={"Ann": {"at": "illinois"}})
    assert_folds(game, {"roll": [3, 3]})
    assert game.snapshot()["players"]["Ann"]["status"] == "shambler"
    assert game.pending[0]["dice"] == "2d4"
    with pytest.raises(Refused, match="2d4"):
        game.act({"roll": [5, 1]})
    assert_folds(game, {"roll": [4, 4]})
    assert game.pending == [{"kind": "move_to", "player": "Ann", "options": ["luxury-tax", "chance-2"]}]
    assert_folds(game, {"choose": "chance-2"})
    assert game.snapshot()["players"]["Ann"]["at"] == "chance-2"


def test_building_rules_can_be_loosened() -> None:
    game = game_of("shamblers", spaces={"baltic": {"owner": "Ann"}})
    assert_folds(game, {"build": "baltic"})
    with pytest.raises(Refused) as refusal:
        game.act({"build": "baltic"})
    assert refusal.value.code == "uneven_building"


def test_somebody_else_moves_before_the_mover() -> None:
    given = {"players": {"Cat": {"status": "lost", "at": "oriental"}}, "spaces": {"oriental": {"owner": "Bob"}}}
    game = game_of("shamblers", **given, turn={"player": "Ann", "phase": "done"})
    with pytest.raises(Refused) as refusal:
        game.act({"roll": [1, 1], "by": "Bob"})
    assert refusal.value.code == "decision_pending"
    assert_folds(game, {"roll": [4], "by": "Cat"})
    assert game.snapshot()["turn"]["player"] == "Bob"
    assert game.pending == [{"kind": "roll", "player": "Bob", "dice": "2d6", "purpose": "move"}]


def test_players_react_between_rent_owed_and_paid() -> None:
    game = game_of("haggle", spaces={"oriental": {"owner": "Bob"}})
    assert_folds(game, {"roll": [3, 3]})
    assert game.pending == [{"kind": "haggle", "player": "Bob", "options": ["forgive", "insist"]}]
    insisted = game.copy()
    assert_folds(insisted, {"choose": "insist"})
    assert insisted.snapshot()["players"]["Ann"]["cash"] == 1494
    assert_folds(game, {"choose": "forgive"})
    assert game.snapshot()["players"]["Ann"]["cash"] == 1500
    assert game.snapshot()["turn"] == {"player": "Ann", "number": 1, "doubles": 1, "phase": "roll"}


def test_a_debt_suspends_what_comes_after_a_reaction() -> None:
    game = game_of("haggle", players={"Ann": {"cash": 2}}, spaces={"oriental": {"owner": "Bob"}})
    game.act({"roll": [3, 3]})
    assert_folds(game, {"choose": "insist"})
    assert game.pending[0]["kind"] == "raise_cash"
    assert_folds(game, {"use": "favor", "by": "Ann"})
    assert_folds(game, {"pay": True})
    assert game.snapshot()["turn"]["phase"] == "roll"
    with pytest.raises(Refused):
        game.act({"use": "favor", "by": "Ann"})


def test_a_second_piece_moves_after_every_move() -> None:
    game = game_of("patrol", players={"Bob": {"at": "st-charles"}})
    assert_folds(game, {"roll": [6, 4]})
    assert game.pending == [{"kind": "roll", "player": "Ann", "dice": "d20", "purpose": "guard"}]
    assert_folds(game, {"roll": [1]})
    assert game.snapshot()["guard_at"] == "st-charles"
    assert game.snapshot()["players"]["Bob"]["at"] == "jail"


def test_things_are_planted_on_any_space_and_go_off() -> None:
    game = game_of("patrol", players={"Ann": {"at": "marvin"}}, guard_at="boardwalk")
    assert_folds(game, {"use": "bomb", "on": "north-carolina"})
    assert_folds(game, {"use": "bomb", "on": "go", "by": "Bob"})
    assert game.snapshot()["spaces"]["go"]["bombs"] == ["Bob"]
    assert game.snapshot()["pot"] == 200
    assert_folds(game, {"roll": [1, 2]})
    assert game.snapshot()["alarm"] == {"Ann": 1}
    assert game.snapshot()["spaces"]["north-carolina"]["bombs"] == []


def test_an_ability_says_what_it_takes() -> None:
    game = game_of("patrol")
    for action, code in (
        ({"use": "bomb", "on": "nowhere"}, "unknown_space"),
        ({"use": "bomb", "target": "Bob"}, "malformed"),
        ({"use": "fly"}, "not_allowed"),
    ):
        with pytest.raises(Refused) as refusal:
            game.act(action)
        assert refusal.value.code == code


def test_inputs_are_never_changed() -> None:
    game = game_of("patrol")
    before, text = game.state, game.to_json()
    events = decide(before, {"roll": [1, 2]})
    after = before
    for event in events:
        after = evolve(after, event)
    assert game.to_json() == text
    assert after != before
