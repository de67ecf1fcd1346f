"""Slaughterhouse at the tablet: the Cop, the pockets' die, and what is on record."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Start, Tablet

GAME = ("play", "--camera", "none", "--variant", "slaughterhouse", "--players", "Ann,Bob", "--open")


def test_a_picked_pocket_calls_the_cop(start: Start, tablet: Callable[..., Tablet]) -> None:
    page = tablet(start(*GAME))
    records, cop = page.part("records").locator("visible=true"), page.page.locator('[data-token="cop"]')
    expect(records).to_contain_text("Chairman of the Board.")
    expect(cop).to_have_attribute("data-at", "30")
    place(page, {"players": {"Bob": {"at": "oriental"}}, "spaces": {"oriental": {"owner": "Ann"}}})
    page.throw(2, 4)
    expect(page.part("outlook")).to_contain_text("A crime calls the Cop")
    expect(page.part("dice-table")).to_contain_text("$500, a crime")
    page.button("Bob").click()
    expect(page.part("dice-table")).to_contain_text("$500, a crime")
    page.throw(6)
    page.shows("Ann takes $500 from Bob.")
    expect(records).to_contain_text("Wanted: $600 next time in Jail ($100 fine, $500 to Bob).")
    expect(page.page.locator('[data-player="Ann"] [data-badge="wanted"]')).to_contain_text("$600")
    expect(cop).to_have_attribute("data-at", "36")
    expect(page.part("outlook")).to_contain_text("hunts Ann")


def place(page: Tablet, changes: dict) -> None:  # type: ignore[type-arg]
    """Puts the pieces somewhere by hand."""
    body = {"version": page.view()["version"], "action": {"set": changes}}
    assert page.page.request.post(page.page.url.split("?")[0] + "api/act", data=body).ok
    page.shows("Put right by hand")
