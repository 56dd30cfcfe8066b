"""Where two logs part, to the byte: a path into them and what stands there in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_AROUND = 60
"""How many characters are shown on each side of the first that differs."""


@dataclass(frozen=True, slots=True)
class Parting:
    """The first place where two values differ.

    Attributes:
        path: Where it is, e.g. ``messages[12].content``.
        one: What stands there in the first; of a long text the part around the first character that differs.
        other: What stands there in the second.
    """

    path: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"{self.path}: {self.one} there, {self.other} here"


def parting(one: Any, other: Any, path: str = "") -> Parting | None:
    """Return the first place where two JSON values differ, or None where they are the same."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return _of_objects(one, other, path)
    if _is_list(one) and _is_list(other):
        return _of_lists(one, other, path)
    if type(one) is type(other) and one == other:
        return None
    if isinstance(one, str) and isinstance(other, str):
        at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        return Parting(path, _near(one, at), _near(other, at))
    return Parting(path, _short(one), _short(other))


def _of_objects(one: Mapping[str, Any], other: Mapping[str, Any], path: str) -> Parting | None:
    for name in [*one, *(name for name in other if name not in one)]:
        inner = f"{path}.{name}" if path else name
        if name not in one or name not in other:
            return Parting(inner, *("nothing" if name not in side else _short(side[name]) for side in (one, other)))
        found = parting(one[name], other[name], inner)
        if found is not None:
            return found
    return None


def _of_lists(one: Sequence[Any], other: Sequence[Any], path: str) -> Parting | None:
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        found = parting(a, b, f"{path}[{at}]")
        if found is not None:
            return found
    if len(one) == len(other):
        return None
    at = min(len(one), len(other))
    return Parting(f"{path}[{at}]", *(_short(side[at]) if at < len(side) else "nothing" for side in (one, other)))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _near(text: str, at: int) -> str:
    start, end = max(0, at - _AROUND), at + _AROUND
    return repr(("…" if start else "") + text[start:end] + ("…" if end < len(text) else ""))


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 2 * _AROUND else shown[: 2 * _AROUND] + "…"
