"""The features of the symbolic view: a row for each candidate, and a context. The names stand in their order.

All of them are small numbers, most between -1 and 1; shares and counts are cut at the top.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vitagym.dialogue.acts import UserActKind
from vitagym.rl.belief import Belief, Goal
from vitagym.rl.fitting import CLASSES, class_of, fit, plan_of
from vitagym.rl.kinds import Candidate, Fit, Talk
from vitagym.rl.talking import ASKED
from vitagym.rl.toolroles import Deed, record_kinds
from vitagym.tasks.constraints import Sense

_KINDS: tuple[Talk | Deed, ...] = (*Talk, *Deed)
_ACTS = tuple(UserActKind)
_GOALS = 4


def _records() -> tuple[str, ...]:
    return record_kinds()


def candidate_names() -> tuple[str, ...]:
    """Return the names of the features of a candidate."""
    return (
        *(f"kind={kind.value}" for kind in _KINDS),
        *(f"record={record}" for record in _records()),
        *(f"asks={slot.value}" for slot in ASKED),
        *_OF_CANDIDATE,
        *(f"fit_{name}" for name in CLASSES),
    )


def context_names() -> tuple[str, ...]:
    """Return the names of the features of the context."""
    return (
        *_OF_CONTEXT,
        *(f"act={kind.value}" for kind in _ACTS),
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
    "optional",
    "stands_in",
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


class Features:
    """Writes the features of a belief and its candidates into arrays that are there already.

    Args:
        candidates: How many candidates there may be.
    """

    def __init__(self, candidates: int) -> None:
        self._kinds = {kind: n for n, kind in enumerate(_KINDS)}
        self._records = {kind: len(_KINDS) + n for n, kind in enumerate(_records())}
        self._slots = {slot: len(_KINDS) + len(self._records) + n for n, slot in enumerate(ASKED)}
        self._rest = len(_KINDS) + len(self._records) + len(ASKED)
        self.cand: NDArray[np.float32] = np.zeros((candidates, len(candidate_names())), np.float32)
        self.ctx: NDArray[np.float32] = np.zeros(len(context_names()), np.float32)
        self.mask: NDArray[np.int8] = np.zeros(candidates, np.int8)

    def write(self, belief: Belief, listed: list[Candidate]) -> None:
        """Write everything."""
        state = _State(belief)
        self.cand[:] = 0
        self.mask[:] = 0
        self.mask[: len(listed)] = 1
        rows = [self._row(belief, state, candidate, row) for candidate, row in zip(listed, self.cand, strict=False)]
        if rows:
            self.cand[: len(rows), self._rest :] = rows
        self.ctx[:] = _context(belief, state)

    def _row(self, belief: Belief, state: _State, one: Candidate, row: NDArray[np.float32]) -> list[float]:
        """Write what a candidate is into its row; return the rest of the row."""
        row[self._kinds[one.kind]] = 1
        if one.record:
            row[self._records[one.record]] = 1
        if one.slot is not None:
            row[self._slots[one.slot]] = 1
        found, goal = one.fit, state.goals.get(one.goal)
        key = state.key(one)
        record = belief.records.get(one.target)
        judged = found.met + found.missed + found.unknown
        return [
            min(belief.done[key], 3) / 3,
            min(state.by_tool.get(one.tool, 0), 5) / 5,
            float(key in belief.failed),
            float(one.goal == state.latest and bool(one.goal)),
            float(goal is not None and goal.made),
            float(goal is not None and goal.fits),
            0.0 if goal is None else min(goal.heard, 12) / 12,
            min(found.met, 12) / 12,
            min(found.missed, 4) / 4,
            min(found.unknown, 4) / 4,
            found.met / judged if judged else 0.0,
            float(judged > 0 and found.met == judged),
            1 / (1 + one.rank),
            float(one.rank == 0),
            _scaled(one.price, 200),
            _scaled(one.metres, 5000),
            _scaled(one.minutes, 60),
            float(one.complete),
            float(one.slot in belief.told) if one.slot else 0.0,
            min(belief.asked[one.slot], 3) / 3 if one.slot else 0.0,
            float(one.target in belief.own) if one.target else 0.0,
            float(record is not None and (record.status == "unpaid" or record.due > 0)),
            float(record is not None and record.status == "cancelled"),
            float(record is not None and belief.reported.get(one.target) == record),
            float(state.nothing_open),
            float(goal is not None and goal.optional),
            float(goal is not None and goal.stands_in),
            *(found.by_class or _NO_CLASSES),
        ]


_NO_CLASSES = (0,) * len(CLASSES)


class _GoalState:
    """How far a goal is: whether a record stands for it, and whether that meets all that was heard."""

    __slots__ = ("fits", "heard", "made", "optional", "stale", "stands_in", "unpaid")

    def __init__(self, belief: Belief, goal: Goal) -> None:
        self.heard = len(goal.heard)
        self.optional = any(c.optional for c in goal.heard)
        self.stands_in = any(c.instead_of for c in goal.heard)
        alive = belief.alive(goal)
        existing = goal.of(Sense.EXISTING)
        if existing is not None and existing.text in belief.records:
            alive = (*alive, belief.records[existing.text])
        fits = [fit(belief, goal, plan_of(belief, goal, record)) for record in alive]
        self.made = bool(alive)
        self.fits = any(_whole(found) for found in fits)
        self.stale = any(found.missed for found in fits)
        self.unpaid = any(record.status == "unpaid" or record.due > 0 for record in alive)


def _whole(found: Fit) -> bool:
    return found.missed == 0 and found.unknown == 0


class _State:
    """What many features look at."""

    __slots__ = ("by_tool", "goals", "latest", "nothing_open", "unreported")

    def __init__(self, belief: Belief) -> None:
        self.goals = {key: _GoalState(belief, goal) for key, goal in belief.goals.items()}
        self.latest = next(reversed(belief.goals), "")
        self.by_tool: dict[str, int] = {}
        for (tool, _), count in belief.done.items():
            self.by_tool[tool] = self.by_tool.get(tool, 0) + count
        changed = (belief.records[one] for one in (*belief.own, *belief.touched))
        self.unreported = sum(belief.reported.get(record.id) != record for record in changed)
        states = self.goals.values()
        self.nothing_open = bool(states) and all(s.made and s.fits and not s.unpaid for s in states)

    @staticmethod
    def key(one: Candidate) -> tuple[str, str]:
        """Return the key under which the belief counts calls like this one."""
        return (one.tool, one.raw)


def _context(belief: Belief, state: _State) -> list[float]:
    states = state.goals.values()
    heard = [0.0] * len(CLASSES)
    for goal in belief.goals.values():
        for constraint in goal.heard:
            heard[class_of(constraint)] += 1
    kinds = belief.last_kinds
    return [
        1.0,
        min(belief.turns, 120) / 60,
        min(belief.utterances, 40) / 20,
        min(belief.quiet, 4) / 4,
        min(belief.new_points, 3) / 3,
        min(len(belief.said), 20) / 10,
        float(belief.last_code not in ("", "ok")),
        float(bool(belief.user_id)),
        float(bool(belief.records)),
        min(len(belief.goals), _GOALS) / _GOALS,
        min(sum(s.made for s in states), _GOALS) / _GOALS,
        min(sum(s.fits for s in states), _GOALS) / _GOALS,
        min(sum(s.unpaid for s in states), 2) / 2,
        min(sum(s.stale for s in states), 2) / 2,
        min(state.unreported, 2) / 2,
        float(state.nothing_open),
        *(float(kind in kinds) for kind in _ACTS),
        *(float(slot in belief.told) for slot in ASKED),
        *(min(belief.asked[slot], 3) / 3 for slot in ASKED),
        *(min(count, 4) / 4 for count in heard),
    ]


def _scaled(value: float | None, unit: float) -> float:
    return -1.0 if value is None else min(value / unit, 4.0)
