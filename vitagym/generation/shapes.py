"""How each kind of provider is written in an environment of the public JSON shape; domains register theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vitagym.errors import UnknownName
from vitagym.generation.sketches import ProviderSketch


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one kind of provider.

    Attributes:
        section: The table of the environment that it stands in, e.g. ``stores``.
        data: Writes one provider with its products; texts stay terms.
    """

    section: str
    data: Callable[[ProviderSketch], dict[str, Any]]


_SHAPES: dict[str, Shape] = {}


def register_shape(kind: str, shape: Shape) -> None:
    """Make known how a kind of provider is written; the same kind twice is an error."""
    if kind in _SHAPES:
        raise ValueError(f"the shape of {kind!r} is registered already")
    _SHAPES[kind] = shape


def shape_of(kind: str) -> Shape:
    """Return the shape of a kind of provider."""
    if kind not in _SHAPES:
        raise UnknownName("kind of provider", kind, _SHAPES)
    return _SHAPES[kind]
