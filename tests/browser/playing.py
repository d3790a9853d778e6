"""A player who makes the first choice that the page lets one make."""

import re

from playwright.sync_api import Page, expect

LONGEST = 400  # turns; a guard
_SETTLED = re.compile(r"your turn$|^Game over")


def start(page: Page, game: str, seats: list[str], seed: str) -> None:
    """Fills in the form. seats: `h`, or a level."""
    page.locator(f"[data-key={game}]").check()
    page.locator("[data-key=players]").select_option(str(len(seats)))
    for index, seat in enumerate(seats):
        page.locator(f"[data-key=seat-{index}]").select_option(seat)
    page.locator("[data-key=seed]").fill(seed)
    page.locator("[data-key=start]").click()


def settle(page: Page) -> None:
    """Waits until a human is to move, or the game is over."""
    expect(page.locator("#status")).to_have_text(_SETTLED)


def is_over(page: Page) -> bool:
    settle(page)
    return page.locator("#status").inner_text().startswith("Game over")


def take_tiles(page: Page) -> None:
    """A turn of the tile game: as many tiles as can be added, the first column that is open."""
    before = page.locator(".moves li").count()
    columns = page.locator(".columns button:not([aria-disabled])")
    for _ in range(2):
        if page.locator(".cell.free").count():
            page.locator(".cell.free").first.click()
    if not columns.count():
        page.locator("[data-key=clear]").click()
        page.locator(".cell.free").first.click()
    columns.first.click()
    _moved(page, before)


def mark_items(page: Page) -> None:
    """A turn of the dice game: rolls, keeps two dice once, then marks or crosses out."""
    before = page.locator(".moves li").count()
    if page.locator("[data-key=roll]").count():
        page.locator("[data-key=roll]").click()
        _moved(page, before)
        return
    if page.locator("[data-key=pass]").count():
        page.locator("[data-key=pass]").click()
    elif page.locator("button.item.free").count():
        page.locator("button.item.free").first.click()
        page.locator("[data-key=mark]").click()
    else:
        page.locator("[data-key^=cross-]").first.click()
    _moved(page, before)


def _moved(page: Page, before: int) -> None:
    expect(page.locator(".moves li").nth(before)).to_be_attached()


TURNS = {"tile": take_tiles, "dice": mark_items}


def play_out(page: Page, game: str) -> None:
    """To the end of the game."""
    for _ in range(LONGEST):
        if is_over(page):
            return
        TURNS[game](page)
    raise AssertionError("the game does not end")
