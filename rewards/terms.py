"""Reward terms put together: the reward of a step, written as a spec, and ``reward=`` of the environment.

A spec is the name of a preset, a sum such as ``"success + 0.5*rubric(gamma=0.99) - step_cost(0.01)"``, or a list of
such parts and of terms of your own.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, cast

from vitagym.errors import CallerError, UnknownName
from vitagym.rewards.single_terms import TERMS, RewardTerm
from vitagym.rewards.transition import Transition

PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "sparse": "success",
        "dense": "success + rubric",
        "potential": "success + shaping",
        "fraction": "rubric",
    }
)
"""``sparse``: success alone. ``dense`` (the default): success, and every change of the satisfied fraction.
``potential``: success, with shaping that leaves the best policy as it is. ``fraction``: the fraction alone."""

DEFAULT = "dense"
TermSpec = str | RewardTerm
RewardSpec = TermSpec | Sequence[TermSpec]


class Reward(Protocol):
    """The reward of a step, in its terms."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the terms; the same at every step and in the same order."""

    def terms(self, transition: Transition) -> dict[str, float]:
        """Return the value of every term by name; they sum to the reward."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum of terms.

    Attributes:
        parts: Name, coefficient and term of each.
    """

    parts: tuple[tuple[str, float, RewardTerm], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the terms; the same at every step and in the same order."""
        return tuple(name for name, _, _ in self.parts)

    def terms(self, transition: Transition) -> dict[str, float]:
        """Return the value of every term by name, coefficient included; they sum to the reward."""
        # Adding 0.0 turns -0.0, which reads oddly in a log, into 0.0.
        return {name: coefficient * term(transition) + 0.0 for name, coefficient, term in self.parts}


def make_reward(spec: RewardSpec | Reward | None = None) -> Reward:
    """Return the reward that a spec describes.

    Args:
        spec: The name of a preset; a sum of terms, each with a factor and arguments where wanted; a term of your own
            (a function of a transition); a list of these; a reward, which is returned as it is; None: the default.

    Raises:
        UnknownName: No preset or term has that name, or the term has no such argument.
        CallerError: The spec cannot be read, or a cost is added instead of subtracted.
    """
    if spec is None:
        spec = DEFAULT
    if isinstance(spec, str) or callable(spec):
        return _sum([spec])
    if hasattr(spec, "terms"):
        return cast(Reward, spec)
    if isinstance(spec, Sequence):
        return _sum(spec)
    raise CallerError(f"reward {spec!r} is no name, sum, term or list of these")


def _sum(items: Sequence[TermSpec]) -> Sum:
    parts: list[tuple[str, str, float, RewardTerm]] = []
    for item in items:
        if isinstance(item, str):
            parts.extend(_read(PRESETS.get(item, item)))
        elif callable(item):
            name = getattr(item, "__name__", type(item).__name__)
            parts.append((name, name, 1.0, item))
        else:
            raise CallerError(f"reward term {item!r} is no name, sum or function of a transition")
    short = [name for name, _, _, _ in parts]
    named = tuple(
        (name if short.count(name) == 1 else written, coefficient, term) for name, written, coefficient, term in parts
    )
    for name, _, _ in named:
        if sum(name == other for other, _, _ in named) > 1:
            raise CallerError(f"reward term {name!r} occurs twice; give it one factor")
    return Sum(named)


def _read(spec: str) -> list[tuple[str, str, float, RewardTerm]]:
    try:
        tree = ast.parse(spec.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise CallerError(f"reward {spec!r} cannot be read; write a sum, e.g. 'success + 0.5*rubric'") from None
    return _parts(tree, 1.0, spec)


def _parts(node: ast.expr, factor: float, spec: str) -> list[tuple[str, str, float, RewardTerm]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        sign = 1.0 if isinstance(node.op, ast.Add) else -1.0
        return _parts(node.left, factor, spec) + _parts(node.right, sign * factor, spec)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for number, rest in ((node.left, node.right), (node.right, node.left)):
            value = _number(number)
            if value is not None:
                return _parts(rest, factor * value, spec)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _parts(node.operand, -factor if isinstance(node.op, ast.USub) else factor, spec)
    if isinstance(node, ast.Name):
        if node.id in PRESETS:
            return [(name, written, factor * own, term) for name, written, own, term in _read(PRESETS[node.id])]
        return [_term(node.id, (), {}, factor, node)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        positional = tuple(_constant(a, spec) for a in node.args)
        keywords = {k.arg: _constant(k.value, spec) for k in node.keywords if k.arg is not None}
        if len(keywords) == len(node.keywords):
            return [_term(node.func.id, positional, keywords, factor, node)]
    raise CallerError(f"{ast.unparse(node)!r} in reward {spec!r} is no term; write a sum, e.g. 'success + 0.5*rubric'")


def _term(
    name: str, positional: tuple[object, ...], keywords: dict[str, object], factor: float, node: ast.expr
) -> tuple[str, str, float, RewardTerm]:
    if name not in TERMS:
        raise UnknownName("reward term", name, [*TERMS, *PRESETS])
    kind = TERMS[name]
    if factor > 0 and getattr(kind, "is_cost", False):
        raise CallerError(f"reward term {name!r} is a cost: subtract it, as in 'success - {name}'")
    parameters = tuple(inspect.signature(kind).parameters)
    if "weights" in parameters:
        weights = {k: v for k, v in keywords.items() if k not in parameters}
        keywords = {k: v for k, v in keywords.items() if k in parameters} | {"weights": weights}
    for keyword in keywords:
        if keyword not in parameters:
            raise UnknownName(f"argument of reward term {name}", keyword, parameters)
    make = cast(Callable[..., RewardTerm], kind)
    try:
        return name, ast.unparse(node), factor, make(*positional, **keywords)
    except TypeError as error:
        raise CallerError(f"reward term {ast.unparse(node)!r}: {error}") from None


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value) if abs(node.value) < math.inf else None
    return None


def _constant(node: ast.expr, spec: str) -> object:
    value = _number(node)
    if value is not None:
        return value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise CallerError(f"{ast.unparse(node)!r} in reward {spec!r} is no number or name in quotes")
