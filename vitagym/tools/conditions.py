"""Conditions, stated once per parameter type and once per result type.

A *fact* is something an agent can know: an order's id, an address, coordinates. A parameter type ``Needs`` one fact; a
result type ``Gives`` some. Both may say in which statuses. An edge a → b of the graph exists when a gives what b needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vitagym.world.world import World

Check = Callable[["World", Any], object]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that can be known.

    Attributes:
        name: Key of its sentence in ``assets/text/facts.toml``.
        keys: The JSON keys under which a result shows it (all of them together, e.g. longitude and latitude).
        identity: Whether its values are ids, which ``strictness="observed"`` wants to have been seen.
    """

    name: str
    keys: tuple[str, ...]
    identity: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """Marks a parameter type: what its values refer to (a pre-condition).

    Attributes:
        fact: The fact needed.
        check: Raises Refused when a value (each one of a list) refers to nothing, or to something in the wrong state.
        statuses: The statuses in which the record must be; None where any will do or there is none.
    """

    fact: Fact
    check: Check | None = None
    statuses: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Reads:
    """Marks a parameter type whose values may come in another JSON type than its schema says.

    Attributes:
        convert: Gives the value in the parameter's type; what it cannot convert it gives back, to be refused.
    """

    convert: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Marks a parameter type that has few values; its schema lists them, and any other is refused.

    Attributes:
        values: The values, in the order in which the schema lists them.
    """

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """One fact that a result makes known, in one of some statuses (None: any)."""

    fact: Fact
    statuses: frozenset[str] | None = None

    def satisfies(self, needs: Needs) -> bool:
        """Return whether what is given is what is needed."""
        if self.fact != needs.fact:
            return False
        return self.statuses is None or needs.statuses is None or bool(self.statuses & needs.statuses)


@dataclass(frozen=True, slots=True)
class Gives:
    """Marks a result type: what its results make known or change (a post-condition).

    Attributes:
        given: The facts, each with statuses.
        changes: Key of the sentence in ``assets/text/effects.toml`` that says what a write changes; None for reads.
    """

    given: tuple[Given, ...]
    changes: str | None = None


def gives(*facts: Fact | Given, changes: str | None = None) -> Gives:
    """Return the mark of a result type."""
    return Gives(tuple(f if isinstance(f, Given) else Given(f) for f in facts), changes)
