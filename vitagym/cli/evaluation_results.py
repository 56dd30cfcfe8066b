"""What ``vitagym eval`` prints in the end."""

from __future__ import annotations

from pathlib import Path

import typer

from vitagym.cli.screen import print_json, screen, table
from vitagym.evaluation.runner import Progress


def show_results(progress: Progress, out: Path, *, json: bool) -> None:
    """Print what a run has come to: a table, or one JSON document."""
    spent = progress.spent
    if json:
        document = {
            "out": str(out),
            "total": progress.total,
            "done": progress.total - progress.left,
            "played": progress.played,
            "failed": progress.failed,
            "left": progress.left,
            "budget_reached": progress.reached,
            "spent": {"cost": spent.cost, "tokens": spent.tokens, "seconds": spent.seconds, "priced": spent.priced},
            "results": progress.summaries.data(),
        }
        print_json(document)
        return
    columns = ("environment", "agent", "user", "judge", "episodes", "success", "rubric\nscore", "turns", "failed")
    rows = [
        (
            *(row[name] for name in ("env_id", "agent", "user", "judge", "episodes")),
            "unscored" if row["success"] is None else f"{row['success']:.0%}",
            "-" if row["rubric_score"] is None else f"{row['rubric_score']:.2f}",
            "-" if row["turns"] is None else f"{row['turns']:.1f}",
            row["failed"],
        )
        for row in progress.summaries.data()
    ]
    screen().print(table("", columns, rows))
    typer.echo(f"{progress.total - progress.left} of {progress.total} episodes are in {out}.")
    if spent.tokens:
        unknown = "" if spent.priced else ", without models that have no price"
        typer.echo(f"Spent: {spent.tokens:,} tokens, {spent.cost:.2f} in money{unknown}.")
    if progress.reached is not None:
        typer.echo(f"The budget is spent ({progress.reached}); the same call with a larger one goes on.", err=True)
    if progress.failed:
        typer.echo(
            f"{progress.failed} episodes were cut off by a failing endpoint and count for nothing; "
            "--retry-failed tries them again.",
            err=True,
        )
