"""What can be measured of the look: contrast, touch targets, sizes of type, nothing cut off; by day and by night."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import House, Program, Start, Tablet

#: tablet.md: text at least 7:1, touch targets at least 56 px, four sizes of type.
CONTRAST, TOUCH_PX, TYPE_PX = 7.0, 56, {16, 22, 36, 72}
SIZES = [(1280, 800), (1024, 768), (390, 844), (1920, 1080)]

MEASURE = """(limits) => {
  const [CONTRAST, TOUCH] = limits;
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] > 0.99) return color;
    }
    return [255, 255, 255];
  };
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
  };
  let measured = 0;
  const faint = [], sizes = new Set(), small = [];
  for (const element of document.querySelectorAll("main *:not(svg *)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !seen(element)) continue;
    const style = getComputedStyle(element);
    measured += 1;
    sizes.add(parseFloat(style.fontSize) / parseFloat(getComputedStyle(document.documentElement).fontSize) * 16);
    const [a, b] = [light(numbers(style.color)), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < CONTRAST) faint.push(`${element.className}: ${element.textContent.slice(0, 30)}: ${ratio.toFixed(1)}`);
  }
  for (const button of document.querySelectorAll("button, input")) {
    const box = button.getBoundingClientRect();
    if (!seen(button) || (box.width >= TOUCH && box.height >= TOUCH)) continue;
    small.push(`${button.ariaLabel} ${button.textContent.slice(0, 30)}: ${box.width}x${box.height}`);
  }
  const spilled = [...document.querySelectorAll("button")].filter(seen)
    .filter((button) => button.scrollWidth > button.clientWidth + 1)
    .map((button) => `${button.className}: ${button.textContent.slice(0, 30)}`);
  return {
    faint, small, spilled, measured, sizes: [...sizes],
    wide: document.documentElement.scrollWidth - innerWidth,
    high: document.documentElement.scrollHeight - innerHeight,
  };
}"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    data = tmp_path_factory.mktemp("look")
    arguments = ("play", "--camera", "none", "--players", "Ann,Bob,Cat,Dee,Eve,Fay,Gus,Hal", "--open")
    program = Program(*arguments, "--data-dir", str(data))
    yield program
    program.stop()


def check(page: Tablet, size: tuple[int, int]) -> None:
    found = page.page.evaluate(MEASURE, [CONTRAST, TOUCH_PX - 0.5])
    assert found["measured"] > 10
    assert found["faint"] == []
    assert found["small"] == []
    assert found["spilled"] == []
    assert set(found["sizes"]) <= TYPE_PX
    assert found["wide"] <= 0
    if size[0] > size[1]:
        assert found["high"] <= 0


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_state_is_legible_touchable_and_whole(
    program: Program, tablet: Callable[..., Tablet], size: tuple[int, int]
) -> None:
    page = tablet(program, size={"width": size[0], "height": size[1]})
    page.page.wait_for_selector(".board")
    for _light in ("day", "night"):
        check(page, size)
        for opener in ("The whole story", "Ann's"):
            if opener == "The whole story":
                page.button(opener).click()
            else:
                page.page.locator('[data-player="Ann"]').click()
            check(page, size)
            page.button("Close").click()
        page.page.locator('[data-space="boardwalk"]').click()
        page.page.wait_for_selector('[data-part="deed"]')
        check(page, size)
        page.button("Close the deed").click()
        page.button("Night").click()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_large_bids_fit_and_what_is_to_be_decided_comes_before_what_is_to_be_put_right(
    start: Start, tablet: Callable[..., Tablet], size: tuple[int, int]
) -> None:
    page = tablet(
        start("play", "--camera", "none", "--players", "Ann,Bob", "--open"), size={"width": size[0], "height": size[1]}
    )
    page.throw(1, 3)
    page.button("The dice are wrong").click()
    page.button("1 and 2", exact=True).last.click()
    page.part("repair").wait_for()
    page.button("Auction it").click()
    for player, bid in (("Ann", "$100"), ("Bob", "$200"), ("Ann", "$300"), ("Bob", "$400")):
        page.page.locator(".bidder", has_text=player).get_by_role("button", name=bid, exact=True).click()
    page.page.locator(".bidder", has_text="Ann").get_by_role("button", name="$500", exact=True).wait_for()
    check(page, size)
    places = page.page.locator('.decisions, [data-part="repair"]').evaluate_all(
        "(parts) => Object.fromEntries(parts.map((part) => [part.className, part.getBoundingClientRect().top]))"
    )
    assert places["decisions"] < places["repair"]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_winner_of_a_long_name_fits(house: House, tablet: Callable[..., Tablet], size: tuple[int, int]) -> None:
    players = [{"name": "Maximiliane"}, {"name": "Bartholomew"}]
    table = house.session.set_up({"players": players, "given": {"players": {"Maximiliane": {"cash": 0}}}})
    page = tablet(house, size={"width": size[0], "height": size[1]})
    table.act({"roll": [1, 3]})
    table.act({"bankrupt": True})
    page.shows("Bartholomew wins")
    check(page, size)
    # No word is broken to fit.
    heights = page.part("now").locator("button.large").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert len(heights) >= 2
    assert max(heights) < 1.5 * TOUCH_PX


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_dice_that_are_tapped_in_are_told_apart(
    house: House, tablet: Callable[..., Tablet], size: tuple[int, int]
) -> None:
    """Each has one row, or a line comes between the rows of one and of the other."""
    page = tablet(house, size={"width": size[0], "height": size[1]})
    second = page.page.get_by_role("group", name="Die 2")
    line = second.evaluate("(one) => parseFloat(getComputedStyle(one).borderTopWidth)")
    faces = second.get_by_role("button").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert len(faces) == 6
    assert line >= 1 or max(faces) - min(faces) < 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_what_stands_over_the_log_is_not_squeezed(
    house: House, tablet: Callable[..., Tablet], size: tuple[int, int]
) -> None:
    players = [{"name": "Ann", "extra": {"class": "fighter"}}, {"name": "Bob", "extra": {"class": "cleric"}}]
    house.session.set_up({"players": players, "variant": "dungeonopoly"})
    page = tablet(house, size={"width": size[0], "height": size[1]})
    house.see_throw({1: 0.99}, {3: 0.99})
    page.page.locator(".readings").wait_for()
    check(page, size)
    lines = page.page.locator(".log-head span").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert len(lines) == 3
    assert max(lines) < 1.6 * 22


def test_the_setup_is_legible_and_touchable_too(start: Start, tablet: Callable[..., Tablet]) -> None:
    page = tablet(start("play", "--open"), size={"width": 1280, "height": 800})
    page.page.wait_for_selector(".seats")
    check(page, (1280, 800))
