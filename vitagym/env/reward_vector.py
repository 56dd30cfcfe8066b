"""Rewards as vectors, one entry a term, for learning with several objectives."""

from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from vitagym.env.spaces import Action
from vitagym.errors import CallerError


class RewardVector(gym.Wrapper[str, Action, str, Action]):
    """Gives the reward terms themselves in place of their sum, as environments of several objectives do.

    >>> import gymnasium, vitagym
    >>> env = RewardVector(gymnasium.make("VitaBench-Delivery-v0", reward="success + rubric - step_cost(0.01)"))
    >>> env.terms
    ('success', 'rubric', 'step_cost')
    >>> _ = env.reset(seed=0)
    >>> env.step("###STOP###")[1].tolist()
    [0.0, 0.0, -0.01]

    Args:
        env: A vitagym environment.

    Attributes:
        terms: The names of the entries, in order; the same at every step.
        reward_space: The space of the vectors.

    Raises:
        CallerError: The environment is none of ours.
    """

    def __init__(self, env: gym.Env[str, Action]) -> None:
        super().__init__(env)
        names = getattr(env.unwrapped, "reward_names", None)
        if names is None:
            raise CallerError(f"{env!r} has no reward terms; expected a vitagym environment")
        self.terms: tuple[str, ...] = names
        self.reward_space = spaces.Box(-np.inf, np.inf, (len(self.terms),), np.float64)

    def step(self, action: Action) -> tuple[str, SupportsFloat, bool, bool, dict[str, Any]]:
        """Run one message of the agent; the reward is a vector of ``len(terms)`` numbers."""
        observation, _, terminated, truncated, info = self.env.step(action)
        rewards: Any = np.array([info["reward_terms"][name] for name in self.terms], np.float64)
        return observation, rewards, terminated, truncated, info
