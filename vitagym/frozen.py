"""Frozen dataclasses that are made quickly: for those of which every step of an episode makes several.

What ``dataclass`` writes for a frozen class sets each field by name, which takes four times as long.
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quickly_made(cls: type[T]) -> type[T]:
    """Give a frozen dataclass with slots a quicker ``__init__`` of the same signature.

    Raises:
        TypeError: The class has a ``__post_init__``, which would not be called.

    >>> from dataclasses import dataclass
    >>> @quickly_made
    ... @dataclass(frozen=True, slots=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(3)
    Point(x=3, y=0)
    """
    if hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} has a __post_init__, which would not be called")
    written = cls.__init__
    given: dict[str, Any] = {"__builtins__": {}, "_missing": MISSING}
    parameters: list[str] = ["self"]
    lines: list[str] = []
    for field in fields(cls):  # type: ignore[arg-type]  # It is a dataclass.
        name = field.name
        given[f"_set_{name}"] = cls.__dict__[name].__set__
        kind = inspect.signature(written).parameters[name].kind
        if kind is inspect.Parameter.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        value = name
        if field.default_factory is not MISSING:
            given[f"_new_{name}"] = field.default_factory
            parameters.append(f"{name}=_missing")
            value = f"_new_{name}() if {name} is _missing else {name}"
        elif field.default is not MISSING:
            given[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        lines.append(f"    _set_{name}(self, {value})")
    body = "\n".join(lines)
    exec(f"def __init__({', '.join(parameters)}):\n{body}", given)
    quick = given["__init__"]
    quick.__annotations__, quick.__qualname__ = written.__annotations__, written.__qualname__
    quick.__module__, quick.__doc__ = cls.__module__, written.__doc__
    cls.__init__ = quick  # type: ignore[method-assign]  # Of the same signature.
    return cls
