"""The features of the symbolic view: a row for each candidate, and a context, written anew at every step."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.rl.belief import Belief
from vitagym.rl.kinds import Candidate
from vitagym.rl.listing import Listing
from vitagym.rl.rows import ACTS, AT, GOAL, SLOT, TARGET
from vitagym.rl.standing import Standing
from vitagym.rl.talking import ASKED


class Features:
    """Turns a belief and its candidates into arrays.

    Args:
        candidates: How many candidates there may be.
        order: The order in which an episode shows them: drawn, so that a place tells nothing.

    Attributes:
        candidates: The candidates in the order of their rows.
    """

    def __init__(self, candidates: int, order: NDArray[np.intp] | None = None) -> None:
        self._most = candidates
        self._order: NDArray[np.intp] = np.arange(candidates) if order is None else order
        self._places = self._order[:0]
        self._listing: Listing | None = None
        self.candidates: tuple[Candidate, ...] = ()

    def fork(self) -> Features:
        """Return one that goes on by itself."""
        return copy(self)

    def of(self, belief: Belief, listing: Listing) -> dict[str, NDArray[Any]]:
        """Return ``ctx``, ``cand`` and ``mask``, in new arrays."""
        count = len(listing.candidates)
        if listing is not self._listing:
            self._listing = listing
            self._places = self._order[self._order < count]
            self.candidates = tuple([listing.candidates[place] for place in self._places.tolist()])
        state, rows = listing.standing, listing.rows.copy()
        _write_counts(belief, listing, rows)
        if state.nothing_open:
            rows[:, AT["nothing_open"]] = 1
        for key, goal in state.goals.items():
            if (about := listing.by_goal.get(key)) is not None:
                rows[about, GOAL] = (key == state.latest, *goal.row)
        told = [slot in belief.told for slot in ASKED]
        times = belief.asked.get
        asked = [min(times(slot, 0), 3) / 3 for slot in ASKED]
        rows[: len(ASKED), SLOT.start] = told
        rows[: len(ASKED), SLOT.stop - 1] = asked
        for target, about in listing.by_target.items():
            record = belief.records.get(target)
            if record is not None:
                same = belief.reported.get(target) == record
                due = record.status == "unpaid" or record.due > 0
                rows[about, TARGET] = (target in belief.own, due, record.status == "cancelled", same)
        cand = np.zeros((self._most, rows.shape[1]), np.float32)
        rows.take(self._places, axis=0, out=cand[:count], mode="clip")
        mask = np.zeros(self._most, np.int8)
        mask[:count] = 1
        context = [*_context(belief, state), *told, *asked, *state.heard]
        return {"ctx": np.array(context, np.float32), "cand": cand, "mask": mask}


def _write_counts(belief: Belief, listing: Listing, rows: NDArray[np.float32]) -> None:
    for tool, count in belief.by_tool.items():
        if (about := listing.by_tool.get(tool)) is not None:
            rows[about, AT["tool_done"]] = min(count, 5) / 5
    for key, count in belief.done.items():
        if (row := listing.by_call.get(key)) is not None:
            rows[row, AT["done"]] = min(count, 3) / 3
            rows[row, AT["refused"]] = key in belief.failed


def _context(belief: Belief, state: Standing) -> list[float]:
    kinds = belief.last_kinds
    changed = (belief.records[one] for one in (*belief.own, *belief.touched))
    unreported = sum(belief.reported.get(record.id) != record for record in changed)
    return [
        1.0,
        min(belief.turns, 120) / 60,
        min(belief.utterances, 40) / 20,
        min(belief.quiet, 4) / 4,
        min(belief.new_points, 3) / 3,
        min(len(belief.said), 20) / 10,
        belief.last_code not in ("", "ok"),
        bool(belief.user_id),
        bool(belief.records),
        *state.totals,
        min(unreported, 2) / 2,
        state.nothing_open,
        *[kind in kinds for kind in ACTS],
    ]
