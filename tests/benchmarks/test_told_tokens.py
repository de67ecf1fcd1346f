"""How often it is told that a token has fallen over, is gone, or has changed places with another, over rendered tables.

Run with `python -m pytest -m benchmark tests/benchmarks/test_told_tokens.py -s -n 0`.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evenings import GIVEN, OWNED, Evening
from vision.virtual.shapes import METAL_KINDS, PAWN_COLORS

#: Rendered tables that nothing was trained on.
SEEDS = range(51, 63)
#: On none of these was what tells who lies trained: it learned from other shapes.
FAMILIES = {
    "metal": METAL_KINDS,
    "pawns": tuple(f"{color}_pawn" for color in PAWN_COLORS),
    "meeples": tuple(f"{color}_meeple" for color in PAWN_COLORS),
}
#: What is done to Bob's token, and what has to be said of it then: nothing of one that is turned where it stands, or
#: goes on its way and is put down standing.
SAID = {
    "turned": "",
    "fallen": "Has it fallen over?",
    "swapped": "have changed places",
    "taken": "I can't see Bob's",
    "put down": "",
    "put down lying": "Virginia Avenue. Has it fallen over?",
}
#: Least shares that are told rightly.
FLOORS = {"turned": 0.95, "fallen": 0.85, "swapped": 0.8, "taken": 0.9, "put down": 0.95, "put down lying": 0.7}


def told(tokens: tuple[str, str], seed: int, deed: str) -> list[str]:
    """What is asked after this was done."""
    anns, bobs = tokens
    goes_on = deed.startswith("put down")
    evening = Evening(tokens, seed, given=OWNED if goes_on else GIVEN)
    evening.stand(**{anns: 24, bobs: 5})
    evening.look(4.0)
    assert evening.texts == []
    if goes_on:
        evening.go_on()
    token, yaw = evening.setting.tokens[bobs], float(evening.setting.rng.uniform(0, 2 * np.pi))
    if deed == "swapped":
        evening.stand(**{anns: 5})
        evening.stand(**{bobs: 24})
    elif deed == "taken":
        del evening.setting.tokens[bobs]
    else:
        kind = f"fallen {token.kind}" if deed in ("fallen", "put down lying") else token.kind
        evening.setting.tokens[bobs] = replace(token, kind=kind, yaw=yaw)
    evening.look(8.0)
    return evening.texts


@pytest.mark.benchmark
def test_what_happens_to_tokens_is_told() -> None:
    right: Counter[tuple[str, str]] = Counter()
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        for family, kinds in FAMILIES.items():
            anns, bobs = (str(kind) for kind in rng.choice(kinds, 2, replace=False))
            for deed, said in SAID.items():
                texts = told((anns, bobs), seed, deed)
                right[family, deed] += any(said in text for text in texts) if said else not texts
    print(f"\n| {len(SEEDS)} each | " + " | ".join(SAID) + " |\n|---|" + "---|" * len(SAID))
    for family in FAMILIES:
        print(f"| {family} | " + " | ".join(str(right[family, deed]) for deed in SAID) + " |")
    for deed, floor in FLOORS.items():
        share = sum(right[family, deed] for family in FAMILIES) / (len(SEEDS) * len(FAMILIES))
        assert share >= floor, f"{deed}: {share:.0%}"
