"""``vitagym judge-lab``: judges tried on transcripts whose truth is known, beside the judges of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from vitagym.cli.app import FAILED, AsJson, Language, app
from vitagym.cli.screen import print_json, screen, table
from vitagym.language import as_language
from vitagym.rewards.agreement import Agreement, Interval, Undefined
from vitagym.rewards.laboratory.makings import Way
from vitagym.rewards.laboratory.trial import PER_TASK, Made, Trial, fixed_drafts, run, samples
from vitagym.rewards.laboratory.variants import Printed, printed, variants
from vitagym.rewards.windows import Windows

_SHOWN = 20
_COLUMNS = ("judge", "success", "task accuracy", "rubric accuracy", "κ of tasks", "κ of rubrics", "unscored")
_WAY_COLUMNS = ("made by", "transcripts", "rubrics", "wrong tasks", "wrong rubrics")


@app.command(name="judge-lab")
def judge_lab(
    judge: Annotated[
        list[str] | None, typer.Option(help="Judge to try; may be given again. Default: rules. llm: in four ways.")
    ] = None,
    width: Annotated[int, typer.Option(min=1, help="Messages a window of a language model.")] = 10,
    overlap: Annotated[int, typer.Option(min=0, help="How many of them the window before has too.")] = 2,
    tasks: Annotated[int | None, typer.Option(min=1, help="Tasks of each domain. Default: all.")] = None,
    per_task: Annotated[
        int, typer.Option(min=0, help="Transcripts of each task at most; 0: all that can be made.")
    ] = PER_TASK,
    seed: Annotated[int, typer.Option(min=0, help="Fixes which transcripts are made, and the users.")] = 0,
    language: Language = "en",
    json: AsJson = False,
) -> None:
    """Try judges on transcripts whose truth is known, beside the judges of the paper.

    Exit code 1: the rule judge, which has to be exact, is wrong anywhere.
    """
    tried = [v for name in judge or ["rules"] for v in variants(name, Windows(width, overlap))]
    made = Made()
    spoken = as_language(language)
    trials = run(tried, samples(fixed_drafts(tasks, made), made, language=spoken, per_task=per_task or None, seed=seed))
    if json:
        print_json({"made": vars(made), "judges": [_data(trial) for trial in trials]})
    else:
        _show(trials, made)
    if any(trial.variant.exact and trial.wrong for trial in trials):
        raise typer.Exit(FAILED)


def _data(trial: Trial) -> dict[str, Any]:
    return {**trial.data(), "printed": vars(printed()[trial.variant.like])}


def _show(trials: list[Trial], made: Made) -> None:
    console = screen()
    console.print(f"{made.transcripts} transcripts")
    for heading, lines in (("not as planned, and left out", made.gone_wrong), ("tasks left out", made.unclear)):
        if lines:
            console.print(Text(f"{len(lines)} {heading}, e.g. {lines[0]}"))
    console.print(table("", _COLUMNS, [row for trial in trials for row in _rows(trial)]))
    for trial in trials:
        console.print(table(f"\n{trial.variant.name}", _WAY_COLUMNS, _ways(trial)))
        _show_wrong(console, trial)


def _show_wrong(console: Console, trial: Trial) -> None:
    for wrong in trial.wrong[:_SHOWN]:
        about, told = wrong.rubric or "success", "met" if wrong.truth else "not met"
        console.print(Text(f"{wrong.task}, {wrong.way} {wrong.what}: {about} is {told}; judge: {wrong.reason}"))
    if len(trial.wrong) > _SHOWN:
        console.print(f"and {len(trial.wrong) - _SHOWN} more (--json has all)")


def _ways(trial: Trial) -> Iterator[tuple[object, ...]]:
    for way in Way:
        if way in trial.ways:
            count = trial.ways[way]
            yield way.value, count.transcripts, count.rubrics, count.wrong_tasks, count.wrong_rubrics


def _rows(trial: Trial) -> Iterator[tuple[object, ...]]:
    on_tasks, on_rubrics = trial.tasks(), trial.rubrics()
    yield (
        trial.variant.name,
        _share(trial.accuracy),
        _accuracy(on_tasks),
        _accuracy(on_rubrics),
        _kappa(on_tasks),
        _kappa(on_rubrics),
        f"{on_tasks.unscored} + {on_rubrics.unscored}",
    )
    yield _printed(printed()[trial.variant.like])


def _printed(paper: Printed) -> tuple[object, ...]:
    rubric = "–" if paper.rubric is None else f"{paper.rubric:.1f}%"
    return "  (paper)", f"{paper.accuracy:.1f}%", f"{paper.task:.1f}%", rubric, f"{paper.kappa:.3f}", "–", "–"


def _accuracy(found: Agreement) -> str:
    return f"{_share(found.accuracy)}{_between(found.accuracy_interval, percent=True)}"


def _kappa(found: Agreement) -> str:
    if isinstance(found.kappa, Undefined):
        return f"undefined: {found.kappa.value}"
    return f"{found.kappa:.3f}{_between(found.kappa_interval, percent=False)}"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _between(interval: Interval | None, *, percent: bool) -> str:
    if interval is None:
        return ""
    low, high = (f"{100 * end:.1f}" if percent else f"{end:.3f}" for end in interval)
    return f" [{low}, {high}]"
