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
