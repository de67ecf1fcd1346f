"""A recorded game played at a camera's pace, followed on the page to its end, questions answered by taps.

Run with `python -m pytest -m benchmark tests/browser/test_clip.py -s -n 0`; takes five minutes.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Start, Tablet

CLIP = Path(__file__).resolve().parents[3] / "shared/bench/table/t01_green_window/clip"
#: Share of turns without a silent error, and of those told right at the end.
FLOOR = 0.9
PATIENCE_S = 1800.0
ENDED = "the recording is at its end"


class Person:
    """Somebody at the tablet who has seen what was thrown and taps the answers."""

    def __init__(self, page: Tablet, turns: list[dict[str, Any]]) -> None:
        self.page = page
        self.turns = turns
        self.asked: dict[str, int] = {}
        self.taps = 0

    def look(self, view: dict[str, Any]) -> None:
        turn = len(rolls(view))
        for question in view["questions"]:
            self.asked.setdefault(question["id"], turn)
        for question in view["questions"][:1]:
            label = self.answer(question, self.turns[min(turn, len(self.turns) - 1)])
            button = self.page.page.locator(".question .answers button").get_by_text(label, exact=True)
            # The table may have answered meanwhile.
            if label and button.count():
                button.first.click(timeout=5_000)
                self.taps += 1

    def answer(self, question: dict[str, Any], turn: dict[str, Any]) -> str:
        options = {str(option["option"]): option["label"] for option in question["options"]}
        thrown = [o for o in question["options"] if isinstance(o["option"], list) and is_thrown(o["option"], turn)]
        if thrown:
            return str(thrown[0]["label"])
        if "dice" in options and question["facts"].get("player") == turn["token"]:
            return str(options["dice"])
        return str(options.get("put_right", ""))


def is_thrown(faces: list[int], turn: dict[str, Any]) -> bool:
    return sorted(faces) == sorted(turn["dice"])


def rolls(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for line in view["log"] if "roll" in (line["action"] or {}) and line["status"] != "undone"]


@pytest.mark.benchmark
@pytest.mark.skipif(not CLIP.exists(), reason="the rendered tables are not here")
def test_a_recorded_game_is_followed_to_its_end(start: Start, tablet: Callable[..., Tablet]) -> None:
    turns = json.loads((CLIP / "truth.json").read_text(encoding="utf-8"))["turns"]
    page = tablet(start("play", "--variant", "watch", "--camera", str(CLIP), "--tower", "none", "--open"))
    person = Person(page, turns)
    end = time.monotonic() + PATIENCE_S
    view = page.view()
    while (view["sight"]["camera"] or {}).get("word") != ENDED:
        assert time.monotonic() < end, "the recording never ended"
        page.page.wait_for_timeout(500)
        view = page.view()
        person.look(view)
    told = [(line["action"]["by"], sorted(line["action"]["roll"])) for line in rolls(view)]
    right = [(turn["token"], sorted(turn["dice"])) == each for turn, each in zip(turns, told, strict=False)]
    asked = set(person.asked.values())
    silent = [number for number, is_right in enumerate(right) if not is_right and number not in asked]
    print(
        f"\n{len(turns)} turns, {len(told)} told, {sum(right)} right, {len(person.asked)} questions in turns "
        f"{sorted(asked)}, {person.taps} taps, silent errors {silent}"
    )
    for name, player in view["snapshot"]["players"].items():
        place = page.page.locator(f'[data-token="{name}"]').get_attribute("data-at")
        assert place is not None, player
    assert sum(right) >= FLOOR * len(turns)
    assert len(silent) <= (1 - FLOOR) * len(turns)
