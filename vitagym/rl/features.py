"""The features of the symbolic view: a row for each candidate, and a context, written anew at every step."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.dialogue.acts import Slot
from vitagym.rl.belief import Belief
from vitagym.rl.kinds import Candidate
from vitagym.rl.listing import Listing
from vitagym.rl.rows import ACTS, AT, SLOT, TARGET, context_names
from vitagym.rl.standing import Standing
from vitagym.rl.talking import ASKED

_ACTS = {kind: number for number, kind in enumerate(ACTS)}
_REPORTED = TARGET.stop - 1


class _Places:
    """Where so many candidates stand in an episode.

    Attributes:
        rows: The rows of a listing, in the order in which the episode shows them.
        of_row: Row -> its place.
        questions: The places of the questions, which come first in any listing.
        pick: Takes what stands in the order of a listing, and gives it in the order of the places.
    """

    __slots__ = ("of_row", "pick", "questions", "rows")

    def __init__(self, order: NDArray[np.intp], count: int) -> None:
        self.rows: NDArray[np.intp] = order[order < count]
        places = np.argsort(self.rows)
        self.of_row: list[int] = places.tolist()
        self.questions: NDArray[np.intp] = places[: len(ASKED)]
        self.pick: Callable[[tuple[Candidate, ...]], tuple[Candidate, ...]] = itemgetter(*self.rows.tolist())


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
        self._by_count: dict[int, _Places] = {}
        self._places = _Places(self._order, candidates)
        self._listing: Listing | None = None
        self._tool_of: NDArray[np.intp] = self._order[:0]
        self._told_slots: frozenset[Slot] | None = None
        self._asked_slots: tuple[Slot, ...] | None = None
        self._slots: NDArray[np.float32] = np.zeros((len(ASKED), 2), np.float32)
        self.candidates: tuple[Candidate, ...] = ()

    def fork(self) -> Features:
        """Return one that goes on by itself."""
        return copy(self)

    def of(self, belief: Belief, listing: Listing) -> dict[str, NDArray[Any]]:
        """Return ``ctx``, ``cand`` and ``mask``, in new arrays."""
        if listing is not self._listing:
            self._place(listing)
        if belief.told is not self._told_slots or belief.asked is not self._asked_slots:
            self._told_slots, self._asked_slots = belief.told, belief.asked
            told, asked = belief.told, belief.asked
            self._slots = np.array([(slot in told, min(asked.count(slot), 3) / 3) for slot in ASKED], np.float32)
        count, places = len(listing.candidates), self._places
        cand = np.zeros((self._most, listing.rows.shape[1]), np.float32)
        listing.rows.take(places.rows, axis=0, out=cand[:count], mode="clip")
        self._write_calls(belief, listing, cand)
        cand[places.questions, SLOT] = self._slots
        for record, about in listing.targets:
            said = belief.reported.get(record.id)
            if said is record or said == record:
                for row in about:
                    cand[places.of_row[row], _REPORTED] = 1
        mask = np.zeros(self._most, np.int8)
        mask[:count] = 1
        return {"ctx": self._context(belief, listing.standing), "cand": cand, "mask": mask}

    def _place(self, listing: Listing) -> None:
        """Give each candidate its place."""
        count = len(listing.candidates)
        places = self._by_count.get(count)
        if places is None:
            places = self._by_count[count] = _Places(self._order, count)
        self._listing, self._places = listing, places
        self._tool_of = listing.tool_of.take(places.rows)
        self.candidates = places.pick(listing.candidates)

    def _write_calls(self, belief: Belief, listing: Listing, cand: NDArray[np.float32]) -> None:
        """Write how often each call was made, and each tool called."""
        times = belief.by_tool.get
        counts = np.array([times(tool, 0) for tool in listing.tools], np.float32)
        cand[: len(self._tool_of), AT["tool_done"]] = (np.minimum(counts, 5) / 5).take(self._tool_of)
        done, refused, by_call, of_row = AT["done"], AT["refused"], listing.by_call.get, self._places.of_row
        for key, count in belief.done.items():
            if (row := by_call(key)) is not None:
                cand[of_row[row], done] = min(count, 3) / 3
                if key in belief.failed:
                    cand[of_row[row], refused] = 1

    def _context(self, belief: Belief, state: Standing) -> NDArray[np.float32]:
        context = np.empty(len(context_names()), np.float32)
        now = _now(belief, state)
        own, slots = len(now), len(ASKED)
        context[:own] = now
        context[own : own + 2 * slots] = self._slots.T.ravel()
        context[own + 2 * slots :] = state.heard
        return context


def _now(belief: Belief, state: Standing) -> list[float]:
    """Return the features of the context that are about the moment."""
    reported = belief.reported.get
    changed = [belief.records[one] for one in (*belief.own, *belief.touched)]
    unreported = sum([reported(record.id) != record for record in changed])
    acts = [0.0] * len(ACTS)
    for act in belief.acts:
        acts[_ACTS[act.kind]] = 1.0
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
        *acts,
    ]
