"""The states of rubrics while an episode runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from vitagym.frozen import quickly_made


class RubricStatus(StrEnum):
    """State of one rubric."""

    PENDING = "pending"
    """Not met so far."""
    MET = "met"
    OVERTURNED = "overturned"
    """Was met, and then undone by the agent."""
    UNSCORED = "unscored"
    """The judge cannot say."""


@quickly_made
@dataclass(frozen=True, slots=True)
class RubricState:
    """State of one rubric.

    Attributes:
        turn: The turn at which it came into this state; -1 for the start.
        reason: Why, in a few words: for the log, never for an agent.
    """

    status: RubricStatus
    turn: int
    reason: str


RubricStates = Mapping[str, RubricState]


def satisfied_fraction(states: RubricStates) -> float:
    """Return Φ: the share of rubrics that are met, among all of them; 0 where there are none."""
    if not states:
        return 0.0
    return _statuses(states).count(RubricStatus.MET) / len(states)


def success(states: RubricStates) -> bool | None:
    """Return whether all rubrics are met (paper: section 3.3); None where one is unscored or there are none."""
    statuses = _statuses(states)
    if not statuses or RubricStatus.UNSCORED in statuses:
        return None
    return statuses.count(RubricStatus.MET) == len(statuses)


def _statuses(states: RubricStates) -> list[RubricStatus]:
    return [state.status for state in states.values()]
