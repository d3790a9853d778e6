"""Whole games by clicking, by keyboard, undone, resumed from a link."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from .conftest import Opener, check_accessible, screenshot
from .playing import is_over, mark_items, play_out, settle, start, take_tiles

EMPTY_DICE = "...../...../...../...../.....|...../...../...../...../..... 0 0 - 2"


@pytest.mark.parametrize(("game", "seats"), [("tile", ["h", "1"]), ("dice", ["h", "1"])])
def test_a_whole_game(opened: Opener, game: str, seats: list[str]) -> None:
    page = opened()
    start(page, game, seats, "whole game")
    settle(page)
    hidden = page.locator(".player:not(.front) :is(.wants, .met)")
    assert hidden.count() == 0, "the bot's personal goal"
    assert ("?" in page.locator(".scores").inner_text()) == (game == "tile")
    play_out(page, game)
    expect(page.locator(".scores")).not_to_contain_text("?")
    expect(page.locator("#status")).to_contain_text("wins")
    shares = page.locator(".scores td:last-child").all_inner_texts()
    assert sorted(shares) == ["0%", "100%"]
    screenshot(page, f"{game}-over")


def test_bots_among_themselves_and_three_seats(opened: Opener) -> None:
    page = opened()
    start(page, "dice", ["1", "2", "1"], "bots")
    assert is_over(page)
    assert page.locator(".scores tbody tr").count() == 3


def position(page: Page) -> str:
    """The notation in the page's address."""
    return page.url.rpartition("/")[2]


def test_undo_and_link(opened: Opener) -> None:
    page = opened()
    start(page, "tile", ["h", "h"], "undo")
    settle(page)
    first = position(page)
    take_tiles(page)
    settle(page)
    second = page.url
    assert position(page) != first
    again = opened(f"/#{second.partition('#')[2]}")
    settle(again)
    assert again.locator(".front .slot.tile").count() == 0, "the second player sees their own shelf"
    assert position(again) == position(page)
    page.locator("[data-key=undo]").click()
    expect(page.locator(".moves li")).to_have_count(0)
    assert position(page) == first


def test_copies(opened: Opener) -> None:
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    start(page, "dice", ["h", "1"], "copy")
    settle(page)
    for key, check in (("copy-notation", lambda text: len(text.split(" ")) == 5),
                       ("copy-json", lambda text: json.loads(text)["players"] == 2),
                       ("copy-link", lambda text: text == page.url)):  # fmt: skip
        page.locator(f"[data-key={key}]").click()
        expect(page.locator("#notice")).to_contain_text("copied")
        assert check(page.evaluate("navigator.clipboard.readText()")), key


def test_only_legal_choices_and_why(opened: Opener) -> None:
    page = opened()
    start(page, "tile", ["h", "1"], "hints")
    settle(page)
    page.locator(".cell.barred").first.click(force=True)
    expect(page.locator("#notice")).to_have_text("This tile has no free side.")
    page.locator(".columns button").first.click(force=True)
    expect(page.locator("#notice")).to_have_text("Choose tiles first.")
    page.locator("[data-key=new]").click()
    start(page, "dice", ["h", "1"], "hints")
    page.locator("[data-key=item-P1]").click(force=True)
    expect(page.locator("#notice")).to_have_text("Roll the dice first.")


def test_chances_of_what_is_kept(opened: Opener) -> None:
    page = opened()
    start(page, "dice", ["h", "1"], "chances")
    settle(page)
    mark_items(page)
    page.locator("[data-key=die-0]").click()
    page.locator("[data-key=die-1]").click()
    kept = page.locator("[data-key=die-0]").get_attribute("aria-label") or ""
    shelf = {"plants": "P", "games": "G", "books": "B", "trophies": "T", "cats": "C"}.get(kept)
    assert shelf, "the seed rolls a real icon first"
    expect(page.locator(f"[data-key=item-{shelf}1] .odds")).to_have_text("100%")
    expect(page.locator("[data-key=item-P5] .odds")).to_have_text(re.compile(r"^\d+%$"))
    screenshot(page, "dice-keep")
    page.locator("[data-key=keep]").click()
    expect(page.locator(".moves li").nth(1)).to_be_attached()


def test_by_keyboard(opened: Opener) -> None:
    """From the form to the first moves of both games, without a pointer."""
    page = opened()
    page.locator("[data-key=seed]").fill("keys")
    page.locator("[data-key=tile]").focus()
    page.keyboard.press("Enter")
    settle(page)
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press("Space")
    expect(page.locator(".cell.chosen")).to_have_count(1)
    assert page.evaluate("document.activeElement.classList.contains('chosen')"), "focus stays"
    before = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") != before
    page.keyboard.press("Escape")
    expect(page.locator(".cell.chosen")).to_have_count(0)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.keyboard.press("3")
    expect(page.locator(".moves li").nth(1)).to_be_attached()
    settle(page)
    expect(page.locator(".moves li").last).to_contain_text("into column 3")
    assert page.evaluate("document.activeElement.matches('.cell')"), (
        "and the next turn begins there"
    )


def press(page: Page, key: str, button: str) -> None:
    """Goes on by Tab until the focus is there, each stop shown by an outline; then the key."""
    for _ in range(80):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "() => { const s = getComputedStyle(document.activeElement);"
            " return [document.activeElement.dataset.key ?? '', s.outlineStyle,"
            " parseFloat(s.outlineWidth), document.activeElement.localName]; }"
        )
        if style[3] not in ("body", "input"):
            assert style[1] != "none", style
            assert style[2] >= 2, style
        if style[0] == button:
            page.keyboard.press(key)
            return
    raise AssertionError(f"{button} is not reached by Tab")


def test_the_dice_game_by_keyboard(opened: Opener) -> None:
    page = opened("/#play/dice/h,1/keyboard/" + quote(EMPTY_DICE, safe=""))
    settle(page)
    press(page, "Enter", "roll")
    expect(page.locator("[data-key=die-0]")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("[data-key=die-0]")).to_have_attribute("aria-pressed", "true")
    press(page, "Enter", "keep")
    expect(page.locator(".moves li")).to_have_count(2)
    free = page.locator("button.item.free").first.get_attribute("data-key") or ""
    page.locator("button.item[tabindex='0']").focus()
    for key in ["ArrowUp"] * 5 + ["ArrowLeft"] * 5:
        page.keyboard.press(key)
    for _ in range(5):
        if page.evaluate("document.activeElement.dataset.key") == free:
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    press(page, "Enter", "mark")
    expect(page.locator(".moves li").nth(3)).to_be_attached()


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_accessible_while_playing(opened: Opener, game: str) -> None:
    page = opened()
    check_accessible(page)
    start(page, game, ["h", "1"], "a11y")
    settle(page)
    (take_tiles if game == "tile" else mark_items)(page)
    settle(page)
    check_accessible(page)
    screenshot(page, f"{game}-playing")
