"""Episodes as records to train from: SFT, DPO and GRPO, one JSON object a record, with masks.

A mask has a number for each message beside it: 1 where a model is to learn it, which is what the agent said and called,
and 0 for everything else: instructions, the user's words, the results of tools. Episodes that a failing endpoint cut
off, and those without a known success, are in none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import zip_longest
from statistics import fmean, pstdev
from typing import Any

from vitagym.dialogue.transcript import Role
from vitagym.env.offer import tool_schemas
from vitagym.evaluation.log import Row, endpoint_failed

Record = dict[str, Any]
Message = Mapping[str, Any]


class Form(StrEnum):
    """What records are for."""

    SFT = "sft"
    """One successful episode a record."""
    DPO = "dpo"
    """A successful and a failed episode on one task a record."""
    GRPO = "grpo"
    """One episode a record, with its return and its advantage among the episodes on its task."""


def records(rows: Iterable[Row], form: Form) -> Iterator[Record]:
    """Yield the records of a form from episodes."""
    scored = (row for row in rows if row["is_success"] is not None and not endpoint_failed(row))
    return {Form.SFT: _sft, Form.DPO: _dpo, Form.GRPO: _grpo}[form](scored)


def mask(messages: Sequence[Message]) -> list[int]:
    """Return 1 for each message that the agent made, and 0 for every other, and for one that says and calls nothing."""
    return [int(m["role"] == Role.ASSISTANT and bool(m.get("content") or m.get("tool_calls"))) for m in messages]


def _sft(rows: Iterable[Row]) -> Iterator[Record]:
    for row in rows:
        if row["is_success"]:
            yield {**_told(row), "messages": row["messages"], "mask": mask(row["messages"])}


def _grpo(rows: Iterable[Row]) -> Iterator[Record]:
    for name, group in _groups(rows).items():
        returns = [float(row["reward"]) for row in group]
        mean, spread = fmean(returns), pstdev(returns)
        for row, paid in zip(group, returns, strict=True):
            yield {
                **_told(row),
                "group": name,
                "group_size": len(group),
                "messages": row["messages"],
                "mask": mask(row["messages"]),
                "rewards": _by_message(row),
                "reward": paid,
                "is_success": row["is_success"],
                "advantage": (paid - mean) / spread if spread else 0.0,
            }


def _by_message(row: Row) -> list[float]:
    """Return the reward of each message: an action's is paid at its first one."""
    rewards = [0.0] * len(row["messages"])
    for turn, paid in zip(row["action_turns"], row["rewards"], strict=True):
        rewards[turn + 1] = paid
    return rewards


def _dpo(rows: Iterable[Row]) -> Iterator[Record]:
    """Yield each failed episode beside the successful one on its task that it shares the longest beginning with."""
    for name, group in _groups(rows).items():
        successes = [row for row in group if row["is_success"]]
        for failure in (row for row in group if not row["is_success"]):
            shared = [_shared(success["messages"], failure["messages"]) for success in successes]
            if not shared:
                continue
            length = max(shared)
            success = successes[shared.index(length)]
            chosen, rejected = success["messages"][length:], failure["messages"][length:]
            if not any(mask(chosen)) or not any(mask(rejected)):
                continue
            yield {
                **_told(success),
                "group": name,
                "rejected_key": failure["key"],
                "prompt": success["messages"][:length],
                "chosen": chosen,
                "chosen_mask": mask(chosen),
                "rejected": rejected,
                "rejected_mask": mask(rejected),
            }


def _shared(one: Sequence[Message], other: Sequence[Message]) -> int:
    """Return how many messages two episodes begin with in common."""
    pairs = enumerate(zip_longest(one, other))
    return next((at for at, (a, b) in pairs if a != b), len(one))


def _groups(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the episodes by what they were played on: environment, language, user, judge and task."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = "|".join(row[part] for part in ("env_id", "language", "user", "judge", "task_id"))
        groups.setdefault(name, []).append(row)
    return groups


def _told(row: Row) -> Record:
    """Return what every record says of its episode."""
    return {"key": row["key"], "seed": row["seed"], "task_id": row["task_id"], "tools": _tools(row)}


def _tools(row: Row) -> list[dict[str, Any]]:
    """Return the schemas of the tools that were on offer; where only the needed were, of those that were called."""
    offered = row["settings"].get("tools", "own")
    every = tool_schemas("cross" if offered == "all" else row["domain"], row["language"])
    if offered != "needed":
        return every
    called = {call["function"]["name"] for m in row["messages"] for call in m.get("tool_calls", ())}
    return [schema for schema in every if schema["function"]["name"] in called]
