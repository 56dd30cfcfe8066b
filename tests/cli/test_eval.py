"""``vitagym eval`` as it is called: what is refused, what goes into the rows, endpoints that fail, budgets."""

import json

import pytest
from support.command import run
from support.openai_server import Answer, serving

from vitagym.cli.evaluation_command import read_agent_options
from vitagym.evaluation.log import read_logs

DELIVERY = "VitaBench-Delivery-v0"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["VitaBench-Delivary-v0"], DELIVERY),
        ([DELIVERY, "--agent", "referense"], "reference"),
        ([DELIVERY, "--agent", "human"], "vitagym play"),
        ([DELIVERY, "--agent", "noop", "--agent", "noop"], "twice"),
        ([DELIVERY, "--user", "scriptet"], "scripted"),
        ([DELIVERY, "--judge", "rule"], "rules"),
        ([DELIVERY, "--judge", "rules:mine"], "rules"),
        ([DELIVERY, "--agent", "no_such_module:Mine"], "no module 'no_such_module'"),
        ([DELIVERY, "--language", "ench"], "en"),
        ([DELIVERY, "--persona", "impatiend"], "impatient"),
        ([DELIVERY, "--budget", "5"], "usd"),
        ([DELIVERY, "--budget", "5usd"], "--price"),
        ([DELIVERY, "--agent", "llm:a", "--budget", "5usd", "--price", "b=1,2"], "--price a="),
        ([DELIVERY, "--user", "llm:u", "--budget", "5usd", "--price", "b=1,2"], "--price u="),
        ([DELIVERY, "--price", "gpt"], "MODEL=IN,OUT"),
        ([DELIVERY, "--agent-option", "noop.seed"], "AGENT.NAME=VALUE"),
        ([DELIVERY, "--agent-option", "noop.seed=3"], "takes no option"),
        ([DELIVERY, "--agent-option", "noob.seed=3"], "noop"),
        ([DELIVERY, "--agent", "llm", "--agent-option", "llm.api_key=secret"], "VITAGYM_AGENT_API_KEY"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_call_is_refused_before_anything_is_written(arguments, said, tmp_path):
    done = run("eval", *arguments, "--out", tmp_path / "run", "--json")
    assert done.returncode == 2
    assert said in json.loads(done.stdout)["error"]
    assert "secret" not in done.stdout
    assert not (tmp_path / "run").exists()


def test_the_value_of_an_agent_option_is_json_or_else_a_text():
    options = read_agent_options(["llm.protocol=text", "llm.temperature=0.7", "llm:a.b.model=null", "llm.seed=1=2"])
    assert options == {"llm": {"protocol": "text", "temperature": 0.7, "seed": "1=2"}, "llm:a.b": {"model": None}}


def test_rows_say_what_was_played(tmp_path):
    done = run(
        "eval", DELIVERY, "--agent", "random", "--agent-option", "random.seed=7", "--user", "solo",
        "--user", "scripted", "--tasks", 1, "--trials", 2, "--language", "zh", "--feedback", "guide",
        "--max-turns", 12, "--out", tmp_path, "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    rows = read_logs(tmp_path)
    assert sorted((row["user"], row["trial"]) for row in rows) == [
        ("scripted", 0), ("scripted", 1), ("solo", 0), ("solo", 1),
    ]  # fmt: skip
    for row in rows:
        assert row["agent_options"] == {"seed": 7}
        assert row["language"] == "zh"
        assert row["settings"] == {
            "language": "zh", "feedback": "guide", "strictness": "state", "tools": "own", "max_turns": 12,
            "user": row["user"], "judge": "rules",
        }  # fmt: skip
        assert row["turns"] <= 12
        assert row["started"]
        assert sum(row["seconds_by_role"].values()) == pytest.approx(row["seconds"], abs=0.05)
    assert {(r["user"], r["episodes"]) for r in json.loads(done.stdout)["results"]} == {("solo", 2), ("scripted", 2)}


def test_a_failing_endpoint_ends_no_run_is_counted_apart_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "toy")
    monkeypatch.setenv("VITAGYM_ATTEMPTS", "1")
    arguments = ["eval", DELIVERY, "--agent", "noop", "--user", "llm", "--tasks", 2, "--trials", 1, "--out", tmp_path]
    with serving([Answer(status=500)]) as server:
        monkeypatch.setenv("VITAGYM_BASE_URL", server.url)
        done = run(*arguments, "--json")
        assert done.returncode == 1
        document = json.loads(done.stdout)
        assert (document["done"], document["failed"], document["left"]) == (2, 2, 0)
        assert [(r["episodes"], r["failed"], r["success"]) for r in document["results"]] == [(0, 2, None)]
        assert all("500" in row["error"] for row in read_logs(tmp_path))
        assert run("replay", tmp_path, "--verify").returncode == 0
        asked = len(server.requests)
        assert run(*arguments).returncode == 1
        assert len(server.requests) == asked
    with serving([Answer("I need something."), Answer("Thanks. ###STOP###")]) as server:
        monkeypatch.setenv("VITAGYM_BASE_URL", server.url)
        done = run(*arguments, "--retry-failed", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["played"], document["failed"]) == (2, 0)
    assert [(r["episodes"], r["failed"]) for r in document["results"]] == [(2, 0)]
    assert [row["attempt"] for row in read_logs(tmp_path)] == [1, 1]
    assert run("replay", tmp_path, "--verify").returncode == 0


def test_a_budget_leaves_episodes_for_the_next_call(tmp_path, monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "toy")
    arguments = [
        "eval", DELIVERY, "--agent", "noop", "--user", "llm", "--tasks", 4, "--trials", 1, "--concurrency", 1,
        "--price", "toy=1000,1000", "--out", tmp_path,
    ]  # fmt: skip
    with serving([Answer("I need something.")]) as server:
        monkeypatch.setenv("VITAGYM_BASE_URL", server.url)
        done = run(*arguments, "--budget", "0.03usd", "--json")
        document = json.loads(done.stdout)
        assert done.returncode == 1
        assert 0 < document["done"] < 4
        assert document["budget_reached"]
        assert document["spent"]["cost"] >= 0.03
        done = run(*arguments, "--budget", "10usd")
    assert done.returncode == 0, done.stderr
    assert "4 of 4 episodes" in done.stdout
    assert "budget" not in done.stderr


def test_no_episode_knows_what_the_judge_said_in_another(tmp_path, monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "toy")
    with serving([Answer("[]")]) as server:
        monkeypatch.setenv("VITAGYM_BASE_URL", server.url)
        run("eval", DELIVERY, "--agent", "noop", "--judge", "llm", "--tasks", 1, "--trials", 2, "--out", tmp_path)
    one, other = read_logs(tmp_path)
    assert one["usage"]["roles"]["judge"]["requests"] == other["usage"]["roles"]["judge"]["requests"] > 0


def test_an_agent_of_ones_own_is_played_with_a_seed_of_each_episode(tmp_path, monkeypatch):
    (tmp_path / "polite_agents.py").write_text(
        "class Polite:\n"
        "    def __init__(self, words='Hello', seed=0):\n"
        "        self.said = f'{words} {seed}. ###STOP###'\n"
        "    def start(self, env):\n"
        "        pass\n"
        "    def act(self, observation, info):\n"
        "        return self.said\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    mine = "polite_agents:Polite"
    options = ["--agent-option", f"{mine}.words=Bye"]
    done = run("eval", DELIVERY, "--agent", mine, *options, "--tasks", 1, "--trials", 2, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = read_logs(tmp_path / "run")
    assert {row["agent"] for row in rows} == {mine}
    assert sorted(row["actions"] for row in rows) == sorted([f"Bye {row['seed']}. ###STOP###"] for row in rows)
    assert run("replay", tmp_path / "run", "--verify").returncode == 0

    done = run("rollout", DELIVERY, "--agent", mine, "--tasks", 1, "--out", tmp_path / "logs", "--json")
    assert done.returncode == 0, done.stderr
    assert [row["agent"] for row in read_logs(tmp_path / "logs")] == [mine]


def test_the_judges_model_can_stand_in_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "another")
    with serving([Answer("[]")]) as server:
        monkeypatch.setenv("VITAGYM_BASE_URL", server.url)
        done = run(
            "eval", DELIVERY, "--agent", "noop", "--judge", "llm:mine", "--tasks", 1, "--trials", 1, "--out", tmp_path
        )
        assert done.returncode == 0, done.stderr
        assert {request["model"] for request in server.requests} == {"mine"}
    (row,) = read_logs(tmp_path)
    assert (row["judge"], row["models"]["judge"]) == ("llm:mine", "mine")
    assert run("replay", tmp_path, "--verify").returncode == 0
