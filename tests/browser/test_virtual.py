"""From the rendered frame to the page: real vision, real referee, real browser."""

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.observations import SPACES
from tests.browser.conftest import THROWS, Tablet

#: Ten throws with hands that move at a person's pace; and nothing has been done for longer than people think before
#: they tap or answer (`companion.cli.people`).
PATIENCE_S, CALM_S = 900.0, 10.0


def rolls_in(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for line in view["log"] if line["action"] and "roll" in line["action"]]


def played(page: Tablet) -> dict[str, Any]:
    """The view when all throws have been made and everybody is done."""
    began = changed = time.monotonic()
    version = None
    while time.monotonic() - began < PATIENCE_S:
        view = page.view()
        if view["version"] != version:
            version, changed = view["version"], time.monotonic()
        elif len(rolls_in(view)) >= THROWS and time.monotonic() - changed > CALM_S:
            return view
        page.page.wait_for_timeout(500)
    pytest.fail(f"not played after {PATIENCE_S:.0f} s: {[line['text'] for line in view['log']]}")


def test_ten_turns_on_the_virtual_table_are_followed_and_a_reading_is_put_right(virtual: Tablet) -> None:
    page = virtual
    view = played(page)
    throws = rolls_in(view)
    seen = [line for line in throws if line["by"] == "camera"]
    # How many are read without help is measured without a clock (`boardside demo --headless`); here people tap in
    # what a busy machine has not read in time.
    assert seen, [line["text"] for line in throws]
    for name, player in view["snapshot"]["players"].items():
        place = str(SPACES.index(player["at"]))
        expect(page.page.locator(f'[data-token="{name}"]')).to_have_attribute("data-at", place)

    page.button("The whole story").click()
    page.part("story").locator(f'[data-entry="{seen[-1]["entry"]}"]').click()
    page.part("entry").get_by_role("button", name="Not so").click()
    picture = page.part("correction").get_by_role("img", name="What the camera saw")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    page.part("correction").locator(".alternative").first.click()
    expect(page.part("correction")).to_have_count(0)
    corrected = [line for line in page.view()["log"] if line["entry"] == seen[-1]["entry"]]
    assert corrected[0]["status"] == "amended"
    assert page.faults == []
