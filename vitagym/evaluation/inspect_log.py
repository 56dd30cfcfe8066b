"""Episodes as an eval log of Inspect (inspect.aisi.org.uk), in its JSON form, so that its viewer and scripts read them.

Inspect has one log a task and model: here one an environment, agent, user and judge. A sample is an episode, its epoch
the trial. The package itself is not needed to write one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from vitagym.dialogue.transcript import Role
from vitagym.evaluation.log import Row, endpoint_failed
from vitagym.llm.asking import ModelRole

_VERSION = 2
_NO_TIME = "1970-01-01T00:00:00+00:00"
_PLAYED = ("env_id", "agent", "user", "judge")
_KEPT = ("key", "seed", "attempt", "domain", "family", "language", "persona", "end_reason", "rubrics", "rubric_changes")


def inspect_logs(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Return name -> log, one for every environment, agent, user and judge that there are episodes of."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in _PLAYED), []).append(row)
    return {_file_name(group): inspect_log(episodes) for group, episodes in groups.items()}


def inspect_log(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the log of episodes of one environment, agent, user and judge."""
    first = rows[0]
    model = first["models"].get(ModelRole.AGENT, first["agent"])
    times = sorted(row["started"] for row in rows if row["started"] is not None) or [_NO_TIME]
    scored = [row for row in rows if row["is_success"] is not None and not endpoint_failed(row)]
    name = hashlib.sha256("|".join(row["key"] for row in rows).encode()).hexdigest()[:22]
    tasks = list(dict.fromkeys(row["task_id"] for row in rows))
    return {
        "version": _VERSION,
        "status": "success",
        "eval": {
            "eval_id": name,
            "run_id": name,
            "task_id": name,
            "created": times[0],
            "task": first["env_id"],
            "task_version": 0,
            "solver": first["agent"],
            "dataset": {"name": first["env_id"], "samples": len(tasks), "sample_ids": tasks},
            "model": model,
            "config": {"epochs": 1 + max(row["trial"] for row in rows)},
            "packages": {name: v for name, v in first["versions"].items() if name != "python"},
            "metadata": {name: first[name] for name in (*_PLAYED, "settings", "models")},
        },
        "results": {
            "total_samples": len(rows),
            "completed_samples": sum(not endpoint_failed(row) for row in rows),
            "scores": [
                _mean("success", [float(row["is_success"]) for row in scored]),
                _mean("rubric_score", [row["rubric_score"] for row in scored]),
            ],
        },
        "stats": {"started_at": times[0], "completed_at": times[-1]},
        "samples": [_sample(row, model) for row in rows],
    }


def _file_name(group: tuple[str, ...]) -> str:
    readable = "_".join("".join(c if c.isalnum() or c in "-." else "-" for c in part) for part in group)
    return f"{readable}.json"


def _mean(name: str, values: Sequence[float]) -> dict[str, Any]:
    value = sum(values) / len(values) if values else 0.0
    metrics = {"mean": {"name": "mean", "value": value}} if values else {}
    return {"name": name, "scorer": name, "scored_samples": len(values), "metrics": metrics}


def _sample(row: Row, model: str) -> dict[str, Any]:
    messages = [_message(message, f"{row['key']}|{at}", model) for at, message in enumerate(row["messages"])]
    begins = next((at for at, m in enumerate(messages) if m["role"] == Role.ASSISTANT), len(messages))
    said = [m for m in messages if m["role"] == Role.ASSISTANT]
    scores = {"rubric_score": {"value": row["rubric_score"]}}
    if row["is_success"] is not None:
        scores["success"] = {"value": int(row["is_success"])}
    failed = endpoint_failed(row)
    return {
        "id": row["task_id"],
        "epoch": row["trial"] + 1,
        "input": messages[:begins],
        "target": [rubric["sentence"] for rubric in row["rubrics"].values()],
        "messages": messages,
        "output": {"model": model, "choices": [{"message": said[-1], "stop_reason": "stop"}] if said else []},
        "scores": {} if failed else scores,
        "metadata": {name: row[name] for name in _KEPT},
        "role_usage": {role: _usage(used) for role, used in row["usage"]["roles"].items()},
        **({} if row["started"] is None else {"started_at": row["started"], "total_time": row["seconds"]}),
        **({"error": _error(row["error"] or row["end_reason"])} if failed else {}),
    }


def _message(message: Mapping[str, Any], name: str, model: str) -> dict[str, Any]:
    role, words = message["role"], message.get("content") or ""
    made: dict[str, Any] = {"id": name, "role": role, "content": words}
    if role == Role.TOOL:
        return {**made, "tool_call_id": message["tool_call_id"], "function": message["name"]}
    if role == Role.USER:
        return {**made, "source": "input"}
    if role == Role.ASSISTANT:
        thought = message.get("reasoning_content")
        if thought:
            made["content"] = [{"type": "reasoning", "reasoning": thought}, {"type": "text", "text": words}]
        made |= {"source": "generate", "model": model}
        if message.get("tool_calls"):
            made["tool_calls"] = [_call(call) for call in message["tool_calls"]]
    return made


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    made = {"id": call["id"], "function": function["name"], "arguments": {}, "type": "function"}
    try:
        arguments = orjson.loads(function["arguments"])
    except ValueError as error:
        return {**made, "parse_error": str(error)}
    if not isinstance(arguments, dict):
        return {**made, "parse_error": f"the arguments are no object: {function['arguments']}"}
    return {**made, "arguments": arguments}


def _usage(used: Mapping[str, Any]) -> dict[str, Any]:
    prompt, completion = used["prompt_tokens"], used["completion_tokens"]
    return {
        "input_tokens": prompt,
        "output_tokens": completion,
        "total_tokens": prompt + completion,
        "total_cost": used["cost"],
    }


def _error(sentence: str) -> dict[str, str]:
    return {"message": sentence, "traceback": "", "traceback_ansi": ""}
