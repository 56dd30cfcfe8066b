"""How well judgements agree with the truth: accuracy and Cohen's κ, each with an interval.

Judgements on the same task are alike, so intervals are drawn by resampling whole tasks. A judgement that was not given
(unscored) is counted apart, never as right or wrong; a κ that does not exist is a value with a name, never a zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vitagym.randomness import Stream

RESAMPLES = 1000
LEVEL = 0.95
Interval = tuple[float, float]
Cells = tuple[int, int, int, int]
"""Counts of (truth, judged): both true; true, judged false; false, judged true; both false."""


class Undefined(StrEnum):
    """Why a κ does not exist."""

    NOTHING_SCORED = "nothing scored"
    """There is no judgement to compare."""
    ONE_CLASS = "one class"
    """Truth and judge gave one and the same answer throughout: there is nothing that chance could get wrong."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement beside the truth.

    Attributes:
        task: Id of the task it is about.
        truth: Whether it is met.
        judged: What the judge says; None: unscored.
    """

    task: str
    truth: bool
    judged: bool | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came of comparing some judgements with the truth.

    Attributes:
        cells: Counts of the scored ones (see ``Cells``).
        unscored: How many were not given.
        accuracy: Share of the scored ones that are right; None where nothing was scored.
        accuracy_interval: Its interval, by resampling tasks.
        kappa: Cohen's κ, or why there is none.
        kappa_se: Its large-sample standard error, the judgements taken as independent; None where there is no κ.
        kappa_interval: Its interval, by resampling tasks; None where no resample has a κ.
        undefined_resamples: How many resamples have no κ; they are left out of its interval.
    """

    cells: Cells
    unscored: int
    accuracy: float | None
    accuracy_interval: Interval | None
    kappa: float | Undefined
    kappa_se: float | None
    kappa_interval: Interval | None
    undefined_resamples: int

    @property
    def scored(self) -> int:
        """How many judgements were compared."""
        return sum(self.cells)

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        found = {name: getattr(self, name) for name in self.__slots__}
        return {**found, "scored": self.scored, "kappa": None if isinstance(self.kappa, Undefined) else self.kappa} | (
            {"kappa_undefined": self.kappa.value} if isinstance(self.kappa, Undefined) else {}
        )


def agreement(judgements: Iterable[Judgement], *, seed: int = 0, resamples: int = RESAMPLES) -> Agreement:
    """Compare judgements with the truth.

    Args:
        judgements: The judgements.
        seed: Fixes the resampling.
        resamples: How many resamples the intervals are drawn from.
    """
    by_task: dict[str, list[int]] = {}
    unscored = 0
    for one in judgements:
        if one.judged is None:
            unscored += 1
            continue
        counts = by_task.setdefault(one.task, [0, 0, 0, 0])
        counts[2 * (not one.truth) + (not one.judged)] += 1
    tasks = [_cells(counts) for counts in by_task.values()]
    cells = _summed(tasks)
    kappa = cohens_kappa(cells)
    drawn = [_summed(sample) for sample in _resampled(tasks, seed, resamples)]
    accuracies = [share for one in drawn if (share := accuracy(one)) is not None]
    kappas = [value for one in drawn if not isinstance(value := cohens_kappa(one), Undefined)]
    return Agreement(
        cells=cells,
        unscored=unscored,
        accuracy=accuracy(cells),
        accuracy_interval=_interval(accuracies),
        kappa=kappa,
        kappa_se=None if isinstance(kappa, Undefined) else kappa_standard_error(cells),
        kappa_interval=_interval(kappas),
        undefined_resamples=len(drawn) - len(kappas),
    )


def accuracy(cells: Cells) -> float | None:
    """Return the share of judgements that are right; None where there are none."""
    total = sum(cells)
    return (cells[0] + cells[3]) / total if total else None


def cohens_kappa(cells: Cells) -> float | Undefined:
    """Return Cohen's κ: how much better than chance, with the same shares of answers, the judge agrees."""
    total = sum(cells)
    if not total:
        return Undefined.NOTHING_SCORED
    by_chance = _by_chance(cells)
    if by_chance == total * total:
        return Undefined.ONE_CLASS
    # In whole numbers to the last division, so that perfect agreement is exactly 1.
    return (total * (cells[0] + cells[3]) - by_chance) / (total * total - by_chance)


def kappa_standard_error(cells: Cells) -> float:
    """Return the large-sample standard error of κ (Fleiss, Cohen and Everitt, 1969); κ must exist."""
    total = sum(cells)
    kappa = cohens_kappa(cells)
    if isinstance(kappa, Undefined):
        raise ValueError(f"no standard error: κ is undefined ({kappa.value})")
    p = [[cells[0] / total, cells[1] / total], [cells[2] / total, cells[3] / total]]
    truth = [sum(row) for row in p]
    judged = [p[0][j] + p[1][j] for j in (0, 1)]
    chance = sum(truth[i] * judged[i] for i in (0, 1))
    agreeing = sum(p[i][i] * (1 - (truth[i] + judged[i]) * (1 - kappa)) ** 2 for i in (0, 1))
    apart = (1 - kappa) ** 2 * sum(p[i][j] * (judged[i] + truth[j]) ** 2 for i in (0, 1) for j in (0, 1) if i != j)
    variance = (agreeing + apart - (kappa - chance * (1 - kappa)) ** 2) / (total * (1 - chance) ** 2)
    return math.sqrt(max(0.0, variance))


def _by_chance(cells: Cells) -> int:
    """Return how many agreements chance would give, times the number of judgements."""
    both, missed, made_up, neither = cells
    return (both + missed) * (both + made_up) + (made_up + neither) * (missed + neither)


def _resampled(tasks: Sequence[Cells], seed: int, resamples: int) -> Iterable[list[Cells]]:
    """Yield samples of as many tasks as there are, each drawn with replacement."""
    stream = Stream(seed, "agreement/resamples")
    for _ in range(resamples if tasks else 0):
        yield [tasks[stream.below(len(tasks))] for _ in tasks]


def _summed(tasks: Sequence[Cells]) -> Cells:
    return _cells([sum(column) for column in zip(*tasks, strict=True)] if tasks else [0, 0, 0, 0])


def _cells(counts: Sequence[int]) -> Cells:
    both, missed, made_up, neither = counts
    return both, missed, made_up, neither


def _interval(values: Sequence[float]) -> Interval | None:
    """Return between which values the middle share of them lies."""
    if not values:
        return None
    ordered = sorted(values)
    out = int((1 - LEVEL) / 2 * len(ordered))
    return ordered[out], ordered[-1 - out]
