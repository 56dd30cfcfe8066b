"""Agents of the caller's own, named ``module:Class``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from vitagym.errors import CallerError, UnknownName

_NEEDED = ("start", "act")


def own_agent(name: str) -> Callable[..., Any] | None:
    """Return what makes the agents of a name, or None where the name is none of ``module:Class``.

    Raises:
        CallerError: There is no such module.
        UnknownName: The module has nothing of that name.
    """
    module_name, colon, attribute = name.partition(":")
    parts = (*module_name.split("."), attribute)
    if not colon or not all(part.isidentifier() for part in parts):
        return None
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise CallerError(f"agent {name!r}: there is no module {error.name!r} to import it from") from None
    made = getattr(module, attribute, None)
    if not callable(made):
        public = [said for said, value in vars(module).items() if callable(value) and not said.startswith("_")]
        raise UnknownName(f"agent of the module {module_name}", attribute, public)
    return cast("Callable[..., Any]", made)


def options_of(maker: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of what a maker takes."""
    return tuple(
        name
        for name, parameter in inspect.signature(maker).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    )


def made(name: str, maker: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    """Return an agent; raises CallerError where it does not take the options, or is none."""
    try:
        inspect.signature(maker).bind(**options)
    except TypeError as error:
        raise CallerError(f"agent {name!r} takes {', '.join(options_of(maker)) or 'no option'}: {error}") from None
    agent = maker(**options)
    missing = [method for method in _NEEDED if not callable(getattr(agent, method, None))]
    if missing:
        raise CallerError(f"agent {name!r} needs the methods {' and '.join(_NEEDED)}; it lacks {', '.join(missing)}")
    return agent
