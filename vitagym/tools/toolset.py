"""The tools on offer in an episode, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vitagym.errors import nearest_name
from vitagym.tools.results import Refused
from vitagym.tools.tool import Tool


class Toolset:
    """An ordered set of tools. Frozen; shared by worlds."""

    __slots__ = ("_by_name",)

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._by_name = {tool.name: tool for tool in tools}

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order."""
        return tuple(self._by_name)

    def named(self, name: str) -> Tool:
        """Return the tool of that name; raises Refused where there is none."""
        tool = self._by_name.get(name)
        if tool is None:
            raise Refused("unknown_tool", name=name, nearest=nearest_name(name[:200], self._by_name) or "-")
        return tool

    def givers(self, fact: str) -> tuple[str, ...]:
        """Return the names of the tools whose results make a fact known, in order."""
        return tuple(t.name for t in self if any(g.fact.name == fact for g in t.gives.given))
