"""The commands of ``vitagym`` and their options."""

from __future__ import annotations

import os
import sys
from collections import Counter
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import typer
from rich.table import Table
from rich.text import Text

import vitagym
from vitagym.cli.rollout import Plan, Summary, check_id, play
from vitagym.cli.screen import print_json, progress_bar, screen, show_messages, table
from vitagym.cli.sections import Sectioned
from vitagym.domains import CROSS, toolset
from vitagym.env.offer import tool_graph, tool_schemas
from vitagym.env.registration import registered_ids
from vitagym.errors import CallerError
from vitagym.tasks.lint import lint
from vitagym.tasks.splits import TEST_TASKS
from vitagym.tools.drawing import draw_graph
from vitagym.tools.published import compare_with_published

FAILED, WRONG_CALL = 1, 2
DEFAULT_ENV = "VitaBench-Cross-v0"
DEFAULT_AGENTS = ("reference", "noop")

app = typer.Typer(
    cls=Sectioned,
    help="Plays and inspects VitaBench environments. Exit codes: 0 it worked, 1 what was asked about failed, 2 a wrong "
    "call.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
EnvIds = Annotated[list[str] | None, typer.Argument(metavar="ENV_ID", help=f"Default: {DEFAULT_ENV}.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the first task; the next tasks have the next seeds.")]
Language = Annotated[str, typer.Option(help="en or zh.")]
User = Annotated[str, typer.Option(help="Who the agent talks with: scripted, solo, llm, llm:MODEL or replay:PATH.")]
Reward = Annotated[str | None, typer.Option(help="Reward terms, as reward= of the environment.")]
Feedback = Annotated[str, typer.Option(help="How much a refusal says: plain, explain or guide.")]
Strictness = Annotated[str, typer.Option(help="When an id may be used: state or observed.")]
Tools = Annotated[str, typer.Option("--tools", help="Tools on offer: own, all or needed.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"vitagym {vitagym.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""
    del version


def main() -> None:
    """Run the command; a wrong call ends with exit code 2 and a sentence that says what is allowed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.append(os.getcwd())  # where agents of the caller's own may lie
    try:
        sys.exit(_run_for_a_program() if "--json" in sys.argv else app())
    except (CallerError, OSError, gym.error.Error) as error:
        sys.exit(_refuse(str(error)))


def _run_for_a_program() -> int:
    """Run the command and return its exit code; what is wrong with its options is said in JSON as well."""
    try:
        return int(app(standalone_mode=False) or 0)
    except Exception as error:
        # Typer has moved the class of these exceptions more than once.
        said = getattr(error, "format_message", None)
        if said is None:
            raise
        return _refuse(said())


def _refuse(sentence: str) -> int:
    if "--json" in sys.argv:
        print_json({"error": sentence})
    else:
        sys.stderr.write(f"Error: {sentence}\n")
    return WRONG_CALL


@app.command()
def rollout(
    env_ids: EnvIds = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="Agent, llm:MODEL, or module:Class; may be given again. Default: reference, noop."),
    ] = None,
    tasks: Annotated[
        int | None, typer.Option(min=1, help="How many tasks. Default: all; 20 of an endless split.")
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Episodes on each task, each with a seed of its own.")] = 1,
    seed: Seed = 0,
    language: Language = "en",
    user: User = "scripted",
    reward: Reward = None,
    feedback: Feedback = "plain",
    strictness: Strictness = "state",
    offer: Tools = "own",
    out: Annotated[Path | None, typer.Option(help="Folder for the logs, one JSON line an episode.")] = None,
    json: AsJson = False,
) -> None:
    """Play tasks with agents, show one transcript as it happens, and print a table."""
    settings: dict[str, Any] = {
        "language": language,
        "user": user,
        "feedback": feedback,
        "strictness": strictness,
        "tools": offer,
    }
    if reward is not None:
        settings["reward"] = reward
    ids = tuple(env_ids or (DEFAULT_ENV,))
    for env_id in ids:
        check_id(env_id)
    if json and "human" in (agent or ()):
        raise CallerError("--json prints one document and nothing else; a person plays with: vitagym play --json")
    plan = Plan(ids, tuple(agent or DEFAULT_AGENTS), tasks, trials, seed, settings)
    console = screen()
    with progress_bar(console, hidden=json) as progress:
        bar = progress.add_task("episodes", total=plan.episodes)
        summaries = play(
            plan,
            out=out,
            watch=None if json else lambda messages: show_messages(console, messages),
            progress=lambda: progress.advance(bar),
        )
    if json:
        print_json({"results": [summary.data() for summary in summaries], "out": None if out is None else str(out)})
    else:
        console.print(_results(summaries))
        if out is not None:
            console.print(f"Logs: {out}")
    if failed := sum(summary.failed for summary in summaries):
        typer.echo(f"{failed} episodes were cut off by a failing endpoint; they are not among the scored.", err=True)
        raise typer.Exit(FAILED)


@app.command(name="list")
def list_ids(json: AsJson = False) -> None:
    """List the ids of the environments."""
    ids = registered_ids()
    if json:
        print_json({"ids": [{"id": env_id, **arguments} for env_id, arguments in ids.items()]})
        return
    rows = [(i, a["domain"], _tasks_in_words(a["tasks"])) for i, a in ids.items() if isinstance(a["tasks"], str)]
    screen().print(table("", ("id", "domain", "tasks"), rows))
    single = [env_id for env_id, arguments in ids.items() if not isinstance(arguments["tasks"], str)]
    typer.echo(f"and {len(single)} ids of one test task each, {single[0]} … {single[-1]}")


@app.command(name="lint")
def lint_file(
    path: Annotated[Path, typer.Argument(help="A public VitaBench task file, plain or gzipped JSON.")],
    json: AsJson = False,
) -> None:
    """Print every fault of a public task file, with task and field; exit code 1 where there is any."""
    faults = lint(path)
    counts = Counter(fault.code.value for fault in faults)
    left = sum(not fault.repaired for fault in faults)
    if json:
        found = [
            {"code": f.code.value, **{k: getattr(f, k) for k in ("task_id", "field", "what", "repaired")}}
            for f in faults
        ]
        print_json({"path": str(path), "counts": dict(sorted(counts.items())), "not_repaired": left, "faults": found})
    else:
        for fault in faults:
            mark = "" if fault.repaired else " [not repaired]"
            typer.echo(f"{fault.code.value} {fault.task_id} {fault.field}: {fault.what}{mark}")
        shown = ", ".join(f"{code} {count}" for code, count in sorted(counts.items()))
        typer.echo(f"{len(faults)} faults ({shown or 'none'}); {left} of them cannot be repaired on loading.")
    if faults:
        raise typer.Exit(FAILED)


@app.command()
def tools(
    domain: Annotated[str | None, typer.Argument(metavar="DOMAIN", help="delivery, instore, ota or cross.")] = None,
    graph: Annotated[
        Path | None, typer.Option(help="Draw the graph of the domain (default: cross) into this file.")
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the tools' schemas in OpenAI format, as JSON.")
    ] = False,
    language: Language = "en",
    json: AsJson = False,
) -> None:
    """Print tools and the graph of what they make known to each other, beside the published numbers."""
    if graph is not None:
        draw_graph(tool_graph(domain or CROSS), graph)
    if schema:
        print_json(tool_schemas(domain or CROSS, language))
        return
    names = [] if domain is None else [(tool.name, tool.kind.value) for tool in toolset((domain,))]
    compared = [row for row in compare_with_published() if domain in (None, row.domain)]
    if json:
        listed = [{"name": name, "kind": kind} for name, kind in names]
        print_json({"graphs": [row.data() for row in compared], "tools": listed})
        return
    console = screen()
    if names:
        console.print(table("", ("tool", "kind"), names))
    rows = [
        (
            row.domain,
            row.derived.nodes,
            row.published.nodes,
            row.derived.edges,
            row.published.edges,
            f"{row.derived.density:.1f} %",
            f"{row.published.density:.1f} %",
        )
        for row in compared
    ]
    columns = ("domain", "tools", "(published)", "edges", "(published)", "density", "(published)")
    console.print(table("", columns, rows))
    for row in compared:
        console.print(Text(f"{row.domain}: {row.reason}"))


def _results(summaries: list[Summary]) -> Table:
    columns = ("environment", "agent", "episodes", "success", "rubric\nscore", "reward", "turns", "turns/s")
    rows = [
        (
            s.env_id,
            s.agent,
            s.episodes,
            "unscored" if s.success is None else f"{s.success:.0%}",
            f"{s.rubric_score:.2f}",
            f"{s.reward:.2f}",
            f"{s.turns:.1f}",
            f"{s.turns_per_second:,.0f}",
        )
        for s in summaries
    ]
    return table("", columns, rows)


def _tasks_in_words(tasks: object) -> str:
    return f"{TEST_TASKS} fixed tasks" if tasks == "test" else f"endless ({tasks})"
