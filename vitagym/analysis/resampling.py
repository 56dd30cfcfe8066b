"""How many trials a task are enough: the error of k trials, for every k (paper: section 5.1, figure 7).

The paper draws sets of k among 32 runs and compares their mean with the mean of all 32. The mean squared error of all
such draws has a closed form, so nothing is drawn here: for a task with n trials of variance σ² (about their own mean),
k of them, drawn without replacement, miss it by σ²/k · (n − k)/(n − 1) on average.

Two things follow that a figure does not show. The error falls from k = 1 to k by the share 1 − (n − k)/(k(n − 1)),
whatever the agent: for n = 32 and k = 4 that is 77.4 %, where the paper reports 77.5 % from draws. And it falls to zero
at k = n by construction, so it understates the error against the agent's true rate. ``Point`` therefore also has the
standard error that k trials leave (unbiased, from the spread within tasks), in the units of the metric, and beside it
the error from having just these tasks, which no number of trials takes away.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from vitagym.analysis.metrics import METRICS, Metric
from vitagym.analysis.rows import Row
from vitagym.analysis.summary import task_values
from vitagym.errors import UnknownName

PAPER_REDUCTION = {4: 0.775}
"""By which share the paper reports the error to fall from k = 1, of 32 trials (section 5.1)."""


@dataclass(frozen=True, slots=True)
class Point:
    """The error of k trials a task.

    Attributes:
        k: Trials a task.
        tasks: The tasks it rests on: those with k trials at least, and two.
        mse: Mean squared error of the mean over these tasks against that of all their trials.
        reduction: By which share that is less than at k = 1, on the same tasks; None where there is no error at k = 1.
        standard_error: Of the mean over tasks with k trials each, against the agent's true rate on these tasks.
        total_error: The same against its rate on tasks of this kind: with the error from having just these.
    """

    k: int
    tasks: int
    mse: float
    reduction: float | None
    standard_error: float
    total_error: float | None

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


def trials_needed(rows: Iterable[Row], metric: str = "success") -> list[Point]:
    """Return the error of k trials for k = 1 … n, for rows of one condition.

    Args:
        rows: The rows.
        metric: Of which metric.
    """
    values = [found for found in task_values(rows, _named(metric)) if len(found) > 1]
    most = max(map(len, values), default=0)
    return [_point([found for found in values if len(found) >= k], k) for k in range(1, most + 1)]


def fewest_trials(points: Sequence[Point], standard_error: float) -> int | None:
    """Return the fewest trials that leave no more than this standard error; None where none of them does."""
    return next((point.k for point in points if point.standard_error <= standard_error), None)


def _point(values: Sequence[Sequence[float]], k: int) -> Point:
    tasks = len(values)
    error, first, within = (
        sum(form(found) for found in values) / tasks**2
        for form in (lambda found: _error(found, k), lambda found: _error(found, 1), _variance)
    )
    between = None
    if tasks > 1:
        means = [sum(found) / len(found) for found in values]
        # The spread of observed means holds what the trials add; with k trials each there is more or less of that.
        added = sum(_variance(found) / len(found) for found in values) / tasks
        between = max(0.0, _variance(means) - added) / tasks
    return Point(
        k=k,
        tasks=tasks,
        mse=error,
        reduction=1 - error / first if first else None,
        standard_error=math.sqrt(within / k),
        total_error=None if between is None else math.sqrt(within / k + between),
    )


def _error(values: Sequence[float], k: int) -> float:
    """Return the mean squared error of the mean of k values, drawn without replacement, against the mean of all."""
    n = len(values)
    return _variance(values) * (n - 1) / n / k * (n - k) / (n - 1)


def _variance(values: Sequence[float]) -> float:
    """Return the unbiased variance of two values or more."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _named(metric: str) -> Metric:
    if metric not in METRICS:
        raise UnknownName("metric", metric, METRICS)
    return METRICS[metric]
