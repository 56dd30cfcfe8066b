"""The registry through which the engine finds domains; they register when ``vitagym.envs`` is imported."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from vitagym.errors import UnknownName
from vitagym.tools.tool import Tool
from vitagym.tools.toolset import Toolset
from vitagym.world.entities import Provider

if TYPE_CHECKING:
    from vitagym.tasks.expected import ExpectedRecord
    from vitagym.tasks.task import CallStep
    from vitagym.world.catalogue import Catalogue
    from vitagym.world.records import Record

ProviderReader = Callable[[Mapping[str, Any]], Iterable[Provider]]
ExpectedCalls = Callable[["ExpectedRecord", "Record | None", "Catalogue", str], Iterable["CallStep"]]


@dataclass(frozen=True)
class Domain:
    """One domain of life services.

    Attributes:
        name: ``delivery``, ``instore`` or ``ota``; ``common`` for what all of them share.
        tools: The tools that are its own.
        read_providers: Reads the providers of this domain from an environment in the public JSON shape.
        expected_calls: Returns the calls that bring an expected record about, from the old record that it is (None: a
            new one), under a name for the new record's id; nothing for a record of another domain.
    """

    name: str
    tools: tuple[Tool, ...]
    read_providers: ProviderReader
    expected_calls: ExpectedCalls | None = None


_DOMAINS: dict[str, Domain] = {}
COMMON = "common"
CROSS = "cross"


def register_domain(domain: Domain) -> None:
    """Make a domain known to the engine; the same name twice is an error."""
    if domain.name in _DOMAINS:
        raise ValueError(f"domain {domain.name!r} is registered already")
    _DOMAINS[domain.name] = domain


def domains() -> dict[str, Domain]:
    """Return the domains by name, ``common`` left out, in order of registration."""
    importlib.import_module("vitagym.envs")
    return {name: domain for name, domain in _DOMAINS.items() if name != COMMON}


@cache
def toolset(names: tuple[str, ...]) -> Toolset:
    """Return the tools of some domains together, their own first in the domains' order, the common ones last.

    ``("cross",)`` is all of them.
    """
    known = domains()
    wanted = tuple(known) if CROSS in names else names
    for name in wanted:
        if name not in known:
            raise UnknownName("domain", name, [*known, CROSS])
    own = [tool for name in known if name in wanted for tool in known[name].tools]
    return Toolset([*own, *_DOMAINS[COMMON].tools])


def tool_named(name: str) -> Tool:
    """Return any tool of any domain by its name."""
    every = toolset((CROSS,))
    if name not in every:
        raise UnknownName("tool", name, every.names)
    return every.named(name)


@cache
def home_of(name: str) -> str:
    """Return the domain whose own a tool is; ``common`` for one that all domains share."""
    tool = tool_named(name)
    return next(domain.name for domain in _DOMAINS.values() if any(own is tool for own in domain.tools))
