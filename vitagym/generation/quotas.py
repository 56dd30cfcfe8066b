"""Quotas: how many tasks of a set each family tells, as evenly as sums that must be reached allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_FEWEST = 3
"""No family tells fewer tasks of a set."""

_LARGEST_SHARE = 2.2
"""No family tells more than so many times an even share."""


@dataclass(frozen=True, slots=True)
class Need:
    """What the tasks of a family need, a task.

    Attributes:
        reasoning: Mean of reasoning points.
        providers, products, transactions: The fewest that its worlds can have, in the mean.
        most: How many tasks it can tell before they read alike.
    """

    reasoning: float
    providers: float
    products: float
    transactions: float
    most: int


@dataclass(frozen=True, slots=True)
class Aim:
    """What a set should come to, a task: the mean of reasoning points, and how large its worlds are."""

    reasoning: float
    providers: float
    products: float
    transactions: float


def quotas(needs: Mapping[str, Need], aim: Aim, tasks: int) -> dict[str, int]:
    """Return how many tasks each family tells.

    One task after another is handed from one family to another, as long as this brings the set nearer to its aim.
    """
    names = tuple(needs)
    counts = _even(needs, tasks)
    cost = _cost(counts, needs, aim, tasks)
    while True:
        best = (cost, "", "")
        for giver in names:
            if counts[giver] <= _FEWEST:
                continue
            for taker in names:
                if taker != giver and counts[taker] < min(needs[taker].most, _LARGEST_SHARE * tasks / len(names)):
                    moved = {**counts, giver: counts[giver] - 1, taker: counts[taker] + 1}
                    best = min(best, (_cost(moved, needs, aim, tasks), giver, taker))
        if best[0] >= cost - 1e-9:
            return counts
        cost, giver, taker = best
        counts[giver] -= 1
        counts[taker] += 1


def _even(needs: Mapping[str, Need], tasks: int) -> dict[str, int]:
    """Return an even share for each family, as far as it can tell so many; the rest goes to the others."""
    counts = dict.fromkeys(needs, 0)
    while sum(counts.values()) < tasks:
        open_to = [name for name in counts if counts[name] < needs[name].most] or list(counts)
        counts[min(open_to, key=lambda name: counts[name])] += 1
    return counts


def _cost(counts: Mapping[str, int], needs: Mapping[str, Need], aim: Aim, tasks: int) -> float:
    """Return how far a set is from its aim: from the mean, beyond what its worlds hold, and from an even share."""

    def mean(part: str) -> float:
        return sum(count * float(getattr(needs[name], part)) for name, count in counts.items()) / tasks

    off = abs(mean("reasoning") - aim.reasoning)
    cost = 1_000 * off**2
    for part in ("providers", "products", "transactions"):
        beyond = max(0.0, mean(part) / (0.93 * getattr(aim, part)) - 1)
        cost += 40_000 * beyond**2
    even = tasks / len(counts)
    return cost + sum(((count - even) / even) ** 2 for count in counts.values())
