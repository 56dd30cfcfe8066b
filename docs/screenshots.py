"""Makes the pictures of ``docs/report.md``: ``python docs/screenshots.py RUN``. Needs Playwright and Debian's Chromium.

RUN is the folder of a run with several agents, trials and domains.
"""

import shutil
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from vitagym.play import Session, play_server
from vitagym.report import Reporter
from vitagym.report.local import address_of

IMAGES = Path(__file__).parent / "images"
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
FAILED = """const { index } = data;
    const told = (one) => one.outcome === "failure" && one.met > 4 && one.refused && one.domain === "cross";
    const row = index.find(told) || index[0];"""
TO_A_TURN = f"() => {{ {FAILED} location.hash = link(row.key, Math.floor(row.turns * 0.8)); }}"
SETTINGS = {"language": "en", "user": "scripted", "feedback": "guide"}


def main(run: Path) -> None:
    """Write the pictures."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        report = Path(folder) / "report.html"
        report.write_text(Reporter().page_of(run), encoding="utf-8")
        for name, size, dark, script in (
            ("report-overview", WIDE, False, "() => {}"),
            ("report-episode", WIDE, False, TO_A_TURN),
            ("report-phone", PHONE, True, TO_A_TURN),
        ):
            page = browser.new_context(viewport=size, color_scheme="dark" if dark else "light").new_page()
            opened(page, report.as_uri())
            page.evaluate(script)
            page.wait_for_timeout(1000)
            page.screenshot(path=IMAGES / f"{name}.png")
        play(browser.new_context(viewport=WIDE).new_page())
        browser.close()


def play(page: Page) -> None:
    """Play a little, as a person would, and take the picture."""
    session = Session("VitaBench-Delivery-v0", SETTINGS)
    with play_server(session) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened(page, address_of(server))
        page.locator("#briefing summary").click()
        for tool, fill in (("product search", "dumplings"), ("create_delivery_order", None)):
            page.fill("#tool-search", tool)
            page.locator(".tool").first.click()
            if fill is not None:
                page.locator(".tool-form textarea").fill(fill)
                page.click("#call")
                page.wait_for_selector("html[data-turn=person]")
        page.locator('td[data-field="store_id"] .as-id').first.click()
        page.wait_for_timeout(1000)
        page.screenshot(path=IMAGES / "play-agent.png")
        server.shutdown()


def opened(page: Page, address: str) -> None:
    """Open a page and wait until it has drawn itself."""
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
