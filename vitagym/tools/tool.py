"""A tool: a typed function of the world. Everything else about it is read off its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, create_model

from vitagym.errors import nearest_name
from vitagym.tools.conditions import Gives, Needs, OneOf, Reads
from vitagym.tools.results import Refused

if TYPE_CHECKING:
    from pydantic import BaseModel

    from vitagym.world.world import World


_LARGEST_INTEGER = 2**53 - 1


class Kind(StrEnum):
    """What a tool does to the world: changes it, reads it, or neither (a general look-up)."""

    WRITE = "write"
    READ = "read"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool.

    Attributes:
        type: Its Python type without marks.
        default: Its default; ``inspect.Parameter.empty`` where it is required.
        needs: What its values refer to; None where they refer to nothing.
        one_of: The only values that it may have; None where any will do.
    """

    name: str
    type: Any
    default: Any
    needs: Needs | None
    one_of: OneOf | None

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is inspect.Parameter.empty


class Tool:
    """A tool that agents may call.

    Attributes:
        name: Its name, which agents know.
        kind: What it does to the world.
        function: The function; it gets checked arguments and raises Refused.
        parameters: Its parameters in order.
        gives: What its result makes known or changes.
    """

    def __init__(self, function: Callable[..., Any], kind: Kind) -> None:
        self.name = function.__name__
        self.kind = kind
        self.function = function
        hints = get_type_hints(function, include_extras=True)
        signature = inspect.signature(function)
        self.parameters = tuple(
            Parameter(
                p.name, _plain(hints[p.name]), p.default, _mark(hints[p.name], Needs), _mark(hints[p.name], OneOf)
            )
            for p in list(signature.parameters.values())[1:]
        )
        self._needing = tuple((p.name, p.needs) for p in self.parameters if p.needs is not None)
        found = _mark(hints["return"], Gives)
        if found is None:
            raise TypeError(f"the result type of tool {self.name} does not say what it gives")
        self.gives: Gives = found
        fields: dict[str, Any] = {
            p.name: (_accepted(p, _mark(hints[p.name], Reads)), ... if p.required else p.default)
            for p in self.parameters
        }
        self._model: type[BaseModel] = create_model(
            self.name, __config__=ConfigDict(strict=True, extra="forbid", allow_inf_nan=False), **fields
        )

    def __reduce__(self) -> tuple[Callable[[str], Tool], tuple[str]]:
        from vitagym.domains import tool_named

        return tool_named, (self.name,)

    def validated(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with defaults filled in; raises Refused where one is unknown, missing or ill-typed."""
        if not isinstance(arguments, Mapping):
            raise Refused("arguments_not_object", tool=self.name)
        try:
            return self._model.model_validate(arguments).__dict__
        except ValidationError as error:
            raise self._refused(error) from None

    def require(self, world: World, arguments: Mapping[str, Any]) -> None:
        """Check the pre-conditions of the arguments; raises Refused where one fails."""
        for name, needs in self._needing:
            value = arguments[name]
            if value is None:
                continue
            for one in value if isinstance(value, list) else (value,):
                if needs.check is not None:
                    needs.check(world, one)
                if needs.fact.identity and not world.has_seen(one):
                    raise Refused("not_observed", fact=needs.fact.name, parameter=name, value=one)

    def _refused(self, error: ValidationError) -> Refused:
        first = error.errors()[0]
        where = str(first["loc"][0]) if first["loc"] else ""
        if first["type"] == "extra_forbidden":
            nearest = nearest_name(where[:200], [p.name for p in self.parameters])
            return Refused("unknown_argument", parameter=where, name=where, tool=self.name, nearest=nearest or "-")
        if first["type"] == "missing":
            return Refused("missing_argument", parameter=where, name=where, tool=self.name)
        if first["type"] == "string_unicode":
            return Refused("not_unicode", parameter=where, name=where or "?")
        parameter = next((p for p in self.parameters if p.name == where), None)
        if parameter is not None and parameter.one_of is not None and isinstance(first["input"], str):
            allowed = [str(value) for value in parameter.one_of.values]
            nearest = nearest_name(first["input"][:200], allowed) or "-"
            values = {"value": first["input"], "allowed": ", ".join(allowed), "nearest": nearest}
            return Refused("not_allowed", parameter=where, name=where, **values)
        expected = "object" if parameter is None else _type_name(parameter.type)
        return Refused("wrong_type", parameter=where, name=where, tool=self.name, expected=expected)


def tool(kind: Kind) -> Callable[[Callable[..., Any]], Tool]:
    """Decorate a typed function of the world into a Tool of its name."""

    def make(function: Callable[..., Any]) -> Tool:
        return Tool(function, kind)

    return make


def _mark(hint: Any, kind: type[Any]) -> Any:
    """Return the mark of that class in an annotated type, looking through ``X | None`` and lists."""
    if get_origin(hint) is Annotated:
        for mark in get_args(hint)[1:]:
            if isinstance(mark, kind):
                return mark
    for inner in get_args(hint):
        if get_origin(inner) is Annotated and (found := _mark(inner, kind)) is not None:
            return found
    return None


def _accepted(parameter: Parameter, reads: Reads | None) -> Any:
    """Return the type against which values of a parameter are validated."""
    kind: Any = _bounded(parameter.type)
    if parameter.one_of is not None:
        kind = Literal[tuple(str(value) for value in parameter.one_of.values)]
        kind = kind | None if type(None) in get_args(parameter.type) else kind
    return kind if reads is None else Annotated[kind, BeforeValidator(reads.convert)]


def _bounded(kind: Any) -> Any:
    """Return the type with integers held to those that every JSON reader keeps exact, and texts to Unicode.

    It is having any constraint on its length that makes pydantic look whether a text is Unicode.
    """
    if kind is int:
        return Annotated[int, Field(ge=-_LARGEST_INTEGER, le=_LARGEST_INTEGER)]
    if kind is str:
        return Annotated[str, Field(min_length=0)]
    if get_origin(kind) is list:
        return list[_bounded(get_args(kind)[0])]  # type: ignore[misc]
    if type(None) in get_args(kind):
        return _bounded(next(x for x in get_args(kind) if x is not type(None))) | None
    return kind


def _plain(hint: Any) -> Any:
    """Return the type without its marks."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    origin = get_origin(hint)
    if origin is list:
        return list[_plain(get_args(hint)[0])]  # type: ignore[misc]
    if origin is not None and type(None) in get_args(hint):
        return _plain(get_args(hint)[0]) | None
    return hint


def _type_name(kind: Any) -> str:
    from vitagym.tools.schema import json_type

    shape = json_type(kind)
    if shape["type"] == "array":
        return f"array of {shape['items']['type']}"
    return str(shape["type"])
