"""The protocol of an agent, and agents by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import gymnasium as gym

from vitagym.errors import CallerError, UnknownName, nearest_name


class Agent(Protocol):
    """Plays episodes, one action at a time.

    ``start`` comes once an episode, ``act`` before every step.
    """

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode of this environment."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the next action for what ``reset`` or ``step`` gave last: an utterance, or tool calls as text."""


def make_agent(name: str, **options: Any) -> Agent:
    """Return an agent by name.

    Args:
        name: ``reference``, ``noop``, ``random`` or ``human``.
        options: What the agent's class takes, e.g. ``seed=3`` for ``random``.

    Raises:
        UnknownName: There is no agent of that name.
        CallerError: The agent does not take one of the options.
    """
    makers = _makers()
    if name not in makers:
        raise UnknownName("agent", name, makers)
    maker, allowed = makers[name]
    for option in options:
        if option not in allowed:
            nearest = nearest_name(option, allowed)
            hint = f" Did you mean {nearest!r}?" if nearest else ""
            raise CallerError(
                f"agent {name!r} takes no option {option!r}; allowed: {', '.join(allowed) or 'none'}.{hint}"
            )
    return maker(**options)


def agent_names() -> tuple[str, ...]:
    """Return the names that ``make_agent`` knows."""
    return tuple(_makers())


def _makers() -> dict[str, tuple[Callable[..., Agent], tuple[str, ...]]]:
    from vitagym.agents.human import HumanAgent
    from vitagym.agents.noop import NoopAgent
    from vitagym.agents.random_agent import RandomAgent
    from vitagym.agents.reference import ReferenceAgent

    return {
        "reference": (ReferenceAgent, ()),
        "noop": (NoopAgent, ()),
        "random": (RandomAgent, ("seed",)),
        "human": (HumanAgent, ("read", "write")),
    }
