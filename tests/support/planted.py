"""Rows of episodes in which the reference agent plays a changed solution, so that what goes wrong is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vitagym.agents import make_agent
from vitagym.agents.episodes import play_episode
from vitagym.env.environment import VitaEnv
from vitagym.tasks.task import Step, Task


def play_steps(task: Task, steps: Iterable[Step], **settings: Any) -> dict[str, Any]:
    """The row of an episode on a task with other steps in its solution."""
    changed = task.model_copy(update={"solution": tuple(steps)})
    env = VitaEnv("cross", tasks=[changed], max_turns=None, **settings)
    return play_episode(env, make_agent("reference"), seed=0, agent_name="planted", settings=settings).data()
