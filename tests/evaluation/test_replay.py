"""A log plays again to the byte without any model; whatever was changed in it is found."""

import copy
import json

import gymnasium as gym
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.command import run

from vitagym.agents.episodes import play_episode
from vitagym.evaluation.comparing import parting
from vitagym.evaluation.log import read_logs
from vitagym.evaluation.replaying import verify


@pytest.mark.parametrize("which", ["scripted_run", "model_run"])
def test_every_episode_plays_again_to_the_byte(which, request):
    done = run("replay", request.getfixturevalue(which), "--verify", "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["differences"]) == (0, [])
    assert document["same"] == (12 if which == "scripted_run" else 4)


def test_a_models_words_are_kept_and_counted(model_run):
    for row in read_logs(model_run):
        user, judge = row["replies"]["user"], row["replies"]["judge"]
        assert user
        assert judge
        used = row["usage"]["roles"]["user"]
        assert used["requests"] == len(user)
        assert used["prompt_tokens"] == 7 * len(user)
        assert used["cost"] == pytest.approx((7 * 1 + 3 * 2) * len(user) / 1e6)
        assert row["usage"]["priced"] is True
        assert row["models"] == {"user": "toy", "judge": "toy"}
        assert set(row["prompts"]) == {"agent", "user", "judge"}


CHANGES = {
    "a message": lambda row: row["messages"][-1].update(content="Something else."),
    "a message less": lambda row: row["messages"].pop(),
    "a reward": lambda row: row["rewards"].__setitem__(-1, 0.125),
    "a rubric": lambda row: next(iter(row["rubrics"].values())).update(reason="because"),
    "a change of the world": lambda row: row["world_changes"].append({}),
    "the end": lambda row: row.update(end_reason="max_turns"),
    "an action": lambda row: row["actions"].__setitem__(0, "Which size?"),
    "an action more": lambda row: row["actions"].append("Bye."),
    "a task that is gone": lambda row: row.update(task_id="delivery-test-999"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_found(rows, change):
    changed = copy.deepcopy(next(row for row in rows if row["agent"] == "reference"))
    CHANGES[change](changed)
    (found,) = verify([changed])
    assert found.parting is not None


def test_the_first_difference_is_named_and_the_exit_code_is_1(rows, tmp_path):
    changed = copy.deepcopy(rows)
    changed[1]["messages"][2]["content"] += "!"
    file = tmp_path / "changed.jsonl"
    file.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in changed))
    done = run("replay", file, "--verify")
    assert done.returncode == 1
    assert changed[1]["key"] in done.stdout
    assert "messages[2].content" in done.stdout
    assert f"{len(rows) - 1} episodes are the same" in done.stdout


def test_a_lost_reply_of_a_model_is_said(model_run):
    row = read_logs(model_run)[0]
    row["replies"]["user"] = row["replies"]["user"][:-1]
    (found,) = verify([row])
    assert "replies of the user's model" in found.parting.other


def test_one_episode_can_be_shown(scripted_run, rows):
    done = run("replay", scripted_run, "--key", rows[0]["key"])
    assert done.returncode == 0
    assert rows[0]["messages"][1]["content"][:40] in done.stdout
    wrong = run("replay", scripted_run, "--key", rows[0]["key"] + "0", "--json")
    assert wrong.returncode == 2
    assert rows[0]["key"] in json.loads(wrong.stdout)["error"]


class Fumbling:
    """Sends what no environment can use, then ends."""

    def __init__(self):
        self.left = [
            "\ud800 hello",
            None,
            object(),
            {"role": "assistant"},
            b"bytes",
            ["a"],
            "{broken",
            "",
            "###STOP###",
        ]

    def start(self, env):
        pass

    def act(self, observation, info):
        return self.left.pop(0)


def test_actions_that_are_none_are_kept_and_play_again():
    log = play_episode(gym.make("VitaBench-Delivery-v0"), Fumbling(), seed=0, agent_name="fumbling")
    row = orjson.loads(log.line())
    assert len(row["actions"]) == 9
    assert row["usage"]["refused_actions"] >= 6
    (found,) = verify([row])
    assert found.parting is None, found.parting


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=9,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(values, values)
def test_two_values_part_just_where_their_json_differs(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (parting(one, other) is None) is same
    assert parting(one, copy.deepcopy(one)) is None
