"""The commands about sets of tasks: what is in them, beside what the paper publishes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from vitagym.cli.app import AsJson, app
from vitagym.cli.screen import print_json, screen, table
from vitagym.domains import CROSS, domains
from vitagym.tasks.sources import load_tasks
from vitagym.tasks.stats import Published, Statistics, published, statistics

_COUNTS = ("providers", "products", "transactions", "search_space")


@app.command()
def stats(
    domain: Annotated[str | None, typer.Argument(metavar="DOMAIN", help="delivery, instore, ota or cross.")] = None,
    json: AsJson = False,
) -> None:
    """Count the fixed tasks, beside what the paper publishes of its own."""
    names = [domain] if domain is not None else [*domains(), CROSS]
    counted = {name: (statistics(load_tasks(name)), published(name)) for name in names}
    if json:
        print_json(
            {name: {"counted": found.data(), "published": _data(paper)} for name, (found, paper) in counted.items()}
        )
        return
    console = screen()
    rows = [row for name, (found, paper) in counted.items() for row in _rows(name, found, paper)]
    columns = ("set", "", "tasks", "providers", "products", "transactions", "search space", "reasoning points")
    console.print(table("", columns, rows))
    spread = [_spread(name, found) for name, (found, _) in counted.items()]
    columns = ("set", "families", "personas", "tasks a persona", "years", "weekdays", "hours")
    console.print(table("", columns, spread))


def _rows(name: str, found: Statistics, paper: Published) -> list[tuple[object, ...]]:
    counted, printed = found.data(), _data(paper)
    return [
        (name, "counted", found.tasks, *(counted[key] for key in _COUNTS), f"{found.reasoning:.2f}"),
        ("", "published", paper.tasks, *(printed[key] for key in _COUNTS), f"{paper.reasoning:.2f}"),
    ]


def _spread(name: str, found: Statistics) -> tuple[object, ...]:
    each = sorted(set(found.personas.values()))
    years = f"{min(found.years)}–{max(found.years)}"
    shares = "–".join(map(str, each[:1] + each[-1:] if len(each) > 1 else each))
    return (name, len(found.families), len(found.personas), shares, years, len(found.weekdays), len(found.hours))


def _data(paper: Published) -> dict[str, Any]:
    size = {**asdict(paper.size), "search_space": paper.size.search_space}
    return {"tasks": paper.tasks, **size, "reasoning": paper.reasoning}
