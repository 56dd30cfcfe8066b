"""A pool of tasks of an endless split: as many as a learner should see, each made once."""

from __future__ import annotations

from typing import Any, TypeVar

import gymnasium as gym
import numpy as np

from vitagym.env.environment import VitaEnv
from vitagym.errors import CallerError

Observed = TypeVar("Observed")
Acted = TypeVar("Acted")


class TaskPool(gym.Wrapper[Observed, Acted, Observed, Acted]):
    """Draws tasks from the first ``size`` of a split; the user is drawn anew every time.

    A task that is made once is remembered by the process for all its environments, so that a learner does not wait for
    tasks. ``reset(options={"task_id": …})`` still gives any task.

    Args:
        env: An environment of an endless split.
        split: The split.
        size: How many tasks; the process remembers about 500.

    Raises:
        CallerError: The environment is none of ours, or the size is none.
    """

    def __init__(self, env: gym.Env[Observed, Acted], split: str, size: int) -> None:
        super().__init__(env)
        inner = env.unwrapped
        if not isinstance(inner, VitaEnv) or size < 1:
            raise CallerError(
                f"{inner!r} with a pool of {size!r}: expected an environment of ours, and a task at least"
            )
        self._prefix, self._size = f"{inner.domain}-{split}", size
        self._draw = np.random.default_rng(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin an episode of a task of the pool; the seed fixes which."""
        if seed is not None:
            self._draw = np.random.default_rng(seed)
        task_id = f"{self._prefix}-{int(self._draw.integers(self._size)):06d}"
        return self.env.reset(seed=seed, options={"task_id": task_id, **(options or {})})
