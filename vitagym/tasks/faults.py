"""Faults of public task data, by name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultCode(StrEnum):
    """The kinds of fault known in the public data."""

    D1 = "D1"
    """A provider or order stands under a key that is not its own id."""
    D2 = "D2"
    """A product names another provider than the one that sells it."""
    D3 = "D3"
    """One address has two coordinates."""
    D4 = "D4"
    """A required order names what the world does not sell, another user, or a price that is not the sum."""
    D5 = "D5"
    """Required orders are repeated in every expected state, or have a status that no tool can set."""
    D6 = "D6"
    """A rubric of the whole task paraphrases one of a state."""
    D7 = "D7"
    """A label says which entries the author aimed at."""
    D8 = "D8"
    """A profile key or a domain is spelled in another way."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault found in a task.

    Attributes:
        field: Where it stands, as a dotted path in the task's JSON.
        what: What is wrong, and what was done about it.
        repaired: Whether the loaded task is free of it.
    """

    code: FaultCode
    task_id: str
    field: str
    what: str
    repaired: bool
