"""Many symbolic environments as one, in one thread: observations are written into arrays that are there already.

The sub-environments share tasks and worlds, for both are remembered by process. Gymnasium finds the class through the
ids: ``gymnasium.make_vec("VitaBench-Delivery-Symbolic-v0", num_envs=16, vectorization_mode="vector_entry_point")``.
It knows of its sub-environments only the contract of the symbolic view: ``ctx``, ``cand`` and ``mask``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from vitagym.errors import CallerError
from vitagym.rl.seeds import seeds_of

Observations: TypeAlias = dict[str, NDArray[Any]]
Infos: TypeAlias = dict[str, Any]
SymbolicEnv: TypeAlias = gym.Env[dict[str, NDArray[Any]], np.int64]


class SymbolicVector(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Symbolic environments, stepped one after another and read together.

    Autoreset is next-step: the step after an end ignores the action of that sub-environment, resets it, and gives the
    first observation with reward 0.

    ``infos`` holds ``episode`` for the sub-environments whose episode has just ended, and ``_episode`` says which:

    | key | meaning |
    |---|---|
    | `is_success` | 1.0 or 0.0; NaN where it could not be scored |
    | `rubric_score` | share of rubrics met |
    | `turn` | messages of the episode |
    | `steps`, `reward` | steps, and the sum of rewards |
    | `reward_terms` | that sum by term |
    | `task_id`, `family`, `end_reason` | as they are called elsewhere |

    Args:
        envs: The sub-environments, at least one.
        copy: Whether every observation is a copy; without, it is valid until the next step.

    Raises:
        CallerError: There is none, or their spaces differ.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as the base class has it

    def __init__(self, envs: Sequence[SymbolicEnv], *, copy: bool = True) -> None:
        self.envs = list(envs)
        if not envs:
            raise CallerError("envs=[]: expected at least one environment")
        self.num_envs = len(self.envs)
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        for env in self.envs[1:]:
            if env.observation_space != self.single_observation_space:
                raise CallerError(f"{env.observation_space} and {self.single_observation_space}: expected equal spaces")
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._copy = copy
        self._rows: Observations = {
            name: np.zeros((self.num_envs, *space.shape), space.dtype)
            for name, space in _parts(self.single_observation_space).items()
        }
        self._over = np.zeros(self.num_envs, bool)
        self._sums: list[dict[str, float]] = [{} for _ in self.envs]
        self._steps = np.zeros(self.num_envs, np.int64)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Begin an episode in every sub-environment; one seed s gives them the seeds s, s + 1, …"""
        seeds = seeds_of(seed, self.num_envs)
        for place, own in enumerate(seeds):
            self._begin(place, own, options)
        return self._observations(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Run one action in every sub-environment, and begin anew where an episode had ended."""
        rewards = np.zeros(self.num_envs, np.float64)
        terminated, truncated = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        infos: Infos = {}
        for place, action in enumerate(actions):
            if self._over[place]:
                self._begin(place, None, None)
                continue
            observation, reward, ended, cut, info = self.envs[place].step(np.int64(action))
            self._write(place, observation)
            rewards[place], terminated[place], truncated[place] = reward, ended, cut
            self._count(place, info)
            if ended or cut:
                self._over[place] = True
                infos = self._add_info(infos, {"episode": self._summary(place, info)}, place)
        return self._observations(), rewards, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Close the sub-environments."""
        del kwargs
        for env in self.envs:
            env.close()

    def _begin(self, place: int, seed: int | None, options: dict[str, Any] | None) -> None:
        observation, info = self.envs[place].reset(seed=seed, options=options)
        self._write(place, observation)
        self._over[place] = False
        self._steps[place] = 0
        self._sums[place] = dict.fromkeys(info["reward_terms"], 0.0)

    def _write(self, place: int, observation: Mapping[str, NDArray[Any]]) -> None:
        for name, rows in self._rows.items():
            rows[place] = observation[name]

    def _observations(self) -> Observations:
        return {name: rows.copy() for name, rows in self._rows.items()} if self._copy else self._rows

    def _count(self, place: int, info: Mapping[str, Any]) -> None:
        self._steps[place] += 1
        sums = self._sums[place]
        for name, value in info["reward_terms"].items():
            sums[name] += value

    def _summary(self, place: int, info: Mapping[str, Any]) -> dict[str, Any]:
        sums = self._sums[place]
        task: Any = getattr(self.envs[place].unwrapped, "task", None)
        return {
            **episode_scores(info),
            "steps": int(self._steps[place]),
            "reward": float(sum(sums.values())),
            "reward_terms": dict(sums),
            "task_id": info["task_id"],
            "family": getattr(task, "family", ""),
        }


def episode_scores(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the last info of an episode says about how it went; see ``SymbolicVector``."""
    states = [state["status"] for state in info["rubrics"].values()]
    success = info["is_success"]
    return {
        "is_success": float("nan") if success is None else float(success),
        "rubric_score": states.count("met") / len(states) if states else 0.0,
        "turn": int(info["turn"]),
        "end_reason": info["end_reason"],
    }


def _parts(space: gym.Space[Any]) -> dict[str, gym.spaces.Box]:
    if not isinstance(space, gym.spaces.Dict) or set(space.spaces) != {"ctx", "cand", "mask"}:
        raise CallerError(f"observation space {space}: expected the symbolic view's, with ctx, cand and mask")
    return {name: part for name, part in space.spaces.items() if isinstance(part, gym.spaces.Box)}
