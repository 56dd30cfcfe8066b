"""Whether agents fail on the same tasks: what the task does, and what the agent does.

For each two conditions: Cohen's κ of success on the same task and trial, with its interval by resampling tasks, and
Kendall's τ-b of the tasks' shares of success. Over all conditions: how many tasks none of them ever solves, beside how
many that would be if each failed independently of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from vitagym.analysis.rows import Outcome, Row, conditions, is_scored, outcome, task_of
from vitagym.analysis.summary import BASELINES
from vitagym.rewards.agreement import Agreement, Judgement, agreement

Results = dict[str, dict[int, bool]]
"""Task -> trial -> whether it succeeded."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two conditions on the tasks that both played.

    Attributes:
        tasks: How many tasks both have scored episodes on.
        kappa: Agreement of success on the same task and trial.
        tau_b: Kendall's τ-b of the tasks' shares of success; None where one of them tells no tasks apart.
    """

    one: str
    other: str
    tasks: int
    kappa: Agreement
    tau_b: float | None

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "kappa": self.kappa.data()}


@dataclass(frozen=True, slots=True)
class AgentAgreement:
    """How much agents agree on which tasks are hard.

    Attributes:
        conditions: The conditions compared; lines to compare with (reference, doing nothing, random) are left out.
        tasks: Tasks on which all of them have scored episodes.
        solved_by: For 0, 1, … conditions: how many of these tasks so many of them solve at least once.
        none_expected: How many no condition would solve if they failed independently of one another.
        pairs: Each two conditions.
    """

    conditions: tuple[str, ...]
    tasks: int
    solved_by: tuple[int, ...]
    none_expected: float
    pairs: tuple[Pair, ...]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "pairs": [pair.data() for pair in self.pairs]}


def agent_agreement(rows: Iterable[Row], *, seed: int = 0, resamples: int = 1000) -> AgentAgreement:
    """Compare the conditions in rows task by task.

    Args:
        rows: The rows.
        seed: Fixes the resampling of the intervals of κ.
        resamples: How often tasks are drawn anew.
    """
    found = {name: _results(listed) for name, listed in conditions(rows).items() if listed[0]["agent"] not in BASELINES}
    found = {name: results for name, results in found.items() if results}
    common = sorted(set.intersection(*(set(results) for results in found.values()))) if found else []
    solved = {name: [any(results[task].values()) for task in common] for name, results in found.items()}
    counts = [sum(column) for column in zip(*solved.values(), strict=True)]
    unsolved = [1 - sum(ever) / len(common) for ever in solved.values()] if common else [0.0]
    return AgentAgreement(
        conditions=tuple(found),
        tasks=len(common),
        solved_by=tuple(counts.count(number) for number in range(len(found) + 1)),
        none_expected=len(common) * float(np.prod(unsolved)),
        pairs=tuple(_pair(both, found, seed, resamples) for both in combinations(found, 2)),
    )


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Kendall's τ-b of two rankings of the same things; None where one of them has only ties."""
    first, second = (np.sign(np.subtract.outer(values, values)) for values in (list(one), list(other)))
    scale = np.sqrt(np.count_nonzero(first) * float(np.count_nonzero(second)))
    return float((first * second).sum() / scale) if scale else None


def _pair(names: tuple[str, str], found: Mapping[str, Results], seed: int, resamples: int) -> Pair:
    first, second = (found[name] for name in names)
    tasks = sorted(set(first) & set(second))
    judgements = [
        Judgement(task, first[task][trial], second[task][trial])
        for task in tasks
        for trial in sorted(set(first[task]) & set(second[task]))
    ]
    shares = [[sum(results[task].values()) / len(results[task]) for task in tasks] for results in (first, second)]
    kappa = agreement(judgements, seed=seed, resamples=resamples)
    return Pair(*names, len(tasks), kappa, kendall(*shares))


def _results(rows: Iterable[Row]) -> Results:
    found: Results = {}
    for row in rows:
        if is_scored(row):
            found.setdefault(task_of(row), {})[row["trial"]] = outcome(row) is Outcome.SUCCESS
    return found
