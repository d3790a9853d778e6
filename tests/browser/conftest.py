"""System Chromium, driven by Playwright, against the real server.

Without Chromium these tests are skipped, unless BROWSER_TESTS=required (as in .ci/run) is set.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from http_client import CHECKOUT, SCRIPTS, running
from playwright.sync_api import Browser, Page, expect, sync_playwright

COMMAND = [str(SCRIPTS / "shelfie"), "serve", "--workers", "1"]
NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "Chromium is missing, so the page was not tested in a browser: install it with "
    "`apt-get install chromium` (Debian), `dnf install chromium` (Fedora) or the like"
)
SCREENSHOTS = CHECKOUT / "build" / "screenshots"
PATIENCE = 30_000  # milliseconds; a guard against hanging, not a measure

Opener = Callable[..., Page]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        if os.environ.get("BROWSER_TESTS") == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    # Root may not isolate processes, and a container's shared memory is small.
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield found
        found.close()


@pytest.fixture(scope="package")
def site() -> Iterator[str]:
    # However slow the machine is, nothing is refused for waiting too long.
    with running(COMMAND, {"SHELFIE_QUEUE_MS": "60000", "SHELFIE_LOG_LEVEL": "error"}) as (port, _):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Opener]:
    """Opens an address; faults in scripts and requests to elsewhere fail the test."""
    faults: list[str] = []
    contexts = []

    def open_page(address: str = "/", base: str = site, **settings: Any) -> Page:
        settings = {"viewport": {"width": 1200, "height": 850}, "locale": "en-GB",
                    "reduced_motion": "reduce", **settings}  # fmt: skip
        context = browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda r: r.url.startswith((base, "data:")) or faults.append(r.url))
        page.on("console", lambda m: m.type == "error" and "Failed to load" not in m.text
                and faults.append(m.text))  # fmt: skip
        page.goto(base + address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def screenshot(page: Page, name: str) -> None:
    """Kept below build/screenshots."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def check_accessible(page: Page) -> None:
    """What axe finds wrong by WCAG 2.2 A and AA, contrast of text included."""
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert found.violations_count == 0, found.generate_report()
