"""Language models as agents, over real HTTP: whole episodes, what the model is sent, and how faults end."""

import asyncio
import json

import gymnasium as gym
import pytest
from support.openai_server import Answer, serving
from support.role_server import role_server, stats

import vitagym
from vitagym.agents.episodes import play_episode
from vitagym.errors import CallerError, UnknownName
from vitagym.llm.endpoint import Endpoint
from vitagym.rewards.model_judge import ModelJudge

ENV = "VitaBench-Delivery-v0"
FORMS = {
    "tools": ("llm", "agent", {}),
    "thinking": ("llm", "agent-think", {"thoughts": "turn"}),
    "text": ("llm", "agent-text", {"protocol": "text"}),
    "react": ("react", "agent-react", {}),
    "plan": ("plan", "agent-plan", {}),
}


@pytest.fixture(scope="module")
def roles():
    with role_server() as url:
        yield url


def call(name, arguments="{}", call_id="c1"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def message(**fields):
    """An answer with this message."""
    body = {"choices": [{"message": {"role": "assistant", **fields}, "finish_reason": "stop"}]}
    return Answer(body=json.dumps({**body, "usage": {"prompt_tokens": 9, "completion_tokens": 2}}).encode())


def steps(answers, number, name="llm", env_settings=None, **options):
    """Play some steps with a model that gives these answers; the last info, and the requests."""
    env = gym.make(ENV, **(env_settings or {}))
    with serving(answers) as server:
        fast = {"attempts": 2, "backoff_s": 0.01, "timeout_s": 2.0}
        agent = vitagym.make_agent(name, model="m", base_url=server.url, api_key="k", **fast, **options)
        observation, info = env.reset(seed=0)
        agent.start(env)
        for _ in range(number):
            observation, *_, info = env.step(agent.act(observation, info))
        return env.unwrapped, info, server.requests


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_capable_model_succeeds_in_every_form(roles, form, language):
    name, model, options = FORMS[form]
    agent = vitagym.make_agent(name, model=model, base_url=roles, **options)
    log = play_episode(gym.make(ENV, language=language), agent, seed=3)
    assert log.is_success
    assert log.usage["roles"]["agent"]["requests"] >= len(log.actions)
    assert log.usage["refused_actions"] == 0


def test_agent_user_and_judge_may_all_be_models_named_by_the_environment(roles, monkeypatch):
    for role in ("agent", "user", "judge"):
        monkeypatch.setenv(f"VITAGYM_{role.upper()}_MODEL", role)
    monkeypatch.setenv("VITAGYM_BASE_URL", roles)
    env = gym.make("VitaBench-Cross-v0", user="llm", judge="llm", max_turns=None)
    before = stats(roles)
    log = play_episode(env, vitagym.make_agent("llm"), seed=1)
    after = stats(roles)
    for role in ("agent", "user", "judge"):
        assert log.usage["roles"][role]["requests"] == after[role] - before.get(role, 0) > 0
    assert log.is_success
    rewarded = [n for n, terms in enumerate(log.reward_terms) if terms["rubric"]]
    assert rewarded
    assert rewarded[0] < len(log.actions) - 1


def test_in_an_event_loop_it_does_the_same(roles):
    async def played():
        env, agent = gym.make(ENV).unwrapped, vitagym.make_agent("llm", model="agent", base_url=roles)
        observation, info = await env.areset(seed=2)
        agent.start(env)
        over = False
        while not over:
            observation, _, *ends, info = await env.astep(await agent.aact(observation, info))
            over = any(ends)
        return env.messages

    log = play_episode(gym.make(ENV), vitagym.make_agent("llm", model="agent", base_url=roles), seed=2)
    assert asyncio.run(played()) == list(log.messages[1:])


def test_with_faults_every_episode_ends_and_those_that_end_are_the_same(roles):
    async def played(url, seed):
        at = {"base_url": url, "timeout_s": 1.0, "backoff_s": 0.01, "attempts": 6}
        env = gym.make(ENV, user=Endpoint("user", **at), judge=ModelJudge(Endpoint("judge", **at))).unwrapped
        agent = vitagym.make_agent("llm", model="agent", **at)
        observation, info = await env.areset(seed=seed)
        agent.start(env)
        while info["end_reason"] is None:
            observation, *_, info = await env.astep(await agent.aact(observation, info))
        return info["end_reason"], info["is_success"], env.messages

    async def all_at_once(url):
        return await asyncio.gather(*(played(url, seed) for seed in range(8)))

    good = asyncio.run(all_at_once(roles))
    with role_server(faults=0.05, seed=1) as url:
        faulty = asyncio.run(all_at_once(url))
        met = stats(url)
    assert {"429", "500", "timeout", "cut", "malformed", "empty"} <= met.keys()
    ended = [pair for pair in zip(good, faulty, strict=True) if not pair[1][0].startswith("endpoint")]
    assert len(ended) >= 4
    assert all(one == other for one, other in ended)


def test_the_model_is_sent_rules_tools_and_conversation():
    answers = [message(content=None, tool_calls=[call("get_user_all_orders")]), Answer("Which one?")]
    env, info, requests = steps(answers, 2)
    assert [tool["function"]["name"] for tool in requests[0]["tools"]] == [tool.name for tool in env.world.tools]
    system, opening = requests[0]["messages"]
    assert (system["role"], opening["role"]) == ("system", "user")
    assert env.task.time in system["content"]
    made, result = requests[1]["messages"][2:]
    assert made["tool_calls"][0]["function"]["name"] == "get_user_all_orders"
    assert result == {"role": "tool", "tool_call_id": "c1", "content": env.messages[2]["content"]}
    assert info["usage"]["roles"]["agent"] == {
        "requests": 2, "failed_requests": 0, "prompt_tokens": 9 + 7, "completion_tokens": 2 + 3, "cost": 0.0,
    }  # fmt: skip


def test_parallel_calls_are_run_in_order():
    calls = [call("get_user_all_orders", call_id="a"), call("get_user_historical_behaviors", call_id="b")]
    env, _, requests = steps([message(tool_calls=calls)], 1, tool_choice="auto", parallel_tool_calls=True)
    assert [turn["tool_call_id"] for turn in env.messages if turn["role"] == "tool"] == ["a", "b"]
    assert (requests[0]["tool_choice"], requests[0]["parallel_tool_calls"]) == ("auto", True)


@pytest.mark.parametrize(("thoughts", "shown"), [("none", 0), ("turn", 1), ("all", 2)])
def test_thoughts_are_kept_in_the_log_and_shown_again_as_asked(thoughts, shown):
    answers = [
        message(content="Which one?", reasoning_content="Ask first."),
        message(tool_calls=[call("get_user_all_orders")], reasoning="Look."),
        Answer("Fine."),
    ]
    env, _, requests = steps(answers, 3, thoughts=thoughts)
    assert [m["reasoning_content"] for m in env.messages if "reasoning_content" in m] == ["Ask first.", "Look."]
    assert sum("reasoning_content" in m for m in requests[2]["messages"]) == shown
    assert not any("reasoning" in m for m in requests[2]["messages"])


def test_what_a_model_makes_up_is_sent_back_in_a_form_that_endpoints_accept():
    calls = [call("look at this!", "{broken", "a"), call("get_user_all_orders", "[1]", "b")]
    env, _, requests = steps([message(tool_calls=calls), Answer("", body=None), Answer("Well?")], 2)
    sent = requests[1]["messages"][2]["tool_calls"]
    assert sent[0]["function"]["name"] == "look_at_this_"
    assert all(isinstance(json.loads(c["function"]["arguments"]), dict) for c in sent)
    assert [m["role"] for m in requests[1]["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    assert env.messages[1]["tool_calls"][0]["function"]["arguments"] == "{broken"


@pytest.mark.parametrize("arguments", ['{"keywords": ["\\ud800"]}', '{"\\udfff": 1}', '{"a":' * 5000, "[" * 5000])
@pytest.mark.parametrize(("name", "options"), [("llm", {}), ("llm", {"protocol": "text"}), ("plan", {})])
def test_half_characters_and_deep_nesting_in_a_call_cost_a_refusal_and_no_more(name, options, arguments):
    call_of_model = message(content=None, tool_calls=[call("weather", arguments)])
    calls = [message(content="My plan."), call_of_model] if name == "plan" else [call_of_model]
    answers = [*calls, message(content="Sorry. What else?"), message(content="And then?"), message(content="Bye.")]
    _, info, requests = steps(answers, 3, name, **options)
    assert info["usage"]["refused_calls"] == 1
    assert info["end_reason"] is None
    assert len(requests) == len(calls) + (3 if name == "plan" else 2)


def test_an_empty_answer_is_asked_again_and_refused_in_the_end():
    _, info, requests = steps([Answer("")], 1)
    assert len(requests) == 3
    assert info["tool_error"] == "empty_action"
    _, info, requests = steps([Answer(None), Answer(" "), Answer("Which one?")], 1)
    assert info["tool_error"] is None


def test_a_refused_action_is_told_as_a_notice():
    _, _, requests = steps([Answer(""), Answer(""), Answer(""), Answer("Which one?")], 2)
    assert [m["role"] for m in requests[-1]["messages"]] == ["system", "user", "assistant", "user"]
    assert requests[-1]["messages"][2]["content"]
    assert "system" in requests[-1]["messages"][3]["content"]


ENDS = [
    (Answer(status=500), "endpoint_failed", 2),
    (Answer(status=401), "endpoint_failed", 1),
    (Answer("late", delay_s=4.0), "endpoint_timed_out", 2),
    (
        Answer(status=400, body=b'{"error": {"code": "context_length_exceeded", "message": "long"}}'),
        "context_overflow",
        1,
    ),
]


@pytest.mark.parametrize(("fault", "reason", "requests"), ENDS, ids=[f"{a.status}-{reason}" for a, reason, _ in ENDS])
@pytest.mark.parametrize("name", ["llm", "plan"])
def test_a_model_that_gives_no_answer_ends_the_episode_as_truncated(fault, reason, requests, name):
    env, info, _ = steps([fault], 1, name)
    assert info["end_reason"] == reason
    assert info["usage"]["roles"]["agent"]["failed_requests"] == requests
    assert "tried" in env.fault


@pytest.mark.parametrize("protocol", ["text", "react"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_function_calling_the_tools_stand_in_the_prompt(protocol, language):
    first = {
        "text": '<tool_call>{"name": "get_user_all_orders", "arguments": {}}</tool_call>',
        "react": 'Thought: Look.\nAction: {"name": "get_user_all_orders", "arguments": {}}',
    }[protocol]
    answers = [Answer(first), Answer("Say: Which one?" if protocol == "react" else "Which one?"), Answer("Say: Hm?")]
    env, _, requests = steps(answers, 3, env_settings={"language": language}, protocol=protocol)
    assert not any("tools" in request for request in requests)
    assert all(tool.name in requests[0]["messages"][0]["content"] for tool in env.world.tools)
    assert {m["role"] for m in requests[2]["messages"][1:]} == {"user", "assistant"}
    assert all(
        a["role"] != b["role"] for a, b in zip(requests[2]["messages"], requests[2]["messages"][1:], strict=False)
    )
    assert "get_user_all_orders" in requests[1]["messages"][2]["content"]
    assert env.messages[1]["tool_calls"][0]["function"]["name"] == "get_user_all_orders"
    assert env.messages[3]["content"] == "Which one?"


@pytest.mark.parametrize(
    ("said", "words", "thought"),
    [
        ("Thought: Greet.\nSay: Hello!", "Hello!", "Greet."),
        ("**Thought:** Greet.\n**Say:** Hello!\nObservation: made up", "Hello!", "Greet."),
        ("<think>hm</think>Say: Hello!\nThought: and then", "Hello!", None),
        ("Thought: End.\nSay: Goodbye. ###STOP###", "Goodbye. ###STOP###", "End."),
    ],
)
def test_react_takes_the_first_thing_after_the_thought(said, words, thought):
    env, _, _ = steps([Answer(said)], 1, "react")
    assert env.messages[1]["content"] == words
    assert env.messages[1].get("reasoning_content") == thought


def test_react_asks_again_for_its_form():
    env, _, requests = steps([Answer("Hello!"), Answer("Thought: So.\nSay: Hello!")], 1, "react")
    assert len(requests) == 2
    assert requests[1]["messages"][-2]["content"] == "Hello!"
    assert env.messages[1]["content"] == "Hello!"


def test_a_plan_is_made_whenever_the_user_has_spoken():
    looks = message(tool_calls=[call("get_user_all_orders")])
    answers = [Answer("1. Look."), looks, Answer("Which?"), Answer("2. Do."), Answer("Well?")]
    env, _, requests = steps(answers, 3, "plan")
    assert ["tools" in request for request in requests] == [False, True, True, False, True]
    assert "1. Look." in requests[1]["messages"][0]["content"]
    assert "1. Look." in requests[2]["messages"][0]["content"]
    assert "2. Do." in requests[4]["messages"][0]["content"]
    thoughts = [m.get("reasoning_content") for m in env.messages if m["role"] == "assistant"]
    assert thoughts == ["1. Look.", None, "2. Do."]


def test_callers_mistakes_are_named(monkeypatch):
    for name in ("VITAGYM_MODEL", "VITAGYM_AGENT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(CallerError, match="VITAGYM_AGENT_MODEL"):
        vitagym.make_agent("llm")
    with pytest.raises(UnknownName, match="Did you mean 'react'"):
        vitagym.make_agent("llm", model="m", protocol="reakt")
    with pytest.raises(UnknownName, match="thoughts"):
        vitagym.make_agent("llm", model="m", thoughts="some")
    agent, env = vitagym.make_agent("llm", model="m"), gym.make(ENV)
    env.reset(seed=0)
    agent.start(env)
    info = env.step("Hello?")[-1]
    with pytest.raises(CallerError, match="after start"):
        agent.act("", info)
