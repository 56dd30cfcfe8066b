"""The page without a browser: it holds everything, loads nothing, and shows nothing that only this machine knows."""

import re
from importlib import resources

import pytest

from vitagym.language import texts
from vitagym.report import Reporter
from vitagym.report.packing import packed, unpacked
from vitagym.report.privacy import HIDDEN, clean

CHUNK = re.compile(r'<script type="text/plain" id="([\w-]+)">([^<]*)</script>')
NASTY = "</script><img src=x onerror=alert(1)> \u2028 \u2029 <!-- ]]> & \" ' \\ 你好 🙂"


def chunks(page):
    return {name: unpacked(data) for name, data in CHUNK.findall(page)}


def scripts():
    folder = resources.files("vitagym.assets").joinpath("report")
    return {f.name: f.read_text(encoding="utf-8") for f in folder.iterdir() if f.name.endswith((".js", ".html"))}


def test_every_episode_is_in_the_page(rows, small_page):
    data = chunks(small_page.read_text(encoding="utf-8"))
    assert len(data["head"]["index"]) == len(rows) == len(data) - 1
    for place, row in enumerate(rows):
        entry, episode = data["head"]["index"][place], data[f"episode-{place}"]
        assert entry["key"] == row["key"]
        assert entry["reward"] == pytest.approx(row["reward"], abs=1e-6)
        assert episode["messages"] == [dict(message) for message in row["messages"][1:]]
        assert episode["rubric_changes"] == list(row["rubric_changes"])


def test_the_page_loads_nothing(small_page):
    page = CHUNK.sub("", small_page.read_text(encoding="utf-8"))
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"<(?:link|img|iframe)[^>]*>", page) == ['<link rel="icon" href="data:,">']
    assert not re.search(r"<script[^>]+src=|@import|url\(", page)


def test_same_rows_give_same_bytes(rows):
    assert Reporter().page(rows[:4], title="a") == Reporter().page(rows[:4], title="a")


def test_no_word_of_a_log_becomes_markup(rows):
    row = {**rows[0], "task_id": NASTY, "agent": NASTY, "key": NASTY, "error": NASTY}
    row["messages"] = [*rows[0]["messages"][:2], {"role": "assistant", "content": NASTY}]
    page = Reporter().page([row], title=NASTY)
    assert "<img" not in page
    assert page.count("</script>") == page.count("<script")
    data = chunks(page)
    assert data["head"]["index"][0]["task"] == NASTY
    assert data["episode-0"]["messages"][-1]["content"] == NASTY


@pytest.mark.parametrize("text", ["a lone \ud83d surrogate", "\udc00", "\x00\x1f"])
def test_text_that_is_no_utf_8_survives(text):
    assert unpacked(packed({"text": text})) == {"text": text}


def test_a_title_with_a_lone_surrogate_can_be_written(rows):
    Reporter().page(rows[:1], title="run \ud800").encode()


SECRET = "sk-abcdefghijklmnop1234567890"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"key {SECRET} was refused", f"key {HIDDEN} was refused"),
        ("Authorization: Bearer abcdef.123456", f"Authorization: Bearer {HIDDEN}"),
        ("https://host/v1?api_key=12345&x=1", f"https://host/v1?api_key={HIDDEN}&x=1"),
        ("https://me:word@host/v1", f"https://{HIDDEN}@host/v1"),
        ("replay:/home/someone/runs/a.jsonl", "replay:a.jsonl"),
        ("cannot read '/home/someone/runs/a.jsonl'", "cannot read 'a.jsonl'"),
        (r"C:\Users\someone\a.jsonl", "a.jsonl"),
        ("file:///tmp/x/y.json", "y.json"),
        ("4 km/h, 3/4 cup, and/or", "4 km/h, 3/4 cup, and/or"),
        ("a risk-free-delivery-of-everything-for-you", "a risk-free-delivery-of-everything-for-you"),
    ],
)
def test_keys_and_paths_are_taken_out(text, shown):
    assert clean(text, ()) == shown
    assert unpacked(packed([text])) == [shown]


def test_a_key_of_the_environment_and_a_path_never_reach_the_page(rows, monkeypatch):
    monkeypatch.setenv("VITAGYM_AGENT_API_KEY", "very-own-secret")
    settings = {"user": "replay:/home/someone/log.jsonl", "note": ["very-own-secret", {"very-own-secret": SECRET}]}
    row = {**rows[0], "settings": settings, "error": "no answer with very-own-secret"}
    data = chunks(Reporter().page([row], title="/home/someone/very-own-secret"))
    written = str(data)
    assert "very-own-secret" not in written
    assert SECRET not in written
    assert "/home/someone" not in written
    assert data["episode-0"]["settings"]["user"] == "replay:log.jsonl"


def test_every_word_that_the_pages_say_is_there_in_both_languages():
    known = {**texts("report"), **texts("web_play")}
    said = {
        key
        for text in scripts().values()
        for key in re.findall(r'\bsay\(\s*"([a-z_]+)"|data-(?:say|label)="([a-z_]+)"', text)
    }
    keys = {one or other for one, other in said}
    assert len(keys) > 70
    assert not keys - set(known)
    for key, entry in known.items():
        assert set(entry) == {"en", "zh"}, key
        assert set(re.findall(r"\{(\w+)\}", entry["en"])) == set(re.findall(r"\{(\w+)\}", entry["zh"])), key


def test_every_plot_has_its_words(rows):
    head = chunks(Reporter().page(rows, title="a"))["head"]
    names = [figure["name"] for figure in head["figures"]]
    assert {"success_by_domain", "pass_at", "pass_hat", "rubrics_over_turns", "reward_over_turns"} < set(names)
    for name in names:
        for part in ("", "_note", "_x", "_y"):
            assert f"figure_{name}{part}" in head["texts"]


def test_the_paper_s_figures_stand_beside_a_run_of_their_domain(rows):
    table = chunks(Reporter().page(rows, title="a"))["head"]["table"]
    by_name = {group["name"]: group for group in table["groups"]}
    assert set(by_name) == {"all", "delivery", "instore", "ota", "cross"}
    assert by_name["all"]["published"] == []
    assert all(line["published"] and line["rests"] for line in by_name["cross"]["published"])
    assert {line["agent"]: line["cells"]["success"]["y"] for line in by_name["cross"]["rows"]} == {
        "reference": 1.0,
        "noop": 0.0,
        "random": 0.0,
    }


def test_a_run_without_episodes_is_a_page_too():
    assert chunks(Reporter().page([], title="empty"))["head"]["index"] == []
