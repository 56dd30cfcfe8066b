"""Which plots a run has, from its rows. Every value is a figure of ``vitagym.analysis``, with its interval."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from vitagym.analysis.failures import Failure, FailureType
from vitagym.analysis.intervals import mean_over_tasks
from vitagym.analysis.items import requirement_items
from vitagym.analysis.metrics import METRICS, Metric
from vitagym.analysis.rows import Row, by_task, ended, grouped, is_scored
from vitagym.analysis.summary import BASELINES, figure_of
from vitagym.report.headline import Summaries
from vitagym.report.plots import Form, Format, Plot, Point, Series, point
from vitagym.rewards.rubrics import RubricStatus

Conditions = Mapping[str, list[Row]]
Failures = Callable[[Row], Sequence[Failure]]
_STEPS = 20
"""Into how many parts the course of an episode is cut."""
_BINS = 6
"""Into how many bins, of about as many episodes each, lengths are put."""
_FEWEST_IN_A_BIN = 5


def plots_of(by_condition: Conditions, summaries: Summaries, failures: Failures) -> list[Plot]:
    """Return the plots that the rows have something to show in.

    Args:
        by_condition: The rows of each condition, in the order in which they are drawn.
        summaries: What they come to, overall and by domain.
        failures: What went wrong in the episode of a row.
    """
    made = [
        _by_domain("success", by_condition, summaries, top=1.0),
        *_passes(by_condition, summaries),
        _over_the_course("rubrics_over_turns", by_condition, _rubrics_met, Format.SHARE, top=1.0),
        _over_the_course("reward_over_turns", by_condition, _reward_so_far, Format.NUMBER),
        _failure_types(by_condition, failures),
        _by_band(by_condition),
        _requirements(by_condition),
        _against_turns(by_condition),
        *(_by_domain(metric, by_condition, summaries) for metric in ("turns", "tokens", "cost")),
    ]
    return [plot for plot in made if any(p.y for series in plot.series for p in series.points)]


def _series(by_condition: Conditions, points: Callable[[str], Iterable[Point | None]]) -> tuple[Series, ...]:
    made = [
        Series(name, tuple(p for p in points(name) if p is not None), place, dashed=str(rows[0]["agent"]) in BASELINES)
        for place, (name, rows) in enumerate(by_condition.items())
    ]
    return tuple(series for series in made if series.points)


def _by_domain(metric: str, by_condition: Conditions, summaries: Summaries, top: float | None = None) -> Plot:
    def points(name: str) -> list[Point | None]:
        return [point(domain, s.metrics[metric]) for domain, s in summaries[name]["domain"].items()]

    shown = Format.SHARE if METRICS[metric].is_share else Format.NUMBER
    made = _series(by_condition, points)
    return Plot(f"{metric}_by_domain", Form.BARS, made, format=shown, top=top, categories="domain")


def _by_band(by_condition: Conditions) -> Plot:
    def points(name: str) -> list[Point | None]:
        groups = grouped(by_condition[name], "band")
        return [point(band, figure_of(rows, METRICS["success"])) for band, rows in groups.items()]

    return Plot("success_by_band", Form.BARS, _series(by_condition, points), top=1.0, categories="band")


def _failure_types(by_condition: Conditions, failures: Failures) -> Plot:
    """Return in which share of its ended episodes a condition shows failures of each type."""

    def seen(row: Row, what: FailureType) -> float | None:
        return float(any(failure.type is what for failure in failures(row))) if ended(row) else None

    def points(name: str) -> list[Point | None]:
        metrics = [Metric(what.value, "share", "5.3", partial(seen, what=what)) for what in types]
        figures = [(metric.name, figure_of(by_condition[name], metric)) for metric in metrics]
        return [point(what, figure) for what, figure in figures if figure.value]

    found = {failure.type for rows in by_condition.values() for row in rows for failure in failures(row)}
    types = [what for what in FailureType if what in found]
    return Plot("failure_types", Form.BARS, _series(by_condition, points), top=1.0, categories="failure")


def _requirements(by_condition: Conditions) -> Plot:
    """Return how hard each kind of requirement is, and how well it tells conditions apart, where that can be told."""
    items = requirement_items(row for rows in by_condition.values() for row in rows)
    spots = [
        Point(item.difficulty, item.discrimination, n=item.episodes, label=item.name)
        for item in items
        if item.discrimination is not None
    ]
    series = (Series("", tuple(spots)),) if spots else ()
    return Plot("requirements", Form.SPOTS, series, format=Format.NUMBER, x_format=Format.SHARE, top=1.0)


def _passes(by_condition: Conditions, summaries: Summaries) -> list[Plot]:
    """Return Pass@k and Pass^k against k; nothing where no task was played twice."""
    overall = {name: summaries[name]["all"]["all"] for name in by_condition}
    if max((len(summary.pass_at) for summary in overall.values()), default=0) < 2:
        return []
    at = _series(by_condition, lambda name: (point(k, f) for k, f in enumerate(overall[name].pass_at, 1)))
    hat = _series(by_condition, lambda name: (point(k, f) for k, f in enumerate(overall[name].pass_hat, 1)))
    return [Plot("pass_at", Form.LINES, at, top=1.0), Plot("pass_hat", Form.LINES, hat, top=1.0)]


def _over_the_course(
    name: str,
    by_condition: Conditions,
    course: Callable[[Row, Sequence[float]], list[float]],
    shown: Format,
    top: float | None = None,
) -> Plot:
    """Return a plot of what holds after each share of an episode's messages, the mean over tasks."""
    shares = [step / _STEPS for step in range(_STEPS + 1)]

    def points(condition: str) -> list[Point | None]:
        played = by_task(row for row in by_condition[condition] if ended(row))
        tasks = [[course(row, shares) for row in of_task] for of_task in played.values()]
        episodes = sum(map(len, tasks))
        out = []
        for step, part in enumerate(shares):
            values = [sum(found[step] for found in of_task) / len(of_task) for of_task in tasks]
            out.append(point(part, mean_over_tasks(values, episodes)))
        return out

    made = _series(by_condition, points)
    return Plot(name, Form.LINES, made, format=shown, x_format=Format.SHARE, top=top)


def _turns_at(row: Row, shares: Sequence[float]) -> list[float]:
    last = max(0, len(row["messages"]) - 2)
    return [part * last for part in shares]


def _reward_so_far(row: Row, shares: Sequence[float]) -> list[float]:
    """Return the sum of rewards up to each share of the messages; the last action's reward is in by the end."""
    turns, sums, total = row.get("action_turns") or [], [0.0], 0.0
    for reward in row["rewards"]:
        total += reward
        sums.append(total)
    found = [sums[bisect_right(turns, turn)] for turn in _turns_at(row, shares)]
    return [*found[:-1], total]


def _rubrics_met(row: Row, shares: Sequence[float]) -> list[float]:
    rubrics = len(row["rubrics"])
    changes = sorted(row.get("rubric_changes") or [], key=lambda change: change["turn"])
    met: set[str] = set()
    counts = [0]
    for change in changes:
        (met.add if change["status"] == RubricStatus.MET else met.discard)(change["rubric"])
        counts.append(len(met))
    turns = [change["turn"] for change in changes]
    at = [counts[bisect_right(turns, turn)] for turn in _turns_at(row, shares)]
    return [count / rubrics if rubrics else 0.0 for count in [*at[:-1], counts[-1]]]


def _against_turns(by_condition: Conditions) -> Plot:
    """Return success against the length of episodes, in bins of about as many episodes each."""

    def points(name: str) -> list[Point | None]:
        scored = sorted(
            (row for row in by_condition[name] if is_scored(row)), key=lambda row: (row["turns"], row["key"])
        )
        bins = max(1, min(_BINS, len(scored) // _FEWEST_IN_A_BIN))
        cuts = [len(scored) * number // bins for number in range(bins + 1)]
        parts = [scored[start:end] for start, end in pairwise(cuts) if end > start]
        return [_bin(part) for part in parts]

    return Plot("success_against_turns", Form.SPOTS, _series(by_condition, points), top=1.0)


def _bin(rows: list[Row]) -> Point | None:
    lengths = [row["turns"] for row in rows]
    label = f"{min(lengths)}–{max(lengths)}"
    return point(sum(lengths) / len(lengths), figure_of(rows, METRICS["success"]), label)
