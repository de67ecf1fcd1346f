"""Dungeonopoly in teams on the page: chosen at set-up, shown in play; how long a reaction waits is changed in play."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Start, Tablet

OpenTablet = Callable[..., Tablet]


def test_teams_are_chosen_at_set_up_and_play_from_one_pool(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start("play", "--open", "--reactions", "60"))
    for place, name in enumerate(("Ann", "Bob", "Cat"), 1):
        if place == 3:
            page.button("One more player").click()
        page.page.get_by_label(f"Name of player {place}").fill(name)
    page.button("Next").click()
    page.page.locator('[data-variant="dungeonopoly"]').click()
    expect(page.button("A minute")).to_have_attribute("aria-pressed", "true")

    def group(name: str, team: str) -> None:
        page.page.locator(f'[data-choice="team"][data-option="{name}"]').get_by_role("button", name=team).click()

    group("Ann", "Red")
    expect(page.page.locator(".setup-foot")).to_contain_text("Bob, Cat are in no team")
    expect(page.button("Next")).to_be_disabled()
    other = page.page.get_by_label("Another team for Bob")
    other.fill("The Owls")
    other.press("Enter")
    expect(page.page.locator(".setup-foot")).to_contain_text("Cat is in no team")
    group("Cat", "The Owls")
    page.button("Next").click()
    page.page.locator('[data-camera="none"]').click()
    page.button("Next").click()
    expect(page.page.locator(".start-step")).to_contain_text("Bob, Cat")
    page.button("Start the game").click()
    page.shows("Ann begins.")
    shown = page.view()
    assert shown["game"]["options"]["teams"] == {"Red": ["Ann"], "The Owls": ["Bob", "Cat"]}
    assert shown["game"]["reaction_s"] == 60
    page.throw(1, 2)
    page.button("Buy for $60").click()
    page.throw(1, 2)
    for name in ("Bob", "Cat"):
        expect(page.page.locator(f'[data-player="{name}"]')).to_contain_text("The Owls")
        expect(page.page.locator(f'[data-player="{name}"]')).to_contain_text("$2,996")
    page.page.locator('[data-player="Cat"]').click()
    expect(page.part("team")).to_have_text("Team The Owls with Bob: $2,996 together.")
    page.button("Close").click()
    page.button("Reactions").click()
    page.part("reactions").get_by_role("button", name="15 seconds").click()
    expect(page.part("reactions").get_by_role("button", name="15 seconds")).to_have_attribute("aria-pressed", "true")
    assert page.view()["game"]["reaction_s"] == 15
