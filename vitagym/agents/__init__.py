"""Agents that need no model: what they do is fixed by the task, a seed, or a person.

- ``agent``: the protocol, and ``make_agent``
- ``reference``: performs the reference solution of a task and talks as a good agent would
- ``noop``, ``random_agent``: floors
- ``human``: a person in the terminal
"""

from vitagym.agents.agent import Agent, agent_names, make_agent

__all__ = ["Agent", "agent_names", "make_agent"]
