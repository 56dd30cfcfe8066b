"""The features of the symbolic view: a row for each candidate, and a context, written anew at every step."""

from __future__ import annotations

from copy import copy
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


class Features:
    """Turns a belief and its candidates into arrays.

    Args:
        candidates: How many candidates there may be.
        order: The order in which an episode shows them: drawn, so that a place tells nothing.
    """

    def __init__(self, candidates: int, order: NDArray[np.intp] | None = None) -> None:
        self._most = candidates
        self._numbers: NDArray[np.intp] = np.arange(candidates)
        self._order: NDArray[np.intp] = self._numbers if order is None else order
        self._listing: Listing | None = None
        self._from: NDArray[np.intp] = self._order[:0]
        self._to: NDArray[np.intp] = self._from
        self._tool_of: NDArray[np.intp] = self._from
        self._told_slots: frozenset[Slot] | None = None
        self._asked_slots: tuple[Slot, ...] | None = None
        self._slots: NDArray[np.float32] = np.zeros((len(ASKED), 2), np.float32)
        self._said: NDArray[np.float32] = self._slots

    def fork(self) -> Features:
        """Return one that goes on by itself."""
        return copy(self)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates in the order of their places."""
        every = self._listing.candidates if self._listing else ()
        return tuple([every[row] for row in self._from.tolist()])

    def candidate(self, place: int) -> Candidate | None:
        """Return the candidate in a place; None where there is none."""
        if self._listing is None or not 0 <= place < len(self._from):
            return None
        return self._listing.candidates[self._from[place]]

    def of(self, belief: Belief, listing: Listing) -> dict[str, NDArray[Any]]:
        """Return ``ctx``, ``cand`` and ``mask``, in new arrays."""
        if listing is not self._listing:
            self._place(listing)
        if belief.told is not self._told_slots or belief.asked is not self._asked_slots:
            self._told_slots, self._asked_slots = belief.told, belief.asked
            told, asked = belief.told, belief.asked
            self._slots = np.array([(slot in told, min(asked.count(slot), 3) / 3) for slot in ASKED], np.float32)
            self._said = self._slots.T.ravel()
        count = len(listing.candidates)
        cand = np.zeros((self._most, listing.rows.shape[1]), np.float32)
        listing.rows.take(self._from, axis=0, out=cand[:count], mode="clip")
        self._write_calls(belief, listing, cand)
        cand[self._to[: len(ASKED)], SLOT] = self._slots
        for record, about in listing.targets:
            said = belief.reported.get(record.id)
            if said is record or said == record:
                for row in about:
                    cand[self._to[row], _REPORTED] = 1
        mask = np.zeros(self._most, np.int8)
        mask[:count] = 1
        return {"ctx": self._context(belief, listing.standing), "cand": cand, "mask": mask}

    def _place(self, listing: Listing) -> None:
        """Give each candidate its place."""
        count = len(listing.candidates)
        self._listing = listing
        self._from = self._order[self._order < count]
        self._to = np.empty(count, np.intp)
        self._to[self._from] = self._numbers[:count]
        self._tool_of = listing.tool_of.take(self._from)

    def _write_calls(self, belief: Belief, listing: Listing, cand: NDArray[np.float32]) -> None:
        """Write how often each call was made, and each tool called."""
        cand[: len(self._tool_of), AT["tool_done"]] = belief.tool_shares.take(self._tool_of)
        done, refused, failed, to = AT["done"], AT["refused"], belief.failed, self._to
        for key in listing.by_call.keys() & belief.done.keys():
            place = to[listing.by_call[key]]
            cand[place, done] = min(belief.done[key], 3) / 3
            if key in failed:
                cand[place, refused] = 1

    def _context(self, belief: Belief, state: Standing) -> NDArray[np.float32]:
        context = np.empty(len(context_names()), np.float32)
        now = _now(belief, state)
        own, slots = len(now), len(ASKED)
        context[:own] = now
        context[own : own + 2 * slots] = self._said
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
