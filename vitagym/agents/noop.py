"""An agent that does nothing: the floor that any agent should stand above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from vitagym.env.actions import STOP
from vitagym.language import text


class NoopAgent:
    """Says that it is there, and ends the episode."""

    def __init__(self) -> None:
        self._env: gym.Env[Any, Any] | None = None
        self._greeted = False

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode."""
        self._env = env
        self._greeted = False

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the greeting, then the end."""
        if self._greeted or self._env is None:
            return STOP
        self._greeted = True
        return text("agents", "here", self._env.unwrapped.task.language)  # type: ignore[attr-defined]
