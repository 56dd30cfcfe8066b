"""The commands about saved episodes: played again, compared, turned into training data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.text import Text

from vitagym.cli.app import FAILED, AsJson, app
from vitagym.cli.screen import print_json, progress_bar, screen, show_messages
from vitagym.errors import UnknownName
from vitagym.evaluation.difference import Pair, compare, match
from vitagym.evaluation.inspect_log import inspect_logs
from vitagym.evaluation.log import Row, log_files, read_logs, read_rows, some
from vitagym.evaluation.replaying import replay, verify
from vitagym.evaluation.training_data import Form, records

Log = Annotated[Path, typer.Argument(metavar="LOG", help="A run's folder, or a file of episodes.")]
_INSPECT = "inspect"
_SHOWN_BEFORE = 2
"""How many messages are shown before the one where two episodes part."""


@app.command(name="replay")
def replay_log(
    log: Log,
    key: Annotated[str | None, typer.Option(help="Only the episode of this key.")] = None,
    only_verify: Annotated[
        bool, typer.Option("--verify", help="Compare every byte with the log; exit code 1 with the first difference.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Play saved episodes again without any model, and show them, or compare them with the log."""
    if only_verify:
        _verify(log, key, json=json)
        return
    played = (replay(row).data() for row in _chosen(log, key))
    if json:
        print_json({"episodes": list(played)})
        return
    console = screen()
    for row in played:
        console.print(Text(row["key"], style="bold"))
        show_messages(console, row["messages"])
        console.print(f"Ended: {row['end_reason']}. Success: {row['is_success']}. Reward: {row['reward']:.3f}.")


def _verify(log: Path, key: str | None, *, json: bool) -> None:
    same, apart = 0, []
    with progress_bar(screen(stderr=True), hidden=json) as progress:
        bar = progress.add_task("episodes", total=None)
        for verified in verify(_chosen(log, key)):
            progress.advance(bar)
            if verified.parting is None:
                same += 1
            else:
                apart.append((verified.row["key"], verified.row["attempt"], verified.parting))
    if json:
        found = [
            {"key": k, "attempt": attempt, "path": p.path, "log": p.one, "replay": p.other} for k, attempt, p in apart
        ]
        print_json({"log": str(log), "same": same, "different": len(apart), "differences": found})
    else:
        for k, _, where in apart[:1]:
            typer.echo(f"{k}\n  {where.path}\n  log:    {where.one}\n  replay: {where.other}")
        typer.echo(f"{same} episodes are the same to the byte, {len(apart)} are not.")
    if apart:
        raise typer.Exit(FAILED)


def _chosen(log: Path, key: str | None) -> Iterator[Row]:
    """Yield the episodes of a log, earlier attempts too, or those of one key."""
    keys = []
    found = False
    for file in log_files(log):
        for row in read_rows(file):
            if key is None or row["key"] == key:
                found = True
                yield row
            else:
                keys.append(row["key"])
    if not found and key is not None:
        raise UnknownName("episode", key, keys)
    if not found:
        some([], log)


@app.command()
def diff(
    one: Annotated[Path, typer.Argument(metavar="A", help="A run's folder, or a file of episodes.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another.")],
    every: Annotated[bool, typer.Option("--all", help="Show every episode that differs, not the first alone.")] = False,
    json: AsJson = False,
) -> None:
    """Find the first turn where two runs part, episode by episode; exit code 1 where any do."""
    matched = match(some(read_logs(one), one), some(read_logs(other), other))
    pairs = list(compare(matched))
    apart = [pair for pair in pairs if pair.where is not None]
    if json:
        document = {
            "same": len(pairs) - len(apart),
            "different": len(apart),
            "only_in_a": list(matched.only_one),
            "only_in_b": list(matched.only_other),
            "differences": [_data(pair) for pair in apart],
        }
        print_json(document)
    else:
        console = screen()
        for pair in apart if every else apart[:1]:
            _show(console, pair)
        lone = len(matched.only_one), len(matched.only_other)
        typer.echo(
            f"{len(pairs) - len(apart)} episodes are the same, {len(apart)} part; "
            f"{lone[0]} are in A alone, {lone[1]} in B alone."
        )
    if apart or matched.only_one or matched.only_other:
        raise typer.Exit(FAILED)


def _data(pair: Pair) -> dict[str, Any]:
    where = pair.where
    path, a, b = ("", "", "") if where is None else (where.path, where.one, where.other)
    return {"episode": pair.name, "turn": pair.turn, "path": path, "a": a, "b": b}


def _show(console: Console, pair: Pair) -> None:
    """Print where two episodes part: the last messages they share, then the message of each."""
    if pair.where is None:
        return
    console.print(Text(pair.name, style="bold"))
    if pair.turn is None:
        console.print(
            Text(f"Every message is the same. {pair.where.path}:\n  A  {pair.where.one}\n  B  {pair.where.other}")
        )
        return
    at = pair.turn + 1
    console.print(Text("They part at the system prompt." if not at else f"They part at turn {pair.turn}."))
    show_messages(console, pair.one["messages"][max(1, at - _SHOWN_BEFORE) : at])
    for name, row in (("A", pair.one), ("B", pair.other)):
        console.print(Text(f"--- {name} ({row['agent']})", style="bold"))
        if at < len(row["messages"]):
            show_messages(console, row["messages"][at : at + 1], whole=True)
        else:
            console.print(Text(f"no more messages: {row['end_reason']}"))
    console.print(Text(f"{pair.where.path}:\n  A  {pair.where.one}\n  B  {pair.where.other}"))


@app.command()
def convert(
    log: Log,
    form: Annotated[str, typer.Option("--to", help="sft, dpo, grpo or inspect.")],
    out: Annotated[Path, typer.Option(help="The file of records; for inspect a folder, one log an agent in it.")],
    json: AsJson = False,
) -> None:
    """Turn saved episodes into records to train from, or into eval logs of Inspect."""
    forms = [*(f.value for f in Form), _INSPECT]
    if form not in forms:
        raise UnknownName("form of records", form, forms)
    rows = some(read_logs(log), log)
    written = _write_inspect(rows, out) if form == _INSPECT else _write_records(rows, Form(form), out)
    what = "logs" if form == _INSPECT else "records"
    if json:
        print_json({"log": str(log), "to": form, "out": str(out), "episodes": len(rows), what: written})
    else:
        typer.echo(f"{written} {what} from {len(rows)} episodes are in {out}.")


def _write_records(rows: list[Row], form: Form, out: Path) -> int:
    written = 0
    with out.open("wb") as file:
        for record in records(rows, form):
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
            written += 1
    return written


def _write_inspect(rows: list[Row], out: Path) -> int:
    out.mkdir(parents=True, exist_ok=True)
    logs = inspect_logs(rows)
    for name, document in logs.items():
        (out / name).write_bytes(orjson.dumps(document))
    return len(logs)
