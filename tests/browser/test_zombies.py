"""A game with zombies on the page: the stage, who is what, and the spaces that may be chosen, lit on the board."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Program, Start, Tablet
from tests.browser.test_look import check

PLAYERS = ("Ann", "Bob", "Cat", "Dee")
UNDEAD = {"status": "zombie", "laps": 1, "cash": 0}


@pytest.fixture
def program(start: Start) -> Program:
    game = ("--variant", "monopozombie", "--players", ",".join(PLAYERS))
    return start("play", "--camera", "none", *game, "--open")


def act(page: Tablet, **action: Any) -> None:
    """An action by the API that the page itself uses."""
    body = {"action": action, "version": page.view()["version"]}
    answer = page.page.request.post(f"{page.page.url.split('?')[0]}api/act", data=body)
    assert answer.ok, answer.text()


def lit(page: Tablet) -> set[str]:
    return {str(space.get_attribute("data-space")) for space in page.page.locator(".space.lit").all()}


def hold(page: Tablet, space: str) -> None:
    """A finger that stays on a space until something shows its deed."""
    page.page.locator(f'[data-space="{space}"] .space-ground').hover()
    page.page.mouse.down()
    expect(page.part("deed")).to_be_visible()
    page.page.mouse.up()


def touch_swiftly(page: Tablet, *names: str) -> None:
    """One button right after the other, once they are shown, however busy this machine is."""
    expect(page.part("correction").get_by_role("button", name=names[0])).to_be_visible()
    page.page.evaluate(
        """async (names) => {
             for (const name of names) {
               document.querySelector(`[data-part="correction"] [aria-label="${name}"]`).click();
               await new Promise(requestAnimationFrame);
             }
           }""",
        list(names),
    )


def test_choices_are_lit_and_the_stage_is_told(program: Program, tablet: Callable[..., Tablet]) -> None:
    page = tablet(program)
    stage = page.part("stage")
    expect(stage).to_contain_text("the outbreak begins with the first conversion")
    check(page, (1280, 800))

    act(
        page, set={"stage": "outbreak", "turn": {"player": "Dee"}, "players": {"Dee": {**UNDEAD, "at": "free-parking"}}}
    )
    expect(stage).to_contain_text("the apocalypse begins with the next conversion")
    expect(stage.locator('[data-role="zombie"]')).to_contain_text("Dee")
    act(page, roll=[1, 3])
    expect(page.page.locator('.now .die[data-sides="4"]')).to_have_count(2)
    expect(page.page.locator(".space.lit")).to_have_count(2)
    assert lit(page) == {"illinois", "st-james"}
    check(page, (1280, 800))
    expect(page.page.locator(".middle")).to_contain_text("hold it for its deed")
    hold(page, "st-james")
    expect(page.part("deed")).to_contain_text("St. James")
    check(page, (1280, 800))
    assert page.space_of("Dee") == "free-parking"
    page.page.locator('[data-space="st-james"]').click()
    expect(page.part("decisions")).to_contain_text("Auction of St. James")
    assert page.space_of("Dee") == "st-james"

    there = {"Ann": {"at": "jail", "laps": 1}, "Bob": {"at": "jail", "laps": 1}, "Cat": {**UNDEAD, "at": "marvin"}}
    group = {"players": ["Ann", "Bob"], "lead": "Ann", "moves": 0}
    act(page, set={"stage": "apocalypse", "turn": {"player": "Ann"}, "players": there, "groups": [group]})
    expect(stage).to_contain_text("Ann leads, 0 moves of 3 made")
    act(page, roll=[1, 6, 2, 5, 3, 4])
    pool = page.part("pool").first
    expect(pool.locator('[data-roller="Bob"] button')).to_have_count(3)
    assert {"states", "kentucky"} <= lit(page)
    check(page, (1280, 800))
    pool.get_by_role("button", name="1, thrown by Ann").click()
    pool.get_by_role("button", name="2, thrown by Ann").click()
    pool.get_by_role("button", name="1 and 2 forward: States").click()
    taken = page.part("pool").first.get_by_role("button", name="1, thrown by Ann, taken by Ann")
    expect(taken).to_be_visible()

    page.count_taps()
    page.button("The dice are wrong").click()
    page.part("correction").get_by_role("button", name="Die 4: 6").click()
    expect(page.part("correction")).to_have_count(0)
    assert page.taps == 2
    rolls = [line["action"]["roll"] for line in page.view()["log"] if "roll" in (line["action"] or {})]
    assert rolls[-1] == [1, 6, 2, 6, 3, 4]

    page.button("The dice are wrong").click()
    check(page, (1280, 800))
    touch_swiftly(page, "Die 1: 5", "Die 6: 2")
    expect(page.part("correction")).to_have_count(0)
    assert page.taps == 5
    rolls = [line["action"]["roll"] for line in page.view()["log"] if "roll" in (line["action"] or {})]
    assert rolls[-1] == [5, 6, 2, 6, 3, 2]
