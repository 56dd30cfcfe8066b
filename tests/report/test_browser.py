"""The page in a real headless browser. The fixture ``tab`` fails a test whose page complains or asks the network."""

import statistics
from urllib.parse import quote

import pytest
from support.browser import until

from vitagym.report import Reporter

OPENED = "performance.getEntriesByName('episode-opened').map((entry) => entry.duration)"
QUICK_MS = 200
WORK = """() => {
  const start = performance.now();
  let x = 0;
  for (let i = 0; i < 2e7; i++) x += Math.sqrt(i);
  return performance.now() - start;
}"""


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def opened(page):
    return page.locator(".episode-title h1").inner_text()


def open_first(page):
    page.goto(page.url.split("#")[0] + "#episodes")
    page.keyboard.press("j")
    page.wait_for_selector("#transcript")


def test_it_opens_with_the_results(tab, small_page):
    page = tab().open(small_page)
    assert page.title() == "a small run"
    assert page.locator("#headline tbody tr").first.inner_text()
    names = page.locator("#headline tbody th").all_inner_texts()
    assert [name.split()[0] for name in names] == ["reference", "noop", "random"]
    assert "16 episodes · 8 tasks" in names[0]
    assert page.locator(".chart svg").count() == page.locator(".chart").count() >= 8


def test_plots_have_their_numbers_as_a_table(tab, small_page):
    page = tab().open(small_page)
    figure = page.locator("#figure-success_by_domain")
    figure.locator("summary").click()
    assert figure.locator("tbody tr").count() == 12
    assert "100.0 %" in figure.locator("tbody tr").first.inner_text()


def test_published_figures_are_marked(tab, small_page):
    page = tab().open(small_page)
    page.get_by_role("button", name="Cross", exact=True).click()
    assert "Published in the paper, not measured here" in page.locator(".published").inner_text()


def test_filters_and_search_narrow_the_list(tab, small_page, rows):
    page = tab().open(small_page, hash_="#episodes")
    assert page.locator("#found").inner_text() == f"{len(rows)} of {len(rows)}"
    page.select_option("[data-filter=agent]", "noop")
    assert page.locator("#found").inner_text() == f"16 of {len(rows)}"
    page.select_option("[data-filter=domain]", "ota")
    assert page.locator("#found").inner_text() == f"4 of {len(rows)}"
    page.get_by_role("button", name="Clear").click()
    page.fill("#search", "delivery-test-002 reference")
    assert page.locator("#found").inner_text() == f"2 of {len(rows)}"
    assert page.locator(".row").count() == 2


def test_the_list_is_in_the_page_only_as_far_as_it_is_seen(tab, big_page):
    page = tab().open(big_page, hash_="#episodes")
    assert page.locator("#found").inner_text() == "2,000 of 2,000"
    assert page.locator(".row").count() < 40
    page.evaluate("document.getElementById('rows').scrollTop = 1e9")
    page.wait_for_selector('[aria-posinset="2000"]')
    assert page.locator(".row").count() < 40


def test_an_episode_of_two_thousand_opens_in_a_moment(tab, big_page):
    """The quicker quarter of a dozen, for the first pays for warming up. Where other work takes the processor away, a
    moment is longer by as much as the page's own thread is held up in a fixed piece of work."""
    page = tab().open(big_page, hash_="#episodes")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    held_up = []
    for number in range(1, 13):
        page.keyboard.press("j")
        until(page, f"{OPENED}.length === {number}")
        before = _busy_ms(session)
        held_up.append(page.evaluate(WORK) / (_busy_ms(session) - before))
    taken = page.evaluate(OPENED)
    moment = QUICK_MS * max(1, statistics.median(held_up))
    assert statistics.quantiles(taken, n=4)[0] <= moment, (taken, held_up)


def _busy_ms(session):
    """Processor time that the page's thread has taken so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def test_a_filter_of_two_thousand_is_quick(tab, big_page):
    page = tab().open(big_page, hash_="#episodes")
    script = "() => { const start = performance.now(); find(); return performance.now() - start; }"
    assert min(page.evaluate(script) for _ in range(5)) <= QUICK_MS


def test_an_episode_shows_messages_calls_rubrics_and_records(tab, small_page, rows):
    page = tab().open(small_page)
    open_first(page)
    row = rows[0]
    assert opened(page) == row["task_id"]
    spoken = [m["content"] for m in row["messages"][1:] if m["role"] in ("user", "assistant") and m.get("content")]
    assert page.locator("#transcript .bubble").all_inner_texts() == spoken
    calls = sum(len(m.get("tool_calls", ())) for m in row["messages"])
    assert page.locator("#transcript .call[id]").count() == calls
    assert page.locator("#board li").count() == len(row["rubrics"])
    assert page.locator(".world > li").count() == len(row["world_changes"])
    assert page.locator("svg.map").count() == 1


def test_folds_open_and_show_the_result(tab, small_page):
    page = tab().open(small_page)
    open_first(page)
    call = page.locator("#transcript .call[id]").nth(2)
    assert call.locator(".call-body").count() == 0
    call.locator("summary").click()
    assert call.locator("table").count() > 0
    page.keyboard.press("e")
    assert page.evaluate("[...document.querySelectorAll('#transcript details')].every((one) => one.open)")


def test_the_board_follows_the_reading(tab, small_page, rows):
    page = tab().open(small_page)
    open_first(page)
    assert page.locator("#board .good").count() == 0
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    until(page, "document.querySelectorAll('#board .good').length > 0")
    met = sum(state["status"] == "met" for state in rows[0]["rubrics"].values())
    until(page, f"document.querySelectorAll('#board .good').length === {met}")
    assert f"{met} / {met}" in page.locator("#panel-now").inner_text()


def test_keys(tab, small_page, rows):
    page = tab().open(small_page)
    open_first(page)
    first = page.url
    page.keyboard.press("j")
    until(page, f"location.href !== {first!r}")
    until(page, "reading.row === data.index[1]")
    page.keyboard.press("k")
    until(page, f"location.href === {first!r}")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("reading.turn") == 1
    page.keyboard.press("ArrowRight")
    assert page.evaluate("reading.turn") == min(change["turn"] for change in rows[0]["rubric_changes"])
    page.keyboard.press("/")
    until(page, "document.activeElement.id === 'search'")
    page.keyboard.type("jk")  # letters of a search are no commands
    assert page.input_value("#search") == "jk"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    until(page, "location.hash === '#episodes'")
    page.keyboard.press("?")
    assert page.locator("#keys-dialog").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    until(page, "location.hash === '#overview'")


def test_a_deep_link_opens_an_episode_at_a_turn(tab, small_page, rows):
    key = rows[6]["key"]
    page = tab().open(small_page, hash_=f"#{quote(key, safe='')}/2")
    assert opened(page) == rows[6]["task_id"]
    assert page.evaluate("reading.turn") == 2
    assert page.locator('[data-place="6"]').get_attribute("aria-current") == "true"


def test_a_deep_link_to_nothing_says_so(tab, small_page):
    page = tab().open(small_page, hash_="#no%20such%20key/3")
    assert "no such key" in page.locator("#waiting").inner_text()
    assert page.locator("#overview").is_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_colours_follow_the_system_and_the_switch(tab, small_page, dark):
    page = tab(dark=dark).open(small_page)
    light = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(light)
    assert (page.evaluate("document.documentElement.dataset.theme") == "dark") is dark
    page.click("#theme")
    assert page.evaluate(light) != before
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(light) != before


def test_both_languages(tab, small_page):
    page = tab().open(small_page)
    assert page.locator("#headline h2").inner_text() == "Results"
    page.click("#language")
    assert page.locator("#headline h2").inner_text() == "结果"
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    open_first(page)
    assert "评分标准" in page.locator("#panel").inner_text()
    page.click("#language")
    assert "Rubrics" in page.locator("#panel").inner_text()


def test_a_chinese_browser_gets_chinese(tab, small_page):
    assert tab(language="zh-CN").open(small_page).locator("#headline h2").inner_text() == "结果"


@pytest.mark.parametrize("hash_", ["", "#episodes", "episode"])
def test_a_narrow_screen_needs_no_scrolling_sideways(tab, small_page, rows, hash_):
    address = f"#{quote(rows[0]['key'], safe='')}/4" if hash_ == "episode" else hash_
    page = tab(width=390, height=844).open(small_page, hash_=address)
    assert not wide(page)
    if hash_ == "episode":
        page.keyboard.press("e")
        assert not wide(page)
        assert page.locator("#rows").is_hidden()
        page.click("#panel-bar")
        assert page.locator("#board").is_visible()
        assert not wide(page)
        page.keyboard.press("Escape")
        assert page.locator("#board").is_hidden()
        page.get_by_role("link", name="Episodes").last.click()
        page.wait_for_selector("#rows", state="visible")


CONTRAST = """() => {
  const light = (colour) => colour.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (name) => { paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim(); paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const ratio = (a, b) => { const [high, low] = [light(rgb(a)), light(rgb(b))].sort((x, y) => y - x); return (high + 0.05) / (low + 0.05); };
  const pairs = [['--ink', '--ground'], ['--ink', '--surface'], ['--soft', '--ground'], ['--soft', '--surface'], ['--soft', '--raised'], ['--accent', '--surface'],
    ['--on-accent', '--accent'], ['--good', '--good-soft'], ['--bad', '--bad-soft'], ['--warn', '--warn-soft'], ['--ink', '--accent-soft']];
  return pairs.map(([a, b]) => [a, b, ratio(a, b)]).filter(([, , found]) => found < 4.5);
}"""  # noqa: E501


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out(tab, small_page, dark):
    assert tab(dark=dark).open(small_page).evaluate(CONTRAST) == []


def test_every_control_has_a_name(tab, small_page):
    page = tab().open(small_page)
    open_first(page)
    nameless = """() => [...document.querySelectorAll('button, a[href], input, select, summary')]
      .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))
      .map((one) => one.outerHTML)"""
    assert page.evaluate(nameless) == []


def test_hostile_words_are_shown_as_words(tab, rows, tmp_path):
    hostile = "</script><img src=x onerror=\"document.title='owned'\"> \u2028 \ud83d end"
    row = {**rows[0], "agent": hostile, "key": hostile, "task_id": hostile, "settings": {hostile: hostile}}
    row["messages"] = [*rows[0]["messages"][:1], {"role": "user", "content": hostile}]
    row |= {"rubric_changes": [], "world_changes": [], "acts": [], "places": []}
    path = tmp_path / "hostile.html"
    path.write_text(Reporter().page([row], title="hostile"), encoding="utf-8")
    page = tab().open(path)
    open_first(page)
    assert "<img src=x" in page.locator("#transcript .bubble").inner_text()
    assert page.locator("img").count() == 0
    assert "owned" not in page.title().split(" · ")[-1]
    assert page.evaluate("document.title !== 'owned'")
