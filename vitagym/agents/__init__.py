"""Agents: language models, and those that need none: what they do is fixed by the task, a seed, or a person.

- ``agent``: the protocol, and ``make_agent``
- ``language_model``: language models, and ones that plan first; ``forms``: how they are spoken with
- ``reference``: performs the reference solution of a task and talks as a good agent would
- ``noop``, ``random_agent``: floors
- ``human``: a person in the terminal
- ``own``: agents of the caller's own, named ``module:Class``
"""

from vitagym.agents.agent import Agent, agent_names, make_agent

__all__ = ["Agent", "agent_names", "make_agent"]
