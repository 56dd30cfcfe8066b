"""``vitagym metrics``: what the logs of a run come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from vitagym.analysis.intervals import RESAMPLES
from vitagym.analysis.metrics import METRICS
from vitagym.analysis.published import lines
from vitagym.analysis.rows import GROUPINGS, UNKNOWN, Row
from vitagym.analysis.summary import Summary, summarise_conditions
from vitagym.cli.app import AsJson, app
from vitagym.cli.metrics_sections import NONE, SECTIONS, Section, shown
from vitagym.cli.screen import print_json, screen, table
from vitagym.errors import UnknownName
from vitagym.evaluation.log import read_logs, some
from vitagym.tasks.splits import TEST_SPLIT

_EVERY = "every"
_ALL = "all"
Summaries = dict[str, dict[str, dict[str, Summary]]]


@app.command()
def metrics(
    paths: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs, or files of episodes.")],
    by: Annotated[
        list[str] | None, typer.Option(help=f"Group by: {', '.join(GROUPINGS)}; may be given again. Default: domain.")
    ] = None,
    show: Annotated[
        list[str] | None, typer.Option(help=f"Also: {', '.join(SECTIONS)}, or every; may be given again.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Fixes the resampling of tasks for the intervals.")] = 0,
    resamples: Annotated[int, typer.Option(min=40, help="How often tasks are drawn anew.")] = RESAMPLES,
    json: AsJson = False,
) -> None:
    """Print success, Pass@k, Pass^k and the other metrics of runs, with 95 % intervals clustered by task."""
    wanted = _sections(show or [])
    rows, repeated = _read(paths)
    summaries = summarise_conditions(rows, by or ("domain",), seed=seed, resamples=resamples)
    sections = {name: SECTIONS[name](rows, seed, resamples) for name in wanted}
    if json:
        parts = {name: section.data for name, section in sections.items()}
        beside = {"note": lines().note, **lines().agents}
        counted = {"episodes": len(rows), "repeated": repeated}
        print_json({**counted, "conditions": _data(summaries), "lines": beside, **parts})
    else:
        if repeated:
            typer.echo(f"{repeated} episodes are there more than once and count once.", err=True)
        _show(rows, summaries, sections)


def _read(paths: Sequence[Path]) -> tuple[list[dict[str, Any]], int]:
    """Return the episodes of all logs, each once, and how many were there again."""
    rows: list[dict[str, Any]] = []
    repeated = 0
    known: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for path in paths:
        for row in read_logs(path):
            alike = known.setdefault((row["key"], str(row["seed"])), [])
            if row in alike:
                repeated += 1
            else:
                alike.append(row)
                rows.append(row)
    return some(rows, *paths), repeated


def _sections(show: Sequence[str]) -> list[str]:
    for name in show:
        if name not in (*SECTIONS, _EVERY):
            raise UnknownName("part to show", name, [*SECTIONS, _EVERY])
    return [name for name in SECTIONS if name in show or _EVERY in show]


def _data(summaries: Summaries) -> dict[str, Any]:
    return {
        condition: {
            grouping: {group: summary.data() for group, summary in groups.items()}
            for grouping, groups in by_group.items()
        }
        for condition, by_group in summaries.items()
    }


def _show(rows: Sequence[Row], summaries: Summaries, sections: dict[str, Section]) -> None:
    console = screen()
    overall = {condition: by_group["all"]["all"] for condition, by_group in summaries.items()}
    console.print(table("Success, in per cent", _OVERALL, [_overall(*one) for one in overall.items()]))
    for condition, by_group in summaries.items():
        listed = [(_named(by, group), summary) for by, groups in by_group.items() for group, summary in groups.items()]
        if len(listed) > 1:
            console.print()
            console.print(table(condition, _SUCCESS, [_success(*one) for one in listed]))
            console.print(table("", ("group", *_MEANS), [_means(*one) for one in listed]))
    console.print()
    console.print(table("Means a task", ("agent", *_MEANS), [_means(*one) for one in overall.items()]))
    if beside := _lines(rows):
        console.print()
        console.print(table(lines().note, ("agent", "domain", *_LINE), beside))
    for condition, summary in overall.items():
        for note in notes(summary):
            console.print(f"{condition}: {note}", markup=False)
    console.print(f"{len(rows)} episodes. Intervals: 95 %, tasks drawn anew (Wilson over tasks at 0 and 100 %).")
    for section in sections.values():
        console.print()
        for part in section.shown:
            console.print(part, markup=False) if isinstance(part, str) else console.print(part)


def _named(by: str, group: str) -> str:
    """Return what a group is called beside those of other groupings."""
    return "all episodes" if by == _ALL else f"{by} {group}" if group in (_ALL, UNKNOWN) else group


_OVERALL = ("agent", "tasks", "scored", "unscored", "cut off", "success", "k", "Pass@k", "Pass^k")
_SUCCESS = ("group", "tasks", "scored", "unscored", "cut off", "success", "k", "Pass@k", "Pass^k")
_SHOWN = tuple(name for name in METRICS if name not in ("success", "seconds"))
_LINE = ("success", "rubric_score", "turns", "calls")
_MEANS = tuple(name.replace("_", "\n") for name in _SHOWN)


def _lines(rows: Sequence[Row]) -> list[tuple[object, ...]]:
    """Return the lines that the run itself does not have, for the domains of its fixed tasks."""
    played = {str(row["domain"]) for row in rows if row.get("split") == TEST_SPLIT}
    missing = [name for name in lines().agents if name not in {row["agent"] for row in rows}]
    return [
        (name, domain, *(f"{found[metric]:.2f}" for metric in _LINE))
        for name in missing
        for domain, found in lines().agents[name].items()
        if domain in played
    ]


def _overall(condition: str, summary: Summary) -> tuple[object, ...]:
    *cells, at, hat = _success(condition, summary)
    return (*cells, str(at).partition(" ")[0], str(hat).partition(" ")[0])


def _success(name: str, summary: Summary) -> tuple[object, ...]:
    last = len(summary.pass_at)
    return (
        name,
        summary.tasks,
        summary.scored,
        summary.unscored,
        summary.endpoint,
        shown(summary.metrics["success"], share=True),
        last or NONE,
        shown(summary.pass_at[-1], share=True) if last else NONE,
        shown(summary.pass_hat[-1], share=True) if last else NONE,
    )


def _means(name: str, summary: Summary) -> tuple[object, ...]:
    return (name, *(_mean(summary.metrics[metric].value) for metric in _SHOWN))


def _mean(value: float | None) -> str:
    return NONE if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"


def notes(summary: Summary) -> list[str]:
    """Return what a reader has to know of the figures of a condition: uneven trials, and what was not scored."""
    found = []
    if not summary.is_even:
        counts = ", ".join(f"{tasks} with {n}" for n, tasks in summary.trials.items())
        last = summary.pass_at[-1].tasks if summary.pass_at else 0
        k = len(summary.pass_at)
        found.append(f"tasks differ in scored trials ({counts}): Pass@{k} and Pass^{k} rest on {last} of them.")
    if summary.endpoint or summary.unscored:
        found.append(
            f"{summary.endpoint} episodes cut off by an endpoint and {summary.unscored} unscored are in no figure of "
            "success."
        )
    return found
