"""Collected episodes can be read back, and say what happened."""

import json

import gymnasium as gym
import numpy as np
import pytest

import vitagym
from vitagym.errors import UnknownName
from vitagym.rl.collecting import NEAR, Form, rows, write
from vitagym.rl.policies import ExpertPolicy, play


@pytest.fixture(scope="module")
def episodes():
    envs = [gym.make("VitaBench-Delivery-Symbolic-v0") for _ in range(2)]
    good = play(envs, ExpertPolicy(), range(3), keep=True)
    return good + play(envs, ExpertPolicy(slips=0.25, seed=1), [*range(3)] * 3, keep=True)


def test_steps_replay_in_the_text_environment(episodes):
    listed = list(rows(Form.STEPS, episodes[:1]))
    env = gym.make("VitaBench-Delivery-v0")
    env.reset(seed=episodes[0].seed)
    for row in listed:
        _, reward, terminated, truncated, info = env.step(row["action"])
        assert reward == row["reward"]
        assert (terminated or truncated) == row["last"]
        assert terminated == row["terminated"]
        assert info["reward_terms"] == row["reward_terms"]
        assert row["candidates"].shape[0] > row["chosen"] >= 0
    assert info["is_success"] is True


def test_pairs_share_a_beginning_and_part_where_it_went_wrong(episodes):
    pairs = list(rows(Form.PREFERENCES, episodes))
    assert pairs
    for pair in pairs:
        assert pair["prompt"][0]["role"] == "system"
        assert pair["chosen"][0] != pair["rejected"][0]
        assert NEAR <= pair["rejected_rubric_score"] < 1


def test_conversations_hold_every_message_and_the_tools(episodes):
    tools = vitagym.tool_schemas("delivery")
    listed = list(rows(Form.CONVERSATIONS, episodes, tools))
    assert len(listed) == len(episodes)
    assert [m["role"] for m in listed[0]["messages"][:2]] == ["system", "user"]
    assert json.loads(listed[0]["tools"]) == tools
    calls = [c for m in listed[0]["messages"] for c in m["tool_calls"]]
    answers = [m["tool_call_id"] for m in listed[0]["messages"] if m["role"] == "tool"]
    assert [c["id"] for c in calls] == answers != []


@pytest.mark.parametrize("form", Form)
def test_files_read_back(form, episodes, tmp_path):
    listed = list(rows(form, episodes))
    assert write(tmp_path / "a.jsonl", listed) == len(listed)
    read = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(read) == len(listed)
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs vitagym[rl]")
    assert write(tmp_path / "b.parquet", listed) == len(listed)
    again = parquet.read_table(tmp_path / "b.parquet").to_pylist()
    assert [set(row) for row in again] == [set(row) for row in read]
    if form is Form.STEPS:
        assert np.allclose(np.array(again[0]["candidates"]), listed[0]["candidates"])
        assert [row["reward"] for row in again] == [row["reward"] for row in read]
    else:
        assert again == read


def test_other_files_are_refused(tmp_path):
    with pytest.raises(UnknownName, match="kind of file"):
        write(tmp_path / "a.csv", [])
