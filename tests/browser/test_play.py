"""People at the page: set-up, turns tapped in, corrections, two tablets, a pulled plug."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Start, Tablet
from tests.browser.test_look import check

OpenTablet = Callable[..., Tablet]
BY_HAND = ("play", "--camera", "none", "--players", "Ann,Bob", "--open")


def test_a_game_is_set_up_step_by_step(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start("play", "--open"))
    page.page.get_by_label("Name of player 1").fill("Ann")
    expect(page.button("Next")).to_be_disabled()
    page.page.get_by_label("Name of player 2").fill("Bob")
    page.button("One more player").click()
    page.page.get_by_label("Name of player 3").fill("Cat")
    page.button("Next").click()
    page.button("Vintage").click()
    page.page.locator('[data-option="rent"]').get_by_role(
        "button", name="Owners have to ask for it before the next throw"
    ).click()
    page.button("Next").click()
    expect(page.button("Next")).to_be_disabled()
    page.page.locator('[data-camera="none"]').click()
    page.button("Next").click()
    page.button("Start the game").click()
    page.shows("Ann begins.")
    game = page.view()["game"]
    assert (game["edition"], game["options"]["rent"]) == ("vintage", "demand")
    assert [player["name"] for player in page.view()["players"]] == ["Ann", "Bob", "Cat"]
    expect(page.page.locator("[data-token]")).to_have_count(3)
    expect(page.page.locator("[data-space]")).to_have_count(40)


def test_a_turn_is_tapped_in_and_a_deed_bought(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.shows("Baltic")
    page.button("Buy for $60").click()
    expect(page.page.locator('[data-player="Ann"]')).to_contain_text("$1,440")
    expect(page.page.locator('[data-space="baltic"] .owner')).to_be_visible()
    page.throw(1, 2)
    page.shows("Bob owes Ann $4")
    page.button("Why?").click()
    expect(page.part("why")).to_contain_text("CL-5.3")


def test_a_reading_is_put_right_in_two_taps(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.shows("Baltic")
    page.button("Not so").click()
    first = page.part("correction").locator(".alternative").first
    expect(first.locator("small").first).to_contain_text("instead of")
    told = first.locator("small").first.inner_text()
    first.click()
    expect(page.part("correction")).to_have_count(0)
    assert page.space_of("Ann") != "baltic"
    assert told.startswith("Ann is on")
    expect(page.part("repair")).to_contain_text("Move Ann's token")
    page.part("repair").get_by_role("button").first.click()
    expect(page.part("repair").locator(".done")).to_have_count(1)
    expect(page.part("log").locator('[data-status="amended"]')).to_have_count(1)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_any_throw_of_all_is_put_right_in_two_taps(start: Start, tablet: OpenTablet, size: tuple[int, int]) -> None:
    page = tablet(start(*BY_HAND), size={"width": size[0], "height": size[1]})
    page.throw(1, 2)
    page.shows("Baltic")
    page.count_taps()
    page.button("Not so").click()
    correction = page.part("correction")
    expect(correction.locator(".alternative small").first).to_be_visible()
    likeliest = correction.locator(".alternative-label").all_inner_texts()
    assert not any(label.startswith("5 and 6") for label in likeliest)
    throws = correction.get_by_role("group", name="All throws").get_by_role("button")
    expect(throws).to_have_count(21)
    expect(correction.get_by_role("button", name="1 and 2", exact=True)).to_have_attribute("aria-pressed", "true")
    check(page, size)
    correction.get_by_role("button", name="5 and 6", exact=True).click()
    expect(correction).to_have_count(0)
    assert page.taps == 2
    assert page.space_of("Ann") == "st-charles"
    assert page.view()["log"][0]["action"]["roll"] == [5, 6]


def test_the_likeliest_stand_first_and_nothing_moves_once_it_is_shown(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.shows("Baltic")
    held: list[Route] = []
    page.page.route("**/api/amend", lambda route: held.append(route))
    page.button("Not so").click()
    correction = page.part("correction")
    expect(correction).to_contain_text("Looking for what it may have been")
    while len(held) < 4:
        page.page.wait_for_timeout(20)
    for preview in held[:3]:
        preview.continue_()
    page.page.wait_for_timeout(200)
    # What one of them changes is still being worked out: nothing can be touched that would move.
    expect(correction.locator(".sheet-body button")).to_have_count(0)
    held[3].continue_()
    throws = correction.get_by_role("group", name="All throws")
    expect(throws).to_be_visible()
    likeliest, grid = correction.locator(".alternative").last.bounding_box(), throws.bounding_box()
    assert likeliest is not None
    assert grid is not None
    assert likeliest["y"] + likeliest["height"] < grid["y"]
    expect(correction.locator(".alternative")).to_have_count(4)


def test_a_line_of_the_past_is_opened_and_amended_and_what_no_longer_fits_is_shown(
    start: Start, tablet: OpenTablet
) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.button("Buy for $60").click()
    page.throw(1, 2)
    page.shows("Bob owes Ann $4")
    page.button("The whole story").click()
    page.part("story").locator("[data-entry]").last.click()
    page.part("entry").get_by_role("button", name="Not so").click()
    expect(page.part("correction").locator(".alternative").first).to_contain_text("No longer fits")
    assert page.space_of("Ann") == "baltic"
    page.part("correction").get_by_role("button", name="1 and 3", exact=True).click()
    expect(page.part("problems")).to_contain_text("no longer fit")
    assert page.space_of("Ann") == "income-tax"
    page.part("problems").get_by_role("button").click()
    page.button("Leave it out").click()
    expect(page.part("problems")).to_have_count(0)


def test_a_token_is_said_to_stand_elsewhere_in_two_taps(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.page.locator('[data-token="Bob"]').click()
    page.page.locator('[data-space="illinois"]').click()
    expect(page.page.locator('[data-token="Bob"]')).to_be_visible()
    page.page.wait_for_function("document.querySelector('main').dataset.version > 0")
    assert page.space_of("Bob") == "illinois"


def test_buildings_are_put_right_in_two_taps(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.button("Buy for $60").click()
    expect(page.page.locator('[data-space="baltic"] .owner')).to_be_visible()
    for rent, stands in (("2 houses: $60", (2, False)), ("Hotel: $450", (0, True)), ("Rent: $4", (0, False))):
        page.page.locator('[data-space="baltic"]').click(position={"x": 5, "y": 5})
        page.part("deed").get_by_role("button", name=rent).click()
        expect(page.part("deed").locator(".rent.picked")).to_have_accessible_name(rent)
        baltic = page.view()["snapshot"]["spaces"]["baltic"]
        assert (baltic["houses"], baltic["hotel"]) == stands
        page.button("Close the deed").click()
    expect(page.part("log")).to_contain_text("Put right by hand")


def test_a_token_and_the_space_under_it_can_both_be_touched(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.button("Buy for $60").click()
    middle = page.page.locator(".middle")
    page.page.locator('[data-token="Ann"]').click()
    expect(middle).to_contain_text("Where does Ann really stand?")
    page.button("Show this space").click()
    expect(page.part("deed")).to_contain_text("Baltic Avenue")
    page.part("deed").get_by_role("button", name="Ann stands elsewhere").click()
    expect(middle).to_contain_text("Where does Ann really stand?")
    page.button("Leave it").click()
    # A finger that looks for the other's space finds it under the other's token.
    page.page.locator('[data-token="Bob"]').click()
    box = page.page.locator('[data-token="Ann"]').bounding_box()
    assert box is not None
    page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.page.wait_for_function("document.querySelector('main').dataset.version > 2")
    assert page.space_of("Bob") == "baltic"


def test_two_tablets_are_in_step_and_the_slower_finger_is_told(start: Start, tablet: OpenTablet) -> None:
    program = start(*BY_HAND)
    one, other = tablet(program), tablet(program, size={"width": 390, "height": 844})
    old = one.view()["version"]
    one.throw(1, 2)
    other.shows("Baltic")
    late = other.page.request.post(f"{program.address}api/act", data={"version": old, "action": {"roll": [3, 4]}})
    assert late.status == 409
    assert late.json()["error"] == "stale"
    other.button("Buy for $60").click()
    expect(one.page.locator('[data-player="Ann"]')).to_contain_text("$1,440")


def test_a_finger_that_another_tablet_has_overtaken_is_told_so(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))

    def overtake(route: Route) -> None:
        """Somebody else's tap arrives while this one is on its way."""
        taken = page.page.request.post(f"{page.page.url}api/act", data={"version": 0, "action": {"roll": [1, 2]}})
        assert taken.ok
        route.continue_()

    page.page.route("**/api/act", overtake, times=1)
    page.throw(3, 4)
    expect(page.part("notice")).to_contain_text("moved on")
    page.shows("Baltic")
    assert page.space_of("Ann") == "baltic"
    page.button("Buy for $60").click()
    expect(page.page.locator('[data-player="Ann"]')).to_contain_text("$1,440")


def test_a_pulled_plug_comes_back_by_itself_where_it_was(start: Start, tablet: OpenTablet) -> None:
    program = start(*BY_HAND)
    page = tablet(program)
    page.throw(1, 2)
    page.shows("Baltic")
    program.kill()
    expect(page.part("lost")).to_be_visible()
    expect(page.button("Buy for $60")).to_be_disabled()
    start("play", "--camera", "none", "--open", "--resume", port=program.port)
    expect(page.part("lost")).to_have_count(0)
    page.shows("Baltic")
    page.button("Buy for $60").click()
    expect(page.page.locator('[data-player="Ann"]')).to_contain_text("$1,440")


def test_a_game_is_gone_on_with_from_the_list(start: Start, tablet: OpenTablet) -> None:
    first = start(*BY_HAND)
    page = tablet(first)
    page.throw(1, 2)
    page.shows("Baltic")
    first.stop()
    page = tablet(start("play", "--open"))
    page.button("Go on with a game").click()
    page.button("Ann, Bob", exact=False).click()
    page.shows("Baltic")


def test_an_auction_is_bid_for_on_one_page(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start("play", "--camera", "none", "--players", "Ann,Bob,Cat,Dee", "--open"))
    page.throw(1, 2)
    page.button("Auction it").click()
    bidder = page.page.locator
    bidder('[data-bidder="Cat"]').get_by_role("button", name="$50").click()
    expect(bidder("[data-bidder]")).to_have_count(3)
    for name in ("Ann", "Bob", "Dee"):
        bidder(f'[data-bidder="{name}"]').get_by_role("button", name="Leave").click()
        expect(bidder(f'[data-bidder="{name}"]')).to_have_count(0)
    expect(page.page.locator('[data-player="Cat"]')).to_contain_text("$1,450")


def test_a_deal_is_struck_by_touch(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.button("Buy for $60").click()
    page.page.locator('[data-player="Ann"]').click()
    page.button("A deal …").click()
    sides = page.part("trade").locator(".giver")
    sides.nth(0).get_by_role("button", name="Baltic Avenue").click()
    sides.nth(1).get_by_role("button", name="100 more").click()
    page.button("Both agree").click()
    expect(page.page.locator('[data-player="Ann"]')).to_contain_text("$1,540")
    expect(page.page.locator('[data-player="Bob"]')).to_contain_text("$1,400")


def test_a_token_glides_over_the_spaces_it_crosses_unless_motion_is_reduced(start: Start, tablet: OpenTablet) -> None:
    program = start(*BY_HAND)
    still, moving = tablet(program), tablet(program)
    moving.page.emulate_media(reduced_motion="no-preference")
    watch = """() => {
      window.framesSeen = [];
      const token = document.querySelector('[data-token="Ann"]');
      const watcher = new MutationObserver(() => {
        const frames = token.getAnimations().flatMap((one) => one.effect.getKeyframes());
        if (frames.length) window.framesSeen = frames.map((frame) => frame.transform);
      });
      watcher.observe(token, { attributes: true });
    }"""
    for page in (still, moving):
        page.page.wait_for_selector('[data-token="Ann"]')
        page.page.evaluate(watch)
    moving.throw(2, 3)
    moving.page.wait_for_function("window.framesSeen.length > 0")
    assert len(moving.page.evaluate("window.framesSeen")) == 6
    expect(still.page.locator('[data-token="Ann"]')).to_have_attribute("data-at", "5")
    assert still.page.evaluate("window.framesSeen") == []


def test_the_dice_shown_large_lead_to_the_throw_itself(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    page.throw(1, 2)
    page.button("Buy for $60").click()
    page.shows("buys Baltic")
    page.button("The dice are wrong").click()
    expect(page.part("correction")).to_contain_text("Ann throws 1 and 2")


def test_a_tablet_remembers_its_light_sound_and_speech(start: Start, tablet: OpenTablet) -> None:
    page = tablet(start(*BY_HAND))
    for name in ("Sound", "Speech", "Night"):
        page.button(name).click()
    page.throw(1, 2)
    page.shows("Baltic")
    page.page.reload()
    for name in ("Sound", "Speech", "Night"):
        expect(page.button(name)).to_have_attribute("aria-pressed", "true")
    assert page.page.evaluate("document.documentElement.dataset.light") == "night"


def test_a_spell_is_cast_from_the_seat(start: Start, tablet: OpenTablet) -> None:
    page = tablet(
        start("play", "--camera", "none", "--variant", "dungeonopoly", "--players", "Ann:wizard,Bob:fighter", "--open")
    )
    page.page.locator('[data-player="Ann"]').click()
    missile = page.page.locator('[data-ability="magic_missile"]')
    missile.get_by_role("button").first.click()
    missile.get_by_role("button", name="Bob").click()
    expect(page.page.locator('[data-player="Bob"]')).to_contain_text("$1,480")
    expect(missile).to_contain_text("Used")
    expect(page.part("seat")).to_contain_text("1 experience")
