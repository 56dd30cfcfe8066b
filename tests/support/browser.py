"""A real headless browser for the tests of pages: Playwright with the system's Chromium; nothing is downloaded."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium():
    """Give a browser; the test is skipped, visibly, where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need: pip install playwright")
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("the browser tests need chromium, e.g.: apt-get install chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """A page of the browser that remembers what it complained about, and what it asked the network for."""

    def __init__(self, browser, *, width=1280, height=860, dark=False, language="en-GB"):
        scheme = "dark" if dark else "light"
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=language
        )
        self.page = self.context.new_page()
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address, *, hash_=""):
        self.page.goto((address.as_uri() if isinstance(address, Path) else address) + hash_)
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)
        return self.page

    def close(self):
        self.context.close()


def until(page, expression, seconds=30):
    """Wait until an expression holds. (The browser's own waiting evaluates text, which the pages' policy forbids.)"""
    for _ in range(int(seconds / 0.05)):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never held: {expression}")


@pytest.fixture(scope="module")  # While it lives, no event loop can be started in this thread.
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def tab(browser):
    """Open tabs of the browser; a tab that complained, or asked the network for something, fails the test."""
    opened = []

    def new(**how):
        opened.append(Tab(browser, **how))
        return opened[-1]

    yield new
    complaints = [words for one in opened for words in one.complaints]
    asked = [
        url for one in opened for url in one.requests if not url.startswith(("file:", "data:", "http://127.0.0.1"))
    ]
    for one in opened:
        one.close()
    assert not complaints
    assert not asked
