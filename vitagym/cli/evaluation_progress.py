"""How an evaluation goes on, on standard error: a bar in a terminal, else a line now and then."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from vitagym.evaluation.log import EpisodeLog
from vitagym.evaluation.runner import Progress

_LINE_EVERY_S = 10.0


class Shown:
    """Shows progress while it is open."""

    def __init__(self, console: Console) -> None:
        columns = (TextColumn("episodes"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self._bar = Bar(*columns, console=console, transient=True) if console.is_terminal else None
        self._row = None if self._bar is None else self._bar.add_task("")
        self._line_at = _LINE_EVERY_S

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begins(self, progress: Progress) -> None:
        """Show what is there already."""
        if progress.before:
            typer.echo(f"{progress.before} of {progress.total} episodes are there already.", err=True)
        self._update(progress)

    def ended(self, progress: Progress, log: EpisodeLog) -> None:  # noqa: ARG002 - a watcher is told of the episode
        """Show that an episode has ended."""
        self._update(progress)

    def _update(self, progress: Progress) -> None:
        done = progress.before + progress.played
        if self._bar is not None and self._row is not None:
            self._bar.update(self._row, total=progress.total, completed=done, description=_told(progress))
        elif progress.spent.seconds >= self._line_at:
            self._line_at = progress.spent.seconds + _LINE_EVERY_S
            typer.echo(f"{done}/{progress.total} episodes, {_told(progress)}", err=True)


def _told(progress: Progress) -> str:
    """Return what there is to say beside the count: time left, what was spent, what failed."""
    left = progress.seconds_left
    parts = ["time left unknown" if left is None else f"{in_words(left)} left"]
    spent = progress.spent
    if spent.tokens:
        parts.append(f"{spent.tokens:,} tokens")
        parts.append(f"{spent.cost:.2f} spent" if spent.priced else f"{spent.cost:.2f} spent on models with a price")
    if progress.failed:
        parts.append(f"{progress.failed} cut off by an endpoint")
    return ", ".join(parts)


def in_words(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
