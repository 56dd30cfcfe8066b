"""What the page keeps of an episode: one short entry in the list, and the rest, which is read when it is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vitagym.analysis.failures import Failure
from vitagym.analysis.metrics import METRICS
from vitagym.analysis.rows import Outcome, Row, outcome
from vitagym.dialogue.transcript import Role
from vitagym.language import Language, text
from vitagym.rewards.rubrics import RubricStatus

_OPENING = 110
"""How many letters of the user's first words the list has."""
_OUTCOMES = {
    Outcome.SUCCESS: "success",
    Outcome.FAILURE: "failure",
    Outcome.UNSCORED: "unscored",
    Outcome.ENDPOINT: "cut_off",
}
_KEPT = (
    "seed",
    "settings",
    "agent_options",
    "seconds",
    "seconds_by_role",
    "versions",
    "rewards",
    "reward_terms",
    "rubrics",
    "scores",
    "usage",
    "error",
)
_LISTS = ("acts", "world_changes", "places", "action_turns")
_REFUSED = tuple(text("feedback", "refused", language).partition("{")[0] for language in Language)


def entry(row: Row, failures: Sequence[Failure]) -> dict[str, Any]:
    """Return the entry of an episode in the list, all but its key.

    Args:
        row: The row of the log.
        failures: What went wrong in it.
    """
    rubrics = row["rubrics"].values()
    usage = row["usage"]
    return {
        "environment": row["env_id"],
        "task": row["task_id"],
        "domain": row.get("domain", ""),
        "family": row.get("family", ""),
        "persona": row.get("persona", ""),
        "language": row["language"],
        "task_time": row.get("task_time", ""),
        "agent": row["agent"],
        "user": row.get("user", ""),
        "judge": row.get("judge", ""),
        "trial": row["trial"],
        "outcome": _OUTCOMES[outcome(row)],
        "end": row["end_reason"],
        "reward": round(row["reward"], 6),
        "met": sum(state["status"] == RubricStatus.MET for state in rubrics),
        "rubrics": len(rubrics),
        "turns": row["turns"],
        "calls": usage["tool_calls"],
        "refused": usage["refused_calls"],
        "tokens": _tokens(usage),
        "cost": METRICS["cost"].value(row),
        "failures": list(dict.fromkeys(failure.type.value for failure in failures)),
        "opening": _opening(row),
    }


def whole(row: Row, failures: Sequence[Failure]) -> dict[str, Any]:
    """Return everything about an episode that the page shows once it is opened.

    Turn k is ``messages[k]``: the system prompt stands by itself.
    """
    first, *messages = row["messages"]
    return {
        **{name: row.get(name) for name in _KEPT},
        **{name: row.get(name) or [] for name in _LISTS},
        "rubric_changes": row.get("rubric_changes") or _changes_at_the_end(row),
        "failures": [failure.data() for failure in failures],
        "system_prompt": first["content"],
        "messages": messages,
        "refused": [turn for turn, message in enumerate(messages) if _is_refusal(message)],
    }


def _changes_at_the_end(row: Row) -> list[dict[str, Any]]:
    """Return the changes as far as the states at the end tell them, for logs that kept no others."""
    states = [
        {"turn": state["turn"], "rubric": rubric, "status": state["status"], "reason": state["reason"]}
        for rubric, state in row["rubrics"].items()
        if state["status"] != RubricStatus.PENDING
    ]
    return sorted(states, key=lambda change: change["turn"])


def _is_refusal(message: Mapping[str, Any]) -> bool:
    return message["role"] == Role.TOOL and str(message.get("content", "")).startswith(_REFUSED)


def _tokens(usage: Mapping[str, Any]) -> int:
    roles = usage.get("roles") or {}
    return sum(used.get("prompt_tokens", 0) + used.get("completion_tokens", 0) for used in roles.values())


def _opening(row: Row) -> str:
    said = next((str(m.get("content") or "") for m in row["messages"] if m["role"] == Role.USER), "")
    line = " ".join(said.split())
    return line if len(line) <= _OPENING else line[:_OPENING] + "…"
