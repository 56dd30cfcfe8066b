"""vitagym: a Gymnasium suite for agents that use tools and talk with people. This module is the whole public face.

Importing it registers the environment ids and imports nothing heavy; the names below load when they are used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from vitagym.env.registration import register_ids

if TYPE_CHECKING:
    from vitagym.agents import make_agent
    from vitagym.env.environment import Snapshot, VitaEnv
    from vitagym.env.offer import tool_graph, tool_schemas
    from vitagym.env.reward_vector import RewardVector
    from vitagym.errors import CallerError, EndpointError, UnknownName
    from vitagym.tasks.public import load_public
    from vitagym.tasks.sources import load_tasks, make_task
    from vitagym.tasks.task import Task

__version__ = "0.1.0"
__all__ = [
    "CallerError",
    "EndpointError",
    "RewardVector",
    "Snapshot",
    "Task",
    "UnknownName",
    "VitaEnv",
    "load_public",
    "load_tasks",
    "make_agent",
    "make_task",
    "tool_graph",
    "tool_schemas",
]

_HOMES = {
    "CallerError": "vitagym.errors",
    "EndpointError": "vitagym.errors",
    "RewardVector": "vitagym.env.reward_vector",
    "Snapshot": "vitagym.env.environment",
    "Task": "vitagym.tasks.task",
    "UnknownName": "vitagym.errors",
    "VitaEnv": "vitagym.env.environment",
    "load_public": "vitagym.tasks.public",
    "load_tasks": "vitagym.tasks.sources",
    "make_agent": "vitagym.agents",
    "make_task": "vitagym.tasks.sources",
    "tool_graph": "vitagym.env.offer",
    "tool_schemas": "vitagym.env.offer",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'vitagym' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


register_ids()
