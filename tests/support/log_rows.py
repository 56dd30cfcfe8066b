"""Rows of logs made by hand: just what the analysis reads, nothing else."""

from __future__ import annotations

from typing import Any


def row(task: str = "t1", success: bool | None = True, **fields: Any) -> dict[str, Any]:
    """A row of an episode that was played without models; ``success=None`` is unscored."""
    status = {True: "met", False: "pending", None: "unscored"}[success]
    base: dict[str, Any] = {
        "env_id": "VitaBench-Delivery-v0", "agent": "a", "user": "scripted", "judge": "rules", "task_id": task,
        "trial": 0, "domain": "delivery", "family": "f", "language": "en", "persona": "cold", "settings": {},
        "agent_options": {}, "complexity": None, "seconds": None, "reward": float(bool(success)), "turns": 3,
        "messages": [{"role": "system", "content": "-"}], "action_turns": [], "acts": [], "world_changes": [],
        "rubric_changes": [], "rubrics": {"r": {"sentence": "-", "status": status, "turn": 1, "reason": "-"}},
        "rubric_score": float(bool(success)), "is_success": success, "end_reason": "user_done",
        "usage": {"actions": 1, "utterances": 1, "tool_calls": 2, "refused_calls": 1, "refused_actions": 0, "roles": {},
                  "priced": True},
    }  # fmt: skip
    return base | fields


def rows(results: dict[str, list[bool | None]], **fields: Any) -> list[dict[str, Any]]:
    """Rows of some trials of some tasks."""
    return [
        row(task, success, trial=trial, **fields)
        for task, trials in results.items()
        for trial, success in enumerate(trials)
    ]


def cut_off(task: str = "t1", **fields: Any) -> dict[str, Any]:
    """A row of an episode that an endpoint's failure cut off."""
    return row(task, False, **({"end_reason": "endpoint_failed", "is_success": None} | fields))
