"""``vitagym judge``: saved episodes scored again."""

import json

import pytest
from support.command import run
from support.openai_server import Answer, serving

ID = "VitaBench-Delivery-Train-v0"


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    out = tmp_path_factory.mktemp("logs")
    assert run("rollout", ID, "--agent", "reference", "--tasks", 2, "--out", out).returncode == 0
    return out / f"{ID}.reference.jsonl"


def test_the_same_judge_says_the_same(log, tmp_path):
    done = run("judge", log, "--json", "--out", tmp_path / "again.jsonl")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    summary = document["summary"]
    assert (summary["episodes"], summary["success"], summary["as_before"], summary["changed"]) == (2, 1.0, 2, 0)
    lines = (tmp_path / "again.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == document["episodes"]


def test_people_see_a_table(log):
    shown = run("judge", log)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.split()[-6:] == ["2", "2", "1.000", "1.000", "2", "0"]


def test_a_language_model_judges_by_windows_or_at_once(log):
    def none_met(body):
        count = body["messages"][1]["content"].count('"rubric":')
        verdict = {"rubric": "-", "justification": "Message 1.", "meetExpectation": False}
        return Answer(json.dumps([{"key": f"R{i + 1}", **verdict} for i in range(count)]))

    with serving(none_met) as server:
        model = ("--judge", "llm", "--model", "test", "--base-url", server.url, "--json")
        by_windows = json.loads(run("judge", log, *model).stdout)["summary"]
        requests = len(server.requests)
        whole = json.loads(run("judge", log, *model, "--whole").stdout)["summary"]
        assert requests > len(server.requests) - requests == 2
    assert by_windows["success"] == whole["success"] == 0
    assert by_windows["scores"]["judge_requests"] == requests / 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--judge", "rule"), "Did you mean 'rules'"),
        (("--judge", "llm", "--model", "m", "--width", 2, "--overlap", 2), "width"),
        (("--tasks", "nowhere.json"), "nowhere.json"),
    ],
)
def test_wrong_calls_are_refused(log, arguments, says):
    done = run("judge", log, *arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_file_that_is_no_log_is_refused(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    done = run("judge", tmp_path / "x.jsonl", "--json")
    assert done.returncode == 2
    assert "line 1" in json.loads(done.stdout)["error"]
