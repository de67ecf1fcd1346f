"""Words of Monopocalypse: those of MonopoZombie, with points in the place of heads."""

from typing import Any

from companion.rules.monopozombie import words as before
from companion.rules.monopozombie.outlook import count, listed
from companion.rules.monopozombie.words import (
    ANSWERS,
    DECISIONS,
    LABELS,
    RANKS,
    USES,
    WORDS_OF_CAUSE,
    Facts,
    retold,
    stage,
)


def converted(names: Any, event: Facts) -> str:
    """`Cat is a zombie: 3 zombie points against 2.`"""
    if event["cause"] == "outnumbered":
        attack, defence = event["against"]
        return f"{event['player']} is a zombie: {count(attack, 'zombie point')} against {defence}."
    return before.converted(names, event)


SENTENCES = {**before.SENTENCES, "converted": converted}
CORRECTED = {
    **before.CORRECTED,
    "outbreak_waiting": lambda names, who, players: f"no turn since the outbreak began: {listed(players) or 'nobody'}",
}
CLAUSES = {
    **before.CLAUSES,
    "converted/jail_card": "MA-2.2",
    "converted/jail_square": "MA-2.2",
    "converted/third_double": "MA-2.3",
    "converted/infection_ground": "MA-3.1",
    "converted/outnumbered": "MA-3.1",
    "converted/battle": "MA-3.14",
    "demolished/arrival": "MA-5.1",
    "demolished/vacated": "MA-5.2",
    "demolished/abandoned": "MA-5.4",
    "demolished/overrun": "MA-5.6",
}

__all__ = [
    "ANSWERS",
    "CLAUSES",
    "CORRECTED",
    "DECISIONS",
    "LABELS",
    "RANKS",
    "SENTENCES",
    "USES",
    "WORDS_OF_CAUSE",
    "retold",
    "stage",
]
