"""Tokens and money: who used what, how an episode ends on them, and how an agent's model ends one by failing."""

import gymnasium as gym
import pytest
from support.openai_server import Answer, serving

from vitagym.env.actions import STOP
from vitagym.env.reported import failed_action
from vitagym.errors import CallerError, EndpointError
from vitagym.llm.endpoint import Endpoint
from vitagym.llm.usage import Used

ENV = "VitaBench-Delivery-v0"
SPENT = {"model": "m", "requests": 1, "prompt_tokens": 100, "completion_tokens": 10}


def make(**settings):
    env = gym.make(ENV, **settings).unwrapped
    env.reset(seed=0)
    return env


def says(words="Which one would you like?", **beside):
    return {"role": "assistant", "content": words, "usage": SPENT, **beside}


def test_each_role_has_its_own_account():
    with serving([Answer("I need a thing."), Answer(status=500), Answer("Yes.")]) as server:
        at = Endpoint("u", base_url=server.url, api_key="k", backoff_s=0.01)
        env = make(user=at, prices={"u": (1.0, 2.0), "m": (10.0, 20.0)})
        *_, info = env.step(says())
    usage = info["usage"]
    assert usage["roles"]["user"] == {
        "requests": 3,
        "failed_requests": 1,
        "prompt_tokens": 14,
        "completion_tokens": 6,
        "cost": pytest.approx((14 * 1 + 6 * 2) / 1e6),
    }
    assert usage["roles"]["agent"]["cost"] == pytest.approx((100 * 10 + 10 * 20) / 1e6)
    assert usage["roles"]["judge"]["requests"] == 0
    assert usage["priced"]


def test_without_a_price_the_cost_is_said_to_be_unknown():
    *_, info = make().step(says())
    assert info["usage"]["roles"]["agent"]["cost"] == 0.0
    assert not info["usage"]["priced"]


@pytest.mark.parametrize(
    ("limit", "reason"),
    [({"max_tokens": 300}, "max_tokens"), ({"max_cost": 0.0025, "prices": {"m": (10.0, 0.0)}}, "max_cost")],
)
def test_what_is_used_up_truncates(limit, reason):
    env = make(**limit)
    ends = []
    for _ in range(3):
        _, _, terminated, truncated, info = env.step(says())
        ends.append((terminated, truncated, info["end_reason"]))
    assert ends == [(False, False, None), (False, False, None), (False, True, reason)]
    assert all(rubric["status"] == "pending" for rubric in info["rubrics"].values())


def test_an_end_of_the_episodes_own_comes_first():
    *_, info = make(max_tokens=1).step(says(STOP))
    assert info["end_reason"] == "agent_stop"


def test_max_cost_needs_the_price_of_every_model():
    with pytest.raises(CallerError, match="has none of 'm'"):
        make(max_cost=1.0, prices={"other": (1, 1)}).step(says())


@pytest.mark.parametrize(
    "wrong", [{"max_tokens": 0}, {"max_cost": 0}, {"prices": {"m": 3}}, {"prices": {"m": (1, -1)}}]
)
def test_a_wrong_limit_is_named(wrong):
    with pytest.raises(CallerError, match=next(iter(wrong)).removesuffix("s")):
        make(**wrong)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (EndpointError("no answer"), "endpoint_failed"),
        (EndpointError("no answer", timed_out=True), "endpoint_timed_out"),
        (EndpointError("too long", overflow=True), "context_overflow"),
    ],
)
def test_an_agent_whose_model_fails_truncates_with_a_reason_of_its_own(fault, reason):
    env = make()
    turns = len(env.transcript)
    observation, reward, terminated, truncated, info = env.step(failed_action(fault, Used("m", 5, 5)))
    assert (observation, reward, terminated, truncated) == ("", 0.0, False, True)
    assert info["end_reason"] == reason
    assert info["usage"]["roles"]["agent"]["failed_requests"] == 5
    assert env.fault == str(fault)
    assert len(env.transcript) == turns
    assert info["messages"] == []


@pytest.mark.parametrize("beside", [{"error": {"kind": "user_done"}}, {"error": "no"}, {"usage": {"requests": -1}}])
def test_what_cannot_be_read_of_the_model_is_refused(beside):
    *_, truncated, info = make().step(says(**beside))
    assert not truncated
    assert info["tool_error"] == "not_an_action"


@pytest.mark.parametrize(
    "action",
    [
        {"role": "assistant", "content": "Hello.", "reasoning_content": "Say hello."},
        {"role": "assistant", "content": "Hello.", "reasoning": "Say hello."},
        {"role": "assistant", "content": "<think>Say hello.</think>Hello."},
        "<think>Say hello.</think>Hello.",
        "Say hello.</think>\nHello.",
    ],
)
def test_thoughts_are_kept_in_the_log_and_nobody_hears_them(action):
    heard = []

    class Listener:
        def open(self):
            from vitagym.users.user import Reply

            return Reply("Hi.")

        def reply(self, message):
            from vitagym.users.user import Reply

            heard.append(message)
            return Reply("Go on.")

        def fork(self):
            return self

    env = make(user=Listener())
    *_, info = env.step(action)
    assert info["messages"][0] == {"role": "assistant", "content": "Hello.", "reasoning_content": "Say hello."}
    assert heard == ["Hello."]


def test_long_thoughts_are_no_long_action():
    *_, info = make().step(says(reasoning_content="hm " * 100_000))
    assert info["tool_error"] is None


def test_a_fork_has_its_own_account():
    env = make()
    other = env.fork()
    env.step(says())
    *_, info = other.step("Which one?")
    assert info["usage"]["roles"]["agent"]["requests"] == 0
