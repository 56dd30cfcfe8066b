"""The further parts of ``vitagym metrics``, each asked for by name with ``--show``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from vitagym.analysis.ablation import Ablation, cross_cost, interaction_ablation, tools_ablation
from vitagym.analysis.agreement import agent_agreement
from vitagym.analysis.difficulty import cross_validate
from vitagym.analysis.failures import count_failures, title
from vitagym.analysis.intervals import Figure
from vitagym.analysis.items import Item, requirement_items, rubric_items
from vitagym.analysis.published import DOMAINS, published
from vitagym.analysis.regression import complexity_regression
from vitagym.analysis.resampling import trials_needed
from vitagym.analysis.rows import Row, conditions, task_of
from vitagym.analysis.summary import ordered
from vitagym.cli.screen import table

NONE = "–"
_FOLDS = 10
_SHOWN = 15


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the answer.

    Attributes:
        data: It as JSON can say it.
        shown: It as tables and sentences.
    """

    data: Any
    shown: tuple[Table | str, ...]


def trials(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """How many trials a task are enough (paper: section 5.1, figure 7)."""
    del seed, resamples
    found = {name: trials_needed(listed) for name, listed in ordered(conditions(rows)).items()}
    lines = [
        (name, p.k, p.tasks, f"{p.mse:.6f}", _per_cent(p.reduction), _points(p.standard_error), _points(p.total_error))
        for name, points in found.items()
        for p in points
    ]
    columns = ("agent", "k", "tasks", "MSE", "less than k=1", "error of trials", "and of tasks")
    note = "Errors are standard errors of success, in points: of k trials on these tasks, and on tasks of this kind."
    shown: tuple[Table | str, ...] = (table("How many trials a task are enough", columns, lines), note)
    if not lines:
        shown = ("No task has two scored trials: nothing can be said of how many are enough.",)
    return Section({name: [p.data() for p in points] for name, points in found.items()}, shown)


def failures(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """What went wrong, by category and type (paper: section 5.3, figure 9)."""
    found = {
        name: count_failures(listed, seed=seed, resamples=resamples)
        for name, listed in ordered(conditions(rows)).items()
    }
    paper = published().failures
    by_category = [
        (name, title(category), shown(share, share=True), _per_cent(paper[category.value]))
        for name, counts in found.items()
        for category, share in counts.shares.items()
        if share.value is not None
    ]
    by_type = [
        (name, title(what), counts.rubrics.get(what, 0), counts.seen.get(what, 0), counts.episodes)
        for name, counts in found.items()
        for what in counts.seen
    ]
    parts: tuple[Table | str, ...] = (
        table("Failed rubrics by category, in per cent", ("agent", "category", "share", "paper's models"), by_category),
        table("Failures by type", ("agent", "type", "rubrics", "episodes", "of"), by_type),
    )
    return Section({name: counts.data() for name, counts in found.items()}, parts)


def rubrics(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """Which rubrics and requirements are hard, and which tell agents apart."""
    del seed, resamples
    single, pooled = rubric_items(rows), requirement_items(rows)
    data = {"rubrics": [item.data() for item in single], "requirements": [item.data() for item in pooled]}
    return Section(data, (_items("Requirements, the hardest first", pooled), _items("Rubrics", single)))


def agreement(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """Whether agents fail on the same tasks."""
    found = agent_agreement(rows, seed=seed, resamples=resamples)
    if not found.pairs:
        return Section(found.data(), ("There are no two agents to compare: reference, noop and random do not count.",))
    lines = [
        (
            pair.one,
            pair.other,
            pair.tasks,
            pair.kappa.scored,
            pair.kappa.kappa if isinstance(pair.kappa.kappa, str) else f"{pair.kappa.kappa:.3f}",
            NONE if pair.tau_b is None else f"{pair.tau_b:.3f}",
        )
        for pair in found.pairs
    ]
    columns = ("agent", "and", "tasks", "episodes", "kappa", "tau-b")
    counts = ", ".join(f"{tasks} by {number}" for number, tasks in enumerate(found.solved_by))
    note = (
        f"Of {found.tasks} tasks that all of {len(found.conditions)} agents played, so many are ever solved: {counts}. "
        f"By none of them, if they failed independently: {found.none_expected:.1f}."
    )
    return Section(found.data(), (table("Agreement on which tasks succeed", columns, lines), note))


def ablations(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """What user, tools and several domains cost (paper: section 5.2, figure 8)."""
    found = {
        "interaction": interaction_ablation(rows, seed=seed, resamples=resamples),
        "tools": tools_ablation(rows, seed=seed, resamples=resamples),
        "cross-domain": cross_cost(rows, seed=seed, resamples=resamples),
    }
    arms = table("Success by arm, in per cent", ("ablation", "agent", "arm", "tasks", "success"), _arms(found))
    columns = ("ablation", "agent", "difference", "tasks", "points", "paired")
    data = {kind: {name: one.data() for name, one in by_name.items()} for kind, by_name in found.items()}
    return Section(data, (arms, table("Differences, in points", columns, _contrasts(found))))


def complexity(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """What makes tasks hard, and how well that can be foreseen (paper: sections 3.1 and 5.2)."""
    del resamples
    found = complexity_regression(rows)
    if not found.episodes:
        said = "No agent both succeeds and fails on tasks of known complexity: there is nothing to regress."
        return Section({"regression": found.data(), "prediction": None}, (said,))
    lines = [
        (name, f"{c.value:+.3f}", f"{c.standard_error:.3f}", f"{c.z:+.2f}") for name, c in found.coefficients.items()
    ]
    columns = ("feature", "log-odds a standard deviation", "standard error", "z")
    parts: list[Table | str] = [table("Success regressed on complexity", columns, lines)]
    parts.append(f"{found.episodes} episodes on {found.tasks} tasks; standard errors clustered by task.")
    if found.dropped:
        parts.append(f"Dropped, as they do not vary or follow from others: {', '.join(found.dropped)}.")
    if found.left_out:
        parts.append(f"Left out, as they never vary or have no complexity: {', '.join(found.left_out)}.")
    if found.is_separated:
        parts.append("The features part successes from failures without error: there is no estimate.")
    data: dict[str, Any] = {"regression": found.data(), "prediction": None}
    tasks = len({task_of(row) for row in rows})
    if found.coefficients and tasks >= _FOLDS:
        test = cross_validate(rows, folds=_FOLDS, seed=seed)
        data["prediction"] = test.data()
        scored = [
            ("fitted", _number(test.tau_b), _number(test.auc), f"{test.log_loss:.3f}"),
            ("set by hand", _number(test.tau_b_by_hand), _number(test.auc_by_hand), NONE),
            ("means of agents", NONE, NONE, f"{test.log_loss_of_means:.3f}"),
        ]
        name = f"Difficulty predicted for tasks not fitted to ({test.folds} folds of {test.tasks} tasks)"
        parts.append(table(name, ("predictor", "tau-b", "AUC", "log loss"), scored))
    return Section(data, tuple(parts))


def paper(rows: Sequence[Row], seed: int, resamples: int) -> Section:
    """What the paper publishes of its models: not measured here."""
    del rows, seed, resamples
    found = published()
    lines = [
        (
            model.name,
            *(_per_cent(model.mean.get(domain)) for domain in DOMAINS),
            _per_cent(model.pass_at.get("cross")),
            _per_cent(model.pass_hat.get("cross")),
        )
        for model in found.models
    ]
    lines.append(("mean of all its models", *(_per_cent(found.all_models[domain]) for domain in DOMAINS), NONE, NONE))
    columns = ("model", *DOMAINS, "Pass@4 cross", "Pass^4 cross")
    return Section(found.data(), (table(f"Avg@4, in per cent: {found.note} ({found.source})", columns, lines),))


SECTIONS: dict[str, Callable[[Sequence[Row], int, int], Section]] = {
    "trials": trials,
    "failures": failures,
    "rubrics": rubrics,
    "agreement": agreement,
    "ablations": ablations,
    "complexity": complexity,
    "paper": paper,
}
"""What ``--show`` can be asked for."""


def shown(figure: Figure, *, share: bool = False) -> str:
    """Return a figure with its interval; a share in per cent."""
    if figure.value is None:
        return NONE
    scale = 100 if share else 1
    value = f"{scale * figure.value:.1f}"
    if figure.interval is None:
        return value
    low, high = figure.interval
    return f"{value} [{scale * low:.1f}, {scale * high:.1f}]"


Ablations = Mapping[str, Mapping[str, Ablation]]


def _arms(found: Ablations) -> Iterator[tuple[object, ...]]:
    for kind, by_name in found.items():
        for name, one in by_name.items():
            for arm, figure in one.arms.items():
                yield kind, name, arm, figure.tasks, shown(figure, share=True)


def _contrasts(found: Ablations) -> Iterator[tuple[object, ...]]:
    for kind, by_name in found.items():
        for name, one in by_name.items():
            for c in one.contrasts:
                paired = "yes" if c.paired else "no"
                yield kind, name, f"{c.one} – {c.other}", c.difference.tasks, shown(c.difference, share=True), paired


def _items(name: str, items: Sequence[Item]) -> Table:
    lines = [
        (item.name, item.tasks, item.episodes, f"{100 * item.difficulty:.1f}", _number(item.discrimination))
        for item in items[:_SHOWN]
    ]
    more = f" (the first {_SHOWN} of {len(items)})" if len(items) > _SHOWN else ""
    return table(f"{name}{more}", ("rubric", "tasks", "episodes", "not met, %", "discrimination"), lines)


def _per_cent(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f}"


def _points(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.2f}"


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
