"""Pass@k, Pass^k and Avg@k of one task, from n trials of which c succeeded.

The paper writes Pass@k = 1 − (1 − p)ᵏ and Pass^k = pᵏ for a chance of success p (paper: section 4.1). Put c/n for p
and these are biased for small n. The forms here are the shares of all sets of k among the n trials in which one
succeeds, or all do: their expectation is the paper's value exactly, for every p and every n from k on.
"""

from __future__ import annotations

from math import comb


def avg_at(n: int, c: int) -> float:
    """Return the share of trials that succeed: Avg@k for every k (paper: section 4.1)."""
    _check(n, c, 1)
    return c / n


def pass_at(n: int, c: int, k: int) -> float:
    """Return Pass@k: the chance that one of k trials succeeds at least, 1 − C(n−c, k)/C(n, k) (paper: section 4.1)."""
    _check(n, c, k)
    return 1 - comb(n - c, k) / comb(n, k)


def pass_hat(n: int, c: int, k: int) -> float:
    """Return Pass^k: the chance that all of k trials succeed, C(c, k)/C(n, k) (paper: section 4.1)."""
    _check(n, c, k)
    return comb(c, k) / comb(n, k)


def _check(n: int, c: int, k: int) -> None:
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"n={n}, c={c}, k={k}: expected 0 ≤ c ≤ n and 1 ≤ k ≤ n")
