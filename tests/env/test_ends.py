"""How an episode ends: by the agent, by the user, cut off, or by an endpoint that fails."""

import json

import pytest
from gymnasium.error import ResetNeeded
from support.playing import SayingUser, make, play, play_agent

import vitagym
from vitagym.env.actions import STOP
from vitagym.errors import EndpointError
from vitagym.rewards.rule_judge import RuleJudge
from vitagym.users.user import Reply

ALL_ORDERS = {"name": "get_user_all_orders", "arguments": {}}


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
