"""A predictor of how hard a task is, fitted to a log, and tested on tasks that it has not seen.

It is the regression of ``regression`` with a ridge penalty, so that it also exists where features go together. Its
prediction for a task is the chance of failure of an agent in the middle of those it was fitted to. The test parts the
tasks into folds: each fold is predicted from the others, so no task has a say in its own prediction.

``Task.complexity.difficulty`` is a prediction with weights set by hand; the test scores both on the same tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.analysis.agreement import kendall
from vitagym.analysis.regression import FEATURES, Design, design_of, fit
from vitagym.analysis.rows import Row
from vitagym.errors import CallerError
from vitagym.randomness import Stream

Array = NDArray[np.float64]
_RIDGE = 1.0
"""What half the square of a weight costs, in log-likelihood: a weak pull to 0 for a few hundred episodes."""
_AGENT = 0.01
"""The same for the constant of an agent: as good as none."""


@dataclass(frozen=True, slots=True)
class Predictor:
    """A fitted predictor.

    Attributes:
        weights: Feature -> what one standard deviation of it adds to the log-odds of success.
        means, spreads: Feature -> mean and standard deviation in the log it was fitted to.
        agents: Condition -> log-odds of success on a task of average features.
    """

    weights: dict[str, float]
    means: dict[str, float]
    spreads: dict[str, float]
    agents: dict[str, float]

    def difficulty(self, row: Row) -> float:
        """Return the chance that an agent in the middle fails on the task of a row; nothing of its outcome is read."""
        middle = float(np.median(list(self.agents.values())))
        logit = middle + sum(
            weight * (FEATURES[name](row) - self.means[name]) / self.spreads[name]
            for name, weight in self.weights.items()
        )
        return float(1 / (1 + np.exp(logit)))

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Validation:
    """How well difficulty is predicted for tasks that the predictor was not fitted to.

    Attributes:
        episodes: Scored episodes.
        tasks: Tasks.
        folds: Into how many parts the tasks were parted.
        tau_b: Kendall's τ-b of the predicted difficulties and the shares of failures.
        tau_b_by_hand: The same of the difficulties with weights set by hand.
        auc: The chance that of a failed and a succeeded episode of one agent the failed one was predicted harder.
        auc_by_hand: The same of the difficulties with weights set by hand.
        log_loss: Mean log loss of the predicted chances of success, agents told apart.
        log_loss_of_means: That of each agent's share of success on the tasks of the other folds.
    """

    episodes: int
    tasks: int
    folds: int
    tau_b: float | None
    tau_b_by_hand: float | None
    auc: float | None
    auc_by_hand: float | None
    log_loss: float
    log_loss_of_means: float

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


def fit_predictor(rows: Iterable[Row]) -> Predictor:
    """Fit a predictor to scored episodes of tasks with known complexity.

    Raises:
        CallerError: There is no condition that sometimes succeeds and sometimes fails.
    """
    design, _ = design_of(rows)
    _check(design)
    return _fitted(design, np.ones(len(design.outcomes), dtype=bool))


def cross_validate(rows: Iterable[Row], *, folds: int = 10, seed: int = 0) -> Validation:
    """Predict each fold of tasks from the others, and compare with what happened.

    Args:
        rows: The rows.
        folds: Into how many parts the tasks are parted.
        seed: Fixes the parts.

    Raises:
        CallerError: There is no condition that sometimes succeeds and sometimes fails, or there are fewer tasks than
            folds.
    """
    listed = list(rows)
    design, _ = design_of(listed)
    _check(design)
    names = sorted(set(design.tasks))
    if not 2 <= folds <= len(names):
        raise CallerError(f"folds={folds}: expected 2 to {len(names)}, the number of tasks")
    places = {task: place % folds for place, task in enumerate(Stream(seed, "analysis/folds").shuffled(names))}
    fold = np.array([places[task] for task in design.tasks])
    predicted, means = np.zeros(len(fold)), np.zeros(len(fold))
    hardness = np.zeros(len(fold))
    for number in range(folds):
        held, rest = fold == number, fold != number
        fitted = _fitted(design, rest)
        slopes = _scaled(design, fitted) @ np.array(list(fitted.weights.values()))
        constants = design.agents @ np.array([fitted.agents[name] for name in design.conditions])
        predicted[held] = _chances(slopes + constants)[held]
        hardness[held] = -slopes[held]
        means[held] = (design.agents @ _shares(design, rest))[held]
    by_hand = _by_hand(listed)
    hand = np.array([by_hand[task] for task in design.tasks])
    failed = 1 - design.outcomes
    shares = [float(failed[[task == one for one in design.tasks]].mean()) for task in names]
    return Validation(
        episodes=len(fold),
        tasks=len(names),
        folds=folds,
        tau_b=kendall(_of_tasks(hardness, design.tasks, names), shares),
        tau_b_by_hand=kendall([by_hand[task] for task in names], shares),
        auc=_auc(hardness, design),
        auc_by_hand=_auc(hand, design),
        log_loss=_loss(predicted, design.outcomes),
        log_loss_of_means=_loss(means, design.outcomes),
    )


def _check(design: Design) -> None:
    if not design.conditions:
        raise CallerError("no agent in these rows both succeeds and fails on tasks of known complexity: nothing to fit")


def _fitted(design: Design, used: NDArray[np.bool_]) -> Predictor:
    features = design.features[used]
    means, spreads = features.mean(axis=0), features.std(axis=0)
    varying = spreads > 0
    scaled = (features[:, varying] - means[varying]) / spreads[varying]
    penalties = np.array([_RIDGE] * int(varying.sum()) + [_AGENT] * len(design.conditions))
    weights = fit(np.hstack([scaled, design.agents[used]]), design.outcomes[used], penalties)
    if weights is None:
        raise CallerError("the features part successes from failures without error: nothing to fit")
    names = [name for name, varies in zip(design.names, varying, strict=True) if varies]
    return Predictor(
        weights=dict(zip(names, map(float, weights), strict=False)),
        means=dict(zip(names, map(float, means[varying]), strict=True)),
        spreads=dict(zip(names, map(float, spreads[varying]), strict=True)),
        agents=dict(zip(design.conditions, map(float, weights[len(names) :]), strict=True)),
    )


def _scaled(design: Design, fitted: Predictor) -> Array:
    columns = [design.names.index(name) for name in fitted.weights]
    means, spreads = (np.array([found[n] for n in fitted.weights]) for found in (fitted.means, fitted.spreads))
    return np.asarray((design.features[:, columns] - means) / spreads)


def _shares(design: Design, used: NDArray[np.bool_]) -> Array:
    """Return each condition's share of successes, half an episode of each kind added so that no share is 0 or 1."""
    agents = design.agents[used]
    return np.asarray((agents.T @ design.outcomes[used] + 0.5) / (agents.sum(axis=0) + 1))


def _by_hand(rows: Iterable[Row]) -> dict[str, float]:
    return {row["task_id"]: float(row["complexity"]["difficulty"]) for row in rows if row.get("complexity")}


def _of_tasks(values: Array, tasks: Sequence[str], names: Sequence[str]) -> list[float]:
    found = dict(zip(tasks, map(float, values), strict=True))
    return [found[name] for name in names]


def _auc(hardness: Array, design: Design) -> float | None:
    """Return the area under the curve, pairs within each condition only."""
    right = pairs = 0.0
    for column in design.agents.T:
        own = column > 0
        lost, won = hardness[own & (design.outcomes == 0)], hardness[own & (design.outcomes == 1)]
        gaps = np.sign(np.subtract.outer(lost, won))
        right += float((gaps + 1).sum() / 2)
        pairs += gaps.size
    return right / pairs if pairs else None


def _loss(chances: Array, outcomes: Array) -> float:
    safe = np.clip(chances, 1e-12, 1 - 1e-12)
    return float(-np.mean(outcomes * np.log(safe) + (1 - outcomes) * np.log(1 - safe)))


def _chances(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -500, 500))))
