"""Means over tasks, with 95 % intervals clustered by task.

Episodes on the same task are alike, so a task is what is drawn. The interval of a mean over tasks is a cluster
bootstrap: tasks are drawn anew, with replacement and from a seed, each with all its episodes. Where no task differs
from another and the value is a share at 0 or 1, drawing tasks would always give the same: the Wilson interval of as
many successes as there are tasks then stands in its place. One task alone has no interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.randomness import Stream

Array = NDArray[np.float64]
RESAMPLES = 1000
LEVEL = 0.95
Z_95 = 1.959963984540054
"""Half the width of a 95 % interval of the normal distribution, in standard deviations."""


class Method(StrEnum):
    """Where an interval comes from."""

    BOOTSTRAP = "bootstrap over tasks"
    WILSON = "Wilson over tasks"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, its interval, and what it rests on.

    Attributes:
        value: Mean over tasks of the mean over a task's episodes; None where there is nothing to take the mean of.
        low, high: The 95 % interval; None where there is none.
        method: How the interval was got.
        episodes: How many episodes the figure rests on.
        tasks: How many tasks.
    """

    value: float | None
    low: float | None
    high: float | None
    method: Method
    episodes: int
    tasks: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends of the interval; None where there is none."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


def mean_over_tasks(
    values: Sequence[float],
    episodes: int,
    *,
    share: bool = False,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Figure:
    """Return the mean of one value a task, with its interval.

    Args:
        values: One value a task.
        episodes: How many episodes they come from.
        share: Whether they lie between 0 and 1, so that a Wilson interval can stand in.
        seed: Fixes the tasks that are drawn.
        resamples: How often tasks are drawn.
    """
    tasks = len(values)
    if not tasks:
        return Figure(None, None, None, Method.NONE, episodes, 0)
    array = np.asarray(values, dtype=np.float64)
    mean = float(array.mean())
    if tasks == 1:
        return Figure(mean, None, None, Method.NONE, episodes, 1)
    if share and mean in (0.0, 1.0):
        return Figure(mean, *wilson(round(mean * tasks), tasks), Method.WILSON, episodes, tasks)
    low, high = percentiles(drawn_weights(tasks, seed, resamples) @ array / tasks)
    return Figure(mean, low, high, Method.BOOTSTRAP, episodes, tasks)


def difference_of_shares(
    one: Sequence[float], other: Sequence[float], episodes: int, *, seed: int = 0, resamples: int = RESAMPLES
) -> Figure:
    """Return the mean share of one set of tasks less that of another, tasks of both drawn anew, each on its own.

    Where no task of either differs from another of its set, Newcombe's interval from both Wilson intervals stands in.
    """
    if not one or not other:
        return Figure(None, None, None, Method.NONE, episodes, len(one) + len(other))
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    means = float(a.mean()), float(b.mean())
    value, tasks = means[0] - means[1], len(a) + len(b)
    if len(a) == 1 or len(b) == 1:
        return Figure(value, None, None, Method.NONE, episodes, tasks)
    if all(mean in (0.0, 1.0) for mean in means):
        (low_a, high_a), (low_b, high_b) = (
            wilson(round(mean * len(values)), len(values)) for mean, values in zip(means, (a, b), strict=True)
        )
        low = value - math.hypot(means[0] - low_a, high_b - means[1])
        high = value + math.hypot(high_a - means[0], means[1] - low_b)
        return Figure(value, low, high, Method.WILSON, episodes, tasks)
    first = drawn_weights(len(a), seed, resamples) @ a / len(a)
    second = drawn_weights(len(b), seed + 1, resamples) @ b / len(b)
    low, high = percentiles(first - second)
    return Figure(value, low, high, Method.BOOTSTRAP, episodes, tasks)


@lru_cache(maxsize=32)
def drawn_weights(tasks: int, seed: int, resamples: int) -> Array:
    """Return how often each task was drawn in each resample; every row sums to the number of tasks."""
    stream = Stream(seed, f"analysis/resamples/{tasks}")
    drawn = np.array([[stream.below(tasks) for _ in range(tasks)] for _ in range(resamples)], dtype=np.int64)
    drawn += np.arange(resamples)[:, None] * tasks
    counts = np.bincount(drawn.ravel(), minlength=resamples * tasks).reshape(resamples, tasks).astype(np.float64)
    counts.flags.writeable = False
    return counts


def percentiles(values: Array | Sequence[float]) -> tuple[float, float]:
    """Return between which values the middle 95 % of them lie."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    out = int((1 - LEVEL) / 2 * len(ordered))
    return float(ordered[out]), float(ordered[-1 - out])


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    share, square = successes / trials, Z_95 * Z_95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z_95 * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)
