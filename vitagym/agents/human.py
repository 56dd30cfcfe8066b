"""An agent that a person plays in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium as gym

from vitagym.env.actions import STOP


class HumanAgent:
    """Shows what is new and reads the action from one line.

    Args:
        read: Reads a line; raises EOFError where there is none, which ends the episode.
        write: Shows an observation.
    """

    def __init__(self, read: Callable[[], str] = input, write: Callable[[str], None] = print) -> None:
        self._read, self._write = read, write

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the person's line; empty lines are asked for again."""
        self._write(observation)
        try:
            while not (line := self._read().strip()):
                pass
        except EOFError:
            return STOP
        return line
