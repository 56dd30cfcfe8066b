"""Failures counted over episodes: rubrics by what they are put down to, and episodes by what went wrong in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitagym.analysis.failures.behaviours import behaviours
from vitagym.analysis.failures.causes import causes
from vitagym.analysis.failures.kinds import Category, Failure, FailureType
from vitagym.analysis.failures.reading import Reading
from vitagym.analysis.intervals import RESAMPLES, Figure, Method, drawn_weights, percentiles
from vitagym.analysis.rows import Row, ended, task_of
from vitagym.analysis.tasks import FindTask, known_task


def find_failures(row: Row, task: FindTask = known_task) -> list[Failure]:
    """Return what went wrong in an episode: why each unmet rubric is not met, then what else agent and user did wrong.

    An episode that an endpoint cut off has no failures; neither have unscored rubrics.

    Args:
        row: The row.
        task: Gives the task of a row.
    """
    if not ended(row):
        return []
    reading = Reading(row, task(row))
    return [*causes(reading), *behaviours(reading)]


@dataclass(frozen=True, slots=True)
class FailureCounts:
    """What went wrong in some episodes.

    Attributes:
        episodes: Episodes that ended.
        failed_rubrics: Rubrics that are not met in them, unscored ones left out.
        rubrics: Type -> how many of those are put down to it.
        shares: Category -> its share of those that a rule explains, as the paper counts (section 5.3).
        unexplained: Rubrics that no rule explains.
        seen: Type -> in how many episodes it happened, whether or not a rubric is put down to it.
    """

    episodes: int
    failed_rubrics: int
    rubrics: dict[FailureType, int]
    shares: dict[Category, Figure]
    unexplained: int
    seen: dict[FailureType, int]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {
            "episodes": self.episodes,
            "failed_rubrics": self.failed_rubrics,
            "rubrics": {what.value: count for what, count in self.rubrics.items()},
            "shares": {category.value: figure.data() for category, figure in self.shares.items()},
            "unexplained": self.unexplained,
            "seen": {what.value: count for what, count in self.seen.items()},
        }


def count_failures(
    rows: Iterable[Row], task: FindTask = known_task, *, seed: int = 0, resamples: int = RESAMPLES
) -> FailureCounts:
    """Count what went wrong.

    Args:
        rows: The rows.
        task: Gives the task of a row.
        seed: Fixes the resampling of tasks for the intervals of the shares.
        resamples: How often tasks are drawn anew.
    """
    rubrics: Counter[FailureType] = Counter()
    seen: Counter[FailureType] = Counter()
    by_task: dict[str, Counter[Category | None]] = {}
    episodes = 0
    for row in rows:
        if not ended(row):
            continue
        episodes += 1
        found = find_failures(row, task)
        seen.update({failure.type for failure in found})
        for failure in found:
            rubrics[failure.type] += len(failure.rubrics)
            by_task.setdefault(task_of(row), Counter())[failure.type.category] += len(failure.rubrics)
    tasks = [by_task[key] for key in sorted(by_task)]
    return FailureCounts(
        episodes=episodes,
        failed_rubrics=sum(rubrics.values()),
        rubrics={what: rubrics[what] for what in FailureType if rubrics[what]},
        shares={category: _share(tasks, category, episodes, seed, resamples) for category in Category},
        unexplained=rubrics[FailureType.UNEXPLAINED],
        seen={what: seen[what] for what in FailureType if seen[what]},
    )


def _share(
    tasks: list[Counter[Category | None]], category: Category, episodes: int, seed: int, resamples: int
) -> Figure:
    """Return the share of a category among the explained rubrics of some tasks, tasks drawn anew."""
    ours = np.array([counts[category] for counts in tasks], dtype=np.float64)
    all_of_them = np.array([sum(counts[c] for c in Category) for counts in tasks], dtype=np.float64)
    total = float(all_of_them.sum())
    if not total:
        return Figure(None, None, None, Method.NONE, episodes, len(tasks))
    share = float(ours.sum()) / total
    if len(tasks) == 1:
        return Figure(share, None, None, Method.NONE, episodes, 1)
    weights = drawn_weights(len(tasks), seed, resamples)
    drawn = weights @ all_of_them
    low, high = percentiles((weights @ ours)[drawn > 0] / drawn[drawn > 0])
    return Figure(share, low, high, Method.BOOTSTRAP, episodes, len(tasks))
