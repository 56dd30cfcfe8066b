"""The features of a candidate: their names, and those that depend on nothing but the candidate.

All of them are small numbers, most between -1 and 1; shares and counts are cut at the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vitagym.dialogue.acts import Slot, UserActKind
from vitagym.rl.classes import CLASSES
from vitagym.rl.kinds import Candidate, Talk
from vitagym.rl.talking import ASKED
from vitagym.rl.toolroles import Deed, record_kinds

_KINDS: tuple[Talk | Deed, ...] = (*Talk, *Deed)
ACTS = tuple(UserActKind)


def _records() -> tuple[str, ...]:
    return record_kinds()


@cache
def candidate_names() -> tuple[str, ...]:
    """Return the names of the features of a candidate."""
    return (
        *(f"kind={kind.value}" for kind in _KINDS),
        *(f"record={record}" for record in _records()),
        *(f"asks={slot.value}" for slot in ASKED),
        *_OF_CANDIDATE,
        *(f"fit_{name}" for name in CLASSES),
    )


@cache
def context_names() -> tuple[str, ...]:
    """Return the names of the features of the context."""
    return (
        *_OF_CONTEXT,
        *(f"act={kind.value}" for kind in ACTS),
        *(f"told={slot.value}" for slot in ASKED),
        *(f"asked={slot.value}" for slot in ASKED),
        *(f"heard_{name}" for name in CLASSES),
    )


_OF_CANDIDATE = (
    "done",
    "tool_done",
    "refused",
    "latest_goal",
    "goal_made",
    "goal_fits",
    "goal_heard",
    "optional",
    "stands_in",
    "met",
    "missed",
    "unknown",
    "share_met",
    "fits_all",
    "rank",
    "best",
    "price",
    "metres",
    "minutes",
    "complete",
    "slot_told",
    "slot_asked",
    "target_own",
    "target_unpaid",
    "target_cancelled",
    "target_reported",
    "nothing_open",
)
_OF_CONTEXT = (
    "bias",
    "turns",
    "utterances",
    "quiet",
    "new_points",
    "points_said",
    "refused",
    "profile_known",
    "records_known",
    "goals",
    "goals_made",
    "goals_fitting",
    "unpaid",
    "stale",
    "unreported",
    "nothing_open",
)


def rows_of(candidates: Sequence[Candidate]) -> NDArray[np.float32]:
    """Return the rows of candidates, as far as they depend on nothing else."""
    return np.array([_own_row(one) for one in candidates], np.float32)


def _own_row(one: Candidate) -> NDArray[np.float32]:
    if one.row is None:
        object.__setattr__(one, "row", _row(one))
    row: NDArray[np.float32] = one.row
    return row


def _row(one: Candidate) -> NDArray[np.float32]:
    row = _what(one.kind, one.record, one.slot).copy()
    found = one.fit
    judged = found.met + found.missed + found.unknown
    row[OWN] = (
        min(found.met, 12) / 12,
        min(found.missed, 4) / 4,
        min(found.unknown, 4) / 4,
        found.met / judged if judged else 0.0,
        judged > 0 and found.met == judged,
        1 / (1 + one.rank),
        one.rank == 0,
        _scaled(one.price, 200),
        _scaled(one.metres, 5000),
        _scaled(one.minutes, 60),
        one.complete,
    )
    if found.by_class:
        row[-len(CLASSES) :] = found.by_class
    return row


@cache
def _what(kind: Talk | Deed, record: str, slot: Slot | None) -> NDArray[np.float32]:
    """Return a row that says what a candidate is, and nothing else."""
    row = np.zeros(len(candidate_names()), np.float32)
    row[_KINDS.index(kind)] = 1
    if record:
        row[len(_KINDS) + _records().index(record)] = 1
    if slot is not None:
        row[len(_KINDS) + len(_records()) + ASKED.index(slot)] = 1
    return row


class _Places(dict[str, int]):
    """Name of a feature of a candidate -> its column, made when it is first asked for."""

    def __missing__(self, name: str) -> int:
        self.update((known, column) for column, known in enumerate(candidate_names()))
        return self[name]


AT = _Places()
_FIRST = len(_KINDS) + len(_records()) + len(ASKED)
OWN = slice(_FIRST + _OF_CANDIDATE.index("met"), _FIRST + _OF_CANDIDATE.index("complete") + 1)
GOAL = slice(_FIRST + _OF_CANDIDATE.index("latest_goal"), _FIRST + _OF_CANDIDATE.index("stands_in") + 1)
SLOT = slice(_FIRST + _OF_CANDIDATE.index("slot_told"), _FIRST + _OF_CANDIDATE.index("slot_asked") + 1)
TARGET = slice(_FIRST + _OF_CANDIDATE.index("target_own"), _FIRST + _OF_CANDIDATE.index("target_reported") + 1)


def _scaled(value: float | None, unit: float) -> float:
    return -1.0 if value is None else min(value / unit, 4.0)
