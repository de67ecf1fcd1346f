"""The rules in play, opened at the table."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Start, Tablet


def test_the_rules_are_opened_beside_the_log(start: Start, tablet: Callable[..., Tablet]) -> None:
    page = tablet(start("play", "--camera", "none", "--players", "Ann,Bob", "--open"))
    page.button("Rules").click()
    expect(page.part("rules")).to_contain_text("Classic")
    expect(page.part("rules").locator("details[open] p").first).to_be_visible()
    page.part("rules").locator("summary", has_text="Rent").click()
    expect(page.part("rules")).to_contain_text("Rent is paid at once")
    page.button("Close").click()
    expect(page.part("rules")).to_have_count(0)


def test_each_class_has_a_sheet_that_can_be_printed_alone(start: Start, tablet: Callable[..., Tablet]) -> None:
    players = "Ann:wizard,Bob:fighter"
    page = tablet(start("play", "--camera", "none", "--variant", "dungeonopoly", "--players", players, "--open"))
    page.button("Rules").click()
    sheet = page.part("rules").locator(".class-sheet", has_text="Wizard: Ann")
    sheet.locator("summary").click()
    expect(sheet).to_contain_text("Magic Missile. Level 1 spell, before or after moving, on an opponent")
    page.page.evaluate("window.print = () => { window.printed = document.querySelectorAll('.alone').length }")
    sheet.get_by_role("button", name="Print this sheet").click()
    assert page.page.evaluate("window.printed") == 1
    expect(page.part("rules").locator(".alone")).to_have_count(0)
