"""The features of a candidate: their names, and those that depend on nothing but the candidate.

All of them are small numbers, most between -1 and 1; shares and counts are cut at the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from vitagym.dialogue.acts import Slot, UserActKind
from vitagym.rl.classes import CLASSES
from vitagym.rl.kinds import Candidate, Fit, Talk
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


_OF_CANDIDATE = {
    "done": "how often just this call was made, of 3",
    "tool_done": "how often its tool was called, of 5",
    "refused": "whether just this call was refused when it was made last",
    "latest_goal": "whether it is for the goal that was heard of last",
    "goal_made": "whether a record stands for its goal",
    "goal_fits": "whether one does that meets all that was heard",
    "goal_heard": "constraints heard of its goal, of 12",
    "optional": "whether its goal is wanted only if there is something that would do",
    "stands_in": "whether its goal is wanted only if nothing would do for another",
    "met": "constraints that it, or what it concerns, meets, of 12",
    "missed": "constraints that it misses, of 4",
    "unknown": "constraints that cannot be judged yet, of 4",
    "share_met": "share of its goal's constraints that it meets",
    "fits_all": "whether it meets all of them, and there are some",
    "rank": "1 / (1 + its place among the calls that make a record for its goal)",
    "best": "whether it is the first of them",
    "price": "yuan / 200; -1: not known",
    "metres": "metres to the place that was spoken of / 5000; -1: not known",
    "minutes": "minutes on the way / 60; -1: not known",
    "complete": "whether nothing in it is guessed",
    "slot_told": "for a question: whether the user has spoken of the slot",
    "slot_asked": "for a question: how often it was asked, of 3",
    "target_own": "whether the record that it is about was made in this episode",
    "target_unpaid": "whether that record is unpaid, or something is due",
    "target_cancelled": "whether it is cancelled",
    "target_reported": "whether it was reported as it stands",
    "nothing_open": "whether a paid record that fits stands for every goal heard of",
}
"""Name -> meaning; the order is that of the columns."""
_OF_CONTEXT = {
    "bias": "always 1",
    "turns": "messages so far / 60",
    "utterances": "utterances of the agent / 20",
    "quiet": "the user's last utterances in a row that said nothing new, of 4",
    "new_points": "points said since the last action, of 3",
    "points_said": "points said so far / 10",
    "refused": "whether the last call was refused",
    "profile_known": "whether the user's profile was looked up",
    "records_known": "whether any record was seen",
    "goals": "goals heard of, of 4",
    "goals_made": "goals for which a record stands, of 4",
    "goals_fitting": "goals for which one stands that meets all that was heard, of 4",
    "unpaid": "goals with an unpaid record, of 2",
    "stale": "goals with a record that misses something that was heard, of 2",
    "unreported": "records that were not reported as they stand, of 2",
    "nothing_open": "as for candidates",
}
_GROUPS = {
    "kind=": "what a candidate does: an utterance, or a sort of call",
    "record=": "the kind of record that it is about",
    "asks=": "the slot that a question is about",
    "fit_": "what it meets (1), misses (-1) or leaves open (0) of a class of constraints",
    "act=": "whether the user's last utterance did this",
    "told=": "whether the user has spoken of the slot",
    "asked=": "how often the slot was asked about, of 3",
    "heard_": "constraints of the class that were heard, of 4",
}
"""Beginning of a name -> meaning."""


def meaning(name: str) -> str:
    """Return what a feature means, by its name."""
    for start, said in _GROUPS.items():
        if name.startswith(start):
            return said
    return _OF_CONTEXT.get(name) or _OF_CANDIDATE[name]


def candidate_meanings() -> dict[str, str]:
    """Return the features of a candidate, in their order, with their meanings."""
    return {name: _OF_CANDIDATE.get(name) or meaning(name) for name in candidate_names()}


def context_meanings() -> dict[str, str]:
    """Return the features of the context, in their order, with their meanings."""
    return {name: meaning(name) for name in context_names()}


def rows_of(candidates: Sequence[Candidate]) -> NDArray[np.float32]:
    """Return the rows of candidates, as far as they depend on nothing else, and one of zeros after them, new."""
    together = bytearray(b"".join([*[one.row or _own_row(one) for one in candidates], _NONE]))
    return np.ndarray((len(candidates) + 1, len(_NONE) // 4), np.float32, together)


def _own_row(one: Candidate) -> bytes:
    fits, by_class = _of_fit(one.fit)
    rest = _REST.pack(
        1 / (1 + one.rank),
        one.rank == 0,
        _scaled(one.price, 200),
        _scaled(one.metres, 5000),
        _scaled(one.minutes, 60),
        one.complete,
    )
    one.row = b"".join((_what(one.kind, one.record, one.slot), fits, rest, _BETWEEN, by_class))
    return one.row


@lru_cache(maxsize=16_384)
def _of_fit(found: Fit) -> tuple[bytes, bytes]:
    """Return the features that are about a fit: those that count constraints, and those by class."""
    judged = found.met + found.missed + found.unknown
    counts = _FITS.pack(
        min(found.met, 12) / 12,
        min(found.missed, 4) / 4,
        min(found.unknown, 4) / 4,
        found.met / judged if judged else 0.0,
        judged > 0 and found.met == judged,
    )
    return counts, _BY_CLASS.pack(*(found.by_class or _OPEN))


@cache
def _what(kind: Talk | Deed, record: str, slot: Slot | None) -> bytes:
    """Return the beginning of a row: what a candidate is."""
    row = np.zeros(OWN.start, np.float32)
    row[_KINDS.index(kind)] = 1
    if record:
        row[len(_KINDS) + _records().index(record)] = 1
    if slot is not None:
        row[len(_KINDS) + len(_records()) + ASKED.index(slot)] = 1
    return row.tobytes()


_COLUMNS = list(_OF_CANDIDATE)
_FIRST = len(_KINDS) + len(_records()) + len(ASKED)
DONE = _FIRST + _COLUMNS.index("done")
TOOL_DONE = _FIRST + _COLUMNS.index("tool_done")
REFUSED = _FIRST + _COLUMNS.index("refused")
NOTHING_OPEN = _FIRST + _COLUMNS.index("nothing_open")
OWN = slice(_FIRST + _COLUMNS.index("met"), _FIRST + _COLUMNS.index("complete") + 1)
GOAL = slice(_FIRST + _COLUMNS.index("latest_goal"), _FIRST + _COLUMNS.index("stands_in") + 1)
SLOT = slice(_FIRST + _COLUMNS.index("slot_told"), _FIRST + _COLUMNS.index("slot_asked") + 1)
NOW = Struct(f"={len(_OF_CONTEXT) + len(ACTS)}f")
"""The features of the context that are about the moment."""
_FITS, _REST = Struct("=5f"), Struct(f"={OWN.stop - OWN.start - 5}f")
_NONE = bytes(4 * (_FIRST + len(_COLUMNS) + len(CLASSES)))
_BETWEEN = bytes(4 * (_FIRST + len(_COLUMNS) - OWN.stop))
_BY_CLASS = Struct(f"={len(CLASSES)}f")
_OPEN = (0,) * len(CLASSES)
TARGET = slice(_FIRST + _COLUMNS.index("target_own"), _FIRST + _COLUMNS.index("target_reported") + 1)


def _scaled(value: float | None, unit: float) -> float:
    if value is None:
        return -1.0
    scaled = value / unit
    return scaled if scaled < 4.0 else 4.0
