"""Shares: a sum handed out over tasks, each within its bounds, the same part of the way up for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from vitagym.generation.pools import CannotBuild


def shares(total: int, bounds: Sequence[tuple[int, int]]) -> list[int]:
    """Return whole numbers that sum to ``total``, each between its bounds.

    Raises:
        CannotBuild: The total lies outside the sums of the bounds.
    """
    low, high = sum(b[0] for b in bounds), sum(b[1] for b in bounds)
    if not low <= total <= high:
        raise CannotBuild(f"{total} lies outside of {low} to {high}")
    part = (total - low) / (high - low) if high > low else 0.0
    wanted = [bottom + part * (top - bottom) for bottom, top in bounds]
    out = [int(value) for value in wanted]
    # What rounding down has left over goes to the largest remainders.
    order = sorted(range(len(out)), key=lambda i: (out[i] - wanted[i], i))
    for i in order[: total - sum(out)]:
        out[i] += 1
    return out
