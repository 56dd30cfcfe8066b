"""What comes back from reset and step, how episodes end, and what a caller's mistake raises."""

import json
import pickle

import gymnasium as gym
import orjson
import pytest
from gymnasium.error import ResetNeeded
from support.playing import DOMAINS, SayingUser, make, play, play_agent

import vitagym
from vitagym.env.actions import STOP
from vitagym.errors import CallerError, EndpointError, UnknownName
from vitagym.rewards.rule_judge import RuleJudge
from vitagym.tasks.splits import MADE_SPLITS, TEST_TASKS
from vitagym.users.user import Reply

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


@pytest.mark.parametrize("words", [STOP, f"Goodbye. {STOP}", {"role": "assistant", "content": STOP}])
def test_the_agent_may_stop(words):
    user = SayingUser("Hi.")
    env = make(user=user)
    env.reset(seed=0)
    observation, _, terminated, truncated, info = env.step(words)
    assert (observation, terminated, truncated, info["end_reason"]) == ("", True, False, "agent_stop")
    assert user.heard == []


def test_calls_before_a_stop_are_run():
    env = make()
    env.reset(seed=0)
    observation, _, terminated, _, info = env.step(f"<tool_call>{json.dumps(ALL_ORDERS)}</tool_call>{STOP}")
    assert terminated
    assert info["usage"]["tool_calls"] == 1
    assert observation.startswith("{")


def test_the_user_may_end_it():
    env = make(user=SayingUser("Hi.", Reply("That is all, thanks.", done=True)))
    env.reset(seed=0)
    observation, _, terminated, truncated, info = env.step("Anything else?")
    assert (observation, terminated, truncated) == ("That is all, thanks.", True, False)
    assert info["end_reason"] == "user_done"


@pytest.mark.parametrize("limit", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("action", ["Hello!", ALL_ORDERS, "", [ALL_ORDERS] * 5])
def test_max_turns_cuts_off_and_is_never_exceeded(limit, action):
    env = make(user=SayingUser(*["Hi."] * 9), max_turns=limit)
    env.reset(seed=0)
    steps = play(env, [action] * 9)
    *_, terminated, truncated, info = steps[-1]
    assert (terminated, truncated, info["end_reason"], info["turn"]) == (False, True, "max_turns", limit)
    assert all(rubric["status"] in ("pending", "met") for rubric in info["rubrics"].values())


def test_without_max_turns_it_goes_on():
    env = make(max_turns=None)
    env.reset(seed=0)
    steps = play(env, [ALL_ORDERS] * 400)
    assert steps[-1][-1]["turn"] == 801
    assert not steps[-1][3]


def test_the_rubrics_keep_their_states_when_cut_off():
    env = make()
    full = play_agent(env)
    ordered = next(i for i, step in enumerate(full[1:], 1) if step[1] > 0)
    cut = make(max_turns=full[ordered][-1]["turn"])
    given = play_agent(cut)
    *_, terminated, truncated, info = given[-1]
    assert (terminated, truncated) == (False, True)
    statuses = [rubric["status"] for rubric in info["rubrics"].values()]
    assert "met" in statuses
    assert given[-1][1] > 0, "what the last action did counts, cut off or not"


def test_a_user_that_says_nothing_neither_ends_nor_breaks_the_episode():
    """The public implementation's fault J3."""
    env = make(user=SayingUser("Hi.", "", " \n", "Here I am."))
    env.reset(seed=0)
    for _ in range(2):
        observation, _, terminated, truncated, info = env.step("Are you there?")
        assert observation
        assert (terminated, truncated) == (False, False)
        assert [m["role"] for m in info["messages"]] == ["assistant", "system"]
    assert env.step("Hello?")[0] == "Here I am."


def test_a_task_without_rubrics_is_no_success():
    """The public implementation's fault J2."""
    task = vitagym.load_tasks("delivery")[0].model_copy(update={"rubrics": ()})
    env = make(tasks=[task])
    env.reset(seed=0)
    *_, terminated, _, info = env.step(STOP)
    assert terminated
    assert info["is_success"] is None
    assert sum(info["reward_terms"].values()) == 0


@pytest.mark.parametrize(
    ("error", "reason"),
    [(EndpointError("no"), "endpoint_failed"), (EndpointError("late", timed_out=True), "endpoint_timed_out")],
)
def test_a_failing_endpoint_of_the_user_cuts_the_episode_off(error, reason):
    env = make(user=SayingUser("Hi.", error))
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step("Hello!")
    assert (observation, reward, terminated, truncated, info["end_reason"]) == ("", 0, False, True, reason)
    assert info["is_success"] is False


def test_an_endpoint_that_fails_at_the_start_cuts_the_first_step_off():
    user = SayingUser(EndpointError("no"))
    env = make(user=user)
    observation, info = env.reset(seed=0)
    assert (observation, info["end_reason"]) == ("", "endpoint_failed")
    *_, terminated, truncated, info = env.step("Hello?")
    assert (terminated, truncated, info["messages"]) == (False, True, [])
    assert user.heard == []


class FailingJudge(RuleJudge):
    def update(self, evidence, *, final):
        if len(evidence.transcript) > 2:
            raise EndpointError("no")
        return super().update(evidence, final=final)


def test_a_failing_judge_leaves_success_unsaid():
    env = make(judge=FailingJudge)
    env.reset(seed=0)
    *_, terminated, truncated, info = env.step(STOP)
    assert (terminated, truncated) == (True, False)
    env.reset(seed=0)
    *_, terminated, truncated, info = env.step("Hello!")
    assert (terminated, truncated, info["end_reason"], info["is_success"]) == (False, True, "endpoint_failed", None)


def test_after_the_end_a_reset_is_needed():
    env = make(render_mode="ansi").unwrapped
    for touch in (env.render, env.snapshot, env.fork, lambda: env.step("a"), lambda: env.task):
        with pytest.raises(ResetNeeded, match="reset"):
            touch()
    env.reset(seed=0)
    env.step(STOP)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step("a")


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


def test_seeds_choose_the_task_whatever_came_before():
    env = make()
    seeds = range(TEST_TASKS + 10)
    ids = [env.reset(seed=s)[1]["task_id"] for s in seeds]
    assert len(set(ids[:TEST_TASKS])) == TEST_TASKS
    assert ids[TEST_TASKS:] == ids[:10]
    env.reset()
    env.step("Hello!")
    assert [env.reset(seed=s)[1]["task_id"] for s in reversed(seeds)] == ids[::-1]


def test_one_seed_fixes_the_whole_sequence():
    def sequence(seed):
        env = make()
        tasks = [env.reset(seed=seed)[1]["task_id"]]
        return tasks + [env.reset()[1]["task_id"] for _ in range(8)]

    assert sequence(3) == sequence(3)
    assert len(set(sequence(3))) > 3
    assert sequence(3)[1:] != sequence(3 + TEST_TASKS)[1:]


def test_a_task_is_asked_for_by_its_id():
    env = make()
    assert env.reset(seed=5, options={"task_id": "delivery-test-002"})[1]["task_id"] == "delivery-test-002"
    assert env.unwrapped.episode_seed == 5
    first, second = (env.reset(options={"task_id": "delivery-test-002"}) for _ in range(2))
    assert first[1]["task_id"] == second[1]["task_id"]
    with pytest.raises(UnknownName, match="delivery-test-002"):
        env.reset(options={"task_id": "delivery-test-02"})
    with pytest.raises(UnknownName, match="task_id"):
        env.reset(options={"taskid": "delivery-test-002"})


@pytest.mark.parametrize("split", MADE_SPLITS)
def test_endless_splits_make_the_task_of_a_seed(split):
    env = make(tasks=split)
    other = make(tasks="dev" if split == "train" else "train")
    _, info = env.reset(seed=7)
    assert (info["task_id"], info["split"]) == (f"delivery-{split}-000007", split)
    assert env.unwrapped.task == vitagym.make_task("delivery", 7, split=split)
    other.reset(seed=7)
    assert other.unwrapped.task.environment != env.unwrapped.task.environment
    assert env.reset(options={"task_id": f"delivery-{split}-000009"})[1]["task_id"] == f"delivery-{split}-000009"
    for wrong in (f"delivery-{split}-9", f"delivery-{split}-0000009", "delivery-test-001", "ota-train-000001", 9):
        with pytest.raises(UnknownName):
            env.reset(options={"task_id": wrong})


def test_tasks_may_be_given_in_any_form():
    tasks = vitagym.load_tasks("delivery")[:2]
    for given in (tasks, tuple(tasks), [t.id for t in tasks], [t.model_dump(mode="json") for t in tasks]):
        env = make(tasks=given)
        assert [env.reset(seed=s)[1]["task_id"] for s in range(2)] == [t.id for t in tasks]
        assert env.unwrapped.task == tasks[1]


def test_language_is_the_tasks():
    chinese = vitagym.load_tasks("delivery", language="zh")[:1]
    assert "星期" in make(language="zh").reset(seed=0)[1]["system_prompt"]
    assert "星期" in make(tasks=chinese).reset(seed=0)[1]["system_prompt"]
    with pytest.raises(CallerError, match="zh"):
        make(tasks=chinese, language="en")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"taks": "test"}, UnknownName, "tasks"),
        ({"max_turn": 3}, UnknownName, "max_turns"),
        ({"language": "fr"}, UnknownName, "en"),
        ({"feedback": "guid"}, UnknownName, "guide"),
        ({"strictness": "observe"}, UnknownName, "observed"),
        ({"tools": "need"}, UnknownName, "needed"),
        ({"user": "scriptd"}, UnknownName, "scripted"),
        ({"persona": "impatent"}, UnknownName, "impatient"),
        ({"judge": "rule"}, UnknownName, "rules"),
        ({"reward": "sprse"}, UnknownName, "sparse"),
        ({"domain": "delivry"}, UnknownName, "delivery"),
        ({"tasks": "tset"}, UnknownName, "test"),
        ({"tasks": ["delivery-test-01"]}, UnknownName, "delivery-test-001"),
        ({"tasks": []}, CallerError, "empty"),
        ({"tasks": 3}, CallerError, "3"),
        ({"tasks": [3]}, CallerError, "3"),
        ({"tasks": ["delivery-test-001"] * 2}, CallerError, "twice"),
        ({"tasks": {"delivery-test-001"}}, CallerError, "list"),
        ({"tasks": {"delivery-test-001": 1}}, CallerError, "list"),
        pytest.param({"tasks": iter(["delivery-test-001"])}, CallerError, "list", id="an iterator"),
        ({"tasks": b"test"}, CallerError, "list"),
        ({"tasks": [{"id": "mine", "split": "dev"}]}, CallerError, "mine.*domains"),
        ({"max_turns": 0}, CallerError, "0"),
        ({"max_turns": True}, CallerError, "True"),
        ({"max_turns": "300"}, CallerError, "300"),
    ],
    ids=str,
)
def test_a_callers_mistake_names_the_value_and_the_nearest_match(arguments, error, said):
    with pytest.raises(error, match=said):
        gym.make("VitaBench-Delivery-v0", **arguments)


def test_what_is_no_judge_is_refused():
    with pytest.raises(CallerError, match="7"):
        make(judge=7).reset(seed=0)


@pytest.mark.parametrize("wrong", [5, ["delivery-test-001"], "delivery-test-1"], ids=str)
def test_what_is_no_task_id_is_refused(wrong):
    with pytest.raises(UnknownName, match="delivery-test-001"):
        make().reset(options={"task_id": wrong})


def test_an_unknown_render_mode_is_refused():
    with pytest.raises(UnknownName, match="ansi"), pytest.warns(UserWarning, match="ascii"):
        make(render_mode="ascii")


def test_a_task_of_another_domain_is_refused():
    tasks = vitagym.load_tasks("delivery")[:1]
    with pytest.raises(CallerError, match="delivery"):
        make("ota", tasks=tasks)
    assert make("cross", tasks=tasks).reset(seed=0)[1]["task_id"] == tasks[0].id


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


@pytest.mark.parametrize("value", ["yes", "no", 1, None])
def test_debug_is_switched_by_a_truth_value_alone(value):
    with pytest.raises(CallerError, match="debug"):
        vitagym.VitaEnv("delivery", debug=value)


@pytest.mark.parametrize("argument", ["tools", "feedback", "strictness", "persona", "language"])
def test_an_unknown_value_is_refused_under_its_arguments_name(argument):
    with pytest.raises(UnknownName, match=f"unknown {argument} 'every'"):
        vitagym.VitaEnv("delivery", **{argument: "every"})


def test_a_snapshot_of_another_domain_is_refused():
    one, other = vitagym.VitaEnv("delivery"), vitagym.VitaEnv("instore")
    one.reset(seed=0)
    other.reset(seed=0)
    with pytest.raises(CallerError, match="delivery"):
        other.restore(one.snapshot())
