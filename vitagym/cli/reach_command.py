"""``vitagym reach``: how many tasks the reference agent solves that may only choose among the symbolic candidates."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated, Any

import typer

from vitagym.cli.app import FAILED, AsJson, Language, app
from vitagym.cli.screen import print_json, screen, table
from vitagym.env.registration import DOMAIN_NAMES
from vitagym.errors import UnknownName
from vitagym.rl.reach import Reached, reach
from vitagym.tasks.sources import load_tasks, make_task
from vitagym.tasks.splits import MADE_SPLITS, TEST_SPLIT
from vitagym.tasks.task import Task

_WANTED = 0.99
_SHOWN = 20


@app.command(name="reach")
def reach_command(
    domain: Annotated[list[str] | None, typer.Option(help="Domain; may be given again. Default: all.")] = None,
    split: Annotated[str, typer.Option(help="test, train, dev or ood.")] = TEST_SPLIT,
    tasks: Annotated[int, typer.Option(min=1, help="Tasks of each domain.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The first seed of made tasks.")] = 0,
    candidates: Annotated[int, typer.Option(min=64, help="How many candidates there may be.")] = 128,
    language: Language = "en",
    json: AsJson = False,
) -> None:
    """Play tasks with the reference agent held to the candidates of the symbolic view, and say what is out of reach.

    Exit code 1: fewer than 99 % of the tasks of a domain are solved.
    """
    rows: dict[str, list[Reached]] = {}
    for name in domain or list(DOMAIN_NAMES):
        if name not in DOMAIN_NAMES:
            raise UnknownName("domain", name, DOMAIN_NAMES)
        chosen = _tasks(name, split, range(seed, seed + tasks), language)
        rows[name] = list(reach(name, chosen, candidates=candidates))
    if json:
        print_json({name: _data(found) for name, found in rows.items()})
    else:
        _show(rows)
    if any(_share(found) < _WANTED for found in rows.values()):
        raise typer.Exit(FAILED)


def _tasks(domain: str, split: str, seeds: range, language: str) -> list[Task]:
    if split == TEST_SPLIT:
        return load_tasks(domain, language=language)[: len(seeds)]
    if split not in MADE_SPLITS:
        raise UnknownName("split", split, [TEST_SPLIT, *MADE_SPLITS])
    return [make_task(domain, one, language, split=split) for one in seeds]


def _share(found: list[Reached]) -> float:
    return sum(one.success for one in found) / len(found) if found else 1.0


def _families(found: list[Reached]) -> dict[str, list[Reached]]:
    out: dict[str, list[Reached]] = defaultdict(list)
    for one in found:
        out[one.family].append(one)
    return dict(sorted(out.items()))


def _data(found: list[Reached]) -> dict[str, Any]:
    families = {name: [sum(one.success for one in rows), len(rows)] for name, rows in _families(found).items()}
    missed = [_fields(one) for one in found if not one.success]
    return {"success": _share(found), "tasks": len(found), "families": families, "missed": missed}


def _fields(one: Reached) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


def _show(rows: dict[str, list[Reached]]) -> None:
    columns = ("domain", "family", "tasks", "solved", "steps")
    cells = [
        (name, family, len(played), sum(one.success for one in played), f"{_steps(played):.1f}")
        for name, found in rows.items()
        for family, played in ({**_families(found), "all": found}).items()
    ]
    screen().print(table("", columns, cells))
    for one in [one for found in rows.values() for one in found if not one.success][:_SHOWN]:
        why = one.stuck or "played to the end"
        screen().print(f"{one.task_id} ({one.family}): {why}; unmet: {', '.join(one.unmet)}")


def _steps(found: list[Reached]) -> float:
    return sum(one.steps for one in found) / len(found)
