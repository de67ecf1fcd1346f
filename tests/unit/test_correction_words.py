"""What was put right by hand is told in players' words, whatever part of whatever game it was."""

import re
from typing import Any

import pytest

from companion.rules import Game
from companion.rules.corrections import FIXED
from companion.rules.registry import rules_of
from companion.words import Names
from companion.words.corrections import PHRASES, correction_text
from companion.words.names import registered

VARIANTS = ("classic", "monopozombie", "monopocalypse", "slaughterhouse", "dungeonopoly", "watch")
#: Parts of the state that are told field by field.
PARTS = ("players", "spaces", "turn", "bank")
#: A name out of the program, or a value as the program writes it.
RAW = re.compile(r"_|[{}\[\]]|\b(None|True|False)\b")


def game_of(variant: str) -> Game:
    players: Any = {"Ann": {"class": "fighter"}, "Bob": {"class": "rogue"}} if variant == "dungeonopoly" else ()
    return Game.new(variant, players or ["Ann", "Bob"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_field_that_can_be_set_has_words(variant: str) -> None:
    game, phrases = game_of(variant), {**PHRASES, **registered(variant, "CORRECTED")}
    snapshot = game.snapshot()
    parts = set(snapshot) - FIXED - rules_of(variant).state_type.internal - set(PARTS)
    fields = {f"{part}.{field}" for part in ("turn", "bank") for field in snapshot[part]}
    fields |= {f"players.{field}" for field in snapshot["players"]["Ann"]}
    fields |= {f"spaces.{field}" for field in snapshot["spaces"]["baltic"]}
    assert (parts | fields) - set(phrases) == set()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_state_set_by_hand_is_told_without_names_of_the_program(variant: str) -> None:
    snapshot = game_of(variant).snapshot()
    changes = {part: value for part, value in snapshot.items() if part not in FIXED}
    said = correction_text(Names(variant, snapshot["edition"]), changes)
    assert RAW.findall(said) == []


@pytest.mark.parametrize(
    ("variant", "changes", "said"),
    [
        ("classic", {"players": {"Ann": {"at": "jail", "in_jail": False}}}, "Ann is just visiting Jail"),
        (
            "classic",
            {"players": {"Ann": {"jail_turns": 1, "cards": []}}},
            "Ann has been in Jail for one turn, Ann holds no card",
        ),
        (
            "classic",
            {"players": {"Ann": {"owes": [{"to": "Bob", "amount": 50, "reason": "rent"}]}}},
            "Ann owes Bob $50",
        ),
        ("classic", {"spaces": {"baltic": {"houses": 2, "hotel": False}}}, "Baltic has two houses"),
        ("classic", {"turn": {"player": "Bob", "phase": "done"}}, "it is Bob's turn, the dice have been thrown"),
        ("classic", {"bank": {"houses": 30}}, "the Bank has 30 houses"),
        ("classic", {}, "nothing"),
        (
            "slaughterhouse",
            {"players": {"Ann": {"loot": {"bank": 200, "Bob": 50}, "ever_robbed": True, "bombs": 1}}},
            "Ann has to pay back the Bank $200 and Bob $50, Ann has robbed the Bank before, Ann keeps 1 bomb",
        ),
        (
            "slaughterhouse",
            {"spaces": {"baltic": {"bomb": True, "miner": False}}},
            "a bomb lies on Baltic, no miner works on Baltic",
        ),
        (
            "slaughterhouse",
            {"cop": {"at": "vermont"}, "chairman": "Bob"},
            "the Cop is on Vermont, Bob is Chairman of the Board",
        ),
        (
            "monopozombie",
            {"players": {"Ann": {"status": "zombie", "laps": 2}}},
            "Ann is a zombie, Ann has been round the board two times",
        ),
        ("monopocalypse", {"players": {"Ann": {"bodyguards": 2}}}, "Ann has 2 bodyguards"),
        (
            "dungeonopoly",
            {"players": {"Ann": {"enchantments": {"hex": "Bob", "slow": None}, "form": "mouse"}}},
            "on Ann: a hex by Bob and no more Slow, Ann is in mouse form",
        ),
        ("dungeonopoly", {"players": {"Ann": {"skills": {"steal": 5}}}}, "Ann has 5 in Steal"),
    ],
)
def test_corrections_are_told_in_players_words(variant: str, changes: dict[str, Any], said: str) -> None:
    assert correction_text(Names(variant, "classic"), changes) == said
