"""Which rubrics are hard, and which tell agents apart: item analysis over conditions.

*Difficulty* is the share of scored episodes in which a rubric is not met, each condition counting the same.
*Discrimination* is the correlation, over conditions, of the share in which this rubric is met with the share of all
other rubrics that are met: near 1, whoever is better elsewhere is better here; near 0 or below, the rubric measures
something else, or nothing. It takes three conditions that differ. Unscored rubrics are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitagym.analysis.rows import Row, conditions, ended
from vitagym.analysis.tasks import FindTask, known_task
from vitagym.rewards.rubrics import RubricStatus

_LEAST = 3
"""A correlation over fewer conditions says nothing."""


@dataclass(frozen=True, slots=True)
class Item:
    """A rubric, or a kind of requirement.

    Attributes:
        name: ``task/rubric``, or the kind of requirement.
        episodes: Scored rubrics that it rests on.
        tasks: Tasks that it rests on.
        conditions: Conditions that it rests on.
        difficulty: Share not met.
        discrimination: See the module; None where it cannot be told.
        met: Condition -> share met.
    """

    name: str
    episodes: int
    tasks: int
    conditions: int
    difficulty: float
    discrimination: float | None
    met: dict[str, float]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


def rubric_items(rows: Iterable[Row]) -> list[Item]:
    """Return every rubric of every task, the hardest first."""
    return _items(rows, lambda row: {rubric: f"{row['task_id']}/{rubric}" for rubric in row["rubrics"]})


def requirement_items(rows: Iterable[Row], task: FindTask = known_task) -> list[Item]:
    """Return every kind of requirement, the hardest first; rubrics of tasks that are not known are left out.

    Args:
        rows: The rows.
        task: Gives the task of a row.
    """

    def names(row: Row) -> dict[str, str]:
        found = task(row)
        return {} if found is None else {rubric.id: rubric.requirement for rubric in found.rubrics}

    return _items(rows, names)


def _items(rows: Iterable[Row], names: Callable[[Row], dict[str, str]]) -> list[Item]:
    by_condition = {name: _counted(listed, names) for name, listed in conditions(rows).items()}
    wholes = {name: np.sum([counts for counts, _ in found.values()], axis=0) for name, found in by_condition.items()}
    every = dict.fromkeys(item for found in by_condition.values() for item in found)
    items = []
    for item in every:
        counts = {name: found[item] for name, found in by_condition.items() if item in found}
        met = {name: float(met / scored) for name, ((met, scored), _) in counts.items()}
        rests = {name: wholes[name] - counts[name][0] for name in counts}
        others = [float(rest[0] / rest[1]) for rest in rests.values() if rest[1]]
        items.append(
            Item(
                name=item,
                episodes=int(sum(scored for (_, scored), _ in counts.values())),
                tasks=len(set().union(*(tasks for _, tasks in counts.values()))),
                conditions=len(counts),
                difficulty=1 - sum(met.values()) / len(met),
                discrimination=_correlation(list(met.values()), others),
                met=met,
            )
        )
    return sorted(items, key=lambda item: (-item.difficulty, item.name))


def _counted(
    rows: Iterable[Row], names: Callable[[Row], dict[str, str]]
) -> dict[str, tuple[np.ndarray[Any, np.dtype[np.int64]], set[str]]]:
    """Return item -> how often it was met and how often scored, and on which tasks."""
    found: dict[str, tuple[np.ndarray[Any, np.dtype[np.int64]], set[str]]] = {}
    for row in rows:
        if not ended(row):
            continue
        called = names(row)
        for rubric, state in row["rubrics"].items():
            if rubric in called and state["status"] != RubricStatus.UNSCORED:
                counts, tasks = found.setdefault(called[rubric], (np.zeros(2, dtype=np.int64), set()))
                counts += (state["status"] == RubricStatus.MET, 1)
                tasks.add(row["task_id"])
    return found


def _correlation(one: list[float], other: list[float]) -> float | None:
    if len(one) != len(other) or len(one) < _LEAST or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])
