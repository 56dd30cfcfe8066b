"""A saved episode scored again: the same as when it was played, by any judge, without the dialogue."""

import json

import gymnasium as gym
import pytest
from support.openai_server import Answer, serving

import vitagym
from vitagym.agents.episodes import play_episode
from vitagym.errors import CallerError
from vitagym.llm.endpoint import Endpoint
from vitagym.rewards.model_judge import ModelJudge
from vitagym.rewards.rescoring import evidence_of, rescore, rescore_all
from vitagym.rewards.rubrics import RubricStatus
from vitagym.rewards.vote import Vote
from vitagym.tasks.public import load_public

ID = "VitaBench-Delivery-v0"


@pytest.fixture(scope="module")
def tasks():
    return [vitagym.make_task("delivery", seed) for seed in range(4)]


def played(tasks, agent="reference", **settings):
    env = gym.make(ID, tasks=tasks, debug=True, **settings)
    return [play_episode(env, vitagym.make_agent(agent), seed=1, task_id=task.id) for task in tasks]


def shown(states):
    return {i: (s.status.value, s.turn, s.reason) for i, s in states.items()}


@pytest.mark.parametrize("settings", [{}, {"strictness": "observed", "feedback": "guide"}])
@pytest.mark.parametrize("agent", ["reference", "random", "noop"])
def test_scored_again_it_is_as_it_was_scored(tasks, agent, settings):
    for task, log in zip(tasks, played(tasks, agent, **settings), strict=True):
        again = rescore(json.loads(json.dumps(log.messages)), task, "rules")
        wanted = {i: (s["status"], s["turn"], s["reason"]) for i, s in log.rubrics.items()}
        assert shown(again.states) == wanted
        assert (again.is_success, again.rubric_score) == (log.is_success, log.rubric_score)


class Stumbling:
    """The reference agent, with an empty action before every other one of its own."""

    def start(self, env):
        self.agent, self.acted = vitagym.make_agent("reference"), 0
        self.agent.start(env)

    def act(self, observation, info):
        self.acted += 1
        return self.agent.act(observation, info) if self.acted % 2 else ""


def test_refused_actions_keep_their_turns(tasks):
    env = gym.make(ID, tasks=tasks)
    log = play_episode(env, Stumbling(), seed=1, task_id=tasks[0].id)
    assert log.usage["refused_actions"]
    again = rescore(log.messages, tasks[0], "rules")
    assert shown(again.states) == {i: (s["status"], s["turn"], s["reason"]) for i, s in log.rubrics.items()}


def test_another_judge_can_score_it(official):
    task = load_public(official / "tasks_delivery_en.json.gz")[0]
    log = played([task], judge="rules")[0]
    again = rescore(log.messages, task, "ledger")
    assert again.scores == {"ledger_success": True, "ledger_score": 1}
    assert again.is_success is None


def test_a_language_model_judges_many_at_once(tasks):
    logs = played(tasks) * 3

    def all_met(body):
        count = body["messages"][1]["content"].count('"rubric":')
        verdict = {"rubric": "-", "justification": "Message 1.", "meetExpectation": True}
        return Answer(json.dumps([{"key": f"R{i + 1}", **verdict} for i in range(count)]), delay_s=0.02)

    with serving(all_met) as server:
        judge = ModelJudge(Endpoint("test", base_url=server.url, api_key="k"))
        scored = rescore_all([(log.messages, task) for log, task in zip(logs, tasks * 3, strict=True)], judge)
        assert server.most_in_flight > 1
    for again in scored:
        assert {state.status for state in again.states.values()} == {RubricStatus.MET}
    assert scored[0].states == rescore(logs[0].messages, tasks[0], judge).states


@pytest.mark.parametrize("wrapped", ["without rubrics", "in a vote"])
def test_judges_around_a_language_model_judge_many_at_once_too(tasks, wrapped):
    logs = played(tasks)

    with serving(lambda _: Answer("[]", delay_s=0.05)) as server:
        at = Endpoint("test", base_url=server.url, api_key="k")
        judge = Vote(("rules", ModelJudge(at, tries=1))) if wrapped == "in a vote" else ModelJudge(at, rubrics=False)
        rescore_all([(log.messages, task) for log, task in zip(logs, tasks, strict=True)], judge)
        assert server.most_in_flight > 1


def test_messages_of_another_task_are_refused(tasks):
    logs = played(tasks[:2])
    with pytest.raises(CallerError, match="another task"):
        rescore(logs[0].messages, tasks[1], "rules")


@pytest.mark.parametrize(
    ("messages", "says"),
    [
        ([{"role": "tool", "tool_call_id": "c1", "content": "{}"}], "answers no tool call"),
        ([{"role": "moderator", "content": "Hi"}], "moderator"),
    ],
)
def test_what_is_no_episode_is_refused(tasks, messages, says):
    with pytest.raises(CallerError, match=says):
        evidence_of(messages, tasks[0])
