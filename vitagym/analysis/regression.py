"""Success regressed on the complexity of tasks, episode by episode, with standard errors clustered by task.

A logistic regression: the log-odds of success are a sum over features of the task and one constant an agent. Features
are the three dimensions of the paper (section 3.1), each in units of its standard deviation over the tasks, so that
coefficients compare. The paper correlates four domain means with success (section 5.2, table 5); four points carry no
test, and this is one (``Coefficient.z``).

Features that do not vary, or that follow from others, are dropped and named. Conditions that always succeed or always
fail tell nothing of the features and are left out. Where the outcomes can be parted by the features without error there
is no estimate: ``is_separated``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.analysis.rows import Outcome, Row, conditions, is_scored, outcome, task_of
from vitagym.tasks.complexity import DEMANDING

Array = NDArray[np.float64]
_STEPS = 60
_EXACT = 1e-9
_PARTED = 20.0
"""A log-odds of a standardised feature beyond this is no estimate: the outcomes are parted."""

FEATURES: dict[str, Callable[[Row], float]] = {
    "reasoning points": lambda row: float(row["complexity"]["reason"]),
    "search space (log2)": lambda row: log2(1 + row["complexity"]["search_space"]),
    "entropy": lambda row: float(row["complexity"]["entropy"]),
    "eta": lambda row: float(row["complexity"]["eta"]),
    "density of tools": lambda row: float(row["complexity"]["density"]),
    "tools on offer": lambda row: float(row["complexity"]["tools"]),
    "needed tools": lambda row: float(row["complexity"]["needed_tools"]),
    "constraints": lambda row: float(row["complexity"]["constraints"]),
    "hidden points": lambda row: float(row["complexity"]["hidden"]),
    "changes of mind": lambda row: float(row["complexity"]["changes"]),
    "demanding persona": lambda row: float(row["persona"] in DEMANDING),
}
"""What of a task success is regressed on: reasoning, then tools, then interaction (paper: section 3.1)."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """What one standard deviation of a feature does to the log-odds of success.

    Attributes:
        value: The change of the log-odds.
        standard_error: Clustered by task.
        z: Their ratio; beyond ±1.96 it is not chance, one time in twenty left out.
    """

    value: float
    standard_error: float
    z: float


@dataclass(frozen=True, slots=True)
class Regression:
    """A fitted regression.

    Attributes:
        episodes: Scored episodes that it rests on.
        tasks: Tasks.
        coefficients: Feature -> its coefficient; empty where there is no estimate.
        agents: Condition -> log-odds of success on a task of average features.
        dropped: Features that do not vary or follow from those before them.
        left_out: Conditions that always succeed, or always fail.
        is_separated: Whether the features part successes from failures without error.
        explained: Share of the log-likelihood that the features explain beyond the agents (McFadden's R²).
    """

    episodes: int
    tasks: int
    coefficients: dict[str, Coefficient]
    agents: dict[str, float]
    dropped: tuple[str, ...]
    left_out: tuple[str, ...]
    is_separated: bool
    explained: float | None

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        fitted = {
            name: {"value": c.value, "standard_error": c.standard_error, "z": c.z}
            for name, c in self.coefficients.items()
        }
        return {**plain, "coefficients": fitted}


@dataclass(frozen=True, slots=True)
class Design:
    """Episodes in numbers.

    Attributes:
        features: One row an episode, one column a feature, as they are.
        names: Names of the features.
        agents: One row an episode, one column a condition: 1 where it is that condition's.
        conditions: Names of the conditions.
        outcomes: 1 for success.
        tasks: Task of each episode.
    """

    features: Array
    names: tuple[str, ...]
    agents: Array
    conditions: tuple[str, ...]
    outcomes: Array
    tasks: tuple[str, ...]


def complexity_regression(rows: Iterable[Row]) -> Regression:
    """Regress success on the complexity of tasks; rows without complexity, or not scored, are left out."""
    design, left_out = design_of(rows)
    scaled, kept, dropped = _standardised(design)
    episodes, tasks = len(design.outcomes), len(set(design.tasks))
    nothing = Regression(episodes, tasks, {}, {}, dropped, left_out, False, None)
    if not episodes:
        return nothing
    matrix = np.hstack([scaled, design.agents])
    weights = fit(matrix, design.outcomes)
    if weights is None:
        return Regression(episodes, tasks, {}, {}, dropped, left_out, True, None)
    errors = clustered_errors(matrix, design.outcomes, weights, design.tasks)
    alone = fit(design.agents, design.outcomes)
    explained = None
    if alone is not None:
        explained = 1 - likelihood(matrix, design.outcomes, weights) / likelihood(design.agents, design.outcomes, alone)
    return Regression(
        episodes=episodes,
        tasks=tasks,
        coefficients={
            name: Coefficient(float(value), float(error), float(value / error) if error else 0.0)
            for name, value, error in zip(kept, weights, errors, strict=False)
        },
        agents=dict(zip(design.conditions, map(float, weights[len(kept) :]), strict=True)),
        dropped=dropped,
        left_out=left_out,
        is_separated=False,
        explained=explained,
    )


def design_of(
    rows: Iterable[Row], features: Mapping[str, Callable[[Row], float]] = FEATURES
) -> tuple[Design, tuple[str, ...]]:
    """Return scored episodes of tasks with known complexity in numbers, and the conditions that are left out."""
    usable: dict[str, list[Row]] = {}
    left_out = []
    for name, listed in conditions(rows).items():
        scored = [row for row in listed if is_scored(row) and row.get("complexity")]
        if len({outcome(row) for row in scored}) > 1:
            usable[name] = scored
        else:
            left_out.append(name)
    chosen = [(place, row) for place, listed in enumerate(usable.values()) for row in listed]
    agents = np.zeros((len(chosen), len(usable)))
    agents[range(len(chosen)), [place for place, _ in chosen]] = 1
    values = [[feature(row) for feature in features.values()] for _, row in chosen]
    design = Design(
        features=np.array(values, dtype=np.float64).reshape(len(chosen), len(features)),
        names=tuple(features),
        agents=agents,
        conditions=tuple(usable),
        outcomes=np.array([outcome(row) is Outcome.SUCCESS for _, row in chosen], dtype=np.float64),
        tasks=tuple(task_of(row) for _, row in chosen),
    )
    return design, tuple(left_out)


def fit(matrix: Array, outcomes: Array, penalties: Array | None = None) -> Array | None:
    """Return the weights of a logistic regression, by Newton's method; None where there is no estimate.

    Args:
        matrix: One row an episode, one column a feature.
        outcomes: 1 for success.
        penalties: What half the square of each weight costs; None: nothing.
    """
    costs = np.zeros(matrix.shape[1]) if penalties is None else penalties
    weights = np.zeros(matrix.shape[1])
    for _ in range(_STEPS):
        chances = _chances(matrix, weights)
        slope = matrix.T @ (outcomes - chances) - costs * weights
        curve = (matrix * (chances * (1 - chances))[:, None]).T @ matrix + np.diag(costs)
        try:
            step = np.linalg.solve(curve, slope)
        except np.linalg.LinAlgError:
            return None
        weights = weights + step * min(1.0, 5.0 / max(5.0, float(np.abs(step).max())))
        if float(np.abs(weights).max()) > _PARTED:
            return None
        if float(np.abs(step).max()) < _EXACT:
            return np.asarray(weights)
    return None


def clustered_errors(matrix: Array, outcomes: Array, weights: Array, tasks: Sequence[str]) -> Array:
    """Return standard errors of the weights that allow for episodes on the same task being alike (sandwich form)."""
    chances = _chances(matrix, weights)
    inverse = np.linalg.inv((matrix * (chances * (1 - chances))[:, None]).T @ matrix)
    names, places = np.unique(np.array(tasks), return_inverse=True)
    scores = np.zeros((len(names), matrix.shape[1]))
    np.add.at(scores, places, matrix * (outcomes - chances)[:, None])
    episodes, columns = matrix.shape
    small = len(names) / max(1, len(names) - 1) * (episodes - 1) / max(1, episodes - columns)
    return np.asarray(np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse) * small))


def likelihood(matrix: Array, outcomes: Array, weights: Array) -> float:
    """Return the log-likelihood of the outcomes."""
    logits = matrix @ weights
    return float(np.sum(outcomes * logits - np.logaddexp(0, logits)))


def _chances(matrix: Array, weights: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(matrix @ weights, -500, 500))))


def _standardised(design: Design) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """Return the features in standard deviations, their names, and those dropped: constant, or a sum of others."""
    kept: list[str] = []
    dropped: list[str] = []
    columns: list[Array] = []
    for name, column in zip(design.names, design.features.T, strict=True):
        spread = column.std() if len(column) else 0.0
        scaled = (column - column.mean()) / spread if spread > _EXACT else None
        if scaled is None or _follows(scaled, [*columns, *design.agents.T]):
            dropped.append(name)
        else:
            kept.append(name)
            columns.append(scaled)
    matrix = np.array(columns).T if columns else np.zeros((len(design.outcomes), 0))
    return matrix, tuple(kept), tuple(dropped)


def _follows(column: Array, others: Sequence[Array]) -> bool:
    """Return whether a column is a sum of others, as near as numbers tell."""
    if not others:
        return False
    basis = np.array(others).T
    rest = column - basis @ np.linalg.lstsq(basis, column, rcond=None)[0]
    return bool(np.linalg.norm(rest) < 1e-6 * np.linalg.norm(column))
