"""The features of the symbolic view: a row for each candidate, and a context, written anew at every step."""

from __future__ import annotations

from copy import copy
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.dialogue.acts import Slot
from vitagym.rl.belief import Belief
from vitagym.rl.kinds import Candidate
from vitagym.rl.listing import Listing
from vitagym.rl.rows import ACTS, DONE, NOW, REFUSED, SLOT, TARGET, TOOL_DONE
from vitagym.rl.standing import Standing
from vitagym.rl.talking import ASKED

_ACTS = {kind: number for number, kind in enumerate(ACTS)}
_SLOTS = {slot: number for number, slot in enumerate(ASKED)}
_SAID = Struct(f"={2 * len(ASKED)}f")
_REPORTED = TARGET.stop - 1
_BYTES = bytes(range(256))


class Features:
    """Turns a belief and its candidates into arrays.

    Args:
        candidates: How many candidates there may be.
        order: The order in which an episode shows them, each a byte: drawn, so that a place tells nothing.
    """

    def __init__(self, candidates: int, order: bytes = b"") -> None:
        self._most = candidates
        self._order = order
        self._masks: NDArray[np.int8] = np.repeat(np.array((1, 0), np.int8), candidates)
        self._listing: Listing | None = None
        self._shown = b""
        self._from: NDArray[np.intp] = np.zeros(0, np.intp)
        self._tool_of: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._told: frozenset[Slot] = frozenset()
        self._asked: tuple[Slot, ...] = ()
        self._slots: dict[tuple[int, int], float] = {}
        self._said = bytes(8 * len(ASKED))

    def fork(self) -> Features:
        """Return one that goes on by itself."""
        return copy(self)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates in the order of their places."""
        every = self._listing.candidates if self._listing else ()
        return tuple([every[row] for row in self._shown])

    def candidate(self, place: int) -> Candidate | None:
        """Return the candidate in a place; None where there is none."""
        if self._listing is None or not 0 <= place < len(self._shown):
            return None
        return self._listing.candidates[self._shown[place]]

    def of(self, belief: Belief, listing: Listing) -> dict[str, NDArray[Any]]:
        """Return ``ctx``, ``cand`` and ``mask``, in new arrays."""
        if listing is not self._listing:
            self._place(listing)
        if belief.told is not self._told or belief.asked is not self._asked:
            self._follow(belief)
        cand = listing.rows.take(self._from, axis=0, mode="clip")
        cand[:, TOOL_DONE] = belief.tool_shares.take(self._tool_of)
        place_of = self._shown.index
        for (row, column), value in self._slots.items():
            cand[place_of(row), column] = value
        self._write_calls(belief, listing, cand)
        for record, about in listing.targets:
            said = belief.reported.get(record.id)
            if said is record or said == record:
                for row in about:
                    cand[place_of(row), _REPORTED] = 1
        count = len(self._shown)
        mask = self._masks[self._most - count : 2 * self._most - count].copy()
        return {"ctx": self._context(belief, listing.standing), "cand": cand, "mask": mask}

    def _place(self, listing: Listing) -> None:
        """Give each candidate its place; the places left over show the row that stands for none."""
        count = len(listing.candidates)
        self._listing = listing
        self._shown = self._order.translate(None, _BYTES[count:])
        rows = self._shown + _BYTES[count : count + 1] * (self._most - count)
        self._from = np.frombuffer(rows, np.uint8).astype(np.intp)
        self._tool_of = listing.tool_of.take(self._from)

    def _follow(self, belief: Belief) -> None:
        """Take in what slots were spoken of and asked about since."""
        told = [slot for slot in belief.told if slot in _SLOTS]
        asked = {slot: min(belief.asked.count(slot), 3) / 3 for slot in belief.asked}
        self._slots = {
            **{(_SLOTS[slot], SLOT.start): 1.0 for slot in told},
            **{(_SLOTS[slot], SLOT.start + 1): share for slot, share in asked.items()},
        }
        said = [0.0] * (2 * len(ASKED))
        for slot in told:
            said[_SLOTS[slot]] = 1.0
        for slot, share in asked.items():
            said[len(ASKED) + _SLOTS[slot]] = share
        self._told, self._asked, self._said = belief.told, belief.asked, _SAID.pack(*said)

    def _write_calls(self, belief: Belief, listing: Listing, cand: NDArray[np.float32]) -> None:
        """Write how often each call was made, and whether it was refused."""
        row_of, place_of = listing.by_call.get, self._shown.index
        for key, count in belief.done.items():
            row = row_of(key)
            if row is not None:
                cand[place_of(row), DONE] = count / 3 if count < 3 else 1.0
        for key in belief.failed:
            row = row_of(key)
            if row is not None:
                cand[place_of(row), REFUSED] = 1

    def _context(self, belief: Belief, state: Standing) -> NDArray[np.float32]:
        now = NOW.pack(*_now(belief, state))
        together = bytearray(b"".join((now, self._said, state.heard)))
        return np.ndarray((len(together) // 4,), np.float32, together)


def _now(belief: Belief, state: Standing) -> list[float]:
    """Return the features of the context that are about the moment."""
    unreported = 0
    for one in (*belief.own, *belief.touched):
        record, reported = belief.records[one], belief.reported.get(one)
        unreported += reported is not record and reported != record
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
