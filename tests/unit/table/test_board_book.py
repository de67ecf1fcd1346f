"""What those that watch the board are told of the book."""

from companion.observations import BoardBook
from companion.rules import Game
from companion.rules.board import board
from companion.table.sightings import board_book

TOKENS = {"Ann": "hat", "Bob": "car"}
STREETS = {space.index for space in board().spaces if space.kind == "street"}


def book_of(game: Game) -> BoardBook:
    return board_book(game.snapshot(), TOKENS)


def game(**given: object) -> Game:
    return Game.new("classic", ["Ann", "Bob"], given=given)


def test_tokens_and_buildings_are_where_the_book_has_them() -> None:
    spaces = {"oriental": {"owner": "Ann", "houses": 2}, "boardwalk": {"owner": "Bob", "hotel": True}}
    played = game(players={"Ann": {"at": "jail", "in_jail": True}, "Bob": {"at": "jail"}}, spaces=spaces)
    book = book_of(played)
    assert book.tokens == {"hat": (10, True), "car": (10, False)}
    assert {square: built for square, built in book.streets.items() if any(built)} == {6: (2, False), 39: (0, True)}
    assert set(book.streets) >= STREETS, "of the others it says that nothing stands there"


def test_who_has_left_the_game_stands_nowhere_and_the_cop_where_he_is() -> None:
    assert book_of(game(players={"Bob": {"status": "bankrupt"}})).tokens == {"hat": (0, False)}
    book = book_of(Game.new("slaughterhouse", ["Ann", "Bob"]))
    assert book.tokens == {"hat": (0, False), "car": (0, False), "cop": (30, False)}


def test_bombs_and_miners_lie_where_the_book_has_them() -> None:
    spaces = {"reading": {"owner": "Ann", "bomb": True}, "boardwalk": {"owner": "Bob", "bomb": True, "miner": True}}
    book = book_of(Game.new("slaughterhouse", ["Ann", "Bob"], given={"spaces": spaces}))
    assert book.markers == {5: ("bomb",), 39: ("bomb", "miner")}
    assert book_of(game()).markers == {}


def test_while_something_is_asked_tokens_stay_where_they_were_told_to_be() -> None:
    before = BoardBook({"hat": (7, False)}, {6: (2, False)})
    book = board_book(game().snapshot(), TOKENS, before)
    assert (book.tokens, book.streets[6]) == ({"hat": (7, False)}, (0, False))


def test_before_there_is_a_game_nothing_is_known() -> None:
    assert board_book(None, TOKENS) == BoardBook()


def test_a_variant_that_keeps_no_book_of_buildings_says_nothing_of_them() -> None:
    book = book_of(Game.new("watch", ["Ann", "Bob"]))
    assert book.tokens == {"hat": (0, False), "car": (0, False)}
    assert book.streets == {}


def test_of_streets_that_a_house_may_be_put_on_nothing_is_said() -> None:
    """Where it is put answers the question. Rule: CL-9.10"""
    owned = {"owner": "Ann", "houses": 1}
    played = game(
        players={"Ann": {"cash": 900}, "Bob": {"cash": 900}},
        spaces={
            **dict.fromkeys(("mediterranean", "baltic"), owned),
            **{space: {**owned, "owner": "Bob"} for space in ("park-place", "boardwalk")},
        },
        bank={"houses": 1},
    )
    played.act({"use": "building_auction", "by": "Ann", "building": "house"})
    played.act({"bid": 10, "by": "Ann"})
    played.act({"pass": True, "by": "Bob"})
    (decision,) = [each for each in played.pending if each["kind"] == "place_building"]
    assert decision["options"] == ["mediterranean", "baltic"]
    assert STREETS - set(book_of(played).streets) == {1, 3}


def test_a_token_of_nobody_who_plays_is_left_out() -> None:
    assert board_book(game().snapshot(), {**TOKENS, "Cat": "dog"}).tokens == {"hat": (0, False), "car": (0, False)}
