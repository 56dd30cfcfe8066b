"""``vitagym rollout`` and ``play``: a table for people, one document for programs, logs that replay."""

import json
import os
import subprocess
import sys

import gymnasium as gym
import pytest
from support.command import run

import vitagym  # noqa: F401 - registers the ids

DELIVERY = "VitaBench-Delivery-v0"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Two tasks, two trials, played into a folder."""
    out = tmp_path_factory.mktemp("logs")
    return run("rollout", DELIVERY, "--tasks", 2, "--trials", 2, "--out", out, "--json"), out


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_people_see_a_conversation_and_a_table():
    shown = run("rollout", DELIVERY, "--tasks", 1)
    assert shown.returncode == 0, shown.stderr
    assert "  user  " in shown.stdout
    assert " agent  get_user_historical_behaviors({})" in shown.stdout
    rows = [line.split() for line in shown.stdout.splitlines() if line.strip().startswith(DELIVERY)]
    assert [row[1:5] for row in rows] == [["reference", "1", "100%", "1.00"], ["noop", "1", "0%", "0.00"]]
    assert max(map(len, shown.stdout.splitlines()[-4:])) <= 90


def test_programs_get_one_document(played):
    done, out = played
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [(row["agent"], row["episodes"], row["success"]) for row in document["results"]] == [
        ("reference", 4, 1.0),
        ("noop", 4, 0.0),
    ]
    assert document["out"] == str(out)


def test_there_is_a_line_for_every_episode_and_trials_share_the_task(played):
    logs = lines(played[1] / f"{DELIVERY}.reference.jsonl")
    assert [log["trial"] for log in logs] == [0, 1, 0, 1]
    assert logs[0]["task_id"] == logs[1]["task_id"] != logs[2]["task_id"] == logs[3]["task_id"]
    assert len({log["seed"] for log in logs}) == 4


def test_a_log_replays_to_the_same_messages(played):
    for log in lines(played[1] / f"{DELIVERY}.reference.jsonl"):
        env = gym.make(log["env_id"], **log["settings"])
        _, info = env.reset(seed=log["seed"], options={"task_id": log["task_id"]})
        messages = [{"role": "system", "content": info["system_prompt"]}, *info["messages"]]
        rewards = []
        for action in log["actions"]:
            _, reward, terminated, truncated, info = env.step(action)
            messages += info["messages"]
            rewards.append(reward)
        assert messages == log["messages"]
        assert rewards == log["rewards"]
        assert (terminated, truncated) == (log["terminated"], log["truncated"])


def test_the_same_call_in_another_process_writes_the_same_bytes(played, tmp_path):
    command = "import sys; from vitagym.cli import main; main()"
    arguments = ["rollout", DELIVERY, "--tasks", "2", "--trials", "2", "--out", str(tmp_path)]
    again = subprocess.run(
        [sys.executable, "-c", command, *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=240,
    )
    assert again.returncode == 0, again.stderr
    for path in sorted(played[1].iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_settings_reach_the_environment(tmp_path):
    done = run(
        "rollout", DELIVERY, "--tasks", 1, "--agent", "random", "--seed", 3, "--language", "zh",
        "--feedback", "guide", "--strictness", "observed", "--tools", "all", "--out", tmp_path, "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (log,) = lines(tmp_path / f"{DELIVERY}.random.jsonl")
    assert log["language"] == "zh"
    assert log["settings"] == {
        "language": "zh", "user": "scripted", "feedback": "guide", "strictness": "observed", "tools": "all",
    }  # fmt: skip
    assert log["seed"] == 3


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--agent", "referense"], "reference"),
        (["--language", "ench"], "en"),
        (["--reward", "sucess"], "success"),
        (["--feedback", "planned"], "plain"),
    ],
)
def test_a_wrong_value_is_refused_with_the_nearest(arguments, hint):
    done = run("rollout", DELIVERY, *arguments, "--json")
    assert done.returncode == 2
    assert hint in json.loads(done.stdout)["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rollout", "VitaBench-Delivary-v0"], "VitaBench-Delivery-v0"),
        (["rollout", "CartPole-v1"], "VitaBench"),
        (["play", "CartPole-v1"], "VitaBench"),
        (["rollout", DELIVERY, "--tasks", "0"], "--tasks"),
        (["rollout", DELIVERY, "--tasks", "many"], "--tasks"),
        (["rollout", DELIVERY, "--seed", "-5"], "--seed"),
        (["rollout", DELIVERY, "--agent", "human"], "play"),
        (["lint"], "path"),
        (["list", "--domain", "ota"], "--domain"),
        (["lsit"], "lsit"),
    ],
    ids=" ".join,
)
def test_every_wrong_call_is_said_in_one_document_too(arguments, said):
    done = run(*arguments, "--json")
    assert done.returncode == 2
    assert said in json.loads(done.stdout)["error"]
    assert done.stderr == ""


def test_a_person_can_play_without_a_terminal():
    done = run("play", DELIVERY, "--json", typed="What do you need?\n###STOP###\n")
    assert done.returncode == 0, done.stderr
    log = json.loads(done.stdout)
    assert log["actions"] == ["What do you need?", "###STOP###"]
    assert log["is_success"] is False
    shown = run("play", DELIVERY, typed="###STOP###\n")
    assert "Ended: agent_stop" in shown.stdout


def test_an_id_may_name_its_module(tmp_path):
    done = run("rollout", f"vitagym:{DELIVERY}", "--tasks", 1, "--agent", "noop", "--out", tmp_path, "--json")
    assert done.returncode == 0, done.stdout
    assert (tmp_path / f"{DELIVERY}.noop.jsonl").exists()


def test_a_terminal_without_unicode_gets_what_it_can_show():
    command = "from vitagym.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "rollout", DELIVERY, "--tasks", "1", "--language", "zh"],
        capture_output=True,
        check=False,
        timeout=240,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert b"reference" in done.stdout


def test_a_folder_that_cannot_be_is_a_wrong_call(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("rollout", DELIVERY, "--tasks", 1, "--out", tmp_path / "file" / "logs")
    assert done.returncode == 2
    assert "file" in done.stderr


def test_episodes_that_an_endpoint_cut_off_are_counted_apart(monkeypatch):
    monkeypatch.setenv("VITAGYM_USER_MODEL", "none")
    monkeypatch.setenv("VITAGYM_USER_BASE_URL", "http://127.0.0.1:9/v1")
    done = run("rollout", DELIVERY, "--tasks", 1, "--user", "llm", "--agent", "noop", "--json")
    assert done.returncode == 1
    assert "1 episodes were cut off" in done.stderr
    (row,) = json.loads(done.stdout)["results"]
    assert (row["episodes"], row["failed"], row["scored"], row["success"]) == (1, 1, 0, None)
