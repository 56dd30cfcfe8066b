"""Records to train from: masks, rewards beside messages, pairs that share a beginning; Inspect reads its logs."""

import copy
import json
from pathlib import Path

import orjson
import pytest
from support.command import run

from vitagym.evaluation.inspect_log import inspect_logs


def records(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def convert(scripted_run, tmp_path):
    def converted(form):
        out = tmp_path / form
        done = run("convert", scripted_run, "--to", form, "--out", out)
        assert done.returncode == 0, done.stderr
        return out

    return converted


def assert_only_the_agent_is_learnt(messages, mask):
    assert len(messages) == len(mask)
    learnt = [message for message, learn in zip(messages, mask, strict=True) if learn]
    assert learnt
    assert all(m["role"] == "assistant" and (m.get("content") or m.get("tool_calls")) for m in learnt)
    left = [message for message, learn in zip(messages, mask, strict=True) if not learn]
    assert all(m["role"] != "assistant" or not (m.get("content") or m.get("tool_calls")) for m in left)


def test_sft_has_the_successes(convert, rows):
    made = records(convert("sft"))
    assert [r["key"] for r in made] == [row["key"] for row in rows if row["is_success"]]
    for record in made:
        assert_only_the_agent_is_learnt(record["messages"], record["mask"])
        called = {c["function"]["name"] for m in record["messages"] for c in m.get("tool_calls", ())}
        assert called <= {tool["function"]["name"] for tool in record["tools"]}


def test_grpo_has_every_episode_with_its_advantage_in_the_group(convert, rows):
    made = records(convert("grpo"))
    assert len(made) == len(rows)
    by_key = {row["key"]: row for row in rows}
    groups = {}
    for record in made:
        row = by_key[record["key"]]
        assert_only_the_agent_is_learnt(record["messages"], record["mask"])
        assert sum(record["rewards"]) == pytest.approx(row["reward"])
        paid = [m["role"] for m, r in zip(record["messages"], record["rewards"], strict=True) if r]
        assert set(paid) <= {"assistant"}
        groups.setdefault(record["group"], []).append(record["advantage"])
    assert len(groups) == 2
    for advantages in groups.values():
        assert sum(advantages) == pytest.approx(0, abs=1e-9)
        assert sum(a * a for a in advantages) / len(advantages) == pytest.approx(1)


def test_dpo_pairs_a_success_and_a_failure_from_where_they_part(convert, rows):
    made = records(convert("dpo"))
    by_key = {row["key"]: row for row in rows}
    assert len(made) == sum(not row["is_success"] for row in rows)
    for record in made:
        success, failure = by_key[record["key"]], by_key[record["rejected_key"]]
        assert success["is_success"]
        assert not failure["is_success"]
        assert success["task_id"] == failure["task_id"]
        assert record["prompt"] + record["chosen"] == success["messages"]
        assert record["prompt"] + record["rejected"] == failure["messages"]
        assert record["chosen"][0] != record["rejected"][0]
        assert_only_the_agent_is_learnt(record["chosen"], record["chosen_mask"])
        assert_only_the_agent_is_learnt(record["rejected"], record["rejected_mask"])


def test_a_form_that_there_is_not_is_refused(scripted_run, tmp_path):
    done = run("convert", scripted_run, "--to", "gpro", "--out", tmp_path / "x")
    assert done.returncode == 2
    assert "grpo" in done.stderr


def test_inspect_reads_its_logs_and_writes_them_back(convert, rows, tmp_path):
    inspect_log = pytest.importorskip("inspect_ai.log", reason="inspect_ai is not installed")
    paths = sorted(convert("inspect").iterdir())
    assert len(paths) == 3
    for path in paths:
        log = inspect_log.read_eval_log(str(path))
        assert log.status == "success"
        again = tmp_path / "again.json"
        inspect_log.write_eval_log(log, str(again))
        left_out = {"location", "etag"}
        assert inspect_log.read_eval_log(str(again)).model_dump(exclude=left_out) == log.model_dump(exclude=left_out)
        for sample in log.samples:
            row = next(row for row in rows if row["key"] == sample.metadata["key"])
            assert (sample.id, sample.epoch) == (row["task_id"], row["trial"] + 1)
            assert sample.scores["success"].value == int(row["is_success"])
            assert [m.role for m in sample.messages] == [m["role"] for m in row["messages"]]
            assert [m.text for m in sample.messages] == [m.get("content") or "" for m in row["messages"]]


def test_an_inspect_log_has_every_episode_once(convert, rows):
    samples = [s for path in convert("inspect").iterdir() for s in json.loads(path.read_bytes())["samples"]]
    assert sorted(s["metadata"]["key"] for s in samples) == sorted(row["key"] for row in rows)


@pytest.mark.parametrize("arguments", ['{"keywords": ["\\ud800"]}', '{"a":' * 5000, "{broken"])
def test_arguments_that_cannot_be_read_are_said_to_be_so_in_a_log_of_inspect(rows, arguments):
    row = copy.deepcopy(rows[0])
    call = {"id": "c", "type": "function", "function": {"name": "weather", "arguments": arguments}}
    row["messages"].append({"role": "assistant", "content": None, "tool_calls": [call]})
    (document,) = inspect_logs([row]).values()
    assert orjson.dumps(document)
    (made,) = document["samples"][0]["messages"][-1]["tool_calls"]
    assert made["parse_error"]
    assert made["arguments"] == {}
