"""Curricula for endless tasks: dials that follow the success rate, and tasks in the order of their tool graphs.

Both wrap an environment of an endless split; what they set is in ``info["curriculum"]`` after each reset.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from vitagym.domains import tool_named
from vitagym.env.environment import VitaEnv
from vitagym.env.spaces import Action
from vitagym.errors import CallerError
from vitagym.generation.dials import Dials
from vitagym.generation.families import choice, families
from vitagym.tasks.sources import make_task
from vitagym.tasks.splits import TRAIN_SPLIT
from vitagym.tasks.task import Task
from vitagym.tools.graph import density, dependency_graph

Info = dict[str, Any]


class DifficultyCurriculum(gym.Wrapper[str, Action, str, Action]):
    """Raises the difficulty of tasks while they are solved, and lowers it while they are not.

    Over the last ``window`` episodes: success above the upper end of ``aim`` raises the dial by ``step``, below the
    lower end lowers it; either empties the window. Episodes without a success flag do not count.

    Args:
        env: An environment of an endless split.
        start: The first difficulty, from 0 to 1.
        step: By how much the dial moves.
        aim: The success rates between which it stays where it is.
        window: How many episodes are looked back on.

    Raises:
        CallerError: The environment's tasks have no dials, or an argument is out of range.
    """

    def __init__(
        self,
        env: gym.Env[str, Action],
        *,
        start: float = 0.0,
        step: float = 0.1,
        aim: tuple[float, float] = (0.4, 0.7),
        window: int = 10,
    ) -> None:
        super().__init__(env)
        if not 0 <= start <= 1 or not 0 < step <= 1 or not 0 <= aim[0] <= aim[1] <= 1 or window < 1:
            raise CallerError(f"start={start!r}, step={step!r}, aim={aim!r}, window={window!r}: out of range")
        self.difficulty = start
        self._step, self._aim = step, aim
        self._results: deque[bool] = deque(maxlen=window)
        _environment(env).set_dials(difficulty=start)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, Info]:
        """Begin an episode with the difficulty that has come about."""
        _environment(self.env).set_dials(difficulty=self.difficulty)
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "curriculum": {"difficulty": self.difficulty}}

    def step(self, action: Action) -> tuple[str, float, bool, bool, Info]:
        """Run one message, and look back once the episode is over."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if (terminated or truncated) and info["is_success"] is not None:
            self._look_back(bool(info["is_success"]))
        return observation, float(reward), terminated, truncated, info

    def _look_back(self, success: bool) -> None:
        self._results.append(success)
        if len(self._results) < (self._results.maxlen or 0):
            return
        rate = sum(self._results) / len(self._results)
        move = (rate > self._aim[1]) - (rate < self._aim[0])
        if move:
            self.difficulty = round(min(1.0, max(0.0, self.difficulty + move * self._step)), 6)
            self._results.clear()


class DensityCurriculum(gym.Wrapper[str, Action, str, Action]):
    """Goes through families from the sparsest tool graph to the densest, some episodes each, and stays with the last.

    A family's graph is that of the tools that its reference solution calls; its density is a mean over some tasks.

    Args:
        env: An environment of an endless split.
        episodes: How many episodes each family has.
    """

    def __init__(self, env: gym.Env[str, Action], *, episodes: int = 10) -> None:
        super().__init__(env)
        if episodes < 1:
            raise CallerError(f"episodes={episodes!r}: expected a whole number from 1")
        self.order = families_by_density(_environment(env).domain)
        self._episodes, self._played = episodes, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, Info]:
        """Begin an episode of the family whose turn it is."""
        family, found = self.order[min(self._played // self._episodes, len(self.order) - 1)]
        self._played += 1
        _environment(self.env).set_dials(families=(family,))
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "curriculum": {"family": family, "density": found}}


def families_by_density(domain: str, tasks: int = 3) -> list[tuple[str, float]]:
    """Return the families that training may see with the mean density of their tasks' tool graphs, sparsest first."""
    open_to = [family.name for family in choice(domain, TRAIN_SPLIT, Dials())]
    measured = {
        name: sum(_density_of(make_task(domain, seed, family=name)) for seed in range(tasks)) / tasks
        for name in families(domain)
        if name in open_to
    }
    return sorted(measured.items(), key=lambda item: (item[1], item[0]))


def _density_of(task: Task) -> float:
    names: Sequence[str] = sorted({step.tool for step in task.solution if step.kind == "call"})
    return density(dependency_graph(tool_named(name) for name in names))


def _environment(env: gym.Env[str, Action]) -> VitaEnv:
    found = env.unwrapped
    if not isinstance(found, VitaEnv):
        raise CallerError(f"{found!r} is no environment of vitagym")
    return found
