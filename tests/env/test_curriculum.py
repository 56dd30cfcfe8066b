"""Curricula move the dials of endless tasks; dials are refused where they mean nothing."""

import gymnasium as gym
import pytest
from support.playing import play_agent

from vitagym.env.curriculum import DensityCurriculum, DifficultyCurriculum, families_by_density
from vitagym.env.registration import registered_ids
from vitagym.errors import CallerError, UnknownName
from vitagym.generation.families import families

TRAIN = "VitaBench-Delivery-Train-v0"


def test_success_raises_the_difficulty_and_failure_lowers_it():
    env = DifficultyCurriculum(gym.make(TRAIN), start=0.5, step=0.25, window=2)
    for seed in range(2):
        play_agent(env, seed=seed)
    assert env.difficulty == 0.75
    for seed in range(4):
        play_agent(env, "noop", seed=seed)
    assert env.difficulty == 0.25
    assert env.reset(seed=9)[1]["curriculum"] == {"difficulty": 0.25}


def test_rates_in_between_leave_it():
    env = DifficultyCurriculum(gym.make(TRAIN), start=0.5, window=2)
    play_agent(env, seed=1)
    play_agent(env, "noop", seed=2)
    assert env.difficulty == 0.5


def test_families_come_from_the_sparsest_tool_graph_to_the_densest():
    order = families_by_density("delivery", tasks=1)
    found = [density for _, density in order]
    assert found == sorted(found)
    env = DensityCurriculum(gym.make(TRAIN), episodes=1)
    told = []
    for seed in range(3):
        info = env.reset(seed=seed)[1]
        told.append(env.unwrapped.task.family)
        assert info["curriculum"]["family"] == told[-1]
    assert told == [name for name, _ in env.order[:3]]


def test_dials_are_arguments_of_endless_environments():
    env = gym.make(TRAIN, families=["office_lunch"], hidden=1)
    assert {env.reset(seed=seed) and env.unwrapped.task.family for seed in range(4)} == {"office_lunch"}
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.reset(seed=2)[0] == env.reset(seed=2)[0]


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"dificulty": 0.5}, UnknownName, "difficulty"),
        ({"difficulty": "exprt"}, UnknownName, "expert"),
        ({"difficulty": 1.5}, CallerError, "from 0 to 1"),
        ({"families": ["office_lnch"]}, UnknownName, "office_lunch"),
        ({"hidden": -1}, CallerError, "whole number"),
        ({"distractors": 99}, CallerError, "at most"),
        ({"domains": ["ota"]}, UnknownName, "delivery"),
    ],
)
def test_dials_that_mean_nothing_are_refused(arguments, error, match):
    with pytest.raises(error, match=match):
        gym.make(TRAIN, **arguments)


def test_fixed_tasks_have_no_dials():
    with pytest.raises(CallerError, match="endless"):
        gym.make("VitaBench-Delivery-v0", difficulty=0.5)
    with pytest.raises(CallerError, match="endless"):
        DifficultyCurriculum(gym.make("VitaBench-Delivery-v0"))


def test_each_domain_has_its_splits():
    ids = registered_ids()
    for name in ("Delivery", "InStore", "OTA", "Cross"):
        assert {f"VitaBench-{name}{split}-v0" for split in ("", "-Train", "-Dev", "-OOD", "-001", "-100")} <= set(ids)
    assert families("cross")
