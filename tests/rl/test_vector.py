"""A vector gives what its environments give one by one."""

import gymnasium as gym
import numpy as np
import pytest
from support.toy_symbolic import ToySymbolic

from vitagym.errors import CallerError
from vitagym.rl.vector import SymbolicVector

STEPS = 40


def alone(place, seed):
    env = ToySymbolic()
    observation, _ = env.reset(seed=seed)
    rows, over, ends = [(observation, 0.0, False, False)], False, 0
    for t in range(STEPS):
        if over:
            observation, _ = env.reset()
            rows.append((observation, 0.0, False, False))
            over = False
            continue
        observation, reward, terminated, truncated, _ = env.step((t + place) % env.valid)
        rows.append((observation, reward, terminated, truncated))
        over = terminated or truncated
        ends += over
    return rows, ends


def test_a_vector_gives_what_its_environments_give_with_next_step_autoreset():
    env = SymbolicVector([ToySymbolic() for _ in range(3)])
    observations, _ = env.reset(seed=5)
    given = [(observations, np.zeros(3), np.zeros(3, bool), np.zeros(3, bool))]
    ends = 0
    for t in range(STEPS):
        valid = observations["mask"].sum(axis=1)
        observations, rewards, terminated, truncated, infos = env.step((t + np.arange(3)) % valid)
        assert observations in env.observation_space
        given.append((observations, rewards, terminated, truncated))
        over = terminated | truncated
        ends += over.sum()
        assert ("episode" in infos) == over.any()
        if over.any():
            assert (infos["_episode"] == over).all()
            assert (infos["episode"]["steps"][over] > 0).all()
    expected = [alone(place, 5 + place) for place in range(3)]
    assert ends == sum(count for _, count in expected) > 0
    for at, (observations, rewards, terminated, truncated) in enumerate(given):
        for place, (rows, _) in enumerate(expected):
            observation, reward, ended, cut = rows[at]
            for name, part in observation.items():
                assert np.array_equal(observations[name][place], part)
            assert (rewards[place], terminated[place], truncated[place]) == (reward, ended, cut)


def test_the_summary_of_an_episode_is_its_own():
    env = SymbolicVector([ToySymbolic()])
    env.reset(seed=0)
    total, steps = 0.0, 0
    while True:
        _, rewards, terminated, truncated, infos = env.step(np.array([0]))
        total, steps = total + rewards[0], steps + 1
        if terminated[0] or truncated[0]:
            break
    told = infos["episode"]
    assert told["reward"][0] == pytest.approx(total)
    assert told["steps"][0] == told["turn"][0] == steps
    assert sum(values[0] for name, values in told["reward_terms"].items() if name[0] != "_") == pytest.approx(total)
    assert told["is_success"][0] == float(terminated[0])
    assert told["family"][0] in ("odd", "even")


def test_without_copies_the_arrays_are_the_same_ones():
    env = SymbolicVector([ToySymbolic()], copy=False)
    first, _ = env.reset(seed=0)
    second, *_ = env.step(np.array([0]))
    assert first["cand"] is second["cand"]


def test_environments_that_do_not_belong_together_are_refused():
    with pytest.raises(CallerError, match="at least one"):
        SymbolicVector([])
    with pytest.raises(CallerError, match="equal spaces"):
        SymbolicVector([ToySymbolic(size=8), ToySymbolic(size=9)])
    with pytest.raises(CallerError, match="ctx, cand and mask"):
        SymbolicVector([gym.make("CartPole-v1")])
    with pytest.raises(CallerError, match="2 seeds"):
        SymbolicVector([ToySymbolic()]).reset(seed=[1, 2])
