"""The protocol of an agent, and agents by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, Protocol

import gymnasium as gym

from vitagym.agents.own import made, options_of, own_agent
from vitagym.env.spaces import Action
from vitagym.errors import CallerError, UnknownName, nearest_name
from vitagym.llm.endpoint import Endpoint


class Agent(Protocol):
    """Plays episodes, one action at a time.

    ``start`` comes once an episode, ``act`` before every step. One that waits for a model may also have
    ``async def aact(observation, info)``, which does the same as ``act`` without blocking the event loop.
    """

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode of this environment."""

    def act(self, observation: str, info: Mapping[str, Any]) -> Action:
        """Return the next action for what ``reset`` or ``step`` gave last."""


def make_agent(name: str, **options: Any) -> Agent:
    """Return an agent by name.

    Args:
        name: ``llm``, ``react``, ``plan``, ``reference``, ``noop``, ``random`` or ``human``; ``llm:MODEL`` and the like
            with a model; or ``module:Class``, one of your own.
        options: What the agent's class takes, e.g. ``seed=3`` for ``random``, or ``model=…``, ``base_url=…`` and
            ``api_key=…`` for ``llm``.

    Raises:
        UnknownName: There is no agent of that name.
        CallerError: The agent does not take one of the options, or one of your own cannot be had.
    """
    makers = _makers()
    kind, colon, model = name.partition(":")
    if kind not in makers and (own := own_agent(name)) is not None:
        agent: Agent = made(name, own, options)
        return agent
    maker, allowed = makers.get(kind, (None, ()))
    if maker is None or (colon and not (model and "model" in allowed)):
        raise UnknownName("agent", name, makers)
    if colon:
        options.setdefault("model", model)
    for option in options:
        if option not in allowed:
            nearest = nearest_name(option, allowed)
            hint = f" Did you mean {nearest!r}?" if nearest else ""
            raise CallerError(
                f"agent {name!r} takes no option {option!r}; allowed: {', '.join(allowed) or 'none'}.{hint}"
            )
    return maker(**options)


def takes_seed(name: str) -> bool:
    """Return whether an agent of a name draws, so that it wants a seed of each episode."""
    if name.partition(":")[0] in _makers():
        return name == "random"
    own = own_agent(name)
    return own is not None and "seed" in options_of(own)


def agent_names() -> tuple[str, ...]:
    """Return the names that ``make_agent`` knows."""
    return tuple(_makers())


def _makers() -> dict[str, tuple[Callable[..., Agent], tuple[str, ...]]]:
    from vitagym.agents.human import HumanAgent
    from vitagym.agents.language_model import LanguageModelAgent, PlanningAgent
    from vitagym.agents.noop import NoopAgent
    from vitagym.agents.random_agent import RandomAgent
    from vitagym.agents.reference import ReferenceAgent

    at = tuple(field.name for field in fields(Endpoint))
    calling = ("thoughts", "tool_choice", "parallel_tool_calls", *at)
    return {
        "llm": (LanguageModelAgent, ("protocol", *calling)),
        "react": (partial(LanguageModelAgent, protocol="react"), at),
        "plan": (PlanningAgent, ("protocol", *calling)),
        "reference": (ReferenceAgent, ()),
        "noop": (NoopAgent, ()),
        "random": (RandomAgent, ("seed",)),
        "human": (HumanAgent, ("read", "write")),
    }
