"""Rewards as vectors: the terms in their order, whose sum is the reward without the wrapper."""

import doctest

import gymnasium as gym
import numpy as np
import pytest
from support.playing import make, play_agent

import vitagym
from vitagym.env import reward_vector
from vitagym.errors import CallerError

REWARD = "success + rubric - step_cost(0.01)"


def test_entries_are_the_terms_and_sum_to_the_reward():
    plain = [step[1] for step in play_agent(make(reward=REWARD))[1:]]
    env = vitagym.RewardVector(make(reward=REWARD))
    given = play_agent(env)[1:]
    assert env.terms == ("success", "rubric", "step_cost")
    for _, rewards, *_, info in given:
        assert rewards in env.reward_space
        assert dict(zip(env.terms, rewards.tolist(), strict=True)) == info["reward_terms"]
    assert [rewards.sum() for _, rewards, *_ in given] == pytest.approx(plain)
    assert np.sum([rewards for _, rewards, *_ in given], axis=0)[:2] == pytest.approx([1, 1])


def test_another_environment_is_refused():
    with pytest.raises(CallerError, match="vitagym"):
        vitagym.RewardVector(gym.make("CartPole-v1"))


def test_the_example_in_the_docs_holds():
    assert doctest.testmod(reward_vector).failed == 0
    assert doctest.testmod(reward_vector).attempted
