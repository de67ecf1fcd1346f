"""What the camera reports, as the page shows it: questions, pictures, the light."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from companion.observations import StandingSeen, TowerThrow
from tests.browser.conftest import House, Tablet
from tests.browser.test_look import check

OpenTablet = Callable[..., Tablet]


def test_a_sure_throw_is_shown_with_its_picture(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({1: 0.99}, {2: 0.99})
    page.shows("Ann moves to Baltic")
    picture = page.part("now").get_by_role("img", name="What the camera saw")
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 160
    picture.click()
    expect(page.page.locator(".large-picture")).to_be_visible()


def test_a_doubtful_die_is_asked_about_and_answered_with_a_tap(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({1: 0.55, 2: 0.44}, {2: 0.99})
    house.see_token("Ann", "boardwalk")
    question = page.page.locator('.question[data-about="dice"]')
    expect(question.get_by_role("img")).to_be_visible()
    question.locator(".answers button").first.click()
    page.shows("Ann moves to")
    expect(question).to_have_count(0)
    assert page.view()["log"][-1]["action"]["roll"] in ([1, 2], [2, 2])


def test_of_dice_that_were_not_read_only_the_sum_is_shown_until_somebody_says_more(
    house: House, tablet: OpenTablet
) -> None:
    page = tablet(house)
    house.see_throw({4: 0.3, 5: 0.3}, {4: 0.3, 5: 0.3})
    house.see_token("Ann", "connecticut")
    page.shows("Ann moves to Connecticut")
    dice = page.button("The dice are wrong")
    expect(dice.get_by_label("open")).to_have_count(2)
    expect(dice).to_have_text("9")
    check(page, (1280, 800))
    dice.click()
    correction = page.part("correction")
    expect(correction).to_contain_text("Ann throws 9.")
    expect(correction.locator('.throws [aria-pressed="true"]')).to_have_count(0)
    correction.get_by_role("button", name="4 and 5", exact=True).click()
    expect(correction).to_have_count(0)
    expect(dice.get_by_label("open")).to_have_count(0)
    expect(dice.get_by_label("4")).to_have_count(1)


def test_a_question_about_dice_takes_any_throw_in_two_taps(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({1: 0.55, 2: 0.44}, {2: 0.99})
    house.see_token("Ann", "boardwalk")
    question = page.page.locator('.question[data-about="dice"]')
    page.count_taps()
    question.get_by_role("button", name="Other dice").click()
    check(page, (1280, 800))
    question.get_by_role("button", name="5 and 6", exact=True).click()
    page.shows("Ann moves to")
    expect(question).to_have_count(0)
    assert page.taps == 2
    assert page.view()["log"][-1]["action"]["roll"] == [5, 6]


def test_dice_that_were_handed_on_are_forgotten_when_others_are_thrown(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({4: 0.99}, {5: 0.99}, thrown=0.5)
    house.see_throw({4: 0.99}, {1: 0.99})
    page.shows("Ann moves to Reading Railroad")
    expect(page.page.locator(".question")).to_have_count(0)
    assert page.view()["log"][-1]["action"]["roll"] == [4, 1]


def test_of_dice_that_were_tossed_on_and_thrown_the_token_tells_which_count(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.session.observe(StandingSeen(tokens={"go": 2.0}, looks=4))
    house.see_throw({4: 0.99}, {1: 0.99})
    house.see_throw({6: 0.99}, {5: 0.99})
    question = page.page.locator('.question[data-about="decision"]')
    expect(question.get_by_role("button", name="Only the last throw counts")).to_be_visible()
    named = {"Ann": {"st-charles": 0.98}, "Bob": {"go": 0.98}}
    house.session.observe(StandingSeen(tokens={"go": 1.0, "st-charles": 1.0}, named=named, looks=4))
    page.shows("Ann moves to St. Charles Place")
    expect(question).to_have_count(0)
    check(page, (1280, 800))
    undone, note, counted = page.view()["log"][-3:]
    assert (undone["action"]["roll"], undone["status"]) == ([4, 1], "undone")
    assert note["text"] == "Only the last throw counts: Ann's token went by it."
    assert (counted["action"]["roll"], counted["reason"]) == ([6, 5], "The throw before did not count.")


def test_dice_that_were_only_moved_are_said_to_be_so_with_a_tap(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({4: 0.99}, {5: 0.99}, thrown=0.5)
    house.see_token("Ann", "boardwalk")
    question = page.page.locator('.question[data-about="dice"]')
    expect(question).to_contain_text("Were the dice thrown, or only moved?")
    check(page, (1280, 800))
    question.get_by_role("button", name="Only moved", exact=True).click()
    expect(question).to_have_count(0)
    assert all("roll" not in (line.get("action") or {}) for line in page.view()["log"])


def test_witnesses_who_differ_may_both_be_wrong(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({1: 0.99}, {2: 0.99})
    house.session.observe(TowerThrow(tower="tower", sequence=1, faces=(1, 5), t_ns=1))
    question = page.page.locator('.question[data-about="witnesses"]')
    question.get_by_role("button", name="Other dice").click()
    question.get_by_role("button", name="4 and 4", exact=True).click()
    expect(question).to_have_count(0)
    assert page.view()["log"][-1]["action"]["roll"] == [4, 4]


def test_a_question_goes_away_when_the_table_answers_it(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({1: 0.99}, {2: 0.99})
    page.shows("Ann moves to Baltic")
    question = page.page.locator('.question[data-about="move"]')
    house.see_token("Ann", "vermont")
    expect(question).to_be_visible()
    expect(page.button("Buy for $60")).to_be_enabled()
    house.see_token("Ann", "baltic")
    expect(page.part("questions")).to_have_count(0)


def test_a_throw_is_given_to_whoever_threw_with_a_tap(house: House, tablet: OpenTablet) -> None:
    """Bob has begun, though Ann is the first of the list."""
    page = tablet(house)
    house.see_throw({1: 0.99}, {2: 0.99})
    page.shows("Ann moves to Baltic")
    house.see_token("Bob", "baltic")
    question = page.page.locator('.question[data-about="token"]')
    expect(question).to_contain_text("It was Ann's throw, but Bob moved by it to Baltic Avenue.")
    check(page, (1280, 800))
    question.get_by_role("button", name="It was Bob's throw", exact=True).click()
    page.shows("Bob moves to Baltic")
    expect(page.part("questions")).to_have_count(0)
    assert (page.space_of("Ann"), page.space_of("Bob")) == ("go", "baltic")
    expect(page.button("Buy for $60")).to_be_enabled()


def test_a_view_that_comes_late_hides_no_question(house: House, tablet: OpenTablet) -> None:
    page = tablet(house)
    house.see_throw({1: 0.99}, {2: 0.99})
    page.shows("Ann moves to Baltic")
    old = page.page.request.get(f"{house.address}api/view").text()
    address = page.page.url
    # What this page still asks for must not be among what is held of the next.
    page.page.goto("about:blank")
    held: list[Route] = []
    page.page.route("**/api/view", lambda route: held.append(route))
    with page.page.expect_request("**/api/view"):
        page.page.goto(address)
    page.shows("Ann moves to Baltic")
    house.see_token("Ann", "vermont")
    question = page.page.locator('.question[data-about="move"]')
    expect(question).to_be_visible()
    while not held:
        page.page.wait_for_timeout(50)
    with page.page.expect_response("**/api/view") as answer:
        held[0].fulfill(body=old, content_type="application/json")
    answer.value.finished()
    page.page.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(question).to_be_visible()


@pytest.mark.parametrize(
    ("state", "word", "shown"),
    [
        ("well", "", "sees well"),
        ("unsure", "glare on the upper side", "glare on the upper side"),
        ("blind", "", "tap instead"),
    ],
)
def test_the_light_has_three_states_and_a_word(
    house: House, tablet: OpenTablet, state: str, word: str, shown: str
) -> None:
    page = tablet(house)
    house.sight(state, word)
    light = page.part("light")
    expect(light).to_contain_text(shown)
    expect(light).to_have_attribute("data-state", state)
    faces = page.button("Die 1: 4")
    if state == "blind":
        expect(faces).to_be_visible()
    else:
        expect(faces).to_have_count(0)
        page.button("Tap the dice in").click()
        expect(faces).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_long_word_of_the_light_is_shown_whole_and_covers_nothing(
    house: House, tablet: OpenTablet, size: tuple[int, int]
) -> None:
    page = tablet(house, size={"width": size[0], "height": size[1]})
    address = "http://camera-over-the-table.example/stream/high/video.mjpg"
    house.sight("blind", f"Cannot open {address}: is the address right and reachable?")
    expect(page.part("light")).to_contain_text("Cannot open")
    toggles = page.page.locator(".toggles").bounding_box()
    assert toggles is not None
    for words in page.part("light").locator(".light-words > *").all():
        assert words.evaluate("(words) => words.scrollWidth <= words.clientWidth || !words.clientWidth")
        assert words.evaluate("(words) => words.scrollHeight <= words.clientHeight || !words.clientHeight")
        box = words.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= toggles["x"] or box["y"] >= toggles["y"] + toggles["height"]
    if size[0] > size[1]:
        title, turn = page.page.locator(".whose h1").bounding_box(), page.page.get_by_text("’s turn").bounding_box()
        assert title is not None
        assert turn is not None
        assert turn["y"] + turn["height"] <= title["y"] + title["height"] + 1
    page.part("light").click()
    expect(page.part("sight")).to_contain_text(address)
    body = page.part("sight").locator(".sheet-body")
    assert body.evaluate("(body) => body.scrollWidth <= body.clientWidth")
    # The light above it covers nothing of it either.
    page.part("sight").locator(".sheet-head button").click()
    expect(page.part("sight")).to_have_count(0)
