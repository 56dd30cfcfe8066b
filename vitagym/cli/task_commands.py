"""The commands about sets of tasks: counted, built, proved, shown."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from vitagym.agents.gallery import gallery
from vitagym.agents.proving import LETTERS, Finding, Subject, counted, proved
from vitagym.cli.app import FAILED, AsJson, app
from vitagym.cli.screen import print_json, screen, table
from vitagym.domains import CROSS, domains
from vitagym.errors import UnknownName
from vitagym.language import Language
from vitagym.tasks.building import PACK_SEED, build_set, write_pack
from vitagym.tasks.digests import pack_folder
from vitagym.tasks.sources import load_tasks
from vitagym.tasks.splits import MADE_SPLITS, TEST_SPLIT, TEST_TASKS
from vitagym.tasks.stats import Published, Statistics, published, statistics
from vitagym.tasks.task import Persona

_MINUTE = 60
_PROGRESS_EVERY, _PROGRESS_TIMES = 100, 20
"""The progress of a proof is told after so many tasks, or so many times if that is more often."""
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
    console.print(table("", ("set", "families", "personas", "tasks a persona", "years", "weekdays", "hours"), spread))


@app.command(name="build-pack")
def build_pack(
    seed: Annotated[int, typer.Option(min=0, help="Fixes every task of the pack.")] = PACK_SEED,
    out: Annotated[Path | None, typer.Option(help="Folder for the pack. Default: where it is read from.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="A set to build; may be given again. Default: all.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail where a task differs.")] = False,
    json: AsJson = False,
) -> None:
    """Build the fixed tasks anew from one seed: the same seed gives the same pack, byte for byte."""
    names = tuple(only or (*domains(), CROSS))
    say = screen(stderr=True)
    built = {name: build_set(name, seed, lambda line: say.print(line, highlight=False)) for name in names}
    differing = (
        [name for name, made in built.items() if list(made.tasks[Language.EN]) != load_tasks(name)] if check else []
    )
    folder = out or Path(str(pack_folder()))
    if not check:
        write_pack(built, seed, folder)
    rejected = {name: made.rejected for name, made in built.items()}
    if json:
        print_json({"seed": seed, "folder": str(folder), "rejected": rejected, "differing": differing})
    else:
        for name, counts in rejected.items():
            shown = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items())) or "none"
            typer.echo(f"{name}: {len(built[name].recipes)} tasks; rejected: {shown}")
    if differing:
        typer.echo(f"These sets differ from the pack: {', '.join(differing)}", err=True)
        raise typer.Exit(FAILED)


@app.command()
def prove(
    only: Annotated[list[str] | None, typer.Argument(metavar="DOMAIN", help="Default: all four sets.")] = None,
    tasks: Annotated[int, typer.Option(min=0, help="How many made tasks of each set, beside the fixed ones.")] = 25,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first made task.")] = 0,
    split: Annotated[str, typer.Option(help="Split of the made tasks: train, dev or ood.")] = "train",
    every: Annotated[int, typer.Option(min=0, help="Prove every so many-th fixed task; 0: none.")] = 1,
    personas: Annotated[
        bool, typer.Option("--personas", help="Play with every persona, not the task's own alone.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    json: AsJson = False,
) -> None:
    """Prove tasks: solvable, in few ways, every rubric bites, nothing given away; exit code 1 where one fails.

    Tasks are independent of one another, so that a long proof can be cut into parts: by set (a DOMAIN each), by seeds
    (``--seed 0 --tasks 500``, ``--seed 500 --tasks 500``), and the fixed tasks apart (``--every 0`` leaves them out,
    ``--tasks 0`` leaves the made ones out). Progress, with the time left, goes to standard error.
    """
    names = tuple(only or (*domains(), CROSS))
    if split not in MADE_SPLITS:
        raise UnknownName("made split", split, MADE_SPLITS)
    fixed = [Subject(name, TEST_SPLIT, n) for name in names for n in range(1, TEST_TASKS + 1, every)] if every else []
    made = [Subject(name, split, seed + n) for name in names for n in range(tasks)]
    started = perf_counter()
    played = tuple(p.value for p in Persona if p is not Persona.NEUTRAL) if personas else ()
    found: list[Finding] = []
    total = len(fixed) + len(made)
    for finding in proved([*fixed, *made], played, jobs=jobs):
        found.append(finding)
        for kind, fault in finding.faults:
            typer.echo(f"{finding.task_id} ({finding.family}) {kind}: {fault}", err=True)
        if len(found) % max(1, min(_PROGRESS_EVERY, total // _PROGRESS_TIMES)) == 0:
            typer.echo(_progress(len(found), total, perf_counter() - started), err=True)
    seconds = perf_counter() - started
    failed = [finding for finding in found if finding.faults]
    for kind, count in counted(found).items():
        typer.echo(f"{LETTERS[kind]} {kind:<10}{len(found) - count:>7} of {len(found)} hold", err=json)
    typer.echo(f"{len(fixed)} fixed and {len(made)} made tasks in {seconds:.0f} s; {len(failed)} rejected.", err=json)
    if json:
        faults = [{"task_id": f.task_id, "family": f.family, "faults": f.faults} for f in failed]
        seeds = [seed, seed + tasks] if tasks else []
        counts = {"fixed": len(fixed), "made": len(made), "sets": names, "split": split, "seeds": seeds}
        print_json({**counts, "failing": counted(found), "seconds": seconds, "faults": faults})
    if failed:
        raise typer.Exit(FAILED)


@app.command(name="gallery")
def write_gallery(
    out: Annotated[Path | None, typer.Option(help="File for the page. Default: standard output.")] = None,
    json: AsJson = False,
) -> None:
    """Write a page with some fixed tasks of each set, in both languages."""
    page = gallery()
    if out is not None:
        out.write_text(page, encoding="utf-8")
    if json:
        print_json({"out": None if out is None else str(out), "characters": len(page), "page": page})
    elif out is None:
        typer.echo(page, nl=False)


def _progress(done: int, of: int, seconds: float) -> str:
    left = seconds / done * (of - done)
    return f"{done} of {of} tasks, about {left / 60:.0f} min left" if left >= _MINUTE else f"{done} of {of} tasks"


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
