"""Gymnasium's vectors of our environments, without any vector arguments."""

import gymnasium as gym
import pytest
from support.playing import MAIN_IDS

import vitagym

CALL = {"name": "get_user_all_orders", "arguments": {}}
ACTIONS = [
    ("Hello! 你好 🌊", CALL, ""),
    (CALL, "Anything else?", "<think>hm</think>Yes?"),
    ({"role": "assistant", "content": "Which one?"}, "\ud800", "###STOP###"),
    ("a", "b", "c"),
    ("a", "b", "c"),
]


def alone(domain, **arguments):
    """What three environments give one by one, reset on the step after the end, as vectors do."""
    given = []
    for place in range(3):
        env = gym.make(MAIN_IDS[domain], **arguments)
        observation, info = env.reset(seed=7 + place)
        rows, over = [(observation, info)], False
        for step in ACTIONS:
            if over:
                rows.append(env.reset())
                over = False
                continue
            observation, _, terminated, truncated, info = env.step(step[place])
            over = terminated or truncated
            rows.append((observation, info))
        given.append(rows)
    return given


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("domain", MAIN_IDS)
def test_a_vector_gives_what_its_environments_give(domain, mode):
    expected = alone(domain, language="zh")
    env = gym.make_vec(MAIN_IDS[domain], num_envs=3, vectorization_mode=mode, language="zh")
    try:
        observations, infos = env.reset(seed=7)
        rows = [(observations, infos)]
        for actions in ACTIONS:
            assert actions in env.action_space or "\ud800" in actions
            observations, *_, infos = env.step(actions)
            rows.append((observations, infos))
        for at, (observations, infos) in enumerate(rows):
            assert observations in env.observation_space
            assert list(observations) == [expected[place][at][0] for place in range(3)]
            for key in ("task_id", "turn", "messages", "tool_error", "end_reason", "is_success"):
                assert list(infos[key]) == [expected[place][at][1][key] for place in range(3)], key
            for place in range(3):
                for rubric, state in expected[place][at][1]["rubrics"].items():
                    assert infos["rubrics"][rubric]["status"][place] == state["status"]
    finally:
        env.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_vector_plays_given_tasks_and_sampled_actions(mode):
    tasks = vitagym.load_tasks("delivery")[:2]
    env = gym.make_vec(MAIN_IDS["delivery"], num_envs=2, vectorization_mode=mode, tasks=tasks)
    try:
        _, infos = env.reset(seed=0)
        assert list(infos["task_id"]) == [task.id for task in tasks]
        env.action_space.seed(0)
        for _ in range(10):
            observations, rewards, *_ = env.step(env.action_space.sample())
            assert observations in env.observation_space
            assert rewards.shape == (2,)
    finally:
        env.close()


def test_environments_of_a_vector_share_the_tasks_world():
    env = gym.make_vec(MAIN_IDS["delivery"], num_envs=2, vectorization_mode="sync", tasks=["delivery-test-001"])
    env.reset(seed=0)
    first, second = (sub.unwrapped.world for sub in env.envs)
    assert first.catalogue is second.catalogue
    assert first.ledger is not second.ledger
