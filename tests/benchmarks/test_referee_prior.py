"""What the rules add to the camera: errors and questions with vision alone and with the referee.

Simulated readings with right probabilities (see `tests.unit.referee.noise`), on games of the variant
`watch`. Run with `python -m pytest -m benchmark tests/benchmarks/test_referee_prior.py -s -n 0`.
"""

from collections import Counter
from random import Random

import pytest

from companion.referee.driver import RefereedGame
from companion.rules import Game
from tests.unit.referee.noise import best, dice_seen, token_seen

PLAYERS = ("Ann", "Bob", "Cat", "Dee")
TURNS, GAMES = 100, 5
#: (quality of dice, quality of tokens): from a poor camera to a good one.
CAMERAS = ((2.5, 2.5), (3.5, 3.0), (4.5, 4.0), (5.5, 5.0))


def play(seed: int, dice_quality: float, token_quality: float) -> Counter[str]:
    """One game, read by vision alone and by vision with the referee, whose questions are answered truthfully."""
    random = Random(seed)
    truth = Game.new(variant="watch", players=PLAYERS, options={"doubles_again": False})
    table = RefereedGame(truth.copy())
    count: Counter[str] = Counter(turns=TURNS)
    for turn in range(TURNS):
        faces = [random.randint(1, 6), random.randint(1, 6)]
        mover = next(event["player"] for event in truth.act({"roll": faces}) if event["type"] == "rolled")
        space = truth.snapshot()["players"][mover]["at"]
        dice = dice_seen(faces, turn + 1, dice_quality, random)
        token = token_seen(mover, space, token_quality, random)
        read = max(token.spaces, key=lambda name: token.spaces[name])
        count["alone"] += sorted(best(die.faces) for die in dice.dice) != sorted(faces) or read != space
        table.see(dice)
        table.see(token)
        count["asked"] += bool(table.questions)
        for _ in range(2):
            for question in table.questions:
                table.answer(question.id, "dice" if question.about == "move" else faces)
        if is_wrong(table, truth, faces):
            # Nobody was asked and the reading is wrong: the people notice and put the book right.
            count["silent"] += 1
            table = RefereedGame(truth.copy())
    return count


def is_wrong(table: RefereedGame, truth: Game, faces: list[int]) -> bool:
    """Whether tokens belong elsewhere by the book, or it tells other faces."""
    if table.game.snapshot()["players"] != truth.snapshot()["players"]:
        return True
    told = next(act for act in reversed(table.acts) if "roll" in act.action)
    return told.is_read and sorted(told.action["roll"]) != sorted(faces)


@pytest.mark.benchmark
@pytest.mark.parametrize(("dice_quality", "token_quality"), CAMERAS)
def test_the_rules_turn_most_misreadings_into_right_ones_or_questions(
    dice_quality: float, token_quality: float
) -> None:
    total: Counter[str] = Counter()
    for seed in range(GAMES):
        total += play(seed, dice_quality, token_quality)
    turns = total["turns"]
    print(
        f"\ndice {dice_quality}, tokens {token_quality}, {turns} turns:"
        f" vision alone wrong {total['alone'] / turns:.1%};"
        f" with the referee silently wrong {total['silent'] / turns:.2%}, asked {total['asked'] / turns:.1%}"
    )
    assert total["silent"] <= 0.2 * total["alone"] + 1
    assert total["asked"] <= 1.5 * total["alone"] + 1
