"""What cannot be read, or stands otherwise than in the book, is said in plain words and never guessed."""

from typing import Any

import pytest

from companion.observations import Building, BuildingsSeen, DiceSeen, DieSeen, MarkersSeen, TokenSeen
from companion.referee.driver import RefereedGame
from companion.rules import Game


def table(variant: str = "classic", **game: Any) -> RefereedGame:
    return RefereedGame(Game.new(variant=variant, players=["Ann", "Bob"], options={}, **game))


def die(face: int, sure: float = 0.99, cocked: float = 0.0) -> DieSeen:
    return DieSeen(faces={face: sure}, cocked=cocked, box_px=(10.0 * face, 0.0, 10.0 * face + 9, 9.0))


def asked(played: RefereedGame) -> tuple[str, list[Any]]:
    (question,) = played.questions
    return question.text, [option.option for option in question.options]


def standing(token: str, space: str) -> TokenSeen:
    return TokenSeen(token=token, spaces={space: 0.99})


def test_one_die_of_two_is_said_to_be_missing_and_counts_for_nothing() -> None:
    played = table()
    played.see(DiceSeen(dice=(die(4),), throw=1))
    assert asked(played) == ("I see one die; one is missing. Ann throws two dice.", ["throw_again"])
    assert played.game.actions == []
    played.see(DiceSeen(dice=(die(4), die(2)), throw=1))
    assert played.questions == ()
    assert [action["roll"] for action in played.game.actions] == [[4, 2]]


def test_a_die_too_many_is_said() -> None:
    played = table()
    played.see(DiceSeen(dice=(die(1), die(2), die(4)), throw=1))
    assert asked(played)[0] == "I see three dice; Ann throws two dice. Which count?"


def test_a_cocked_die_is_said_to_be_cocked_and_may_be_thrown_again() -> None:
    played = table()
    played.see(DiceSeen(dice=(die(2), die(5, cocked=0.8)), throw=1))
    text, options = asked(played)
    assert text == "The right die lies tilted. 5, or throw again?"
    assert options[0] == (2, 5)
    assert options[-1] == "throw_again"
    assert played.game.actions == []
    played.answer("dice", "throw_again")
    assert (played.questions, played.game.actions) == ((), [])


def test_a_token_that_is_gone_or_fallen_over_is_asked_about() -> None:
    played = table(given={"players": {"Bob": {"at": "baltic"}}})
    played.see(standing("Bob", "baltic"))
    played.see(TokenSeen(token="Bob", gone=True))
    assert asked(played) == ("I can't see Bob's token standing on Baltic Avenue. Has it fallen over?", ["put_right"])


@pytest.mark.parametrize("order", [("Ann", "Bob"), ("Bob", "Ann")])
@pytest.mark.parametrize("answer", ["put_right", "misread"])
def test_two_tokens_in_each_others_place_are_one_question(order: tuple[str, str], answer: str) -> None:
    played = table(given={"players": {"Ann": {"at": "baltic"}, "Bob": {"at": "vermont"}}})
    belongs = {"Ann": "baltic", "Bob": "vermont"}
    for player in order:
        played.see(standing(player, belongs[player]))
    for player in order:
        played.see(standing(player, belongs["Bob" if player == "Ann" else "Ann"]))
    text, options = asked(played)
    assert text == ("Ann's and Bob's tokens have changed places: Ann belongs on Baltic Avenue, Bob on Vermont Avenue.")
    assert options == ["put_right", "misread"]
    played.answer("token", answer)
    assert played.questions == ()
    for player in order:
        played.see(standing(player, belongs[player]))
    assert played.questions == ()
    assert played.game.actions == []


BUILT = {
    "first": "Ann",
    "given": {
        "players": {"Ann": {"at": "go"}, "Bob": {"at": "go"}},
        "spaces": {
            "oriental": {"owner": "Ann", "houses": 2},
            "vermont": {"owner": "Ann", "houses": 2},
            "connecticut": {"owner": "Ann", "houses": 2},
        },
    },
}


def houses(count: int, confidence: float = 0.99, space: str = "oriental") -> BuildingsSeen:
    return BuildingsSeen(buildings={space: Building(houses=count)}, confidence=confidence)


def pass_turns(played: RefereedGame, *throws: tuple[int, int]) -> None:
    for throw in throws:
        played.act({"roll": list(throw)})
        for _ in range(4):
            decision = next((each for each in played.game.pending if each["kind"] != "roll"), None)
            if decision is None:
                break
            option = "auction" if "auction" in decision.get("options", ()) else None
            played.act({"choose": option} if option else {"pass": True, "by": decision["player"]})


def test_fewer_houses_than_in_the_book_are_a_question() -> None:
    played = table(**BUILT)
    played.see(houses(1))
    assert asked(played)[0] == "The board shows 1 house on Oriental Avenue; the book says 2 houses."
    played.see(houses(2))
    assert played.questions == ()


def test_what_is_not_sure_is_asked_once_it_has_lasted_into_the_next_turn() -> None:
    played = table(**BUILT)
    played.see(houses(0, confidence=0.9))
    assert played.questions == (), "a token may hide them"
    played.act({"roll": [4, 6]})
    played.act({"roll": [4, 6]})
    assert [question.about for question in played.questions] == ["buildings"]
    assert asked(played)[0] == "The board shows nothing on Oriental Avenue; the book says 2 houses."


def test_an_unsure_sight_that_was_wrong_is_never_asked_about() -> None:
    played = table(**BUILT)
    played.see(houses(0, confidence=0.9))
    played.see(houses(2, confidence=0.9))
    played.act({"roll": [4, 6]})
    played.act({"roll": [4, 6]})
    assert played.questions == ()


@pytest.mark.parametrize(
    ("space", "seen", "is_asked"),
    [
        ("vermont", Building(houses=1), True),
        ("vermont", Building(hotel=True), False),
        ("oriental", Building(houses=4), True),
        ("pennsylvania", Building(houses=1), False),
    ],
    ids=["who owns them all may build", "not a hotel at once", "more may be built", "nobody owns it"],
)
def test_an_unsure_building_is_asked_about_only_where_it_may_have_been_built(
    space: str, seen: Building, is_asked: bool
) -> None:
    group = {name: {"owner": "Ann", "houses": 1} for name in ("oriental", "connecticut")}
    played = table(first="Ann", given={**BUILT["given"], "spaces": {**group, "vermont": {"owner": "Ann"}}})
    played.see(BuildingsSeen(buildings={space: seen}, confidence=0.9))
    played.act({"roll": [4, 6]})
    played.act({"roll": [4, 6]})
    assert [question.facts["space"] for question in played.questions] == [space] * is_asked
    played.see(BuildingsSeen(buildings={space: seen}, confidence=0.99))
    assert [question.facts["space"] for question in played.questions] == [space]


def test_a_hotel_and_discs_are_counted_too() -> None:
    played = table(**BUILT)
    played.see(BuildingsSeen(buildings={"oriental": Building(hotel=True)}, confidence=0.99))
    assert asked(played)[0] == "The board shows a hotel on Oriental Avenue; the book says 2 houses."
    city = table("slaughterhouse")
    city.see(MarkersSeen(markers={"oriental": ("bomb",)}, confidence=0.99))
    assert asked(city)[0] == "I see a bomb on Oriental Avenue; the book says nothing."


@pytest.mark.parametrize(
    ("space", "is_asked"), [("oriental", True), ("vermont", False), ("go", False)], ids=["owned", "not owned", "none"]
)
def test_an_unsure_marker_is_asked_about_only_where_it_may_lie(space: str, is_asked: bool) -> None:
    played = table("slaughterhouse", first="Ann", given={"spaces": {"oriental": {"owner": "Ann"}}})
    played.see(MarkersSeen(markers={space: ("miner",)}, confidence=0.8))
    played.act({"roll": [4, 6]})
    played.act({"end_turn": True})
    played.act({"roll": [4, 6]})
    assert [question.facts["space"] for question in played.questions] == [space] * is_asked
    played.see(MarkersSeen(markers={space: ("miner",)}, confidence=0.99))
    assert [question.facts["space"] for question in played.questions] == [space]


def test_a_token_is_asked_about_in_one_way_at_a_time() -> None:
    """Ann's first throw did not count, which only the second shows."""
    played = table()
    played.see(DiceSeen(dice=(die(4), die(6)), throw=1))
    played.see(standing("Ann", "oriental"))
    assert [question.about for question in played.questions] == ["move"]
    played.see(DiceSeen(dice=(die(1), die(5)), throw=2))
    text, options = asked(played)
    assert text == "Ann belongs on Jail, but moved to Oriental Avenue by the last throw alone."
    assert options == ["thrown", "put_right", "accept", "misread"]
