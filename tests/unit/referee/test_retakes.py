"""A throw that was not whose turn it was, or did not count, is asked about and put right; and who is late to move."""

from companion.observations import TokenSeen
from companion.referee.driver import RefereedGame
from tests.unit.referee.looks import at, begun, called, new_table, rolls, stand, throw


def thrower_asked(table: RefereedGame) -> str | None:
    """Of whom it is asked whether the newest throw was theirs."""
    asked = [q.facts["player"] for q in table.questions if "thrown" in [option.option for option in q.options]]
    assert len(asked) <= 1
    return asked[0] if asked else None


def test_another_than_the_first_of_the_list_begins() -> None:
    """All leave one space, so that only looks tell who did."""
    table = new_table()
    throw(table, 1, {4: 0.99}, {2: 0.99})
    stand(table, "go", "go", "oriental", named=called(Ann="go", Bob="go", Cat="oriental"))
    assert thrower_asked(table) == "Cat"
    table.answer("token", "thrown")
    assert (at(table), table.questions) == (["go", "go", "oriental"], ())
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "reading", "go", "oriental", named=called(Ann="reading", Bob="go", Cat="oriental"))
    assert (at(table), table.questions) == (["reading", "go", "oriental"], ())


def test_a_throw_is_asked_about_when_whoever_threw_before_has_gone_on_by_it() -> None:
    """No looks are needed: nobody else stood there."""
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "states", "go", "go", looks=4)
    assert thrower_asked(table) == "Ann"
    table.answer("token", "thrown")
    assert (at(table), table.questions) == (["states", "go", "go"], ())
    turn = table.game.snapshot()["turn"]
    assert (turn["player"], turn["number"]) == ("Ann", 1)


def test_of_two_on_a_space_looks_tell_who_threw_out_of_turn() -> None:
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "vermont", "go", "reading", looks=4)
    assert (at(table), thrower_asked(table)) == (["vermont", "reading", "go"], None)
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "vermont", "go", "reading", looks=4, named=called(Ann="vermont", Bob="go", Cat="reading"))
    assert thrower_asked(table) == "Cat"


def test_it_is_not_whose_throw_it_was_where_a_token_went_elsewhere() -> None:
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "st-charles", "go", "go", looks=4, named=called(Ann="st-charles", Bob="go", Cat="go"))
    assert ([question.about for question in table.questions], thrower_asked(table)) == (["token"], None)


def test_faces_that_a_token_has_told_do_not_tell_whose_they_were() -> None:
    table = begun()
    throw(table, 2, {4: 0.6, 3: 0.4}, {1: 0.99})
    stand(table, "vermont", "reading", "go", looks=4, named=called(Ann="vermont", Bob="go", Cat="reading"))
    assert (at(table), thrower_asked(table)) == (["vermont", "reading", "go"], None)


def test_a_throw_that_did_not_count_is_asked_about_when_the_token_goes_by_the_next_alone() -> None:
    table = new_table(Ann="go", Bob="vermont", Cat="illinois")
    throw(table, 1, {4: 0.99}, {1: 0.99})
    stand(table, "go", "vermont", "illinois", looks=4)
    throw(table, 2, {3: 0.99}, {1: 0.99})
    stand(table, "income-tax", "vermont", "illinois", looks=4)
    (question,) = table.questions
    assert question.text == "Ann belongs on Reading Railroad, but moved to Income Tax by the last throw alone."
    table.answer("token", "thrown")
    assert (at(table), table.questions) == (["income-tax", "vermont", "illinois"], ())
    assert rolls(table) == [[3, 1]]


def test_a_token_that_was_not_moved_is_asked_about_when_two_others_have_been() -> None:
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    throw(table, 3, {3: 0.99}, {1: 0.99})
    looks = called(Ann="vermont", Bob="go", Cat="income-tax")
    stand(table, "vermont", "go", "income-tax", looks=4, named=looks)
    assert (at(table), table.questions) == (["vermont", "reading", "income-tax"], ())
    throw(table, 4, {2: 0.99}, {1: 0.99})
    stand(table, "st-charles", "go", "income-tax", looks=4, named={**looks, "Ann": {"st-charles": 0.985}})
    (question,) = table.questions
    assert question.text == "Bob belongs on Reading Railroad, but stands on GO."
    stand(table, "st-charles", "reading", "income-tax", looks=4)
    assert table.questions == ()
    throw(table, 5, {5: 0.99}, {3: 0.99})
    stand(table, "st-charles", "reading", "income-tax", looks=4)
    assert (at(table)[1], table.questions) == ("states", ()), "he has time again"


def test_of_tokens_that_are_seen_one_by_one_none_is_late() -> None:
    """The newest sight of one may be old."""
    table = new_table()
    table.see(TokenSeen(token="Ann", spaces={"go": 0.99}))
    moves = ((1, None, "", (6, 2)), (2, "Bob", "reading", (4, 1)), (3, "Cat", "income-tax", (3, 1)))
    for number, token, space, dice in moves:
        throw(table, number, {dice[0]: 0.99}, {dice[1]: 0.99})
        if token is not None:
            table.see(TokenSeen(token=token, spaces={space: 0.99}))
    throw(table, 3, {3: 0.99}, {1: 0.99})
    assert (at(table), table.questions) == (["vermont", "reading", "income-tax"], ())


def test_a_token_that_is_overlooked_where_it_went_is_not_late() -> None:
    """Nothing stands where it stood."""
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    stand(table, "vermont", "go", looks=4)
    throw(table, 3, {3: 0.99}, {1: 0.99})
    stand(table, "vermont", "income-tax", looks=4)
    throw(table, 4, {2: 0.99}, {1: 0.99})
    stand(table, "st-charles", "income-tax", looks=4)
    assert (at(table), table.questions) == (["st-charles", "reading", "income-tax"], ())
    stand(table, "st-charles", "income-tax", "go", looks=4)
    assert [question.facts["player"] for question in table.questions] == ["Bob"], "there it stands still"


def test_when_the_table_has_gone_on_whose_throw_it_was_is_asked_no_more() -> None:
    """One question about a token at a time."""
    table = begun()
    throw(table, 2, {4: 0.99}, {1: 0.99})
    looks = called(Ann="states", Bob="go", Cat="go")
    stand(table, "states", "go", "go", looks=4, named=looks)
    assert thrower_asked(table) == "Ann"
    throw(table, 3, {6: 0.99}, {5: 0.99})
    stand(table, "states", "go", "st-charles", looks=4, named={**looks, "Cat": {"st-charles": 0.985}})
    assert [(q.facts["player"], "thrown" in [o.option for o in q.options]) for q in table.questions] == [("Ann", False)]
