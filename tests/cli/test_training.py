"""The commands that evaluate and collect; training itself is tested where the trainers are."""

import importlib.util
import json

import pytest
from support.command import run

DEV, TRAIN = "VitaBench-Delivery-Dev-Symbolic-v0", "VitaBench-Delivery-Train-Symbolic-v0"


def test_the_expert_is_evaluated_beside_chance():
    found = {}
    for name in ("expert", "random"):
        done = run("evaluate", name, DEV, "--episodes", 4, "--difficulty", "easy", "--json")
        assert done.returncode == 0, done.stdout
        found[name] = json.loads(done.stdout)["results"][DEV]
    assert found["expert"]["success"] == 1
    assert found["random"]["success"] < 1
    low, high = found["expert"]["interval"]
    assert 0 < low < high == 1
    assert sum(f["episodes"] for f in found["expert"]["families"].values()) == 4


def test_the_table_names_families():
    done = run("evaluate", "expert", DEV, "--episodes", 2)
    assert done.returncode == 0
    assert "success (95 %)" in done.stdout
    assert "by family" in done.stdout


@pytest.mark.parametrize("form", ["steps", "conversations", "preferences"])
def test_collected_rows_are_counted(form, tmp_path):
    path = tmp_path / "rows.jsonl"
    done = run("collect", TRAIN, "--out", path, "--as", form, "--episodes", 3, "--slips", 0.2, "--json")
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["rows"] == len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("evaluate", "random"), "expected an ENV_ID"),
        (("evaluate", "random", "VitaBench-Delivery-Train-Symbolic-v0"), "tasks of training"),
        (("evaluate", "random", "VitaBench-Deliver-Dev-Symbolic-v0"), DEV),
        (("collect", TRAIN, "--out", "rows.csv"), ".parquet"),
        (("collect", "VitaBench-Delivery-v0", "--out", "rows.jsonl"), "symbolic environment id"),
        (("collect", TRAIN, "--out", "rows.jsonl", "--as", "step"), "steps"),
    ],
)
def test_wrong_calls_are_refused_with_what_is_allowed(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments, "--json")
    assert done.returncode == 2
    assert sentence in json.loads(done.stdout)["error"]


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="the trainers are there")
def test_without_trainers_the_command_says_what_to_install():
    done = run("train", TRAIN, "--json")
    assert done.returncode == 2
    assert "pip install vitagym[rl]" in json.loads(done.stdout)["error"]
