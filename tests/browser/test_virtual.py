"""From the rendered frame to the page: real vision, real referee, real browser."""

from playwright.sync_api import expect

from companion.observations import SPACES
from tests.browser.conftest import THROWS, Tablet

#: Ten throws with hands that move at a person's pace.
PATIENCE_MS = 900_000


def test_ten_turns_on_the_virtual_table_are_followed_and_a_reading_is_put_right(virtual: Tablet) -> None:
    page = virtual
    page.page.wait_for_function(
        """async (throws) => {
          const view = await (await fetch("api/view")).json();
          return view.log.filter((line) => line.action?.roll).length >= throws;
        }""",
        arg=THROWS,
        polling=500,
        timeout=PATIENCE_MS,
    )
    view = page.view()
    throws = [line for line in view["log"] if line["action"] and "roll" in line["action"]]
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
