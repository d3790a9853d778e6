"""The page as such: size, safety, phones, languages, no network, a busy service."""

import json
import re
import threading
from collections.abc import Iterator

import pytest
from http_client import CHECKOUT, ask, running
from playwright.sync_api import expect
from sample_positions import DECISIONS

from shelfie.api.key_entries import entry_of, new_key

from .conftest import COMMAND, Opener, check_accessible, screenshot
from .playing import settle, start, take_tiles

WEB = CHECKOUT / "api" / "web"
MOST_BYTES = 200_000
SHIFTS = """() => { window.shifts = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true }); }"""


def test_the_first_view_is_small(opened: Opener) -> None:
    sizes: list[int] = []
    page = opened("/livez")
    page.on("response", lambda r: sizes.append(len(r.body())))
    page.goto(page.url.replace("/livez", "/"))
    page.locator("[data-key=start]").wait_for()
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 10
    assert sum(sizes) < MOST_BYTES


@pytest.mark.parametrize("game", ["tile", "dice"])
def test_on_a_phone(opened: Opener, game: str) -> None:
    """Nothing is wider than the window, nothing moves by itself, targets are big enough."""
    page = opened(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.evaluate(SHIFTS)
    start(page, game, ["h", "1"], "phone")
    settle(page)
    if game == "tile":
        take_tiles(page)
        settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("window.shifts") < 0.02
    check_accessible(page)
    screenshot(page, f"{game}-phone")


def test_dark_and_zoomed(opened: Opener) -> None:
    page = opened(color_scheme="dark", viewport={"width": 600, "height": 425})
    start(page, "tile", ["h", "1"], "dark")
    settle(page)
    check_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 600
    screenshot(page, "tile-dark")


def names(language: str) -> set[str]:
    """The names of the texts of a language."""
    text = (WEB / "texts" / f"{language}.js").read_text(encoding="utf-8")
    return set(re.findall(r'(?:^  |", )"([^"]+)": "', text, re.MULTILINE))


@pytest.mark.parametrize(
    ("language", "title"), [("it", "Nuova partita"), ("fr", "Nouvelle partie")]
)
def test_languages(opened: Opener, language: str, title: str) -> None:
    page = opened(locale=language)
    expect(page.locator("h1")).to_have_text(title)
    assert page.locator("html").get_attribute("lang") == language
    assert names(language) == names("en")
    page.locator("[data-key=language]").select_option("en")
    expect(page.locator("h1")).to_have_text("New game")


def test_every_text_that_is_used_exists() -> None:
    known = names("en")
    assert len(known) > 200
    scripts = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.js"))
    used = set(re.findall(r'\bt\("([^"]+)"', scripts)) | set(
        re.findall(r'"(hint\.[^"]+)"', scripts)
    )
    assert used - known == set()


def test_files_are_small_and_name_no_other_place() -> None:
    for path in WEB.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < 300, path
        assert re.findall(r"https?://(?!www\.w3\.org/)", text) == [], path


def test_scripts_are_fetched_at_once() -> None:
    """The page names every script that it starts with, so that none waits for another."""
    found: list[str] = []
    for name in (scripts := ["main.js"]):
        if name not in found:
            found.append(name)
            text = (WEB / name).read_text(encoding="utf-8")
            scripts += re.findall(r'^import [^;]*? from "\./([^"]+)";', text, re.MULTILINE)
    page = (WEB / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'rel="modulepreload" href="/web/([^"]+)"', page)
    assert named == sorted(set(found) - {"main.js"})


def test_docs_without_a_network(opened: Opener) -> None:
    """`opened` fails the test when a request goes anywhere else."""
    page = opened("/docs")
    expect(page.locator("#operations summary").first).to_be_visible()
    page.locator("#livez summary").click()
    page.locator("#livez button").click()
    expect(page.locator("#livez pre").last).to_contain_text("live")


def test_no_service(opened: Opener) -> None:
    page = opened()
    page.context.set_offline(True)
    page.locator("[data-key=start]").click()
    expect(page.locator("#notice")).to_have_text("The service cannot be reached.")


@pytest.fixture
def busy() -> Iterator[tuple[str, threading.Event]]:
    """A service whose one slot and one place are taken until the event is set."""
    environment = {
        "SHELFIE_LOG_LEVEL": "error",
        "SHELFIE_SLOTS": "1",
        "SHELFIE_QUEUE": "1",
        "SHELFIE_QUEUE_MS": "60000",
    }
    stop = threading.Event()
    with running(COMMAND, environment) as (port, _):
        search = {"position": DECISIONS["tile"], "limits": {"time_ms": 3000}}

        def keep_busy() -> None:
            while not stop.is_set():
                ask(port, "POST", "/v1/games/tile/analysis", search)

        threads = [threading.Thread(target=keep_busy) for _ in range(2)]
        for thread in threads:
            thread.start()
        yield f"http://127.0.0.1:{port}", stop
        stop.set()
        for thread in threads:
            thread.join()


def test_a_busy_service_is_waited_for(opened: Opener, busy: tuple[str, threading.Event]) -> None:
    base, stop = busy
    page = opened(base=base)
    start(page, "dice", ["1", "h"], "busy")
    expect(page.locator("#notice")).to_contain_text("The service is busy; it is asked again in")
    stop.set()
    settle(page)
    expect(page.locator("#notice")).to_be_empty()


def test_keys(opened: Opener) -> None:
    key = new_key()
    with running(
        COMMAND, {"SHELFIE_KEYS": entry_of("site", key), "SHELFIE_LOG_LEVEL": "error"}
    ) as (port, _):
        page = opened(base=f"http://127.0.0.1:{port}")
        expect(page.locator("h1")).to_have_text("This service asks for a key")
        check_accessible(page)
        for text in ("wrong", key):
            page.locator("input[type=password]").fill(text)
            page.locator("button[type=submit]").click()
            if text == "wrong":
                expect(page.locator("#notice")).to_have_text("The service does not know this key.")
        start(page, "dice", ["h", "1"], "keys")
        settle(page)
        page.close()


def test_policy_and_caching(site: str) -> None:
    port = int(site.rpartition(":")[2])
    status, headers, _ = ask(port, "GET", "/", Accept="text/html")
    assert status == 200
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    held = {"If-None-Match": headers["etag"]}
    assert ask(port, "GET", "/", **held)[0] == 304
    for path in ("/web/__init__.py", "/web/../app.py", "/web/nothing.js", "/web/"):
        assert ask(port, "GET", path)[0] == 404
    assert json.loads(ask(port, "GET", "/web/nothing.js")[2])["status"] == 404
