"""Rows summed up: every metric with its interval, Pass@k and Pass^k for k = 1 … n, and what they rest on.

Every figure is a mean over tasks of the mean over a task's trials, so that a task counts the same however often it was
played. Pass@k and Pass^k rest on the tasks with at least k scored trials, and say how many those are. Episodes that an
endpoint cut off, and unscored ones, are counted apart and are never failures. The order of the rows means nothing, not
even to the last digit: sums are rounded once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from vitagym.analysis.intervals import RESAMPLES, Figure, mean_over_tasks
from vitagym.analysis.metrics import METRICS, Metric, spent
from vitagym.analysis.rows import Outcome, Row, by_task, conditions, grouped, is_scored, outcome
from vitagym.analysis.trials import pass_at, pass_hat

BASELINES = ("reference", "noop", "random")
"""Agents that are no competitors but lines to compare with: the ceiling, doing nothing, and chance."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What some rows come to.

    Attributes:
        episodes: How many rows there are.
        tasks: On how many tasks.
        scored: Episodes of which it is known whether they succeeded.
        successes: Of those, successes.
        unscored: Episodes that ended and cannot be scored.
        endpoint: Episodes that an endpoint's failure cut off.
        trials: Number of scored trials -> how many tasks have so many.
        ends: End reason -> episodes.
        spent: What all of them cost, those cut off too, as far as prices are known.
        metrics: Metric -> its figure.
        pass_at: Pass@k for k = 1, 2, …
        pass_hat: Pass^k for k = 1, 2, …
    """

    episodes: int
    tasks: int
    scored: int
    successes: int
    unscored: int
    endpoint: int
    trials: dict[int, int]
    ends: dict[str, int]
    spent: float
    metrics: dict[str, Figure]
    pass_at: tuple[Figure, ...]
    pass_hat: tuple[Figure, ...]

    @property
    def is_even(self) -> bool:
        """Whether all tasks have the same number of scored trials."""
        return len(self.trials) <= 1

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "trials": {str(n): tasks for n, tasks in self.trials.items()},
            "metrics": {name: figure.data() for name, figure in self.metrics.items()},
            "pass_at": [figure.data() for figure in self.pass_at],
            "pass_hat": [figure.data() for figure in self.pass_hat],
        }


def summarise(rows: Iterable[Row], *, seed: int = 0, resamples: int = RESAMPLES) -> Summary:
    """Sum up rows of one condition.

    Args:
        rows: The rows.
        seed: Fixes the resampling of the intervals.
        resamples: How often tasks are drawn anew.
    """
    listed = list(rows)
    tasks = by_task(listed)
    outcomes = Counter(outcome(row) for row in listed)
    results = [(len(scored), successes) for scored, successes in map(_scored, tasks.values()) if scored]
    most = max((n for n, _ in results), default=0)

    def passes(form: Callable[[int, int, int], float]) -> tuple[Figure, ...]:
        figures = []
        for k in range(1, most + 1):
            enough = [(n, c) for n, c in results if n >= k]
            values = [form(n, c, k) for n, c in enough]
            episodes = sum(n for n, _ in enough)
            figures.append(mean_over_tasks(values, episodes, share=True, seed=seed, resamples=resamples))
        return tuple(figures)

    return Summary(
        episodes=len(listed),
        tasks=len(tasks),
        scored=sum(n for n, _ in results),
        successes=outcomes[Outcome.SUCCESS],
        unscored=outcomes[Outcome.UNSCORED],
        endpoint=outcomes[Outcome.ENDPOINT],
        trials=dict(sorted(Counter(len(_scored(found)[0]) for found in tasks.values()).items())),
        ends=dict(sorted(Counter(str(row["end_reason"]) for row in listed).items())),
        spent=fsum(spent(row) for row in listed),
        metrics={name: figure_of(listed, metric, seed=seed, resamples=resamples) for name, metric in METRICS.items()},
        pass_at=passes(pass_at),
        pass_hat=passes(pass_hat),
    )


def figure_of(rows: Iterable[Row], metric: Metric, *, seed: int = 0, resamples: int = RESAMPLES) -> Figure:
    """Return one metric over rows: mean over tasks of the mean over a task's episodes."""
    values = task_values(rows, metric)
    episodes = sum(len(found) for found in values)
    means = [fsum(found) / len(found) for found in values]
    return mean_over_tasks(means, episodes, share=metric.is_share, seed=seed, resamples=resamples)


def task_values(rows: Iterable[Row], metric: Metric) -> list[list[float]]:
    """Return for each task, by its id, the values of a metric that are known; tasks without any are left out."""
    found = [
        [value for row in of_task if (value := metric.value(row)) is not None] for of_task in by_task(rows).values()
    ]
    return [values for values in found if values]


def summarise_conditions(
    rows: Iterable[Row], by: Sequence[str] = (), *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, dict[str, dict[str, Summary]]]:
    """Sum up rows by condition, then overall and by group.

    Returns:
        Condition -> grouping -> group -> summary. The grouping ``all`` has one group, ``all``. Conditions of agents
        that are only lines to compare with (reference, doing nothing, random) come last.

    Raises:
        UnknownName: There is no such grouping.
    """
    out = {}
    for name, of_condition in ordered(conditions(rows)).items():
        summed = {"all": {"all": summarise(of_condition, seed=seed, resamples=resamples)}}
        for grouping in by:
            summed[grouping] = {
                group: summarise(found, seed=seed, resamples=resamples)
                for group, found in grouped(of_condition, grouping).items()
            }
        out[name] = summed
    return out


def ordered(by_condition: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Return conditions with those of the lines to compare with at the end."""

    def place(name: str) -> tuple[int, str]:
        agent = str(by_condition[name][0]["agent"])
        return (BASELINES.index(agent) + 1 if agent in BASELINES else 0, name)

    return {name: by_condition[name] for name in sorted(by_condition, key=place)}


def _scored(rows: Sequence[Row]) -> tuple[list[Row], int]:
    scored = [row for row in rows if is_scored(row)]
    return scored, sum(outcome(row) is Outcome.SUCCESS for row in scored)
