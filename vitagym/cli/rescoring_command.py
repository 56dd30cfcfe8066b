"""``vitagym judge``: saved episodes scored again by another judge."""

from __future__ import annotations

import json as json_lines
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import orjson
import typer

from vitagym.cli.app import AsJson, app
from vitagym.cli.screen import print_json, screen, table
from vitagym.errors import CallerError, UnknownName
from vitagym.llm.endpoint import endpoint
from vitagym.rewards.judge import Judge
from vitagym.rewards.judges import JudgeMaker, check_judge
from vitagym.rewards.model_judge import ModelJudge
from vitagym.rewards.rescoring import Rescored, rescore_all
from vitagym.rewards.windows import Windows
from vitagym.tasks.public import load_public
from vitagym.tasks.task import Task

Log = dict[str, Any]


@app.command()
def judge(
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG...", help="Files that rollout wrote, one line an episode.")
    ],
    judge: Annotated[str, typer.Option(help="rules, ledger, llm or llm:MODEL.")] = "rules",
    tasks: Annotated[
        Path | None, typer.Option(help="The public task file that was played. Default: our tasks.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="For llm: the model's name.")] = None,
    base_url: Annotated[str | None, typer.Option(help="For llm: address of the endpoint.")] = None,
    width: Annotated[int, typer.Option(min=1, help="For llm: messages a window.")] = 10,
    overlap: Annotated[int, typer.Option(min=0, help="For llm: messages that windows share.")] = 2,
    whole: Annotated[bool, typer.Option("--whole", help="For llm: judge the whole conversation at once.")] = False,
    no_rubrics: Annotated[bool, typer.Option("--no-rubrics", help="For llm: judge without rubrics.")] = False,
    at_once: Annotated[int, typer.Option(min=1, help="For llm: episodes judged at the same time.")] = 16,
    out: Annotated[Path | None, typer.Option(help="File for the judgements, one JSON line an episode.")] = None,
    json: AsJson = False,
) -> None:
    """Score saved episodes again, without playing their dialogue."""
    maker: str | JudgeMaker | Judge = judge
    check_judge(judge)
    kind, _, named = judge.partition(":")
    if kind == "llm":
        windows = Windows(None) if whole else Windows(width, overlap)
        at = endpoint("judge", model=model or named or None, base_url=base_url)
        maker = ModelJudge(at, windows, rubrics=not no_rubrics)
    saved = [log for path in logs for log in _read(path)]
    played = _Tasks(tasks)
    scored = rescore_all([(log["messages"], played.of(log)) for log in saved], maker, at_once=at_once)
    rows = [_row(log, found) for log, found in zip(saved, scored, strict=True)]
    if out is not None:
        out.write_bytes(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
    summary = _summary(judge, rows)
    if json:
        print_json({"summary": summary, "episodes": rows})
        return
    columns = ("judge", "episodes", "scored", "success", "rubrics", "as before", "changed")
    cells = [summary[key] for key in ("judge", "episodes", "scored", "success", "rubric_score", "as_before", "changed")]
    screen().print(table("", columns, [[_cell(cell) for cell in cells]]))
    for name, value in summary["scores"].items():
        screen().print(f"{name}: {_cell(value)}", highlight=False)


class _Tasks:
    """Finds the tasks of logs."""

    def __init__(self, path: Path | None) -> None:
        self._given = None if path is None else {task.id: task for task in load_public(path)}
        self._envs: dict[str, gym.Env[Any, Any]] = {}

    def of(self, log: Log) -> Task:
        if self._given is not None:
            if log["task_id"] not in self._given:
                raise UnknownName("task", log["task_id"], self._given)
            return self._given[log["task_id"]]
        settings = {k: v for k, v in log["settings"].items() if k in ("tasks", "language")}
        key = json_lines.dumps([log["env_id"], settings], sort_keys=True)
        if key not in self._envs:
            self._envs[key] = gym.make(log["env_id"], **settings)
        env = self._envs[key]
        env.reset(seed=log["seed"], options={"task_id": log["task_id"]})
        task: Task = env.unwrapped.task  # type: ignore[attr-defined]
        return task


def _read(path: Path) -> Iterator[Log]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            log = json_lines.loads(line)
        except ValueError:
            log = None
        wanted = ("env_id", "task_id", "seed", "settings", "messages", "rubrics")
        if not isinstance(log, dict) or any(key not in log for key in wanted):
            raise CallerError(f"line {number} of {str(path)!r} is no episode; expected a file that rollout --out wrote")
        yield log


def _row(log: Log, found: Rescored) -> dict[str, Any]:
    rubrics = {
        rubric_id: {"status": state.status.value, "turn": state.turn, "reason": state.reason}
        for rubric_id, state in found.states.items()
    }
    before = {rubric_id: state["status"] for rubric_id, state in log["rubrics"].items()}
    return {
        "task_id": log["task_id"],
        "agent": log.get("agent"),
        "seed": log["seed"],
        "trial": log.get("trial"),
        "is_success": found.is_success,
        "rubric_score": found.rubric_score,
        "scores": dict(found.scores),
        "rubrics": rubrics,
        "changed": sorted(i for i, state in rubrics.items() if state["status"] != before.get(i)),
    }


def _summary(name: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    scored = [row["is_success"] for row in rows if row["is_success"] is not None]
    sums: dict[str, list[float]] = {}
    for row in rows:
        for score, value in row["scores"].items():
            if value is not None:
                sums.setdefault(score, []).append(float(value))
    return {
        "judge": name,
        "episodes": len(rows),
        "scored": len(scored),
        "success": sum(scored) / len(scored) if scored else None,
        "rubric_score": sum(row["rubric_score"] for row in rows) / len(rows) if rows else None,
        "as_before": sum(not row["changed"] for row in rows),
        "changed": sum(bool(row["changed"]) for row in rows),
        "scores": {score: sum(values) / len(values) for score, values in sums.items()},
    }


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
