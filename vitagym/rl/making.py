"""How the symbolic ids are made: the text environment of the same arguments, seen through the symbolic view."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import gymnasium as gym

from vitagym.env.curriculum import DensityCurriculum, DifficultyCurriculum
from vitagym.env.environment import VitaEnv
from vitagym.errors import CallerError, UnknownName
from vitagym.rl.task_pool import TaskPool
from vitagym.rl.vector import SymbolicVector
from vitagym.rl.view import CANDIDATES, SymbolicView
from vitagym.tasks.splits import MADE_SPLITS


class Curriculum(StrEnum):
    """Which tasks come when."""

    DIFFICULTY = "difficulty"
    """The difficulty follows the success rate."""
    DENSITY = "density"
    """Families in the order of the density of their tool graphs."""


def symbolic(
    *, candidates: int = CANDIDATES, pool: int | None = None, curriculum: str | None = None, **arguments: Any
) -> SymbolicView:
    """Return a symbolic view of an environment made with these arguments.

    Args:
        candidates: How many candidates there may be.
        pool: How many tasks of an endless split there are; None: any number.
        curriculum: Which tasks come when (see ``Curriculum``); None: any.
        **arguments: Of the environment.

    Raises:
        UnknownName: No such curriculum.
        CallerError: A pool or a curriculum for fixed tasks.
    """
    env: gym.Env[Any, Any] = VitaEnv(**arguments)
    split = arguments.get("tasks")
    if (pool is not None or curriculum is not None) and split not in MADE_SPLITS:
        raise CallerError(f"pool={pool!r}, curriculum={curriculum!r}: these are for endless tasks, not {split!r}")
    if curriculum is not None:
        if curriculum not in list(Curriculum):
            raise UnknownName("curriculum", curriculum, list(Curriculum))
        env = DifficultyCurriculum(env) if curriculum == Curriculum.DIFFICULTY else DensityCurriculum(env)
    if pool is not None:
        env = TaskPool(env, str(split), pool)
    return SymbolicView(env, candidates)


def symbolic_vector(num_envs: int = 1, **arguments: Any) -> SymbolicVector:
    """Return so many of them as one vector; the arguments are those of ``symbolic``."""
    return SymbolicVector([symbolic(**arguments) for _ in range(num_envs)])
