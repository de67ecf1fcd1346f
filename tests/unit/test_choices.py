"""What people choose at set-up makes a game, or is refused in a sentence."""

import re
from typing import Any

import pytest

from companion.choices import initials_of, record_of
from companion.rules import Refused


def choose(**tokens: str | None) -> dict[str, Any]:
    """The faces of players who say which tokens are theirs."""
    players = [{"name": name, "token": token} for name, token in tokens.items()]
    record = record_of({"players": players}, "1", "2026-01-01T19:04:00+00:00", {"reaction_s": None})
    return {face["name"]: face["token"] for face in record.faces}


def test_initials_tell_players_apart() -> None:
    assert initials_of(["Ann", "Bob", "Bert"]) == {"Ann": "A", "Bob": "Bo", "Bert": "Be"}
    assert initials_of(["An", "Ann"]) == {"An": "An", "Ann": "Ann"}


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ("Hat ", "Two players have the same token, hat."),
        ("COP", "No player's token is called cop: that is the Cop of Slaughterhouse."),
    ],
)
def test_tokens_tell_players_apart(other: str, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        choose(Ann="hat", Bob=other)


def test_who_has_not_said_which_token_is_theirs_plays_all_the_same() -> None:
    assert choose(Ann="hat", Bob=None, Cat=None, Dee=" ") == {"Ann": "hat", "Bob": None, "Cat": None, "Dee": " "}
