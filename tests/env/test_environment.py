"""What comes back from reset and step: what an agent sees, and what it never sees."""

import json
import pickle

import gymnasium as gym
import orjson
import pytest
from support.playing import DOMAINS, SayingUser, make, play, play_agent

import vitagym
from vitagym.env.actions import STOP
from vitagym.errors import CallerError

KEYS = {
    "task_id", "split", "turn", "messages", "reward_terms", "rubrics", "is_success", "scores", "end_reason",
    "tool_error", "usage", "tools", "system_prompt",
}  # fmt: skip
ALL_ORDERS = {"name": "get_user_all_orders", "arguments": {}}
BAD = ["", None, "\ud800", '<tool_call>{"name":', {"name": "no_such_tool", "arguments": {}}, "x" * 10**6]
in_every_domain = pytest.mark.parametrize("domain", DOMAINS)


@in_every_domain
def test_info_has_the_same_keys_at_every_step_and_is_json(domain):
    for given in (play_agent(make(domain)), play_agent(make(domain), "random")):
        for *_, info in given:
            assert set(info) == KEYS
            assert orjson.loads(orjson.dumps(info)) == info == json.loads(json.dumps(info))
            assert pickle.loads(pickle.dumps(info)) == info
        opening, steps = given[0][1], [info for *_, info in given[1:]]
        assert opening["tools"]
        assert opening["system_prompt"]
        assert all(info["tools"] is None and info["system_prompt"] is None for info in steps)


@in_every_domain
def test_the_new_messages_together_are_the_conversation(domain):
    env = make(domain)
    given = play_agent(env, "random", seed=2)
    messages = [message for *_, info in given for message in info["messages"]]
    assert messages == env.unwrapped.messages
    assert given[-1][-1]["turn"] == len(messages)
    calls = {call["id"] for message in messages for call in message.get("tool_calls", ())}
    answers = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(answers) == len(set(answers))
    assert set(answers) == calls


@in_every_domain
def test_the_reward_is_the_sum_of_its_terms(domain):
    given = play_agent(make(domain))
    assert all(reward == sum(info["reward_terms"].values()) for _, reward, *_, info in given[1:])
    names = {tuple(info["reward_terms"]) for *_, info in given}
    assert len(names) == 1
    assert sum(step[1] for step in given[1:]) == pytest.approx(2)
    assert given[-1][-1]["is_success"] is True
    assert given[-1][-1]["end_reason"] == "user_done"


@in_every_domain
def test_doing_nothing_pays_nothing(domain):
    given = play_agent(make(domain), "noop")
    assert sum(step[1] for step in given[1:]) <= 0
    assert given[-1][-1]["is_success"] is False


def test_observations_are_what_is_new():
    env = make()
    first, info = env.reset(seed=0)
    assert [m["content"] for m in info["messages"]] == [first]
    (reply, *_), (result, *_, info) = play(env, ["Hello!", ALL_ORDERS])
    assert env.unwrapped.messages[2]["content"] == reply
    assert info["messages"][-1]["content"] == result
    both, *_, info = env.step([ALL_ORDERS, {"name": "no_such_tool", "arguments": {}}])
    first_line, second_line = both.split("\n")
    assert first_line == f"get_user_all_orders: {result}"
    assert second_line.startswith("no_such_tool: ")
    assert info["tool_error"] == "unknown_tool"


def test_the_user_does_not_hear_words_beside_a_call():
    user = SayingUser("Hi.")
    env = make(user=user)
    env.reset(seed=0)
    play(env, [f"I look.\n{json.dumps(ALL_ORDERS)}", "<think>hm</think>Done.", ""])
    assert user.heard == ["Done."]
    assert env.unwrapped.messages[1]["content"] == "I look."


@pytest.mark.parametrize("action", BAD, ids=lambda action: repr(action)[:12])
def test_a_bad_action_is_answered(action):
    user = SayingUser("Hi.")
    env = make(user=user)
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(action)
    assert observation.strip()
    assert (reward, terminated, truncated) == (0, False, False)
    assert info["tool_error"]
    assert info["tool_error"] in observation
    assert user.heard == []
    orjson.dumps(info)
    assert env.step("Now for real.")[-1]["tool_error"] is None


UNUSED = {"requests": 0, "failed_requests": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": 0.0}


def test_refusals_are_counted():
    """The public implementation's fault T13: refusals came back as plain results, and were never counted."""
    env = make()
    env.reset(seed=0)
    actions = [ALL_ORDERS, *BAD, {"name": "get_delivery_store_info", "arguments": {"store_id": "nowhere"}}]
    *_, info = play(env, actions)[-1]
    assert info["usage"] == {
        "actions": 8, "utterances": 0, "tool_calls": 4, "refused_calls": 3, "refused_actions": 4,
        "roles": dict.fromkeys(("agent", "user", "judge"), UNUSED), "priced": True,
    }  # fmt: skip
    results = [turn.result for turn in env.unwrapped.transcript.turns if turn.result is not None]
    assert [result.ok for result in results] == [True, False, False, False]


def test_nothing_tells_the_agent_what_it_must_not_know():
    task = vitagym.load_tasks("delivery")[0]
    env = make(tasks=[task])
    hidden = [*task.profile.hidden.values(), *(r.id for r in task.rubrics), task.instruction]
    hidden += [s for r in task.rubrics for s in r.sentences.values()]
    for *_, info in play_agent(env, "noop"):
        shown = json.dumps({k: v for k, v in info.items() if k != "messages"}, ensure_ascii=False)
        assert not [secret for secret in hidden if secret in shown]
        assert all(set(rubric) == {"status", "turn"} for rubric in info["rubrics"].values())
    opened = make(tasks=[task], debug=True).reset(seed=0)[1]["rubrics"]
    assert [r["id"] for r in opened.values()] == [r.id for r in task.rubrics]
    assert all(r["sentence"] and r["reason"] for r in opened.values())
    assert json.loads(json.dumps(opened)) == opened


def test_rubrics_of_the_episode_stand_by_their_ids():
    env = make()
    play_agent(env)
    assert list(env.unwrapped.rubrics) == [r.id for r in env.unwrapped.task.rubrics]
    assert len(env.unwrapped.transcript) == len(env.unwrapped.messages)


def test_tools_on_offer():
    task = vitagym.load_tasks("delivery")[0]
    offered = {
        choice: [tool["function"]["name"] for tool in make(tools=choice).reset(seed=0)[1]["tools"]]
        for choice in ("own", "all", "needed")
    }
    needed = {step.tool for step in task.solution if step.kind == "call"}
    assert (len(offered["own"]), len(offered["all"])) == (20, 66)
    assert set(offered["needed"]) == needed
    assert set(offered["own"]) <= set(offered["all"])
    other = next(name for name in offered["all"] if name not in offered["own"])
    for choice, code in (("own", "unknown_tool"), ("all", "missing_argument")):
        env = make(tools=choice)
        env.reset(seed=0)
        assert env.step({"name": other, "arguments": {}})[-1]["tool_error"] == code
    with pytest.raises(CallerError, match="solution"):
        make(tasks=[task.model_copy(update={"solution": ()})], tools="needed").reset(seed=0)


def test_schemas_are_the_callers_own():
    env = make()
    tools = env.reset(seed=0)[1]["tools"]
    kept = json.dumps(tools)
    tools[0]["function"]["parameters"]["properties"].clear()
    tools.clear()
    assert json.dumps(env.reset(seed=0)[1]["tools"]) == kept


def test_what_the_user_says_counts_as_observed():
    task = vitagym.load_tasks("delivery")[0]
    store = next(p for p in task.catalogue.providers.values())
    ask = {"name": "get_delivery_store_info", "arguments": {"store_id": store.id}}
    env = make(tasks=[task], strictness="observed", user=SayingUser("Hi.", f"It is {store.id}, I think."))
    env.reset(seed=0)
    assert env.step(ask)[-1]["tool_error"] == "not_observed"
    env.step("Which store?")
    assert env.step(ask)[-1]["tool_error"] is None


def test_feedback_says_more():
    said = {}
    for feedback in ("plain", "explain", "guide"):
        env = make(feedback=feedback)
        env.reset(seed=0)
        said[feedback] = env.step({"name": "get_delivery_store_info", "arguments": {"store_id": "nowhere"}})[0]
    assert said["explain"].startswith(said["plain"])
    assert said["guide"].startswith(said["explain"])
    assert len(said["plain"]) < len(said["explain"]) < len(said["guide"])


def test_rendering(capsys):
    env = make(render_mode="ansi")
    observation, _ = env.reset(seed=0)
    play(env, [ALL_ORDERS, "你好 🌊", ""])
    shown = env.render()
    assert observation in shown
    assert "你好 🌊" in shown
    assert "get_user_all_orders({})" in shown
    human = make(render_mode="human")
    human.reset(seed=0)
    play(human, [ALL_ORDERS, "[red]你好[/red] \ud83d", "<b> 你好", STOP])
    assert human.render() is None
    printed = capsys.readouterr().out
    assert "get_user_all_orders" in printed
    assert "<b> 你好" in printed
    assert "agent_stop" in printed
    blind = make()
    blind.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert blind.render() is None


def test_a_reset_does_not_touch_the_task():
    """The public implementation's fault S3, from the outside: what one episode orders is not there in the next."""
    env = make()
    task = vitagym.load_tasks("delivery")[0]
    before = task.model_dump_json()
    stock = {p.key: p.quantity for s in task.catalogue.providers.values() for p in s.products}
    play_agent(env)
    assert env.unwrapped.world.ledger.changes
    env.reset(seed=0)
    assert not env.unwrapped.world.ledger.changes
    assert env.unwrapped.task.model_dump_json() == before
    assert {p.key: p.quantity for s in task.catalogue.providers.values() for p in s.products} == stock


def test_it_is_a_gymnasium_environment():
    env = make()
    assert isinstance(env.unwrapped, gym.Env)
    assert env.reset(seed=0)[0] in env.observation_space
    assert env.step(ALL_ORDERS)[0] in env.observation_space
