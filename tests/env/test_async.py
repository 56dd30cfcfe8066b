"""The environment in one event loop: the same bytes as step by step, with many episodes in flight in any order."""

import asyncio
import json
import random
import re
import zlib

import gymnasium as gym
import pytest
from gymnasium.error import ResetNeeded
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vitagym.agents import make_agent
from vitagym.errors import EndpointError
from vitagym.llm.chat import Completion
from vitagym.llm.endpoint import Endpoint
from vitagym.rewards.model_judge import ModelJudge
from vitagym.rewards.windows import Windows

LINES = ("I need something.", "Yes, please.", "That will do, thanks. ###STOP###", "Which would you recommend?")


class Slow:
    """Stands for a ``Chat``: what it says depends on what it was asked alone, how long it takes is drawn."""

    waits = random.Random(0)
    fails_after = None

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.asked = 0

    def complete(self, messages):
        self.asked += 1
        if self.fails_after is not None and self.asked > self.fails_after:
            raise EndpointError("no answer", timed_out=True)
        said = str([message["content"] for message in messages])
        drawn = random.Random(zlib.crc32(said.encode()))
        if self.endpoint.model == "user":
            text = drawn.choice(LINES)
        else:
            keys = re.findall(r'"key": "(R\d+)"', messages[1]["content"])
            text = json.dumps([{"key": k, "justification": "", "meetExpectation": drawn.random() < 0.5} for k in keys])
        return Completion(text, prompt_tokens=len(said))

    async def acomplete(self, messages):
        for _ in range(self.waits.randrange(5)):
            await asyncio.sleep(0)
        return self.complete(messages)


@pytest.fixture
def slow(monkeypatch):
    for module in ("vitagym.users.language_model", "vitagym.rewards.model_judge"):
        monkeypatch.setattr(f"{module}.Chat", Slow)
    yield Slow
    Slow.fails_after = None


def environment(user, judge):
    at = Endpoint("user") if user == "llm" else user
    return gym.make(
        "VitaBench-Delivery-v0",
        user=at,
        judge=ModelJudge(Endpoint("judge"), Windows(6, 2)) if judge == "llm" else judge,
        max_turns=40,
    ).unwrapped


def in_turn(user, judge, seed):
    env, agent = environment(user, judge), make_agent("random", seed=seed)
    back = [env.reset(seed=seed)]
    agent.start(env)
    while not any(back[-1][2:4]) or len(back) == 1:
        back.append(env.step(agent.act(back[-1][0], back[-1][-1])))
    return json.dumps([back, env.messages])


async def in_flight(user, judge, seed):
    env, agent = environment(user, judge), make_agent("random", seed=seed)
    back = [await env.areset(seed=seed)]
    agent.start(env)
    while not any(back[-1][2:4]) or len(back) == 1:
        back.append(await env.astep(agent.act(back[-1][0], back[-1][-1])))
    return json.dumps([back, env.messages])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=st.lists(
        st.tuples(st.sampled_from(["scripted", "llm", "solo"]), st.sampled_from(["rules", "llm"]), st.integers(0, 400)),
        min_size=1,
        max_size=8,
    ),
    waits=st.integers(),
    fails_after=st.one_of(st.none(), st.integers(0, 6)),
)
def test_many_episodes_in_flight_are_the_same_bytes_as_one_by_one(slow, kinds, waits, fails_after):
    slow.waits, slow.fails_after = random.Random(waits), fails_after

    async def all_at_once():
        return await asyncio.gather(*(in_flight(*kind) for kind in kinds))

    assert asyncio.run(all_at_once()) == [in_turn(*kind) for kind in kinds]


def test_episodes_wait_for_their_models_together(slow):
    """While one user thinks, another episode goes on: 20 users are asked before the first has answered."""
    waiting, most = [0], [0]

    async def thoughtful(self, messages):
        waiting[0] += 1
        most[0] = max(most[0], waiting[0])
        await asyncio.sleep(0.02)
        waiting[0] -= 1
        return self.complete(messages)

    async def all_at_once():
        await asyncio.gather(*(environment("llm", "rules").areset(seed=seed) for seed in range(20)))

    slow.acomplete, kept = thoughtful, slow.acomplete
    try:
        asyncio.run(all_at_once())
    finally:
        slow.acomplete = kept
    assert most[0] == 20


def test_an_episode_has_one_step_under_way_at_a_time(slow):
    slow.waits = random.Random(3)

    async def two_steps():
        env = environment("llm", "rules")
        await env.areset(seed=1)
        return await asyncio.gather(env.astep("Hello?"), env.astep("Hello?"), return_exceptions=True)

    first, second = asyncio.run(two_steps())
    assert isinstance(first, tuple)
    assert isinstance(second, ResetNeeded)


def test_an_episode_whose_step_was_cancelled_is_over(slow):
    async def cancelled():
        env = environment("llm", "rules")
        await env.areset(seed=1)
        slow.waits = random.Random(3)
        step = asyncio.ensure_future(env.astep("Hello?"))
        await asyncio.sleep(0)
        step.cancel()
        await asyncio.gather(step, return_exceptions=True)
        with pytest.raises(ResetNeeded):
            await env.astep("Hello?")
        observation, _ = await env.areset(seed=1)
        return observation

    assert asyncio.run(cancelled())
