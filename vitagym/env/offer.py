"""The tools on offer in an episode, and their schemas."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vitagym.domains import CROSS, home_of, toolset
from vitagym.errors import CallerError
from vitagym.language import Language, as_language
from vitagym.tasks.task import CallStep, Task
from vitagym.tools.schema import tool_schema
from vitagym.tools.toolset import Toolset

if TYPE_CHECKING:
    import networkx as nx


class ToolChoice(StrEnum):
    """Which tools an episode offers.

    OWN: those of the task's domain (all of them in cross tasks). ALL: those of every domain. NEEDED: those that the
    task's reference solution calls.
    """

    OWN = "own"
    ALL = "all"
    NEEDED = "needed"


def offered_tools(task: Task, choice: ToolChoice) -> Toolset:
    """Return the tools on offer; raises CallerError where NEEDED is chosen and the task has no reference solution."""
    if choice is not ToolChoice.NEEDED:
        return toolset((CROSS if choice is ToolChoice.ALL else task.domain,))
    needed = frozenset(step.tool for step in task.solution if isinstance(step, CallStep))
    if not needed:
        raise CallerError(f"tools='needed': task {task.id} has no reference solution that calls tools")
    return _only(needed)


@lru_cache(maxsize=512)
def _only(names: frozenset[str]) -> Toolset:
    return Toolset(tool for tool in toolset((CROSS,)) if tool.name in names)


def schemas(tools: Toolset, language: Language) -> list[dict[str, Any]]:
    """Return the schemas of tools in OpenAI format, as objects of the caller's own."""
    return _maker(tools.names, language)()


@lru_cache(maxsize=512)
def _maker(names: tuple[str, ...], language: Language) -> Callable[[], list[dict[str, Any]]]:
    """Return what makes the schemas anew: a compiled literal, which takes a third of the time of any decoder or copy.

    Every reset gives them out, so they are a good part of what a reset costs.
    """
    every = toolset((CROSS,))
    literal = repr([tool_schema(every.named(name), language) for name in names])
    made: Callable[[], list[dict[str, Any]]] = eval(f"lambda: {literal}", {"__builtins__": {}})
    return made


def tool_schemas(domain: str, language: str = "en") -> list[dict[str, Any]]:
    """Return the schemas of a domain's tools in OpenAI format.

    Args:
        domain: ``delivery``, ``instore``, ``ota``, or ``cross`` for all 66.
        language: ``en`` or ``zh``.

    Raises:
        UnknownName: No such domain or language.
    """
    return schemas(toolset((domain,)), as_language(language))


def tool_graph(domain: str) -> nx.DiGraph:
    """Return the dependency graph of a domain's tools: an edge where one makes known what the other needs.

    Nodes carry ``kind`` (write, read or general) and ``domain`` (``common`` where all domains share the tool); edges
    carry ``facts``, the names of what connects them.

    Args:
        domain: ``delivery``, ``instore``, ``ota``, or ``cross`` for all 66.

    Raises:
        UnknownName: No such domain.
    """
    import networkx as nx

    from vitagym.tools.graph import dependency_graph

    graph = dependency_graph(toolset((domain,)))
    nx.set_node_attributes(graph, {name: home_of(name) for name in graph}, "domain")
    return graph
