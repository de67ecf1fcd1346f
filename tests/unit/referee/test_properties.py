"""Whatever is seen, the referee never fails, never acts against the rules, and never takes a throw twice."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.observations import (
    SPACES,
    Building,
    BuildingsSeen,
    DiceSeen,
    DieSeen,
    MarkersSeen,
    Observation,
    SightSeen,
    StandingSeen,
    TokenSeen,
    TowerThrow,
)
from companion.referee.driver import RefereedGame
from companion.rules import Game, Refused
from tests.unit.referee.noise import dice_seen, token_seen

PLAYERS = ("Ann", "Bob", "Cat")

chances = st.floats(0.0, 1.0)
spaces = st.dictionaries(st.sampled_from(SPACES), chances, max_size=3)
dice = st.builds(
    DieSeen,
    kind=st.sampled_from(["d4", "d6", "d20"]),
    faces=st.dictionaries(st.integers(1, 6), chances, max_size=3),
    cocked=chances,
    box_px=st.none() | st.just((10.0, 10.0, 40.0, 40.0)),
)
sure_die = st.builds(DieSeen, faces=st.integers(1, 6).map(lambda face: {face: 0.99}))
throws = st.lists(dice, max_size=4) | st.lists(sure_die, min_size=2, max_size=2)
observations: st.SearchStrategy[Observation] = st.one_of(
    st.builds(DiceSeen, dice=throws.map(tuple), throw=st.none() | st.integers(1, 8)),
    st.builds(TowerThrow, faces=st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple)),
    st.builds(
        TokenSeen,
        token=st.sampled_from((*PLAYERS, "cop", "stranger")),
        spaces=spaces,
        between=st.booleans(),
        gone=st.booleans(),
        in_jail=st.none() | chances,
    ),
    st.builds(
        TokenSeen,
        token=st.sampled_from(PLAYERS),
        spaces=st.sampled_from(SPACES).map(lambda space: {space: 0.99}),
    ),
    st.builds(
        BuildingsSeen,
        buildings=st.dictionaries(st.sampled_from(SPACES), st.builds(Building, houses=st.integers(0, 4)), max_size=2),
        confidence=chances,
    ),
    st.builds(MarkersSeen, markers=st.just({"oriental": ("bomb",)}), confidence=chances),
    st.lists(st.sampled_from(SPACES[:12]), min_size=1, max_size=3).map(
        lambda stood: StandingSeen(tokens={space: float(stood.count(space)) for space in stood}, looks=4)
    ),
    st.builds(SightSeen, state=st.sampled_from(["well", "unsure", "blind"])),
)


def decide_at_random(table: RefereedGame, random: Random) -> None:
    """A finger on the tablet: some answer to a question, or some decision."""
    questions = [question for question in table.questions if question.options]
    if questions and random.random() < 0.5:
        question = random.choice(questions)
        option = random.choice(question.options).option
        table.answer(question.id, option)
        return
    choices = [d for d in table.game.pending if d.get("options") and d["kind"] != "roll"]
    actions = [{"choose": random.choice(d["options"]), "by": d["player"]} for d in choices]
    actions += [{"undo": True}, {"end_turn": True}]
    try:
        table.act(random.choice(actions))
    except Refused:
        return


@settings(max_examples=60)
@given(st.data(), st.sampled_from(["classic", "watch", "monopozombie"]), st.randoms(use_true_random=False))
def test_no_observation_makes_the_referee_fail_or_break_the_rules(
    data: st.DataObject, variant: str, random: Random
) -> None:
    """`RefereedGame` carries out every action of the referee at once: a refused one would be raised here."""
    table = RefereedGame(Game.new(variant=variant, players=PLAYERS))
    for observation in data.draw(st.lists(observations, max_size=25)):
        table.see(observation)
        if random.random() < 0.3:
            decide_at_random(table, random)
        ids = [question.id for question in table.questions]
        assert len(ids) == len(set(ids))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(1, 5), st.lists(sure_die, min_size=2, max_size=2)), max_size=25))
def test_no_throw_is_taken_twice(seen: list[tuple[int, list[DieSeen]]]) -> None:
    """However often and however differently a throw is reported, it has its number and counts once."""
    table = RefereedGame(Game.new(variant="watch", players=PLAYERS))
    for number, faces in seen:
        table.see(DiceSeen(dice=tuple(faces), throw=number))
    rolls = [action for action in table.game.actions if "roll" in action]
    assert len(rolls) <= len({number for number, _ in seen})


@settings(max_examples=40)
@given(st.lists(sure_die, min_size=2, max_size=2), st.integers(1, 10))
def test_dice_lying_still_are_one_throw_without_numbers_too(faces: list[DieSeen], times: int) -> None:
    table = RefereedGame(Game.new(variant="watch", players=PLAYERS))
    for _ in range(times):
        table.see(DiceSeen(dice=tuple(faces)))
    assert len(table.game.actions) == 1


def settle(game: Game, random: Random) -> list[dict[str, object]]:
    """Actions that answer one open decision of a classic game."""
    decision = game.pending[0]
    player, kind = decision["player"], decision["kind"]
    if kind == "draw":
        cards = ("dividend", "building-loan", "back-three") if decision["deck"] == "chance" else ("bank-error",)
        return [{"draw": card, "by": player} for card in cards] + [{"draw": "doctor-fee", "by": player}]
    if kind == "raise_cash":
        return [{"set": {"players": {player: {"cash": 5000}}}}]
    if kind == "auction":
        return [{"pass": True, "by": player}]
    return [{"choose": option, "by": player} for option in random.sample(decision["options"], len(decision["options"]))]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("variant", ["classic", "watch"])
def test_truthful_readings_are_followed_exactly(seed: int, variant: str) -> None:
    """The book of a watched game equals that of the same game told by hand, and nothing is left to ask."""
    random = Random(seed)
    table = RefereedGame(Game.new(variant=variant, players=PLAYERS))
    told = Game.new(variant=variant, players=PLAYERS)
    for number in range(1, 60):
        while any(d["kind"] not in ("roll", "jail") for d in told.pending):
            for action in settle(told, random):
                try:
                    told.act(action)
                except Refused:
                    continue
                table.act(action)
                break
            else:
                pytest.fail(f"nothing answers {told.pending[0]}")
        faces = [random.randint(1, 6), random.randint(1, 6)]
        for _ in range(random.randint(1, 3)):
            table.see(dice_seen(faces, number, 9.0, random))
        told.act({"roll": faces})
        for token, player in told.snapshot()["players"].items():
            if random.random() < 0.9:
                table.see(token_seen(token, player["at"], 9.0, random))
        assert table.game.snapshot() == told.snapshot(), f"seed {seed}, throw {number}"
        assert [q for q in table.questions if q.about != "decision"] == []


@pytest.mark.parametrize("seed", range(8))
def test_unsure_readings_never_leave_the_throws_and_the_game_apart(seed: int) -> None:
    """With a middling camera and people who answer truthfully, the book is true after every answer."""
    random = Random(seed)
    table = RefereedGame(Game.new(variant="watch", players=PLAYERS, options={"doubles_again": False}))
    told = Game.new(variant="watch", players=PLAYERS, options={"doubles_again": False})
    for number in range(1, 60):
        faces = [random.randint(1, 6), random.randint(1, 6)]
        mover = told.act({"roll": faces})[0]["player"]
        place = told.snapshot()["players"][mover]
        table.see(dice_seen(faces, number, 4.0, random))
        table.see(token_seen(mover, place["at"], 6.0, random))
        for question in table.questions:
            table.answer(question.id, "dice" if question.about == "move" else list(faces))
        for question in table.questions:
            table.answer(question.id, list(faces))
        rolls = [sorted(action["roll"]) for action in table.game.actions]
        if rolls[-1] != sorted(faces):
            # Dice surely misread whose sum is right: nobody can notice but the people, who correct it.
            assert sum(rolls[-1]) == sum(faces)
            table.game.undo()
            table.act({"roll": faces})
        assert table.game.snapshot()["players"] == told.snapshot()["players"], f"seed {seed}, throw {number}"
