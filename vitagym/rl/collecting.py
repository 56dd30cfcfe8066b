"""Episodes as data: steps for offline RL, conversations for supervised fine-tuning, and pairs for preference learning.

- ``steps``: one row a step, with features, the chosen candidate, reward and end.
- ``conversations``: one row an episode, in OpenAI format with the tools: what SFT trainers read.
- ``preferences``: a success and a near-miss on the same task: the part that they share, and how each went on.

Rows go to Parquet (needs ``pyarrow``) or to JSON lines, by the name of the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from vitagym.errors import CallerError, UnknownName
from vitagym.rl.policies import Played

Row = dict[str, Any]
NEAR = 0.5
"""Share of rubrics from which a failure is a near-miss."""


class Form(StrEnum):
    """What a row is."""

    STEPS = "steps"
    CONVERSATIONS = "conversations"
    PREFERENCES = "preferences"


def rows(form: Form, episodes: Sequence[Played], tools: Sequence[Mapping[str, Any]] = ()) -> Iterator[Row]:
    """Return the rows of episodes, whose steps must have been kept.

    Args:
        form: What a row is.
        episodes: What was played.
        tools: The tools that the agent had, in OpenAI format, for conversations.
    """
    if form is Form.STEPS:
        return _steps(episodes)
    if form is Form.CONVERSATIONS:
        return _conversations(episodes, tools)
    return _preferences(episodes)


def check_file(path: Path) -> None:
    """Refuse a file that cannot be written, before anything is played for it; raises as ``write`` does."""
    if path.suffix not in (".parquet", ".jsonl"):
        raise UnknownName("kind of file", path.suffix, [".parquet", ".jsonl"])
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise CallerError("Parquet needs the package pyarrow: pip install vitagym[rl]")


def write(path: Path, written: Iterable[Row]) -> int:
    """Write rows to ``*.parquet`` or ``*.jsonl``; returns how many.

    Raises:
        UnknownName: The file's name ends otherwise.
        CallerError: Parquet is wanted and ``pyarrow`` is not there.
    """
    check_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        count = 0
        with path.open("wb") as file:
            for row in written:
                file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY))
                count += 1
        return count
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pylist([_plain(row) for row in written])
    pyarrow.parquet.write_table(table, path, compression="zstd")
    return int(table.num_rows)


def _steps(episodes: Sequence[Played]) -> Iterator[Row]:
    for number, episode in enumerate(episodes):
        for at, step in enumerate(episode.steps):
            there = step.observation["mask"] > 0
            chosen = int(np.count_nonzero(there[: step.action])) if there[step.action] else None
            yield {
                "episode": number,
                "step": at,
                "task_id": episode.task_id,
                "family": episode.family,
                "seed": episode.seed,
                "context": step.observation["ctx"],
                "candidates": step.observation["cand"][there],
                "chosen": chosen,
                "action": step.text,
                "reward": step.reward,
                "reward_terms": dict(step.terms),
                "last": at == len(episode.steps) - 1,
                "terminated": at == len(episode.steps) - 1 and episode.terminated,
                "is_success": episode.is_success,
            }


def _conversations(episodes: Sequence[Played], tools: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    written = orjson.dumps(list(tools)).decode()
    for episode in episodes:
        yield {
            "messages": [_message(m) for m in episode.messages],
            "tools": written,
            "task_id": episode.task_id,
            "family": episode.family,
            "seed": episode.seed,
            "is_success": episode.is_success,
            "rubric_score": episode.rubric_score,
            "reward": episode.reward,
        }


def _preferences(episodes: Sequence[Played]) -> Iterator[Row]:
    by_task: dict[str, list[Played]] = defaultdict(list)
    for episode in episodes:
        by_task[episode.task_id].append(episode)
    for task_id, played in by_task.items():
        good = [e for e in played if e.is_success]
        near = [e for e in played if e.is_success is False and e.rubric_score >= NEAR]
        for better, worse in zip(good, near, strict=False):
            pairs = zip(better.messages, worse.messages, strict=False)
            shared = sum(1 for _ in takewhile(lambda pair: _message(pair[0]) == _message(pair[1]), pairs))
            yield {
                "prompt": [_message(m) for m in better.messages[:shared]],
                "chosen": [_message(m) for m in better.messages[shared:]],
                "rejected": [_message(m) for m in worse.messages[shared:]],
                "task_id": task_id,
                "rejected_rubric_score": worse.rubric_score,
            }


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message with the same keys for every role, as columns need them."""
    return {
        "role": message["role"],
        "content": message.get("content") or "",
        "tool_calls": [
            {"id": c["id"], "type": "function", "function": dict(c["function"])}
            for c in message.get("tool_calls") or ()
        ],
        "tool_call_id": message.get("tool_call_id") or "",
    }


def _plain(value: Any) -> Any:
    """Return a value as Arrow reads it: matrices as lists of rows."""
    if isinstance(value, np.ndarray):
        return list(value) if value.ndim > 1 else value
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return value
