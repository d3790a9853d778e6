"""Analysis: texts and faults, the editor, ranked moves, a played game in chart and review."""

import json
import re

import pytest
from http_client import CHECKOUT
from playwright.sync_api import Page, expect
from sample_positions import DECISIONS

from .conftest import SCREENSHOTS, Opener, check_accessible, screenshot
from .playing import is_over, settle, start, take_tiles

DICE = "o.o../oo.../.o.../o..../o....|o..../oo.o./...o./o..../o.... 0 0 PPGTJJ 2"


def analyse(page: Page, game: str, text: str) -> None:
    """Pastes a position and asks for its moves."""
    page.locator("[data-key=effort]").wait_for()
    if page.locator("[data-key=analyse-game]").input_value() != game:
        page.locator("[data-key=analyse-game]").select_option(game)
        expect(page.locator(".ranking .entry").first).to_be_attached()
    page.locator("[data-key=position]").fill(text)
    page.locator("[data-key=analyse-do]").click()


@pytest.mark.parametrize(("game", "position"), [("tile", DECISIONS["tile"]), ("dice", DICE)])
def test_ranked_moves(opened: Opener, game: str, position: str) -> None:
    page = opened("/#analyse")
    analyse(page, game, position)
    expect(page.locator(".ranking .entry")).to_have_count(8)
    first = page.locator(".entry").first
    expect(first.locator(".figures")).to_contain_text("nothing lost")
    expect(first.locator(".bar-fill")).to_be_visible()
    expect(first.locator(".pv code").first).to_be_visible()
    expect(page.locator(".reasons li").first).to_be_visible()
    first.locator("button").hover()
    expect(page.locator(".picture-box .lit").first).to_be_visible()
    page.mouse.move(0, 0)
    expect(page.locator(".picture-box .lit")).to_have_count(0)
    if game == "dice":
        expect(first.locator(".target").first).to_have_text(re.compile(r"^[PGBTC][1-5] \d+%$"))
    check_accessible(page)
    first.locator("button").hover()
    screenshot(page, f"{game}-analysis")


def test_pictures_for_the_readme(opened: Opener) -> None:
    """README shows copies of these two (docs/images); they load quickly."""
    page = opened(viewport={"width": 1080, "height": 700})
    start(page, "tile", ["h", "5"], "readme")
    for _ in range(3):
        settle(page)
        take_tiles(page)
    settle(page)
    page.locator(".cell.free").first.click()
    screenshot(page, "play")
    page.locator("main [data-key=analyse]").click()
    expect(page.locator(".ranking .entry").nth(2)).to_be_visible()
    page.locator(".chart").wait_for()
    page.locator(".ranking button").first.hover()
    screenshot(page, "analyse")
    for name in ("play", "analyse"):
        assert (SCREENSHOTS / f"{name}.png").stat().st_size < 150_000
        assert (CHECKOUT / "docs" / "images" / f"{name}.png").stat().st_size < 150_000


def test_why_not_this_move(opened: Opener) -> None:
    page = opened("/#analyse")
    analyse(page, "dice", DICE)
    page.locator("[data-key=why]").select_option("mark:P2")
    asked = page.locator("[data-asked='mark:P2']")
    expect(asked.locator(".figures")).to_contain_text("to the best")
    expect(page.locator(".picture-box .player.turn [data-item=P2].lit")).to_be_visible()


def test_faults_are_shown_at_the_field(opened: Opener) -> None:
    page = opened("/#analyse")
    analyse(page, "tile", "nonsense")
    expect(page.locator("#faults")).to_contain_text("notation has seven parts")
    expect(page.locator("[data-key=position]")).to_have_attribute("aria-invalid", "true")
    analyse(page, "tile", '{"players": 2}')
    expect(page.locator("#faults li").nth(2)).to_be_visible()
    expect(page.locator("#faults code").first).to_contain_text("/position/")
    analyse(
        page,
        "tile",
        DECISIONS["tile"] if isinstance(DECISIONS["tile"], str) else json.dumps(DECISIONS["tile"]),
    )
    expect(page.locator("#faults li")).to_have_count(0)


def test_the_editor_of_the_tile_game(opened: Opener) -> None:
    page = opened("/#analyse")
    page.locator("[data-key=editor] summary").click()
    page.locator("[data-key='brush-P']").click()
    page.locator("[data-key='shelf-0-52']").click()
    expect(page.locator(".picture-box .shelf").first.locator("[data-slot='52']")).to_have_class(
        re.compile("tile-P"))  # fmt: skip
    page.locator("[data-key='shelf-0-30']").click()
    expect(page.locator("#faults li").first).to_be_visible()
    expect(page.locator(".editor .player.faulty")).to_have_count(1)
    check_accessible(page)
    page.locator("[data-key='brush-.']").click()
    page.locator("[data-key='shelf-0-30']").click()
    expect(page.locator("#faults li")).to_have_count(0)
    page.locator("[data-key=edit-players]").select_option("3")
    expect(page.locator(".editor .player")).to_have_count(3)
    page.locator("[data-key=analyse-do]").click()
    expect(page.locator(".ranking .entry").first).to_be_visible()


def test_the_editor_of_the_dice_game(opened: Opener) -> None:
    page = opened("/#analyse")
    analyse(page, "dice", DICE)
    page.locator("[data-key=editor] > summary").click()
    page.locator("[data-key='edit-item-1-P2']").click()
    expect(page.locator(".picture-box .player").nth(1).locator("[data-item=P2]")).to_have_class(
        re.compile("item-o"))  # fmt: skip
    dice = page.locator("[data-key=edit-dice]")
    dice.fill("ggg")
    dice.blur()
    expect(page.locator("#faults li").first).to_be_visible()
    page.locator("[data-key=edit-dice].faulty").wait_for()
    page.locator("[data-key=edit-dice]").fill("gggbbj")
    page.locator("[data-key=edit-dice]").blur()
    expect(page.locator("#faults li")).to_have_count(0)
    assert json.loads(page.locator("[data-key=position]").input_value())["dice"] == "GGGBBJ"


@pytest.mark.parametrize(("game", "position"), [("tile", DECISIONS["tile"]), ("dice", DICE)])
def test_on_a_phone(opened: Opener, game: str, position: str) -> None:
    """The editor open, in the language with the longest words: nothing is wider than the window."""
    page = opened("/#analyse", locale="it", viewport={"width": 360, "height": 740}, has_touch=True)
    analyse(page, game, position)
    expect(page.locator(".ranking .entry").nth(7)).to_be_attached()
    for summary in page.locator("summary").all():
        summary.click()
    for summary in page.locator("summary:visible").all()[1:]:
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_accessible(page)
    screenshot(page, f"{game}-analysis-phone")


def test_a_played_game(opened: Opener) -> None:
    """From its end to the review, the chart, and back to a position of it."""
    page = opened()
    start(page, "dice", ["1", "1"], "review")
    assert is_over(page)
    moves = page.locator(".moves li").count()
    page.locator("[data-key=review]").click()
    expect(page.locator(".review-summary td").first).to_contain_text("%")
    judged = page.locator(".review-list li").count()
    assert 10 < judged < moves
    points = page.locator(".chart polyline").first
    expect(points).to_have_attribute("points", re.compile(rf"^(\S+ ){{{moves}}}\S+$"))
    check_accessible(page)
    screenshot(page, "dice-review")
    page.locator(".review-list button").nth(3).click()
    expect(page.locator(".ranking .entry").first).to_be_visible()
    page.locator("[data-key=play-from]").click()
    expect(page.locator("#status")).to_contain_text("Player")
