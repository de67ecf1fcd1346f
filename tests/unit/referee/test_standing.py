"""Where tokens stand, whosoever: the rules say which is which."""

import pytest

from companion.observations import StandingSeen, TokenSeen
from companion.referee.driver import RefereedGame
from companion.referee.standing import attributed
from companion.rules import Game
from tests.unit.referee.looks import PLAYERS, at, begun, called, new_table, rolls, stand, throw


def test_who_moved_is_told_by_the_rules_though_all_tokens_look_alike() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {3: 0.6, 4: 0.4}, {2: 0.99})
    stand(table, "oriental", "go", "go")
    throw(table, 2, {1: 0.5, 5: 0.5}, {2: 0.99})
    stand(table, "oriental", "chance-1", "go")
    assert rolls(table) == [[4, 2], [5, 2]]
    assert at(table) == ["oriental", "chance-1", "go"]
    assert table.questions == ()


def test_wrong_names_do_not_outweigh_the_spaces() -> None:
    table = begun()
    mistaken = {"Bob": {"go": 0.9, "oriental": 0.1}, "Cat": {"oriental": 0.9, "go": 0.1}}
    throw(table, 2, {4: 0.99}, {2: 0.99})
    for looks in (2, 3, 4):
        stand(table, "vermont", "oriental", "go", looks=looks, named=mistaken)
    assert at(table) == ["vermont", "oriental", "go"]
    assert table.questions == ()


def test_an_unsure_throw_is_told_by_a_token_that_arrived_though_its_name_is_another() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="go")
    stand(table, "go", "vermont", "go")
    throw(table, 1, {4: 0.992}, {4: 0.776, 2: 0.008, 5: 0.004})
    for looks in (2, 3, 4):
        stand(table, "vermont", "vermont", "go", looks=looks, named={"Ann": {"go": 0.9}})
    assert rolls(table) == [[4, 4]]
    assert table.questions == ()


def test_a_die_that_the_camera_overlooks_is_told_and_read_from_the_token() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {2: 0.99})
    assert rolls(table) == []
    assert table.questions == ()
    assert "one is missing" in table.notes[-1].text
    stand(table, "vermont", "go", "go")
    assert [sorted(roll) for roll in rolls(table)] == [[2, 6]]
    throw(table, 2, {1: 0.99}, {3: 0.99}, {6: 0.6}, {5: 0.5})
    assert table.questions == ()
    stand(table, "vermont", "income-tax", "go")
    assert [sorted(roll) for roll in rolls(table)][1:] == [[1, 3]]


def test_a_token_follows_the_throw_that_came_last_and_not_a_die_that_only_lay_about() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {2: 0.91})
    stand(table, "go", "go", "go", looks=3)
    throw(table, 2, {4: 0.99}, {4: 0.99})
    stand(table, "vermont", "go", "go")
    assert rolls(table) == [[4, 4]]
    assert at(table) == ["vermont", "go", "go"]
    assert table.questions == ()


def test_dice_that_may_only_have_been_pushed_were_so_when_others_are_thrown_and_nobody_has_moved() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {4: 0.99}, {5: 0.99}, thrown=0.5)
    for looks in (3, 4):
        stand(table, "go", "go", "go", looks=looks)
    assert rolls(table) == []
    throw(table, 2, {4: 0.99}, {1: 0.99})
    assert rolls(table) == [[4, 1]]
    stand(table, "reading", "go", "go")
    assert at(table) == ["reading", "go", "go"]
    assert table.questions == ()


def test_a_token_that_moved_out_of_turn_is_asked_about() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois")
    for looks in (2, 3, 4):
        stand(table, "go", "vermont", "marvin", looks=looks)
    (question,) = table.questions
    assert (question.about, question.facts["player"], question.facts["seen"]) == ("token", "Cat", "marvin")
    stand(table, "go", "vermont", "illinois")
    assert table.questions == ()


def test_a_token_that_is_read_next_door_is_left_in_peace() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    for looks in (2, 3, 4):
        stand(table, "go", "connecticut", "illinois", looks=looks)
    assert table.questions == ()


def test_a_token_that_has_just_moved_is_asked_about_when_it_stands_next_door() -> None:
    """People miscount by one, and a die is misread by one, more often than a token that stands right looks wrong."""
    table = new_table(Ann="st-james", Bob="vermont", Cat="go")
    stand(table, "st-james", "vermont", "go")
    throw(table, 1, {4: 0.99}, {3: 0.985})
    assert at(table)[0] == "indiana"
    stand(table, "illinois", "vermont", "go")
    (question,) = table.questions
    assert (question.about, question.facts["seen"], question.facts["book"]) == ("move", "illinois", "indiana")
    table.answer("move", "dice")
    assert all(sum(option.option) == 8 for option in table.questions[0].options)
    table.answer("dice", [5, 3])
    assert at(table)[0] == "illinois"
    assert table.questions == ()


def test_a_question_about_a_token_next_door_is_withdrawn_when_it_is_seen_right() -> None:
    table = new_table(Ann="st-james", Bob="vermont", Cat="go")
    throw(table, 1, {4: 0.99}, {3: 0.99})
    stand(table, "illinois", "vermont", "go")
    assert [question.about for question in table.questions] == ["move"]
    stand(table, "indiana", "vermont", "go")
    assert table.questions == ()
    assert at(table)[0] == "indiana"


def test_an_unseen_throw_onto_an_occupied_space_is_asked_about() -> None:
    """Two tokens stand there, and one looks like that of whoever throws next: it has gone on."""
    table = new_table(Ann="go", Bob="income-tax", Cat="illinois")
    stand(table, "go", "income-tax", "illinois")
    named = {"Ann": {"income-tax": 0.92}, "Bob": {"income-tax": 0.99}, "Cat": {"illinois": 0.98}}
    stand(table, "income-tax", "income-tax", "illinois", named=named)
    (question,) = table.questions
    assert (question.about, question.facts["player"], question.facts["seen"]) == ("token", "Ann", "income-tax")


@pytest.mark.parametrize(("start", "is_asked"), [("free-parking", True), ("states", False)])
def test_an_unseen_throw_onto_go_to_jail_is_asked_about_in_a_jail_that_is_taken(start: str, is_asked: bool) -> None:
    """From where no throw leads there another token is rather taken for two."""
    places = {"Ann": start, "Bob": "jail", "Cat": "illinois"}
    table = RefereedGame(
        Game.new(
            variant="classic", players=PLAYERS, given={"players": {name: {"at": at} for name, at in places.items()}}
        )
    )
    stand(table, *places.values())
    for looks in (2, 3, 4):
        stand(table, "jail", "jail", "illinois", looks=looks)
    seen = [(question.about, question.facts["player"], question.facts["seen"]) for question in table.questions]
    assert seen == [("token", "Ann", "jail")] * is_asked


def in_jail(**places: str) -> RefereedGame:
    given = {name: {"at": space} for name, space in places.items()} | {"Ann": {"at": "jail", "in_jail": True}}
    return RefereedGame(Game.new(variant="classic", players=PLAYERS, given={"players": given}))


@pytest.mark.parametrize(
    "dice",
    [[{4: 0.99}], [{4: 0.99}, {1: 0.9, 4: 0.02}], [{4: 0.99}, {4: 0.6, 3: 0.39}]],
    ids=["one is missing", "one is unsure", "may be doubles"],
)
def test_unclear_dice_in_jail_are_asked_about_at_once_for_no_token_may_move(dice: list[dict[int, float]]) -> None:
    table = in_jail(Bob="vermont", Cat="go")
    stand(table, "jail", "vermont", "go")
    throw(table, 1, *dice)
    assert [question.about for question in table.questions] == ["dice"]
    table.answer("dice", [4, 2])
    assert rolls(table) == [[4, 2]]
    assert table.questions == ()


@pytest.mark.parametrize("dice", [[{4: 0.99}], [{4: 0.99}, {1: 0.6, 2: 0.39}]], ids=["one is missing", "one is unsure"])
@pytest.mark.parametrize(("seen", "is_asked"), [(("go", "vermont"), False), (("vermont",), True)])
def test_unclear_dice_are_asked_about_at_once_where_the_token_that_would_tell_them_is_not_seen(
    dice: list[dict[int, float]], seen: tuple[str, ...], is_asked: bool
) -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, *seen, "illinois")
    throw(table, 1, *dice)
    assert [question.about for question in table.questions] == ["dice"] * is_asked
    assert rolls(table) == []


def test_a_throw_in_jail_that_nobody_saw_is_asked_about_when_the_next_token_moves() -> None:
    table = in_jail(Bob="vermont", Cat="go")
    stand(table, "jail", "vermont", "go")
    throw(table, 1, {4: 0.99}, {3: 0.99})
    stand(table, "jail", "st-james", "go")
    (question,) = table.questions
    assert (question.about, question.facts["player"], question.facts["seen"]) == ("token", "Bob", "st-james")
    assert "I saw no throw" in question.text


def test_a_token_that_is_taken_for_two_while_another_is_overlooked_raises_no_question() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    for looks in (2, 3, 4):
        stand(table, "go", "vermont", "vermont", looks=looks)
    assert table.questions == ()


def test_a_throw_that_nobody_saw_is_asked_about_and_then_told_by_what_follows() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois")
    for looks in (2, 3, 4):
        stand(table, "electric", "vermont", "illinois", looks=looks)
    (question,) = table.questions
    assert question.facts["player"] == "Ann"
    throw(table, 1, {2: 0.99}, {3: 0.99})
    assert rolls(table) == []
    for looks in (2, 3):
        stand(table, "electric", "states", "illinois", looks=looks)
    assert [sum(roll) for roll in rolls(table)] == [12, 5]
    assert at(table) == ["electric", "states", "illinois"]
    assert table.questions == ()


def test_token_that_is_hidden_when_its_dice_are_read_is_not_taken_to_have_moved() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois")
    stand(table, "vermont", "illinois", looks=3)
    throw(table, 1, {4: 0.99}, {2: 0.99})
    table.see(TokenSeen(token="Ann", gone=True))
    assert table.questions == ()
    stand(table, "oriental", "vermont", "illinois")
    assert at(table) == ["oriental", "vermont", "illinois"]
    assert table.questions == ()


def told_by_hand() -> RefereedGame:
    """Ann has tapped her throw, and the purchase too, before the camera could see the dice."""
    table = RefereedGame(Game.new(variant="classic", players=PLAYERS))
    table.act({"roll": [1, 2], "by": "Ann"})
    table.act({"choose": "buy", "by": "Ann"})
    stand(table, "baltic", "go", "go")
    return table


def test_a_throw_that_the_camera_sees_long_after_it_was_tapped_counts_once() -> None:
    table = told_by_hand()
    throw(table, 1, {2: 0.99}, {1: 0.99})
    stand(table, "baltic", "go", "go", looks=3)
    assert rolls(table) == [[1, 2]]
    throw(table, 2, {3: 0.99}, {4: 0.99})
    stand(table, "baltic", "chance-1", "go")
    assert rolls(table) == [[1, 2], [3, 4]]
    assert table.questions == ()


def test_the_numbers_that_were_tapped_may_be_thrown_again_by_the_next() -> None:
    table = told_by_hand()
    throw(table, 1, {1: 0.99}, {2: 0.99})
    stand(table, "baltic", "baltic", "go")
    assert rolls(table) == [[1, 2], [1, 2]]
    assert at(table) == ["baltic", "baltic", "go"]
    assert table.questions == ()
    throw(table, 1, {1: 0.99}, {2: 0.99})
    assert len(rolls(table)) == 2


def test_numbers_that_were_seen_as_soon_as_they_were_tapped_are_not_taken_for_the_next_throw() -> None:
    given = {"players": {"Bob": {"at": "vermont"}}}
    table = RefereedGame(Game.new(variant="classic", players=PLAYERS, given=given))
    table.act({"roll": [1, 2], "by": "Ann"})
    throw(table, 1, {1: 0.99}, {2: 0.99})
    table.act({"choose": "buy", "by": "Ann"})
    stand(table, "baltic", "vermont", "go")
    for looks in (2, 3, 4):
        stand(table, "baltic", "st-charles", "go", looks=looks)
    assert rolls(table) == [[1, 2]]
    assert [question.facts["player"] for question in table.questions] == ["Bob"]


def test_other_numbers_than_were_tapped_are_the_next_throw() -> None:
    table = told_by_hand()
    throw(table, 1, {3: 0.99}, {4: 0.99})
    assert rolls(table) == [[1, 2], [3, 4]]


def put_in_wrongly() -> RefereedGame:
    """Ann has thrown 3 and 4, and 1 and 2 was tapped, before anything moved."""
    table = RefereedGame(Game.new(variant="classic", players=PLAYERS))
    stand(table, "go", "go", "go")
    table.act({"roll": [1, 2], "by": "Ann"})
    throw(table, 1, {3: 0.99}, {4: 0.99})
    assert rolls(table) == [[1, 2]]
    (question,) = table.questions
    assert (question.about, question.facts["told"], question.facts["seen"]) == ("witnesses", [1, 2], [3, 4])
    return table


def test_a_throw_that_was_tapped_wrongly_is_put_right_when_its_token_moves() -> None:
    table = put_in_wrongly()
    stand(table, "chance-1", "go", "go")
    assert rolls(table) == [[3, 4]]
    assert at(table) == ["chance-1", "go", "go"]
    assert table.questions == ()
    throw(table, 1, {3: 0.99}, {4: 0.99})
    assert rolls(table) == [[3, 4]]


def test_a_throw_that_was_tapped_rightly_counts_when_its_token_moves() -> None:
    """The camera saw the next one, whose thrower was quicker than the mover."""
    table = put_in_wrongly()
    stand(table, "baltic", "go", "go")
    assert [question.about for question in table.questions] == ["decision"]
    table.act({"choose": "buy", "by": "Ann"})
    assert rolls(table) == [[1, 2], [3, 4]]
    assert table.questions == ()


@pytest.mark.parametrize(
    ("option", "expected"), [([3, 4], [[3, 4]]), ([1, 2], [[1, 2]]), ("next_throw", [[1, 2], [3, 4]])]
)
def test_people_say_whether_a_throw_was_tapped_wrongly(option: str | list[int], expected: list[list[int]]) -> None:
    table = put_in_wrongly()
    table.answer("witnesses", option)
    if option != [3, 4]:
        table.act({"choose": "buy", "by": "Ann"})
    throw(table, 1, {3: 0.99}, {4: 0.99})
    assert rolls(table) == expected
    assert table.questions == ()


def test_nobody_says_whether_a_throw_was_tapped_wrongly_and_the_game_goes_on() -> None:
    table = put_in_wrongly()
    throw(table, 2, {5: 0.99}, {6: 0.99})
    table.act({"choose": "buy", "by": "Ann"})
    assert rolls(table) == [[1, 2], [3, 4]]
    assert at(table) == ["baltic", "chance-1", "go"]


def test_a_wrong_tap_that_is_undone_leaves_the_throw_that_was_seen() -> None:
    table = put_in_wrongly()
    table.act({"undo": True})
    assert rolls(table) == [[3, 4]]
    assert table.questions == ()


def test_an_unanswered_question_never_stops_the_game() -> None:
    """Nobody answers and no token is ever seen: play goes on with what is likeliest, and says so."""
    table = new_table()
    for number in range(1, 7):
        throw(table, number, {3: 0.5, 4: 0.5}, {2: 0.99})
    assert len(rolls(table)) >= 2


def test_a_fine_that_nobody_tapped_is_told_by_the_token_that_left_the_jail() -> None:
    given = {"players": {"Ann": {"at": "jail", "in_jail": True}, "Bob": {"at": "vermont"}, "Cat": {"at": "go"}}}
    table = RefereedGame(Game.new(variant="classic", players=PLAYERS, given=given))
    throw(table, 1, {4: 0.99}, {3: 0.99})
    assert at(table)[0] == "jail"
    stand(table, "chest-2", "vermont", "go")
    assert at(table)[0] == "chest-2"
    assert table.game.snapshot()["players"]["Ann"]["cash"] == 1450
    assert [action.get("choose", "") for action in table.game.actions] == ["pay", ""]
    assert table.questions == ()
    table.act({"draw": "bank-error", "by": "Ann"})
    throw(table, 2, {1: 0.99}, {3: 0.99})
    assert at(table)[1] == "electric"


def test_a_token_that_others_may_hide_is_missed_only_when_they_have_left() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="vermont")
    stand(table, "go", "vermont")
    table.see(TokenSeen(token="Cat", gone=True))
    assert table.questions == ()
    throw(table, 1, {1: 0.99}, {3: 0.99})
    stand(table, "income-tax", "vermont")
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "income-tax", "states")
    (question,) = table.questions
    assert (question.about, question.facts["player"], question.facts["gone"]) == ("token", "Cat", True)
    stand(table, "income-tax", "states", "vermont")
    assert table.questions == ()


def test_two_tokens_that_one_throw_sends_may_both_be_moved_later() -> None:
    """The Cop arrests Dee at the end of Cat's turn, before anybody has moved a token; Ann is in Jail already."""
    players = {"Ann": ("jail", True), "Bob": ("indiana", False), "Cat": ("chance-2", False), "Dee": ("pacific", False)}
    given = {"players": {name: {"at": space, "in_jail": jailed} for name, (space, jailed) in players.items()}}
    names = list(players)
    table = RefereedGame(Game.new(variant="watch", players=names, given={**given, "turn": {"player": "Cat"}}))
    named = {"Ann": {"jail": 0.98}, "Bob": {"indiana": 0.98}, "Cat": {"chance-2": 0.98}, "Dee": {"pacific": 0.98}}
    for looks in (2, 3, 4):
        stand(table, "jail", "indiana", "chance-2", "pacific", looks=looks, named=named)
    table.act({"set": {"players": {"Dee": {"at": "jail", "in_jail": True}}}})
    throw(table, 1, {3: 0.99}, {2: 0.99})
    assert rolls(table) == [[3, 2]]
    assert table.questions == ()
    stand(table, "jail", "indiana", "ventnor", "pacific", named={**named, "Cat": {"ventnor": 0.98}})
    assert table.questions == ()


def test_beside_a_token_on_a_line_others_stand_where_they_look_to_stand() -> None:
    """Cat's lies on the line between two spaces; Ann's and Bob's stand on them."""
    table = new_table(Ann="b-and-o", Bob="atlantic", Cat="atlantic")
    seen = {"atlantic": 1.73, "b-and-o": 1.27}
    named = {"Ann": {"b-and-o": 0.98}, "Bob": {"atlantic": 0.98}, "Cat": {"atlantic": 0.71, "b-and-o": 0.27}}
    for looks in (2, 3, 4):
        table.see(StandingSeen(tokens=seen, named=named, looks=looks))
    throw(table, 1, {2: 0.99}, {4: 0.99})
    assert at(table) == ["pacific", "atlantic", "atlantic"]
    assert table.questions == ()


def test_a_token_that_stood_alone_is_missed_at_once() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont")
    table.see(TokenSeen(token="Cat", gone=True))
    assert [question.facts["player"] for question in table.questions] == ["Cat"]


UNREAD = pytest.mark.parametrize(
    "dice", [[{2: 0.99}], [{2: 0.99}, {6: 0.5, 5: 0.5}]], ids=["one is missing", "one is unsure"]
)


def look_alikes_move(space: str, *dice: dict[int, float]) -> RefereedGame:
    """Of two tokens side by side one goes on after dice that were not read, under the other's name."""
    table = new_table(Ann="go", Bob="go", Cat="illinois")
    before = {"Ann": {"go": 0.98}, "Bob": {"go": 0.98}, "Cat": {"illinois": 0.98}}
    for looks in (2, 3, 4):
        stand(table, "go", "go", "illinois", looks=looks, named=before)
    throw(table, 1, *dice)
    assert table.questions == ()
    for looks in (2, 3, 4):
        stand(table, "go", space, "illinois", looks=looks, named=before | {"Bob": {space: 0.95, "go": 0.02}})
    return table


@UNREAD
def test_a_token_under_another_name_tells_the_dice_all_the_same(dice: list[dict[int, float]]) -> None:
    table = look_alikes_move("vermont", *dice)
    assert [sorted(roll) for roll in rolls(table)] == [[2, 6]]
    assert (at(table)[0], table.questions) == ("vermont", ())


@UNREAD
def test_dice_are_asked_about_when_a_token_moves_that_cannot_tell_them(dice: list[dict[int, float]]) -> None:
    table = look_alikes_move("virginia", *dice)
    assert rolls(table) == []
    question = next(each for each in table.questions if each.about == "dice")
    assert question.facts["player"] == "Ann"
    table.answer("dice", [2, 6])
    assert at(table)[0] == "vermont"
    assert "dice" not in [each.about for each in table.questions]


def test_tokens_that_changed_places_are_one_question_and_wrong_names_are_none() -> None:
    right = {"Ann": {"go": 0.98}, "Bob": {"vermont": 0.98}, "Cat": {"illinois": 0.98}}
    swapped = right | {"Ann": {"vermont": 0.97}, "Bob": {"go": 0.97}}
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    stand(table, "go", "vermont", "illinois", named=swapped, looks=4)
    assert table.questions == (), "they may never have been called right"
    stand(table, "go", "vermont", "illinois", named=right, looks=4)
    stand(table, "go", "vermont", "illinois", named=swapped, looks=4)
    (question,) = table.questions
    assert (question.facts["player"], question.facts["with"]) == ("Ann", "Bob")
    stand(table, "go", "vermont", "illinois", named=right, looks=4)
    assert table.questions == ()
    stand(table, "go", "vermont", "illinois", named=swapped, looks=4)
    table.answer("token", "misread")
    stand(table, "go", "vermont", "illinois", named=swapped, looks=4)
    assert (table.questions, table.game.actions) == ((), [])


def test_a_token_that_is_taken_for_two_is_any_of_the_others() -> None:
    """Bob's is not seen, and there are two where Cat's is: in one of five tables with as many."""
    belong = {"Ann": ["jail"], "Bob": ["baltic"], "Cat": ["electric"], "Dee": ["illinois"], "Eve": ["virginia"]}
    seen = StandingSeen(tokens={"jail": 1.0, "electric": 2.0, "illinois": 1.0, "virginia": 1.0}, looks=4)
    assert 0.05 < attributed(seen, belong, {})["Bob"].spaces["electric"] < 0.15


def test_dice_that_are_thrown_one_after_the_other_are_one_throw() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {4: 0.99})
    throw(table, 2, {6: 0.99})
    (question,) = table.questions
    assert question.text == "I see one die; one is missing. Ann throws two dice."
    throw(table, 2, {6: 0.99}, {4: 0.99})
    assert (rolls(table), table.questions) == ([[6, 4]], ())


def test_a_die_that_fell_off_the_table_is_thrown_again_with_the_other() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {4: 0.99})
    stand(table, "go", "go", "go", looks=3)
    throw(table, 2, {6: 0.99}, {3: 0.99})
    assert (rolls(table), table.questions) == ([[6, 3]], ())


def test_a_throw_of_which_a_die_was_hidden_counts_where_the_token_went_by_it() -> None:
    table = new_table()
    stand(table, "go", "go", "go")
    throw(table, 1, {4: 0.99})
    stand(table, "vermont", "go", "go", looks=3)
    throw(table, 2, {6: 0.99}, {3: 0.99})
    stand(table, "vermont", "connecticut", "go", looks=3)
    assert (rolls(table), table.questions) == ([[4, 4], [6, 3]], ())


def test_a_throw_of_which_a_die_is_missing_is_not_forgotten_where_its_token_has_moved() -> None:
    table = new_table()
    stand(table, "go", "go", "go", named=called(Ann="go", Bob="go", Cat="go"))
    throw(table, 1, {4: 0.99})
    stand(table, "illinois", "go", "go", looks=4, named=called(Ann="illinois", Bob="go", Cat="go"))
    throw(table, 2, {6: 0.99}, {3: 0.99})
    assert rolls(table) == []
